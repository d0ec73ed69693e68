//! Configuration files beside what is read from them: `tests/data/cfg/{ok,err}/*.cfg` and `*.txt`.
//!
//! A file of `ok` has no diagnostics and its `.txt` is the tree; a file of `err` has some, and they come
//! first. `UPDATE_EXPECT=1 cargo test -p syntax --test cfg` rewrites the expectations.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use base::Names;
use diag::{SourceFile, SourceId, SourceMap, Span};
use syntax::Parsed;
use syntax::cfg::{self, Assignment, Body, Config, Right, Value, ValueKind};

fn data_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cfg")
}

fn cases(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(data_dir().join(folder)).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut cases: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == "cfg")).collect();
    cases.sort();
    assert!(!cases.is_empty(), "no cases in {folder}");
    cases
}

struct Read {
    sources: SourceMap,
    source: SourceId,
    names: Names,
    parsed: Parsed<Config>,
}

fn read(text: &str) -> Read {
    let mut sources = SourceMap::new();
    let source = sources.add("test.cfg", text);
    let mut names = Names::new();
    let parsed = cfg::parse_config(source, text, &mut names);
    Read { sources, source, names, parsed }
}

#[expect(clippy::disallowed_methods, reason = "the one flag that rewrites expectations")]
fn update_wanted() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some()
}

fn check_folder(folder: &str, errors_expected: bool) {
    let mut wrong = Vec::new();
    for case in cases(folder) {
        let text = std::fs::read_to_string(&case).unwrap();
        let read = read(&text);
        let errors = !read.parsed.diagnostics.is_empty();
        assert_eq!(errors, errors_expected, "{}:\n{}", case.display(), dump(&read));
        let (path, actual) = (case.with_extension("txt"), dump(&read));
        if update_wanted() {
            std::fs::write(&path, &actual).unwrap();
        } else if std::fs::read_to_string(&path).unwrap_or_default() != actual {
            wrong.push(format!("{} is now:\n{actual}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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

/// Reads `text` and asserts what must hold of any text at all.
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
    assert_eq!(read.parsed.diagnostics.n_errors(), 1);
}

/// Diagnostics and then the tree, every part with its place.
fn dump(read: &Read) -> String {
    let file = read.sources.file(read.source);
    let mut out = String::new();
    for diagnostic in read.parsed.diagnostics.iter() {
        let primary = diagnostic.primary.as_ref().unwrap();
        writeln!(out, "{} {} {}", diagnostic.code, place(file, primary.span), diagnostic.headline).unwrap();
        for label in &diagnostic.secondary {
            writeln!(out, "  related {} {}", place(file, label.span), label.text).unwrap();
        }
        for note in &diagnostic.notes {
            writeln!(out, "  note {note}").unwrap();
        }
        for help in &diagnostic.help {
            writeln!(out, "  help {help}").unwrap();
        }
    }
    for statement in &read.parsed.tree.statements {
        writeln!(out, "{} {}", statement.keyword.text(), place(file, statement.keyword_span)).unwrap();
        match &statement.body {
            Body::Names(names) => {
                for ident in names {
                    writeln!(out, "  {} {}", read.names.text(ident.name), place(file, ident.span)).unwrap();
                }
            }
            Body::Assignments(assignments) => {
                for assignment in assignments {
                    dump_assignment(read, assignment, &mut out);
                }
            }
            Body::Flag(flag) => writeln!(out, "  {} {}", flag.value, place(file, flag.span)).unwrap(),
        }
    }
    out
}

fn dump_assignment(read: &Read, assignment: &Assignment, out: &mut String) {
    let file = read.sources.file(read.source);
    let segments: Vec<&str> =
        assignment.lhs.segments.iter().map(|ident| read.names.text(ident.name)).collect();
    writeln!(out, "  {} {}", segments.join("!"), place(file, assignment.span)).unwrap();
    let module = match &assignment.right {
        Right::Value { args, module, value } => {
            for arg in args.iter().flat_map(|args| &args.values) {
                writeln!(out, "    argument {}", value_text(read, arg)).unwrap();
            }
            writeln!(out, "    = {}", value_text(read, value)).unwrap();
            module
        }
        Right::Definition { module, name } => {
            writeln!(out, "    <- {} {}", read.names.text(name.name), place(file, name.span)).unwrap();
            module
        }
    };
    if let Some(module) = module {
        writeln!(out, "    in {} {}", read.names.text(module.name), place(file, module.span)).unwrap();
    }
}

fn value_text(read: &Read, value: &Value) -> String {
    let text = match &value.kind {
        ValueKind::Int(digits) => format!("int {}", read.names.text(*digits)),
        ValueKind::String(text) => format!("string {:?}", read.names.text(*text)),
        ValueKind::Bool(value) => format!("bool {value}"),
        ValueKind::ModelValue(name) => format!("model value {}", read.names.text(*name)),
        ValueKind::Set(elements) => {
            let elements: Vec<String> = elements.iter().map(|element| value_text(read, element)).collect();
            format!("set {{{}}}", elements.join(", "))
        }
    };
    format!("{text} {}", place(read.sources.file(read.source), value.span))
}

/// `line:column-column`, or with two lines where a part goes over several.
fn place(file: &SourceFile, span: Span) -> String {
    let (start, end) = (file.position(span.start), file.position(span.end));
    if start.line == end.line {
        format!("{}:{}-{}", start.line, start.column, end.column)
    } else {
        format!("{}:{}-{}:{}", start.line, start.column, end.line, end.column)
    }
}
