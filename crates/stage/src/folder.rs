//! The folder of a running stage: removed when the stage ends, and also when it is killed.

use std::io::{self, Write};
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
        // Before the folder, so that there is no moment at which we could be killed and leave it.
        let keeper = keeper(&path)?;
        let folder = Folder { path, keeper: Some(keeper) };
        std::fs::create_dir(&folder.path)?;
        Ok(folder)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// What removes the folder: at once when it is told to; when its input ends, which it does when we are killed, again and
/// again for a second, since nodes that are just dying may still make files and folders there.
const KEEPER: &str = "trap '' INT HUP TERM; \
    if read -r word; then rm -rf -- \"$1\"; exit; fi; \
    for turn in 1 2 3 4 5; do rm -rf -- \"$1\"; sleep 0.2; done; rm -rf -- \"$1\"";

/// A process that does nothing until it is told to, or we end, and then removes the folder.
fn keeper(path: &Path) -> io::Result<(u32, ChildStdin)> {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", KEEPER, "specline-keeper"]).arg(path);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let input = child.stdin.take().expect("its input is a pipe");
    Ok((child.id(), input))
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Some((pid, mut input)) = self.keeper.take() {
            // If it cannot be told, it notices that we have gone.
            let _ = input.write_all(b"done\n");
            drop(input);
            // It removes the folder now; nothing is left to do about one that cannot be waited for.
            let _ = sys::reap(pid, true);
        }
    }
}
