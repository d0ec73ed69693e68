//! Checks that dependencies between crates point down, and that folders are named like the crates in them.

use anyhow::{Context, Result};
use serde::Deserialize;

use super::Complaint;
use crate::run;

/// The crates of the workspace on which each crate may depend: some of those above it. A crate that is not here may not
/// exist.
const ALLOWED: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("wire", &[]),
    ("pickle", &[]),
    ("jdwp", &[]),
    ("diag", &["base"]),
    ("syntax", &["base", "diag"]),
    ("fmt", &["base", "diag", "syntax"]),
    ("pcal", &["base", "diag"]),
    ("sema", &["base", "diag", "syntax", "pcal"]),
    ("value", &["base"]),
    ("report", &["base", "diag"]),
    ("trace", &["base", "pickle", "report"]),
    ("live", &["base"]),
    // These two need `syntax` only for their tests, which read configurations.
    ("eval", &["base", "pickle", "diag", "syntax", "sema", "value"]),
    ("jit", &["base", "sema", "value", "eval"]),
    ("model", &["base", "diag", "sema", "value", "eval", "trace", "live", "report"]),
    (
        "check",
        &["model", "base", "diag", "syntax", "sema", "value", "eval", "jit", "live", "trace", "report"],
    ),
    // It needs `syntax` only for its tests.
    ("simulate", &["base", "diag", "syntax", "sema", "value", "eval", "jit", "model", "trace"]),
    // It needs `syntax` only for its tests.
    ("audit", &["base", "diag", "syntax", "sema", "value", "eval", "model", "check", "simulate", "trace"]),
    ("retrace", &["base", "diag", "sema", "value", "eval", "model", "trace"]),
    // It reads what a person types: `syntax` says whether that is an expression or a definition.
    ("explore", &["base", "diag", "syntax", "sema", "value", "eval", "model", "trace"]),
    // These two know nothing of syntax.
    ("validate", &["base", "diag", "report", "sema", "value", "eval", "model", "check", "trace"]),
    ("compose", &["base", "diag", "sema", "value", "eval", "model", "trace", "report", "validate"]),
    ("setup", &["base", "diag", "syntax", "pcal", "sema", "eval", "model", "trace", "compose"]),
    (
        "tlc",
        &[
            "base", "diag", "report", "syntax", "pcal", "sema", "value", "eval", "model", "check",
            "simulate", "retrace", "trace", "setup",
        ],
    ),
    // The crates after the checker know nothing of syntax.
    ("stage", &["base", "diag", "sema", "value", "eval", "model", "trace", "wire", "jdwp"]),
    (
        "conform",
        &[
            "base", "diag", "sema", "value", "eval", "model", "simulate", "retrace", "trace", "validate",
            "stage",
        ],
    ),
    (
        "monitor",
        &[
            "base", "diag", "sema", "value", "eval", "model", "check", "simulate", "trace", "validate",
            "compose",
        ],
    ),
    // Bytes and messages: it knows nothing of specifications.
    ("tap", &["base"]),
    ("interpose", &["wire"]),
    ("test-kit", &["base", "diag", "sema", "trace", "wire", "stage"]),
    // The front end alone: models are checked by the program, started again.
    ("lsp", &["base", "diag", "syntax", "sema", "fmt", "pcal"]),
    (
        "cli",
        &[
            "base", "diag", "syntax", "pcal", "sema", "value", "eval", "model", "check", "simulate", "audit",
            "retrace", "report", "trace", "setup", "tlc", "validate", "compose", "stage", "conform",
            "monitor", "tap", "explore", "fmt", "lsp",
        ],
    ),
    // The explorers show the physical limit, so they share nothing with the checker.
    ("explorers", &[]),
    // A program under test knows nothing of its tests.
    ("raft", &[]),
    ("xtask", &["base", "diag", "syntax", "sema", "value", "eval", "model", "check", "trace", "test-kit"]),
];

/// Crates that are loaded into other programs, with all external crates that they may use.
const ALLOWED_FROM_OUTSIDE: &[(&str, &[&str])] = &[("wire", &[]), ("interpose", &["libc"])];

/// The crate that only tests may use.
const TESTS_ONLY: &str = "test-kit";

/// The part of `cargo metadata` that is read.
#[derive(Debug, Deserialize)]
pub(super) struct Metadata {
    packages: Vec<Package>,
}

#[derive(Debug, Deserialize)]
struct Package {
    name: String,
    manifest_path: String,
    dependencies: Vec<Dependency>,
}

#[derive(Debug, Deserialize)]
struct Dependency {
    name: String,
    /// The kind: `null` for an ordinary dependency, otherwise `dev` or `build`.
    kind: Option<String>,
    /// The path of a crate of the workspace.
    path: Option<String>,
}

pub(super) fn read_metadata() -> Result<Metadata> {
    let json = run::read("cargo", &["metadata", "--no-deps", "--offline", "--format-version", "1"])?;
    serde_json::from_str(&json).context("`cargo metadata` printed something unexpected")
}

pub(super) fn check(metadata: &Metadata, paths: &[String]) -> Vec<Complaint> {
    let mut complaints = folders_without_crate(paths);
    for package in &metadata.packages {
        complaints.extend(folder_name(package));
        complaints.extend(arrows(package));
        complaints.extend(from_outside(package));
    }
    complaints
}

