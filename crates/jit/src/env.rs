//! The names in scope while code is made: frames of slots, linked as in the interpreter, and the bindings of slots.

use std::collections::BTreeMap;
use std::rc::Rc;

use eval::ir::{FuncId, IrId, SlotRef};
use value::Constant;

use crate::emit::Val;
use crate::facts::Path;
use crate::hint::Hint;
use crate::once::OnceNo;

/// The number of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FrameNo(u32);

/// The binding of a slot of a frame.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    Val(Val),
    /// A value in a cell of the memory that the functions of one action share.
    Held {
        cell: CellNo,
        hint: Hint,
        is_made: bool,
    },
    /// A definition that is evaluated when needed.
    Memo {
        once: OnceNo,
        known: Option<Val>,
    },
    /// An argument that is evaluated when needed, in the frame of the call.
    Argument {
        expr: IrId,
        frame: FrameNo,
        once: OnceNo,
        known: Option<Val>,
    },
    /// An operator, and the frame that its body is linked to.
    Operator {
        func: FuncId,
        link: FrameNo,
    },
}

/// The number of a cell in the memory that a function shares with those that were made out of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellNo(pub u32);

/// All frames, their bindings, and which frame is current. A copy costs nothing until one of the two changes.
#[derive(Clone, Debug)]
pub(crate) struct Env {
    frames: Rc<BTreeMap<FrameNo, Frame>>,
    bindings: Rc<BTreeMap<(FrameNo, u16), Binding>>,
    /// The constants that parts of values are known to equal.
    facts: Rc<BTreeMap<Path, Constant>>,
    pub current: FrameNo,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    link: Option<FrameNo>,
    n_slots: u16,
}

impl Env {
    /// Makes an environment with one frame.
    pub fn new(n_slots: u16) -> Env {
        let outermost = (FrameNo(0), Frame { link: None, n_slots });
        Env {
            frames: Rc::new(BTreeMap::from([outermost])),
            bindings: Rc::default(),
            facts: Rc::default(),
            current: FrameNo(0),
        }
    }

    pub fn has_facts(&self) -> bool {
        !self.facts.is_empty()
    }

    pub fn fact(&self, path: &Path) -> Option<Constant> {
        self.facts.get(path).copied()
    }

    /// Keeps in mind that a value equals a constant.
    pub fn note(&mut self, path: Path, constant: Constant) {
        Rc::make_mut(&mut self.facts).insert(path, constant);
    }

    /// Forgets all facts about a slot that is bound anew.
    fn forget_facts(&mut self, frame: FrameNo, slot: u16) {
        if self.facts.keys().any(|path| path.reads(frame, slot)) {
            Rc::make_mut(&mut self.facts).retain(|path, _| !path.reads(frame, slot));
        }
    }

    /// Makes a new frame current, whose number no other frame of the action has. Returns the one that was current.
    pub fn enter(&mut self, link: FrameNo, n_slots: u16, number: u32) -> FrameNo {
        let frame = FrameNo(number);
        Rc::make_mut(&mut self.frames).insert(frame, Frame { link: Some(link), n_slots });
        std::mem::replace(&mut self.current, frame)
    }

    /// Returns the frame `up` links out from the current one, if there is one.
    pub fn up(&self, up: u16) -> Option<FrameNo> {
        self.up_from(self.current, up)
    }

    pub fn n_slots(&self, frame: FrameNo) -> u16 {
        self.frames[&frame].n_slots
    }

    /// Returns the frame `up` links out from another, if there is one.
    pub fn up_from(&self, frame: FrameNo, up: u16) -> Option<FrameNo> {
        (0..up).try_fold(frame, |frame, _| self.frames.get(&frame)?.link)
    }

    pub fn binding(&self, slot: u16) -> Option<&Binding> {
        self.binding_in(self.current, slot)
    }

    pub fn binding_in(&self, frame: FrameNo, slot: u16) -> Option<&Binding> {
        self.bindings.get(&(frame, slot))
    }

    /// Returns the frame of a slot, and its binding.
    pub fn find(&self, slot: SlotRef) -> Option<(FrameNo, &Binding)> {
        let frame = self.up(slot.up)?;
        Some((frame, self.binding_in(frame, slot.index)?))
    }

    pub fn bind(&mut self, slot: u16, binding: Binding) {
        self.forget_facts(self.current, slot);
        self.bind_in(self.current, slot, binding);
    }

    /// Binds a slot to the same value in another form, or for the first time.
    pub fn bind_in(&mut self, frame: FrameNo, slot: u16, binding: Binding) {
        Rc::make_mut(&mut self.bindings).insert((frame, slot), binding);
    }

    /// Returns the bindings as a function has them that is made out of a part: values are in cells, if the part reads
    /// them, and nothing is known about what is evaluated by need.
    pub fn in_cells(&self, names: &[(FrameNo, u16, CellNo)], form: impl Fn(&Val) -> (Hint, bool)) -> Env {
        let mut bindings = BTreeMap::new();
        for (&key, binding) in &*self.bindings {
            let cell = names.iter().find(|&&(frame, slot, _)| (frame, slot) == key).map(|&(_, _, cell)| cell);
            let inner = match (binding, cell) {
                (Binding::Val(val), None) if val.as_const().is_none() => continue,
                (Binding::Val(val), Some(cell)) => {
                    let (hint, is_made) = form(val);
                    Binding::Held { cell, hint, is_made }
                }
                (Binding::Memo { once, .. }, _) => Binding::Memo { once: *once, known: None },
                (Binding::Argument { expr, frame, once, .. }, _) => {
                    Binding::Argument { expr: *expr, frame: *frame, once: *once, known: None }
                }
                (Binding::Val(_) | Binding::Held { .. } | Binding::Operator { .. }, _) => binding.clone(),
            };
            bindings.insert(key, inner);
        }
        Env { bindings: Rc::new(bindings), ..self.clone() }
    }

    /// Gives a slot of the current frame the binding that it had before.
    pub fn restore(&mut self, slot: u16, before: &Env) {
        match before.binding_in(self.current, slot) {
            Some(binding) => self.bind(slot, binding.clone()),
            None => {
                Rc::make_mut(&mut self.bindings).remove(&(self.current, slot));
            }
        }
    }
}
