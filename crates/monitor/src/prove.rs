//! Finds conditions under which a message is of no use any more ([`crate::conditions`]), and shows that they hold: in every
//! state that a node can reach within bounds, and for every message. A condition holds if it is kept by every step, and if
//! wherever it is TRUE no step with the message has an effect (or, of an outgoing message, none sends it).
//!
//! That a message may be handled as it arrives is shown by a game on the same states ([`crate::at_once`]).
//!
//! Candidates are conjunctions of what a message is, a value of the node, and a comparison of one of its numbers with one of
//! the message. Those that the mapping has are judged in the same way.

use base::FxIndexSet;
use eval::Run as _;
use eval::interp::Machine;
use model::QuietRun;
use trace::Datum;
use value::{Atom, Interner, Value, ValueId, ops};

use crate::at_once::{Game, Unfinished};
use crate::conditions::{
    About, BoundTemplate, Condition, ConditionForm, KindTest, OrderTest, Proof, StateTest, Template, number,
};
use crate::engine::closure::{Bits, Closure, NoClosure, NodeGraph, close};
use crate::engine::{CannotStart, Setting};
use crate::map::{InputOrder, Mapping};
use crate::slice::Role;

/// The most conditions that are derived.
const DERIVED_LEN_MAX: usize = 40;
/// The most values that a kind of messages, or a variable, may have to be told apart by them.
const CHOICES_LEN_MAX: usize = 12;

/// Number of states after which memory is given back.
const STATES_PER_REGION: usize = 64;

/// The result of looking for conditions.
#[derive(Debug, Default)]
pub struct Conditions {
    pub all: Vec<Condition>,
    /// Why none was derived.
    pub trouble: Option<String>,
}

/// Judges the conditions of the mapping, and derives others. The bounds are those of the setting's program; pairs are those
/// of a state of a node and a message.
pub fn prove(
    setting: Setting<'_>,
    (n_pairs_max, derives): (usize, bool),
    written: Vec<Condition>,
) -> Result<Conditions, CannotStart> {
    if let Some(why) = crate::slice::why_not_closed(setting.slice) {
        return Ok(open(written, why));
    }
    match close(setting, n_pairs_max) {
        Ok(closure) => Ok(Prover::new(setting, &closure).prove(written, derives)),
        Err(NoClosure::Start(why)) => Err(why),
        Err(NoClosure::TooLarge(n)) => Ok(open(
            written,
            format!("there are more than {n} pairs of a state and a message within these bounds"),
        )),
        Err(NoClosure::Why(why)) => Ok(open(written, why)),
    }
}

fn open(mut written: Vec<Condition>, why: String) -> Conditions {
    for condition in written.iter_mut().filter(|condition| condition.proof != Proof::Solved) {
        condition.proof = Proof::Open(why.clone());
    }
    Conditions { all: written, trouble: Some(why) }
}

/// Returns the conditions of the mapping, nothing being known of them.
pub fn written(mapping: &Mapping) -> Vec<Condition> {
    let of = |about: About, texts: &[crate::map::Text]| {
        let condition = |(at, text): (usize, &crate::map::Text)| Condition {
            about,
            form: ConditionForm::Written(at),
            text: text.text.clone(),
            proof: Proof::Open("it was not looked at".to_owned()),
            unsolved: None,
        };
        texts.iter().enumerate().map(condition).collect::<Vec<_>>()
    };
    let mut all = of(About::Sent, &mapping.never);
    all.extend(of(About::Received, &mapping.spent));
    all.extend(of(About::AtOnce, &mapping.at_once));
    all
}

struct Prover<'c, 'a> {
    setting: Setting<'a>,
    closure: &'c Closure,
    variables: Vec<String>,
}

/// Evaluates a formula in a state, of a node, for a message.
type FormulaTest<'t> =
    dyn FnMut(&mut Machine<'_, '_>, StateOfNode<'_>, Value<'static>) -> Result<bool, String> + 't;

/// The values of a state, and the node.
type StateOfNode<'v> = (&'v [Value<'static>], Value<'static>);

/// Whether a condition holds, for each state of a node and each of its messages.
type Rows = Vec<Bits>;

impl<'c, 'a> Prover<'c, 'a> {
    fn new(setting: Setting<'a>, closure: &'c Closure) -> Self {
        let variables = setting.slice.variables.iter().map(|variable| variable.name.clone()).collect();
        Prover { setting, closure, variables }
    }

