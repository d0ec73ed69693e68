//! Calls on files: where the stage remembers what is durable, or wants to be asked, they are carried out here, so that
//! the stage learns of each at the moment when it is done. Otherwise they are the kernel's.

use std::ffi::OsString;
use std::fs::{self, File};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::{Relaxed, SeqCst};

use wire::{Call, FileCall, NEVER_NS, PATH_BYTES_MAX, Reply, Request, Verdict};

use super::Errno;
use super::park::{Until, Wait};
use super::visit::{COPY_BYTES_MAX, Done, Kind, Outcome, Result, Visit};
use crate::sys::guest;

/// A call on a file that the stage may hold.
struct Asked<'a> {
    call: FileCall,
    path: &'a Path,
    /// The last part of the new name of a file that is renamed.
    target: &'a [u8],
}

impl Visit<'_, '_> {
    pub fn call_file(&mut self, number: i64) -> Option<Outcome> {
        Some(match number {
            libc::SYS_fsync | libc::SYS_fdatasync => self.sync(),
            libc::SYS_sync | libc::SYS_syncfs => self.sync_all(),
            libc::SYS_rename => self.rename((libc::AT_FDCWD, 0), (libc::AT_FDCWD, 1), 0),
            libc::SYS_renameat => self.rename((self.int(0), 1), (self.int(2), 3), 0),
            libc::SYS_renameat2 => self.rename((self.int(0), 1), (self.int(2), 3), self.int(4)),
            libc::SYS_pwrite64 => self.pwrite(),
            libc::SYS_pwritev => self.pwritev(0),
            libc::SYS_pwritev2 => self.pwritev(self.int(5)),
            libc::SYS_io_setup | libc::SYS_io_uring_setup => {
                self.refuse("io_setup", "what is written and read later is not under control")
            }
            libc::SYS_ftruncate => self.ftruncate(),
            libc::SYS_truncate => self.truncate(),
            libc::SYS_fallocate => self.fallocate(),
            libc::SYS_copy_file_range => self.refuse_copy(self.int(2)),
            libc::SYS_sendfile => self.refuse_copy(self.int(0)),
            libc::SYS_splice => self.refuse_copy(self.int(2)),
            libc::SYS_msync => self.msync(),
            libc::SYS_mmap => self.mmap(),
            libc::SYS_open => self.open((libc::AT_FDCWD, 0), self.int(1)),
            libc::SYS_openat => self.open((self.int(0), 1), self.int(2)),
            libc::SYS_creat => self.open((libc::AT_FDCWD, 0), libc::O_TRUNC),
            _ => return None,
        })
    }

    fn tracks_files(&self) -> bool {
        self.board().tracks_files.load(Relaxed) != 0
    }

    fn asks_of_files(&self) -> bool {
        self.board().asks_of_files.load(Relaxed) != 0
    }

    pub fn is_watching_files(&self) -> bool {
        self.tracks_files() || self.asks_of_files()
    }

    /// Returns the path of an open file.
    fn path_of(&self, fd: i32) -> Result<PathBuf> {
        fs::read_link(format!("/proc/{}/fd/{fd}", self.pid)).map_err(Errno::from)
    }

