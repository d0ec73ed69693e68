//! Facts that tests establish while code is made: after `m.type = "vote"` the type of `m` is a constant, and what is
//! written for other types needs no code.

use eval::ir::{IrId, IrKind};
use value::{Constant, Value, raw};

use crate::emit::{Emitter, Val};
use crate::env::{Binding, FrameNo};

/// A name, and the way to a part of its value. It means the same value as long as the name is bound to the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Path {
    name: PathName,
    steps: Vec<PathStep>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PathName {
    Variable(u16),
    Slot(FrameNo, u16),
}

/// An argument that a function is applied to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PathStep {
    /// The word of a constant. Fields are strings.
    Constant(u64),
    Of(Path),
}

impl Path {
    /// Whether it reads this slot.
    pub fn reads(&self, frame: FrameNo, slot: u16) -> bool {
        let of_step = |step: &PathStep| match step {
            PathStep::Constant(_) => false,
            PathStep::Of(path) => path.reads(frame, slot),
        };
        self.name == PathName::Slot(frame, slot) || self.steps.iter().any(of_step)
    }

    fn then(mut self, step: PathStep) -> Path {
        self.steps.push(step);
        self
    }
}

impl Emitter<'_, '_, '_> {
    /// Returns the constant that a node is known to equal here.
    pub fn fact(&mut self, id: IrId) -> Option<Val> {
        if !self.env.has_facts() || !is_path(&self.program.irs[id].kind) {
            return None;
        }
        let path = self.path(id)?;
        self.env.fact(&path).map(Val::constant)
    }

    /// Notes what follows from the truth of a formula, from here on.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing is learnt from every other formula")]
    pub fn learn(&mut self, id: IrId, truth: bool) {
        let program = self.program;
        match &program.irs[id].kind {
            IrKind::And(items) if truth => items.iter().for_each(|&item| self.learn(item, true)),
            IrKind::Or(items) if !truth => items.iter().for_each(|&item| self.learn(item, false)),
            IrKind::Not(formula) => self.learn(*formula, !truth),
            IrKind::Implies(a, b) if !truth => {
                self.learn(*a, true);
                self.learn(*b, false);
            }
            IrKind::Eq(a, b) if truth => self.learn_equal(*a, *b),
            IrKind::Neq(a, b) if !truth => self.learn_equal(*a, *b),
            IrKind::Enter { body, .. } => self.learn(*body, truth),
            IrKind::Lazy { up, expr, .. } => {
                // A frame that is not there has no facts.
                let _ = self.in_frame_up(*up, |emitter| {
                    emitter.learn(*expr, truth);
                    Ok(())
                });
            }
            kind if is_path(kind) => {
                if let (Some(path), Some(truth)) = (self.path(id), Constant::opt_inline(Value::bool(truth))) {
                    self.env.note(path, truth);
                }
            }
            _ => {}
        }
    }

    fn learn_equal(&mut self, a: IrId, b: IrId) {
        for (part, other) in [(a, b), (b, a)] {
            if let Some(constant) = self.constant_of(other)
                && let Some(path) = self.path(part)
                && let Ok(constant) = self.machine.constant(constant)
            {
                return self.env.note(path, constant);
            }
        }
    }

    /// Returns the path that a node is, if it is one.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other node is a path")]
    fn path(&mut self, id: IrId) -> Option<Path> {
        let program = self.program;
        match &program.irs[id].kind {
            IrKind::Var(var) => Some(Path { name: PathName::Variable(var.0), steps: Vec::new() }),
            IrKind::Slot(slot) => {
                let (frame, binding) = self.env.find(*slot)?;
                let itself = Path { name: PathName::Slot(frame, slot.index), steps: Vec::new() };
                match *binding {
                    Binding::Argument { expr, frame, .. } => {
                        let path = self.in_frame(frame, |emitter| Ok(emitter.path(expr)));
                        Some(path.ok().flatten().unwrap_or(itself))
                    }
                    Binding::Val(_) | Binding::Held { .. } => Some(itself),
                    Binding::Memo { .. } | Binding::Operator { .. } => None,
                }
            }
            IrKind::Lazy { up, memo, expr } => {
                let path = self.in_frame_up(*up, |emitter| Ok(emitter.path(*expr))).ok()?;
                let itself = |memo: u16| {
                    let name = PathName::Slot(self.env.up(*up)?, memo);
                    Some(Path { name, steps: Vec::new() })
                };
                path.or_else(|| memo.and_then(itself))
            }
            IrKind::Enter { body, .. } => self.path(*body),
            IrKind::Field { record, field } => {
                let step = PathStep::Constant(raw::word(Value::atom(*field)));
                Some(self.path(*record)?.then(step))
            }
            IrKind::FnApply { function, arg } => {
                let function = self.path(*function)?;
                let step = match self.constant_of(*arg) {
                    Some(constant) => PathStep::Constant(Self::const_word(constant)),
                    None => PathStep::Of(self.path(*arg)?),
                };
                Some(function.then(step))
            }
            _ => None,
        }
    }
}

/// Whether a node may be a path.
fn is_path(kind: &IrKind) -> bool {
    matches!(
        kind,
        IrKind::Var(_)
            | IrKind::Slot(_)
            | IrKind::Field { .. }
            | IrKind::FnApply { .. }
            | IrKind::Lazy { memo: Some(_), .. }
    )
}
