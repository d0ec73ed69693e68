//! The steps that the process can take from a simulation state.

use std::rc::Rc;

use base::FxHashMap;
use eval::interp::{At, Evaluated, Flow};
use model::Side;
use value::Value;

use super::UsedForm;
use super::epoch::Epoch;
use super::search::Target;
use super::sim::{PastStep, Pending, Received, Sim, have_equal_values};
use crate::conditions::{About, field_of};
use crate::map::InputOrder;
use crate::network::{NetworkEffect, Sent, are_equal};
use crate::slice::{EventKind, SliceAction};

/// The most states, each with a message or without, whose outcomes are remembered.
const KEPT_LEN_MAX: usize = 1 << 14;

/// The result of an action in a state, whatever else is pending there.
pub(super) struct Outcome<'r> {
    pub action: u32,
    values: Rc<[Value<'r>]>,
    is_changed: bool,
    /// The places, among the messages that the network held, of those that are gone.
    consumed: Vec<usize>,
    pub sent: Vec<Sent<'r>>,
    /// Messages of the process to itself.
    to_itself: Vec<Value<'r>>,
}

impl Outcome<'_> {
    /// Whether it sends messages to others and does nothing else.
    pub fn is_pure(&self) -> bool {
        !self.is_changed && self.consumed.is_empty() && self.to_itself.is_empty()
    }
}

/// A step of a simulation state by an action.
pub(super) struct TakenStep<'r> {
    pub sim: Sim<'r>,
    pub sent: Vec<Sent<'r>>,
    /// Whether variables changed, or a message was handled.
    pub has_effect: bool,
    pub action: u32,
    pub is_own: bool,
}

/// A network and the messages that it holds; in queues, from whom.
struct Held<'h, 'r> {
    network: Value<'r>,
    messages: &'h [Value<'r>],
    from: Option<Value<'r>>,
}

/// Outcomes that depend on a state and perhaps on a received message, and not on the message that is to be explained:
/// searches meet them again and again. States are told apart by where their values are, which are kept with them.
#[derive(Default)]
pub(super) struct KeptOutcomes<'r>(FxHashMap<(usize, u32), StateOutcomes<'r>>);

