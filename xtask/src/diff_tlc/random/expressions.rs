//! Compares random constant expressions: both tools must print the same value, or both must refuse.

use anyhow::Result;
use base::{Clock, SystemClock};

use super::accepted;
use super::batch::{self, Evaluation, Tool};
use super::expr::{Maker, Taste};
use super::rules::ALL;
use super::term::Term;
use super::tools::{Heat, Tools};
use super::{RandomOptions, report, shrink};

/// The settings: few expressions are of a wrong type, and in most of them no error hides the rest.
const TASTE: Taste = Taste { rules: ALL, n_ill_typed: 8, one_risky_of: 5, depth_max: 5, n_forms_max: 16 };

/// Number of expressions in one module.
const N_BATCH: u64 = 200;

fn make(seed: u64) -> Term {
    let mut maker = Maker::new(seed, TASTE);
    let ty = maker.ty(2);
    maker.value(&ty)
}

/// Runs the cases; returns the number of differences.
pub fn run(asked: &RandomOptions, tools: &mut Tools) -> Result<usize> {
    let (mut n_different, mut n_refused, mut n_given_up, mut at) = (0, 0, 0, 0);
    let clock = SystemClock::start();
    while at < asked.n_cases && n_different < asked.n_differences_max {
        let n_now = N_BATCH.min(asked.n_cases - at);
        let terms: Vec<Term> = (at..at + n_now).map(|case| make(asked.seed + case)).collect();
        let pairs = run_both(tools, Heat::Warm, &terms)?;
        n_refused += pairs
            .iter()
            .filter(|pair| matches!(pair, (Evaluation::Nothing(_), Evaluation::Nothing(_))))
            .count();
        n_given_up += pairs.iter().filter(|pair| is_given_up(pair)).count();
        for (case, (term, pair)) in (at..).zip(terms.iter().zip(&pairs)) {
            if let Some(how) = difference(pair)
                && let Some(found) = confirm(tools, term, how)?
            {
                n_different += 1;
                let name = format!("Expression{}", asked.seed + case);
                let text = found.render().module;
                let shown = run_both(tools, Heat::Cold, std::slice::from_ref(&found))?;
                report(asked, &name, &describe(&shown[0]), &batch::body(&[text]))?;
            }
        }
        at += n_now;
        let n_each_minute = at as f64 / clock.elapsed().as_secs_f64() * 60.0;
        println!(
            "{at} expressions ({n_each_minute:.0} a minute), {n_refused} refused by both, \
             {n_given_up} given up, {n_different} different"
        );
    }
    Ok(n_different)
}

/// Returns the results of TLC and Specline for each term.
fn run_both(tools: &mut Tools, heat: Heat, terms: &[Term]) -> Result<Vec<(Evaluation, Evaluation)>> {
    let texts: Vec<String> = terms.iter().map(|term| term.render().module).collect();
    let theirs = batch::evaluate(tools, Tool::Tlc(heat), &texts)?;
    let ours = batch::evaluate(tools, Tool::Specline, &texts)?;
    Ok(theirs.into_iter().zip(ours).collect())
}

/// The way in which two answers differ. Shrinking preserves it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Difference {
    Values,
    OnlyTlc,
    OnlySpecline,
}

fn difference(pair: &(Evaluation, Evaluation)) -> Option<Difference> {
    match pair {
        (Evaluation::Value(theirs), Evaluation::Value(_)) if accepted::is_unfinished(theirs) => None,
        (Evaluation::Value(theirs), Evaluation::Value(ours)) => {
            (accepted::plain(theirs) != accepted::plain(ours)).then_some(Difference::Values)
        }
        (Evaluation::Value(_), Evaluation::Nothing(why)) => {
            (!accepted::is_our_own(why)).then_some(Difference::OnlyTlc)
        }
        (Evaluation::Nothing(why), Evaluation::Value(_)) => {
            (!accepted::is_tlcs_own(why)).then_some(Difference::OnlySpecline)
        }
        (Evaluation::Nothing(_), Evaluation::Nothing(_)) | (Evaluation::Late, _) | (_, Evaluation::Late) => {
            None
        }
    }
}

fn is_given_up(pair: &(Evaluation, Evaluation)) -> bool {
    pair.0 == Evaluation::Late || pair.1 == Evaluation::Late
}

/// Returns the smallest expression with this difference, if it also occurs in a new process.
fn confirm(tools: &mut Tools, term: &Term, how: Difference) -> Result<Option<Term>> {
    let mut is_so = |heat, term: &Term| -> Result<bool> {
        let pairs = run_both(tools, heat, std::slice::from_ref(term))?;
        Ok(difference(&pairs[0]) == Some(how))
    };
    if !is_so(Heat::Warm, term)? || !is_so(Heat::Cold, term)? {
        return Ok(None);
    }
    let smallest = shrink(term, |smaller| is_so(Heat::Warm, smaller))?;
    Ok(Some(if is_so(Heat::Cold, &smallest)? { smallest } else { term.clone() }))
}

fn describe((theirs, ours): &(Evaluation, Evaluation)) -> String {
    let show = |given: &Evaluation| match given {
        Evaluation::Value(lines) => lines.join("\n    "),
        Evaluation::Nothing(why) => format!("an error: {why}"),
        Evaluation::Late => "no answer in time".to_owned(),
    };
    format!("TLC: {}\nSpecline: {}", show(theirs), show(ours))
}
