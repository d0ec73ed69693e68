//! Compares random specifications through both tools.

use anyhow::Result;
use base::{Clock, SystemClock};

use super::judge::{self, Difference, JudgedSpec};
use super::spec;
use super::term::Term;
use super::tools::{Heat, Tools};
use super::{RandomOptions, report, shrink};
use crate::diff_tlc::class::Class;

/// Counts of the results, to judge whether the specifications are any good.
#[derive(Default)]
struct Tally {
    n_holding: usize,
    n_violated: usize,
    n_undefined: usize,
    n_other: usize,
    n_given_up: usize,
    n_distinct: u64,
}

/// Number of cases between two lines about the progress.
const N_BETWEEN_LINES: u64 = 100;

/// Runs the cases; returns the number of differences.
pub fn run(asked: &RandomOptions, tools: &mut Tools) -> Result<usize> {
    let clock = SystemClock::start();
    let mut tally = Tally::default();
    let mut n_different = 0;
    for case in 0..asked.n_cases {
        if n_different >= asked.n_differences_max {
            break;
        }
        let term = spec::make(asked.seed + case);
        match judge::judge(tools, Heat::Warm, &term.render())? {
            JudgedSpec::Different { how, .. } => {
                if let Some((found, shown)) = confirm(tools, &term, how)? {
                    n_different += 1;
                    report(asked, &format!("Spec{}", asked.seed + case), &shown, &found.render())?;
                }
            }
            JudgedSpec::Same(said) => tally.add(said.class, said.counts),
            JudgedSpec::GivenUp | JudgedSpec::Accepted => tally.n_given_up += 1,
        }
        if (case + 1) % N_BETWEEN_LINES == 0 || case + 1 == asked.n_cases {
            let n_each_minute = (case + 1) as f64 / clock.elapsed().as_secs_f64() * 60.0;
            println!(
                "{} specs ({n_each_minute:.0} a minute): {}, {n_different} different",
                case + 1,
                tally.line()
            );
        }
    }
    Ok(n_different)
}

impl Tally {
    fn add(&mut self, class: Class, counts: Option<[u64; 3]>) {
        match class {
            Class::Holds => {
                self.n_holding += 1;
                self.n_distinct += counts.map_or(0, |[_, distinct, _]| distinct);
            }
            Class::Violated | Class::StepViolated | Class::Deadlock => self.n_violated += 1,
            Class::Undefined => self.n_undefined += 1,
            Class::Refused | Class::Empty | Class::Assertion | Class::Assumption | Class::Other(_) => {
                self.n_other += 1
            }
        }
    }

    fn line(&self) -> String {
        let Tally { n_holding, n_violated, n_undefined, n_other, n_given_up, n_distinct } = self;
        format!(
            "{n_holding} hold ({n_distinct} states), {n_violated} violated, {n_undefined} undefined, \
             {n_other} empty or refused, {n_given_up} given up"
        )
    }
}

/// Returns the smallest specification with this difference, and its description, if it also occurs in a new process.
fn confirm(tools: &mut Tools, term: &Term, how: Difference) -> Result<Option<(Term, String)>> {
    let mut shown = |heat, term: &Term| -> Result<Option<String>> {
        Ok(match judge::judge(tools, heat, &term.render())? {
            JudgedSpec::Different { how: found, shown } if found == how => Some(shown),
            JudgedSpec::Different { .. }
            | JudgedSpec::Same(_)
            | JudgedSpec::GivenUp
            | JudgedSpec::Accepted => None,
        })
    };
    let Some(said) = shown(Heat::Cold, term)? else { return Ok(None) };
    let smallest = shrink(term, |smaller| Ok(shown(Heat::Warm, smaller)?.is_some()))?;
    Ok(Some(match shown(Heat::Cold, &smallest)? {
        Some(shown) => (smallest, shown),
        None => (term.clone(), said),
    }))
}
