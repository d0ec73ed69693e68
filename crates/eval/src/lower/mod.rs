//! Lowers a resolved specification and its configuration to a [`Program`].
//!
//! Operators are inlined, with their arguments bound by need; recursive ones become functions. A prime disappears in
//! lowering: the expression under it reads the next state. Closed constant parts become globals, which are evaluated
//! once. Replacements of the configuration are made on the way.

mod action;
mod apply;
mod atoms;
mod captures;
mod consts;
mod cyclic;
mod enabled;
mod env;
mod expr;
mod node;
mod notes;
mod operands;
mod recursion;
mod roots;
mod temporal;

use std::rc::Rc;

use base::{FxHashMap, FxHashSet, Id, IdVec};
use diag::Diagnostics;
use sema::Spec;
use sema::config::BoundConfig;
use sema::spec::{DefId, ExprId, ExprKind, Op, VarId};
use sema::std_ops::StdOp;
use value::Atoms;

pub use self::node::is_function_of_values;
use crate::ir::{Facts, FuncId, GlobalId, IrId, Program, Root, VarIdx};
use enabled::Own;
use env::{FrameId, SlotKey, Tense};

/// A program, or the reasons why there is none.
pub struct Lowered {
    pub program: Program,
    pub diagnostics: Diagnostics,
}

/// Lowers everything that `config` asks to check.
pub fn lower(spec: &Spec, config: &BoundConfig, atoms: &'static Atoms) -> Lowered {
    let mut lowerer = Lowerer::new(spec, config, atoms);
    lowerer.declare_atoms();
    lowerer.roots();
    lowerer.finish()
}

/// Lowers everything that `config` asks to check about `changed`, which is `spec` with other expressions in some
/// places. The behaviours, including fairness, are those of `changed`. The properties and the bounds are read in
/// `spec`.
pub fn lower_changed(
    (spec, changed): (&Spec, &Spec),
    config: &BoundConfig,
    atoms: &'static Atoms,
) -> Lowered {
    let mut lowerer = Lowerer::new(changed, config, atoms);
    lowerer.declare_atoms();
    lowerer.behaviour();
    lowerer.read_from(spec);
    lowerer.other_roots();
    lowerer.finish()
}

/// Lowers the question whether `reference` allows everything that `changed` does: its initial states become a property
/// of initial states, its next-state relation (or no change) a property of steps. Bounds are read in `spec`. Fairness
/// and the other questions of `config` are left out.
pub fn lower_comparison(
    spec: &Spec,
    (changed, reference): (&Spec, &Spec),
    config: &BoundConfig,
    atoms: &'static Atoms,
) -> Lowered {
    let mut lowerer = Lowerer::new(changed, config, atoms);
    lowerer.declare_atoms();
    lowerer.behaviour();
    lowerer.program.fairness.clear();
    lowerer.read_from(reference);
    lowerer.reference();
    lowerer.read_from(spec);
    lowerer.bounds_of_model();
    lowerer.finish()
}

/// Lowers one expression on its own, to watch a trace or to compute a value. It reads the variables of the root module.
pub fn lower_expr(spec: &Spec, config: &BoundConfig, atoms: &'static Atoms, expr: ExprId) -> (Lowered, Root) {
    let mut lowerer = Lowerer::new(spec, config, atoms);
    lowerer.declare_atoms();
    let root = lowerer.root(expr, None, spec.exprs[expr].span);
    (lowerer.finish(), root)
}

