//! The states of processes besides their steps: roles, terms, crashes and restarts, links that are cut. They are
//! guessed from the shapes of values and from the words in the names of variables and actions.

use std::collections::BTreeSet;

use super::guess::is_same_name;
use crate::{Datum, State, Trace};

/// A value of each process over time: `role`, `currentTerm`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Track {
    /// The variable, and the field if it is one of a record: `state.role`.
    pub name: String,
    /// For each lane, the indices of states from which on it has a value, with the value.
    pub values: Vec<Vec<(usize, String)>>,
}

/// A period from one state to another, or to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The lane, if the period belongs to one.
    pub lane: Option<usize>,
    /// The index of the first state of the period.
    pub from: usize,
    /// The index of the first state after the period; equal to `from` for something momentary.
    pub to: Option<usize>,
    /// The links that are cut: `n1–n2, n1–n3`.
    pub text: String,
}

/// The life of all processes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Life {
    pub role: Option<Track>,
    pub term: Option<Track>,
    /// Periods in which processes do not run.
    pub down: Vec<Span>,
    /// Periods in which processes cannot reach each other.
    pub cuts: Vec<Span>,
    /// Restarts without a visible crash: lane and index of the state.
    pub restarts: Vec<(usize, usize)>,
}

/// The most roles that can be distinguished by colour.
const ROLES_MAX: usize = 8;
/// Words for roles, the most telling first.
const ROLE_WORDS: [&str; 8] = ["role", "state", "status", "phase", "mode", "stage", "pc", "kind"];
const TERM_WORDS: [&str; 10] =
    ["term", "epoch", "ballot", "bal", "view", "round", "rnd", "generation", "era", "viewnumber"];
const UP_WORDS: [&str; 5] = ["up", "alive", "online", "running", "live"];
const DOWN_WORDS: [&str; 8] =
    ["down", "crashed", "dead", "failed", "stopped", "offline", "faulty", "unavailable"];
const CUT_WORDS: [&str; 8] =
    ["cut", "cuts", "partition", "partitions", "partitioned", "disconnected", "severed", "blocked"];
const CONNECTED_WORDS: [&str; 6] = ["conn", "connected", "connections", "groups", "components", "islands"];
const CRASHES: [&str; 8] = ["crash", "crashes", "kill", "die", "halt", "shutdown", "fail", "stop"];
const RESTARTS: [&str; 6] = ["restart", "restarts", "recover", "reboot", "revive", "boot"];
const PARTS: [&str; 7] = ["partition", "cut", "isolate", "disconnect", "disconnection", "sever", "split"];
/// Words in the names of actions that remove messages without a receiver.
const LOSSES: [&str; 7] = ["drop", "drops", "lose", "loses", "loss", "discard", "omit"];
const HEALS: [&str; 7] = ["heal", "reconnect", "reconnection", "mend", "cure", "rejoin", "unpartition"];

impl Life {
    pub(super) fn new(trace: &Trace, processes: &[Datum], lane_of_state: &[Option<usize>]) -> Life {
        let looker = Looker { trace, processes, lane_of_state };
        let rows = looker.rows();
        let mut life = Life { role: looker.role(&rows), term: looker.term(&rows), ..Life::default() };
        life.down = looker.down(&rows).unwrap_or_else(|| looker.down_by_steps());
        life.cuts = looker.cuts().unwrap_or_else(|| looker.cuts_by_steps());
        life.restarts = looker.restarts(&life.down);
        life
    }
}

/// Values, one for each process: those of a variable, or of a field of a variable's records.
struct Row<'t> {
    name: String,
    /// The words in the name of the variable or field.
    words: Vec<String>,
    variable: usize,
    field: Option<&'t str>,
}

struct Looker<'t> {
    trace: &'t Trace,
    processes: &'t [Datum],
    lane_of_state: &'t [Option<usize>],
}

