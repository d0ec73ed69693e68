//! Tests of application, `DOMAIN`, `EXCEPT`, `@@`, `:>`.

use value::ops::Excepted;
use value::{Host, Kind, OpResult, Region, Value, ValueVec, ops};

use crate::text::Evaluator;

#[track_caller]
fn check_apply(f: &str, argument: &str, expected: &str) {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let (f, argument) = (host.value(f), host.value(argument));
    let result = ops::apply(host, f, argument);
    assert_eq!(show(host, result), expected, "{f:?}[{argument:?}]");
}

fn show<'r>(host: &mut Evaluator<'r>, result: OpResult<Value<'r>>) -> String {
    match result {
        Ok(value) => value::print(host, value).unwrap_or_else(|error| format!("error: {error}")),
        Err(error) => format!("error: {error}"),
    }
}

#[test]
fn application() {
    check_apply("<<5, 6>>", "2", "6");
    check_apply("<<5, 6>>", "0", "error: 0 is not in the domain of <<5, 6>>");
    check_apply(
        "<<5, 6>>",
        "\"a\"",
        "error: `f[e]` needs an integer as argument of a function on integers, not a string: \"a\"",
    );
    check_apply("[a |-> 5, b |-> 6]", "\"b\"", "6");
    check_apply("[a |-> 5]", "\"b\"", "error: no field `b` in [a |-> 5]");
    check_apply("[a |-> 5]", "1", "error: `r[e]` needs a string as the name of a field, not an integer: 1");
    check_apply("(m1 :> 5 @@ m2 :> 6)", "m2", "6");
    check_apply("(m1 :> 5)", "m2", "error: m2 is not in the domain of (m1 :> 5)");
    check_apply("(<<1, 2>> :> 5)", "<<1, 2>>", "5");
    check_apply("(5 :> 1 @@ 6 :> 2)", "6", "2");
    check_apply("[x \\in 5..9 |-> next]", "7", "8");
    check_apply("[x \\in Nat |-> next]", "5", "6");
    check_apply("[x \\in Nat |-> next]", "-5", "error: -5 is not in the domain of [x \\in Nat |-> ...]");
    check_apply("[x \\in Nat |-> fact]", "30", "265252859812191058636308480000000");
    check_apply("5", "1", "error: `f[e]` needs a function, not an integer: 5");
    check_apply("{5}", "1", "error: `f[e]` needs a function, not a set of the form {e1, ..., en}: {5}");
}

#[test]
fn large_domains_are_searched() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let keys: Vec<Value<'_>> =
        (0..200).map(|n| region.sequence(&[Value::small(n * 7 % 200), Value::small(n)])).collect();
    let pairs: Vec<_> = keys.iter().enumerate().map(|(n, &key)| (key, Value::small(n as i32))).collect();
    let f = ops::function_from_pairs(host, &pairs).unwrap();
    for (n, key) in keys.iter().enumerate() {
        assert_eq!(ops::apply(host, f, *key).unwrap().as_i64(), Some(n as i64));
    }
    let other = region.sequence(&[Value::small(1), Value::small(0)]);
    assert!(ops::select(host, f, other).unwrap().is_none());
}

#[test]
fn several_arguments_are_a_tuple() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let args = [Value::small(1), Value::small(2)];
    let f = host.value("(<<1, 2>> :> 7)");
    let result = ops::apply_many(host, f, &args);
    assert_eq!(show(host, result), "7");
    let sequence = host.value("<<1, 2>>");
    assert!(ops::apply_many(host, sequence, &args).is_err());
}

#[test]
fn fields() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let (a, c) = (host.atoms.declare("a"), host.atoms.declare("c"));
    for (record, field, expected) in [
        ("[a |-> 1, b |-> 2]", a, "1"),
        ("[a |-> 1]", c, "error: no field `c` in [a |-> 1]"),
        ("(\"a\" :> 1)", a, "1"),
        (
            "<<1>>",
            a,
            "error: `f[e]` needs an integer as argument of a function on integers, not a string: \"a\"",
        ),
        ("5", a, "error: `.` needs a record, not an integer: 5"),
    ] {
        let value = host.value(record);
        let result = ops::field(host, value, field);
        assert_eq!(show(host, result), expected, "{record}");
    }
}

#[test]
fn domains() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    for (f, expected) in [
        ("<<5, 6>>", "1..2"),
        ("<<>>", "{}"),
        ("[a |-> 1, b |-> 2]", "{\"b\", \"a\"}"),
        ("(m2 :> 1 @@ m1 :> 2)", "{m1, m2}"),
        ("[x \\in Nat |-> same]", "Nat"),
        ("[x \\in 0..3 |-> same]", "0..3"),
        ("\"abc\"", "error: `DOMAIN` needs a function, not a string: \"abc\""),
    ] {
        let value = host.value(f);
        let result = ops::domain(host, value);
        assert_eq!(show(host, result), expected, "{f}");
    }
}

#[test]
fn one_graph_has_one_form() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    for (text, kind) in [
        ("(2 :> 1 @@ 1 :> 2)", Kind::Sequence),
        ("(0 :> 1 @@ 1 :> 2)", Kind::Function),
        ("(\"b\" :> 1 @@ \"a\" :> 2)", Kind::Record),
        ("(m1 :> 1 @@ \"a\" :> 2)", Kind::Function),
        ("(<<>> :> 1)", Kind::Function),
    ] {
        assert_eq!(host.value(text).kind(), kind, "{text}");
    }
    let values = ValueVec::from_slice(&region, &[Value::small(7), Value::small(8)]);
    assert_eq!(ops::function(region.interval(1, 2), values).kind(), Kind::Sequence);
    assert_eq!(ops::function(Value::empty_set(), ValueVec::new(&region)).kind(), Kind::Sequence);
}

