//! Properties of steps, `[][A]_v`: the same variables change in the same way in many steps, and what a property reads
//! determines whether it holds. So it is remembered of which values of these variables, before and after the step, it
//! was true.

use eval::interp::step_reads;
use eval::ir::{Program, StepProperty};
use value::{ValueId, mix_id};

/// The most values that a property may read for its truths to be remembered.
const READ_MAX: usize = 20;
/// The number of places for steps to begin with, by how much it grows, and how far.
const LEN_LOG2_FIRST: u32 = 8;
const GROWTH_LOG2: u32 = 2;
const LEN_LOG2_MAX: u32 = 13;

/// The properties of steps, with those steps of which each was true. Each step has one place, where the last one to come
/// stays.
#[derive(Default)]
pub(super) struct KnownSteps {
    /// Empty until the first step. `None` for a property that reads too much, or of which variables alone do not tell whether it holds.
    properties: Vec<Option<KnownTrue>>,
}

/// The steps of which one property was true.
struct KnownTrue {
    /// The variables that it reads before and after the step.
    reads: [Vec<usize>; 2],
    /// In each place the ids of their values; all are 0 in one that is free.
    steps: Vec<u32>,
    len_log2: u32,
    n_kept: usize,
}

impl KnownSteps {
    /// Prepares for steps.
    pub fn begin(&mut self, program: &Program) {
        if self.properties.len() == program.step_properties.len() {
            return;
        }
        let known = |property: &StepProperty| {
            let reads = step_reads(program, property.root.expr)?;
            let n_read = reads[0].len() + reads[1].len();
            (1..=READ_MAX).contains(&n_read).then(|| KnownTrue::new(reads))
        };
        self.properties = program.step_properties.iter().map(known).collect();
    }

    /// Whether a property is known to hold of the step between states with these ids.
    pub fn holds(&self, property: usize, states: [&[ValueId]; 2]) -> bool {
        self.properties[property].as_ref().is_some_and(|known| known.has(states))
    }

    /// Remembers that a property holds of the step between states with these ids.
    pub fn keep(&mut self, property: usize, states: [&[ValueId]; 2]) {
        if let Some(known) = &mut self.properties[property] {
            known.keep(states);
        }
    }
}

impl KnownTrue {
    fn new(reads: [Vec<usize>; 2]) -> KnownTrue {
        KnownTrue { reads, steps: Vec::new(), len_log2: LEN_LOG2_FIRST, n_kept: 0 }
    }

    /// Iterates over the ids that a step is told from others by.
    fn ids<'s>(&'s self, states: [&'s [ValueId]; 2]) -> impl Iterator<Item = u32> + 's {
        let read = |of: usize| self.reads[of].iter().map(move |&variable| states[of][variable].bits());
        read(0).chain(read(1))
    }

    fn stride(&self) -> usize {
        self.reads[0].len() + self.reads[1].len()
    }

    /// Returns where the step begins among the ids.
    fn place(&self, states: [&[ValueId]; 2]) -> usize {
        let hash = self.ids(states).fold(0, mix_id);
        (hash >> (u64::BITS - self.len_log2)) as usize * self.stride()
    }

    fn has(&self, states: [&[ValueId]; 2]) -> bool {
        let place = self.place(states);
        let kept = self.steps.get(place..place + self.stride());
        kept.is_some_and(|kept| kept.iter().copied().eq(self.ids(states)))
    }

    fn keep(&mut self, states: [&[ValueId]; 2]) {
        let is_full = self.n_kept >> self.len_log2 != 0 && self.len_log2 < LEN_LOG2_MAX;
        if is_full || self.steps.is_empty() {
            if is_full {
                self.len_log2 = (self.len_log2 + GROWTH_LOG2).min(LEN_LOG2_MAX);
            }
            // Those that are forgotten are soon known again.
            self.n_kept = 0;
            self.steps = vec![0; self.stride() << self.len_log2];
        }
        self.n_kept += 1;
        let place = self.place(states);
        let ids: Vec<u32> = self.ids(states).collect();
        self.steps[place..place + ids.len()].copy_from_slice(&ids);
    }
}

#[cfg(test)]
mod tests {
    use value::ValueId;

    use super::KnownTrue;

    #[test]
    fn a_step_is_known_by_what_is_read_of_it_and_nothing_else() {
        let ids = |ids: [u32; 3]| ids.map(|bits| ValueId::from_bits(bits << 3));
        let mut known = KnownTrue::new([vec![0], vec![0, 2]]);
        let (before, after) = (ids([1, 2, 3]), ids([4, 5, 6]));
        assert!(!known.has([&before, &after]));
        known.keep([&before, &after]);
        assert!(known.has([&before, &after]) && known.has([&ids([1, 9, 9]), &ids([4, 9, 6])]));
        assert!(!known.has([&ids([2, 2, 3]), &after]) && !known.has([&before, &ids([4, 5, 7])]));
        for n in 0..5_000 {
            known.keep([&ids([n, 0, 0]), &ids([n / 2, 0, n / 3])]);
            assert!(known.has([&ids([n, 1, 1]), &ids([n / 2, 1, n / 3])]));
            assert!(!known.has([&ids([n, 1, 1]), &ids([n / 2, 1, n / 3 + 1])]));
        }
    }
}
