//! The bindings of names while lowering.

use std::cell::RefCell;
use std::rc::Rc;

use sema::spec::{DefId, ExprId, LocalId, OpArg};

use super::Lowerer;
use crate::ir::{FuncId, IrId, IrKind, Memo, SlotRef};

base::define_id! {
    /// A frame under construction: of a root, a global or a function.
    FrameId
}

/// A slot of a frame under construction.
pub(super) type SlotKey = (FrameId, u16);

/// Stands for every slot of a frame: the slots that a function may read of each frame around it before its body is
/// known.
pub(super) const WHOLE_FRAME: u16 = u16::MAX;

/// The context in which an expression is lowered.
#[derive(Clone)]
pub(super) struct Scope<'s> {
    pub(super) frame: FrameId,
    /// Whether it is under a prime.
    pub(super) primed: bool,
    /// The ENABLED around it, which decides which variables of instantiated modules are its own. See `enabled`.
    pub(super) own: OwnVars,
    /// Whether nothing is bound around it, wherever it was applied from: see [`Lowerer::tlc_eval_global`].
    pub(super) is_bare: bool,
    pub(super) env: Env<'s>,
}

/// A set of instances, by number; 0 is none.
pub(super) type OwnVars = u16;

/// The part of a scope, besides its bindings, on which the meaning of a name depends.
pub(super) type Tense = (bool, OwnVars);

impl<'s> Scope<'s> {
    pub(super) fn tense(&self) -> Tense {
        (self.primed, self.own)
    }

    pub(super) fn with_env(&self, env: Env<'s>) -> Scope<'s> {
        Scope { env, ..self.clone() }
    }

    pub(super) fn with_prime(&self) -> Scope<'s> {
        Scope { primed: true, ..self.clone() }
    }
}

/// Bindings, the innermost first.
#[derive(Clone, Default)]
pub(super) struct Env<'s>(Option<Rc<EnvNode<'s>>>);

struct EnvNode<'s> {
    key: BindingKey,
    binding: Binding<'s>,
    next: Env<'s>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BindingKey {
    Local(LocalId),
    /// A definition of a LET.
    Def(DefId),
}

#[derive(Clone)]
pub(super) enum Binding<'s> {
    /// A bound name, or a parameter of a function.
    Slot(SlotKey),
    /// An argument of an inlined operator, or a LET definition without parameters.
    Thunk(Rc<Thunk<'s>>),
    /// An operator given as an argument, which is read in the scope where it was given.
    Op { arg: &'s OpArg, scope: Scope<'s> },
    /// An operator parameter of a function.
    OpSlot(SlotKey),
    /// A LET definition with parameters, or a recursive one.
    Let(Rc<LetDef<'s>>),
}

/// An expression evaluated by need, once for the current and once for the next state.
pub(super) struct Thunk<'s> {
    pub(super) expr: ExprId,
    pub(super) scope: Scope<'s>,
    /// Whether an effect in it happens at every use in an action (LET), or at most once (arguments).
    pub(super) is_let: bool,
    /// The lowered expression and its memo slot, for each tense in which it is read.
    pub(super) lowered: RefCell<Vec<(Tense, Remembered)>>,
}

/// A lowered expression, and the slot that remembers its value if there is one.
pub(super) type Remembered = (IrId, Option<u16>);

/// An operator defined in a LET.
pub(super) struct LetDef<'s> {
    /// The scope of the LET's definitions.
    pub(super) scope: RefCell<Option<Scope<'s>>>,
    /// Its function for each tense in which it is read, once one is needed.
    pub(super) funcs: RefCell<Vec<(Tense, FuncId)>>,
    /// All definitions of the LET.
    pub(super) siblings: &'s [DefId],
}

impl<'s> Env<'s> {
    pub(super) fn bind(&self, local: LocalId, binding: Binding<'s>) -> Env<'s> {
        Env(Some(Rc::new(EnvNode { key: BindingKey::Local(local), binding, next: self.clone() })))
    }

    pub(super) fn bind_def(&self, def: DefId, binding: Binding<'s>) -> Env<'s> {
        Env(Some(Rc::new(EnvNode { key: BindingKey::Def(def), binding, next: self.clone() })))
    }

    pub(super) fn local(&self, local: LocalId) -> Option<&Binding<'s>> {
        self.find(BindingKey::Local(local))
    }

    pub(super) fn def(&self, def: DefId) -> Option<&Binding<'s>> {
        self.find(BindingKey::Def(def))
    }

