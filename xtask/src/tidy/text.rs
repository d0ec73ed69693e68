//! Checks every text: nothing that is true on one machine only.

use super::{Complaint, TrackedFile};

/// Folders that name a machine or its user. They are split, so that this file passes.
const MACHINE_PATHS: &[&str] = &[
    concat!("/", "work/"),
    concat!("/", "root/"),
    concat!("/", "home/"),
    concat!("/", "Users/"),
    concat!("/", "tmp/"),
    concat!("/", "mnt/"),
];

pub(super) fn check(file: &TrackedFile) -> Vec<Complaint> {
    let lines = file.text.lines().enumerate();
    lines
        .filter_map(|(at, line)| machine_path(line).map(|text| Complaint::line(&file.path, at, text)))
        .collect()
}

fn machine_path(line: &str) -> Option<String> {
    let found = MACHINE_PATHS
        .iter()
        .find(|path| line.match_indices(**path).any(|(at, _)| !continues_a_path(&line[..at])));
    found.map(|path| format!("`{path}` is a place on one machine: use a relative path"))
}

/// Whether a `/` after this text is inside a relative path or an address.
fn continues_a_path(before: &str) -> bool {
    before.ends_with(|last: char| last.is_alphanumeric() || matches!(last, '.' | '_' | '-' | '}' | '*'))
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::check;

    #[test]
    fn a_path_of_one_machine_is_noticed() {
        let text = format!("see\n`{}me/spec.tla`\n", concat!("/", "home/"));
        let complaints = check(&sample("README.md", &text));
        assert_eq!(complaints.len(), 1);
        assert_eq!(complaints[0].line, Some(2));
    }

    #[test]
    fn relative_paths_and_addresses_are_not() {
        assert_eq!(check(&sample("a.md", "specs/work/x.tla, https://example.org/home/index, ../tmp/x")), []);
    }
}
