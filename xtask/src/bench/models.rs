//! The models that are measured: those of `suite/large`, with the counts that TLC recorded.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::diff_tlc::case::{self, Case};
use crate::diff_tlc::expect::{Expectation, Outcome, Verdict};
use crate::run;

const FOLDER: &str = "suite/large";

pub struct Model {
    pub name: String,
    pub case: Case,
    pub expected: Counts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub generated: u64,
    pub distinct: u64,
    pub depth: u64,
}

/// The models with `substring` in their names, in whatever case.
pub fn find(substring: Option<&str>) -> Result<Vec<Model>> {
    let wanted = substring.unwrap_or("").to_lowercase();
    let mut models = Vec::new();
    for case in case::find(&[run::root().join(FOLDER)])? {
        let name = case.config().file_stem().context("a case has a name")?.to_string_lossy().into_owned();
        if name.to_lowercase().contains(&wanted) {
            let expected = recorded(&case).with_context(|| format!("cannot use `{}`", case.name()))?;
            models.push(Model { name, case, expected });
        }
    }
    if models.is_empty() {
        bail!("no model of {FOLDER} has `{wanted}` in its name");
    }
    Ok(models)
}

fn recorded(case: &Case) -> Result<Counts> {
    let text = std::fs::read_to_string(case.config().with_extension("expect")).context("it has no record")?;
    let expectation: Expectation = toml::from_str(&text).context("cannot read its record")?;
    if expectation.outcome.verdict != Verdict::Ok {
        bail!("the counts of a search that did not finish are not to be compared");
    }
    Counts::of(&expectation.outcome).context("its record has no counts")
}

impl Counts {
    pub fn of(outcome: &Outcome) -> Option<Counts> {
        Some(Counts { generated: outcome.generated?, distinct: outcome.distinct?, depth: outcome.depth? })
    }
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn every_large_model_has_counts_to_compare() {
        let models = find(None).unwrap();
        let n_large = models.iter().filter(|model| model.expected.distinct >= 200_000).count();
        assert!(n_large >= 8, "{n_large}");
    }

    #[test]
    fn models_are_chosen_by_a_part_of_their_names() {
        assert!(find(Some("raft")).unwrap().iter().all(|model| model.name.starts_with("RaftLog")));
        assert!(find(Some("no such model")).is_err());
    }
}
