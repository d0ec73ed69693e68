//! Tests of values as bytes: one text for each meaning, read back unchanged, and nothing worse than a refusal for other
//! bytes.

use value::{Encoder, Ground, Interner, Plain, Region, Value, decode, ops};

use crate::laws::ground_universe;
use crate::text::Evaluator;

fn bytes_of(value: Ground<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    Encoder::new().encode(value, &mut bytes);
    bytes
}

/// Returns more values than the universe has: longer than the short forms, and domains of every kind.
fn samples<'r>(host: &mut Evaluator<'r>) -> Vec<Ground<'r>> {
    let mut values = ground_universe(host);
    for text in [
        "95",
        "96",
        "97",
        "4611686018427387903",
        "4611686018427387904",
        "-4611686018427387904",
        "-4611686018427387905",
        "[x \\in 2..40 |-> same]",
        "[x \\in 1..40 |-> same]",
        "{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26}",
        "2000000000..2000000009",
        "(-3)..5",
        "({1, 3} :> <<1>> @@ {1} :> <<2>>)",
        "[x \\in 4611686018427387900..4611686018427387903 |-> same]",
    ] {
        let value = host.value(text);
        values.push(Ground::new(host, value).unwrap());
    }
    values
}

#[test]
fn equal_values_have_equal_bytes_and_unequal_ones_differ() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let values = samples(host);
    let texts: Vec<Vec<u8>> = values.iter().map(|&value| bytes_of(value)).collect();
    for (left, left_text) in values.iter().zip(&texts) {
        for (right, right_text) in values.iter().zip(&texts) {
            let is_equal = ops::equal(host, left.value(), right.value()).unwrap_or(false);
            assert_eq!(left_text == right_text, is_equal, "{left:?}, {right:?}");
            // Texts that follow each other can still be separated.
            let is_prefix = left_text != right_text && right_text.starts_with(left_text);
            assert!(!is_prefix, "{left:?}, {right:?}");
        }
    }
}

#[test]
fn a_value_is_read_as_it_was_written_and_interned_ones_are_written_alike() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let interner = Interner::new(1 << 26).unwrap();
    for value in samples(host) {
        let text = bytes_of(value);
        let interned = interner.value(interner.intern(value).unwrap());
        assert_eq!(bytes_of(Ground::opt(interned).unwrap()), text, "{value:?}");
        let twice = [text.clone(), text.clone()].concat();
        let mut rest = twice.as_slice();
        let read = decode(&region, &mut rest).unwrap();
        assert_eq!(rest, text, "{value:?}");
        assert!(ops::equal(host, read, value.value()).unwrap(), "{value:?} became {read:?}");
        let read = Ground::opt(read).expect("what is read is explicit");
        assert_eq!(bytes_of(read), text, "{value:?}");
        assert_eq!(interner.find(read), interner.find(value), "{value:?}");
    }
}

#[test]
fn functions_on_more_domains_than_have_a_number_are_written_too() {
    let region = Region::new();
    let mut host = Plain(&region);
    let mut seen = base::FxHashSet::default();
    for first in 2..24_000 {
        let domain = region.set(&[Value::small(first), Value::small(first * 2), Value::small(first * 3)]);
        let keys: Vec<Value<'_>> = domain.as_normal_set().unwrap().iter().collect();
        let pairs: Vec<_> = keys.iter().map(|&key| (key, Value::small(7))).collect();
        let function = ops::function_from_pairs(&mut host, &pairs).unwrap();
        let text = bytes_of(Ground::opt(function).unwrap());
        let read = decode(&region, &mut text.as_slice()).unwrap();
        assert!(ops::equal(&mut host, read, function).unwrap(), "{function:?}");
        assert_eq!(bytes_of(Ground::opt(read).unwrap()), text);
        assert!(seen.insert(text), "{function:?}");
    }
}

#[test]
fn damaged_bytes_are_refused_or_mean_something_else() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    for value in samples(host) {
        let text = bytes_of(value);
        for len in 0..text.len() {
            assert!(decode(&region, &mut &text[..len]).is_err(), "{value:?} cut off at {len}");
        }
        for at in 0..text.len() {
            for byte in 0..=u8::MAX {
                let mut damaged = text.clone();
                damaged[at] = byte;
                let Ok(read) = decode(&region, &mut damaged.as_slice()) else { continue };
                // Any value that is read can be printed.
                let _ = format!("{read:?}");
            }
        }
    }
}

#[test]
fn a_deeply_nested_value_is_read_as_it_was_written() {
    let region = Region::new();
    let mut host = Plain(&region);
    let mut value = Value::small(1);
    for _ in 0..100_000 {
        value = region.sequence(&[value]);
    }
    let text = bytes_of(Ground::new(&mut host, value).unwrap());
    let read = decode(&region, &mut text.as_slice()).unwrap();
    assert!(ops::equal(&mut host, read, value).unwrap());
}
