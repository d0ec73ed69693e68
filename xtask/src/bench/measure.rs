//! Measures a process: CPU time, wall time, peak resident memory.
//!
//! The kernel counts the memory of the process that starts another one into that one's peak. So a program is not
//! started by the bench, which is large, but by a fresh `xtask measure`, which is smaller than anything that is
//! measured here.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use base::{Clock, SystemClock};
use clap::Args;
use serde::{Deserialize, Serialize};
use wait4::Wait4;

/// The exit codes of `timeout` when it ended the program.
const TIMEOUT_EXITS: [i32; 2] = [124, 137];

#[derive(Args)]
pub struct MeasureOptions {
    /// Where to write what was used, as JSON.
    #[arg(long, value_name = "FILE")]
    into: PathBuf,

    /// The program and its arguments.
    #[arg(required = true, last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// CPU time of user and system together, of all threads.
    pub cpu_seconds: f64,
    pub wall_seconds: f64,
    pub peak_bytes: u64,
}

/// A process that ended by itself.
pub struct Measurement {
    pub exit: i32,
    pub output: String,
    pub errors: String,
    pub usage: Usage,
}

#[derive(Serialize, Deserialize)]
struct MeasureRecord {
    /// The exit code; `None` if a signal ended it.
    exit: Option<i32>,
    usage: Usage,
}

/// Runs the command for `cargo xtask measure`, which inherits everything, and writes what it used.
pub fn measure(options: &MeasureOptions) -> Result<bool> {
    let written = run_to_end(&options.command)?;
    let text = serde_json::to_string(&written).context("cannot write as JSON what was used")?;
    std::fs::write(&options.into, text)
        .with_context(|| format!("cannot write `{}`", options.into.display()))?;
    Ok(true)
}

fn run_to_end(command: &[String]) -> Result<MeasureRecord> {
    let (program, args) = command.split_first().context("a command has a program")?;
    let clock = SystemClock::start();
    let child =
        Command::new(program).args(args).spawn().with_context(|| format!("cannot run `{program}`"))?;
    let ended = child.wait4().with_context(|| format!("cannot wait for `{program}`"))?;
    let usage = Usage {
        cpu_seconds: (ended.rusage.utime + ended.rusage.stime).as_secs_f64(),
        wall_seconds: clock.elapsed().as_secs_f64(),
        peak_bytes: ended.rusage.maxrss,
    };
    Ok(MeasureRecord { exit: ended.status.code(), usage })
}

/// Runs `command` to its end and measures it. Ends it after `seconds_max`, which is an error.
pub fn run(command: &Command, seconds_max: u64) -> Result<Measurement> {
    let name = command.get_program().to_string_lossy().into_owned();
    let into = tempfile::NamedTempFile::new().context("cannot make a file")?;
    let itself = std::env::current_exe().context("cannot find this program")?;
    let mut outer = Command::new(itself);
    outer.args(["measure", "--into"]).arg(into.path()).arg("--");
    outer.args(["timeout", "--foreground", "--kill-after=10", &seconds_max.to_string()]);
    outer.arg(command.get_program()).args(command.get_args()).stdin(Stdio::null());
    if let Some(folder) = command.get_current_dir() {
        outer.current_dir(folder);
    }
    let ended = outer.output().context("cannot start this program again")?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if !ended.status.success() {
        bail!("cannot measure `{name}`: {}", text(&ended.stderr).trim());
    }
    let written: MeasureRecord =
        serde_json::from_reader(into.as_file()).context("cannot read what was used")?;
    match written.exit {
        Some(exit) if TIMEOUT_EXITS.contains(&exit) => bail!("`{name}` took more than {seconds_max} s"),
        None => bail!("`{name}` was killed"),
        Some(exit) => {
            let (output, errors) = (text(&ended.stdout), text(&ended.stderr));
            Ok(Measurement { exit, output, errors, usage: written.usage })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::run_to_end;

    fn shell(script: &str) -> Vec<String> {
        ["sh", "-c", script].map(str::to_owned).to_vec()
    }

    #[test]
    fn the_exit_code_is_kept_and_memory_is_in_bytes() {
        let written = run_to_end(&shell("exit 3")).unwrap();
        assert_eq!(written.exit, Some(3));
        assert!(written.usage.peak_bytes > 100_000, "{:?}", written.usage);
    }

    #[test]
    fn a_signal_leaves_no_exit_code() {
        assert_eq!(run_to_end(&shell("kill -9 $$")).unwrap().exit, None);
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        assert!(run_to_end(&["no-such-program-here".to_owned()]).is_err());
    }
}
