//! `cargo xtask soak --stage N`: one script on the stage, run N times on a busy machine, must give the same history
//! byte for byte; and a stage that is killed N times at some moment must leave nothing behind: no process, no socket,
//! no folder.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use base::{Clock, SystemClock};

use crate::{program, run};

/// The system, in the repository.
const SYSTEM: &str = "examples/raft";
/// Its script of forty events.
const SCRIPT: &str = "examples/raft/scripts/forty.txt";
/// Nodes that misbehave: they ignore signals, leave children behind, write without end, never rest, or break down.
const UNRULY: [&str; 5] = [
    "trap '' TERM HUP INT; (sleep 1000 &); while sleep 1; do :; done",
    "yes 'a line of a log'",
    "while :; do :; done",
    "setsid sleep 1000 & sleep 1; kill -SEGV $$",
    "for i in 1 2 3 4 5 6 7 8; do sleep 1000 & done; wait",
];
/// The events for nodes that misbehave.
const UNRULY_SCRIPT: [&str; 4] = ["start n1", "tick n1", "crash n1", "start n1"];
/// The time limit of one run.
const RUN_LIMIT: Duration = Duration::from_secs(120);
/// The time limit for everything to be gone.
const GOING_LIMIT: Duration = Duration::from_secs(30);

/// The programs that a run needs.
pub(super) struct Programs {
    pub specline: PathBuf,
    /// The search path, with the folder of `raft-node` first.
    pub search_path: String,
}

pub fn run(n_runs: u64, profile: &str) -> Result<bool> {
    let node = program::build_package("raft", profile)?;
    let folder = node.parent().context("programs are in a folder")?;
    let search_path = format!("{}:/usr/local/bin:/usr/bin:/bin", folder.display());
    let programs = Programs { specline: program::build(profile)?, search_path };
    let clock = SystemClock::start();
    let n_bytes = with_load(|| same_histories(&programs, n_runs))?;
    println!(
        "{n_runs} runs of `{SCRIPT}` in {} s: the same {n_bytes} bytes each time",
        clock.elapsed().as_secs()
    );
    let clock = SystemClock::start();
    with_load(|| kill_stages(&programs, n_runs))?;
    println!("{n_runs} stages killed in {} s: nothing is left", clock.elapsed().as_secs());
    Ok(true)
}

/// Runs `work` while another processor is busy.
pub(super) fn with_load<T>(work: impl FnOnce() -> T) -> T {
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| (0_u64..).take_while(|_| !is_done.load(Ordering::Relaxed)).count());
        let result = work();
        is_done.store(true, Ordering::Relaxed);
        result
    })
}

fn same_histories(programs: &Programs, n_runs: u64) -> Result<usize> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    repeat(programs, folder.path(), (&run::root().join(SYSTEM), &run::root().join(SCRIPT)), n_runs)
}

/// Plays a script again and again; returns the length of the history.
pub(super) fn repeat(
    programs: &Programs,
    folder: &Path,
    (system, script): (&Path, &Path),
    n_runs: u64,
) -> Result<usize> {
    let mut first: Option<String> = None;
    for number in 1..=n_runs {
        let history = play(programs, folder, (system, script))?;
        match &first {
            None => first = Some(history),
            Some(first) if *first == history => {}
            Some(first) => bail!("run {number} differs:\n{}", difference(first, &history)),
        }
    }
    wait_until_gone(folder)?;
    Ok(first.map_or(0, |history| history.len()))
}

fn play(programs: &Programs, folder: &Path, (system, script): (&Path, &Path)) -> Result<String> {
    let log = folder.join("log.ndjson");
    let mut command = programs.stage(folder, system);
    command.arg("--script").arg(script).arg("--log").arg(&log);
    let ended = run::run_within(RUN_LIMIT, &mut command)?.context("a run did not end in time")?;
    ensure!(ended.exit == 0, "a run failed: {}", ended.errors);
    std::fs::read_to_string(&log).context("the log cannot be read")
}

/// Describes the first event after which two histories differ.
fn difference(first: &str, other: &str) -> String {
    let differ = first.lines().zip(other.lines()).find(|(first, other)| first != other);
    differ.map_or("one is longer".to_owned(), |(first, other)| format!("{first}\n{other}"))
}

