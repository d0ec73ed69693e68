//! Compares configuration files with their expected trees: `tests/data/cfg/{ok,err}/*.cfg` and `*.txt`.
//!
//! A file of `ok` has no diagnostics and its `.txt` is the tree; a file of `err` has some, and they come first.
//! `UPDATE_EXPECT=1 cargo test -p syntax --test cfg` rewrites the expectations.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use base::Names;
use diag::{SourceMap, Span};
use syntax::Parsed;
use syntax::cfg::{self, Assignment, Body, Config, RightSide, Value, ValueKind};
use test_kit::Expectations;

fn cases(folder: &str) -> Vec<PathBuf> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cfg");
    test_kit::files_here(&data.join(folder), "cfg")
}

struct Read {
    sources: SourceMap,
    names: Names,
    parsed: Parsed<Config>,
}

fn read(text: &str) -> Read {
    let mut sources = SourceMap::new();
    let source = sources.add("test.cfg", text);
    let mut names = Names::new();
    let parsed = cfg::parse_config(source, text, &mut names);
    Read { sources, names, parsed }
}

fn check_folder(folder: &str, errors_expected: bool) {
    let mut expectations = Expectations::new();
    for case in cases(folder) {
        let read = read(&std::fs::read_to_string(&case).unwrap());
        if read.parsed.diagnostics.is_empty() == errors_expected {
            expectations.complain(format!("{} is in the wrong folder", case.display()));
        }
        expectations.check(&case.with_extension("txt"), &dump(&read));
    }
    expectations.finish();
}

#[test]
fn good_configurations_give_their_trees() {
    check_folder("ok", false);
}

#[test]
fn bad_configurations_give_their_messages() {
    check_folder("err", true);
}

#[test]
fn a_section_of_a_module_file_keeps_the_places_of_the_file() {
    let text = "---- MODULE M ----\n====\n---- CONFIG M ----\nINIT Foo\n====\nNEXT Bar\n";
    let mut sources = SourceMap::new();
    let source = sources.add("M.tla", text);
    let mut names = Names::new();
    let range = cfg::find_section(text, "M").unwrap();
    let parsed = cfg::parse_config_in(source, text, range, &mut names);
    assert!(parsed.diagnostics.is_empty());
    let init = parsed.tree.name(cfg::Keyword::Init).unwrap();
    assert_eq!(sources.text(init.span), "Foo");
    assert_eq!(sources.position(init.span).line, 4);
    assert!(parsed.tree.name(cfg::Keyword::Next).is_none());
}

/// Reads `text` and asserts what must hold for any text at all.
fn check_robust(text: &str) {
    let read = read(text);
    assert!(read.parsed.diagnostics.len() <= cfg::MAX_ERRORS + 10, "{}", read.parsed.diagnostics.len());
    for diagnostic in read.parsed.diagnostics.iter() {
        let label = diagnostic.primary.as_ref().unwrap();
        assert!(text.get(label.span.range()).is_some(), "{diagnostic:?}");
    }
}

#[test]
fn cut_and_mutilated_configurations_are_read_without_harm() {
    for case in cases("ok").iter().chain(&cases("err")) {
        let text = std::fs::read_to_string(case).unwrap();
        for (at, next) in text.char_indices() {
            check_robust(&text[..at]);
            let after = at + next.len_utf8();
            check_robust(&format!("{}{}", &text[..at], &text[after..]));
            for mark in ["{", "(", "!", "\"", "(*", "=", "<-", ",", " INIT ", "\0", "é"] {
                check_robust(&format!("{}{mark}{}", &text[..at], &text[at..]));
            }
        }
    }
}

#[test]
fn large_and_deep_texts_are_read_in_linear_time() {
    let n = 20_000;
    let pieces =
        ["{", "(", "a(", "a!", "a! a", "a = {", "N = -1 ", "a, ", "(*", "\"", "\u{0}", "+ ", "a <- {", "["];
    for piece in pieces {
        for head in ["", "CONSTANT ", "CONSTANT N = ", "CONSTANT N <- ", "INVARIANT ", "INIT "] {
            check_robust(&format!("{head}{}", piece.repeat(n)));
        }
    }
}

#[test]
fn a_text_that_is_too_large_is_refused() {
    let read = read(&" ".repeat(cfg::MAX_BYTES + 1));
    let codes: Vec<&str> = read.parsed.diagnostics.iter().map(|diagnostic| diagnostic.code.id()).collect();
    assert_eq!(codes, ["SL0003"]);
}

/// Prints diagnostics and then the tree, every part with its place.
fn dump(read: &Read) -> String {
    let mut out = test_kit::plain(&read.parsed.diagnostics, &read.sources);
    for statement in &read.parsed.tree.statements {
        line(read, &mut out, 0, statement.keyword.text(), statement.keyword_span);
        match &statement.body {
            Body::Names(names) => {
                for ident in names {
                    line(read, &mut out, 1, read.names.text(ident.name), ident.span);
                }
            }
            Body::Assignments(assignments) => {
                for assignment in assignments {
                    dump_assignment(read, assignment, &mut out);
                }
            }
            Body::Flag(flag) => line(read, &mut out, 1, &flag.value.to_string(), flag.span),
        }
    }
    out
}

fn line(read: &Read, out: &mut String, depth: usize, text: &str, span: Span) {
    writeln!(out, "{:indent$}{text} {}", "", place(read, span), indent = 2 * depth).unwrap();
}

fn dump_assignment(read: &Read, assignment: &Assignment, out: &mut String) {
    let segments: Vec<&str> =
        assignment.lhs.segments.iter().map(|ident| read.names.text(ident.name)).collect();
    line(read, out, 1, &segments.join("!"), assignment.span);
    let module = match &assignment.right {
        RightSide::Value { args, module, value } => {
            for arg in args.iter().flat_map(|args| &args.values) {
                line(read, out, 2, &format!("argument {}", value_text(read, arg)), arg.span);
            }
            line(read, out, 2, &format!("= {}", value_text(read, value)), value.span);
            module
        }
        RightSide::Definition { module, name } => {
            line(read, out, 2, &format!("<- {}", read.names.text(name.name)), name.span);
            module
        }
    };
    if let Some(module) = module {
        line(read, out, 2, &format!("in {}", read.names.text(module.name)), module.span);
    }
}

fn value_text(read: &Read, value: &Value) -> String {
    match &value.kind {
        ValueKind::Int(digits) => format!("int {}", read.names.text(*digits)),
        ValueKind::String(text) => format!("string {:?}", read.names.text(*text)),
        ValueKind::Bool(value) => format!("bool {value}"),
        ValueKind::ModelValue(name) => format!("model value {}", read.names.text(*name)),
        ValueKind::Set(elements) => {
            let element = |value| format!("{} {}", value_text(read, value), place(read, value.span));
            format!("set {{{}}}", elements.iter().map(element).collect::<Vec<_>>().join(", "))
        }
    }
}

fn place(read: &Read, span: Span) -> String {
    test_kit::place(&read.sources, span)
}
