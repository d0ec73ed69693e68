//! The tree of a TLA+ file, as written: names unresolved, spans everywhere.
//!
//! Expressions live in one arena for each file and refer to each other by [`ExprId`]; modules, units and proofs own
//! their parts. Parentheses are kept, comments are not.

use base::{IdVec, Name};
use diag::Span;

use crate::op::OpSym;

base::define_id! {
    /// The id of an expression of one [`File`].
    ExprId
}

/// The contents of one `.tla` file.
#[derive(Debug)]
pub struct File {
    /// The top-level modules in textual order. The first is the one the file is named after. Text around them is
    /// ignored.
    pub modules: Vec<Module>,
    pub exprs: IdVec<ExprId, Expr>,
}

/// A spelling at a place. Operator symbols carry their canonical spelling, prefix minus is `-.`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ident {
    pub name: Name,
    pub span: Span,
}

/// `---- MODULE Name ---- ... ====`
#[derive(Debug)]
pub struct Module {
    pub name: Ident,
    pub extends: Vec<Ident>,
    pub units: Vec<Unit>,
    /// The place from the opening dashes to the closing `====`.
    pub span: Span,
}

/// One declaration, definition or statement of a module, a LET or a DEFINE step.
#[derive(Debug)]
pub struct Unit {
    pub kind: UnitKind,
    pub span: Span,
    /// Whether `LOCAL` stands before it.
    pub local: bool,
}

#[derive(Debug)]
pub enum UnitKind {
    /// `CONSTANTS N, Op(_, _), _+_`
    Constants(Vec<OpDecl>),
    /// `VARIABLES x, y`
    Variables(Vec<Ident>),
    /// `RECURSIVE F(_), g`
    Recursive(Vec<OpDecl>),
    /// `F(a, G(_)) == e`, `a + b == e`, `-. a == e`, `a^+ == e`
    Operator { head: OpHead, body: ExprId },
    /// `f[x \in S, <<y, z>> \in T] == e`
    Function { name: Ident, bounds: Vec<Bound>, body: ExprId },
    /// `INSTANCE M WITH a <- b`
    Instance(Instance),
    /// `I(a) == INSTANCE M WITH a <- b`
    NamedInstance { head: OpHead, instance: Instance },
    /// `ASSUME name == e`; `kind` tells ASSUME and ASSUMPTION, which TLC checks, from AXIOM.
    Assume { kind: AssumeKind, name: Option<Ident>, body: ExprId },
    /// `THEOREM name == statement proof`; the statement may be an [`ExprKind::AssumeProve`].
    Theorem { name: Option<Ident>, body: ExprId, proof: Option<Proof> },
    /// `USE` and `HIDE`
    UseHide(UseHide),
    /// A nested module.
    Module(Module),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssumeKind {
    Assume,
    Axiom,
}

/// A declared symbol and the number of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpDecl {
    pub name: Ident,
    pub arity: u32,
}

/// The left side of `==`: a name or symbol with its parameters.
#[derive(Debug)]
pub struct OpHead {
    pub name: Ident,
    pub params: Vec<OpDecl>,
}

#[derive(Debug)]
pub struct Instance {
    pub module: Ident,
    pub substitutions: Vec<Substitution>,
    /// The place from `INSTANCE` to the last substitution.
    pub span: Span,
}

/// `target <- value`; the value may be a bare operator or a LAMBDA.
#[derive(Debug)]
pub struct Substitution {
    pub target: Ident,
    pub value: ExprId,
}

/// `x, y \in S` or `<<x, y>> \in S`
#[derive(Debug)]
pub struct Bound {
    pub pattern: Pattern,
    pub set: ExprId,
}

#[derive(Debug)]
pub enum Pattern {
    Names(Vec<Ident>),
    Tuple(Vec<Ident>),
}

