//! Files that are not traces: an error with its place and the remedy, never a panic.

use test_kit::{Expectations, Rng, mutate};
use trace::itf::ItfErrorKind;
use trace::{Style, itf, json, story, tlc};

use crate::{cases, data};

#[test]
fn every_bad_case_has_its_message() {
    let mut expectations = Expectations::new();
    for (name, text) in cases("bad") {
        let said = match itf::read(&text) {
            Ok(_) => "it was read\n".to_owned(),
            Err(error) => format!("{:?}: {error}\nhelp: {}\n", error.kind, error.help),
        };
        expectations.check(&data("bad").join(format!("{name}.txt")), &said);
    }
    expectations.finish();
}

#[test]
fn a_file_that_was_cut_off_is_noticed() {
    for (name, text) in cases("show") {
        let ends = text.char_indices().map(|(at, _)| at).filter(|&at| at < text.trim_end().len());
        for end in ends.step_by(7) {
            let error = itf::read(&text[..end]).expect_err("half a trace is none");
            assert_eq!(error.kind, ItfErrorKind::Truncated, "{name} up to {end}: {error}");
        }
    }
}

#[test]
fn files_that_are_almost_right() {
    const WORDS: &[&str] =
        &["null", "[]", "{}", "1.5", "-1", "\"#set\"", "\"#map\"", "\"\\ud800\"", "99999999999999999999"];
    let mut n_read = 0;
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        for (_, text) in cases("show") {
            let changed = mutate(&text, WORDS, &mut rng);
            // A text that is read can be shown and written; others have a message.
            match itf::read(&changed) {
                Ok(trace) => {
                    n_read += 1;
                    assert!(!story(&trace, Style { full: true, ..Style::default() }).is_empty());
                    assert!(!json(&trace, true).is_empty());
                    tlc(&trace);
                    let again =
                        itf::read(&itf::write(&trace)).unwrap_or_else(|error| panic!("{error}\n{changed}"));
                    assert_eq!(again, trace, "{changed}");
                }
                Err(error) => assert!(!error.to_string().is_empty() && !error.help.is_empty(), "{changed}"),
            }
        }
    }
    assert!(n_read > 100, "{n_read}");
}

#[test]
fn values_that_are_too_deep() {
    let depth = trace::Datum::DEPTH_MAX + 1;
    let value = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    let error =
        itf::read(&format!("{{\"vars\": [\"x\"], \"states\": [{{\"x\": {value}}}]}}")).expect_err("too deep");
    assert!(error.message.contains("levels deep") && error.path.ends_with('…'), "{error}");
}

#[test]
fn nesting_without_end() {
    for open in ["[", "{\"a\":", "{\"vars\":[],\"states\":[{\"#meta\":"] {
        let error = itf::read(&open.repeat(1_000_000)).expect_err("this is no trace");
        assert!(!error.to_string().is_empty());
    }
}
