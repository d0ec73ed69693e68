//! Evaluates once whatever stays the same while a quantifier tries elements.
//!
//! In `\E n \in S : p(log[i], n)` the value of `log[i]` does not depend on `n`. Its code keeps it for the *extent* of
//! the quantifier: from its start until it has its answer, and in the frame of the quantifier alone, so that other
//! calls of the same code, lazy values and recursion have their own. It is evaluated when it is first needed, as it
//! would be otherwise, so that an error occurs at the same place.

use base::{FxHashMap, FxHashSet};
use value::Value;

use super::Machine;
use super::code::{TestCode, ValueCode};
use super::fault::Evaluated;
use crate::ir::{Bound, CallArg, IrId, IrKind, Program};

/// The extent of a quantifier. Its index is the number in the quantifier's code.
#[derive(Clone, Copy, Default)]
pub(super) struct Extent {
    /// A number that is different each time the extent begins; 0 when it is not active.
    epoch: u64,
    base: usize,
}

/// A value kept in an extent.
#[derive(Clone, Copy)]
pub(super) struct KeptValue<'r> {
    epoch: u64,
    value: Value<'r>,
}

/// Returns the largest parts of the body of a quantifier that do not depend on the names bound there and are worth
/// keeping.
pub(super) fn settled_parts(program: &Program, bounds: &[Bound], body: IrId) -> Vec<IrId> {
    let mut names: FxHashSet<u16> = FxHashSet::default();
    for bound in bounds {
        names.extend(bound.pattern.slots());
    }
    let mut finder = SettledFinder { program, names, known: FxHashMap::default(), found: Vec::new() };
    if !finder.bind_all(body) {
        return Vec::new();
    }
    let mut seen = FxHashSet::default();
    finder.visit(body, &mut seen);
    finder.found
}

/// Returns the conjuncts that the body of a quantifier begins with and that do not depend on the names bound there: they
/// are the same for every element.
pub fn settled_beginning(program: &Program, bounds: &[Bound], body: IrId) -> Vec<IrId> {
    let names = bounds.iter().flat_map(|bound| bound.pattern.slots()).copied().collect();
    let mut finder = SettledFinder { program, names, known: FxHashMap::default(), found: Vec::new() };
    if finder.bind_all(body) {
        finder.begin(body);
    }
    finder.found
}

struct SettledFinder<'p> {
    program: &'p Program,
    /// Every slot that the quantifier or something in its body binds.
    names: FxHashSet<u16>,
    /// Whether a node depends on none of them.
    known: FxHashMap<IrId, bool>,
    found: Vec<IrId>,
}

