//! Tests of set operators: their results, when they are lazy, and in which order their elements come.

use value::{Kind, Region, Value, ops};

use crate::text::Evaluator;

#[track_caller]
fn check(text: &str, expected: &str) {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let printed = match host.opt_value(text) {
        Ok(value) => value::print(host, value).unwrap_or_else(|error| format!("error: {error}")),
        Err(error) => format!("error: {error}"),
    };
    assert_eq!(printed, expected, "{text}");
}

#[track_caller]
fn check_kind(text: &str, expected: Kind) {
    let region = Region::new();
    assert_eq!(Evaluator::new(&region).value(text).kind(), expected, "{text}");
}

#[track_caller]
fn check_member(element: &str, set: &str, expected: Option<bool>) {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let (element_value, set_value) = (host.value(element), host.value(set));
    assert_eq!(ops::member(host, element_value, set_value).ok(), expected, "{element} \\in {set}");
}

#[track_caller]
fn check_subset(left: &str, right: &str, expected: Option<bool>) {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let (left_value, right_value) = (host.value(left), host.value(right));
    assert_eq!(ops::is_subset(host, left_value, right_value).ok(), expected, "{left} \\subseteq {right}");
}

#[test]
fn eager_operators() {
    check("{1, 2} \\cup {2, 3}", "{1, 2, 3}");
    check("{3, 1} \\cup {}", "{1, 3}");
    check("{} \\cup (1..3)", "1..3");
    check("(1..2) \\cup {5}", "{1, 2, 5}");
    check("{1, 2} \\cap {2, 3}", "{2}");
    check("{1, 2, 3} \\ {2}", "{1, 3}");
    check("(1..4) \\ (2..3)", "{1, 4}");
    check("{<<1>>, <<2>>} \\cup {<<1>>, <<0>>}", "{<<0>>, <<1>>, <<2>>}");
    check("{1} \\cup {\"a\"}", "error: cannot compare \"a\" with 1");
    check("{1} \\cup 5", "error: `\\cup` needs a set, not an integer: 5");
    check("1 \\ {1}", "error: `\\` needs a set, not an integer: 1");
}

#[test]
fn operators_are_lazy_when_no_operand_is_written_out() {
    check_kind("(SUBSET {1}) \\cup (SUBSET {2})", Kind::Cup);
    check_kind("{1} \\cup Nat", Kind::Cup);
    check_kind("Nat \\cup {1}", Kind::Cup);
    check_kind("Nat \\cap Int", Kind::Cap);
    check_kind("Nat \\cap {1}", Kind::Set);
    check_kind("Nat \\ {1}", Kind::Difference);
    check_kind("{1} \\ Nat", Kind::Set);
    check_kind("UNION {1..2}", Kind::Union);
    check_kind("UNION {{1}, {2}}", Kind::Set);
    check_kind("{x \\in 1..3 : even}", Kind::Set);
    check_kind("{x \\in Nat : even}", Kind::Filter);
}

#[test]
fn operators_give_the_left_set_itself_when_nothing_changes() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let left = host.value("{1, 2, 3}");
    let (one, four) = (host.value("{1}"), host.value("{4}"));
    assert!(ops::cup(host, left, one).unwrap().is_same(left));
    assert!(ops::difference(host, left, four).unwrap().is_same(left));
    assert!(ops::cap(host, left, left).unwrap().is_same(left));
}

#[test]
fn unions() {
    check("UNION {{1, 2}, {2, 3}, {}}", "{1, 2, 3}");
    check("UNION {}", "{}");
    check("UNION {1..2, 2..3}", "{1, 2, 3}");
    check("UNION SUBSET {1, 2}", "{1, 2}");
    check("UNION {{1}, {\"a\"}}", "error: cannot compare 1 with \"a\"");
    check("UNION {1}", "error: `\\in` needs a set, not an integer: 1");
}

