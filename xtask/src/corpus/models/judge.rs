//! Compares the result of a run with the expected one.

use std::time::Duration;

use super::specline::{Ending, Message, ModelRun};
use super::{Expected, Model};

/// The slug of the error which says that a property needs more than the search for bad states.
const TEMPORAL_SLUG: &str = "config-temporal";
/// The most errors of a run that are shown; the first ones say enough.
const ERRORS_SHOWN: usize = 3;

#[derive(Debug)]
pub struct JudgedModel {
    pub finding: Finding,
    pub time: Duration,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Finding {
    Right,
    /// The program lacks something and says so, which is known.
    Waits(Waiting),
    /// The reasons why the result is wrong.
    Wrong(Vec<String>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Waiting {
    /// It has temporal properties.
    Temporal,
}

pub fn judge(model: &Model, ran: ModelRun) -> JudgedModel {
    JudgedModel { finding: find(&model.expected, &ran), time: ran.time }
}

fn find(expected: &Expected, ran: &ModelRun) -> Finding {
    let exit = match &ran.ending {
        Ending::Exit(exit) => *exit,
        Ending::Killed(words) => return Finding::Wrong(vec![format!("killed by a signal: {words}")]),
        Ending::TimedOut => return Finding::Wrong(vec!["not done in time".to_owned()]),
        Ending::Broken(why) => return Finding::Wrong(vec![why.clone()]),
    };
    if let Some(waiting) = find_waiting(&ran.errors) {
        return Finding::Waits(waiting);
    }
    if exit != expected.exit {
        let mut reasons = vec![format!("exit code {exit} instead of {}", expected.exit)];
        reasons.extend(ran.errors.iter().take(ERRORS_SHOWN).map(Message::line));
        return Finding::Wrong(reasons);
    }
    let wrong = wrong_counts(expected, ran);
    if wrong.is_empty() { Finding::Right } else { Finding::Wrong(wrong) }
}

/// Returns what a model waits for, if every error of its run is such a refusal.
fn find_waiting(errors: &[Message]) -> Option<Waiting> {
    let all_temporal = !errors.is_empty() && errors.iter().all(|error| error.slug == TEMPORAL_SLUG);
    all_temporal.then_some(Waiting::Temporal)
}

/// Returns the counts that are wrong. The recorded depth is only a bound: it was recorded with several workers, with
/// which TLC may count too many levels.
fn wrong_counts(expected: &Expected, ran: &ModelRun) -> Vec<String> {
    let Some(counts) = ran.counts else { return vec!["it has no answer".to_owned()] };
    let depth_bound = expected.depth.filter(|recorded| *recorded < counts.depth);
    let compared = [
        ("distinct states", counts.distinct, expected.distinct),
        ("states generated", counts.generated, expected.generated),
        ("levels", counts.depth, depth_bound),
    ];
    let wrong = compared.into_iter().filter_map(|(what, found, recorded)| {
        let recorded = recorded.filter(|recorded| *recorded != found)?;
        Some(format!("{found} {what} instead of {recorded}"))
    });
    wrong.collect()
}

impl Message {
    fn line(&self) -> String {
        format!("{} {}", self.code, self.headline)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Finding, Waiting, find};
    use crate::corpus::models::Expected;
    use crate::corpus::models::specline::{Counts, Ending, Message, ModelRun};

    fn ran(ending: Ending, slugs: &[&str]) -> ModelRun {
        let error = |slug: &&str| Message {
            code: "SL0000".to_owned(),
            slug: (*slug).to_owned(),
            headline: "no".to_owned(),
        };
        let counts = Some(Counts { distinct: 3, generated: 5, depth: 2 });
        ModelRun { ending, time: Duration::ZERO, errors: slugs.iter().map(error).collect(), counts }
    }

    fn check(expected: &Expected, ran: &ModelRun, finding: Finding) {
        assert_eq!(find(expected, ran), finding, "{ran:?}");
    }

    fn wrong(reasons: &[&str]) -> Finding {
        Finding::Wrong(reasons.iter().map(|reason| (*reason).to_owned()).collect())
    }

    #[test]
    fn counts_that_are_recorded_must_be_the_same() {
        let expected = Expected { distinct: Some(3), generated: Some(5), ..Expected::default() };
        check(&expected, &ran(Ending::Exit(0), &[]), Finding::Right);
        let expected = Expected { distinct: Some(4), depth: Some(1), ..expected };
        check(
            &expected,
            &ran(Ending::Exit(0), &[]),
            wrong(&["3 distinct states instead of 4", "2 levels instead of 1"]),
        );
    }

    #[test]
    fn more_levels_may_be_recorded_than_there_are() {
        let expected = Expected { depth: Some(7), ..Expected::default() };
        check(&expected, &ran(Ending::Exit(0), &[]), Finding::Right);
    }

    #[test]
    fn another_verdict_is_wrong_in_both_directions() {
        let violated = Expected { exit: 12, ..Expected::default() };
        check(&violated, &ran(Ending::Exit(12), &["invariant-violated"]), Finding::Right);
        check(&violated, &ran(Ending::Exit(0), &[]), wrong(&["exit code 0 instead of 12"]));
        check(
            &Expected::default(),
            &ran(Ending::Exit(12), &["invariant-violated"]),
            wrong(&["exit code 12 instead of 0", "SL0000 no"]),
        );
    }

    #[test]
    fn only_the_refusal_of_temporal_properties_makes_a_model_wait() {
        let refusal = "config-temporal";
        let expected = Expected::default();
        check(&expected, &ran(Ending::Exit(151), &[refusal]), Finding::Waits(Waiting::Temporal));
        check(
            &expected,
            &ran(Ending::Exit(151), &[refusal, "config-name"]),
            wrong(&["exit code 151 instead of 0", "SL0000 no", "SL0000 no"]),
        );
    }

    #[test]
    fn a_run_without_an_end_is_wrong() {
        check(&Expected::default(), &ran(Ending::TimedOut, &[]), wrong(&["not done in time"]));
        let killed = ran(Ending::Killed("out of memory".to_owned()), &[]);
        check(&Expected::default(), &killed, wrong(&["killed by a signal: out of memory"]));
    }
}
