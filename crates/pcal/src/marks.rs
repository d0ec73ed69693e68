//! Where in a module the algorithm stands, and where its translation.

use diag::Code;
use regex::Regex;

use crate::problem::Problem;
use crate::source::{Spot, Text};

/// An algorithm in a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AlgorithmPlace {
    /// Where the words `--algorithm` or `--fair` begin.
    pub begin: Spot,
    /// Where its name is expected.
    pub name: Spot,
    pub is_fair: bool,
}

/// The lines `BEGIN TRANSLATION` and `END TRANSLATION`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Marks {
    pub begin: usize,
    pub end: usize,
}

/// Checksums behind `BEGIN TRANSLATION`; `None` stands for "any".
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checksums {
    pub algorithm: Option<String>,
    pub translation: Option<String>,
}

const BEGIN: (&str, &str) = ("BEGIN", "TRANSLATION");
const END: (&str, &str) = ("END", "TRANSLATION");

/// Finds the algorithm. Lines of a translation are passed over.
pub fn find_algorithm(text: &Text, marks: Option<Marks>) -> Result<Option<AlgorithmPlace>, Problem> {
    let is_inside = |line: usize| marks.is_some_and(|marks| (marks.begin + 1..marks.end).contains(&line));
    for line in (0..text.n_lines()).filter(|line| !is_inside(*line)) {
        let find = |word: &str| {
            let at = text.find(Spot { line, column: 0 }, word)?;
            (at.line == line).then_some(at)
        };
        if let Some(begin) = find("--algorithm") {
            let name = Spot { column: begin.column + "--algorithm".len(), ..begin };
            return Ok(Some(AlgorithmPlace { begin, name, is_fair: false }));
        }
        if let Some(begin) = find("--fair") {
            let word = text.skip_spaces(Spot { column: begin.column + "--fair".len(), ..begin });
            if !text.starts_with(word, "algorithm") {
                let headline = "`--fair` is not followed by `algorithm`";
                return Err(Problem::new(Code::PcalSyntax, begin, headline).wide("--fair".len()));
            }
            let name = Spot { column: word.column + "algorithm".len(), ..word };
            return Ok(Some(AlgorithmPlace { begin, name, is_fair: true }));
        }
    }
    Ok(None)
}

/// Finds the translation.
pub fn find_marks(text: &Text) -> Result<Option<Marks>, Problem> {
    let Some(begin) = find_line(text, 0, BEGIN) else { return Ok(None) };
    let Some(end) = find_line(text, begin + 1, END) else {
        let headline = "`BEGIN TRANSLATION` without `END TRANSLATION`";
        let at = text.skip_spaces(Spot { line: begin, column: 0 });
        return Err(Problem::new(Code::PcalMarks, at, headline)
            .wide(text.line_len(begin))
            .help("add the line `\\* END TRANSLATION` behind the translation, or remove this one"));
    };
    Ok(Some(Marks { begin, end }))
}

/// The first line from `from` on with these two words next to each other.
fn find_line(text: &Text, from: usize, (first, second): (&str, &str)) -> Option<usize> {
    (from..text.n_lines()).find(|&line| {
        let line = text.line_text(line);
        line.split_once(first).is_some_and(|(_, rest)| rest.trim_start_matches(' ').starts_with(second))
    })
}

/// Where the comment ends in which the algorithm stands: the line behind which a translation belongs.
pub fn end_of_comment(text: &Text, from: Spot) -> Result<usize, Problem> {
    let mut depth = 1;
    let mut at = from;
    while at.line < text.n_lines() {
        if text.starts_with(at, "(*") {
            depth += 1;
            at.column += 2;
        } else if text.starts_with(at, "*)") {
            depth -= 1;
            at.column += 2;
            if depth == 0 {
                return check_rest(text, at);
            }
        } else if at.column < text.line_len(at.line) {
            at.column += 1;
        } else {
            at = Spot { line: at.line + 1, column: 0 };
        }
    }
    let headline = "the comment in which the algorithm stands is not closed";
    Err(Problem::new(Code::PcalMarks, from, headline).help("add `*)`"))
}

/// Behind the comment nothing may stand but another comment.
fn check_rest(text: &Text, at: Spot) -> Result<usize, Problem> {
    let line = text.line_text(at.line);
    let rest: String = line.chars().skip(at.column).collect();
    let rest = rest.trim();
    if rest.is_empty() || rest.starts_with("\\*") {
        return Ok(at.line);
    }
    let headline = "text behind the comment in which the algorithm stands";
    Err(Problem::new(Code::PcalMarks, text.skip_spaces(at), headline)
        .wide(rest.chars().count())
        .help("move it to the next line: the translation is put behind this one"))
}

/// The checksums of a line `BEGIN TRANSLATION`, if it has any.
pub fn checksums(line: &str) -> Option<Checksums> {
    let captures = pattern().captures(line)?;
    let value = |name: &str| captures.name(name).map(|found| found.as_str().to_owned());
    Some(Checksums { algorithm: value("pcal"), translation: value("tla") })
}

/// The line with other checksums, in the place of those that it has.
pub fn with_checksums(line: &str, algorithm: &str, translation: &str) -> String {
    let Some(captures) = pattern().captures(line) else { return line.to_owned() };
    let mut line = line.to_owned();
    // From the right, so that places to the left stay where they are.
    for (name, value) in [("tla", translation), ("pcal", algorithm)] {
        if let Some(found) = captures.name(name) {
            line.replace_range(found.range(), value);
        }
    }
    line
}

/// The line that a module without a translation gets.
pub fn new_begin(algorithm: &str, translation: &str) -> String {
    format!("\\* BEGIN TRANSLATION (chksum(pcal) = \"{algorithm}\" /\\ chksum(tla) = \"{translation}\")")
}

/// The end of a new translation.
pub const NEW_END: &str = "\\* END TRANSLATION ";

fn pattern() -> Regex {
    let value = |name: &str| format!(r#"(=\s*"(?<{name}>[0-9A-Fa-f]*)"|\\in\s*STRING)"#);
    let (pcal, tla) = (value("pcal"), value("tla"));
    let name = |name: &str| format!(r"(?i:ch(?:ec)?ksum\({name}\))");
    let (pcal_name, tla_name) = (name("p(?:lus)?cal"), name(r"tla\+?"));
    let whole =
        format!(r"\\\* BEGIN TRANSLATION\s+\(\s*{pcal_name}\s*{pcal}\s*/\\\s*{tla_name}\s*{tla}\s*\)");
    Regex::new(&whole).expect("the pattern is one")
}

#[cfg(test)]
mod tests {
    use super::{checksums, with_checksums};

    #[test]
    fn checksums_are_read_and_replaced() {
        let line = "\\* BEGIN TRANSLATION (chksum(pcal) = \"1f\" /\\ chksum(tla) = \"2e\") more";
        let found = checksums(line).expect("they are there");
        assert_eq!((found.algorithm.as_deref(), found.translation.as_deref()), (Some("1f"), Some("2e")));
        let new = "\\* BEGIN TRANSLATION (chksum(pcal) = \"abc\" /\\ chksum(tla) = \"d\") more";
        assert_eq!(with_checksums(line, "abc", "d"), new);
        let any = "\\* BEGIN TRANSLATION (chksum(pcal) \\in STRING /\\ chksum(tla) \\in STRING)";
        let found = checksums(any).expect("they are there");
        assert_eq!((found.algorithm, found.translation), (None, None));
        assert_eq!(checksums("\\* BEGIN TRANSLATION"), None);
    }
}