    fn proof(&self) -> Proof {
        Proof::Bounded { n_states: self.closure.n_states(), n_messages: self.closure.n_messages() }
    }

    fn prove(&self, written: Vec<Condition>, derives: bool) -> Conditions {
        let mut found = Conditions::default();
        let mut known: Vec<(About, Vec<Rows>)> = Vec::new();
        for mut condition in written {
            if condition.proof == Proof::Solved {
                if let Ok(rows) = self.written_rows(&condition) {
                    known.push((condition.about, rows));
                }
                found.all.push(condition);
                continue;
            }
            let judged = self.written_rows(&condition).and_then(|rows| {
                let refuted = self.refute(condition.about, &rows)?;
                Ok((rows, refuted))
            });
            condition.proof = match judged {
                Ok((_, Some(why))) => Proof::Refuted(why),
                Ok((rows, None)) => {
                    known.push((condition.about, rows));
                    self.proof()
                }
                Err(why) => Proof::Open(why),
            };
            found.all.push(condition);
        }
        for about in [About::Received, About::Sent].into_iter().filter(|_| derives) {
            let bad = self.bad(about);
            self.derive((about, &bad), &mut known, &mut found.all);
        }
        if derives {
            match self.wrong_at_once(None) {
                Ok(bad) => self.derive((About::AtOnce, &bad), &mut known, &mut found.all),
                Err(why) => found.trouble = Some(why),
            }
        }
        found
    }

    /// Returns, for each state of each node, the messages for which a condition must not be TRUE.
    fn bad(&self, about: About) -> Vec<Rows> {
        let rows = |node: &NodeGraph| match about {
            About::Received | About::AtOnce => node.useful.clone(),
            About::Sent => node.sends.clone(),
        };
        self.closure.nodes.iter().map(rows).collect()
    }

    /// Returns, for each state of each node, the messages that must not be handled at once there, of all that could be, or of
    /// those in `asked`.
    fn wrong_at_once(&self, asked: Option<&[Rows]>) -> Result<Vec<Rows>, String> {
        let is_ordered = self.setting.mapping.input_order == InputOrder::Connection;
        let mut all = Vec::new();
        for (at, node) in self.closure.nodes.iter().enumerate() {
            let mut pairs = Vec::new();
            for state in 0..node.states.len() {
                let is_asked = |message: usize| asked.is_none_or(|rows| rows[at][state].has(message));
                let messages = (0..node.inbox.len()).filter(|&message| is_asked(message));
                pairs.extend(messages.map(|message| (state as u32, message as u32)));
            }
            let mut game = Game::new(node, is_ordered, self.setting.run.interrupted);
            let wrong = game.wrong(&pairs).map_err(|unfinished: Unfinished| unfinished.reason())?;
            let mut rows: Rows = vec![Bits::default(); node.states.len()];
            for &(state, message) in pairs.iter().filter(|pair| wrong.contains(pair)) {
                rows[state as usize].set(message as usize);
            }
            all.push(rows);
        }
        Ok(all)
    }

