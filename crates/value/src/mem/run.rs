//! Long sequences that share memory: one that was lengthened continues where the shorter one ends, and a part of one is
//! a view of it. So a log that grows by an entry costs an entry, not a copy.
//!
//! ```text
//! view   header of a sequence with `VIEW`; address of the first element; address of the run or 0
//! run    how many words are taken; how many of them last; how many there is room for; words
//! ```
//! Invariant: the words of a run up to the number that is taken are ground values that live as long as any view that
//! they are elements of. They are never written again, so that a view never changes. The owner of a view of the last of
//! them may write the next. Words that last live as long as any view of the run: a run is made for a view of all its
//! words, and all others are made of that one, so those it began with do; a word that is added lasts if it lives as
//! long as the region. The other words may outlast what they stand for, and are not read except through views that
//! contain them.
#![expect(unsafe_code, reason = "writes words behind those that views can see")]

use std::cell::Cell;

use super::items::Items;
use super::object::{GROUND, NORMAL, Object, ObjectKind, RegionHeader, VIEW};
use super::region::Region;
use super::word::Value;

/// Limit on the size of a value for which it is determined whether it lasts.
const LOOKS_MAX: u32 = 64;

/// Length from which on sequences are shared. Copying a shorter one costs less than a view.
pub(crate) const LONG: usize = 32;

/// Memory in a region for the elements of sequences; the words follow.
#[repr(C)]
struct WordRun {
    n_taken: Cell<usize>,
    n_lasting: Cell<usize>,
    capacity: usize,
}

const RUN_WORDS: usize = size_of::<WordRun>() / size_of::<u64>();

impl WordRun {
    fn first(&self) -> *mut u64 {
        let run = std::ptr::from_ref(self).expose_provenance();
        std::ptr::with_exposed_provenance_mut::<u64>(run).wrapping_add(RUN_WORDS)
    }
}

/// Returns the address of the elements of a view, given the words behind its header.
///
/// # Safety
/// `words` comes from [`Object::view_words`]: the header of a view is followed by two words.
pub(super) unsafe fn first_of(words: *const u64) -> *const u64 {
    // SAFETY: the caller promises that there are words.
    let address = unsafe { words.read() };
    std::ptr::with_exposed_provenance::<u64>(address as usize)
}

impl Region {
    /// Returns `len` elements of a sequence from `start` on, without copying. Returns `None` if they are not words, or
    /// too few for that.
    pub(crate) fn part_of<'r>(&'r self, sequence: Value<'r>, start: usize, len: usize) -> Option<Value<'r>> {
        let object = sequence.object().filter(|object| object.kind() == ObjectKind::Sequence)?;
        let items = object.items_of(ObjectKind::Sequence).slice(start, len);
        let first = items.as_words().filter(|_| len >= LONG)?;
        let ground = if object.is_ground() { GROUND } else { 0 };
        Some(self.view(ground, (first, len), object.run_address().unwrap_or(0)))
    }

    /// Returns the elements behind the last one of a sequence, if it can be extended there.
    pub(crate) fn items_behind<'r>(&'r self, sequence: Value<'r>) -> Items<'r> {
        let Some((run, end)) = sequence.object().and_then(|object| self.run_of(object)) else {
            return Items::EMPTY;
        };
        // By the invariant of runs these words live as long as this view.
        let n_behind = run.n_lasting.get().saturating_sub(end);
        Items::words(run.first().wrapping_add(end), n_behind as u32)
    }

    /// Returns the words of the run of a sequence that last.
    pub(super) fn lasting_words<'r>(&'r self, object: Object<'r>) -> Items<'r> {
        match self.run_of(object) {
            Some((run, _)) => Items::words(run.first(), run.n_lasting.get() as u32),
            None => Items::EMPTY,
        }
    }

