//! Finds the door through which the program of a node is entered.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::DoorKind;
use crate::program::{Obstacle, Owner, Program, changes_user};

/// The number of scripts that run scripts which the kernel follows.
const SCRIPTS_MAX: usize = 5;

/// Returns the door through which the program of a command is entered: the library's if it can be loaded, and system
/// calls otherwise; or the reason why neither fits. A bare name is looked up in `search`.
pub(crate) fn find_door(command: &[String], folder: &Path, search: &OsStr) -> Result<DoorKind, String> {
    let mut program = command.first().cloned().unwrap_or_default();
    for _ in 0..SCRIPTS_MAX {
        match look_at(&program, folder, search) {
            Look::Entered => return Ok(DoorKind::Library),
            Look::Closed(Some(Obstacle::Static | Obstacle::Go | Obstacle::OtherLibc), _) => {
                return Ok(DoorKind::Syscalls);
            }
            Look::Closed(_, reason) => return Err(reason),
            Look::RunBy(next) => program = next,
        }
    }
    Err(format!("`{program}` is a script that is run by too many others"))
}

/// Returns why a program that a node becomes, or starts, cannot be kept under control by its system calls, if it cannot.
/// One that does not exist is the kernel's to refuse.
pub(crate) fn find_exec_obstacle(program: &str, folder: &Path) -> Option<String> {
    let path = folder.join(program);
    // A name that is no text is looked at by the kernel alone.
    let path = path.to_str().filter(|_| path.is_file())?;
    find_door(&[path.to_owned()], folder, OsStr::new("")).err()
}

enum Look {
    Entered,
    Closed(Option<Obstacle>, String),
    RunBy(String),
}

fn look_at(program: &str, folder: &Path, search: &OsStr) -> Look {
    let Some(path) = locate(program, folder, search) else {
        return Look::Closed(None, format!("there is no program `{program}`"));
    };
    let (bytes, metadata) = match std::fs::read(&path).and_then(|bytes| Ok((bytes, path.metadata()?))) {
        Ok(found) => found,
        Err(error) => return Look::Closed(None, format!("`{}` cannot be read: {error}", path.display())),
    };
    let closed =
        |obstacle: Obstacle| Look::Closed(Some(obstacle), format!("`{program}` {}", obstacle.text()));
    match Program::of_bytes(&bytes) {
        // `env` runs the program that follows.
        Program::Script(next) if next.ends_with("/env") => Look::Entered,
        Program::Script(next) => Look::RunBy(next.to_owned()),
        Program::Dynamic | Program::Closed(Obstacle::Static | Obstacle::Go | Obstacle::OtherLibc)
            if is_for_another_user(&metadata).unwrap_or(true) =>
        {
            closed(Obstacle::ChangesUser)
        }
        Program::Dynamic => Look::Entered,
        Program::Closed(obstacle) => closed(obstacle),
    }
}

fn is_for_another_user(file: &Metadata) -> io::Result<bool> {
    let owner = |metadata: &Metadata| Owner { user: metadata.uid(), group: metadata.gid() };
    Ok(changes_user(file.mode(), owner(file), owner(&Path::new("/proc/self").metadata()?)))
}

