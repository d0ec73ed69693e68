//! Temporal formulas of a program: fairness and PROPERTY, before and after their quantifiers are expanded.
//!
//! Below `[]`, `<>` and the connectives are ordinary expressions of the program. Nothing here defines the meaning of a
//! temporal formula; the search of behaviours does.

use base::Name;
use diag::Span;
use sema::spec::{DefId, Quantifier};
use value::Constant;

use crate::ir::{Bound, IrId, Memo};

/// A temporal formula with the frame that its expressions need.
#[derive(Clone, Debug)]
pub struct TemporalRoot {
    pub tree: TemporalTree,
    pub n_slots: u16,
    /// The definition around it.
    pub def: Option<DefId>,
    /// The name, in the configuration, of the property or specification that it is a part of.
    pub name: Name,
    pub span: Span,
}

/// A temporal formula as written, with definitions looked through.
#[derive(Clone, Debug)]
pub enum TemporalTree {
    /// A state predicate or an action.
    Plain(IrId),
    Fair(FairAction),
    Not(Box<TemporalTree>),
    And(Vec<TemporalTree>),
    Or(Vec<TemporalTree>),
    /// `[]F`
    Always(Box<TemporalTree>),
    /// `<>F`
    Eventually(Box<TemporalTree>),
    /// `F ~> G`
    LeadsTo(Box<[TemporalTree; 2]>, Span),
    /// A quantifier. Its sets need no state.
    Quantified {
        kind: Quantifier,
        bounds: Vec<Bound>,
        body: Box<TemporalTree>,
    },
    /// Binds memo slots, which are emptied before each plain part below.
    Bind {
        memos: Vec<Memo>,
        body: Box<TemporalTree>,
    },
}

/// `WF_v(A)` or `SF_v(A)`
#[derive(Clone, Copy, Debug)]
pub struct FairAction {
    pub is_strong: bool,
    /// `<<A>>_v`
    pub step: IrId,
    /// `ENABLED <<A>>_v`
    pub enabled: IrId,
}

/// A state predicate or an action in a temporal formula, with the values of the names that quantifiers have bound.
#[derive(Clone, Debug)]
pub struct TemporalAtom {
    pub expr: IrId,
    pub(crate) bindings: Vec<(u16, Constant)>,
    pub(crate) memos: Vec<Memo>,
    pub(crate) n_slots: u16,
    pub span: Span,
}

/// A temporal formula whose quantifiers have been expanded. Atoms are numbers in a list beside it.
#[derive(Clone, Debug)]
pub enum TemporalFormula {
    Bool(bool),
    State(usize),
    Action(usize),
    /// The numbers of `ENABLED <<A>>_v` and `<<A>>_v`.
    Fair {
        is_strong: bool,
        enabled: usize,
        step: usize,
    },
    Not(Box<TemporalFormula>),
    And(Vec<TemporalFormula>),
    Or(Vec<TemporalFormula>),
    /// The instances of `\A`, all of which must hold.
    Instances(Vec<TemporalInstance>),
    Always(Box<TemporalFormula>),
    Eventually(Box<TemporalFormula>),
    LeadsTo(Box<[TemporalFormula; 2]>, Span),
}

/// One instance of `\A`, for some values of the names that it binds.
#[derive(Clone, Debug)]
pub struct TemporalInstance {
    pub bindings: Vec<(Name, Constant)>,
    pub formula: TemporalFormula,
}

/// The atoms of several formulas.
#[derive(Debug, Default)]
pub struct TemporalAtoms {
    /// Atoms about one state.
    pub states: Vec<TemporalAtom>,
    /// Atoms about a step.
    pub actions: Vec<TemporalAtom>,
}