    /// Returns a sequence with more elements behind its own, of which the first `n_known` are equal to the first that
    /// are behind it already. Returns `None` if some value is not ground.
    pub(crate) fn lengthen<'r>(
        &'r self,
        sequence: Value<'r>,
        more: &[Value<'r>],
        n_known: usize,
    ) -> Option<Value<'r>> {
        let object = sequence.object().filter(|object| object.kind() == ObjectKind::Sequence)?;
        if !object.is_ground() || !more.iter().all(|value| value.is_ground()) {
            return None;
        }
        let items = object.items_of(ObjectKind::Sequence);
        let len = items.len() + more.len();
        if let Some((run, end)) = self.run_of(object) {
            let is_last = end + n_known == run.n_taken.get() && end + more.len() <= run.capacity;
            if is_last {
                for (index, value) in more.iter().enumerate().skip(n_known) {
                    // SAFETY: the place is behind all that is taken, and inside of the run, which belongs to this
                    // region and so to this thread.
                    unsafe { run.first().wrapping_add(end + index).write(value.word()) };
                }
                run.n_taken.set(end + more.len());
                let lasts = |value: &Value<'r>| value.lives_in(self, &mut LOOKS_MAX.clone());
                if run.n_lasting.get() == end + n_known && more[n_known..].iter().all(lasts) {
                    run.n_lasting.set(end + more.len());
                }
            }
            if is_last || (n_known == more.len() && end + n_known <= run.n_taken.get()) {
                return Some(self.view(GROUND, (items.as_words()?, len), address_of(run)));
            }
        }
        let run = self.new_run(len + len / 2);
        for (index, value) in items.iter().chain(more.iter().copied()).enumerate() {
            // SAFETY: there is room for `len` words, and nobody else knows of the run.
            unsafe { run.first().wrapping_add(index).write(value.word()) };
        }
        run.n_taken.set(len);
        run.n_lasting.set(len);
        Some(self.view(GROUND, (run.first(), len), address_of(run)))
    }

    fn new_run(&self, capacity: usize) -> &WordRun {
        let address = self.alloc_words(RUN_WORDS + capacity);
        let place = std::ptr::with_exposed_provenance_mut::<WordRun>(address);
        // SAFETY: the memory is fresh, large enough and aligned.
        unsafe { place.write(WordRun { n_taken: Cell::new(0), n_lasting: Cell::new(0), capacity }) };
        // SAFETY: it was just written, and stays as long as the region is borrowed.
        unsafe { &*place }
    }

    /// Returns the run that holds the elements of a sequence, and their end in it, if it may be written to: it is in
    /// this region.
    fn run_of<'r>(&'r self, object: Object<'r>) -> Option<(&'r WordRun, usize)> {
        let address = object.run_address().filter(|&address| self.contains(address))?;
        if self.birth_flags() != 0 {
            // Memory shared between threads is not written to.
            return None;
        }
        // SAFETY: the second word of a view is the address of a run, and the region that it is in is this one.
        let run = unsafe { &*std::ptr::with_exposed_provenance::<WordRun>(address) };
        let items = object.items_of(ObjectKind::Sequence);
        let start = (items.as_words()?.addr() - run.first().addr()) / size_of::<u64>();
        Some((run, start + items.len()))
    }

    fn view(&self, ground: u8, (first, len): (*const u64, usize), run: usize) -> Value<'_> {
        let len = u32::try_from(len).expect("an object has fewer than 2^32 children");
        let header = RegionHeader::new(ObjectKind::Sequence, NORMAL | VIEW | ground, len);
        self.object(header, &[first.expose_provenance() as u64, run as u64])
    }
}

fn address_of(run: &WordRun) -> usize {
    std::ptr::from_ref(run).expose_provenance()
}

impl Object<'_> {
    /// Whether it was made by lengthening another sequence.
    pub(crate) fn is_growing(self) -> bool {
        self.run_address().is_some()
    }

    /// Returns the address of the run that holds the elements, if they are in one.
    fn run_address(self) -> Option<usize> {
        let words = self.view_words()?;
        // SAFETY: a view has two words behind its header.
        let address = unsafe { words.wrapping_add(1).read() } as usize;
        (address != 0).then_some(address)
    }
}
