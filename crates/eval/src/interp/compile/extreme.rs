//! Recognises `CHOOSE x \in S : \A y \in S : x <= y` and similar forms, which express a minimum or maximum. For a set
//! of integers, the element is found without comparing all pairs.

use sema::spec::Quantifier;
use sema::std_ops::StdOp;
use value::Value;

use crate::ir::{Bound, CallArg, IrId, IrKind, Pattern, Program};

/// The least or greatest element of a set of integers.
#[derive(Clone, Copy)]
pub(super) enum Extreme {
    Least,
    Greatest,
}

impl Extreme {
    /// Returns the element of a set of integers that `CHOOSE` with this bound and body chooses, if it is a minimum or
    /// maximum.
    pub fn recognise(program: &Program, bound: &Bound, body: IrId) -> Option<Extreme> {
        let IrKind::Quantified { kind: Quantifier::Forall, bounds, body } = &program.irs[body].kind else {
            return None;
        };
        let [other] = bounds.as_slice() else { return None };
        let (x, y) = (name(bound)?, name(other)?);
        let facts = program.irs[bound.set].facts;
        if source(program, bound.set) != source(program, other.set) || facts.impure || facts.dynamic {
            return None;
        }
        let IrKind::Native { op, args } = &program.irs[*body].kind else { return None };
        let [CallArg::Expr(left), CallArg::Expr(right)] = *args.as_slice() else { return None };
        let sides = (slot(program, left)?, slot(program, right)?);
        if *op == StdOp::Leq && sides == (x, y) || *op == StdOp::Geq && sides == (y, x) {
            return Some(Extreme::Least);
        }
        let is_greatest = *op == StdOp::Geq && sides == (x, y) || *op == StdOp::Leq && sides == (y, x);
        is_greatest.then_some(Extreme::Greatest)
    }

    /// Returns the element, if the set is known to consist of integers and has one.
    pub fn of(self, set: Value<'_>) -> Option<Value<'_>> {
        if let Some((first, last)) = set.as_interval() {
            return Value::opt_int(match self {
                Extreme::Least => first,
                Extreme::Greatest => last,
            });
        }
        let items = set.as_normal_set().filter(|items| items.iter().all(|item| item.as_small().is_some()))?;
        let last = items.len().checked_sub(1)?;
        Some(items.get(match self {
            Extreme::Least => 0,
            Extreme::Greatest => last,
        }))
    }
}

/// Returns the slot of the only name.
fn name(bound: &Bound) -> Option<u16> {
    let Pattern::Names(slots) = &bound.pattern else { return None };
    let [slot] = *slots.as_slice() else { return None };
    Some(slot)
}

/// Returns the node that a definition or an argument stands for.
fn source(program: &Program, set: IrId) -> IrId {
    if let IrKind::Lazy { up: 0, expr, .. } = &program.irs[set].kind { *expr } else { set }
}

/// Returns the slot that a node reads.
fn slot(program: &Program, id: IrId) -> Option<u16> {
    let IrKind::Slot(slot) = &program.irs[id].kind else { return None };
    (slot.up == 0).then_some(slot.index)
}
