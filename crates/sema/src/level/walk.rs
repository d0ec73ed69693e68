//! Reads definitions and expressions: levels come up, demands go down.

use super::Level;
use super::checker::{Checker, Ctx};
use super::facts::{Cause, Limit, Position, Sym};
use super::order::{Group, Unit};
use super::rules::{self, ExprPart};
use crate::spec::{Arg, AssumeItem, Def, DefBody, DefId, DefKind, ExprId, ExprKind, LocalId, LocalKind, Op};

/// Reading definitions.
impl Checker<'_> {
    pub fn group(&mut self, group: &Group) {
        if group.recursive {
            self.settle(group);
        }
        for &unit in &group.units {
            match unit {
                Unit::Def(def) => self.def(def),
                Unit::Instance(instance) if self.written.contains(&instance) => self.instance(instance),
                Unit::Instance(instance) => self.silently(|checker| checker.instance(instance)),
                Unit::Module(module) => self.module(module),
            }
        }
    }

    /// Reads the definitions of a recursive group until their facts do not change.
    fn settle(&mut self, group: &Group) {
        // Only definitions can use one another. The other units of the group need no second reading.
        let defs = group.units.iter().filter_map(|unit| match *unit {
            Unit::Def(def) => Some(def),
            Unit::Instance(_) | Unit::Module(_) => None,
        });
        loop {
            self.levels.facts.changed = false;
            for def in defs.clone() {
                self.silently(|checker| checker.def(def));
                // Errors are found and reported once everything is known, so this reading must not mark the definition
                // as wrong.
                self.levels.facts.defs[def].sound = true;
            }
            if !self.levels.facts.changed {
                break;
            }
        }
        defs.for_each(|def| self.check_recursive_params(def));
    }

    fn def(&mut self, id: DefId) {
        let spec = self.spec;
        let def = &spec.defs[id];
        let module = def.origin.map_or(def.module, |origin| spec.instances[origin.instance].within);
        self.enter(module);
        match def.body {
            DefBody::Expr(body) if self.is_copy(id) => self.silently(|checker| checker.def_body(id, body)),
            DefBody::Expr(body) => {
                self.def_body(id, body);
                self.check_recursive_params(id);
            }
            DefBody::Native => self.native(def),
            DefBody::Missing => self.levels.facts.defs[id].sound = false,
        }
    }

    /// Whether it was copied from a definition that is read where it stands.
    pub fn is_copy(&self, id: DefId) -> bool {
        let def = &self.spec.defs[id];
        def.origin.is_some() || def.kind == DefKind::Subexpression || self.copies.contains(&id)
    }

    fn def_body(&mut self, id: DefId, body: ExprId) {
        let def = &self.spec.defs[id];
        if def.recursive && def.kind != DefKind::Function {
            self.presume_recursive(def);
        }
        self.expr(body, &Ctx::top());
        for &param in &def.params {
            if self.frame.unbind(param) {
                self.levels.facts.count(param);
            }
        }
        if let Some(origin) = def.origin {
            self.limit_instance_params(def, origin);
        }
        self.keep(id, body);
    }

    /// Assumes that a recursive operator depends on all its parameters and takes no temporal formulas.
    fn presume_recursive(&mut self, def: &Def) {
        for &param in &def.params {
            self.levels.facts.count(param);
            self.levels.facts.limit(
                self.frame.module,
                Sym::Param(param),
                Limit { max: Level::Action, cause: None },
            );
        }
    }

    /// Stores the facts that reading the body has shown.
    fn keep(&mut self, id: DefId, body: ExprId) {
        let level = self.level(body).max(self.levels.defs[id]);
        let instance = self.spec.defs[id].origin.is_none_or(|origin| self.facts().instances[origin.instance]);
        let sound = self.is_sound(body) && self.facts().defs[id].sound && instance;
        let known = &mut self.levels.facts.defs[id];
        let counting: Box<[Sym]> = self.frame.counting.drain(..).collect();
        let mentions: Box<[Sym]> = self.frame.mentions.drain(..).collect();
        let grown = counting.len() != known.counting.len() || mentions.len() != known.mentions.len();
        let changed = grown || level != self.levels.defs[id];
        (known.counting, known.mentions, known.sound) = (counting, mentions, sound);
        self.levels.facts.changed |= changed;
        self.levels.defs[id] = level;
    }

    /// Enters the facts of an operator that the evaluator implements. All that is known of it is that it has a value:
    /// every argument counts, and goes into every argument of its operators.
    fn native(&mut self, def: &Def) {
        let module = self.frame.module;
        for &param in &def.params {
            self.levels.facts.count(param);
            let limit = Limit { max: Level::Action, cause: None };
            self.levels.facts.limit(module, Sym::Param(param), limit);
            for &other in &def.params {
                for index in 0..self.spec.locals[other].arity {
                    let position = Position { op: Sym::Param(other), index };
                    if self.spec.locals[param].arity == 0 {
                        self.levels.facts.flow(module, position, Sym::Param(param));
                    }
                }
            }
        }
    }
}

