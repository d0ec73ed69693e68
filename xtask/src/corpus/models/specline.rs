//! Runs the program as its users do: built once, one process for each model, its answer read as JSON.

use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use base::{Clock, SystemClock};
use serde::Deserialize;

use super::{Model, RunFolder, Settings, Task};
use crate::{program, run};

pub struct Specline {
    program: PathBuf,
}

/// The result of a run.
#[derive(Debug)]
pub struct ModelRun {
    pub ending: Ending,
    pub time: Duration,
    pub errors: Vec<Message>,
    pub counts: Option<Counts>,
}

#[derive(Debug)]
pub enum Ending {
    Exit(u8),
    /// It was killed by a signal that we did not send; the text is its last line.
    Killed(String),
    TimedOut,
    /// It could not be started, or its output is not as documented.
    Broken(String),
}

/// An error that the program reported.
#[derive(Debug, Deserialize, PartialEq, Eq)]
pub struct Message {
    pub code: String,
    pub slug: String,
    pub headline: String,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
pub struct Counts {
    pub distinct: u64,
    pub generated: u64,
    pub depth: u64,
}

impl Specline {
    /// Builds the program with this profile of cargo.
    pub fn build(profile: &str) -> Result<Specline> {
        Ok(Specline { program: program::build(profile)? })
    }

    pub fn run(&self, model: &Model, settings: &Settings) -> ModelRun {
        let clock = SystemClock::start();
        let (ending, text) = match self.run_to_end(model, settings) {
            Ok(ended) => ended,
            Err(error) => (Ending::Broken(format!("{error:#}")), String::new()),
        };
        let (errors, counts) = match read_answer(&text) {
            Ok(answer) => answer,
            // A killed program may have been in the middle of a line.
            Err(_) if !matches!(ending, Ending::Exit(_)) => (Vec::new(), None),
            Err(error) => {
                let ending = Ending::Broken(format!("{error:#}"));
                return ModelRun { ending, time: clock.elapsed(), errors: Vec::new(), counts: None };
            }
        };
        ModelRun { ending, time: clock.elapsed(), errors, counts }
    }

    /// Runs a model; returns how it ended, and its standard output.
    fn run_to_end(&self, model: &Model, settings: &Settings) -> Result<(Ending, String)> {
        let place = tempfile::tempdir().context("cannot make a folder to run in")?;
        furnish(&model.place, place.path())?;
        let mut log = tempfile::tempfile().context("cannot make a file")?;
        let mut command = Command::new(&self.program);
        match model.task {
            Task::Check => command.arg("check"),
            Task::Simulate { n_walks } => command.args(["simulate", "--traces", &n_walks.to_string()]),
        };
        command.args(["--engine", &settings.engine]);
        command.arg(absolute(&model.module)?).arg("--config").arg(absolute(&model.config)?);
        for folder in model.library.iter().chain(&settings.library) {
            command.arg("--library").arg(absolute(folder)?);
        }
        let mut child = command
            .args(["--format", "json", "--workers", "1"])
            .envs(model.environment.iter().copied())
            .current_dir(place.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log.try_clone()?)
            .spawn()
            .context("cannot start the program")?;
        let Some((status, text)) = wait(&mut child, settings.limit)? else {
            return Ok((Ending::TimedOut, String::new()));
        };
        let ending = match status.code().map(u8::try_from) {
            Some(Ok(code)) => Ending::Exit(code),
            Some(Err(_)) | None => Ending::Killed(last_line(&mut log)?),
        };
        Ok((ending, text))
    }
}

/// Waits until the program closes its output and ends, or kills it when its time is over.
fn wait(child: &mut Child, limit: Duration) -> Result<Option<(ExitStatus, String)>> {
    let mut output = child.stdout.take().context("its output is a pipe")?;
    let (sender, receiver) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let result = output.read_to_end(&mut bytes).map(|_| bytes);
        // The receiver is gone when the time is over, and then the result does not matter.
        sender.send(result).ok();
    });
    let received = receiver.recv_timeout(limit);
    if received.is_err() {
        child.kill().context("cannot kill the program")?;
    }
    let status = child.wait().context("cannot wait for the program")?;
    reader.join().expect("reading a pipe does not panic");
    let Ok(bytes) = received else { return Ok(None) };
    let bytes = bytes.context("cannot read what the program prints")?;
    Ok(Some((status, String::from_utf8_lossy(&bytes).into_owned())))
}

fn last_line(log: &mut std::fs::File) -> Result<String> {
    log.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::new();
    log.read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let line = text.lines().rfind(|line| !line.trim().is_empty());
    Ok(line.unwrap_or("without a word").trim().to_owned())
}

/// Returns the errors, and the counts of the answer, if there is one.
fn read_answer(text: &str) -> Result<(Vec<Message>, Option<Counts>)> {
    let (mut errors, mut counts) = (Vec::new(), None);
    for line in text.lines() {
        let object: serde_json::Value = serde_json::from_str(line)
            .with_context(|| format!("standard output has a line that is not JSON: {line}"))?;
        match object["kind"].as_str() {
            Some("diagnostic") if object["severity"] == "error" => {
                errors.push(serde_json::from_value(object).context("a message without a code")?);
            }
            // Walks have no counts that could be compared.
            Some("answer") if object.get("statistics").is_some() => counts = Some(Counts::default()),
            Some("answer") => {
                let found = object["counts"].clone();
                counts = Some(serde_json::from_value(found).context("an answer without counts")?);
            }
            Some(_) => {}
            None => bail!("an object without a kind"),
        }
    }
    Ok((errors, counts))
}

fn absolute(path: &Path) -> Result<PathBuf> {
    path.canonicalize().with_context(|| format!("`{}` is not there", path.display()))
}

fn furnish(place: &RunFolder, folder: &Path) -> Result<()> {
    match place {
        RunFolder::Links { to } => link_entries(to, folder),
        RunFolder::Copy { of, and_empty } => {
            let copy = folder.join(of.file_name().context("a folder has a name")?);
            std::fs::create_dir_all(&copy)?;
            run::copy_files(of, &copy)?;
            for empty in *and_empty {
                std::fs::create_dir_all(folder.join(empty))?;
            }
            Ok(())
        }
    }
}

fn link_entries(from: &Path, to: &Path) -> Result<()> {
    for entry in std::fs::read_dir(from).with_context(|| format!("cannot list `{}`", from.display()))? {
        let entry = entry?;
        std::os::unix::fs::symlink(absolute(&entry.path())?, to.join(entry.file_name()))
            .with_context(|| format!("cannot link `{}`", entry.path().display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Counts, Message, read_answer};

    #[test]
    fn errors_and_counts_are_read_from_the_stream() {
        let text = r#"{"kind":"start","schema":1,"tool":"specline"}
{"kind":"diagnostic","code":"SL0600","slug":"unused","severity":"warning","headline":"never used"}
{"kind":"diagnostic","code":"SL0751","slug":"invariant-violated","severity":"error","headline":"no"}
{"kind":"answer","verdict":"violated","counts":{"generated":5,"distinct":3,"queue":1,"depth":2,"initial":1}}
"#;
        let (errors, counts) = read_answer(text).unwrap();
        let [Message { code, .. }] = errors.as_slice() else { panic!("{errors:?}") };
        assert_eq!(code, "SL0751");
        assert_eq!(counts, Some(Counts { distinct: 3, generated: 5, depth: 2 }));
    }

    #[test]
    fn a_line_that_is_not_json_is_a_fault() {
        assert!(read_answer("{\"kind\":\"start\"}\nhello\n").is_err());
    }
}
