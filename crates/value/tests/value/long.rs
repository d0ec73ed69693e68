//! Tests of long sequences, which share their elements: each is the same as if all were copied, whatever is made of
//! them in whatever order.

use value::{Ground, Host, Interner, OpError, OpResult, Plain, Region, Value, ValueId, ops};

/// A host like the evaluator while states are stored.
pub struct Storing<'r> {
    pub region: &'r Region,
    pub interner: &'r Interner,
}

impl<'r> Host<'r> for Storing<'r> {
    fn region(&self) -> &'r Region {
        self.region
    }

    fn interner(&self) -> Option<&'r Interner> {
        Some(self.interner)
    }

    fn call(&mut self, _closure: value::Closure<'r>, _args: &[Value<'r>]) -> OpResult<Value<'r>> {
        Err(Box::new(OpError::NoEvaluator))
    }
}

/// Pseudo-random numbers, the same in each run.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// Makes an element from the number that identifies it.
fn element(region: &Region, number: u64) -> Value<'_> {
    let int = Value::small(number as i32);
    match number % 4 {
        0 => int,
        1 => region.sequence(&[int, Value::TRUE]),
        // It is not in normal form yet, and has an element twice.
        2 => region.set(&[region.sequence(&[int]), region.sequence(&[]), region.sequence(&[int])]),
        _ => region.int(i64::from(i32::MAX) + number as i64),
    }
}

/// A sequence, and the numbers of its elements.
type Known<'r> = (Value<'r>, Vec<u64>);

fn flat<'r>(region: &'r Region, numbers: &[u64]) -> Value<'r> {
    let elements: Vec<Value<'r>> = numbers.iter().map(|&number| element(region, number)).collect();
    region.sequence(&elements)
}

/// Makes another sequence from some of the known ones.
fn make<'r, H: Host<'r>>(host: &mut H, known: &[Known<'r>], numbers: &mut Numbers) -> Known<'r> {
    let region = host.region();
    let (sequence, has) = &known[numbers.below(known.len())];
    let mut has = has.clone();
    let len = has.len();
    let int = |int: usize| Value::small(int as i32);
    let value = match numbers.below(6) {
        // There are few different ones, so that the same are often added again.
        0..=2 => {
            has.push(numbers.below(6) as u64);
            ops::append(host, *sequence, element(region, has[len]))
        }
        3 => {
            let (other, others) = &known[numbers.below(known.len())];
            let n = others.len().min(numbers.below(9));
            has.extend(&others[..n]);
            let more = ops::sub_seq(host, *other, int(1), int(n)).unwrap();
            ops::concat(host, *sequence, more)
        }
        4 if len > 0 => {
            has.remove(0);
            ops::tail(host, *sequence)
        }
        _ => {
            let (start, end) = (numbers.below(3).min(len), len - numbers.below(4).min(len));
            has = has.get(start..end).unwrap_or_default().to_vec();
            ops::sub_seq(host, *sequence, int(start + 1), int(end))
        }
    };
    (value.unwrap(), has)
}

fn begin<'r>(region: &'r Region, numbers: &mut Numbers) -> Vec<Known<'r>> {
    let all =
        [0, 20, 31, 32, 33, 64].map(|len| (0..len).map(|_| numbers.below(6) as u64).collect::<Vec<_>>());
    all.into_iter().map(|numbers| (flat(region, &numbers), numbers)).collect()
}

fn check<'r, H: Host<'r>>(host: &mut H, (sequence, numbers): &Known<'r>) {
    let copy = flat(host.region(), numbers);
    assert_eq!(sequence.as_sequence().map(|items| items.len()), Some(numbers.len()));
    assert!(ops::equal(host, *sequence, copy).unwrap() && ops::equal(host, copy, *sequence).unwrap());
    assert!(ops::compare(host, *sequence, copy).unwrap().is_eq());
    let grounds = [*sequence, copy].map(|value| Ground::new(host, value).unwrap());
    assert_eq!(ops::hash(grounds[0]), ops::hash(grounds[1]));
}

#[test]
fn what_is_made_of_long_sequences_is_what_copies_would_be() {
    for seed in 0..if cfg!(miri) { 1 } else { 12 } {
        let (region, numbers) = (Region::new(), &mut Numbers(seed));
        let host = &mut Plain(&region);
        let mut known = begin(&region, numbers);
        for _ in 0..if cfg!(miri) { 30 } else { 300 } {
            let next = make(host, &known, numbers);
            check(host, &next);
            known.push(next);
        }
        // Nothing made later changed the earlier ones.
        known.iter().for_each(|known| check(host, known));
    }
}

#[test]
fn stored_sequences_that_grow_are_what_copies_would_be() {
    for seed in 0..if cfg!(miri) { 1 } else { 12 } {
        let (region, numbers) = (Region::new(), &mut Numbers(seed));
        let interner = Interner::new(1 << 26).unwrap();
        let host = &mut Storing { region: &region, interner: &interner };
        let mut known = begin(&region, numbers);
        let mut ids = Vec::new();
        for _ in 0..if cfg!(miri) { 30 } else { 300 } {
            let (sequence, has) = make(host, &known, numbers);
            let id = intern(host, sequence);
            let copy = flat(&region, &has);
            assert_eq!(intern(host, copy), id, "one meaning has one id");
            let stored = (interner.value(id), has);
            check(host, &stored);
            known.push(stored);
            ids.push(id);
        }
        for (id, (_, has)) in ids.iter().zip(&known[known.len() - ids.len()..]) {
            check(host, &(interner.value(*id), has.clone()));
        }
    }
}

