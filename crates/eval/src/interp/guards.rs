//! Finds the conjuncts of `\E x \in S : p /\ q(x)` that can be evaluated before elements of S are tried.
//!
//! If p is FALSE, no element makes the whole TRUE, however many there are. In `\E x, y \in S : p(x) /\ q(x, y)` only
//! the elements with p(x) are worth trying with each y. The answer stays that of trying everything in order, errors
//! included: a conjunct is evaluated ahead only if those before it were, or cannot fail, and if evaluating it fails,
//! nothing is left out.

use base::FxHashSet;
use sema::std_ops::StdOp;
use value::{Value, ValueVec};

use super::fault::Evaluated;
use super::{Flow, Machine, Slot};
use crate::ir::{Bound, CallArg, Ir, IrId, IrKind, Memo, Pattern, Program, SlotRef};

/// Number of bindings below which evaluating guards ahead does not pay.
const BINDINGS_MIN: usize = 16;

/// Number of bindings below which it does not pay to evaluate a guard for each element of a set: the first element
/// tried may do.
const BINDINGS_MIN_FOR_ONE: usize = 256;

/// A conjunct that is evaluated ahead of the others.
struct Guard {
    test: IrId,
    /// The definitions around it, whose memos are emptied before it is evaluated.
    memos: Box<[Memo]>,
    /// The one name that it depends on, if it depends on one.
    name: Option<usize>,
    /// The other slots of a frame that it reads: parameters, and names bound around it.
    others: Box<[SlotRef]>,
}

/// The conjuncts that can be evaluated ahead, in order.
#[derive(Default)]
pub(super) struct Guards(Box<[Guard]>);

/// The context of `\E`: its conjuncts are only tested, or may give values to variables of the next state.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ExistsContext {
    Formula,
    Action,
}

impl Guards {
    pub fn of(program: &Program, bounds: &[Bound], body: IrId, place: ExistsContext) -> Guards {
        let mut names = Vec::new();
        let mut ints = Vec::new();
        for bound in bounds {
            let Pattern::Names(slots) = &bound.pattern else { return Guards::default() };
            names.extend_from_slice(slots);
            if is_interval(program, bound.set) {
                ints.extend_from_slice(slots);
            }
        }
        let mut finder = GuardFinder { program, names, ints, place, memos: Vec::new(), guards: Vec::new() };
        finder.visit(body);
        Guards(finder.guards.into())
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

struct GuardFinder<'p> {
    program: &'p Program,
    /// The slots of the names.
    names: Vec<u16>,
    /// The slots of the names that are integers.
    ints: Vec<u16>,
    place: ExistsContext,
    memos: Vec<Memo>,
    guards: Vec<Guard>,
}

/// The names that an expression depends on.
enum Dependence {
    None,
    One(usize),
    /// Several names, or unknown, or it must not be evaluated ahead.
    More,
}

impl GuardFinder<'_> {
    /// Examines a conjunct. Returns whether the conjuncts after it may be evaluated ahead too.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is one conjunct")]
    fn visit(&mut self, id: IrId) -> bool {
        let program = self.program;
        match &program.irs[id].kind {
            IrKind::And(items) => items.iter().all(|&item| base::with_stack(|| self.visit(item))),
            IrKind::Enter { body, .. } | IrKind::Lazy { up: 0, memo: None, expr: body } => {
                base::with_stack(|| self.visit(*body))
            }
            IrKind::Bind { memos, body } => {
                let n_before = self.memos.len();
                self.memos.extend_from_slice(memos);
                let goes_on = base::with_stack(|| self.visit(*body));
                self.memos.truncate(n_before);
                goes_on
            }
            _ => self.conjunct(id),
        }
    }

    fn conjunct(&mut self, id: IrId) -> bool {
        if self.place == ExistsContext::Action && !self.is_tested(id) {
            return self.cannot_fail(id);
        }
        let mut others = Vec::new();
        let name = match self.dependence(id, &mut others) {
            Dependence::None => None,
            // It is the only name, so evaluating the guard is the same as trying the element.
            Dependence::One(_) if self.names.len() == 1 => return self.cannot_fail(id),
            Dependence::One(index) => Some(index),
            Dependence::More => return self.cannot_fail(id),
        };
        self.guards.push(Guard {
            test: id,
            memos: self.memos.as_slice().into(),
            name,
            others: others.into(),
        });
        true
    }