// Over 20 fields: tables of things that were lowered already, each of its own kind.
struct Lowerer<'s> {
    spec: &'s Spec,
    config: &'s BoundConfig,
    program: Program,
    diagnostics: Diagnostics,
    vars: FxHashMap<VarId, VarIdx>,
    frames: IdVec<FrameId, FrameInfo>,
    /// The slots bound outside each node that the node reads.
    free: IdVec<IrId, Rc<[SlotKey]>>,
    /// Whether each node has an ENABLED or `\\cdot` in it, not counting the functions that it calls.
    walking: IdVec<IrId, bool>,
    /// The node that reads each slot, for captures.
    readers: FxHashMap<SlotKey, IrId>,
    /// Bodies of definitions without parameters, inlined once for each frame.
    shared: FxHashMap<(FrameId, DefId, (Tense, bool)), IrId>,
    /// Constant definitions without parameters.
    globals: FxHashMap<DefId, Option<GlobalId>>,
    /// Arguments of TLCEval that are evaluated once and for all.
    evaluated: FxHashMap<ExprId, Option<GlobalId>>,
    /// Whether there is a TLCEval anywhere. Then it matters whether names are bound where a definition is applied.
    freezes: bool,
    /// Whether definitions refer to themselves through others, as far as that is known.
    mutual: FxHashMap<DefId, bool>,
    /// The definitions that each definition refers to: see `recursion`.
    referred: FxHashMap<DefId, Rc<[DefId]>>,
    /// Definitions without parameters whose bodies are being lowered.
    open: FxHashSet<DefId>,
    /// Recursive definitions at the top level of a module, by the tense in which they are read.
    funcs: FxHashMap<(DefId, Tense), FuncId>,
    /// The facts of each function.
    func_facts: IdVec<FuncId, Facts>,
    /// The slots of surrounding frames that each function reads.
    func_free: IdVec<FuncId, Rc<[SlotKey]>>,
    /// The frame of each function.
    func_frames: IdVec<FuncId, FrameId>,
    /// The lazy sets and functions, and the frames they are in: see `captures`.
    closures: Vec<(IrId, FrameId)>,
    /// Variables that ENABLED has of its own.
    own: Own,
    /// Definitions that replacements of the configuration make recursive.
    cyclic: FxHashSet<DefId>,
    inline_depth: usize,
    atoms: &'static Atoms,
}

/// Whether TLCEval is applied anywhere.
fn applies_tlc_eval(spec: &Spec) -> bool {
    let is_it = |def: DefId| spec.defs[def].std == Some(StdOp::TlcEval);
    spec.exprs
        .iter()
        .any(|expr| matches!(&expr.kind, ExprKind::Apply { op: Op::Def(def), .. } if is_it(*def)))
}

/// A frame under construction.
struct FrameInfo {
    n_slots: u16,
    parent: Option<FrameId>,
}

impl<'s> Lowerer<'s> {
    fn new(spec: &'s Spec, config: &'s BoundConfig, atoms: &'static Atoms) -> Self {
        let variables = &spec.modules[spec.root].variables;
        let vars = variables.iter().enumerate().map(|(index, &id)| (id, VarIdx(index as u16))).collect();
        let program = Program {
            variables: variables.iter().map(|&id| spec.variables[id].name).collect(),
            ..Program::new(atoms)
        };
        Lowerer {
            spec,
            config,
            program,
            diagnostics: Diagnostics::new(),
            vars,
            frames: IdVec::new(),
            free: IdVec::new(),
            walking: IdVec::new(),
            readers: FxHashMap::default(),
            shared: FxHashMap::default(),
            globals: FxHashMap::default(),
            evaluated: FxHashMap::default(),
            freezes: applies_tlc_eval(spec),
            mutual: FxHashMap::default(),
            referred: FxHashMap::default(),
            open: FxHashSet::default(),
            funcs: FxHashMap::default(),
            func_facts: IdVec::new(),
            func_free: IdVec::new(),
            func_frames: IdVec::new(),
            closures: Vec::new(),
            own: Own::default(),
            cyclic: cyclic::cyclic_replacements(spec, config),
            inline_depth: 0,
            atoms,
        }
    }

    /// Whether a definition applies itself, in its text or through a replacement.
    fn is_recursive(&self, def: DefId) -> bool {
        self.spec.defs[def].recursive || self.cyclic.contains(&def)
    }

    /// Continues with another version of the same definitions. Nothing lowered so far is used again.
    fn read_from(&mut self, spec: &'s Spec) {
        self.spec = spec;
        self.shared.clear();
        self.globals.clear();
        self.evaluated.clear();
        self.mutual.clear();
        self.referred.clear();
        self.funcs.clear();
    }

    fn finish(mut self) -> Lowered {
        self.set_captures();
        self.program.cyclic = self.cyclic;
        self.program.n_slots_max = self.frames.iter().map(|frame| frame.n_slots).max().unwrap_or(0);
        debug_assert!(is_closed(&self.program), "the parts of a node are nodes of the program");
        Lowered { program: self.program, diagnostics: self.diagnostics }
    }
}

/// Whether every node is made of nodes that are there.
fn is_closed(program: &Program) -> bool {
    let mut is_closed = true;
    for node in program.irs.iter() {
        node.kind.for_each_child(&mut |child| is_closed &= child.index() < program.irs.len());
    }
    is_closed
}
