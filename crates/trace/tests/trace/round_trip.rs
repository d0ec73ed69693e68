//! A trace that is written is read back the same, and the text forms agree with each other.

use test_kit::Rng;
use trace::{Datum, State, Style, Trace, itf, json, story, tlc};

use crate::random;

const N_SEEDS: u64 = 3000;

#[test]
fn a_trace_comes_back_as_it_was() {
    for seed in 0..N_SEEDS {
        let trace = random::trace(&mut Rng::new(seed));
        let text = itf::write(&trace);
        let again = itf::read(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert_eq!(again, trace, "seed {seed}\n{text}");
        // The order is kept as well, although equality ignores it.
        assert_eq!(itf::write(&again), text, "seed {seed}");
        assert_eq!(tlc(&again), tlc(&trace), "seed {seed}");
    }
}

#[test]
fn metadata_but_the_index_are_strings() {
    for seed in 0..100 {
        let text = itf::write(&random::trace(&mut Rng::new(seed)));
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let is_string = |meta: &serde_json::Value| {
            let fields = meta.as_object().unwrap().iter();
            fields.filter(|(name, _)| *name != "index").all(|(_, value)| value.is_string())
        };
        assert!(is_string(&json["#meta"]), "seed {seed}");
        assert!(
            json["states"].as_array().unwrap().iter().all(|state| is_string(&state["#meta"])),
            "seed {seed}"
        );
    }
}

#[test]
fn broken_lines_say_what_one_line_says() {
    let squeezed = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    for seed in 0..N_SEEDS {
        let mut rng = Rng::new(seed);
        let datum = random::datum(&mut rng, 6);
        let line = datum.to_string();
        assert!(!line.contains('\n'), "seed {seed}");
        assert_eq!(datum.to_lines(usize::MAX, 0), line, "seed {seed}");
        for width in [0, 10, 30, 80] {
            let lines = datum.to_lines(width, 3);
            assert_eq!(squeezed(&lines), squeezed(&line), "seed {seed}, width {width}");
            assert!(lines.lines().skip(1).all(|line| line.starts_with("   ")), "seed {seed}, width {width}");
        }
    }
}

#[test]
fn no_form_lets_a_terminal_obey() {
    for seed in 0..500 {
        let trace = random::trace(&mut Rng::new(seed));
        let forms = [story(&trace, Style::default()), tlc(&trace), json(&trace, true)];
        for form in &forms {
            assert!(form.chars().all(|c| c == '\n' || !c.is_control()), "seed {seed}\n{form:?}");
        }
    }
}

#[test]
fn values_as_deep_as_allowed() {
    let deep = |wrap: fn(Datum) -> Datum| (1..Datum::DEPTH_MAX).fold(Datum::int(1), |inner, _| wrap(inner));
    let trace = |value: Datum| {
        let states = vec![State { step: None, values: vec![Some(value)] }];
        Trace { states, ..Trace::new(vec!["x".to_owned()]) }
    };
    let wraps: [fn(Datum) -> Datum; 4] = [
        |inner| Datum::set(vec![inner]),
        |inner| Datum::seq(vec![Datum::Bool(true), inner]),
        |inner| Datum::function(vec![(Datum::int(7), inner)]),
        |inner| Datum::record([("next", inner)]),
    ];
    for wrap in wraps {
        let deepest = trace(deep(wrap));
        let again = itf::read(&itf::write(&deepest)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again, deepest);
        assert!(!story(&again, Style::default()).is_empty() && !tlc(&again).is_empty());
        // Deeper values are written with a gap.
        let holed =
            itf::read(&itf::write(&trace(wrap(deep(wrap))))).unwrap_or_else(|error| panic!("{error}"));
        assert!(tlc(&holed).contains("..."));
    }
}