#[test]
fn membership_in_written_sets_follows_the_order_of_writing_until_normal_form() {
    check_member("1", "{1, \"a\"}", Some(true));
    check_member("1", "{\"a\", 1}", None);
    check_member("{1}", "{{1}, {\"a\"}}", Some(true));
    check_member("1", "{}", Some(false));
    check_member("m1", "{1, 2}", Some(false));
    check_member("\"a\"", "{1, 2}", None);
}

#[test]
fn membership_in_lazy_sets() {
    for (element, set, expected) in [
        ("2", "1..3", Some(true)),
        ("99999999999999999999", "1..3", Some(false)),
        ("\"a\"", "1..3", None),
        ("m1", "1..3", Some(false)),
        ("A_1", "1..3", None),
        ("{1, 2}", "SUBSET Nat", Some(true)),
        ("{-1}", "SUBSET Nat", Some(false)),
        ("1", "SUBSET Nat", None),
        ("m1", "SUBSET Nat", None),
        ("{1, 2}", "kSubset(2, 1..5)", Some(true)),
        ("{1}", "kSubset(2, 1..5)", Some(false)),
        ("<<1, 2>>", "[1..2 -> Nat]", Some(true)),
        ("<<1, 2, 3>>", "[1..2 -> Nat]", Some(false)),
        ("[a |-> 1]", "[{\"a\"} -> Nat]", Some(true)),
        ("[x \\in 0..3 |-> same]", "[0..3 -> Nat]", Some(true)),
        ("1", "[1..2 -> Nat]", None),
        ("m1", "[1..2 -> Nat]", Some(false)),
        ("[a |-> 1, b |-> TRUE]", "[a : Nat, b : {TRUE, FALSE}]", Some(true)),
        ("[a |-> 1]", "[a : Nat, b : {TRUE}]", Some(false)),
        ("<<1>>", "[a : Nat]", None),
        ("<<>>", "[a : Nat]", Some(false)),
        ("<<1, \"a\">>", "Nat \\X STRING", Some(true)),
        ("<<1>>", "Nat \\X STRING", Some(false)),
        ("(5 :> 1)", "Nat \\X STRING", Some(false)),
        ("[a |-> 1]", "Nat \\X STRING", None),
        ("4", "{x \\in Nat : even}", Some(true)),
        ("-4", "{x \\in Nat : even}", Some(false)),
        ("5", "{x \\in Nat : even}", Some(false)),
        ("-1", "{-1} \\cup Nat", Some(true)),
        ("5", "Nat \\ {5}", Some(false)),
        ("2", "UNION {1..2, 5..6}", Some(true)),
        ("3", "UNION {1..2, 5..6}", Some(false)),
        ("1", "Nat", Some(true)),
        ("99999999999999999999", "Nat", Some(true)),
        ("-99999999999999999999", "Nat", Some(false)),
        ("-1", "Int", Some(true)),
        ("\"a\"", "Nat", None),
        ("m1", "Nat", Some(false)),
        ("\"a\"", "STRING", Some(true)),
        ("<<1, 2>>", "Seq(1..2)", Some(true)),
        ("<<1, 3>>", "Seq(1..2)", Some(false)),
        ("[a |-> 1]", "Seq(1..2)", None),
        ("{Nat}", "ANY", Some(true)),
        ("1", "5", None),
        ("1", "<<1>>", None),
    ] {
        check_member(element, set, expected);
    }
}

#[test]
fn subsets() {
    check_subset("{1}", "Nat", Some(true));
    check_subset("1..3", "0..9", Some(true));
    check_subset("1..3", "{1, 3}", Some(false));
    check_subset("SUBSET {1}", "SUBSET Nat", Some(true));
    check_subset("{}", "5", Some(true));
    check_subset("Nat", "Int", None);
    check_subset("1", "Int", None);
}

/// Collects the elements as `print` shows them.
fn collect<'r>(host: &mut Evaluator<'r>, mut elements: ops::Elements<'r>) -> Vec<String> {
    let mut all = Vec::new();
    while let Some(element) = elements.next(host).unwrap() {
        all.push(value::print(host, element).unwrap());
    }
    all
}

