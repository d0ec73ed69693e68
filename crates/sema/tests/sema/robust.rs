//! Properties of every text: reading it ends with an answer, with little stack, in a time that grows with the text, and
//! messages point into it.

use std::io;
use std::path::{Path, PathBuf};

use base::FxHashMap;
use sema::{FileSystem, LoadOptions, Loaded};
use test_kit::Rng;

/// Files in memory, all in one folder.
#[derive(Default)]
struct MemoryFiles {
    texts: FxHashMap<PathBuf, String>,
}

impl MemoryFiles {
    fn add(&mut self, module: &str, text: impl Into<String>) {
        self.texts.insert(PathBuf::from(format!("{module}.tla")), text.into());
    }
}

impl FileSystem for MemoryFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let text = self.texts.get(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(text.as_bytes().to_vec())
    }

    fn exists(&self, path: &Path) -> bool {
        self.texts.contains_key(path)
    }

    fn modules_in(&self, _folder: &Path) -> Vec<PathBuf> {
        // Suggestions look into these files, which takes time.
        Vec::new()
    }
}

fn load(module: &str, text: &str, files: &MemoryFiles) -> Loaded {
    let path = PathBuf::from(format!("{module}.tla"));
    sema::load_text(&path, text, &LoadOptions::default(), files)
}

/// Loads a text and asserts what must hold for any text.
#[track_caller]
fn check(module: &str, text: &str, files: &MemoryFiles) -> Loaded {
    let loaded = load(module, text, files);
    let sources = &loaded.spec.sources;
    for diagnostic in loaded.diagnostics.iter() {
        for label in diagnostic.primary.iter().chain(&diagnostic.secondary) {
            let text = sources.file(label.span.source).text();
            assert!(text.get(label.span.range()).is_some(), "{diagnostic:?}");
        }
    }
    if loaded.is_ok() {
        let dump = sema::dump_spec(&loaded.spec);
        let bad = dump
            .split([' ', '(', ')', '\n'])
            .find(|word| word.ends_with("#?") || *word == "ERROR" || *word == "MISSING");
        assert_eq!(bad, None, "{dump}");
    }
    loaded
}

/// Returns real modules with their names.
fn real_modules() -> Vec<(String, String)> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["suite", "crates/sema/modules", "crates/sema/tests/data"];
    let paths = folders.iter().flat_map(|folder| test_kit::files(&repository.join(folder), "tla"));
    let texts = paths.filter_map(|path| {
        let stem = path.file_stem()?.to_string_lossy().into_owned();
        Some((stem, std::fs::read_to_string(path).ok()?))
    });
    texts.collect()
}

/// Words to put where they do not belong.
const WORDS: &[&str] = &[
    "x",
    "Op",
    "Op(1)",
    "I!Op",
    "I!J!Op(1)",
    "Op!1",
    "Op!lab(2)",
    "!(1)",
    "!:",
    "@",
    "'",
    "LET x == 1 IN ",
    "RECURSIVE F(_)\n",
    "LOCAL ",
    "INSTANCE Naturals\n",
    "I == INSTANCE M WITH c <- 1\n",
    "EXTENDS Root\n",
    "lab(x) :: ",
    "LAMBDA y : ",
    "\\E x \\in S : ",
    "[f EXCEPT ![1] = @]",
    "F(_)",
    "(",
    ")",
    "==",
    "\n",
    "ASSUME NEW c PROVE ",
    "CONSTANT c\n",
    "VARIABLE v\n",
    "ENABLED ",
    "[]",
    "<<",
    ">>_v",
    "<1>1. ",
    "QED",
    "---- MODULE M ----\n",
    "====\n",
    "UNCHANGED ",
    "+",
    "\\cup",
    "TRUE",
    "{}",
    "THEOREM T == ",
    "BY DEF ",
];

