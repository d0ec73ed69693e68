//! Measures random walks beside TLC's `-simulate`: states per CPU second, one worker each, the same models, as many
//! walks of the same depth. The states on the walks are not the same, and need not be.

use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde_json::Value;

use super::measure::{self, Usage};
use super::models::Model;
use super::specline::Specline;
use super::table::{self, geometric_mean, group_digits, or_dash};
use super::tlc::Tlc;

/// The depth of a walk, which is TLC's default.
pub const DEPTH: u32 = 100;

/// The result of one program on a model.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Simulated {
    pub generated: u64,
    pub usage: Usage,
}

#[derive(Debug, Serialize)]
pub struct Row {
    pub model: String,
    pub specline: Simulated,
    pub tlc: Option<Simulated>,
    /// Ratio of states per CPU second, ours to TLC's.
    pub ratio: Option<f64>,
    /// Ratio of states per CPU second, without the cost of starting TLC.
    pub ratio_net: Option<f64>,
}

/// Measures the models one after the other.
pub fn measure(
    (specline, tlc): (&Specline, Option<&Tlc>),
    models: &[Model],
    (n_walks, n_runs): (u64, u32),
) -> Result<Vec<Row>> {
    let start = tlc.map(Tlc::start).transpose()?;
    let row = |model: &Model| {
        eprintln!("walks through {} ...", model.name);
        measure_model((specline, tlc), model, (n_walks, n_runs), start)
    };
    models.iter().map(row).collect()
}

/// Measures one model; `start` is the CPU time that TLC takes for one state.
// Six values: the two programs, the model, and how often and from where to measure.
pub fn measure_model(
    (specline, tlc): (&Specline, Option<&Tlc>),
    model: &Model,
    (n_walks, n_runs): (u64, u32),
    start: Option<f64>,
) -> Result<Row> {
    let mut ours = walk(specline, model, n_walks)?;
    let mut theirs = tlc.map(|tlc| tlc.simulate(model, n_walks)).transpose()?;
    for _ in 1..n_runs {
        ours = better(ours, walk(specline, model, n_walks)?);
        theirs = match (theirs, tlc) {
            (Some(one), Some(tlc)) => Some(better(one, tlc.simulate(model, n_walks)?)),
            (one, _) => one,
        };
    }
    Ok(Row::new(&model.name, (ours, theirs), start))
}

fn better(one: Simulated, other: Simulated) -> Simulated {
    if other.usage.cpu_seconds < one.usage.cpu_seconds { other } else { one }
}

/// Makes walks with one worker.
fn walk(specline: &Specline, model: &Model, n_walks: u64) -> Result<Simulated> {
    let command = specline.simulate(model, n_walks);
    let ended = measure::run(&command, specline.seconds_max())?;
    if ended.exit != 0 {
        bail!("specline ended with {}: {}", ended.exit, ended.errors.trim());
    }
    let events = ended.output.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let answer = events.into_iter().find(|event| event["kind"] == "answer");
    let generated = answer.and_then(|answer| answer["statistics"]["generated"].as_u64());
    Ok(Simulated { generated: generated.context("the answer has no statistics")?, usage: ended.usage })
}

impl Row {
    fn new(model: &str, (ours, theirs): (Simulated, Option<Simulated>), start: Option<f64>) -> Row {
        let rate = |simulated: &Simulated, seconds: f64| simulated.generated as f64 / seconds;
        let own = rate(&ours, ours.usage.cpu_seconds);
        let net = |tlc: Simulated| {
            let seconds = Some(tlc.usage.cpu_seconds - start?).filter(|seconds| *seconds > 0.0)?;
            Some(own / rate(&tlc, seconds))
        };
        Row {
            model: model.to_owned(),
            specline: ours,
            tlc: theirs,
            ratio: theirs.map(|tlc| own / rate(&tlc, tlc.usage.cpu_seconds)),
            ratio_net: theirs.and_then(net),
        }
    }

    fn cells(&self) -> Vec<String> {
        let rate = |simulated: Simulated| {
            group_digits((simulated.generated as f64 / simulated.usage.cpu_seconds) as u64)
        };
        vec![
            self.model.clone(),
            group_digits(self.specline.generated),
            format!("{:.2}", self.specline.usage.cpu_seconds),
            rate(self.specline),
            or_dash(self.tlc.map(|tlc| tlc.usage.cpu_seconds), 2),
            self.tlc.map_or("-".to_owned(), rate),
            or_dash(self.ratio, 1),
            or_dash(self.ratio_net, 1),
        ]
    }
}

/// Formats the table, and the means below it.
pub fn lines(rows: &[Row]) -> Vec<String> {
    let head = ["walks", "states", "CPU s", "states/s", "TLC CPU s", "TLC states/s", "ratio", "net"];
    let mut lines = table::lines(&head, &rows.iter().map(Row::cells).collect::<Vec<_>>());
    let mean = |ratio: fn(&Row) -> Option<f64>| geometric_mean(rows.iter().filter_map(ratio));
    if let (Some(ratio), Some(net)) = (mean(|row| row.ratio), mean(|row| row.ratio_net)) {
        lines.push(format!("geometric mean {ratio:.1}, net {net:.1}"));
    }
    lines
}
