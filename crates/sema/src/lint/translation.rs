//! PlusCal translations that were edited or are out of date (SL0608), found by the checksums that the translator leaves
//! in the `BEGIN TRANSLATION` comment.
//!
//! The checksum of the translation is a CRC-32 of its lines and is checked exactly, as SANY does for warning 4805.
//! LIMIT: the checksum of the algorithm is computed from the translator's own tree, which is not rebuilt here. So an
//! edited algorithm (SANY 4804) is noticed only where the recorded value cannot belong to any algorithm, or when `fair`
//! was added or removed: for `--fair algorithm` the value is fixed.

use diag::{Code, Diagnostic, Diagnostics, SourceFile, SourceId, Span};

use super::is_own;
use crate::spec::Spec;

pub(super) fn lint(spec: &Spec) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    for (id, module) in spec.modules.iter_enumerated() {
        if is_own(spec, id) && module.parent.is_none() {
            let source = module.span.source;
            let file = spec.sources.file(source);
            let first = file.line_index(module.span.start);
            let last = file.line_index(module.span.end);
            if let Some(diagnostic) = check(source, file, first..last + 1) {
                diagnostics.push(diagnostic);
            }
        }
    }
    diagnostics
}

fn check(source: SourceId, file: &SourceFile, lines: std::ops::Range<usize>) -> Option<Diagnostic> {
    let text = |index: usize| &file.text()[file.line_range(index)];
    let begin = lines.clone().find(|&line| has_pair(text(line), "BEGIN"))?;
    let end = (begin + 1..lines.end).find(|&line| has_pair(text(line), "END"))?;
    let recorded = Checksums::parse(text(begin))?;
    let algorithm = lines.clone().map(text).find_map(Algorithm::parse)?;
    let place = Span::new(source, file.line_range(begin));
    if recorded.translation.is_some_and(|recorded| recorded != crc32((begin + 1..end).map(text))) {
        let headline = "the translation was edited after it was made from the PlusCal algorithm";
        let diagnostic = Diagnostic::new(Code::StaleTranslation, place, headline)
            .label("its checksum is not the one recorded here")
            .help("translate again; if the edit is wanted, remove the checksums");
        return Some(diagnostic);
    }
    let fair = crc32(std::iter::once("fair"));
    let is_stale = recorded.algorithm.is_some_and(|recorded| match algorithm {
        Algorithm::Fair => recorded != fair,
        Algorithm::Plain => recorded == fair || !is_checksum(recorded),
    });
    is_stale.then(|| {
        let headline = "the PlusCal algorithm was edited after the translation was made";
        Diagnostic::new(Code::StaleTranslation, place, headline)
            .label("its checksum is not the one recorded here")
            .help("translate again")
    })
}

#[derive(Clone, Copy)]
enum Algorithm {
    Plain,
    /// `--fair algorithm`
    Fair,
}

impl Algorithm {
    /// Returns the kind of algorithm that the line begins, if it begins one.
    fn parse(line: &str) -> Option<Algorithm> {
        match (line.contains("--algorithm"), line.contains("--fair")) {
            (true, _) => Some(Algorithm::Plain),
            (false, true) => Some(Algorithm::Fair),
            (false, false) => None,
        }
    }
}

/// Whether the line has `word TRANSLATION` with nothing but spaces between; a tab counts as spaces.
fn has_pair(line: &str, word: &str) -> bool {
    let Some((_, after)) = line.split_once(word) else { return false };
    after.trim_start_matches([' ', '\t']).starts_with("TRANSLATION")
}

/// The checksums that `\* BEGIN TRANSLATION (chksum(pcal) = "..." /\ chksum(tla) = "...")` records. A sum that is to be
/// ignored is written `\in STRING`.
struct Checksums<'t> {
    algorithm: Option<&'t str>,
    translation: Option<&'t str>,
}

impl<'t> Checksums<'t> {
    fn parse(line: &'t str) -> Option<Self> {
        let (_, rest) = line.split_once("\\* BEGIN TRANSLATION")?;
        let mut rest = Scanner(rest);
        rest.token("(")?;
        let algorithm = rest.checksum(&["pcal", "pluscal"])?;
        rest.token("/\\")?;
        let translation = rest.checksum(&["tla", "tla+"])?;
        rest.token(")")?;
        Some(Checksums { algorithm, translation })
    }
}

/// The rest of a line.
struct Scanner<'t>(&'t str);

impl<'t> Scanner<'t> {
    fn token(&mut self, token: &str) -> Option<()> {
        self.0 = self.0.trim_start().strip_prefix(token)?;
        Some(())
    }

    /// Reads `chksum(of) = "1f"` or `chksum(of) \in STRING`. The inner `None` stands for the latter.
    fn checksum(&mut self, of: &[&str]) -> Option<Option<&'t str>> {
        let (head, rest) = self.0.trim_start().split_once(')')?;
        let (word, argument) = head.split_once('(')?;
        let (word, argument) = (word.to_ascii_lowercase(), argument.to_ascii_lowercase());
        if !["chksum", "checksum"].contains(&word.as_str()) || !of.contains(&argument.as_str()) {
            return None;
        }
        self.0 = rest;
        if self.token("\\in").is_some() {
            self.token("STRING")?;
            return Some(None);
        }
        self.token("=")?;
        self.token("\"")?;
        let (digits, rest) = self.0.split_once('"')?;
        self.0 = rest;
        digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(Some(digits))
    }
}

/// Whether the translator could have written these digits: lower case, no leading zeros.
fn is_checksum(digits: &str) -> bool {
    u32::from_str_radix(digits, 16).is_ok_and(|value| format!("{value:x}") == digits)
}

/// Returns the CRC-32 of the lines without their ends, in hexadecimal.
fn crc32<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    let mut hasher = crc32fast::Hasher::new();
    lines.for_each(|line| hasher.update(line.as_bytes()));
    format!("{:x}", hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::{Checksums, crc32};

    #[test]
    fn crc_is_that_of_zip() {
        assert_eq!(crc32(["1234", "56789"].into_iter()), "cbf43926");
        assert_eq!(crc32(std::iter::once("fair")), "7c28162a");
    }

    #[test]
    fn checksums_are_read_as_the_translator_writes_them() {
        let check = |line: &str, expected: Option<(Option<&str>, Option<&str>)>| {
            let found = Checksums::parse(line).map(|sums| (sums.algorithm, sums.translation));
            assert_eq!(found, expected, "{line}");
        };
        let line = "\\* BEGIN TRANSLATION (chksum(pcal) = \"1f\" /\\ chksum(tla) = \"2e\")";
        check(line, Some((Some("1f"), Some("2e"))));
        let line = "\\* BEGIN TRANSLATION (chksum(pcal) \\in STRING /\\ chksum(tla) \\in STRING)";
        check(line, Some((None, None)));
        let line = "\\* BEGIN TRANSLATION  ( checksum(PlusCal) = \"1f\" /\\ Chksum(TLA+) \\in STRING )";
        check(line, Some((Some("1f"), None)));
        check("\\* BEGIN TRANSLATION", None);
        check("\\* BEGIN TRANSLATION (this begins the translation)", None);
    }
}
