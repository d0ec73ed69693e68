//! Makes nodes: computes their facts and free slots, and turns constant parts into globals.

use std::rc::Rc;

use base::Id;
use diag::Span;
use sema::config::Replacement;
use sema::level::Level;
use sema::spec::{Arg, DefBody, DefId, ExprKind, Op, OpArg};
use sema::std_ops::{Effect, StdOp};

use super::Lowerer;
use super::env::{FrameId, SlotKey, WHOLE_FRAME};
use crate::ir::{CallArg, Facts, Func, FuncId, Global, GlobalId, Ir, IrId, IrKind};

impl Lowerer<'_> {
    /// Adds a node to a frame. Constant children of a node that is not constant become globals.
    pub(super) fn node(&mut self, frame: FrameId, mut kind: IrKind, span: Span) -> IrId {
        let free = self.free_slots(frame, &kind);
        let facts = self.facts(&kind);
        let constant = free.is_empty() && facts == Facts::default();
        if !constant {
            let mut children = Vec::new();
            kind.for_each_child_mut(&mut |child| children.push(*child));
            let mut folded =
                children.into_iter().map(|child| self.fold(child)).collect::<Vec<_>>().into_iter();
            kind.for_each_child_mut(&mut |child| *child = folded.next().unwrap_or(*child));
        }
        let is_closure = matches!(kind, IrKind::Function { .. } | IrKind::SetFilter { .. });
        let id = self.push(Ir { kind, span, facts }, free);
        if is_closure {
            self.closures.push((id, frame));
        }
        id
    }

    fn push(&mut self, ir: Ir, free: Rc<[SlotKey]>) -> IrId {
        let mut walks = matches!(ir.kind, IrKind::Enabled { .. } | IrKind::Cdot(..));
        ir.kind.for_each_child(&mut |child| walks |= self.walking[child]);
        self.walking.push(walks);
        self.free.push(free);
        self.program.irs.push(ir)
    }

    /// Whether a node has the same value whenever and wherever it is evaluated.
    pub(super) fn is_constant(&self, id: IrId) -> bool {
        self.free[id].is_empty() && self.program.irs[id].facts == Facts::default()
    }

    /// Turns a constant node into a global, which is evaluated once. Literals stay.
    pub(super) fn fold(&mut self, id: IrId) -> IrId {
        let ir = &self.program.irs[id];
        if !self.is_constant(id) || matches!(ir.kind, IrKind::Const(_) | IrKind::Global(_) | IrKind::Fail(_))
        {
            return id;
        }
        // A recursive function may need some of its values to find others, so it never exists as a whole.
        if matches!(&ir.kind, IrKind::Call { args, .. } if args.is_empty()) {
            return id;
        }
        let span = ir.span;
        let global = self.new_global(id, None);
        self.push(Ir { kind: IrKind::Global(global), span, facts: Facts::default() }, Rc::new([]))
    }

    pub(super) fn new_global(&mut self, expr: IrId, def: Option<DefId>) -> GlobalId {
        // Its slots were allocated in the frame in which it was lowered. That frame may still grow, which does no harm:
        // every slot it reads is bound inside it.
        let n_slots = self.slots_used(expr);
        self.program.globals.push(Global { expr, n_slots, def })
    }

    /// Returns one more than the highest slot that a closed node binds.
    fn slots_used(&self, root: IrId) -> u16 {
        let mut seen = base::FxHashSet::from_iter([root]);
        let mut todo = vec![root];
        let mut n_slots = 0;
        while let Some(id) = todo.pop() {
            let kind = &self.program.irs[id].kind;
            kind.for_each_slot(&mut |slot| n_slots = n_slots.max(slot + 1));
            kind.for_each_child(&mut |child| {
                if seen.insert(child) {
                    todo.push(child);
                }
            });
        }
        n_slots
    }

    fn facts(&self, kind: &IrKind) -> Facts {
        let mut facts = own_facts(kind);
        let dead = self.dead_children(kind);
        kind.for_each_child(&mut |child| {
            let child_facts = self.program.irs[child].facts;
            facts = facts.or(match dead.contains(&child) {
                // A child that is never evaluated has no effects and does not read the run.
                true => Facts { impure: false, unrepeatable: false, dynamic: false, ..child_facts },
                false => child_facts,
            });
        });
        let mut add_func = |func: FuncId| facts = facts.or(self.func_facts[func]);
        kind.for_each_func(&mut add_func);
        if let IrKind::Enabled { primed, .. } = kind {
            // ENABLED tries steps of its own, so it reads one state.
            facts.reads_next = *primed;
            facts.reads_state = !primed;
        }
        facts
    }

    /// Returns the children of a node that are never evaluated, because a literal before them decides: `FALSE => e`.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other kinds evaluate what they need, in any case"
    )]
    fn dead_children(&self, kind: &IrKind) -> Vec<IrId> {
        let mut dead = match kind {
            // Not so of disjuncts after TRUE: of an action each of them is a step.
            IrKind::And(items) => {
                let decides = |&item: &IrId| self.known_truth(item) == Some(false);
                let end = items.iter().position(decides).map_or(items.len(), |at| at + 1);
                items[end..].to_vec()
            }
            IrKind::Implies(a, b) if self.known_truth(*a) == Some(false) => vec![*b],
            IrKind::If { condition, then, otherwise } => match self.known_truth(*condition) {
                Some(true) => vec![*otherwise],
                Some(false) => vec![*then],
                None => Vec::new(),
            },
            _ => Vec::new(),
        };
        // A child that occurs several times is dead only if all occurrences are.
        if !dead.is_empty() {
            let mut children = Vec::new();
            kind.for_each_child(&mut |child| children.push(child));
            let count = |of: &[IrId], child: IrId| of.iter().filter(|&&it| it == child).count();
            let all = dead.clone();
            dead.retain(|&child| count(&children, child) == count(&all, child));
        }
        dead
    }

    /// Returns the truth value of a node that is TRUE or FALSE by its text alone.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the other kinds are known when they are evaluated")]
    fn known_truth(&self, id: IrId) -> Option<bool> {
        match &self.program.irs[id].kind {
            IrKind::Const(constant) => constant.get().as_bool(),
            IrKind::Global(global) => self.known_truth(self.program.globals[*global].expr),
            IrKind::Enter { body, .. } => self.known_truth(*body),
            IrKind::Not(inner) => self.known_truth(*inner).map(|truth| !truth),
            _ => None,
        }
    }

    /// Returns the slots bound outside a node that the node reads.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the other kinds add none of their own")]
    fn free_slots(&self, frame: FrameId, kind: &IrKind) -> Rc<[SlotKey]> {
        let mut free: Vec<SlotKey> = Vec::new();
        kind.for_each_child(&mut |child| free.extend_from_slice(&self.free[child]));
        match kind {
            IrKind::Slot(slot) | IrKind::CallParam { slot, .. } => {
                free.push(self.key(frame, slot.up, slot.index))
            }
            // The slots of the expression are read while the memo slot is still empty: see Bind.
            IrKind::Lazy { up, memo: Some(slot), .. } => free = vec![self.key(frame, *up, *slot)],
            IrKind::Bind { memos, .. } => {
                free.retain(|key| !memos.iter().any(|memo| *key == (frame, memo.slot)));
            }
            _ => {}
        }
        for arg in kind.call_args() {
            if let CallArg::Param(slot) = arg {
                free.push(self.key(frame, slot.up, slot.index));
            }
        }
        kind.for_each_func(&mut |func| free.extend_from_slice(&self.func_free[func]));
        kind.for_each_bound_slot(&mut |slot| free.retain(|&key| key != (frame, slot)));
        free.sort_unstable();
        free.dedup();
        free.into()
    }

    fn key(&self, frame: FrameId, up: u16, index: u16) -> SlotKey {
        let mut home = frame;
        for _ in 0..up {
            home = self.frames[home].parent.expect("a slot is `up` links out");
        }
        (home, index)
    }

    /// Declares a function whose body comes later, so that the body can call it. Until then its facts are those of the
    /// definition's level and of everything it refers to.
    pub(super) fn declare_func(&mut self, def: DefId, frame: FrameId) -> FuncId {
        let entry = &self.spec.defs[def];
        let facts = self.def_facts(def);
        let n_params = entry.params.len() as u16;
        // A nested function can read anything of every frame around it: one key stands for all of a frame.
        let around = std::iter::successors(self.frames[frame].parent, |&outer| self.frames[outer].parent);
        let free: Rc<[SlotKey]> = around.map(|outer| (outer, WHOLE_FRAME)).collect();
        let name = entry.name;
        self.func_frames.push(frame);
        self.add_func(Some(def), name, n_params, (facts, free))
    }

    fn add_func(
        &mut self,
        def: Option<DefId>,
        name: base::Name,
        n_params: u16,
        (facts, free): (Facts, Rc<[SlotKey]>),
    ) -> FuncId {
        self.func_facts.push(facts);
        self.func_free.push(free);
        let body = IrId::from_index(0);
        let params = def.map_or(&[][..], |def| self.spec.defs[def].params.as_slice());
        let param_names = params.iter().map(|&param| self.spec.locals[param].name).collect();
        self.program.funcs.push(Func { def, name, n_params, param_names, n_slots: n_params, body })
    }

    /// Makes a function whose body is known: an operator argument.
    pub(super) fn new_func(&mut self, name: base::Name, frame: FrameId, body: IrId, n_params: u16) -> FuncId {
        let own = |key: &&SlotKey| key.0 != frame;
        let free: Rc<[SlotKey]> = self.free[body].iter().filter(own).copied().collect();
        let facts = self.program.irs[body].facts;
        self.func_frames.push(frame);
        let func = self.add_func(None, name, n_params, (facts, free));
        let n_slots = self.n_slots(frame);
        let entry = &mut self.program.funcs[func];
        entry.body = body;
        entry.n_slots = n_slots;
        func
    }

    /// Returns the facts of a definition, found without lowering it.
    fn def_facts(&mut self, def: DefId) -> Facts {
        let level = self.spec.levels.defs[def];
        let mut facts = Facts {
            reads_state: level >= Level::State,
            reads_next: level >= Level::Action,
            ..Facts::default()
        };
        let mut seen = base::FxHashSet::from_iter([def]);
        let mut todo = vec![def];
        while let Some(next) = todo.pop() {
            let entry = &self.spec.defs[next];
            if let Some(op) = entry.std {
                facts = facts.or(native_facts(op));
            }
            let DefBody::Expr(body) = entry.body else { continue };
            self.spec.walk(body, |expr| {
                let kind = &self.spec.exprs[expr].kind;
                let lets = kind.let_defs().iter().copied();
                let replaced: Vec<DefId> = self.replacements_in(kind);
                for &def in &replaced {
                    let level = self.spec.levels.defs[def];
                    facts.reads_state |= level >= Level::State;
                    facts.reads_next |= level >= Level::Action;
                }
                let used = lets.chain(referenced_defs(kind)).chain(replaced);
                todo.extend(used.filter(|&def| seen.insert(def)));
                true
            });
        }
        facts
    }

    /// Returns the replacements, by the configuration, of the operators that an expression applies or passes right
    /// here.
    fn replacements_in(&self, kind: &ExprKind) -> Vec<DefId> {
        let replacements = &self.config.replacements;
        let replaced = operators(kind).into_iter().filter_map(|op| match op {
            Op::Def(def) => replacements.defs.get(&def),
            Op::Const(constant) => replacements.constants.get(&constant),
            Op::Param(_) | Op::Builtin(_) => None,
        });
        replaced
            .filter_map(|by| match by {
                Replacement::Def(def) => Some(*def),
                Replacement::Const(_) | Replacement::Value(_) | Replacement::Table(_) => None,
            })
            .collect()
    }
}