fn intern(host: &mut Storing<'_>, value: Value<'_>) -> ValueId {
    let region = Region::new();
    let ground = Ground::new(&mut Plain(&region), value).unwrap();
    host.interner.intern(ground).unwrap()
}

#[test]
fn a_sequence_that_grows_takes_what_is_added_to_it() {
    const LEN: i32 = if cfg!(miri) { 200 } else { 20_000 };
    let region = Region::new();
    let host = &mut Plain(&region);
    let mut log = Value::empty_sequence();
    for number in 0..LEN {
        log = ops::append(host, log, Value::small(number)).unwrap();
    }
    assert!(region.bytes_used() < 100 * LEN as usize, "{} bytes", region.bytes_used());
    let mut bytes = region.bytes_used();
    while log.as_sequence().is_some_and(|items| items.len() > 100) {
        log = ops::tail(host, log).unwrap();
    }
    bytes = region.bytes_used() - bytes;
    assert!(bytes < 100 * LEN as usize, "{bytes} bytes");
}

#[test]
fn stored_states_along_which_a_sequence_grows_take_what_is_added_to_it() {
    const LEN: i32 = if cfg!(miri) { 200 } else { 20_000 };
    let interner = Interner::new(1 << 26).unwrap();
    let mut log =
        intern(&mut Storing { region: &Region::new(), interner: &interner }, Value::empty_sequence());
    for number in 0..LEN {
        let region = Region::new();
        let host = &mut Storing { region: &region, interner: &interner };
        let longer = ops::append(host, interner.value(log), Value::small(number)).unwrap();
        log = intern(host, longer);
    }
    assert!(interner.bytes_used() < 20_000 + 120 * LEN as usize, "{} bytes", interner.bytes_used());
    let items = interner.value(log).as_sequence().unwrap();
    assert!(items.iter().map(|item| item.as_small()).eq((0..LEN).map(|number| Some(number.into()))));
}

#[test]
fn threads_that_lengthen_one_sequence_agree() {
    const N_THREADS: usize = 4;
    let interner = &Interner::new(1 << 26).unwrap();
    let first = {
        let region = Region::new();
        let host = &mut Storing { region: &region, interner };
        let forty = region.sequence(&(0..40).map(Value::small).collect::<Vec<_>>());
        let longer = ops::append(host, forty, Value::TRUE).unwrap();
        intern(host, longer)
    };
    // Paths that branch here and there; each thread follows all of them, each beginning with another one.
    let ids_of = |way: usize| {
        let mut ids = vec![first];
        for step in 0..if cfg!(miri) { 10 } else { 300 } {
            let region = Region::new();
            let host = &mut Storing { region: &region, interner };
            let element = if step % 50 == way { 1 } else { 0 };
            let longer = ops::append(host, interner.value(ids[step]), Value::small(element)).unwrap();
            ids.push(intern(host, longer));
        }
        ids
    };
    let found: Vec<Vec<Vec<ValueId>>> = std::thread::scope(|scope| {
        let ids_of = &ids_of;
        let go = |thread: usize| {
            let mut all = vec![Vec::new(); 2 * N_THREADS];
            for turn in 0..all.len() {
                let way = (turn + thread) % all.len();
                all[way] = ids_of(way);
            }
            all
        };
        let threads: Vec<_> = (0..N_THREADS).map(|thread| scope.spawn(move || go(thread))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(found.iter().all(|all| *all == found[0]), "one meaning has one id");
    for (way, ids) in found[0].iter().enumerate() {
        let items = interner.value(ids[ids.len() - 1]).as_sequence().unwrap();
        let added = items.iter().skip(41).map(|item| item.as_small());
        assert!(added.eq((0..ids.len() - 1).map(|step| Some(i64::from(step % 50 == way)))));
    }
}

#[test]
fn what_is_added_may_be_large_where_it_is_written_out() {
    let region = Region::new();
    let host = &mut Plain(&region);
    // Sixty objects are 2^60 values if each is visited each time.
    let large = (0..60).fold(Value::small(1), |inner, _| region.sequence(&[inner, inner]));
    let set = region.set(&[region.sequence(&[large]), region.sequence(&[])]);
    let mut log = region.sequence(&(0..40).map(Value::small).collect::<Vec<_>>());
    for added in [large, large, set, Value::TRUE] {
        log = ops::append(host, log, added).unwrap();
    }
    assert_eq!(log.as_sequence().map(|items| items.len()), Some(44));
}

#[test]
fn what_is_never_stored_does_not_fill_the_interner() {
    let (region, interner) = (Region::new(), Interner::new(1 << 26).unwrap());
    let host = &mut Storing { region: &region, interner: &interner };
    let forty = region.sequence(&(0..40).map(Value::small).collect::<Vec<_>>());
    let longer = ops::append(host, forty, Value::TRUE).unwrap();
    let log = interner.value(intern(host, longer));
    ops::append(host, log, Value::FALSE).unwrap();
    let n_values = interner.len();
    for number in 0..1_000 {
        let pair = region.sequence(&[Value::small(number), Value::TRUE]);
        let longer = ops::append(host, log, pair).unwrap();
        assert_eq!(longer.as_sequence().map(|items| items.len()), Some(42));
    }
    assert_eq!(interner.len(), n_values);
}
