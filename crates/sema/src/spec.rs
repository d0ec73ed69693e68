//! A specification with every name resolved. Later crates use it without looking at text.
//!
//! Everything is in arenas and referred to by id. `INSTANCE` has been carried out: an operator that was imported with
//! substitutions is a definition of its own, whose body has the substituted expressions in place; one that needs none
//! is shared. Binders have unique [`LocalId`]s, so a body can be read without a scope.

use base::{FxHashMap, FxIndexMap, Id, IdVec, Name, Names};
use diag::{SourceMap, Span};
use num_bigint::BigInt;
pub use syntax::ast::{
    AssumeKind, BuiltinSet, Fairness, JunctionKind, NewKind, Quantifier, StepKind, UnboundedQuantifier,
};

use crate::level::Levels;
use crate::std_ops::StdOp;

base::define_id! {
    /// The id of a module: loaded from a file, embedded, or nested in another.
    ModuleId
}
base::define_id! {
    /// The id of a declared constant, with or without parameters.
    ConstId
}
base::define_id! {
    /// The id of a declared variable.
    VarId
}
base::define_id! {
    /// The id of a definition: operator, function, LET, named assumption or theorem, proof step.
    DefId
}
base::define_id! {
    /// The id of a binder: operator parameter, quantified name, `@` of one EXCEPT clause.
    LocalId
}
base::define_id! {
    /// The id of a resolved expression.
    ExprId
}
base::define_id! {
    /// The id of one `INSTANCE`.
    InstanceId
}

/// A resolved specification.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The root module.
    pub root: ModuleId,
    pub modules: IdVec<ModuleId, Module>,
    pub constants: IdVec<ConstId, Constant>,
    pub variables: IdVec<VarId, Variable>,
    pub defs: IdVec<DefId, Def>,
    pub locals: IdVec<LocalId, Local>,
    pub exprs: IdVec<ExprId, Expr>,
    pub instances: IdVec<InstanceId, Instance>,
    /// The variable of the instantiated module that an INSTANCE replaced by each of these expressions. If nested
    /// INSTANCEs replaced several, the innermost comes first.
    pub replaced: FxHashMap<ExprId, Vec<(InstanceId, VarId)>>,
    /// The INSTANCEs around each ENABLED, WF and SF in instantiated definitions, the innermost first.
    pub enabled_within: FxHashMap<ExprId, Vec<InstanceId>>,
    /// Names of embedded modules that are hidden, each once for a module.
    pub hidden: Vec<HiddenName>,
    /// Uses, by the user, of operators that embedded modules keep for specifications of earlier releases.
    pub retired: Vec<RetiredUse>,
    /// The meaning of each name that is written, in the order of resolution. One place may be listed more than once.
    pub uses: Vec<NameUse>,
    /// The meaning of each name that an INSTANCE substitutes without its being written, by the place of the INSTANCE.
    pub implied: Vec<NameUse>,
    /// The level of every expression and definition.
    pub levels: Levels,
    pub names: Names,
    pub sources: SourceMap,
}

