//! Redirects calls that libc makes within itself. Its streams (`FILE`) write, read, open and close by functions of its
//! own, past the symbols that the library exports, and so does `execl`. The beginnings of those functions are replaced
//! by a jump to ours.
//!
//! So a stream stays libc's in every respect (its buffer, its position, its descriptor, its end at `exit`), and every
//! call to the kernel comes to us, whoever made it: `fwrite`, `dprintf`, `fclose`, a stream of wide characters. Our
//! functions never call those that are replaced: they enter the kernel themselves.
//!
//! This is done once, when the library is loaded, while the process has one thread and with signals blocked, so that no
//! code runs in what is replaced. A child of `fork` inherits it from its parent, a new program does it again. Either
//! all functions are replaced or none: first every function is examined and its page made writable, then all are
//! written. If one is not as expected (another libc, too short, already replaced by somebody else, two that overlap, a
//! kernel that allows no such page), libc is left alone and the stage is told.
#![expect(unsafe_code, reason = "replaces code of libc")]

use core::ffi::CStr;

use libc::{c_int, c_void};

use crate::kernel::{Errno, Result};
use crate::lock::{block_signals, set_signals};
use crate::session::Session;
use crate::{descriptors, pass, process};

/// The version of symbols that libc keeps for its own parts.
const PRIVATE: &CStr = c"GLIBC_PRIVATE";
const LIBC: &CStr = c"libc.so.6";

/// A function of libc, and the function that replaces it.
struct Lead {
    name: &'static CStr,
    /// Whether libc has it only for its own parts; such a function may be missing.
    is_private: bool,
    to: *const (),
}

const N_LEADS: usize = 8;

fn leads() -> [Lead; N_LEADS] {
    let public = |name, to| Lead { name, is_private: false, to };
    let private = |name, to| Lead { name, is_private: true, to };
    [
        public(c"write", descriptors::write as *const ()),
        public(c"read", descriptors::read as *const ()),
        public(c"open", descriptors::open as *const ()),
        public(c"close", descriptors::close as *const ()),
        public(c"execve", process::execve as *const ()),
        private(c"__write_nocancel", descriptors::write as *const ()),
        private(c"__read_nocancel", descriptors::read as *const ()),
        private(c"__close_nocancel", descriptors::close as *const ()),
    ]
}

/// Redirects libc's own calls to our functions.
pub fn lead_here(session: &Session) {
    if plan_all().and_then(|patches| replace_all(&patches)).is_err() {
        session.report("libc", "what it writes, reads and starts within itself is not seen", false);
    }
}

