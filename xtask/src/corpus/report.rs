//! Reports what is wrong, line by line, and a count.

use super::judge::{JudgedCase, Outcome};
use super::{Case, Expected, Plan};

/// The most errors of a file that are shown; the first ones say enough.
const ERRORS_SHOWN: usize = 3;
const SLOWEST_SHOWN: usize = 10;

/// Returns the report, and whether nothing is wrong.
pub fn report(plan: &Plan, results: &[JudgedCase], timings: bool) -> (Vec<String>, bool) {
    let judged = plan.cases.iter().zip(results);
    let mut lines: Vec<String> =
        judged.filter_map(|(case, judged)| complaint(case, &judged.outcome)).collect();
    let n_wrong = lines.len();
    lines.extend(plan.problems.iter().cloned());
    if timings {
        lines.extend(slowest(&plan.cases, results));
    }
    lines.push(summary(plan, n_wrong));
    (lines, n_wrong == 0 && plan.problems.is_empty() && !plan.cases.is_empty())
}

/// Returns the complaint about a case that did not go as expected.
fn complaint(case: &Case, outcome: &Outcome) -> Option<String> {
    let name = &case.name;
    match (outcome, case.expected) {
        (Outcome::Accepted, Expected::Accepted) | (Outcome::Rejected(_), Expected::Rejected) => None,
        (Outcome::Accepted, Expected::Rejected) => Some(format!("{name}: accepted, and must be rejected")),
        (Outcome::Rejected(errors), Expected::Accepted) => {
            let mut text = format!("{name}: rejected, and must be accepted");
            for error in errors.iter().take(ERRORS_SHOWN) {
                text += &format!("\n    {error}");
            }
            if errors.len() > ERRORS_SHOWN {
                text += &format!("\n    and {} more", errors.len() - ERRORS_SHOWN);
            }
            Some(text)
        }
        (Outcome::Panicked(text), _) => Some(format!("{name}: the front end panicked\n    {text}")),
    }
}

fn slowest(cases: &[Case], results: &[JudgedCase]) -> Vec<String> {
    let mut by_time: Vec<(&Case, &JudgedCase)> = cases.iter().zip(results).collect();
    by_time.sort_by_key(|(_, judged)| std::cmp::Reverse(judged.time));
    let line = |(case, judged): &(&Case, &JudgedCase)| {
        format!("{:9.1} ms  {}", judged.time.as_secs_f64() * 1000.0, case.name)
    };
    by_time.iter().take(SLOWEST_SHOWN).map(line).collect()
}

fn summary(plan: &Plan, n_wrong: usize) -> String {
    let n_cases = plan.cases.len();
    let n_rejected = plan.cases.iter().filter(|case| case.expected == Expected::Rejected).count();
    let mut parts = vec![
        format!("{n_cases} judged ({} to accept, {n_rejected} to reject)", n_cases - n_rejected),
        format!("{n_wrong} wrong"),
    ];
    if !plan.problems.is_empty() {
        parts.push(format!("{} problems of the corpus", plan.problems.len()));
    }
    if plan.n_passed_over > 0 {
        parts.push(format!("{} passed over", plan.n_passed_over));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::{Case, Expected, Outcome, complaint};
    use crate::corpus::Subject;

    fn case(expected: Expected) -> Case {
        Case { name: "A.tla".to_owned(), subject: Subject::Syntax(String::new()), expected }
    }

    #[test]
    fn verdicts_are_compared_in_both_directions() {
        let errors = || Outcome::Rejected(vec!["SL0301".to_owned()]);
        assert!(complaint(&case(Expected::Accepted), &Outcome::Accepted).is_none());
        assert!(complaint(&case(Expected::Accepted), &errors()).is_some());
        assert!(complaint(&case(Expected::Rejected), &errors()).is_none());
        assert!(complaint(&case(Expected::Rejected), &Outcome::Accepted).is_some());
    }

    #[test]
    fn a_panic_is_never_what_was_expected() {
        for expected in [Expected::Accepted, Expected::Rejected] {
            assert!(complaint(&case(expected), &Outcome::Panicked("index".to_owned())).is_some());
        }
    }
}
