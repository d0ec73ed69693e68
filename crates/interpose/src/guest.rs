//! Access to memory of the guest.
#![expect(unsafe_code, reason = "reads and writes where the guest's arguments point")]

use core::ptr::NonNull;

use crate::kernel::{Errno, Result};

/// An address that the guest gave us. It claims to point to a `T`, or to be null.
///
/// Having one proves nothing. `read` and `write` rely on the claim as libc itself does: the guest called a
/// function whose contract asks for it, so that a wrong address is the guest's own error with or without us.
#[derive(Clone, Copy)]
pub struct GuestPtr<T>(*mut T);

impl<T: Copy> GuestPtr<T> {
    pub fn new(address: *const T) -> GuestPtr<T> {
        GuestPtr(address.cast_mut())
    }

    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    pub fn address(self) -> usize {
        self.0 as usize
    }

    /// Reads the value; fails for null.
    pub fn read(self) -> Result<T> {
        let place = NonNull::new(self.0).ok_or(Errno::FAULT)?;
        // SAFETY: the guest's claim; unaligned, since C programs are not always careful.
        Ok(unsafe { place.as_ptr().read_unaligned() })
    }

    /// Reads the value; `None` for null.
    pub fn opt_read(self) -> Option<T> {
        self.read().ok()
    }

    /// Writes a value; null is ignored.
    pub fn write(self, value: T) {
        if let Some(place) = NonNull::new(self.0) {
            // SAFETY: the guest's claim.
            unsafe { place.as_ptr().write_unaligned(value) };
        }
    }

    /// Returns the pointer to the `index`-th element of an array.
    pub fn at(self, index: usize) -> GuestPtr<T> {
        GuestPtr(self.0.wrapping_add(index))
    }
}

impl GuestPtr<u8> {
    /// Copies out as many bytes as `buffer` has.
    pub fn copy_to(self, buffer: &mut [u8]) -> Result<()> {
        let place = NonNull::new(self.0).ok_or(Errno::FAULT)?;
        // SAFETY: the guest's claim; our buffer is no memory of the guest's.
        unsafe { core::ptr::copy_nonoverlapping(place.as_ptr(), buffer.as_mut_ptr(), buffer.len()) };
        Ok(())
    }

    /// Copies bytes in.
    pub fn copy_from(self, bytes: &[u8]) {
        if let Some(place) = NonNull::new(self.0) {
            // SAFETY: the guest's claim; our bytes are no memory of the guest's.
            unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), place.as_ptr(), bytes.len()) };
        }
    }
}

/// Returns the text at an address, without its final zero.
pub fn c_bytes<'a>(text: *const libc::c_char) -> &'a [u8] {
    if text.is_null() {
        return &[];
    }
    // SAFETY: the guest's claim that it is a text which ends with a zero; it lives as long as the guest's call.
    unsafe { core::ffi::CStr::from_ptr(text) }.to_bytes()
}

/// Returns the 32-bit word at an address, to be shared with other threads.
pub fn word<'a>(address: usize) -> Option<&'a core::sync::atomic::AtomicU32> {
    if address == 0 || !address.is_multiple_of(4) {
        return None;
    }
    // SAFETY: the guest's claim; the word is accessed atomically by everybody, as futex words are.
    Some(unsafe { &*(address as *const core::sync::atomic::AtomicU32) })
}

/// Returns an object of ours that lives in memory which the guest reserved for one of libc's.
///
/// Safe for types that are made of atomics and valid when all zero: the guest initialised the memory with zeroes or
/// through our own functions.
pub fn overlay<'a, T: Overlay>(address: *mut T::Instead) -> Result<&'a T> {
    const { assert!(size_of::<T>() <= size_of::<T::Instead>()) };
    let place = NonNull::new(address).ok_or(Errno::INVALID)?;
    // SAFETY: the memory is the guest's object of at least this size and alignment (checked by `Overlay`), and
    // every field of it is an atomic that is valid for any bytes.
    Ok(unsafe { place.cast::<T>().as_ref() })
}

/// Types for [`overlay`].
pub trait Overlay: Sized {
    /// The type of libc that it replaces.
    type Instead;
}

/// Returns entries in memory that the kernel has just given us, all zero.
pub fn fresh_slice<'a, T: Copy>(address: usize, len: usize) -> &'a mut [T] {
    if len == 0 {
        return &mut [];
    }
    // SAFETY: the one caller maps `len` entries, alone knows the address, and keeps the mapping longer than this.
    unsafe { core::slice::from_raw_parts_mut(address as *mut T, len) }
}

/// Returns the bytes of a file that we mapped for reading.
pub fn mapped_bytes<'a>(address: usize, len: usize) -> &'a [u8] {
    // SAFETY: the one caller mapped so many, and undoes it when nothing of them is used any more. It is a program that
    // is about to be run: the kernel lets nobody write to it once it does, and whoever cuts it before that moment ends
    // this process as it would have ended the new one.
    unsafe { core::slice::from_raw_parts(address as *const u8, len) }
}

/// Returns an array of the guest, valid for the time of its call.
pub fn guest_slice<'a, T: Copy>(address: *mut T, len: usize) -> Result<&'a mut [T]> {
    if len == 0 {
        return Ok(&mut []);
    }
    let place = NonNull::new(address).ok_or(Errno::FAULT)?;
    // SAFETY: the guest's claim that so many are there, and that nobody else uses them during its call.
    Ok(unsafe { core::slice::from_raw_parts_mut(place.as_ptr(), len) })
}
