//! The reason why an expression has no value, its place, and the way on which evaluation got there.

use std::sync::Arc;

use base::Name;
use diag::Span;
use sema::spec::DefId;
use value::OpError;

use crate::Owned;
use crate::ir::{Failure, IrId, VarIdx};
use crate::sandbox::Forbidden;

/// A failed evaluation. It owns its data, so that it outlives the region.
#[derive(Clone, Debug)]
pub struct Fault {
    pub kind: FaultKind,
    /// The place of the innermost expression.
    pub span: Span,
    /// The definitions that were being evaluated and the names that were bound, innermost first. For a walk through an
    /// action it also has everything passed before: see [`super::Fault::calls`].
    pub path: Vec<PathEntry>,
    /// The operands of a comparison that was refused: places and whole values.
    pub operands: Vec<(Span, SavedValue)>,
}

/// A call, or a node that binds names, with the values that were known.
#[derive(Clone, Debug)]
pub struct PathEntry {
    pub node: IrId,
    /// The definition, if it is a call.
    pub def: Option<DefId>,
    pub bindings: Vec<(Name, SavedValue)>,
}

/// A value that outlives its region. One that cannot be copied is kept as printed text.
#[derive(Clone, Debug)]
pub enum SavedValue {
    Value(Owned),
    Printed(String),
}

/// Limit on the entries of a path. Nobody needs more to understand a deep recursion.
const PATH_MAX: usize = 64;

#[derive(Clone, Debug)]
pub enum FaultKind {
    /// An operator has no value for its arguments.
    Op(Box<OpError>),
    /// A boolean was needed. Holds the value, printed.
    NotBoolean { value: String },
    /// A node that never has a value was evaluated.
    Failure(Failure),
    /// A variable is read before it has a value, in the next state or in an initial one.
    Unassigned { variable: VarIdx, next: bool },
    /// No arm of a CASE is true and there is no OTHER.
    NoArm,
    /// No element satisfies a CHOOSE. Holds the set, printed.
    NoWitness { set: String },
    /// An element is not a tuple of the width that a pattern needs.
    NoMatch { element: String, width: usize },
    /// No row of a configuration's table fits.
    NoRow { name: Name, args: String },
    /// Calls are nested too deeply to be intended.
    TooDeep { limit: usize },
    /// `Assert(FALSE, message)`. Holds the message as printed.
    Assert { message: String },
    /// An argument of a standard operator has the wrong kind. `expected` is a noun without its article.
    Argument { op: &'static str, position: Option<&'static str>, expected: &'static str, value: String },
    /// A standard operator is applied to a value for which it is not defined. `expected` is a noun with its article.
    NotApplicable { op: &'static str, expected: &'static str, value: String },
    /// A position given to a standard operator is outside its sequence.
    OutsideSequence { op: &'static str, position: &'static str, index: String, sequence: String },
    /// `TLCGet` of a register that was never set, or of a name for which the run has no value.
    NoRegister { name: String },
    /// An operator asks the run for something that does not exist here.
    Unavailable { op: &'static str, needs: &'static str },
    /// A file could not be read or written, or a process not run.
    Io { op: &'static str, target: String, reason: String },
    /// The sandbox did not let an operator do this to a file or a program.
    Sandboxed { op: &'static str, target: String, forbidden: Forbidden },
    /// A text does not have the form that an operator reads: JSON, a format string, a serialised value.
    Malformed { op: &'static str, reason: String },
    /// The search asked to stop: time, memory, Ctrl-C.
    Interrupted,
}

impl FaultKind {
    /// Whether evaluation ended at a limit of the run: the expression may well have a value.
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

/// Adds the place to an operator's error.
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
        // A fault from inside a closure is passed on unchanged.
        OpError::Raised(raised) => match raised.downcast::<Fault>() {
            Ok(fault) => Box::new(Arc::unwrap_or_clone(fault)),
            Err(_) => Fault::new(FaultKind::Interrupted, span),
        },
        error => Fault::new(FaultKind::Op(Box::new(error)), span),
    }
}
