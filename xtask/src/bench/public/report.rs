//! Formats the measurements of public models as a table and as JSON.

use std::path::Path;

use serde::Serialize;

use super::super::report::{HEADING, Mean, Row};
use super::super::table::{self, or_dash};
use super::list::Verdict;

/// The column of TLC's CPU time, which is marked where it was not measured now.
const TLC_COLUMN: usize = 9;

#[derive(Debug, Serialize)]
pub struct PublicReport {
    commit: String,
    program: String,
    n_runs: u32,
    tlc_start_cpu_seconds: Option<f64>,
    models: Vec<PublicRow>,
    mean: Mean,
    least: Mean,
}

#[derive(Debug, Serialize)]
pub struct PublicRow {
    pub repository: String,
    pub verdict: Verdict,
    /// Whether TLC's figures are those of an earlier report.
    pub tlc_reused: bool,
    #[serde(flatten)]
    pub row: Row,
}

impl PublicRow {
    fn cells(&self) -> Vec<String> {
        let mut cells = self.row.cells();
        if self.tlc_reused {
            cells[TLC_COLUMN].push('*');
        }
        cells
    }
}

impl PublicReport {
    pub fn new(
        commit: String,
        program: &Path,
        n_runs: u32,
        tlc_start_cpu_seconds: Option<f64>,
        models: Vec<PublicRow>,
    ) -> PublicReport {
        let rows = || models.iter().map(|model| &model.row);
        let (mean, least) = (Mean::of(rows()), Mean::least(rows()));
        let program = program.display().to_string();
        PublicReport { commit, program, n_runs, tlc_start_cpu_seconds, models, mean, least }
    }

    /// Formats the table, the mean and the worst, and the meaning of the columns.
    pub fn lines(&self) -> Vec<String> {
        let rows: Vec<Vec<String>> = self.models.iter().map(PublicRow::cells).collect();
        let mut lines = table::lines(&HEADING, &rows);
        lines.push(String::new());
        lines.push(self.summary());
        lines.push(format!(
            "commit {}, program {}, one worker; CPU time is user and system, the least of {} runs.",
            self.commit, self.program, self.n_runs
        ));
        lines.push(
            "B/state: peak resident memory without that after the first state, by distinct states."
                .to_owned(),
        );
        if self.models.iter().any(|model| model.tlc_reused) {
            lines
                .push("*: TLC did not run now; this is the time of an earlier run (--reuse-tlc).".to_owned());
        }
        if let Some(start) = self.tlc_start_cpu_seconds {
            lines.push(format!("net: without the {start:.2} s that TLC takes for one state."));
        }
        lines
    }

    /// Formats the geometric mean of the ratios, and the model with the least one.
    fn summary(&self) -> String {
        let with_ratio = self.models.iter().filter_map(|model| Some((model, model.row.ratio?)));
        let n_compared = with_ratio.clone().count();
        match with_ratio.min_by(|(_, one), (_, other)| one.total_cmp(other)) {
            Some((worst, ratio)) => format!(
                "{n_compared} models beside TLC: geometric mean {} (net {}); the worst is {} with {ratio:.2}",
                or_dash(self.mean.ratio, 2),
                or_dash(self.mean.ratio_net, 2),
                worst.row.model,
            ),
            None => "No TLC: SPECLINE_TLC_CLASSPATH is not set. The counts are those that TLC recorded."
                .to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::super::measure::Usage;
    use super::super::super::models::Counts;
    use super::super::super::report::{Best, Row};
    use super::{PublicReport, PublicRow, Verdict};

    fn row(name: &str, tlc_seconds: Option<f64>) -> PublicRow {
        let usage = |cpu_seconds| Usage { cpu_seconds, wall_seconds: 1.0, peak_bytes: 0 };
        let best = Best { specline: usage(1.0), start_bytes: 0, tlc: tlc_seconds.map(usage), explorer: None };
        let counts = Counts { generated: 10, distinct: 5, depth: 2 };
        PublicRow {
            repository: "someone/clocks".to_owned(),
            verdict: Verdict::Ok,
            tlc_reused: tlc_seconds == Some(2.0),
            row: Row::new(name, counts, &best, None),
        }
    }

    #[test]
    fn the_worst_is_named_and_what_is_reused_is_marked() {
        let rows = vec![row("slow", Some(2.0)), row("quick", Some(8.0)), row("alone", None)];
        let lines = PublicReport::new("abc".to_owned(), Path::new("specline"), 1, None, rows).lines();
        assert!(lines.contains(
            &"2 models beside TLC: geometric mean 4.00 (net -); the worst is slow with 2.00".to_owned()
        ));
        assert!(lines[1].contains("2.00*") && !lines[2].contains('*'), "{lines:?}");
    }

    #[test]
    fn without_tlc_there_is_no_ratio() {
        let lines =
            PublicReport::new(String::new(), Path::new("x"), 1, None, vec![row("alone", None)]).lines();
        assert!(lines.iter().any(|line| line.starts_with("No TLC")));
    }
}
