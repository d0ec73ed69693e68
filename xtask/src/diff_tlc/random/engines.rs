//! Compares random specifications through the engines of our own program, without TLC: `interpreted`, `compiled` from
//! the first state on, `auto`, which goes from one to the other, and `compiled` with two workers.

use std::path::Path;

use anyhow::Result;
use base::{Clock, SystemClock};

use super::spec;
use super::term::Term;
use super::tools::ModulePlace;
use super::{RandomOptions, report, shrink};
use crate::diff_tlc::specline::{Answer, Specline};

/// Number of cases between two lines about the progress.
const N_BETWEEN_LINES: u64 = 1000;

/// The ways to run a specification, each with its flags. All are compared with the first.
const WAYS: [(&str, &str); 4] = [("interpreted", "1"), ("compiled", "1"), ("auto", "1"), ("compiled", "2")];

/// The part of an answer that must not depend on the engine.
#[derive(PartialEq, Eq)]
struct EngineAnswer {
    exit: i32,
    counts: Option<[u64; 3]>,
    property: Option<String>,
    trace: Option<String>,
    headline: Option<String>,
}

/// Runs the cases; returns whether the engines agree.
pub fn run(asked: &RandomOptions, program: &Path) -> Result<bool> {
    let clock = SystemClock::start();
    let engines: Vec<Specline> =
        WAYS.iter().map(|&(engine, _)| Specline::at(program, engine)).collect::<Result<_>>()?;
    let (mut n_compared, mut n_given_up, mut n_different) = (0_u64, 0_u64, 0);
    for case in 0..asked.n_cases {
        if n_different >= asked.n_differences_max {
            break;
        }
        let term = spec::make(asked.seed + case);
        match find_difference(&engines, &term)? {
            None => n_given_up += 1,
            Some(None) => n_compared += 1,
            Some(Some(_)) => {
                n_different += 1;
                let differs = |term: &Term| Ok(matches!(find_difference(&engines, term)?, Some(Some(_))));
                let smallest = shrink(&term, differs)?;
                let shown = find_difference(&engines, &smallest)?.flatten().unwrap_or_default();
                report(asked, &format!("Spec{}", asked.seed + case), &shown, &smallest.render())?;
            }
        }
        if (case + 1) % N_BETWEEN_LINES == 0 || case + 1 == asked.n_cases {
            let n_each_minute = (case + 1) as f64 / clock.elapsed().as_secs_f64() * 60.0;
            println!(
                "{} specs ({n_each_minute:.0} a minute): {n_compared} alike, {n_given_up} given up, {n_different} different",
                case + 1
            );
        }
    }
    Ok(n_different == 0)
}

/// Returns how the engines differ on a specification, if they do; `None` if one of them takes too long.
fn find_difference(engines: &[Specline], term: &Term) -> Result<Option<Option<String>>> {
    let place = ModulePlace::new(&term.render())?;
    let mut first: Option<EngineAnswer> = None;
    for (engine, (name, workers)) in engines.iter().zip(WAYS) {
        let Some(answer) = place.check(engine, &["--workers", workers])? else { return Ok(None) };
        let answer = EngineAnswer::of(&answer);
        let Some(first) = &first else {
            first = Some(answer);
            continue;
        };
        if *first != answer {
            let (one, other) = (first.show(), answer.show());
            return Ok(Some(Some(format!("interpreted: {one}\n{name}, {workers} workers: {other}"))));
        }
    }
    Ok(Some(None))
}

impl EngineAnswer {
    fn of(answer: &Answer) -> EngineAnswer {
        EngineAnswer {
            exit: answer.exit,
            counts: answer.counts,
            property: answer.property.clone(),
            trace: answer.trace.as_ref().map(ToString::to_string),
            headline: answer.headline.clone(),
        }
    }

    fn show(&self) -> String {
        let EngineAnswer { exit, counts, property, trace, headline } = self;
        let n_trace = trace.as_ref().map(String::len);
        format!(
            "exit {exit}, counts {counts:?}, property {property:?}, trace of {n_trace:?} bytes, {headline:?}"
        )
    }
}
