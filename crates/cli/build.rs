//! Gives the program its version: that of the package and, in a checkout, the commit that it is built from.
#![expect(clippy::disallowed_methods, reason = "a build script is told everything by its environment")]

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let package = variable("CARGO_PKG_VERSION");
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR")).join("../..");
    let version = commit(&root).map_or_else(|| package.clone(), |commit| format!("{package} ({commit})"));
    println!("cargo::rustc-env=SPECLINE_VERSION={version}");
}

/// The commit that is checked out, and its date. `None` without git, and where the files are no checkout of their own:
/// an unpacked archive may lie in somebody else's.
fn commit(root: &Path) -> Option<String> {
    let top = PathBuf::from(git(root, &["rev-parse", "--show-toplevel"])?);
    if top.canonicalize().ok()? != root.canonicalize().ok()? {
        return None;
    }
    watch(root);
    git(root, &["log", "-1", "--abbrev=9", "--format=%h %cs"])
}

/// Asks Cargo to run this again when another commit is checked out.
fn watch(root: &Path) {
    for file in ["HEAD", "logs/HEAD"] {
        let path = git(root, &["rev-parse", "--git-path", file]).map(|path| root.join(path));
        // Cargo would run this every time for a file that is not there.
        if let Some(path) = path.filter(|path| path.is_file()) {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
}

fn git(root: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).current_dir(root).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

fn variable(name: &str) -> String {
    env::var(name).expect("cargo sets it for build scripts")
}
