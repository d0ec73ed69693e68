//! Two compositions side by side: the behaviours of each as a target module sees them, compared in both directions.
//!
//! A behaviour is condensed: only the variables that the target can observe are kept, and steps that change none of them
//! are left out. Each side is followed as the set of states that it can be in after what was seen; the sides agree as
//! long as both can show the same next.

use std::collections::VecDeque;

use base::{FxHashSet, FxIndexMap};
use model::Model;
use trace::{Datum, State, Step, Style};
use value::{Interner, ValueId};

pub use crate::explore::{Bounds, Stop};
use crate::explore::{Explored, Phase, SeenStep, SetTable, ShownId, ShownTable, SideContext};

/// Limit on pairs of sets: beyond it walks take over.
const PAIRS_PER_STATE: usize = 4;
/// Number of kinds of differences that are looked for, at most.
const KINDS_MAX: usize = 20;

/// One of the two compositions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Which {
    /// The composition with the finer grains.
    Fine,
    Coarse,
}

impl Which {
    pub fn other(self) -> Which {
        match self {
            Which::Fine => Which::Coarse,
            Which::Coarse => Which::Fine,
        }
    }
}

/// The two sides of a comparison, and the variables that they are compared by.
pub struct Compared<'a> {
    pub fine: Model<'a>,
    pub coarse: Model<'a>,
    /// The names of the variables that the target can observe; both sides have them.
    pub visible: Vec<String>,
    pub bounds: Bounds<'a>,
    pub walks: Walks,
}

/// Random walks, for when there are too many states.
#[derive(Clone, Copy, Debug)]
pub struct Walks {
    pub n_walks: u64,
    pub depth: u32,
    pub seed: u64,
}

/// The result of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    pub extent: Extent,
    /// The kinds of differences, the first of each, shortest first.
    pub differences: Vec<Difference>,
    /// How many states of each side were made: fine, coarse.
    pub n_states: (usize, usize),
}

/// The part of the behaviours that was compared.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Extent {
    /// All behaviours within the bounds of the model; the number of pairs of sets.
    #[default]
    Nothing,
    Complete {
        n_pairs: usize,
    },
    /// Random walks of each side that were matched against the other, and how many were given up.
    Sample {
        matched: (u64, u64),
        given_up: (u64, u64),
    },
}

/// A step that one side can take where the other cannot.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The side that can take the step.
    pub can: Which,
    /// The actions that take it.
    pub actions: Vec<String>,
    /// The variables that it changes.
    pub changed: Vec<String>,
    /// The states that the target saw before, and the step itself last.
    pub rows: Vec<Row>,
    /// The steps that the other side can take in the place of the last one.
    pub instead: Vec<Instead>,
}

/// One state as the target sees it.
#[derive(Clone, Debug)]
pub struct Row {
    pub values: Vec<Datum>,
    /// How each side comes here; `None` for the initial state, and for the side that cannot.
    pub fine: Option<SideStep>,
    pub coarse: Option<SideStep>,
}

/// The steps of one side that lead to a state that the target sees: those that it does not see, and the last one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideStep {
    pub hidden: Vec<String>,
    pub step: String,
}

/// A step that is possible: the action, and what it changes, line by line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instead {
    pub action: String,
    pub changes: Vec<String>,
}

/// Compares two compositions.
pub fn compare(compared: &Compared<'_>) -> Result<Comparison, Stop> {
    base::on_deep_stack(model::STACK_BYTES, || compare_here(compared))
}

fn compare_here(compared: &Compared<'_>) -> Result<Comparison, Stop> {
    let fine = SideContext::new(compared.fine, compared.bounds, &compared.visible);
    let coarse = SideContext::new(compared.coarse, compared.bounds, &compared.visible);
    let mut table = ShownTable::default();
    let fine = Explored::new(&fine, &mut table)?;
    let coarse = Explored::new(&coarse, &mut table)?;
    let sides = Sides { fine, coarse, sets: Default::default(), table };
    let mut comparer = Comparer {
        compared,
        sides,
        found: FxIndexMap::default(),
        pairs: Vec::new(),
        known: FxHashSet::default(),
    };
    let extent = match comparer.all() {
        Ok(()) => Extent::Complete { n_pairs: comparer.pairs.len() },
        Err(Stop::TooLarge) => comparer.sample()?,
        Err(stop) => return Err(stop),
    };
    Ok(comparer.finish(extent))
}

/// Both sides while they are explored.
struct Sides<'a> {
    fine: Explored<'a>,
    coarse: Explored<'a>,
    /// The sets of states of the fine side and of the coarse one.
    sets: (SetTable, SetTable),
    table: ShownTable,
}

