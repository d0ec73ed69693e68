//! A mutant: one place of the text and what stands there in place of what was written.

use base::FxIndexMap;
use diag::Span;
use sema::Spec;
use sema::config::BoundConfig;
use sema::spec::{DefId, ExprId, VarId};

use crate::class::Class;
use crate::reach::reach;
use crate::sites::Finder;
use crate::texts;

/// One change of the specification.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// From 1, in the order of the text, among those of all classes.
    pub number: usize,
    pub class: Class,
    /// What is replaced.
    pub span: Span,
    /// What is written there, in one line.
    pub original: String,
    /// What the mutant has there.
    pub mutated: String,
    /// Where the place is in the resolved specification: once for each INSTANCE of its module that behaviours use.
    pub(crate) changes: Vec<(ExprId, Rewrite)>,
}

/// What an expression becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rewrite {
    True,
    /// Another operator, applied to the same.
    Operator(DefId),
    /// Likewise, with one added to an operand, or taken from it, by `by`.
    Shifted {
        operator: DefId,
        operand: usize,
        by: DefId,
    },
    /// `\E` for `\A`.
    Exists,
    /// The left side is equal to this.
    Equals(ExprId),
    /// EXCEPT without one of its clauses.
    WithoutClause(usize),
    /// Only this part of it.
    Part(ExprId),
    /// UNCHANGED of these.
    Unchanged(Vec<VarId>),
}

/// Every mutant of these classes, in the order of the text.
pub fn mutants(spec: &Spec, config: &BoundConfig, classes: &[Class]) -> Vec<Mutant> {
    let mut finder = Finder::new(spec, config);
    for site in reach(spec, config) {
        finder.look_at(site);
    }
    let mut found: FxIndexMap<(Span, Class, String), Mutant> = FxIndexMap::default();
    for (class, expr, rewrite) in finder.found {
        let span = spec.exprs[expr].span;
        let mutated = texts::mutated(spec, expr, &rewrite);
        let mutant = found.entry((span, class, mutated.clone())).or_insert_with(|| Mutant {
            number: 0,
            class,
            span,
            original: texts::one_line(spec.sources.text(span)),
            mutated,
            changes: Vec::new(),
        });
        mutant.changes.push((expr, rewrite));
    }
    let mut mutants: Vec<Mutant> = found.into_values().collect();
    mutants.sort_by(|a, b| {
        let key = |mutant: &Mutant| (mutant.span.source, mutant.span.range().start, mutant.span.range().end);
        (key(a), a.class).cmp(&(key(b), b.class))
    });
    for (index, mutant) in mutants.iter_mut().enumerate() {
        mutant.number = index + 1;
    }
    mutants.retain(|mutant| classes.contains(&mutant.class));
    mutants
}