#[derive(Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Debug)]
pub enum ExprKind {
    /// A numeral as written, prefix included: `42`, `\b101`, `\o17`, `\hFF`.
    Number(Name),
    /// A decimal as written: `1.5`.
    Decimal(Name),
    /// A string with its escapes resolved.
    String(Name),
    /// `TRUE`, `FALSE`
    Bool(bool),
    /// `BOOLEAN`, `STRING`
    BuiltinSet(BuiltinSet),
    /// `@`
    At,
    /// A name, possibly applied, possibly through instances or into a subexpression: `x`, `F(a, b)`,
    /// `I(1)!J!Op(2)`, `Op!lab!1!<<`, `<1>step`.
    Path(Vec<PathSegment>),
    /// A bare operator symbol where an operator argument stands: `Reduce(+, s)`.
    Operator(OpSym),
    /// `LAMBDA x, y : e`
    Lambda {
        params: Vec<Ident>,
        body: ExprId,
    },
    Prefix {
        op: OpSym,
        op_span: Span,
        operand: ExprId,
    },
    Infix {
        op: OpSym,
        op_span: Span,
        lhs: ExprId,
        rhs: ExprId,
    },
    Postfix {
        op: OpSym,
        op_span: Span,
        operand: ExprId,
    },
    /// A bulleted list, two or more `/\` or `\/` in one column, or one alone.
    Junction {
        kind: JunctionKind,
        items: Vec<ExprId>,
    },
    Paren(ExprId),
    /// `<<a, b>>`
    Tuple(Vec<ExprId>),
    /// `S \X T \X U`, as one product of three.
    Product(Vec<ExprId>),
    /// `{a, b}`
    SetEnum(Vec<ExprId>),
    /// `{x \in S : p}`; the pattern is one name or one tuple.
    SetFilter {
        bound: Bound,
        predicate: ExprId,
    },
    /// `{e : x \in S, y \in T}`
    SetMap {
        body: ExprId,
        bounds: Vec<Bound>,
    },
    /// `[x \in S |-> e]`
    Function {
        bounds: Vec<Bound>,
        body: ExprId,
    },
    /// `[S -> T]`
    FunctionSet {
        domain: ExprId,
        range: ExprId,
    },
    /// `f[a, b]`
    FnApply {
        function: ExprId,
        args: Vec<ExprId>,
    },
    /// `[a |-> 1, b |-> 2]`
    Record(Vec<(Ident, ExprId)>),
    /// `[a : S, b : T]`
    RecordSet(Vec<(Ident, ExprId)>),
    /// `r.a`
    Field {
        record: ExprId,
        field: Ident,
    },
    /// `[f EXCEPT ![a].b = e]`
    Except {
        base: ExprId,
        updates: Vec<ExceptUpdate>,
    },
    /// `\A`, `\E` with bounds
    Quantified {
        kind: Quantifier,
        bounds: Vec<Bound>,
        body: ExprId,
    },
    /// `\A x, y : p`, `\E x : p`, `\AA x : F`, `\EE x : F`
    Unbounded {
        kind: UnboundedQuantifier,
        names: Vec<Ident>,
        body: ExprId,
    },
    /// `CHOOSE x \in S : p`, `CHOOSE <<x, y>> \in S : p`, `CHOOSE x : p`
    Choose {
        pattern: Pattern,
        set: Option<ExprId>,
        body: ExprId,
    },
    If {
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    Case {
        arms: Vec<(ExprId, ExprId)>,
        other: Option<ExprId>,
    },
    /// `LET defs IN e`; units are operators, functions, RECURSIVE and INSTANCE.
    Let {
        units: Vec<Unit>,
        body: ExprId,
    },
    /// `lab(x) :: e`; `e` may be an [`ExprKind::AssumeProve`] inside another.
    Label {
        name: Ident,
        params: Vec<Ident>,
        body: ExprId,
    },
    /// `[A]_v` and `<<A>>_v`
    Step {
        kind: StepKind,
        action: ExprId,
        subscript: ExprId,
    },
    /// `WF_v(A)`, `SF_v(A)`
    Fairness {
        kind: Fairness,
        subscript: ExprId,
        action: ExprId,
    },
    /// `ASSUME a, NEW b PROVE c`: statements of theorems and proof steps, and nested in one another.
    AssumeProve {
        assumptions: Vec<Assumption>,
        goal: ExprId,
    },
    /// The place where parsing failed. A diagnostic has the reason.
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuiltinSet {
    Boolean,
    String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JunctionKind {
    And,
    Or,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    Forall,
    Exists,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnboundedQuantifier {
    Forall,
    Exists,
    TemporalForall,
    TemporalExists,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// `[A]_v`
    Box,
    /// `<<A>>_v`
    Angle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fairness {
    Weak,
    Strong,
}

/// One part of a path, between `!`s.
#[derive(Debug)]
pub struct PathSegment {
    pub kind: SegmentKind,
    /// `(a, b)` after it, or `None` when there are no parentheses.
    pub args: Option<Vec<ExprId>>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentKind {
    /// A name or an operator symbol (`M!+(1, 2)`).
    Name(Name),
    /// `<1>a`, `<*>a` as the first segment; the name holds the spelling without trailing dots.
    Step(Name),
    /// `!3`
    Number(u32),
    /// `!<<`
    First,
    /// `!>>`
    Last,
    /// `!:`
    Body,
    /// `!@`
    At,
    /// `!(x, y)`: arguments alone.
    Arguments,
}

/// `![a, b].c = value`
#[derive(Debug)]
pub struct ExceptUpdate {
    pub path: Vec<ExceptStep>,
    pub value: ExprId,
    pub span: Span,
}

#[derive(Debug)]
pub enum ExceptStep {
    Field(Ident),
    Index(Vec<ExprId>),
}

/// One assumption of an ASSUME/PROVE.
#[derive(Debug)]
pub enum Assumption {
    /// An expression, a nested ASSUME/PROVE, or one of these with a label.
    Fact(ExprId),
    /// `NEW CONSTANT c \in S`, `STATE s`, ...
    New { kind: NewKind, decl: OpDecl, set: Option<ExprId> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewKind {
    Constant,
    Variable,
    State,
    Action,
    Temporal,
}

#[derive(Debug)]
pub struct Proof {
    pub kind: ProofKind,
    pub span: Span,
}

#[derive(Debug)]
pub enum ProofKind {
    Obvious,
    Omitted,
    /// `BY [ONLY] facts DEF defs`
    By(UseHide),
    Steps(Vec<ProofStep>),
}

/// The lists of `BY`, `USE` and `HIDE`.
#[derive(Debug)]
pub struct UseHide {
    pub kind: UseKind,
    pub only: bool,
    pub facts: Vec<Fact>,
    pub defs: Vec<Fact>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UseKind {
    By,
    Use,
    Hide,
}

#[derive(Debug)]
pub enum Fact {
    /// An expression; among `DEF`s a path or a bare operator.
    Expr(ExprId),
    /// `MODULE M`
    Module(Ident),
}

/// `<1>a. statement proof`
#[derive(Debug)]
pub struct ProofStep {
    /// The level, with `<*>` and `<+>` resolved.
    pub level: u32,
    /// Whether the level was written as a number.
    pub explicit_level: bool,
    /// `<1>a` with its span (without trailing dots), or `None` for a nameless step.
    pub name: Option<Ident>,
    pub kind: ProofStepKind,
    pub proof: Option<Proof>,
    pub span: Span,
}

#[derive(Debug)]
pub enum ProofStepKind {
    /// `DEFINE op == e`, with or without the word.
    Define(Vec<Unit>),
    Instance(Instance),
    UseHide(UseHide),
    Have(ExprId),
    Witness(Vec<ExprId>),
    /// `TAKE x \in S`
    Take(Vec<Bound>),
    /// `TAKE x, y`
    TakeUnbounded(Vec<Ident>),
    /// `PICK x \in S : p`
    Pick {
        bounds: Vec<Bound>,
        body: ExprId,
    },
    /// `PICK x : p`
    PickUnbounded {
        names: Vec<Ident>,
        body: ExprId,
    },
    /// An assertion, with or without `SUFFICES`.
    Assert {
        suffices: bool,
        statement: ExprId,
    },
    Case(ExprId),
    Qed,
}
