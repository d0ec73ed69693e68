//! Counts how often each expression was evaluated, how often it was true, and what it cost, if the caller asks for it.
//!
//! Without that, code is made without any counting. With it, the code of a node counts, and so does the walk of an
//! action. The cost of a node is the number of nodes that were evaluated for it, itself included.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base::Id;

use super::action::Then;
use super::code::{TestCode, ValueCode};
use super::fault::Evaluated;
use super::{Flow, Machine};
use crate::ir::{IrId, IrKind, Program};

/// The counts of one node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeCount {
    pub evaluated: u64,
    /// Number of times that it was TRUE. For an expression that is not a formula, this and `falses` stay 0.
    pub trues: u64,
    pub falses: u64,
    pub cost: u64,
    /// Number of times that the continuation after a part of an action ran. For a whole action, the number of states it
    /// made.
    pub reached: u64,
}

#[derive(Default)]
struct Cell {
    evaluated: AtomicU64,
    trues: AtomicU64,
    falses: AtomicU64,
    cost: AtomicU64,
    reached: AtomicU64,
}

/// The counts of all workers together.
pub(super) struct Counters {
    cells: Vec<Cell>,
}

impl Counters {
    pub fn new(program: &Program) -> Counters {
        Counters { cells: program.irs.iter().map(|_| Cell::default()).collect() }
    }

    pub fn counts(&self) -> Vec<NodeCount> {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let count = |cell: &Cell| NodeCount {
            evaluated: read(&cell.evaluated),
            trues: read(&cell.trues),
            falses: read(&cell.falses),
            cost: read(&cell.cost),
            reached: read(&cell.reached),
        };
        self.cells.iter().map(count).collect()
    }

    fn add(&self, id: IrId, truth: Option<bool>, cost: u64) {
        let cell = &self.cells[id.index()];
        cell.evaluated.fetch_add(1, Ordering::Relaxed);
        cell.cost.fetch_add(cost, Ordering::Relaxed);
        match truth {
            Some(true) => cell.trues.fetch_add(1, Ordering::Relaxed),
            Some(false) => cell.falses.fetch_add(1, Ordering::Relaxed),
            None => 0,
        };
    }
}

/// Whether a node is an expression of its own, and neither only leads to one nor is read at once.
pub fn is_counted(kind: &IrKind) -> bool {
    !matches!(
        kind,
        IrKind::Const(_)
            | IrKind::Global(_)
            | IrKind::Var(_)
            | IrKind::Next(_)
            | IrKind::Slot(_)
            | IrKind::Lazy { .. }
            | IrKind::Bind { .. }
            | IrKind::Enter { .. }
            | IrKind::Fail(_)
    )
}

/// Whether the code for the truth of a node computes its value.
fn is_formula(kind: &IrKind) -> bool {
    matches!(
        kind,
        IrKind::And(_)
            | IrKind::Or(_)
            | IrKind::Not(_)
            | IrKind::Implies(..)
            | IrKind::Equiv(..)
            | IrKind::Quantified { .. }
            | IrKind::Eq(..)
            | IrKind::Neq(..)
            | IrKind::In(..)
            | IrKind::NotIn(..)
            | IrKind::SubsetEq(..)
            | IrKind::Unchanged { .. }
            | IrKind::Step { .. }
            | IrKind::Enabled { .. }
            | IrKind::Cdot(..)
    )
}

/// Returns the code of a node, with counting, unless it is the code for its truth.
pub(super) fn count_value(kind: &IrKind, id: IrId, (code, is_test): (ValueCode, bool)) -> ValueCode {
    if !is_counted(kind) || is_formula(kind) || is_test {
        return code;
    }
    Arc::new(move |machine| {
        let before = machine.watch.n_counted;
        let value = code(machine)?;
        machine.count(id, value.as_bool(), before);
        Ok(value)
    })
}

/// Returns the code for the truth of a node, with counting. `is_own` tells that the code is not that for the value of
/// the node.
pub(super) fn count_test(kind: &IrKind, id: IrId, (code, is_own): (TestCode, bool)) -> TestCode {
    let is_own = is_own || is_formula(kind) || matches!(kind, IrKind::If { .. });
    if !is_counted(kind) || !is_own {
        return code;
    }
    TestCode::new(move |machine| {
        let before = machine.watch.n_counted;
        let holds = code.holds(machine)?;
        machine.count(id, Some(holds), before);
        Ok(holds)
    })
}

impl<'p, 'r> Machine<'p, 'r> {
    /// Counts an evaluation that began when `n_counted` was `before`.
    pub(super) fn count(&mut self, id: IrId, truth: Option<bool>, before: u64) {
        self.watch.n_counted += 1;
        if let Some(counters) = &self.shared.counters {
            counters.add(id, truth, self.watch.n_counted - before);
        }
    }

    /// Counts a part of an action that was done at once, without code of its own, since `n_counted` was `before`.
    pub(super) fn count_done(&mut self, id: IrId, holds: bool, before: u64) {
        if self.watch.is_counting {
            self.count(id, Some(holds), before);
        }
    }

    /// Walks a node and counts it, unless its code does.
    pub(super) fn count_walk(&mut self, id: IrId, then: Then<'_, 'p, 'r>) -> Evaluated<Flow> {
        if !self.is_walked(id) {
            return self.walk_node(id, then);
        }
        let before = self.watch.n_counted;
        // The continuation runs inside, and does not count towards this node.
        let (mut n_reached, mut n_outside) = (0, 0);
        let flow = self.walk_node(id, &mut |machine| {
            n_reached += 1;
            let before_rest = machine.watch.n_counted;
            let flow = then(machine);
            n_outside += machine.watch.n_counted - before_rest;
            flow
        });
        self.count(id, Some(n_reached > 0), before + n_outside);
        self.count_reached(id, n_reached);
        flow
    }

    fn count_reached(&self, id: IrId, n_reached: u64) {
        if let Some(counters) = &self.shared.counters {
            counters.cells[id.index()].reached.fetch_add(n_reached, Ordering::Relaxed);
        }
    }

    /// Counts the states that an action has made, where its node does not.
    pub(super) fn count_states(&mut self, id: IrId, n_states: u64) {
        if !is_counted(&self.program.irs[id].kind) {
            let before = self.watch.n_counted;
            self.count(id, Some(n_states > 0), before);
        }
        if !self.is_walked(id) {
            self.count_reached(id, n_states);
        }
    }

    /// Whether a walk goes into a node instead of evaluating it.
    #[expect(clippy::wildcard_enum_match_arm, reason = "everything else is tested")]
    fn is_walked(&self, id: IrId) -> bool {
        match &self.program.irs[id].kind {
            IrKind::And(_)
            | IrKind::Or(_)
            | IrKind::Quantified { .. }
            | IrKind::If { .. }
            | IrKind::Case { .. }
            | IrKind::Implies(..)
            | IrKind::Call { .. }
            | IrKind::CallParam { .. }
            | IrKind::Step { .. }
            | IrKind::Cdot(..)
            | IrKind::Unchanged { vars: Some(_), .. } => true,
            IrKind::Eq(left, _) | IrKind::In(left, _) | IrKind::SubsetEq(left, _) => {
                self.unassigned_target(*left).is_some()
            }
            _ => false,
        }
    }
}
