//! The intermediate form that evaluators run: names are slots, operators are inlined or calls, primes are
//! reads of the next state, constants are evaluated once.
//!
//! It is first-order and small on purpose, so that it can be printed ([`crate::print`]), walked by the
//! interpreter, and later compiled. Nodes form a graph: a node may have several parents.

use base::{FxHashMap, FxHashSet, IdVec, Name};
use diag::Span;
use sema::spec::{AssumeKind, DefId, Quantifier, StepKind};
use sema::std_ops::StdOp;
use value::{Atom, Atoms, Constant, Shape};

use crate::temporal::TemporalRoot;

base::define_id! {
    /// The id of a node.
    IrId
}
base::define_id! {
    /// The id of a unit of code with a frame of its own: a recursive or shared operator, an operator argument.
    FuncId
}
base::define_id! {
    /// The id of a constant expression that is evaluated once, when it is first needed.
    GlobalId
}

/// A variable of the root module, by its position in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarIdx(pub u16);

/// A place in a frame: `up` static links out from the current one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SlotRef {
    pub up: u16,
    pub index: u16,
}

#[derive(Clone, Debug)]
pub struct Ir {
    pub kind: IrKind,
    pub span: Span,
    pub facts: Facts,
}

/// Facts about a node that are known without running it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Whether it may read the current state.
    pub reads_state: bool,
    /// Whether it may read the next state or give values to it.
    pub reads_next: bool,
    /// Whether it has effects or is not a function of what it reads: PrintT, TLCSet, RandomElement, Assert, ...
    pub impure: bool,
    /// Whether evaluating it twice differs from evaluating it once: as `impure`, but for Assert, whose only effect is to end
    /// the evaluation.
    pub unrepeatable: bool,
    /// Whether it reads the run itself: TLCGet, Trace, IOExec, ... Never evaluated ahead of its use.
    pub dynamic: bool,
}

/// `x, y \in S` or `<<x, y>> \in S`, the names as slots of the current frame.
#[derive(Clone, Debug)]
pub struct Bound {
    pub pattern: Pattern,
    pub set: IrId,
    /// The names in the text, in the order of the pattern's slots.
    pub names: Vec<Name>,
}

#[derive(Clone, Debug)]
pub enum Pattern {
    /// Names that each take every element of the set. The first varies fastest.
    Names(Vec<u16>),
    /// A tuple pattern: every element is a tuple of this width.
    Tuple(Vec<u16>),
}

impl Pattern {
    pub fn slots(&self) -> &[u16] {
        match self {
            Pattern::Names(slots) | Pattern::Tuple(slots) => slots,
        }
    }
}

/// A slot that a lazy set or function must capture when it outlives its frame: the slot (of the frame `up` links out)
/// and the node that reads it.
#[derive(Clone, Copy, Debug)]
pub struct Capture {
    pub slot: SlotRef,
    pub reader: IrId,
}

/// The slots of surrounding frames that the body of a lazy set or function reads.
#[derive(Clone, Debug, Default)]
pub struct Captures {
    /// The slots that the body reads itself.
    pub direct: Vec<Capture>,
    /// The slots that only the expressions behind direct memo slots read. They are needed when such an expression is
    /// evaluated or walked in the body, because it had no value when the closure was made.
    pub indirect: Vec<Capture>,
    /// Number of static links to the outermost frame that the body needs.
    pub depth: u16,
    /// Whether the body walks actions (ENABLED, `\cdot`), which looks through memo slots.
    pub walks: bool,
}

impl Captures {
    /// Iterates over all of them, the direct ones first.
    pub fn all(&self) -> impl Iterator<Item = &Capture> {
        self.direct.iter().chain(&self.indirect)
    }
}

