//! Reading definitions and expressions: levels come up, demands go down.

use std::rc::Rc;

use base::{FxHashMap, FxHashSet, FxIndexSet, IdVec};
use diag::{Code, Diagnostic, Diagnostics, Span};

use super::except::At;
use super::facts::{Cause, Facts, Limit, Position, Sym, fill};
use super::instance::ValueSymbols;
use super::order::{Group, Scope, Unit};
use super::rules::{self, Part};
use super::{Level, Levels};
use crate::spec::{
    Arg, AssumeItem, Def, DefBody, DefId, DefKind, ExprId, ExprKind, InstanceId, LocalId, LocalKind,
    ModuleId, Op, Spec,
};

/// What is demanded of an expression by what is around it, within one definition.
#[derive(Clone, Debug)]
pub(super) struct Ctx {
    /// How high its level may be, whatever is put in the place of the symbols in it.
    pub limit: Limit,
    /// Its level counts towards the level of the definition.
    pub counts: bool,
    /// Equal values may not be exchanged for one another here.
    pub opaque: bool,
    /// The arguments of operator symbols towards whose level its own counts.
    positions: Option<Rc<Positions>>,
}

/// A list without repetitions.
#[derive(Debug)]
struct Positions {
    position: Position,
    rest: Option<Rc<Positions>>,
}

impl Ctx {
    /// At the top of a definition.
    pub fn top() -> Ctx {
        Ctx { limit: Limit::NONE, counts: true, opaque: false, positions: None }
    }

    /// For a part of which no more than `limit` is allowed and which `counts`, or does not, in the whole.
    pub fn part(&self, limit: Limit, counts: bool) -> Ctx {
        if counts {
            Ctx { limit: limit.and(self.limit), ..self.clone() }
        } else {
            Ctx { limit, counts: false, opaque: self.opaque, positions: None }
        }
    }

    pub fn add_position(&mut self, position: Position) {
        if self.positions().all(|known| known != position) {
            self.positions = Some(Rc::new(Positions { position, rest: self.positions.take() }));
        }
    }

    pub fn positions(&self) -> impl Iterator<Item = Position> {
        let mut next = self.positions.as_deref();
        std::iter::from_fn(move || {
            let here = next?;
            next = here.rest.as_deref();
            Some(here.position)
        })
    }

    /// Demands all that `other` does.
    pub fn covers(&self, other: &Ctx) -> bool {
        self.limit.max <= other.limit.max
            && (self.opaque || !other.opaque)
            && other.positions().all(|position| self.positions().any(|known| known == position))
    }

    /// Demands what `other` does, too.
    pub fn add(&mut self, other: &Ctx) {
        self.limit = self.limit.and(other.limit);
        self.opaque |= other.opaque;
        other.positions().for_each(|position| self.add_position(position));
    }
}

/// Around the expressions of one definition.
#[derive(Debug)]
pub(super) struct Frame {
    /// The module whose demands on its constants these are.
    pub module: ModuleId,
    /// Symbols that count towards the level of the definition.
    pub counting: FxIndexSet<Sym>,
    /// Symbols that it mentions.
    pub mentions: FxIndexSet<Sym>,
}

impl Frame {
    pub fn new(module: ModuleId) -> Frame {
        Frame { module, counting: FxIndexSet::default(), mentions: FxIndexSet::default() }
    }

    /// These are bound within; whether the definition's level counts the parameter.
    pub fn unbind(&mut self, param: LocalId) -> bool {
        self.mentions.swap_remove(&Sym::Param(param));
        self.counting.swap_remove(&Sym::Param(param))
    }
}

