//! Measures temporal properties: their cost for the search of states, and the whole check beside TLC, by CPU time with
//! one worker.
//!
//! Each model of `bench/live` exists twice: `NAME.cfg` has fairness and a temporal property, `NAME-safety.cfg` is the
//! same without. The program reports when it knows all states and begins with behaviours: the safety part ends there.

use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde_json::Value;

use super::measure::Usage;
use super::models::{Counts, Model};
use super::specline::Specline;
use super::table::{self, group_digits, or_dash};
use super::tlc::Tlc;

/// The suffix of models without temporal properties.
const WITHOUT: &str = "-safety";

/// A model, and the same without temporal properties.
struct Pair<'m> {
    with: &'m Model,
    without: &'m Model,
}

/// A run with temporal properties.
#[derive(Clone, Copy, Debug, Serialize)]
struct LiveRun {
    safety_cpu_seconds: f64,
    n_steps: u64,
    all: Usage,
}

#[derive(Debug, Serialize)]
pub struct Row {
    model: String,
    counts: Counts,
    without: Usage,
    with: LiveRun,
    /// Ratio of the CPU time of the safety part, with temporal properties to without.
    safety_ratio: f64,
    tlc: Option<Usage>,
    /// Ratio of the whole CPU time, TLC's to ours.
    ratio: Option<f64>,
    /// Ratio of the whole CPU time, without the cost of starting TLC.
    ratio_net: Option<f64>,
}

/// Measures the models one after the other.
pub fn measure(
    (specline, tlc): (&Specline, Option<&Tlc>),
    models: &[Model],
    n_runs: u32,
) -> Result<Vec<Row>> {
    let start = tlc.map(Tlc::start).transpose()?;
    let mut rows = Vec::new();
    for pair in pairs(models)? {
        eprintln!("{} ...", pair.with.name);
        let mut without = specline.run(pair.without)?;
        let mut with = run_with(specline, pair.with)?;
        for _ in 1..n_runs {
            without = super::better(without, specline.run(pair.without)?);
            with = with.better(run_with(specline, pair.with)?);
        }
        // TLC takes minutes, so it runs once.
        let theirs = tlc.map(|tlc| tlc.run(pair.with)).transpose()?;
        rows.push(Row::new(pair.with, (without, with), theirs, start));
    }
    Ok(rows)
}

fn pairs(models: &[Model]) -> Result<Vec<Pair<'_>>> {
    let with = models.iter().filter(|model| !model.name.ends_with(WITHOUT));
    let pair = |with: &'_ Model| {
        let wanted = format!("{}{WITHOUT}", with.name);
        let without = models.iter().find(|model| model.name == wanted);
        without.with_context(|| format!("there is no `{wanted}`"))
    };
    with.map(|with| Ok(Pair { with, without: pair(with)? })).collect()
}

fn run_with(specline: &Specline, model: &Model) -> Result<LiveRun> {
    let ended = specline.run_and_read(1, model)?;
    let events = ended.output.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let event = events.into_iter().find(|event| event["kind"] == "temporal");
    let event = event.context("the program did not look at temporal properties")?;
    let (Some(cpu_ms), Some(n_steps)) = (event["cpu_ms"].as_u64(), event["steps"].as_u64()) else {
        bail!("the program does not say how much CPU time it has used");
    };
    Ok(LiveRun { safety_cpu_seconds: cpu_ms as f64 / 1000.0, n_steps, all: ended.usage })
}

impl LiveRun {
    /// Returns the least of each part.
    fn better(self, other: LiveRun) -> LiveRun {
        let safety_cpu_seconds = self.safety_cpu_seconds.min(other.safety_cpu_seconds);
        LiveRun { safety_cpu_seconds, all: super::better(self.all, other.all), ..self }
    }
}

impl Row {
    fn new(model: &Model, (without, with): (Usage, LiveRun), tlc: Option<Usage>, start: Option<f64>) -> Row {
        let ours = with.all.cpu_seconds;
        let net = |tlc: Usage| Some(tlc.cpu_seconds - start?).filter(|&net| net > 0.0);
        Row {
            model: model.name.clone(),
            counts: model.expected,
            without,
            with,
            safety_ratio: with.safety_cpu_seconds / without.cpu_seconds,
            tlc,
            ratio: tlc.map(|tlc| tlc.cpu_seconds / ours),
            ratio_net: tlc.and_then(net).map(|net| net / ours),
        }
    }

    fn cells(&self) -> Vec<String> {
        vec![
            self.model.clone(),
            group_digits(self.counts.distinct),
            group_digits(self.with.n_steps),
            format!("{:.2}", self.without.cpu_seconds),
            format!("{:.2}", self.with.safety_cpu_seconds),
            format!("{:.2}", self.safety_ratio),
            format!("{:.2}", self.with.all.cpu_seconds),
            format!("{:.1}", self.with.all.peak_bytes as f64 / f64::from(1 << 20)),
            or_dash(self.tlc.map(|tlc| tlc.cpu_seconds), 2),
            or_dash(self.ratio, 1),
            or_dash(self.ratio_net, 1),
        ]
    }
}

/// Formats the table, and the meaning of its columns.
pub fn lines(rows: &[Row]) -> Vec<String> {
    let head = [
        "behaviours",
        "distinct",
        "steps",
        "safety s",
        "with s",
        "slower",
        "all s",
        "peak MiB",
        "TLC s",
        "ratio",
        "net",
    ];
    let mut lines = table::lines(&head, &rows.iter().map(Row::cells).collect::<Vec<_>>());
    lines.push(String::new());
    lines.push(
        "CPU seconds, one worker. safety: the model without temporal properties; with: the search of states where they \
         are there; all: with behaviours. ratio: TLC's CPU time for all of it to ours; net: without TLC's start."
            .to_owned(),
    );
    lines
}

#[cfg(test)]
mod tests {
    use super::{LiveRun, Row, Usage, pairs};
    use crate::bench::models::{Set, find};

    #[test]
    fn every_model_is_there_with_and_without_temporal_properties() {
        let models = find(Set::Live, None).unwrap();
        let pairs = pairs(&models).unwrap();
        assert!(!pairs.is_empty());
        assert!(pairs.iter().all(|pair| pair.with.expected == pair.without.expected));
    }

    #[test]
    fn ratios_are_of_cpu_time() {
        let models = find(Set::Live, None).unwrap();
        let usage = |cpu_seconds: f64| Usage { cpu_seconds, wall_seconds: 9.0, peak_bytes: 0 };
        let with = LiveRun { safety_cpu_seconds: 1.5, n_steps: 7, all: usage(2.0) };
        let row = Row::new(&models[0], (usage(1.0), with), Some(usage(41.0)), Some(1.0));
        assert_eq!((row.safety_ratio, row.ratio, row.ratio_net), (1.5, Some(20.5), Some(20.0)));
    }
}
