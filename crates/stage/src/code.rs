//! Finds code that makes system calls by itself, past libc and therefore past the library, in the files that are mapped
//! into guests.
//!
//! On x86-64 the instruction has two bytes, and the same two bytes occur inside other instructions and in tables. So
//! the code before them is decoded from several starting points: sequences of instructions fall into step with each
//! other after a few instructions. The bytes are a call if most of the sequences reach them, and an instruction before
//! them sets the register that says which call is meant. On machines where every instruction has four bytes, none of
//! this is needed.

use std::io::BufRead;

use crate::program::Elf;

/// The things that a file does without libc.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Findings {
    /// Whether it has the runtime of Go.
    pub is_go: bool,
    /// Whether it makes system calls that would be under control, or calls that cannot be identified.
    pub has_calls: bool,
    /// Whether it looks for the kernel's own functions that read the time.
    pub reads_clock: bool,
}

impl Findings {
    pub fn of(bytes: &[u8]) -> Findings {
        let Some(elf) = Elf::new(bytes) else { return Findings::default() };
        let has_calls = elf.code().filter_map(|(from, to)| bytes.get(from..to)).any(has_calls);
        Findings { is_go: elf.is_go(), has_calls, reads_clock: CLOCKS.iter().any(|name| has(bytes, name)) }
    }

    /// Returns the sentences to report about the file.
    pub fn texts(self) -> impl Iterator<Item = &'static str> {
        let go = "has the runtime of Go, whose clock, network and threads are the machine's";
        let calls = "makes system calls without libc, which are not seen";
        let clock = "reads the kernel's clock without libc";
        let is_plain = !self.is_go;
        let told =
            [(self.is_go, go), (is_plain && self.has_calls, calls), (is_plain && self.reads_clock, clock)];
        told.into_iter().filter(|(is_so, _)| *is_so).map(|(_, text)| text)
    }
}

/// The names of the kernel's functions for the time, without their first two underscores, so that this file does not
/// contain the whole names.
const CLOCKS: [&[u8]; 3] = [b"vdso_clock_gettime\0", b"vdso_gettimeofday\0", b"kernel_clock_gettime\0"];

/// Whether `bytes` contain the name with two underscores before it.
fn has(bytes: &[u8], name: &[u8]) -> bool {
    places(bytes, name[0]).any(|at| bytes[at..].starts_with(name) && bytes[..at].ends_with(b"__"))
}

/// Returns the positions of a byte. The standard library searches as fast as the machine can, which matters because
/// programs have up to a hundred megabytes.
fn places(bytes: &[u8], byte: u8) -> impl Iterator<Item = usize> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let n_skipped = rest.skip_until(byte).ok()?;
        let at = (bytes.len() - rest.len()).checked_sub(1)?;
        // If the byte does not occur, the rest was skipped.
        (n_skipped > 0 && bytes[at] == byte).then_some(at)
    })
}

#[cfg(target_arch = "aarch64")]
fn has_calls(code: &[u8]) -> bool {
    // `svc #0`.
    code.chunks_exact(4).any(|word| word == [0x01, 0x00, 0x00, 0xd4])
}

