//! Runs Specline and TLC on a public model in turn, and compares what they find with the list.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::super::better;
use super::super::measure::Usage;
use super::super::models::Counts;
use super::super::report::{Best, Row};
use super::super::specline::Specline;
use super::super::tlc::Tlc;
use super::checkouts::PublicModel;
use super::list::{Found, Verdict};
use super::report::PublicRow;

/// The part of an earlier report that `--reuse-tlc` takes.
#[derive(Deserialize)]
pub struct EarlierTlc {
    tlc_start_cpu_seconds: Option<f64>,
    models: Vec<EarlierRow>,
}

#[derive(Deserialize)]
struct EarlierRow {
    model: String,
    counts: Counts,
    tlc: Option<Usage>,
}

impl EarlierTlc {
    pub fn read(path: &Path) -> Result<EarlierTlc> {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("`{}` is not such a report", path.display()))
    }

    /// Returns TLC's usage on a model; `None` if the earlier run was without it, or of a model with other counts.
    fn usage(&self, model: &PublicModel) -> Option<Usage> {
        let row = self.models.iter().find(|row| row.model == model.model.name)?;
        let is_same = model.expected.counts().is_none_or(|counts| counts == row.counts);
        row.tlc.filter(|_| is_same)
    }
}

/// The programs that are run.
pub struct Programs<'p> {
    specline: &'p Specline,
    tlc: Option<&'p Tlc>,
    earlier: Option<&'p EarlierTlc>,
    tlc_start: Option<f64>,
}

impl<'p> Programs<'p> {
    pub fn new(
        specline: &'p Specline,
        tlc: Option<&'p Tlc>,
        earlier: Option<&'p EarlierTlc>,
    ) -> Result<Programs<'p>> {
        let tlc_start = match (tlc, earlier) {
            (_, Some(earlier)) => earlier.tlc_start_cpu_seconds,
            (Some(tlc), None) => Some(tlc.start()?),
            (None, None) => None,
        };
        Ok(Programs { specline, tlc, earlier, tlc_start })
    }

    pub fn tlc_start(&self) -> Option<f64> {
        self.tlc_start
    }

    /// Runs the programs in turn, `n_runs` times; the least CPU time counts.
    pub fn measure(&self, model: &PublicModel, n_runs: u32) -> Result<PublicRow> {
        let start_bytes = self.specline.start_bytes(&model.model)?;
        let reused = self.earlier.and_then(|earlier| earlier.usage(model));
        let (mut ours, found) = self.run_specline(model)?;
        let mut theirs = self.opt_run_tlc(model, reused)?;
        for _ in 1..n_runs {
            ours = better(ours, self.run_specline(model)?.0);
            theirs = theirs.zip(self.opt_run_tlc(model, reused)?).map(|(one, other)| better(one, other));
        }
        let best = Best { specline: ours, start_bytes, tlc: theirs, explorer: None };
        Ok(PublicRow {
            repository: model.repository.clone(),
            verdict: found.verdict,
            tlc_reused: reused.is_some(),
            row: Row::new(&model.model.name, found.counts, &best, self.tlc_start),
        })
    }

    /// Runs Specline with one worker; fails if it finds something else than the list says.
    fn run_specline(&self, model: &PublicModel) -> Result<(Usage, Found)> {
        let (exit, counts, usage) = self.specline.search(1, &model.model)?;
        let Some(verdict) = Verdict::of_exit(exit) else { bail!("specline ended with {exit}") };
        let found = Found { verdict, counts };
        model.expected.compare(&found).context("specline")?;
        Ok((usage, found))
    }

    /// Runs TLC if there is one and its time is not known; fails if it finds something else than the list says.
    fn opt_run_tlc(&self, model: &PublicModel, reused: Option<Usage>) -> Result<Option<Usage>> {
        let (None, Some(tlc)) = (reused, self.tlc) else { return Ok(reused) };
        let (exit, counts, usage) = tlc.search(&model.model)?;
        let Some(verdict) = Verdict::of_exit(exit) else { bail!("TLC ended with {exit}") };
        model.expected.compare(&Found { verdict, counts }).context("TLC")?;
        Ok(Some(usage))
    }
}

#[cfg(test)]
mod tests {
    use super::EarlierTlc;

    #[test]
    fn an_earlier_report_has_more_than_is_taken_from_it() {
        let text = r#"{"commit": "abc", "tlc_start_cpu_seconds": 1.5, "models": [{"model": "zab", "ratio": 3.0,
            "counts": {"generated": 3, "distinct": 2, "depth": 1},
            "tlc": {"cpu_seconds": 20.0, "wall_seconds": 21.0, "peak_bytes": 5, "states_per_cpu_second": 0.1}}]}"#;
        let earlier: EarlierTlc = serde_json::from_str(text).unwrap();
        assert_eq!(earlier.models[0].tlc.unwrap().cpu_seconds, 20.0);
    }
}
