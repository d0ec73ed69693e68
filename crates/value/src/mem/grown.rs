//! Interned sequences that grew: each continues where the one that it was made from ends. So the states of a behaviour
//! along which a log grows cost its entries, not a copy of the log for each.
//!
//! ```text
//! sequence   header with `VIEW`; distance of the first element from the window, in slots; run, as an id; folded (64 bits)
//! run        how many slots are taken; how many there is room for; slots
//! ```
//! Invariant: the slots of a run up to the number that is taken are ids of the arena where the run is, or are being
//! written by the thread that took them. A sequence is complete before anyone can find it, and the slots of its
//! elements are never written again. The owner of the sequence that ends where the taken slots end may take the next
//! ones.
#![expect(unsafe_code, reason = "writes slots behind those that sequences can see")]

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

use super::arena::{Arena, Block, IdBits, UNIT, WINDOW_BYTES, id_at};
use super::object::{FROZEN, GROUND, Header, NORMAL, Object, ObjectKind, VIEW};

/// The memory for the elements of sequences; the slots follow.
#[repr(C)]
struct IdRun {
    n_taken: AtomicU32,
    capacity: u32,
}

impl IdRun {
    /// Returns the end of the taken slots after taking `n_more` behind a sequence that ends at `end`, if that is
    /// possible. All sequences of a run begin where it begins.
    fn end_after(&self, end: u32, n_more: usize) -> Option<u32> {
        let new_end = end.checked_add(u32::try_from(n_more).ok()?)?;
        (self.n_taken.load(Ordering::Relaxed) == end && new_end <= self.capacity).then_some(new_end)
    }
}

/// The data behind the header of a sequence that grew.
#[repr(C)]
#[derive(Clone, Copy)]
struct GrownBody {
    first: u32,
    run: u32,
    /// The folded hash of the elements: see `intern`.
    folded: [u32; 2],
}

const _: () = assert!(size_of::<IdRun>() == UNIT && size_of::<GrownBody>().is_multiple_of(UNIT));

/// A sequence that is to be interned: elements that already are, of an interned sequence or of none, and more behind
/// them.
#[derive(Clone, Copy)]
pub(crate) struct Growth<'a> {
    pub(crate) before: &'a [u32],
    pub(crate) more: &'a [u32],
    /// The folded hash of all elements.
    pub(crate) folded: u64,
}

impl Growth<'_> {
    fn len(&self) -> u32 {
        u32::try_from(self.before.len() + self.more.len()).expect("an object has fewer than 2^32 children")
    }
}

fn place_of(object: Object<'_>) -> GrownBody {
    assert!(object.is_grown());
    // SAFETY: an interned sequence with `VIEW` is followed by a place, which never changes; slots are aligned as its
    // parts are.
    unsafe { object.slots().cast::<GrownBody>().read() }
}

/// Returns the start of the elements of an interned sequence that grew.
#[inline]
pub(super) fn first_of(object: Object<'_>) -> *const u32 {
    let window = object.address() & !(WINDOW_BYTES - 1);
    let first = window + place_of(object).first as usize * size_of::<u32>();
    std::ptr::with_exposed_provenance::<u32>(first)
}

impl Arena {
    /// Returns the folded hash of a sequence that grew, or `None` for any other object.
    pub(crate) fn folded_hash(&self, id: IdBits) -> Option<u64> {
        let object = self.object(id).filter(|object| object.is_grown())?;
        let [low, high] = place_of(object).folded;
        Some(u64::from(low) | u64::from(high) << 32)
    }

    /// Whether the object with this id is the sequence of these elements. Returns false for arbitrary bits.
    pub(crate) fn is_grown_to(&self, id: IdBits, growth: Growth<'_>) -> bool {
        let Some(parts) = self.parts(id) else { return false };
        if parts.kind != ObjectKind::Sequence || parts.len != growth.len() {
            return false;
        }
        let (before, more) = parts.slots.split_at(growth.before.len());
        (std::ptr::eq(before, growth.before) || before == growth.before) && more == growth.more
    }

    /// Whether nothing has extended this sequence, and `n_more` elements fit behind it. `None` for anything that did
    /// not grow.
    pub(crate) fn has_room_behind(&self, id: IdBits, n_more: usize) -> Option<bool> {
        let object = self.object(id).filter(|object| object.is_grown())?;
        let run = self.run_at(self.run_address(object));
        Some(run.end_after(object.len() as u32, n_more).is_some())
    }