#[track_caller]
fn check_order(text: &str, own: &[&str], normal: &[&str]) {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let set = host.value(text);
    let elements = ops::elements(host, set).unwrap();
    assert_eq!(collect(host, elements), own, "own order of {text}");
    let set = host.value(text);
    let elements = ops::elements_normal(host, set).unwrap();
    assert_eq!(collect(host, elements), normal, "normal order of {text}");
}

#[test]
fn enumeration_orders() {
    let both = |text: &str, elements: &[&str]| check_order(text, elements, elements);
    both("{3, 1, 2, 1}", &["1", "2", "3"]);
    both("1..3", &["1", "2", "3"]);
    both("{}", &[]);
    // The order is by size, then by index.
    both("SUBSET {1, 2, 3}", &["{}", "{1}", "{2}", "{3}", "{1, 2}", "{1, 3}", "{2, 3}", "{1, 2, 3}"]);
    both("SUBSET {}", &["{}"]);
    // The order is that of bit sets, not the normal order.
    both("kSubset(2, 1..4)", &["{1, 2}", "{1, 3}", "{2, 3}", "{1, 4}", "{2, 4}", "{3, 4}"]);
    both("kSubset(0, 1..4)", &["{}"]);
    both("kSubset(5, 1..4)", &[]);
    // The last varies fastest.
    both("[1..2 -> {5, 6}]", &["<<5, 5>>", "<<5, 6>>", "<<6, 5>>", "<<6, 6>>"]);
    both(
        "[{\"a\", \"b\"} -> 1..2]",
        &["[b |-> 1, a |-> 1]", "[b |-> 1, a |-> 2]", "[b |-> 2, a |-> 1]", "[b |-> 2, a |-> 2]"],
    );
    both("[{} -> {5}]", &["<<>>"]);
    both("[{1} -> {}]", &[]);
    both("[c : 1..2, z : {5}]", &["[z |-> 5, c |-> 1]", "[z |-> 5, c |-> 2]"]);
    both("{2, 1} \\X {4, 3}", &["<<1, 3>>", "<<1, 4>>", "<<2, 3>>", "<<2, 4>>"]);
    both("{x \\in SUBSET {1} : any}", &["{}", "{1}"]);
    both("(SUBSET {1, 2}) \\ {{1}}", &["{}", "{2}", "{1, 2}"]);
    both("(SUBSET {1, 2}) \\cap (SUBSET {2, 3})", &["{}", "{2}"]);
    both("Nat \\cap (UNION {1..2, {-1}})", &["1", "2"]);
}

#[test]
fn lazy_unions_repeat_elements_in_their_own_order_only() {
    check_order("(SUBSET {2}) \\cup (SUBSET {1})", &["{}", "{2}", "{}", "{1}"], &["{}", "{1}", "{2}"]);
    check_order("UNION {2..3, 1..2}", &["1", "2", "2", "3"], &["1", "2", "3"]);
}

#[test]
fn infinite_sets_are_not_enumerated() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    for text in [
        "Nat",
        "Int",
        "STRING",
        "Seq({1})",
        "ANY",
        "[Nat -> {1}]",
        "[{} -> Nat]",
        "Nat \\cup {1}",
        "SUBSET Nat",
        "5",
        "<<1>>",
    ] {
        let set = host.value(text);
        let refused = match ops::elements(host, set) {
            Ok(mut elements) => elements.next(host).is_err(),
            Err(_) => true,
        };
        assert!(refused, "{text}");
    }
}

#[test]
fn large_sets_are_enumerated_without_writing_them_down() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    for text in ["SUBSET (1..100)", "[1..60 -> 1..60]", "(1..1000000000) \\X (1..1000000000)"] {
        let set = host.value(text);
        let mut elements = ops::elements_normal(host, set).unwrap();
        for _ in 0..1000 {
            assert!(elements.next(host).unwrap().is_some());
        }
    }
    assert!(region.bytes_used() < 16 << 20);
}

