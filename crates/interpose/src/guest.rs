//! Access to memory of the guest.
#![expect(unsafe_code, reason = "reads and writes where the guest's arguments point")]

use core::ptr::NonNull;

use crate::kernel::{Errno, Result};
use crate::{pass, process};

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

/// Returns the text at an address, without its final zero; no text for null.
///
/// # Safety
/// The address is null, or that of a text that ends with a zero and stays as it is for `'a`.
pub unsafe fn c_bytes<'a>(text: *const libc::c_char) -> &'a [u8] {
    if text.is_null() {
        return &[];
    }
    // SAFETY: the caller promises it.
    unsafe { core::ffi::CStr::from_ptr(text) }.to_bytes()
}

/// Returns the 32-bit word at an address, to be shared with other threads; `None` where no word can be.
///
/// # Safety
/// The address is 0 or not aligned, or there is a word for `'a` that everybody accesses atomically, as futex words are.
pub unsafe fn word<'a>(address: usize) -> Option<&'a core::sync::atomic::AtomicU32> {
    if address == 0 || !address.is_multiple_of(4) {
        return None;
    }
    // SAFETY: the caller promises it.
    Some(unsafe { &*(address as *const core::sync::atomic::AtomicU32) })
}

/// Returns an object of ours that lives in memory which the guest reserved for one of libc's; fails for null.
///
/// # Safety
/// The address is null, or that of such an object, which exists for `'a` and which libc itself never touches.
pub unsafe fn overlay<'a, T: Overlay>(address: *mut T::Instead) -> Result<&'a T> {
    const { assert!(size_of::<T>() <= size_of::<T::Instead>()) };
    const { assert!(align_of::<T>() <= align_of::<T::Instead>()) };
    let place = NonNull::new(address).ok_or(Errno::INVALID)?;
    // SAFETY: the caller promises that it is the guest's object, which is large enough and aligned (checked above), and
    // every field of ours is valid for any bytes, by `Overlay`.
    Ok(unsafe { place.cast::<T>().as_ref() })
}

/// Types for [`overlay`].
///
/// # Safety
/// Every field is an atomic that is valid for any bytes.
pub unsafe trait Overlay: Sized {
    /// The type of libc that it replaces.
    type Instead;
}

/// Memory for many entries, straight from the kernel: the guest's allocator may be in the middle of a call.
///
/// Invariant: unless `len` is 0, `len` entries are mapped at `address`, and nobody else knows them.
pub struct Scratch<T> {
    address: usize,
    len: usize,
    entries: core::marker::PhantomData<T>,
}

impl<T: AnyBytes> Scratch<T> {
    /// Maps the memory; all entries are zero.
    pub fn new(len: usize) -> Result<Scratch<T>> {
        let address = if len == 0 { 0 } else { process::map(len * size_of::<T>())? };
        Ok(Scratch { address, len, entries: core::marker::PhantomData })
    }

    pub fn entries(&mut self) -> &mut [T] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: by the invariant so many are mapped, and this has them alone; any bytes are an entry.
        unsafe { core::slice::from_raw_parts_mut(self.address as *mut T, self.len) }
    }
}

impl<T> Drop for Scratch<T> {
    fn drop(&mut self) {
        if self.len > 0 {
            process::unmap(self.address, self.len * size_of::<T>());
        }
    }
}

/// Types of which any bytes are a value.
///
/// # Safety
/// That holds.
pub unsafe trait AnyBytes: Copy {}

// SAFETY: three numbers.
unsafe impl AnyBytes for libc::pollfd {}

/// A file that is mapped for reading.
///
/// Invariant: `len` bytes are mapped at `address`. The file is a program that is about to be run: the kernel lets nobody
/// write to it once it runs, and whoever cuts it before that moment ends this process as it would have ended the new one.
pub struct MappedFile {
    address: usize,
    len: usize,
}

impl MappedFile {
    /// Maps the first `len` bytes of a file, at least one.
    pub fn new(fd: libc::c_int, len: usize) -> Result<MappedFile> {
        let address = pass!(libc::SYS_mmap, 0, len, libc::PROT_READ, libc::MAP_PRIVATE, fd, 0)?;
        Ok(MappedFile { address, len })
    }

    pub fn bytes(&self) -> &[u8] {
        // SAFETY: by the invariant so many are mapped while this lives.
        unsafe { core::slice::from_raw_parts(self.address as *const u8, self.len) }
    }
}

impl Drop for MappedFile {
    fn drop(&mut self) {
        process::unmap(self.address, self.len);
    }
}

/// Returns an array of the guest; fails for null, unless it is empty.
///
/// # Safety
/// The address is null, or so many are there for `'a`, and nobody else uses them.
pub unsafe fn guest_slice<'a, T: Copy>(address: *mut T, len: usize) -> Result<&'a mut [T]> {
    if len == 0 {
        return Ok(&mut []);
    }
    let place = NonNull::new(address).ok_or(Errno::FAULT)?;
    // SAFETY: the caller promises it.
    Ok(unsafe { core::slice::from_raw_parts_mut(place.as_ptr(), len) })
}
