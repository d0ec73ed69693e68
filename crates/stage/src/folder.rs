//! The folder of a running stage: removed when the stage ends, and also when it is killed.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::sys;

/// Beyond this the names of sockets in it are too long for the kernel.
const PATH_BYTES_MAX: usize = 90;

static N_MADE: AtomicU32 = AtomicU32::new(0);

/// A folder that does not outlive this value or this process.
pub struct Folder {
    path: PathBuf,
    keeper: Option<(u32, ChildStdin)>,
}

impl Folder {
    /// A new folder inside `base`.
    pub fn create_in(base: &Path) -> io::Result<Folder> {
        let number = N_MADE.fetch_add(1, Ordering::Relaxed);
        let path = base.join(format!("specline-{}-{number}", std::process::id()));
        if path.as_os_str().len() > PATH_BYTES_MAX {
            let text = format!("{} is too long a path for the sockets of a stage", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        // Left over from a process that had our number.
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir(&path)?;
        let keeper = keeper(&path)?;
        Ok(Folder { path, keeper: Some(keeper) })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// A process that does nothing until its input ends, which it does when we end, and then removes the folder.
fn keeper(path: &Path) -> io::Result<(u32, ChildStdin)> {
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", "trap '' INT HUP TERM; cat >/dev/null; rm -rf -- \"$1\"", "specline-keeper"])
        .arg(path);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let input = child.stdin.take().expect("its input is a pipe");
    Ok((child.id(), input))
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Some((pid, input)) = self.keeper.take() {
            drop(input);
            // It removes the folder now; nothing is left to do about one that cannot be waited for.
            let _ = sys::reap(pid, true);
        }
    }
}
