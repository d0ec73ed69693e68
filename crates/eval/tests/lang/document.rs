//! Reads the questions of documents, and writes the answers into them.

use crate::evaluate::{Answer, Session};

/// A part of a document.
enum Piece {
    /// A line that is kept as it is.
    Line(String),
    Question {
        lines: Vec<String>,
        /// The expression without its answer.
        expr: String,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Prose,
    Definitions,
    Config,
    Questions,
}

const ANSWERS: [&str; 2] = ["\\* = ", "\\* error:"];
const OUTPUT: &str = "\\* prints: ";

/// Returns the document with the current answers.
pub fn answer_all(text: &str) -> String {
    let (pieces, definitions, config) = read(text);
    let exprs: Vec<&str> = pieces
        .iter()
        .filter_map(|piece| match piece {
            Piece::Question { expr, .. } => Some(expr.as_str()),
            Piece::Line(_) => None,
        })
        .collect();
    let mut answers = Session::new(&definitions, &config, &exprs).answers().into_iter();
    let mut out = String::new();
    for piece in &pieces {
        match piece {
            Piece::Line(line) => out.push_str(&format!("{line}\n")),
            Piece::Question { lines, .. } => {
                write(lines, &answers.next().expect("one answer a question"), &mut out)
            }
        }
    }
    out
}

fn read(text: &str) -> (Vec<Piece>, String, String) {
    let mut pieces = Vec::new();
    let (mut definitions, mut config) = (String::new(), String::new());
    let mut block = Block::Prose;
    let mut pending: Vec<String> = Vec::new();
    for line in text.lines() {
        match (block, line.strip_prefix("```")) {
            (Block::Prose, Some(info)) => {
                block = match info {
                    "tla definitions" => Block::Definitions,
                    "tla" => Block::Questions,
                    "cfg" => Block::Config,
                    other => panic!("a block of {other}"),
                };
            }
            (_, Some(_)) => {
                assert!(pending.is_empty(), "no value is given for {pending:?}");
                block = Block::Prose;
            }
            (Block::Prose, None) => {}
            (Block::Definitions, None) => definitions.push_str(&format!("{line}\n")),
            (Block::Config, None) => config.push_str(&format!("{line}\n")),
            (Block::Questions, None) => {
                pieces.extend(question_line(line, &mut pending));
                continue;
            }
        }
        pieces.push(Piece::Line(line.to_owned()));
    }
    (pieces, definitions, config)
}

/// Reads a line of a block of questions, which may end one.
fn question_line(line: &str, pending: &mut Vec<String>) -> Option<Piece> {
    if line.starts_with(OUTPUT) {
        // It is written anew with the answer.
        return None;
    }
    if line.is_empty() && pending.is_empty() {
        return Some(Piece::Line(String::new()));
    }
    let at = ANSWERS.iter().filter_map(|answer| line.find(answer)).min();
    pending.push(line[..at.unwrap_or(line.len())].to_owned());
    at?;
    let lines = std::mem::take(pending);
    let expr = lines.join("\n");
    Some(Piece::Question { lines, expr })
}

fn write(lines: &[String], answer: &Answer, out: &mut String) {
    out.push_str(&lines.join("\n"));
    match &answer.result {
        Ok(value) => out.push_str(&format!("\\* = {value}\n")),
        Err(error) => out.push_str(&format!("\\* error: {}\n", error.replace('\n', " "))),
    }
    for line in &answer.printed {
        out.push_str(&format!("{OUTPUT}{line}\n"));
    }
}
