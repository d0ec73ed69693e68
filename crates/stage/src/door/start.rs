//! Starts a node's program behind a filter.

use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use base::FxIndexMap;

use super::filter;
use crate::sys::{self, Listener, Supervised};

/// A program to start, and its surroundings.
pub(crate) struct Program<'p> {
    pub path: &'p Path,
    pub command: &'p [String],
    pub folder: &'p Path,
    /// Variables besides those of this process; later ones count.
    pub environment: Vec<(OsString, OsString)>,
    pub output: File,
    pub errors: File,
    pub lifeline: &'p Path,
    pub tracks_files: bool,
}

/// Returns why no program can be run so here, if none can.
pub(crate) fn obstacle() -> Option<String> {
    if cfg!(not(target_arch = "x86_64")) {
        return Some("its system calls can be heard on x86-64 alone".to_owned());
    }
    sys::filter_obstacle().map(|error| {
        format!("this kernel cannot let its system calls be heard ({error}): Linux 5.19 or newer is needed, with seccomp")
    })
}

/// Starts a program; returns its number and where its calls are heard.
pub(crate) fn start(program: Program<'_>) -> io::Result<(u32, Listener)> {
    let mut environment: FxIndexMap<OsString, OsString> = std::env::vars_os().collect();
    environment.extend(program.environment);
    let variable = |(name, value): (OsString, OsString)| {
        CString::new([name.as_bytes(), b"=", value.as_bytes()].concat())
    };
    let text = |text: &OsStr| CString::new(text.to_owned().into_vec());
    let filter = filter::make(program.tracks_files);
    let supervised = Supervised {
        program: text(program.path.as_os_str())?,
        args: program.command.iter().map(|word| CString::new(word.as_str())).collect::<Result<_, _>>()?,
        environment: environment.into_iter().map(variable).collect::<Result<_, _>>()?,
        folder: text(program.folder.as_os_str())?,
        output: program.output,
        errors: program.errors,
        lifeline: text(program.lifeline.as_os_str())?,
        filter: &filter,
    };
    supervised.start().map_err(|error| match error.raw_os_error() {
        Some(libc::EPERM) => {
            let remedy = "this machine forbids one process to look into another (ptrace): allow it, as with the \
                          capability SYS_PTRACE of a container";
            io::Error::new(error.kind(), remedy)
        }
        _ => error,
    })
}