#[test]
fn damaged_modules_are_answered() {
    let modules = real_modules();
    let mut files = MemoryFiles::default();
    for (name, text) in &modules {
        files.add(name, text.as_str());
    }
    for seed in 0..1_000 {
        let mut rng = Rng::new(seed);
        let (name, text) = &modules[rng.below(modules.len())];
        let mut text = text.clone();
        for _ in 0..=rng.below(4) {
            text = test_kit::mutate(&text, WORDS, &mut rng);
        }
        let answered = std::panic::catch_unwind(|| check(name, &text, &files));
        assert!(answered.is_ok(), "seed {seed} of {name}:\n{text}");
    }
}

/// Checks that nothing depends on the order of hashes, or on what was loaded before.
#[test]
fn the_same_text_is_understood_in_the_same_way() {
    for (name, text) in real_modules().into_iter().step_by(7) {
        let files = MemoryFiles::default();
        let (first, second) = (load(&name, &text, &files), load(&name, &text, &files));
        assert_eq!(sema::dump_spec_json(&first.spec), sema::dump_spec_json(&second.spec));
    }
}

/// The stack of a test thread on the platform that gives the least.
const SMALL_STACK_BYTES: usize = 2 * 1024 * 1024;

/// Loads modules, of which the first is the root, with little stack; dropping the result counts too. Returns the codes
/// of the errors.
fn codes_on_a_small_stack(modules: Vec<(String, String)>) -> Vec<&'static str> {
    let run = move || {
        let mut files = MemoryFiles::default();
        for (name, text) in &modules {
            files.add(name, text.as_str());
        }
        let (name, text) = &modules[0];
        let loaded = check(name, text, &files);
        if loaded.is_ok() {
            assert!(sema::dump_spec_json(&loaded.spec).ends_with('\n'));
        }
        let errors = loaded.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
        errors.map(|diagnostic| diagnostic.code.id()).collect()
    };
    std::thread::Builder::new().stack_size(SMALL_STACK_BYTES).spawn(run).unwrap().join().unwrap()
}

#[track_caller]
fn check_body(body: &str, expected: &[&str]) {
    let text = format!("---- MODULE M ----\nEXTENDS Naturals\nCONSTANT c\nVARIABLE v\n{body}\n====\n");
    let codes = codes_on_a_small_stack(vec![("M".to_owned(), text)]);
    assert_eq!(codes, expected, "{}", &body[..body.len().min(60)]);
}

/// A depth greater than the parser accepts.
const TOO_DEEP: usize = 100_000;
/// A depth at which everything is accepted.
const DEEP: usize = 2_000;
const LONG: usize = 20_000;
const CHAIN: usize = 5_000;

#[test]
fn what_is_too_deep_is_refused() {
    let nested =
        |open: &str, close: &str| format!("F == {}1{}", open.repeat(TOO_DEEP), close.repeat(TOO_DEEP));
    check_body(&nested("(", ")"), &["SL0114"]);
    check_body(&nested("{", "}"), &["SL0114"]);
    check_body(&nested("LET a == 1 IN ", ""), &["SL0114"]);
    check_body(&format!("F == c{}", " + c".repeat(LONG)), &["SL0114"]);
}

#[test]
fn what_is_deep_is_understood() {
    let nested = |open: &str, inner: &str, close: &str| {
        format!("F == {}{inner}{}", open.repeat(DEEP), close.repeat(DEEP))
    };
    check_body(&nested("(", "c", ")"), &[]);
    check_body(&nested("<<", "c", ">>"), &[]);
    check_body(&nested("IF TRUE THEN c ELSE ", "c", ""), &[]);
    check_body(&nested("[c EXCEPT ![1] = ", "@", "]"), &[]);
    check_body(&nested("~", "TRUE", ""), &[]);
    check_body(&nested("SUBSET ", "c", ""), &[]);
    let names = |form: &dyn Fn(usize) -> String| (0..DEEP).map(form).collect::<String>();
    check_body(&format!("F == {}c", names(&|n| format!("LET a{n} == c IN "))), &[]);
    check_body(&format!("F == {}c", names(&|n| format!("\\E a{n} \\in c : "))), &[]);
    check_body(&format!("F == {}c", names(&|n| format!("l{n} :: "))), &[]);
    let steps = |n: usize| format!("<{n}>1. TRUE\n<{n}>2. QED\n");
    check_body(&format!("THEOREM TRUE\n{}", (0..100).map(steps).collect::<String>()), &[]);
}

