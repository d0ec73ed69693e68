//! The board of a node, mapped into memory.
#![expect(unsafe_code, reason = "maps a file that other processes map too")]

use std::fs::OpenOptions;
use std::io;
use std::ops::Deref;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::ptr::NonNull;

use wire::Board;

/// A board in a file.
///
/// Invariant: `at` is a shared mapping of `size_of::<Board>()` bytes, which lives as long as this. Every byte of a
/// board belongs to an atomic, so that whatever the other processes write is valid.
pub struct BoardFile {
    at: NonNull<Board>,
}

// SAFETY: a mapping belongs to the process and to no thread of it, and everything in it is an atomic.
unsafe impl Send for BoardFile {}

impl BoardFile {
    /// Creates the file, filled with zeroes, and maps it.
    pub fn create(path: &Path) -> io::Result<BoardFile> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        file.set_len(size_of::<Board>() as u64)?;
        let rights = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a fresh mapping at an address of the kernel's choice; the file is as long as the mapping.
        let at = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                size_of::<Board>(),
                rights,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                0,
            )
        };
        if at == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let at = NonNull::new(at.cast::<Board>()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(BoardFile { at })
    }
}

impl Deref for BoardFile {
    type Target = Board;

    fn deref(&self) -> &Board {
        // SAFETY: the invariant.
        unsafe { self.at.as_ref() }
    }
}

impl Drop for BoardFile {
    fn drop(&mut self) {
        // SAFETY: the invariant; no reference outlives this.
        let _ = unsafe { libc::munmap(self.at.as_ptr().cast(), size_of::<Board>()) };
    }
}