#[cfg(target_arch = "x86_64")]
fn has_calls(code: &[u8]) -> bool {
    let mut seconds = places(code, 0x05).filter(|at| code[..*at].ends_with(&[0x0f]));
    seconds.any(|at| x86::is_call(code, at - 1))
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    /// Decoding starts this many bytes before a call, and at each of the `N_STARTS` bytes from there.
    const BEFORE: usize = 64;
    const N_STARTS: usize = 24;

    /// System calls that need not be seen: those for memory, for signals of the thread itself, and for its identity.
    const HARMLESS: [u32; 26] = [
        9, 10, 11, 12, 13, 14, 15, 24, 25, 27, 28, 39, 60, 102, 104, 107, 108, 110, 131, 158, 186, 218, 231,
        273, 309, 324,
    ];

    /// The effect of an instruction on the register that says which call is meant.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum Number {
        /// The register keeps its value.
        Stays,
        Known(u32),
        Unknown,
    }

    /// Whether the two bytes at `at` are an instruction that the code reaches, for a call that matters.
    pub fn is_call(code: &[u8], at: usize) -> bool {
        let first = at.saturating_sub(BEFORE);
        let starts = first..(first + N_STARTS).min(at);
        let (mut n_read, mut n_there, mut number) = (0, 0, Number::Stays);
        for start in starts {
            let Some((is_there, found)) = follow(code, start, at) else { continue };
            n_read += 1;
            if is_there {
                n_there += 1;
                number = found;
            }
        }
        let is_told = match number {
            Number::Stays => false,
            Number::Known(number) => !HARMLESS.contains(&number),
            Number::Unknown => true,
        };
        is_told && n_there * 2 > n_read
    }

    /// Decodes instructions from `start` on. Returns whether one begins at `at`, and the number of the call at that
    /// point; `None` if the bytes are not instructions.
    fn follow(code: &[u8], start: usize, at: usize) -> Option<(bool, Number)> {
        let (mut place, mut number, mut pushed) = (start, Number::Stays, Number::Unknown);
        while place < at {
            let instruction = Instruction::read(&code[place..])?;
            number = match instruction.number(pushed) {
                Number::Stays => number,
                written @ (Number::Known(_) | Number::Unknown) => written,
            };
            pushed = instruction.pushed_number().unwrap_or(pushed);
            place += instruction.len;
        }
        Some((place == at, number))
    }

    /// An instruction, decoded far enough to know its length.
    struct Instruction<'c> {
        bytes: &'c [u8],
        len: usize,
        /// The table of its opcode: 0, or the table of `0f`, `0f38` or `0f3a`.
        map: u8,
        opcode: u8,
        rex: u8,
        modrm: Option<u8>,
        /// The position of its immediate.
        immediate: usize,
    }

    impl<'c> Instruction<'c> {
        fn read(code: &'c [u8]) -> Option<Instruction<'c>> {
            let mut at = 0;
            let (mut is_short, mut is_short_address) = (false, false);
            while let Some(prefix) = code.get(at) {
                match prefix {
                    0x66 => is_short = true,
                    0x67 => is_short_address = true,
                    0xf0 | 0xf2 | 0xf3 | 0x2e | 0x36 | 0x3e | 0x26 | 0x64 | 0x65 => {}
                    _ => break,
                }
                at += 1;
            }
            let mut rex = 0;
            if let Some(byte @ 0x40..=0x4f) = code.get(at) {
                (rex, at) = (*byte, at + 1);
            }
            let (map, opcode_at) = match code.get(at)? {
                0xc5 if rex == 0 => (1, at + 2),
                0xc4 if rex == 0 => (code.get(at + 1)? & 0x1f, at + 3),
                0x62 if rex == 0 => (code.get(at + 1)? & 7, at + 4),
                0x0f => match code.get(at + 1)? {
                    0x38 => (2, at + 2),
                    0x3a => (3, at + 2),
                    _ => (1, at + 1),
                },
                _ => (0, at),
            };
            let opcode = *code.get(opcode_at)?;
            let modrm = match has_modrm(map, opcode)? {
                true => Some(*code.get(opcode_at + 1)?),
                false => None,
            };
            let immediate =
                opcode_at + 1 + modrm.map_or(Some(0), |modrm| operand_len(modrm, code.get(opcode_at + 2)))?;
            let sizes = Sizes { is_short, is_short_address, is_wide: rex & 8 != 0 };
            let len = immediate + immediate_len(map, opcode, modrm.unwrap_or(0), sizes);
            let bytes = code.get(..len).filter(|_| len <= 15)?;
            Some(Instruction { bytes, len, map, opcode, rex, modrm, immediate })
        }

        /// Whether an operand is the register of the call's number: the first that `modrm` names if `by_rm`, otherwise
        /// the second.
        fn is_register(&self, by_rm: bool) -> bool {
            let Some(modrm) = self.modrm else { return false };
            match by_rm {
                true => modrm >> 6 == 3 && modrm & 7 == 0 && self.rex & 1 == 0,
                false => modrm >> 3 & 7 == 0 && self.rex & 4 == 0,
            }
        }

        fn value(&self) -> Number {
            let bytes = self.bytes.get(self.immediate..).unwrap_or_default();
            match bytes {
                [a, b, c, d, ..] => Number::Known(u32::from_le_bytes([*a, *b, *c, *d])),
                [a] => Number::Known(u32::from(*a)),
                _ => Number::Unknown,
            }
        }

        /// Returns the effect of the instruction on the register. `pushed` is the value last put on the stack.
        fn number(&self, pushed: Number) -> Number {
            let is_written = match (self.map, self.opcode) {
                (0, 0xb8) if self.rex & 1 == 0 => return self.value(),
                (0, 0xc7) if self.is_register(true) => return self.value(),
                (0, 0x31 | 0x33) if self.modrm == Some(0xc0) && self.rex & 5 == 0 => return Number::Known(0),
                (0, 0x58) if self.rex & 1 == 0 => return pushed,
                (0, 0x89 | 0x01 | 0x09 | 0x81 | 0x83) => self.is_register(true),
                (0, 0x8b | 0x8d | 0x63 | 0x03 | 0x0b) => self.is_register(false),
                (1, 0xb6 | 0xb7 | 0xbe | 0xbf | 0x40..=0x4f) => self.is_register(false),
                _ => false,
            };
            if is_written { Number::Unknown } else { Number::Stays }
        }

        fn pushed_number(&self) -> Option<Number> {
            match (self.map, self.opcode) {
                (0, 0x68 | 0x6a) => Some(self.value()),
                (0, 0x50..=0x57) => Some(Number::Unknown),
                _ => None,
            }
        }
    }

    struct Sizes {
        is_short: bool,
        is_short_address: bool,
        is_wide: bool,
    }

    /// Returns the length of an operand, its first byte included; `None` if it is cut off.
    fn operand_len(modrm: u8, next: Option<&u8>) -> Option<usize> {
        let (mode, rm) = (modrm >> 6, modrm & 7);
        let has_index = mode != 3 && rm == 4;
        let base = if has_index { *next? & 7 } else { rm };
        let displacement = match mode {
            0 if base == 5 => 4,
            1 => 1,
            2 => 4,
            _ => 0,
        };
        Some(1 + usize::from(has_index) + displacement)
    }

    /// Whether an instruction has a byte for its operands; `None` if there is no such instruction.
    fn has_modrm(map: u8, opcode: u8) -> Option<bool> {
        match (map, opcode) {
            (0, 0x06 | 0x07 | 0x0e | 0x16 | 0x17 | 0x1e | 0x1f | 0x27 | 0x2f | 0x37 | 0x3f) => None,
            (0, 0x60..=0x62 | 0x82 | 0x9a | 0xce | 0xd4..=0xd6 | 0xea) => None,
            (0, 0x00..=0x3f) => Some(opcode & 7 < 4),
            (0, 0x63 | 0x69 | 0x6b | 0x80..=0x8f | 0xc0 | 0xc1 | 0xc4..=0xc7) => Some(true),
            (0, 0xd0..=0xd3 | 0xd8..=0xdf | 0xf6 | 0xf7 | 0xfe | 0xff) => Some(true),
            (0, _) => Some(false),
            (1, 0x04 | 0x0a | 0x0c | 0x24..=0x27 | 0x36 | 0x39 | 0x3b..=0x3f | 0xa6 | 0xa7) => None,
            (1, 0x05..=0x09 | 0x0b | 0x0e | 0x30..=0x37 | 0x77 | 0x80..=0x8f) => Some(false),
            (1, 0xa0..=0xa2 | 0xa8..=0xaa | 0xc8..=0xcf) => Some(false),
            (1..=3 | 5 | 6, _) => Some(true),
            _ => None,
        }
    }

    fn immediate_len(map: u8, opcode: u8, modrm: u8, sizes: Sizes) -> usize {
        let word = if sizes.is_short { 2 } else { 4 };
        let is_test = modrm >> 3 & 7 < 2;
        match (map, opcode) {
            (0, 0x04 | 0x0c | 0x14 | 0x1c | 0x24 | 0x2c | 0x34 | 0x3c) => 1,
            (0, 0x05 | 0x0d | 0x15 | 0x1d | 0x25 | 0x2d | 0x35 | 0x3d) => word,
            (0, 0x68 | 0x69 | 0x81 | 0xa9 | 0xc7) => word,
            (0, 0x6a | 0x6b | 0x70..=0x7f | 0x80 | 0x83 | 0xa8 | 0xb0..=0xb7 | 0xc0 | 0xc1 | 0xc6 | 0xcd) => {
                1
            }
            (0, 0xe0..=0xe7 | 0xeb) => 1,
            (0, 0xe8 | 0xe9) => 4,
            (0, 0xb8..=0xbf) if sizes.is_wide => 8,
            (0, 0xb8..=0xbf) => word,
            (0, 0xa0..=0xa3) if sizes.is_short_address => 4,
            (0, 0xa0..=0xa3) => 8,
            (0, 0xc2 | 0xca) => 2,
            (0, 0xc8) => 3,
            (0, 0xf6) if is_test => 1,
            (0, 0xf7) if is_test => word,
            (1, 0x0f | 0x70..=0x73 | 0xa4 | 0xac | 0xba | 0xc2 | 0xc4..=0xc6) => 1,
            (1, 0x80..=0x8f) => 4,
            (3, _) => 1,
            _ => 0,
        }
    }

    #[cfg(test)]
    mod tests {
        use super::Instruction;

        #[track_caller]
        fn check(bytes: &[u8]) {
            let followed: Vec<u8> = bytes.iter().copied().chain([0x90; 15]).collect();
            assert_eq!(Instruction::read(&followed).map(|read| read.len), Some(bytes.len()), "{bytes:x?}");
        }

        /// The instructions are the output of an assembler for every form.
        #[test]
        fn instructions_are_as_long_as_they_are() {
            check(&[0x90]);
            check(&[0x0f, 0x05]);
            check(&[0xf3, 0x0f, 0x1e, 0xfa]);
            check(&[0x48, 0x89, 0xe5]);
            check(&[0x48, 0x8b, 0x44, 0x24, 0x08]);
            check(&[0x48, 0x8b, 0x05, 1, 2, 3, 4]);
            check(&[0x48, 0x8d, 0x84, 0x24, 1, 2, 3, 4]);
            check(&[0x8b, 0x04, 0x25, 1, 2, 3, 4]);
            check(&[0x66, 0xb8, 1, 2]);
            check(&[0xb8, 1, 2, 3, 4]);
            check(&[0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8]);
            check(&[0x48, 0xc7, 0xc0, 1, 2, 3, 4]);
            check(&[0xf6, 0x45, 0xf0, 0x01]);
            check(&[0xf6, 0xd8]);
            check(&[0xf7, 0xc7, 1, 2, 3, 4]);
            check(&[0x0f, 0x84, 1, 2, 3, 4]);
            check(&[0x0f, 0xb6, 0xc0]);
            check(&[0x66, 0x0f, 0x3a, 0x0f, 0xc1, 0x08]);
            check(&[0x66, 0x0f, 0x38, 0x00, 0xc1]);
            check(&[0xc5, 0xf8, 0x77]);
            check(&[0xc4, 0xe2, 0x71, 0xf7, 0xc2]);
            check(&[0xc4, 0xe3, 0x7d, 0x39, 0xc1, 0x01]);
            check(&[0x62, 0xf1, 0xfe, 0x48, 0x6f, 0x47, 0x01]);
            check(&[0x65, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0]);
            check(&[0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0]);
            check(&[0xe8, 1, 2, 3, 4]);
            check(&[0xeb, 5]);
            check(&[0xa1, 1, 2, 3, 4, 5, 6, 7, 8]);
            assert!(Instruction::read(&[0x06]).is_none());
            assert!(Instruction::read(&[0x48, 0x8b]).is_none());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Findings, has, places};

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn a_call_is_told_from_the_same_bytes_elsewhere() {
        use super::has_calls;
        let code = |parts: &[&[u8]]| [&[0x90; 70][..], &parts.concat(), &[0xc3; 8]].concat();
        let call: &[u8] = &[0x0f, 0x05];
        // `clock_gettime`, by a number in two forms, by a variable, and by the stack.
        assert!(has_calls(&code(&[&[0xb8, 228, 0, 0, 0], call])));
        assert!(has_calls(&code(&[&[0x48, 0xc7, 0xc0, 228, 0, 0, 0], call])));
        assert!(has_calls(&code(&[&[0x48, 0x89, 0xf8], &[0x48, 0x89, 0xf7], call])));
        assert!(has_calls(&code(&[&[0x6a, 35, 0x58], call])));
        assert!(has_calls(&code(&[&[0x31, 0xc0], call])));
        // `gettid` reveals nothing about the outside.
        assert!(!has_calls(&code(&[&[0xb8, 186, 0, 0, 0], call])));
        // The bytes inside another instruction, and a call without a number.
        assert!(!has_calls(&code(&[&[0xb8, 0x0f, 0x05, 0, 0]])));
        assert!(!has_calls(&code(&[&[0x48, 0x8b, 0x05, 0x0f, 0x05, 0, 0]])));
        assert!(!has_calls(&code(&[call])));
        assert!(!has_calls(&[0x0f, 0x05]) && !has_calls(&[0x0f]) && !has_calls(&[]));
    }

    #[test]
    fn bytes_are_found_where_they_are() {
        let all = |bytes: &[u8]| places(bytes, b'x').collect::<Vec<_>>();
        assert!(all(b"").is_empty());
        assert!(all(b"abc").is_empty());
        assert_eq!(all(b"x"), [0]);
        assert_eq!(all(b"xaxxb"), [0, 2, 3]);
        assert_eq!(all(b"axbx"), [1, 3]);
    }

    #[test]
    fn names_are_found_whole() {
        assert!(has(b"..__vdso_gettimeofday\0", b"vdso_gettimeofday\0"));
        assert!(!has(b"..vdso_gettimeofday\0", b"vdso_gettimeofday\0"));
        assert!(!has(b"v", b"vdso_gettimeofday\0"));
    }

    #[test]
    fn a_shell_does_nothing_without_libc() {
        let shell = std::fs::read("/bin/sh").unwrap();
        assert_eq!(Findings::of(&shell), Findings::default());
    }

    #[test]
    fn what_is_no_program_has_no_code() {
        assert_eq!(Findings::of(b""), Findings::default());
        assert_eq!(Findings::of(b"\x7fELF\x02\x01"), Findings::default());
    }
}
