//! The log as a file: which lines have an event, and where the specification looks for it.

use std::path::Path;

use diag::{Code, Diagnostic};
use validate::Reads;

use crate::args::ValidateArgs;

/// The lines of a log.
pub struct Log {
    text: String,
}

impl Log {
    pub fn read(path: &Path) -> Result<Log, Box<Diagnostic>> {
        let shown = path.display();
        let text = std::fs::read(path).map_err(|error| {
            Diagnostic::without_place(Code::CannotRead, format!("cannot read `{shown}`: {error}"))
        })?;
        let log = Log { text: String::from_utf8_lossy(&text).into_owned() };
        if log.lines().next().is_none() {
            return Err(Box::new(empty(&format!("`{shown}` has no event: it is empty"))));
        }
        Ok(log)
    }

    /// Those that are not blank, with their numbers.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let numbered = self.text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        numbered.filter(|(_, line)| !line.is_empty())
    }

    /// The line of an event, from 1, if each line has one: what the specification leaves out cannot be counted.
    pub fn line_of(&self, event: i64, n_events: i64) -> Option<(usize, &str)> {
        let is_whole = usize::try_from(n_events) == Ok(self.lines().count());
        let index = usize::try_from(event.checked_sub(1)?).ok()?;
        self.lines().nth(index).filter(|_| is_whole)
    }
}

/// A log without an event explains nothing.
pub fn empty(headline: &str) -> Diagnostic {
    Diagnostic::without_place(Code::LogEmpty, headline)
        .help("see whether the program was run with its log switched on, and wrote it to this file")
}

/// The environment of the specification, with the log in it.
pub fn variables(
    args: &ValidateArgs,
    reads: &Reads,
    inherited: &[(String, String)],
) -> Result<Vec<(String, String)>, Box<Diagnostic>> {
    let name = match &args.log_env {
        Some(name) => name.clone(),
        None => only_name(args, reads)?,
    };
    let mut variables = inherited.to_vec();
    let mut set = |name: &str, value: &str| {
        variables.retain(|(known, _)| known != name);
        variables.push((name.to_owned(), value.to_owned()));
    };
    args.variables.iter().for_each(|(name, value)| set(name, value));
    set(&name, &args.log.to_string_lossy());
    Ok(variables)
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
