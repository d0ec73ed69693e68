//! Coverage of a specification: counts by action, by branch and by expression, made from the counts of nodes.
//!
//! An operator that is used in several places is lowered in each of them: what stands in one place of the text is one
//! expression, and its counts are those of all its nodes.

use std::collections::BTreeMap;

use base::{FxHashMap, FxHashSet, Id};
use diag::Span;
use eval::interp::{NodeCount, Shared, is_counted};
use eval::ir::{ActionLeaf, IrId, IrKind, Program};
pub use report::coverage::BranchKind;
use sema::spec::DefKind;

mod fused;
mod idle;
pub mod reach;

use crate::Model;
use crate::step_names;
use fused::{apart, with_fused};
use idle::idle_parts;
pub use idle::{IdleKind, IdlePart};
use reach::{actions, reachable};

/// Everything that was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    pub actions: Vec<ActionCoverage>,
    /// The rules that explain the events of a log, by the names of the actions that they take.
    pub rules: Vec<ActionCoverage>,
    /// Those of the next-state relation and of all that it uses.
    pub branches: Vec<Branch>,
    /// Expressions in the order of the text, each before those that it contains.
    pub expressions: Vec<ExpressionCoverage>,
    /// Parts of properties that never came to say anything.
    pub idle: Vec<IdlePart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionCoverage {
    /// TLC's name for it.
    pub name: String,
    /// The name of its steps in traces; several names are joined.
    pub step_name: String,
    pub span: Span,
    /// Number of times that it was tried, with any parameters.
    pub tried: u64,
    /// Number of times that it had a successor.
    pub possible: u64,
    /// Number of successors that it made.
    pub generated: u64,
    /// Number of new states among them; 0 for walks, which do not know.
    pub found: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    pub span: Span,
    pub kind: BranchKind,
    pub n_taken: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionCoverage {
    pub span: Span,
    /// The definition that it stands in.
    pub definition: Option<String>,
    pub evaluated: u64,
    /// Number of times that a formula was true.
    pub trues: Option<u64>,
    /// Number of expressions that were evaluated for it, itself included.
    pub cost: u64,
}

impl Coverage {
    /// How many branches were taken.
    pub fn n_taken(&self) -> usize {
        self.branches.iter().filter(|branch| branch.n_taken > 0).count()
    }
}

/// How many states each action was the first to find.
pub type FoundBy = FxHashMap<IrId, u64>;

/// Returns the coverage, if it was counted.
pub fn coverage(model: Model<'_>, shared: &Shared, found_by: &FoundBy) -> Option<Coverage> {
    let counts = shared.counts()?;
    let reader = CountReader { model, counts: &counts, found_by };
    Some(Coverage {
        actions: reader.actions(),
        rules: reader.rules(),
        branches: reader.branches(),
        expressions: reader.expressions(),
        idle: idle_parts(model, &counts),
    })
}

struct CountReader<'a> {
    model: Model<'a>,
    counts: &'a [NodeCount],
    found_by: &'a FoundBy,
}

