//! `cargo xtask soak --members N`: so many random walks of `specs/etcd/EtcdSteps.tla` on three real members of etcd.

use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::{program, run};

/// Number of steps of a walk.
const DEPTH: &str = "40";

pub fn run(n_walks: u64, seed: u64, profile: &str) -> Result<bool> {
    let specline = program::build(profile)?;
    let cache = tempfile::tempdir().context("cannot make a temporary folder")?;
    let command = |line: &str| {
        let mut command = Command::new(&specline);
        command.args(line.split_whitespace()).current_dir(run::root()).env("XDG_CACHE_HOME", cache.path());
        command
    };
    let provisioned = command("stage provision systems/etcd").status().context("cannot run the program")?;
    ensure!(provisioned.success(), "etcd cannot be had");
    let walks = format!(
        "conform specs/etcd/EtcdSteps.tla -c specs/etcd/EtcdSteps.cfg --system systems/etcd --walks {n_walks} \
         --depth {DEPTH} --seed {seed} --minimise off"
    );
    Ok(command(&walks).status().context("cannot run the program")?.success())
}
