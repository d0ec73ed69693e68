//! The search for the states from which a message can leave: breadth-first over what the process may have handled.

use std::collections::VecDeque;
use std::rc::Rc;

use base::FxHashMap;
use eval::interp::Evaluated;
use trace::Datum;
use value::{Atom, Value};

use super::epoch::Epoch;
use super::hash::hash_values;
use super::sim::{PastStep, Sim, SimSet, has_receiver_of};
use super::steps::{Outcome, TakenStep};
use crate::conditions::{About, field_of};
use crate::map::{InputOrder, OutputOrder};
use crate::network::{Sent, are_equal};
use crate::slice::EventKind;

/// The most messages that a process may have sent before they are seen.
const OWED_LEN_MAX: usize = 64;
/// The most other messages that are kept to say what would have been sent instead.
const CANDIDATES_LEN_MAX: usize = 200;
/// The most silent steps that are carried over from one outgoing message to the next.
const SPARE_MAX: u32 = 1_000;
/// The most kinds of messages for which the action is remembered that sends them.
const FAVOURITES_LEN_MAX: usize = 64;
/// The most states that are looked at to find those that others come to.
const LATER_LEN_MAX: usize = 2_000;

/// An outgoing message that is to be explained.
#[derive(Clone, Copy)]
pub(super) struct Target<'r> {
    pub value: Value<'r>,
    pub to: Option<Value<'r>>,
    pub number: u64,
}

/// A message that could have been sent in place of the one that was.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub action: u32,
    pub message: Datum,
}

/// The result of a search.
#[derive(Default)]
pub(super) struct Explained<'r> {
    pub goals: SimSet<'r>,
    /// Whether something was left out because of a limit.
    pub is_cut: bool,
    pub n_explored: usize,
    /// Messages that could have been sent instead, if they were asked for.
    pub candidates: Vec<Candidate>,
}

