//! Checks that nesting has a limit and a message, that time is linear, and that nothing overflows a small stack.

use diag::Code;

use crate::{Read, read};

/// A depth beyond any limit.
const TOO_DEEP: usize = 100_000;
/// The stack of a test thread on the platform that gives the least.
const SMALL_STACK_BYTES: usize = 2 * 1024 * 1024;

fn module(body: &str) -> String {
    format!("---- MODULE M ----\n{body}\n====\n")
}

/// Reads `text` with little stack; dropping the tree counts too.
fn codes_on_a_small_stack(text: String) -> Vec<Code> {
    let reader = move || {
        let read: Read = read(&text);
        let _dump = syntax::dump(&read.parsed.tree, &read.names);
        let _json = syntax::dump_json(&read.parsed.tree, &read.names, read.sources.file(read.source));
        read.parsed.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
    };
    std::thread::Builder::new().stack_size(SMALL_STACK_BYTES).spawn(reader).unwrap().join().unwrap()
}

#[track_caller]
fn check_too_deep(body: &str) {
    // The unit after the deep one is read as usual.
    let text = module(&format!("{body}\nAfter == 1 +\n"));
    assert_eq!(codes_on_a_small_stack(text), [Code::TooDeep, Code::UnexpectedToken], "{}", &body[..20]);
}

/// A number of items beyond any list written by hand.
const LONG: usize = 30_000;

/// A depth at which everything is accepted.
const DEEP: usize = 2_000;

#[track_caller]
fn check_deep_enough(body: &str) {
    assert_eq!(codes_on_a_small_stack(module(body)), [], "{}", &body[..20]);
}

/// Calls `check` with every form that can hold itself, nested this many times.
fn check_nested(n_nested: usize, check: impl Fn(&str)) {
    let bracketed = |open: &str, inner: &str, close: &str| {
        format!("F == {}{inner}{}", open.repeat(n_nested), close.repeat(n_nested))
    };
    check(&bracketed("(", "1", ")"));
    check(&bracketed("{", "1", "}"));
    check(&bracketed("<<", "1", ">>"));
    check(&bracketed("[a |-> ", "1", "]"));
    check(&bracketed("G(", "1", ")"));
    check(&bracketed("~", "x", ""));
    check(&bracketed("- ", "x", ""));
    check(&bracketed("IF a THEN ", "b", " ELSE c"));
    check(&bracketed("\\A x : ", "b", ""));
    check(&bracketed("LET x == ", "b", " IN c"));
    check(&bracketed("CASE a -> ", "b", ""));
    check(&bracketed("lab :: ", "b", ""));
    check(&bracketed("", "1", " + 1"));
    check(&bracketed("", "x", "'"));
    check(&bracketed("", "x", ".f"));
    check(&bracketed("", "x", "[1]"));
    check(&bracketed("/\\ ", "x", ""));
    check(&bracketed("\\/ /\\ ", "x", ""));
    check(&bracketed("[", "x", "]_v"));
}

#[test]
fn too_much_nesting_is_one_error() {
    check_nested(TOO_DEEP, check_too_deep);
}

#[test]
fn deep_trees_are_read_and_dropped() {
    check_nested(DEEP, check_deep_enough);
}

#[test]
fn nested_modules_and_proofs_have_a_limit_too() {
    let modules = format!("{}{}", "---- MODULE N ----\n".repeat(TOO_DEEP), "====\n".repeat(TOO_DEEP));
    assert_eq!(codes_on_a_small_stack(modules).first(), Some(&Code::TooDeep));
    let steps: String = (1..=5_000).map(|level| format!("<{level}> TRUE\n")).collect();
    assert_eq!(codes_on_a_small_stack(module(&format!("THEOREM TRUE\n{steps}"))), [Code::TooDeep]);
    let nested = "ASSUME ".repeat(TOO_DEEP);
    assert_eq!(codes_on_a_small_stack(module(&format!("THEOREM {nested}"))), [Code::TooDeep]);
}

#[test]
fn comments_nest_without_limit() {
    let text = module(&format!("{}{} x == 1", "(*".repeat(TOO_DEEP), "*)".repeat(TOO_DEEP)));
    assert_eq!(codes_on_a_small_stack(text), []);
    let unclosed = module(&"(*".repeat(TOO_DEEP));
    assert_eq!(codes_on_a_small_stack(unclosed), [Code::UnterminatedComment]);
}

#[test]
fn long_lists_are_not_deep() {
    let commas = |open: &str, close: &str| format!("F == {open}{}1{close}", "1, ".repeat(LONG));
    check_deep_enough(&commas("{", "}"));
    check_deep_enough(&commas("<<", ">>"));
    check_deep_enough(&commas("f[", "]"));
    check_deep_enough(&format!("F == a {}", "\\X a ".repeat(LONG)));
    check_deep_enough(&format!("F ==\n{}", " /\\ x\n".repeat(LONG)));
    check_deep_enough(&format!("VARIABLES {}y", "x, ".repeat(LONG)));
}

#[test]
fn garbage_ends_after_a_hundred_messages() {
    let codes = codes_on_a_small_stack(module(&"\u{7f} ) \u{3}\n".repeat(TOO_DEEP)));
    assert_eq!(codes.len(), 100);
    let codes = codes_on_a_small_stack(module(&") x\n".repeat(TOO_DEEP)));
    assert_eq!(codes, [Code::UnexpectedToken]);
    let codes = codes_on_a_small_stack(module(&"x == )\n".repeat(TOO_DEEP)));
    assert_eq!(codes.len(), 100);
}
