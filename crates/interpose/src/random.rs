//! Randomness from the node's seed: the n-th word that a thread asks for is the same in every run.
#![expect(unsafe_code, reason = "exports symbols of libc")]

use core::cell::Cell;
use core::sync::atomic::Ordering::Relaxed;

use libc::{c_int, c_uint, c_void, size_t, ssize_t};

use crate::guest::GuestPtr;
use crate::kernel::{Errno, give, give_int};
use crate::pass;
use crate::session::{Session, session};
use crate::thread;

/// The most bytes that `getentropy` gives at once.
const ENTROPY_BYTES_MAX: usize = 256;

thread_local! {
    static N_WORDS: Cell<u64> = const { Cell::new(0) };
}

/// Returns the next word of this thread.
fn word(session: &Session) -> u64 {
    let n = N_WORDS.with(|count| {
        count.set(count.get() + 1);
        count.get()
    });
    let process = u64::from(session.ordinal.load(Relaxed));
    let of_thread = process << 32 | u64::from(thread::ordinal(session));
    mix(mix(session.board.seed.load(Relaxed) ^ mix(of_thread)).wrapping_add(n))
}

/// Mixes a word by the finaliser of SplitMix64: every bit of the result depends on every bit of the argument.
pub fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// Fills the guest's buffer.
pub fn fill(session: &Session, buffer: *mut c_void, len: usize) {
    let mut place = GuestPtr::new(buffer.cast::<u8>());
    let mut left = len;
    while left > 0 {
        let bytes = word(session).to_le_bytes();
        let n = left.min(bytes.len());
        place.copy_from(&bytes[..n]);
        place = place.at(n);
        left -= n;
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn getrandom(buffer: *mut c_void, len: size_t, flags: c_uint) -> ssize_t {
    let Some(session) = session() else { return give(pass!(libc::SYS_getrandom, buffer, len, flags)) };
    fill(session, buffer, len);
    len as ssize_t
}

#[unsafe(no_mangle)]
pub extern "C" fn getentropy(buffer: *mut c_void, len: size_t) -> c_int {
    if len > ENTROPY_BYTES_MAX {
        return give_int(Err(Errno(libc::EIO)));
    }
    match getrandom(buffer, len, 0) {
        -1 => -1,
        _ => 0,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn arc4random() -> u32 {
    let mut word = 0_u32;
    arc4random_buf((&raw mut word).cast(), size_of::<u32>());
    word
}

#[unsafe(no_mangle)]
pub extern "C" fn arc4random_buf(buffer: *mut c_void, len: size_t) {
    getrandom(buffer, len, 0);
}

#[unsafe(no_mangle)]
pub extern "C" fn arc4random_uniform(bound: u32) -> u32 {
    if bound < 2 {
        return 0;
    }
    // Words above the last whole multiple would make small numbers more likely.
    let fair = u32::MAX - u32::MAX % bound;
    loop {
        let word = arc4random();
        if word < fair {
            return word % bound;
        }
    }
}
