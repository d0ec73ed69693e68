//! From a resolved specification and its configuration to a [`Program`].
//!
//! Operators are inlined, their arguments bound by need; recursive ones become functions. A prime is gone
//! after lowering: what it covers reads the next state. Closed constant parts become globals, evaluated
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
mod recursion;
mod roots;
mod temporal;

use std::rc::Rc;

use base::{FxHashMap, FxHashSet, IdVec};
use diag::Diagnostics;
use sema::Spec;
use sema::config::BoundConfig;
use sema::spec::{DefId, ExprId, ExprKind, Op, VarId};
use sema::std_ops::StdOp;
use value::Atoms;

use crate::ir::{Facts, FuncId, GlobalId, IrId, Program, Root, VarIdx};
use enabled::Own;
use env::{FrameId, SlotKey, Tense};

/// A program, or why there is none.
pub struct Lowered {
    pub program: Program,
    pub diagnostics: Diagnostics,
}

/// Lowers what `config` asks to check.
pub fn lower(spec: &Spec, config: &BoundConfig, atoms: &'static Atoms) -> Lowered {
    let mut lowerer = Lowerer::new(spec, config, atoms);
    lowerer.declare_atoms();
    lowerer.roots();
    lowerer.finish()
}

/// Lowers what `config` asks to check about `changed`, which is `spec` with other expressions in some places. Behaviours,
/// fairness included, are those of `changed`; whatever is asked about them, and what bounds them, is read in `spec`.
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

/// Lowers the question whether all that `changed` does is allowed by `reference`: its initial states as a property of initial
/// states, its next-state relation (or no change) as a property of steps. Bounds are read in `spec`; fairness and what
/// `config` asks for besides are left aside.
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

/// Lowers one expression on its own: to watch a trace, to ask for a value. It reads the variables of the
/// root module.
pub fn lower_expr(spec: &Spec, config: &BoundConfig, atoms: &'static Atoms, expr: ExprId) -> (Lowered, Root) {
    let mut lowerer = Lowerer::new(spec, config, atoms);
    lowerer.declare_atoms();
    let root = lowerer.root(expr, None, spec.exprs[expr].span);
    (lowerer.finish(), root)
}

struct Lowerer<'s> {
    spec: &'s Spec,
    config: &'s BoundConfig,
    program: Program,
    diagnostics: Diagnostics,
    vars: FxHashMap<VarId, VarIdx>,
    frames: IdVec<FrameId, FrameInfo>,
    /// For each node the slots it reads that are bound outside it.
    free: IdVec<IrId, Rc<[SlotKey]>>,
    /// Whether each node has an ENABLED or `\\cdot` in it, functions that it calls left out.
    walking: IdVec<IrId, bool>,
    /// How each slot is read, for captures.
    readers: FxHashMap<SlotKey, IrId>,
    /// Bodies of definitions without parameters, inlined once a frame.
    shared: FxHashMap<(FrameId, DefId, (Tense, bool)), IrId>,
    /// Constant definitions without parameters.
    globals: FxHashMap<DefId, Option<GlobalId>>,
    /// What TLCEval is applied to, where that is evaluated once for all.
    evaluated: FxHashMap<ExprId, Option<GlobalId>>,
    /// There is a TLCEval somewhere: then it matters whether names are bound where a definition is applied.
    freezes: bool,
    /// Which definitions are known to refer to themselves through others, or not to.
    mutual: FxHashMap<DefId, bool>,
    /// The definitions that each refers to: see `recursion`.
    referred: FxHashMap<DefId, Rc<[DefId]>>,
    /// Definitions without parameters whose bodies are being lowered.
    open: FxHashSet<DefId>,
    /// Recursive definitions at the top level of a module, by how they are read.
    funcs: FxHashMap<(DefId, Tense), FuncId>,
    /// What each function may read and do.
    func_facts: IdVec<FuncId, Facts>,
    /// The slots of frames around it that each function reads.
    func_free: IdVec<FuncId, Rc<[SlotKey]>>,
    /// The frame of each function.
    func_frames: IdVec<FuncId, FrameId>,
    /// The lazy sets and functions, and the frames they are in: see `captures`.
    closures: Vec<(IrId, FrameId)>,
    /// Variables that ENABLED has of its own.
    own: Own,
    /// What replacements of the configuration make recursive.
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

    /// Whether a definition applies itself, by its text or by a replacement.
    fn is_recursive(&self, def: DefId) -> bool {
        self.spec.defs[def].recursive || self.cyclic.contains(&def)
    }

    /// Goes on with another reading of the same definitions: what was lowered so far is not used again.
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
        Lowered { program: self.program, diagnostics: self.diagnostics }
    }
}
