//! Compares several workers with one on a public model, by wall time and by CPU time.

use anyhow::Result;
use serde::Serialize;

use super::super::measure::Usage;
use super::super::models::Model;
use super::super::specline::Specline;
use super::super::table::{self, geometric_mean};

#[derive(Debug, Serialize)]
pub struct WorkersRow {
    model: String,
    one: Usage,
    several: Usage,
    /// Ratio of wall time, of one worker to several.
    speed_up: f64,
    /// Ratio of CPU time, of one worker to several: what sharing costs, also on a busy machine.
    cpu_ratio: f64,
}

/// Runs one worker and several in turn, `n_runs` times; the least wall time of either counts.
pub fn compare(specline: &Specline, model: &Model, n_workers: u32, n_runs: u32) -> Result<WorkersRow> {
    let mut one = specline.run(model)?;
    let mut several = specline.run_with(n_workers, model)?;
    for _ in 1..n_runs {
        one = sooner(one, specline.run(model)?);
        several = sooner(several, specline.run_with(n_workers, model)?);
    }
    Ok(WorkersRow::new(&model.name, one, several))
}

fn sooner(one: Usage, other: Usage) -> Usage {
    if other.wall_seconds < one.wall_seconds { other } else { one }
}

impl WorkersRow {
    fn new(model: &str, one: Usage, several: Usage) -> WorkersRow {
        WorkersRow {
            model: model.to_owned(),
            one,
            several,
            speed_up: one.wall_seconds / several.wall_seconds,
            cpu_ratio: one.cpu_seconds / several.cpu_seconds,
        }
    }

    fn cells(&self) -> Vec<String> {
        let mebibytes = |usage: Usage| format!("{:.1}", usage.peak_bytes as f64 / f64::from(1 << 20));
        vec![
            self.model.clone(),
            format!("{:.2}", self.one.wall_seconds),
            format!("{:.2}", self.several.wall_seconds),
            format!("{:.2}", self.speed_up),
            format!("{:.2}", self.one.cpu_seconds),
            format!("{:.2}", self.several.cpu_seconds),
            format!("{:.2}", self.cpu_ratio),
            mebibytes(self.one),
            mebibytes(self.several),
        ]
    }
}

/// Formats the table, and the mean and the least below it.
pub fn lines(rows: &[WorkersRow], n_workers: u32) -> Vec<String> {
    let several = |unit: &str| format!("{n_workers}: {unit}");
    let (wall, cpu, peak) = (several("wall s"), several("CPU s"), several("peak MiB"));
    let head =
        ["model", "1: wall s", &wall, "wall ratio", "1: CPU s", &cpu, "CPU ratio", "1: peak MiB", &peak];
    let mut lines = table::lines(&head, &rows.iter().map(WorkersRow::cells).collect::<Vec<_>>());
    let least = rows.iter().map(|row| row.speed_up).min_by(f64::total_cmp);
    if let (Some(mean), Some(least)) = (geometric_mean(rows.iter().map(|row| row.speed_up)), least) {
        lines.push(format!(
            "{n_workers} workers take 1/{mean:.2} of the wall time of one by the geometric mean, 1/{least:.2} at worst"
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{Usage, WorkersRow, lines};

    #[test]
    fn half_the_time_is_a_ratio_of_two() {
        let usage = |wall_seconds: f64, cpu_seconds: f64| Usage { cpu_seconds, wall_seconds, peak_bytes: 0 };
        let row = WorkersRow::new("Clock", usage(4.0, 4.0), usage(2.0, 5.0));
        assert_eq!((row.speed_up, row.cpu_ratio), (2.0, 0.8));
        let last = lines(&[row], 2).pop().unwrap();
        assert!(last.starts_with("2 workers take 1/2.00"), "{last}");
    }
}
