//! What is wrong, line by line, and a count.

use super::judge::{Judged, Outcome};
use super::{Case, Expected, Plan};

/// A file may have many errors; the first ones tell.
const ERRORS_SHOWN: usize = 3;
const SLOWEST_SHOWN: usize = 10;

/// Prints the report; returns whether nothing is wrong.
pub fn print(plan: &Plan, results: &[Judged], timings: bool) -> bool {
    let mut n_wrong = 0;
    for (case, judged) in plan.cases.iter().zip(results) {
        if let Some(lines) = complaint(case, &judged.outcome) {
            n_wrong += 1;
            println!("{}", lines.join("\n    "));
        }
    }
    for problem in &plan.problems {
        println!("{problem}");
    }
    if timings {
        print_slowest(&plan.cases, results);
    }
    println!("{}", summary(plan, n_wrong));
    n_wrong == 0 && plan.problems.is_empty() && !plan.cases.is_empty()
}

/// What to say of a case that did not go as expected.
fn complaint(case: &Case, outcome: &Outcome) -> Option<Vec<String>> {
    match (outcome, case.expected) {
        (Outcome::Accepted, Expected::Accepted) | (Outcome::Rejected(_), Expected::Rejected) => None,
        (Outcome::Accepted, Expected::Rejected) => {
            Some(vec![format!("{}: accepted, and must be rejected", case.name)])
        }
        (Outcome::Rejected(errors), Expected::Accepted) => {
            let mut lines = vec![format!("{}: rejected, and must be accepted", case.name)];
            lines.extend(errors.iter().take(ERRORS_SHOWN).cloned());
            if errors.len() > ERRORS_SHOWN {
                lines.push(format!("and {} more", errors.len() - ERRORS_SHOWN));
            }
            Some(lines)
        }
        (Outcome::Panicked(text), _) => {
            Some(vec![format!("{}: the front end panicked", case.name), text.clone()])
        }
    }
}

fn print_slowest(cases: &[Case], results: &[Judged]) {
    let mut by_time: Vec<(&Case, &Judged)> = cases.iter().zip(results).collect();
    by_time.sort_by_key(|(_, judged)| std::cmp::Reverse(judged.time));
    for (case, judged) in by_time.iter().take(SLOWEST_SHOWN) {
        println!("{:9.1} ms  {}", judged.time.as_secs_f64() * 1000.0, case.name);
    }
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
