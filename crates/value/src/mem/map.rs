//! Memory from the system: address ranges that are zero until written. Miri cannot map memory, so it allocates.
#![expect(unsafe_code, reason = "maps and unmaps memory")]

use std::sync::OnceLock;

/// Number of bytes that a process without a limit can reserve at once. Miri really allocates it.
const AMPLE_BYTES: usize = if cfg!(miri) { 1 << 20 } else { 1 << 40 };
/// Upper bound on the number of ranges of a search.
const N_SHARES: usize = 64;

/// Gives freed memory back to the system, after something that took much of it for a moment.
pub fn trim() {
    // SAFETY: may be called at any time; only free memory is touched.
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    let _ = unsafe { libc::malloc_trim(0) };
}

/// Anonymous memory that is zero until written; pages that are not written cost nothing.
pub(super) struct Map {
    pub(super) start: usize,
    pub(super) bytes: usize,
    mapped_start: usize,
    mapped_bytes: usize,
}

impl Map {
    #[cfg(miri)]
    pub(super) fn new(bytes: usize) -> Option<Map> {
        let layout = std::alloc::Layout::from_size_align(bytes, MIRI_ALIGN).ok()?;
        // SAFETY: no map is empty.
        let start = unsafe { std::alloc::alloc_zeroed(layout) };
        let start = start.expose_provenance();
        Some(Map { start, bytes, mapped_start: start, mapped_bytes: bytes })
    }

    #[cfg(not(miri))]
    pub(super) fn new(bytes: usize) -> Option<Map> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: asks for fresh memory at an address of the system's choice; touches nothing that exists.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), bytes, protection, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return None;
        }
        let start = start.expose_provenance();
        Some(Map { start, bytes, mapped_start: start, mapped_bytes: bytes })
    }

    /// Makes a range that does not cross the border of an aligned window of `window_bytes`: it is taken out of one of
    /// twice the size.
    pub(super) fn in_one_window(bytes: usize, window_bytes: usize) -> Option<Map> {
        let mut map = Map::new(bytes * 2)?;
        let border = map.start.next_multiple_of(window_bytes);
        if map.start + bytes > border {
            map.start = border;
        }
        map.bytes = bytes;
        debug_assert!(map.end() <= map.mapped_start + map.mapped_bytes);
        Some(map)
    }

    /// Returns the number of bytes that one range may take, so that there is address space for everything that a search
    /// reserves. There is no limit unless the process has one.
    pub(super) fn share_bytes() -> usize {
        static SHARE: OnceLock<usize> = OnceLock::new();
        *SHARE.get_or_init(|| {
            let mut bytes = AMPLE_BYTES;
            while bytes > AMPLE_BYTES >> 20 && Map::new(bytes).is_none() {
                bytes /= 2;
            }
            if bytes == AMPLE_BYTES { usize::MAX } else { bytes / N_SHARES }
        })
    }

    /// Asks for large pages, which need fewer translations of addresses, in all but the beginning of the range: a range
    /// of which little is used keeps small ones.
    #[cfg(not(any(miri, feature = "shuttle")))]
    pub(super) fn ask_for_large_pages(&self) {
        let start = (self.start + SMALL_PAGES_BYTES).next_multiple_of(LARGE_PAGE_BYTES);
        if start < self.end() {
            let place = std::ptr::with_exposed_provenance_mut::<libc::c_void>(start);
            // SAFETY: the pages are inside a private anonymous mapping of this map's own. Their contents stay. The
            // system may refuse, and then everything stays as it was.
            #[cfg(target_os = "linux")]
            let _ = unsafe { libc::madvise(place, self.end() - start, libc::MADV_HUGEPAGE) };
            #[cfg(not(target_os = "linux"))]
            let _ = place;
        }
    }

    pub(super) fn end(&self) -> usize {
        self.start + self.bytes
    }

    #[cfg(not(any(miri, feature = "shuttle")))]
    /// Gives the whole pages of a part of the range back to the system. Their contents are then zero or unchanged: the
    /// caller must accept both, and access the part only as atomics.
    pub(super) fn discard(&self, part: std::ops::Range<usize>) {
        assert!(part.start <= part.end && part.end <= self.bytes);
        let start = (self.start + part.start).next_multiple_of(PAGE_BYTES);
        let end = (self.start + part.end) / PAGE_BYTES * PAGE_BYTES;
        if start < end {
            let place = std::ptr::with_exposed_provenance_mut::<libc::c_void>(start);
            // SAFETY: these pages are inside a private anonymous mapping of this map's own, which stays mapped. Where
            // pages are larger the system may refuse, and then everything stays as it was.
            let _ = unsafe { libc::madvise(place, end - start, libc::MADV_DONTNEED) };
        }
    }
}

#[cfg(not(any(miri, feature = "shuttle")))]
const PAGE_BYTES: usize = 4096;
#[cfg(not(any(miri, feature = "shuttle")))]
const LARGE_PAGE_BYTES: usize = 2 << 20;
/// Size beyond which large pages are used. On average half of the last large page is wasted, which is little of a
/// larger range.
#[cfg(not(any(miri, feature = "shuttle")))]
const SMALL_PAGES_BYTES: usize = 8 << 20;

#[cfg(miri)]
const MIRI_ALIGN: usize = 4096;

#[cfg(miri)]
impl Drop for Map {
    fn drop(&mut self) {
        let start = std::ptr::with_exposed_provenance_mut::<u8>(self.mapped_start);
        let layout = std::alloc::Layout::from_size_align(self.mapped_bytes, MIRI_ALIGN).expect("as in `new`");
        // SAFETY: this range was allocated so, and nothing refers to it any more.
        unsafe { std::alloc::dealloc(start, layout) };
    }
}

#[cfg(not(miri))]
impl Drop for Map {
    fn drop(&mut self) {
        let start = std::ptr::with_exposed_provenance_mut::<libc::c_void>(self.mapped_start);
        // SAFETY: this range came from `mmap` and nothing refers to it any more: values borrow the arena.
        let failed = unsafe { libc::munmap(start, self.mapped_bytes) };
        debug_assert_eq!(failed, 0);
    }
}
