//! A mutant: one place of the text, and the text that replaces it.

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
    /// Its number, from 1, in the order of the text, among those of all classes.
    pub number: usize,
    pub class: Class,
    /// The place that is replaced.
    pub span: Span,
    /// The original text there, in one line.
    pub original: String,
    /// The text of the mutant there.
    pub mutated: String,
    /// The changed expressions of the resolved specification: one for each INSTANCE of the module that behaviours use.
    pub(crate) changes: Vec<(ExprId, Rewrite)>,
}

/// The change of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rewrite {
    True,
    /// Another operator, applied to the same operands.
    Operator(DefId),
    /// Another operator, with one added to an operand, or subtracted from it, by `by`.
    Shifted {
        operator: DefId,
        operand: usize,
        by: DefId,
    },
    /// `\E` in place of `\A`.
    Exists,
    /// The left side equals this expression.
    Equals(ExprId),
    /// The EXCEPT without one of its clauses.
    WithoutClause(usize),
    /// Only this part of the expression.
    Part(ExprId),
    /// UNCHANGED of these variables.
    Unchanged(Vec<VarId>),
}

/// Returns every mutant of these classes, in the order of the text.
pub fn mutants(spec: &Spec, config: &BoundConfig, classes: &[Class]) -> Vec<Mutant> {
    let mut finder = Finder::new(spec, config);
    for site in reach(spec, config) {
        finder.look_at(site);
    }
    let mut found: FxIndexMap<(Span, Class, String), Mutant> = FxIndexMap::default();
    for (class, expr, rewrite) in finder.found {
        let span = spec.exprs[expr].span;
        let mutated = texts::write_mutated(spec, expr, &rewrite);
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