    fn messages<'n>(&self, about: About, node: &'n NodeGraph) -> Vec<ValueId> {
        let ids = |node: &'n NodeGraph| match about {
            About::Received | About::AtOnce => node.inbox.iter().map(|(value, _)| *value).collect(),
            About::Sent => node.outbox.iter().copied().collect(),
        };
        ids(node)
    }

    /// Evaluates a formula of the mapping for all states and messages.
    fn written_rows(&self, condition: &Condition) -> Result<Vec<Rows>, String> {
        let slice = self.setting.slice;
        let asked = match (&condition.form, condition.about) {
            (ConditionForm::Written(at), About::Sent) => slice.never[*at],
            (ConditionForm::Written(at), About::Received) => slice.spent[*at],
            (ConditionForm::Written(at), About::AtOnce) => slice.at_once[*at],
            (ConditionForm::Derived(_), _) => return Err("it is not written in the mapping".to_owned()),
        };
        let model = self.setting.model;
        let root = model.program.asked[asked];
        self.rows(condition.about, &mut |machine, (values, node), message| {
            machine.set_state(values.iter().copied().chain([message, node]));
            machine.eval_root_bool(root).map_err(|fault| {
                let told = model::fault_diagnostic(model, &fault);
                format!("it has no value in some state: {}", told.headline)
            })
        })
    }

    fn rows(&self, about: About, test: &mut FormulaTest<'_>) -> Result<Vec<Rows>, String> {
        let interner = Interner::shared();
        let Setting { model, shared, run, .. } = self.setting;
        let mut all = Vec::new();
        for node in &self.closure.nodes {
            let messages: Vec<Value<'static>> =
                self.messages(about, node).into_iter().map(|id| interner.value(id)).collect();
            let own = node.node.map_or(Value::TRUE, |id| interner.value(id));
            let mut rows = Rows::new();
            let states: Vec<&Box<[ValueId]>> = node.states.iter().collect();
            for states in states.chunks(STATES_PER_REGION) {
                let region = run.region();
                let mut machine = Machine::new(model.program, shared, &region, run);
                for state in states {
                    let values: Vec<Value<'static>> = state.iter().map(|&id| interner.value(id)).collect();
                    let mut row = Bits::default();
                    for (at, &message) in messages.iter().enumerate() {
                        if test(&mut machine, (&values, own), message)? {
                            row.set(at);
                        }
                    }
                    rows.push(row);
                }
            }
            all.push(rows);
        }
        Ok(all)
    }

    /// Returns why a condition does not hold.
    fn refute(&self, about: About, rows: &[Rows]) -> Result<Option<String>, String> {
        let nodes = || self.closure.nodes.iter().zip(rows);
        if about != About::AtOnce {
            return Ok(nodes().find_map(|(node, rows)| self.refute_at(about, node, rows)));
        }
        let wrong = self.wrong_at_once(Some(rows))?;
        let told = nodes().zip(&wrong).find_map(|((node, rows), wrong)| {
            let (state, message) =
                (0..rows.len()).find_map(|state| Some((state, rows[state].first_common(&wrong[state])?)))?;
            let message = self.show_message(about, node, message);
            let place = self.show_state(node, state);
            Some(format!(
                "{message} handled at once does not allow all that it allows when it is handled later, where {place}"
            ))
        });
        Ok(told)
    }

    fn refute_at(&self, about: About, node: &NodeGraph, rows: &Rows) -> Option<String> {
        for (state, row) in rows.iter().enumerate() {
            if row.is_empty() {
                continue;
            }
            let (bad, what) = match about {
                About::Received | About::AtOnce => (&node.useful[state], "has an effect"),
                About::Sent => (&node.sends[state], "is sent"),
            };
            if let Some(message) = row.first_common(bad) {
                let message = self.show_message(about, node, message);
                return Some(format!(
                    "it is TRUE, and {message} {what}, where {}",
                    self.show_state(node, state)
                ));
            }
            // What is received before a restart is lost with it.
            let restarts: &[u32] = match about {
                About::Received | About::AtOnce => &[],
                About::Sent => &node.restarts[state],
            };
            for &next in node.steps[state].iter().chain(restarts) {
                if let Some(message) = row.first_missing(&rows[next as usize]) {
                    let message = self.show_message(about, node, message);
                    return Some(format!(
                        "for {message}, a step makes it FALSE where {}",
                        self.show_state(node, state)
                    ));
                }
            }
        }
        None
    }

    fn show_message(&self, about: About, node: &NodeGraph, message: usize) -> String {
        let id = self.messages(about, node)[message];
        format!("`{}`", model::datum(Interner::shared().value(id)))
    }

    fn show_state(&self, node: &NodeGraph, state: usize) -> String {
        let interner = Interner::shared();
        let Setting { model, shared, run, slice, .. } = self.setting;
        let region = run.region();
        let mut machine = Machine::new(model.program, shared, &region, run);
        let own = node.node.map_or(Value::TRUE, |id| interner.value(id));
        let values = node.states.get_index(state).into_iter().flatten();
        let parts = slice.variables.iter().zip(values).filter_map(|(variable, &id)| {
            let value = ops::apply(&mut machine, interner.value(id), own).ok()?;
            (variable.role == Role::PerNode).then(|| format!("{} = {}", variable.name, model::datum(value)))
        });
        parts.collect::<Vec<_>>().join(", ")
    }
}

/// The parts of candidates.
#[derive(Default)]
struct Material {
    kinds: Vec<KindTest>,
    states: Vec<StateTest>,
    orders: Vec<OrderTest>,
}

