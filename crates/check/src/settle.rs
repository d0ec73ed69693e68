//! The end of a level: what the workers found, put into the order of a search with one worker.

use value::ValueId;

use crate::answer::Counts;
use crate::context::Context;
use crate::expand::{Finding, Harvest};
use crate::space::{Handle, Key, Place};

/// A finished level.
pub(crate) struct Settled {
    /// The next level, in order.
    pub level: Vec<Handle>,
    /// What is to be reported, in order; the last ends the search if `ends`.
    pub findings: Vec<Finding>,
    pub ends: bool,
    /// The limit on states was reached.
    pub is_full: bool,
}

/// A state found at this level, and where its values are in its harvest.
struct Found {
    key: Key,
    place: Place,
    harvest: usize,
    index: usize,
}

/// Puts `harvests` in order, counts, and makes the next level of what was found. `parents` is the level that
/// was expanded; empty for initial states. `n_violations` is how many there were before.
pub(crate) fn settle(
    context: &Context<'_>,
    parents: &[Handle],
    mut harvests: Vec<Harvest>,
    n_violations: usize,
) -> Settled {
    let findings = harvests.iter_mut().flat_map(|harvest| std::mem::take(&mut harvest.findings)).collect();
    let (findings, ends) = cut_findings(context, findings, n_violations);
    let mut found = in_order(context, &harvests);
    let counts = context.board.counts();
    let n_before = counts.distinct;
    let mut end = ends.then(|| findings.last().map(|finding| (finding.key, finding.n_generated))).flatten();
    let n_fit = n_fit(context, &found, end);
    if let Some(n_fit) = n_fit {
        found.truncate(n_fit);
        end = found.last().map(|last| (last.key, last.key.ordinal + 1));
    }
    // Where not one state fits, the search ended with the level before.
    let is_unbegun = n_fit == Some(0);
    if is_unbegun {
        harvests.clear();
    }
    let n_generated = count_generated(&harvests, end);
    if let Some((end, _)) = end {
        found.retain(|state| state.key <= end);
    }
    let mut level = Vec::with_capacity(found.len());
    for state in &found {
        let parent = parents.get(state.key.rank as usize).copied();
        let concrete = concrete_of(context, &harvests[state.harvest], state.index);
        level.push(context.space.settle(state.place, parent, concrete));
    }
    let n_left = match end {
        _ if is_unbegun => parents.len(),
        Some((key, _)) => parents.len().saturating_sub(key.rank as usize + 1),
        None => 0,
    };
    // TLC: a new state that ends the search, by itself or by the step to it, is counted and not queued.
    let is_new = |finding: &Finding| found.last().is_some_and(|state| state.key == finding.key);
    let not_queued = u64::from(ends && findings.last().is_some_and(is_new));
    context.board.set_counts(Counts {
        generated: counts.generated + n_generated,
        distinct: n_before + found.len() as u64,
        queue: (n_left + found.len()) as u64 - not_queued,
        ..counts
    });
    let is_full = n_fit.is_some();
    let findings = if is_full { Vec::new() } else { findings };
    Settled { level, findings, ends: ends && !is_full, is_full }
}

/// How many of the states of this level the limit on states allows, if it ends the search here: one was found
/// that no longer fits, before anything else came to an end.
fn n_fit(context: &Context<'_>, found: &[Found], end: Option<(Key, u32)>) -> Option<usize> {
    let max = context.board.options.states_max?;
    let n_fit = max.saturating_sub(context.board.counts().distinct) as usize;
    let too_many = found.get(n_fit)?;
    end.is_none_or(|(key, _)| too_many.key <= key).then_some(n_fit)
}

/// The findings that a search with one worker makes, and whether the last one ends it.
fn cut_findings(
    context: &Context<'_>,
    mut findings: Vec<Finding>,
    n_violations: usize,
) -> (Vec<Finding>, bool) {
    let space = context.space;
    let is_keyed = space.is_keyed();
    // Among several concrete states only the least was really found.
    findings.retain(|finding| !is_keyed || finding.place.is_none_or(|place| space.key(place) == finding.key));
    for finding in &mut findings {
        if let Some(place) = finding.place {
            let key = space.key(place);
            if key != finding.key {
                finding.key = key;
                finding.n_generated = key.ordinal + 1;
            }
        }
    }
    findings.sort_by_key(|finding| finding.key);
    let max = context.board.options.violations_max;
    let mut n_violations = n_violations;
    for (index, finding) in findings.iter().enumerate() {
        n_violations += usize::from(finding.what.is_violation());
        let is_last = !finding.what.is_violation() || max.is_some_and(|max| n_violations >= max);
        if is_last {
            findings.truncate(index + 1);
            return (findings, true);
        }
    }
    (findings, false)
}

fn in_order(context: &Context<'_>, harvests: &[Harvest]) -> Vec<Found> {
    let mut all = Vec::with_capacity(harvests.iter().map(|harvest| harvest.found.len()).sum());
    for (harvest, from) in harvests.iter().enumerate() {
        for (index, &(place, key)) in from.found.iter().enumerate() {
            let least = context.space.key(place);
            if !context.space.is_keyed() || least == key {
                all.push(Found { key: least, place, harvest, index });
            }
        }
    }
    all.sort_by_key(|found| found.key);
    all
}

fn concrete_of<'h>(context: &Context<'_>, harvest: &'h Harvest, index: usize) -> &'h [ValueId] {
    if !context.space.is_keyed() {
        return &[];
    }
    let n_variables = context.space.n_variables();
    &harvest.concrete[index * n_variables..(index + 1) * n_variables]
}

fn count_generated(harvests: &[Harvest], end: Option<(Key, u32)>) -> u64 {
    let all = harvests.iter().flat_map(|harvest| harvest.generated.iter());
    match end {
        None => all.map(|&(_, n)| u64::from(n)).sum(),
        Some((key, at_end)) => {
            let before: u64 = all.filter(|&&(rank, _)| rank < key.rank).map(|&(_, n)| u64::from(n)).sum();
            before + u64::from(at_end)
        }
    }
}
