//! Runs other programs, and finds the repository.

use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use anyhow::{Context, Result, bail};

/// Returns the root of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace")
}

/// Prints a command, runs it in the root and shows its output. Returns whether it succeeded.
pub fn show(program: &str, args: &[&str]) -> Result<bool> {
    println!("$ {program} {}", args.join(" "));
    let status = Command::new(program).args(args).current_dir(root()).status();
    Ok(status.with_context(|| format!("cannot run `{program}`"))?.success())
}

/// Runs a program and returns what it prints.
pub fn read<S: AsRef<OsStr>>(program: &str, args: &[S]) -> Result<String> {
    let output = Command::new(program).args(args).current_dir(root()).output();
    let output = output.with_context(|| format!("cannot run `{program}`"))?;
    if !output.status.success() {
        bail!("`{program}` failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{program}` printed bytes that are not text"))
}

/// The result of a program that ended within its time.
pub struct ProgramOutput {
    pub exit: i32,
    pub output: String,
    pub errors: String,
}

/// Runs a program to its end; `None` if it took too long or was killed.
pub fn run_within(limit: Duration, command: &mut Command) -> Result<Option<ProgramOutput>> {
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot run `{name}`"))?;
    let output = collect(child.stdout.take().expect("it was asked for"));
    let errors = collect(child.stderr.take().expect("it was asked for"));
    let Ok(output) = output.recv_timeout(limit) else {
        // If it ended just now, there is nothing to kill.
        child.kill().ok();
        child.wait().with_context(|| format!("cannot end `{name}`"))?;
        return Ok(None);
    };
    let errors = errors.recv().unwrap_or_default();
    let status = child.wait().with_context(|| format!("`{name}` is lost"))?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(status.code().map(|exit| ProgramOutput { exit, output: text(output), errors: text(errors) }))
}

/// Reads to the end on a thread of its own.
fn collect(mut from: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // The bytes before an error are still useful; the receiver may be gone.
        from.read_to_end(&mut bytes).ok();
        sender.send(bytes).ok();
    });
    receiver
}

/// Whether a program runs and succeeds; nothing is shown.
pub fn succeeds(program: &str, args: &[&str]) -> bool {
    let quiet = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    quiet.is_ok_and(|status| status.success())
}

/// Copies the files of a folder, without its subfolders.
pub fn copy_files(from: &Path, to: &Path) -> Result<()> {
    let entries = std::fs::read_dir(from).with_context(|| format!("cannot list `{}`", from.display()))?;
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name()))
                .with_context(|| format!("cannot copy `{}`", entry.path().display()))?;
        }
    }
    Ok(())
}
