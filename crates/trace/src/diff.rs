//! Finds the differences between two values, with their places: `log[n1][2].term`, elements that were added to a set or
//! removed from it, items of a sequence.
//!
//! Data only; `text` and `json` show it.

mod sequence;

use base::with_stack;

use crate::datum::SortKey;
use crate::{Datum, State};

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change<'a> {
    /// The path from the whole value to the part that differs.
    pub path: Vec<PathStep<'a>>,
    pub kind: ChangeKind<'a>,
}

/// One step into a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStep<'a> {
    /// `.name`
    Field(&'a str),
    /// `[2]`, an item of a sequence, from 1.
    Position(usize),
    /// `[n1]`, an argument of a function.
    Argument(&'a Datum),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeKind<'a> {
    Replaced {
        old: &'a Datum,
        new: &'a Datum,
    },
    /// A function has an additional argument, or a variable has a value that had none.
    Added {
        new: &'a Datum,
    },
    Removed {
        old: &'a Datum,
    },
    /// Elements of a set, in the order of the set that they are in.
    Elements {
        removed: Vec<&'a Datum>,
        added: Vec<&'a Datum>,
    },
    /// Items of a sequence that had `n_old` items: from position `at` (from 1) on, `added` replace `removed`. `at` is
    /// `n_old + 1` for items that were appended.
    Items {
        n_old: usize,
        at: usize,
        removed: &'a [Datum],
        added: &'a [Datum],
    },
}

/// The changes of one variable in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableChange<'a> {
    /// Index into the variables of the trace.
    pub variable: usize,
    pub changes: Vec<Change<'a>>,
}

/// Returns the differences that turn `old` into `new`, in the order of the values; none if they mean the same.
pub fn diff<'a>(old: &'a Datum, new: &'a Datum) -> Vec<Change<'a>> {
    let mut differ = Differ { path: Vec::new(), changes: Vec::new() };
    differ.values(old, new);
    differ.changes
}

/// Returns the changes of the variables from one state to the next, for those that changed.
pub fn diff_states<'a>(old: &'a State, new: &'a State) -> Vec<VariableChange<'a>> {
    let whole = |kind| vec![Change { path: Vec::new(), kind }];
    let pairs = old.values.iter().zip(&new.values).enumerate();
    let changes = pairs.map(|(variable, (old, new))| {
        let changes = match (old, new) {
            (Some(old), Some(new)) => diff(old, new),
            (None, Some(new)) => whole(ChangeKind::Added { new }),
            (Some(old), None) => whole(ChangeKind::Removed { old }),
            (None, None) => Vec::new(),
        };
        VariableChange { variable, changes }
    });
    changes.filter(|change| !change.changes.is_empty()).collect()
}

/// The longest path of a difference. A deeper difference is shown whole at this depth: nobody reads a longer path, and
/// each level costs a comparison of everything below it.
const PATH_STEPS_MAX: usize = 20;

struct Differ<'a> {
    path: Vec<PathStep<'a>>,
    changes: Vec<Change<'a>>,
}

impl<'a> Differ<'a> {
    fn values(&mut self, old: &'a Datum, new: &'a Datum) {
        if old != new {
            with_stack(|| self.compare_different(old, new));
        }
    }

    fn compare_different(&mut self, old: &'a Datum, new: &'a Datum) {
        match (old, new) {
            _ if self.path.len() >= PATH_STEPS_MAX => self.push(ChangeKind::Replaced { old, new }),
            (Datum::Set(old), Datum::Set(new)) => self.sets(old, new),
            (Datum::Seq(old_items), Datum::Seq(new_items)) => {
                sequence::diff(self, (old, old_items), (new, new_items));
            }
            _ => match (Graph::of(old), Graph::of(new)) {
                (Some(old_graph), Some(new_graph)) if old_graph.is_like(&new_graph) => {
                    self.graphs(old_graph, new_graph);
                }
                (Some(_) | None, Some(_) | None) => self.push(ChangeKind::Replaced { old, new }),
            },
        }
    }

    fn push(&mut self, kind: ChangeKind<'a>) {
        self.changes.push(Change { path: self.path.clone(), kind });
    }

