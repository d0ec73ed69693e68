//! `cargo xtask soak --guests N`: programs in Go, and static ones in C and Rust, kept under control by their system calls. One script, run
//! N times on a busy machine, must give the same history byte for byte; and a stage that is killed N times while it plays must leave nothing
//! behind.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use base::{Clock, SystemClock};

use super::stage::{Programs, kill_after, repeat, wait_until_gone, with_load};
use crate::program;

/// The guests: the name of the node, its arguments, and how its program is made.
const GUESTS: &[(&str, &[&str], Guest)] = &[
    ("server", &["server", "17401"], Guest::Go("talk")),
    ("client", &["client", "17401"], Guest::Go("talk")),
    ("moments", &[], Guest::Go("moments")),
    ("journal", &[], Guest::Go("journal")),
    ("clock", &[], Guest::StaticC("clock")),
    ("ticks", &[], Guest::Musl("ticks")),
    ("spin", &[], Guest::StaticC("spin")),
    ("runtime", &[], Guest::StaticRust("runtime")),
];

/// Timers, connections and datagrams, a child process, a garbage collection, a loop that waits for the clock, crashes.
const SCRIPT: &str = "\
start all
tick client
held
deliver client server all
deliver server client all
tick moments 3
tick clock 5
tick ticks
tick spin 3
tick runtime
tick client
crash server
start server
tick client
deliver client server all
advance moments 2s
tick journal
crash journal lose
start journal
cut client
tick client
heal client
tick client
tick clock 4
crash clock
start clock
tick clock
nodes
";

#[derive(Clone, Copy)]
enum Guest {
    Go(&'static str),
    StaticC(&'static str),
    Musl(&'static str),
    StaticRust(&'static str),
}

impl Guest {
    fn compile(self, folder: &Path) -> PathBuf {
        match self {
            Guest::Go(name) => test_kit::go_guest(name, folder),
            Guest::StaticC(name) => test_kit::static_guest(name, folder),
            Guest::Musl(name) => test_kit::musl_guest(name, folder),
            Guest::StaticRust(name) => test_kit::static_rust_guest(name, folder),
        }
    }
}

pub fn run(n_runs: u64, profile: &str) -> Result<bool> {
    let programs = Programs {
        specline: program::build(profile)?,
        search_path: "/usr/local/bin:/usr/bin:/bin".to_owned(),
    };
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let (system, script) = describe(folder.path())?;
    let clock = SystemClock::start();
    let n_bytes = with_load(|| repeat(&programs, folder.path(), (&system, &script), n_runs))?;
    let seconds = clock.elapsed().as_secs();
    println!("{n_runs} runs of {} guests in {seconds} s: the same {n_bytes} bytes each time", GUESTS.len());
    let clock = SystemClock::start();
    let lines: Vec<&str> = SCRIPT.lines().collect();
    with_load(|| -> Result<()> {
        for number in 0..n_runs as usize {
            let n_lines = (number * 7) % lines.len() + 1;
            let moment = Duration::from_millis((40 * n_lines + number * 13 % 100) as u64);
            kill_after(&programs, (folder.path(), &system), &lines[..n_lines], moment)?;
        }
        wait_until_gone(folder.path())
    })?;
    println!("{n_runs} stages killed in {} s: nothing is left", clock.elapsed().as_secs());
    Ok(true)
}

/// Compiles the guests and writes the system and its script.
fn describe(folder: &Path) -> Result<(PathBuf, PathBuf)> {
    let (system, made) = (folder.join("guests"), folder.join("made"));
    for path in [&system, &made] {
        std::fs::create_dir_all(path).context("folders can be made")?;
    }
    let mut text = String::from(
        "seed = 1\nidle_limit_ms = 60000\n[start]\ncommand = [\"{system}/{name}\"]\ntrack_files = true\n",
    );
    for (number, (name, arguments, guest)) in GUESTS.iter().enumerate() {
        std::fs::copy(guest.compile(&made), system.join(name)).context("a guest can be copied")?;
        text += &format!(
            "[[node]]\nname = \"{name}\"\naddress = \"127.0.0.1:{}\"\narguments = {arguments:?}\n",
            17401 + number
        );
    }
    std::fs::write(system.join("system.toml"), text).context("files can be written")?;
    let script = folder.join("script.txt");
    std::fs::write(&script, SCRIPT).context("files can be written")?;
    Ok((system, script))
}
