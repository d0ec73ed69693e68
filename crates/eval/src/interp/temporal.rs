//! Prepares temporal formulas for a search: expands quantifiers, evaluates constants, numbers atoms.

use base::Name;
use sema::spec::Quantifier;
use value::Constant;

use super::fault::Evaluated;
use super::{Flow, Machine, NO_LINK};
use crate::ir::{Bound, Facts, IrId, Memo};
use crate::temporal::{
    TemporalAtom, TemporalAtoms, TemporalFormula, TemporalInstance, TemporalRoot, TemporalTree,
};

impl<'p, 'r> Machine<'p, 'r> {
    /// Expands the quantifiers of a formula and adds its atoms to `atoms`. Needs no state.
    pub fn expand_temporal(
        &mut self,
        root: &TemporalRoot,
        atoms: &mut TemporalAtoms,
    ) -> Evaluated<TemporalFormula> {
        let mut expansion =
            TemporalExpansion { atoms, bindings: Vec::new(), memos: Vec::new(), n_slots: root.n_slots };
        self.with_frame(root.n_slots, NO_LINK, |machine| expansion.expand(machine, &root.tree))
    }

    /// Whether an atom holds in the current state or in the step to the next one.
    pub fn atom_holds(&mut self, atom: &TemporalAtom) -> Evaluated<bool> {
        self.with_frame(atom.n_slots, NO_LINK, |machine| {
            machine.prepare_atom(&atom.bindings, &atom.memos);
            machine.eval_bool(atom.expr)
        })
    }

    fn prepare_atom(&mut self, bindings: &[(u16, Constant)], memos: &[Memo]) {
        for &(slot, value) in bindings {
            self.set_slot(slot, value.get());
        }
        self.reset(memos, false);
    }
}

struct TemporalExpansion<'a> {
    atoms: &'a mut TemporalAtoms,
    bindings: Vec<(u16, Constant)>,
    memos: Vec<Memo>,
    n_slots: u16,
}

impl TemporalExpansion<'_> {
    fn expand<'p>(
        &mut self,
        machine: &mut Machine<'p, '_>,
        tree: &TemporalTree,
    ) -> Evaluated<TemporalFormula> {
        base::with_stack(|| self.expand_here(machine, tree))
    }

    fn expand_here<'p>(
        &mut self,
        machine: &mut Machine<'p, '_>,
        tree: &TemporalTree,
    ) -> Evaluated<TemporalFormula> {
        Ok(match tree {
            TemporalTree::Plain(expr) => return self.plain(machine, *expr),
            TemporalTree::Fair(fair) => {
                let (enabled, step) = (self.atom(machine, fair.enabled), self.atom(machine, fair.step));
                let enabled = push(&mut self.atoms.states, enabled);
                let step = push(&mut self.atoms.actions, step);
                TemporalFormula::Fair { is_strong: fair.is_strong, enabled, step }
            }
            TemporalTree::Not(inner) => TemporalFormula::Not(Box::new(self.expand(machine, inner)?)),
            TemporalTree::And(items) => TemporalFormula::And(self.all(machine, items)?),
            TemporalTree::Or(items) => TemporalFormula::Or(self.all(machine, items)?),
            TemporalTree::Always(inner) => TemporalFormula::Always(Box::new(self.expand(machine, inner)?)),
            TemporalTree::Eventually(inner) => {
                TemporalFormula::Eventually(Box::new(self.expand(machine, inner)?))
            }
            TemporalTree::LeadsTo(sides, span) => {
                let sides = [self.expand(machine, &sides[0])?, self.expand(machine, &sides[1])?];
                TemporalFormula::LeadsTo(Box::new(sides), *span)
            }
            TemporalTree::Quantified { kind, bounds, body } => {
                let instances = self.instances(machine, bounds, body)?;
                match kind {
                    Quantifier::Forall => TemporalFormula::Instances(instances),
                    Quantifier::Exists => {
                        TemporalFormula::Or(instances.into_iter().map(|instance| instance.formula).collect())
                    }
                }
            }
            TemporalTree::Bind { memos, body } => {
                let n_before = self.memos.len();
                self.memos.extend_from_slice(memos);
                machine.reset(memos, false);
                let formula = self.expand(machine, body)?;
                self.memos.truncate(n_before);
                formula
            }
        })
    }

    fn all<'p>(
        &mut self,
        machine: &mut Machine<'p, '_>,
        trees: &[TemporalTree],
    ) -> Evaluated<Vec<TemporalFormula>> {
        trees.iter().map(|tree| self.expand(machine, tree)).collect()
    }

    fn instances<'p>(
        &mut self,
        machine: &mut Machine<'p, '_>,
        bounds: &[Bound],
        body: &TemporalTree,
    ) -> Evaluated<Vec<TemporalInstance>> {
        let Some(place) = bounds.first().map(|bound| bound.set) else {
            let formula = self.expand(machine, body)?;
            return Ok(vec![TemporalInstance { bindings: Vec::new(), formula }]);
        };
        let names: Vec<Name> = bounds.iter().flat_map(|bound| &bound.names).copied().collect();
        let mut instances = Vec::new();
        machine.for_each_binding(bounds, place, &mut |machine| {
            let n_before = self.bindings.len();
            for &slot in bounds.iter().flat_map(|bound| bound.pattern.slots()) {
                let value = machine.slot_constant(slot, place)?;
                self.bindings.push((slot, value));
            }
            // Remembered values may depend on the names that are bound now.
            machine.reset(&self.memos, false);
            let formula = self.expand(machine, body)?;
            let values = self.bindings[n_before..].iter().map(|&(_, value)| value);
            let bindings = names.iter().copied().zip(values).collect();
            instances.push(TemporalInstance { bindings, formula });
            self.bindings.truncate(n_before);
            Ok(Flow::Continue)
        })?;
        Ok(instances)
    }

    fn plain<'p>(&mut self, machine: &mut Machine<'p, '_>, expr: IrId) -> Evaluated<TemporalFormula> {
        let facts = machine.program().irs[expr].facts;
        if facts == Facts::default() {
            // TLC: constants are evaluated now.
            return Ok(TemporalFormula::Bool(machine.eval_bool(expr)?));
        }
        let atom = self.atom(machine, expr);
        Ok(match facts.reads_next {
            true => TemporalFormula::Action(push(&mut self.atoms.actions, atom)),
            false => TemporalFormula::State(push(&mut self.atoms.states, atom)),
        })
    }

    fn atom(&self, machine: &Machine<'_, '_>, expr: IrId) -> TemporalAtom {
        TemporalAtom {
            expr,
            bindings: self.bindings.clone(),
            memos: self.memos.clone(),
            n_slots: self.n_slots,
            span: machine.span(expr),
        }
    }
}

/// Adds an atom and returns its number.
fn push(atoms: &mut Vec<TemporalAtom>, atom: TemporalAtom) -> usize {
    atoms.push(atom);
    atoms.len() - 1
}
