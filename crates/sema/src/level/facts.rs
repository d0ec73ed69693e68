//! Facts about symbols that others may replace: parameters, and the constants of a module. Reading a definition
//! collects them.
//!
//! A symbol is unique and has one scope, so a fact about it is global: by the time a definition can be applied, all
//! demands of its body on its parameters are known. Only the constants of a module are also used by other modules.
//! Their facts are kept per module, because an INSTANCE asks what *that* module demands.
//!
//! Facts only get stronger, and every strengthening is noted. A recursive group has been read often enough when nothing
//! changes any more.

use base::{FxHashMap, FxIndexMap, FxIndexSet, IdVec};

use super::Level;
use crate::spec::{ConstId, DefId, ExprId, InstanceId, LocalId, ModuleId, Spec, SubstTarget, VarId};

/// A name that can be replaced by something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sym {
    Const(ConstId),
    /// A parameter of a definition, a LAMBDA or an INSTANCE; never another kind of local.
    Param(LocalId),
}

/// The reason why a level may be no higher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// The part or argument number `index` of `expr`.
    Part { expr: ExprId, index: u32 },
    /// A substitution for something of a lower level.
    Substitution { instance: InstanceId, index: u32 },
}

/// A highest level, and the reason for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    pub max: Level,
    pub cause: Option<Cause>,
}

impl Limit {
    pub const NONE: Limit = Limit { max: Level::Temporal, cause: None };

    pub fn and(self, other: Limit) -> Limit {
        if other.max < self.max { other } else { self }
    }
}

/// Facts about the use of one parameter in a definition's body.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParamFacts {
    pub limit: Limit,
    /// Whether its level counts towards the level of the body.
    pub counts: bool,
    /// Whether equal arguments give equal results.
    pub leibniz: bool,
    /// Whether it is a parameter. A name bound by a quantifier also becomes one through a subexpression name.
    pub is_param: bool,
}

impl Default for ParamFacts {
    fn default() -> Self {
        ParamFacts { limit: Limit::NONE, counts: false, leibniz: true, is_param: false }
    }
}

/// The level passed to one argument of an operator symbol.
#[derive(Clone, Copy, Debug)]
pub(super) struct Need {
    pub level: Level,
    /// The argument that has this level. `None` if it comes through another operator.
    pub cause: Option<ExprId>,
}

/// The `index`-th argument of the operator symbol `op`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Position {
    pub op: Sym,
    pub index: u32,
}

/// Facts about a definition for those that use it, without its parameters.
#[derive(Clone, Debug)]
pub(super) struct DefFacts {
    /// Symbols from outside whose level counts towards the definition's level.
    pub counting: Box<[Sym]>,
    /// Symbols from outside that the definition mentions at all.
    pub mentions: Box<[Sym]>,
    /// Whether it has no level error.
    pub sound: bool,
}

impl Default for DefFacts {
    fn default() -> Self {
        DefFacts { counting: Box::default(), mentions: Box::default(), sound: true }
    }
}

/// The reason why a module is not a constant module.
#[derive(Clone, Copy, Debug)]
pub(super) enum NonConstant {
    Variable(VarId),
    Def(DefId),
    Theorem(ExprId),
    Extends(ModuleId),
    Instance(InstanceId),
}

/// The demands of a module on its constants.
#[derive(Clone, Debug, Default)]
pub(super) struct ModuleFacts {
    pub limits: FxIndexMap<ConstId, Limit>,
    pub needs: FxIndexMap<(ConstId, u32), Need>,
    /// `(op, index, constant)`: the constant counts in an argument of the operator constant.
    pub flows: FxIndexSet<(ConstId, u32, ConstId)>,
    pub non_constant: Option<NonConstant>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// Whether an expression has no level error in it or below it.
    pub sound: IdVec<ExprId, bool>,
    pub defs: IdVec<DefId, DefFacts>,
    pub params: IdVec<LocalId, ParamFacts>,
    pub modules: IdVec<ModuleId, ModuleFacts>,
    /// Needs by parameter. These are maps because few parameters are operators or are passed to one.
    needs: FxHashMap<LocalId, Vec<Need>>,
    positions: FxHashMap<LocalId, FxIndexSet<Position>>,
    contents: FxHashMap<LocalId, FxIndexSet<(u32, Sym)>>,
    /// Constants for which something is substituted somewhere. The demands on others are never asked for. LIMIT: where
    /// the first INSTANCE of a module is added to a finished specification, the demands of its definitions were not
    /// noted, and a temporal formula can be substituted for its constants.
    tracked: IdVec<ConstId, bool>,
    /// Whether the substitutions have no error.
    pub instances: IdVec<InstanceId, bool>,
    /// Whether a fact became stronger since this was last set to `false`.
    pub changed: bool,
}

