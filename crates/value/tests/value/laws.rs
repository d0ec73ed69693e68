//! Laws that must hold for all pairs and triples of a universe of small values.

use std::cmp::Ordering;

use value::{Ground, Interner, OpError, Region, Value, ops};

use crate::text::Evaluator;

/// Returns small values of every kind, several in more than one form.
fn universe<'r>(host: &mut Evaluator<'r>) -> Vec<Value<'r>> {
    let leaves = ["1", "2", "-1", "\"a\"", "\"b\"", "TRUE", "FALSE", "m1", "m2", "A_1", "A_2", "B_1"];
    let large = ["1073741824", "5000000000000000000", "99999999999999999999", "-99999999999999999999"];
    let mut texts: Vec<String> = leaves.iter().chain(&large).map(|text| (*text).to_owned()).collect();
    texts.extend(
        ["{}", "<<>>", "1..3", "0..4", "5..4", "2..2", "SUBSET {}", "SUBSET {1, 2}"].map(str::to_owned),
    );
    for x in leaves {
        texts.extend([format!("{{{x}}}"), format!("<<{x}>>"), format!("[a |-> {x}]"), format!("({x} :> 1)")]);
        for y in ["1", "\"a\"", "m1"] {
            texts.extend([
                format!("{{{x}, {y}}}"),
                format!("<<{x}, {y}>>"),
                format!("[b |-> {x}, a |-> {y}]"),
            ]);
            texts.extend([
                format!("<<{{{x}}}, {y}>>"),
                format!("{{<<{x}, {y}>>}}"),
                format!("({x} :> {y} @@ m2 :> 2)"),
            ]);
        }
    }
    texts.extend(
        ["[{1} -> {1, 2}]", "[a : {1}, b : {1, 2}]", "{1} \\X {1, 2}", "{x \\in SUBSET {1} : any}"]
            .map(str::to_owned),
    );
    texts.extend(
        ["[x \\in 0..2 |-> next]", "[x \\in {1} |-> same]", "(SUBSET {1}) \\cup (SUBSET {2})"]
            .map(str::to_owned),
    );
    texts.extend(
        [
            "(0 :> 1 @@ 1 :> 2 @@ 2 :> 3)",
            "{1, 2, 3}",
            "{0, 1, 2, 3, 4}",
            "{{}}",
            "{{}, {1}}",
            "{{1}, {}, {2}}",
        ]
        .map(str::to_owned),
    );
    texts.extend(
        ["(m1 :> <<1>>)", "(0 :> {2, 1})", "(0 :> {1, 2})", "{[a |-> 1], [b |-> 1]}"].map(str::to_owned),
    );
    texts.iter().filter_map(|text| host.opt_value(text).ok()).collect()
}

fn has_one_sided_refusal<'r>(host: &mut Evaluator<'r>, left: Value<'r>, right: Value<'r>) -> bool {
    [(left, right), (right, left)].into_iter().any(|(left, right)| {
        let error = ops::equal(host, left, right).err();
        matches!(error.as_deref(), Some(OpError::RecordWithFunction { .. }))
    })
}

#[test]
fn equality_is_symmetric_and_agrees_with_order() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let values = universe(host);
    assert!(values.len() > 200, "{}", values.len());
    for &left in &values {
        for &right in &values {
            let equal = ops::equal(host, left, right).ok();
            let ordering = ops::compare(host, left, right).ok();
            // A record is refused on the left of a function that is not a record, and not always on the right.
            if !has_one_sided_refusal(host, left, right) {
                assert_eq!(equal, ops::equal(host, right, left).ok(), "{left:?}, {right:?}");
                assert_eq!(
                    ordering,
                    ops::compare(host, right, left).ok().map(Ordering::reverse),
                    "{left:?}, {right:?}"
                );
            }
            if let (Some(equal), Some(ordering)) = (equal, ordering) {
                assert_eq!(equal, ordering.is_eq(), "{left:?}, {right:?}");
            }
            assert!(
                ordering.is_none() || equal.is_some(),
                "what can be ordered has equality: {left:?}, {right:?}"
            );
        }
    }
}

