//! `specline stage provision`: what a system needs, in a folder of its own.

use std::io;
use std::path::Path;
use std::process::Command;

use diag::{Code, Diagnostic};
use stage::system::System;

use crate::console::{Console, Stream};
use crate::exit::Ending;

/// Whether a system's Python environment was made, to the end.
pub fn is_there(python: &Path) -> bool {
    python.join("bin/python").exists() && python.join("provisioned").exists()
}

/// Makes the environment anew, and installs the packages without what they in turn would like to have.
pub fn run(system: &System, python: &Path, console: &Console) -> io::Result<Ending> {
    if system.python_packages.is_empty() {
        console.line(Stream::Out, "nothing to provision")?;
        return Ok(Ending::Ok);
    }
    let made = make(python).and_then(|()| install(python, system));
    match made {
        Ok(()) => {
            std::fs::write(python.join("provisioned"), system.python_packages.join("\n"))?;
            console.line(Stream::Out, &format!("installed {}", system.python_packages.join(", ")))?;
            Ok(Ending::Ok)
        }
        Err(headline) => super::fail(&Diagnostic::without_place(Code::StageFailed, headline), console),
    }
}

fn make(python: &Path) -> Result<(), String> {
    succeed(Command::new("python3").args(["-m", "venv", "--clear"]).arg(python))
}

/// Packages that are files are found beside the description.
fn install(python: &Path, system: &System) -> Result<(), String> {
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"];
    let mut command = Command::new(python.join("bin/python"));
    succeed(command.args(pip).args(&system.python_packages).current_dir(system.folder()))
}

fn succeed(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().display().to_string();
    let output = command.output().map_err(|error| format!("`{program}` cannot be run: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("`{program}` failed: {}", String::from_utf8_lossy(&output.stderr).trim_end())),
    }
}