/// One clause of an EXCEPT.
#[derive(Clone, Debug)]
pub struct Update {
    pub path: Vec<PathStep>,
    /// The slot of `@`.
    pub at: u16,
    pub value: IrId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum PathStep {
    Field(Atom),
    /// `[a, b]` is lowered to the tuple `<<a, b>>`.
    Index(IrId),
}

/// A slot that holds an expression's value from its first use on.
#[derive(Clone, Copy, Debug)]
pub struct Memo {
    pub slot: u16,
    pub expr: IrId,
    /// Whether it is a LET definition with effects: TLC evaluates it anew at each use when the LET stands in an action,
    /// and once when it stands in an ordinary expression (contract 3.3).
    pub repeats_in_actions: bool,
}

/// An argument of a function or of a native operator.
#[derive(Clone, Copy, Debug)]
pub enum CallArg {
    /// An expression, evaluated when it is first used (call by need); natives evaluate it at once.
    Expr(IrId),
    /// An operator; its static link is the current frame.
    Func(FuncId),
    /// An operator that is itself a parameter.
    Param(SlotRef),
}

#[derive(Clone, Debug)]
pub enum IrKind {
    Const(Constant),
    Global(GlobalId),
    /// A variable in the current state.
    Var(VarIdx),
    /// A variable in the next state.
    Next(VarIdx),
    /// A bound name or a parameter. A parameter that was passed by need is evaluated now.
    Slot(SlotRef),
    /// An argument or LET definition. With `memo` it is evaluated at most once between two [`IrKind::Bind`]s
    /// of that slot. `expr` belongs to the frame `up` links out.
    Lazy {
        up: u16,
        memo: Option<u16>,
        expr: IrId,
    },
    /// Empties the memo slots, then evaluates `body`.
    Bind {
        memos: Vec<Memo>,
        body: IrId,
    },
    /// The body of `def`, inlined: for messages and action names.
    Enter {
        def: DefId,
        body: IrId,
    },

    And(Vec<IrId>),
    Or(Vec<IrId>),
    Not(IrId),
    Implies(IrId, IrId),
    Equiv(IrId, IrId),
    If {
        condition: IrId,
        then: IrId,
        otherwise: IrId,
    },
    Case {
        arms: Vec<(IrId, IrId)>,
        other: Option<IrId>,
    },
    Quantified {
        kind: Quantifier,
        bounds: Vec<Bound>,
        body: IrId,
    },
    Choose {
        bound: Bound,
        body: IrId,
    },

    Eq(IrId, IrId),
    Neq(IrId, IrId),
    In(IrId, IrId),
    NotIn(IrId, IrId),
    SubsetEq(IrId, IrId),
    Cup(IrId, IrId),
    Cap(IrId, IrId),
    SetMinus(IrId, IrId),
    PowerSet(IrId),
    BigUnion(IrId),
    Domain(IrId),

    Tuple(Vec<IrId>),
    Product(Vec<IrId>),
    SetEnum(Vec<IrId>),
    SetFilter {
        bound: Bound,
        predicate: IrId,
        captures: Captures,
    },
    SetMap {
        body: IrId,
        bounds: Vec<Bound>,
    },
    /// `[x \in S |-> e]`. A recursive function sees itself in `itself` and is always lazy.
    Function {
        bounds: Vec<Bound>,
        body: IrId,
        itself: Option<u16>,
        captures: Captures,
    },
    FunctionSet {
        domain: IrId,
        range: IrId,
    },
    FnApply {
        function: IrId,
        arg: IrId,
    },
    /// The values in the order of the shape's fields; evaluated in that order.
    Record {
        shape: Shape,
        values: Vec<IrId>,
    },
    RecordSet {
        shape: Shape,
        sets: Vec<IrId>,
    },
    Field {
        record: IrId,
        field: Atom,
    },
    Except {
        base: IrId,
        updates: Vec<Update>,
    },

    /// `UNCHANGED e`: `next` is `e` primed. `vars` is set when `e` is a tuple of variables alone (through definitions),
    /// which is the form that gives values.
    Unchanged {
        vars: Option<Vec<VarIdx>>,
        current: IrId,
        next: IrId,
    },
    /// `[A]_v` and `<<A>>_v`; `unchanged` is UNCHANGED v.
    Step {
        kind: StepKind,
        action: IrId,
        unchanged: IrId,
    },
    /// `ENABLED A`, of the current state, or of the next one when `primed`.
    Enabled {
        action: IrId,
        primed: bool,
    },
    Cdot(IrId, IrId),

