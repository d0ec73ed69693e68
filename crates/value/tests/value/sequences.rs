//! Tests of the operators of `Sequences`, on sequences and on strings.

use value::{OpResult, Region, Value, ops};

use crate::text::Evaluator;

#[track_caller]
fn check(
    op: for<'r> fn(&mut Evaluator<'r>, &[Value<'r>]) -> OpResult<Value<'r>>,
    args: &[&str],
    expected: &str,
) {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let values: Vec<Value<'_>> = args.iter().map(|arg| host.value(arg)).collect();
    let printed = match op(host, &values) {
        Ok(value) => value::print(host, value).unwrap(),
        Err(error) => format!("error: {error}"),
    };
    assert_eq!(printed, expected, "{args:?}");
}

#[test]
fn len() {
    let check = |arg, expected| check(|host, args| ops::len(host, args[0]), &[arg], expected);
    check("<<>>", "0");
    check("<<1, 2>>", "2");
    check("\"abc\"", "3");
    check("(1 :> 5)", "1");
    check("[x \\in 1..3 |-> same]", "3");
    check(
        "[x \\in 0..3 |-> same]",
        "error: `Len` needs a sequence, not a function of the form [x \\in S |-> e]: [x \\in 0..3 |-> ...]",
    );
    check("{1}", "error: `Len` needs a sequence, not a set of the form {e1, ..., en}: {1}");
}

#[test]
fn head_and_tail() {
    let head = |arg, expected| check(|host, args| ops::head(host, args[0]), &[arg], expected);
    let tail = |arg, expected| check(|host, args| ops::tail(host, args[0]), &[arg], expected);
    head("<<5, 6>>", "5");
    head("<<>>", "error: `Head` of the empty sequence");
    head("\"abc\"", "error: `Head` needs a sequence, not a string: \"abc\"");
    tail("<<5, 6>>", "<<6>>");
    tail("<<5>>", "<<>>");
    tail("\"abc\"", "\"bc\"");
    tail("<<>>", "error: `Tail` of the empty sequence");
    tail("\"\"", "error: `Tail` of the empty sequence");
}

#[test]
fn append_and_concat() {
    let append = |s, e, expected| check(|host, args| ops::append(host, args[0], args[1]), &[s, e], expected);
    let concat = |s, t, expected| check(|host, args| ops::concat(host, args[0], args[1]), &[s, t], expected);
    append("<<>>", "1", "<<1>>");
    append("<<1>>", "<<>>", "<<1, <<>>>>");
    append("\"a\"", "1", "error: `Append` needs a sequence, not a string: \"a\"");
    concat("<<1>>", "<<2, 3>>", "<<1, 2, 3>>");
    concat("<<>>", "<<2>>", "<<2>>");
    concat("<<1>>", "<<>>", "<<1>>");
    concat("\"ab\"", "\"cd\"", "\"abcd\"");
    concat("\"ab\"", "<<1>>", "error: `\\o` needs a string, not a sequence: <<1>>");
    concat("<<1>>", "\"ab\"", "error: `\\o` needs a sequence, not a string: \"ab\"");
}

#[test]
fn sub_seq() {
    let check = |s, m, n, expected| {
        check(|host, args| ops::sub_seq(host, args[0], args[1], args[2]), &[s, m, n], expected)
    };
    check("<<1, 2, 3>>", "2", "3", "<<2, 3>>");
    check("<<1, 2, 3>>", "1", "3", "<<1, 2, 3>>");
    check("<<1, 2, 3>>", "9", "-9", "<<>>");
    check("<<1, 2, 3>>", "0", "2", "error: `SubSeq`: 0 is not in the domain of <<1, 2, 3>>");
    check("<<1, 2, 3>>", "2", "4", "error: `SubSeq`: 4 is not in the domain of <<1, 2, 3>>");
    check("\"abcd\"", "2", "3", "\"bc\"");
    check("\"abcd\"", "3", "2", "\"\"");
    check("<<1>>", "TRUE", "1", "error: `SubSeq` needs an integer, not a boolean: TRUE");
}
