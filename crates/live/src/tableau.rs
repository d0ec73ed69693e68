//! An automaton for formulas without actions: the sets of formulas that may have to hold from a state on.
//!
//! `[]f` is `f` now and `[]f` again in the next state; `<>f` is `f` now, or `<>f` again in the next state. A run that
//! puts off one `<>f` forever does not satisfy it: each is a promise, and again and again none of them may be put off.
//! This is the construction of Gerth, Peled, Vardi and Wolper (1995) with promises on the transitions.

use base::{FxHashMap, FxIndexSet};

use crate::formula::Formula;
use crate::plan::Refusal;

const STATES_MAX: usize = 1 << 12;
const COVERS_MAX: usize = 1 << 12;

/// The formulas that must hold, by their numbers, sorted.
type Obligations = Vec<u32>;

#[derive(Debug)]
pub(crate) struct Automaton {
    /// The ways to satisfy each state now; the first state is the initial one.
    pub covers: Vec<Vec<Cover>>,
    pub n_promises: usize,
}

/// One way to satisfy the present obligations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cover {
    /// The formulas that must hold in this state, without temporal operators.
    pub now: Vec<Formula>,
    /// The automaton's next state.
    pub next: u32,
    /// The promises that are put off, sorted.
    pub put_off: Vec<u32>,
}

/// An unfinished cover.
#[derive(Clone, Default)]
struct CoverDraft {
    todo: Vec<Formula>,
    now: Vec<Formula>,
    next: Vec<Formula>,
    put_off: Vec<Formula>,
}

/// Makes the automaton whose runs are the behaviours that satisfy all of `formulas`.
pub(crate) fn automaton(formulas: &[Formula]) -> Result<Automaton, Refusal> {
    let mut builder = Builder::default();
    builder.state(formulas.to_vec());
    let mut covers = Vec::new();
    while let Some(obligations) = builder.states.get_index(covers.len()).cloned() {
        let found = builder.covers(&obligations)?;
        covers.push(found);
        if builder.states.len() > STATES_MAX {
            return Err(Refusal::TooLarge);
        }
    }
    Ok(Automaton { covers, n_promises: builder.promises.len() })
}

#[derive(Default)]
struct Builder {
    formulas: FxIndexSet<Formula>,
    states: FxIndexSet<Obligations>,
    /// The number of each `<>f` among promises.
    promises: FxHashMap<Formula, u32>,
}

impl Builder {
    fn state(&mut self, formulas: Vec<Formula>) -> u32 {
        let number = |formula| self.formulas.insert_full(formula).0 as u32;
        let mut obligations: Obligations = formulas.into_iter().map(number).collect();
        obligations.sort_unstable();
        obligations.dedup();
        self.states.insert_full(obligations).0 as u32
    }

    fn promise(&mut self, formula: Formula) -> u32 {
        let n_promises = self.promises.len() as u32;
        *self.promises.entry(formula).or_insert(n_promises)
    }

    fn covers(&mut self, obligations: &Obligations) -> Result<Vec<Cover>, Refusal> {
        let todo = obligations.iter().map(|&number| self.formulas[number as usize].clone()).collect();
        let mut open = vec![CoverDraft { todo, ..CoverDraft::default() }];
        let mut covers: Vec<Cover> = Vec::new();
        while let Some(mut draft) = open.pop() {
            let Some(formula) = draft.todo.pop() else {
                let cover = self.finish(draft);
                if !covers.contains(&cover) {
                    covers.push(cover);
                }
                continue;
            };
            unfold(draft, formula, &mut open);
            if covers.len() + open.len() > COVERS_MAX {
                return Err(Refusal::TooLarge);
            }
        }
        Ok(covers)
    }

    fn finish(&mut self, draft: CoverDraft) -> Cover {
        let CoverDraft { mut now, next, put_off, .. } = draft;
        now.sort_unstable();
        now.dedup();
        let mut put_off: Vec<u32> = put_off.into_iter().map(|formula| self.promise(formula)).collect();
        put_off.sort_unstable();
        put_off.dedup();
        Cover { now, next: self.state(next), put_off }
    }
}

/// Adds the drafts that result from `draft` when `formula` is unfolded.
fn unfold(mut draft: CoverDraft, formula: Formula, open: &mut Vec<CoverDraft>) {
    match formula {
        Formula::Bool(true) => open.push(draft),
        Formula::Bool(false) => {}
        Formula::And(items) => {
            draft.todo.extend(items);
            open.push(draft);
        }
        Formula::Or(items) if items.iter().any(Formula::is_temporal) => {
            for item in items {
                let mut choice = draft.clone();
                choice.todo.push(item);
                open.push(choice);
            }
        }
        Formula::Always(inner) => {
            draft.todo.push((*inner).clone());
            draft.next.push(Formula::Always(inner));
            open.push(draft);
        }
        Formula::Eventually(inner) => {
            let mut later = draft.clone();
            later.next.push(Formula::Eventually(inner.clone()));
            later.put_off.push(Formula::Eventually(inner.clone()));
            open.push(later);
            draft.todo.push(*inner);
            open.push(draft);
        }
        Formula::State(_) | Formula::Action(_) | Formula::Not(_) | Formula::Or(_) => {
            draft.now.push(formula);
            open.push(draft);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::automaton;
    use crate::Formula;

    #[test]
    fn what_follows_a_leads_to_that_fails_has_two_phases() {
        let p = Formula::State(0);
        let never = Formula::always(Formula::not(Formula::State(1)));
        let automaton = automaton(&[Formula::eventually(Formula::And(vec![p, never]))]).unwrap();
        assert_eq!((automaton.covers.len(), automaton.n_promises), (2, 1));
        assert_eq!(automaton.covers[0].len(), 2);
        assert_eq!(automaton.covers[1].len(), 1);
    }

    #[test]
    fn nothing_to_satisfy_is_one_state() {
        let automaton = automaton(&[]).unwrap();
        assert_eq!((automaton.covers.len(), automaton.covers[0].len()), (1, 1));
    }
}
