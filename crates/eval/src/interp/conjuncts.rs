//! Splits a formula into its conjuncts, each with the variables that it reads.
//!
//! A conjunct that was true of a state is true of its successor if nothing that it reads has changed. A caller that
//! knows that it was true need not evaluate it again.

use std::collections::BTreeSet;

use base::FxHashSet;
use sema::std_ops::StdOp;

use super::fault::{Evaluated, Fault};
use super::{Machine, NO_LINK};
use crate::ir::{CallArg, Facts, FuncId, Ir, IrId, IrKind, Program, Root, VarIdx};
use crate::lower::is_function_of_values;

/// A set of variables. All variables past the 63rd share one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VarSet(u64);

impl VarSet {
    pub const NONE: VarSet = VarSet(0);
    pub const ALL: VarSet = VarSet(u64::MAX);

    /// Returns the set with this variable alone.
    pub fn one(var: VarIdx) -> VarSet {
        VarSet(1 << var.0.min(63))
    }

    #[must_use]
    pub fn with(self, other: VarSet) -> VarSet {
        VarSet(self.0 | other.0)
    }

    /// Returns a bit for each variable.
    pub fn bits(self) -> u64 {
        self.0
    }

    pub fn meets(self, other: VarSet) -> bool {
        self.0 & other.0 != 0
    }
}

/// The conjuncts of a formula that has a frame of its own.
#[derive(Debug)]
pub struct Conjuncts {
    n_slots: u16,
    parts: Vec<Conjunct>,
}

#[derive(Debug)]
struct Conjunct {
    expr: IrId,
    /// The definitions around it, outermost first: nodes of the kind [`IrKind::Enter`].
    way: Vec<IrId>,
    /// The variables that it reads. `None` when variables alone do not determine its value.
    reads: Option<VarSet>,
    /// Whether `TLCGet("level")` alone determines its value.
    is_of_level: bool,
}

impl Conjunct {
    fn is_open(&self, changed: VarSet) -> bool {
        changed == VarSet::ALL || self.reads.is_none_or(|reads| reads.meets(changed))
    }
}

impl Conjuncts {
    pub fn of(program: &Program, root: &Root) -> Conjuncts {
        let mut parts = Vec::new();
        split(program, root.expr, &mut Vec::new(), &mut parts);
        Conjuncts { n_slots: root.n_slots, parts }
    }

    /// Iterates over the conjuncts, each with the variables that it reads, if these determine its value.
    pub fn parts(&self) -> impl Iterator<Item = (IrId, Option<VarSet>)> {
        self.parts.iter().map(|part| (part.expr, part.reads))
    }

    /// Whether the level of the state alone determines the value of the conjunct with this number.
    pub fn is_of_level(&self, part: usize) -> bool {
        self.parts[part].is_of_level
    }

    /// Returns the size of the frame that each conjunct needs.
    pub fn n_slots(&self) -> u16 {
        self.n_slots
    }
}

fn split(program: &Program, id: IrId, way: &mut Vec<IrId>, parts: &mut Vec<Conjunct>) {
    base::with_stack(|| {
        if let IrKind::And(items) = &program.irs[id].kind {
            items.iter().for_each(|&item| split(program, item, way, parts));
        } else if let IrKind::Enter { body, .. } = &program.irs[id].kind {
            way.push(id);
            split(program, *body, way, parts);
            way.pop();
        } else {
            let (reads, is_of_level) = (reads(program, id), is_of_level(program, id));
            parts.push(Conjunct { expr: id, way: way.clone(), reads, is_of_level });
        }
    });
}

/// Whether the level of a state is all that a node asks, and asks about the run alone.
fn is_of_level(program: &Program, root: IrId) -> bool {
    let Facts { dynamic, impure, reads_state, reads_next, .. } = program.irs[root].facts;
    if !dynamic || impure || reads_state || reads_next {
        return false;
    }
    let mut seen = FxHashSet::from_iter([root]);
    let mut todo = vec![root];
    while let Some(id) = todo.pop() {
        let kind = &program.irs[id].kind;
        let mut has_functions = false;
        kind.for_each_func(&mut |_| has_functions = true);
        // No other node asks the run by itself.
        if let IrKind::Native { op, args } = kind
            && !is_function_of_values(*op)
            && (*op != StdOp::TlcGet || !asks_level(program, args))
        {
            return false;
        }
        if has_functions {
            return false;
        }
        kind.for_each_child(&mut |child| {
            if seen.insert(child) {
                todo.push(child);
            }
        });
    }
    true
}

