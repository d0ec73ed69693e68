//! Tests of large sets and functions, which share common parts: each is the same as if all elements were written out,
//! whatever is added and removed in whatever order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use value::{Atoms, Encoder, Ground, Interner, Plain, Region, Value, ValueId, View, ops};

use crate::long::{Numbers, Storing};

/// The kind of elements. Elements of one kind can be compared with each other.
#[derive(Clone, Copy, Debug)]
enum Of {
    /// Small and large integers. Those without a gap between them are an interval when they are stored.
    Integers,
    Tuples,
    /// Sequences that are equal except at their end.
    Sequences,
    Sets,
    /// Strings. Functions on few of them are records.
    Strings,
}

const ALL: [Of; 5] = [Of::Integers, Of::Tuples, Of::Sequences, Of::Sets, Of::Strings];

fn atoms() -> &'static Atoms {
    static ATOMS: OnceLock<&'static Atoms> = OnceLock::new();
    ATOMS.get_or_init(Atoms::new)
}

fn element(region: &Region, of: Of, number: i64) -> Value<'_> {
    let int = region.int(number);
    match of {
        Of::Integers if number % 64 == 63 => region.int(i64::from(i32::MAX) + number),
        Of::Integers => int,
        Of::Tuples => region.sequence(&[region.int(number % 7), region.sequence(&[int]), Value::TRUE]),
        Of::Sequences => {
            let elements: Vec<Value<'_>> = (0..number % 60).map(|_| Value::TRUE).chain([int]).collect();
            region.sequence(&elements)
        }
        // It is not in normal form yet, and has an element twice.
        Of::Strings => Value::atom(atoms().string(&format!("large{number}"))),
        Of::Sets => region.set(&[region.sequence(&[int]), region.sequence(&[]), region.sequence(&[int])]),
    }
}

fn set_of<'r>(region: &'r Region, of: Of, numbers: &BTreeSet<i64>) -> Value<'r> {
    let elements: Vec<Value<'r>> = numbers.iter().map(|&number| element(region, of, number)).collect();
    region.set(&elements)
}

fn integers<'r>(region: &'r Region, numbers: &BTreeSet<i64>) -> Value<'r> {
    let elements: Vec<Value<'r>> = numbers.iter().map(|&number| region.int(number)).collect();
    region.set(&elements)
}

fn function_of<'r>(region: &'r Region, of: Of, pairs: &BTreeMap<i64, i64>) -> Value<'r> {
    let pair = |(&key, &value)| (element(region, of, key), element(region, Of::Tuples, value));
    let pairs: Vec<(Value<'r>, Value<'r>)> = pairs.iter().map(pair).collect();
    ops::function_from_pairs(&mut Plain(region), &pairs).unwrap()
}

fn id(region: &Region, interner: &Interner, value: Value<'_>) -> ValueId {
    let copy = value::decode(region, &mut &*bytes(value)).unwrap();
    let (ground, again) = (Ground::opt(value).unwrap(), Ground::opt(copy).unwrap());
    let found = interner.find(ground);
    let id = interner.intern(ground).unwrap();
    assert!(found.is_none_or(|found| found == id));
    assert_eq!((interner.intern(again), interner.find(ground)), (Ok(id), Some(id)));
    id
}

fn bytes(value: Value<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    Encoder::new().encode(Ground::opt(value).unwrap(), &mut bytes);
    bytes
}

/// Compares both in all ways that could show a difference.
fn assert_alike<'r>(region: &'r Region, interner: &Interner, got: Value<'r>, expected: Value<'r>) {
    let host = &mut Plain(region);
    let expected = Ground::new(host, expected).unwrap().value();
    assert!(ops::equal(host, got, expected).unwrap() && ops::equal(host, expected, got).unwrap());
    assert!(ops::compare(host, got, expected).unwrap().is_eq());
    // Many integers without a gap are not written out when they are stored.
    if got.as_interval().is_none() {
        assert_eq!(format!("{got:?}"), format!("{expected:?}"));
    }
    let hash = |value| ops::hash(Ground::opt(value).unwrap());
    assert_eq!((hash(got), bytes(got)), (hash(expected), bytes(expected)));
    assert_eq!(id(region, interner, got), id(region, interner, expected));
}

