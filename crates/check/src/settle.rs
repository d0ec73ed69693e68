//! The end of a level: what the workers found, put into the order of a search with one worker.

use std::sync::atomic::Ordering;

use model::What;
use value::{Full, ValueId};

use crate::answer::Counts;
use crate::context::Context;
use crate::credit;
use crate::crew::Crew;
use crate::expand::{Finding, Harvest};
use crate::order;
use crate::space::{Handle, OrderKey, StateSlot};

/// A finished level.
#[derive(Default)]
pub(crate) struct Settled {
    /// The next level, in order.
    pub level: Vec<Handle>,
    /// The findings to report, in order; the last one ends the search if `ends`.
    pub findings: Vec<Finding>,
    pub ends: bool,
    /// The limit on states was reached.
    pub is_full: bool,
    /// Order key and slot of each state of `level`, when checkpoints are kept.
    pub found: Vec<(OrderKey, StateSlot)>,
}

/// A piece of a level that was expanded: all of it, unless something is to be done in between.
#[derive(Clone, Copy)]
pub(crate) struct Block<'l> {
    /// The whole level; empty for initial states.
    pub parents: &'l [Handle],
    /// Those before this rank are expanded now.
    pub n_complete: usize,
    /// Number of states of the next level that were found before this piece.
    pub n_next: usize,
    pub last_new: LastNew,
}

/// The counts when the last new state of a level was found, or when the level began if there is none: a search that
/// has room for no more ended there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LastNew {
    pub generated: u64,
    /// States of the level that were not expanded.
    pub n_left: u64,
}

impl<'l> Block<'l> {
    /// All that can be said about initial states, or about one state.
    pub fn whole(context: &Context<'_>, parents: &'l [Handle]) -> Block<'l> {
        let last_new = LastNew { generated: context.board.counts().generated, n_left: parents.len() as u64 };
        Block { parents, n_complete: parents.len(), n_next: 0, last_new }
    }
}

/// The states found at this level, in order.
struct FoundSlots {
    slots: Vec<StateSlot>,
    /// Position of the values of each: the harvest, and the index in it. Empty where a slot has the values itself.
    sources: Vec<(u32, u32)>,
}

