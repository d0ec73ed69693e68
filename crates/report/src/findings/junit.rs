//! JUnit XML, which most servers that run tests read.

use std::fmt::Write;

use crate::page::escape;

/// A test case: it passed, failed, or was not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    pub name: String,
    pub outcome: Outcome,
    pub millis: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    /// It failed: the kind of failure, a message in one line, and the full text.
    Failed {
        kind: String,
        message: String,
        text: String,
    },
    /// It could not be decided.
    Broken {
        kind: String,
        message: String,
        text: String,
    },
    /// It was not examined, for this reason.
    Skipped(String),
}

/// The file: one suite.
pub fn write(suite: &str, cases: &[Case]) -> String {
    let n = |is_counted: fn(&Outcome) -> bool| cases.iter().filter(|case| is_counted(&case.outcome)).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{}\"",
        cases.len(),
        n(|outcome| matches!(outcome, Outcome::Failed { .. })),
        n(|outcome| matches!(outcome, Outcome::Broken { .. })),
        n(|outcome| matches!(outcome, Outcome::Skipped(_))),
        seconds(cases.iter().map(|case| case.millis).sum()),
    );
    let suite = attribute(suite);
    let cases: String = cases.iter().map(|case| write_case(&suite, case)).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n<testsuite name=\"{suite}\" \
         {counts}>\n{cases}</testsuite>\n</testsuites>\n"
    )
}

fn write_case(suite: &str, case: &Case) -> String {
    let (name, time) = (attribute(&case.name), seconds(case.millis));
    let mut text = format!("<testcase classname=\"{suite}\" name=\"{name}\" time=\"{time}\"");
    let inside = match &case.outcome {
        Outcome::Passed => None,
        Outcome::Failed { kind, message, text } => Some(problem("failure", (kind, message), text)),
        Outcome::Broken { kind, message, text } => Some(problem("error", (kind, message), text)),
        Outcome::Skipped(why) => Some(format!("<skipped message=\"{}\"/>", attribute(why))),
    };
    match inside {
        None => text.push_str("/>\n"),
        Some(inside) => write!(text, ">\n{inside}\n</testcase>\n").expect("a string takes text"),
    }
    text
}

fn problem(element: &str, (kind, message): (&str, &str), text: &str) -> String {
    let (kind, message) = (attribute(kind), attribute(message));
    format!("<{element} type=\"{kind}\" message=\"{message}\">{}</{element}>", escape(text))
}

fn seconds(millis: u64) -> String {
    format!("{}.{:03}", millis / 1000, millis % 1000)
}

/// Escapes a text for an attribute. Line feeds are written as references, or readers would turn them into
/// spaces.
fn attribute(text: &str) -> String {
    escape(text).replace('\n', "&#10;").replace('\t', "&#9;")
}

#[cfg(test)]
mod tests {
    use super::{Case, Outcome, write};

    #[test]
    fn what_is_no_xml_is_escaped_and_all_is_counted() {
        let failed = Outcome::Failed {
            kind: "invariant".to_owned(),
            message: "a < b & \"c\"\n".to_owned(),
            text: "\u{1b}[1m<state>".to_owned(),
        };
        let case = |name: &str, outcome| Case { name: name.to_owned(), outcome, millis: 1234 };
        let cases = [
            case("Inv", failed),
            case("Other", Outcome::Skipped("not decided".to_owned())),
            case("TypeOK", Outcome::Passed),
        ];
        let text = write("A.tla", &cases);
        assert!(
            text.contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\" time=\"3.702\""),
            "{text}"
        );
        assert!(
            text.contains("message=\"a &lt; b &amp; &quot;c&quot;&#10;\">\u{fffd}[1m&lt;state&gt;<"),
            "{text}"
        );
    }
}
