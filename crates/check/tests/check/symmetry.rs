//! Representatives that are found without trying every permutation count as many orbits as trying all of them does.
//!
//! With a VIEW, even of all variables, every permutation is tried. So each model is checked both ways, on all values of
//! a type at once: every state is initial, and met again as its own successor, when its values are interned.

use check::{Search, Silent};
use model::Verdict;

use super::{How, run};

/// Sets of values over the symmetric sets `A` and `B`.
const TYPES: &[&str] = &[
    "A",
    "SUBSET B",
    "[A -> B]",
    "[B -> A \\cup {None}]",
    "SUBSET (A \\X B)",
    "SUBSET SUBSET A",
    "[1..2 -> A \\cup B]",
    "[A -> [B -> {0}] \\cup [{None} -> B]]",
    "[from : A, to : SUBSET B, seen : {\"no\", \"yes\"}]",
    "{{<<a, b>>, <<b, 7>>} : a \\in A, b \\in A} \\cup {{}}",
    "SUBSET {[who |-> a, what |-> n] : a \\in A, n \\in 1..2}",
    "[B -> {<<>>, <<0>>} \\cup [1..1 -> A]]",
];

const SYMMETRIES: &[&str] = &["Permutations(A) \\cup Permutations(B)", "Permutations(A)"];

fn module(one: &str, other: &str) -> String {
    let symmetries: Vec<String> =
        SYMMETRIES.iter().enumerate().map(|(index, set)| format!("Symmetry{index} == {set}\n")).collect();
    format!(
        "---- MODULE Endless ----\nEXTENDS Integers, FiniteSets, TLC\nCONSTANTS A, B, None\nVARIABLES x, y\n\
         Init == x \\in {one} /\\ y \\in {other}\nNext == UNCHANGED <<x, y>>\nAll == <<x, y>>\n\
         {}====\n",
        symmetries.concat()
    )
}

/// The number of distinct states.
fn distinct(module: &str, config: &str) -> u64 {
    let config = format!("CONSTANTS A = {{a1, a2, a3}} B = {{b1, b2, b3}} None = None\n{config}");
    let how = How {
        module,
        config: &config,
        search: Search::BreadthFirst,
        n_judges: 0,
        time_max: None,
        states_max: None,
    };
    let answer = run(&how, &Silent);
    assert!(matches!(answer.outcome, Ok(Verdict::Holds)), "{:?}", answer.outcome);
    answer.counts.distinct
}

#[test]
fn representatives_count_the_orbits() {
    for one in TYPES {
        for other in ["{0}", "B"] {
            let module = module(one, other);
            for (symmetry, set) in SYMMETRIES.iter().enumerate() {
                let all = distinct(&module, &format!("SYMMETRY Symmetry{symmetry} VIEW All"));
                let few = distinct(&module, &format!("SYMMETRY Symmetry{symmetry}"));
                assert_eq!(few, all, "{one}, {other}, {set}");
            }
            assert!(distinct(&module, "") > distinct(&module, "SYMMETRY Symmetry0"), "{one}, {other}");
        }
    }
}
