//! What of a specification was used: counts by action, by branch and by expression, made from those of nodes.
//!
//! An operator that is used in several places is lowered in each of them: what stands in one place of the text is one
//! expression, and its counts are those of all its nodes.

use std::collections::BTreeMap;

use base::{FxHashSet, Id};
use diag::Span;
use eval::interp::{NodeCount, Shared, is_counted};
use eval::ir::{IrId, IrKind, Program};
use sema::spec::DefKind;

use crate::idle::{IdlePart, idle_parts};
use crate::options::Model;

/// Everything that was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    pub actions: Vec<ActionCoverage>,
    /// Those of the next-state relation and of all that it uses.
    pub branches: Vec<Branch>,
    /// In the order of the text, what contains others before them.
    pub expressions: Vec<ExpressionCoverage>,
    /// Parts of properties that never came to say anything.
    pub idle: Vec<IdlePart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionCoverage {
    pub name: String,
    pub span: Span,
    /// How often it was tried, with which parameters ever.
    pub tried: u64,
    /// How often it had a successor.
    pub possible: u64,
    /// How many successors it made.
    pub generated: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    pub span: Span,
    pub kind: BranchKind,
    pub n_taken: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BranchKind {
    /// It had a successor.
    Action,
    /// One of several formulas of which one must hold: it held.
    Disjunct,
    /// The condition held.
    Then,
    Else,
    /// The guard of an arm of CASE held.
    Arm,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionCoverage {
    pub span: Span,
    /// The definition that it stands in.
    pub definition: Option<String>,
    /// How many of those before it contain it, in the same definition.
    pub depth: usize,
    pub evaluated: u64,
    /// How often a formula was true.
    pub trues: Option<u64>,
    /// How many expressions were evaluated for it, itself included, all together.
    pub cost: u64,
}

impl Coverage {
    /// How many branches were taken.
    pub fn n_taken(&self) -> usize {
        self.branches.iter().filter(|branch| branch.n_taken > 0).count()
    }

    /// What several runs of one specification came by, with whichever constants. Properties are left out.
    pub fn sum<'a>(runs: impl IntoIterator<Item = &'a Coverage>) -> Coverage {
        let mut actions: Vec<ActionCoverage> = Vec::new();
        let mut branches: BTreeMap<(Span, BranchKind), u64> = BTreeMap::new();
        let mut expressions = Expressions::new();
        for run in runs {
            run.actions.iter().for_each(|action| add_action(&mut actions, action));
            for branch in &run.branches {
                *branches.entry((branch.span, branch.kind)).or_insert(0) += branch.n_taken;
            }
            for expression in &run.expressions {
                expressions.entry(key(expression.span)).or_default().add(expression);
            }
        }
        let (branches, expressions) = (branches_of(branches), nested(expressions));
        Coverage { actions, branches, expressions, idle: Vec::new() }
    }
}

/// By first point, then what ends last: what contains others comes before them.
type Expressions = BTreeMap<(Span, std::cmp::Reverse<usize>), Sum>;

fn key(span: Span) -> (Span, std::cmp::Reverse<usize>) {
    (span.start_point(), std::cmp::Reverse(span.range().end))
}

/// The counts of one place, until all are known.
#[derive(Default)]
struct Sum {
    definition: Option<String>,
    evaluated: u64,
    trues: Option<u64>,
    cost: u64,
}

impl Sum {
    fn add(&mut self, more: &ExpressionCoverage) {
        self.definition = self.definition.take().or_else(|| more.definition.clone());
        self.evaluated += more.evaluated;
        self.cost += more.cost;
        if let Some(trues) = more.trues {
            *self.trues.get_or_insert(0) += trues;
        }
    }

    fn add_node(&mut self, count: &NodeCount) {
        self.evaluated += count.evaluated;
        self.cost += count.cost;
        if count.trues + count.falses > 0 {
            *self.trues.get_or_insert(0) += count.trues;
        }
    }
}

/// Expressions with how many contain each.
fn nested(sums: Expressions) -> Vec<ExpressionCoverage> {
    let mut open: Vec<Span> = Vec::new();
    let told = sums.into_iter().map(|((start, std::cmp::Reverse(end)), sum)| {
        let span = Span::new(start.source, start.range().start..end);
        while open.last().is_some_and(|outer| !contains(*outer, span)) {
            open.pop();
        }
        let depth = open.len();
        open.push(span);
        let Sum { definition, evaluated, trues, cost } = sum;
        ExpressionCoverage { span, definition, depth, evaluated, trues, cost }
    });
    told.collect()
}

fn branches_of(taken: BTreeMap<(Span, BranchKind), u64>) -> Vec<Branch> {
    taken.into_iter().map(|((span, kind), n_taken)| Branch { span, kind, n_taken }).collect()
}

/// Adds to the action of this name and place, or as a new one.
fn add_action(actions: &mut Vec<ActionCoverage>, more: &ActionCoverage) {
    let known = actions.iter_mut().find(|known| known.span == more.span && known.name == more.name);
    match known {
        Some(known) => {
            known.tried += more.tried;
            known.possible += more.possible;
            known.generated += more.generated;
        }
        None => actions.push(more.clone()),
    }
}

/// What was counted, if it was.
pub fn coverage(model: Model<'_>, shared: &Shared) -> Option<Coverage> {
    let counts = shared.counts()?;
    let reader = Reader { model, counts: &counts };
    Some(Coverage {
        actions: reader.actions(),
        branches: reader.branches(),
        expressions: reader.expressions(),
        idle: idle_parts(model, &counts),
    })
}

struct Reader<'a> {
    model: Model<'a>,
    counts: &'a [NodeCount],
}

