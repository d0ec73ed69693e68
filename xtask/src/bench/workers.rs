//! Compares two workers with two independent runs with one worker each, side by side, to see what sharing costs.

use anyhow::{Result, anyhow};
use serde::Serialize;

use super::measure::Usage;
use super::models::{Counts, Model};
use super::specline::Specline;
use super::table::group_digits;

#[derive(Debug, Serialize)]
pub struct TwoWorkers {
    pub model: String,
    pub counts: Counts,
    pub together: Usage,
    pub side_by_side: [Usage; 2],
    /// States per second by the wall clock, of two workers, and, below, of the two runs together.
    pub rate_together: f64,
    pub rate_side_by_side: f64,
    pub ratio: f64,
    /// The ratio by CPU time, which is true on a busy machine too but does not show a worker that waits.
    pub ratio_cpu: f64,
}

/// Returns the best of `n_runs` runs of either kind, which are made in turn.
pub fn compare(specline: &Specline, model: &Model, n_runs: u32) -> Result<TwoWorkers> {
    let mut together = specline.run_with(2, model)?;
    let mut pair = side_by_side(specline, model)?;
    for _ in 1..n_runs {
        let again = specline.run_with(2, model)?;
        if again.wall_seconds < together.wall_seconds {
            together = again;
        }
        let again = side_by_side(specline, model)?;
        if rate_of_pair(model.expected, again) > rate_of_pair(model.expected, pair) {
            pair = again;
        }
    }
    Ok(TwoWorkers::new(&model.name, model.expected, together, pair))
}

fn side_by_side(specline: &Specline, model: &Model) -> Result<[Usage; 2]> {
    std::thread::scope(|scope| {
        let other = scope.spawn(|| specline.run(model));
        let one = specline.run(model)?;
        let other =
            other.join().map_err(|_| anyhow!("the thread that waits for the second run panicked"))??;
        Ok([one, other])
    })
}

fn rate_of_pair(counts: Counts, pair: [Usage; 2]) -> f64 {
    pair.iter().map(|usage| counts.generated as f64 / usage.wall_seconds).sum()
}

impl TwoWorkers {
    fn new(model: &str, counts: Counts, together: Usage, side_by_side: [Usage; 2]) -> TwoWorkers {
        let rate_together = counts.generated as f64 / together.wall_seconds;
        let rate_side_by_side = rate_of_pair(counts, side_by_side);
        let cpu_of_one = (side_by_side[0].cpu_seconds + side_by_side[1].cpu_seconds) / 2.0;
        TwoWorkers {
            model: model.to_owned(),
            counts,
            together,
            side_by_side,
            rate_together,
            rate_side_by_side,
            ratio: rate_together / rate_side_by_side,
            ratio_cpu: cpu_of_one / together.cpu_seconds,
        }
    }

    pub fn line(&self) -> String {
        format!(
            "two workers on {}: {} states/s; two runs side by side: {} states/s together; {:.0} % of it by the wall \
             clock, {:.0} % by CPU time",
            self.model,
            group_digits(self.rate_together as u64),
            group_digits(self.rate_side_by_side as u64),
            100.0 * self.ratio,
            100.0 * self.ratio_cpu,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, TwoWorkers, Usage};

    #[test]
    fn sharing_that_costs_nothing_is_a_ratio_of_one() {
        let counts = Counts { generated: 1000, distinct: 100, depth: 4 };
        let usage = |wall_seconds: f64, cpu_seconds: f64| Usage { cpu_seconds, wall_seconds, peak_bytes: 0 };
        let free = TwoWorkers::new("Clock", counts, usage(1.0, 2.0), [usage(2.0, 2.0); 2]);
        assert_eq!((free.ratio, free.ratio_cpu), (1.0, 1.0));
        let dear = TwoWorkers::new("Clock", counts, usage(2.0, 3.0), [usage(2.0, 1.5); 2]);
        assert_eq!((dear.ratio, dear.ratio_cpu), (0.5, 0.5));
        assert_eq!(dear.rate_side_by_side, 1000.0);
    }
}
