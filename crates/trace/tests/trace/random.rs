//! Random values and traces. The same seed gives the same one.

use num_bigint::BigInt;
use test_kit::Rng;
use trace::{About, Binding, Datum, Ending, Failure, Finding, Place, Point, State, Step, Trace};

const TEXTS: &[&str] =
    &["", "a", "b", "two words", "#set", "\u{1b}[1m\n\t\"\\", "é🦀", "tag", "n1", "x_1", "1"];
const NAMES: &[&str] = &["a", "b", "term", "log", "x_1", "value", "tag", "Ünicode"];

/// Returns a value at most `depth` deep.
pub fn datum(rng: &mut Rng, depth: usize) -> Datum {
    let n = rng.below(4);
    let inner = depth.saturating_sub(1);
    match rng.below(if depth > 1 { 11 } else { 6 }) {
        0 => Datum::Bool(rng.below(2) == 0),
        1 => Datum::int(rng.below(4)),
        2 => Datum::Int(BigInt::from(rng.next_u64() as i64) * BigInt::from(rng.next_u64())),
        3 => Datum::string(rng.pick(TEXTS)),
        4 => Datum::model(rng.pick(NAMES)),
        5 => Datum::Opaque("[Nat -> BOOLEAN]".to_owned()),
        6 | 7 => Datum::Seq((0..n).map(|_| datum(rng, inner)).collect()),
        8 => Datum::set(remove_equal((0..n).map(|_| datum(rng, inner)).collect())),
        9 => {
            let mut names: Vec<&str> = (0..n).map(|_| rng.pick(TEXTS)).collect();
            names.sort_unstable();
            names.dedup();
            Datum::record(names.into_iter().map(|name| (name, datum(rng, inner))).collect::<Vec<_>>())
        }
        _ => {
            let arguments = remove_equal((0..n).map(|_| datum(rng, inner)).collect());
            Datum::Function(arguments.into_iter().map(|argument| (argument, datum(rng, inner))).collect())
        }
    }
}

fn remove_equal(values: Vec<Datum>) -> Vec<Datum> {
    let mut kept: Vec<Datum> = Vec::new();
    for value in values {
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    kept
}

/// Returns a value with a few things changed.
pub fn change(rng: &mut Rng, old: &Datum) -> Datum {
    if rng.below(4) == 0 {
        return datum(rng, 3);
    }
    match old {
        Datum::Seq(items) => {
            let mut items = items.to_vec();
            edit(rng, &mut items, change);
            Datum::seq(items)
        }
        Datum::Set(elements) => {
            let mut elements = elements.to_vec();
            edit(rng, &mut elements, change);
            Datum::set(remove_equal(elements))
        }
        Datum::Record(fields) => {
            let mut fields = fields.to_vec();
            edit(rng, &mut fields, |rng, (name, value)| (name.clone(), change(rng, value)));
            fields.sort_by(|left, right| left.0.cmp(&right.0));
            fields.dedup_by(|left, right| left.0 == right.0);
            Datum::record(fields)
        }
        Datum::Function(pairs) => {
            let mut pairs = pairs.to_vec();
            edit(rng, &mut pairs, |rng, (argument, value)| (argument.clone(), change(rng, value)));
            let mut kept: Vec<(Datum, Datum)> = Vec::new();
            for pair in pairs {
                if kept.iter().all(|before| before.0 != pair.0) {
                    kept.push(pair);
                }
            }
            Datum::function(kept)
        }
        Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) | Datum::Opaque(_) => old.clone(),
    }
}

/// Removes an item, adds a copy of one at some place, or replaces one.
fn edit<T: Clone>(rng: &mut Rng, items: &mut Vec<T>, change: impl Fn(&mut Rng, &T) -> T) {
    if items.is_empty() {
        return;
    }
    let at = rng.below(items.len());
    match rng.below(4) {
        0 => drop(items.remove(at)),
        1 => {
            let new = change(rng, &items[at]);
            items.insert(rng.below(items.len() + 1), new);
        }
        2 => {
            let new = change(rng, &items[at]);
            items.remove(0);
            items.push(new);
        }
        _ => items[at] = change(rng, &items[at].clone()),
    }
}

fn bindings(rng: &mut Rng) -> Vec<Binding> {
    (0..rng.below(3)).map(|_| Binding::new(rng.pick(NAMES), datum(rng, 3))).collect()
}

fn step(rng: &mut Rng) -> Option<Step> {
    let point = |rng: &mut Rng| Point { line: rng.below(99) as u32, column: rng.below(99) as u32 };
    let place = (rng.below(2) == 0).then(|| Place {
        file: rng.pick(&["a b/C.tla", "C:\\x.tla", ""]).to_owned(),
        module: "C".to_owned(),
        start: point(rng),
        end: point(rng),
    });
    (rng.below(4) > 0).then(|| Step { name: rng.pick(TEXTS).to_owned(), place, parameters: bindings(rng) })
}

fn finding(rng: &mut Rng) -> Finding {
    let name = || "Inv".to_owned();
    match rng.below(10) {
        0 => Finding::Invariant { name: name() },
        1 => Finding::ActionProperty { name: name() },
        2 => Finding::InitialProperty { name: name() },
        3 => Finding::TemporalProperty { names: vec![name(); rng.below(4)] },
        4 => Finding::Deadlock,
        5 => Finding::Assertion { message: rng.pick(TEXTS).to_owned() },
        6 => Finding::EvaluationError { code: (rng.below(2) == 0).then(name), message: name() },
        7 => Finding::Postcondition { name: name() },
        8 => Finding::Example { description: rng.pick(TEXTS).to_owned() },
        _ => Finding::Unstated,
    }
}

pub fn trace(rng: &mut Rng) -> Trace {
    let variables: Vec<String> =
        NAMES[..rng.below(NAMES.len())].iter().map(|&name| name.to_owned()).collect();
    let n_states = 1 + rng.below(4);
    let state = |rng: &mut Rng| State {
        step: step(rng),
        values: variables.iter().map(|_| (rng.below(20) > 0).then(|| datum(rng, 4))).collect(),
    };
    let states: Vec<State> = (0..n_states).map(|_| state(rng)).collect();
    let ending = match rng.below(3) {
        0 => Ending::Stop,
        1 => Ending::Stuttering,
        _ => Ending::Loop { to: rng.below(n_states), step: step(rng) },
    };
    let failure = (rng.below(2) == 0).then(|| Failure {
        text: rng.pick(TEXTS).to_owned(),
        place: step(rng).and_then(|step| step.place),
        values: bindings(rng),
        calls: (0..rng.below(3)).filter_map(|_| step(rng)).collect(),
    });
    let note = |name: &str| (name.to_owned(), "said".to_owned());
    let about = About {
        spec: (rng.below(2) == 0).then(|| "C.tla".to_owned()),
        config: (rng.below(2) == 0).then(|| "C.cfg".to_owned()),
        tool: None,
        notes: vec![note("seed"), note("note"), note("note tool"), note("source"), note("varTypes")],
    };
    let constants = vec![Binding::new("Constant", datum(rng, 2))];
    let expressions = variables.iter().filter(|_| rng.below(5) == 0).cloned().collect();
    Trace { finding: finding(rng), failure, constants, variables, expressions, states, ending, about }
}
