//! The state of a check: what is demanded where one reads, what has been found, what is still to be read.

use std::rc::Rc;

use base::{FxHashMap, FxHashSet, FxIndexSet};
use diag::{Code, Diagnostic, Diagnostics, Span};

use super::except::At;
use super::facts::{Facts, Limit, Position, Sym, fill};
use super::instance::ValueSymbols;
use super::order::Scope;
use super::{Level, Levels};
use crate::spec::{DefBody, DefId, ExprId, Instance, InstanceId, LocalId, ModuleId, Spec};

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
    /// LET definitions inside instantiated ones.
    pub copies: FxHashSet<DefId>,
    pub written: FxHashSet<InstanceId>,
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
            written: FxHashSet::default(),
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
        let scope = Scope {
            spec,
            n_defs: self.facts().defs.len(),
            n_modules: self.facts().modules.len(),
            n_instances: self.facts().instances.len(),
        };
        self.levels.facts.grow(spec);
        fill(&mut self.levels.exprs, spec.exprs.len(), Level::Constant);
        fill(&mut self.levels.defs, spec.defs.len(), Level::Constant);
        spec.defs.ids().skip(scope.n_defs).for_each(|def| self.find_copies(def));
        self.find_written_instances();
        self.levels.facts.track(spec);
        scope.groups().iter().for_each(|group| self.group(group));
        self.enter(spec.root);
        exprs.iter().for_each(|&expr| self.expr(expr, &Ctx::top()));
    }

    /// An instance inside an instantiated module has the place of the one it was made from, which is
    /// checked where it stands.
    fn find_written_instances(&mut self) {
        let mut places = FxHashSet::default();
        let is_new = |(id, instance): (InstanceId, &Instance)| places.insert(instance.span).then_some(id);
        self.written = self.spec.instances.iter_enumerated().filter_map(is_new).collect();
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
