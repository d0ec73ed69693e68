//! Fair actions that are disjuncts of the next-state relation: what the search generates says where they are enabled and
//! which steps are theirs, so that nothing of them is evaluated.
//!
//! A step is an `A` step if and only if A generates it, whoever else does. A successor that a constraint cuts off is none of
//! the graph, and still makes its action enabled, as in TLC.

use eval::interp::{ActionInstance, Disjuncts, Machine};
use eval::temporal::TemporalAtoms;
use model::temporal::Fair;
use value::ValueId;

/// As many as there are bits in a word; what more there are is evaluated.
const FAIR_MAX: usize = 64;

/// Where the truth of an atom comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// It is evaluated.
    Evaluated,
    /// From what was generated, by this bit.
    Generated(u32),
    /// It was evaluated when the state was expanded: see [`super::asked`].
    Asked(u32),
}

#[derive(Default)]
pub(super) struct Derived {
    /// Fair actions that the steps of each action belong to, as bits.
    by_action: Vec<u64>,
    /// Variables of which a step must change one, by bit; empty if any will do.
    subscripts: Vec<Vec<usize>>,
    /// Sources of state atoms and action atoms, by number.
    pub states: Vec<Source>,
    pub actions: Vec<Source>,
}

impl Derived {
    /// Nothing is derived.
    pub fn none(atoms: &TemporalAtoms) -> Derived {
        Derived {
            states: vec![Source::Evaluated; atoms.states.len()],
            actions: vec![Source::Evaluated; atoms.actions.len()],
            ..Derived::default()
        }
    }

    /// Looks at every fair action of `formulas`.
    pub fn new<'p>(
        machine: &mut Machine<'p, '_>,
        actions: &[ActionInstance<'p>],
        atoms: &TemporalAtoms,
        fair: &[Fair],
    ) -> Derived {
        let mut derived = Derived { by_action: vec![0; actions.len()], ..Derived::none(atoms) };
        for fair in fair {
            if derived.subscripts.len() == FAIR_MAX {
                break;
            }
            let (step, enabled) = (&atoms.actions[fair.step], &atoms.states[fair.enabled]);
            // What cannot be told now is evaluated later, and fails then if it does.
            if let Ok(Some(disjuncts)) = machine.disjuncts(actions, step, enabled) {
                derived.add(*fair, &disjuncts, machine.program().variables.len());
            }
        }
        derived
    }

    fn add(&mut self, fair: Fair, disjuncts: &Disjuncts, n_variables: usize) {
        let bit = self.subscripts.len() as u32;
        let mut subscript: Vec<usize> = disjuncts.subscript.iter().map(|var| usize::from(var.0)).collect();
        subscript.sort_unstable();
        subscript.dedup();
        if subscript.len() == n_variables {
            subscript.clear();
        }
        self.subscripts.push(subscript);
        for &action in &disjuncts.actions {
            self.by_action[action] |= 1 << bit;
        }
        self.states[fair.enabled] = Source::Generated(bit);
        self.actions[fair.step] = Source::Generated(bit);
    }

    /// These state atoms were evaluated when states were expanded.
    pub fn ask(&mut self, atoms: &[usize]) {
        for (bit, &atom) in atoms.iter().enumerate() {
            self.states[atom] = Source::Asked(bit as u32);
        }
    }

    /// The fair actions that a step by `action` belongs to.
    pub fn bits(&self, action: usize, before: &[ValueId], after: &[ValueId]) -> u64 {
        let bits = self.by_action.get(action).copied().unwrap_or(0);
        if bits == 0 || before == after {
            return 0;
        }
        let mut kept = bits;
        let mut rest = bits;
        while rest != 0 {
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            let subscript = &self.subscripts[bit as usize];
            if !subscript.is_empty() && subscript.iter().all(|&var| before[var] == after[var]) {
                kept &= !(1 << bit);
            }
        }
        kept
    }

    /// Whether some atom must be evaluated.
    pub fn evaluates(sources: &[Source]) -> bool {
        sources.contains(&Source::Evaluated)
    }
}
