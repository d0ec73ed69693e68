//! Determines the kind of a program: the library can only be loaded into those that the dynamic linker of glibc loads.
//!
//! This module depends on no other and allocates nothing: the stage uses it for the programs of nodes, and the library
//! for the programs that they become or start.

/// The kind of a file that is to be run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Program<'b> {
    /// It is loaded by the dynamic linker, and calls the system through libc.
    Dynamic,
    /// It starts with `#!` and this program.
    Script(&'b str),
    Closed(Obstacle),
}

/// The reason why the library cannot be loaded into a program.
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

    /// Returns the text after the program's name.
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
const PT_LOAD: u32 = 1;
/// The bit of a segment, and, below, of a section, whose content is executed.
const PF_X: u32 = 1;
const SHF_EXECINSTR: u64 = 4;
/// Sections of files with the runtime of Go, unless their names were removed.
const GO_SECTIONS: [&[u8]; 3] = [b".go.buildinfo", b".gopclntab", b".note.go.buildid"];
/// The text before the build information of a Go program, without its first byte, so that this file does not contain it
/// whole.
const GO_BUILD: &[u8] = b" Go buildinf:";
/// A bound on the number of functions, more than any program has.
const GO_FUNCTIONS_MAX: u64 = 1 << 24;
/// The size of a symbol in its table.
const SYMBOL_BYTES: u64 = 24;
/// A part of the name of musl's dynamic linker.
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

/// Whether a file with these rights runs as another user than the one who starts it; then the dynamic linker ignores
/// the variables.
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

/// An ELF file of 64 bits, little-endian. Every offset in it is checked when it is followed.
pub struct Elf<'b> {
    bytes: &'b [u8],
}

#[derive(Clone, Copy)]
struct Section {
    name: u32,
    flags: u64,
    offset: u64,
    size: u64,
}

