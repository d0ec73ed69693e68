//! Compares with the community's grammar: both parsers agree on what is accepted, except for a list of its known
//! errors. It gets no deep input, because its scanner crashes at some hundred nested junction lists.

use std::path::PathBuf;

use crate::{corpus_dir, messages, own_modules, read};

/// Errors of tree-sitter-tlaplus 1.5, and the files (by a part of their path) that show them. On each of them the
/// reference parser agrees with ours.
const KNOWN_ERRORS: &[(&str, &[&str])] = &[
    (
        "it takes `ℕ` for a built-in set; to the language it is a name to be declared",
        &["suite/lang/Unicode.tla"],
    ),
    (
        "it reads PlusCal in comments, and refuses some of it; to the language it is a comment",
        &[
            "Bloemen/BloemenSCC.tla",
            "Bug156/FindOp.tla",
            "Ghostferry/ghostferry.tla",
            "docs/RemoveRedundantParens.tla",
            "fp/OpenAddressing.ConcurrentFlusher.tla",
            "pcal/CEither1.tla",
            "pcal/CallReturn2.tla",
            "pcal/FairSeq.tla",
            "pcal/FairSeq2.tla",
            "pcal/MergeSort.tla",
            "pcal/PlusCal.tla",
            "pcal/PlusCal2.tla",
            "snapshot/SnapShot_test.tla",
            "test-model/Github358.tla",
            "test-model/MissingBodyInWhile.tla",
            "test-model/MissingBodyInWith.tla",
        ],
    ),
    (
        "a tab is one column to it, and eight-column stops to the language",
        &[
            "CodePlexBug08/EWD840MC1.tla",
            "CodePlexBug08/MCa.tla",
            "OneBitMutex/OneBitMutexNoSymmetryMC.tla",
            "StandardModules/_",
            "pcal/TestTabs.tla",
            "test-model/Alias.tla",
            "test-model/Test3.tla",
        ],
    ),
    (
        "a label before an operand, and selectors such as `Op!@!++`, are errors to it",
        &["/test206.tla", "/test219"],
    ),
    ("it knows no `<*>` where a proof starts without `PROOF`", &["corpus/ImplicitProofsTest.tla"]),
    (
        "a comment that touches the name of a definition, `(*Defn*)F(x) ==`, is an error to it",
        &["uitest/farsite/"],
    ),
    (
        "it accepts precedence conflicts",
        &["lsp/test/test_decompose.tla", "examples/Highlight.tla", "suite/parse/NoPrecedence.tla"],
    ),
    ("it accepts units without a module around them", &["cantor/Cantor8.tla", "cantor/Cantor9.tla"]),
    ("`TRUE == FALSE` is a definition to it; to us `TRUE` is reserved", &["error_corpus/E4202_Test.tla"]),
];

fn oracle_accepts(parser: &mut tree_sitter::Parser, text: &str) -> bool {
    let tree = parser.parse(text, None).expect("no time limit is set");
    !tree.root_node().has_error()
}

fn is_known(path: &str) -> bool {
    KNOWN_ERRORS.iter().flat_map(|(_, files)| *files).any(|part| path.contains(part))
}

fn check(modules: Vec<PathBuf>) {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_tlaplus::LANGUAGE.into()).unwrap();
    let mut wrong = Vec::new();
    for path in modules {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let found = messages(&read(&text));
        let agrees = found.is_empty() == oracle_accepts(&mut parser, &text);
        if !agrees && !is_known(&path.to_string_lossy()) {
            wrong.push(format!("{}: we say\n{found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{} files:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn both_parsers_agree_on_our_own_modules() {
    check(own_modules());
}

/// A development test: without the environment variable `SPECLINE_CORPUS` (a folder of modules) it has
/// nothing to compare and passes.
#[test]
fn both_parsers_agree_on_a_folder_of_modules() {
    if let Some(folder) = corpus_dir() {
        check(test_kit::files(&folder, "tla"));
    }
}