    fn run_address(&self, object: Object<'_>) -> usize {
        self.window() + place_of(object).run as usize * UNIT
    }

    /// Returns the run at an address from [`Arena::run_address`].
    fn run_at(&self, address: usize) -> &IdRun {
        // SAFETY: the place of a sequence that grew names its run, which is in this arena and stays.
        unsafe { &*std::ptr::with_exposed_provenance::<IdRun>(address) }
    }

    /// Writes a sequence that continues where `before` ends. Returns `None` if someone else has extended it, or there
    /// is no more room behind it.
    pub(crate) fn push_behind(
        &self,
        block: &mut Block,
        before: IdBits,
        growth: Growth<'_>,
    ) -> Option<IdBits> {
        let object = self.object(before).filter(|object| object.is_grown())?;
        assert!(
            std::ptr::eq(object.contents(), growth.before.as_ptr()) && object.len() == growth.before.len()
        );
        assert!(growth.more.iter().all(|&more| self.value(IdBits(more)).is_some()), "interned first");
        let (place, run_address) = (place_of(object), self.run_address(object));
        let (run, end) = (self.run_at(run_address), object.len() as u32);
        let new_end = run.end_after(end, growth.more.len())?;
        // The object gets its room first, because taken slots are not given back.
        let address = self.take(block, size_of::<Header>() + size_of::<GrownBody>())?;
        run.n_taken.compare_exchange(end, new_end, Ordering::AcqRel, Ordering::Relaxed).ok()?;
        self.write_slots(run_address, end, growth.more);
        Some(self.write_grown(address, growth, GrownBody { folded: halves(growth.folded), ..place }))
    }

    /// Writes a sequence with room behind it.
    pub(crate) fn push_run(&self, block: &mut Block, growth: Growth<'_>) -> Option<IdBits> {
        let all = [growth.before, growth.more];
        let mut slots = all.iter().copied().flatten();
        assert!(slots.all(|&slot| self.value(IdBits(slot)).is_some()), "children are interned first");
        let len = growth.len();
        let capacity = len.checked_add(len / 4)?.checked_next_multiple_of(2)?;
        let bytes = size_of::<IdRun>() + capacity as usize * size_of::<u32>();
        let run_address = self.take(block, bytes)?;
        let place = std::ptr::with_exposed_provenance_mut::<IdRun>(run_address);
        // SAFETY: `take` gave this memory to this call alone; it is mapped and aligned.
        unsafe { place.write(IdRun { n_taken: AtomicU32::new(len), capacity }) };
        self.write_slots(run_address, 0, growth.before);
        self.write_slots(run_address, growth.before.len() as u32, growth.more);
        let address = self.take(block, size_of::<Header>() + size_of::<GrownBody>())?;
        let first = (run_address + size_of::<IdRun>() - self.window()) / size_of::<u32>();
        let run = ((run_address - self.window()) / UNIT) as u32;
        let place = GrownBody { first: first as u32, run, folded: halves(growth.folded) };
        Some(self.write_grown(address, growth, place))
    }

    /// Writes slots of a run that were taken for this call, from `start` on.
    fn write_slots(&self, run: usize, start: u32, slots: &[u32]) {
        let first = std::ptr::with_exposed_provenance_mut::<u32>(run + size_of::<IdRun>());
        let place = first.wrapping_add(start as usize);
        // SAFETY: the slots from `start` on are inside of the run, whose callers looked at its room, belong to this
        // call, and are not part of any visible sequence.
        unsafe { std::ptr::copy_nonoverlapping(slots.as_ptr(), place, slots.len()) };
    }

    /// Writes the sequence at `address`, which was taken for it.
    fn write_grown(&self, address: usize, growth: Growth<'_>, place: GrownBody) -> IdBits {
        let header = Header {
            kind: ObjectKind::Sequence,
            flags: Cell::new(NORMAL | GROUND | FROZEN | VIEW),
            reserved: 0,
            len: Cell::new(growth.len()),
        };
        let at = std::ptr::with_exposed_provenance_mut::<Header>(address);
        // SAFETY: `take` gave this memory to the caller alone; it is mapped and aligned.
        unsafe { at.write(header) };
        // SAFETY: `take` gave this memory to the caller alone, and there is room for the place behind the header.
        unsafe { at.wrapping_add(1).cast::<GrownBody>().write(place) };
        self.set_start(address);
        id_at(address)
    }
}

fn halves(folded: u64) -> [u32; 2] {
    [folded as u32, (folded >> 32) as u32]
}
