//! Temporary files and folders: their names are random, and so come from the node's seed.
//!
//! A call takes one random number, however many of its names exist already, so that files left over from another run
//! change no other randomness.
#![expect(unsafe_code, reason = "exports symbols of libc")]

use libc::{c_char, c_int};

use crate::guest::{GuestPtr, c_bytes};
use crate::kernel::{Errno, Result, give_int};
use crate::session::session;
use crate::{descriptors, pass, random, real};

const PLACES: &[u8] = b"XXXXXX";
const LETTERS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
/// Number of names that are tried: as many as there are with three letters.
const N_TRIES: u64 = 62 * 62 * 62;

/// Writes names into the six places before the last `n_suffix` bytes, until one can be created.
fn make(template: *mut c_char, n_suffix: c_int, make_one: &dyn Fn() -> Result<usize>) -> Result<usize> {
    // SAFETY: the guest claims that it is a text, which ends with a zero.
    let text = unsafe { c_bytes(template) };
    let end = text.len().checked_sub(usize::try_from(n_suffix).map_err(|_| Errno::INVALID)?);
    let from = end.and_then(|end| end.checked_sub(PLACES.len())).ok_or(Errno::INVALID)?;
    if !text.get(from..).is_some_and(|places| places.starts_with(PLACES)) {
        return Err(Errno::INVALID);
    }
    make_named(GuestPtr::new(template.cast::<u8>()).at(from), make_one)
}

fn make_named(places: GuestPtr<u8>, make_one: &dyn Fn() -> Result<usize>) -> Result<usize> {
    let mut first = [0; 8];
    random::getrandom(first.as_mut_ptr().cast(), first.len(), 0);
    for n in 0..N_TRIES {
        let mut rest = random::mix(u64::from_ne_bytes(first).wrapping_add(n));
        for place in 0..PLACES.len() {
            let letter = (rest % LETTERS.len() as u64) as usize;
            places.at(place).write(LETTERS[letter]);
            rest /= LETTERS.len() as u64;
        }
        match make_one() {
            Err(Errno(libc::EEXIST)) => {}
            made => return made,
        }
    }
    Err(Errno(libc::EEXIST))
}

#[unsafe(no_mangle)]
pub extern "C" fn mkostemps(template: *mut c_char, n_suffix: c_int, flags: c_int) -> c_int {
    let flags = flags & !libc::O_ACCMODE | libc::O_RDWR | libc::O_CREAT | libc::O_EXCL;
    let open = || descriptors::open_at(libc::AT_FDCWD, template, flags, 0o600);
    give_int(make(template, n_suffix, &open))
}

#[unsafe(no_mangle)]
pub extern "C" fn mkdtemp(template: *mut c_char) -> *mut c_char {
    let made = make(template, 0, &|| pass!(libc::SYS_mkdirat, libc::AT_FDCWD, template, 0o700));
    if give_int(made) == -1 { core::ptr::null_mut() } else { template }
}

/// Succeeds if a name is free.
fn is_free(path: *const c_char) -> Result<usize> {
    match pass!(libc::SYS_faccessat, libc::AT_FDCWD, path, libc::F_OK) {
        Err(Errno(libc::ENOENT)) => Ok(0),
        Err(errno) => Err(errno),
        Ok(_) => Err(Errno(libc::EEXIST)),
    }
}

/// Replaces `mktemp`. If no name is free, the template becomes empty.
#[unsafe(no_mangle)]
pub extern "C" fn mktemp(template: *mut c_char) -> *mut c_char {
    if give_int(make(template, 0, &|| is_free(template))) == -1 {
        GuestPtr::new(template).write(0);
    }
    template
}

/// Replaces the random letters at the end of a name that libc has found by ours.
fn rename_randomly(path: *mut c_char) -> *mut c_char {
    // SAFETY: libc made the name, which ends with a zero.
    let end = unsafe { c_bytes(path) }.len();
    if let (Some(_), Some(from)) = (session(), end.checked_sub(PLACES.len())) {
        // If all of ours are taken, libc's name is as good.
        let _ = make_named(GuestPtr::new(path.cast::<u8>()).at(from), &|| is_free(path));
    }
    path
}

#[unsafe(no_mangle)]
pub extern "C" fn tmpnam(buffer: *mut c_char) -> *mut c_char {
    rename_randomly(real::tmpnam(buffer))
}

#[unsafe(no_mangle)]
pub extern "C" fn tmpnam_r(buffer: *mut c_char) -> *mut c_char {
    rename_randomly(real::tmpnam_r(buffer))
}

#[unsafe(no_mangle)]
pub extern "C" fn tempnam(folder: *const c_char, prefix: *const c_char) -> *mut c_char {
    rename_randomly(real::tempnam(folder, prefix))
}

macro_rules! forms {
    ($(fn $name:ident($($arg:ident: $type:ty),*) = ($n_suffix:expr, $flags:expr);)*) => {$(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(template: *mut c_char $(, $arg: $type)*) -> c_int {
            mkostemps(template, $n_suffix, $flags)
        }
    )*};
}

forms! {
    fn mkstemp() = (0, 0);
    fn mkstemp64() = (0, 0);
    fn mkstemps(n_suffix: c_int) = (n_suffix, 0);
    fn mkstemps64(n_suffix: c_int) = (n_suffix, 0);
    fn mkostemp(flags: c_int) = (0, flags);
    fn mkostemp64(flags: c_int) = (0, flags);
    fn mkostemps64(n_suffix: c_int, flags: c_int) = (n_suffix, flags);
}