#[test]
fn what_is_long_is_understood() {
    let long = |part: &str| format!("F == c{}", part.repeat(LONG / 4));
    check_body(&long(" + c"), &[]);
    check_body(&long(" \\cup c"), &[]);
    check_body(&long("[1]"), &[]);
    check_body(&long(".a"), &[]);
    check_body(&format!("F == c{}", "'".repeat(2)), &["SL0401"]);
    check_body(&format!("F == <<c{}>>", ", c".repeat(LONG)), &[]);
    let fields: Vec<String> = (0..LONG).map(|n| format!("a{n} |-> c")).collect();
    check_body(&format!("F == [{}]", fields.join(", ")), &[]);
    let conjuncts = "\n  /\\ v' = v".repeat(LONG);
    check_body(&format!("F =={conjuncts}"), &[]);
}

#[test]
fn chains_of_definitions_are_understood() {
    let chain = |first: &str, next: &dyn Fn(usize) -> String| {
        first.to_owned() + &(1..CHAIN).map(next).collect::<String>()
    };
    check_body(&chain("F0 == c\n", &|n| format!("F{n} == F{} + 1\n", n - 1)), &[]);
    check_body(&chain("F0(a) == a\n", &|n| format!("F{n}(a) == F{}(a)\n", n - 1)), &[]);
    check_body(&chain("F0 == v'\n", &|n| format!("F{n} == F{} \\/ v' = {n}\n", n - 1)), &[]);
    let instantiated = chain("F0 == k\n", &|n| format!("F{n} == <<F{}>>\n", n - 1));
    let module = format!("---- MODULE N ----\nCONSTANT k\n{instantiated}====\n");
    check_body(&format!("{module}I == INSTANCE N WITH k <- v\nA == I!F{}\n", CHAIN - 1), &[]);
}

#[test]
fn chains_of_modules_are_understood() {
    let chain = |n_modules: usize, line: &dyn Fn(usize) -> String| {
        let modules = (0..n_modules).map(|n| {
            let name = if n == 0 { "Root".to_owned() } else { format!("M{n}") };
            let needs = if n + 1 < n_modules { line(n + 1) } else { "CONSTANT c\nOp0 == c\n".to_owned() };
            let text = format!("---- MODULE {name} ----\n{needs}====\n");
            (name, text)
        });
        modules.collect::<Vec<_>>()
    };
    let extends = chain(200, &|n| format!("EXTENDS M{n}\nOp{n} == c\n"));
    assert!(codes_on_a_small_stack(extends).is_empty());
    let instances = chain(200, &|n| format!("CONSTANT c\nI == INSTANCE M{n} WITH c <- c\n"));
    assert!(codes_on_a_small_stack(instances).is_empty());
    // Each module repeats all symbols of those below it, and the definitions that they use.
    let unnamed = chain(60, &|n| format!("CONSTANT c\nINSTANCE M{n} WITH c <- <<c>>\nX{n} == Op0\n"));
    assert!(codes_on_a_small_stack(unnamed).is_empty());
}

/// Checks that a growing chain is refused: each module doubles what the one before it has.
#[test]
fn what_would_grow_without_end_is_refused() {
    let double = |n: usize| {
        format!("---- MODULE M{} ----\nCONSTANT k\nINSTANCE M{n} WITH k <- <<k, k>>\n====\n", n + 1)
    };
    let modules: String = (0..60).map(double).collect();
    let first = "---- MODULE M0 ----\nCONSTANT k\nOp == k\n====\n";
    check_body(&format!("{first}{modules}INSTANCE M60 WITH k <- 1\nA == Op"), &["SL0003"]);
}

#[test]
fn modules_that_need_each_other_are_refused() {
    let module =
        |name: &str, body: &str| (name.to_owned(), format!("---- MODULE {name} ----\n{body}\n====\n"));
    let circle = vec![module("A", "EXTENDS B"), module("B", "I == INSTANCE C"), module("C", "EXTENDS A")];
    assert_eq!(codes_on_a_small_stack(circle), ["SL0202"]);
}
