//! VIEW under SYMMETRY: what a state is compared by.
//!
//! The key of a state is a representative of the views of all its permutations. Two states have one key if and only if
//! some permutation of one has the view of some permutation of the other, so the key does not depend on what the VIEW
//! leaves out. TLC: permutes the state first, by the order of all its variables; where the VIEW leaves some out, it may
//! keep several states of which one would do.
//!
//! Most views commute with permutations: a permuted state has the permuted view. Then the view is evaluated once and
//! its value is permuted. Where that cannot be told from the text, each permuted state is evaluated.

use eval::interp::{At, Evaluated, Machine};
use eval::ir::{IrKind, Root};
use model::coverage::reach::reachable;
use sema::std_ops::StdOp;
use value::{Atom, Ground, OpResult, Value, View, ops};

use super::group::Graph;
use super::permute::permute;
use super::{Group, Memo, OrbitPart, Symmetry};

impl Symmetry {
    /// The key of the state with these values, which are explicit, under `view`.
    pub fn settle_view<'r>(
        &self,
        machine: &mut Machine<'_, 'r>,
        memo: &mut Memo,
        view: Root,
        values: &[Value<'r>],
    ) -> Evaluated<Value<'r>> {
        if let Group::All(permutations) = &self.group
            && !self.view_commutes
        {
            return permutations.least_view(machine, view, values);
        }
        let seen = view_of(machine, view, values)?;
        let Some(items) = seen.as_sequence() else {
            let mut parts = [OrbitPart::find(seen)];
            self.settle(machine, memo, &mut parts).at(view.span)?;
            return Ok(parts[0].value());
        };
        // PERF: a view is nearly always a tuple of variables, and more is known of each than of the tuple.
        let mut parts: Vec<OrbitPart<'r>> = items.iter().map(OrbitPart::find).collect();
        self.settle(machine, memo, &mut parts).at(view.span)?;
        let settled: Vec<Value<'r>> = parts.iter().map(|part| part.value()).collect();
        let tuple = machine.region().sequence(&settled);
        Ok(Ground::new(machine, tuple).at(view.span)?.value())
    }
}

/// The value of the VIEW in a state, explicit.
pub(super) fn view_of<'r>(
    machine: &mut Machine<'_, 'r>,
    view: Root,
    values: &[Value<'r>],
) -> Evaluated<Value<'r>> {
    let seen = machine.with_state(values, |machine| machine.eval_root(view))?;
    Ok(Ground::new(machine, seen).at(view.span)?.value())
}

/// Whether the view of a permuted state is the permuted view, as far as the text tells.
pub(super) fn commutes(machine: &mut Machine<'_, '_>, view: Root, graphs: &[Graph]) -> bool {
    let program = machine.program();
    let facts = program.irs[view.expr].facts;
    if facts.impure || facts.dynamic || facts.reads_next {
        return false;
    }
    let nodes = reachable(program, [view.expr]);
    nodes.into_iter().all(|id| match &program.irs[id].kind {
        IrKind::Const(constant) => is_fixed(machine, constant.get(), graphs),
        IrKind::Global(global) => machine.global(*global).is_ok_and(|value| is_fixed(machine, value, graphs)),
        IrKind::Native { op, .. } => is_blind(*op),
        // Which element is chosen depends on the order of model values; a table names them.
        IrKind::Choose { .. } | IrKind::Table { .. } => false,
        IrKind::Next(_) | IrKind::Unchanged { .. } | IrKind::Step { .. } => false,
        IrKind::Enabled { .. } | IrKind::Cdot(..) => false,
        IrKind::Var(_) | IrKind::Slot(_) | IrKind::Lazy { .. } | IrKind::Bind { .. } => true,
        IrKind::Enter { .. } | IrKind::And(_) | IrKind::Or(_) | IrKind::Not(_) => true,
        IrKind::Implies(..) | IrKind::Equiv(..) | IrKind::If { .. } | IrKind::Case { .. } => true,
        IrKind::Quantified { .. } | IrKind::Eq(..) | IrKind::Neq(..) | IrKind::In(..) => true,
        IrKind::NotIn(..) | IrKind::SubsetEq(..) | IrKind::Cup(..) | IrKind::Cap(..) => true,
        IrKind::SetMinus(..) | IrKind::PowerSet(_) | IrKind::BigUnion(_) | IrKind::Domain(_) => true,
        IrKind::Tuple(_) | IrKind::Product(_) | IrKind::SetEnum(_) | IrKind::SetFilter { .. } => true,
        IrKind::SetMap { .. } | IrKind::Function { .. } | IrKind::FunctionSet { .. } => true,
        IrKind::FnApply { .. } | IrKind::Record { .. } | IrKind::RecordSet { .. } => true,
        IrKind::Field { .. } | IrKind::Except { .. } | IrKind::Call { .. } => true,
        IrKind::CallParam { .. } | IrKind::Fail(_) => true,
    })
}

/// Whether no permutation changes a constant. Of a value that is neither explicit nor a set of numbers or strings
/// nothing is said.
fn is_fixed<'r>(machine: &mut Machine<'_, 'r>, value: Value<'r>, graphs: &[Graph]) -> bool {
    if Ground::opt(value).is_none() {
        return matches!(value.view(), View::Naturals | View::Integers | View::Reals | View::Strings);
    }
    let mut is_fixed_by = |graph: &Graph| -> OpResult<bool> {
        let image = |atom: Atom| graph.iter().find(|(from, _)| *from == atom).map(|&(_, to)| to);
        let permuted = permute(machine, &image, value)?;
        ops::equal(machine, permuted, value)
    };
    graphs.iter().all(|graph| is_fixed_by(graph).unwrap_or(false))
}

/// Whether a standard operator is known to treat all model values alike. Of all others nothing is said.
fn is_blind(op: StdOp) -> bool {
    matches!(
        op,
        StdOp::Nat
            | StdOp::Int
            | StdOp::Plus
            | StdOp::Minus
            | StdOp::Times
            | StdOp::Power
            | StdOp::Lt
            | StdOp::Gt
            | StdOp::Leq
            | StdOp::Geq
            | StdOp::Mod
            | StdOp::Div
            | StdOp::Interval
            | StdOp::Neg
            | StdOp::Len
            | StdOp::Concat
            | StdOp::Append
            | StdOp::Head
            | StdOp::Tail
            | StdOp::SubSeq
            | StdOp::SelectSeq
            | StdOp::IsFiniteSet
            | StdOp::Cardinality
            | StdOp::IsABag
            | StdOp::BagToSet
            | StdOp::SetToBag
            | StdOp::BagIn
            | StdOp::EmptyBag
            | StdOp::BagPlus
            | StdOp::BagMinus
            | StdOp::BagUnion
            | StdOp::BagSubset
            | StdOp::BagCardinality
            | StdOp::CopiesIn
            | StdOp::MapsTo
            | StdOp::Override
            | StdOp::TlcEval
            | StdOp::FoldLeft
            | StdOp::FoldRight
            | StdOp::FoldSeq
            | StdOp::IsPrefix
    )
}
