//! Checks that every code of the table has a page, and a test in which it is reported.

use diag::Code;

use super::{Complaint, TrackedFile};

pub(super) fn check(codes: &[Code], files: &[TrackedFile]) -> Vec<Complaint> {
    let ids: Vec<&str> = codes.iter().map(|code| code.id()).collect();
    let mut complaints = find_without_page(&ids, files);
    complaints.extend(find_untested(&ids, files));
    complaints.extend(find_unknown_pages(&ids, files));
    complaints
}

fn page(id: &str) -> String {
    format!("docs/errors/{id}.md")
}

fn find_without_page(ids: &[&str], files: &[TrackedFile]) -> Vec<Complaint> {
    let has_page = |id: &str| files.iter().any(|file| file.path == page(id));
    let missing = ids.iter().filter(|id| !has_page(id));
    missing
        .map(|id| Complaint::file(&page(id), format!("missing: `specline explain {id}` prints it")))
        .collect()
}

/// Finds codes without a test: an expectation must mention the code, in a file under some `tests` folder or in a unit
/// test.
fn find_untested(ids: &[&str], files: &[TrackedFile]) -> Vec<Complaint> {
    let tests: Vec<&TrackedFile> = files.iter().filter(|file| is_expectation(&file.path)).collect();
    let is_tested = |id: &str| tests.iter().any(|file| file.text.contains(id));
    let missing = ids.iter().filter(|id| !is_tested(id));
    missing
        .map(|id| Complaint::file(&page(id), format!("no test expects {id}: add the smallest case")))
        .collect()
}

fn is_expectation(path: &str) -> bool {
    path.starts_with("suite/") || path.starts_with("crates/") && path.contains("/tests/")
}

/// Finds pages without a code.
fn find_unknown_pages(ids: &[&str], files: &[TrackedFile]) -> Vec<Complaint> {
    let pages = files.iter().filter_map(|file| {
        let id = file.path.strip_prefix("docs/errors/")?.strip_suffix(".md")?;
        id.starts_with("SL").then_some((file, id))
    });
    let unknown = pages.filter(|(_, id)| !ids.contains(id));
    unknown.map(|(file, id)| Complaint::file(&file.path, format!("there is no code {id}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::{find_unknown_pages, find_untested, find_without_page};

    #[test]
    fn a_code_without_a_page_is_noticed() {
        let files = [sample("docs/errors/SL0001.md", "")];
        assert_eq!(find_without_page(&["SL0001", "SL0002"], &files).len(), 1);
    }

    #[test]
    fn a_code_that_no_test_expects_is_noticed() {
        let files = [
            sample("crates/syntax/tests/data/err/a.txt", "SL0001 1:1"),
            sample("crates/diag/src/code.rs", "SL0002"),
        ];
        let complaints = find_untested(&["SL0001", "SL0002"], &files);
        assert_eq!(complaints.len(), 1);
        assert!(complaints[0].text.contains("SL0002"));
    }

    #[test]
    fn a_page_without_a_code_is_noticed() {
        let files = [sample("docs/errors/SL0001.md", ""), sample("docs/errors/README.md", "")];
        assert_eq!(find_unknown_pages(&["SL0002"], &files).len(), 1);
        assert_eq!(find_unknown_pages(&["SL0001"], &files), []);
    }
}
