//! Evaluates many constant expressions in one run of each tool.
//!
//! Each expression is an assumption that prints a mark and then the value. `AssertError` keeps an error from ending the
//! run: then nothing follows the mark.

use anyhow::Result;

use super::term::Text;
use super::tools::{Heat, ModulePlace, Tools};
use crate::diff_tlc::messages::{Printed, Severity};
use crate::diff_tlc::warm::Ending;

/// The result of one tool for an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// The lines that were printed.
    Value(Vec<String>),
    /// There is no value; the reason is known if the expression was alone.
    Nothing(String),
    /// It took too long.
    Late,
}

/// The tool to ask.
#[derive(Clone, Copy)]
pub enum Tool {
    Tlc(Heat),
    Specline,
}

/// Returns the body of a module that prints these expressions. A single expression may end the run, and so shows why it
/// has no value.
pub fn body(expressions: &[String]) -> Text {
    let assumption = |(at, text): (usize, &String)| match expressions.len() {
        1 => format!("ASSUME PrintT(\"#{at}\") /\\ PrintT({text})\n"),
        _ => format!("ASSUME PrintT(\"#{at}\") /\\ AssertError(\"no\", PrintT({text})) \\in BOOLEAN\n"),
    };
    Text { module: expressions.iter().enumerate().map(assumption).collect(), config: String::new() }
}

/// Evaluates each expression with the tool. An expression that still ends the run is removed, and the rest is run
/// again.
pub fn evaluate(tools: &mut Tools, tool: Tool, expressions: &[String]) -> Result<Vec<Evaluation>> {
    let mut given = Vec::new();
    while given.len() < expressions.len() {
        let left = &expressions[given.len()..];
        let ran = run(tools, tool, left)?;
        let mut values = split(&ran.output);
        if ran.is_complete && values.len() == left.len() {
            given.extend(values);
            break;
        }
        match values.pop() {
            Some(_) => {
                given.extend(values);
                given.push(if ran.is_late { Evaluation::Late } else { Evaluation::Nothing(ran.why) });
            }
            // Not even the first was reached: the module is refused, or the tool delays its output to the end.
            None if left.len() == 1 && ran.is_late => given.push(Evaluation::Late),
            None if left.len() == 1 => given.push(Evaluation::Nothing(ran.why)),
            None => {
                let (first, rest) = left.split_at(left.len() / 2);
                given.extend(evaluate(tools, tool, first)?);
                given.extend(evaluate(tools, tool, rest)?);
            }
        }
    }
    Ok(given)
}

/// The output, and whether the run reached its end.
struct BatchRun {
    output: Vec<String>,
    is_complete: bool,
    is_late: bool,
    /// The first error.
    why: String,
}

fn run(tools: &mut Tools, tool: Tool, expressions: &[String]) -> Result<BatchRun> {
    let place = ModulePlace::new(&body(expressions))?;
    let lines = |printed: &[Printed]| -> Vec<String> {
        let line = |printed: &Printed| match printed {
            Printed::Line(line) => Some(line.clone()),
            Printed::Message(_) => None,
        };
        printed.iter().filter_map(line).collect()
    };
    Ok(match tool {
        Tool::Tlc(heat) => match tools.tlc(&place, heat)? {
            Ending::Ended(run) => BatchRun {
                output: lines(&run.messages),
                is_complete: run.exit == 0,
                is_late: false,
                why: first_error(&run.messages),
            },
            Ending::GivenUp(printed) => {
                BatchRun { output: lines(&printed), is_complete: false, is_late: true, why: String::new() }
            }
        },
        Tool::Specline => match tools.specline(&place, &["--workers", "1"])? {
            Some(answer) => BatchRun {
                output: answer.output,
                is_complete: answer.exit == 0,
                is_late: false,
                why: answer.headline.unwrap_or_default(),
            },
            None => BatchRun { output: Vec::new(), is_complete: false, is_late: true, why: String::new() },
        },
    })
}

/// Returns the first error of TLC.
fn first_error(printed: &[Printed]) -> String {
    let error = printed.iter().find_map(|printed| match printed {
        Printed::Message(message) if message.severity == Severity::Error => Some(message.text.clone()),
        Printed::Message(_) | Printed::Line(_) => None,
    });
    error.unwrap_or_default()
}

/// Returns the lines after each mark.
fn split(output: &[String]) -> Vec<Evaluation> {
    let mut found: Vec<Evaluation> = Vec::new();
    for line in output {
        let is_mark =
            line.strip_prefix("\"#").is_some_and(|rest| rest.trim_end_matches('"').parse::<u32>().is_ok());
        match (is_mark, found.last_mut()) {
            (true, _) => found.push(Evaluation::Nothing(String::new())),
            (false, Some(Evaluation::Value(lines))) => lines.push(line.clone()),
            (false, Some(last)) => *last = Evaluation::Value(vec![line.clone()]),
            // Messages of the parser come before the first mark.
            (false, None) => {}
        }
    }
    for given in &mut found {
        if let Evaluation::Value(lines) = given {
            while lines.last().is_some_and(String::is_empty) {
                lines.pop();
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Evaluation, split};

    #[test]
    fn values_follow_their_marks() {
        let output = ["Parsing", "\"#0\"", "{1,", " 2}", "\"#1\"", "\"#2\"", "3", ""].map(str::to_owned);
        let value = |lines: &[&str]| Evaluation::Value(lines.iter().map(|&line| line.to_owned()).collect());
        assert_eq!(
            split(&output),
            [value(&["{1,", " 2}"]), Evaluation::Nothing(String::new()), value(&["3"])]
        );
    }
}
