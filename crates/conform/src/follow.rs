//! A behaviour carried out on a cluster, step by step, and what the program is compared with after each.

use stage::script::{self, Line, Which};
use trace::{Datum, State, Trace};

use crate::ask::{Asker, Frame, Holds, Property};
use crate::cluster::{Cluster, Message, MessageReader};
use crate::decode::Decoder;
use crate::json::{Names, word};
use crate::outcome::{Confirmed, Difference, Divergence, Ending, Obstacle, Replayed, Row};
use crate::plan::{
    AskedIdx, MESSAGE, Plan, PlannedAction, PlannedLine, PlannedPiece, REAL, unseen_variables,
};

/// The tools with which a behaviour is carried out.
pub struct Stagehand<'s, 'a> {
    pub asker: &'s Asker<'a>,
    pub plan: &'s Plan,
    pub names: &'s Names,
    pub decoder: &'s mut Decoder,
}

/// Carries out a behaviour on nodes that have just begun. `property` is what it violates at its end.
pub fn follow(
    stagehand: &mut Stagehand<'_, '_>,
    cluster: &mut Cluster,
    trace: &Trace,
    property: Option<&Property>,
) -> Replayed {
    let mut follower =
        Follower { hand: stagehand, cluster, trace, rows: Vec::new(), real: Datum::Bool(true) };
    let ending = match follower.all(property) {
        Err(Ending::CouldNot(_)) if follower.hand.asker.is_interrupted() => {
            Ending::CouldNot(Obstacle::Interrupted)
        }
        Ok(ending) | Err(ending) => ending,
    };
    let mut rows = follower.rows;
    if matches!(ending, Ending::Diverged(_) | Ending::CouldNot(_)) && rows.len() < trace.states.len() {
        rows.push(cluster.take_row());
    }
    Replayed { ending, rows }
}

/// The events that lead to the initial state, as a script has them.
pub fn begin_lines(plan: &Plan, asker: &Asker<'_>, names: &Names) -> Result<Vec<String>, Ending> {
    let mut all = Vec::new();
    for line in &plan.begin {
        all.extend(fill_line(line, &Frame::default(), (asker, names))?);
    }
    Ok(all)
}

struct Follower<'f, 's, 'a> {
    hand: &'f mut Stagehand<'s, 'a>,
    cluster: &'f mut Cluster,
    trace: &'f Trace,
    rows: Vec<Row>,
    /// The program as it was last seen.
    real: Datum,
}

