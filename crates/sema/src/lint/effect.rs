//! The effect of a formula on variables, as TLC would find it: which variables it assigns on the way, and where the
//! ways part.
//!
//! An effect is an action without its values. `read` builds it, and `assigned` examines it.

use std::rc::Rc;

use base::IdVec;
use diag::Span;

use super::var_set::VarSet;
use crate::spec::DefId;

base::define_id! {
    /// The id of an [`Effect`]. A definition without parameters that is used twice is one effect.
    EffectId
}

#[derive(Debug)]
pub(super) struct Effect {
    pub(super) kind: EffectKind,
    pub(super) site: Site,
    /// Variables assigned on some way.
    pub(super) may: VarSet,
    /// Variables assigned on every way, if everything optional does happen.
    pub(super) covered: VarSet,
}

#[derive(Debug)]
pub(super) enum EffectKind {
    /// A test, which assigns nothing.
    Test,
    /// A formula without any way through.
    Never,
    /// A formula that could not be read. It may do anything.
    Unknown,
    /// `x' = e`, `x' \in S`, or the variables of an UNCHANGED.
    Assign(Assign),
    /// Effects that happen one after the other.
    All(Vec<EffectId>),
    /// Effects of which one happens.
    Any(Vec<EffectId>),
    /// An effect that may not happen: `\A` over a set that may be empty, `P => A`.
    Perhaps(EffectId),
}

#[derive(Debug)]
pub(super) struct Assign {
    pub(super) vars: Vec<usize>,
    pub(super) how: AssignForm,
    pub(super) span: Span,
}

/// The form in which a variable gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AssignForm {
    /// `x' = e`
    Equals,
    /// `x' \in S`, `x' \subseteq S`
    Chosen,
    Unchanged,
}

/// A place in a definition, and the way that leads to it.
#[derive(Clone, Debug)]
pub(super) struct Site {
    /// The innermost definition around the place.
    pub(super) def: Option<DefId>,
    pub(super) part: SitePart,
    pub(super) span: Span,
    /// The place that applies the definition. A shared effect keeps the one that was read first.
    pub(super) caller: Option<Rc<Site>>,
}

impl Site {
    /// Returns the site of a part of the same definition.
    pub(super) fn inner(&self, part: SitePart, span: Span) -> Site {
        Site { part, span, ..self.clone() }
    }

    /// Iterates from this place to the outermost.
    pub(super) fn outward(&self) -> impl Iterator<Item = &Site> {
        std::iter::successors(Some(self), |site| site.caller.as_deref())
    }
}

/// The part of its definition that a site is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SitePart {
    Whole,
    Disjunct,
    /// A branch of IF or CASE, or the stuttering half of `[A]_v`.
    Branch,
    Other,
}

/// An arena of effects that refer to each other.
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
