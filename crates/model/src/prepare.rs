//! A model before its first state and after its last: constant definitions, assumptions, actions; postconditions.

use diag::{Code, Diagnostic, Span};
use eval::interp::{ActionInstance, Evaluated, Fault, FaultKind, Machine, Shared, action_instances};
use eval::ir::Root;
use sema::spec::{AssumeKind, Entity, ScopeEntry};

use crate::Model;
use crate::fault;
use crate::names::root_name;
use crate::outcome::{Ended, NoVerdict, Outcome, Phase, Property, PropertyKind, Verdict, Violation};
use crate::run::{Evaluation, QuietRun, quietly};
use crate::witness::Witnesses;

/// Evaluates the constants and assumptions of a model, and returns its actions; or how it all ends before the first state.
pub fn prepare<'a>(
    model: Model<'a>,
    shared: &'a Shared,
    run: &'a dyn QuietRun,
) -> Result<Vec<ActionInstance<'a>>, Ended> {
    prepare_with(Evaluation { model, shared, run }, |_| Ok(())).map(|(actions, ())| actions)
}

/// The actions, and what `before` makes before them; or how the check ends before the first state.
pub fn prepare_with<'a, T>(
    evaluation: Evaluation<'a>,
    before: impl FnOnce(&mut Machine<'a, '_>) -> Result<T, Ended>,
) -> Result<(Vec<ActionInstance<'a>>, T), Ended> {
    let Evaluation { model, run, .. } = evaluation;
    let region = run.region();
    let mut machine = evaluation.machine(&region);
    preevaluate(model, &mut machine);
    assumptions(model, run, &mut machine)?;
    constant_formulas(model, &mut machine)?;
    constant_postconditions(model, &mut machine)?;
    actions_and(model, &mut machine, before)
}

/// Prepares a model whose assumptions were found to hold before: they are not evaluated again.
pub fn prepare_again<'a, T>(
    evaluation: Evaluation<'a>,
    before: impl FnOnce(&mut Machine<'a, '_>) -> Result<T, Ended>,
) -> Result<(Vec<ActionInstance<'a>>, T), Ended> {
    let Evaluation { model, run, .. } = evaluation;
    let region = run.region();
    let mut machine = evaluation.machine(&region);
    preevaluate(model, &mut machine);
    actions_and(model, &mut machine, before)
}

fn preevaluate(model: Model<'_>, machine: &mut Machine<'_, '_>) {
    for &global in &model.program.preevaluated {
        // TLC: what fails here fails when it is used.
        let _ = machine.global(global);
    }
}

/// The actions, and what is made before them.
fn actions_and<'a, T>(
    model: Model<'a>,
    machine: &mut Machine<'a, '_>,
    before: impl FnOnce(&mut Machine<'a, '_>) -> Result<T, Ended>,
) -> Result<(Vec<ActionInstance<'a>>, T), Ended> {
    if model.program.next.is_none() {
        // TLC: without variables there is nothing to check but the assumptions.
        let only_assumptions = model.program.init.is_empty() && model.program.variables.is_empty();
        return Err(if only_assumptions { Ended::Verdict(Verdict::Holds) } else { no_next(model).into() });
    }
    let made = before(machine)?;
    let undefined = |fault: Box<Fault>| Err(undefined(model, Phase::Preparation, fault));
    let actions = action_instances(model.program, machine).map_err(undefined)?;
    Ok((actions, made))
}

fn undefined(model: Model<'_>, phase: Phase, fault: Box<Fault>) -> NoVerdict {
    let error = Box::new(fault::diagnostic(model, &fault));
    if matches!(fault.kind, FaultKind::Interrupted) {
        return NoVerdict::Interrupted;
    }
    NoVerdict::Undefined { phase, initial: false, error, fault: Some(fault), trace: None }
}

fn assumptions(model: Model<'_>, run: &dyn QuietRun, machine: &mut Machine<'_, '_>) -> Result<(), Ended> {
    for (kind, root) in &model.program.assumptions {
        match kind {
            AssumeKind::Axiom => continue,
            AssumeKind::Assume => {}
        }
        let holds = machine.eval_root_bool(*root);
        match holds {
            Ok(true) => {}
            Ok(false) => {
                let words = (Code::AssumptionFalse, "an assumption is false".to_owned());
                let diagnostic = quietly(run, || fault::blame(model, machine, root, words));
                return Err(Ended::Verdict(violate(
                    PropertyKind::Assumption,
                    "ASSUME".to_owned(),
                    diagnostic,
                )));
            }
            Err(fault) => return Err(undefined(model, Phase::Assumption, fault).into()),
        }
    }
    Ok(())
}

/// TLC: a formula with a name that is FALSE whatever happens is a mistake. Of other parts of a property it is a violation.
fn constant_formulas(model: Model<'_>, machine: &mut Machine<'_, '_>) -> Result<(), Ended> {
    for root in &model.program.named_formulas {
        if is_constant(model, root) && matches!(machine.eval_root_bool(*root), Ok(false)) {
            return Err(NoVerdict::Unsupported(Box::new(always_false(model, root))).into());
        }
    }
    Ok(())
}

