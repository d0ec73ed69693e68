//! Builds the library that is preloaded into guests, so that `stage` carries its bytes.
//!
//! Cargo cannot give one crate of a workspace the file that another crate's build makes. So this script runs Cargo
//! again, in a target folder of its own: the library must be optimised and abort on panic, whatever the profile of the
//! program that carries it.
#![expect(clippy::disallowed_methods, reason = "a build script is told everything by its environment")]

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const LIBRARY: &str = "libspecline_interpose.so";

/// How the library differs from the program: it is small, and what it is called for is quick.
const SETTINGS: &[&str] = &[
    "profile.release.opt-level=3",
    "profile.release.codegen-units=1",
    "profile.release.panic='abort'",
    "profile.release.debug=false",
    "profile.release.strip='debuginfo'",
];

fn main() {
    let here = PathBuf::from(read_variable("CARGO_MANIFEST_DIR"));
    let out = PathBuf::from(read_variable("OUT_DIR"));
    let crates = here.parent().expect("crates are in a folder");
    for part in ["interpose/src", "interpose/Cargo.toml", "wire/src", "wire/Cargo.toml"] {
        println!("cargo::rerun-if-changed={}", crates.join(part).display());
    }
    let target = out.join("interpose");
    let mut cargo = Command::new(read_variable("CARGO"));
    cargo
        .args(["build", "--release", "--locked", "--package", "interpose", "--manifest-path"])
        .arg(crates.join("interpose/Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .args(SETTINGS.iter().flat_map(|setting| ["--config", setting]))
        .args(["--target", &read_variable("TARGET")])
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("RUSTFLAGS")
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .env_remove("RUSTC_WRAPPER");
    let status = cargo.status().expect("cargo, which runs this, can be run");
    assert!(status.success(), "the library for guests does not compile");
    let library = library_path(&target);
    // Not written over: where a target folder was copied by links, the file belongs to another one as well.
    let copy = out.join(LIBRARY);
    let _ = std::fs::remove_file(&copy);
    std::fs::copy(&library, copy).expect("what was built can be copied");
}

fn library_path(target: &Path) -> PathBuf {
    target.join(read_variable("TARGET")).join("release").join(LIBRARY)
}

fn read_variable(name: &str) -> String {
    env::var(name).expect("cargo sets it for build scripts")
}