impl<'t> Looker<'t> {
    fn rows(&self) -> Vec<Row<'t>> {
        let mut rows = Vec::new();
        let Some(first) = self.trace.states.first() else { return rows };
        for (variable, name) in self.trace.variables.iter().enumerate() {
            let Some(value) = &first.values[variable] else { continue };
            let Some(part) = self.processes.iter().find_map(|process| part_of(value, process)) else {
                continue;
            };
            rows.push(Row { name: name.clone(), words: words(name), variable, field: None });
            if let Datum::Record(fields) = part {
                rows.extend(fields.iter().map(|(field, _)| Row {
                    name: format!("{name}.{field}"),
                    words: words(field),
                    variable,
                    field: Some(field),
                }));
            }
        }
        rows
    }

    fn value(&self, row: &Row<'t>, state: &'t State, lane: usize) -> Option<&'t Datum> {
        let part = part_of(state.values[row.variable].as_ref()?, &self.processes[lane])?;
        match (row.field, part) {
            (None, part) => Some(part),
            (Some(name), Datum::Record(fields)) => {
                fields.iter().find(|(field, _)| field == name).map(|(_, value)| value)
            }
            (Some(_), _) => None,
        }
    }

    /// Returns the values of a row in all states and lanes.
    fn values(&self, row: &Row<'t>) -> impl Iterator<Item = &'t Datum> {
        let lanes = 0..self.processes.len();
        self.trace
            .states
            .iter()
            .flat_map(move |state| lanes.clone().map(move |lane| (state, lane)))
            .filter_map(|(state, lane)| self.value(row, state, lane))
    }

    /// Returns the row whose values are a few names, at least two of them, chosen by the words in its own name.
    fn role(&self, rows: &[Row<'t>]) -> Option<Track> {
        let is_role = |row: &&Row<'t>| {
            let mut names: BTreeSet<&str> = BTreeSet::new();
            let all_are_names = self.values(row).all(|value| {
                let (Datum::Str(name) | Datum::Model(name)) = value else { return false };
                names.insert(name);
                names.len() <= ROLES_MAX && !self.processes.iter().any(|process| is_same_name(process, value))
            });
            all_are_names && names.len() > 1
        };
        let roles = rows.iter().filter(is_role);
        let best = roles.min_by_key(|row| rank(&row.words, &ROLE_WORDS).unwrap_or(ROLE_WORDS.len()))?;
        Some(self.track(best))
    }

    fn term(&self, rows: &[Row<'t>]) -> Option<Track> {
        let is_number = |row: &&Row<'t>| self.values(row).all(|value| matches!(value, Datum::Int(_)));
        let named = rows.iter().filter_map(|row| Some((rank(&row.words, &TERM_WORDS)?, row)));
        let best = named.filter(|(_, row)| is_number(row)).min_by_key(|&(rank, _)| rank)?.1;
        Some(self.track(best)).filter(|track| track.values.iter().any(|values| values.len() > 1))
    }

    fn track(&self, row: &Row<'t>) -> Track {
        let of_lane = |lane: usize| {
            let mut values: Vec<(usize, String)> = Vec::new();
            for (index, state) in self.trace.states.iter().enumerate() {
                let text = match self.value(row, state, lane) {
                    Some(Datum::Str(text)) => text.clone(),
                    Some(value) => value.to_string(),
                    None => continue,
                };
                if values.last().is_none_or(|(_, last)| *last != text) {
                    values.push((index, text));
                }
            }
            values
        };
        Track { name: row.name.clone(), values: (0..self.processes.len()).map(of_lane).collect() }
    }

    /// Returns the periods in which processes do not run, if a variable shows them.
    fn down(&self, rows: &[Row<'t>]) -> Option<Vec<Span>> {
        let says = |row: &&Row<'t>| {
            let is_told = |value: &Datum| match value {
                Datum::Bool(_) => polarity(&row.words).is_some(),
                Datum::Str(name) | Datum::Model(name) => is_word(&name.to_lowercase(), &DOWN_WORDS),
                Datum::Int(_) | Datum::Seq(_) | Datum::Record(_) => false,
                Datum::Function(_) | Datum::Set(_) | Datum::Opaque(_) => false,
            };
            self.values(row).any(is_told)
        };
        if let Some(row) = rows.iter().find(says) {
            let is_up = polarity(&row.words) == Some(true);
            let is_down = |lane: usize, state: &'t State| match self.value(row, state, lane) {
                Some(Datum::Bool(value)) => *value != is_up,
                Some(Datum::Str(name) | Datum::Model(name)) => is_word(&name.to_lowercase(), &DOWN_WORDS),
                Some(_) | None => false,
            };
            return Some(self.spans(&is_down));
        }
        let (is_up, set) = self.sets().find_map(|set| Some((polarity(&set.words)?, set)))?;
        let is_down = |lane: usize, state: &'t State| {
            let Some(Datum::Set(items)) = set.value(state) else { return false };
            items.iter().any(|item| is_same_name(item, &self.processes[lane])) != is_up
        };
        Some(self.spans(&is_down))
    }

    /// Returns the variables and fields of variables that are sets of processes in every state.
    fn sets(&self) -> impl Iterator<Item = VariablePath<'t>> {
        let is_process = |value: &Datum| self.processes.iter().any(|process| is_same_name(process, value));
        variable_paths(self.trace).filter(move |place| {
            self.trace.states.iter().all(
                |state| matches!(place.value(state), Some(Datum::Set(items)) if items.iter().all(is_process)),
            )
        })
    }

    fn spans(&self, is_so: &dyn Fn(usize, &'t State) -> bool) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        for lane in 0..self.processes.len() {
            let mut from = None;
            for (index, state) in self.trace.states.iter().enumerate() {
                match (from, is_so(lane, state)) {
                    (None, true) => from = Some(index),
                    (Some(start), false) => {
                        spans.push(Span::of_lane(lane, start, Some(index)));
                        from = None;
                    }
                    (None, false) | (Some(_), true) => {}
                }
            }
            spans.extend(from.map(|start| Span::of_lane(lane, start, None)));
        }
        spans.sort_by_key(|span| (span.from, span.lane));
        spans
    }

    /// Returns the periods after steps that crash a process, until a step restarts it. If the process goes on without a
    /// restart, the crash was momentary.
    fn down_by_steps(&self) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        for (index, lane, words) in self.steps() {
            let Some(lane) = lane else { continue };
            let is_restart = words.iter().any(|word| is_word(word, &RESTARTS));
            let is_crash = !is_restart && words.iter().any(|word| is_word(word, &CRASHES));
            if let Some(open) = spans.iter_mut().find(|span| span.lane == Some(lane) && span.to.is_none()) {
                open.to = Some(if is_restart { index } else { open.from });
            }
            if is_crash {
                spans.push(Span::of_lane(lane, index, None));
            }
        }
        spans
    }

    fn restarts(&self, down: &[Span]) -> Vec<(usize, usize)> {
        let ends_a_span = |index: usize, lane: usize| {
            down.iter().any(|span| span.lane == Some(lane) && span.to == Some(index))
        };
        let restarts = self.steps().filter_map(|(index, lane, words)| {
            let is_restart = words.iter().any(|word| is_word(word, &RESTARTS));
            lane.filter(|&lane| is_restart && !ends_a_span(index, lane)).map(|lane| (lane, index))
        });
        restarts.collect()
    }

    /// Returns each step with the index of the state that it leads to, its lane, and the words in its name.
    fn steps(&self) -> impl Iterator<Item = (usize, Option<usize>, Vec<String>)> {
        let steps = self.trace.states.iter().enumerate().skip(1);
        steps.filter_map(|(index, state)| {
            let step = state.step.as_ref()?;
            Some((index, self.lane_of_state.get(index).copied().flatten(), words(&step.name)))
        })
    }

    /// Returns the periods in which links are cut, if a variable shows them.
    fn cuts(&self) -> Option<Vec<Span>> {
        let (place, is_cut) = variable_paths(self.trace).find_map(|place| {
            let is_cut = place.words.iter().any(|word| is_word(word, &CUT_WORDS));
            let is_connected = place.words.iter().any(|word| is_word(word, &CONNECTED_WORDS));
            let is_of_groups =
                || self.trace.states.iter().all(|state| self.groups(place.value(state)).is_some());
            ((is_cut || is_connected) && is_of_groups()).then_some((place, is_cut))
        })?;
        let mut spans: Vec<Span> = Vec::new();
        for (index, state) in self.trace.states.iter().enumerate() {
            let groups = self.groups(place.value(state)).unwrap_or_default();
            let text = self.links(&groups, is_cut);
            let open = spans.last_mut().filter(|span| span.to.is_none());
            match open {
                Some(open) if open.text == text => continue,
                Some(open) => open.to = Some(index),
                None => {}
            }
            if !text.is_empty() {
                spans.push(Span { lane: None, from: index, to: None, text });
            }
        }
        Some(spans)
    }

    /// Returns the sets or pairs of processes in a collection.
    fn groups(&self, value: Option<&Datum>) -> Option<Vec<Vec<usize>>> {
        let Some(Datum::Set(items) | Datum::Seq(items)) = value else { return None };
        let lane = |value: &Datum| self.processes.iter().position(|process| is_same_name(process, value));
        let group = |item: &Datum| {
            let (Datum::Set(members) | Datum::Seq(members)) = item else { return None };
            members.iter().map(lane).collect::<Option<Vec<usize>>>()
        };
        items.iter().map(group).collect()
    }

    /// Returns a text of the links that are cut: the pairs, or those that are in no group.
    fn links(&self, groups: &[Vec<usize>], is_cut: bool) -> String {
        let n = self.processes.len();
        let together =
            |a: usize, b: usize| groups.iter().any(|group| group.contains(&a) && group.contains(&b));
        let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
        let cut = pairs.filter(|&(a, b)| together(a, b) == is_cut);
        let name = |lane: usize| super::name_of(&self.processes[lane]);
        cut.map(|(a, b)| format!("{}–{}", name(a), name(b))).collect::<Vec<_>>().join(", ")
    }

    /// Returns the periods from a step that cuts something to one that heals something.
    fn cuts_by_steps(&self) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        for (index, lane, words) in self.steps() {
            let open = spans.last_mut().filter(|span| span.to.is_none());
            if words.iter().any(|word| is_word(word, &HEALS)) {
                if let Some(open) = open {
                    open.to = Some(index);
                }
            } else if words.iter().any(|word| is_word(word, &PARTS)) {
                if let Some(open) = open {
                    open.to = Some(index);
                }
                let text = lane.map(|lane| super::name_of(&self.processes[lane])).unwrap_or_default();
                spans.push(Span { lane: None, from: index, to: None, text });
            }
        }
        spans
    }
}

