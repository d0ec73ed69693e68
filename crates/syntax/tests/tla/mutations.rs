//! Damages real modules at random: whatever the text, reading it ends, with messages that point into it.

use test_kit::Rng;

use crate::{Read, data_dir, own_modules, read, repository};

/// The seeds. Each makes one damaged module.
const SEEDS: std::ops::Range<u64> = 0..2_000;
/// Limit on the size of a module. Larger ones are cut, so that the time goes into many cases.
const MODULE_BYTES_MAX: usize = 6_000;

/// Texts to put where they do not belong.
const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<<",
    ">>",
    "(*",
    "*)",
    "\\*",
    "\"",
    "/\\",
    "\\/",
    "==",
    "=",
    "----",
    "====",
    ",",
    ":",
    "::",
    "!",
    "'",
    "\\",
    "<1>",
    "<1>a.",
    "<+>",
    "LET",
    "IN",
    "CASE",
    "[]",
    "IF",
    "THEN",
    "ELSE",
    "MODULE",
    "---- MODULE N ----",
    "THEOREM",
    "PROOF",
    "QED",
    "ASSUME",
    "LOCAL",
    "INSTANCE",
    "WITH",
    "\\A x :",
    "WF_",
    "]_v",
    ">>_v",
    "@",
    "-",
    "\u{0}",
    "é",
    "∧",
    "\t",
    "\r",
    "\n",
    "EXCEPT",
    "LAMBDA x :",
    "\\in",
    "|->",
    "->",
    "..",
    ".",
];

/// Makes one change of bytes, or of tokens and lines.
fn damage(text: &str, rng: &mut Rng) -> String {
    if text.is_empty() || rng.below(3) > 0 {
        return test_kit::mutate(text, PIECES, rng);
    }
    let mut bytes = text.as_bytes().to_vec();
    let at = rng.below(bytes.len());
    match rng.below(4) {
        0 => drop(bytes.drain(at..(at + 1 + rng.below(8)).min(bytes.len()))),
        1 => bytes[at] = rng.next_u64() as u8,
        2 => {
            let other = rng.below(bytes.len());
            bytes.swap(at, other);
        }
        // A line is moved to the right.
        _ => {
            let line = bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
            drop(bytes.splice(line..line, vec![b' '; 1 + rng.below(4)]));
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn modules() -> Vec<String> {
    let cases = ["ok", "err"].map(|folder| test_kit::files(&data_dir().join(folder), "tla"));
    let paths = cases.into_iter().flatten().chain(own_modules());
    paths.map(|path| shorten(&std::fs::read_to_string(path).unwrap())).collect()
}

fn shorten(text: &str) -> String {
    text[..text.floor_char_boundary(MODULE_BYTES_MAX)].to_owned()
}

/// Checks what holds for any text at all.
fn check_sound(read: &Read, text: &str) {
    let mut last = 0;
    for diagnostic in read.parsed.diagnostics.iter() {
        for label in diagnostic.primary.iter().chain(&diagnostic.secondary) {
            assert!(text.get(label.span.range()).is_some(), "{diagnostic:?} points out of:\n{text}");
        }
        let start = diagnostic.primary.as_ref().map_or(last, |label| label.span.start);
        assert!(start >= last, "messages are not in the order of:\n{text}");
        last = start;
        let headline = &diagnostic.headline;
        assert!(!headline.is_empty() && !headline.ends_with('.'), "{headline:?} is not a headline");
    }
    for expr in read.parsed.tree.exprs.iter() {
        assert!(text.get(expr.span.range()).is_some(), "{expr:?} points out of:\n{text}");
    }
}

#[test]
fn damaged_modules_are_read_without_harm() {
    let modules = modules();
    for seed in SEEDS {
        let mut rng = Rng::new(seed);
        let mut text = modules[rng.below(modules.len())].clone();
        for _ in 0..1 + rng.below(4) {
            text = damage(&text, &mut rng);
        }
        let read = read(&text);
        check_sound(&read, &text);
        let _dump = syntax::dump(&read.parsed.tree, &read.names);
        let _json = syntax::dump_json(&read.parsed.tree, &read.names, read.sources.file(read.source));
    }
}

/// Checks every prefix of a module that contains every construct.
#[test]
fn modules_cut_short_anywhere_are_read_without_harm() {
    let text = std::fs::read_to_string(repository().join("suite/lang/EveryConstruct.tla")).unwrap();
    let module_end = text.rfind("====").unwrap() - 100;
    for (end, _) in text.char_indices().step_by(7).take_while(|&(end, _)| end < module_end) {
        let cut = &text[..end];
        let read = read(cut);
        check_sound(&read, cut);
        assert!(read.parsed.diagnostics.has_errors(), "a module without its end is accepted:\n{cut}");
    }
}