pub(super) struct Checker<'a> {
    pub spec: &'a Spec,
    pub levels: Levels,
    pub frame: Frame,
    /// The `@`s of the definition that is being read.
    pub at: FxHashMap<LocalId, At>,
    pub value_symbols: FxHashMap<(InstanceId, usize), ValueSymbols>,
    /// Above zero: what is found is not reported, because it will be, or has been, elsewhere.
    silent: u32,
    /// Definitions inside instantiated ones.
    copies: FxHashSet<DefId>,
    /// An expression may be read more than once, and copies have the place of what they were made from.
    reported: FxHashSet<(Code, Option<Span>)>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Checker<'a> {
    pub fn new(spec: &'a Spec, levels: Levels) -> Self {
        Checker {
            spec,
            levels,
            frame: Frame::new(spec.root),
            at: FxHashMap::default(),
            value_symbols: FxHashMap::default(),
            silent: 0,
            copies: FxHashSet::default(),
            reported: FxHashSet::default(),
            diagnostics: Vec::new(),
        }
    }

    /// In the order of the text, which is not that of reading.
    pub fn finish(mut self) -> (Levels, Diagnostics) {
        self.diagnostics.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span));
        let mut diagnostics = Diagnostics::new();
        self.diagnostics.into_iter().for_each(|diagnostic| diagnostics.push(diagnostic));
        (self.levels, diagnostics)
    }

    /// Reads what the levels do not know yet, and `exprs`.
    pub fn check_new(&mut self, exprs: &[ExprId]) {
        let spec = self.spec;
        let instances = self.new_instances();
        let first_def = self.levels.defs.len();
        spec.defs.ids().skip(first_def).for_each(|def| self.find_copies(def));
        let first_module = self.facts().modules.len();
        self.levels.facts.grow(spec);
        fill(&mut self.levels.exprs, spec.exprs.len(), Level::Constant);
        fill(&mut self.levels.defs, spec.defs.len(), Level::Constant);
        let scope = Scope { spec, first_def, first_module, instances };
        scope.groups().iter().for_each(|group| self.group(group, &scope.instances));
        self.check_late_instances(&scope);
        self.enter(spec.root);
        exprs.iter().for_each(|&expr| self.expr(expr, &Ctx::top()));
        self.levels.facts.n_instances = spec.instances.len();
    }

    /// Instances that were not checked yet, by the module in which they stand.
    fn new_instances(&self) -> IdVec<ModuleId, Vec<InstanceId>> {
        let mut instances = IdVec::new();
        fill(&mut instances, self.spec.modules.len(), Vec::new());
        let mut places = FxHashSet::default();
        for (id, instance) in self.spec.instances.iter_enumerated() {
            // An instance inside an instantiated module has the place of the one it was made from.
            let is_written = places.insert(instance.span);
            if is_written && base::Id::index(id) >= self.facts().n_instances {
                instances[instance.within].push(id);
            }
        }
        instances
    }

    /// Notes the LET definitions that an INSTANCE has copied along with `def`.
    fn find_copies(&mut self, def: DefId) {
        let spec = self.spec;
        if spec.defs[def].origin.is_none() {
            return;
        }
        let mut todo = vec![def];
        while let Some(def) = todo.pop() {
            let DefBody::Expr(body) = spec.defs[def].body else { continue };
            spec.walk(body, |expr| {
                let lets = spec.exprs[expr].kind.let_defs().iter().copied();
                todo.extend(lets.filter(|&def| self.copies.insert(def)));
                true
            });
        }
    }

    /// Instances added to modules that were read before.
    fn check_late_instances(&mut self, scope: &Scope<'_>) {
        for (module, instances) in scope.instances.iter_enumerated() {
            if base::Id::index(module) < scope.first_module {
                instances.iter().for_each(|&instance| self.check_instance(instance));
            }
        }
    }

    /// Begins something that is read as a whole.
    pub fn enter(&mut self, module: ModuleId) {
        self.frame = Frame::new(module);
        self.at.clear();
    }

    pub fn facts(&self) -> &Facts {
        &self.levels.facts
    }

    pub fn level(&self, expr: ExprId) -> Level {
        self.levels.exprs[expr]
    }

    pub fn is_sound(&self, expr: ExprId) -> bool {
        self.levels.facts.sound[expr]
    }

    /// Reports what is wrong with `expr`, once.
    pub fn report(&mut self, expr: ExprId, make: impl FnOnce(&Self) -> Diagnostic) {
        self.levels.facts.sound[expr] = false;
        if self.silent == 0 {
            self.report_at_large(make(self));
        }
    }

    /// Reports what is wrong with no one expression.
    pub fn report_at_large(&mut self, diagnostic: Diagnostic) {
        let place = diagnostic.primary.as_ref().map(|label| label.span);
        if self.silent == 0 && self.reported.insert((diagnostic.code, place)) {
            self.diagnostics.push(diagnostic);
        }
    }

    pub fn silently<R>(&mut self, run: impl FnOnce(&mut Self) -> R) -> R {
        self.silent += 1;
        let result = run(self);
        self.silent -= 1;
        result
    }
}

