//! Logs as files: which there are, which lines of them have an event, and where the specification looks for them.

use std::io;
use std::path::{Path, PathBuf};

use base::FxHashSet;
use diag::{Code, Diagnostic};
use eval::world::Machine;
use validate::{Oddity, Reads};

use crate::validate::args::ValidateArgs;

/// File endings of logs in a folder.
const ENDINGS: [&str; 4] = ["ndjson", "jsonl", "json", "log"];

/// Lists the logs that were named. A folder means all logs in it, sorted by name.
pub fn list_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Box<Diagnostic>> {
    let mut all = Vec::new();
    for path in paths {
        match path.is_dir() {
            false => all.push(path.clone()),
            true => all.extend(in_folder(path)?),
        }
    }
    Ok(all)
}

fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, Box<Diagnostic>> {
    let unreadable = |why: &str| {
        let headline = format!("cannot read `{}`: {why}", folder.display());
        Box::new(Diagnostic::without_place(Code::CannotRead, headline))
    };
    let entries = std::fs::read_dir(folder).map_err(|error| unreadable(&error.to_string()))?;
    let is_log = |path: &PathBuf| {
        let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned());
        // A file that cannot be read is reported when it is read, and not left out.
        !path.is_dir() && ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
    };
    let paths: Result<Vec<PathBuf>, io::Error> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut logs = paths.map_err(|error| unreadable(&error.to_string()))?;
    logs.retain(is_log);
    logs.sort();
    match logs.is_empty() {
        true => Err(unreadable("no file in it ends in `.ndjson`, `.jsonl`, `.json` or `.log`")),
        false => Ok(logs),
    }
}

/// Returns an error if a file is named more than once: its events would count twice.
pub fn named_twice(paths: &[PathBuf]) -> Option<String> {
    let mut known: FxHashSet<PathBuf> = FxHashSet::default();
    let twice = paths.iter().find(|path| {
        let is_input = path.as_os_str() == "-";
        let whole = if is_input { None } else { std::fs::canonicalize(path).ok() };
        whole.is_some_and(|path| !known.insert(path))
    })?;
    Some(format!("`{}` is named more than once", twice.display()))
}

/// The lines of a log.
pub struct Log {
    text: String,
    /// An oddity of the file, though it can be read.
    pub oddity: Option<Oddity>,
}

impl Log {
    /// Reads a file, which the specification takes for JSON or for something else.
    pub fn read(path: &Path, is_json: bool) -> Result<Log, Box<Diagnostic>> {
        let shown = path.display();
        let bytes = std::fs::read(path).map_err(|error| {
            Diagnostic::without_place(Code::CannotRead, format!("cannot read `{shown}`: {error}"))
        })?;
        let (bytes, oddity) = match is_json {
            true => validate::decode(bytes).map_err(|no_text| {
                let headline = format!("`{shown}` {}", no_text.what());
                Box::new(Diagnostic::without_place(Code::LogLine, headline).help(no_text.help()))
            })?,
            false => (bytes, None),
        };
        let log = Log { text: String::from_utf8_lossy(&bytes).into_owned(), oddity };
        if log.lines().next().is_none() {
            return Err(Box::new(empty(&format!("`{shown}` has no event: it is empty"))));
        }
        Ok(log)
    }

    /// Returns the lines that are not blank, with their numbers.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let numbered = self.text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        numbered.filter(|(_, line)| !line.is_empty())
    }

    /// Returns the text that the specification reads, if it differs from that of the file.
    pub fn rewritten(&self) -> Option<Vec<u8>> {
        self.oddity.map(|_| self.text.clone().into_bytes())
    }

    /// Whether each line has an event: what the specification leaves out cannot be counted.
    pub fn has_all(&self, n_events: i64) -> bool {
        usize::try_from(n_events) == Ok(self.lines().count())
    }

    /// The line of an event, from 1, if each line has one.
    pub fn line_of(&self, event: i64, n_events: i64) -> Option<(usize, &str)> {
        let index = usize::try_from(event.checked_sub(1)?).ok()?;
        self.lines().nth(index).filter(|_| self.has_all(n_events))
    }
}

/// A log without an event explains nothing.
pub fn empty(headline: &str) -> Diagnostic {
    Diagnostic::without_place(Code::LogEmpty, headline)
        .help("see whether the program was run with its log switched on, and wrote it to this file")
}

/// The environment of the specification, and where in it the name of a log goes.
pub struct Surroundings {
    world: Machine,
    log_name: String,
}

impl Surroundings {
    pub fn new(
        args: &ValidateArgs,
        reads: &Reads,
        inherited: &Machine,
    ) -> Result<Surroundings, Box<Diagnostic>> {
        let log_name = match &args.log_env {
            Some(name) => name.clone(),
            None => only_name(args, reads)?,
        };
        let mut world = inherited.clone();
        args.variables.iter().for_each(|(name, value)| set(&mut world.environment, name, value));
        Ok(Surroundings { world, log_name })
    }

    /// Returns the machine with the variables that name this log.
    pub fn with(&self, log: &Path) -> Machine {
        let mut world = self.world.clone();
        set(&mut world.environment, &self.log_name, &log.to_string_lossy());
        world
    }
}

fn set(variables: &mut Vec<(String, String)>, name: &str, value: &str) {
    variables.retain(|(known, _)| known != name);
    variables.push((name.to_owned(), value.to_owned()));
}

/// The one variable that the name of the log is read from and that was not given a value.
fn only_name(args: &ValidateArgs, reads: &Reads) -> Result<String, Box<Diagnostic>> {
    let is_given = |name: &String| args.variables.iter().any(|(known, _)| known == name);
    let open: Vec<&String> = reads.variables.iter().filter(|name| !is_given(name)).collect();
    if let [name] = open.as_slice() {
        return Ok((*name).clone());
    }
    let spec = args.spec.display();
    let error = match open.as_slice() {
        [] => {
            let headline = format!("it cannot be told where `{spec}` looks for the log");
            Diagnostic::without_place(Code::LogNotRead, headline)
                .note("no file that it deserialises has a name that comes from `IOEnv`")
                .help("read it with `ndJsonDeserialize(IOEnv.LOG)`, or name the variable with `--log-env`")
        }
        several => {
            let names: Vec<String> = several.iter().map(|name| format!("`{name}`")).collect();
            let headline = format!("`{spec}` reads files by several variables: {}", names.join(", "));
            Diagnostic::without_place(Code::LogNotRead, headline)
                .help("say which is the log with `--log-env`, and set the others with `--env NAME=VALUE`")
        }
    };
    Err(Box::new(error))
}