impl Prover<'_, '_> {
    fn derive(
        &self,
        (about, bad): (About, &[Rows]),
        known: &mut Vec<(About, Vec<Rows>)>,
        all: &mut Vec<Condition>,
    ) {
        let material = self.material(about);
        let mut candidates = Vec::new();
        let kinds: Vec<Option<&KindTest>> = options(&material.kinds);
        for kind in &kinds {
            for state in options(&material.states) {
                for order in options(&material.orders) {
                    candidates.push(Template {
                        kind: kind.cloned(),
                        state: state.cloned(),
                        order: order.cloned(),
                    });
                }
            }
        }
        candidates.retain(|template| template.n_parts() > 0);
        candidates.sort_by_key(Template::n_parts);
        let mut n_derived = 0;
        for template in candidates {
            if n_derived == DERIVED_LEN_MAX || self.setting.run.is_over() {
                return;
            }
            let Some(rows) = self.derived_rows((about, bad), &template) else { continue };
            let is_ever = rows.iter().flatten().any(|row| !row.is_empty());
            // What may be handled at once is in `bad` already.
            let is_refuted = about != About::AtOnce && !matches!(self.refute(about, &rows), Ok(None));
            if !is_ever || self.is_covered(about, &rows, known) || is_refuted {
                continue;
            }
            n_derived += 1;
            let text = template.text(&self.variables);
            let form = ConditionForm::Derived(template);
            all.push(Condition { about, form, text, proof: self.proof(), unsolved: None });
            known.push((about, rows));
        }
    }

    /// Whether other conditions together say all that a candidate says, as far as the bounds go. A message that is of no
    /// use need not be handled at once.
    fn is_covered(&self, about: About, rows: &[Rows], known: &[(About, Vec<Rows>)]) -> bool {
        let is_like = |other: About| other == about || about == About::AtOnce && other == About::Received;
        (0..rows.len()).all(|node| {
            (0..rows[node].len()).all(|state| {
                let mut covered = Bits::default();
                let others = known.iter().filter(|(other, _)| is_like(*other));
                others.for_each(|(_, other)| covered.add(&other[node][state]));
                rows[node][state].first_missing(&covered).is_none()
            })
        })
    }

    /// Evaluates a template for all states and messages; `None` as soon as one shows that it does not hold.
    fn derived_rows(&self, (about, bad): (About, &[Rows]), template: &Template) -> Option<Vec<Rows>> {
        let interner = Interner::shared();
        let Setting { model, shared, run, .. } = self.setting;
        let bound = BoundTemplate::new(template, model.program.atoms)?;
        let region = run.region();
        let mut machine = Machine::new(model.program, shared, &region, run);
        let mut all = Vec::new();
        for (node, bad) in self.closure.nodes.iter().zip(bad) {
            let messages: Vec<Value<'static>> =
                self.messages(about, node).into_iter().map(|id| interner.value(id)).collect();
            let own = node.node.map_or(Value::TRUE, |id| interner.value(id));
            let mut rows = Rows::new();
            for (state, ids) in node.states.iter().enumerate() {
                let values: Vec<Value<'static>> = ids.iter().map(|&id| interner.value(id)).collect();
                let mut row = bound.row(&mut machine, (&values, own), &messages);
                if row.first_common(&bad[state]).is_some() {
                    return None;
                }
                if about == About::AtOnce {
                    // What has no effect need not be handled, and what has several is not.
                    row.keep(&self.applicable(node, state));
                }
                rows.push(row);
            }
            all.push(rows);
        }
        Some(all)
    }

    /// Returns the messages that would be handled at once in a state, if a condition allowed it, and have an effect.
    fn applicable(&self, node: &NodeGraph, state: usize) -> Bits {
        let game = Game::new(node, false, self.setting.run.interrupted);
        let mut bits = Bits::default();
        for message in 0..node.inbox.len() {
            let after = game.state_after(state as u32, message as u32);
            if after.is_some_and(|after| after as usize != state) {
                bits.set(message);
            }
        }
        bits
    }

