//! Compares with the verdicts of the reference parser on public files. These are development tests: without the
//! environment variable `SPECLINE_CORPUS` (a folder) they have nothing to compare and pass.

use crate::{corpus_dir, messages, read};

/// Checks that every file that SANY accepts is accepted. `verdicts.tsv` in the folder lists them: path, exit code.
#[test]
fn what_the_reference_parser_accepts_is_accepted() {
    let Some(folder) = corpus_dir() else { return };
    let Ok(verdicts) = std::fs::read_to_string(folder.join("verdicts.tsv")) else { return };
    let accepted = verdicts
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter(|(_, rest)| rest.split('\t').next() == Some("0"));
    let mut wrong = Vec::new();
    for (path, _) in accepted {
        let text = std::fs::read(folder.join(path)).unwrap();
        let found = messages(&read(&String::from_utf8_lossy(&text)));
        // Files of the error corpus have semantic errors, some of which are already found here.
        if !found.is_empty() && !path.contains("error_corpus") {
            wrong.push(format!("{path}:\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{} files:\n{}", wrong.len(), wrong.join("\n"));
}

/// One case of SANY's syntax corpus.
struct Case {
    title: String,
    source: String,
    must_fail: bool,
}

/// Reads cases: `===|||`, a title with attributes, `===|||`, the source, `---|||`, the tree.
fn cases(text: &str) -> Vec<Case> {
    let is_bar = |line: &str, bar: &str| line.starts_with(bar) && line.ends_with("|||");
    let mut cases = Vec::new();
    let mut lines = text.lines();
    while lines.by_ref().any(|line| is_bar(line, "===")) {
        let heading: Vec<&str> = lines.by_ref().take_while(|line| !is_bar(line, "===")).collect();
        let source: Vec<&str> = lines.by_ref().take_while(|line| !is_bar(line, "---")).collect();
        cases.push(Case {
            title: heading.first().copied().unwrap_or_default().to_owned(),
            source: source.join("\n") + "\n",
            must_fail: heading.contains(&":error"),
        });
    }
    cases
}

/// Checks that every `.txt` file under the folder that looks like SANY's syntax corpus gets the verdict it states.
#[test]
fn the_reference_corpus_gets_its_verdicts() {
    let Some(folder) = corpus_dir() else { return };
    let mut wrong = Vec::new();
    let files = test_kit::files(&folder, "txt");
    for path in files.iter().filter(|path| path.to_string_lossy().contains("tla2sany/corpus")) {
        for case in cases(&std::fs::read_to_string(path).unwrap()) {
            let found = messages(&read(&case.source));
            if found.is_empty() == case.must_fail {
                wrong.push(format!("{}: {}\n{found}", path.display(), case.title));
            }
        }
    }
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}
