//! Guesses the processes and the variables that hold messages from the shapes of values in all states of a trace.

use crate::diagram::roles::{NETWORKS, RECEIVERS, SENDERS, find};
use crate::{Datum, State, Trace};

/// The most lanes that can be read.
const PROCESSES_MAX: usize = 40;
/// The least weight of a guess. One function of model values is enough; values that may also be a record or a sequence
/// take two, or steps that name the arguments.
const WEIGHT_MIN: usize = 2;

/// Returns the processes: the arguments shared by most variables that are functions of model values, strings or numbers
/// in every state; or else the senders and receivers of messages.
pub(super) fn processes(trace: &Trace) -> Vec<Datum> {
    let mut candidates: Vec<Candidate> = Vec::new();
    for variable in 0..trace.variables.len() {
        let Some(candidate) = arguments(trace, variable) else { continue };
        match candidates.iter_mut().find(|known| known.arguments == candidate.arguments) {
            Some(known) => known.weight += candidate.weight,
            None => candidates.push(candidate),
        }
    }
    for candidate in &mut candidates {
        candidate.weight += usize::from(is_named_by_steps(trace, &candidate.arguments));
    }
    // Of several that are equally good, the first is taken.
    let best = candidates.into_iter().rev().max_by_key(|candidate| candidate.weight);
    let best = best.filter(|candidate| candidate.weight >= WEIGHT_MIN);
    best.map_or_else(|| correspondents(trace), |candidate| candidate.arguments)
}

struct Candidate {
    arguments: Vec<Datum>,
    weight: usize,
}

/// Returns the arguments of a variable that may have one value for each process, with the weight of this guess.
fn arguments(trace: &Trace, variable: usize) -> Option<Candidate> {
    let value = trace.states.first()?.values.get(variable)?.as_ref()?;
    let (arguments, weight): (Vec<Datum>, usize) = match value {
        Datum::Function(pairs) => (pairs.iter().map(|(argument, _)| argument.clone()).collect(), WEIGHT_MIN),
        Datum::Record(fields) => (fields.iter().map(|(name, _)| Datum::string(name.as_str())).collect(), 1),
        Datum::Seq(items) => ((1..=items.len()).map(Datum::int).collect(), 1),
        Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) => return None,
        Datum::Model(_) | Datum::Set(_) | Datum::Opaque(_) => return None,
    };
    let is_some = (2..=PROCESSES_MAX).contains(&arguments.len()) && arguments.iter().all(is_scalar);
    let is_fixed = || {
        let mut values = trace.states.iter().filter_map(|state| state.values[variable].as_ref());
        values.all(|value| has_arguments(value, &arguments))
    };
    (is_some && is_fixed()).then_some(Candidate { arguments, weight })
}

fn has_arguments(value: &Datum, arguments: &[Datum]) -> bool {
    match value {
        Datum::Function(pairs) => {
            pairs.len() == arguments.len() && pairs.iter().all(|(argument, _)| arguments.contains(argument))
        }
        Datum::Record(fields) => {
            let is_one =
                |name: &str| arguments.iter().any(|it| matches!(it, Datum::Str(text) if text == name));
            fields.len() == arguments.len() && fields.iter().all(|(name, _)| is_one(name))
        }
        Datum::Seq(items) => {
            items.len() == arguments.len() && matches!(arguments.first(), Some(Datum::Int(_)))
        }
        Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) => false,
        Datum::Model(_) | Datum::Set(_) | Datum::Opaque(_) => false,
    }
}

fn is_scalar(value: &Datum) -> bool {
    match value {
        Datum::Model(_) | Datum::Str(_) | Datum::Int(_) => true,
        Datum::Bool(_) | Datum::Seq(_) | Datum::Record(_) => false,
        Datum::Function(_) | Datum::Set(_) | Datum::Opaque(_) => false,
    }
}