/// Puts `harvests` in order, counts, and makes the next level of what was found. `n_violations` is how many there
/// were before.
pub(crate) fn settle<'a>(
    (context, crew): (&'a Context<'a>, &Crew<'a>),
    block: &mut Block<'_>,
    mut harvests: Vec<Harvest>,
    n_violations: usize,
) -> Settled {
    let (space, parents) = (context.space, block.parents);
    let n_kept = n_kept(context, block, &harvests);
    let findings = harvests.iter_mut().flat_map(|harvest| std::mem::take(&mut harvest.findings)).collect();
    let mut findings = by_least_key(context, findings);
    let mut found = in_order((context, crew), &mut harvests);
    debug_assert!(
        found.slots.is_sorted_by(|&one, &other| space.key(one) < space.key(other)),
        "each state has the least key by which it was found, and no two have one"
    );
    if let Some(n_kept) = n_kept {
        findings.retain(|finding| finding.key.rank < n_kept);
        found.slots.truncate(found.slots.partition_point(|&slot| space.key(slot).rank < n_kept));
    }
    let (mut findings, ends) = cut_findings(context, findings, n_violations);
    let counts = context.board.counts();
    let mut end = ends.then(|| findings.last().map(|finding| (finding.key, finding.n_generated))).flatten();
    let n_fit = n_fit(context, &found.slots, end);
    if let Some(n_fit) = n_fit {
        found.slots.truncate(n_fit);
        end = found.slots.last().map(|&last| (space.key(last), space.key(last).ordinal + 1));
    }
    // Where not one state fits, the search ended with the last one that did.
    let is_unbegun = n_fit == Some(0);
    let generated = match is_unbegun {
        true => block.last_new.generated,
        false => counts.generated + count_generated(&harvests, end, n_kept),
    };
    if let Some((end, _)) = end {
        found.slots.truncate(found.slots.partition_point(|&slot| space.key(slot) <= end));
    }
    let n_left_after = |key: OrderKey| parents.len().saturating_sub(key.rank as usize + 1) as u64;
    let n_left = match end {
        _ if is_unbegun => block.last_new.n_left,
        Some((key, _)) => n_left_after(key),
        None => (parents.len() - block.n_complete) as u64,
    };
    if let Some(&last) = found.slots.last().filter(|_| context.board.options.states_max.is_some()) {
        let key = space.key(last);
        let n_generated = count_generated(&harvests, Some((key, key.ordinal + 1)), None);
        block.last_new = LastNew { generated: counts.generated + n_generated, n_left: n_left_after(key) };
    }
    // TLC: a new state that ends the search, by itself or by the step to it, is counted and not queued.
    let is_new = |finding: &Finding| found.slots.last().is_some_and(|&last| space.key(last) == finding.key);
    let not_queued = u64::from(ends && findings.last().is_some_and(is_new));
    let n_found = found.slots.len();
    debug_assert!(counts.distinct + n_found as u64 <= generated, "each state was generated");
    context.board.set_counts(Counts {
        generated,
        distinct: counts.distinct + n_found as u64,
        queue: n_left + (block.n_next + n_found) as u64 - not_queued,
        ..counts
    });
    let kept = match context.board.options.checkpoints {
        Some(_) => found.slots.iter().map(|&slot| (space.key(slot), slot)).collect(),
        None => Vec::new(),
    };
    credit::count(context, &harvests, &found.slots);
    let level = settle_all(context, parents, &harvests, found, &mut findings);
    let is_full = n_fit.is_some();
    let findings = if is_full { Vec::new() } else { findings };
    Settled { level, findings, ends: ends && !is_full, is_full, found: kept }
}

/// Of a piece that was cut off, what lies after its first state that was not wholly expanded is left out, as if it
/// had not been begun: so what is left is what a search with one worker has when it is ended there. `None` where
/// nothing is left out: something that ends the search was found, and that counts.
fn n_kept(context: &Context<'_>, block: &Block<'_>, harvests: &[Harvest]) -> Option<u32> {
    if block.n_complete == block.parents.len() {
        return None;
    }
    let stops_at_violation = context.board.options.violations_max == Some(1);
    let is_end = |finding: &Finding| match &finding.what {
        What::Full => false,
        What::Invariant(_) | What::StepProperty(_) | What::InitialProperty(_) => stops_at_violation,
        What::Deadlock => stops_at_violation,
        What::Incomplete => true,
        What::Fault(..) => !finding.what.is_interruption(),
    };
    let has_end = harvests.iter().flat_map(|harvest| &harvest.findings).any(is_end);
    (!has_end).then_some(block.n_complete as u32)
}

/// Makes states of what was found, in order, and tells each finding which of them it is about.
fn settle_all(
    context: &Context<'_>,
    parents: &[Handle],
    harvests: &[Harvest],
    found: FoundSlots,
    findings: &mut [Finding],
) -> Vec<Handle> {
    let space = context.space;
    let indices: Vec<Option<usize>> = findings
        .iter()
        .map(|finding| found.slots.binary_search_by_key(&finding.key, |&slot| space.key(slot)).ok())
        .collect();
    let mut seat = space.seat();
    let mut sources = found.sources.iter();
    let handles = found.slots.into_iter().map(|slot| {
        let parent = parents.get(space.key(slot).rank as usize).copied();
        let concrete = sources.next().map_or(&[][..], |&source| concrete_of(context, harvests, source));
        seat.settle(slot, parent, concrete)
    });
    let level: Result<Vec<Handle>, Full> = handles.collect();
    drop(seat);
    let level = level.and_then(|level| space.end_level(parents.len()).map(|()| level));
    let level = level.unwrap_or_else(|Full| {
        context.board.limits.memory_over.store(true, Ordering::Relaxed);
        Vec::new()
    });
    debug_assert!(findings.is_sorted_by_key(|finding| finding.key), "the first finding wins");
    for (finding, index) in findings.iter_mut().zip(indices) {
        finding.stored = index.and_then(|index| level.get(index)).copied();
    }
    level
}

