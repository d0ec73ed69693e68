//! The world outside: clock, environment, files and processes. The only door to them from evaluation.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::sandbox::{Forbidden, Sandbox};

/// What a finished process left behind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    pub exit_code: i32,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// How a file is opened for writing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// Make it when there is none.
    pub create: bool,
    /// Make it, and refuse when there is one.
    pub create_new: bool,
    pub truncate: bool,
    pub append: bool,
}

impl Opening {
    /// A file with these contents and no others.
    pub const REPLACE: Opening = Opening { create: true, create_new: false, truncate: true, append: false };
    /// Added to the end of a file.
    pub const APPEND: Opening = Opening { create: true, create_new: false, truncate: false, append: true };
}

/// The world, as the operators of `IOUtils`, `Json` and `CSV` see it. Each method refuses by default.
pub trait World {
    /// Seconds since 1970.
    fn epoch_seconds(&self) -> Option<u64> {
        None
    }

    /// The environment variables.
    fn environment(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let _ = path;
        Err(closed())
    }

    /// Writes to a file; a folder that is missing on the way is made.
    fn write(&self, path: &str, contents: &[u8], opening: Opening) -> io::Result<()> {
        let _ = (path, contents, opening);
        Err(closed())
    }

    /// Runs a program to its end, with these variables added to the environment.
    fn execute(&self, command: &[String], environment: &[(String, String)]) -> io::Result<Finished> {
        let _ = (command, environment);
        Err(closed())
    }
}

fn closed() -> io::Error {
    io::Error::new(ErrorKind::Unsupported, "there is no access to files and processes here")
}

/// A world without anything in it.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWorld;

impl World for NoWorld {}

pub static NO_WORLD: NoWorld = NoWorld;

/// The machine that we run on. The environment is given: the program reads it, not a library. With a sandbox it runs nothing
/// and writes in one folder only.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    pub environment: Vec<(String, String)>,
    pub sandbox: Option<Sandbox>,
}

impl World for Machine {
    fn epoch_seconds(&self) -> Option<u64> {
        Some(base::since_epoch().as_secs())
    }

    fn environment(&self) -> Vec<(String, String)> {
        self.environment.clone()
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn write(&self, path: &str, contents: &[u8], opening: Opening) -> io::Result<()> {
        let path = match &self.sandbox {
            Some(sandbox) => sandbox.inside(path)?,
            None => PathBuf::from(path),
        };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder)?;
        }
        let mut options = OpenOptions::new();
        options.write(true).create(opening.create).create_new(opening.create_new);
        options.append(opening.append).truncate(opening.truncate);
        options.open(path)?.write_all(contents)
    }

    fn execute(&self, command: &[String], environment: &[(String, String)]) -> io::Result<Finished> {
        if self.sandbox.is_some() {
            return Err(Forbidden::Run.into());
        }
        let Some((program, args)) = command.split_first() else {
            return Err(io::Error::new(ErrorKind::InvalidInput, "there is no command"));
        };
        let pairs = environment.iter().map(|(name, value)| (name, value));
        let output = Command::new(program).args(args).envs(pairs).stdin(Stdio::null()).output()?;
        let exit_code = output.status.code().unwrap_or(-1);
        Ok(Finished { exit_code, stdout: output.stdout, stderr: output.stderr })
    }
}
