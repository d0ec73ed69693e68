//! Tests of printing values.

use value::{Constant, Ground, Interner, Region, print_raw};

use crate::text::Evaluator;

#[track_caller]
fn check(text: &str, expected: &str) {
    let region = Region::new();
    assert_eq!(Evaluator::new(&region).printed(text), expected, "{text}");
}

#[test]
fn explicit_values() {
    check("(1 :> 5)", "<<5>>");
    check("<<>>", "<<>>");
    check("(\"a b\" :> 1)", "(\"a b\" :> 1)");
    check("(\"a\" :> 1 @@ \"b\" :> 2)", "[b |-> 2, a |-> 1]");
    check("{\"c\", \"a\", \"b\", \"z\"}", "{\"z\", \"b\", \"a\", \"c\"}");
    check("[x \\in 0..1 |-> next]", "(0 :> 1 @@ 1 :> 2)");
    check("{m2, m1, 3}", "{m1, m2, 3}");
    check("-12345678901234567890123", "-12345678901234567890123");
}

#[test]
fn lazy_values_are_expanded_when_they_are_small() {
    check("1..3", "1..3");
    check("SUBSET {1, 2}", "{{}, {1}, {2}, {1, 2}}");
    check("SUBSET (1..7)", "SUBSET (1..7)");
    check("SUBSET {1, 2, 3, 4, 5, 6, 9}", "SUBSET {1, 2, 3, 4, 5, 6, 9}");
    check("[1..2 -> {5}]", "{<<5, 5>>}");
    check("[1..11 -> 1..2]", "[1..11 -> 1..2]");
    check("[a : 1..2]", "{[a |-> 1], [a |-> 2]}");
    check("[a : Nat, z : STRING]", "[z: STRING, a: Nat]");
    check("{1} \\X {2}", "{<<1, 2>>}");
    check("Nat \\X (1..2)", "(Nat \\X 1..2)");
    check("{x \\in Nat : even}", "{x \\in Nat : ...}");
    check("Nat \\cup {1}", "{1} \\cup Nat");
    check("Nat \\ {1}", "Nat \\ {1}");
    check("Nat \\cap Int", "Nat \\cap Int");
    check("[x \\in Nat |-> same]", "[x \\in Nat |-> ...]");
    check("Seq(Nat)", "Seq(Nat)");
}

#[test]
fn strings_are_escaped() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let text = value::Value::atom(host.atoms.string("a\"b\\c\td\n"));
    assert_eq!(value::print(host, text).unwrap(), r#""a\"b\\c\td\n""#);
}

#[test]
fn messages_are_cut() {
    let region = Region::new();
    let long = region.sequence(&vec![value::Value::small(7); 100_000]);
    let text = print_raw(long);
    assert!(text.len() < 5000 && text.ends_with("...>>"), "{}", &text[text.len() - 20..]);
}

#[test]
fn raw_printing_shows_a_set_as_it_was_written() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    assert_eq!(print_raw(host.value("{<<2>>, <<1>>, <<2>>}")), "{<<2>>, <<1>>, <<2>>}");
    assert_eq!(print_raw(host.value("SUBSET {1}")), "SUBSET {1}");
}

#[test]
fn stored_sets_of_integers_print_as_sets() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    for (text, expected) in
        [("{1, 2, 3, 4, 5}", "{1, 2, 3, 4, 5}"), ("1..3", "{1, 2, 3}"), ("1..1000", "1..1000")]
    {
        let value = host.value(text);
        let id = Interner::shared().intern(Ground::new(host, value).unwrap()).unwrap();
        assert_eq!(format!("{:?}", Constant::from_id(id)), expected);
    }
}

#[track_caller]
fn check_pretty(text: &str, width: usize, expected: &[&str]) {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let value = host.value(text);
    let lines = value::pretty(host, value, width).unwrap();
    assert_eq!(lines.lines().collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn wide_values_are_broken() {
    check_pretty("<<1, 2, 3>>", 11, &["<<1, 2, 3>>"]);
    check_pretty("<<1, 2, 3>>", 10, &["<< 1,", "   2,", "   3 >>"]);
    check_pretty("{<<1, 2>>, <<3, 4>>}", 15, &["{ <<1, 2>>,", "  <<3, 4>> }"]);
    check_pretty("[b |-> 1, a |-> {5, 6, 7, 8}]", 20, &["[ b |-> 1,", "  a |->", "      {5, 6, 7, 8} ]"]);
    check_pretty(
        "[b |-> 1, a |-> {5, 6, 7, 8}]",
        12,
        &["[ b |-> 1,", "  a |->", "      { 5,", "        6,", "        7,", "        8 } ]"],
    );
    check_pretty("(m1 :> 1 @@ m2 :> 2)", 12, &["( m1 :> 1 @@", "  m2 :> 2 )"]);
    check_pretty("SUBSET {10, 20, 30, 40, 50, 60, 70}", 10, &["SUBSET {10, 20, 30, 40, 50, 60, 70}"]);
}