    /// A function of this program; the static link is the frame `up` links out.
    Call {
        func: FuncId,
        up: u16,
        args: Vec<CallArg>,
    },
    /// An operator parameter applied.
    CallParam {
        slot: SlotRef,
        args: Vec<CallArg>,
    },
    /// A standard operator.
    Native {
        op: StdOp,
        args: Vec<CallArg>,
    },
    /// `Op(1) = 10` lines of a configuration: rows of arguments and their value.
    Table {
        name: Name,
        rows: Vec<(Vec<Constant>, Constant)>,
        args: Vec<IrId>,
    },
    /// A node without a value. Evaluating it is an error.
    Fail(Failure),
}

/// The reason why a node cannot be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// `\A x : p`, `\E x : p`
    UnboundedQuantifier,
    /// `CHOOSE x : p`
    UnboundedChoose,
    /// `[]`, `<>`, `~>`, WF, SF, `-+->`, `\AA`, `\EE`
    Temporal,
    /// A decimal number, or an operator of Reals.
    Real,
    /// A native operator that this build does not implement.
    NoNative(StdOp),
    /// A constant without a value.
    NoValue(Name),
    /// A definition that a replacement of the configuration leads back to.
    Cyclic(Name),
    /// A parameter or LET definition primed where its variables are already primed.
    DoublePrime,
}

#[derive(Clone, Debug)]
pub struct Func {
    /// The definition that it was made from, for messages.
    pub def: Option<DefId>,
    pub name: Name,
    /// The first `n_params` slots are the parameters.
    pub n_params: u16,
    /// The names of the parameters in the text, where they have names.
    pub param_names: Vec<Name>,
    pub n_slots: u16,
    pub body: IrId,
}

#[derive(Clone, Debug)]
pub struct Global {
    pub expr: IrId,
    /// The frame that evaluating it needs.
    pub n_slots: u16,
    /// The definition whose value it is, if it is one.
    pub def: Option<DefId>,
}

/// An expression with the frame it needs: an invariant, a constraint, the initial predicate.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    pub expr: IrId,
    pub n_slots: u16,
    /// The definition that named it.
    pub def: Option<DefId>,
    pub span: Span,
}

/// The next-state relation, split as far as it can be without a state (contract 3.1).
#[derive(Clone, Debug)]
pub enum ActionTree {
    Or(Vec<ActionTree>),
    /// `\E x \in S`, S constant.
    Exists {
        bounds: Vec<Bound>,
        body: Box<ActionTree>,
        /// The action that stands for all of them if the bounds cannot be enumerated. Its body is FALSE, because it ends
        /// with the error of the bounds.
        whole: ActionLeaf,
    },
    /// A LET or an inlined call on the way: the memo slots are emptied before each leaf below.
    Bind {
        memos: Vec<Memo>,
        body: Box<ActionTree>,
    },
    Leaf(ActionLeaf),
}

impl ActionTree {
    /// Returns the actions, in the order of the text.
    pub fn leaves(&self) -> Vec<&ActionLeaf> {
        match self {
            ActionTree::Or(branches) => branches.iter().flat_map(ActionTree::leaves).collect(),
            ActionTree::Exists { body, .. } | ActionTree::Bind { body, .. } => body.leaves(),
            ActionTree::Leaf(leaf) => vec![leaf],
        }
    }
}

/// One action. It gives a step in a trace its name.
#[derive(Clone, Debug)]
pub struct ActionLeaf {
    /// The innermost definition on the way; `None` for a nameless disjunct of Next itself.
    pub def: Option<DefId>,
    pub name: Name,
    /// Whether that definition is not the next-state relation itself.
    pub is_named: bool,
    pub expr: IrId,
    pub span: Span,
    /// Parameters and bound names on the way, named as in the source, and the nodes that read them.
    pub params: Vec<(Name, IrId)>,
}

/// A property of steps: `[][A]_v`.
#[derive(Clone, Copy, Debug)]
pub struct StepProperty {
    pub root: Root,
}

/// Notes about the text that evaluation does not need, for messages and traces.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// The parameters of each inlined call ([`IrKind::Enter`]).
    pub params: FxHashMap<IrId, Vec<Param>>,
    /// The places where the definition of an [`IrKind::Enter`] is applied, or an argument is read by its name. Several
    /// places may share one node.
    pub sites: FxHashMap<IrId, Vec<Span>>,
}

/// A parameter of an inlined call, and the node that reads it in the frame of the call.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    pub name: Name,
    pub reader: IrId,
    /// Whether the body reads at least everything that the reader reads: then it can be read wherever the body is
    /// evaluated, even away from the frame in which it was written.
    pub is_safe: bool,
}

