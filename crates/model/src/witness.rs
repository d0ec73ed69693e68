//! `_POSSIBLE`: formulas that some state or step must satisfy, each of them.

use std::sync::atomic::{AtomicBool, Ordering};

use eval::interp::{Evaluated, Machine};
use eval::ir::{IrKind, Program, Root};
use eval::{Owned, Register};
use sema::std_ops::StdOp;
use value::Atom;

use crate::Model;
use crate::names::root_name;

/// The register in which TLC counts: a function from the names of the formulas to how often each was true.
const REGISTER: &str = "s:_possible";

/// The subject of a `_POSSIBLE` formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Possible {
    AboutStates,
    AboutSteps,
}

/// Which formulas were satisfied so far.
#[derive(Debug)]
pub struct Witnesses {
    formulas: Vec<Formula>,
    /// Register that counts, if the specification reads registers.
    register: Option<Atom>,
}

#[derive(Debug)]
struct Formula {
    root: Root,
    name: Atom,
    about: Possible,
    is_satisfied: AtomicBool,
}

impl Witnesses {
    pub fn new(model: Model<'_>) -> Witnesses {
        let program = model.program;
        let formula = |root: &Root| Formula {
            root: *root,
            name: program.atoms.string(&root_name(model.spec, root)),
            about: match program.irs[root.expr].facts.reads_next {
                true => Possible::AboutSteps,
                false => Possible::AboutStates,
            },
            is_satisfied: AtomicBool::new(false),
        };
        Witnesses {
            formulas: program.possible.iter().map(formula).collect(),
            register: reads_registers(program).then(|| program.atoms.string(REGISTER)),
        }
    }

    /// Evaluates the formulas about states in the machine's state, or those about steps in its step. A formula that is known
    /// to be satisfied is left out, unless somebody can ask how often it was.
    pub fn observe(&self, machine: &mut Machine<'_, '_>, about: Possible) -> Evaluated<()> {
        for formula in self.formulas.iter().filter(|formula| formula.about == about) {
            let is_known = formula.is_satisfied.load(Ordering::Relaxed);
            if is_known && self.register.is_none() {
                continue;
            }
            let is_true = machine.eval_root_bool(formula.root)?;
            if is_true && !is_known {
                formula.is_satisfied.store(true, Ordering::Relaxed);
            }
            if let Some(register) = self.register {
                count(machine, Register::Named(register), formula.name, is_true);
            }
        }
        Ok(())
    }

    /// The first formula that nothing satisfies.
    pub fn unsatisfied(&self) -> Option<&Root> {
        let found = self.formulas.iter().find(|formula| !formula.is_satisfied.load(Ordering::Relaxed));
        found.map(|formula| &formula.root)
    }

    /// Whether each formula was satisfied, in the order of the program.
    pub fn satisfied(&self) -> Vec<bool> {
        self.formulas.iter().map(|formula| formula.is_satisfied.load(Ordering::Relaxed)).collect()
    }

    /// Adds what an earlier part of the run has found, if it is about as many formulas.
    pub fn restore(&self, satisfied: &[bool]) -> bool {
        let fits = satisfied.len() == self.formulas.len();
        for (formula, &was_satisfied) in self.formulas.iter().zip(satisfied) {
            formula.is_satisfied.fetch_or(fits && was_satisfied, Ordering::Relaxed);
        }
        fits
    }
}

/// Adds one to the count of a formula that is true. One that is not has a count, too.
fn count(machine: &Machine<'_, '_>, register: Register, name: Atom, is_true: bool) {
    let run = machine.run();
    let mut counts = match run.register(&register) {
        Some(Owned::Function(counts)) => counts,
        Some(_) | None => Vec::new(),
    };
    let key = Owned::Atom(name);
    match counts.iter_mut().find(|(name, _)| *name == key) {
        Some((_, Owned::Int(count))) => *count += i64::from(is_true),
        Some(_) | None => counts.push((key, Owned::Int(i64::from(is_true)))),
    }
    run.set_register(register, Owned::Function(counts));
}

fn reads_registers(program: &Program) -> bool {
    let reads = [StdOp::TlcGet, StdOp::TlcGetOrDefault, StdOp::TlcGetAndSet];
    program.irs.iter().any(|ir| matches!(&ir.kind, IrKind::Native { op, .. } if reads.contains(op)))
}