impl<'a> Sides<'a> {
    fn parts(&mut self, which: Which) -> (&mut Explored<'a>, &mut SetTable, &mut ShownTable) {
        match which {
            Which::Fine => (&mut self.fine, &mut self.sets.0, &mut self.table),
            Which::Coarse => (&mut self.coarse, &mut self.sets.1, &mut self.table),
        }
    }

    /// Says what the exploration is doing now.
    fn enter(&self, phase: Phase) {
        self.fine.context.run.phase.set(phase);
        self.coarse.context.run.phase.set(phase);
    }

    fn side(&self, which: Which) -> &Explored<'a> {
        match which {
            Which::Fine => &self.fine,
            Which::Coarse => &self.coarse,
        }
    }

    /// Returns what each side can begin with, with the set of states.
    fn beginnings(&mut self, which: Which) -> Result<Vec<(ShownId, u32)>, Stop> {
        let (side, sets, table) = self.parts(which);
        let mut by_shown: FxIndexMap<ShownId, Vec<u32>> = FxIndexMap::default();
        for &state in &side.initial.clone() {
            by_shown.entry(side.shown(state)).or_default().push(state);
        }
        by_shown.into_iter().map(|(shown, states)| Ok((shown, sets.close(&states, side, table)?))).collect()
    }

    fn moves(&mut self, which: Which, set: u32) -> Result<std::rc::Rc<[(ShownId, u32)]>, Stop> {
        let (side, sets, table) = self.parts(which);
        sets.moves(set, side, table)
    }

    /// Returns the names of the actions that lead from a set to what is shown next.
    fn actions_to(&mut self, which: Which, (set, shown): (u32, ShownId)) -> Result<Vec<String>, Stop> {
        let (side, sets, table) = self.parts(which);
        let mut names: Vec<String> = Vec::new();
        for state in sets.states(set).to_vec() {
            for edge in side.successors(state, table)?.iter().filter(|edge| side.shown(edge.to) == shown) {
                let name = side.action_name(edge.action).to_owned();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names.sort();
        Ok(names)
    }
}

/// A pair of sets that both sides can be in after the same was seen.
#[derive(Clone, Copy)]
struct Pair {
    fine: u32,
    coarse: u32,
    shown: ShownId,
    parent: Option<usize>,
}

impl Pair {
    fn set(&self, which: Which) -> u32 {
        match which {
            Which::Fine => self.fine,
            Which::Coarse => self.coarse,
        }
    }
}

/// Differences that are alike: the same side, the same actions, the same variables.
type Kind = (Which, Vec<String>, Vec<usize>);

/// A difference before its behaviours are made: what was seen before, and the step.
struct FoundDifference {
    seen: Vec<ShownId>,
    next: ShownId,
    /// The steps that the other side can take in its place.
    instead: Vec<Instead>,
}

struct Comparer<'a, 'c> {
    compared: &'c Compared<'a>,
    sides: Sides<'c>,
    found: FxIndexMap<Kind, FoundDifference>,
    pairs: Vec<Pair>,
    known: FxHashSet<(u32, u32)>,
}

impl Comparer<'_, '_> {
    /// Compares all behaviours.
    fn all(&mut self) -> Result<(), Stop> {
        let (fine, coarse) = (self.sides.beginnings(Which::Fine)?, self.sides.beginnings(Which::Coarse)?);
        self.beginnings(&fine, &coarse);
        let mut queue: VecDeque<usize> = (0..self.pairs.len()).collect();
        while let Some(at) = queue.pop_front() {
            let pair = self.pairs[at];
            let fine = self.sides.moves(Which::Fine, pair.fine)?;
            let coarse = self.sides.moves(Which::Coarse, pair.coarse)?;
            self.add_moves((Which::Fine, at), &fine, &coarse)?;
            self.add_moves((Which::Coarse, at), &coarse, &fine)?;
            for &(shown, fine) in fine.iter() {
                let Ok(found) = coarse.binary_search_by_key(&shown, |&(shown, _)| shown) else { continue };
                let coarse = coarse[found].1;
                if self.known.insert((fine, coarse)) {
                    queue.push_back(self.pairs.len());
                    self.pairs.push(Pair { fine, coarse, shown, parent: Some(at) });
                }
            }
            if self.pairs.len() > self.compared.bounds.states_max * PAIRS_PER_STATE {
                return Err(Stop::TooLarge);
            }
        }
        Ok(())
    }

    fn beginnings(&mut self, fine: &[(ShownId, u32)], coarse: &[(ShownId, u32)]) {
        for &(shown, set) in fine {
            match coarse.iter().find(|(other, _)| *other == shown) {
                Some(&(_, other)) => {
                    if self.known.insert((set, other)) {
                        self.pairs.push(Pair { fine: set, coarse: other, shown, parent: None });
                    }
                }
                None => self.add_initial(Which::Fine, shown),
            }
        }
        for &(shown, _) in coarse.iter().filter(|(shown, _)| fine.iter().all(|(other, _)| other != shown)) {
            self.add_initial(Which::Coarse, shown);
        }
    }

    fn add_initial(&mut self, can: Which, next: ShownId) {
        let kind = (can, vec!["Init".to_owned()], Vec::new());
        self.found.entry(kind).or_insert(FoundDifference { seen: Vec::new(), next, instead: Vec::new() });
    }

    /// Adds the moves of one side that the other does not have.
    fn add_moves(
        &mut self,
        (can, at): (Which, usize),
        own: &[(ShownId, u32)],
        others: &[(ShownId, u32)],
    ) -> Result<(), Stop> {
        for &(next, _) in own {
            if others.binary_search_by_key(&next, |&(shown, _)| shown).is_ok()
                || self.found.len() >= KINDS_MAX
            {
                continue;
            }
            let pair = self.pairs[at];
            let actions = self.sides.actions_to(can, (pair.set(can), next))?;
            let kind = (can, actions, self.changed(pair.shown, next));
            if !self.found.contains_key(&kind) {
                let instead = self.instead(can.other(), (pair.set(can.other()), pair.shown));
                self.found.insert(kind, FoundDifference { seen: self.seen(at), next, instead });
            }
        }
        Ok(())
    }

    /// Returns what was seen up to a pair.
    fn seen(&self, at: usize) -> Vec<ShownId> {
        let mut seen = Vec::new();
        let mut next = Some(at);
        while let Some(at) = next {
            seen.push(self.pairs[at].shown);
            next = self.pairs[at].parent;
        }
        seen.reverse();
        seen
    }

    /// Returns the variables in which two of the shown states differ.
    fn changed(&self, before: ShownId, after: ShownId) -> Vec<usize> {
        let (before, after) = (self.sides.table.values(before), self.sides.table.values(after));
        (0..before.len()).filter(|&at| before[at] != after[at]).collect()
    }

    /// Matches random walks of each side against the other.
    fn sample(&mut self) -> Result<Extent, Stop> {
        let mut matched = (0, 0);
        let mut given_up = (0, 0);
        self.sides.enter(Phase::Walks);
        let mut has_time = self.has_forgotten()?;
        for number in 0..self.compared.walks.n_walks {
            if !has_time || self.sides.fine.context.run.is_late() {
                break;
            }
            for which in [Which::Fine, Which::Coarse] {
                let counts = match which {
                    Which::Fine => (&mut matched.0, &mut given_up.0),
                    Which::Coarse => (&mut matched.1, &mut given_up.1),
                };
                match self.walk(which, number) {
                    Ok(()) => *counts.0 += 1,
                    // Its states no longer fit. The findings so far are kept.
                    Err(Stop::TooLarge) => {
                        *counts.1 += 1;
                        has_time = self.has_forgotten()?;
                        if !has_time {
                            break;
                        }
                    }
                    Err(stop) => return Err(stop),
                }
            }
        }
        Ok(Extent::Sample { matched, given_up })
    }

    /// Drops the states of both sides; returns whether there was time for it. The initial states fit, as they did before.
    fn has_forgotten(&mut self) -> Result<bool, Stop> {
        match self.forget() {
            Ok(()) => Ok(true),
            Err(Stop::TooLarge) => Ok(false),
            Err(stop) => Err(stop),
        }
    }

    /// Drops the states of both sides, for walks that need the room. Shown states keep their numbers.
    fn forget(&mut self) -> Result<(), Stop> {
        let sides = &mut self.sides;
        sides.sets = Default::default();
        sides.fine = Explored::new(sides.fine.context, &mut sides.table)?;
        sides.coarse = Explored::new(sides.coarse.context, &mut sides.table)?;
        Ok(())
    }

    /// Makes one random walk of a side, and follows what it shows on the other.
    fn walk(&mut self, which: Which, number: u64) -> Result<(), Stop> {
        let walks = self.compared.walks;
        let mut dice = Dice(walks.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ which as u64);
        let initial = self.sides.side(which).initial.clone();
        if initial.is_empty() {
            return Ok(());
        }
        let mut state = initial[dice.below(initial.len())];
        let mut seen = vec![self.sides.side(which).shown(state)];
        let others = self.sides.beginnings(which.other())?;
        let Some(&(_, mut other)) = others.iter().find(|(shown, _)| *shown == seen[0]) else {
            self.add_initial(which, seen[0]);
            return Ok(());
        };
        for _ in 0..walks.depth {
            let (side, _, table) = self.sides.parts(which);
            let edges = side.successors(state, table)?;
            if edges.is_empty() {
                return Ok(());
            }
            let edge = edges[dice.below(edges.len())];
            let shown = self.sides.side(which).shown(edge.to);
            if Some(&shown) != seen.last() {
                let moves = self.sides.moves(which.other(), other)?;
                match moves.binary_search_by_key(&shown, |&(shown, _)| shown) {
                    Ok(at) => other = moves[at].1,
                    Err(_) => {
                        let action = self.sides.side(which).action_name(edge.action).to_owned();
                        let changed = self.changed(*seen.last().unwrap_or(&shown), shown);
                        let instead = self.instead(which.other(), (other, *seen.last().unwrap_or(&shown)));
                        let found = FoundDifference { seen, next: shown, instead };
                        self.found.entry((which, vec![action], changed)).or_insert(found);
                        return Ok(());
                    }
                }
                seen.push(shown);
            }
            state = edge.to;
        }
        Ok(())
    }

    fn finish(mut self, extent: Extent) -> Comparison {
        self.sides.enter(Phase::Finish);
        let found = std::mem::take(&mut self.found);
        let mut differences: Vec<Difference> =
            found.into_iter().map(|(kind, found)| self.difference(kind, found)).collect();
        differences.sort_by_key(|difference| difference.rows.len());
        let n_states = (self.sides.fine.n_states(), self.sides.coarse.n_states());
        Comparison { extent, differences, n_states }
    }

    fn difference(&mut self, (can, actions, changed): Kind, found: FoundDifference) -> Difference {
        let FoundDifference { seen, next, instead } = found;
        let whole: Vec<ShownId> = seen.iter().copied().chain([next]).collect();
        let behaviour = |comparer: &mut Self, which: Which, seen: &[ShownId]| {
            let (side, _, table) = comparer.sides.parts(which);
            side.behaviour(seen, table).unwrap_or_default()
        };
        let own = behaviour(self, can, &whole);
        let theirs = if seen.is_empty() { Vec::new() } else { behaviour(self, can.other(), &seen) };
        let (fine, coarse) = match can {
            Which::Fine => (&own, &theirs),
            Which::Coarse => (&theirs, &own),
        };
        let side_step =
            |steps: &[SeenStep], at: usize| at.checked_sub(1).and_then(|at| steps.get(at)).map(side_step);
        let rows = whole.iter().enumerate().map(|(at, &shown)| Row {
            values: self.sides.table.values(shown).iter().map(|&id| datum(id)).collect(),
            fine: side_step(fine, at),
            coarse: side_step(coarse, at),
        });
        let rows = rows.collect();
        let changed = changed.iter().map(|&at| self.compared.visible[at].clone()).collect();
        Difference { can, actions, changed, rows, instead }
    }

    /// Returns what a side can show next in the place of a step that it does not have.
    fn instead(&mut self, which: Which, (set, last): (u32, ShownId)) -> Vec<Instead> {
        let mut all: Vec<Instead> = Vec::new();
        let Ok(moves) = self.sides.moves(which, set) else { return all };
        for &(shown, _) in moves.iter() {
            let actions = self.sides.actions_to(which, (set, shown)).unwrap_or_default();
            let values = |shown: ShownId| -> Vec<Datum> {
                self.sides.table.values(shown).iter().map(|&id| datum(id)).collect()
            };
            let changes = change_lines(&self.compared.visible, &values(last), &values(shown));
            let one = Instead { action: actions.join(" or "), changes };
            if !all.contains(&one) {
                all.push(one);
            }
        }
        all
    }
}

/// Returns what is different between two states, a line for each change.
pub fn change_lines(variables: &[String], before: &[Datum], after: &[Datum]) -> Vec<String> {
    let state = |values: &[Datum]| State { step: None, values: values.iter().cloned().map(Some).collect() };
    let text = trace::state_changes(variables, &state(before), &state(after), Style::default());
    text.lines().map(|line| line.trim().to_owned()).collect()
}

fn datum(id: ValueId) -> Datum {
    model::datum(Interner::shared().value(id))
}

fn side_step(seen: &SeenStep) -> SideStep {
    SideStep { hidden: seen.hidden.iter().map(step_text).collect(), step: step_text(&seen.step) }
}

/// Returns a step as people write it: `Grant(c1)`.
fn step_text(step: &Option<Step>) -> String {
    let Some(step) = step else { return "a step".to_owned() };
    let values: Vec<String> = step.parameters.iter().map(|binding| binding.value.to_string()).collect();
    if values.is_empty() { step.name.clone() } else { format!("{}({})", step.name, values.join(", ")) }
}

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ bits >> 31) % n as u64) as usize
    }
}
