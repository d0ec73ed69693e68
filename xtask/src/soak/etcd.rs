//! `cargo xtask soak --etcd MINUTES`: real members of etcd under load and in trouble, three of them and then five, with a
//! monitor each. An alarm is a finding: its recording is kept.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use test_kit::{EtcdMode, EtcdRun, EtcdWatch};

use crate::{program, run};

/// Numbers of members.
const SIZES: [usize; 2] = [3, 5];

pub fn run(minutes: u64, seed: u64, profile: &str) -> Result<bool> {
    let specline = program::build(profile)?;
    let etcd = find_etcd()?;
    let mut is_quiet = true;
    for n_members in SIZES {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let watch = EtcdWatch {
            specline: specline.clone(),
            etcd: etcd.clone(),
            spec: run::root().join("specs/etcd"),
            folder: folder.path().to_owned(),
            n_members,
            n_clients: 4,
            duration: Duration::from_secs(minutes * 60 / SIZES.len() as u64),
            think: Duration::from_millis(5),
            mode: EtcdMode::Watched,
            seed,
        };
        let result = watch.run();
        report(n_members, &result);
        if result.monitors.iter().any(|monitor| monitor.count("alarms") > 0) {
            is_quiet = false;
            println!("the recordings are in {}", folder.keep().display());
        }
    }
    Ok(is_quiet)
}

/// Returns the program of etcd: that of the system.
pub fn find_etcd() -> Result<PathBuf> {
    let found = Command::new("sh").args(["-c", "command -v etcd"]).output().context("there is no shell")?;
    let path = String::from_utf8_lossy(&found.stdout).trim().to_owned();
    ensure!(Path::new(&path).is_absolute(), "there is no etcd here: `apt-get install etcd-server`");
    Ok(path.into())
}

fn report(n_members: usize, result: &EtcdRun) {
    println!(
        "{n_members} members, {} answers to clients, {} troubles",
        result.n_answers,
        result.troubles.len()
    );
    for monitor in &result.monitors {
        let memory = |bytes: Option<&u64>| bytes.map_or(0, |bytes| bytes >> 20);
        let half = monitor.memory.len() / 2;
        println!(
            "    {}: {} in, {} out: {} explained, {} not judged; alarms: {}, undecided: {}; at most {} states, {} messages \
             pending; {} MB in the middle, {} MB at the end",
            monitor.node,
            monitor.count("in"),
            monitor.count("out"),
            monitor.count("explained"),
            monitor.count("unjudged"),
            monitor.count("alarms"),
            monitor.count("undecided"),
            monitor.count("states_max"),
            monitor.count("pending_max"),
            memory(monitor.memory.get(half)),
            memory(monitor.memory.last()),
        );
        for line in monitor.lines.iter().filter(|line| line["event"] != "end") {
            println!("        {line}");
        }
    }
}