    /// Whether a walk through an action only tests whether a conjunct is TRUE. A walk takes several ways through other
    /// conjuncts, such as disjunctions, and goes back to the next way where a later conjunct is FALSE. An error then
    /// differs from the error of evaluating the conjunct once.
    fn is_tested(&self, id: IrId) -> bool {
        use IrKind::{Eq, In, Native, Neq, Not, NotIn, SubsetEq};
        let kind = &self.program.irs[id].kind;
        matches!(kind, Eq(..) | Neq(..) | In(..) | NotIn(..) | SubsetEq(..) | Not(_) | Native { .. })
    }

    /// Returns the names that an expression depends on. `others` gets the other slots of a frame that it reads.
    fn dependence(&self, root: IrId, others: &mut Vec<SlotRef>) -> Dependence {
        let mut found = Dependence::None;
        let mut seen = FxHashSet::from_iter([(root, false)]);
        let mut todo = vec![(root, false)];
        while let Some((id, is_elsewhere)) = todo.pop() {
            let node = &self.program.irs[id];
            let Some(slot) = self.read_of(node, is_elsewhere) else { return Dependence::More };
            let name =
                slot.and_then(|slot| self.names.iter().position(|&name| slot.up == 0 && name == slot.index));
            others.extend(slot.filter(|_| name.is_none()));
            found = match (found, name) {
                (found, None) => found,
                (Dependence::None, Some(name)) => Dependence::One(name),
                (Dependence::One(before), Some(name)) if before == name => Dependence::One(name),
                (_, Some(_)) => return Dependence::More,
            };
            let is_outside = matches!(node.kind, IrKind::Lazy { up: 1.., .. });
            let mut next = Vec::new();
            node.kind.for_each_child(&mut |child| next.push((child, is_elsewhere || is_outside)));
            node.kind.for_each_func(&mut |func| next.push((self.program.funcs[func].body, true)));
            todo.extend(next.into_iter().filter(|&part| seen.insert(part)));
        }
        found
    }

    /// Returns the slot of the frame of `\E` that a node itself reads, if it reads one. Returns `None` if the node must
    /// not be evaluated ahead, or cannot be followed: `is_elsewhere` tells that it belongs to another frame.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the other kinds read none")]
    fn read_of(&self, node: &Ir, is_elsewhere: bool) -> Option<Option<SlotRef>> {
        let facts = node.facts;
        if facts.impure || facts.dynamic || facts.reads_next && self.place == ExistsContext::Action {
            return None;
        }
        if node.kind.call_args().iter().any(|arg| matches!(arg, CallArg::Param(_))) {
            return None;
        }
        match &node.kind {
            IrKind::Slot(slot) if is_elsewhere => (slot.up == 0).then_some(None),
            IrKind::Lazy { up: 1.., .. } if is_elsewhere => None,
            IrKind::Slot(slot) => Some(Some(*slot)),
            IrKind::CallParam { .. } | IrKind::Fail(_) | IrKind::Cdot(..) | IrKind::Enabled { .. } => None,
            _ => Some(None),
        }
    }

    /// Whether a formula is TRUE or FALSE for any bindings of the names, and has no effect.
    #[expect(clippy::wildcard_enum_match_arm, reason = "of every other node it is not known")]
    fn cannot_fail(&self, id: IrId) -> bool {
        match &self.program.irs[id].kind {
            IrKind::Eq(a, b) | IrKind::Neq(a, b) => self.is_int(*a) && self.is_int(*b),
            IrKind::Native { op: StdOp::Lt | StdOp::Gt | StdOp::Leq | StdOp::Geq, args } => {
                self.are_ints(args)
            }
            IrKind::Not(a) => self.cannot_fail(*a),
            _ => false,
        }
    }

    fn are_ints(&self, args: &[CallArg]) -> bool {
        args.iter().all(|arg| match arg {
            CallArg::Expr(expr) => self.is_int(*expr),
            CallArg::Func(_) | CallArg::Param(_) => false,
        })
    }

    /// Whether an expression certainly has a value that is an integer.
    #[expect(clippy::wildcard_enum_match_arm, reason = "of every other node it is not known")]
    fn is_int(&self, id: IrId) -> bool {
        match &self.program.irs[skip_wrappers(self.program, id)].kind {
            IrKind::Const(constant) => constant.get().as_small().is_some(),
            IrKind::Slot(slot) => slot.up == 0 && self.ints.contains(&slot.index),
            IrKind::FnApply { function, arg } => self.is_part_of_ints(*function, *arg),
            IrKind::Native { op: StdOp::Plus | StdOp::Minus, args } => self.are_ints(args),
            _ => false,
        }
    }

