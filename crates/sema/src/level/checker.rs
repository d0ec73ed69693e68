//! The state of a level check: the demands at the current place, the facts found so far, and what is still to be read.

use std::rc::Rc;

use base::{FxHashMap, FxHashSet, FxIndexSet};
use diag::{Code, Diagnostic, Diagnostics, Span};

use super::except::At;
use super::facts::{Facts, Limit, Position, Sym, fill};
use super::instance::ValueSymbols;
use super::order::NewUnits;
use super::{Level, Levels};
use crate::spec::{DefBody, DefId, ExprId, Instance, InstanceId, LocalId, ModuleId, Spec};

/// The demands that the surroundings make on an expression, within one definition.
#[derive(Clone, Debug)]
pub(super) struct Ctx {
    /// The highest level that it may have, whatever is put in the place of the symbols in it.
    pub limit: Limit,
    /// Whether its level counts towards the level of the definition.
    pub counts: bool,
    /// Whether equal values may not be exchanged for one another here.
    pub opaque: bool,
    /// The arguments of operator symbols towards whose level this expression counts.
    positions: Option<Rc<Positions>>,
}

/// A list of positions without repetitions.
#[derive(Debug)]
struct Positions {
    position: Position,
    rest: Option<Rc<Positions>>,
}

impl Ctx {
    /// Returns the context at the top of a definition.
    pub fn top() -> Ctx {
        Ctx { limit: Limit::NONE, counts: true, opaque: false, positions: None }
    }

    /// Returns the context of a part that may be no higher than `limit`, and that `counts` in the whole or does not.
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

    /// Whether this demands everything that `other` demands.
    pub fn covers(&self, other: &Ctx) -> bool {
        self.limit.max <= other.limit.max
            && (self.opaque || !other.opaque)
            && other.positions().all(|position| self.positions().any(|known| known == position))
    }

    /// Adds the demands of `other`.
    pub fn add(&mut self, other: &Ctx) {
        self.limit = self.limit.and(other.limit);
        self.opaque |= other.opaque;
        other.positions().for_each(|position| self.add_position(position));
    }
}

/// The surroundings of the expressions of one definition.
#[derive(Debug)]
pub(super) struct Frame {
    /// The module to which the demands on constants belong.
    pub module: ModuleId,
    /// Symbols that count towards the level of the definition.
    pub counting: FxIndexSet<Sym>,
    /// Symbols that the definition mentions.
    pub mentions: FxIndexSet<Sym>,
}

impl Frame {
    pub fn new(module: ModuleId) -> Frame {
        Frame { module, counting: FxIndexSet::default(), mentions: FxIndexSet::default() }
    }

    /// Removes a parameter, which is bound within. Returns whether the definition's level counts it.
    pub fn unbind(&mut self, param: LocalId) -> bool {
        self.mentions.swap_remove(&Sym::Param(param));
        self.counting.swap_remove(&Sym::Param(param))
    }
}

pub(super) struct Checker<'a> {
    pub spec: &'a Spec,
    pub levels: Levels,
    pub frame: Frame,
    /// The `@`s of the definition being read.
    pub at: FxHashMap<LocalId, At>,
    pub value_symbols: FxHashMap<(InstanceId, usize), ValueSymbols>,
    /// While above zero, errors are not reported, because they have been or will be reported elsewhere.
    silent: u32,
    /// LET definitions inside instantiated ones.
    pub copies: FxHashSet<DefId>,
    pub written: FxHashSet<InstanceId>,
    /// Errors already reported. An expression may be read more than once, and copies have the place of their original.
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

    /// Returns the result. Messages are in the order of the text, which is not the order of reading.
    pub fn finish(mut self) -> (Levels, Diagnostics) {
        self.diagnostics.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span));
        let mut diagnostics = Diagnostics::new();
        self.diagnostics.into_iter().for_each(|diagnostic| diagnostics.push(diagnostic));
        (self.levels, diagnostics)
    }

    /// Reads everything whose level is not known yet, and `exprs`.
    pub fn check_new(&mut self, exprs: &[ExprId]) {
        let spec = self.spec;
        let scope = NewUnits {
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

    /// Finds the instances that are written in the text. An instance inside an instantiated module has the place of its
    /// original, which is checked where it stands.
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

    /// Begins a unit that is read as a whole.
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

    /// Reports an error about `expr`, once.
    pub fn report(&mut self, expr: ExprId, make: impl FnOnce(&Self) -> Diagnostic) {
        self.levels.facts.sound[expr] = false;
        if self.silent == 0 {
            self.report_at_large(make(self));
        }
    }

    /// Reports an error that belongs to no single expression.
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
