//! Measures nanoseconds per operation of the operators in which model checking spends its time: `cargo bench -p value`,
//! with a word after `--` to select those that have it in their name.
//!
//! Each figure is the best of several rounds, on values like those of a small Raft: functions on five model values,
//! records of five fields, sets of a dozen messages.
#![expect(clippy::print_stdout, reason = "a benchmark reports on standard output")]

use std::hint::black_box;

use base::{Clock, SystemClock};
use value::ops::Excepted;
use value::{Atoms, Ground, Host, Interner, Plain, Region, Shape, StateStore, Value, ValueVec, ops};

/// Number of short rounds. On a busy machine, some are not interrupted.
const ROUNDS: usize = 200;
const REPEATS: u64 = 640;

/// Runs `body` repeatedly in a region that is reset in between, and prints the time of one run divided by `per`.
fn bench(name: &str, per: u64, mut body: impl for<'r> FnMut(&mut Plain<'r>, u64)) {
    if !std::env::args().skip(1).all(|word| name.contains(&word) || word.starts_with("--")) {
        return;
    }
    let mut region = Region::new();
    let clock = SystemClock::start();
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = clock.elapsed();
        for repeat in 0..REPEATS {
            if repeat % 16 == 0 {
                region.reset();
            }
            body(&mut Plain(&region), repeat);
        }
        let elapsed = clock.elapsed() - start;
        best = best.min(elapsed.as_nanos() as f64 / (REPEATS * per) as f64);
    }
    println!("{name:<52} {best:8.1} ns");
}

/// Model values, fields and stored values that the benchmarks share.
struct Fixture {
    servers: Vec<Value<'static>>,
    shape: Shape,
    /// The function `[s \in Server |-> record]`.
    function: Value<'static>,
    /// A set of a dozen records.
    messages: Value<'static>,
    message: Value<'static>,
    other_message: Value<'static>,
}

