//! Checks Markdown: links lead somewhere, and the map of the architecture stays short.

use super::{Complaint, TrackedFile};

/// The most lines of the map; a longer one is not read.
const ARCHITECTURE_LINES_MAX: usize = 249;

pub(super) fn check(file: &TrackedFile, paths: &[String]) -> Vec<Complaint> {
    if !file.has_extension("md") {
        return Vec::new();
    }
    let mut complaints = dead_links(file, paths);
    complaints.extend(architecture_length(file));
    complaints.extend(without_reader(file));
    complaints
}

/// A page of the book whose first sentence does not say whom it is for.
fn without_reader(file: &TrackedFile) -> Option<Complaint> {
    let is_page = file.path.strip_prefix("docs/").is_some_and(|name| !name.contains('/'));
    let first = file.text.lines().skip(1).find(|line| !line.trim().is_empty());
    let has_reader = first.is_some_and(|line| line.starts_with("For "));
    (is_page && !has_reader)
        .then(|| Complaint::file(&file.path, "does not say whom it is for: begin with `For people who ...`"))
}

fn architecture_length(file: &TrackedFile) -> Option<Complaint> {
    let n_lines = file.text.lines().count();
    let too_long = file.path == "ARCHITECTURE.md" && n_lines > ARCHITECTURE_LINES_MAX;
    too_long.then(|| {
        Complaint::file(&file.path, format!("has {n_lines} lines, {ARCHITECTURE_LINES_MAX} at most"))
    })
}

/// Finds relative links to files that are not in the repository.
fn dead_links(file: &TrackedFile, paths: &[String]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let mut in_fence = false;
    for (at, line) in file.text.lines().enumerate() {
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            in_fence = !in_fence;
        } else if !in_fence {
            let targets = link_targets(line);
            let dead = targets.iter().filter(|target| !leads_somewhere(&file.path, target, paths));
            complaints.extend(dead.map(|target| {
                Complaint::line(&file.path, at, format!("`{target}` is not in the repository"))
            }));
        }
    }
    complaints
}

/// Returns the targets of `[text](target)`, except in code.
fn link_targets(line: &str) -> Vec<String> {
    let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let after_brackets = prose.split("](").skip(1);
    after_brackets
        .filter_map(|rest| rest.split_once(')'))
        .map(|(target, _)| target.trim().to_owned())
        .collect()
}

fn leads_somewhere(from: &str, target: &str, paths: &[String]) -> bool {
    let is_elsewhere = target.contains("://") || target.starts_with("mailto:") || target.starts_with('#');
    let path = target.split(['#', ' ']).next().unwrap_or_default();
    is_elsewhere || resolve(from, path).is_some_and(|path| is_in_repository(&path, paths))
}

/// Resolves `target` relative to the folder of `from`; `None` if it leaves the repository.
fn resolve(from: &str, target: &str) -> Option<String> {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn is_in_repository(path: &str, paths: &[String]) -> bool {
    let as_folder = format!("{path}/");
    path.is_empty() || paths.iter().any(|known| known == path || known.starts_with(&as_folder))
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::{architecture_length, check, dead_links, without_reader};

    fn paths() -> Vec<String> {
        ["README.md", "docs/config.md", "docs/errors/SL0001.md"].map(str::to_owned).to_vec()
    }

    #[test]
    fn a_link_to_a_file_that_is_not_there_is_noticed() {
        let complaints =
            dead_links(&sample("docs/config.md", "fine\n[x](errors/SL0002.md) [y](../README.md)"), &paths());
        assert_eq!(complaints.len(), 1, "{complaints:?}");
        assert_eq!(complaints[0].line, Some(2));
    }

    #[test]
    fn files_folders_anchors_and_addresses_are_fine() {
        let text =
            "[a](docs/config.md#values) [b](docs/errors/) [c](https://example.org/x) [d](#here) [e](./docs)";
        assert_eq!(dead_links(&sample("README.md", text), &paths()), []);
    }

    #[test]
    fn code_holds_no_links() {
        let text = "`[A](x)`\n```\n[B](y)\n```\n";
        assert_eq!(dead_links(&sample("README.md", text), &paths()), []);
    }

    #[test]
    fn a_link_out_of_the_repository_is_noticed() {
        assert_eq!(dead_links(&sample("README.md", "[a](../x.md)"), &paths()).len(), 1);
    }

    #[test]
    fn a_long_map_is_noticed() {
        assert!(architecture_length(&sample("ARCHITECTURE.md", &"x\n".repeat(250))).is_some());
        assert!(architecture_length(&sample("ARCHITECTURE.md", &"x\n".repeat(249))).is_none());
        assert!(architecture_length(&sample("CHANGELOG.md", &"x\n".repeat(250))).is_none());
    }

    #[test]
    fn a_page_that_is_for_nobody_is_noticed() {
        assert!(without_reader(&sample("docs/a.md", "# A\n\nIt is so.\n")).is_some());
        assert!(without_reader(&sample("docs/a.md", "# A\n\nFor people who ask.\n")).is_none());
        assert!(without_reader(&sample("docs/errors/SL0001.md", "# A\n\nIt is so.\n")).is_none());
    }

    #[test]
    fn other_files_are_left_alone() {
        assert_eq!(check(&sample("a.rs", "[a](nowhere)"), &paths()), []);
    }
}
