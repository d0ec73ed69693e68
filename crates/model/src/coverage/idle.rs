//! Parts of properties that never came to say anything: antecedents that were never true, quantifiers whose set was always
//! empty. Read from the counts of nodes.

use std::collections::BTreeMap;

use base::{FxHashSet, Id};
use diag::Span;
use eval::interp::{NodeCount, is_counted};
use eval::ir::{IrId, IrKind, Root};

use crate::Model;
use crate::names::root_name;

/// A part of a property that was evaluated and never came to say anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdlePart {
    pub property: String,
    /// The antecedent; the quantified formula.
    pub span: Span,
    pub kind: IdleKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IdleKind {
    /// `P` of `P => Q` was never true.
    Antecedent,
    /// There was never an element that the body could be about.
    EmptySet,
}

/// Returns the idle parts of invariants, and of properties of steps and initial states.
pub fn idle_parts(model: Model<'_>, counts: &[NodeCount]) -> Vec<IdlePart> {
    let program = model.program;
    let steps = program.step_properties.iter().map(|property| &property.root);
    let roots = program.invariants.iter().chain(steps).chain(&program.implied_inits);
    let reader = IdleReader { model, counts };
    let mut parts: Vec<IdlePart> = Vec::new();
    for part in roots.flat_map(|root| reader.of_root(root)) {
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts
}

struct IdleReader<'a> {
    model: Model<'a>,
    counts: &'a [NodeCount],
}

impl IdleReader<'_> {
    fn of_root(&self, root: &Root) -> Vec<IdlePart> {
        let property = root_name(self.model.spec, root);
        // A definition that is used twice is lowered twice: its parts are idle if they are in both.
        let mut by_place: BTreeMap<(Span, IdleKind), bool> = BTreeMap::new();
        for id in self.below(root.expr) {
            if let Some((kind, at, is_idle)) = self.judge(id) {
                let span = self.model.program.irs[at].span;
                let known = by_place.entry((span, kind)).or_insert(true);
                *known = *known && is_idle;
            }
        }
        let idle = by_place.into_iter().filter(|(_, is_idle)| *is_idle);
        idle.map(|((span, kind), _)| IdlePart { property: property.clone(), span, kind }).collect()
    }

    /// All nodes of a property.
    fn below(&self, root: IrId) -> Vec<IrId> {
        let program = self.model.program;
        let mut todo = vec![root];
        let mut seen: FxHashSet<IrId> = FxHashSet::default();
        let mut found = Vec::new();
        while let Some(id) = todo.pop() {
            if !seen.insert(id) {
                continue;
            }
            found.push(id);
            let kind = &program.irs[id].kind;
            kind.for_each_child(&mut |child| todo.push(child));
            kind.for_each_func(&mut |func| todo.push(program.funcs[func].body));
        }
        found
    }

    /// Whether a node that was evaluated says nothing, and where that is told.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else depends on another part like this")]
    fn judge(&self, id: IrId) -> Option<(IdleKind, IrId, bool)> {
        if self.counts[id.index()].evaluated == 0 {
            return None;
        }
        match &self.model.program.irs[id].kind {
            IrKind::Implies(antecedent, consequent) => {
                let is_idle = match (self.count_of(*antecedent), self.count_of(*consequent)) {
                    (Some(count), _) => count.trues == 0,
                    (None, Some(count)) => count.evaluated == 0,
                    (None, None) => false,
                };
                Some((IdleKind::Antecedent, *antecedent, is_idle))
            }
            IrKind::Quantified { body, .. } => {
                let count = self.count_of(*body)?;
                Some((IdleKind::EmptySet, id, count.evaluated == 0))
            }
            _ => None,
        }
    }

    /// The counts of the expression that a node leads to, if it has some.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else leads on")]
    fn count_of(&self, mut id: IrId) -> Option<NodeCount> {
        loop {
            let kind = &self.model.program.irs[id].kind;
            match kind {
                IrKind::Enter { body, .. } | IrKind::Bind { body, .. } => id = *body,
                IrKind::Lazy { expr, memo: None, .. } => id = *expr,
                _ => return is_counted(kind).then(|| self.counts[id.index()]),
            }
        }
    }
}
