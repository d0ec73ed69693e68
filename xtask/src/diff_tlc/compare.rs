//! Runs both tools on the cases of the suite and compares them. The section `[specline]` of a case says what is
//! expected of us there.

use std::path::Path;

use anyhow::{Context, Result};

use super::case::Case;
use super::class::Class;
use super::expect::Verdict;
use super::outcome;
use super::specline::{Answer, Specline};
use super::tlc::Tlc;
use crate::run::copy_files;

/// Runs the cases; returns whether the tools agree on every one.
pub fn run(tlc: &Tlc, specline: &Specline, cases: &[Case]) -> Result<bool> {
    let mut n_different = 0;
    for case in cases {
        match complaint(tlc, specline, case) {
            Ok(None) => println!("{}: same", case.name()),
            Ok(Some(complaint)) => {
                n_different += 1;
                println!("{}: DIFFERENT: {complaint}", case.name());
            }
            Err(error) => {
                n_different += 1;
                println!("{}: NOT COMPARED: {error:#}", case.name());
            }
        }
    }
    println!("{} cases, {n_different} different", cases.len());
    Ok(n_different == 0)
}

/// The parts of a result that are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ComparedParts {
    class: Class,
    /// The counts, only of a search that reached its end.
    counts: Option<[u64; 3]>,
    property: Option<String>,
    n_trace: Option<u64>,
}

fn complaint(tlc: &Tlc, specline: &Specline, case: &Case) -> Result<Option<String>> {
    if case.ours.verdict.as_deref() == Some("any") {
        return Ok(None);
    }
    let expected = find_expected(tlc, case)?;
    let Some(answer) = run_specline(specline, case)? else { return Ok(Some("no answer in time".to_owned())) };
    let mut found = ComparedParts {
        class: Class::of_specline(&answer),
        counts: answer.counts.filter(|_| Class::of_specline(&answer) == Class::Holds),
        property: answer.property.clone(),
        n_trace: answer.n_trace,
    };
    // A property without a name in TLC, or without a trace, is not compared.
    found.property = found.property.filter(|_| expected.property.is_some());
    found.n_trace = found.n_trace.filter(|_| expected.n_trace.is_some());
    let headline = answer.headline.map_or(String::new(), |headline| format!(" ({headline})"));
    Ok((found != expected).then(|| format!("expected {expected:?}, found {found:?}{headline}")))
}

/// Returns what TLC says now, or what we say if we differ on purpose.
fn find_expected(tlc: &Tlc, case: &Case) -> Result<ComparedParts> {
    let outcome = outcome::read(&tlc.run(case)?)?;
    let ours = &case.ours;
    let class = ours.exit.map_or_else(|| Class::of_tlc(&outcome), Class::of_exit);
    let count = |our: Option<u64>, theirs: Option<u64>| our.or(theirs);
    let counts = [
        count(ours.generated, outcome.generated),
        count(ours.distinct, outcome.distinct),
        count(ours.depth, outcome.depth),
    ];
    let counts = match (class, counts) {
        (Class::Holds, [Some(generated), Some(distinct), Some(depth)]) => Some([generated, distinct, depth]),
        _ => None,
    };
    let has_trace =
        matches!(class, Class::Violated | Class::StepViolated | Class::Deadlock) && ours.exit.is_none();
    // For a temporal property, any counterexample is right.
    let is_lasso = outcome.verdict == Verdict::Temporal;
    Ok(ComparedParts {
        class,
        counts,
        property: outcome.property.filter(|_| has_trace),
        n_trace: Some(outcome.trace.len() as u64).filter(|_| has_trace && !is_lasso),
    })
}

fn run_specline(specline: &Specline, case: &Case) -> Result<Option<Answer>> {
    let place = tempfile::tempdir().context("cannot make a folder to run in")?;
    let module = case.module();
    copy_files(module.parent().context("a module lies in a folder")?, place.path())?;
    std::fs::copy(case.config(), place.path().join("case.cfg")).context("cannot copy the configuration")?;
    let name =
        Path::new(&case.spec).file_name().context("a module has a name")?.to_string_lossy().into_owned();
    let mut flags = vec!["--workers", "1"];
    flags.extend(case.ours.flags.iter().map(String::as_str));
    specline.check(place.path(), &name, "case.cfg", &flags)
}