/// Examines every function without changing anything.
fn plan_all() -> Result<[Option<Patch>; N_LEADS]> {
    // SAFETY: the name ends with a zero, and nothing is loaded that is not there.
    let handle = unsafe { libc::dlopen(LIBC.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
    if handle.is_null() {
        return Err(Errno::INVALID);
    }
    let mut patches = [None; N_LEADS];
    let planned = patches.iter_mut().zip(leads()).try_for_each(|(patch, lead)| {
        *patch = match find(handle, &lead) {
            Some(function) => Some(plan(function, lead.to as usize)?),
            None if lead.is_private => None,
            None => return Err(Errno::INVALID),
        };
        Ok(())
    });
    // SAFETY: opened above; libc stays.
    unsafe { libc::dlclose(handle) };
    planned.map(|()| patches)
}

fn replace_all(patches: &[Option<Patch>; N_LEADS]) -> Result<()> {
    let patches = || patches.iter().flatten();
    let overlaps = |patch: &Patch| patches().any(|other| other.start != patch.start && other.overlaps(patch));
    if patches().any(overlaps) {
        return Err(Errno::INVALID);
    }
    let signals = block_signals();
    let writable = match is_alone() {
        true => patches().try_for_each(|patch| patch.allow(libc::PROT_WRITE)),
        false => Err(Errno::AGAIN),
    };
    if writable.is_ok() {
        patches().for_each(Patch::write);
    }
    // The kernel does not refuse to remove a right; if it did, the page would stay as it was, and writable.
    let _ = patches().try_for_each(|patch| patch.allow(0));
    set_signals(signals);
    writable
}

/// Whether no other thread can be running code that is replaced.
fn is_alone() -> bool {
    // SAFETY: zeroes are a valid `stat`.
    let mut stat: libc::stat = unsafe { core::mem::zeroed() };
    let folder = c"/proc/self/task".as_ptr();
    // There is a folder for each thread, and each has a link to this one.
    pass!(libc::SYS_newfstatat, libc::AT_FDCWD, folder, &raw mut stat, 0).is_ok() && stat.st_nlink == 3
}

/// The code of a function, and its length in bytes.
#[derive(Clone, Copy)]
struct Function {
    address: usize,
    len: usize,
}

fn find(handle: *mut c_void, lead: &Lead) -> Option<Function> {
    let name = lead.name.as_ptr();
    let address = match lead.is_private {
        // SAFETY: both names end with a zero.
        true => unsafe { libc::dlvsym(handle, name, PRIVATE.as_ptr()) },
        // SAFETY: the name ends with a zero.
        false => unsafe { libc::dlsym(handle, name) },
    };
    (!address.is_null()).then(|| Function { address: address as usize, len: len_of(address) })
}

unsafe extern "C" {
    fn dladdr1(
        address: *const c_void,
        info: *mut libc::Dl_info,
        extra: *mut *const c_void,
        flags: c_int,
    ) -> c_int;
}
const RTLD_DL_SYMENT: c_int = 1;

/// Returns the length of a function in bytes, as libc's symbols have it; zero if they do not.
fn len_of(address: *const c_void) -> usize {
    // SAFETY: zeroes are a valid `Dl_info`.
    let mut info: libc::Dl_info = unsafe { core::mem::zeroed() };
    let mut symbol: *const c_void = core::ptr::null();
    // SAFETY: both places are ours, and as large as the function expects.
    let found = unsafe { dladdr1(address, &raw mut info, &raw mut symbol, RTLD_DL_SYMENT) };
    // The nearest symbol may be another one that begins before.
    if found == 0 || symbol.is_null() || !core::ptr::eq(info.dli_saddr, address) {
        return 0;
    }
    // SAFETY: an entry of libc's own table, which is mapped as long as libc is.
    let symbol = unsafe { &*symbol.cast::<libc::Elf64_Sym>() };
    usize::try_from(symbol.st_size).unwrap_or(0)
}

/// The instruction that may be at the beginning of a function to mark it as a target of calls.
#[cfg(target_arch = "x86_64")]
const LANDING: [u8; 4] = [0xf3, 0x0f, 0x1e, 0xfa];
#[cfg(target_arch = "aarch64")]
const LANDING: [u8; 4] = [0x5f, 0x24, 0x03, 0xd5];

/// A jump to the address in the eight bytes that follow.
#[cfg(target_arch = "x86_64")]
const JUMP: [u8; 6] = [0xff, 0x25, 0, 0, 0, 0];
#[cfg(target_arch = "aarch64")]
const JUMP: [u8; 8] = [0x50, 0x00, 0x00, 0x58, 0x00, 0x02, 0x1f, 0xd6];

/// Whether code begins with a jump; then somebody else has replaced it before us.
#[cfg(target_arch = "x86_64")]
fn is_jump(code: [u8; 4]) -> bool {
    // A short or near jump, one by an address in memory, or a debugger's breakpoint.
    matches!(code, [0xe9 | 0xeb | 0xcc, ..] | [0xff, 0x25, ..])
}
#[cfg(target_arch = "aarch64")]
fn is_jump(code: [u8; 4]) -> bool {
    // `b`, or the load of an address for a jump.
    u32::from_le_bytes(code) >> 26 == 0b000101 || code[3] == 0x58
}

const CODE_BYTES: usize = JUMP.len() + size_of::<usize>();

/// The position where code is written, and the target of the jump. It is within one function of libc that is long
/// enough.
#[derive(Clone, Copy)]
struct Patch {
    start: usize,
    to: usize,
}

fn plan(function: Function, to: usize) -> Result<Patch> {
    if function.len < LANDING.len() + CODE_BYTES {
        return Err(Errno::INVALID);
    }
    // SAFETY: within the function, whose code can be read; four bytes have any value and no alignment.
    let code = |at: usize| unsafe { (at as *const [u8; 4]).read_unaligned() };
    let skipped = if code(function.address) == LANDING { LANDING.len() } else { 0 };
    let start = function.address + skipped;
    if is_jump(code(start)) { Err(Errno::INVALID) } else { Ok(Patch { start, to }) }
}

impl Patch {
    fn end(&self) -> usize {
        self.start + CODE_BYTES
    }

    fn overlaps(&self, other: &Patch) -> bool {
        self.start < other.end() && other.start < self.end()
    }

    /// Gives the pages of the function this right, besides those to be read and executed, and no others.
    fn allow(&self, right: c_int) -> Result<()> {
        // SAFETY: asks for a number.
        let page =
            usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).map_err(|_| Errno::INVALID)?;
        let from = self.start / page * page;
        let len = self.end().next_multiple_of(page) - from;
        pass!(libc::SYS_mprotect, from, len, libc::PROT_READ | libc::PROT_EXEC | right).map(|_| ())
    }

    fn write(&self) {
        for (index, byte) in JUMP.into_iter().chain(self.to.to_ne_bytes()).enumerate() {
            // SAFETY: within the function (`plan`), whose pages can be written (`allow`), and which nobody is in (one
            // thread, no signals, and we call none of them). Byte by byte and not by a copy, which may be a function
            // of the same page.
            unsafe { ((self.start + index) as *mut u8).write_volatile(byte) };
        }
        forget_old_code(self.start, self.end());
    }
}

/// Does nothing: this processor sees what was written as code.
#[cfg(target_arch = "x86_64")]
fn forget_old_code(_start: usize, _end: usize) {}

/// Flushes the processor's caches of code, which do not follow its caches of memory.
#[cfg(target_arch = "aarch64")]
fn forget_old_code(start: usize, end: usize) {
    for address in (start & !3..end).step_by(4) {
        // SAFETY: instructions that write nothing, for addresses that are mapped.
        unsafe {
            core::arch::asm!("dc cvau, {a}", "dsb ish", "ic ivau, {a}", "dsb ish", "isb", a = in(reg) address);
        }
    }
}
