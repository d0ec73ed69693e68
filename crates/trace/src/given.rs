//! A trace from a file, in any form, for comparison with a specification.
//!
//! Our own traces say what each value is. Other tools write model values as strings, and TLC's JSON writes sets as
//! arrays. So the content of a file is not a value, but something that a value can be compared with.

use crate::itf::{self, ItfError};
use crate::tlc_json::{self, TlcStep, TlcTrace, Written};
use crate::{Binding, Datum, Ending, State, Step, Trace};

/// The content of a trace file.
#[derive(Clone, Debug)]
pub enum TraceFile {
    Itf(Box<Trace>),
    Tlc(TlcTrace),
}

/// Reads a trace, and detects its form.
pub fn read(text: &str) -> Result<TraceFile, ItfError> {
    match tlc_json::is_tlc(text) {
        true => tlc_json::read(text).map(TraceFile::Tlc),
        false => itf::read(text).map(|trace| TraceFile::Itf(Box::new(trace))),
    }
}

/// A trace that is to be compared.
#[derive(Clone, Debug)]
pub struct Given {
    pub variables: Vec<String>,
    pub states: Vec<GivenState>,
    /// For a behaviour without end, the index of the state that comes after the last one: the last one itself if
    /// nothing happens any more.
    pub back_to: Option<usize>,
    /// The step to that state, if it is known.
    pub last_step: Option<GivenStep>,
}

#[derive(Clone, Debug)]
pub struct GivenState {
    pub step: Option<GivenStep>,
    /// The values, one for each variable of the trace, in that order.
    pub values: Vec<Option<GivenValue>>,
}

#[derive(Clone, Debug)]
pub struct GivenStep {
    pub name: String,
    pub parameters: Vec<(String, GivenValue)>,
}

#[derive(Clone, Debug)]
pub enum GivenValue {
    /// Exactly this value.
    Exact(Datum),
    /// A value in which strings may be model values.
    Untyped(Datum),
    /// An untyped value with variants: as ITF writes them, and as module Variants defines them.
    Tagged {
        written: Datum,
        defined: Datum,
    },
    Written(Written),
}

impl GivenValue {
    /// Whether it can be this value.
    pub fn is(&self, datum: &Datum) -> bool {
        match self {
            GivenValue::Exact(given) => given == datum,
            GivenValue::Untyped(given) => is_untyped(given, datum),
            GivenValue::Tagged { written, defined } => {
                is_untyped(defined, datum) || is_untyped(written, datum)
            }
            GivenValue::Written(written) => written.is(datum),
        }
    }

    /// Returns the value that it most likely is, given a known value of the same kind; for people.
    pub fn like(&self, datum: Option<&Datum>) -> Datum {
        match self {
            GivenValue::Exact(given)
            | GivenValue::Untyped(given)
            | GivenValue::Tagged { defined: given, .. } => given.clone(),
            GivenValue::Written(written) => written.like(datum),
        }
    }

    /// Reads each variant in an untyped value as module Variants defines it.
    fn with_variants(self) -> GivenValue {
        match self {
            GivenValue::Untyped(written) => match with_variants(&written) {
                defined if defined == written => GivenValue::Untyped(written),
                defined => GivenValue::Tagged { written, defined },
            },
            GivenValue::Exact(_) | GivenValue::Tagged { .. } | GivenValue::Written(_) => self,
        }
    }
}

/// Whether a value of another tool, in which strings may be model values, can be this value.
fn is_untyped(given: &Datum, datum: &Datum) -> bool {
    given == datum || *given == without_models(datum)
}

/// Returns the value with a string in place of each model value.
fn without_models(datum: &Datum) -> Datum {
    match datum {
        Datum::Model(name) => Datum::string(name),
        Datum::Bool(_)
        | Datum::Int(_)
        | Datum::Str(_)
        | Datum::Opaque(_)
        | Datum::Seq(_)
        | Datum::Set(_)
        | Datum::Record(_)
        | Datum::Function(_) => with_parts(datum, without_models),
    }
}

/// Returns the value with `[A |-> v]`, which is what module Variants defines, in place of each record
/// `[tag |-> "A", value |-> v]`, which is how ITF writes the variant `A` of `v`.
fn with_variants(datum: &Datum) -> Datum {
    let Datum::Record(fields) = datum else { return with_parts(datum, with_variants) };
    let field = |wanted: &str| fields.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
    match (fields.len(), field("tag"), field("value")) {
        (2, Some(Datum::Str(tag)), Some(value)) => Datum::record([(tag.clone(), with_variants(value))]),
        _ => with_parts(datum, with_variants),
    }
}

/// Returns the value with other parts in place of its own.
fn with_parts(datum: &Datum, change: fn(&Datum) -> Datum) -> Datum {
    let all = |items: &[Datum]| items.iter().map(change).collect();
    base::with_stack(|| match datum {
        Datum::Model(_) | Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Opaque(_) => datum.clone(),
        Datum::Seq(items) => Datum::Seq(all(items)),
        Datum::Set(items) => Datum::Set(all(items)),
        Datum::Record(fields) => {
            Datum::record(fields.iter().map(|(name, value)| (name.clone(), change(value))))
        }
        Datum::Function(pairs) => {
            let pair = |(argument, value): &(Datum, Datum)| (change(argument), change(value));
            Datum::Function(pairs.iter().map(pair).collect())
        }
    })
}

