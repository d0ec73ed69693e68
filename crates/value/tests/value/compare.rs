//! Tests of equality and the normal order, and of their refusals.

use std::cmp::Ordering;

use value::{OpError, Region, ops};

use crate::text::Evaluator;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Answer {
    Yes,
    No,
    Refused,
}
use Answer::{No, Refused, Yes};

#[track_caller]
fn check_equal(left: &str, right: &str, expected: Answer) {
    check_one_way(left, right, expected);
    check_one_way(right, left, expected);
}

#[track_caller]
fn check_one_way(left: &str, right: &str, expected: Answer) {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let (left_value, right_value) = (host.value(left), host.value(right));
    let answer = match ops::equal(host, left_value, right_value) {
        Ok(true) => Yes,
        Ok(false) => No,
        Err(_) => Refused,
    };
    assert_eq!(answer, expected, "{left} = {right}");
}

#[test]
fn values_of_one_kind() {
    check_equal("1", "1", Yes);
    check_equal("1", "2", No);
    check_equal("123456789012345678901234567890", "123456789012345678901234567890", Yes);
    check_equal("123456789012345678901234567890", "-1", No);
    check_equal("\"a\"", "\"a\"", Yes);
    check_equal("\"a\"", "\"b\"", No);
    check_equal("TRUE", "FALSE", No);
    check_equal("{1, 2, 1}", "{2, 1}", Yes);
    check_equal("{{1}, {}}", "{{}, {1, 1}}", Yes);
    check_equal("[b |-> 1, a |-> 2]", "[a |-> 2, b |-> 1]", Yes);
    check_equal("[a |-> 1]", "[b |-> 1]", No);
}

#[test]
fn values_of_unlike_kinds_are_refused() {
    check_equal("1", "\"a\"", Refused);
    check_equal("1", "TRUE", Refused);
    check_equal("TRUE", "\"a\"", Refused);
    check_equal("1", "{1}", Refused);
    check_equal("1", "<<1>>", Refused);
    check_equal("<<>>", "{}", Refused);
    check_equal("{1}", "{\"a\"}", Refused);
    check_equal("<<1>>", "<<\"a\">>", Refused);
}

#[test]
fn unequal_sizes_decide_before_elements_are_looked_at() {
    check_equal("{1}", "{\"a\", \"b\"}", No);
    check_equal("<<1>>", "<<\"a\", \"b\">>", No);
    check_one_way("<<1, 2>>", "[a |-> 1]", No);
    check_equal("<<1>>", "[b |-> 1]", Refused);
    check_equal("<<>>", "[b |-> 1]", No);
}

#[test]
fn a_record_on_the_left_is_asked_about_records_alone() {
    for other in
        ["<<1, 2>>", "(0 :> 1 @@ 1 :> 2)", "[x \\in 1..3 |-> same]", "(m1 :> 1)", "({} :> 1 @@ {1} :> 2)"]
    {
        check_one_way("[a |-> 1]", other, Refused);
    }
    check_one_way("[a |-> 1]", "[x \\in {} |-> same]", No);
    check_one_way("[x \\in 1..3 |-> same]", "[a |-> 1]", No);
    check_one_way("(m1 :> 1)", "[a |-> 1]", No);
    check_equal("[a |-> 1, b |-> 2]", "[a |-> 1]", No);
    check_equal("[a |-> 1]", "m1", No);
}

#[test]
fn tuples_stop_at_the_first_difference() {
    check_equal("<<1, \"a\">>", "<<2, 5>>", No);
    check_equal("<<1, \"a\">>", "<<1, 5>>", Refused);
}

#[test]
fn functions_with_one_graph_are_equal_whatever_their_form() {
    check_equal("(1 :> 5 @@ 2 :> 6)", "<<5, 6>>", Yes);
    check_equal("(2 :> 6 @@ 1 :> 5)", "<<5, 6>>", Yes);
    check_equal("(\"a\" :> 1)", "[a |-> 1]", Yes);
    check_equal("[x \\in 1..3 |-> same]", "<<1, 2, 3>>", Yes);
    check_equal("[x \\in 0..1 |-> next]", "(0 :> 1 @@ 1 :> 2)", Yes);
    check_equal("[x \\in {} |-> same]", "<<>>", Yes);
    check_equal("(0 :> 1)", "<<1>>", No);
    check_equal("(m1 :> 1)", "(m2 :> 1)", No);
}

#[test]
fn untyped_model_values_equal_only_themselves() {
    check_equal("m1", "m1", Yes);
    for other in ["m2", "1", "\"m1\"", "TRUE", "{}", "<<>>", "[a |-> 1]", "A_1"] {
        check_equal("m1", other, No);
    }
    check_equal("{1, m1}", "{m1, 1}", Yes);
}

#[test]
fn typed_model_values_refuse_other_types() {
    check_equal("A_1", "A_1", Yes);
    check_equal("A_1", "A_2", No);
    check_equal("A_1", "none", No);
    for other in ["B_1", "1", "\"a\"", "{}", "<<1>>"] {
        check_equal("A_1", other, Refused);
    }
}

