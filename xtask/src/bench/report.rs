//! Formats the measurements as a table and as JSON.

use serde::Serialize;

use super::measure::Usage;
use super::models::Counts;
use super::profile::Instructions;
use super::startup::StartUp;
use super::table::{self, geometric_mean, group_digits, or_dash};
use super::workers::TwoWorkers;

#[derive(Debug, Serialize)]
pub struct Report {
    pub commit: String,
    /// The profile of cargo that the program was built with.
    pub build: String,
    pub n_runs: u32,
    /// The CPU time of TLC on a model with one state, if TLC ran.
    pub tlc_start_cpu_seconds: Option<f64>,
    pub models: Vec<Row>,
    pub mean: Mean,
    /// Means of the models with at least [`LARGE_LEN_MIN`] states, where the start of the JVM matters little.
    pub mean_of_large: Mean,
    /// The least of each ratio, over all models.
    pub least: Mean,
    pub start_up: StartUp,
    pub two_workers: Option<TwoWorkers>,
    /// The instructions; `None` without valgrind.
    pub instructions: Option<Instructions>,
}

/// Ratios of several models in one figure.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct Mean {
    pub ratio: Option<f64>,
    pub ratio_net: Option<f64>,
}

const LARGE_LEN_MIN: u64 = 200_000;

#[derive(Debug, Serialize)]
pub struct Row {
    pub model: String,
    pub counts: Counts,
    pub specline: Figures,
    pub bytes_per_state: f64,
    pub tlc: Option<Figures>,
    /// Ratio of states per CPU second, ours to TLC's.
    pub ratio: Option<f64>,
    /// Ratio of states per CPU second, without the cost of starting TLC.
    pub ratio_net: Option<f64>,
    /// The explorer written by hand, if there is one.
    pub explorer: Option<Figures>,
    /// Ratio of states per CPU second, the explorer's to ours.
    pub ratio_to_explorer: Option<f64>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Figures {
    #[serde(flatten)]
    pub usage: Usage,
    pub states_per_cpu_second: f64,
    pub distinct_per_cpu_second: f64,
}

/// The best of several runs of one model.
pub struct Best {
    pub specline: Usage,
    pub start_bytes: u64,
    pub tlc: Option<Usage>,
    pub explorer: Option<Usage>,
}

impl Row {
    pub fn new(model: &str, counts: Counts, best: &Best, tlc_start: Option<f64>) -> Row {
        let figures = |usage: Usage| Figures {
            usage,
            states_per_cpu_second: counts.generated as f64 / usage.cpu_seconds,
            distinct_per_cpu_second: counts.distinct as f64 / usage.cpu_seconds,
        };
        let ours = best.specline.cpu_seconds;
        let net = |tlc: Usage| Some(tlc.cpu_seconds - tlc_start?).filter(|&net| net > 0.0);
        let n_bytes = best.specline.peak_bytes.saturating_sub(best.start_bytes);
        Row {
            model: model.to_owned(),
            counts,
            specline: figures(best.specline),
            bytes_per_state: n_bytes as f64 / counts.distinct as f64,
            tlc: best.tlc.map(figures),
            ratio: best.tlc.map(|tlc| tlc.cpu_seconds / ours),
            ratio_net: best.tlc.and_then(net).map(|net| net / ours),
            explorer: best.explorer.map(figures),
            ratio_to_explorer: best.explorer.map(|explorer| ours / explorer.cpu_seconds),
        }
    }

    pub fn cells(&self) -> Vec<String> {
        let Figures { usage, states_per_cpu_second, distinct_per_cpu_second } = self.specline;
        let tlc = self.tlc;
        vec![
            self.model.clone(),
            group_digits(self.counts.generated),
            group_digits(self.counts.distinct),
            format!("{:.2}", usage.cpu_seconds),
            format!("{:.2}", usage.wall_seconds),
            group_digits(states_per_cpu_second as u64),
            group_digits(distinct_per_cpu_second as u64),
            format!("{:.1}", usage.peak_bytes as f64 / f64::from(1 << 20)),
            format!("{:.1}", self.bytes_per_state),
            or_dash(tlc.map(|tlc| tlc.usage.cpu_seconds), 2),
            tlc.map_or("-".to_owned(), |tlc| group_digits(tlc.states_per_cpu_second as u64)),
            or_dash(self.ratio, 2),
            or_dash(self.ratio_net, 2),
        ]
    }