impl Span {
    fn of_lane(lane: usize, from: usize, to: Option<usize>) -> Span {
        Span { lane: Some(lane), from, to, text: String::new() }
    }
}

/// A variable, or a field of one that is a record.
struct VariablePath<'t> {
    words: Vec<String>,
    variable: usize,
    field: Option<&'t str>,
}

impl VariablePath<'_> {
    fn value<'s>(&self, state: &'s State) -> Option<&'s Datum> {
        let value = state.values[self.variable].as_ref()?;
        match (self.field, value) {
            (None, value) => Some(value),
            (Some(name), Datum::Record(fields)) => {
                fields.iter().find(|(field, _)| field == name).map(|(_, value)| value)
            }
            (Some(_), _) => None,
        }
    }
}

fn variable_paths(trace: &Trace) -> impl Iterator<Item = VariablePath<'_>> {
    trace.variables.iter().enumerate().flat_map(|(variable, name)| {
        let value = trace.states.first().and_then(|state| state.values[variable].as_ref());
        let fields = match value {
            Some(Datum::Record(fields)) => &fields[..],
            Some(_) | None => &[],
        };
        let whole = VariablePath { words: words(name), variable, field: None };
        let parts = fields.iter().map(move |(field, _)| VariablePath {
            words: words(field),
            variable,
            field: Some(field),
        });
        std::iter::once(whole).chain(parts)
    })
}