    /// Collects what messages and states consist of.
    fn material(&self, about: About) -> Material {
        let interner = Interner::shared();
        let names: Vec<&str> = self.closure.nodes.iter().map(|node| node.name.as_str()).collect();
        let is_node = |datum: &Datum| match datum {
            Datum::Str(text) | Datum::Model(text) => names.contains(&text.as_str()),
            Datum::Int(_) | Datum::Bool(_) | Datum::Seq(_) | Datum::Record(_) => false,
            Datum::Function(_) | Datum::Set(_) | Datum::Opaque(_) => false,
        };
        let mut material = Material::default();
        let mut fields: Vec<(Atom, Choices)> = Vec::new();
        for node in &self.closure.nodes {
            for id in self.messages(about, node) {
                let Some((shape, items)) = interner.value(id).as_record() else { continue };
                for (at, &field) in shape.fields().iter().enumerate() {
                    let known = fields.iter().position(|(known, _)| *known == field);
                    let place = known.unwrap_or(fields.len());
                    if known.is_none() {
                        fields.push((field, Choices::default()));
                    }
                    fields[place].1.add(items.get(at));
                }
            }
        }
        fields.sort_by_key(|(field, _)| field.text());
        for (field, choices) in &fields {
            let values = choices.scalars(&is_node).into_iter();
            material.kinds.extend(values.map(|value| KindTest { field: field.text().to_owned(), value }));
        }
        let numeric: Vec<&str> =
            fields.iter().filter(|(_, choices)| choices.has_ints).map(|(field, _)| field.text()).collect();
        for (variable, choices) in self.variable_choices().iter().enumerate() {
            for value in choices.scalars(&is_node) {
                let test = |is_equal| StateTest { variable, is_equal, value: value.clone() };
                material.states.extend([test(false), test(true)]);
            }
            for is_length in [false, true] {
                let is_it = if is_length { choices.has_sequences } else { choices.has_ints };
                for (field, is_strict) in
                    numeric.iter().filter(|_| is_it).flat_map(|field| [(field, false), (field, true)])
                {
                    let field = (*field).to_owned();
                    material.orders.push(OrderTest { variable, is_length, is_strict, field });
                }
            }
        }
        material
    }

    /// Collects the values that nodes have of each variable.
    fn variable_choices(&self) -> Vec<Choices> {
        let interner = Interner::shared();
        let Setting { model, shared, run, slice, .. } = self.setting;
        let region = run.region();
        let mut machine = Machine::new(model.program, shared, &region, run);
        let mut all: Vec<Choices> = slice.variables.iter().map(|_| Choices::default()).collect();
        for node in &self.closure.nodes {
            let own = node.node.map_or(Value::TRUE, |id| interner.value(id));
            for (variable, choices) in all.iter_mut().enumerate() {
                if slice.variables[variable].role != Role::PerNode {
                    continue;
                }
                let ids: FxIndexSet<ValueId> = node.states.iter().map(|state| state[variable]).collect();
                for id in ids {
                    if let Ok(value) = ops::apply(&mut machine, interner.value(id), own) {
                        choices.add(value);
                    }
                }
            }
        }
        all
    }
}

/// Returns none of these, and each of them.
fn options<T>(all: &[T]) -> Vec<Option<&T>> {
    std::iter::once(None).chain(all.iter().map(Some)).collect()
}

/// The kinds of values that were seen in one place.
#[derive(Default)]
struct Choices {
    scalars: Vec<Datum>,
    has_ints: bool,
    has_sequences: bool,
}

impl Choices {
    fn add(&mut self, value: Value<'_>) {
        self.has_ints |= value.as_i64().is_some();
        self.has_sequences |= number(value, true).is_some();
        if value.as_bool().is_none() && value.as_atom().is_none() {
            return;
        }
        let datum = model::datum(value);
        if self.scalars.len() <= CHOICES_LEN_MAX && !self.scalars.contains(&datum) {
            self.scalars.push(datum);
        }
    }

    /// Returns strings, model values and truth values, if these are all and not many.
    fn scalars(&self, is_left_out: &dyn Fn(&Datum) -> bool) -> Vec<Datum> {
        if self.scalars.len() > CHOICES_LEN_MAX {
            return Vec::new();
        }
        let mut all: Vec<Datum> = self.scalars.iter().filter(|datum| !is_left_out(datum)).cloned().collect();
        all.sort_by_key(ToString::to_string);
        all
    }
}

impl BoundTemplate {
    /// Evaluates it for all messages.
    fn row<'r>(
        &self,
        machine: &mut Machine<'_, 'r>,
        (values, node): (&[Value<'r>], Value<'r>),
        messages: &[Value<'r>],
    ) -> Bits {
        let mut row = Bits::default();
        let Some(left) = self.state_part(machine, values, node) else { return row };
        for (at, &message) in messages.iter().enumerate() {
            if self.message_part(left, message) {
                row.set(at);
            }
        }
        row
    }
}
