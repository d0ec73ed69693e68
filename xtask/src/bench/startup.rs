//! Measures the time from start to verdict on a model with ten states.

use anyhow::Result;
use serde::Serialize;

use super::models;
use super::specline::Specline;

const N_RUNS: usize = 21;

#[derive(Debug, Serialize)]
pub struct StartUp {
    /// The least time by the wall clock, as a waiting user sees it.
    pub least_seconds: f64,
    pub median_seconds: f64,
    pub least_cpu_seconds: f64,
}

pub fn measure(specline: &Specline) -> Result<StartUp> {
    let model = models::small("TenStates")?;
    let usages = (0..N_RUNS).map(|_| specline.run(&model)).collect::<Result<Vec<_>>>()?;
    let sorted = |mut seconds: Vec<f64>| {
        seconds.sort_by(f64::total_cmp);
        seconds
    };
    let wall = sorted(usages.iter().map(|usage| usage.wall_seconds).collect());
    let cpu = sorted(usages.iter().map(|usage| usage.cpu_seconds).collect());
    Ok(StartUp { least_seconds: wall[0], median_seconds: wall[N_RUNS / 2], least_cpu_seconds: cpu[0] })
}

impl StartUp {
    pub fn line(&self) -> String {
        let milli = |seconds: f64| seconds * 1000.0;
        format!(
            "start to verdict on ten states: {:.1} ms, median {:.1} ms, CPU {:.1} ms, of {N_RUNS} runs",
            milli(self.least_seconds),
            milli(self.median_seconds),
            milli(self.least_cpu_seconds),
        )
    }
}