/// Whether most steps have one of these values as a parameter.
fn is_named_by_steps(trace: &Trace, values: &[Datum]) -> bool {
    let steps = || trace.states.iter().skip(1).filter_map(|state| state.step.as_ref());
    let n_named = steps()
        .filter(|step| step.parameters.iter().any(|parameter| values.contains(&parameter.value)))
        .count();
    n_named > 0 && 2 * n_named >= steps().count()
}

/// Returns the names of all senders and receivers of messages.
fn correspondents(trace: &Trace) -> Vec<Datum> {
    let mut found: Vec<Datum> = Vec::new();
    for variable in 0..trace.variables.len() {
        for value in trace.states.iter().filter_map(|state| state.values[variable].as_ref()) {
            let all_are_messages = each_element(value, &mut |message| {
                let Some((from, to)) = ends(message) else { return false };
                for end in [from, to] {
                    if !found.contains(end) {
                        found.push(end.clone());
                    }
                }
                found.len() <= PROCESSES_MAX
            });
            if !all_are_messages {
                found.clear();
                break;
            }
        }
        if found.len() > 1 {
            found.sort_by_key(ToString::to_string);
            return found;
        }
        found.clear();
    }
    Vec::new()
}

/// Returns the sender and the receiver of a message, by the names of its fields.
fn ends(message: &Datum) -> Option<(&Datum, &Datum)> {
    let Datum::Record(fields) = message else { return None };
    let (from, to) = (find(fields, None, &SENDERS)?, find(fields, None, &RECEIVERS)?);
    (is_scalar(from) && is_scalar(to)).then_some((from, to))
}

/// Visits the elements of a set, a sequence or a bag as long as `each` returns true; returns whether it visited all.
/// Other values have no elements, for which it returns false.
fn each_element<'d>(value: &'d Datum, each: &mut impl FnMut(&'d Datum) -> bool) -> bool {
    match value {
        Datum::Set(items) | Datum::Seq(items) => items.iter().all(each),
        Datum::Function(pairs) => {
            pairs.iter().all(|(argument, count)| matches!(count, Datum::Int(_)) && each(argument))
        }
        Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) => false,
        Datum::Record(_) | Datum::Opaque(_) => false,
    }
}

/// Returns the variables that hold messages: those with such a name, or else those whose elements have a sender and a
/// receiver in every state. Of several of the latter, the first from which something is ever removed: the others only
/// remember messages.
pub(super) fn networks(trace: &Trace, is_process: &dyn Fn(&Datum) -> bool) -> Vec<usize> {
    let all = || 0..trace.variables.len();
    let is_called_so = |&variable: &usize| {
        let name = trace.variables[variable].trim_matches('_').to_lowercase();
        NETWORKS.contains(&name.as_str())
    };
    let called: Vec<usize> = all().filter(is_called_so).collect();
    if !called.is_empty() {
        return called;
    }
    let shaped: Vec<usize> = all().filter(|&variable| is_network(trace, variable, is_process)).collect();
    let shrinks = |&&variable: &&usize| {
        let values = || trace.states.iter().filter_map(|state| state.values[variable].as_ref());
        values().zip(values().skip(1)).any(|(before, after)| n_elements(after) < n_elements(before))
    };
    shaped.iter().find(shrinks).or(shaped.first()).copied().into_iter().collect()
}

/// Whether a variable holds only messages in all states, and at least one in some state.
fn is_network(trace: &Trace, variable: usize, is_process: &dyn Fn(&Datum) -> bool) -> bool {
    let mut has_any = false;
    let values = |state: &State| -> bool {
        let Some(value) = &state.values[variable] else { return true };
        match messages(value, 0, is_process) {
            Shape::Messages => has_any = true,
            Shape::Empty => {}
            Shape::Other => return false,
        }
        true
    };
    trace.states.iter().all(values) && has_any
}

enum Shape {
    /// It contains only messages.
    Messages,
    /// It contains nothing.
    Empty,
    Other,
}

