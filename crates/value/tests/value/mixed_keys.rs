//! Tests of large functions whose arguments cannot all be compared with each other: model values of two types, and one
//! without a type between them.

use value::{OpError, Region, Value, ValueVec, ops};

use crate::text::Evaluator;

/// Returns `A_a000`.., `AZ` and `B_b000`.., declared in this order.
fn names() -> Vec<String> {
    let typed = |kind: &str, n: usize| -> Vec<String> {
        let letter = kind.to_lowercase();
        (0..n).map(|number| format!("{kind}_{letter}{number:03}")).collect()
    };
    [typed("A", 64), vec!["AZ".to_owned()], typed("B", 10)].concat()
}

/// Runs `body` with a function that has the number of each name as its value.
fn with_function(body: impl for<'r> Fn(&mut Evaluator<'r>, Value<'r>)) {
    let region = Region::new();
    let mut host = Evaluator::new(&region);
    let names = names();
    for name in &names {
        host.atoms.declare(name);
    }
    // In their order, neighbours can be compared, and a set needs no more than that.
    let domain = host.value(&format!("{{{}}}", names.join(", ")));
    let domain = ops::explicit_set(&mut host, domain).expect("a set in normal form");
    let numbers: Vec<_> = (0..).take(names.len()).map(Value::small).collect();
    let f = ops::function(domain, ValueVec::from_slice(&region, &numbers));
    body(&mut host, f);
}

#[test]
fn every_argument_is_found_whatever_the_others_are() {
    with_function(|host, f| {
        for (number, name) in (0..).zip(names()) {
            let argument = host.value(&name);
            let found = ops::apply(host, f, argument).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(found.as_i64(), Some(number), "{name}");
        }
    });
}

#[test]
fn what_is_no_argument_has_no_value() {
    with_function(|host, f| {
        // Typed ones, one without a type, and values that are not model values.
        for text in ["A_2", "B_1", "z", "3", "\"A_a000\"", "<<1>>"] {
            let argument = host.value(text);
            let error = ops::apply(host, f, argument).expect_err(text);
            if text == "z" {
                assert!(matches!(*error, OpError::OutsideDomain { .. }), "{error}");
            }
        }
    });
}
