//! Builds the library that is preloaded into guests, so that `stage` carries its bytes.
//!
//! Cargo cannot give one crate of a workspace the file that another one's build makes, so this asks Cargo for it
//! again, in a target folder of its own: the library must be optimised and abort on panic whatever the profile of
//! the program that carries it.
#![expect(clippy::disallowed_methods, reason = "a build script is told everything by its environment")]

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const LIBRARY: &str = "libspecline_interpose.so";

fn main() {
    let here = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let out = PathBuf::from(variable("OUT_DIR"));
    let crates = here.parent().expect("crates are in a folder");
    for part in ["interpose/src", "interpose/Cargo.toml", "wire/src", "wire/Cargo.toml"] {
        println!("cargo::rerun-if-changed={}", crates.join(part).display());
    }
    let target = out.join("interpose");
    let mut cargo = Command::new(variable("CARGO"));
    cargo
        .args(["build", "--release", "--locked", "--package", "interpose", "--manifest-path"])
        .arg(crates.join("interpose/Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .args(["--config", "profile.release.panic='abort'", "--config", "profile.release.lto=false"])
        .args(["--target", &variable("TARGET")])
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("RUSTFLAGS")
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .env_remove("RUSTC_WRAPPER");
    let status = cargo.status().expect("cargo, which runs this, can be run");
    assert!(status.success(), "the library for guests does not compile");
    let built = built(&target);
    std::fs::copy(&built, out.join(LIBRARY)).expect("what was built can be copied");
}

fn built(target: &Path) -> PathBuf {
    target.join(variable("TARGET")).join("release").join(LIBRARY)
}

fn variable(name: &str) -> String {
    env::var(name).expect("cargo sets it for build scripts")
}
