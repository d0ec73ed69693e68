//! Conjuncts of constraints that ask for the level alone: they have one answer for all successors of a level, which is
//! found once.

use eval::interp::{Conjuncts, Machine};

use crate::run::WorkerRun;

/// The answers for the successors of states of one level.
#[derive(Default)]
pub(super) struct LevelAnswers {
    level: Option<u32>,
    /// For each constraint, by the numbers of its conjuncts. `None` for one that asks for more, or has no value.
    answers: Vec<Box<[Option<bool>]>>,
}

impl LevelAnswers {
    /// Finds the answers for successors of states of this level, which is that of the run.
    pub fn turn_to<'a>(
        &mut self,
        level: u32,
        (constraints, run): (&[Conjuncts], &WorkerRun<'_>),
        machine: &mut Machine<'a, '_>,
    ) {
        if self.level == Some(level) {
            return;
        }
        self.level = Some(level);
        let mut answer = |conjuncts: &Conjuncts, part: usize| {
            let asks_level = conjuncts.is_of_level(part);
            // One without a value is evaluated again, where that is reported.
            asks_level.then(|| run.about_successor(|| machine.holds_part(conjuncts, part)).ok()).flatten()
        };
        let all = |conjuncts| {
            let n_parts = Conjuncts::parts(conjuncts).count();
            (0..n_parts).map(|part| answer(conjuncts, part)).collect()
        };
        self.answers = constraints.iter().map(all).collect();
    }

    /// Whether the constraints admit no successor, whatever values it has: none of them is asked anything else before
    /// the conjunct that says so.
    pub fn admit_none(&self) -> bool {
        let mut answers = self.answers.iter().flatten();
        answers.find(|answer| **answer != Some(true)) == Some(&Some(false))
    }

    /// Returns the answers for the conjuncts of a constraint.
    #[inline]
    pub fn of(&self, constraint: usize) -> &[Option<bool>] {
        self.answers.get(constraint).map_or(&[], |answers| answers)
    }
}