impl<'a> CountReader<'a> {
    fn program(&self) -> &'a Program {
        self.model.program
    }

    fn count(&self, id: IrId) -> NodeCount {
        self.counts[id.index()]
    }

    /// The expression that a node leads to, if that is counted.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else leads on")]
    fn find_counted(&self, mut id: IrId) -> Option<IrId> {
        loop {
            let kind = &self.program().irs[id].kind;
            match kind {
                IrKind::Enter { body, .. } | IrKind::Bind { body, .. } => id = *body,
                IrKind::Lazy { expr, memo: None, .. } => id = *expr,
                _ => return is_counted(kind).then_some(id),
            }
        }
    }

    fn actions(&self) -> Vec<ActionCoverage> {
        let mut actions: Vec<ActionCoverage> = Vec::new();
        let mut seen = FxHashSet::default();
        let leaves = self.program().next.as_ref().map_or_else(Vec::new, |(tree, _)| tree.leaves());
        for leaf in leaves.into_iter().filter(|leaf| seen.insert(leaf.expr)) {
            let count = self.count(leaf.expr);
            let name = self.model.spec.names.text(leaf.name);
            let known = actions.iter_mut().find(|known| known.span == leaf.span && known.name == name);
            let action = match known {
                Some(known) => known,
                None => {
                    actions.push(self.new_action(leaf));
                    actions.last_mut().expect("one was just added")
                }
            };
            action.tried += count.evaluated;
            action.possible += count.trues;
            action.generated += count.reached;
            action.found += self.found_by.get(&leaf.expr).copied().unwrap_or_default();
        }
        actions
    }

    /// An action that nothing is known of yet.
    fn new_action(&self, leaf: &ActionLeaf) -> ActionCoverage {
        let spec = self.model.spec;
        ActionCoverage {
            name: spec.names.text(leaf.name).to_owned(),
            step_name: step_names::join(&step_names::step_names(self.model, leaf)),
            span: leaf.span,
            tried: 0,
            possible: 0,
            generated: 0,
            found: 0,
        }
    }

    /// One for each rule.
    fn rules(&self) -> Vec<ActionCoverage> {
        let rule = |(leaf, _): &(ActionLeaf, u16)| {
            let count = self.count(leaf.expr);
            let NodeCount { evaluated: tried, trues: possible, reached: generated, .. } = count;
            ActionCoverage { tried, possible, generated, ..self.new_action(leaf) }
        };
        self.program().rules.iter().map(rule).collect()
    }

    fn branches(&self) -> Vec<Branch> {
        let mut taken: BTreeMap<(Span, BranchKind), u64> = BTreeMap::new();
        let mut add = |span, kind, n| *taken.entry((span, kind)).or_insert(0) += n;
        for action in self.actions() {
            add(action.span, BranchKind::Action, action.possible);
        }
        let rules = self.program().rules.iter().map(|(leaf, _)| leaf.expr);
        for id in reachable(self.program(), actions(self.program()).chain(rules)) {
            self.branches_of(id, &mut add);
        }
        taken.into_iter().map(|((span, kind), n_taken)| Branch { span, kind, n_taken }).collect()
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else branches")]
    fn branches_of(&self, id: IrId, add: &mut impl FnMut(Span, BranchKind, u64)) {
        let span = |id: IrId| self.program().irs[id].span;
        match &self.program().irs[id].kind {
            IrKind::Or(items) => {
                for item in items.iter().filter_map(|item| self.find_counted(*item)) {
                    add(span(item), BranchKind::Disjunct, self.count(item).trues);
                }
            }
            IrKind::If { condition, then, otherwise } => {
                let Some(condition) = self.find_counted(*condition) else { return };
                add(span(*then), BranchKind::Then, self.count(condition).trues);
                add(span(*otherwise), BranchKind::Else, self.count(condition).falses);
            }
            IrKind::Case { arms, .. } => {
                for &(guard, value) in arms {
                    let Some(guard) = self.find_counted(guard) else { continue };
                    add(span(value), BranchKind::Arm, self.count(guard).trues);
                }
            }
            _ => {}
        }
    }

    fn expressions(&self) -> Vec<ExpressionCoverage> {
        let mut counts: BTreeMap<(Span, std::cmp::Reverse<usize>), NodeCount> = BTreeMap::new();
        let (program, apart) = (self.program(), apart(self.program(), self.counts));
        let nodes = program.irs.iter_enumerated().zip(with_fused(program, self.counts));
        for ((id, ir), count) in nodes {
            if !is_counted(&ir.kind) || !self.is_own(ir.span) || apart.contains(&id) {
                continue;
            }
            let key = (first_point(ir.span), std::cmp::Reverse(ir.span.range().end));
            let sum = counts.entry(key).or_default();
            sum.evaluated += count.evaluated;
            sum.trues += count.trues;
            sum.falses += count.falses;
            sum.cost += count.cost;
        }
        let told = counts.into_iter().map(|((start, std::cmp::Reverse(end)), count)| {
            let span = Span::new(start.source, start.range().start..end);
            let is_formula = count.trues + count.falses > 0;
            ExpressionCoverage {
                span,
                definition: self.definition(span),
                evaluated: count.evaluated,
                trues: is_formula.then_some(count.trues),
                cost: count.cost,
            }
        });
        told.collect()
    }

    /// Whether a place is in a module of the user's.
    fn is_own(&self, span: Span) -> bool {
        let mut modules = self.model.spec.modules.iter();
        modules.any(|module| !module.embedded && contains(module.span, span))
    }

    /// The outermost definition around a place.
    fn definition(&self, span: Span) -> Option<String> {
        let spec = self.model.spec;
        let around = spec.defs.iter().filter(|def| def.kind != DefKind::Let && contains(def.span, span));
        let widest = around.max_by_key(|def| def.span.range().len())?;
        Some(spec.names.text(widest.name).to_owned())
    }
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.source == inner.source
        && outer.range().start <= inner.range().start
        && inner.range().end <= outer.range().end
}

fn first_point(span: Span) -> Span {
    let start = span.range().start;
    Span::new(span.source, start..start)
}