fn manifest(package: &Package) -> String {
    match folder(package) {
        "xtask" => "xtask/Cargo.toml".to_owned(),
        "explorers" => "bench/explorers/Cargo.toml".to_owned(),
        "raft" => "examples/raft/Cargo.toml".to_owned(),
        folder => format!("crates/{folder}/Cargo.toml"),
    }
}

/// Returns the last folder of the manifest's path.
fn folder(package: &Package) -> &str {
    let path = std::path::Path::new(&package.manifest_path);
    path.parent().and_then(|folder| folder.file_name()).and_then(|name| name.to_str()).unwrap_or_default()
}

fn folder_name(package: &Package) -> Option<Complaint> {
    let differs = folder(package) != package.name;
    differs
        .then(|| Complaint::file(&manifest(package), format!("`{}` lives in another folder", package.name)))
}

fn folders_without_crate(paths: &[String]) -> Vec<Complaint> {
    let mut folders: Vec<&str> = paths
        .iter()
        .filter_map(|path| path.strip_prefix("crates/")?.split_once('/').map(|(folder, _)| folder))
        .collect();
    folders.dedup();
    let has_manifest = |folder: &str| paths.iter().any(|path| *path == format!("crates/{folder}/Cargo.toml"));
    let bare = folders.into_iter().filter(|folder| !has_manifest(folder));
    bare.map(|folder| Complaint::file(&format!("crates/{folder}"), "has no manifest")).collect()
}

/// Finds dependencies on crates of the workspace that the table does not allow.
fn arrows(package: &Package) -> Vec<Complaint> {
    let path = manifest(package);
    let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| *name == package.name) else {
        let text = format!("`{}` is not in the table of crates in xtask/src/tidy/crates.rs", package.name);
        return vec![Complaint::file(&path, text)];
    };
    let ours = package.dependencies.iter().filter(|dependency| dependency.path.is_some());
    let wrong = ours.filter(|dependency| {
        let is_test_kit = dependency.name == TESTS_ONLY && dependency.kind.as_deref() == Some("dev");
        !allowed.contains(&dependency.name.as_str()) && !is_test_kit
    });
    let text = |name: &str| format!("`{}` may not depend on `{name}`: arrows point down", package.name);
    wrong.map(|dependency| Complaint::file(&path, text(&dependency.name))).collect()
}

fn from_outside(package: &Package) -> Vec<Complaint> {
    let Some((_, allowed)) = ALLOWED_FROM_OUTSIDE.iter().find(|(name, _)| *name == package.name) else {
        return Vec::new();
    };
    let is_wrong = |dependency: &&Dependency| {
        let is_test = dependency.kind.as_deref() == Some("dev");
        dependency.path.is_none() && !is_test && !allowed.contains(&dependency.name.as_str())
    };
    let wrong = package.dependencies.iter().filter(is_wrong);
    let text = |name: &str| format!("`{}` may not bring `{name}` into other programs", package.name);
    wrong.map(|dependency| Complaint::file(&manifest(package), text(&dependency.name))).collect()
}

#[cfg(test)]
mod tests {
    use super::{
        ALLOWED, Metadata, Package, arrows, check, folder_name, folders_without_crate, from_outside,
    };

    fn package(json: &str) -> Package {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn an_arrow_that_points_up_is_noticed() {
        let bad = package(
            r#"{"name": "diag", "manifest_path": "x/crates/diag/Cargo.toml", "dependencies": [
                {"name": "base", "kind": null, "path": "x"}, {"name": "sema", "kind": "dev", "path": "x"},
                {"name": "serde", "kind": null, "path": null}, {"name": "test-kit", "kind": "dev", "path": "x"}]}"#,
        );
        let complaints = arrows(&bad);
        assert_eq!(complaints.len(), 1);
        assert!(complaints[0].text.contains("`sema`"), "{complaints:?}");
    }

    #[test]
    fn a_crate_that_nobody_planned_is_noticed() {
        let bad =
            package(r#"{"name": "util", "manifest_path": "x/crates/util/Cargo.toml", "dependencies": []}"#);
        assert_eq!(arrows(&bad).len(), 1);
    }

    #[test]
    fn a_library_in_the_wrong_place_is_noticed() {
        let bad = package(
            r#"{"name": "interpose", "manifest_path": "x/crates/interpose/Cargo.toml", "dependencies": [
                {"name": "libc", "kind": null, "path": null}, {"name": "serde", "kind": null, "path": null}]}"#,
        );
        assert_eq!(from_outside(&bad).len(), 1);
    }

    #[test]
    fn a_folder_with_another_name_is_noticed() {
        let bad = package(
            r#"{"name": "syntax", "manifest_path": "x/crates/parser/Cargo.toml", "dependencies": []}"#,
        );
        assert!(folder_name(&bad).is_some());
    }

    #[test]
    fn a_folder_without_a_manifest_is_noticed() {
        let paths =
            ["crates/base/Cargo.toml", "crates/base/src/lib.rs", "crates/old/src/lib.rs", "README.md"];
        let complaints = folders_without_crate(&paths.map(str::to_owned));
        assert_eq!(complaints.len(), 1);
        assert_eq!(complaints[0].path, "crates/old");
    }

    #[test]
    fn every_crate_of_the_table_points_to_crates_before_it() {
        for (at, (name, allowed)) in ALLOWED.iter().enumerate() {
            let before: Vec<&str> = ALLOWED[..at].iter().map(|(name, _)| *name).collect();
            assert!(allowed.iter().all(|below| before.contains(below)), "{name}");
        }
        assert_eq!(check(&Metadata { packages: Vec::new() }, &[]), []);
    }
}
