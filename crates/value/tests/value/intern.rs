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
fn counts_take_a_byte_each() {
    const N_BAGS: i32 = if cfg!(miri) { 200 } else { 20_000 };
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let interner = &Interner::new(1 << 26).unwrap();
    // Functions on the first sets that are interned have ids.
    let early: Vec<Value<'_>> = (0..100_000).map(|n| Value::small(2 * n)).collect();
    interner.intern(Ground::opt(region.sequence(&early)).unwrap()).unwrap();
    let keys =
        ["<<1, 2>>", "<<1, 3>>", "<<2, 2>>", "<<3, 1>>", "<<4, 5>>", "<<6, 6>>", "<<7, 1>>", "<<8, 9>>"];
    let bag = |counts: &dyn Fn(usize) -> String| {
        let pairs: Vec<String> =
            keys.iter().zip(0..).map(|(key, n)| format!("{key} :> {}", counts(n))).collect();
        format!("({})", pairs.join(" @@ "))
    };
    let (small, large) = (bag(&|n| format!("{}", 255 - n)), bag(&|n| format!("{}", 256 - n)));
    let others =
        [&*bag(&|n| format!("{}", n as i32 - 1)), &bag(&|_| "TRUE".to_owned()), &bag(&|_| "<<>>".to_owned())];
    let mut all: Vec<ValueId> = Vec::new();
    for text in [&*small, &large].into_iter().chain(others) {
        let id = id(host, interner, text);
        let (value, interned) = (host.value(text), interner.value(id));
        assert_eq!(format!("{value:?}"), format!("{interned:?}"));
        assert!(ops::equal(host, value, interned).unwrap());
        let ground = Ground::opt(value).unwrap();
        assert_eq!((interner.find(ground), interner.intern(ground)), (Some(id), Ok(id)), "{text}");
        // From another interner, it is the same value too.
        let elsewhere = Interner::new(1 << 26).unwrap();
        let there = elsewhere.intern(ground).unwrap();
        assert_eq!(interner.find(Ground::opt(elsewhere.value(there)).unwrap()), Some(id));
        all.push(id);
    }
    assert!((0..all.len()).all(|n| !all[..n].contains(&all[n])), "different values have different ids");
    let (_, counts) = interner.value(all[0]).as_function().unwrap();
    let counts: Vec<i64> = counts.iter().map(|count| count.as_small().unwrap()).collect();
    assert_eq!((counts.len(), counts.iter().max(), counts.iter().min()), (8, Some(&255), Some(&248)));
    // With one count changed it is another value, in whatever form both are.
    let ids: Vec<ValueId> = counts.iter().map(|&n| interner.id_of(Value::small(n as i32)).unwrap()).collect();
    assert_eq!(interner.intern_like(all[0], &ids), Ok(all[0]));
    assert_ne!(interner.intern_like(all[1], &ids), Ok(all[1]));
    assert_eq!(interner.intern_like(all[1], &ids), Ok(all[0]));
    let n_bytes = |first: i32| {
        let before = interner.object_bytes();
        for n in 0..N_BAGS {
            let count = |key: i32| interner.id_of(Value::small(first + (n >> key) % 100)).unwrap();
            let counts: Vec<ValueId> = (0..8).map(count).collect();
            interner.intern_like(all[0], &counts).unwrap();
        }
        interner.object_bytes() - before
    };
    let (n_large, n_small) = (n_bytes(256), n_bytes(100));
    assert!(cfg!(miri) || n_small * 3 < n_large * 2, "{n_small} and {n_large} bytes");
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