/// Classifies the content of a value that belongs to `n_owners` processes.
fn messages(value: &Datum, n_owners: usize, is_process: &dyn Fn(&Datum) -> bool) -> Shape {
    let mut found = Shape::Empty;
    let is_message = |message: &Datum| {
        let Datum::Record(fields) = message else { return false };
        let names = |known: &[&str]| find(fields, None, known).is_some_and(is_process);
        match n_owners {
            // One of them may be no process, such as a client.
            0 => ends(message).is_some() && (names(&SENDERS) || names(&RECEIVERS)),
            1 => names(&SENDERS),
            _ => true,
        }
    };
    let Some(parts) = boxes(value, is_process) else {
        let mut has_any = false;
        let all_are = each_element(value, &mut |element| {
            has_any = true;
            is_message(element)
        });
        return match (all_are, has_any) {
            (true, true) => Shape::Messages,
            (true, false) => Shape::Empty,
            (false, _) => Shape::Other,
        };
    };
    for part in parts {
        match messages(part, n_owners + 1, is_process) {
            Shape::Messages => found = Shape::Messages,
            Shape::Empty => {}
            Shape::Other => return Shape::Other,
        }
    }
    found
}

/// Returns the parts of a value that has one for each of some processes.
pub(super) fn boxes<'d>(value: &'d Datum, is_process: &dyn Fn(&Datum) -> bool) -> Option<Vec<&'d Datum>> {
    let is_name = |name: &str| is_process(&Datum::string(name));
    match value {
        Datum::Function(pairs) if !pairs.is_empty() && pairs.iter().all(|(it, _)| is_process(it)) => {
            Some(pairs.iter().map(|(_, value)| value).collect())
        }
        Datum::Record(fields) if !fields.is_empty() && fields.iter().all(|(name, _)| is_name(name)) => {
            Some(fields.iter().map(|(_, value)| value).collect())
        }
        // A function on `1..n` has the form of a tuple.
        Datum::Seq(items) if items.len() > 1 && items.iter().all(is_collection) => {
            let all_are = (1..=items.len()).all(|position| is_process(&Datum::int(position)));
            all_are.then(|| items.iter().collect())
        }
        Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) | Datum::Opaque(_) => None,
        Datum::Seq(_) | Datum::Set(_) | Datum::Record(_) | Datum::Function(_) => None,
    }
}

fn is_collection(value: &Datum) -> bool {
    match value {
        Datum::Seq(_) | Datum::Set(_) | Datum::Function(_) => true,
        Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) => false,
        Datum::Record(_) | Datum::Opaque(_) => false,
    }
}

/// Returns the number of elements in a collection, including those in nested ones.
fn n_elements(value: &Datum) -> usize {
    match value {
        Datum::Set(items) | Datum::Seq(items) => items.len(),
        Datum::Function(pairs) => pairs.iter().map(|(_, value)| n_elements(value).max(1)).sum(),
        Datum::Record(fields) => fields.iter().map(|(_, value)| n_elements(value)).sum(),
        Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) | Datum::Opaque(_) => 0,
    }
}

/// Returns senders and receivers in these variables that are not processes yet: a client, a coordinator.
pub(super) fn others(trace: &Trace, networks: &[usize], processes: &[Datum]) -> Vec<Datum> {
    let mut found: Vec<Datum> = Vec::new();
    for &variable in networks {
        for value in trace.states.iter().filter_map(|state| state.values[variable].as_ref()) {
            each_element(value, &mut |message| {
                let Some((from, to)) = ends(message) else { return false };
                for end in [from, to] {
                    let is_new = !processes.iter().chain(&found).any(|known| is_same_name(known, end));
                    if is_new && processes.len() + found.len() < PROCESSES_MAX {
                        found.push(end.clone());
                    }
                }
                true
            });
        }
    }
    found.sort_by_key(ToString::to_string);
    found
}

/// Whether two values name the same process: one may be an argument of a function that is shown as a record.
pub(super) fn is_same_name(left: &Datum, right: &Datum) -> bool {
    match (left, right) {
        (Datum::Str(name) | Datum::Model(name), Datum::Str(other) | Datum::Model(other)) => name == other,
        (left, right) => left == right,
    }
}