/// Whether these words mean that something runs, or that it does not.
fn polarity(words: &[String]) -> Option<bool> {
    let last = words.last()?;
    match (is_word(last, &UP_WORDS), is_word(last, &DOWN_WORDS)) {
        (true, _) => Some(true),
        (false, true) => Some(false),
        (false, false) => None,
    }
}

fn is_word(word: &str, known: &[&str]) -> bool {
    known.contains(&word)
}

/// Returns the position of the first of the known words that occurs.
fn rank(words: &[String], known: &[&str]) -> Option<usize> {
    known.iter().position(|known| words.iter().any(|word| word == known))
}

/// Returns the value of a function for an argument, in any form.
pub(crate) fn part_of<'d>(value: &'d Datum, argument: &Datum) -> Option<&'d Datum> {
    match value {
        Datum::Function(pairs) => {
            pairs.iter().find(|(known, _)| is_same_name(known, argument)).map(|(_, value)| value)
        }
        Datum::Record(fields) => {
            let (Datum::Str(name) | Datum::Model(name)) = argument else { return None };
            fields.iter().find(|(field, _)| field == name).map(|(_, value)| value)
        }
        Datum::Seq(items) => {
            let Datum::Int(position) = argument else { return None };
            items.get(usize::try_from(position).ok()?.checked_sub(1)?)
        }
        Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) => None,
        Datum::Set(_) | Datum::Opaque(_) => None,
    }
}

/// Whether the name of an action says that it removes messages without a receiver: with a link, with a process, or by
/// themselves.
pub(super) fn loses_messages(action: &str) -> bool {
    let words = words(action);
    [&LOSSES[..], &PARTS, &CRASHES].iter().any(|known| words.iter().any(|word| is_word(word, known)))
}

/// Returns the words of a name, in lower case: `currentTerm`, `current_term` and `PowerFail` have two words each.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut was_lower = false;
    for letter in name.chars() {
        let begins = !letter.is_alphabetic() || (letter.is_uppercase() && was_lower);
        if begins || words.is_empty() {
            words.push(String::new());
        }
        if let (true, Some(last)) = (letter.is_alphabetic(), words.last_mut()) {
            last.extend(letter.to_lowercase());
        }
        was_lower = letter.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn names_are_made_of_words() {
        for (name, expected) in [
            ("currentTerm", vec!["current", "term"]),
            ("current_term", vec!["current", "term"]),
            ("PowerFail", vec!["power", "fail"]),
            ("pc", vec!["pc"]),
            ("_conn2", vec!["conn"]),
            ("", vec![]),
        ] {
            assert_eq!(words(name), expected, "{name}");
        }
    }
}
