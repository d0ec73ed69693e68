//! The allocator of a program: the system's, with a reserve for when the system has no more memory.
#![expect(unsafe_code, reason = "implements an allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// Size of the reserve. It is only address space until it is needed.
const RESERVE_BYTES: usize = 32 << 20;
const RESERVE_ALIGN: usize = 16;

static RESERVE: AtomicPtr<u8> = AtomicPtr::new(ptr::null_mut());
static IS_EXHAUSTED: AtomicBool = AtomicBool::new(false);
static END: OnceLock<fn()> = OnceLock::new();

/// The allocator of the system. The first time that it refuses, for example under `ulimit -v`, the reserve is given up,
/// so that running work can end properly: from then on [`Heap::is_exhausted`] says that it must. If that is not enough,
/// the program ends.
pub struct Heap;

impl Heap {
    /// Sets up the reserve. `end` ends the program when there is nothing left; it must not allocate.
    pub fn keep_back(end: fn()) {
        let _ = END.set(end);
        // SAFETY: the layout is not empty.
        let reserve = unsafe { System.alloc(reserve_layout()) };
        RESERVE.store(reserve, Ordering::Release);
    }

    /// Whether the system has refused memory.
    pub fn is_exhausted() -> bool {
        IS_EXHAUSTED.load(Ordering::Relaxed)
    }
}

fn reserve_layout() -> Layout {
    Layout::from_size_align(RESERVE_BYTES, RESERVE_ALIGN).expect("the alignment is a power of two")
}

/// Tries again after giving up the reserve, and ends the program if that is not enough.
#[cold]
fn ask_again(layout: Layout) -> *mut u8 {
    let reserve = RESERVE.swap(ptr::null_mut(), Ordering::AcqRel);
    if !reserve.is_null() {
        IS_EXHAUSTED.store(true, Ordering::Relaxed);
        // SAFETY: it was allocated with this layout, and the thread that swaps it out is the only one that has it.
        unsafe { System.dealloc(reserve, reserve_layout()) };
        // SAFETY: the caller keeps the contract of the allocator.
        let found = unsafe { System.alloc(layout) };
        if !found.is_null() {
            return found;
        }
    }
    if let Some(end) = END.get() {
        end();
    }
    ptr::null_mut()
}

// SAFETY: everything is left to the system's allocator, and its memory is passed on.
unsafe impl GlobalAlloc for Heap {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        let found = unsafe { System.alloc(layout) };
        if found.is_null() { ask_again(layout) } else { found }
    }

    #[inline]
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(place, layout) };
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        let found = unsafe { System.alloc_zeroed(layout) };
        if !found.is_null() {
            return found;
        }
        let found = ask_again(layout);
        if !found.is_null() {
            // SAFETY: it was just allocated with this size.
            unsafe { found.write_bytes(0, layout.size()) };
        }
        found
    }

    #[inline]
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        let found = unsafe { System.realloc(place, layout, new_size) };
        if !found.is_null() {
            return found;
        }
        let Ok(new_layout) = Layout::from_size_align(new_size, layout.align()) else {
            return ptr::null_mut();
        };
        let found = ask_again(new_layout);
        if !found.is_null() {
            // SAFETY: both have room for the smaller of the sizes, and the new one is fresh.
            unsafe { ptr::copy_nonoverlapping(place, found, layout.size().min(new_size)) };
            // SAFETY: `place` was allocated with `layout`, and its contents are elsewhere now.
            unsafe { System.dealloc(place, layout) };
        }
        found
    }
}