/// How a message relates to those that are owed.
enum OwedMatch<'r> {
    Taken(Rc<[Sent<'r>]>),
    /// Others have to be seen first.
    Blocked,
    Free,
}

struct Search<'s, 'r> {
    target: &'s Target<'r>,
    queue: VecDeque<(Sim<'r>, u32)>,
    explored: SimSet<'r>,
    /// The fewest silent steps that led to each of them.
    n_silent: Vec<u32>,
    found: Explained<'r>,
    /// Whether candidates are wanted. They are for people: making them for every message would take most of the time.
    has_candidates: bool,
}

impl<'r> Epoch<'_, '_, 'r> {
    /// Finds the states that the process may be in after it sent a message.
    pub(super) fn explain(&mut self, target: &Target<'r>, has_candidates: bool) -> Evaluated<Explained<'r>> {
        self.kept_for_target.clear();
        if !has_candidates && let Some(found) = self.explain_quickly(target)? {
            return Ok(found);
        }
        let mut search = Search {
            target,
            queue: VecDeque::new(),
            explored: SimSet::default(),
            n_silent: Vec::new(),
            found: Explained::default(),
            has_candidates,
        };
        for sim in self.sims.clone() {
            match self.match_owed(&sim, target) {
                OwedMatch::Taken(owed) if !sim.has_restart() => {
                    let sim = Sim { owed, ..sim }.with_step(sent_step(None, target));
                    search.found.goals.add(&mut self.machine, sim);
                }
                OwedMatch::Blocked if !sim.has_restart() => {}
                OwedMatch::Taken(_) | OwedMatch::Blocked | OwedMatch::Free => {
                    if !self.leaves_at_once(&mut search, &sim)? {
                        search.queue.push_back((sim, 0));
                    }
                }
            }
        }
        let states_max = self.monitor.setting.mapping.limits.states_max;
        while let Some((sim, n_silent)) = search.queue.pop_front() {
            search.found.n_explored += 1;
            if search.found.n_explored > states_max {
                search.found.is_cut = true;
                break;
            }
            if let Some(step) = self.favourite_goal(&sim, target)? {
                self.follow(&mut search, (&sim, n_silent), step)?;
                continue;
            }
            if self.is_free(&sim)
                && let Some(step) = self.pure_own_goal(&sim, target)?
            {
                self.prefer(step.action, target);
                self.follow(&mut search, (&sim, n_silent), step)?;
                continue;
            }
            let mut steps = self.steps(&sim, target.value)?;
            if let Some(at) = self.find_pure_goal(&sim, &steps, target) {
                // Whatever may have happened before it may as well happen after it.
                steps = vec![steps.swap_remove(at)];
                self.prefer(steps[0].action, target);
            }
            for step in steps {
                self.follow(&mut search, (&sim, n_silent), step)?;
            }
        }
        self.settle(&mut search.found.goals)?;
        self.drop_later(&mut search.found.goals, target)?;
        self.monitor.stats.n_explored += search.found.n_explored as u64;
        Ok(search.found)
    }

    /// Explains a message without a search, where there is one state and the action that sent the last message of its kind
    /// sends this one, too, and does nothing else.
    fn explain_quickly(&mut self, target: &Target<'r>) -> Evaluated<Option<Explained<'r>>> {
        let mapping = self.monitor.setting.mapping;
        let is_free = mapping.output.may_lose || mapping.input_order == InputOrder::Connection;
        let [sim] = &self.sims[..] else { return Ok(None) };
        if !is_free || !sim.owed.is_empty() || sim.has_restart() || mapping.limits.silent_max.is_some() {
            return Ok(None);
        }
        let sim = sim.clone();
        let Some(action) = self.favourite(target) else { return Ok(None) };
        if self.find_pure_outcome(&sim.values, action, target)?.is_none() {
            return Ok(None);
        }
        let sim = sim.with_step(sent_step(Some(action), target));
        let goals = SimSet::of_one(sim);
        Ok(Some(Explained { goals, ..Explained::default() }))
    }

    /// Looks whether the message can leave from a state by a step that does nothing else. Where messages may be lost, no
    /// other way needs to be looked at: whatever may have happened before may as well happen after it.
    fn leaves_at_once(&mut self, search: &mut Search<'_, 'r>, sim: &Sim<'r>) -> Evaluated<bool> {
        let mapping = self.monitor.setting.mapping;
        if !mapping.output.may_lose || sim.has_restart() {
            return Ok(false);
        }
        let target = search.target;
        if let Some(action) = self.favourite(target)
            && let Some(outcome) = self.find_pure_outcome(&sim.values, action, target)?
        {
            self.leave(search, sim, (&outcome, 0));
            return Ok(true);
        }
        let outcomes = self.own_outcomes(&sim.values, target.value)?;
        for outcome in outcomes.iter().filter(|outcome| outcome.is_pure()) {
            let Some(at) = self.find_sent(&outcome.sent, target) else { continue };
            self.prefer(outcome.action, target);
            self.leave(search, sim, (outcome, at));
            return Ok(true);
        }
        Ok(false)
    }

    /// Notes that the message left by a step that changes nothing: the message at a place among those that it sends.
    fn leave(&mut self, search: &mut Search<'_, 'r>, sim: &Sim<'r>, (outcome, at): (&Outcome<'r>, usize)) {
        let target = search.target;
        let owed = self.owed_with(sim, (&outcome.sent, at), target);
        let silent_max = self.monitor.setting.mapping.limits.silent_max;
        let n_spare = silent_max.map_or(0, |max| (sim.n_spare + max).min(SPARE_MAX));
        let goal = Sim { owed, n_spare, ..sim.clone() };
        let goal = goal.with_step(sent_step(Some(outcome.action), target));
        search.found.goals.add(&mut self.machine, goal);
    }

    /// Returns the action that sent the last message of the target's kind without another effect.
    fn favourite(&self, target: &Target<'r>) -> Option<u32> {
        let kind = self.kind(target);
        self.monitor.favourites.iter().find(|(of, _)| *of == kind).map(|(_, action)| *action)
    }

    /// Remembers the action that sends messages of the target's kind.
    fn prefer(&mut self, action: u32, target: &Target<'r>) {
        let kind = self.kind(target);
        let favourites = &mut self.monitor.favourites;
        match favourites.iter().position(|(of, _)| *of == kind) {
            Some(at) => favourites[at].1 = action,
            None if favourites.len() < FAVOURITES_LEN_MAX => favourites.push((kind, action)),
            None => {}
        }
    }

    /// Returns what tells the kinds of messages apart: the field by which actions choose what they take.
    fn kind(&self, target: &Target<'r>) -> Option<Atom> {
        field_of(target.value, self.monitor.kind_field?)?.as_atom()
    }

    /// Tries the action that sent the last message of this kind: if it sends the target and does nothing else, no other
    /// step needs to be looked at.
    fn favourite_goal(&mut self, sim: &Sim<'r>, target: &Target<'r>) -> Evaluated<Option<TakenStep<'r>>> {
        let Some(action) = self.favourite(target).filter(|_| self.is_free(sim)) else { return Ok(None) };
        let Some(outcome) = self.find_pure_outcome(&sim.values, action, target)? else { return Ok(None) };
        Ok(Some(self.as_step(sim, &outcome, (EventKind::Own, None), &[])))
    }

    /// Whether what may have happened before a step that only sends may as well happen after it.
    fn is_free(&self, sim: &Sim<'r>) -> bool {
        let mapping = self.monitor.setting.mapping;
        let is_ordered = mapping.input_order == InputOrder::Connection;
        is_ordered && sim.owed.is_empty() && !sim.has_restart() && mapping.limits.silent_max.is_none()
    }

    /// Leaves out what no later message depends on: received messages of no use, and states that are the same as others but
    /// for messages that these may still handle.
    fn settle(&mut self, goals: &mut SimSet<'r>) -> Evaluated<()> {
        let is_any_order = self.monitor.setting.mapping.input_order == InputOrder::Any;
        let has_conditions = self.has_conditions(About::Received) || self.has_conditions(About::AtOnce);
        if goals.sims.len() < 2 && !has_conditions {
            return Ok(());
        }
        let mut sims = Vec::new();
        for sim in std::mem::take(goals).sims {
            let sim = self.drop_useless(sim)?;
            sims.push(self.handle_at_once(sim)?);
        }
        if is_any_order {
            // The largest first, so that what they cover comes after them.
            sims.sort_by_key(|sim| (std::cmp::Reverse(sim.pending.len()), std::cmp::Reverse(sim.n_spare)));
        }
        let mut by_hash: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        for sim in sims {
            let hash = if is_any_order { sim.hash_without_pending() } else { 0 };
            let known = by_hash.entry(hash).or_default();
            let is_covered = is_any_order
                && known.iter().any(|&at| {
                    let other = &goals.sims[at];
                    other.n_spare >= sim.n_spare
                        && sim.pending.iter().all(|pending| other.pending.contains(pending))
                        && other.is_same_without_pending(&mut self.machine, &sim)
                });
            if is_covered {
                continue;
            }
            let place = goals.place(&mut self.machine, &sim);
            let kept = &mut goals.sims[place.at];
            kept.n_spare = kept.n_spare.max(sim.n_spare);
            if place.is_new {
                known.push(place.at);
            }
        }
        Ok(())
    }

    /// Returns a step by which the process sends the target by itself, and does nothing else.
    fn pure_own_goal(&mut self, sim: &Sim<'r>, target: &Target<'r>) -> Evaluated<Option<TakenStep<'r>>> {
        let outcomes = self.own_outcomes(&sim.values, target.value)?;
        for outcome in outcomes.iter().filter(|outcome| outcome.is_pure() && outcome.sent.len() == 1) {
            if self.find_sent(&outcome.sent, target).is_some() {
                return Ok(Some(self.as_step(sim, outcome, (EventKind::Own, None), &[])));
            }
        }
        Ok(None)
    }

    /// Returns the place of a step that sends the target and does nothing else.
    fn find_pure_goal(
        &mut self,
        sim: &Sim<'r>,
        steps: &[TakenStep<'r>],
        target: &Target<'r>,
    ) -> Option<usize> {
        let is_free = self.is_free(sim);
        (0..steps.len()).find(|&at| {
            is_free
                && !steps[at].has_effect
                && steps[at].sent.len() == 1
                && self.find_sent(&steps[at].sent, target).is_some()
        })
    }

    /// Removes states that others come to by steps that nobody sees: what explains a later message from them explains it
    /// from those others, too. Where the number of unseen steps is limited that would not hold.
    fn drop_later(&mut self, goals: &mut SimSet<'r>, target: &Target<'r>) -> Evaluated<()> {
        let mapping = self.monitor.setting.mapping;
        let keeps_order = mapping.input_order == InputOrder::Connection;
        if goals.sims.len() < 2 || !keeps_order || mapping.limits.silent_max.is_some() {
            return Ok(());
        }
        let mut later = SimSet::default();
        for sim in std::mem::take(goals).sims {
            if later.find(&mut self.machine, &sim).is_some() {
                continue;
            }
            let mut queue = VecDeque::from([sim.clone()]);
            goals.add(&mut self.machine, sim);
            while let Some(sim) = queue.pop_front() {
                if later.sims.len() > LATER_LEN_MAX {
                    break;
                }
                for step in self.steps(&sim, target.value)? {
                    if !step.has_effect || !step.sent.is_empty() {
                        continue;
                    }
                    let next = self.drop_useless(step.sim)?;
                    let next = self.handle_at_once(next)?;
                    if later.add(&mut self.machine, next.clone()) {
                        queue.push_back(next);
                    }
                }
            }
        }
        Ok(())
    }

    fn match_owed(&mut self, sim: &Sim<'r>, target: &Target<'r>) -> OwedMatch<'r> {
        if sim.owed.is_empty() {
            return OwedMatch::Free;
        }
        let output = self.monitor.setting.mapping.output;
        let is_it = |epoch: &mut Self, sent: &Sent<'r>| {
            are_equal(&mut epoch.machine, sent.value, target.value) && epoch.is_to(sent, target)
        };
        let at = (0..sim.owed.len()).find(|&at| is_it(self, &sim.owed[at]));
        if let Some(at) = at {
            // A step that only sends may have been taken more than once.
            let stays = output.order == OutputOrder::Connection && sim.owed[at].is_pure;
            let rest = sim.owed.iter().enumerate().filter(|(index, _)| stays || *index != at);
            return OwedMatch::Taken(rest.map(|(_, sent)| *sent).collect());
        }
        let has_same = (0..sim.owed.len()).any(|at| self.is_to(&sim.owed[at], target));
        match output.order {
            _ if output.may_lose => OwedMatch::Free,
            OutputOrder::Program => OwedMatch::Blocked,
            OutputOrder::Connection if has_same => OwedMatch::Blocked,
            OutputOrder::Connection => OwedMatch::Free,
        }
    }

    /// Whether a message has the receiver of the target, as far as that is known.
    fn is_to(&mut self, sent: &Sent<'r>, target: &Target<'r>) -> bool {
        match (sent.to, target.to) {
            (Some(one), Some(two)) => are_equal(&mut self.machine, one, two),
            (None, _) | (_, None) => true,
        }
    }

    /// Decides what becomes of a step.
    fn follow(
        &mut self,
        search: &mut Search<'_, 'r>,
        (sim, n_silent): (&Sim<'r>, u32),
        step: TakenStep<'r>,
    ) -> Evaluated<()> {
        let output = self.monitor.setting.mapping.output;
        let target = search.target;
        let at = if step.sim.has_restart() { None } else { self.find_sent(&step.sent, target) };
        if let Some(at) = at {
            let owed = self.owed_with(sim, (&step.sent, at), target);
            let goal = Sim { owed, n_spare: 0, ..step.sim };
            // A step with an effect is in the history already.
            let goal = goal.with_step(sent_step((!step.has_effect).then_some(step.action), target));
            search.found.goals.add(&mut self.machine, goal);
            return Ok(());
        }
        if search.has_candidates && search.found.candidates.len() < CANDIDATES_LEN_MAX {
            let action = step.action;
            let other = step.sent.iter().map(|sent| Candidate { action, message: model::datum(sent.value) });
            search.found.candidates.extend(other);
        }
        if !step.has_effect
            && (step.sent.is_empty() || output.may_lose && output.order == OutputOrder::Program)
        {
            return Ok(());
        }
        let Some(owed) = self.owed_after(sim, &step, target, &mut search.found.is_cut) else { return Ok(()) };
        let n_silent = n_silent + u32::from(step.is_own);
        let silent_max = self.monitor.setting.mapping.limits.silent_max;
        if silent_max.is_some_and(|max| n_silent > max.saturating_add(sim.n_spare))
            || self.some_condition_holds(About::Sent, &step.sim.values, target.value)?
        {
            return Ok(());
        }
        let next = self.drop_useless(Sim { owed, ..step.sim })?;
        let next = self.handle_at_once(next)?;
        let next = match step.has_effect {
            true => next,
            false => next.with_step(PastStep { action: Some(step.action), received: None, sent: None }),
        };
        let place = search.explored.place(&mut self.machine, &next);
        if place.is_new {
            search.n_silent.push(n_silent);
        } else if n_silent < search.n_silent[place.at] {
            // There are more silent steps left this time.
            search.n_silent[place.at] = n_silent;
        } else {
            return Ok(());
        }
        search.queue.push_back((next, n_silent));
        Ok(())
    }

    /// Returns what is owed after a step that sent the target, which is at a place among what it sent.
    fn owed_with(
        &mut self,
        sim: &Sim<'r>,
        (sent, at): (&[Sent<'r>], usize),
        target: &Target<'r>,
    ) -> Rc<[Sent<'r>]> {
        let rest = sent.iter().enumerate().filter(|(index, _)| *index != at).map(|(_, sent)| *sent);
        // What was sent before, and was not seen, cannot be seen any more where order is kept.
        let mut owed: Vec<Sent<'r>> = match self.monitor.setting.mapping.output.order {
            OutputOrder::Program => Vec::new(),
            OutputOrder::Connection => {
                sim.owed.iter().copied().filter(|sent| !self.is_to(sent, target)).collect()
            }
        };
        for sent in rest {
            self.owe(&mut owed, sent);
        }
        owed.into()
    }

    /// Adds a message to what is owed, after those to the same receiver. The order of receivers means nothing.
    fn owe(&mut self, owed: &mut Vec<Sent<'r>>, sent: Sent<'r>) {
        let is_known = sent.is_pure
            && owed.iter().any(|known| {
                known.is_pure
                    && are_equal(&mut self.machine, known.value, sent.value)
                    && has_receiver_of(&mut self.machine, known, &sent)
            });
        if is_known {
            return;
        }
        let hash = |sent: &Sent<'r>| hash_values(sent.to.into_iter());
        let own = hash(&sent);
        let at = owed.iter().rposition(|known| hash(known) <= own).map_or(0, |at| at + 1);
        owed.insert(at, sent);
    }

    pub(super) fn find_sent(&mut self, sent: &[Sent<'r>], target: &Target<'r>) -> Option<usize> {
        let is_it = |epoch: &mut Self, sent: &Sent<'r>| {
            are_equal(&mut epoch.machine, sent.value, target.value) && epoch.is_to(sent, target)
        };
        (0..sent.len()).find(|&at| is_it(self, &sent[at]))
    }

    /// Returns what is owed after a step that did not send the target; `None` if the step cannot have come before it.
    fn owed_after(
        &mut self,
        sim: &Sim<'r>,
        step: &TakenStep<'r>,
        target: &Target<'r>,
        is_cut: &mut bool,
    ) -> Option<Rc<[Sent<'r>]>> {
        let output = self.monitor.setting.mapping.output;
        // What was sent before a restart and was not seen is lost with it.
        let is_restart = step.sim.n_restarts() != sim.n_restarts();
        let before: Rc<[Sent<'r>]> = if is_restart { Rc::from([]) } else { sim.owed.clone() };
        if step.sent.is_empty() {
            return Some(before);
        }
        let may_lose = output.may_lose || step.sim.has_restart();
        match output.order {
            OutputOrder::Program if may_lose => Some(before),
            OutputOrder::Program => None,
            OutputOrder::Connection => {
                let (same, others): (Vec<Sent<'r>>, Vec<Sent<'r>>) =
                    step.sent.iter().copied().partition(|sent| self.is_to(sent, target));
                if !same.is_empty() && !may_lose {
                    return None;
                }
                let mut all: Vec<Sent<'r>> = before.to_vec();
                for sent in others {
                    self.owe(&mut all, sent);
                }
                if !step.has_effect && all.len() == before.len() {
                    return None;
                }
                if all.len() > OWED_LEN_MAX {
                    all.remove(0);
                    *is_cut = true;
                }
                Some(all.into())
            }
        }
    }
}

fn sent_step(action: Option<u32>, target: &Target<'_>) -> PastStep {
    PastStep { action, received: None, sent: Some(target.number) }
}
