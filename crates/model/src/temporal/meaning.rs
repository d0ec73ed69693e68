//! The meaning of a formula on one infinite behaviour, by definition: it checks the results of a search.
//!
//! Nothing that the search worked with is used: every state predicate and action is evaluated again, on the states that
//! the user is shown.

use eval::interp::Evaluated;
use eval::temporal::TemporalAtoms;
use live::Formula;
use value::{Interner, ValueId};

use crate::run::{Evaluation, quietly};

/// Which atoms hold where on a behaviour.
pub struct Word {
    /// Truth values, by position, then by atom.
    states: Vec<Vec<bool>>,
    actions: Vec<Vec<bool>>,
    back_to: usize,
}

/// A behaviour without end.
#[derive(Clone, Copy)]
pub struct Endless<'b> {
    pub states: &'b [Vec<ValueId>],
    /// Index of the state that comes after the last one.
    pub back_to: usize,
    /// The state that really comes after the last one, if the VIEW only takes it for that one.
    pub after: Option<&'b Vec<ValueId>>,
}

impl Word {
    /// Evaluates every atom at every position of a behaviour.
    pub fn new(evaluation: Evaluation<'_>, atoms: &TemporalAtoms, behaviour: Endless<'_>) -> Evaluated<Word> {
        let Endless { states, back_to, after } = behaviour;
        assert!(back_to < states.len(), "a behaviour without end leads back to one of its states");
        let run = evaluation.run;
        let mut word = Word { states: Vec::new(), actions: Vec::new(), back_to };
        for (at, state) in states.iter().enumerate() {
            let next = states.get(at + 1).unwrap_or_else(|| after.unwrap_or(&states[back_to]));
            let region = run.region();
            let mut machine = evaluation.machine(&region);
            machine.set_state(state.iter().map(value));
            machine.set_successor(next.iter().map(value));
            let mut holds = |atom| quietly(run, || machine.atom_holds(atom));
            word.states.push(atoms.states.iter().map(&mut holds).collect::<Result<_, _>>()?);
            word.actions.push(atoms.actions.iter().map(&mut holds).collect::<Result<_, _>>()?);
        }
        Ok(word)
    }

    pub fn satisfies(&self, formula: &Formula) -> bool {
        self.truths(formula)[0]
    }

    /// Whether a formula holds at a position of the behaviour.
    pub fn holds_at(&self, formula: &Formula, at: usize) -> bool {
        self.truths(formula)[at]
    }

    /// The first position from `at` on where a formula does not hold; the cycle comes again.
    pub fn first_failure(&self, formula: &Formula, at: usize) -> Option<usize> {
        let truths = self.truths(formula);
        let again = self.back_to.min(at)..at;
        (at..truths.len()).chain(again).find(|&position| !truths[position])
    }

    /// Where on the behaviour a formula holds.
    fn truths(&self, formula: &Formula) -> Vec<bool> {
        base::with_stack(|| match formula {
            Formula::Bool(value) => vec![*value; self.states.len()],
            Formula::State(atom) => self.states.iter().map(|holds| holds[*atom as usize]).collect(),
            Formula::Action(atom) => self.actions.iter().map(|holds| holds[*atom as usize]).collect(),
            Formula::Not(inner) => self.truths(inner).into_iter().map(|truth| !truth).collect(),
            Formula::And(items) => self.join_items(items, true),
            Formula::Or(items) => self.join_items(items, false),
            Formula::Always(inner) => self.lasting(&self.truths(inner), true),
            Formula::Eventually(inner) => self.lasting(&self.truths(inner), false),
        })
    }

    fn join_items(&self, items: &[Formula], is_and: bool) -> Vec<bool> {
        let mut all = vec![is_and; self.states.len()];
        for item in items {
            for (truth, other) in all.iter_mut().zip(self.truths(item)) {
                *truth = if is_and { *truth && other } else { *truth || other };
            }
        }
        all
    }

    /// Whether it holds always (or ever) from each position on.
    fn lasting(&self, truths: &[bool], is_always: bool) -> Vec<bool> {
        let inside = &truths[self.back_to..];
        let in_cycle =
            if is_always { inside.iter().all(|&truth| truth) } else { inside.iter().any(|&truth| truth) };
        let mut result = vec![in_cycle; truths.len()];
        let mut so_far = in_cycle;
        for at in (0..self.back_to).rev() {
            so_far = if is_always { so_far && truths[at] } else { so_far || truths[at] };
            result[at] = so_far;
        }
        result
    }
}

fn value<'r>(id: &ValueId) -> value::Value<'r> {
    Interner::shared().value(*id)
}
