//! The models that are measured: those of `bench/models`, of `suite/large` or of `bench/live`, with the counts that TLC
//! recorded.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::diff_tlc::case::{self, Case};
use crate::diff_tlc::expect::{Expectation, Outcome, Verdict};
use crate::run;

/// A set of models.
#[derive(Clone, Copy)]
pub enum Set {
    /// Models that take TLC 20 s and more.
    Bench,
    /// The large models of the suite, which are more and smaller.
    Large,
    /// Models with temporal properties.
    Live,
}

impl Set {
    fn folder(self) -> &'static str {
        match self {
            Set::Bench => "bench/models",
            Set::Large => "suite/large",
            Set::Live => "bench/live",
        }
    }
}

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

/// Returns the models of a set with `substring` in their names, in any case.
pub fn find(set: Set, substring: Option<&str>) -> Result<Vec<Model>> {
    let wanted = substring.unwrap_or("").to_lowercase();
    let mut models = Vec::new();
    for case in case::find(&[run::root().join(set.folder())])? {
        let model = Model::new(case)?;
        if model.name.to_lowercase().contains(&wanted) {
            models.push(model);
        }
    }
    if models.is_empty() {
        bail!("no model of {} has `{wanted}` in its name", set.folder());
    }
    Ok(models)
}

/// Returns a model that is measured for one figure only: `bench/small/NAME.cfg`.
pub fn small(name: &str) -> Result<Model> {
    let cases = case::find(&[run::root().join("bench/small").join(name)])?;
    Model::new(cases.into_iter().next().context("the case is there")?)
}

impl Model {
    fn new(case: Case) -> Result<Model> {
        let name = case.config().file_stem().context("a case has a name")?.to_string_lossy().into_owned();
        let expected = read_recorded(&case).with_context(|| format!("cannot use `{}`", case.name()))?;
        Ok(Model { name, case, expected })
    }
}

fn read_recorded(case: &Case) -> Result<Counts> {
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
    use super::{Set, find, small};

    #[test]
    fn every_large_model_has_counts_to_compare() {
        let models = find(Set::Large, None).unwrap();
        let n_large = models.iter().filter(|model| model.expected.distinct >= 200_000).count();
        assert!(n_large >= 8, "{n_large}");
    }

    #[test]
    fn every_model_of_the_bench_has_counts_to_compare() {
        let models = find(Set::Bench, None).unwrap();
        assert!(models.len() >= 6, "{}", models.len());
        assert_eq!(small("TenStates").unwrap().expected.distinct, 10);
    }

    #[test]
    fn models_are_chosen_by_a_part_of_their_names() {
        assert!(
            find(Set::Large, Some("raft")).unwrap().iter().all(|model| model.name.starts_with("RaftLog"))
        );
        assert!(find(Set::Bench, Some("no such model")).is_err());
    }
}