#[test]
fn merging_prefers_the_left() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    for (text, expected) in [
        ("<<1, 2>> @@ <<5, 6, 7>>", "<<1, 2, 7>>"),
        ("[a |-> 1] @@ [b |-> 2, a |-> 3]", "[b |-> 2, a |-> 1]"),
        ("[b |-> 1, d |-> 2] @@ [a |-> 3, d |-> 4, e |-> 5]", "[b |-> 1, a |-> 3, d |-> 2, e |-> 5]"),
        ("[b |-> 9, d |-> 8] @@ [a |-> 7, d |-> 6, e |-> 5]", "[b |-> 9, a |-> 7, d |-> 8, e |-> 5]"),
        ("[b |-> 1] @@ [b |-> 2]", "[b |-> 1]"),
        ("[b |-> 1] @@ <<>>", "[b |-> 1]"),
        ("<<>> @@ (m1 :> 2)", "(m1 :> 2)"),
        ("(0 :> 5) @@ <<6>>", "(0 :> 5 @@ 1 :> 6)"),
        ("(2 :> 5) @@ <<6>>", "<<6, 5>>"),
        ("<<1>> @@ [a |-> 2]", "error: cannot compare 1 with \"a\""),
        ("<<1>> @@ 5", "error: `@@` needs a function, not an integer: 5"),
    ] {
        let result = host.opt_value(text);
        assert_eq!(show(host, result), expected, "{text}");
    }
}

/// Computes `[f EXCEPT !path = new]` where `new` is the old value plus one when it is an integer, else `<<@>>`.
fn except(f: &str, path: &[&str]) -> String {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let value = host.value(f);
    let path: Vec<Value<'_>> = path.iter().map(|key| host.value(key)).collect();
    let result = ops::except(host, value, &path, |host, old| match old.kind() == Kind::Integer {
        true => ops::add(host, old, Value::small(1)),
        false => Ok(host.region().sequence(&[old])),
    });
    match result {
        Ok(Excepted::Changed(value)) => show(host, Ok(value)),
        Ok(Excepted::OutsideDomain) => "outside".to_owned(),
        Err(error) => format!("error: {error}"),
    }
}

#[test]
fn except_replaces_one_place() {
    assert_eq!(except("<<1, 2>>", &["2"]), "<<1, 3>>");
    assert_eq!(except("<<1, 2>>", &["3"]), "outside");
    assert_eq!(except("[a |-> 1, b |-> {}]", &["\"b\""]), "[b |-> <<{}>>, a |-> 1]");
    assert_eq!(except("[a |-> <<1, 2>>]", &["\"a\"", "1"]), "[a |-> <<2, 2>>]");
    assert_eq!(except("[a |-> <<1, 2>>]", &["\"a\"", "5"]), "outside");
    assert_eq!(except("[a |-> <<1, 2>>]", &["\"c\"", "5"]), "outside");
    assert_eq!(except("(m1 :> 1 @@ m2 :> 2)", &["m2"]), "(m1 :> 1 @@ m2 :> 3)");
    assert_eq!(except("(0 :> 1)", &["0"]), "(0 :> 2)");
    assert_eq!(except("5", &[]), "6");
    assert_eq!(
        except("{1}", &["1"]),
        "error: `EXCEPT` needs a function, not a set of the form {e1, ..., en}: {1}"
    );
    assert_eq!(
        except("<<{1}>>", &["1", "1"]),
        "error: `EXCEPT` needs a function, not a set of the form {e1, ..., en}: {1}"
    );
    assert_eq!(except("<<>>", &["\"a\""]), "outside");
}

#[test]
fn except_on_lazy_functions_keeps_them_lazy() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let f = host.value("[x \\in Nat |-> next]");
    let mut changed = f;
    for key in [3, 3, 5] {
        let result = ops::except(host, changed, &[Value::small(key)], |host, old| {
            ops::add(host, old, Value::small(100))
        });
        let Ok(Excepted::Changed(g)) = result else { panic!("{key} is in the domain") };
        changed = g;
    }
    assert_eq!(changed.kind(), Kind::LazyFunction);
    for (argument, expected) in [(3, 204), (5, 106), (4, 5)] {
        assert_eq!(ops::apply(host, changed, Value::small(argument)).unwrap().as_i64(), Some(expected));
    }
    assert!(matches!(
        ops::except(host, f, &[Value::small(-1)], |_, old| Ok(old)),
        Ok(Excepted::OutsideDomain)
    ));
    let finite = host.value("[x \\in 0..2 |-> next]");
    let Ok(Excepted::Changed(finite)) = ops::except(host, finite, &[Value::small(1)], |_, _| Ok(Value::TRUE))
    else {
        panic!()
    };
    let explicit = ops::explicit_function(host, finite);
    assert_eq!(show(host, explicit), "(0 :> 1 @@ 1 :> TRUE @@ 2 :> 3)");
}

#[test]
fn except_gives_the_same_object_when_nothing_changes() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let f = host.value("[a |-> <<1, 2>>]");
    let path = [host.value("\"a\""), Value::small(1)];
    let Ok(Excepted::Changed(same)) = ops::except(host, f, &path, |_, old| Ok(old)) else { panic!() };
    assert!(same.is_same(f));
}