impl Spec {
    /// Returns a specification without any module, for a resolution to start from.
    pub fn empty() -> Spec {
        Spec {
            root: ModuleId::from_index(0),
            modules: IdVec::new(),
            constants: IdVec::new(),
            variables: IdVec::new(),
            defs: IdVec::new(),
            locals: IdVec::new(),
            exprs: IdVec::new(),
            instances: IdVec::new(),
            replaced: FxHashMap::default(),
            enabled_within: FxHashMap::default(),
            hidden: Vec::new(),
            retired: Vec::new(),
            uses: Vec::new(),
            implied: Vec::new(),
            levels: Levels::default(),
            names: Names::new(),
            sources: SourceMap::new(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Module {
    pub name: Name,
    /// The place of the name in the header.
    pub name_span: Span,
    pub span: Span,
    /// The module this one is nested in.
    pub parent: Option<ModuleId>,
    /// Whether it comes with Specline.
    pub embedded: bool,
    pub extends: Vec<ModuleId>,
    /// Its constants and those it gets by EXTENDS, in declaration order, the extended modules' first.
    pub constants: Vec<ConstId>,
    /// Its variables and those it gets by EXTENDS, in the same order. The variables of the root module make up a state.
    pub variables: Vec<VarId>,
    /// Its own definitions in textual order, including named assumptions and theorems.
    pub defs: Vec<DefId>,
    /// Its own ASSUMEs and AXIOMs.
    pub assumptions: Vec<Assumption>,
    /// Its own theorems.
    pub theorems: Vec<Theorem>,
    /// Its own INSTANCEs at the top level.
    pub instances: Vec<InstanceId>,
    /// Modules nested in it, in textual order.
    pub nested: Vec<ModuleId>,
    /// Every name that can be used at its end, imported or its own.
    pub scope: FxIndexMap<Name, ScopeEntry>,
}

/// A name visible in a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScopeEntry {
    pub entity: Entity,
    /// Whether it is not passed on to modules that extend or instantiate this one.
    pub local: bool,
    /// Whether it came with an embedded module whose exports change from release to release. A definition of the user
    /// hides it, while any other name may not be defined again.
    pub yields: bool,
}

/// A name of an embedded module that a name of the user hides.
#[derive(Clone, Copy, Debug)]
pub struct HiddenName {
    pub name: Name,
    /// The user's module in which it is hidden.
    pub module: ModuleId,
    /// The place of what hides it: a definition, a declaration, a bound name, or the import that brings one.
    pub span: Span,
    /// The entity of the library.
    pub hidden: Entity,
}

/// The thing that a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entity {
    Const(ConstId),
    Var(VarId),
    Def(DefId),
    /// A named INSTANCE: only `I!Op` is an expression.
    Instance(InstanceId),
    Local(LocalId),
}

/// A use of an operator that its module, in its current release, no longer exports.
#[derive(Clone, Copy, Debug)]
pub struct RetiredUse {
    pub span: Span,
    pub def: DefId,
}

/// A name in the text, and what it stands for there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameUse {
    pub span: Span,
    pub target: NameTarget,
}

/// The thing that a written name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameTarget {
    Entity(Entity),
    Module(ModuleId),
    /// A label, by the place of its name.
    Label(Span),
}

#[derive(Clone, Debug)]
pub struct Constant {
    pub name: Name,
    pub span: Span,
    pub arity: u32,
    pub module: ModuleId,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Name,
    pub span: Span,
    pub module: ModuleId,
}

