//! Every form of every case.

use test_kit::Expectations;
use trace::{Style, Trace, itf, json, story, tlc};

use crate::{cases, data};

fn read(text: &str) -> Trace {
    itf::read(text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_form_of_every_case() {
    let mut expectations = Expectations::new();
    for (name, text) in cases("show") {
        let trace = read(&text);
        let mut check = |form: &str, actual: &str| {
            expectations.check(&data("show").join(format!("{name}.{form}")), actual);
        };
        check("txt", &story(&trace, Style::default()));
        check("full.txt", &story(&trace, Style { full: true, ..Style::default() }));
        check("tlc.txt", &tlc(&trace));
        check("steps.json", &format!("{}\n", json(&trace, false)));
        // A trace that we wrote is read back the same.
        let again = itf::write(&trace);
        let ours = data("show").join(format!("{name}.ours.json"));
        expectations.check_or_absent(&ours, if again == text { "" } else { &again });
        assert_eq!(read(&again), trace, "{name}");
    }
    expectations.finish();
}

/// `Relay.tlc.txt` was recorded from TLC 2026.11.15 on `Relay.tla`: it is not ours to rewrite.
#[test]
fn the_listing_is_that_of_tlc() {
    for (name, text) in cases("tlc") {
        let recorded = std::fs::read_to_string(data("tlc").join(format!("{name}.tlc.txt"))).unwrap();
        assert_eq!(tlc(&read(&text)), recorded);
        let mut expectations = Expectations::new();
        expectations.check(&data("tlc").join(format!("{name}.txt")), &story(&read(&text), Style::default()));
        expectations.finish();
        assert_eq!(itf::write(&read(&text)), text);
    }
}

#[test]
fn the_example_of_the_book_is_a_trace() {
    let page = include_str!("../../../../docs/itf.md");
    let (_, rest) = page.split_once("```json\n").expect("it has an example");
    let (example, _) = rest.split_once("```").expect("the example ends");
    let step = read(example).states[1].step.clone().expect("the second state has a step");
    assert_eq!((step.name.as_str(), step.parameters.len()), ("Send", 2));
    assert_eq!(step.parameters[0].value, trace::Datum::model("b"));
}

#[test]
fn colours_change_nothing_but_colours() {
    for (name, text) in cases("show") {
        let trace = read(&text);
        for full in [false, true] {
            let plain = story(&trace, Style { full, ..Style::default() });
            let coloured = story(&trace, Style { full, colour: true, ..Style::default() });
            assert!(!plain.contains('\x1b'), "{name}");
            assert!(coloured.contains('\x1b'), "{name}");
            let mut stripped = coloured;
            for code in ["0", "1;31", "1;36", "31", "32", "2"] {
                stripped = stripped.replace(&format!("\x1b[{code}m"), "");
            }
            assert_eq!(stripped, plain, "{name}");
        }
    }
}
