//! What a formula does to variables, as TLC would find out: which it assigns on the way, and where the
//! ways part.
//!
//! An effect is what is left of an action when values are forgotten. It is built by `read`, and asked by
//! `assigned`.

use std::rc::Rc;

use base::IdVec;
use diag::Span;

use super::var_set::VarSet;
use crate::spec::DefId;

base::define_id! {
    /// An [`Effect`]; a definition without parameters that is used twice is one effect.
    EffectId
}

#[derive(Debug)]
pub(super) struct Effect {
    pub(super) kind: EffectKind,
    pub(super) site: Site,
    /// Assigned on some way.
    pub(super) may: VarSet,
    /// Assigned on every way, taking it that what can happen or not does happen.
    pub(super) covered: VarSet,
}

#[derive(Debug)]
pub(super) enum EffectKind {
    /// Tests, and assigns nothing.
    Test,
    /// There is no way through.
    Never,
    /// Could not be read. It may do anything.
    Unknown,
    /// `x' = e`, `x' \in S`, or the variables of an UNCHANGED.
    Assign(Assign),
    /// One after the other.
    All(Vec<EffectId>),
    /// One of them.
    Any(Vec<EffectId>),
    /// Happens or not: `\A` over a set that may be empty, `P => A`.
    Perhaps(EffectId),
}

#[derive(Debug)]
pub(super) struct Assign {
    pub(super) vars: Vec<usize>,
    pub(super) how: How,
    pub(super) span: Span,
}

/// How a variable gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// `x' = e`
    Equals,
    /// `x' \in S`, `x' \subseteq S`
    Chosen,
    Unchanged,
}

/// A place in a definition, and how it was come by.
#[derive(Clone, Debug)]
pub(super) struct Site {
    /// The innermost definition that it is in.
    pub(super) def: Option<DefId>,
    pub(super) part: Part,
    pub(super) span: Span,
    /// The place that applies the definition. What is shared keeps the one that was read first.
    pub(super) caller: Option<Rc<Site>>,
}

impl Site {
    /// A part of the same definition.
    pub(super) fn inner(&self, part: Part, span: Span) -> Site {
        Site { part, span, ..self.clone() }
    }

    /// From this place to the outermost.
    pub(super) fn outward(&self) -> impl Iterator<Item = &Site> {
        std::iter::successors(Some(self), |site| site.caller.as_deref())
    }
}

/// What part of its definition a site is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    Disjunct,
    /// Of IF or CASE, or the stuttering half of `[A]_v`.
    Branch,
    Other,
}

/// Effects that refer to each other.
pub(super) struct Effects {
    arena: IdVec<EffectId, Effect>,
    n_vars: usize,
}

impl Effects {
    pub(super) fn new(n_vars: usize) -> Self {
        Effects { arena: IdVec::new(), n_vars }
    }

    pub(super) fn len(&self) -> usize {
        self.arena.len()
    }

    pub(super) fn add(&mut self, kind: EffectKind, site: Site) -> EffectId {
        let (may, covered) = self.sets(&kind);
        self.arena.push(Effect { kind, site, may, covered })
    }

    fn sets(&self, kind: &EffectKind) -> (VarSet, VarSet) {
        let (none, all) = (VarSet::empty(self.n_vars), VarSet::full(self.n_vars));
        let of = |id: &EffectId| &self.arena[*id];
        match kind {
            EffectKind::Test => (none.clone(), none),
            EffectKind::Never => (none, all),
            EffectKind::Unknown => (all.clone(), all),
            EffectKind::Assign(assign) => {
                let mut assigned = none;
                assign.vars.iter().for_each(|&var| assigned.insert(var));
                (assigned.clone(), assigned)
            }
            EffectKind::All(parts) => (
                parts.iter().fold(none.clone(), |set, part| set.union(&of(part).may)),
                parts.iter().fold(none, |set, part| set.union(&of(part).covered)),
            ),
            EffectKind::Any(ways) => (
                ways.iter().fold(none, |set, way| set.union(&of(way).may)),
                ways.iter().fold(all, |set, way| set.intersection(&of(way).covered)),
            ),
            EffectKind::Perhaps(inner) => (of(inner).may.clone(), of(inner).covered.clone()),
        }
    }
}

impl std::ops::Index<EffectId> for Effects {
    type Output = Effect;
    fn index(&self, id: EffectId) -> &Effect {
        &self.arena[id]
    }
}
