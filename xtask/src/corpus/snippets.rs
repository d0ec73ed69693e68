//! Files of many small texts with a header each, as parsers' corpora have them:
//!
//! ```text
//! ====|||
//! A title
//! :error
//! ====|||
//! the text
//! ----|||
//! the expected tree, which is ignored
//! ```

use super::Expected;

/// One text of such a file.
#[derive(Debug, PartialEq, Eq)]
pub struct Snippet {
    pub title: String,
    pub text: String,
    pub expected: Expected,
}

/// Whether a file is of this kind.
pub fn is_snippet_file(text: &str) -> bool {
    text.lines().any(is_bar)
}

fn is_bar(line: &str) -> bool {
    line.strip_suffix("|||").is_some_and(|bar| bar.len() >= 3 && bar.bytes().all(|byte| byte == b'='))
}

fn is_rule(line: &str) -> bool {
    line.strip_suffix("|||").is_some_and(|bar| bar.len() >= 3 && bar.bytes().all(|byte| byte == b'-'))
}

pub fn parse(text: &str) -> Vec<Snippet> {
    let mut snippets = Vec::new();
    let mut lines = text.lines();
    while lines.by_ref().any(is_bar) {
        let header: Vec<&str> = lines.by_ref().take_while(|line| !is_bar(line)).collect();
        let body: Vec<&str> = lines.by_ref().take_while(|line| !is_rule(line)).collect();
        let attributes = || header.iter().filter(|line| line.starts_with(':'));
        let expected = match attributes().any(|line| line.trim() == ":error") {
            true => Expected::Rejected,
            false => Expected::Accepted,
        };
        let title = header.iter().find(|line| !line.starts_with(':') && !line.trim().is_empty());
        let title = title.map_or_else(|| "untitled".to_owned(), |title| title.trim().to_owned());
        snippets.push(Snippet { title, text: body.join("\n"), expected });
    }
    snippets
}

#[cfg(test)]
mod tests {
    use super::{Expected, Snippet, is_snippet_file, parse};

    const TWO: &str = "\
=====|||\nFirst\n=====|||\n---- MODULE A ----\n====\n-----|||\n(tree)\n
=====|||\nSecond\n:error\n=====|||\n---- MODULE B\n-----|||\n";

    #[test]
    fn each_text_comes_with_its_title_and_what_is_expected() {
        let snippet = |title: &str, text: &str, expected| Snippet {
            title: title.to_owned(),
            text: text.to_owned(),
            expected,
        };
        let expected = [
            snippet("First", "---- MODULE A ----\n====", Expected::Accepted),
            snippet("Second", "---- MODULE B", Expected::Rejected),
        ];
        assert_eq!(parse(TWO), expected);
    }

    #[test]
    fn other_texts_are_told_apart() {
        assert!(is_snippet_file(TWO));
        assert!(!is_snippet_file("just notes\n====\n"));
    }
}