#[test]
fn order_is_transitive() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let values = universe(host);
    let n = values.len();
    let mut table = Vec::with_capacity(n * n);
    for &left in &values {
        for &right in &values {
            table.push(ops::compare(host, left, right).ok());
        }
    }
    for i in 0..n {
        for j in 0..n {
            let Some(first) = table[i * n + j] else { continue };
            for k in 0..n {
                let (Some(second), Some(both)) = (table[j * n + k], table[i * n + k]) else { continue };
                if first == second || first.is_eq() {
                    assert_eq!(both, second, "{:?}, {:?}, {:?}", values[i], values[j], values[k]);
                }
            }
        }
    }
}

/// Returns the values that can be stored.
pub fn ground_universe<'r>(host: &mut Evaluator<'r>) -> Vec<Ground<'r>> {
    let values = universe(host);
    values.into_iter().filter_map(|value| Ground::new(host, value).ok()).collect()
}

#[test]
fn equal_values_have_one_hash_one_id_and_one_text_and_unequal_ones_differ() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let values = ground_universe(host);
    let interner = Interner::new(1 << 30).unwrap();
    let ids: Vec<_> = values.iter().map(|&value| interner.intern(value).unwrap()).collect();
    for (i, &left) in values.iter().enumerate() {
        let stored = interner.value(ids[i]);
        for (j, &right) in values.iter().enumerate() {
            let Ok(equal) = ops::equal(host, left.value(), right.value()) else {
                assert_ne!(ids[i], ids[j], "{left:?}, {right:?}");
                continue;
            };
            assert_eq!(ids[i] == ids[j], equal, "{left:?}, {right:?}");
            assert_eq!(ops::hash(left) == ops::hash(right), equal, "{left:?}, {right:?}");
            assert_eq!(
                format!("{stored:?}") == format!("{:?}", interner.value(ids[j])),
                equal,
                "{left:?}, {right:?}"
            );
        }
    }
}

#[test]
fn stored_values_behave_as_those_they_were_made_of() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let values = ground_universe(host);
    let interner = Interner::shared();
    let other = Interner::new(1 << 26).unwrap();
    let stored: Vec<Value<'_>> =
        values.iter().map(|&value| interner.value(interner.intern(value).unwrap())).collect();
    let elsewhere: Vec<Value<'_>> =
        values.iter().map(|&value| other.value(other.intern(value).unwrap())).collect();
    for (i, &left) in values.iter().enumerate() {
        let left = left.value();
        assert!(
            ops::equal(host, left, stored[i]).unwrap() && ops::equal(host, stored[i], elsewhere[i]).unwrap()
        );
        assert_eq!(ops::hash(values[i]), ops::hash(Ground::opt(stored[i]).unwrap()));
        for (j, &right) in values.iter().enumerate() {
            let expected = ops::compare(host, left, right.value()).ok();
            for (l, r) in [
                (stored[i], stored[j]),
                (stored[i], right.value()),
                (left, elsewhere[j]),
                (stored[i], elsewhere[j]),
            ] {
                assert_eq!(ops::compare(host, l, r).ok(), expected, "{l:?}, {r:?}");
            }
            let expected = ops::equal(host, left, right.value()).ok();
            for (l, r) in [(stored[i], stored[j]), (left, stored[j]), (elsewhere[i], right.value())] {
                assert_eq!(ops::equal(host, l, r).ok(), expected, "{l:?}, {r:?}");
            }
            let expected = ops::member(host, left, right.value()).ok();
            for (l, r) in [(stored[i], stored[j]), (left, stored[j]), (stored[i], right.value())] {
                assert_eq!(ops::member(host, l, r).ok(), expected, "{l:?} \\in {r:?}");
            }
            let expected = ops::select(host, right.value(), left)
                .ok()
                .map(|value| value.map(|value| format!("{value:?}")));
            let found = ops::select(host, stored[j], stored[i])
                .ok()
                .map(|value| value.map(|value| format!("{value:?}")));
            assert_eq!(found, expected, "{right:?}[{left:?}]");
        }
    }
}