/// Returns every other value as a stored one.
fn store_some<'r>(interner: &'r Interner, value: Value<'r>, numbers: &mut Numbers) -> Value<'r> {
    let ground = Ground::opt(value).expect("what is made of explicit values is explicit");
    if numbers.below(2) == 0 { value } else { interner.value(interner.intern(ground).unwrap()) }
}

/// Whether this step adds: more is added than removed in the first half of the steps, and less in the second.
fn grows(step: usize, n_steps: usize, numbers: &mut Numbers) -> bool {
    numbers.below(8) < if step < n_steps / 2 { 7 } else { 2 }
}

#[test]
fn sets_are_the_same_however_they_came_about() {
    const N_STEPS: usize = if cfg!(miri) { 40 } else { 800 };
    for of in ALL {
        let (region, interner) = (Region::new(), Interner::new(1 << 26).unwrap());
        let host = &mut Plain(&region);
        let mut numbers = Numbers(7);
        let mut has: BTreeSet<i64> = (0..500).collect();
        let mut set = Ground::new(host, set_of(&region, of, &has)).unwrap().value();
        for step in 0..N_STEPS {
            // One, or a few at once, some of which may be there already.
            let n = [1, 1, 1, 5][numbers.below(4)];
            let some: BTreeSet<i64> = (0..n).map(|_| numbers.below(2400) as i64).collect();
            let others = set_of(&region, of, &some);
            if grows(step, N_STEPS, &mut numbers) {
                set = ops::cup(host, set, others).unwrap();
                has.extend(&some);
            } else {
                set = ops::difference(host, set, others).unwrap();
                has.retain(|number| !some.contains(number));
            }
            set = store_some(&interner, Ground::new(host, set).unwrap().value(), &mut numbers);
            let number = numbers.below(2400) as i64;
            let is_in = ops::member(host, element(&region, of, number), set).unwrap();
            assert_eq!(is_in, has.contains(&number), "{of:?}, step {step}");
            if step % 50 == 0 {
                assert_alike(&region, &interner, set, set_of(&region, of, &has));
            }
        }
    }
}

#[test]
fn functions_are_the_same_however_they_came_about() {
    const N_STEPS: usize = if cfg!(miri) { 40 } else { 600 };
    for of in ALL {
        let (region, interner) = (Region::new(), Interner::new(1 << 26).unwrap());
        let host = &mut Plain(&region);
        let mut numbers = Numbers(11);
        let mut has: BTreeMap<i64, i64> = (100..600).map(|key| (key, 0)).collect();
        let mut f = Ground::new(host, function_of(&region, of, &has)).unwrap().value();
        for step in 0..N_STEPS {
            let some: BTreeMap<i64, i64> =
                (0..[1, 1, 4][numbers.below(3)]).map(|_| (key(step, &mut numbers), step as i64)).collect();
            f = match numbers.below(4) {
                0 => {
                    for (&key, &value) in &some {
                        has.entry(key).or_insert(value);
                    }
                    ops::merge(host, f, function_of(&region, of, &some)).unwrap()
                }
                1 => {
                    has.extend(&some);
                    ops::merge(host, function_of(&region, of, &some), f).unwrap()
                }
                2 if has.len() > 1 && step % 3 != 0 => {
                    let place = numbers.below(has.len());
                    let domain = ops::domain(host, f).unwrap();
                    let key = ops::explicit_set(host, domain).unwrap().as_normal_set().unwrap().get(place);
                    has.retain(|&number, _| !ops::equal(host, element(&region, of, number), key).unwrap());
                    ops::without_key(&region, f, place)
                }
                _ => {
                    let (key, value) = (key(step, &mut numbers), element(&region, Of::Tuples, step as i64));
                    has.entry(key).and_modify(|value| *value = step as i64);
                    let path = [element(&region, of, key)];
                    match ops::except(host, f, &path, |_, _| Ok(value)).unwrap() {
                        ops::Excepted::Changed(f) => f,
                        ops::Excepted::OutsideDomain => f,
                    }
                }
            };
            f = store_some(&interner, Ground::new(host, f).unwrap().value(), &mut numbers);
            let number = key(step, &mut numbers);
            let value = ops::select(host, f, element(&region, of, number)).unwrap();
            let expected = has.get(&number).map(|&value| element(&region, Of::Tuples, value));
            assert_eq!(format!("{value:?}"), format!("{expected:?}"), "{of:?}, step {step}");
            if step % 50 == 0 {
                assert_alike(&region, &interner, f, function_of(&region, of, &has));
            }
        }
    }
}