impl<'a> Reader<'a> {
    fn program(&self) -> &'a Program {
        self.model.program
    }

    fn count(&self, id: IrId) -> NodeCount {
        self.counts[id.index()]
    }

    /// The expression that a node leads to, if that is counted.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else leads on")]
    fn told(&self, mut id: IrId) -> Option<IrId> {
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
            let action = ActionCoverage {
                name: self.model.spec.names.text(leaf.name).to_owned(),
                span: leaf.span,
                tried: count.evaluated,
                possible: count.trues,
                generated: count.reached,
            };
            add_action(&mut actions, &action);
        }
        actions
    }

    fn branches(&self) -> Vec<Branch> {
        let mut taken: BTreeMap<(Span, BranchKind), u64> = BTreeMap::new();
        let mut add = |span, kind, n| *taken.entry((span, kind)).or_insert(0) += n;
        for action in self.actions() {
            add(action.span, BranchKind::Action, action.possible);
        }
        for id in self.used_by_next() {
            self.branches_of(id, &mut add);
        }
        branches_of(taken)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else branches")]
    fn branches_of(&self, id: IrId, add: &mut impl FnMut(Span, BranchKind, u64)) {
        let span = |id: IrId| self.program().irs[id].span;
        match &self.program().irs[id].kind {
            IrKind::Or(items) => {
                for item in items.iter().filter_map(|item| self.told(*item)) {
                    add(span(item), BranchKind::Disjunct, self.count(item).trues);
                }
            }
            IrKind::If { condition, then, otherwise } => {
                let Some(condition) = self.told(*condition) else { return };
                add(span(*then), BranchKind::Then, self.count(condition).trues);
                add(span(*otherwise), BranchKind::Else, self.count(condition).falses);
            }
            IrKind::Case { arms, .. } => {
                for &(guard, value) in arms {
                    let Some(guard) = self.told(guard) else { continue };
                    add(span(value), BranchKind::Arm, self.count(guard).trues);
                }
            }
            _ => {}
        }
    }

    /// All nodes of the next-state relation.
    fn used_by_next(&self) -> Vec<IrId> {
        let program = self.program();
        let leaves = program.next.as_ref().map_or_else(Vec::new, |(tree, _)| tree.leaves());
        let mut todo: Vec<IrId> = leaves.into_iter().map(|leaf| leaf.expr).collect();
        let mut seen: FxHashSet<IrId> = todo.iter().copied().collect();
        let mut found = Vec::new();
        while let Some(id) = todo.pop() {
            found.push(id);
            let kind = &program.irs[id].kind;
            let mut add = |id| {
                if seen.insert(id) {
                    todo.push(id);
                }
            };
            kind.for_each_child(&mut add);
            kind.for_each_func(&mut |func| add(program.funcs[func].body));
        }
        found
    }

    fn expressions(&self) -> Vec<ExpressionCoverage> {
        let mut sums = Expressions::new();
        let nodes = self.program().irs.iter().zip(self.counts);
        for (ir, count) in nodes.filter(|(ir, _)| is_counted(&ir.kind) && self.is_own(ir.span)) {
            sums.entry(key(ir.span)).or_default().add_node(count);
        }
        for ((start, std::cmp::Reverse(end)), sum) in &mut sums {
            sum.definition = self.definition(Span::new(start.source, start.range().start..*end));
        }
        nested(sums)
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
