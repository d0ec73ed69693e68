//! What libc calls within itself: its streams (`FILE`) write, read, open and close by functions of its own, past the
//! symbols that the library exports. The beginnings of those functions are replaced by a jump to ours.
//!
//! So a stream stays libc's in every respect (its buffer, its place, its number of a descriptor, its end at `exit`),
//! and what comes to the kernel comes to us, whoever asked: `fwrite`, `dprintf`, `fclose`, a stream of wide characters.
//! Ours never call the functions that are replaced: they enter the kernel themselves.
//!
//! Done once, when the library is loaded and while the process has one thread; a child of `fork` has it from its
//! parent. Where it cannot be done, the stage is told.
#![expect(unsafe_code, reason = "replaces code of libc")]

use core::ffi::CStr;

use libc::{c_int, c_void};

use crate::kernel::{Errno, Result};
use crate::session::Session;
use crate::{descriptors, pass};

/// The version of symbols that libc keeps for its own parts.
const PRIVATE: &CStr = c"GLIBC_PRIVATE";
const LIBC: &CStr = c"libc.so.6";

/// A function of libc, and where it leads from now on.
struct Lead {
    name: &'static CStr,
    /// Whether libc has it for its own parts alone; such a one need not be there.
    is_private: bool,
    to: *const (),
}

fn leads() -> [Lead; 7] {
    let public = |name, to| Lead { name, is_private: false, to };
    let private = |name, to| Lead { name, is_private: true, to };
    [
        public(c"write", descriptors::write as *const ()),
        public(c"read", descriptors::read as *const ()),
        public(c"open", descriptors::open as *const ()),
        public(c"close", descriptors::close as *const ()),
        private(c"__write_nocancel", descriptors::write as *const ()),
        private(c"__read_nocancel", descriptors::read as *const ()),
        private(c"__close_nocancel", descriptors::close as *const ()),
    ]
}

/// Leads libc's own calls to ours.
pub fn lead_here(session: &Session) {
    if replace_all().is_err() {
        session.report("libc", "what it writes and reads within itself, such as streams, is not seen", false);
    }
}

fn replace_all() -> Result<()> {
    if !is_alone() {
        return Err(Errno::AGAIN);
    }
    // SAFETY: the name ends with a zero, and nothing is loaded that is not there.
    let handle = unsafe { libc::dlopen(LIBC.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
    if handle.is_null() {
        return Err(Errno::INVALID);
    }
    let replaced = leads().iter().try_for_each(|lead| match find(handle, lead) {
        Some(function) => replace(function, lead.to as usize),
        None if lead.is_private => Ok(()),
        None => Err(Errno::INVALID),
    });
    // SAFETY: opened above; libc stays.
    unsafe { libc::dlclose(handle) };
    replaced
}

/// Whether no other thread can be at what is replaced.
fn is_alone() -> bool {
    // SAFETY: zeroes are a valid `stat`.
    let mut stat: libc::stat = unsafe { core::mem::zeroed() };
    let folder = c"/proc/self/task".as_ptr();
    // A folder for each thread: each has a link to this one.
    pass!(libc::SYS_newfstatat, libc::AT_FDCWD, folder, &raw mut stat, 0).is_ok() && stat.st_nlink == 3
}

/// The code of a function, and how many bytes it has.
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

/// How many bytes libc says that a function has; zero if it does not.
fn len_of(address: *const c_void) -> usize {
    // SAFETY: zeroes are a valid `Dl_info`.
    let mut info: libc::Dl_info = unsafe { core::mem::zeroed() };
    let mut symbol: *const c_void = core::ptr::null();
    // SAFETY: both places are ours, and as large as the function expects.
    let found = unsafe { dladdr1(address, &raw mut info, &raw mut symbol, RTLD_DL_SYMENT) };
    if found == 0 || symbol.is_null() {
        return 0;
    }
    // SAFETY: an entry of libc's own table, which is mapped as long as libc is.
    let symbol = unsafe { &*symbol.cast::<libc::Elf64_Sym>() };
    usize::try_from(symbol.st_size).unwrap_or(0)
}

/// An instruction that may stand at the beginning of a function, to say that calls may come there.
#[cfg(target_arch = "x86_64")]
const LANDING: [u8; 4] = [0xf3, 0x0f, 0x1e, 0xfa];
#[cfg(target_arch = "aarch64")]
const LANDING: [u8; 4] = [0x5f, 0x24, 0x03, 0xd5];

/// Jumps to the address in the eight bytes that follow.
#[cfg(target_arch = "x86_64")]
const JUMP: [u8; 6] = [0xff, 0x25, 0, 0, 0, 0];
#[cfg(target_arch = "aarch64")]
const JUMP: [u8; 8] = [0x50, 0x00, 0x00, 0x58, 0x00, 0x02, 0x1f, 0xd6];

const PAGE_BYTES: usize = 4096;

fn replace(function: Function, to: usize) -> Result<()> {
    // SAFETY: a function of libc has as many bytes at least.
    let begins_with_landing =
        unsafe { core::slice::from_raw_parts(function.address as *const u8, 4) } == LANDING;
    let skipped = if begins_with_landing { LANDING.len() } else { 0 };
    let target = to.to_ne_bytes();
    if function.len < skipped + JUMP.len() + target.len() {
        return Err(Errno::INVALID);
    }
    let start = function.address + skipped;
    let end = start + JUMP.len() + target.len();
    let pages = start / PAGE_BYTES * PAGE_BYTES;
    let len = end.next_multiple_of(PAGE_BYTES) - pages;
    let all = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
    pass!(libc::SYS_mprotect, pages, len, all)?;
    for (index, byte) in JUMP.into_iter().chain(target).enumerate() {
        // SAFETY: within the function, whose pages can be written now, and which nobody else is in. Byte by byte and
        // not by a copy, which may be a function of the same page.
        unsafe { ((start + index) as *mut u8).write_volatile(byte) };
    }
    forget_old_code(start, end);
    pass!(libc::SYS_mprotect, pages, len, libc::PROT_READ | libc::PROT_EXEC)?;
    Ok(())
}

/// This processor sees what was written as code.
#[cfg(target_arch = "x86_64")]
fn forget_old_code(_start: usize, _end: usize) {}

/// The processor's caches of code know nothing of its caches of memory.
#[cfg(target_arch = "aarch64")]
fn forget_old_code(start: usize, end: usize) {
    for address in (start & !3..end).step_by(4) {
        // SAFETY: instructions that write nothing, for addresses that are mapped.
        unsafe {
            core::arch::asm!("dc cvau, {a}", "dsb ish", "ic ivau, {a}", "dsb ish", "isb", a = in(reg) address);
        }
    }
}