type StateOutcomes<'r> = (Rc<[Value<'r>]>, Rc<[Outcome<'r>]>);

/// In place of the number of a message: what the process does by itself.
const BY_ITSELF: u32 = u32::MAX;

impl<'r> KeptOutcomes<'r> {
    fn key(values: &Rc<[Value<'r>]>, message: u32) -> (usize, u32) {
        (Rc::as_ptr(values).cast::<u8>().addr(), message)
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    fn find(&self, values: &Rc<[Value<'r>]>, message: u32) -> Option<Rc<[Outcome<'r>]>> {
        self.0.get(&KeptOutcomes::key(values, message)).map(|(_, outcomes)| outcomes.clone())
    }

    fn keep(
        &mut self,
        values: &Rc<[Value<'r>]>,
        message: u32,
        outcomes: Vec<Outcome<'r>>,
    ) -> Rc<[Outcome<'r>]> {
        if self.0.len() >= KEPT_LEN_MAX {
            self.0.clear();
        }
        let outcomes: Rc<[Outcome<'r>]> = outcomes.into();
        self.0.insert(KeptOutcomes::key(values, message), (values.clone(), outcomes.clone()));
        outcomes
    }
}

/// Steps that the process can take by itself: whatever message is to be explained, and for this message alone.
pub(super) struct OwnOutcomes<'r> {
    always: Rc<[Outcome<'r>]>,
    bound: Rc<[Outcome<'r>]>,
}

impl<'r> OwnOutcomes<'r> {
    pub fn iter(&self) -> impl Iterator<Item = &Outcome<'r>> {
        self.always.iter().chain(self.bound.iter())
    }
}

/// The actions that are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tried {
    All,
    Bound,
    Unbound,
}

impl Tried {
    fn includes(self, action: &SliceAction) -> bool {
        match self {
            Tried::All => true,
            Tried::Bound => action.is_bound,
            Tried::Unbound => !action.is_bound,
        }
    }
}

impl<'r> Epoch<'_, '_, 'r> {
    /// Returns the steps that the process can take. The message is the outgoing one that is to be explained.
    pub(super) fn steps(&mut self, sim: &Sim<'r>, message: Value<'r>) -> Evaluated<Vec<TakenStep<'r>>> {
        let mut all = Vec::new();
        if self.sees_all() {
            let end = sim.pending.iter().position(|pending| *pending == Pending::Restart);
            let n_visible = end.unwrap_or(sim.pending.len());
            self.receive_any(sim, n_visible, &mut all)?;
            if let Some(at) = end {
                self.take_restart(sim, (at, message), &mut all)?;
            }
        } else {
            for at in self.next_events(sim) {
                match sim.pending[at].message() {
                    None => self.take_restart(sim, (at, message), &mut all)?,
                    Some(number) => {
                        let received = self.messages[number as usize];
                        self.receive(sim, (at, &received), &mut all)?;
                    }
                }
            }
        }
        self.take_actions(sim, (EventKind::Own, message), None, &mut all)?;
        Ok(all)
    }

    /// Whether actions see all messages that are there, and not one after the other: they look at several, or messages
    /// stay in the network.
    pub(super) fn sees_all(&self) -> bool {
        self.monitor.setting.slice.sees_all()
    }

    /// Returns the places of the events that can be handled next.
    fn next_events(&self, sim: &Sim<'r>) -> Vec<usize> {
        let order = self.monitor.setting.mapping.input_order;
        let mut connections: Vec<u32> = Vec::new();
        let mut places = Vec::new();
        for (at, pending) in sim.pending.iter().enumerate() {
            match pending.message() {
                None => {
                    places.push(at);
                    break;
                }
                Some(number) => {
                    let connection = self.messages[number as usize].connection;
                    let is_behind = connections.contains(&connection);
                    connections.push(connection);
                    match order {
                        InputOrder::Connection if is_behind => {}
                        InputOrder::Connection | InputOrder::Any => places.push(at),
                    }
                }
            }
        }
        places
    }

    fn take_restart(
        &mut self,
        sim: &Sim<'r>,
        (at, message): (usize, Value<'r>),
        all: &mut Vec<TakenStep<'r>>,
    ) -> Evaluated<()> {
        let after: Rc<[Pending]> = sim.pending[at + 1..].into();
        let rest = Sim { pending: after, ..sim.clone() };
        self.take_actions(&rest, (EventKind::Restart, message), None, all)
    }

    fn receive(
        &mut self,
        sim: &Sim<'r>,
        (at, message): (usize, &Received<'r>),
        all: &mut Vec<TakenStep<'r>>,
    ) -> Evaluated<()> {
        let n_before = all.len();
        let number = sim.pending[at].message().unwrap_or_default();
        let outcomes = self.outcomes_of(&sim.values, number)?;
        self.add_received(sim, (at, message), &outcomes, all);
        let is_ignored = all.len() == n_before;
        if is_ignored && self.monitor.setting.mapping.input_order == InputOrder::Connection {
            // The specification has nothing to do with it here, so the process has not either.
            let step = PastStep { action: None, received: Some(message.number), sent: None };
            let sim = without(sim, &[at]).with_step(step);
            all.push(TakenStep { sim, sent: Vec::new(), has_effect: true, action: u32::MAX, is_own: false });
        }
        Ok(())
    }

    /// Takes every action that looks at the network, which holds the first `n` messages that are pending.
    fn receive_any(&mut self, sim: &Sim<'r>, n: usize, all: &mut Vec<TakenStep<'r>>) -> Evaluated<()> {
        let held: Vec<Value<'r>> = sim.pending[..n]
            .iter()
            .filter_map(|pending| pending.message().map(|number| self.messages[number as usize].value))
            .collect();
        if held.is_empty() {
            return Ok(());
        }
        let network = self.network;
        let network = network.with_all(&mut self.machine, &held).at(self.monitor.nowhere)?;
        let held = Held { network, messages: &held, from: None };
        let outcomes = self.outcomes(&sim.values, (EventKind::Receive, Value::TRUE), (&held, Tried::All))?;
        for outcome in &outcomes {
            let number =
                |at: usize| sim.pending[at].message().map(|number| self.messages[number as usize].number);
            let received = outcome.consumed.first().and_then(|&at| number(at));
            let step = self.as_step(sim, outcome, (EventKind::Receive, received), &outcome.consumed);
            all.push(step);
        }
        Ok(())
    }

    /// Takes every action of a kind.
    pub(super) fn take_actions(
        &mut self,
        sim: &Sim<'r>,
        (kind, message): (EventKind, Value<'r>),
        received: Option<(usize, &Received<'r>)>,
        all: &mut Vec<TakenStep<'r>>,
    ) -> Evaluated<()> {
        match received {
            Some((at, received)) => {
                let outcomes = self.received_outcomes(&sim.values, received)?;
                self.add_received(sim, (at, received), &outcomes, all);
            }
            None if kind == EventKind::Own => {
                let outcomes = self.own_outcomes(&sim.values, message)?;
                all.extend(outcomes.iter().map(|outcome| self.as_step(sim, outcome, (kind, None), &[])));
            }
            None => {
                let held = Held { network: self.network.empty, messages: &[], from: None };
                let outcomes = self.outcomes(&sim.values, (kind, message), (&held, Tried::All))?;
                all.extend(outcomes.iter().map(|outcome| self.as_step(sim, outcome, (kind, None), &[])));
            }
        }
        Ok(())
    }

    /// Returns what can come of a received message in a state, by its number; from memory, if it was asked before.
    fn outcomes_of(&mut self, values: &Rc<[Value<'r>]>, number: u32) -> Evaluated<Rc<[Outcome<'r>]>> {
        if let Some(outcomes) = self.kept.find(values, number) {
            return Ok(outcomes);
        }
        let received = self.messages[number as usize];
        let outcomes = self.received_outcomes(values, &received)?;
        Ok(self.kept.keep(values, number, outcomes))
    }

    /// Returns what can come of a received message in a state.
    fn received_outcomes(
        &mut self,
        values: &Rc<[Value<'r>]>,
        received: &Received<'r>,
    ) -> Evaluated<Vec<Outcome<'r>>> {
        let network = self.network;
        let network =
            network.with(&mut self.machine, received.value, received.from).at(self.monitor.nowhere)?;
        let held = Held { network, messages: &[received.value], from: received.from };
        self.outcomes(values, (EventKind::Receive, received.value), (&held, Tried::All))
    }

    fn add_received(
        &mut self,
        sim: &Sim<'r>,
        (at, received): (usize, &Received<'r>),
        outcomes: &[Outcome<'r>],
        all: &mut Vec<TakenStep<'r>>,
    ) {
        for outcome in outcomes {
            let consumed: &[usize] = if outcome.consumed.is_empty() { &[] } else { &[at] };
            all.push(self.as_step(sim, outcome, (EventKind::Receive, Some(received.number)), consumed));
        }
    }

    /// Returns what the process can do by itself in a state. The message is the one that is to be explained.
    pub(super) fn own_outcomes(
        &mut self,
        values: &Rc<[Value<'r>]>,
        message: Value<'r>,
    ) -> Evaluated<OwnOutcomes<'r>> {
        let held = Held { network: self.network.empty, messages: &[], from: None };
        let kind = (EventKind::Own, message);
        let always = match self.kept.find(values, BY_ITSELF) {
            Some(outcomes) => outcomes,
            None => {
                let outcomes = self.outcomes(values, kind, (&held, Tried::Unbound))?;
                self.kept.keep(values, BY_ITSELF, outcomes)
            }
        };
        let bound = match self.kept_for_target.find(values, BY_ITSELF) {
            Some(outcomes) => outcomes,
            None => {
                let outcomes = self.outcomes(values, kind, (&held, Tried::Bound))?;
                self.kept_for_target.keep(values, BY_ITSELF, outcomes)
            }
        };
        Ok(OwnOutcomes { always, bound })
    }

    /// Takes every action of a kind while the network holds messages.
    fn outcomes(
        &mut self,
        values: &Rc<[Value<'r>]>,
        (kind, message): (EventKind, Value<'r>),
        (held, tried): (&Held<'_, 'r>, Tried),
    ) -> Evaluated<Vec<Outcome<'r>>> {
        let slice = self.monitor.setting.slice;
        // What asks about the network may also be possible while it holds no message for the node.
        let is_tried = |of: EventKind| of == kind || (kind == EventKind::Own && of == EventKind::Receive);
        let mut all = Vec::new();
        for (number, action) in slice.actions.iter().enumerate() {
            if is_tried(action.kind) && tried.includes(action) && self.may_take(number, held.messages) {
                self.add_outcomes((values, message), number as u32, held, &mut all)?;
            }
        }
        Ok(all)
    }

    /// Whether an action may be possible while the network holds these messages, as far as one of their fields tells.
    fn may_take(&self, action: usize, messages: &[Value<'r>]) -> bool {
        let Some(test) = &self.monitor.tests[action] else { return true };
        let passes = |message: &Value<'r>| {
            field_of(*message, test.field)
                .is_none_or(|found| test.values.iter().any(|&value| found.is_same(value)))
        };
        messages.iter().any(passes)
    }

    /// Looks whether an action that nothing outside causes sends a message and does nothing else.
    pub(super) fn find_pure_outcome(
        &mut self,
        values: &Rc<[Value<'r>]>,
        action: u32,
        target: &Target<'r>,
    ) -> Evaluated<Option<Outcome<'r>>> {
        let mut all = Vec::new();
        let held = Held { network: self.network.empty, messages: &[], from: None };
        self.add_outcomes((values, target.value), action, &held, &mut all)?;
        let is_it = |epoch: &mut Self, outcome: &Outcome<'r>| {
            outcome.is_pure() && outcome.sent.len() == 1 && epoch.find_sent(&outcome.sent, target).is_some()
        };
        let at = (0..all.len()).find(|&at| is_it(self, &all[at]));
        Ok(at.map(|at| all.swap_remove(at)))
    }

    /// Takes one action while the network holds messages.
    fn add_outcomes(
        &mut self,
        (values, message): (&Rc<[Value<'r>]>, Value<'r>),
        number: u32,
        held: &Held<'_, 'r>,
        all: &mut Vec<Outcome<'r>>,
    ) -> Evaluated<()> {
        let action = &self.monitor.setting.slice.actions[number as usize];
        for (after, network) in self.take_made(values, action.rule, (held.network, message))? {
            let view = self.network;
            let effect = view.effect(&mut self.machine, network, (held.messages, held.from));
            let NetworkEffect { consumed, sent } = effect.at(action.span)?;
            let is_changed = !have_equal_values(&mut self.machine, &after, values);
            // States that are the same share their values.
            let values = if is_changed { after } else { values.clone() };
            let is_pure = !is_changed && consumed.is_empty();
            let (to_itself, sent) = self.split_sent(sent, is_pure)?;
            all.push(Outcome { action: number, values, is_changed, consumed, sent, to_itself });
        }
        Ok(())
    }

    /// Tells messages of the process to itself from the others, and finds the receivers of these.
    fn split_sent(
        &mut self,
        sent: Vec<Sent<'r>>,
        is_pure: bool,
    ) -> Evaluated<(Vec<Value<'r>>, Vec<Sent<'r>>)> {
        let (mut own, mut others) = (Vec::new(), Vec::with_capacity(sent.len()));
        for mut message in sent {
            if message.to.is_none()
                && let Some(to) = self.monitor.setting.slice.to
            {
                message.to = Some(self.ask_receiver(to, message.value)?);
            }
            message.is_pure = is_pure;
            match message.to {
                Some(to) if are_equal(&mut self.machine, to, self.network.node) => own.push(message.value),
                Some(_) | None => others.push(message),
            }
        }
        Ok((own, others))
    }

    pub(super) fn as_step(
        &mut self,
        sim: &Sim<'r>,
        outcome: &Outcome<'r>,
        (kind, received): (EventKind, Option<u64>),
        consumed: &[usize],
    ) -> TakenStep<'r> {
        let is_repeated = |at: &usize| matches!(sim.pending[*at], Pending::Repeated(_));
        let consumed: Vec<usize> = consumed.iter().copied().filter(|at| !is_repeated(at)).collect();
        let mut next = if consumed.is_empty() { sim.clone() } else { without(sim, &consumed) };
        next.values = outcome.values.clone();
        let is_handled =
            !consumed.is_empty() && self.monitor.setting.mapping.input_order == InputOrder::Connection;
        for &value in &outcome.to_itself {
            let number = self.own_message(value);
            let is_there = self.sees_all() && next.pending.contains(&Pending::Message(number));
            if !is_there {
                next.pending = next.pending.iter().copied().chain([Pending::Message(number)]).collect();
            }
        }
        // In any order, a message that changed nothing may as well be handled later.
        let is_longer = next.pending.len() + consumed.len() > sim.pending.len();
        let has_effect = outcome.is_changed || is_handled || is_longer || kind == EventKind::Restart;
        if has_effect {
            next = next.with_step(PastStep { action: Some(outcome.action), received, sent: None });
        }
        let is_own = kind == EventKind::Own;
        TakenStep { sim: next, sent: outcome.sent.clone(), has_effect, action: outcome.action, is_own }
    }

    /// Returns the number of a message of the process to itself.
    fn own_message(&mut self, value: Value<'r>) -> u32 {
        let messages = std::mem::take(&mut self.messages);
        let is_it = |at: &usize| {
            messages[*at].connection == u32::MAX && are_equal(&mut self.machine, messages[*at].value, value)
        };
        let known = (0..messages.len()).find(is_it);
        self.messages = messages;
        known.unwrap_or_else(|| {
            let (from, connection) = (Some(self.network.node), u32::MAX);
            self.messages.push(Received { value, from, connection, number: 0 });
            self.messages.len() - 1
        }) as u32
    }

    /// Takes one action from a state with a network; returns the values after it, and the network.
    pub(super) fn take_made(
        &mut self,
        values: &Rc<[Value<'r>]>,
        rule: usize,
        (network, message): (Value<'r>, Value<'r>),
    ) -> Evaluated<Vec<(Rc<[Value<'r>]>, Value<'r>)>> {
        let (network_at, empty, node) = (self.monitor.network_at, self.network.empty, self.network.node);
        let own =
            values.iter().enumerate().map(|(at, &value)| if at == network_at { network } else { value });
        self.machine.set_state(own.chain([message, node]));
        let mut found: Vec<(Rc<[Value<'r>]>, Value<'r>)> = Vec::new();
        let span = self.monitor.actions[rule].leaf.span;
        let n_values = values.len();
        self.machine.step(&self.monitor.actions[rule], &mut |machine| {
            model::ground(machine, Side::Next).at(span)?;
            let next = machine.next();
            let network = next[network_at].unwrap_or(empty);
            let made = (0..n_values).map(|at| match at == network_at {
                true => empty,
                false => next[at].unwrap_or(values[at]),
            });
            found.push((made.collect(), network));
            Ok(Flow::Continue)
        })?;
        Ok(found)
    }
}

impl<'r> Epoch<'_, '_, 'r> {
    /// Whether some condition of a kind holds for a message in a state.
    pub(super) fn some_condition_holds(
        &mut self,
        about: About,
        values: &[Value<'r>],
        message: Value<'r>,
    ) -> Evaluated<bool> {
        let node = self.network.node;
        for at in 0..self.monitor.conditions.len() {
            let condition = &self.monitor.conditions[at];
            if condition.about != about {
                continue;
            }
            let holds = match &condition.form {
                UsedForm::Template(template) => template.holds(&mut self.machine, (values, node), message),
                UsedForm::Asked(asked) => {
                    let root = self.monitor.setting.model.program.asked[*asked];
                    self.machine.set_state(values.iter().copied().chain([message, node]));
                    self.machine.eval_root_bool(root)?
                }
            };
            if holds {
                self.monitor.has_fired[self.monitor.conditions[at].number] = true;
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn has_conditions(&self, about: About) -> bool {
        self.monitor.conditions.iter().any(|condition| condition.about == about)
    }

    /// Handles what waits and may be handled at once: a condition says that this allows all that would be possible later,
    /// there is one way to do so, and it sends nothing.
    pub(super) fn handle_at_once(&mut self, mut sim: Sim<'r>) -> Evaluated<Sim<'r>> {
        if !self.has_conditions(About::AtOnce) || sim.has_restart() || self.sees_all() {
            return Ok(sim);
        }
        'again: loop {
            for at in self.next_events(&sim) {
                if let Some(next) = self.handle_one_at_once(&sim, at)? {
                    self.monitor.stats.n_at_once += 1;
                    sim = next;
                    continue 'again;
                }
            }
            return Ok(sim);
        }
    }

    fn handle_one_at_once(&mut self, sim: &Sim<'r>, at: usize) -> Evaluated<Option<Sim<'r>>> {
        let Pending::Message(number) = sim.pending[at] else { return Ok(None) };
        let received = self.messages[number as usize];
        if !self.some_condition_holds(About::AtOnce, &sim.values, received.value)? {
            return Ok(None);
        }
        let outcomes = self.outcomes_of(&sim.values, number)?;
        let [outcome] = &outcomes[..] else { return Ok(None) };
        if outcome.consumed.is_empty() || !outcome.sent.is_empty() || !outcome.to_itself.is_empty() {
            return Ok(None);
        }
        let step = PastStep { action: Some(outcome.action), received: Some(received.number), sent: None };
        let next = Sim { values: outcome.values.clone(), ..without(sim, &[at]) };
        Ok(Some(next.with_step(step)))
    }

    /// Leaves out what was received and is of no use any more.
    pub(super) fn drop_useless(&mut self, sim: Sim<'r>) -> Evaluated<Sim<'r>> {
        // A message that came after a restart is handled in a state that is not known yet.
        if !self.has_conditions(About::Received) || sim.pending.is_empty() || sim.has_restart() {
            return Ok(sim);
        }
        let mut kept = Vec::with_capacity(sim.pending.len());
        for &pending in sim.pending.iter() {
            let is_useless = match pending.message() {
                Some(number) => {
                    let message = self.messages[number as usize].value;
                    self.some_condition_holds(About::Received, &sim.values, message)?
                }
                None => false,
            };
            if !is_useless {
                kept.push(pending);
            }
        }
        match kept.len() == sim.pending.len() {
            true => Ok(sim),
            false => Ok(Sim { pending: kept.into(), ..sim }),
        }
    }
}

/// Returns a state without what is pending at these places, which are in order.
fn without<'r>(sim: &Sim<'r>, places: &[usize]) -> Sim<'r> {
    let rest = sim.pending.iter().enumerate().filter(|(index, _)| !places.contains(index));
    Sim { pending: rest.map(|(_, pending)| *pending).collect(), ..sim.clone() }
}
