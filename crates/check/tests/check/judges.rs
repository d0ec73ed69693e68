//! Steps that are judged behind a depth-first search: the answer is that of a search that judges each when it takes it.

use std::time::Duration;

use check::{Answer, Search, Silent};
use model::{NoVerdict, PropertyKind, Verdict};

use crate::{How, run};

/// Judging takes longer than searching; there are ways back, steps that change nothing, states outside of the model.
const MODULE: &str = r"---- MODULE Endless ----
EXTENDS Naturals
CONSTANTS Bad, End
VARIABLES x, y
Init == x = 0 /\ y \in {0, 4}
Next == \/ x' = (x * 7 + y + 1) % 31 /\ y' = (y + x) % 17
        \/ x # End /\ x' = (x + 3) % 31 /\ y' = (y * 5 + 2) % 17
        \/ x = End /\ x' = x /\ y' = 40
        \/ x > 20 /\ UNCHANGED <<x, y>>
Slow == \A i, j \in 1..(10 * (x % 3)) : i + j > 0
Right == Slow /\ ~(x = Bad /\ x' > x)
Defined == IF x = Bad THEN <<1, 2>>[1 + x' % 3] > 0 ELSE Slow
AllRight == [][Right]_<<x, y>>
AllDefined == [][Defined]_<<x, y>>
Small == y < 40
Seen == <<x, y % 5>>
Few == y # 13
====
";

fn answer(config: &str, n_judges: usize) -> Answer {
    let how = How {
        module: MODULE,
        config,
        search: Search::DepthFirst,
        n_judges,
        time_max: None,
        states_max: None,
    };
    run(&how, &Silent)
}

fn told(answer: &Answer) -> String {
    format!("{:?}\n{:?}", answer.outcome, answer.counts)
}

#[test]
fn what_others_judge_is_found_where_it_was_taken() {
    let mut kinds = [0; 4];
    for further in ["", "VIEW Seen", "CONSTRAINT Few", "INVARIANT Small", "INVARIANT Small VIEW Seen"] {
        for property in ["AllRight", "AllDefined"] {
            for bad in (0..34).step_by(3) {
                let end = (bad * 11 + 5) % 31;
                let config = format!(
                    "CONSTANTS Bad = {bad} End = {end}\nPROPERTY {property}\n{further}\nCHECK_DEADLOCK FALSE"
                );
                let alone = answer(&config, 0);
                assert_eq!(told(&answer(&config, 3)), told(&alone), "{config}");
                kinds[match &alone.outcome {
                    Ok(Verdict::Holds) => 0,
                    Ok(Verdict::Violated(violation)) if violation.property.kind == PropertyKind::Step => 1,
                    Ok(Verdict::Violated(_)) => 2,
                    Err(_) => 3,
                }] += 1;
            }
        }
    }
    assert!(kinds.iter().all(|&n| n >= 3), "of each kind of answer there are some: {kinds:?}");
}

#[test]
fn time_ends_a_search_whose_steps_others_judge() {
    let config = "CONSTANTS Bad = 40 End = 40\nPROPERTY AllRight\nCHECK_DEADLOCK FALSE";
    let how = How {
        module: MODULE,
        config,
        search: Search::DepthFirst,
        n_judges: 2,
        time_max: Some(Duration::from_secs(2)),
        states_max: None,
    };
    let answer = run(&how, &Silent);
    assert!(matches!(answer.outcome, Err(NoVerdict::Limit(_))), "{:?}", answer.outcome);
}