/// Returns a key near the first ones, so that they stay without a gap for a while and become so again.
fn key(step: usize, numbers: &mut Numbers) -> i64 {
    match numbers.below(3) {
        0 => 600 + step as i64 / 8,
        1 => 100 - step as i64 / 12,
        _ => numbers.below(900 + step) as i64,
    }
}

#[test]
fn values_in_other_places_of_a_stored_function_are_found_again() {
    let (region, interner) = (Region::new(), Interner::new(1 << 26).unwrap());
    let pairs: BTreeMap<i64, i64> = (0..700).map(|key| (2 * key, key)).collect();
    let turned: BTreeMap<i64, i64> = (0..700).map(|key| (2 * key, 699 - key)).collect();
    let f = id(&region, &interner, function_of(&region, Of::Integers, &pairs));
    let values = |of: &BTreeMap<i64, i64>| -> Vec<ValueId> {
        of.values().map(|&value| id(&region, &interner, element(&region, Of::Tuples, value))).collect()
    };
    assert_eq!(interner.intern_like(f, &values(&pairs)), Ok(f));
    let expected = id(&region, &interner, function_of(&region, Of::Integers, &turned));
    assert_eq!(interner.intern_like(f, &values(&turned)), Ok(expected));
}

#[test]
fn large_records_are_records() {
    let (region, interner) = (Region::new(), Interner::new(1 << 26).unwrap());
    let host = &mut Plain(&region);
    let pairs: BTreeMap<i64, i64> = (0..700).map(|key| (key, 7)).collect();
    let f = function_of(&region, Of::Strings, &pairs);
    let (shape, values) = f.as_record().unwrap();
    assert_eq!((shape.len(), values.len()), (700, 700));
    let View::Record(..) = f.view() else { panic!("{f:?} is shown as what it is not") };
    assert!(format!("{f:?}").starts_with("[large0 |-> <<0, <<7>>, TRUE>>, large1 |-> "));
    let written: Vec<Value<'_>> = values.iter().collect();
    let record = region.record(shape, &written);
    assert_alike(&region, &interner, record, f);
    let field = element(&region, Of::Strings, 5).as_string().unwrap();
    let fifth = ops::field(host, f, field).unwrap();
    assert!(ops::equal(host, fifth, written[0]).unwrap());
    let ranges: Vec<Value<'_>> = written.iter().map(|&value| region.set(&[value])).collect();
    let all = ops::record_set(host, shape, &ranges);
    assert!(ops::member(host, f, all).unwrap());
    let explicit = ops::explicit_set(host, all).unwrap();
    assert!(ops::equal(host, explicit, region.set(&[record])).unwrap());
    let missing = atoms().string("largeNot");
    assert!(ops::field(host, f, missing).is_err() && ops::apply(host, f, Value::atom(missing)).is_err());
    assert!(ops::apply_many(host, f, &[Value::TRUE, Value::TRUE]).is_err());
}

