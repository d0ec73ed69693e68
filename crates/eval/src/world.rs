//! The outside world: clock, environment, files and processes. Evaluation has no other access to them.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::sandbox::{Forbidden, Sandbox};

/// The result of a finished process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    pub exit_code: i32,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// The mode in which a file is opened for writing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// Whether to create the file when it does not exist.
    pub create: bool,
    /// Whether to create the file and refuse when it exists.
    pub create_new: bool,
    pub truncate: bool,
    pub append: bool,
}

impl Opening {
    /// Replaces the contents of a file.
    pub const REPLACE: Opening = Opening { create: true, create_new: false, truncate: true, append: false };
    /// Appends to the end of a file.
    pub const APPEND: Opening = Opening { create: true, create_new: false, truncate: false, append: true };
}

/// The world for the operators of `IOUtils`, `Json` and `CSV`. Each method refuses by default.
pub trait World {
    /// Returns the seconds since 1970.
    fn epoch_seconds(&self) -> Option<u64> {
        None
    }

    /// Returns the environment variables.
    fn environment(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let _ = path;
        Err(closed_world_error())
    }

    /// Writes to a file. Missing folders on the way are created.
    fn write(&self, path: &str, contents: &[u8], opening: Opening) -> io::Result<()> {
        let _ = (path, contents, opening);
        Err(closed_world_error())
    }

    /// Runs a program to its end, with these variables added to the environment.
    fn execute(&self, command: &[String], environment: &[(String, String)]) -> io::Result<Finished> {
        let _ = (command, environment);
        Err(closed_world_error())
    }
}

fn closed_world_error() -> io::Error {
    io::Error::new(ErrorKind::Unsupported, "there is no access to files and processes here")
}

/// A world with nothing in it.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWorld;

impl World for NoWorld {}

pub static NO_WORLD: NoWorld = NoWorld;

/// The machine on which the program runs. The environment is given, because the program reads it, not a library. With a
/// sandbox it runs nothing and writes in one folder only.
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
            Some(sandbox) => sandbox.resolve(path)?,
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
