//! Applications of definitions and of declared operators: checks the arguments against what the body does with each
//! parameter.

use super::Level;
use super::checker::{Checker, Ctx, Frame};
use super::facts::{Cause, Limit, Need, Position, Sym};
use super::rules;
use crate::spec::{Arg, Builtin, DefId, ExprId, Lambda, LocalId, LocalKind, Op, OpArg};

/// An operator that is passed as an argument or substituted.
#[derive(Clone, Debug)]
pub(super) enum Passed {
    /// Another operator symbol. The demands on it are known once something is put in its place.
    Symbol {
        sym: Option<Sym>,
        level: Level,
    },
    Operator(Operator),
}

#[derive(Clone, Debug)]
pub(super) struct Operator {
    pub level: Level,
    pub sound: bool,
    pub slots: Vec<ArgSlot>,
}

/// One argument position of an operator.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArgSlot {
    pub max: Level,
    pub leibniz: bool,
}

impl Passed {
    pub fn level(&self) -> Level {
        match self {
            Passed::Symbol { level, sym: _ } => *level,
            Passed::Operator(operator) => operator.level,
        }
    }

    pub fn is_sound(&self) -> bool {
        match self {
            Passed::Symbol { .. } => true,
            Passed::Operator(operator) => operator.sound,
        }
    }
}

impl Operator {
    /// Returns the highest level that argument number `index` may have.
    pub fn max(&self, index: usize) -> Level {
        self.slots.get(index).map_or(Level::Temporal, |slot| slot.max)
    }

    pub fn is_leibniz(&self, index: usize) -> bool {
        self.slots.get(index).is_none_or(|slot| slot.leibniz)
    }
}

/// An application of a definition whose operator arguments have been read.
pub(super) struct Call<'c> {
    pub expr: ExprId,
    pub def: DefId,
    pub params: &'c [LocalId],
    pub args: &'c [Arg],
    /// The operator passed for each argument that is an operator.
    pub passed: Vec<Option<Passed>>,
}

impl Call<'_> {
    /// Returns the operator that is put in the place of `sym`, if `sym` is one of the definition's operator parameters.
    fn passed_for(&self, sym: Sym) -> Option<&Passed> {
        let index = self.params.iter().position(|&param| sym == Sym::Param(param))?;
        self.passed.get(index)?.as_ref()
    }

    fn is_param(&self, sym: Sym) -> bool {
        self.params.iter().any(|&param| sym == Sym::Param(param))
    }
}

