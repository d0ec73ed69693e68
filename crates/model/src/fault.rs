//! A failed evaluation as a diagnostic: the code of its kind, its place, the calls that led there.

use diag::render::count;
use diag::{Code, Diagnostic};
use eval::interp::{Fault, FaultKind, Machine, PathEntry, SavedValue};
use eval::ir::Root;
use value::OpError;

use crate::Model;
use crate::{data, explain};

/// How many calls are shown.
const CALLS_SHOWN_MAX: usize = 8;
/// Values in a message are cut after this many characters; the trace has them whole.
const VALUE_CHARS_MAX: usize = 80;
/// So is the message itself, when it quotes a large value.
const HEADLINE_CHARS_MAX: usize = 1_000;

pub fn diagnostic(model: Model<'_>, fault: &Fault) -> Diagnostic {
    let headline = fault.kind.headline(model.program, &model.spec.names);
    let mut diagnostic =
        Diagnostic::new(code(&fault.kind), fault.span, cut_text(&headline, HEADLINE_CHARS_MAX));
    for (span, value) in &fault.operands {
        let value = cut_text(&data::saved_datum(value).to_string(), VALUE_CHARS_MAX);
        diagnostic = diagnostic.related(*span, format!("this is {value}"));
    }
    diagnostic = with_calls(model, diagnostic, &fault.calls(model.program));
    match help(model, fault) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// The calls with their arguments, innermost first; then the names bound on the way.
fn with_calls(model: Model<'_>, mut diagnostic: Diagnostic, calls: &[&PathEntry]) -> Diagnostic {
    let mut n_calls = 0;
    for entry in calls.iter().rev() {
        let Some(def) = entry.def else { continue };
        n_calls += 1;
        if n_calls > CALLS_SHOWN_MAX {
            continue;
        }
        let def = &model.spec.defs[def];
        let values = values(model, entry);
        let values = if values.is_empty() { values } else { format!("({values})") };
        let text = format!("while evaluating `{}{values}`", model.spec.names.text(def.name));
        diagnostic = diagnostic.related(def.name_span, text);
    }
    if n_calls > CALLS_SHOWN_MAX {
        diagnostic =
            diagnostic.note(format!("at least {} led there", count(n_calls - CALLS_SHOWN_MAX, "more call")));
    }
    let bound = calls.iter().filter(|entry| entry.def.is_none()).map(|entry| values(model, entry));
    let bound: Vec<String> = bound.collect();
    if bound.is_empty() { diagnostic } else { diagnostic.note(format!("where {}", bound.join(", "))) }
}

/// Returns advice on a fault, where it is clear.
#[expect(clippy::wildcard_enum_match_arm, reason = "the rest has no advice of its own")]
fn help(model: Model<'_>, fault: &Fault) -> Option<String> {
    match &fault.kind {
        FaultKind::Unassigned { variable, next } => {
            let name = model.program.variables.get(usize::from(variable.0))?;
            let prime = if *next { "'" } else { "" };
            let name = model.spec.names.text(*name);
            Some(format!(
                "conjuncts are evaluated from left to right: give `{name}{prime}` a value before it is read"
            ))
        }
        FaultKind::TooDeep { .. } => Some(match replaced_by_itself(model, fault) {
            Some(name) => format!(
                "the configuration puts `{name}` in the place of something that `{name}` uses, so it applies itself"
            ),
            None => "does the recursion have a case that ends it?".to_owned(),
        }),
        FaultKind::Op(error) if matches!(**error, OpError::NoRoom) => {
            Some("choose smaller constants, or give more memory with `--memory`".to_owned())
        }
        FaultKind::Op(error) if matches!(**error, OpError::Full) => {
            Some("choose smaller constants".to_owned())
        }
        FaultKind::Sandboxed { .. } => {
            Some("if you trust the specification, run it with `--no-sandbox`".to_owned())
        }
        FaultKind::NoArm => Some("add an OTHER arm, or a guard for the values that are shown".to_owned()),
        _ => None,
    }
}

/// The definition that a replacement of the configuration makes recursive, if it was being evaluated.
fn replaced_by_itself<'m>(model: Model<'m>, fault: &Fault) -> Option<&'m str> {
    let def =
        fault.path.iter().filter_map(|entry| entry.def).find(|def| model.program.cyclic.contains(def))?;
    Some(model.spec.names.text(model.spec.defs[def].name))
}

