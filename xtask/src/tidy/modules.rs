//! Each Rust file is a module of some crate: the compiler says nothing about a file that no `mod` names, and tests in it
//! never run.

use super::{Complaint, TrackedFile};

/// Files in these folders are crates of their own: `tests/NAME.rs`, `src/bin/NAME.rs`, programs that tests compile.
const CRATE_FOLDERS: &[&str] = &["tests", "bin", "benches", "examples", "guests"];

/// Names of files that the compiler finds without a `mod`.
const ROOTS: &[&str] = &["lib.rs", "main.rs", "build.rs"];

pub(super) fn check(files: &[TrackedFile]) -> Vec<Complaint> {
    let code: Vec<&TrackedFile> = files.iter().filter(|file| file.has_extension("rs")).collect();
    let orphans = code.iter().filter(|file| is_orphan(&file.path, &code));
    orphans.map(|file| Complaint::file(&file.path, "is no part of a crate: no `mod` names it")).collect()
}

fn is_orphan(path: &str, code: &[&TrackedFile]) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let holder = folder.rsplit('/').next().unwrap_or_default();
    if ROOTS.contains(&name) || CRATE_FOLDERS.contains(&holder) {
        return false;
    }
    // `a/b/mod.rs` is the module `b` of the folder `a`.
    let (folder, module) = match name.strip_suffix(".rs") {
        Some("mod") => (folder.rsplit_once('/').map_or("", |(parent, _)| parent), holder),
        Some(module) => (folder, module),
        None => return false,
    };
    let declaration = format!("mod {module};");
    let names_it = |file: &&TrackedFile| {
        may_declare(&file.path, folder) && file.text.lines().any(|line| is_declaration(line, &declaration))
    };
    !code.iter().any(names_it)
}

/// Whether a file can declare modules that are files in `folder`: it is in that folder, or has its name.
fn may_declare(path: &str, folder: &str) -> bool {
    let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
    parent == folder || path.strip_suffix(".rs") == Some(folder)
}

/// Whether a line is `mod name;`, with or without `pub`.
fn is_declaration(line: &str, declaration: &str) -> bool {
    let before = line.trim().strip_suffix(declaration);
    before.is_some_and(|before| before.is_empty() || before.starts_with("pub") && before.ends_with(' '))
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::check;

    #[test]
    fn a_file_that_no_module_names_is_an_orphan() {
        let files = [
            sample(
                "crates/a/src/lib.rs",
                "//! A crate.\nmod one;\npub(crate) mod two;\n// mod three;\nmod five;\n",
            ),
            sample("crates/a/src/one.rs", ""),
            sample("crates/a/src/two/mod.rs", "mod inner;\n"),
            sample("crates/a/src/two/inner.rs", ""),
            sample("crates/a/src/three.rs", ""),
            sample("crates/a/src/two/four.rs", ""),
            sample("crates/a/src/five.rs", "mod six;\n"),
            sample("crates/a/src/five/six.rs", ""),
            sample("crates/a/tests/suite/main.rs", "mod cases;\n"),
            sample("crates/a/tests/suite/cases.rs", ""),
            sample("crates/a/tests/suite/forgotten.rs", ""),
            sample("crates/a/tests/alone.rs", ""),
        ];
        let orphans: Vec<String> = check(&files).into_iter().map(|complaint| complaint.path).collect();
        let expected =
            ["crates/a/src/three.rs", "crates/a/src/two/four.rs", "crates/a/tests/suite/forgotten.rs"];
        assert_eq!(orphans, expected);
    }
}
