//! The folder of a running stage. It is removed when the stage ends, and also when the stage is killed.

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::sys;

/// The longest path for which the kernel still accepts the names of sockets in the folder.
const PATH_BYTES_MAX: usize = 90;

static N_MADE: AtomicU32 = AtomicU32::new(0);

/// A folder that does not outlive this value or this process.
pub struct Folder {
    path: PathBuf,
    keeper: Option<(u32, ChildStdin)>,
}

impl Folder {
    /// Creates a new folder inside `base`.
    pub fn create_in(base: &Path) -> io::Result<Folder> {
        let number = N_MADE.fetch_add(1, Ordering::Relaxed);
        // None of these names is the beginning of another: the keeper looks for them in the environments of processes.
        let path = base.join(format!("specline-{}-{number}.stage", std::process::id()));
        if path.as_os_str().len() > PATH_BYTES_MAX {
            let text = format!("{} is too long a path for the sockets of a stage", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        // The folder may be left over from a process that had our number.
        let _ = std::fs::remove_dir_all(&path);
        // The keeper starts before the folder exists, so that there is no moment at which we could be killed and leave
        // it behind.
        let keeper = start_keeper(&path)?;
        let folder = Folder { path, keeper: Some(keeper) };
        std::fs::create_dir(&folder.path)?;
        Ok(folder)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The script that removes the folder.
///
/// When it reads a line, it removes the folder at once, because no process of the stage is left then. When its input
/// ends, we were killed, and it first waits until no process of the stage runs: a program that was just being started
/// when its stage died has not found the library yet, and if the library were gone, it would run on without us. The
/// script looks for processes of the stage (by `$2`, the variable that they are started with) until it finds none
/// twice: a process that the first look misses was made during that look, and makes no other. Then it removes the
/// folder repeatedly for a second, since a dying process may still make files and folders there. The commands that it
/// runs are the machine's, whatever our own `PATH` says.
const KEEPER: &str = "trap '' INT QUIT HUP TERM; \
    PATH=\"/usr/bin:/bin${PATH:+:$PATH}\"; \
    if read -r word; then rm -rf -- \"$1\"; exit; fi; \
    turn=0; none=0; \
    while [ $none -lt 2 ] && [ $turn -lt 100 ]; do \
        turn=$((turn + 1)); none=$((none + 1)); \
        for file in $(grep -lsF -- \"$2=$1\" /proc/[0-9]*/environ); do \
            none=0; pid=${file#/proc/}; kill -KILL \"${pid%/environ}\"; \
        done; \
        [ $none -gt 0 ] || sleep 0.02; \
    done; \
    for turn in 1 2 3 4 5; do rm -rf -- \"$1\"; sleep 0.2; done; rm -rf -- \"$1\"";

/// Starts a process that waits until it reads a line or we end, and then removes the folder.
fn start_keeper(path: &Path) -> io::Result<(u32, ChildStdin)> {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", KEEPER, "specline-keeper"]).arg(path).arg(wire::ENV_FOLDER);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // A signal that a terminal or a supervisor sends to our whole process group must not end the process that cleans up
    // after us.
    command.process_group(0);
    let mut child = command.spawn()?;
    let input = child.stdin.take().expect("its input is a pipe");
    Ok((child.id(), input))
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Some((pid, mut input)) = self.keeper.take() {
            // If the line cannot be written, the keeper notices that we have gone.
            let _ = input.write_all(b"done\n");
            drop(input);
            // The keeper removes the folder now. If it cannot be waited for, nothing is left to do.
            let _ = sys::reap(pid, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Folder, start_keeper};
    use crate::sys::{self, Exit};
    use std::process::{Command, Stdio};

    #[test]
    fn what_is_being_started_does_not_outlive_its_stage() {
        let path = std::env::temp_dir().join(format!("specline-keeper-{}.stage", std::process::id()));
        std::fs::create_dir(&path).unwrap();
        let (pid, input) = start_keeper(&path).unwrap();
        let start = |folder| {
            let mut command = Command::new("sleep");
            command.arg("1000").env(wire::ENV_FOLDER, folder).stdin(Stdio::null());
            command.spawn().unwrap().id()
        };
        let (ours, others) = (start(&path), start(&path.with_file_name("specline-keeper")));
        drop(input);
        assert_eq!(sys::reap(ours, true).unwrap(), Some(Exit::Signal(libc::SIGKILL)));
        assert_eq!(sys::reap(pid, true).unwrap(), Some(Exit::Code(0)));
        assert!(!path.exists());
        assert_eq!(sys::reap(others, false).unwrap(), None);
        sys::kill(others, libc::SIGKILL);
        sys::reap(others, true).unwrap();
    }

    #[test]
    fn a_folder_goes_with_its_value() {
        let folder = Folder::create_in(&std::env::temp_dir()).unwrap();
        let path = folder.path().to_owned();
        assert!(path.is_dir());
        drop(folder);
        assert!(!path.exists());
    }
}
