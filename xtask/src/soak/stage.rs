//! `cargo xtask soak --stage N`: one script on the stage N times, on a busy machine, must tell the same history byte for
//! byte; and a stage that is killed N times at some moment must leave nothing: no process, no socket, no folder.

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
/// Nodes that do not behave: they ignore signals, leave children behind, write without end, never rest, break down.
const UNRULY: [&str; 5] = [
    "trap '' TERM HUP INT; (sleep 1000 &); while sleep 1; do :; done",
    "yes 'a line of a log'",
    "while :; do :; done",
    "setsid sleep 1000 & sleep 1; kill -SEGV $$",
    "for i in 1 2 3 4 5 6 7 8; do sleep 1000 & done; wait",
];
/// What they are told.
const UNRULY_SCRIPT: [&str; 4] = ["start n1", "tick n1", "crash n1", "start n1"];
/// How long one run may take.
const RUN_LIMIT: Duration = Duration::from_secs(120);
/// How long what must go may take to go.
const GOING_LIMIT: Duration = Duration::from_secs(30);

/// The programs that a run needs.
struct Programs {
    specline: PathBuf,
    /// With the folder of `raft-node` in front.
    search_path: String,
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
    with_load(|| killed(&programs, n_runs))?;
    println!("{n_runs} stages killed in {} s: nothing is left", clock.elapsed().as_secs());
    Ok(true)
}

/// Does something while another processor is busy.
fn with_load<T>(work: impl FnOnce() -> T) -> T {
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| (0_u64..).take_while(|_| !is_done.load(Ordering::Relaxed)).count());
        let result = work();
        is_done.store(true, Ordering::Relaxed);
        result
    })
}

/// Plays the script again and again; how long the history is.
fn same_histories(programs: &Programs, n_runs: u64) -> Result<usize> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let mut first: Option<String> = None;
    for number in 1..=n_runs {
        let history = play(programs, folder.path())?;
        match &first {
            None => first = Some(history),
            Some(first) if *first == history => {}
            Some(first) => bail!("run {number} differs:\n{}", difference(first, &history)),
        }
    }
    nothing_is_left(folder.path())?;
    Ok(first.map_or(0, |history| history.len()))
}

fn play(programs: &Programs, folder: &Path) -> Result<String> {
    let log = folder.join("log.ndjson");
    let mut command = programs.stage(folder, &run::root().join(SYSTEM));
    command.arg("--script").arg(run::root().join(SCRIPT)).arg("--log").arg(&log);
    let ended = run::within(RUN_LIMIT, &mut command)?.context("a run did not end in time")?;
    ensure!(ended.exit == 0, "a run failed: {}", ended.errors);
    std::fs::read_to_string(&log).context("the log cannot be read")
}

/// The first event after which two histories differ.
fn difference(first: &str, other: &str) -> String {
    let differ = first.lines().zip(other.lines()).find(|(first, other)| first != other);
    differ.map_or("one is longer".to_owned(), |(first, other)| format!("{first}\n{other}"))
}

/// Kills stages while they play, each at another moment, every other one with a node that does not behave.
fn killed(programs: &Programs, n_runs: u64) -> Result<()> {
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
    nothing_is_left(folder.path())
}

/// A system of one unruly node.
fn describe(folder: &Path, number: usize) -> Result<PathBuf> {
    let system = folder.join(format!("unruly-{number}"));
    std::fs::create_dir_all(&system).context("folders can be made")?;
    let node = "[[node]]\nname = \"n1\"\naddress = \"127.0.0.1:17391\"\n";
    let command = format!("[start]\ncommand = [\"sh\", \"-c\", '''{}''']\n", UNRULY[number]);
    std::fs::write(system.join("system.toml"), format!("idle_limit_ms = 200\n{command}{node}"))
        .context("files can be written")?;
    Ok(system)
}

/// The stage has been told these events, and is killed somewhere among them.
fn kill_after(
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
    /// A stage whose folders are all in this one.
    fn stage(&self, folder: &Path, system: &Path) -> Command {
        let mut command = Command::new(&self.specline);
        command.arg("stage").arg(system).current_dir(folder);
        command.env("PATH", &self.search_path).env("TMPDIR", folder);
        command
    }
}

/// Waits until nothing of the stages that ran in this folder is there any more.
pub fn nothing_is_left(folder: &Path) -> Result<()> {
    let clock = SystemClock::start();
    loop {
        let left = left(folder)?;
        if left.is_empty() {
            return Ok(());
        }
        ensure!(clock.elapsed() < GOING_LIMIT, "left: {}", left.join(", "));
        std::thread::yield_now();
    }
}

/// Processes that run in the folder, sockets with names in it, and folders of stages.
fn left(folder: &Path) -> Result<Vec<String>> {
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
