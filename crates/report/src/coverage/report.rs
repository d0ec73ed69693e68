//! The data: what was counted, and the texts of the modules. `docs/coverage.md` has its form as JSON.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The counters of one run, or the sums of several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Bounds that it is about, if there are several.
    #[serde(flatten)]
    pub bounds: Option<Bounds>,
    pub actions: Vec<Action>,
    /// Those of the next-state relation and of all that it uses.
    pub branches: Vec<Branch>,
    /// Expressions in the order of the text, each before those that it contains.
    pub expressions: Vec<Expression>,
    /// The user's modules as they were read. Left out where another report has them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
}

/// A configuration and one of its budgets, or all of them together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    pub configuration: String,
    pub budget: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    pub name: String,
    pub place: TextPlace,
    /// Number of times that it was tried, with any parameters.
    pub tried: u64,
    /// Number of times that it had a successor.
    pub possible: u64,
    /// Number of successors that it made.
    pub generated: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    pub kind: BranchKind,
    pub place: TextPlace,
    pub taken: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expression {
    pub place: TextPlace,
    /// The definition that it stands in.
    pub definition: Option<String>,
    /// Number of expressions before it that contain it.
    pub depth: usize,
    pub evaluated: u64,
    /// Number of times that a formula was true.
    #[serde(rename = "true")]
    pub trues: Option<u64>,
    /// Number of expressions that were evaluated for it, itself included.
    pub cost: u64,
}

/// A part of a text, from its first character to the one after its last.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TextPlace {
    pub file: String,
    pub start: Point,
    pub end: Point,
}

/// Line and column, counted from 1. A column is a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Point {
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    pub file: String,
    pub text: String,
}

impl BranchKind {
    pub fn name(self) -> &'static str {
        match self {
            BranchKind::Action => "action",
            BranchKind::Disjunct => "disjunct",
            BranchKind::Then => "then",
            BranchKind::Else => "else",
            BranchKind::Arm => "arm",
        }
    }
}

impl TextPlace {
    /// Returns the place as `Raft.tla:12:5`.
    pub fn text(&self) -> String {
        format!("{}:{}:{}", self.file, self.start.line, self.start.column)
    }

    pub fn contains(&self, inner: &TextPlace) -> bool {
        self.file == inner.file && self.start <= inner.start && inner.end <= self.end
    }
}

impl Report {
    /// Returns the number of branches that were taken.
    pub fn n_taken(&self) -> usize {
        self.branches.iter().filter(|branch| branch.taken > 0).count()
    }

    /// The names of the actions that made no state.
    pub fn never_possible(&self) -> Vec<&str> {
        self.actions
            .iter()
            .filter(|action| action.generated == 0)
            .map(|action| action.name.as_str())
            .collect()
    }

    /// Puts branches and expressions in the order of the texts, and says of each expression how many contain it.
    #[must_use]
    pub fn nest(mut self) -> Report {
        let order: BTreeMap<&str, usize> =
            self.sources.iter().enumerate().map(|(index, source)| (source.file.as_str(), index)).collect();
        let key = |place: &TextPlace| {
            let file = order.get(place.file.as_str()).copied().unwrap_or(usize::MAX);
            (file, place.file.clone(), place.start, Reverse(place.end))
        };
        self.branches.sort_by_cached_key(|branch| (key(&branch.place), branch.kind));
        self.expressions.sort_by_cached_key(|expression| key(&expression.place));
        let mut open: Vec<TextPlace> = Vec::new();
        for expression in &mut self.expressions {
            while open.last().is_some_and(|outer| !outer.contains(&expression.place)) {
                open.pop();
            }
            expression.depth = open.len();
            open.push(expression.place.clone());
        }
        self
    }

    /// Returns the sum of several runs of one specification, possibly with different constants; the texts are those of
    /// the first.
    pub fn sum<'a>(runs: impl IntoIterator<Item = &'a Report>) -> Report {
        let mut sum = Report::default();
        let mut branches: BTreeMap<(TextPlace, BranchKind), u64> = BTreeMap::new();
        let mut expressions: BTreeMap<TextPlace, Expression> = BTreeMap::new();
        for run in runs {
            run.actions.iter().for_each(|action| sum.add_action(action));
            for branch in &run.branches {
                let taken = branches.entry((branch.place.clone(), branch.kind)).or_insert(0);
                *taken = taken.saturating_add(branch.taken);
            }
            for expression in &run.expressions {
                let known = expressions.get_mut(&expression.place);
                match known {
                    Some(known) => known.add(expression),
                    None => drop(expressions.insert(expression.place.clone(), expression.clone())),
                }
            }
            if sum.sources.is_empty() {
                sum.sources.clone_from(&run.sources);
            }
        }
        let branches = branches.into_iter().map(|((place, kind), taken)| Branch { kind, place, taken });
        sum.branches = branches.collect();
        sum.expressions = expressions.into_values().collect();
        sum.nest()
    }

    /// Adds to the action of this name and place, or as a new one.
    fn add_action(&mut self, more: &Action) {
        let mut actions = self.actions.iter_mut();
        match actions.find(|known| known.place == more.place && known.name == more.name) {
            Some(known) => {
                known.tried = known.tried.saturating_add(more.tried);
                known.possible = known.possible.saturating_add(more.possible);
                known.generated = known.generated.saturating_add(more.generated);
            }
            None => self.actions.push(more.clone()),
        }
    }
}

impl Expression {
    fn add(&mut self, more: &Expression) {
        self.evaluated = self.evaluated.saturating_add(more.evaluated);
        self.cost = self.cost.saturating_add(more.cost);
        if let Some(trues) = more.trues {
            let known = self.trues.get_or_insert(0);
            *known = known.saturating_add(trues);
        }
    }
}
