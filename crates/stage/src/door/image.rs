//! Prepares a program that was just loaded: its clocks, its randomness and, in a Go program, the processor's counter.
//!
//! Every program gets from the kernel a small library with functions for the time, which make no system call. Their
//! code is replaced, in this process alone, by the system calls.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

use crate::program::Elf;

const AT_ENTRY: u64 = 9;
const AT_RANDOM: u64 = 25;
const AT_SYSINFO_EHDR: u64 = 33;
/// The most that the kernel's library takes.
const VDSO_BYTES_MAX: usize = 4 * 4096;
/// Number of random bytes that the kernel gives a program.
const RANDOM_BYTES: usize = 16;

/// `mov $-38, %rax; ret`: there is no such call.
const MISSING: [u8; 8] = [0x48, 0xc7, 0xc0, 0xda, 0xff, 0xff, 0xff, 0xc3];

/// The code of Go's function for the processor's counter, from the instruction that reads it: `rdtscp; shl $32, %rdx;
/// add %rdx, %rax; mov %rax, 8(%rsp); ret`.
const COUNTER: [u8; 16] =
    [0x0f, 0x01, 0xf9, 0x48, 0xc1, 0xe2, 0x20, 0x48, 0x01, 0xd0, 0x48, 0x89, 0x44, 0x24, 0x08, 0xc3];

/// The facts about a file that is run.
#[derive(Clone, Default, Debug)]
pub(super) struct Code {
    pub is_go: bool,
    /// The address where the file says that it begins.
    pub entry: u64,
    /// Where the processor's counter is read, as addresses of the file.
    pub counters: Vec<u64>,
}

impl Code {
    pub fn of_bytes(bytes: &[u8]) -> Code {
        let Some(elf) = Elf::new(bytes).filter(Elf::is_go) else { return Code::default() };
        let places =
            elf.code().flat_map(|(from, to)| find_counters(bytes.get(from..to).unwrap_or_default(), from));
        let counters = places.filter_map(|at| elf.address_of(at as u64)).collect();
        Code { is_go: true, entry: elf.entry().unwrap_or(0), counters }
    }
}

fn find_counters(code: &[u8], from: usize) -> Vec<usize> {
    let starts = code.windows(COUNTER.len()).enumerate().filter(|(_, part)| *part == COUNTER);
    starts.map(|(at, _)| from + at).collect()
}

/// A file's identity: another content counts as another file.
pub(super) type FileId = (u64, u64, i64, i64);

pub(super) fn file_id(path: &Path) -> io::Result<FileId> {
    let metadata = fs::metadata(path)?;
    Ok((metadata.dev(), metadata.ino(), metadata.mtime(), metadata.mtime_nsec()))
}

/// The kernel's words to a program that it has loaded.
struct Told(Vec<u64>);

impl Told {
    fn of(pid: u32) -> io::Result<Told> {
        let bytes = fs::read(format!("/proc/{pid}/auxv"))?;
        Ok(Told(bytes.as_chunks::<8>().0.iter().map(|word| u64::from_ne_bytes(*word)).collect()))
    }

    fn get(&self, kind: u64) -> Option<u64> {
        self.0.as_chunks::<2>().0.iter().find(|[known, _]| *known == kind).map(|[_, value]| *value)
    }
}

/// The memory of a program that was just loaded.
pub(super) struct Fresh<'m> {
    memory: &'m File,
    told: Told,
}

impl Fresh<'_> {
    pub fn new(pid: u32, memory: &File) -> io::Result<Fresh<'_>> {
        Ok(Fresh { memory, told: Told::of(pid)? })
    }

    /// Replaces the kernel's functions for the time; returns false if they were replaced already: then no other program
    /// was loaded.
    pub fn replace_clocks(&self) -> io::Result<bool> {
        // A kernel may be told to give no such library.
        let Some(base) = self.told.get(AT_SYSINFO_EHDR) else { return Ok(true) };
        let mut bytes = vec![0; VDSO_BYTES_MAX];
        let n = read_some(self.memory, &mut bytes, base)?;
        bytes.truncate(n);
        let elf = Elf::new(&bytes).ok_or(io::ErrorKind::InvalidData)?;
        let mut is_new = false;
        for (name, address) in elf.symbols() {
            let Some(code) = replacement(name) else { continue };
            let at = usize::try_from(address).unwrap_or(usize::MAX);
            is_new |= bytes.get(at..at.saturating_add(code.len())) != Some(&code);
            self.memory.write_all_at(&code, base + address)?;
        }
        Ok(is_new)
    }

    /// Gives the program random bytes of ours in place of the kernel's.
    pub fn replace_randomness(&self, words: [u64; 2]) -> io::Result<()> {
        let Some(at) = self.told.get(AT_RANDOM) else { return Ok(()) };
        let mut bytes = [0; RANDOM_BYTES];
        bytes[..8].copy_from_slice(&words[0].to_ne_bytes());
        bytes[8..].copy_from_slice(&words[1].to_ne_bytes());
        self.memory.write_all_at(&bytes, at)
    }

    /// Makes the processor's counter stand still; returns whether all its uses by Go's runtime were found.
    pub fn replace_counter(&self, code: &Code, value: u32) -> io::Result<bool> {
        let Some(entry) = self.told.get(AT_ENTRY) else { return Ok(false) };
        let moved_by = entry.wrapping_sub(code.entry);
        // `movq $value, 8(%rsp); ret`, where the instruction's number is one with a sign.
        let mut stub = vec![0x48, 0xc7, 0x44, 0x24, 0x08];
        stub.extend((value & 0x7fff_ffff).to_le_bytes());
        stub.push(0xc3);
        for address in &code.counters {
            self.memory.write_all_at(&stub, address.wrapping_add(moved_by))?;
        }
        Ok(!code.counters.is_empty())
    }
}

/// Returns the code that takes the place of one of the kernel's functions.
fn replacement(name: &str) -> Option<[u8; 8]> {
    let number = match name.strip_prefix("__vdso_")? {
        "clock_gettime" => libc::SYS_clock_gettime,
        "gettimeofday" => libc::SYS_gettimeofday,
        "time" => libc::SYS_time,
        "clock_getres" => libc::SYS_clock_getres,
        // Its caller then makes the system call.
        "getrandom" => return Some(MISSING),
        _ => return None,
    };
    // `mov $number, %eax; syscall; ret`
    let [a, b, c, d] = (number as u32).to_le_bytes();
    Some([0xb8, a, b, c, d, 0x0f, 0x05, 0xc3])
}

/// Reads as much as there is.
fn read_some(memory: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    let mut len = 0;
    while len < bytes.len() {
        match memory.read_at(&mut bytes[len..], at + len as u64) {
            Ok(0) => break,
            Ok(n) => len += n,
            Err(error) if len == 0 => return Err(error),
            Err(_) => break,
        }
    }
    Ok(len)
}

#[cfg(test)]
mod tests {
    use super::{COUNTER, find_counters, replacement};

    #[test]
    fn the_counter_is_found_by_its_code() {
        let mut code = vec![0x90; 100];
        code[37..37 + COUNTER.len()].copy_from_slice(&COUNTER);
        assert_eq!(find_counters(&code, 1000), [1037]);
        code[40] = 0;
        assert_eq!(find_counters(&code, 1000), [0; 0]);
    }

    #[test]
    fn functions_for_the_time_become_system_calls() {
        assert_eq!(replacement("__vdso_time"), Some([0xb8, 201, 0, 0, 0, 0x0f, 5, 0xc3]));
        assert_eq!(replacement("time"), None);
        assert_eq!(replacement("__vdso_getcpu"), None);
    }
}
