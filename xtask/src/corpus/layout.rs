//! Finds the cases of a folder, and what is expected of them.
//!
//! Besides plain folders, in which every module must be accepted, three layouts are recognised by their content: files
//! of small texts with headers (`snippets`), folders of modules named after the error that they show
//! (`E4201_Op_Test.tla`), and `manifest.json` lists.

use std::path::{Path, PathBuf};

use super::expect::Expectations;
use super::{Case, Expected, Plan, Subject, manifest, snippets};
use crate::walk;

/// Modules of public corpora that the reference rejects although they are among those to be accepted, with the reasons.
const KNOWN_REJECTED: &[(&str, &str)] = &[(
    "semantic/corpus/NegativeOpTest.tla",
    "it declares and defines `-.` in one module; the reference's own tests pass it over",
)];

pub fn plan(folders: &[PathBuf], expectations: &Expectations) -> Plan {
    let mut plan = Plan::default();
    for folder in folders {
        let files = if folder.is_file() { vec![folder.clone()] } else { walk::files(folder, &[]) };
        for path in &files {
            plan_file(path, &files, expectations, &mut plan);
        }
    }
    plan
}

fn plan_file(path: &Path, files: &[PathBuf], expectations: &Expectations, plan: &mut Plan) {
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension {
        Some("tla") => plan_module(path, files, expectations, plan),
        Some("txt") => plan_snippets(path, plan),
        Some("json") if manifest::is_manifest(path) => manifest::plan(path, plan),
        Some(_) | None => {}
    }
}

fn plan_module(path: &Path, files: &[PathBuf], expectations: &Expectations, plan: &mut Plan) {
    let expected = match expected_by_name(path) {
        Some(expected) => expected,
        // The other modules of such a folder are there to be extended, some of them wrong on purpose.
        None if files
            .iter()
            .any(|file| file.parent() == path.parent() && expected_by_name(file).is_some()) =>
        {
            plan.n_passed_over += 1;
            return;
        }
        None if KNOWN_REJECTED.iter().any(|(file, _)| path.ends_with(file)) => Expected::Rejected,
        None => expectations.of(path).unwrap_or(Expected::Accepted),
    };
    let subject = Subject::Module(path.to_path_buf());
    plan.cases.push(Case { name: path.display().to_string(), subject, expected });
}

/// Returns what a name requires: `E4201_Op_Test.tla` must be rejected, `W4800_Test.tla` accepted.
fn expected_by_name(path: &Path) -> Option<Expected> {
    let stem = path.file_stem()?.to_str()?;
    let (kind, rest) = stem.split_at_checked(1)?;
    let (number, rest) = rest.split_once('_')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number || !(rest == "Test" || rest.ends_with("_Test")) {
        return None;
    }
    match kind {
        "E" => Some(Expected::Rejected),
        "W" => Some(Expected::Accepted),
        _ => None,
    }
}

fn plan_snippets(path: &Path, plan: &mut Plan) {
    let Ok(text) = std::fs::read_to_string(path) else { return };
    if !snippets::is_snippet_file(&text) {
        return;
    }
    for snippet in snippets::parse(&text) {
        let name = format!("{}: {}", path.display(), snippet.title);
        let subject = Subject::Syntax(snippet.text);
        plan.cases.push(Case { name, subject, expected: snippet.expected });
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Expected, expected_by_name};

    #[test]
    fn names_say_what_is_expected() {
        let check = |name: &str, expected| assert_eq!(expected_by_name(Path::new(name)), expected, "{name}");
        check("a/E4200_Test.tla", Some(Expected::Rejected));
        check("E4201_Op_Test.tla", Some(Expected::Rejected));
        check("W4800_Test.tla", Some(Expected::Accepted));
        check("E4222_Extended.tla", None);
        check("Error_Test.tla", None);
        check("EWD840_Test.tla", None);
        check("CaseTest.tla", None);
    }
}