    /// Returns the path of a file by its name, without following the last part: a folder's descriptor, and the index of
    /// the argument with the name.
    fn path_at(&self, (folder, index): (i32, usize)) -> Result<PathBuf> {
        let text = self.read_text(self.arg(index))?;
        let base = match folder {
            libc::AT_FDCWD => PathBuf::from(format!("/proc/{}/cwd", self.notice.tid)),
            folder => PathBuf::from(format!("/proc/{}/fd/{folder}", self.pid)),
        };
        let path = base.join(OsString::from_vec(text));
        match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => Ok(fs::canonicalize(parent)?.join(name)),
            (_, _) => Ok(path),
        }
    }

    /// Asks the stage before or after a call; returns what to do.
    fn ask_of(&mut self, asked: &Asked<'_>, is_done: bool) -> Result<(Verdict, u64)> {
        let bytes = asked.path.as_os_str().as_bytes();
        if !self.asks_of_files() || bytes.len() > PATH_BYTES_MAX {
            return Ok((Verdict::Go, 0));
        }
        let (call, thread, target) = (asked.call, self.notice.tid, asked.target);
        let request = Request::File { call, is_done, thread, path: bytes, target };
        let Reply::File { verdict, n_bytes } = self.ask(&request, None)? else { return Ok((Verdict::Go, 0)) };
        Ok((verdict, n_bytes))
    }

    /// Waits until calls on files that are held go on; then the call has this result, or is made.
    fn hold(&self, result: Option<i64>) -> Done {
        let gate = self.board().file_gate.load(SeqCst);
        Done::Wait(Wait::new(Call::File, NEVER_NS, Until::Gate(gate, result)))
    }

    /// Makes a call with `perform`, which gets the most bytes to write, when the stage lets it, and may be held
    /// afterwards.
    fn guarded(
        &mut self,
        asked: &Asked<'_>,
        perform: &mut dyn FnMut(&mut Self, usize) -> Result<i64>,
    ) -> Outcome {
        // A call that was held before goes on without another question.
        let (verdict, n_bytes) = match self.has_waited() {
            true => (Verdict::Go, 0),
            false => self.ask_of(asked, false)?,
        };
        let limit = match verdict {
            Verdict::Hold => return Ok(self.hold(None)),
            Verdict::Go | Verdict::Ask => usize::MAX,
            Verdict::Tear => usize::try_from(n_bytes).unwrap_or(usize::MAX),
        };
        let result = perform(self, limit)?;
        if matches!(verdict, Verdict::Ask | Verdict::Tear) && self.ask_of(asked, true)?.0 == Verdict::Hold {
            return Ok(self.hold(Some(result)));
        }
        Ok(Done::Value(result))
    }

    fn tell_synced(&mut self, path: &Path) -> Result<()> {
        if self.tracks_files() && path.as_os_str().len() <= PATH_BYTES_MAX {
            self.ask(&Request::Synced { path: path.as_os_str().as_bytes() }, None)?;
        }
        Ok(())
    }

    fn tell_changed(&mut self, path: &Path, offset: u64, len: u64) {
        let bytes = path.as_os_str().as_bytes();
        if self.tracks_files() && bytes.len() <= PATH_BYTES_MAX {
            // Files outside the node's folder do not matter.
            let _ = self.ask(&Request::Changed { path: bytes, offset, len }, None);
        }
    }

    fn sync(&mut self) -> Outcome {
        let fd = self.int(0);
        if !self.is_watching_files() || self.kind(fd)?.0 != Kind::File {
            return Ok(Done::Continue);
        }
        let path = self.path_of(fd)?;
        let is_data_only = self.notice.number == libc::SYS_fdatasync;
        let asked = Asked { call: FileCall::Sync, path: &path, target: b"" };
        self.guarded(&asked, &mut |visit, _| {
            let file = File::from(visit.borrow(fd)?);
            if is_data_only {
                file.sync_data()?
            } else {
                file.sync_all()?
            }
            // It is reported as durable before anything else can happen.
            visit.tell_synced(&path)?;
            Ok(0)
        })
    }

    fn sync_all(&mut self) -> Outcome {
        self.tell_synced(Path::new(""))?;
        Ok(Done::Continue)
    }

    fn rename(&mut self, from: (i32, usize), to: (i32, usize), flags: i32) -> Outcome {
        if !self.asks_of_files() {
            return Ok(Done::Continue);
        }
        let (from, to) = (self.path_at(from)?, self.path_at(to)?);
        let name = to.file_name().map(|name| name.as_bytes().to_vec()).unwrap_or_default();
        let asked = Asked { call: FileCall::Rename, path: &from, target: &name };
        if flags != 0 {
            self.report("renameat2", "a file that is exchanged or must not replace is not held", false);
            return Ok(Done::Continue);
        }
        self.guarded(&asked, &mut |_, _| Ok(fs::rename(&from, &to).map(|()| 0)?))
    }

    fn pwrite(&mut self) -> Outcome {
        let len = usize::try_from(self.arg(2)).unwrap_or(usize::MAX);
        if !self.is_watching_files() || self.kind(self.int(0))?.0 != Kind::File {
            return Ok(Done::Continue);
        }
        self.write_file(self.int(0), &[(self.arg(1), len)], Some(self.arg(3) as i64), 0)
    }

    fn pwritev(&mut self, flags: i32) -> Outcome {
        if !self.is_watching_files() || self.kind(self.int(0))?.0 != Kind::File {
            return Ok(Done::Continue);
        }
        let parts = self.parts(self.arg(1), self.arg(2))?;
        let offset = Some(self.arg(3) as i64).filter(|offset| *offset != -1);
        self.write_file(self.int(0), &parts, offset, flags)
    }

    /// Writes to a file, at an offset or at the file's position. `flags` are those of `pwritev2`.
    pub fn write_file(
        &mut self,
        fd: i32,
        parts: &[(u64, usize)],
        offset: Option<i64>,
        flags: i32,
    ) -> Outcome {
        let (file, path) = (self.borrow(fd)?, self.path_of(fd)?);
        let file_flags = guest::file_flags(&file);
        let is_durable = flags & (libc::RWF_SYNC | libc::RWF_DSYNC) != 0
            || file_flags & (libc::O_SYNC | libc::O_DSYNC) != 0;
        let is_appended = file_flags & libc::O_APPEND != 0;
        let asked = Asked { call: FileCall::Write, path: &path, target: b"" };
        self.guarded(&asked, &mut |visit, limit| {
            let bytes = visit.gather(parts, limit.min(COPY_BYTES_MAX))?;
            let n = guest::write(&file, &bytes, offset)?;
            visit.tell_written(&file, &path, offset.filter(|_| !is_appended), n);
            if is_durable {
                visit.tell_synced(&path)?;
            }
            Ok(n as i64)
        })
    }

    fn tell_written(&mut self, file: &OwnedFd, path: &Path, offset: Option<i64>, n: usize) {
        if !self.tracks_files() {
            return;
        }
        let is_appended = guest::file_flags(file) & libc::O_APPEND != 0;
        let end = || match is_appended {
            true => fs::metadata(path).map_or(0, |metadata| metadata.len()),
            false => guest::position(file),
        };
        let offset = offset.map_or_else(|| end().saturating_sub(n as u64), |offset| offset as u64);
        self.tell_changed(path, offset, n as u64);
    }

    fn ftruncate(&mut self) -> Outcome {
        let path = self.path_of(self.int(0))?;
        File::from(self.borrow(self.int(0))?).set_len(self.arg(1))?;
        self.tell_changed(&path, 0, 0);
        Ok(Done::Value(0))
    }

    fn truncate(&mut self) -> Outcome {
        let path = fs::canonicalize(self.path_at((libc::AT_FDCWD, 0))?)?;
        File::options().write(true).open(&path)?.set_len(self.arg(1))?;
        self.tell_changed(&path, 0, 0);
        Ok(Done::Value(0))
    }

    fn fallocate(&mut self) -> Outcome {
        let (path, mode) = (self.path_of(self.int(0))?, self.int(1));
        let (offset, len) = (self.arg(2), self.arg(3));
        guest::allocate(&self.borrow(self.int(0))?, mode, offset as i64, len as i64)?;
        // Some of its modes make holes; then the whole range counts as written.
        self.tell_changed(&path, offset, if mode == 0 { 0 } else { len });
        Ok(Done::Value(0))
    }

    /// Refuses to copy into a file within the kernel, where nobody sees what is written.
    fn refuse_copy(&mut self, to: i32) -> Outcome {
        if self.kind(to)?.0 != Kind::File {
            return Ok(Done::Continue);
        }
        self.refuse("copy_file_range", "what the kernel copies into a file would not be remembered")
    }

    fn msync(&mut self) -> Outcome {
        if self.int(2) & libc::MS_SYNC != 0 {
            let maps = fs::read_to_string(format!("/proc/{}/maps", self.pid))?;
            let path = maps.lines().find_map(|line| path_if_at(line, self.arg(0)));
            if let Some(path) = path {
                self.tell_synced(path)?;
            }
        }
        Ok(Done::Continue)
    }

    fn mmap(&mut self) -> Outcome {
        let fd = self.notice.args[4] as i32;
        if self.kind(fd)?.0 == Kind::File {
            let is_written = guest::file_flags(&self.borrow(fd)?) & libc::O_ACCMODE != libc::O_RDONLY;
            let path = self.path_of(fd)?;
            if is_written && path.as_os_str().len() <= PATH_BYTES_MAX {
                self.ask(&Request::Mapped { path: path.as_os_str().as_bytes() }, None)?;
            }
        }
        Ok(Done::Continue)
    }

    /// Cuts a file that is about to be opened anew, so that this is told when it is done.
    fn open(&mut self, at: (i32, usize), flags: i32) -> Outcome {
        if flags & libc::O_EXCL != 0 {
            return Ok(Done::Continue);
        }
        // What cannot be found or cut is the kernel's to refuse.
        let Ok(path) = self.path_at(at).and_then(|path| Ok(fs::canonicalize(path)?)) else {
            return Ok(Done::Continue);
        };
        let is_own = self.node().own_file(&path).is_some() && path.is_file();
        if is_own && let Ok(file) = File::options().write(true).open(&path) {
            file.set_len(0)?;
            self.tell_changed(&path, 0, 0);
        }
        Ok(Done::Continue)
    }
}

/// Returns the path on a line `start-end rights offset device inode path`, if the address is between the two.
fn path_if_at(line: &str, address: u64) -> Option<&Path> {
    let (range, rest) = line.split_once(' ')?;
    let (start, end) = range.split_once('-')?;
    let (start, end) = (u64::from_str_radix(start, 16).ok()?, u64::from_str_radix(end, 16).ok()?);
    let path = rest.find('/').and_then(|at| rest.get(at..))?;
    (start..end).contains(&address).then_some(Path::new(path))
}
