//! Runs TLC in a process that stays: about 30 ms of processor time for a small module instead of 700.
//!
//! `Warm.java` runs in it, compiled by `java` itself when it starts. TLC's memory of earlier runs may change its
//! answers, so a difference counts only if `Tlc::run_in` finds it again.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use super::messages;
use super::tlc::{Run, Tlc};

const SOURCE: &str = include_str!("Warm.java");

/// Number of runs after which a new process is started, before TLC's memory becomes a burden.
const N_RUNS_MAX: usize = 1000;

/// The time limit of a run.
pub const RUN_MAX: Duration = Duration::from_secs(20);

pub struct WarmTlc {
    tlc: Tlc,
    source: TempDir,
    process: Option<Process>,
}

struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    n_runs: usize,
}

/// The end of a run.
pub enum Ending {
    Ended(Run),
    /// It took too long; these messages came until then.
    GivenUp(Vec<messages::Printed>),
}

impl WarmTlc {
    pub fn new(tlc: Tlc) -> Result<WarmTlc> {
        let source = tempfile::tempdir().context("cannot make a folder")?;
        std::fs::write(source.path().join("Warm.java"), SOURCE).context("cannot write `Warm.java`")?;
        Ok(WarmTlc { tlc, source, process: None })
    }

    /// Returns the TLC that starts a new process for each run.
    pub fn cold(&self) -> &Tlc {
        &self.tlc
    }

    /// Runs TLC on a module and its configuration in a folder that nothing else uses.
    pub fn run(&mut self, folder: &Path, module: &str, config: &str) -> Result<Ending> {
        let mut process = match self.process.take() {
            Some(process) if process.n_runs < N_RUNS_MAX => process,
            Some(mut worn) => {
                worn.end();
                self.start()?
            }
            None => self.start()?,
        };
        let path = |name: &str| folder.join(name).display().to_string();
        let mut options: Vec<String> = Tlc::OPTIONS.iter().map(|&option| option.to_owned()).collect();
        options.extend([
            "-metadir".to_owned(),
            path("states"),
            "-config".to_owned(),
            path(config),
            path(module),
        ]);
        process.n_runs += 1;
        writeln!(process.input, "{}", options.join("\t")).context("TLC's process is gone")?;
        let mut text = String::new();
        loop {
            match process.lines.recv_timeout(RUN_MAX) {
                Ok(line) if line.starts_with(END) => {
                    self.process = Some(process);
                    let exit = line.split(' ').nth(1).and_then(|exit| exit.parse().ok());
                    let exit = exit.context("the line at the end of a run has an exit code")?;
                    return Ok(Ending::Ended(Run { exit, messages: messages::parse(&text) }));
                }
                Ok(line) => {
                    text.push_str(&line);
                    text.push('\n');
                }
                Err(RecvTimeoutError::Timeout) => {
                    process.end();
                    return Ok(Ending::GivenUp(messages::parse(&text)));
                }
                Err(RecvTimeoutError::Disconnected) => bail!("TLC's process ended: {text}"),
            }
        }
    }

    fn start(&self) -> Result<Process> {
        let mut child = Command::new("java")
            // Only the quick compiler is used: no run is long enough for the other one.
            .args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx1g"])
            // TLC makes a folder in each run and removes it when the process ends by itself.
            .arg(format!("-Djava.io.tmpdir={}", self.source.path().display()))
            .args(["-cp", self.tlc.classpath()])
            .arg(self.source.path().join("Warm.java"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot run `java`")?;
        let input = child.stdin.take().expect("it was asked for");
        let output = BufReader::new(child.stdout.take().expect("it was asked for"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Process { child, input, lines, n_runs: 0 })
    }
}

const END: &str = "@!@!@ENDRUN ";

impl Process {
    fn end(&mut self) {
        // It may have ended already, which is fine.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Drop for WarmTlc {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            process.end();
        }
    }
}
