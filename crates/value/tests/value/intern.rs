//! Tests of interning: one object for each meaning, found again, from any thread.

use value::{Ground, Interner, Plain, Region, Value, ValueId, ops};

use crate::text::Evaluator;

fn id(host: &mut Evaluator<'_>, interner: &Interner, text: &str) -> ValueId {
    let value = host.value(text);
    interner.intern(Ground::new(host, value).unwrap()).unwrap()
}

#[test]
fn one_meaning_has_one_id() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let interner = &Interner::new(1 << 26).unwrap();
    for same in [
        &["{1, 2}", "{2, 1, 2}", "1..2"][..],
        &["{1, 2, 3, 4, 5}", "1..5", "(1..3) \\cup (3..5)"],
        &["<<5, 6>>", "(1 :> 5 @@ 2 :> 6)", "[x \\in 5..4 |-> same] @@ <<5, 6>>"],
        &["[a |-> 1]", "(\"a\" :> 1)"],
        &["<<>>", "[x \\in {} |-> same]"],
        &["SUBSET {1}", "{{}, {1}}"],
        &["(0 :> 1 @@ 1 :> 2 @@ 2 :> 3 @@ 3 :> 4)", "[x \\in 0..3 |-> next]"],
        &["99999999999999999999"],
        &["2000000000"],
    ] {
        let ids: Vec<ValueId> = same.iter().map(|text| id(host, interner, text)).collect();
        assert!(ids.iter().all(|id| *id == ids[0]), "{same:?}");
    }
}

#[test]
fn looking_up_does_not_add() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let interner = Interner::new(1 << 26).unwrap();
    let value = Ground::opt(host.value("<<1, <<2>>>>")).unwrap();
    assert_eq!(interner.find(value), None);
    assert!(interner.is_empty());
    let id = interner.intern(value).unwrap();
    assert_eq!(interner.len(), 2, "the tuple and the one inside");
    assert_eq!(interner.find(value), Some(id));
    let again = Ground::opt(host.value("<<1, <<2>>>>")).unwrap();
    assert_eq!(interner.find(again), Some(id));
    assert!(interner.value(id).is_interned());
    assert_eq!(interner.find(Ground::opt(interner.value(id)).unwrap()), Some(id));
}

#[test]
fn other_values_in_the_same_places() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let interner = &Interner::new(1 << 26).unwrap();
    for (like, values, expected) in [
        ("<<1, {2}>>", &["{3}", "4"][..], "<<{3}, 4>>"),
        ("[a |-> 1]", &["<<>>"], "[a |-> <<>>]"),
        ("(m1 :> 1 @@ m2 :> 2)", &["2", "1"], "(m1 :> 2 @@ m2 :> 1)"),
        ("(0 :> 1 @@ 1 :> 2)", &["2", "{}"], "(0 :> 2 @@ 1 :> {})"),
    ] {
        let like = id(host, interner, like);
        let values: Vec<ValueId> = values.iter().map(|text| id(host, interner, text)).collect();
        assert_eq!(interner.intern_like(like, &values), Ok(id(host, interner, expected)), "{expected}");
    }
}

#[test]
fn small_values_need_no_memory() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let interner = Interner::new(1 << 26).unwrap();
    for text in ["0", "-1", "536870911", "-536870912", "TRUE", "FALSE", "\"a\"", "m1"] {
        let id = id(host, &interner, text);
        assert_eq!(format!("{:?}", interner.value(id)), text);
    }
    assert!(interner.is_empty());
    for text in ["536870912", "-536870913"] {
        let id = id(host, &interner, text);
        assert_eq!(format!("{:?}", interner.value(id)), text);
    }
    assert_eq!(interner.len(), 2);
}

#[test]
fn ids_of_another_interner_are_noticed_or_harmless() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let (full, empty) = (Interner::new(1 << 26).unwrap(), Interner::new(1 << 26).unwrap());
    let id = id(host, &full, "<<1, 2>>");
    let result = std::panic::catch_unwind(|| format!("{:?}", empty.value(id)));
    assert!(result.is_err(), "{result:?}");
}

#[test]
fn values_cross_from_one_interner_to_another() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let (first, second) = (Interner::new(1 << 26).unwrap(), Interner::new(1 << 26).unwrap());
    let here = id(host, &first, "[a |-> <<1, {2}>>, b |-> 1..9]");
    let there = second.intern(Ground::opt(first.value(here)).unwrap()).unwrap();
    assert_eq!(format!("{:?}", first.value(here)), format!("{:?}", second.value(there)));
    assert_eq!(second.find(Ground::opt(first.value(here)).unwrap()), Some(there));
}

#[test]
fn a_full_interner_says_so() {
    const LEN: i32 = if cfg!(miri) { 3_000 } else { 200_000 };
    let interner = Interner::new(1).unwrap();
    let mut region = Region::new();
    let mut n_values = 0i64;
    let full = loop {
        region.reset();
        let filler: Vec<Value<'_>> = (0..LEN).map(|k| Value::small(k + n_values as i32)).collect();
        match interner.intern(Ground::opt(region.sequence(&filler)).unwrap()) {
            Ok(_) => n_values += 1,
            Err(full) => break full,
        }
        assert!(n_values < 1000, "64 MiB are full before");
    };
    assert_eq!(full.to_string(), "no room for more values");
    assert!(n_values > 50);
}

#[test]
fn four_threads_agree_on_ids() {
    const N_VALUES: i32 = if cfg!(miri) { 60 } else { 3000 };
    let interner = &Interner::new(1 << 28).unwrap();
    let all: Vec<Vec<ValueId>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|thread: i32| {
                scope.spawn(move || {
                    let mut region = Region::new();
                    let mut ids = vec![None; N_VALUES as usize];
                    for step in 0..N_VALUES {
                        let n = (step * [1, 7, 11, 1][thread as usize] + thread * 17) % N_VALUES;
                        region.reset();
                        let inner = region.sequence(&[Value::small(n / 3), Value::small(n % 5)]);
                        let set = region.set(&[inner, region.sequence(&[Value::small(n)])]);
                        ops::normalize(&mut Plain(&region), set).unwrap();
                        let id = interner.intern(Ground::opt(set).unwrap()).unwrap();
                        assert_eq!(interner.find(Ground::opt(set).unwrap()), Some(id));
                        assert!(ops::equal(&mut Plain(&region), interner.value(id), set).unwrap());
                        ids[n as usize] = Some(id);
                    }
                    ids.into_iter().map(Option::unwrap).collect()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(all.iter().all(|ids| *ids == all[0]));
    let distinct: std::collections::BTreeSet<ValueId> = all[0].iter().copied().collect();
    assert_eq!(distinct.len(), N_VALUES as usize);
}