#[test]
fn infinite_sets_compare_among_themselves_at_most() {
    check_equal("Nat", "Nat", Yes);
    check_equal("Nat", "Int", No);
    check_equal("Nat", "STRING", Refused);
    check_equal("Nat", "{}", Refused);
    check_equal("Nat", "1..3", Refused);
    check_equal("Nat", "m1", No);
    check_equal("Seq({1})", "Seq(1..1)", Yes);
    check_equal("Seq({1})", "Seq({2})", No);
}

#[test]
fn lazy_sets_equal_their_explicit_form() {
    check_equal("1..3", "{3, 2, 1}", Yes);
    check_equal("1..3", "{1, 2, 4}", No);
    check_equal("5..4", "{}", Yes);
    check_equal("SUBSET {1, 2}", "{{}, {1}, {2}, {1, 2}}", Yes);
    check_equal("SUBSET {1, 2}", "SUBSET {2, 1}", Yes);
    check_equal("SUBSET {1, 2}", "SUBSET {1}", No);
    check_equal("[{1} -> {2, 3}]", "{<<2>>, <<3>>}", Yes);
    check_equal("[{} -> {2}]", "[{} -> {3}]", Yes);
    check_equal("[{1} -> {}]", "[{2} -> {}]", Yes);
    check_equal("[{1} -> {2}]", "[{1} -> {2, 3}]", No);
    check_equal("[{1} -> Nat]", "[{} -> {1}]", No);
    check_equal("[{1} -> Nat]", "[1..1 -> Nat]", Yes);
    check_equal("[a : {1, 2}, b : {3}]", "{[a |-> 1, b |-> 3], [a |-> 2, b |-> 3]}", Yes);
    check_equal("{1} \\X {2, 3}", "{<<1, 2>>, <<1, 3>>}", Yes);
    check_equal("{x \\in SUBSET {1} : any}", "{{}, {1}}", Yes);
    check_equal("(SUBSET {1}) \\cup (SUBSET {2})", "{{}, {1}, {2}}", Yes);
    check_equal("kSubset(1, 1..3)", "{{1}, {2}, {3}}", Yes);
}

#[test]
fn a_mixed_set_is_refused_only_when_it_is_put_into_normal_form() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let mixed = host.value("{1, \"a\"}");
    let error = ops::normalize(host, mixed).unwrap_err();
    assert!(
        matches!(&*error, OpError::NotComparable { left, right } if left == "\"a\"" && right == "1"),
        "{error}"
    );
    check_equal("{1, \"a\"}", "{1, \"a\"}", Refused);
    check_equal("{1, \"a\"}", "{}", Refused);
}

#[test]
fn errors_that_a_set_hides_by_its_size_are_not_raised_by_identity() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let mixed = host.value("<<{1, \"a\"}>>");
    assert!(ops::equal(host, mixed, mixed).is_err(), "the same object, but it has no normal form");
}

#[test]
fn normal_order() {
    let ascending: &[&[&str]] = &[
        &["m1", "m2", "FALSE", "TRUE"],
        &["m1", "-3", "0", "7", "99999999999999999999"],
        // Strings by first occurrence, then those that were not declared, by content.
        &["\"z\"", "\"b\"", "\"a\"", "\"c\"", "\"aaa\"", "\"bbb\""],
        &["A_1", "A_2", "none"],
        // Sets by size, then element by element; tuples by length; records by number of fields, then names.
        &["m1", "{}", "{5}", "{6}", "{1, 2}", "{1, 3}", "1..3", "{1, 2, 4}"],
        &["<<>>", "<<9>>", "<<1, 1>>", "<<1, 2>>", "<<2, 0>>"],
        &[
            "[c |-> 9]",
            "[b |-> 0, a |-> 0]",
            "[b |-> 0, a |-> 1]",
            "[b |-> 1, a |-> 0]",
            "[a |-> 0, c |-> 0]",
        ],
        &["(0 :> 9)", "(2 :> 0)", "(0 :> 5 @@ 1 :> 5)", "(0 :> 5 @@ 2 :> 1)"],
        &["SUBSET {1}", "SUBSET {2}", "SUBSET {1, 2}"],
        &["Nat", "Int"],
    ];
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    for chain in ascending {
        for (i, left) in chain.iter().enumerate() {
            for (j, right) in chain.iter().enumerate() {
                let (left_value, right_value) = (host.value(left), host.value(right));
                let ordering = ops::compare(host, left_value, right_value);
                assert_eq!(
                    ordering.unwrap_or_else(|e| panic!("{left}, {right}: {e}")),
                    i.cmp(&j),
                    "{left}, {right}"
                );
            }
        }
    }
}

#[test]
fn order_refuses_unlike_kinds() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    for (left, right) in
        [("1", "\"a\""), ("{1}", "{\"a\"}"), ("A_1", "B_1"), ("A_1", "1"), ("<<1>>", "{1}"), ("1", "Nat")]
    {
        let (left_value, right_value) = (host.value(left), host.value(right));
        assert!(ops::compare(host, left_value, right_value).is_err(), "{left}, {right}");
    }
}

#[test]
fn deeply_nested_values_are_compared() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let nest = |innermost: i32| {
        let leaf = value::Value::small(innermost);
        (0..100_000).fold(leaf, |value, _| region.sequence(&[value]))
    };
    let (left, right) = (nest(1), nest(2));
    assert_eq!(ops::compare(host, left, right).unwrap(), Ordering::Less);
    assert!(!ops::equal(host, left, right).unwrap());
}