pub(crate) fn locate(program: &str, folder: &Path, search: &OsStr) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(folder.join(program)).filter(|path| path.is_file());
    }
    std::env::split_paths(search).map(|base| base.join(program)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::find_door;
    use crate::library::Library;
    use crate::program::{Elf, Obstacle, Owner, Program, changes_user};
    use crate::table;
    use std::ffi::OsStr;
    use std::path::Path;

    #[test]
    fn programs_are_told_apart() {
        let closed = Program::Closed;
        assert_eq!(Program::of_bytes(b"#!/usr/bin/env python3\n..."), Program::Script("/usr/bin/env"));
        assert_eq!(Program::of_bytes(b"\0\0"), closed(Obstacle::NoProgram));
        assert_eq!(Program::of_bytes(b"#!\n"), closed(Obstacle::NoProgram));
        // An ELF file of 32 bits.
        assert_eq!(Program::of_bytes(b"\x7fELF\x01\x01"), closed(Obstacle::OtherMachine));
        let mut own = std::fs::read("/proc/self/exe").unwrap();
        assert_eq!(Program::of_bytes(&own), Program::Dynamic);
        // A library has no dynamic linker either.
        assert_eq!(Program::of_bytes(Library::bytes()), closed(Obstacle::Static));
        let linker = own.windows(8).position(|part| part == b"ld-linux").unwrap();
        own[linker..linker + 8].copy_from_slice(b"ld-musl-");
        assert_eq!(Program::of_bytes(&own), closed(Obstacle::OtherLibc));
    }

    /// The tables are found even if the names of the sections are gone.
    #[test]
    fn the_runtime_of_go_is_known_by_its_tables() {
        let own = std::fs::read("/bin/sh").unwrap();
        let with = |at: usize, bytes: &[u8]| {
            let mut changed = own.clone();
            changed[at..at + bytes.len()].copy_from_slice(bytes);
            Program::of_bytes(&changed) == Program::Closed(Obstacle::Go)
        };
        for version in [0xfb, 0xfa, 0xf0, 0xf1] {
            let table = [version, 0xff, 0xff, 0xff, 0, 0, 1, 8, 0x34, 0x12, 0, 0, 0, 0, 0, 0];
            assert!(with(8000, &table), "{version:x}");
            // At this position no table begins.
            assert!(!with(8001, &table), "{version:x}");
        }
        assert!(!with(8000, &[0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0]));
        // Made here: as a constant it might stand in this program, which another test takes for none of Go's.
        let first = std::hint::black_box(0xfe) + 1;
        let build = [&[first][..], b" Go buildinf:", &[8, 2]].concat();
        assert!(with(8000, &build));
        assert!(!with(8008, &build));
        assert!(!with(8000, &build[..13]));
    }

    #[test]
    fn programs_that_run_as_somebody_else_are_known_by_their_rights() {
        let (me, other) = (Owner { user: 5, group: 6 }, Owner { user: 0, group: 0 });
        assert!(!changes_user(0o755, other, me));
        assert!(!changes_user(0o6755, me, me));
        assert!(changes_user(0o4755, other, me));
        assert!(changes_user(0o2755, other, me));
        // Without the right to run, the bit of the group means another thing.
        assert!(!changes_user(0o2745, other, me));
    }

    #[track_caller]
    fn obstacle(command: &[&str]) -> Option<String> {
        let command: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
        find_door(&command, Path::new("/"), OsStr::new("/usr/bin:/bin")).err()
    }

    #[test]
    fn what_cannot_be_entered_is_named_with_the_reason() {
        assert_eq!(obstacle(&["sh", "-c", "true"]), None);
        assert_eq!(obstacle(&["/proc/self/exe"]), None);
        assert_eq!(obstacle(&["no-such-program"]), Some("there is no program `no-such-program`".to_owned()));
        assert_eq!(
            obstacle(&["/proc/version"]),
            Some("`/proc/version` is not a program that this machine can load".to_owned())
        );
    }

    /// A truncated or changed file gives an answer, too.
    #[test]
    fn damaged_files_are_no_danger() {
        let bytes = Library::bytes();
        for len in (0..2000).chain([bytes.len() / 2, bytes.len() - 1]) {
            Program::of_bytes(&bytes[..len]);
        }
        let mut damaged = bytes[..bytes.len().min(100_000)].to_vec();
        for at in 0..64 {
            let before = std::mem::replace(&mut damaged[at], 0xff);
            Program::of_bytes(&damaged);
            damaged[at] = before;
        }
    }

    #[test]
    fn the_library_exports_the_symbols_of_its_table_and_no_others() {
        let elf = Elf::new(Library::bytes()).unwrap();
        let mut exported = elf.exports();
        let mut listed: Vec<&str> = table::SYMBOLS.iter().map(|symbol| symbol.name).collect();
        exported.sort_unstable();
        listed.sort_unstable();
        assert_eq!(exported, listed);
        assert!(table::SYMBOLS.iter().any(|symbol| symbol.treatment == table::Treatment::Refuse));
        assert!(table::SYMBOLS.iter().all(|symbol| !symbol.guest.is_empty()));
    }

    /// The table of functions that are replaced within libc has the names that the library has.
    #[test]
    fn what_is_replaced_within_libc_is_in_the_table() {
        let source = include_str!("../../interpose/src/inside.rs");
        let leads = source.lines().filter(|line| line.contains("(c\"") && line.contains(" as *const ()"));
        let replaced: Vec<&str> = leads.filter_map(|line| line.split('"').nth(1)).collect();
        let listed: Vec<&str> = table::INSIDE.iter().map(|inside| inside.name).collect();
        assert_eq!(replaced, listed);
        assert!(table::INSIDE.iter().all(|inside| !inside.guest.is_empty() && !inside.by.is_empty()));
    }
}