impl SettledFinder<'_> {
    /// Adds the names that are bound in the body. Returns `false` if something in it is about another state.
    fn bind_all(&mut self, body: IrId) -> bool {
        let mut seen = FxHashSet::from_iter([body]);
        let mut todo = vec![body];
        while let Some(id) = todo.pop() {
            let kind = &self.program.irs[id].kind;
            if matches!(kind, IrKind::Enabled { .. } | IrKind::Cdot(..)) {
                return false;
            }
            kind.for_each_bound_slot(&mut |slot| {
                self.names.insert(slot);
            });
            kind.for_each_child(&mut |child| {
                if seen.insert(child) {
                    todo.push(child);
                }
            });
        }
        true
    }

    /// Collects the conjuncts that a formula begins with and that are settled. Returns whether that is all of it.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is a conjunct")]
    fn begin(&mut self, id: IrId) -> bool {
        let program = self.program;
        match &program.irs[id].kind {
            IrKind::And(items) => items.iter().all(|&item| base::with_stack(|| self.begin(item))),
            IrKind::Enter { body, .. } | IrKind::Bind { body, .. } => self.begin(*body),
            _ => {
                let is_settled = self.is_settled(id);
                if is_settled {
                    self.found.push(id);
                }
                is_settled
            }
        }
    }

    fn visit(&mut self, id: IrId, seen: &mut FxHashSet<IrId>) {
        if !seen.insert(id) {
            return;
        }
        let kind = &self.program.irs[id].kind;
        if is_worth_keeping(kind) && self.is_settled(id) {
            self.found.push(id);
            return;
        }
        // Values of another frame are not kept here.
        if matches!(kind, IrKind::Lazy { up: 1.., .. }) {
            return;
        }
        let mut children = Vec::new();
        kind.for_each_child(&mut |child| children.push(child));
        for child in children {
            base::with_stack(|| self.visit(child, seen));
        }
    }

    fn is_settled(&mut self, id: IrId) -> bool {
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        let is_settled = base::with_stack(|| self.find_settled(id));
        self.known.insert(id, is_settled);
        is_settled
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "of every other node the parts decide")]
    fn find_settled(&mut self, id: IrId) -> bool {
        let node = &self.program.irs[id];
        if node.facts.impure || node.facts.dynamic {
            return false;
        }
        let is_plain = |arg: &CallArg| matches!(arg, CallArg::Expr(_));
        match &node.kind {
            IrKind::Slot(slot) => slot.up > 0 || !self.names.contains(&slot.index),
            IrKind::Lazy { up: 1.., .. } => true,
            IrKind::Call { .. } | IrKind::CallParam { .. } | IrKind::Fail(_) => false,
            IrKind::Native { args, .. } if !args.iter().all(is_plain) => false,
            kind => {
                let mut children = Vec::new();
                kind.for_each_child(&mut |child| children.push(child));
                children.into_iter().all(|child| self.is_settled(child))
            }
        }
    }
}

/// Whether evaluating a node takes longer than looking up the kept value.
fn is_worth_keeping(kind: &IrKind) -> bool {
    matches!(
        kind,
        IrKind::FnApply { .. }
            | IrKind::Field { .. }
            | IrKind::Native { .. }
            | IrKind::Cup(..)
            | IrKind::Cap(..)
            | IrKind::SetMinus(..)
            | IrKind::Domain(_)
            | IrKind::Choose { .. }
            | IrKind::Record { .. }
            | IrKind::SetEnum(_)
    )
}

/// Returns the code of a part that is kept at `place` in the extent.
pub(super) fn keep_in_extent(extent: usize, place: usize, code: ValueCode) -> ValueCode {
    std::sync::Arc::new(move |machine| match machine.epoch(extent) {
        Some(epoch) => machine.keep(epoch, place, &code),
        None => code(machine),
    })
}

/// Returns the code of a quantifier with an extent.
pub(super) fn with_extent(extent: usize, code: TestCode) -> TestCode {
    TestCode::new(move |machine| {
        let outer = machine.begin(extent);
        let holds = code.holds(machine);
        machine.extent.extents[extent] = outer;
        holds
    })
}

impl<'r> Machine<'_, 'r> {
    /// Begins an extent anew, and returns the previous one, to be put back.
    fn begin(&mut self, extent: usize) -> Extent {
        if self.extent.extents.len() <= extent {
            self.extent.extents.resize(extent + 1, Extent::default());
        }
        self.extent.n_extents += 1;
        let begun = Extent { epoch: self.extent.n_extents, base: self.frame.base };
        std::mem::replace(&mut self.extent.extents[extent], begun)
    }

    /// Returns the epoch of an extent that is active in this very frame.
    #[inline]
    fn epoch(&self, extent: usize) -> Option<u64> {
        let extent = self.extent.extents.get(extent)?;
        (extent.epoch > 0 && extent.base == self.frame.base).then_some(extent.epoch)
    }

    #[inline]
    fn keep(&mut self, epoch: u64, place: usize, code: &ValueCode) -> Evaluated<Value<'r>> {
        if let Some(kept) = self.extent.kept.get(place)
            && kept.epoch == epoch
        {
            return Ok(kept.value);
        }
        let value = code(self)?;
        if self.extent.kept.len() <= place {
            self.extent.kept.resize(place + 1, KeptValue { epoch: 0, value: Value::FALSE });
        }
        self.extent.kept[place] = KeptValue { epoch, value };
        Ok(value)
    }
}