/// Describes a formula that is FALSE by the part that makes it so, for a property that has no trace.
pub fn blame<'r>(
    model: Model<'_>,
    machine: &mut Machine<'_, 'r>,
    root: &Root,
    (code, headline): (Code, String),
) -> Diagnostic {
    let Ok(Some(mut culprit)) = machine.explain(*root) else {
        return Diagnostic::new(code, root.span, headline);
    };
    let way = std::mem::take(&mut culprit.way);
    let way: Vec<&PathEntry> =
        way.iter().filter(|entry| entry.def.is_none() || entry.def != root.def).collect();
    let diagnostic = Diagnostic::new(code, culprit.span, headline).label("this is FALSE");
    let diagnostic = with_calls(model, diagnostic, &way);
    let is_bound = |name: &str| {
        let mut bound = way.iter().filter(|entry| entry.def.is_none()).flat_map(|entry| &entry.bindings);
        bound.any(|(bound, _)| model.spec.names.text(*bound) == name)
    };
    let values = explain::describe_culprit(model, machine, culprit).values;
    let told = values.iter().filter(|binding| !is_bound(&binding.name));
    let told = told.map(|binding| {
        format!("{} is {}", binding.name, cut_text(&binding.value.to_string(), VALUE_CHARS_MAX))
    });
    told.fold(diagnostic, Diagnostic::note)
}

/// `i = 1, m = [type |-> "1a"]`
fn values(model: Model<'_>, entry: &PathEntry) -> String {
    let one = |(name, value): &(base::Name, SavedValue)| {
        format!(
            "{} = {}",
            model.spec.names.text(*name),
            cut_text(&data::saved_datum(value).to_string(), VALUE_CHARS_MAX)
        )
    };
    entry.bindings.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn cut_text(text: &str, n_chars_max: usize) -> String {
    match text.char_indices().nth(n_chars_max) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

/// Describes a fault for a trace.
pub fn failure(model: Model<'_>, fault: &Fault) -> trace::Failure {
    explain::describe_place(model, fault.span, &fault.calls(model.program))
}

pub fn code(kind: &FaultKind) -> Code {
    match kind {
        FaultKind::Op(error) => op_code(error),
        FaultKind::NotBoolean { .. } => Code::NotBoolean,
        FaultKind::Failure(_) => Code::NotEvaluable,
        FaultKind::Unassigned { .. } => Code::NoValueYet,
        FaultKind::NoArm | FaultKind::NoRow { .. } => Code::NoCaseArm,
        FaultKind::NoWitness { .. } => Code::NoWitness,
        FaultKind::NoMatch { .. } | FaultKind::Argument { .. } | FaultKind::NotApplicable { .. } => {
            Code::WrongKind
        }
        FaultKind::TooDeep { .. } => Code::TooDeepRecursion,
        FaultKind::Assert { .. } => Code::AssertFailed,
        FaultKind::OutsideSequence { .. } => Code::OutsideDomain,
        FaultKind::NoRegister { .. } | FaultKind::Unavailable { .. } => Code::NoRegister,
        FaultKind::Io { .. } | FaultKind::Malformed { .. } => Code::OutsideWorld,
        FaultKind::Sandboxed { .. } => Code::Sandboxed,
        FaultKind::Interrupted => Code::NotEvaluable,
    }
}

fn op_code(error: &OpError) -> Code {
    match error {
        OpError::NotComparable { .. }
        | OpError::RecordWithFunction { .. }
        | OpError::WrongModelType { .. }
        | OpError::DifferentModelTypes { .. }
        | OpError::NotDecidable { .. } => Code::NotComparable,
        OpError::WrongKind { .. } | OpError::BadFields { .. } => Code::WrongKind,
        OpError::OutsideDomain { .. } | OpError::NoSuchField { .. } | OpError::IndexOutside { .. } => {
            Code::OutsideDomain
        }
        OpError::NotEnumerable { .. } => Code::NotEnumerable,
        OpError::TooLarge { .. } | OpError::NumberTooLarge { .. } => Code::SetTooLarge,
        OpError::NoRoom | OpError::Full => Code::OutOfMemory,
        OpError::NotStorable { .. } => Code::NotStorable,
        OpError::EmptySequence { .. } => Code::EmptySequence,
        OpError::DivisionByZero
        | OpError::NotPositive { .. }
        | OpError::NegativeExponent { .. }
        | OpError::ZeroToTheZero => Code::BadArithmetic,
        OpError::NotBoolean { .. } => Code::NotBoolean,
        OpError::NoEvaluator | OpError::Raised(_) => Code::NotEvaluable,
    }
}
