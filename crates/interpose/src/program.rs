//! What kind of program a file is: only those that the dynamic linker of glibc loads can be entered.
//!
//! Complete in itself and without memory of its own: the stage looks at the programs of nodes, and the library at
//! those that they become or start.

/// What was found out about a file that is to be run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Program<'b> {
    /// It is loaded by the dynamic linker, and calls the system through libc.
    Dynamic,
    /// It starts with `#!` and this program.
    Script(&'b str),
    Closed(Obstacle),
}

/// Why a program cannot be entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    Static,
    Go,
    OtherLibc,
    OtherMachine,
    ChangesUser,
    Unreadable,
    NoProgram,
}

impl Obstacle {
    pub const ALL: [Obstacle; 7] = [
        Obstacle::Static,
        Obstacle::Go,
        Obstacle::OtherLibc,
        Obstacle::OtherMachine,
        Obstacle::ChangesUser,
        Obstacle::Unreadable,
        Obstacle::NoProgram,
    ];

    /// What follows the program's name.
    pub fn text(self) -> &'static str {
        match self {
            Obstacle::Static => "is statically linked, so no library can be loaded into it",
            Obstacle::Go => "is a Go program, which makes system calls without libc",
            Obstacle::OtherLibc => {
                "is made for another libc than glibc, so the library cannot be loaded into it"
            }
            Obstacle::OtherMachine => "is made for another kind of machine than the library",
            Obstacle::ChangesUser => {
                "runs as another user or with more rights, so no library is loaded into it"
            }
            Obstacle::Unreadable => {
                "cannot be read, so nobody knows whether the library can be loaded into it"
            }
            Obstacle::NoProgram => "is not a program that this machine can load",
        }
    }
}

const ANY_ELF: &[u8] = b"\x7fELF";
const MAGIC: &[u8] = b"\x7fELF\x02\x01";
const PT_INTERP: u32 = 3;
/// The section in which every Go program says how it was built.
const GO_SECTION: &[u8] = b".go.buildinfo";
/// In the name of the dynamic linker of musl.
const MUSL: &[u8] = b"ld-musl";

impl<'b> Program<'b> {
    pub fn of_bytes(bytes: &'b [u8]) -> Program<'b> {
        if let Some(line) = bytes.strip_prefix(b"#!") {
            return script(line);
        }
        match Elf::new(bytes) {
            Some(elf) => elf.program(),
            None if bytes.starts_with(ANY_ELF) => Program::Closed(Obstacle::OtherMachine),
            None => Program::Closed(Obstacle::NoProgram),
        }
    }
}

/// A user and a group, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Owner {
    pub user: u32,
    pub group: u32,
}

/// Whether a file with these rights runs as somebody else than who starts it: the dynamic linker then heeds no
/// variables.
pub fn changes_user(mode: u32, file: Owner, starter: Owner) -> bool {
    const SET_USER: u32 = 0o4000;
    const SET_GROUP_AND_RUN: u32 = 0o2010;
    let sets_user = mode & SET_USER != 0 && file.user != starter.user;
    sets_user || mode & SET_GROUP_AND_RUN == SET_GROUP_AND_RUN && file.group != starter.group
}

fn script(line: &[u8]) -> Program<'_> {
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    match core::str::from_utf8(line).ok().and_then(|line| line.split_whitespace().next()) {
        Some(program) => Program::Script(program),
        None => Program::Closed(Obstacle::NoProgram),
    }
}

/// A file of 64 bits, little-endian. Every offset in it is checked when it is followed.
pub struct Elf<'b> {
    bytes: &'b [u8],
}

#[derive(Clone, Copy)]
struct Section {
    name: u32,
    offset: u64,
    size: u64,
}

impl<'b> Elf<'b> {
    pub fn new(bytes: &'b [u8]) -> Option<Elf<'b>> {
        bytes.starts_with(MAGIC).then_some(Elf { bytes })
    }

    fn program(&self) -> Program<'b> {
        if self.sections().any(|section| self.name(section) == Some(GO_SECTION)) {
            return Program::Closed(Obstacle::Go);
        }
        match self.linker() {
            Some(linker) if linker.windows(MUSL.len()).any(|part| part == MUSL) => {
                Program::Closed(Obstacle::OtherLibc)
            }
            Some(_) => Program::Dynamic,
            None => Program::Closed(Obstacle::Static),
        }
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

    /// The path of the dynamic linker that loads the program.
    fn linker(&self) -> Option<&'b [u8]> {
        let (table, size, n) = (self.u64(32)?, self.u16(54)?, self.u16(56)?);
        let mut entries = (0..n).map(|index| table.saturating_add(index * size));
        let entry = entries.find(|entry| self.u32(*entry) == Some(PT_INTERP))?;
        let from = usize::try_from(self.u64(entry.checked_add(8)?)?).ok()?;
        let len = usize::try_from(self.u64(entry.checked_add(32)?)?).ok()?;
        self.bytes.get(from..from.checked_add(len)?)
    }

    fn sections(&self) -> impl Iterator<Item = Section> {
        let (table, size, n) =
            (self.u64(40).unwrap_or(0), self.u16(58).unwrap_or(0), self.u16(60).unwrap_or(0));
        (0..n).filter_map(move |index| self.section(table.saturating_add(index * size)))
    }

    fn section(&self, at: u64) -> Option<Section> {
        let (offset, size) = (at.checked_add(24)?, at.checked_add(32)?);
        Some(Section { name: self.u32(at)?, offset: self.u64(offset)?, size: self.u64(size)? })
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
    #[allow(dead_code, reason = "the tests of `stage` ask for it, those of the library do not")]
    pub fn exports(&self) -> Vec<&'b str> {
        let find = |name: &[u8]| self.sections().find(|section| self.name(*section) == Some(name)).unwrap();
        let (symbols, texts) = (find(b".dynsym"), find(b".dynstr"));
        let entries = (0..symbols.size / 24).map(|index| symbols.offset + index * 24);
        let defined = entries.filter(|at| self.u16(at + 6) != Some(0));
        defined
            .map(|at| std::str::from_utf8(self.text(texts, self.u32(at).unwrap()).unwrap()).unwrap())
            .collect()
    }
}
