//! Finds a configuration inside a module file: `---- CONFIG Name ----` to `====`.

use std::ops::Range;

/// Returns the bytes between the header of section `name` and its end, without both lines. A section without an end
/// goes to the end of the text.
///
/// TLC: the first header with that name counts, and the section ends at the first line that starts with `====`
/// (contract 1.1).
pub fn find_section(text: &str, name: &str) -> Option<Range<usize>> {
    let mut start = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let next = at + line.len();
        match start {
            None if is_header(line, name) => start = Some(next),
            Some(start) if line.starts_with("====") => return Some(start..at),
            None | Some(_) => {}
        }
        at = next;
    }
    start.map(|start| start..text.len())
}

/// Returns the names of all sections in a module file.
pub fn section_names(text: &str) -> Vec<&str> {
    text.lines().filter_map(header).collect()
}

fn is_header(line: &str, name: &str) -> bool {
    header(line) == Some(name)
}

/// Returns the name in a header: four dashes or more, `CONFIG`, the name, four dashes or more.
fn header(line: &str) -> Option<&str> {
    let dashes = |part: &str| part.len() >= 4 && part.bytes().all(|byte| byte == b'-');
    let line = line.trim_end();
    let title = line.trim_matches('-').trim();
    let before = line.len() - line.trim_start_matches('-').len();
    let after = line.len() - line.trim_end_matches('-').len();
    let rest = title.strip_prefix("CONFIG")?;
    let is_header = rest.starts_with(|first: char| first.is_whitespace())
        && dashes(&line[..before])
        && dashes(&line[line.len() - after..]);
    is_header.then(|| rest.trim_start())
}

#[cfg(test)]
mod tests {
    use super::{find_section, section_names};

    fn check(text: &str, name: &str, expected: Option<&str>) {
        assert_eq!(find_section(text, name).map(|range| &text[range]), expected);
    }

    const TWO: &str =
        "---- MODULE M ----\n====\n---- CONFIG M ----\nINIT A\n=====\n----CONFIG N----\r\nINIT B\r\n";

    #[test]
    fn the_section_of_that_name_is_found_among_several() {
        check(TWO, "M", Some("INIT A\n"));
        check(TWO, "N", Some("INIT B\r\n"));
        check(TWO, "O", None);
        assert_eq!(section_names(TWO), ["M", "N"]);
    }

    #[test]
    fn a_header_needs_dashes_on_both_sides_at_the_start_of_its_line() {
        check("--- CONFIG M ----\nINIT A\n====", "M", None);
        check("---- CONFIG M\nINIT A\n====", "M", None);
        check(" ---- CONFIG M ----\nINIT A\n====", "M", None);
        check("---- CONFIGM ----\nINIT A\n====", "M", None);
        check("---- CONFIG M ----", "M", Some(""));
        check("--------", "M", None);
        check("", "M", None);
    }
}
