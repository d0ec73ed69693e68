//! One model, checked by a process of its own: it has all the memory to itself, and nothing that goes wrong there ends
//! the other ones.

use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use base::{Clock, SystemClock};

use super::plan::Model;

/// A search that does not end in time by itself is ended after this much more.
const GRACE: Duration = Duration::from_secs(10);
/// Time between two looks whether the whole run was interrupted.
const LOOK: Duration = Duration::from_millis(100);

/// The way in which a process ended.
pub enum Run {
    /// By itself: what it wrote, and its exit code.
    Ended { out: String, err: String, code: Option<i32> },
    /// It did not end in time.
    Killed,
    /// The user interrupted the run.
    Interrupted,
    /// It could not be started, or what it wrote could not be read.
    Failed(io::Error),
}

pub fn run(program: &Path, model: &Model, interrupted: &AtomicBool) -> Run {
    match begin(program, model) {
        Ok((child, out)) => wait_for(child, &out, model.time.saturating_add(GRACE), interrupted),
        Err(error) => Run::Failed(error),
    }
}

type ChildOutput = io::Result<(String, String)>;

/// Starts a check, and a thread that reads its output.
fn begin(program: &Path, model: &Model) -> io::Result<(Child, Receiver<ChildOutput>)> {
    let mut child = command(program, model).spawn()?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let (sender, written) = mpsc::channel();
    let read = move || -> ChildOutput {
        let err = thread::Builder::new().spawn(move || text(err))?;
        let out = text(out)?;
        let err = err.join().map_err(|_| io::Error::other("the thread that reads panicked"))??;
        Ok((out, err))
    };
    thread::Builder::new().spawn(move || {
        // The receiver is gone if the process was killed.
        let _ = sender.send(read());
    })?;
    Ok((child, written))
}

fn text(stream: Option<impl Read>) -> io::Result<String> {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        stream.read_to_end(&mut bytes)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn command(program: &Path, model: &Model) -> Command {
    let mut command = Command::new(program);
    command.arg("check").arg(&model.spec).args(["--format", "json", "--workers", "1"]);
    // Whole milliseconds, so that nothing is rounded to no time at all.
    command.arg("--time").arg(format!("{}ms", model.time.as_millis()));
    if let Some(config) = &model.config {
        command.arg("--config").arg(config);
    }
    if let Some(deadlock) = model.deadlock {
        command.args(["--deadlock", if deadlock { "on" } else { "off" }]);
    }
    for folder in &model.libraries {
        command.arg("--library").arg(folder);
    }
    command.args(model.sandbox.option());
    for define in &model.defines {
        command.arg("--define").arg(define);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn wait_for(
    mut child: Child,
    written: &Receiver<ChildOutput>,
    time: Duration,
    interrupted: &AtomicBool,
) -> Run {
    let clock = SystemClock::start();
    loop {
        match written.recv_timeout(LOOK) {
            Ok(Ok((out, err))) => {
                return match child.wait() {
                    Ok(status) => Run::Ended { out, err, code: status.code() },
                    Err(error) => Run::Failed(error),
                };
            }
            Ok(Err(error)) => return Run::Failed(end_process(child).err().unwrap_or(error)),
            Err(RecvTimeoutError::Timeout) if interrupted.load(Ordering::Relaxed) => {
                return end_process(child).map_or_else(Run::Failed, |()| Run::Interrupted);
            }
            Err(RecvTimeoutError::Timeout) if clock.elapsed() > time => {
                return end_process(child).map_or_else(Run::Failed, |()| Run::Killed);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Run::Failed(
                    end_process(child).err().unwrap_or_else(|| io::Error::other("nobody reads it")),
                );
            }
        }
    }
}

/// Kills a process, and waits for its end.
fn end_process(mut child: Child) -> io::Result<()> {
    child.kill()?;
    child.wait().map(|_| ())
}
