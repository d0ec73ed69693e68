//! Measures the searches of REMIX again, its tables 5 and 6, on the compositions of `specs/zookeeper`.
//!
//! The searches of one table have the same bounds, those of the composition file. They take from seconds to an hour, so
//! each has `--max-seconds`; one that takes longer has no figures.

use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Serialize;

use super::measure::{self, Usage};
use super::models::Counts;
use super::specline::{self, Specline};
use super::table::{self, group_digits};
use crate::run;

/// How many workers search, as in the published table.
const N_WORKERS: &str = "2";

struct Search {
    name: &'static str,
    composition: &'static str,
    options: &'static [&'static str],
}

const fn search(name: &'static str, composition: &'static str, options: &'static [&'static str]) -> Search {
    Search { name, composition, options }
}

const SEARCHES: [Search; 12] = [
    search("mSpec-1, to the end", "mspec-1", &[]),
    search("mSpec-2, to the first violation", "mspec-2", &[]),
    search("mSpec-2, to the end", "mspec-2", &["--continue"]),
    search("mSpec-3, to the first violation", "mspec-3", &[]),
    search("mSpec-3, to 10,000 violations", "mspec-3", &["--continue=10000"]),
    search("baseline, ten minutes", "baseline", &["--time", "600s"]),
    search("mSpec-4, ten minutes", "mspec-4", &["--time", "600s"]),
    search("PR-1848", "pr-1848", &[]),
    search("PR-1930", "pr-1930", &[]),
    search("PR-1993", "pr-1993", &[]),
    search("PR-2111", "pr-2111", &[]),
    search("PR-2152, to the end", "pr-2152", &[]),
];

#[derive(Debug, Serialize)]
struct Row {
    search: &'static str,
    counts: Counts,
    /// The verdict, as `specline check --format json` calls it.
    verdict: String,
    /// The invariants that were violated, each with how often.
    violated: Vec<(String, u64)>,
    usage: Usage,
}

/// The measurements, a row for each search.
#[derive(Debug, Serialize)]
pub struct Figures {
    rows: Vec<Row>,
    /// Whether every search has a row.
    pub is_complete: bool,
}

/// Measures the searches with `wanted` in their names, one after the other.
pub fn measure(specline: &Specline, wanted: Option<&str>) -> Result<Figures> {
    let is_wanted = |search: &&Search| wanted.is_none_or(|part| search.name.contains(part));
    let searches: Vec<&Search> = SEARCHES.iter().filter(is_wanted).collect();
    if searches.is_empty() {
        bail!("no search of ZooKeeper has `{}` in its name", wanted.unwrap_or_default());
    }
    let mut rows = Vec::new();
    for search in &searches {
        eprintln!("{} ...", search.name);
        match measure_one(specline, search) {
            Ok(row) => rows.push(row),
            Err(error) => eprintln!("{}: NOT MEASURED: {error:#}", search.name),
        }
    }
    Ok(Figures { is_complete: rows.len() == searches.len(), rows })
}

fn measure_one(specline: &Specline, search: &Search) -> Result<Row> {
    let file = run::root().join("specs/zookeeper/zookeeper.toml");
    let mut command = Command::new(&specline.program);
    command.arg("check").arg(format!("{}@{}", file.display(), search.composition));
    command.args(["--workers", N_WORKERS, "--format", "json"]).args(search.options);
    let ended = measure::run(&command, specline.seconds_max())?;
    let answer = specline::answer(&ended.output)
        .with_context(|| format!("specline ended with {}: {}", ended.exit, ended.errors.trim()))?;
    let violated = answer["violated"].as_array().map(Vec::as_slice).unwrap_or_default();
    let violated = violated.iter().map(|one| {
        let name = one["property"].as_str().unwrap_or_default().to_owned();
        (name, one["violations"].as_u64().unwrap_or(1))
    });
    Ok(Row {
        search: search.name,
        counts: specline::counts_of(&answer)?,
        verdict: answer["verdict"].as_str().unwrap_or_default().to_owned(),
        violated: violated.collect(),
        usage: ended.usage,
    })
}

impl Row {
    fn cells(&self) -> Vec<String> {
        let violated = self.violated.iter().map(|(name, n)| format!("{name} {}", group_digits(*n)));
        vec![
            self.search.to_owned(),
            group_digits(self.counts.generated),
            group_digits(self.counts.distinct),
            self.counts.depth.to_string(),
            format!("{:.0}", self.usage.wall_seconds),
            format!("{:.0}", self.usage.cpu_seconds),
            self.verdict.clone(),
            violated.collect::<Vec<String>>().join(", "),
        ]
    }
}

impl Figures {
    /// Formats the table, and the meaning of its columns.
    pub fn lines(&self) -> Vec<String> {
        let head = ["search", "generated", "distinct", "depth", "wall s", "CPU s", "verdict", "violated"];
        let mut lines = table::lines(&head, &self.rows.iter().map(Row::cells).collect::<Vec<_>>());
        lines.push(String::new());
        lines.push(format!(
            "{N_WORKERS} workers. depth: states of the longest behaviour, one more than its steps."
        ));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::SEARCHES;
    use crate::run;

    #[test]
    fn every_search_has_a_composition() {
        let file = run::root().join("specs/zookeeper/zookeeper.toml");
        let text = std::fs::read_to_string(file).unwrap();
        for search in SEARCHES {
            assert!(text.contains(&format!("\n[composition.{}]\n", search.composition)), "{}", search.name);
        }
    }
}