#[test]
fn what_counts_is_known_of_what_comes_of_it_and_of_nothing_else() {
    let region = Region::new();
    let interner = Interner::new(1 << 26).unwrap();
    let pairs: Vec<(Value<'_>, Value<'_>)> =
        (0..700).map(|key| (element(&region, Of::Tuples, key), Value::small(1))).collect();
    let bag = ops::function_from_pairs(&mut Plain(&region), &pairs).unwrap();
    let more = ops::with_value(&region, bag, 3, Value::small(2));
    ops::note_counts(more);
    let stored = |f| interner.value(interner.intern(Ground::opt(f).unwrap()).unwrap());
    for bag in [more, stored(more)] {
        for (value, is_count) in [(Value::small(5), true), (Value::small(0), false), (Value::TRUE, false)] {
            let changed = ops::with_value(&region, bag, 7, value);
            let longer = ops::with_key(&region, bag, 700, (element(&region, Of::Tuples, 1006), value));
            for f in [changed, longer, ops::without_key(&region, changed, 9)] {
                assert_eq!(
                    (ops::are_counts(f), ops::are_counts(stored(f))),
                    (is_count, is_count),
                    "{value:?}"
                );
            }
        }
    }
}

#[test]
fn integers_without_a_gap_stay_so_where_states_are_stored() {
    let (region, interner) = (Region::new(), Interner::new(1 << 26).unwrap());
    let host = &mut Storing { region: &region, interner: &interner };
    let mut has: BTreeSet<i64> = (0..5000).collect();
    let mut set = interner.value(id(&region, &interner, region.interval(0, 4999)));
    for number in [5000, -1, 5, 5001, 5100, 7, 5002, -2] {
        let one = region.set(&[region.int(number)]);
        let others = region.set(&[region.int(number), region.int(8)]);
        has.insert(number);
        for more in [ops::cup(host, set, one).unwrap(), ops::cup(host, set, others).unwrap()] {
            assert_alike(&region, &interner, more, integers(&region, &has));
        }
        let more = ops::cup(host, set, one).unwrap();
        set = interner.value(interner.intern(Ground::new(host, more).unwrap()).unwrap());
    }
}

/// Checks integers for which the interner has objects, not words.
#[test]
fn integers_of_more_than_30_bits_without_a_gap_are_one_value() {
    const BIG: i64 = 1 << 30;
    let (region, interner) = (Region::new(), Interner::new(1 << 26).unwrap());
    let host = &mut Plain(&region);
    for (first, len) in [(BIG, 11), (BIG, 700), (-BIG - 5, 11), (BIG - 3, 8), (i64::MAX >> 1, 1), (-3, 9)] {
        let even: BTreeSet<i64> = (0..len).step_by(2).map(|number| first + number).collect();
        let odd: BTreeSet<i64> = (1..len).step_by(2).map(|number| first + number).collect();
        let stored = interner.value(id(&region, &interner, integers(&region, &even)));
        let all = ops::cup(host, stored, integers(&region, &odd)).unwrap();
        assert_alike(&region, &interner, all, integers(&region, &even.union(&odd).copied().collect()));
        if let Ok(interval) = ops::interval(host, region.int(first), region.int(first + len - 1)) {
            assert_eq!(id(&region, &interner, all), id(&region, &interner, interval));
        }
    }
}

#[test]
fn one_element_more_costs_little_memory() {
    const N: i64 = if cfg!(miri) { 200 } else { 6000 };
    let interner = Interner::new(1 << 28).unwrap();
    let mut set = interner.value(interner.intern(Ground::opt(Value::empty_set()).unwrap()).unwrap());
    let mut bag = interner.value(interner.intern(Ground::opt(Value::empty_sequence()).unwrap()).unwrap());
    for number in 0..N {
        // The order is scrambled.
        let number = number * 7919 % 104_729;
        let region = Region::new();
        let host = &mut Plain(&region);
        let element = Ground::new(host, element(&region, Of::Tuples, number)).unwrap().value();
        let more = ops::cup(host, set, region.set(&[element])).unwrap();
        let one = ops::pair(host, element, Value::small(1)).unwrap();
        let more_of_bag = ops::merge(host, bag, one).unwrap();
        set = interner.value(interner.intern(Ground::opt(more).unwrap()).unwrap());
        bag = interner.value(interner.intern(Ground::opt(more_of_bag).unwrap()).unwrap());
        assert!(region.bytes_used() < 40_000, "{} bytes", region.bytes_used());
    }
    let bytes = interner.bytes_used();
    assert!(bytes < N as usize * 6_000, "{bytes} bytes");
}