/// Reading expressions.
impl Checker<'_> {
    /// Reads `expr`: afterwards its level and soundness are known, and its demands on symbols.
    pub fn expr(&mut self, expr: ExprId, ctx: &Ctx) {
        base::with_stack(|| {
            self.levels.facts.sound[expr] = true;
            let level = self.expr_level(expr, ctx);
            self.levels.exprs[expr] = level;
        });
    }

    fn expr_level(&mut self, expr: ExprId, ctx: &Ctx) -> Level {
        let spec = self.spec;
        let kind = &spec.exprs[expr].kind;
        match kind {
            ExprKind::Const(constant) => {
                self.symbol(Sym::Const(*constant), ctx);
                Level::Constant
            }
            ExprKind::Local(local) => self.local(expr, *local, ctx),
            ExprKind::Apply { op: Op::Def(def), args } => self.apply_def(expr, *def, args, ctx),
            ExprKind::Apply { op: Op::Const(constant), args } => {
                self.symbol(Sym::Const(*constant), ctx);
                self.apply_symbol(expr, Sym::Const(*constant), args, ctx)
            }
            ExprKind::Apply { op: Op::Param(local), args } => self.apply_local(expr, *local, args, ctx),
            ExprKind::Except { base, updates } => self.except(expr, *base, updates, ctx),
            ExprKind::AssumeProve { assumptions, .. } => self
                .parts(expr, &ctx.part(Limit { max: Level::Action, cause: None }, true))
                .max(self.new_names(assumptions)),
            ExprKind::Error => {
                self.levels.facts.sound[expr] = false;
                Level::Constant
            }
            ExprKind::Apply { op: Op::Builtin(op), args } => {
                let level = self.parts(expr, ctx);
                self.check_operator(expr, *op, args);
                level
            }
            ExprKind::Junction { kind, items } => {
                let level = self.parts(expr, ctx);
                self.check_mixed(expr, rules::junction(*kind), items);
                level
            }
            ExprKind::Quantified { bounds, .. } => {
                let level = self.parts(expr, ctx);
                self.check_bounds(expr, level, bounds);
                level
            }
            ExprKind::Int(_)
            | ExprKind::Decimal(_)
            | ExprKind::Str(_)
            | ExprKind::Bool(_)
            | ExprKind::BuiltinSet(_)
            | ExprKind::Var(_)
            | ExprKind::Tuple(_)
            | ExprKind::Product(_)
            | ExprKind::SetEnum(_)
            | ExprKind::SetFilter { .. }
            | ExprKind::SetMap { .. }
            | ExprKind::Function { .. }
            | ExprKind::FunctionSet { .. }
            | ExprKind::FnApply { .. }
            | ExprKind::Record(_)
            | ExprKind::RecordSet(_)
            | ExprKind::Field { .. }
            | ExprKind::Unbounded { .. }
            | ExprKind::Choose { .. }
            | ExprKind::If { .. }
            | ExprKind::Case { .. }
            | ExprKind::Let { .. }
            | ExprKind::Label { .. }
            | ExprKind::Step { .. }
            | ExprKind::Fairness { .. } => self.parts(expr, ctx),
        }
    }

    /// Reads the parts by the table of rules, and returns the level they make.
    fn parts(&mut self, expr: ExprId, ctx: &Ctx) -> Level {
        let kind = &self.spec.exprs[expr].kind;
        let mut level = rules::own_level(kind);
        let mut index = 0;
        rules::for_each_part(kind, &mut |part| {
            level = level.max(self.part(expr, index, part, ctx));
            index += 1;
        });
        level
    }

    /// Reads and checks one part, and returns what it adds to the level of `expr`.
    pub fn part(&mut self, expr: ExprId, index: u32, part: ExprPart, ctx: &Ctx) -> Level {
        let limit = Limit { max: part.max, cause: Some(Cause::Part { expr, index }) };
        let mut inner = ctx.part(limit, part.counts);
        inner.opaque |= !part.counts;
        self.expr(part.expr, &inner);
        let level = self.level(part.expr);
        if !self.is_sound(part.expr) {
            self.levels.facts.sound[expr] = false;
        } else if level > part.max {
            self.report(expr, |checker| checker.too_high(part));
        }
        if part.counts { level } else { Level::Constant }
    }

    /// Reads a symbol, or anything that is put in its place, in `ctx`.
    pub fn symbol(&mut self, sym: Sym, ctx: &Ctx) {
        if !self.facts().is_tracked(sym) {
            return;
        }
        let module = self.frame.module;
        if ctx.counts {
            self.frame.counting.insert(sym);
        }
        self.levels.facts.limit(module, sym, ctx.limit);
        for position in ctx.positions() {
            self.levels.facts.flow(module, position, sym);
        }
        self.mention(sym, ctx);
    }

    pub fn mention(&mut self, sym: Sym, ctx: &Ctx) {
        self.frame.mentions.insert(sym);
        if let Sym::Param(local) = sym
            && ctx.opaque
        {
            self.levels.facts.deny_leibniz(local);
        }
    }

    fn local(&mut self, expr: ExprId, local: LocalId, ctx: &Ctx) -> Level {
        if self.is_param(local) {
            self.symbol(Sym::Param(local), ctx);
            return Level::Constant;
        }
        match self.spec.locals[local].kind {
            LocalKind::At => self.at_sign(expr, local, ctx),
            kind @ (LocalKind::Param | LocalKind::Bound | LocalKind::TemporalBound | LocalKind::New(_)) => {
                rules::local(kind)
            }
        }
    }

    pub fn is_param(&self, local: LocalId) -> bool {
        self.spec.locals[local].kind == LocalKind::Param || self.facts().params[local].is_param
    }

    fn apply_local(&mut self, expr: ExprId, local: LocalId, args: &[Arg], ctx: &Ctx) -> Level {
        let own = self.local(expr, local, ctx);
        let args_level = if self.is_param(local) {
            self.apply_symbol(expr, Sym::Param(local), args, ctx)
        } else {
            self.apply_declared(expr, args, ctx)
        };
        own.max(args_level)
    }

    /// Returns the level that the `NEW` names of an ASSUME give it.
    fn new_names(&self, assumptions: &[AssumeItem]) -> Level {
        let names = assumptions.iter().filter_map(AssumeItem::local);
        names.map(|local| rules::local(self.spec.locals[local].kind)).fold(Level::Constant, Level::max)
    }
}