impl Follower<'_, '_, '_> {
    /// The ending is an error where it comes before the end.
    fn all(&mut self, property: Option<&Property>) -> Result<Ending, Ending> {
        let Stagehand { asker, plan, decoder, .. } = &mut *self.hand;
        self.cluster.greet(&mut MessageReader { asker, plan, decoder })?;
        let mut after: Option<Frame> = None;
        for index in 0..self.trace.states.len() {
            let compares = match index {
                0 => true,
                _ => self.carry_out(index)?,
            };
            let seen = self.compare(index, compares)?;
            self.push_row(&seen, compares);
            let before = after.replace(seen);
            let is_last = index + 1 == self.trace.states.len();
            if let (Some(property), true, Some(after)) = (property, is_last, &after) {
                return self.judge(property, (before.as_ref(), after), compares);
            }
        }
        assert_eq!(self.rows.len(), self.trace.states.len(), "every state of the trace was compared");
        Ok(Ending::Agreed)
    }

    fn push_row(&mut self, seen: &Frame, is_compared: bool) {
        let (row, real) = (self.cluster.take_row(), self.seen_values(seen));
        self.rows.push(Row { real, is_compared, ..row });
    }

    /// Returns the value that each compared variable has in the program.
    fn seen_values(&self, seen: &Frame) -> Vec<(String, Datum)> {
        let value = |(name, _): &(String, AskedIdx)| Some((name.clone(), seen.get(name)?.clone()));
        self.hand.plan.variables.iter().filter_map(value).collect()
    }

    fn frame(&self, state: &State) -> Frame {
        let mut frame = Frame::default();
        for (name, value) in self.trace.variables.iter().zip(&state.values) {
            if let Some(value) = value {
                frame.set(name, value.clone());
            }
        }
        frame.with(REAL, self.real.clone())
    }

    /// Does what a step is on the stage; whether the program is at a state of the specification then.
    fn carry_out(&mut self, index: usize) -> Result<bool, Ending> {
        let state = &self.trace.states[index];
        let impossible = |event: &str, why: String| {
            Ending::CouldNot(Obstacle::Impossible { event: event.to_owned(), why })
        };
        let Some(step) = &state.step else {
            return Err(impossible("step", "the trace does not say which action it is".to_owned()));
        };
        let (plan, asker) = (self.hand.plan, self.hand.asker);
        let before = self.frame(&self.trace.states[index - 1]);
        for action in plan.actions.iter().filter(|action| action.name == step.name) {
            let mut frame = before.clone();
            for name in &action.params {
                let found = step.parameters.iter().find(|param| param.name == *name);
                let Some(found) = found else {
                    let why = format!("the trace does not say what `{name}` of `{}` is", action.name);
                    return Err(impossible(&step.name, why));
                };
                frame.set(name, found.value.clone());
            }
            let is_it = match action.when {
                Some(when) => asker.is_true(when, &frame).map_err(Ending::undefined)?,
                None => true,
            };
            if is_it {
                self.events(action, &frame)?;
                return Ok(action.compares);
            }
        }
        let why = "no `[[action]]` of the mapping is for this step".to_owned();
        Err(impossible(&step.name, why))
    }

    fn events(&mut self, action: &PlannedAction, frame: &Frame) -> Result<(), Ending> {
        for line in &action.events {
            self.line(line, frame)?;
        }
        let Some(until) = action.until else { return Ok(()) };
        for _ in 0..=action.rounds_max {
            let real = self.look(&action.observations)?;
            let now = frame.clone().with(REAL, real);
            if self.hand.asker.is_true(until, &now).map_err(Ending::undefined)? {
                return Ok(());
            }
            if !self.deliver_preferred(action, &now)? {
                if action.repeat.is_empty() {
                    break;
                }
                action.repeat.iter().try_for_each(|line| self.line(line, &now))?;
            }
        }
        let why = format!("`{}` is not finished: what it lasts until does not come about", action.name);
        Err(Ending::CouldNot(Obstacle::Impossible { event: action.name.clone(), why }))
    }

    /// Delivers the most urgent of the messages that the action takes; whether there was one.
    fn deliver_preferred(&mut self, action: &PlannedAction, frame: &Frame) -> Result<bool, Ending> {
        let asker = self.hand.asker;
        let mut reader = MessageReader { asker, plan: self.hand.plan, decoder: self.hand.decoder };
        let held: Vec<Message> = self.cluster.next_messages(&mut reader)?;
        for &preferred in &action.prefer {
            for message in &held {
                let value = Datum::record([
                    ("from", self.hand.names.text(&message.from)),
                    ("to", self.hand.names.text(&message.to)),
                    ("body", message.value.clone()),
                ]);
                let asked = frame.clone().with(MESSAGE, value);
                if asker.is_true(preferred, &asked).map_err(Ending::undefined)? {
                    self.cluster.deliver(message, &mut reader)?;
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn line(&mut self, line: &PlannedLine, frame: &Frame) -> Result<(), Ending> {
        let asker = self.hand.asker;
        let texts = fill_line(line, frame, (asker, self.hand.names))?;
        let wanted =
            line.message.map(|asked| asker.ask(asked, frame)).transpose().map_err(Ending::undefined)?;
        for text in texts {
            let mut reader = MessageReader { asker, plan: self.hand.plan, decoder: self.hand.decoder };
            match &wanted {
                None => self.cluster.play_text(&text, &mut reader)?,
                Some(wanted) => {
                    let (line, text) = about_message(self.cluster, &text, wanted, &mut reader)?;
                    self.cluster.play(&line, &text, &mut reader)?;
                }
            }
        }
        Ok(())
    }

    fn look(&mut self, observations: &[String]) -> Result<Datum, Ending> {
        let Stagehand { asker, plan, decoder, .. } = self.hand;
        self.cluster.look(observations, &mut MessageReader { asker, plan, decoder })
    }

    /// Looks at the program, and compares it with a state. Gives the state with the values of the program.
    fn compare(&mut self, index: usize, compares: bool) -> Result<Frame, Ending> {
        let plan = self.hand.plan;
        self.real = self.look(&plan.observations)?;
        let frame = self.frame(&self.trace.states[index]);
        let mut seen = frame.clone();
        if !compares {
            return Ok(seen);
        }
        let mut differences = Vec::new();
        for (name, asked) in &self.hand.plan.variables {
            let real = self.hand.asker.ask(*asked, &frame).map_err(Ending::undefined)?;
            let Some(wanted) = frame.get(name) else { continue };
            if real != *wanted {
                differences.push(Difference {
                    variable: name.clone(),
                    spec: wanted.clone(),
                    real: real.clone(),
                });
            }
            seen.set(name, real);
        }
        if differences.is_empty() {
            return Ok(seen);
        }
        self.cluster.row.real = self.seen_values(&seen);
        Err(Ending::Diverged(Divergence::Values(differences)))
    }

    /// Whether the program violates the property, too.
    fn judge(
        &self,
        property: &Property,
        (before, after): (Option<&Frame>, &Frame),
        compares: bool,
    ) -> Result<Ending, Ending> {
        let unconfirmed = |why: String| Ending::CouldNot(Obstacle::Unconfirmed(why));
        let name = property.name();
        let (asker, plan) = (self.hand.asker, self.hand.plan);
        if !compares {
            let why = "the program is not compared with the last state: its action has `compare = false`";
            return Err(unconfirmed(why.to_owned()));
        }
        if plan.unconfirmed.iter().any(|other| other == name) {
            return Err(unconfirmed(format!(
                "the mapping says that the values of the program do not decide `{name}`"
            )));
        }
        let Some(def) = asker.definition(property) else {
            return Err(unconfirmed(format!("the configuration has no property `{name}`")));
        };
        let seen: Vec<String> = plan.variables.iter().map(|(name, _)| name.clone()).collect();
        let unseen = unseen_variables(asker.model.spec, def, &seen);
        let (history, unknown): (Vec<String>, Vec<String>) =
            unseen.into_iter().partition(|name| plan.history.contains(name));
        if !unknown.is_empty() {
            let names = unknown.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let why = format!("`{name}` reads {names}, which the mapping does not compare");
            return Err(unconfirmed(why));
        }
        let has_changed = |before: &Frame| seen.iter().any(|name| before.get(name) != after.get(name));
        if matches!(property, Property::Step(_)) && !before.is_some_and(has_changed) {
            return Err(unconfirmed("the last step changes nothing that is compared".to_owned()));
        }
        match asker.holds(property, before, after).map_err(Ending::undefined)? {
            Holds::Yes => Err(unconfirmed(format!("`{name}` holds for the values of the program"))),
            Holds::No(failure) => {
                Ok(Ending::Confirmed(Confirmed { property: property.clone(), failure, history }))
            }
        }
    }
}

/// The event about the message that says this.
fn about_message(
    cluster: &mut Cluster,
    text: &str,
    wanted: &Datum,
    reader: &mut MessageReader<'_, '_>,
) -> Result<(Line, String), Ending> {
    let mut find = |from: &str, to: &str| cluster.find((from, to), wanted, reader);
    let (number, line) = match script::parse(&format!("{text} 1")) {
        Ok(Some(Line::Deliver { from, to, .. })) => {
            let number = find(&from, &to)?;
            (number, Line::Deliver { from, to, which: Which::Number(number) })
        }
        Ok(Some(Line::Drop { from, to, .. })) => {
            let number = find(&from, &to)?;
            (number, Line::Drop { from, to, number })
        }
        Ok(Some(Line::Duplicate { from, to, .. })) => {
            let number = find(&from, &to)?;
            (number, Line::Duplicate { from, to, number })
        }
        Ok(_) | Err(_) => {
            let why = "this is no event about a message".to_owned();
            return Err(Ending::CouldNot(Obstacle::Impossible { event: text.to_owned(), why }));
        }
    };
    Ok((line, format!("{text} {number}")))
}

/// A line with the values of its expressions, without the message that it is about. Where one of these is a set there is
/// a line for each element.
fn fill_line(
    line: &PlannedLine,
    frame: &Frame,
    (asker, names): (&Asker<'_>, &Names),
) -> Result<Vec<String>, Ending> {
    let mut texts = vec![String::new()];
    for piece in &line.pieces {
        let words = match piece {
            PlannedPiece::Plain(plain) => vec![plain.clone()],
            PlannedPiece::Asked(asked) => {
                let value = asker.ask(*asked, frame).map_err(Ending::undefined)?;
                let words =
                    each(&value).into_iter().map(|part| phrase(part, names)).collect::<Option<Vec<_>>>();
                words.ok_or_else(|| {
                    let why = format!("{value} is no word: a node, a number or a text");
                    Ending::CouldNot(Obstacle::Impossible { event: texts.join(", "), why })
                })?
            }
        };
        texts = texts.iter().flat_map(|text| words.iter().map(move |word| format!("{text}{word}"))).collect();
    }
    Ok(texts)
}

fn each(value: &Datum) -> Vec<&Datum> {
    if let Datum::Set(elements) = value { elements.iter().collect() } else { vec![value] }
}

/// A word, or several for a tuple or a set.
fn phrase(value: &Datum, names: &Names) -> Option<String> {
    let (Datum::Seq(parts) | Datum::Set(parts)) = value else { return word(value, names) };
    let words = parts.iter().map(|part| word(part, names)).collect::<Option<Vec<_>>>()?;
    Some(words.join(" "))
}

/// The property that a finding is about, if it is one of states or steps.
pub fn property_of(finding: &trace::Finding) -> Option<Property> {
    match finding {
        trace::Finding::Invariant { name } => Some(Property::Invariant(name.clone())),
        trace::Finding::ActionProperty { name } => Some(Property::Step(name.clone())),
        trace::Finding::InitialProperty { .. }
        | trace::Finding::TemporalProperty { .. }
        | trace::Finding::Deadlock
        | trace::Finding::Assertion { .. }
        | trace::Finding::EvaluationError { .. }
        | trace::Finding::Postcondition { .. }
        | trace::Finding::Example { .. }
        | trace::Finding::Unstated => None,
    }
}

/// How deep the stack of a thread is that evaluates.
pub const STACK_BYTES: usize = model::STACK_BYTES;
