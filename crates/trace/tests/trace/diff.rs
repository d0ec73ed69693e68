//! Differences: small cases, and the property that they turn the old value into the new one.

use test_kit::Rng;
use trace::{Change, ChangeKind, Datum, PathStep, diff};

use crate::random;

fn int(value: i64) -> Datum {
    Datum::int(value)
}

fn seq(items: &[i64]) -> Datum {
    Datum::Seq(items.iter().copied().map(int).collect())
}

#[test]
fn a_nested_difference_has_its_path() {
    let entry = |term| Datum::record([("term", int(term)), ("cmd", Datum::string("x"))]);
    let log = |term| Datum::record([("a", Datum::seq(vec![entry(1), entry(term)])), ("b", seq(&[]))]);
    let (old, new) = (log(1), log(2));
    let path = vec![PathStep::Field("a"), PathStep::Position(2), PathStep::Field("term")];
    let kind = ChangeKind::Replaced { old: &int(1), new: &int(2) };
    assert_eq!(diff(&old, &new), [Change { path, kind }]);
}

#[test]
fn a_queue_that_is_read_and_written() {
    let (old, new) = (seq(&[1, 2, 3]), seq(&[2, 3, 4]));
    let changes = diff(&old, &new);
    let kinds: Vec<&ChangeKind<'_>> = changes.iter().map(|change| &change.kind).collect();
    let taken = ChangeKind::Items { n_old: 3, at: 1, removed: &[int(1)], added: &[] };
    let appended = ChangeKind::Items { n_old: 3, at: 4, removed: &[], added: &[int(4)] };
    assert_eq!(kinds, [&taken, &appended]);
}

#[test]
fn equal_values_have_no_differences() {
    for seed in 0..500 {
        let mut rng = Rng::new(seed);
        let datum = random::datum(&mut rng, 5);
        assert_eq!(diff(&datum, &datum.clone()), [], "seed {seed}");
    }
}

#[test]
fn differences_make_the_new_value_out_of_the_old() {
    for seed in 0..20_000 {
        let mut rng = Rng::new(seed);
        let old = random::datum(&mut rng, 5);
        let new = random::change(&mut rng, &old);
        let changes = diff(&old, &new);
        assert_eq!(changes.is_empty(), old == new, "seed {seed}");
        // The changes are applied from the end, so that positions are those of the old sequence.
        let mut patched = old.clone();
        for change in changes.iter().rev() {
            patched = patch(patched, &change.path, &change.kind);
        }
        assert_eq!(patched, new, "seed {seed}\n{old}\n{new}\n{changes:#?}");
    }
}

fn patch(datum: Datum, path: &[PathStep<'_>], kind: &ChangeKind<'_>) -> Datum {
    let Some((step, rest)) = path.split_first() else { return patch_here(datum, kind) };
    let mut pairs = pairs(datum);
    let argument = match *step {
        PathStep::Field(name) => Datum::string(name),
        PathStep::Position(at) => Datum::int(at),
        PathStep::Argument(argument) => argument.clone(),
    };
    match kind {
        ChangeKind::Added { new } if rest.is_empty() => pairs.push((argument, (*new).clone())),
        ChangeKind::Removed { .. } if rest.is_empty() => pairs.retain(|pair| pair.0 != argument),
        ChangeKind::Replaced { .. }
        | ChangeKind::Elements { .. }
        | ChangeKind::Items { .. }
        | ChangeKind::Added { .. }
        | ChangeKind::Removed { .. } => {
            let at = pairs.iter().position(|pair| pair.0 == argument).expect("the path leads somewhere");
            pairs[at].1 = patch(pairs[at].1.clone(), rest, kind);
        }
    }
    Datum::function(pairs)
}

fn pairs(datum: Datum) -> Vec<(Datum, Datum)> {
    match datum.clone() {
        Datum::Seq(items) => (1..).map(int).zip(items.iter().cloned()).collect(),
        Datum::Record(fields) => {
            fields.iter().map(|(name, value)| (Datum::string(name), value.clone())).collect()
        }
        Datum::Function(pairs) => pairs.to_vec(),
        Datum::Bool(_)
        | Datum::Int(_)
        | Datum::Str(_)
        | Datum::Model(_)
        | Datum::Set(_)
        | Datum::Opaque(_) => {
            panic!("{datum} has no parts")
        }
    }
}

fn patch_here(datum: Datum, kind: &ChangeKind<'_>) -> Datum {
    match (kind, datum) {
        (ChangeKind::Replaced { old, new }, datum) => {
            assert_eq!(**old, datum);
            (*new).clone()
        }
        (ChangeKind::Elements { removed, added }, Datum::Set(elements)) => {
            let mut elements = elements.to_vec();
            elements.retain(|element| !removed.contains(&element));
            elements.extend(added.iter().map(|&element| element.clone()));
            Datum::set(elements)
        }
        (ChangeKind::Items { at, removed, added, .. }, datum) => {
            let mut items: Vec<Datum> = pairs(datum).into_iter().map(|(_, value)| value).collect();
            let gone: Vec<Datum> = items.splice(at - 1..at - 1 + removed.len(), added.to_vec()).collect();
            assert_eq!(gone, *removed);
            Datum::seq(items)
        }
        (kind, datum) => panic!("{kind:?} of {datum}"),
    }
}