#[track_caller]
fn check_size(text: &str, expected: &str) {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let set = host.value(text);
    let printed = match ops::cardinality(host, set) {
        Ok(size) => value::print(host, size).unwrap(),
        Err(error) => format!("error: {error}"),
    };
    assert_eq!(printed, expected, "{text}");
}

#[test]
fn sizes() {
    check_size("{1, 1, 2}", "2");
    check_size("{<<1>>, <<1>>}", "1");
    check_size("5..4", "0");
    check_size("-1000000000000..1000000000000", "2000000000001");
    check_size("SUBSET (1..40)", "1099511627776");
    check_size("SUBSET (1..100)", "1267650600228229401496703205376");
    check_size("kSubset(50, 1..100)", "100891344545564193334812497256");
    check_size("[1..3 -> 1..4]", "64");
    check_size("[{} -> {}]", "1");
    check_size("[1..3 -> {}]", "0");
    check_size("[a : 1..3, b : 1..2]", "6");
    check_size("(1..3) \\X {}", "0");
    check_size("{x \\in SUBSET {1, 2} : any}", "4");
    check_size("(SUBSET {1}) \\cup (SUBSET {2})", "3");
    check_size("Nat", "error: cannot enumerate Nat");
    check_size("SUBSET Nat", "error: cannot enumerate Nat");
    check_size("SUBSET (1..9999999999)", "error: too many elements in SUBSET (1..9999999999)");
    check_size("5", "error: `Cardinality` needs a set, not an integer: 5");
}

#[test]
fn finiteness() {
    for (text, expected) in [
        ("{1}", Some(true)),
        ("Nat", Some(false)),
        ("SUBSET Nat", Some(false)),
        ("[1..3 -> Nat]", Some(false)),
        ("Seq({})", Some(false)),
        ("Nat \\cup {1}", Some(false)),
        ("{x \\in Nat : even}", None),
        ("{x \\in SUBSET {1} : any}", Some(true)),
        ("Nat \\cap Int", None),
        ("Nat \\ {1}", Some(false)),
        ("Nat \\ Int", None),
        // Its elements are enumerated, so they are put into normal form first, and that is refused.
        ("UNION {1..2, Nat}", None),
        ("UNION {Nat, Int}", Some(false)),
        ("1", None),
    ] {
        let region = Region::new();
        let host = &mut Evaluator::new(&region);
        let set = host.value(text);
        assert_eq!(ops::is_finite(host, set).ok(), expected, "{text}");
    }
}

#[test]
fn sets_too_large_to_write_down_are_refused() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    for text in ["SUBSET (1..30)", "[1..30 -> 1..2]", "{x \\in SUBSET (1..30) : any}", "1..2000000000"] {
        let set = host.value(text);
        let error = ops::explicit_set(host, set).unwrap_err();
        assert!(error.to_string().starts_with("too many elements"), "{text}: {error}");
    }
}

#[test]
fn filters_call_back_and_pass_errors_through() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let set = host.value("{x \\in UNION {1..2, 3..4} : odd_or_error}");
    let mut elements = ops::elements(host, set).unwrap();
    assert_eq!(elements.next(host).unwrap().and_then(Value::as_i64), Some(1));
    let error = elements.next(host).err().unwrap();
    assert!(matches!(*error, value::OpError::Raised(what) if what.downcast_ref() == Some(&"even!")));
    // In normal order all of it is evaluated first, as TLC does.
    assert!(ops::elements_normal(host, set).is_err());
}

#[test]
fn explicit_forms_are_remembered() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let set = host.value("{x \\in UNION {1..4, 5..8} : even}");
    let first = ops::explicit_set(host, set).unwrap();
    let n_calls = host.n_calls;
    let second = ops::explicit_set(host, set).unwrap();
    assert!(first.is_same(second) && n_calls == host.n_calls && n_calls > 0);
}