/// An `ASSUME` or `AXIOM`. TLC checks the ASSUMEs of the root and of extended modules, and never an AXIOM.
#[derive(Clone, Debug)]
pub struct Assumption {
    pub kind: AssumeKind,
    /// Its definition, when it has a name.
    pub def: Option<DefId>,
    pub body: ExprId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Theorem {
    /// Its definition, when it has a name.
    pub def: Option<DefId>,
    /// The statement, which may be an [`ExprKind::AssumeProve`].
    pub statement: ExprId,
    pub proof: Option<Proof>,
    pub span: Span,
}

/// A proof. Its names are resolved and its levels checked, but nothing is proved.
#[derive(Clone, Debug)]
pub struct Proof {
    pub kind: ProofKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ProofKind {
    /// OBVIOUS, OMITTED, or BY with its facts.
    Leaf {
        facts: Vec<ExprId>,
    },
    Steps(Vec<ProofStep>),
}

#[derive(Clone, Debug)]
pub struct ProofStep {
    pub kind: ProofStepKind,
    pub span: Span,
    pub proof: Option<Proof>,
}

#[derive(Clone, Debug)]
pub enum ProofStepKind {
    Define(Vec<DefId>),
    Instance(Option<InstanceId>),
    UseHide {
        facts: Vec<ExprId>,
    },
    Have(ExprId),
    Witness(Vec<ExprId>),
    /// `TAKE`; no bounds when the names are unbounded.
    Take(Vec<Bound>),
    /// `PICK`; no bounds when the names are unbounded.
    Pick {
        bounds: Vec<Bound>,
        body: ExprId,
    },
    Assert {
        suffices: bool,
        statement: ExprId,
    },
    Case(ExprId),
    Qed,
}

#[derive(Clone, Debug)]
pub struct Def {
    pub name: Name,
    /// The place of the name in the definition.
    pub name_span: Span,
    /// The place of the whole definition.
    pub span: Span,
    pub module: ModuleId,
    pub kind: DefKind,
    pub params: Vec<LocalId>,
    pub body: DefBody,
    /// Whether it is marked LOCAL.
    pub local: bool,
    /// Whether it is declared RECURSIVE, or is a function whose body mentions it.
    pub recursive: bool,
    /// The standard operator that it is, by module and name.
    pub std: Option<StdOp>,
    /// For an instantiated definition: its original and the INSTANCE that made it.
    pub origin: Option<Origin>,
}

/// The origin of an instantiated definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    pub def: DefId,
    pub instance: InstanceId,
    /// Whether it is the symbol that the INSTANCE brings: `I!Op`, or `Op` of one without a name. Otherwise it was made
    /// for other definitions of the instantiated module, which use it.
    pub is_symbol: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefKind {
    Operator,
    /// `f[x \in S] == e`: no parameters, the body is an [`ExprKind::Function`].
    Function,
    /// Defined in a LET or a DEFINE step.
    Let,
    /// A named assumption.
    Assumption,
    /// A named theorem or lemma.
    Theorem,
    /// A named proof step that asserts something.
    ProofStep,
    /// Made for a subexpression name such as `Op!lab!1`.
    Subexpression,
}

impl DefKind {
    /// Whether it is a theorem, an assumption or a proof step, which is a fact and not an operator.
    pub fn is_fact(self) -> bool {
        match self {
            DefKind::Assumption | DefKind::Theorem | DefKind::ProofStep => true,
            DefKind::Operator | DefKind::Function | DefKind::Let | DefKind::Subexpression => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefBody {
    Expr(ExprId),
    /// An operator of an embedded module that the evaluator implements.
    Native,
    /// No body yet: declared RECURSIVE and not defined. In a specification without errors, only a step of a proof that
    /// states nothing.
    Missing,
}

#[derive(Clone, Copy, Debug)]
pub struct Local {
    pub name: Name,
    pub span: Span,
    pub arity: u32,
    pub kind: LocalKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalKind {
    /// A parameter of a definition, of a LAMBDA or of an INSTANCE.
    Param,
    /// Bound by a quantifier, CHOOSE, a set or function constructor, TAKE or PICK.
    Bound,
    /// Bound by `\AA` or `\EE`: a variable of its own.
    TemporalBound,
    /// The old value in one EXCEPT clause.
    At,
    /// Declared in an ASSUME/PROVE.
    New(NewKind),
}

/// `INSTANCE M WITH target <- value`, with the implicit substitutions made explicit.
#[derive(Clone, Debug)]
pub struct Instance {
    /// `I` in `I == INSTANCE M`.
    pub name: Option<Name>,
    /// `x` in `I(x) == INSTANCE M WITH c <- x`.
    pub params: Vec<LocalId>,
    /// The module that is instantiated.
    pub module: ModuleId,
    /// The module in which the INSTANCE stands.
    pub within: ModuleId,
    pub substitutions: Vec<Substitution>,
    pub local: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Substitution {
    pub target: SubstTarget,
    pub value: Arg,
    /// The place of the `WITH` clause, or of the whole INSTANCE for an implicit substitution.
    pub span: Span,
    pub implicit: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SubstTarget {
    Const(ConstId),
    Var(VarId),
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// An operator that is applied or passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    Def(DefId),
    /// A constant with parameters.
    Const(ConstId),
    /// An operator parameter.
    Param(LocalId),
    Builtin(Builtin),
}

/// An argument of an operator.
#[derive(Clone, Debug)]
pub enum Arg {
    Expr(ExprId),
    /// An operator, for an operator parameter.
    Op(OpArg),
}

#[derive(Clone, Debug)]
pub enum OpArg {
    Ref(Op, Span),
    Lambda(Lambda),
}

#[derive(Clone, Debug)]
pub struct Lambda {
    pub params: Vec<LocalId>,
    pub body: ExprId,
    pub span: Span,
}

/// `x, y \in S`, `<<x, y>> \in S`
#[derive(Clone, Debug)]
pub struct Bound {
    pub pattern: Pattern,
    pub set: ExprId,
}

#[derive(Clone, Debug)]
pub enum Pattern {
    Names(Vec<LocalId>),
    Tuple(Vec<LocalId>),
}

impl Pattern {
    pub fn locals(&self) -> &[LocalId] {
        match self {
            Pattern::Names(locals) | Pattern::Tuple(locals) => locals,
        }
    }
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Int(BigInt),
    /// A decimal number as written; TLC has no reals.
    Decimal(Name),
    Str(Name),
    Bool(bool),
    BuiltinSet(BuiltinSet),
    Const(ConstId),
    Var(VarId),
    Local(LocalId),
    /// An operator with all its arguments, or a definition or constant without any.
    Apply {
        op: Op,
        args: Vec<Arg>,
    },
    /// A bulleted list; infix `/\` and `\/` are applications.
    Junction {
        kind: JunctionKind,
        items: Vec<ExprId>,
    },
    Tuple(Vec<ExprId>),
    Product(Vec<ExprId>),
    SetEnum(Vec<ExprId>),
    SetFilter {
        bound: Bound,
        predicate: ExprId,
    },
    SetMap {
        body: ExprId,
        bounds: Vec<Bound>,
    },
    Function {
        bounds: Vec<Bound>,
        body: ExprId,
    },
    FunctionSet {
        domain: ExprId,
        range: ExprId,
    },
    /// `f[a, b]` is `f[<<a, b>>]`.
    FnApply {
        function: ExprId,
        args: Vec<ExprId>,
    },
    Record(Vec<(Name, ExprId)>),
    RecordSet(Vec<(Name, ExprId)>),
    Field {
        record: ExprId,
        field: Name,
    },
    Except {
        base: ExprId,
        updates: Vec<ExceptUpdate>,
    },
    Quantified {
        kind: Quantifier,
        bounds: Vec<Bound>,
        body: ExprId,
    },
    Unbounded {
        kind: UnboundedQuantifier,
        locals: Vec<LocalId>,
        body: ExprId,
    },
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
    Let {
        defs: Vec<DefId>,
        body: ExprId,
    },
    Label {
        name: Name,
        params: Vec<LocalId>,
        body: ExprId,
    },
    /// `[A]_v`, `<<A>>_v`
    Step {
        kind: StepKind,
        action: ExprId,
        subscript: ExprId,
    },
    Fairness {
        kind: Fairness,
        subscript: ExprId,
        action: ExprId,
    },
    /// An ASSUME/PROVE, only as the statement of a theorem or proof step, or inside another.
    AssumeProve {
        assumptions: Vec<AssumeItem>,
        goal: ExprId,
    },
    /// An error that has been reported.
    Error,
}

#[derive(Clone, Debug)]
pub enum AssumeItem {
    Fact(ExprId),
    New { local: LocalId, set: Option<ExprId> },
}

/// `![a].b = value`
#[derive(Clone, Debug)]
pub struct ExceptUpdate {
    pub path: Vec<ExceptStep>,
    /// The local that `@` stands for in `value`.
    pub at: LocalId,
    pub value: ExprId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExceptStep {
    Field(Name),
    /// `![a, b]` is `![<<a, b>>]`.
    Index(Vec<ExprId>),
}

/// An operator of the language itself: no module defines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    And,
    Or,
    Not,
    Implies,
    Equiv,
    Eq,
    Neq,
    In,
    NotIn,
    SubsetEq,
    Cup,
    Cap,
    SetMinus,
    /// `\X` as an operator argument; in expressions it is [`ExprKind::Product`].
    Times,
    PowerSet,
    Union,
    Domain,
    Prime,
    Unchanged,
    Enabled,
    Cdot,
    Box,
    Diamond,
    LeadsTo,
    PlusArrow,
}