    fn explorer_line(&self) -> Option<String> {
        let (explorer, ratio) = (self.explorer?, self.ratio_to_explorer?);
        Some(format!(
            "explorer of {} written by hand: {:.2} CPU s, {} states/CPU s, {ratio:.1} times ours",
            self.model,
            explorer.usage.cpu_seconds,
            group_digits(explorer.states_per_cpu_second as u64),
        ))
    }
}

pub const HEADING: [&str; 13] = [
    "model",
    "generated",
    "distinct",
    "CPU s",
    "wall s",
    "states/CPU s",
    "distinct/CPU s",
    "peak MiB",
    "B/state",
    "TLC CPU s",
    "states/CPU s",
    "ratio",
    "net",
];

impl Report {
    /// Formats the table, and the meaning of its columns.
    pub fn lines(&self) -> Vec<String> {
        let mut rows: Vec<Vec<String>> = self.models.iter().map(Row::cells).collect();
        rows.push(self.mean.cells("geometric mean".to_owned()));
        rows.push(self.mean_of_large.cells(format!("of {}+ states", group_digits(LARGE_LEN_MIN))));
        rows.push(self.least.cells("least".to_owned()));
        let mut lines = table::lines(&HEADING, &rows);
        lines.push(String::new());
        lines.extend(self.models.iter().filter_map(Row::explorer_line));
        lines.push(self.start_up.line());
        lines.extend(self.two_workers.as_ref().map(TwoWorkers::line));
        lines.extend(self.instructions.as_ref().map(Instructions::line));
        lines.push(String::new());
        lines.push(format!(
            "commit {}, profile {}, one worker; CPU time is user and system, the least of {} runs.",
            self.commit, self.build, self.n_runs
        ));
        lines.push(
            "B/state: peak resident memory without that after the first state, by distinct states."
                .to_owned(),
        );
        lines.push(match self.tlc_start_cpu_seconds {
            Some(start) => format!(
                "TLC: one worker, serial collector. ratio: states per CPU second, ours to TLC's, the start of the JVM \
                 included; net: without the {start:.2} s that TLC takes for one state."
            ),
            None => "No TLC: SPECLINE_TLC_CLASSPATH is not set.".to_owned(),
        });
        lines
    }

    pub fn with_means(mut self) -> Report {
        self.least = Mean::least(self.models.iter());
        self.mean = Mean::of(self.models.iter());
        self.mean_of_large = Mean::of(self.models.iter().filter(|row| row.counts.distinct >= LARGE_LEN_MIN));
        self
    }
}

impl Mean {
    pub fn of<'r>(rows: impl Iterator<Item = &'r Row> + Clone) -> Mean {
        Mean {
            ratio: geometric_mean(rows.clone().filter_map(|row| row.ratio)),
            ratio_net: geometric_mean(rows.filter_map(|row| row.ratio_net)),
        }
    }

    pub fn least<'r>(rows: impl Iterator<Item = &'r Row> + Clone) -> Mean {
        Mean {
            ratio: rows.clone().filter_map(|row| row.ratio).min_by(f64::total_cmp),
            ratio_net: rows.filter_map(|row| row.ratio_net).min_by(f64::total_cmp),
        }
    }

    fn cells(&self, name: String) -> Vec<String> {
        let mut cells = vec![name];
        cells.resize(HEADING.len() - 2, String::new());
        cells.extend([or_dash(self.ratio, 2), or_dash(self.ratio_net, 2)]);
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::{Best, Counts, Mean, Row, Usage};

    fn row(tlc_start: Option<f64>) -> Row {
        let usage = |cpu_seconds: f64, peak_bytes: u64| Usage { cpu_seconds, wall_seconds: 1.0, peak_bytes };
        let counts = Counts { generated: 1000, distinct: 100, depth: 4 };
        let best = Best {
            specline: usage(0.5, 9_000),
            start_bytes: 7_000,
            tlc: Some(usage(4.0, 1_000_000)),
            explorer: Some(usage(0.125, 1_000)),
        };
        Row::new("Clock", counts, &best, tlc_start)
    }

    #[test]
    fn figures_follow_from_what_was_used() {
        let row = row(Some(1.5));
        assert_eq!(row.specline.states_per_cpu_second, 2000.0);
        assert_eq!(row.bytes_per_state, 20.0);
        assert_eq!(row.specline.distinct_per_cpu_second, 200.0);
        assert_eq!(row.ratio, Some(8.0));
        assert_eq!(row.ratio_to_explorer, Some(4.0));
        assert_eq!(row.ratio_net, Some(5.0));
    }

    #[test]
    fn a_model_that_is_all_start_up_has_no_net_ratio() {
        assert_eq!(row(Some(4.5)).ratio_net, None);
        assert_eq!(row(None).ratio_net, None);
    }

    #[test]
    fn means_are_over_the_models_that_have_a_ratio() {
        let rows = [row(Some(1.5)), row(None)];
        assert_eq!(Mean::of(rows.iter()).ratio_net.map(f64::round), Some(5.0));
        assert_eq!(Mean::of([].iter()), Mean::default());
        assert_eq!(Mean::least(rows.iter()), Mean { ratio: Some(8.0), ratio_net: Some(5.0) });
    }
}
