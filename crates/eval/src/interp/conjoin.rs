//! Walks conjunctions in actions: left to right, without a continuation for conjuncts that cannot branch.

use value::{Value, ops};

use super::action::Then;
use super::fault::{At, Evaluated, FaultKind};
use super::{Flow, Machine, Mode};
use crate::ir::{IrId, IrKind, VarIdx};

/// The result of a conjunct that was done at once.
enum Direct {
    Holds,
    Fails,
    /// The conjunct may branch, so nothing was done.
    Branches,
}

/// The target of an assignment.
enum AssignTarget {
    /// None: it is a test.
    None,
    /// A variable without a value.
    Free(VarIdx),
    /// Unknown: it depends on what a definition or an argument stands for.
    Unknown,
}

impl<'p, 'r> Machine<'p, 'r> {
    pub(super) fn walk_and(&mut self, items: &[IrId], then: Then<'_, 'p, 'r>) -> Evaluated<Flow> {
        let mark = self.making.given.len();
        let flow = self.walk_conjuncts(items, then);
        self.take_back(mark);
        flow
    }

    /// Walks conjuncts. Those that only test or give a value are done at once. The continuation of the first conjunct
    /// that may branch does the rest.
    fn walk_conjuncts(&mut self, items: &[IrId], then: Then<'_, 'p, 'r>) -> Evaluated<Flow> {
        for (index, &item) in items.iter().enumerate() {
            if index > 0 && self.making.n_missing == 0 {
                return self.walk_rest(&items[index..], then);
            }
            // A recorded step needs every conjunct on its way, and each may be to blame.
            let done = if self.watch.is_watched && (self.watch.is_recording || self.watch.blame.is_some()) {
                Direct::Branches
            } else {
                self.walk_direct(item)?
            };
            match done {
                Direct::Holds => {}
                Direct::Fails => return Ok(Flow::Continue),
                Direct::Branches => {
                    let rest = &items[index + 1..];
                    if rest.is_empty() {
                        return self.walk(item, then);
                    }
                    return self.walk(item, &mut |machine| machine.walk_rest(rest, then));
                }
            }
        }
        then(self)
    }

    /// Does a conjunct that cannot branch.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node may branch")]
    fn walk_direct(&mut self, id: IrId) -> Evaluated<Direct> {
        let program = self.program;
        match &program.irs[id].kind {
            IrKind::Eq(left, right) => match self.direct_target(*left) {
                AssignTarget::None => self.test_direct(id),
                AssignTarget::Free(var) => {
                    let before = self.watch.n_counted;
                    let value = self.eval(*right)?;
                    self.give(var, value);
                    self.count_done(id, true, before);
                    Ok(Direct::Holds)
                }
                AssignTarget::Unknown => Ok(Direct::Branches),
            },
            IrKind::In(left, _) | IrKind::SubsetEq(left, _) => match self.direct_target(*left) {
                AssignTarget::None => self.test_direct(id),
                AssignTarget::Free(_) | AssignTarget::Unknown => Ok(Direct::Branches),
            },
            IrKind::Unchanged { vars: Some(vars), .. } if self.making.mode == Mode::Next => {
                let before = self.watch.n_counted;
                let done = self.give_unchanged(vars, program.irs[id].span)?;
                self.count_done(id, matches!(done, Direct::Holds), before);
                Ok(done)
            }
            IrKind::Not(_)
            | IrKind::Neq(..)
            | IrKind::NotIn(..)
            | IrKind::Equiv(..)
            | IrKind::Native { .. }
            | IrKind::Enabled { .. }
            | IrKind::Field { .. } => self.test_direct(id),
            _ => Ok(Direct::Branches),
        }
    }

    fn test_direct(&mut self, id: IrId) -> Evaluated<Direct> {
        Ok(if self.eval_bool(id)? { Direct::Holds } else { Direct::Fails })
    }

    /// Returns the target of an assignment's left side, as far as the node alone determines it.
    fn direct_target(&self, left: IrId) -> AssignTarget {
        let (values, var) = match (&self.program.irs[left].kind, self.making.mode) {
            (IrKind::Next(var), Mode::Next) => (&self.next, *var),
            (IrKind::Var(var), Mode::Init) => (&self.state, *var),
            (IrKind::Enter { .. } | IrKind::Bind { .. } | IrKind::Lazy { .. } | IrKind::Slot(_), _) => {
                return AssignTarget::Unknown;
            }
            _ => return AssignTarget::None,
        };
        if values[usize::from(var.0)].is_none() { AssignTarget::Free(var) } else { AssignTarget::None }
    }

    /// Gives a variable a value until it is taken back.
    fn give(&mut self, var: VarIdx, value: Value<'r>) {
        match self.making.mode {
            Mode::Init => self.state[usize::from(var.0)] = Some(value),
            Mode::Next => self.next[usize::from(var.0)] = Some(value),
        }
        self.making.n_missing -= 1;
        self.making.given.push(var);
    }

    /// Takes back the values given since `mark`.
    fn take_back(&mut self, mark: usize) {
        while self.making.given.len() > mark {
            let Some(var) = self.making.given.pop() else { return };
            match self.making.mode {
                Mode::Init => self.state[usize::from(var.0)] = None,
                Mode::Next => self.next[usize::from(var.0)] = None,
            }
            self.making.n_missing += 1;
        }
    }

    fn give_unchanged(&mut self, vars: &[VarIdx], span: diag::Span) -> Evaluated<Direct> {
        for &var in vars {
            let index = usize::from(var.0);
            let Some(value) = self.state[index] else {
                return Err(super::Fault::new(FaultKind::Unassigned { variable: var, next: false }, span));
            };
            match self.next[index] {
                None => self.give(var, value),
                Some(next) => {
                    if !ops::equal(self, next, value).at(span)? {
                        return Ok(Direct::Fails);
                    }
                }
            }
        }
        Ok(Direct::Holds)
    }

    /// Handles the boundary between conjuncts.
    fn walk_rest(&mut self, items: &[IrId], then: Then<'_, 'p, 'r>) -> Evaluated<Flow> {
        if self.making.n_missing > 0 {
            return self.walk_and(items, then);
        }
        for (index, &item) in items.iter().enumerate() {
            if !self.eval_bool(item)? {
                self.miss(item, index);
                return Ok(Flow::Continue);
            }
        }
        then(self)
    }
}