    /// Whether an expression is like `<<a, b>>[1]`.
    fn is_part_of_ints(&self, function: IrId, arg: IrId) -> bool {
        let irs = &self.program.irs;
        let (IrKind::Tuple(items), IrKind::Const(index)) =
            (&irs[skip_wrappers(self.program, function)].kind, &irs[skip_wrappers(self.program, arg)].kind)
        else {
            return false;
        };
        let is_inside = index.get().as_small().is_some_and(|index| (1..=items.len() as i64).contains(&index));
        is_inside && items.iter().all(|&item| self.is_int(item))
    }
}

/// Returns the node that an argument or a definition stands for.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else stands for another node")]
fn skip_wrappers(program: &Program, id: IrId) -> IrId {
    match &program.irs[id].kind {
        IrKind::Lazy { up: 0, expr: body, .. } | IrKind::Enter { body, .. } | IrKind::Bind { body, .. } => {
            skip_wrappers(program, *body)
        }
        _ => id,
    }
}

fn is_interval(program: &Program, set: IrId) -> bool {
    matches!(program.irs[skip_wrappers(program, set)].kind, IrKind::Native { op: StdOp::Interval, .. })
}

impl<'r> Machine<'_, 'r> {
    /// Evaluates the guards ahead. Stops if no way to bind the names is left. Otherwise elements that lead nowhere are
    /// removed from `sets`, the slots of the names and their sets.
    pub(super) fn narrow(&mut self, guards: &Guards, sets: &mut [(u16, Value<'r>)]) -> Flow {
        let n_ways = if guards.is_empty() { 0 } else { n_bindings(sets) };
        if n_ways < BINDINGS_MIN {
            return Flow::Continue;
        }
        for guard in &guards.0 {
            // An expression passed by need must be walked each time: it may have several ways, or effects.
            if guard.others.iter().any(|&slot| matches!(self.slots[self.place(slot)], Slot::Thunk { .. })) {
                return Flow::Continue;
            }
            let left = match guard.name {
                None => self.ask(guard).map(usize::from),
                Some(index) if n_ways >= BINDINGS_MIN_FOR_ONE => self.keep_elements(guard, &mut sets[index]),
                Some(_) => return Flow::Continue,
            };
            match left {
                Ok(0) => return Flow::Stop,
                Ok(_) => {}
                // The guard may never be reached. If it is, trying the elements fails in the same way.
                Err(_) => return Flow::Continue,
            }
        }
        Flow::Continue
    }

    fn ask(&mut self, guard: &Guard) -> Evaluated<bool> {
        self.reset(&guard.memos, false);
        let (call_depth, mark) = (self.call_depth, self.trail.len());
        let holds = self.eval_bool(guard.test);
        self.call_depth = call_depth;
        // Nothing of it stays, so that trying the elements starts as if the guard had never been evaluated.
        self.undo(mark);
        holds
    }

    /// Keeps the elements of a set for which the guard holds, and returns their number.
    fn keep_elements(&mut self, guard: &Guard, (slot, set): &mut (u16, Value<'r>)) -> Evaluated<usize> {
        let (slot, span) = (*slot, self.span(guard.test));
        let mut kept = ValueVec::new(self.region);
        self.for_each_element(*set, span, |machine, element| {
            machine.set_slot(slot, element);
            if machine.ask(guard)? {
                kept.push(element);
            }
            Ok(Flow::Continue)
        })?;
        let n_kept = kept.len();
        *set = kept.into_normal_set();
        Ok(n_kept)
    }
}

/// Returns the number of ways to bind the names, or 0 if it is not known at once.
fn n_bindings(sets: &[(u16, Value<'_>)]) -> usize {
    let size = |set: Value<'_>| match (set.as_normal_set(), set.as_interval()) {
        (Some(items), _) => items.len(),
        (None, Some((first, last))) => {
            usize::try_from(last.saturating_sub(first).saturating_add(1)).unwrap_or(0)
        }
        (None, None) => 0,
    };
    sets.iter().fold(1, |product, &(_, set)| product.saturating_mul(size(set)))
}
