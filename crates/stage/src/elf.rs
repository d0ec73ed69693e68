//! What kind of program a file is: only those that the dynamic linker loads can be entered.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What was found out about a file that is to be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Program {
    /// It is loaded by the dynamic linker, and calls the system through libc.
    Dynamic,
    /// It starts with `#!` and this program.
    Script(String),
    /// It has no dynamic linker.
    Static,
    /// Go programs make system calls of their own.
    Go,
    /// Not a program of this machine's.
    Unknown,
}

const MAGIC: &[u8] = b"\x7fELF\x02\x01";
const PT_INTERP: u32 = 3;
/// The section in which every Go program says how it was built.
const GO_SECTION: &[u8] = b".go.buildinfo";

impl Program {
    pub fn of_file(path: &Path) -> std::io::Result<Program> {
        Ok(Program::of_bytes(&std::fs::read(path)?))
    }

    pub fn of_bytes(bytes: &[u8]) -> Program {
        if let Some(line) = bytes.strip_prefix(b"#!") {
            return script(line);
        }
        let Some(elf) = Elf::new(bytes) else { return Program::Unknown };
        if elf.sections().any(|section| elf.name(section) == Some(GO_SECTION)) {
            return Program::Go;
        }
        let is_dynamic = elf.has_interpreter();
        if is_dynamic { Program::Dynamic } else { Program::Static }
    }
}

/// Why the program of a command cannot be entered, if it cannot; a bare name is looked up in `search`.
pub(crate) fn find_obstacle(command: &[String], folder: &Path, search: &OsStr) -> Option<String> {
    let (program, args) = command.split_first()?;
    let Some(path) = locate(program, folder, search) else {
        return Some(format!("there is no program `{program}`"));
    };
    let kind = match Program::of_file(&path) {
        Ok(kind) => kind,
        Err(error) => return Some(format!("`{}` cannot be read: {error}", path.display())),
    };
    match kind {
        Program::Dynamic => None,
        // `env` runs what follows.
        Program::Script(next) if next.ends_with("/env") => None,
        Program::Script(next) => {
            let command: Vec<String> = [next].into_iter().chain(args.iter().cloned()).collect();
            find_obstacle(&command, folder, search)
        }
        Program::Static => {
            Some(format!("`{program}` is statically linked, so no library can be loaded into it"))
        }
        Program::Go => Some(format!("`{program}` is a Go program, which makes system calls without libc")),
        Program::Unknown => Some(format!("`{program}` is not a program that this machine can load")),
    }
}

fn locate(program: &str, folder: &Path, search: &OsStr) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(folder.join(program)).filter(|path| path.is_file());
    }
    std::env::split_paths(search).map(|base| base.join(program)).find(|path| path.is_file())
}

fn script(line: &[u8]) -> Program {
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    match std::str::from_utf8(line).ok().and_then(|line| line.split_whitespace().next()) {
        Some(program) => Program::Script(program.to_owned()),
        None => Program::Unknown,
    }
}

/// A file of 64 bits, little-endian. Every offset in it is checked when it is followed.
struct Elf<'b> {
    bytes: &'b [u8],
}

#[derive(Clone, Copy)]
struct Section {
    name: u32,
    offset: u64,
    size: u64,
}

impl<'b> Elf<'b> {
    fn new(bytes: &'b [u8]) -> Option<Elf<'b>> {
        bytes.starts_with(MAGIC).then_some(Elf { bytes })
    }

    fn array<const N: usize>(&self, at: u64) -> Option<[u8; N]> {
        let from = usize::try_from(at).ok()?;
        self.bytes.get(from..)?.first_chunk::<N>().copied()
    }

    fn u16(&self, at: u64) -> Option<u64> {
        self.array(at).map(u16::from_le_bytes).map(u64::from)
    }

    fn u32(&self, at: u64) -> Option<u32> {
        self.array(at).map(u32::from_le_bytes)
    }

    fn u64(&self, at: u64) -> Option<u64> {
        self.array(at).map(u64::from_le_bytes)
    }

    fn has_interpreter(&self) -> bool {
        let (Some(table), Some(size), Some(n)) = (self.u64(32), self.u16(54), self.u16(56)) else {
            return false;
        };
        (0..n).any(|index| self.u32(table.saturating_add(index * size)) == Some(PT_INTERP))
    }

    fn sections(&self) -> impl Iterator<Item = Section> {
        let (table, size, n) =
            (self.u64(40).unwrap_or(0), self.u16(58).unwrap_or(0), self.u16(60).unwrap_or(0));
        (0..n).filter_map(move |index| self.section(table.saturating_add(index * size)))
    }

    fn section(&self, at: u64) -> Option<Section> {
        Some(Section { name: self.u32(at)?, offset: self.u64(at + 24)?, size: self.u64(at + 32)? })
    }

    fn name(&self, section: Section) -> Option<&'b [u8]> {
        let names = self.sections().nth(usize::try_from(self.u16(62)?).ok()?)?;
        self.text(names, section.name)
    }

    /// The text at an offset of a table of texts, without its final zero.
    fn text(&self, table: Section, offset: u32) -> Option<&'b [u8]> {
        let from = usize::try_from(table.offset.checked_add(u64::from(offset))?).ok()?;
        let to = usize::try_from(table.offset.checked_add(table.size)?).ok()?;
        let rest = self.bytes.get(from..to)?;
        rest.get(..rest.iter().position(|byte| *byte == 0)?)
    }

    /// The symbols that the file offers to others.
    #[cfg(test)]
    fn exports(&self) -> Vec<&'b str> {
        let find = |name: &[u8]| self.sections().find(|section| self.name(*section) == Some(name)).unwrap();
        let (symbols, texts) = (find(b".dynsym"), find(b".dynstr"));
        let entries = (0..symbols.size / 24).map(|index| symbols.offset + index * 24);
        let defined = entries.filter(|at| self.u16(at + 6) != Some(0));
        defined
            .map(|at| std::str::from_utf8(self.text(texts, self.u32(at).unwrap()).unwrap()).unwrap())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Elf, Program, find_obstacle};
    use crate::library::Library;
    use crate::table;
    use std::ffi::OsStr;
    use std::path::Path;

    #[test]
    fn programs_are_told_apart() {
        assert_eq!(
            Program::of_bytes(b"#!/usr/bin/env python3\n..."),
            Program::Script("/usr/bin/env".to_owned())
        );
        assert_eq!(Program::of_bytes(b"\0\0"), Program::Unknown);
        assert_eq!(Program::of_bytes(b"#!\n"), Program::Unknown);
        assert_eq!(Program::of_file(Path::new("/proc/self/exe")).unwrap(), Program::Dynamic);
        // A library has no interpreter either.
        assert_eq!(Program::of_bytes(Library::bytes()), Program::Static);
    }

    #[track_caller]
    fn obstacle(command: &[&str]) -> Option<String> {
        let command: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
        find_obstacle(&command, Path::new("/"), OsStr::new("/usr/bin:/bin"))
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

    /// Whatever is cut off or changed, there is an answer.
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

    /// The table of what is replaced within libc names what the library names.
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
