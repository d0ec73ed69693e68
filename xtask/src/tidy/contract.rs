//! Sections of the contract with TLC that code cites, as in `(contract 3.2)`, are in `docs/tlc-contract.md`.

use super::{Complaint, TrackedFile};

const CONTRACT: &str = "docs/tlc-contract.md";

/// The word before a section's number. Split, so that this file cites nothing.
const CITATION: &str = concat!("contract", " ");

pub(super) fn check(files: &[TrackedFile]) -> Vec<Complaint> {
    let contract = files.iter().find(|file| file.path == CONTRACT);
    let sections: Vec<&str> = contract.map_or_else(Vec::new, |file| sections(&file.text));
    let code = files.iter().filter(|file| file.has_extension("rs"));
    code.flat_map(|file| find_unknown(file, &sections)).collect()
}

/// The numbers of the headings: `5` of `## 5. Simulation`, `3.2` of `### 3.2 What assigns a variable`.
fn sections(text: &str) -> Vec<&str> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.filter_map(|line| number(line.trim_start_matches('#').trim_start())).collect()
}

/// Citations of sections that the contract does not have.
fn find_unknown(file: &TrackedFile, sections: &[&str]) -> Vec<Complaint> {
    let lines = file.text.lines().enumerate();
    let cited = lines.flat_map(|(at, line)| find_cited(line).into_iter().map(move |section| (at, section)));
    cited
        .filter(|(_, section)| !sections.contains(section))
        .map(|(at, section)| Complaint::line(&file.path, at, format!("{CONTRACT} has no section {section}")))
        .collect()
}

/// The sections that a line cites: both of `(contract 3.2 and 3.3)`.
fn find_cited(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for citation in line.split(CITATION).skip(1) {
        let mut rest = citation;
        while let Some(section) = number(rest) {
            found.push(section);
            rest = &rest[section.len()..];
            let more = rest.strip_prefix(", ").or_else(|| rest.strip_prefix(" and "));
            let Some(more) = more else { break };
            rest = more;
        }
    }
    found
}

/// The number at the start of a text, without the full stop that ends a sentence.
fn number(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number = text[..end].trim_end_matches('.');
    number.starts_with(|c: char| c.is_ascii_digit()).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::{CONTRACT, check, find_cited, sections};

    #[test]
    fn headings_have_numbers() {
        assert_eq!(sections("# The contract\n## 5. Walks\n### 3.2 What assigns\ntext 7.1\n"), ["5", "3.2"]);
    }

    #[test]
    fn a_line_may_cite_several_sections() {
        let line = |rest: &str| format!("/// TLC: so it is ({}{rest}", concat!("contract", " "));
        assert_eq!(find_cited(&line("3.2 and 3.3), and")), ["3.2", "3.3"]);
        assert_eq!(find_cited(&line("1.3, EC 2223).")), ["1.3"]);
        assert_eq!(find_cited(&line("2.4, 4.8.")), ["2.4", "4.8"]);
        assert_eq!(find_cited(&line("of the guest)")), [""; 0]);
    }

    #[test]
    fn a_section_that_is_not_there_is_noticed() {
        let code = format!("//! ({}3.2)\n//! ({}3.9)\n", concat!("contract", " "), concat!("contract", " "));
        let files = [sample(CONTRACT, "### 3.2 What assigns\n"), sample("crates/a/src/lib.rs", &code)];
        let complaints = check(&files);
        assert_eq!(complaints.len(), 1, "{complaints:?}");
        assert_eq!(complaints[0].line, Some(2));
        assert_eq!(check(&files[1..]).len(), 2, "without the contract every section is missing");
    }
}