/// Checks `\cup`, `\cap` and `\` against their definition by membership, for all pairs of sets.
#[test]
fn set_operators_agree_with_membership() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let values = universe(host);
    let sets: Vec<Value<'_>> = values.iter().copied().filter(|value| value.is_set()).collect();
    for &left in &sets {
        for &right in &sets {
            let (Ok(cup), Ok(cap), Ok(difference)) = (
                ops::cup(host, left, right),
                ops::cap(host, left, right),
                ops::difference(host, left, right),
            ) else {
                continue;
            };
            // One in five is enough for so many pairs.
            for &element in values.iter().step_by(5) {
                let (Ok(in_left), Ok(in_right)) =
                    (ops::member(host, element, left), ops::member(host, element, right))
                else {
                    continue;
                };
                let context = format!("{element:?} in {left:?}, {right:?}");
                assert_eq!(ops::member(host, element, cup).ok(), Some(in_left || in_right), "{context}");
                assert_eq!(ops::member(host, element, cap).ok(), Some(in_left && in_right), "{context}");
                assert_eq!(
                    ops::member(host, element, difference).ok(),
                    Some(in_left && !in_right),
                    "{context}"
                );
            }
        }
    }
}

/// Checks that enumerating a set in normal order gives its members in ascending order, as many as its cardinality.
#[test]
fn enumeration_agrees_with_order_membership_and_size() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    for set in universe(host).into_iter().filter(|value| value.is_set()) {
        let Ok(mut elements) = ops::elements_normal(host, set) else { continue };
        let mut all: Vec<Value<'_>> = Vec::new();
        while let Some(element) = elements.next(host).unwrap() {
            assert!(ops::member(host, element, set).unwrap(), "{element:?}, {set:?}");
            if let Some(&last) = all.last() {
                assert_eq!(ops::compare(host, last, element).unwrap(), Ordering::Less, "{set:?}");
            }
            all.push(element);
        }
        assert_eq!(ops::cardinality(host, set).unwrap().as_i64(), Some(all.len() as i64), "{set:?}");
        let rebuilt = region.set(&all);
        assert!(ops::equal(host, rebuilt, set).unwrap(), "{set:?}");
    }
}

/// Checks that a function is equal to the one built from its domain and values, and `EXCEPT` changes exactly one place.
#[test]
fn functions_are_their_graphs() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    for f in universe(host).into_iter().filter(|value| value.is_function()) {
        let domain = ops::domain(host, f).unwrap();
        let mut keys = ops::elements_normal(host, domain).unwrap();
        let mut pairs = Vec::new();
        while let Some(key) = keys.next(host).unwrap() {
            pairs.push((key, ops::apply(host, f, key).unwrap()));
        }
        let rebuilt = ops::function_from_pairs(host, &pairs).unwrap();
        assert!(ops::equal(host, f, rebuilt).unwrap(), "{f:?}");
        for (place, &(key, _)) in pairs.iter().enumerate() {
            let Ok(ops::Excepted::Changed(changed)) = ops::except(host, f, &[key], |_, _| Ok(Value::TRUE))
            else {
                panic!("{key:?} is in the domain of {f:?}");
            };
            for (other, &(key, value)) in pairs.iter().enumerate() {
                let expected = if place == other { Value::TRUE } else { value };
                let found = ops::apply(host, changed, key).unwrap();
                assert!(ops::equal(host, found, expected).unwrap(), "{f:?}[{key:?}]");
            }
        }
    }
}

#[test]
fn refusals_name_both_values() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let values = universe(host);
    for &left in &values {
        for &right in &values {
            let Err(error) = ops::equal(host, left, right) else { continue };
            let is_about_both = matches!(
                &*error,
                OpError::NotComparable { .. }
                    | OpError::RecordWithFunction { .. }
                    | OpError::WrongModelType { .. }
                    | OpError::DifferentModelTypes { .. }
            );
            assert!(is_about_both, "{error} for {left:?}, {right:?}");
        }
    }
}