/// Definitions.
impl Checker<'_> {
    fn group(&mut self, group: &Group, instances: &IdVec<ModuleId, Vec<InstanceId>>) {
        if group.recursive {
            self.silently(|checker| checker.settle(group));
        }
        for &unit in &group.units {
            match unit {
                Unit::Def(def) => self.def(def),
                Unit::Module(module) => self.module(module, &instances[module]),
            }
        }
    }

    /// Reads the definitions of a recursive group until their facts do not change.
    fn settle(&mut self, group: &Group) {
        loop {
            self.levels.facts.changed = false;
            for &unit in &group.units {
                match unit {
                    Unit::Def(def) => self.def(def),
                    // Only a specification with a cycle of modules, reported elsewhere, comes here.
                    Unit::Module(_) => {}
                }
            }
            if !self.levels.facts.changed {
                break;
            }
        }
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

    /// Made from a definition that is read where it stands.
    fn is_copy(&self, id: DefId) -> bool {
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

    /// A recursive operator is taken to depend on all its parameters, and takes no temporal formulas.
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

    /// Stores what reading the body has shown.
    fn keep(&mut self, id: DefId, body: ExprId) {
        let level = self.level(body).max(self.levels.defs[id]);
        let sound = self.is_sound(body);
        let known = &mut self.levels.facts.defs[id];
        let counting: Box<[Sym]> = self.frame.counting.drain(..).collect();
        let mentions: Box<[Sym]> = self.frame.mentions.drain(..).collect();
        let grown = counting.len() != known.counting.len() || mentions.len() != known.mentions.len();
        let changed = grown || level != self.levels.defs[id];
        (known.counting, known.mentions, known.sound) = (counting, mentions, sound);
        self.levels.facts.changed |= changed;
        self.levels.defs[id] = level;
    }

    /// Nothing is known of an operator of ours but that it has a value: every argument counts, and goes
    /// into every argument of its operators.
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

/// Expressions.
impl Checker<'_> {
    /// Reads `expr`: its level and soundness are known afterwards, and so is what it demands of symbols.
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
                .max(self.new_names(expr, assumptions)),
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

    /// Reads the parts by the table of rules, and gives the level they make.
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

    /// Reads and checks one part, and gives what it adds to the level of `expr`.
    pub fn part(&mut self, expr: ExprId, index: u32, part: Part, ctx: &Ctx) -> Level {
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

    /// A symbol, or all that is put in its place, stands in `ctx`.
    pub fn symbol(&mut self, sym: Sym, ctx: &Ctx) {
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
        let kind = self.spec.locals[local].kind;
        match kind {
            LocalKind::Param => self.symbol(Sym::Param(local), ctx),
            LocalKind::At => return self.at_sign(expr, local, ctx),
            LocalKind::Bound | LocalKind::TemporalBound | LocalKind::New(_) => {}
        }
        rules::local(kind)
    }

    fn apply_local(&mut self, expr: ExprId, local: LocalId, args: &[Arg], ctx: &Ctx) -> Level {
        let own = self.local(expr, local, ctx);
        let args_level = match self.spec.locals[local].kind {
            LocalKind::Param => self.apply_symbol(expr, Sym::Param(local), args, ctx),
            LocalKind::Bound | LocalKind::TemporalBound | LocalKind::At | LocalKind::New(_) => {
                self.apply_declared(expr, args, ctx)
            }
        };
        own.max(args_level)
    }

    /// The level that the `NEW` names of an ASSUME give it.
    fn new_names(&mut self, expr: ExprId, assumptions: &[AssumeItem]) -> Level {
        let mut level = Level::Constant;
        for item in assumptions {
            if let AssumeItem::New { local, set } = *item {
                let own = rules::local(self.spec.locals[local].kind);
                level = level.max(own);
                if set.is_some() && own == Level::Temporal {
                    self.report(expr, |checker| checker.temporal_element(local));
                }
            }
        }
        level
    }
}