fn asks_level(program: &Program, args: &[CallArg]) -> bool {
    let &[CallArg::Expr(arg)] = args else { return false };
    let IrKind::Const(constant) = &program.irs[arg].kind else { return false };
    constant.get().as_string().is_some_and(|name| name.text() == "level")
}

/// Returns the variables that a node may read in the current state, if these determine its value.
pub fn reads(program: &Program, root: IrId) -> Option<VarSet> {
    let facts = program.irs[root].facts;
    if facts.impure || facts.dynamic || facts.reads_next {
        return None;
    }
    let mut found = VarSet::NONE;
    let mut seen = FxHashSet::from_iter([root]);
    let mut seen_funcs: FxHashSet<FuncId> = FxHashSet::default();
    let mut todo = vec![root];
    while let Some(id) = todo.pop() {
        let Ir { kind, facts, .. } = &program.irs[id];
        if facts.impure || facts.dynamic {
            return None;
        }
        if let IrKind::Var(var) = kind {
            found = found.with(VarSet::one(*var));
        }
        let mut next = Vec::new();
        kind.for_each_child(&mut |child| next.push(child));
        kind.for_each_func(&mut |func| {
            if seen_funcs.insert(func) {
                next.push(program.funcs[func].body);
            }
        });
        todo.extend(next.into_iter().filter(|&child| seen.insert(child)));
    }
    Some(found)
}

/// Returns the numbers of the variables that a formula about a step may read, in the current state and in the next one, if
/// these determine its value.
pub fn step_reads(program: &Program, root: IrId) -> Option<[Vec<usize>; 2]> {
    let (mut current, mut next) = (BTreeSet::new(), BTreeSet::new());
    let mut seen = FxHashSet::from_iter([root]);
    let mut seen_funcs: FxHashSet<FuncId> = FxHashSet::default();
    let mut todo = vec![root];
    while let Some(id) = todo.pop() {
        let Ir { kind, facts, .. } = &program.irs[id];
        if facts.impure || facts.dynamic {
            return None;
        }
        let index = |var: &VarIdx| usize::from(var.0);
        #[expect(clippy::wildcard_enum_match_arm, reason = "every other node reads what is below it")]
        match kind {
            IrKind::Var(var) => current.extend([index(var)]),
            IrKind::Next(var) => next.extend([index(var)]),
            IrKind::Unchanged { vars: Some(vars), .. } => {
                current.extend(vars.iter().map(index));
                next.extend(vars.iter().map(index));
            }
            IrKind::Enabled { .. } | IrKind::Cdot(..) => return None,
            _ => {}
        }
        let mut below = Vec::new();
        kind.for_each_child(&mut |child| below.push(child));
        kind.for_each_func(&mut |func| {
            if seen_funcs.insert(func) {
                below.push(program.funcs[func].body);
            }
        });
        todo.extend(below.into_iter().filter(|&child| seen.insert(child)));
    }
    Some([current, next].map(|read| read.into_iter().collect()))
}

impl Machine<'_, '_> {
    /// Returns the variables whose next value is not identical to the current one.
    pub fn changed_variables(&self) -> VarSet {
        let pairs = self.state.iter().zip(&self.next).enumerate();
        pairs.fold(VarSet::NONE, |changed, (index, (old, new))| match (old, new) {
            (Some(old), Some(new)) if old.is_same(*new) => changed,
            (_, _) => changed.with(VarSet::one(VarIdx(index as u16))),
        })
    }

    /// Whether all conjuncts hold that may have become false, if only these variables have changed since they held.
    pub fn hold(&mut self, conjuncts: &Conjuncts, changed: VarSet) -> Evaluated<bool> {
        if !conjuncts.parts.iter().any(|part| part.is_open(changed)) {
            return Ok(true);
        }
        self.with_frame(conjuncts.n_slots, NO_LINK, |machine| {
            for part in conjuncts.parts.iter().filter(|part| part.is_open(changed)) {
                let holds = machine.eval_bool(part.expr);
                if !holds.map_err(|fault| machine.add_definitions(fault, &part.way))? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// Whether the conjunct with this number holds.
    pub fn holds_part(&mut self, conjuncts: &Conjuncts, part: usize) -> Evaluated<bool> {
        self.with_frame(conjuncts.n_slots, NO_LINK, |machine| machine.eval_bool(conjuncts.parts[part].expr))
    }

    /// Adds these definitions to the path of a fault from inside them.
    fn add_definitions(&mut self, fault: Box<Fault>, way: &[IrId]) -> Box<Fault> {
        way.iter().rev().fold(fault, |fault, &enter| {
            let IrKind::Enter { def, .. } = self.program.irs[enter].kind else { return fault };
            self.add_inlined_call(fault, enter, def)
        })
    }
}
