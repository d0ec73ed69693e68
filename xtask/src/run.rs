//! Running other programs, and where the repository is.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The root of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace")
}

/// Runs a program in the root, its output shown; says so first. Returns whether it succeeded.
pub fn show(program: &str, args: &[&str]) -> Result<bool> {
    println!("$ {program} {}", args.join(" "));
    let status = Command::new(program).args(args).current_dir(root()).status();
    Ok(status.with_context(|| format!("cannot run `{program}`"))?.success())
}

/// What a program prints.
pub fn read<S: AsRef<OsStr>>(program: &str, args: &[S]) -> Result<String> {
    let output = Command::new(program).args(args).current_dir(root()).output();
    let output = output.with_context(|| format!("cannot run `{program}`"))?;
    if !output.status.success() {
        bail!("`{program}` failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{program}` printed bytes that are not text"))
}

/// Whether a program runs and succeeds, without a sound.
pub fn succeeds(program: &str, args: &[&str]) -> bool {
    let quiet = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    quiet.is_ok_and(|status| status.success())
}

/// Copies the files of a folder, not what is in its folders.
pub fn copy_files(from: &Path, to: &Path) -> Result<()> {
    let entries = std::fs::read_dir(from).with_context(|| format!("cannot list `{}`", from.display()))?;
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name()))
                .with_context(|| format!("cannot copy `{}`", entry.path().display()))?;
        }
    }
    Ok(())
}
