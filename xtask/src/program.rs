//! Builds the program, so that a task can run it as its users do.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::run;

/// Builds `specline` with this profile of cargo, and returns its path.
pub fn build(profile: &str) -> Result<PathBuf> {
    build_package("cli", profile)
}

/// Builds the program of a package.
pub fn build_package(package: &str, profile: &str) -> Result<PathBuf> {
    let args = ["build", "--package", package, "--profile", profile];
    println!("$ cargo {}", args.join(" "));
    // It is built once, not once to show the output and once to read it: somebody may edit in between, and link-time
    // optimisation takes minutes.
    let built = Command::new("cargo")
        .args(args)
        .args(["--message-format", "json-render-diagnostics"])
        .current_dir(run::root())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run `cargo`")?;
    if !built.status.success() {
        bail!("`cargo {}` failed", args.join(" "));
    }
    let messages = String::from_utf8_lossy(&built.stdout);
    let program = messages.lines().filter_map(executable).next_back();
    program.context("cargo does not say where the program is")
}

fn executable(line: &str) -> Option<PathBuf> {
    let message: serde_json::Value = serde_json::from_str(line).ok()?;
    message["executable"].as_str().map(PathBuf::from)
}