/// Kills stages while they play, each at another moment, every other one with a node that misbehaves.
fn kill_stages(programs: &Programs, n_runs: u64) -> Result<()> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let script = std::fs::read_to_string(run::root().join(SCRIPT)).context("the script cannot be read")?;
    let lines: Vec<&str> = script.lines().filter(|line| !line.starts_with('#')).collect();
    let unruly: Vec<PathBuf> =
        (0..UNRULY.len()).map(|number| describe(folder.path(), number)).collect::<Result<_>>()?;
    for number in 0..n_runs as usize {
        if number % 2 == 0 {
            let n_lines = (number * 7) % lines.len() + 1;
            let moment = Duration::from_millis(20 * n_lines as u64);
            kill_after(programs, (folder.path(), &run::root().join(SYSTEM)), &lines[..n_lines], moment)?;
        } else {
            let system = &unruly[number / 2 % UNRULY.len()];
            let moment = Duration::from_millis((number * 13 % 200) as u64);
            kill_after(programs, (folder.path(), system), &UNRULY_SCRIPT, moment)?;
        }
    }
    wait_until_gone(folder.path())
}

/// Writes the description of a system with one misbehaving node.
fn describe(folder: &Path, number: usize) -> Result<PathBuf> {
    let system = folder.join(format!("unruly-{number}"));
    std::fs::create_dir_all(&system).context("folders can be made")?;
    let node = "[[node]]\nname = \"n1\"\naddress = \"127.0.0.1:17391\"\n";
    let command = format!("[start]\ncommand = [\"sh\", \"-c\", '''{}''']\n", UNRULY[number]);
    std::fs::write(system.join("system.toml"), format!("idle_limit_ms = 200\n{command}{node}"))
        .context("files can be written")?;
    Ok(system)
}

/// Gives these events to a stage, and kills it somewhere among them.
pub(super) fn kill_after(
    programs: &Programs,
    (folder, system): (&Path, &Path),
    lines: &[&str],
    moment: Duration,
) -> Result<()> {
    let mut command = programs.stage(folder, system);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child: Child = command.spawn().context("cannot run the stage")?;
    let mut input: ChildStdin = child.stdin.take().context("its input is a pipe")?;
    for line in lines {
        writeln!(input, "{line}").context("the stage does not listen")?;
    }
    let clock = SystemClock::start();
    while clock.elapsed() < moment {
        std::thread::yield_now();
    }
    child.kill().context("the stage cannot be killed")?;
    child.wait().context("the stage is lost")?;
    Ok(())
}

impl Programs {
    /// Returns the command for a stage whose folders are all in this one.
    pub fn stage(&self, folder: &Path, system: &Path) -> Command {
        let mut command = Command::new(&self.specline);
        command.arg("stage").arg(system).current_dir(folder);
        command.env("PATH", &self.search_path).env("TMPDIR", folder);
        command
    }
}

/// Waits until nothing of the stages that ran in this folder is left.
pub fn wait_until_gone(folder: &Path) -> Result<()> {
    let clock = SystemClock::start();
    loop {
        let left = list_left(folder)?;
        if left.is_empty() {
            return Ok(());
        }
        ensure!(clock.elapsed() < GOING_LIMIT, "left: {}", left.join(", "));
        std::thread::yield_now();
    }
}

/// Lists processes that run in the folder, sockets with names in it, and folders of stages.
fn list_left(folder: &Path) -> Result<Vec<String>> {
    let text = folder.display().to_string();
    let mut left = Vec::new();
    for entry in std::fs::read_dir("/proc").context("there is no /proc")?.filter_map(Result::ok) {
        let lives_here =
            std::fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder));
        if lives_here {
            left.push(format!("process {}", entry.file_name().display()));
        }
    }
    let sockets = std::fs::read_to_string("/proc/net/unix").unwrap_or_default();
    left.extend(sockets.lines().filter(|line| line.contains(&text)).map(|line| format!("socket {line}")));
    for entry in std::fs::read_dir(folder).context("the folder is gone")?.filter_map(Result::ok) {
        if entry.file_name().display().to_string().starts_with("specline-") {
            left.push(format!("folder {}", entry.file_name().display()));
        }
    }
    Ok(left)
}