/// A program: everything that a checker runs.
// Over 20 fields: the parts of a configuration, one by one, as TLC has them.
#[derive(Clone, Debug)]
pub struct Program {
    /// The strings of the specification and of its computed values.
    pub atoms: &'static Atoms,
    pub irs: IdVec<IrId, Ir>,
    pub funcs: IdVec<FuncId, Func>,
    pub globals: IdVec<GlobalId, Global>,
    /// The variables that ENABLED has of its own, for those of modules that were instantiated around it. Their values
    /// come after those of the next state, while ENABLED is evaluated.
    pub own_variables: Vec<Name>,
    /// Names of the variables, in declaration order.
    pub variables: Vec<Name>,
    /// The names of the variables as strings: the fields of a state that is shown as a record.
    pub variable_atoms: Vec<Atom>,
    /// The initial predicates. Their conjunction counts, in this order.
    pub init: Vec<Root>,
    pub next: Option<(ActionTree, u16)>,
    pub invariants: Vec<Root>,
    /// State-level PROPERTYs: checked in initial states.
    pub implied_inits: Vec<Root>,
    /// `[][A]_v` PROPERTYs: checked on every step.
    pub step_properties: Vec<StepProperty>,
    /// The actions whose steps may violate them, if that is known. They hold on all other steps, and a search does not
    /// check those.
    pub steps_in_doubt: Option<FxHashSet<IrId>>,
    /// The fairness of the specification.
    pub fairness: Vec<TemporalRoot>,
    /// The PROPERTYs that are about whole behaviours.
    pub temporal: Vec<TemporalRoot>,
    pub constraints: Vec<Root>,
    pub action_constraints: Vec<Root>,
    pub assumptions: Vec<(AssumeKind, Root)>,
    pub postconditions: Vec<Root>,
    pub possible: Vec<Root>,
    /// The formulas that the configuration names, and conjuncts of a property that have a name of their own.
    pub named_formulas: Vec<Root>,
    pub symmetry: Option<Root>,
    pub view: Option<Root>,
    pub alias: Option<Root>,
    /// `_RL_REWARD`: the reward of a step for walks that learn.
    pub reward: Option<Root>,
    /// Expressions evaluated in each state of a trace, named after their definitions.
    pub shown: Vec<Root>,
    /// Expressions that the caller evaluates during a run and does not show.
    pub asked: Vec<Root>,
    /// Actions that are taken one by one, each with the size of its frame.
    pub rules: Vec<(ActionLeaf, u16)>,
    pub periodic: Option<Root>,
    /// The size of the largest frame, which a lazy value needs when it is evaluated away from its own.
    pub n_slots_max: u16,
    /// 0-ary constant definitions in the order TLC evaluates them at start-up.
    pub preevaluated: Vec<GlobalId>,
    /// Definitions that apply themselves through a replacement of the configuration.
    pub cyclic: FxHashSet<DefId>,
    pub notes: Notes,
}

impl Program {
    /// Returns the name of a variable of the next state, including ENABLED's own.
    pub fn variable_name(&self, variable: VarIdx) -> Option<Name> {
        self.variables.iter().chain(&self.own_variables).nth(usize::from(variable.0)).copied()
    }

    /// Makes a program that has nothing to run yet.
    pub fn new(atoms: &'static Atoms) -> Program {
        Program {
            atoms,
            irs: IdVec::new(),
            funcs: IdVec::new(),
            globals: IdVec::new(),
            own_variables: Vec::new(),
            variables: Vec::new(),
            variable_atoms: Vec::new(),
            init: Vec::new(),
            next: None,
            invariants: Vec::new(),
            implied_inits: Vec::new(),
            step_properties: Vec::new(),
            steps_in_doubt: None,
            fairness: Vec::new(),
            temporal: Vec::new(),
            constraints: Vec::new(),
            action_constraints: Vec::new(),
            assumptions: Vec::new(),
            postconditions: Vec::new(),
            possible: Vec::new(),
            named_formulas: Vec::new(),
            symmetry: None,
            view: None,
            alias: None,
            reward: None,
            shown: Vec::new(),
            asked: Vec::new(),
            rules: Vec::new(),
            periodic: None,
            n_slots_max: 0,
            preevaluated: Vec::new(),
            cyclic: FxHashSet::default(),
            notes: Notes::default(),
        }
    }
}