/// How many of the states of this level the limit on states allows, if it ends the search here: one was found
/// that no longer fits, before anything else came to an end.
fn n_fit(context: &Context<'_>, found: &[StateSlot], end: Option<(OrderKey, u32)>) -> Option<usize> {
    let max = context.board.options.states_max?;
    let n_fit = max.saturating_sub(context.board.counts().distinct) as usize;
    let too_many = context.space.key(*found.get(n_fit)?);
    end.is_none_or(|(key, _)| too_many <= key).then_some(n_fit)
}

/// Findings about new states, by the least keys of those; in order.
fn by_least_key(context: &Context<'_>, mut findings: Vec<Finding>) -> Vec<Finding> {
    let space = context.space;
    let has_identities = space.has_identities();
    // Among several concrete states only the least was really found.
    findings
        .retain(|finding| !has_identities || finding.slot.is_none_or(|slot| space.key(slot) == finding.key));
    for finding in &mut findings {
        if let Some(slot) = finding.slot {
            let key = space.key(slot);
            if key != finding.key {
                finding.key = key;
                finding.n_generated = key.ordinal + 1;
            }
        }
    }
    findings.sort_by_key(|finding| finding.key);
    findings
}

/// The findings that a search with one worker makes, and whether the last one ends it.
fn cut_findings(
    context: &Context<'_>,
    mut findings: Vec<Finding>,
    n_violations: usize,
) -> (Vec<Finding>, bool) {
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

fn in_order<'a>((context, crew): (&'a Context<'a>, &Crew<'a>), harvests: &mut [Harvest]) -> FoundSlots {
    let space = context.space;
    if space.has_identities() {
        return candidates_in_order(context, harvests);
    }
    let lists = harvests.iter_mut().map(|harvest| std::mem::take(&mut harvest.found)).collect();
    let slots = order::in_order(space, crew, lists);
    FoundSlots { slots, sources: Vec::new() }
}

/// Of the candidates for a slot only the one with the least key was really found.
fn candidates_in_order(context: &Context<'_>, harvests: &[Harvest]) -> FoundSlots {
    let space = context.space;
    let mut all = Vec::new();
    for (harvest, from) in harvests.iter().enumerate() {
        for (index, (&slot, &key)) in from.found.iter().zip(&from.keys).enumerate() {
            if space.key(slot) == key {
                all.push((slot, (harvest as u32, index as u32)));
            }
        }
    }
    all.sort_by_key(|&(slot, _)| space.key(slot));
    let (slots, sources) = all.into_iter().unzip();
    FoundSlots { slots, sources }
}

fn concrete_of<'h>(
    context: &Context<'_>,
    harvests: &'h [Harvest],
    (harvest, index): (u32, u32),
) -> &'h [ValueId] {
    let (n_variables, index) = (context.space.n_variables(), index as usize);
    &harvests[harvest as usize].concrete[index * n_variables..(index + 1) * n_variables]
}

/// `n_kept`: what the states of this rank and greater ones generated does not count.
fn count_generated(harvests: &[Harvest], end: Option<(OrderKey, u32)>, n_kept: Option<u32>) -> u64 {
    let before = |rank| -> u64 { harvests.iter().map(|harvest| harvest.generated.before(rank)).sum() };
    match (end, n_kept) {
        (Some((key, at_end)), _) => before(key.rank) + u64::from(at_end),
        (None, Some(n_kept)) => before(n_kept),
        (None, None) => harvests.iter().map(|harvest| harvest.generated.total()).sum(),
    }
}
