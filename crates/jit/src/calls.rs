//! Calls of functions and operators: their bodies become part of the code, with arguments that are evaluated by need.

use cranelift_codegen::ir::Block;
use eval::ir::{CallArg, FuncId, IrId, SlotRef};

use crate::actions::Then;
use crate::emit::{Emitted, Emitter, Unsupported, Val};
use crate::env::{Binding, FrameNo};

/// The most calls of actions that apply themselves whose bodies become part of the code of an action.
const UNROLLED_MAX: usize = 8;

/// A function that is called, and the frame that its body is linked to.
#[derive(Clone, Copy)]
pub(crate) struct Callee {
    pub func: FuncId,
    pub link: FrameNo,
}

impl Emitter<'_, '_, '_> {
    /// Runs `body` in the frame `up` links out.
    pub fn in_frame_up<T>(&mut self, up: u16, body: impl FnOnce(&mut Self) -> Emitted<T>) -> Emitted<T> {
        if up == 0 {
            return body(self);
        }
        let frame = self.env.up(up).ok_or(Unsupported("a frame that is not there"))?;
        self.in_frame(frame, body)
    }

    /// Runs `body` in a frame.
    pub fn in_frame<T>(&mut self, frame: FrameNo, body: impl FnOnce(&mut Self) -> Emitted<T>) -> Emitted<T> {
        let here = std::mem::replace(&mut self.env.current, frame);
        let result = body(self);
        self.env.current = here;
        result
    }

    /// Reads a bound name or a parameter.
    pub fn read_slot(&mut self, slot: SlotRef) -> Emitted<Val> {
        match self.env.find(slot) {
            Some((_, Binding::Val(val))) => Ok(val.clone()),
            Some((_, Binding::Held { cell, hint, is_made })) => {
                let (cell, hint, is_made) = (*cell, hint.clone(), *is_made);
                Ok(self.held(cell, &hint, is_made))
            }
            Some((frame, Binding::Argument { .. })) => self.argument(frame, slot.index),
            Some((_, Binding::Memo { .. } | Binding::Operator { .. })) | None => {
                Err(Unsupported("a slot without a value"))
            }
        }
    }

    /// Evaluates an argument in the frame of its call, unless that was done before.
    pub fn argument(&mut self, of: FrameNo, slot: u16) -> Emitted<Val> {
        let Some(Binding::Argument { expr, frame, once, known }) = self.env.binding_in(of, slot).cloned()
        else {
            return Err(Unsupported("an argument that is not there"));
        };
        if let Some(val) = known {
            return Ok(val);
        }
        let val = self.in_frame(frame, |emitter| emitter.once(once, expr))?;
        self.env.bind_in(of, slot, Binding::Argument { expr, frame, once, known: Some(val.clone()) });
        Ok(val)
    }

    /// Returns a function that is linked to the frame `up` links out.
    pub fn callee(&self, func: FuncId, up: u16) -> Emitted<Callee> {
        let link = self.env.up(up).ok_or(Unsupported("a frame that is not there"))?;
        Ok(Callee { func, link })
    }

    /// Returns the function that an operator parameter stands for.
    pub fn operator(&self, slot: SlotRef) -> Emitted<Callee> {
        match self.env.find(slot) {
            Some((_, Binding::Operator { func, link })) => Ok(Callee { func: *func, link: *link }),
            Some((
                _,
                Binding::Val(_) | Binding::Held { .. } | Binding::Memo { .. } | Binding::Argument { .. },
            ))
            | None => Err(Unsupported("an operator that is not known")),
        }
    }

    /// Returns the binding of a parameter to an argument of a call in the current frame.
    fn binding_of(&mut self, arg: CallArg) -> Emitted<Binding> {
        match arg {
            CallArg::Expr(expr) => {
                let once = self.add_once();
                Ok(Binding::Argument { expr, frame: self.env.current, once, known: None })
            }
            CallArg::Func(func) => Ok(Binding::Operator { func, link: self.env.current }),
            CallArg::Param(slot) => {
                let Callee { func, link } = self.operator(slot)?;
                Ok(Binding::Operator { func, link })
            }
        }
    }

    /// Returns the bindings of the parameters of a call in the current frame.
    pub fn params(&mut self, args: &[CallArg]) -> Emitted<Vec<Binding>> {
        let params = args.iter().map(|&arg| self.binding_of(arg)).collect();
        self.settle_onces();
        params
    }

    /// Runs `body` for the body of a function, in a frame of its own with these bindings of its parameters.
    pub fn in_call<T>(
        &mut self,
        callee: Callee,
        params: Vec<Binding>,
        body: impl FnOnce(&mut Self, IrId) -> Emitted<T>,
    ) -> Emitted<T> {
        let function = &self.program.funcs[callee.func];
        self.common.n_frames += 1;
        let here = self.env.enter(callee.link, function.n_slots, self.common.n_frames);
        for (slot, binding) in params.into_iter().enumerate() {
            self.env.bind(slot as u16, binding);
        }
        let result = body(self, function.body);
        self.env.current = here;
        result
    }

    /// Makes code for a call, whose node is `id`.
    pub fn call_func(&mut self, callee: Callee, args: &[CallArg], id: IrId) -> Emitted<Val> {
        if self.is_recursive(callee.func) {
            return self.call_recursive(callee.func, args, id);
        }
        let params = self.params(args)?;
        self.in_call(callee, params, Emitter::value)
    }

    /// Makes code for a call of a function whose value is a truth.
    pub fn branch_call(
        &mut self,
        callee: Callee,
        args: &[CallArg],
        (id, yes, no): (IrId, Block, Block),
    ) -> Emitted<()> {
        if self.is_recursive(callee.func) {
            let val = self.call_recursive(callee.func, args, id)?;
            return self.branch_on(&val, yes, no);
        }
        let params = self.params(args)?;
        self.in_call(callee, params, |emitter, body| emitter.branch(body, yes, no))
    }

    /// Makes code for a call that is an action. Calls of an action that applies itself are unrolled, up to a limit.
    pub fn walk_call(
        &mut self,
        callee: Callee,
        args: &[CallArg],
        then: Then<'_>,
        done: Block,
    ) -> Emitted<()> {
        if self.is_recursive(callee.func) && !self.unrolls() {
            self.draft = None;
            self.give_up_here();
            return Ok(());
        }
        let params = self.params(args)?;
        self.in_call(callee, params, |emitter, body| emitter.walk(body, then, done))
    }

    /// Whether one more call of an action that applies itself becomes part of the code. Calls that go deeper are left to
    /// the interpreter.
    fn unrolls(&mut self) -> bool {
        self.common.n_unrolled += 1;
        self.common.n_unrolled <= UNROLLED_MAX
    }

    /// Applies an operator argument of a native operator to values.
    pub fn apply_operator(&mut self, arg: CallArg, vals: Vec<Val>) -> Emitted<Val> {
        let callee = match arg {
            CallArg::Func(func) => Callee { func, link: self.env.current },
            CallArg::Param(slot) => self.operator(slot)?,
            CallArg::Expr(_) => return Err(Unsupported("an operator that is an expression")),
        };
        if self.is_recursive(callee.func) {
            return Err(Unsupported("a recursive operator as an argument"));
        }
        let params = vals.into_iter().map(Binding::Val).collect();
        self.in_call(callee, params, Emitter::value)
    }
}
