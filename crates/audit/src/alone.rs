//! Properties that were never the first to catch a mutant: this finds out whether any mutant makes them fail at all.
//!
//! Mutants that others caught are checked again, with these properties alone. A property that fails is not checked
//! again, so that there are hardly more runs than mutants.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use eval::ir::{Program, Root};
use model::{Property, PropertyKind};
use sema::Spec;

use crate::judge::Judge;
use crate::report::{Judged, Tallied, Verdict};

/// Notes which of the properties some mutant makes fail.
pub(crate) fn note(judge: &Judge<'_>, judged: &[Judged], properties: &mut [Tallied]) {
    for tallied in properties.iter_mut().filter(|tallied| tallied.n_caught > 0) {
        tallied.fails_somewhere = Some(true);
    }
    let silent = properties.iter().filter(|tallied| tallied.n_caught == 0 && !tallied.is_constant);
    let silent: Mutex<Vec<Property>> = Mutex::new(silent.map(|tallied| tallied.property.clone()).collect());
    let caught: Vec<&Judged> =
        judged.iter().filter(|judged| matches!(judged.verdict, Verdict::Caught { .. })).collect();
    let (next, is_complete) = (AtomicUsize::new(0), Mutex::new(true));
    let work = || {
        while let Some(judged) = caught.get(next.fetch_add(1, Ordering::Relaxed)) {
            if !ask(judge, judged, &silent) {
                *is_complete.lock().unwrap_or_else(PoisonError::into_inner) = false;
                return;
            }
        }
    };
    judge.explorer.on_workers(caught.len(), &work);
    let silent = silent.into_inner().unwrap_or_else(PoisonError::into_inner);
    let is_complete = is_complete.into_inner().unwrap_or_else(PoisonError::into_inner);
    for tallied in properties.iter_mut().filter(|tallied| tallied.fails_somewhere.is_none()) {
        let is_silent = silent.iter().any(|property| is_same(property, &tallied.property));
        match is_silent || tallied.is_constant {
            true => tallied.fails_somewhere = is_complete.then_some(false),
            false => tallied.fails_somewhere = Some(true),
        }
    }
}

/// Removes from `silent` the properties that the mutant makes fail, as far as it is explored. Returns whether that
/// could be determined.
fn ask(judge: &Judge<'_>, judged: &Judged, silent: &Mutex<Vec<Property>>) -> bool {
    loop {
        let asked = silent.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if asked.is_empty() {
            return true;
        }
        if judge.explorer.is_over() {
            return false;
        }
        let Some(failed) = judge.find_failing_alone(&judged.mutant, &asked) else { return true };
        silent.lock().unwrap_or_else(PoisonError::into_inner).retain(|known| !is_same(known, &failed));
        // A property that is not among the asked ones would be found again for ever, and says nothing about them.
        if !asked.iter().any(|known| is_same(known, &failed)) {
            return false;
        }
    }
}

pub(crate) fn is_same(one: &Property, other: &Property) -> bool {
    one.kind == other.kind && one.name == other.name
}

/// Removes everything from a program that is to be checked except `asked`.
pub(crate) fn restrict(spec: &Spec, program: &mut Program, asked: &[Property]) {
    let is_asked = |kind: PropertyKind, name: &str| {
        asked.iter().any(|property| property.kind == kind && property.name == name)
    };
    let is_root = |kind: PropertyKind, root: &Root| is_asked(kind, &model::root_name(spec, root));
    program.invariants.retain(|root| is_root(PropertyKind::Invariant, root));
    program.step_properties.retain(|property| is_root(PropertyKind::Step, &property.root));
    program.implied_inits.retain(|root| is_root(PropertyKind::Initial, root));
    program.possible.retain(|root| is_root(PropertyKind::Possible, root));
    program.postconditions.retain(|root| is_root(PropertyKind::Postcondition, root));
    program.temporal.retain(|root| is_asked(PropertyKind::Temporal, spec.names.text(root.name)));
    if !asked.iter().any(|property| property.kind == PropertyKind::Periodic) {
        program.periodic = None;
    }
}
