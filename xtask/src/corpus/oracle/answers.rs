//! Keeps the answers of TLC in a file: lines of a model's name, the exit code and three counts, separated by tabs.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::OracleModel;
use super::execute::{Answer, Ending};

/// The answers in a file; without a file, those of this run.
#[derive(Debug, Default)]
pub struct Answers {
    file: Option<PathBuf>,
    by_name: BTreeMap<String, Answer>,
}

impl Answers {
    pub fn open(file: Option<&Path>) -> Result<Answers> {
        let Some(path) = file else { return Ok(Answers::default()) };
        let text = match path.exists() {
            true => {
                std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?
            }
            false => String::new(),
        };
        let by_name = parse(&text).with_context(|| format!("in `{}`", path.display()))?;
        Ok(Answers { file: Some(path.to_path_buf()), by_name })
    }

    pub fn of(&self, model: &OracleModel) -> Option<Answer> {
        self.by_name.get(&model.name).copied()
    }

    /// Saves an answer at once, so that a later failure does not lose it.
    pub fn keep(&mut self, model: &OracleModel, answer: Answer) -> Result<()> {
        self.by_name.insert(model.name.clone(), answer);
        let Some(path) = &self.file else { return Ok(()) };
        let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
        let mut file = file.with_context(|| format!("cannot write `{}`", path.display()))?;
        writeln!(file, "{}\t{}", model.name, fields(answer)).context("cannot write an answer")
    }
}

fn fields(answer: Answer) -> String {
    let Answer::Ended(Ending { exit, generated, distinct, depth }) = answer else {
        return "slow".to_owned();
    };
    let count = |count: Option<u64>| count.map_or("-".to_owned(), |count| count.to_string());
    format!("{exit}\t{}\t{}\t{}", count(generated), count(distinct), count(depth))
}

fn parse(text: &str) -> Result<BTreeMap<String, Answer>> {
    let mut by_name = BTreeMap::new();
    for (at, line) in text.lines().enumerate() {
        let mut fields = line.split('\t');
        let name = fields.next().unwrap_or_default();
        let answer = answer(&fields.collect::<Vec<_>>());
        let answer = answer.with_context(|| format!("line {}: expected a name and an answer", at + 1))?;
        by_name.insert(name.to_owned(), answer);
    }
    Ok(by_name)
}

fn answer(fields: &[&str]) -> Option<Answer> {
    let count = |field: &str| match field {
        "-" => Some(None),
        _ => field.parse().ok().map(Some),
    };
    match fields {
        ["slow"] => Some(Answer::TooSlow),
        [exit, generated, distinct, depth] => Some(Answer::Ended(Ending {
            exit: exit.parse().ok()?,
            generated: count(generated)?,
            distinct: count(distinct)?,
            depth: count(depth)?,
        })),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{fields, parse};
    use crate::corpus::oracle::execute::{Answer, Ending};

    #[test]
    fn what_is_kept_is_read_again() {
        let ended = Ending { exit: 12, generated: Some(5), distinct: Some(3), depth: None };
        for answer in [Answer::Ended(ended), Answer::TooSlow] {
            let read = parse(&format!("a/B.cfg -deadlock\t{}\n", fields(answer))).unwrap();
            assert_eq!(read.get("a/B.cfg -deadlock"), Some(&answer));
        }
    }

    #[test]
    fn a_damaged_line_is_told() {
        assert!(parse("A.cfg\t12\t5\n").is_err());
    }
}
