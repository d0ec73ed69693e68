//! Reads and rewrites nodes part by part. This is the only place that knows where the parts of a node are.

use crate::ir::{Bound, CallArg, Facts, FuncId, IrId, IrKind, PathStep, Pattern};

impl Facts {
    #[must_use]
    pub fn or(self, other: Facts) -> Facts {
        Facts {
            reads_state: self.reads_state | other.reads_state,
            reads_next: self.reads_next | other.reads_next,
            impure: self.impure | other.impure,
            unrepeatable: self.unrepeatable | other.unrepeatable,
            dynamic: self.dynamic | other.dynamic,
        }
    }
}

impl IrKind {
    /// Calls `visit` with each node directly below, in the order of evaluation. The memos of a [`IrKind::Bind`] count;
    /// functions that are called or passed do not.
    pub fn for_each_child(&self, visit: &mut impl FnMut(IrId)) {
        // One traversal serves both. The copy is cheap next to the walk, and saves writing it twice.
        self.clone().for_each_child_mut(&mut |child| visit(*child));
    }

    /// Calls `visit` with a mutable reference to each node directly below, in the order of evaluation.
    #[expect(clippy::too_many_lines, reason = "one arm per kind of node")]
    pub fn for_each_child_mut(&mut self, visit: &mut impl FnMut(&mut IrId)) {
        match self {
            IrKind::Const(_)
            | IrKind::Global(_)
            | IrKind::Var(_)
            | IrKind::Next(_)
            | IrKind::Slot(_)
            | IrKind::Fail(_) => {}
            IrKind::Lazy { expr: child, .. }
            | IrKind::Enter { body: child, .. }
            | IrKind::Not(child)
            | IrKind::PowerSet(child)
            | IrKind::BigUnion(child)
            | IrKind::Domain(child)
            | IrKind::Field { record: child, .. }
            | IrKind::Enabled { action: child, .. } => visit(child),
            IrKind::Bind { memos, body } => {
                memos.iter_mut().for_each(|memo| visit(&mut memo.expr));
                visit(body);
            }
            IrKind::And(items)
            | IrKind::Or(items)
            | IrKind::Tuple(items)
            | IrKind::Product(items)
            | IrKind::SetEnum(items)
            | IrKind::Record { values: items, .. }
            | IrKind::RecordSet { sets: items, .. }
            | IrKind::Table { args: items, .. } => items.iter_mut().for_each(visit),
            IrKind::Implies(a, b)
            | IrKind::Equiv(a, b)
            | IrKind::Eq(a, b)
            | IrKind::Neq(a, b)
            | IrKind::In(a, b)
            | IrKind::NotIn(a, b)
            | IrKind::SubsetEq(a, b)
            | IrKind::Cup(a, b)
            | IrKind::Cap(a, b)
            | IrKind::SetMinus(a, b)
            | IrKind::Cdot(a, b)
            | IrKind::FunctionSet { domain: a, range: b }
            | IrKind::FnApply { function: a, arg: b }
            | IrKind::Unchanged { current: a, next: b, .. }
            | IrKind::Step { action: a, unchanged: b, .. } => [a, b].into_iter().for_each(visit),
            IrKind::If { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().for_each(visit);
            }
            IrKind::Case { arms, other } => {
                for (guard, value) in arms {
                    visit(guard);
                    visit(value);
                }
                other.iter_mut().for_each(visit);
            }
            IrKind::Quantified { bounds, body, .. }
            | IrKind::SetMap { body, bounds }
            | IrKind::Function { bounds, body, .. } => {
                bounds.iter_mut().for_each(|bound| visit(&mut bound.set));
                visit(body);
            }
            IrKind::Choose { bound, body } | IrKind::SetFilter { bound, predicate: body, .. } => {
                visit(&mut bound.set);
                visit(body);
            }
            IrKind::Except { base, updates } => {
                visit(base);
                for update in updates {
                    for step in &mut update.path {
                        match step {
                            PathStep::Field(_) => {}
                            PathStep::Index(index) => visit(index),
                        }
                    }
                    visit(&mut update.value);
                }
            }
            IrKind::Call { args, .. } | IrKind::CallParam { args, .. } | IrKind::Native { args, .. } => {
                for arg in args {
                    match arg {
                        CallArg::Expr(expr) => visit(expr),
                        CallArg::Func(_) | CallArg::Param(_) => {}
                    }
                }
            }
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the other kinds have none")]
    pub(crate) fn call_args(&self) -> &[CallArg] {
        match self {
            IrKind::Call { args, .. } | IrKind::CallParam { args, .. } | IrKind::Native { args, .. } => args,
            _ => &[],
        }
    }

    /// Calls `visit` with the functions that are called or passed right here.
    pub fn for_each_func(&self, visit: &mut impl FnMut(FuncId)) {
        if let IrKind::Call { func, .. } = self {
            visit(*func);
        }
        for arg in self.call_args() {
            match arg {
                CallArg::Func(func) => visit(*func),
                CallArg::Expr(_) | CallArg::Param(_) => {}
            }
        }
    }

    /// Calls `visit` with each argument that is given right here.
    pub fn for_each_passed(&self, visit: &mut impl FnMut(CallArg)) {
        self.call_args().iter().copied().for_each(visit);
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the other kinds have none")]
    pub(crate) fn bounds(&self) -> &[Bound] {
        match self {
            IrKind::Quantified { bounds, .. }
            | IrKind::SetMap { bounds, .. }
            | IrKind::Function { bounds, .. } => bounds,
            IrKind::Choose { bound, .. } | IrKind::SetFilter { bound, .. } => std::slice::from_ref(bound),
            _ => &[],
        }
    }

    /// Calls `visit` with the slots of the current frame that are bound right here, except memo slots.
    pub fn for_each_bound_slot(&self, visit: &mut impl FnMut(u16)) {
        for bound in self.bounds() {
            match &bound.pattern {
                Pattern::Names(slots) | Pattern::Tuple(slots) => slots.iter().copied().for_each(&mut *visit),
            }
        }
        if let IrKind::Except { updates, .. } = self {
            updates.iter().for_each(|update| visit(update.at));
        }
        if let IrKind::Function { itself: Some(slot), .. } = self {
            visit(*slot);
        }
    }

    /// Calls `visit` with every slot of the current frame that is named right here.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the other kinds name none")]
    pub fn for_each_slot(&self, visit: &mut impl FnMut(u16)) {
        self.for_each_bound_slot(visit);
        match self {
            IrKind::Slot(slot) | IrKind::CallParam { slot, .. } if slot.up == 0 => visit(slot.index),
            IrKind::Lazy { up: 0, memo: Some(slot), .. } => visit(*slot),
            IrKind::Bind { memos, .. } => memos.iter().for_each(|memo| visit(memo.slot)),
            _ => {}
        }
        for arg in self.call_args() {
            match arg {
                CallArg::Param(slot) if slot.up == 0 => visit(slot.index),
                CallArg::Param(_) | CallArg::Expr(_) | CallArg::Func(_) => {}
            }
        }
    }
}
