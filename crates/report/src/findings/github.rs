//! Annotations of GitHub Actions: one line each, which the runner takes out of what a program writes.

use std::fmt::Write;

use crate::findings::{Finding, Level};

/// Returns an annotation for each finding, each with its line feed.
pub fn annotations(findings: &[Finding]) -> String {
    findings.iter().map(annotation).collect()
}

fn annotation(finding: &Finding) -> String {
    let command = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
    };
    let mut line = format!("::{command} title={}", property(&format!("{} {}", finding.rule, finding.name)));
    if let Some(place) = &finding.place {
        let (start, end) = (place.start, place.end);
        let file = property(&place.file);
        write!(line, ",file={file},line={},endLine={}", start.line, end.line).expect("a string takes text");
        // Columns are for places in one line.
        if start.line == end.line {
            write!(line, ",col={},endColumn={}", start.column, end.column).expect("a string takes text");
        }
    }
    format!("{line}::{}\n", data(&finding.message))
}

fn data(text: &str) -> String {
    let plain = |c: char| if c.is_control() && c != '\n' { char::REPLACEMENT_CHARACTER } else { c };
    let text: String = text.chars().map(plain).collect();
    text.replace('%', "%25").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::annotations;
    use crate::findings::{Finding, FindingPlace, Level, Point};

    #[test]
    fn an_annotation_is_one_line_whatever_is_in_it() {
        let place = FindingPlace {
            file: "a,b.tla".to_owned(),
            start: Point { line: 3, column: 5 },
            end: Point { line: 3, column: 9 },
        };
        let finding = Finding {
            rule: "SL0301".to_owned(),
            name: "unknown-name".to_owned(),
            level: Level::Warning,
            message: "100 %\nof: it".to_owned(),
            place: Some(place),
            related: Vec::new(),
        };
        assert_eq!(
            annotations(&[finding]),
            "::warning title=SL0301 unknown-name,file=a%2Cb.tla,line=3,endLine=3,col=5,endColumn=9::100 %25%0Aof: it\n"
        );
    }
}
