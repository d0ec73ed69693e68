//! Building the program, so that a task can run it as its users do.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::run;

/// Builds `specline` with this profile of cargo; where it is then.
pub fn build(profile: &str) -> Result<PathBuf> {
    build_package("cli", profile)
}

/// Builds the program of a package.
pub fn build_package(package: &str, profile: &str) -> Result<PathBuf> {
    let args = ["build", "--package", package, "--profile", profile];
    if !run::show("cargo", &args)? {
        bail!("`cargo {}` failed", args.join(" "));
    }
    let artifacts = run::read("cargo", &[&args[..], &["--quiet", "--message-format", "json"]].concat())?;
    let program = artifacts.lines().filter_map(executable).next_back();
    program.context("cargo does not say where the program is")
}

fn executable(line: &str) -> Option<PathBuf> {
    let message: serde_json::Value = serde_json::from_str(line).ok()?;
    message["executable"].as_str().map(PathBuf::from)
}
