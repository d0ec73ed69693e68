//! Findings as they are told: a violation with its diagnostic, or why there is no verdict. The trace is made
//! elsewhere, and what it shows is set here.

use diag::{Code, Diagnostic, Span};
use eval::interp::{Fault, FaultKind};
use eval::ir::{ActionLeaf, Program, Root};
use trace::{Failure, Finding as Shown, Trace};

use crate::Model;
use crate::fault;
use crate::names::root_name;
use crate::outcome::What;
use crate::outcome::{Limit, NoVerdict, Phase, Property, PropertyKind, Violation};
use crate::step_names::step_names;

/// A trace of a model's variables, without states.
pub fn no_states(model: Model<'_>) -> Trace {
    let names = model.program.variables.iter();
    Trace::new(names.map(|&name| model.spec.names.text(name).to_owned()).collect())
}

/// Which property a violation is of.
pub fn property(program: &Program, what: &What) -> (PropertyKind, Option<Root>) {
    match what {
        What::Invariant(index) => (PropertyKind::Invariant, Some(program.invariants[*index])),
        What::StepProperty(index) => (PropertyKind::Step, Some(program.step_properties[*index].root)),
        What::InitialProperty(index) => (PropertyKind::Initial, Some(program.implied_inits[*index])),
        What::Deadlock | What::Incomplete | What::Fault(..) | What::Full => (PropertyKind::Deadlock, None),
    }
}

const DEADLOCK_HELP: &str = "if the specification may end there, allow it with `--deadlock off`, or `CHECK_DEADLOCK FALSE` in the configuration";

/// A violation; `explained` is the part of the property that failed, and its place.
pub fn violation(
    model: Model<'_>,
    what: &What,
    trace: Trace,
    explained: Option<(Span, Failure)>,
) -> Violation {
    let (kind, root) = property(model.program, what);
    let name = root.map_or("deadlock".to_owned(), |root| root_name(model.spec, &root));
    let (code, headline, finding) = words(kind, &name);
    let span = root.map(|root| root.span);
    let diagnostic = match (&explained, span) {
        (Some((place, _)), _) => Diagnostic::new(code, *place, headline).label("this is FALSE"),
        (None, Some(span)) => Diagnostic::new(code, span, headline),
        (None, None) => Diagnostic::without_place(code, headline),
    };
    let diagnostic = match kind {
        PropertyKind::Deadlock => diagnostic.help(DEADLOCK_HELP),
        PropertyKind::Assumption
        | PropertyKind::Invariant
        | PropertyKind::Step
        | PropertyKind::Initial
        | PropertyKind::Temporal
        | PropertyKind::Postcondition
        | PropertyKind::Possible
        | PropertyKind::Periodic => diagnostic,
    };
    let failure = explained.map(|(_, failure)| failure);
    let trace = Some(Trace { finding, failure, ..trace });
    Violation { property: Property { kind, name, span }, trace, is_prefix: false, diagnostic }
}

/// Why there is no verdict. `initial`: it came up among the initial states.
pub fn no_verdict(model: Model<'_>, what: What, initial: bool, trace: Trace) -> NoVerdict {
    match what {
        What::Fault(phase, fault) => {
            let error = Box::new(fault::diagnostic(model, &fault));
            // TLC: an invariant that fails so is one that cannot be evaluated; so is whatever is evaluated for
            // initial states.
            if let FaultKind::Assert { message } = &fault.kind
                && phase != Phase::Invariant
                && !initial
            {
                let shown = Shown::Assertion { message: message.clone() };
                let trace = Some(Box::new(trace_to_failure(model, trace, shown, &fault)));
                return NoVerdict::Assertion { error, fault, trace };
            }
            let (code, message) = (Some(error.code.id().to_owned()), error.headline.clone());
            let shown = Shown::EvaluationError { code, message };
            let trace = Some(Box::new(trace_to_failure(model, trace, shown, &fault)));
            NoVerdict::Undefined { phase, initial, error, fault: Some(fault), trace }
        }
        What::Incomplete => incomplete(model, initial, trace),
        What::Full => NoVerdict::Limit(Limit::Memory),
        What::Invariant(_) | What::StepProperty(_) | What::InitialProperty(_) | What::Deadlock => {
            unreachable!("violations are verdicts")
        }
    }
}

