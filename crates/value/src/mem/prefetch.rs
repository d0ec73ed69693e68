//! A hint to the processor, where there is one.
#![cfg_attr(all(target_arch = "x86_64", not(miri)), expect(unsafe_code, reason = "the hint takes a pointer"))]

/// Says that something will soon be read, so that it is at hand then.
#[inline]
pub fn prefetch<T>(place: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint reads nothing that can be seen, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast::<i8>()) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = place;
}