impl Facts {
    /// Makes room for everything in `spec` that these facts do not cover yet.
    pub fn grow(&mut self, spec: &Spec) {
        fill(&mut self.sound, spec.exprs.len(), true);
        fill(&mut self.params, spec.locals.len(), ParamFacts::default());
        fill(&mut self.modules, spec.modules.len(), ModuleFacts::default());
        fill(&mut self.instances, spec.instances.len(), true);
        for def in spec.defs.iter().skip(self.defs.len()) {
            def.params.iter().for_each(|&param| self.params[param].is_param = true);
        }
        fill(&mut self.defs, spec.defs.len(), DefFacts::default());
    }

    /// Finds the constants for which demands must be collected.
    pub fn track(&mut self, spec: &Spec) {
        fill(&mut self.tracked, spec.constants.len(), false);
        for substitution in spec.instances.iter().flat_map(|instance| &instance.substitutions) {
            match substitution.target {
                SubstTarget::Const(constant) => self.tracked[constant] = true,
                SubstTarget::Var(_) => {}
            }
        }
    }

    pub fn is_tracked(&self, sym: Sym) -> bool {
        match sym {
            Sym::Const(constant) => self.tracked[constant],
            Sym::Param(_) => true,
        }
    }

    /// Notes that `sym`, met in `module`, may be no higher than `limit`.
    pub fn limit(&mut self, module: ModuleId, sym: Sym, limit: Limit) {
        let known = match sym {
            Sym::Param(local) => &mut self.params[local].limit,
            Sym::Const(constant) => self.modules[module].limits.entry(constant).or_insert(Limit::NONE),
        };
        if limit.max < known.max {
            *known = limit;
            self.changed = true;
        }
    }

    /// Notes that the parameter's level counts towards the level of its definition.
    pub fn count(&mut self, param: LocalId) {
        let known = &mut self.params[param].counts;
        self.changed |= !*known;
        *known = true;
    }

    /// Notes that the parameter stands where equal arguments may give different results.
    pub fn deny_leibniz(&mut self, param: LocalId) {
        let known = &mut self.params[param].leibniz;
        self.changed |= *known;
        *known = false;
    }

    /// Notes that whatever replaces `position.op` must accept an argument of this level there.
    pub fn need(&mut self, module: ModuleId, position: Position, need: Need) {
        let known = match position.op {
            Sym::Const(constant) => {
                self.modules[module].needs.entry((constant, position.index)).or_insert(NO_NEED)
            }
            Sym::Param(local) => {
                let needs = self.needs.entry(local).or_default();
                let index = position.index as usize;
                if needs.len() <= index {
                    needs.resize(index + 1, NO_NEED);
                }
                &mut needs[index]
            }
        };
        if need.level > known.level {
            *known = need;
            self.changed = true;
        }
    }

    /// Notes that the level of `sym` counts towards that of an argument of an operator symbol.
    pub fn flow(&mut self, module: ModuleId, position: Position, sym: Sym) {
        let Position { op, index } = position;
        let mut new = false;
        if let Sym::Param(local) = sym {
            new |= self.positions.entry(local).or_default().insert(position);
        }
        match (op, sym) {
            (Sym::Param(local), _) => new |= self.contents.entry(local).or_default().insert((index, sym)),
            (Sym::Const(op), Sym::Const(constant)) => {
                new |= self.modules[module].flows.insert((op, index, constant));
            }
            (Sym::Const(_), Sym::Param(_)) => {}
        }
        self.changed |= new;
    }

    /// Returns the level that the parameter's argument number `index` must accept.
    pub fn need_of(&self, param: LocalId, index: usize) -> Need {
        self.needs.get(&param).and_then(|needs| needs.get(index)).copied().unwrap_or(NO_NEED)
    }

    /// Returns the arguments of operator symbols in which the parameter counts.
    pub fn positions_of(&self, param: LocalId) -> Vec<Position> {
        self.positions.get(&param).map_or_else(Vec::new, |set| set.iter().copied().collect())
    }

    /// Returns the symbols that count in arguments of the operator parameter, each with the number of the argument.
    pub fn contents_of(&self, param: LocalId) -> Vec<(u32, Sym)> {
        self.contents.get(&param).map_or_else(Vec::new, |set| set.iter().copied().collect())
    }

    /// Adds the demands of `from`, a module that `module` extends.
    pub fn inherit(&mut self, module: ModuleId, from: ModuleId) {
        let other = self.modules[from].clone();
        for (constant, limit) in other.limits {
            self.limit(module, Sym::Const(constant), limit);
        }
        for ((constant, index), need) in other.needs {
            self.need(module, Position { op: Sym::Const(constant), index }, need);
        }
        self.modules[module].flows.extend(other.flows);
    }
}

const NO_NEED: Need = Need { level: Level::Constant, cause: None };

/// Appends `item` until there are `n_items`.
pub(super) fn fill<I: base::Id, T: Clone>(vec: &mut IdVec<I, T>, n_items: usize, item: T) {
    while vec.len() < n_items {
        vec.push(item.clone());
    }
}