impl Checker<'_> {
    pub fn apply_def(&mut self, expr: ExprId, id: DefId, args: &[Arg], ctx: &Ctx) -> Level {
        let mut level = self.levels.defs[id].max(self.symbols_of(id, ctx));
        self.levels.facts.sound[expr] = self.facts().defs[id].sound;
        if args.is_empty() {
            return level;
        }
        let params = &self.spec.defs[id].params;
        let mut call = Call { expr, def: id, params, args, passed: vec![None; args.len()] };
        for (index, arg) in args.iter().enumerate().take(params.len()) {
            if let Arg::Op(op) = arg {
                let inner = self.argument_ctx(&call, index, ctx);
                call.passed[index] = Some(self.pass(op, &inner));
            }
        }
        for (index, (&param, arg)) in params.iter().zip(args).enumerate() {
            if let Arg::Expr(arg) = arg {
                let inner = self.argument_ctx(&call, index, ctx);
                self.expr(*arg, &inner);
            }
            if self.facts().params[param].counts {
                level = level.max(self.arg_level(&call, index));
            }
        }
        self.pass_on_demands(&call);
        self.check_call(&call);
        level
    }

    /// Reads the symbols in the definition's body as if it stood here. The level that they add is that of an `@` that a
    /// LET inside an EXCEPT mentions; other symbols are constants.
    fn symbols_of(&mut self, id: DefId, ctx: &Ctx) -> Level {
        let mut level = Level::Constant;
        for index in 0..self.facts().defs[id].counting.len() {
            level = level.max(self.symbol_of_inner(self.facts().defs[id].counting[index], ctx));
        }
        for index in 0..self.facts().defs[id].mentions.len() {
            self.mention(self.facts().defs[id].mentions[index], ctx);
        }
        level
    }

    /// Reads a symbol of a definition or LAMBDA that stands in `ctx`, and returns the level of what it stands for.
    fn symbol_of_inner(&mut self, sym: Sym, ctx: &Ctx) -> Level {
        match sym {
            Sym::Param(local) if self.is_at(local) => self.at_level(local, ctx).0,
            Sym::Param(_) | Sym::Const(_) => {
                self.symbol(sym, ctx);
                Level::Constant
            }
        }
    }

    fn is_at(&self, local: LocalId) -> bool {
        self.spec.locals[local].kind == LocalKind::At && !self.facts().params[local].is_param
    }

    /// Returns the demands on argument number `index`: those of the body on the parameter, and those of the operators
    /// that are passed with it, where the body passes it on to them.
    fn argument_ctx(&self, call: &Call<'_>, index: usize, ctx: &Ctx) -> Ctx {
        let param = call.params[index];
        let facts = self.facts().params[param];
        let cause = Some(Cause::Part { expr: call.expr, index: narrow(index) });
        let mut inner = ctx.part(Limit { max: facts.limit.max, cause }, facts.counts);
        inner.opaque |= !facts.leibniz;
        for position in self.facts().positions_of(param) {
            match call.passed_for(position.op) {
                Some(Passed::Operator(operator)) => {
                    let slot = position.index as usize;
                    inner.limit = inner.limit.and(Limit { max: operator.max(slot), cause });
                    inner.opaque |= !operator.is_leibniz(slot);
                }
                Some(Passed::Symbol { sym, level: _ }) => {
                    sym.iter().for_each(|&op| inner.add_position(Position { op, ..position }));
                }
                None if call.is_param(position.op) => {}
                None => inner.add_position(position),
            }
        }
        inner
    }

    /// Reads an operator argument, which stands in `ctx`.
    pub fn pass(&mut self, op: &OpArg, ctx: &Ctx) -> Passed {
        match op {
            OpArg::Lambda(lambda) => Passed::Operator(self.lambda(lambda, ctx)),
            OpArg::Ref(Op::Builtin(op), _) => Passed::Operator(builtin_operator(*op)),
            OpArg::Ref(Op::Def(def), _) => {
                self.symbols_of(*def, ctx);
                Passed::Operator(self.def_operator(*def))
            }
            OpArg::Ref(Op::Const(constant), _) => {
                self.symbol(Sym::Const(*constant), ctx);
                Passed::Symbol { sym: Some(Sym::Const(*constant)), level: Level::Constant }
            }
            OpArg::Ref(Op::Param(local), _) => self.pass_local(*local, ctx),
        }
    }

    fn pass_local(&mut self, local: LocalId, ctx: &Ctx) -> Passed {
        if self.is_param(local) {
            let sym = Sym::Param(local);
            self.symbol(sym, ctx);
            return Passed::Symbol { sym: Some(sym), level: Level::Constant };
        }
        Passed::Symbol { sym: None, level: rules::local(self.spec.locals[local].kind) }
    }

    /// Reads a LAMBDA. It is a definition of its own: the demands on it say nothing about its parameters.
    fn lambda(&mut self, lambda: &Lambda, ctx: &Ctx) -> Operator {
        let inner = Frame::new(self.frame.module);
        let outer = std::mem::replace(&mut self.frame, inner);
        self.expr(lambda.body, &Ctx::top());
        lambda.params.iter().for_each(|&param| {
            self.frame.unbind(param);
        });
        let inner = std::mem::replace(&mut self.frame, outer);
        inner.counting.into_iter().for_each(|sym| {
            self.symbol_of_inner(sym, ctx);
        });
        inner.mentions.into_iter().for_each(|sym| self.mention(sym, ctx));
        Operator {
            level: self.level(lambda.body),
            sound: self.is_sound(lambda.body),
            slots: self.slots(&lambda.params),
        }
    }

    fn def_operator(&self, id: DefId) -> Operator {
        Operator {
            level: self.levels.defs[id],
            sound: self.facts().defs[id].sound,
            slots: self.slots(&self.spec.defs[id].params),
        }
    }

    fn slots(&self, params: &[LocalId]) -> Vec<ArgSlot> {
        let slot = |&param: &LocalId| {
            let facts = self.facts().params[param];
            ArgSlot { max: facts.limit.max, leibniz: facts.leibniz }
        };
        params.iter().map(slot).collect()
    }

    pub fn arg_level(&self, call: &Call<'_>, index: usize) -> Level {
        match (&call.args[index], &call.passed[index]) {
            (Arg::Expr(expr), _) => self.level(*expr),
            (Arg::Op(_), passed) => passed.as_ref().map_or(Level::Constant, Passed::level),
        }
    }

    fn is_arg_sound(&self, call: &Call<'_>, index: usize) -> bool {
        match (&call.args[index], &call.passed[index]) {
            (Arg::Expr(expr), _) => self.is_sound(*expr),
            (Arg::Op(_), passed) => passed.as_ref().is_none_or(Passed::is_sound),
        }
    }

    /// Passes on the demands of the body on operator symbols, its own or from around it, to what stands in their
    /// places.
    fn pass_on_demands(&mut self, call: &Call<'_>) {
        let module = self.frame.module;
        for (index, &param) in call.params.iter().enumerate().take(call.args.len()) {
            let level = self.arg_level(call, index);
            let cause = call.args[index].expr();
            for position in self.facts().positions_of(param) {
                let op = match call.passed_for(position.op) {
                    Some(Passed::Symbol { sym, level: _ }) => *sym,
                    Some(Passed::Operator(_)) => None,
                    None => (!call.is_param(position.op)).then_some(position.op),
                };
                if let Some(op) = op {
                    self.levels.facts.need(module, Position { op, ..position }, Need { level, cause });
                }
            }
            match &call.passed[index] {
                Some(Passed::Symbol { sym: Some(op), level: _ }) => self.demand_of_symbol(call, param, *op),
                Some(Passed::Operator(operator)) => self.demand_of_contents(call, index, operator),
                Some(Passed::Symbol { sym: None, level: _ }) | None => {}
            }
        }
    }

    /// Passes on the demands on the operator parameter `param` to the symbol `op`, which is passed for it.
    fn demand_of_symbol(&mut self, call: &Call<'_>, param: LocalId, op: Sym) {
        let module = self.frame.module;
        for index in 0..self.spec.locals[param].arity {
            let need = self.facts().need_of(param, index as usize);
            self.levels.facts.need(module, Position { op, index }, need);
        }
        for (index, sym) in self.facts().contents_of(param) {
            if !call.is_param(sym) {
                self.levels.facts.flow(module, Position { op, index }, sym);
            }
        }
    }

    /// Passes on the demands on symbols from around the definition that go into arguments of the operator that is
    /// passed.
    fn demand_of_contents(&mut self, call: &Call<'_>, index: usize, operator: &Operator) {
        let cause = Some(Cause::Part { expr: call.expr, index: narrow(index) });
        for (slot, sym) in self.facts().contents_of(call.params[index]) {
            if !call.is_param(sym) {
                let limit = Limit { max: operator.max(slot as usize), cause };
                self.levels.facts.limit(self.frame.module, sym, limit);
            }
        }
    }

    /// Reports the first error of an application whose definition and arguments are right.
    fn check_call(&mut self, call: &Call<'_>) {
        let n_args = call.args.len().min(call.params.len());
        if !(0..n_args).all(|index| self.is_arg_sound(call, index)) {
            self.levels.facts.sound[call.expr] = false;
        }
        if !self.is_sound(call.expr) {
            return;
        }
        for index in 0..n_args {
            if self.arg_level(call, index) > self.facts().params[call.params[index]].limit.max {
                self.report(call.expr, |checker| checker.argument_too_high(call, index));
                return;
            }
            if let Some(Passed::Operator(operator)) = &call.passed[index]
                && self.check_operator_argument(call, index, operator)
            {
                return;
            }
        }
    }

    /// Checks the operator passed as argument number `index`. Returns whether something was wrong with it.
    fn check_operator_argument(&mut self, call: &Call<'_>, index: usize, operator: &Operator) -> bool {
        let param = call.params[index];
        for slot in 0..operator.slots.len() {
            let need = self.facts().need_of(param, slot);
            if need.level > operator.max(slot) {
                self.report(call.expr, |checker| checker.operator_too_narrow(call, index, slot, need));
                return true;
            }
        }
        for (slot, sym) in self.facts().contents_of(param) {
            let max = operator.max(slot as usize);
            let source = call.params.iter().position(|&param| sym == Sym::Param(param));
            if let Some(source) = source
                && source < call.args.len()
                && self.arg_level(call, source) > max
            {
                self.report(call.expr, |checker| checker.passed_on_too_high(call, index, source, max));
                return true;
            }
        }
        false
    }

    /// Applies an operator symbol: each argument counts, and whatever is put in the symbol's place must accept it.
    pub fn apply_symbol(&mut self, expr: ExprId, op: Sym, args: &[Arg], ctx: &Ctx) -> Level {
        let mut level = Level::Constant;
        for (index, arg) in args.iter().enumerate() {
            let Some(arg) = arg.expr() else { continue };
            let position = Position { op, index: narrow(index) };
            let mut inner = ctx.clone();
            inner.add_position(position);
            self.declared_argument(expr, arg, &inner);
            let need = Need { level: self.level(arg), cause: Some(arg) };
            self.levels.facts.need(self.frame.module, position, need);
            level = level.max(self.level(arg));
        }
        level
    }

    /// Applies an operator declared by NEW. Nothing is ever put in its place.
    pub fn apply_declared(&mut self, expr: ExprId, args: &[Arg], ctx: &Ctx) -> Level {
        let mut level = Level::Constant;
        for arg in args.iter().filter_map(Arg::expr) {
            self.declared_argument(expr, arg, ctx);
            level = level.max(self.level(arg));
        }
        level
    }

    fn declared_argument(&mut self, expr: ExprId, arg: ExprId, ctx: &Ctx) {
        self.expr(arg, ctx);
        if !self.is_sound(arg) {
            self.levels.facts.sound[expr] = false;
        }
    }
}

fn builtin_operator(op: Builtin) -> Operator {
    let rule = rules::builtin(op);
    let slot = ArgSlot { max: rule.max, leibniz: rule.counts };
    Operator { level: rule.own, sound: true, slots: vec![slot; rules::builtin_arity(op)] }
}

pub(super) fn narrow(index: usize) -> u32 {
    u32::try_from(index).expect("an expression has fewer than 2^32 parts")
}