/// Returns the definitions that an expression applies or passes right here.
pub(super) fn referenced_defs(kind: &ExprKind) -> Vec<DefId> {
    let defs = operators(kind).into_iter().filter_map(|op| match op {
        Op::Def(def) => Some(def),
        Op::Const(_) | Op::Param(_) | Op::Builtin(_) => None,
    });
    defs.collect()
}

/// Returns the operators that an expression applies or passes right here.
fn operators(kind: &ExprKind) -> Vec<Op> {
    let ExprKind::Apply { op, args } = kind else { return Vec::new() };
    let passed = args.iter().filter_map(|arg| match arg {
        Arg::Op(OpArg::Ref(op, _)) => Some(*op),
        Arg::Op(OpArg::Lambda(_)) | Arg::Expr(_) => None,
    });
    std::iter::once(*op).chain(passed).collect()
}

/// Returns the facts that a node has by itself.
#[expect(clippy::wildcard_enum_match_arm, reason = "the other kinds have the facts of their parts")]
fn own_facts(kind: &IrKind) -> Facts {
    match kind {
        IrKind::Var(_) => Facts { reads_state: true, ..Facts::default() },
        IrKind::Next(_) => Facts { reads_next: true, ..Facts::default() },
        IrKind::Cdot(..) => Facts { reads_state: true, reads_next: true, ..Facts::default() },
        IrKind::Native { op, .. } => native_facts(*op),
        _ => Facts::default(),
    }
}

/// Whether an operator does nothing but compute a value from those of its arguments.
pub fn is_function_of_values(op: StdOp) -> bool {
    let Facts { impure, dynamic, .. } = native_facts(op);
    !impure && !dynamic
}

/// Returns the facts of operators that have effects, or that are not functions of their arguments.
fn native_facts(op: StdOp) -> Facts {
    let has_any = |effects: &[Effect]| effects.iter().any(|&effect| op.has_effect(effect));
    Facts {
        impure: has_any(&[Effect::Prints, Effect::Asserts, Effect::Varies, Effect::Writes]),
        unrepeatable: has_any(&[Effect::Prints, Effect::Varies, Effect::Writes]),
        dynamic: has_any(&[Effect::AsksRun, Effect::RunsProgram]),
        ..Facts::default()
    }
}
