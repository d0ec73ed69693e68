//! One run of the program, which a signal may end.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// A signal to send to a run, and the moment.
#[derive(Clone, Copy, Debug)]
pub struct Blow {
    pub signal: &'static str,
    /// The delay after the run has begun, or after the given number of checkpoints.
    pub delay: Duration,
    pub n_checkpoints: u32,
}

/// The end of a run.
pub struct Ending {
    /// The exit code; `None` when it was killed.
    pub exit: Option<i32>,
    pub answer: Option<Value>,
    pub errors: String,
}

/// Runs a command to its end, or until the signal is sent.
pub fn run(command: &mut Command, blow: Option<Blow>) -> Result<Ending> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().context("cannot run specline")?;
    let lines = lines_of(child.stdout.take().context("standard output is a pipe")?);
    let errors = lines_of(child.stderr.take().context("standard error is a pipe")?);
    let mut output = Vec::new();
    if let Some(blow) = blow {
        wait(&lines, &mut output, blow);
        send(&child, blow.signal)?;
    }
    output.extend(lines.iter());
    let status = child.wait().context("specline is lost")?;
    let events = output.iter().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let answer = events.into_iter().find(|event| event["kind"] == "answer");
    Ok(Ending { exit: status.code(), answer, errors: errors.iter().collect::<Vec<String>>().join("\n") })
}

/// Waits until the signal must be sent, or the run has ended.
fn wait(lines: &Receiver<String>, output: &mut Vec<String>, blow: Blow) {
    let mut n_checkpoints = 0;
    while n_checkpoints < blow.n_checkpoints {
        let Ok(line) = lines.recv() else { return };
        n_checkpoints += u32::from(line.contains("\"kind\":\"checkpoint\""));
        output.push(line);
    }
    // Lines may come meanwhile, so the wait may be longer than planned, which does not matter.
    loop {
        match lines.recv_timeout(blow.delay) {
            Ok(line) if line.contains("\"kind\":\"checkpoint\"") => {
                output.push(line);
                return;
            }
            Ok(line) => output.push(line),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn send(child: &Child, signal: &str) -> Result<()> {
    // If it ended just now, nobody receives the signal.
    let sent = Command::new("kill")
        .args([&format!("-{signal}"), &child.id().to_string()])
        .stderr(Stdio::null())
        .status();
    match sent {
        Ok(_) => Ok(()),
        Err(error) => bail!("cannot run `kill`: {error}"),
    }
}

/// Returns the lines of a stream, read on a thread of its own.
fn lines_of(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}