    fn inside(&mut self, step: PathStep<'a>, body: impl FnOnce(&mut Self)) {
        self.path.push(step);
        body(self);
        self.path.pop();
    }

    fn sets(&mut self, old: &'a [Datum], new: &'a [Datum]) {
        let (old_keys, new_keys) = (sorted_keys(old), sorted_keys(new));
        let removed = find_missing(old, &new_keys);
        let added = find_missing(new, &old_keys);
        self.push(ChangeKind::Elements { removed, added });
    }

    fn graphs(&mut self, old: Graph<'a>, new: Graph<'a>) {
        for entry in &old.entries {
            self.inside(entry.step, |differ| match new.find(&entry.key) {
                Some(other) => differ.values(entry.value, other.value),
                None => differ.push(ChangeKind::Removed { old: entry.value }),
            });
        }
        for entry in new.entries.iter().filter(|entry| old.find(&entry.key).is_none()) {
            self.inside(entry.step, |differ| differ.push(ChangeKind::Added { new: entry.value }));
        }
    }
}

fn sorted_keys(elements: &[Datum]) -> Vec<SortKey<'_>> {
    let mut keys: Vec<SortKey<'_>> = elements.iter().map(SortKey::of).collect();
    keys.sort();
    keys
}

/// Returns those of `elements` that are not among `keys`.
fn find_missing<'a>(elements: &'a [Datum], keys: &[SortKey<'_>]) -> Vec<&'a Datum> {
    elements.iter().filter(|element| keys.binary_search(&SortKey::of(element)).is_err()).collect()
}

/// A function in any form, argument by argument.
struct Graph<'a> {
    /// The entries in the order of the value.
    entries: Vec<Entry<'a>>,
    /// Indices into `entries`, sorted by key.
    by_key: Vec<usize>,
}

struct Entry<'a> {
    step: PathStep<'a>,
    key: SortKey<'a>,
    value: &'a Datum,
}

impl<'a> Graph<'a> {
    /// Creates the graph of a function; `None` for other values.
    fn of(datum: &'a Datum) -> Option<Self> {
        let entries: Vec<Entry<'a>> = match datum {
            Datum::Seq(items) => {
                let positions = items.iter().zip(1..);
                positions.map(|(value, at)| Entry::new(PathStep::Position(at), value)).collect()
            }
            Datum::Record(fields) => {
                fields.iter().map(|(name, value)| Entry::new(PathStep::Field(name), value)).collect()
            }
            Datum::Function(pairs) => pairs
                .iter()
                .map(|(argument, value)| Entry::new(PathStep::Argument(argument), value))
                .collect(),
            Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) => return None,
            Datum::Set(_) | Datum::Opaque(_) => return None,
        };
        let mut by_key: Vec<usize> = (0..entries.len()).collect();
        by_key.sort_by(|&left, &right| entries[left].key.cmp(&entries[right].key));
        Some(Graph { entries, by_key })
    }

    fn find(&self, key: &SortKey<'_>) -> Option<&Entry<'a>> {
        let found = self.by_key.binary_search_by(|&index| self.entries[index].key.cmp(key)).ok()?;
        Some(&self.entries[self.by_key[found]])
    }

    /// Whether a difference inside is worth showing: the arguments of one function are among those of the other, or
    /// most are. Two messages of different types are better shown whole.
    fn is_like(&self, other: &Graph<'_>) -> bool {
        let (n_left, n_right) = (self.entries.len(), other.entries.len());
        let n_common = self.entries.iter().filter(|entry| other.find(&entry.key).is_some()).count();
        n_common == n_left.min(n_right) || 2 * n_common >= n_left.max(n_right)
    }
}

impl<'a> Entry<'a> {
    fn new(step: PathStep<'a>, value: &'a Datum) -> Self {
        let key = match step {
            PathStep::Field(name) => SortKey::Str(name),
            PathStep::Position(at) => SortKey::Int(at as i64),
            PathStep::Argument(argument) => SortKey::of(argument),
        };
        Entry { step, key, value }
    }
}
