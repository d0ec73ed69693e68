//! Tests of integers, small and large.

use value::{OpError, OpResult, Region, Value, ops};

use crate::text::Evaluator;

fn apply<'r>(op: &str, host: &mut Evaluator<'r>, left: Value<'r>, right: Value<'r>) -> OpResult<Value<'r>> {
    match op {
        "+" => ops::add(host, left, right),
        "-" => ops::subtract(host, left, right),
        "*" => ops::multiply(host, left, right),
        "\\div" => ops::divide(host, left, right),
        "%" => ops::modulo(host, left, right),
        "^" => ops::power(host, left, right),
        ".." => ops::interval(host, left, right),
        other => panic!("no operator {other}"),
    }
}

#[track_caller]
fn check(op: &str, left: &str, right: &str, expected: &str) {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let (left, right) = (host.value(left), host.value(right));
    let printed = match apply(op, host, left, right) {
        Ok(value) => value::print(host, value).unwrap(),
        Err(error) => format!("error: {error}"),
    };
    assert_eq!(printed, expected, "{left:?}, {right:?}");
}

/// The largest integer in a word, 2^62 - 1.
const LARGEST: &str = "4611686018427387903";

#[test]
fn sums_and_differences_outgrow_the_word() {
    check("+", "2", "3", "5");
    check("+", LARGEST, "1", "4611686018427387904");
    check("+", "4611686018427387904", "-1", LARGEST);
    check("+", "9223372036854775807", "1", "9223372036854775808");
    check("-", "-4611686018427387904", "1", "-4611686018427387905");
    check("-", "2", "\"a\"", "error: `-` needs an integer, not a string: \"a\"");
}

#[test]
fn products_and_powers_outgrow_the_word() {
    check("*", "-3", "4", "-12");
    check("*", LARGEST, LARGEST, "21267647932558653957237540927630737409");
    check("^", "2", "10", "1024");
    check("^", "-2", "63", "-9223372036854775808");
    check("^", "10", "30", "1000000000000000000000000000000");
    check("^", "5", "0", "1");
    check("^", "0", "5", "0");
    check("^", "0", "0", "error: `0 ^ 0` has no value");
    check("^", "1", "99999999999999999999", "1");
    check("^", "-1", "99999999999999999999", "-1");
    check("^", "-1", "99999999999999999998", "1");
    check("^", "2", "-1", "error: the exponent of `^` must not be negative: -1");
    check("^", "2", "99999999999", "error: `^`: 99999999999 is too large");
}

#[test]
fn division_goes_towards_minus_infinity() {
    for (left, right, quotient) in
        [("7", "2", "3"), ("-7", "2", "-4"), ("7", "-2", "-4"), ("-7", "-2", "3"), ("6", "-2", "-3")]
    {
        check("\\div", left, right, quotient);
    }
    check("\\div", "-100000000000000000000", "3", "-33333333333333333334");
    check("\\div", "1", "0", "error: division by zero");
}

#[test]
fn remainders_are_never_negative() {
    check("%", "7", "3", "1");
    check("%", "-7", "3", "2");
    check("%", "-100000000000000000000", "3", "2");
    check("%", "7", "0", "error: the second operand of `%` must be positive, not 0");
    check("%", "7", "-3", "error: the second operand of `%` must be positive, not -3");
}

#[test]
fn intervals() {
    check("..", "1", "3", "1..3");
    check("..", "3", "1", "{}");
    check("..", "99999999999999999999", "1", "{}");
    check("..", "1", "99999999999999999999", "error: `..`: 99999999999999999999 is too large");
    check("..", "1", "TRUE", "error: `..` needs an integer, not a boolean: TRUE");
}

#[test]
fn negation_and_comparison() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let smallest = host.value("-4611686018427387904");
    let negated = ops::negate(host, smallest).unwrap();
    assert_eq!(value::print(host, negated).unwrap(), "4611686018427387904");
    assert!(ops::compare_ints("<", smallest, negated).unwrap().is_lt());
    assert!(ops::compare_ints("<", negated, negated).unwrap().is_eq());
    let error = ops::compare_ints("<", Value::TRUE, negated).unwrap_err();
    assert!(matches!(&*error, OpError::WrongKind { op: "<", .. }));
}

/// Checks every pair of a range of numbers around the borders of representations against 128-bit arithmetic.
#[test]
fn borders_agree_with_wide_arithmetic() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let borders = [0i128, 1 << 29, 1 << 30, 1 << 61, 1 << 62, 1 << 63];
    let numbers: Vec<i128> =
        borders.iter().flat_map(|&border| (-2..=2).flat_map(move |d| [border + d, -border + d])).collect();
    let make = |number: i128| region.big_int(&number.into());
    for &left in &numbers {
        for &right in &numbers {
            let (l, r) = (make(left), make(right));
            assert_eq!(ops::compare_ints("<", l, r).unwrap(), left.cmp(&right));
            assert_eq!(ops::equal(host, l, r).unwrap(), left == right);
            let checks: [(&str, Option<i128>); 4] = [
                ("+", Some(left + right)),
                ("-", Some(left - right)),
                ("*", left.checked_mul(right)),
                ("%", (right > 0).then(|| left.rem_euclid(right))),
            ];
            for (op, expected) in checks {
                let Some(expected) = expected else { continue };
                let value = apply(op, host, l, r).unwrap().as_big_int().unwrap();
                assert_eq!(value, expected.into(), "{left}, {right}");
            }
        }
    }
}
