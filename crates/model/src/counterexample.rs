//! `CounterExample` of TLCExt: the trace that a search ended with, as a value for postconditions.

use eval::Owned;
use sema::Spec;
use sema::spec::{Def, DefKind};
use trace::{Binding, Datum, Ending, Place, Step, Trace};
use value::Atoms;

use crate::Model;

/// `[state: set of <<number, record>>, action: set of <<state, step, state>>]`. Nothing if a state holds what
/// has no explicit value.
pub fn counterexample(model: Model<'_>, trace: &Trace) -> Option<Owned> {
    let (atoms, spec) = (model.program.atoms, model.spec);
    // What else is shown in each state comes after the variables, and is no part of it.
    let n_variables = trace.variables.len() - trace.expressions.len();
    let numbered = |index: usize| {
        let fields = trace.variables.iter().zip(&trace.states[index].values).take(n_variables);
        let record =
            fields.map(|(name, value)| Some((Owned::text(name), to_owned_value(atoms, value.as_ref()?)?)));
        Some(Owned::Sequence(vec![number(index + 1), Owned::Function(record.collect::<Option<_>>()?)]))
    };
    let states: Vec<Owned> = (0..trace.states.len()).map(numbered).collect::<Option<_>>()?;
    let steps = trace.states.iter().enumerate().skip(1).map(|(index, state)| {
        let step = state.step.as_ref().map_or_else(|| Owned::record([]), |step| action(atoms, spec, step));
        Owned::Sequence(vec![states[index - 1].clone(), step, states[index].clone()])
    });
    let closing = closing(trace).map(|(to, step)| {
        let step = step.map_or_else(|| Owned::record([]), |step| action(atoms, spec, step));
        Owned::Sequence(vec![states[states.len() - 1].clone(), step, states[to].clone()])
    });
    let steps = Owned::Set(steps.chain(closing).collect());
    Some(Owned::record([("state", Owned::Set(states)), ("action", steps)]))
}

/// The step that closes a cycle, and the index of the state that it leads to. TLC: where the last state stays for ever, the
/// step before is there once more.
fn closing(trace: &Trace) -> Option<(usize, Option<&Step>)> {
    match &trace.ending {
        Ending::Stop => None,
        Ending::Stuttering => Some((trace.states.len() - 1, trace.states.last()?.step.as_ref())),
        Ending::Loop { to, step } => Some((*to, step.as_ref())),
    }
}

fn action(atoms: &'static Atoms, spec: &Spec, step: &Step) -> Owned {
    let mut fields = vec![(Owned::text("name"), Owned::text(&step.name))];
    fields.extend(step.place.iter().map(|place| (Owned::text("location"), location(place))));
    let arguments: Vec<(Owned, Owned)> = arguments(spec, step)
        .filter_map(|binding| Some((Owned::text(&binding.name), to_owned_value(atoms, &binding.value)?)))
        .collect();
    if !arguments.is_empty() {
        let names = arguments.iter().map(|(name, _)| name.clone()).collect();
        fields.push((Owned::text("context"), Owned::Function(arguments)));
        fields.push((Owned::text("parameters"), Owned::Sequence(names)));
    }
    Owned::Function(fields)
}

/// TLC: only the arguments of the definition that the step is named after.
fn arguments<'s>(spec: &'s Spec, step: &'s Step) -> impl Iterator<Item = &'s Binding> {
    let is_it = |def: &&Def| spec.names.text(def.name) == step.name && def.kind != DefKind::Let;
    let params = spec.defs.iter().find(is_it).map_or(&[][..], |def| def.params.as_slice());
    params.iter().filter_map(|&param| {
        let name = spec.names.text(spec.locals[param].name);
        step.parameters.iter().find(|binding| binding.name == name)
    })
}

/// A place as TLC counts: the last column is part of it.
pub fn location(place: &Place) -> Owned {
    Owned::record([
        ("beginLine", Owned::Int(i64::from(place.start.line))),
        ("beginColumn", Owned::Int(i64::from(place.start.column))),
        ("endLine", Owned::Int(i64::from(place.end.line))),
        ("endColumn", Owned::Int(i64::from(place.end.column) - 1)),
        ("module", Owned::text(&place.module)),
    ])
}

fn number(index: usize) -> Owned {
    Owned::Int(index as i64)
}

pub fn to_owned_value(atoms: &'static Atoms, datum: &Datum) -> Option<Owned> {
    let all =
        |items: &[Datum]| items.iter().map(|item| to_owned_value(atoms, item)).collect::<Option<Vec<_>>>();
    base::with_stack(|| match datum {
        Datum::Bool(value) => Some(Owned::Bool(*value)),
        Datum::Int(value) => Some(Owned::BigInt(value.clone())),
        Datum::Str(text) => Some(Owned::text(text)),
        Datum::Model(name) => Some(Owned::Atom(atoms.string(name).as_model_value())),
        Datum::Seq(items) => Some(Owned::Sequence(all(items)?)),
        Datum::Set(items) => Some(Owned::Set(all(items)?)),
        Datum::Record(fields) => {
            let fields =
                fields.iter().map(|(name, value)| Some((Owned::text(name), to_owned_value(atoms, value)?)));
            Some(Owned::Function(fields.collect::<Option<_>>()?))
        }
        Datum::Function(pairs) => {
            let pairs = pairs
                .iter()
                .map(|(key, value)| Some((to_owned_value(atoms, key)?, to_owned_value(atoms, value)?)));
            Some(Owned::Function(pairs.collect::<Option<_>>()?))
        }
        Datum::Opaque(_) => None,
    })
}