fn record<'r>(region: &'r Region, fixture: (&[Value<'static>], Shape), n: i64) -> Value<'r> {
    let (servers, shape) = fixture;
    let at = |n: i64| servers[n as usize % servers.len()];
    region
        .record(shape, &[at(n), at(n / 5), Value::small(n as i32), Value::bool(n % 2 == 0), Value::small(7)])
}

fn intern(value: Value<'_>) -> Value<'static> {
    let ground = Ground::opt(value).expect("explicit");
    Interner::shared().value(Interner::shared().intern(ground).expect("room"))
}

impl Fixture {
    fn new() -> Fixture {
        let atoms = Atoms::new();
        let servers: Vec<Value<'static>> =
            (1..=5).map(|n| Value::atom(atoms.declare(&format!("s{n}")).as_model_value())).collect();
        let fields: Vec<_> =
            ["from", "to", "term", "granted", "index"].iter().map(|f| atoms.declare(f)).collect();
        let shape = Shape::new(&fields).expect("distinct");
        let region = Region::new();
        let host = &mut Plain(&region);
        let records: Vec<Value<'_>> = (0..13).map(|n| record(&region, (&servers, shape), n)).collect();
        let function = ops::function(region.set(&servers), ValueVec::from_slice(&region, &records[..5]));
        let messages = region.set(&records[..12]);
        ops::normalize(host, messages).expect("records of one shape");
        Fixture {
            function: intern(function),
            messages: intern(messages),
            message: intern(records[7]),
            other_message: intern(records[12]),
            servers,
            shape,
        }
    }
}

fn main() {
    let fixture = &Fixture::new();
    arithmetic();
    comparison(fixture);
    functions(fixture);
    sets(fixture);
    interning(fixture);
    store();
}

fn arithmetic() {
    bench("n + 1", 1, |host, n| {
        black_box(ops::add(host, black_box(Value::small(n as i32)), Value::small(1)).expect("integers"));
    });
    bench("m < n", 1, |_, n| {
        let left = black_box(Value::small(n as i32));
        black_box(ops::compare_ints("<", left, Value::small(9)).expect("integers").is_lt());
    });
}

fn comparison(fixture: &Fixture) {
    bench("record = equal record, in region and stored", 1, |host, _| {
        let record = record(host.region(), (&fixture.servers, fixture.shape), 7);
        assert!(ops::equal(host, record, black_box(fixture.message)).expect("records"));
    });
    bench("  of which making the record", 1, |host, _| {
        black_box(record(host.region(), (&fixture.servers, fixture.shape), 7));
    });
    bench("record # record, both stored", 1, |host, _| {
        assert!(!ops::equal(host, fixture.other_message, black_box(fixture.message)).expect("records"));
    });
    bench("set = set, both stored, same", 1, |host, _| {
        assert!(ops::equal(host, fixture.messages, black_box(fixture.messages)).expect("sets"));
    });
}

fn functions(fixture: &Fixture) {
    let key = fixture.servers[3];
    bench("f[s], stored, 5 model values", 1, |host, _| {
        black_box(ops::apply(host, black_box(fixture.function), key).expect("in the domain"));
    });
    let field = fixture.shape.fields()[2];
    bench("r.f, stored, 5 fields", 1, |host, _| {
        black_box(ops::field(host, black_box(fixture.message), field).expect("a field"));
    });
    bench("[f EXCEPT ![s] = e], stored", 1, |host, n| {
        let new = Value::small(n as i32);
        black_box(
            ops::except(host, black_box(fixture.function), &[key], |_, _| Ok(new)).expect("a function"),
        );
    });
    bench("[f EXCEPT ![s].term = @ + 1], stored", 1, |host, _| {
        let path = [key, Value::atom(field)];
        let result = ops::except(host, black_box(fixture.function), &path, |host, old| {
            ops::add(host, old, Value::small(1))
        });
        black_box(result.expect("a function"));
    });
    bench("Append(s, e), Len 8", 1, |host, n| {
        let sequence = host.region().sequence(&[Value::small(n as i32); 8]);
        black_box(ops::append(host, sequence, Value::TRUE).expect("a sequence"));
    });
}

fn sets(fixture: &Fixture) {
    bench("m \\in msgs, 12 records, stored", 1, |host, _| {
        assert!(ops::member(host, black_box(fixture.message), fixture.messages).expect("records"));
    });
    bench("msgs \\cup {m}, new, stored", 1, |host, _| {
        let one = host.region().set(&[fixture.other_message]);
        black_box(ops::cup(host, fixture.messages, one).expect("sets"));
    });
    bench("msgs \\ {m}, stored", 1, |host, _| {
        let one = host.region().set(&[fixture.message]);
        black_box(ops::difference(host, fixture.messages, one).expect("sets"));
    });
    bench("\\E m \\in msgs, per element", 12, |host, _| {
        let mut elements = ops::elements_normal(host, black_box(fixture.messages)).expect("a set");
        while let Some(element) = elements.next(host).expect("a set") {
            black_box(element);
        }
    });
    bench("\\E i \\in 1..64, per element", 64, |host, _| {
        let set = host.region().interval(1, 64);
        let mut elements = ops::elements_normal(host, set).expect("a set");
        while let Some(element) = elements.next(host).expect("a set") {
            black_box(element);
        }
    });
    bench("\\E S \\in SUBSET 1..6, per element", 64, |host, _| {
        let base = host.region().interval(1, 6);
        let set = ops::powerset(host, base);
        let mut elements = ops::elements_normal(host, set).expect("a set");
        while let Some(element) = elements.next(host).expect("a set") {
            black_box(element);
        }
    });
    bench("\\E f \\in [1..3 -> 1..4], per element", 64, |host, _| {
        let (domain, range) = (host.region().interval(1, 3), host.region().interval(1, 4));
        let set = ops::function_set(host, domain, range);
        let mut elements = ops::elements_normal(host, set).expect("a set");
        while let Some(element) = elements.next(host).expect("a set") {
            black_box(element);
        }
    });
    bench("put {12 records} into normal form", 1, |host, _| {
        let mut vec = ValueVec::with_capacity(host.region(), 12);
        fixture.messages.as_normal_set().expect("stored").iter().for_each(|m| vec.push(m));
        vec.as_mut_slice().reverse();
        let set = vec.into_set();
        ops::normalize(host, set).expect("records");
    });
}

fn interning(fixture: &Fixture) {
    let interner = Interner::shared();
    let changed = |host: &mut Plain<'_>, n: u64| {
        let path = [fixture.servers[3], Value::atom(fixture.shape.fields()[2])];
        let new = Value::small((n % 64) as i32);
        let Ok(Excepted::Changed(f)) = ops::except(host, fixture.function, &path, |_, _| Ok(new)) else {
            return None;
        };
        Some(interner.find(Ground::opt(f).expect("explicit")).is_some())
    };
    for n in 0..64 {
        let region = Region::new();
        let path = [fixture.servers[3], Value::atom(fixture.shape.fields()[2])];
        if let Ok(Excepted::Changed(f)) =
            ops::except(&mut Plain(&region), fixture.function, &path, |_, _| Ok(Value::small(n)))
        {
            intern(f);
        }
    }
    bench("EXCEPT on a field, then find: 2 objects, there", 1, |host, n| {
        assert_eq!(changed(host, n), Some(true))
    });
    bench("find a record of 5 fields, there", 1, |host, n| {
        let record = record(host.region(), (&fixture.servers, fixture.shape), (n % 12) as i64);
        black_box(interner.find(Ground::opt(record).expect("explicit")));
    });
    bench("find a record of 5 fields, not there", 1, |host, n| {
        let record = record(host.region(), (&fixture.servers, fixture.shape), 1000 + n as i64);
        black_box(interner.find(Ground::opt(record).expect("explicit")));
    });
    let mut next = 1_000_000;
    bench("intern a new record of 5 fields", 1, |host, _| {
        next += 1;
        let record = record(host.region(), (&fixture.servers, fixture.shape), next);
        black_box(interner.intern(Ground::opt(record).expect("explicit")).expect("room"));
    });
    bench("msgs \\cup {m}, then find: 13 elements", 1, |host, _| {
        let one = host.region().set(&[fixture.other_message]);
        let set = ops::cup(host, fixture.messages, one).expect("sets");
        black_box(interner.find(Ground::opt(set).expect("explicit")));
    });
}

fn store() {
    let store = StateStore::new(9);
    let ids = |n: u64| -> [value::ValueId; 9] {
        std::array::from_fn(|i| value::ValueId::from_bits((n as u32).wrapping_mul(i as u32 + 1)))
    };
    let mut next = 0;
    bench("insert a new state of 9 variables", 1, |_, _| {
        next += 1;
        black_box(store.insert(&ids(next)).expect("room"));
    });
    bench("insert a state that is there", 1, |_, n| {
        black_box(store.insert(&ids(n * 7919 % 100_000 + 1)).expect("room"));
    });
    println!("{} bytes a state of 9 variables", store.bytes().total() / store.len().max(1));
}