/// TLC: what is a constant says nothing about the run that ends.
fn constant_postconditions(model: Model<'_>, machine: &mut Machine<'_, '_>) -> Result<(), Ended> {
    for root in &model.program.postconditions {
        if is_constant(model, root) && is_of_root(model, root) && machine.eval_root(*root).is_ok() {
            let name = root.def.map_or("it", |def| model.spec.names.text(model.spec.defs[def].name));
            let headline = format!("the postcondition `{name}` is a constant: no run can make a difference");
            let help = "say something about the run, with `TLCGet`, or use ASSUME";
            let error = Box::new(Diagnostic::new(Code::ConfigLevel, root.span, headline).help(help));
            let phase = Phase::Configuration;
            let fault = None;
            return Err(NoVerdict::Undefined { phase, initial: false, error, fault, trace: None }.into());
        }
    }
    Ok(())
}

/// Whether the root module knows it, as it does what a configuration names. TLC: of another module it may say what it likes.
fn is_of_root(model: Model<'_>, root: &Root) -> bool {
    let is_it = |entry: &ScopeEntry| root.def.is_none_or(|def| entry.entity == Entity::Def(def));
    model.spec.modules[model.spec.root].scope.values().any(is_it)
}

fn is_constant(model: Model<'_>, root: &Root) -> bool {
    let facts = model.program.irs[root.expr].facts;
    !(facts.reads_state || facts.reads_next || facts.impure || facts.dynamic)
}

fn always_false(model: Model<'_>, root: &Root) -> Diagnostic {
    let name = root.def.map_or("a property", |def| model.spec.names.text(model.spec.defs[def].name));
    let headline = format!("`{name}` is FALSE whatever happens: no variable occurs in it");
    Diagnostic::new(Code::ConfigLevel, root.span, headline)
}

fn no_next(model: Model<'_>) -> NoVerdict {
    let headline = "there is no next-state relation";
    let error = match model.program.init.first() {
        Some(root) => Diagnostic::new(Code::NotEvaluable, root.span, headline),
        None => Diagnostic::without_place(Code::NotEvaluable, headline),
    };
    let error = Box::new(error.help("name one with NEXT or SPECIFICATION in the configuration"));
    let phase = Phase::Preparation;
    NoVerdict::Undefined { phase, initial: false, error, fault: None, trace: None }
}

fn violate(kind: PropertyKind, name: String, diagnostic: Diagnostic) -> Verdict {
    let span = diagnostic.primary.as_ref().map(|label| label.span);
    violate_at(span, (kind, name), diagnostic)
}

fn violate_at(span: Option<Span>, (kind, name): (PropertyKind, String), diagnostic: Diagnostic) -> Verdict {
    let property = Property { kind, name, span };
    Verdict::Violated(Box::new(Violation { property, trace: None, is_prefix: false, diagnostic }))
}

/// Evaluates postconditions and `_POSSIBLE` after a run.
pub fn conclude(evaluation: Evaluation<'_>, witnesses: &Witnesses) -> Outcome {
    let Evaluation { model, run, .. } = evaluation;
    let program = model.program;
    for root in &program.postconditions {
        let name = root_name(model.spec, root);
        let region = run.region();
        let mut machine = evaluation.machine(&region);
        let held: Evaluated<bool> = machine.eval_root_bool(*root);
        match held {
            Ok(true) => {}
            Ok(false) => {
                let headline = format!("postcondition `{name}` is false");
                let words = (Code::PostconditionFalse, headline);
                let diagnostic = quietly(run, || fault::blame(model, &mut machine, root, words));
                let property = (PropertyKind::Postcondition, name);
                return Ok(violate_at(Some(root.span), property, diagnostic));
            }
            Err(fault) => return Err(undefined(model, Phase::Postcondition, fault)),
        }
    }
    if let Some(root) = witnesses.unsatisfied() {
        let name = root_name(model.spec, root);
        let headline = format!("nothing that can happen satisfies `{name}`");
        let diagnostic = Diagnostic::new(Code::NeverPossible, root.span, headline);
        return Ok(violate(PropertyKind::Possible, name, diagnostic));
    }
    Ok(Verdict::Holds)
}

/// EXCEPTs whose path led outside the domain. TLC warns and goes on.
pub fn lost_updates(model: Model<'_>, shared: &Shared) -> Vec<Diagnostic> {
    let warn = |id| {
        let span = model.program.irs[id].span;
        let headline = "an EXCEPT is applied outside of the domain, and changes nothing there";
        Diagnostic::new(Code::LostUpdate, span, headline)
    };
    shared.lost_updates().into_iter().map(warn).collect()
}

/// Whether all of these formulas hold of the machine's step.
pub fn all_hold(machine: &mut Machine<'_, '_>, roots: &[Root]) -> Evaluated<bool> {
    for root in roots {
        if !machine.eval_root_bool(*root)? {
            return Ok(false);
        }
    }
    Ok(true)
}
