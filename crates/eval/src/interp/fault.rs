//! Why an expression has no value, where, and on which way evaluation got there.

use std::sync::Arc;

use base::Name;
use diag::Span;
use sema::spec::DefId;
use value::OpError;

use crate::Owned;
use crate::ir::{Failure, IrId, VarIdx};
use crate::sandbox::Forbidden;

/// A failed evaluation. It owns what it says, so that it outlives the region.
#[derive(Clone, Debug)]
pub struct Fault {
    pub kind: FaultKind,
    /// The innermost expression.
    pub span: Span,
    /// The definitions that were being evaluated and the names that were bound, innermost first. A walk
    /// through an action has what it passed before in it too: see [`super::Fault::calls`].
    pub path: Vec<PathEntry>,
    /// What was compared, where comparing was refused: places and whole values.
    pub operands: Vec<(Span, Told)>,
}

/// A call, or a node that binds names, with the values that were known.
#[derive(Clone, Debug)]
pub struct PathEntry {
    pub node: IrId,
    /// The definition, if it is a call.
    pub def: Option<DefId>,
    pub bindings: Vec<(Name, Told)>,
}

/// A value that outlives its region; one that cannot be copied is told as it prints.
#[derive(Clone, Debug)]
pub enum Told {
    Value(Owned),
    Printed(String),
}

/// At most this many entries of a path are kept: a deep recursion needs no more to be understood.
const PATH_MAX: usize = 64;

#[derive(Clone, Debug)]
pub enum FaultKind {
    /// An operator has no value for its arguments.
    Op(Box<OpError>),
    /// A boolean was needed; what there was, printed.
    NotBoolean { value: String },
    /// A node that never has a value.
    Failure(Failure),
    /// A variable is read before it has a value: in the next state, or in an initial one.
    Unassigned { variable: VarIdx, next: bool },
    /// No arm of a CASE is true and there is no OTHER.
    NoArm,
    /// No element satisfies a CHOOSE; the set, printed.
    NoWitness { set: String },
    /// An element is not a tuple of the width that a pattern needs.
    NoMatch { element: String, width: usize },
    /// No row of a configuration's table fits.
    NoRow { name: Name, args: String },
    /// Calls inside calls, too many to be meant.
    TooDeep { limit: usize },
    /// `Assert(FALSE, message)`; the message as it prints.
    Assert { message: String },
    /// An argument of a standard operator is not what it needs. `expected` is a noun without its article.
    Argument { op: &'static str, position: Option<&'static str>, expected: &'static str, value: String },
    /// A standard operator applied to what it is not for. `expected` is a noun with its article.
    NotApplicable { op: &'static str, expected: &'static str, value: String },
    /// A position given to a standard operator is outside its sequence.
    OutsideSequence { op: &'static str, position: &'static str, index: String, sequence: String },
    /// `TLCGet` of a register that was never set, or of a name that the run has no value for.
    NoRegister { name: String },
    /// An operator that asks the run for something that there is none of here.
    Unavailable { op: &'static str, needs: &'static str },
    /// A file could not be read or written, or a process not run.
    Io { op: &'static str, target: String, reason: String },
    /// The sandbox did not let an operator do this to a file or a program.
    Sandboxed { op: &'static str, target: String, forbidden: Forbidden },
    /// A text is not of the form that an operator reads: JSON, a format string, a serialised value.
    Malformed { op: &'static str, reason: String },
    /// The search asked to stop: time, memory, Ctrl-C.
    Interrupted,
}

impl FaultKind {
    /// Whether evaluation ended at a limit of the run: what was evaluated may well have a value.
    pub fn is_limit(&self) -> bool {
        match self {
            FaultKind::Interrupted => true,
            FaultKind::Op(error) => matches!(**error, OpError::NoRoom | OpError::Full),
            FaultKind::NotBoolean { .. } | FaultKind::Failure(_) | FaultKind::Unassigned { .. } => false,
            FaultKind::NoArm | FaultKind::NoWitness { .. } | FaultKind::NoMatch { .. } => false,
            FaultKind::NoRow { .. } | FaultKind::TooDeep { .. } | FaultKind::Assert { .. } => false,
            FaultKind::Argument { .. } | FaultKind::NotApplicable { .. } => false,
            FaultKind::OutsideSequence { .. } | FaultKind::NoRegister { .. } => false,
            FaultKind::Unavailable { .. } | FaultKind::Io { .. } | FaultKind::Malformed { .. } => false,
            FaultKind::Sandboxed { .. } => false,
        }
    }
}

pub type Evaluated<T> = Result<T, Box<Fault>>;

impl Fault {
    pub fn new(kind: FaultKind, span: Span) -> Box<Fault> {
        Box::new(Fault { kind, span, path: Vec::new(), operands: Vec::new() })
    }

    /// Whether one more entry of the path is kept.
    pub(super) fn takes_path(&self) -> bool {
        self.path.len() < PATH_MAX
    }
}

/// Adds the place to an operator's refusal.
pub trait At<T> {
    fn at(self, span: Span) -> Evaluated<T>;
}

impl<T> At<T> for Result<T, Box<OpError>> {
    #[inline]
    fn at(self, span: Span) -> Evaluated<T> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(refusal(*error, span)),
        }
    }
}

#[cold]
#[inline(never)]
#[expect(clippy::wildcard_enum_match_arm, reason = "every other refusal is the operator's own")]
fn refusal(error: OpError, span: Span) -> Box<Fault> {
    match error {
        // A fault from inside a closure comes back as it was.
        OpError::Raised(raised) => match raised.downcast::<Fault>() {
            Ok(fault) => Box::new(Arc::unwrap_or_clone(fault)),
            Err(_) => Fault::new(FaultKind::Interrupted, span),
        },
        error => Fault::new(FaultKind::Op(Box::new(error)), span),
    }
}