    /// Iterates over the arguments and definitions without parameters, the innermost first.
    pub(super) fn thunks(&self) -> impl Iterator<Item = &Rc<Thunk<'s>>> {
        let nodes = std::iter::successors(self.0.as_deref(), |node| node.next.0.as_deref());
        nodes.filter_map(|node| match &node.binding {
            Binding::Thunk(thunk) => Some(thunk),
            Binding::Slot(_) | Binding::Op { .. } | Binding::OpSlot(_) | Binding::Let(_) => None,
        })
    }

    /// Iterates over the operators given as arguments, the innermost first.
    pub(super) fn operators(&self) -> impl Iterator<Item = &'s OpArg> {
        let nodes = std::iter::successors(self.0.as_deref(), |node| node.next.0.as_deref());
        nodes.filter_map(|node| match &node.binding {
            Binding::Op { arg, .. } => Some(*arg),
            Binding::Slot(_) | Binding::Thunk(_) | Binding::OpSlot(_) | Binding::Let(_) => None,
        })
    }

    fn find(&self, key: BindingKey) -> Option<&Binding<'s>> {
        let mut env = self;
        while let Some(node) = &env.0 {
            if node.key == key {
                return Some(&node.binding);
            }
            env = &node.next;
        }
        None
    }
}

impl<'s> Lowerer<'s> {
    pub(super) fn new_frame(&mut self, parent: Option<FrameId>) -> FrameId {
        self.frames.push(super::FrameInfo { n_slots: 0, parent })
    }

    pub(super) fn new_slot(&mut self, frame: FrameId) -> u16 {
        let info = &mut self.frames[frame];
        let slot = info.n_slots;
        info.n_slots = slot.checked_add(1).expect("a frame has fewer than 65,536 names");
        slot
    }

    pub(super) fn n_slots(&self, frame: FrameId) -> u16 {
        self.frames[frame].n_slots
    }

    /// Returns the number of static links from `from` out to `to`.
    pub(super) fn links(&self, from: FrameId, to: FrameId) -> u16 {
        let mut up = 0;
        let mut frame = from;
        while frame != to {
            frame = self.frames[frame].parent.expect("names are read inside the frame that binds them");
            up += 1;
        }
        up
    }

    pub(super) fn slot_ref(&self, scope: &Scope<'s>, (frame, index): SlotKey) -> SlotRef {
        SlotRef { up: self.links(scope.frame, frame), index }
    }

    pub(super) fn thunk_of(expr: ExprId, scope: &Scope<'s>, is_let: bool) -> Rc<Thunk<'s>> {
        Rc::new(Thunk { expr, scope: scope.clone(), is_let, lowered: RefCell::default() })
    }

    /// Reads a thunk from `scope`.
    pub(super) fn read_thunk(&mut self, scope: &Scope<'s>, thunk: &Thunk<'s>) -> IrId {
        let primed = scope.primed || thunk.scope.primed;
        if self.is_trivial(thunk.expr) {
            let (is_bare, env) = (thunk.scope.is_bare, thunk.scope.env.clone());
            let here = Scope { frame: scope.frame, primed, own: scope.own, is_bare, env };
            return self.expr(&here, thunk.expr);
        }
        let tense = (primed, scope.own);
        let known = thunk.lowered.borrow().iter().find(|known| known.0 == tense).map(|known| known.1);
        let (expr, memo) = match known {
            Some(lowered) => lowered,
            None => {
                let home = Scope { primed, own: scope.own, ..thunk.scope.clone() };
                let expr = self.expr(&home, thunk.expr);
                let memo = if self.is_constant(expr) { None } else { Some(self.new_slot(home.frame)) };
                thunk.lowered.borrow_mut().push((tense, (expr, memo)));
                (expr, memo)
            }
        };
        let up = self.links(scope.frame, thunk.scope.frame);
        if memo.is_none() {
            // The names inside it have slots in the frame in which it was lowered, and perhaps none in this one.
            return if up == 0 { expr } else { self.fold(expr) };
        }
        let span = self.program.irs[expr].span;
        let reader = self.node(scope.frame, IrKind::Lazy { up, memo, expr }, span);
        if let Some(slot) = memo {
            let key = (thunk.scope.frame, slot);
            if up == 0 {
                self.readers.insert(key, reader);
            } else if !self.readers.contains_key(&key) {
                let at_home = self.node(thunk.scope.frame, IrKind::Lazy { up: 0, memo, expr }, span);
                self.readers.insert(key, at_home);
            }
        }
        reader
    }

    /// Returns the memo slots that reading `thunks` needed.
    pub(super) fn memos(&self, thunks: &[Rc<Thunk<'s>>]) -> Vec<Memo> {
        let lowered = thunks.iter().flat_map(|thunk| {
            let is_let = thunk.is_let;
            let lowered: Vec<Remembered> = thunk.lowered.borrow().iter().map(|known| known.1).collect();
            lowered.into_iter().map(move |lowered| (lowered, is_let))
        });
        lowered
            .filter_map(|((expr, memo), is_let)| {
                let repeats_in_actions = is_let && self.program.irs[expr].facts.unrepeatable;
                Some(Memo { slot: memo?, expr, repeats_in_actions })
            })
            .collect()
    }

    /// Returns `body`, in which `thunks` are read, with their memo slots bound.
    pub(super) fn bound_body(&mut self, scope: &Scope<'s>, thunks: &[Rc<Thunk<'s>>], body: IrId) -> IrId {
        let memos = self.memos(thunks);
        if memos.is_empty() {
            return body;
        }
        let span = self.program.irs[body].span;
        self.node(scope.frame, IrKind::Bind { memos, body }, span)
    }
}
