//! An audit from beginning to end.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use eval::lower::{Lowered, lower_changed};
use model::Model;

use crate::alone::{self, is_same};
use crate::antecedents::with_counted_antecedents;
use crate::base_run::{self, BaseRun};
use crate::budget::Budget;
use crate::implied;
use crate::judge::{Explorer, Judge};
use crate::mutant::{Mutant, mutants};
use crate::options::{Event, Observer, Options, Subject};
use crate::report::{Base, Judged, Refusal, Report, Tallied, Verdict};

/// Checks the specification as it is, then each of its mutants.
pub fn audit(
    subject: Subject<'_>,
    options: &Options<'_>,
    observer: &dyn Observer,
) -> Result<Report, Refusal> {
    let Subject { spec, config, atoms } = subject;
    let asked = with_counted_antecedents(spec);
    let Lowered { program, diagnostics } = lower_changed((&asked, spec), config, atoms);
    if diagnostics.has_errors() {
        return Err(Refusal::Unreadable(diagnostics));
    }
    let model = Model { spec, program: &program };
    let explorer =
        Explorer { options, budget: Budget::new(options.clock, options.time_max, options.n_workers) };
    let BaseRun { base, coverage, warnings } = base_run::run(&explorer, model)?;
    let mut mutants = mutants(spec, config, &options.classes);
    mutants.retain(|mutant| options.number.is_none_or(|number| number == mutant.number));
    observer.event(Event::Base { base: &base, n_mutants: mutants.len() });
    let judge = Judge { subject, explorer: &explorer, base: &base, program: &program };
    let judged = judge_all(&judge, mutants, observer);
    let is_walked = matches!(base, Base::Simulated { .. });
    let mut properties = base_run::properties(model, is_walked, options.check_deadlock);
    judged.iter().for_each(|judged| tally(&mut properties, &judged.verdict));
    alone::note(&judge, &judged, &mut properties);
    implied::note(&explorer, subject, &mut properties);
    let coverage = coverage.unwrap_or_default();
    Ok(Report {
        base,
        judged,
        properties,
        idle: coverage.idle,
        never_enabled: coverage.actions.into_iter().filter(|action| action.generated == 0).collect(),
        unwatched: if is_walked { base_run::list_unwatched(model) } else { Vec::new() },
        warnings,
        is_interrupted: options.interrupted.load(Ordering::Relaxed),
    })
}

/// Shares the mutants among workers. The verdict on one does not depend on the others, except for the time.
fn judge_all(judge: &Judge<'_>, mutants: Vec<Mutant>, observer: &dyn Observer) -> Vec<Judged> {
    let n_mutants = mutants.len();
    judge.explorer.budget.set_left(n_mutants);
    let todo: Vec<Mutex<Option<Mutant>>> =
        mutants.into_iter().map(|mutant| Mutex::new(Some(mutant))).collect();
    let done: Vec<Mutex<Option<Judged>>> = todo.iter().map(|_| Mutex::new(None)).collect();
    let (next, n_judged) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(slot) = todo.get(index) else { return };
            let mutant = slot.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some(mutant) = mutant else { continue };
            let verdict = judge.judge(&mutant);
            judge.explorer.budget.count_done();
            let judged = Judged { mutant, verdict };
            let n_judged = n_judged.fetch_add(1, Ordering::Relaxed) + 1;
            observer.event(Event::Judged { judged: &judged, n_judged });
            *done[index].lock().unwrap_or_else(PoisonError::into_inner) = Some(judged);
        }
    };
    judge.explorer.on_workers(n_mutants, &work);
    let taken = |slot: Mutex<Option<Judged>>| slot.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.into_iter().filter_map(taken).collect()
}

/// Counts the property that caught a mutant.
fn tally(properties: &mut Vec<Tallied>, verdict: &Verdict) {
    let Verdict::Caught { property, .. } = verdict else { return };
    match properties.iter_mut().find(|tallied| is_same(&tallied.property, property)) {
        Some(tallied) => tallied.n_caught += 1,
        None => {
            properties.push(Tallied { n_caught: 1, ..Tallied::new(property.clone(), false) });
        }
    }
}