/// A trace to where evaluation failed.
fn trace_to_failure(model: Model<'_>, trace: Trace, finding: Shown, fault: &Fault) -> Trace {
    Trace { finding, failure: Some(fault::failure(model, fault)), ..trace }
}

fn incomplete(model: Model<'_>, initial: bool, mut trace: Trace) -> NoVerdict {
    let last = trace.states.last();
    let missing: Vec<String> = last.map_or_else(Vec::new, |state| {
        let named = trace.variables.iter().zip(&state.values);
        named.filter(|(_, value)| value.is_none()).map(|(name, _)| format!("`{name}`")).collect()
    });
    let have = if missing.len() == 1 { "has" } else { "have" };
    let what = if initial { "an initial state" } else { "a successor" };
    let headline = format!("{} {have} no value in {what}", missing.join(", "));
    let step = last.and_then(|state| state.step.as_ref());
    let span = match step.and_then(|step| leaf_span(model, &step.name)) {
        Some(span) => Some(span),
        None => model.program.init.first().map(|root| root.span),
    };
    let error = match span {
        Some(span) => Diagnostic::new(Code::IncompleteState, span, headline),
        None => Diagnostic::without_place(Code::IncompleteState, headline),
    };
    let error = error.help(match initial {
        true => "give every variable a value in the initial predicate",
        false => "give every variable a value, or say that it is UNCHANGED",
    });
    let (code, message) = (Some(error.code.id().to_owned()), error.headline.clone());
    trace.finding = Shown::EvaluationError { code, message };
    NoVerdict::Incomplete { initial, error: Box::new(error), trace: Some(Box::new(trace)) }
}

/// Where the first action of this name is.
fn leaf_span(model: Model<'_>, name: &str) -> Option<Span> {
    let (tree, _) = model.program.next.as_ref()?;
    let is_it = |leaf: &&ActionLeaf| step_names(model, leaf).iter().any(|step_name| step_name == name);
    tree.leaves().into_iter().find(is_it).map(|leaf| leaf.span)
}

fn words(kind: PropertyKind, name: &str) -> (Code, String, Shown) {
    let name = name.to_owned();
    match kind {
        PropertyKind::Invariant => {
            (Code::InvariantViolated, format!("invariant `{name}` is violated"), Shown::Invariant { name })
        }
        PropertyKind::Step => (
            Code::StepViolated,
            format!("action property `{name}` is violated"),
            Shown::ActionProperty { name },
        ),
        PropertyKind::Initial => (
            Code::InitialViolated,
            format!("property `{name}` is violated by an initial state"),
            Shown::InitialProperty { name },
        ),
        PropertyKind::Deadlock
        | PropertyKind::Assumption
        | PropertyKind::Postcondition
        | PropertyKind::Possible
        | PropertyKind::Temporal
        | PropertyKind::Periodic => {
            (Code::Deadlock, "deadlock: a state has no successor".to_owned(), Shown::Deadlock)
        }
    }
}

pub fn no_initial_state(model: Model<'_>) -> NoVerdict {
    let headline = "no state satisfies the initial predicate";
    let help = "is there a contradiction in Init, or an empty set that a variable is taken from?";
    none_to_begin_in(model.program.init.first(), (Code::NoInitialState, headline, help))
}

/// There are initial states, and no walk may begin in one of them.
pub fn no_initial_in_model(model: Model<'_>) -> NoVerdict {
    let headline = "no initial state satisfies the constraints";
    let help = "a walk begins in an initial state that every CONSTRAINT allows";
    none_to_begin_in(model.program.constraints.first(), (Code::NoInitialInModel, headline, help))
}

fn none_to_begin_in(root: Option<&Root>, (code, headline, help): (Code, &str, &str)) -> NoVerdict {
    let error = match root {
        Some(root) => Diagnostic::new(code, root.span, headline),
        None => Diagnostic::without_place(code, headline),
    };
    NoVerdict::NoInitialState(Box::new(error.help(help)))
}