/// The name of the tool in our own traces.
const OUR_TOOL: &str = "specline";

impl From<&Trace> for Given {
    fn from(trace: &Trace) -> Given {
        let is_ours = trace.about.tool.as_ref().is_some_and(|tool| tool.starts_with(OUR_TOOL));
        Given::of(trace, is_ours)
    }
}

impl Given {
    /// Creates a trace whose values are exactly these.
    pub fn exact(trace: &Trace) -> Given {
        Given::of(trace, true)
    }

    fn of(trace: &Trace, is_exact: bool) -> Given {
        let value = |datum: &Datum| match is_exact {
            true => GivenValue::Exact(datum.clone()),
            false => GivenValue::Untyped(datum.clone()),
        };
        let step = |step: &Step| GivenStep {
            name: step.name.clone(),
            parameters: step
                .parameters
                .iter()
                .map(|known| (known.name.clone(), value(&known.value)))
                .collect(),
        };
        let state = |state: &State| GivenState {
            step: state.step.as_ref().map(step),
            values: state.values.iter().map(|known| known.as_ref().map(value)).collect(),
        };
        let (back_to, last_step) = match &trace.ending {
            Ending::Stop => (None, None),
            Ending::Stuttering => (trace.states.len().checked_sub(1), None),
            Ending::Loop { to, step: last } => (Some(*to), last.as_ref().map(step)),
        };
        let given = Given {
            variables: trace.variables.clone(),
            states: trace.states.iter().map(state).collect(),
            back_to,
            last_step,
        };
        given.without(&trace.expressions)
    }

    /// Reads the variants of another tool as a specification does that uses module Variants.
    pub fn with_variants(mut self) -> Given {
        let read = |value: &mut Option<GivenValue>| *value = value.take().map(GivenValue::with_variants);
        self.states.iter_mut().flat_map(|state| &mut state.values).for_each(read);
        self
    }

    /// Removes these variables, which are not part of the states.
    fn without(mut self, names: &[String]) -> Given {
        let is_kept: Vec<bool> = self.variables.iter().map(|name| !names.contains(name)).collect();
        let mut kept = is_kept.iter();
        self.variables.retain(|_| *kept.next().unwrap_or(&true));
        for state in &mut self.states {
            let mut kept = is_kept.iter();
            state.values.retain(|_| *kept.next().unwrap_or(&true));
        }
        self
    }
}

impl From<&TlcTrace> for Given {
    fn from(trace: &TlcTrace) -> Given {
        let value = |written: &Written| GivenValue::Written(written.clone());
        let step = |step: &TlcStep| GivenStep {
            name: step.name.clone(),
            parameters: step.parameters.iter().map(|(name, known)| (name.clone(), value(known))).collect(),
        };
        let states = trace.states.iter().map(|state| GivenState {
            step: state.step.as_ref().map(step),
            values: state.values.iter().map(|known| known.as_ref().map(value)).collect(),
        });
        let is_last = |to: usize| to + 1 == trace.states.len();
        let (back_to, last_step) = match &trace.back_to {
            None => (None, None),
            // If nothing happens any more, TLC repeats the step before.
            Some((to, _)) if is_last(*to) => (Some(*to), None),
            Some((to, last)) => (Some(*to), last.as_ref().map(step)),
        };
        Given { variables: trace.variables.clone(), states: states.collect(), back_to, last_step }
    }
}

impl From<&TraceFile> for Given {
    fn from(file: &TraceFile) -> Given {
        match file {
            TraceFile::Itf(trace) => Given::from(trace.as_ref()),
            TraceFile::Tlc(trace) => Given::from(trace),
        }
    }
}

impl TlcTrace {
    /// Returns the trace as it is written, if JSON represents each of its values unambiguously: numbers and truth
    /// values. Otherwise returns the first ambiguous value, by the number of its state, from 1, and its name.
    pub fn without_specification(&self) -> Result<Trace, (usize, String)> {
        let mut trace = Trace::new(self.variables.clone());
        for (index, state) in self.states.iter().enumerate() {
            let named = self.variables.iter().zip(&state.values);
            let value = |(name, written): (&String, &Option<Written>)| match written {
                None => Ok(None),
                Some(written) => written.only().map(Some).ok_or_else(|| (index + 1, name.clone())),
            };
            let values = named.map(value).collect::<Result<_, _>>()?;
            let step = state.step.as_ref().map(|step| plain_step(step, index)).transpose()?;
            trace.states.push(State { step, values });
        }
        trace.ending = match &self.back_to {
            None => Ending::Stop,
            Some((to, _)) if to + 1 == self.states.len() => Ending::Stuttering,
            Some((to, step)) => {
                let step = step.as_ref().map(|step| plain_step(step, self.states.len())).transpose()?;
                Ending::Loop { to: *to, step }
            }
        };
        Ok(trace)
    }
}

fn plain_step(step: &TlcStep, index: usize) -> Result<Step, (usize, String)> {
    let parameter = |(name, written): &(String, Written)| {
        let value = written.only().ok_or_else(|| (index + 1, name.clone()))?;
        Ok(Binding::new(name, value))
    };
    let parameters = step.parameters.iter().map(parameter).collect::<Result<_, _>>()?;
    Ok(Step { name: step.name.clone(), place: step.place.clone(), parameters })
}