impl<'b> Elf<'b> {
    pub fn new(bytes: &'b [u8]) -> Option<Elf<'b>> {
        bytes.starts_with(MAGIC).then_some(Elf { bytes })
    }

    fn program(&self) -> Program<'b> {
        if self.is_go() {
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

    /// Whether it contains the runtime of Go: by the names of its sections, or by the table of functions that the
    /// runtime needs and the build information.
    pub fn is_go(&self) -> bool {
        let has_section =
            self.sections().any(|section| self.name(section).is_some_and(|name| GO_SECTIONS.contains(&name)));
        has_section || self.has_go_tables()
    }

    fn has_go_tables(&self) -> bool {
        // Both begin at an address that is a multiple of 16, and so at such a position of the file.
        let words = self.bytes.chunks(16).enumerate();
        let mut places = words.filter_map(|(index, word)| {
            let word = u64::from_le_bytes(*word.first_chunk()?);
            let at = (index as u64) * 16;
            // The table begins with one of a few numbers, two zeros, and the sizes of an instruction and of an address.
            let is_table = word & 0x0000_ffff_ffff_fff4 == 0xffff_fff0
                && matches!(word >> 48 & 0xff, 1 | 2 | 4)
                && matches!(word >> 56, 4 | 8);
            let is_build = word & 0xffff == 0x20ff;
            (is_table || is_build).then_some((at, is_table))
        });
        places.any(|(at, is_table)| if is_table { self.is_go_table(at) } else { self.is_go_build(at) })
    }

    fn is_go_table(&self, at: u64) -> bool {
        let n_functions = at.checked_add(8).and_then(|at| self.u64(at));
        n_functions.is_some_and(|n| (1..GO_FUNCTIONS_MAX).contains(&n))
    }

    fn is_go_build(&self, at: u64) -> bool {
        let from = usize::try_from(at).unwrap_or(usize::MAX).saturating_add(1);
        let rest = self.bytes.get(from..).unwrap_or_default();
        match rest.strip_prefix(GO_BUILD) {
            Some([size, flags, ..]) => matches!(size, 4 | 8) && *flags < 4,
            Some(_) | None => false,
        }
    }

    /// Returns the positions of code in the file: by its sections, or by its segments if it has none.
    #[allow(dead_code, reason = "the stage asks for it, the library does not")]
    pub fn code(&self) -> impl Iterator<Item = (usize, usize)> {
        let is_code = |section: &Section| section.flags & SHF_EXECINSTR != 0;
        let in_sections = self.sections().filter(is_code).map(|section| (section.offset, section.size));
        let has_sections = self.sections().any(|section| is_code(&section));
        let in_segments = self.segments().filter(move |_| !has_sections).filter_map(|entry| {
            let is_code = self.u32(entry) == Some(PT_LOAD)
                && self.u32(entry.checked_add(4)?).is_some_and(|flags| flags & PF_X != 0);
            let offset = self.u64(entry.checked_add(8)?)?;
            is_code.then_some((offset, self.u64(entry.checked_add(32)?)?))
        });
        in_sections.chain(in_segments).filter_map(|(offset, size)| {
            let from = usize::try_from(offset).ok()?;
            Some((from, from.checked_add(usize::try_from(size).ok()?)?.min(self.bytes.len())))
        })
    }

    /// Returns the address where the program begins.
    #[allow(dead_code, reason = "the stage asks for it, the library does not")]
    pub fn entry(&self) -> Option<u64> {
        self.u64(24)
    }

    /// Returns the address at which a position of the file is loaded.
    #[allow(dead_code, reason = "the stage asks for it, the library does not")]
    pub fn address_of(&self, at: u64) -> Option<u64> {
        self.segments().filter(|entry| self.u32(*entry) == Some(PT_LOAD)).find_map(|entry| {
            let (offset, address) = (self.u64(entry.checked_add(8)?)?, self.u64(entry.checked_add(16)?)?);
            let size = self.u64(entry.checked_add(32)?)?;
            let within = at.checked_sub(offset).filter(|within| *within < size)?;
            address.checked_add(within)
        })
    }

    /// Returns the names and addresses of the symbols that the file exports.
    #[allow(dead_code, reason = "the stage asks for it, the library does not")]
    pub fn symbols(&self) -> impl Iterator<Item = (&'b str, u64)> {
        let find = |name: &[u8]| self.sections().find(|section| self.name(*section) == Some(name));
        let tables = find(b".dynsym").zip(find(b".dynstr"));
        let n = tables.map_or(0, |(symbols, _)| symbols.size / SYMBOL_BYTES);
        (0..n).filter_map(move |index| {
            let (symbols, texts) = tables?;
            let at = symbols.offset.checked_add(index * SYMBOL_BYTES)?;
            let name = core::str::from_utf8(self.text(texts, self.u32(at)?)?).ok()?;
            Some((name, self.u64(at.checked_add(8)?)?)).filter(|_| self.u16(at + 6) != Some(0))
        })
    }

    fn segments(&self) -> impl Iterator<Item = u64> {
        let (table, size, n) =
            (self.u64(32).unwrap_or(0), self.u16(54).unwrap_or(0), self.u16(56).unwrap_or(0));
        (0..n).map(move |index| table.saturating_add(index * size))
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

    /// Returns the path of the dynamic linker that loads the program.
    fn linker(&self) -> Option<&'b [u8]> {
        let entry = self.segments().find(|entry| self.u32(*entry) == Some(PT_INTERP))?;
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
        let (flags, offset, size) = (at.checked_add(8)?, at.checked_add(24)?, at.checked_add(32)?);
        let (flags, offset, size) = (self.u64(flags)?, self.u64(offset)?, self.u64(size)?);
        Some(Section { name: self.u32(at)?, flags, offset, size })
    }

    fn name(&self, section: Section) -> Option<&'b [u8]> {
        let names = self.sections().nth(usize::try_from(self.u16(62)?).ok()?)?;
        self.text(names, section.name)
    }

    /// Returns the text at an offset of a table of texts, without its final zero.
    fn text(&self, table: Section, offset: u32) -> Option<&'b [u8]> {
        let from = usize::try_from(table.offset.checked_add(u64::from(offset))?).ok()?;
        let to = usize::try_from(table.offset.checked_add(table.size)?).ok()?;
        let rest = self.bytes.get(from..to)?;
        rest.get(..rest.iter().position(|byte| *byte == 0)?)
    }

    /// Returns the symbols that the file exports.
    #[cfg(test)]
    #[allow(dead_code, reason = "the tests of `stage` ask for it, those of the library do not")]
    pub fn exports(&self) -> Vec<&'b str> {
        self.symbols().map(|(name, _)| name).collect()
    }
}
