//! The machine as a specification sees it.

use std::io;
use std::path::Path;

use eval::sandbox::Sandbox;
use eval::world::Machine;

/// The machine with this environment; with a fence around the current folder if it `is_sandboxed`.
pub fn machine(environment: Vec<(String, String)>, is_sandboxed: bool) -> io::Result<Machine> {
    let sandbox = is_sandboxed.then(|| Sandbox::new(Path::new("."))).transpose()?;
    Ok(Machine { environment, sandbox })
}
