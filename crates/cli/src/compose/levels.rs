//! How many states a search would find, from the levels that a short one came through.
//!
//! The levels of a breadth-first search grow, and later shrink: from one to the next by a factor that falls, steeply at
//! first. The logarithms of the last factors are continued along a line over the logarithm of the depth until nothing is
//! left. Early on that is too little, by a factor of two to three; from a third of the states on it is close.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use check::{Event, Observer};

/// Limit on levels that are continued.
const LEVELS_MAX: usize = 1_000;
/// The least and the greatest number of factors that the line is fitted to.
const FACTORS_MIN: usize = 4;
const FACTORS_MAX: usize = 6;
/// Levels with fewer states say nothing about those to come.
const WIDTH_MIN: f64 = 20.0;

/// Watches a search, and keeps how many states were known at the end of each level.
#[derive(Debug, Default)]
pub struct Levels {
    /// For each depth at which progress was seen, the number of distinct states at the last time.
    seen: Mutex<Vec<(u64, u64)>>,
}

impl Observer for Levels {
    fn event(&self, event: Event<'_>) {
        let Event::Progress(progress) = event else { return };
        let (depth, distinct) = (u64::from(progress.counts.depth), progress.counts.distinct);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        match seen.last_mut() {
            Some(last) if last.0 == depth => last.1 = distinct,
            Some(_) | None => seen.push((depth, distinct)),
        }
    }

    fn progress_interval(&self) -> Duration {
        Duration::from_millis(5)
    }
}

impl Levels {
    /// Returns how many states there are, as far as the levels say. The last one may be cut off, and is left out.
    pub fn estimate(&self) -> Option<f64> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, whole) = seen.split_last()?;
        extrapolate(whole)
    }
}

/// Continues the numbers of states that are known after levels of some depths.
fn extrapolate(known: &[(u64, u64)]) -> Option<f64> {
    // The depth in the middle, and the width of one level: progress may not be seen at every level.
    let widths: Vec<(f64, f64)> = known
        .windows(2)
        .map(|pair| {
            let (n_levels, n_states) = (pair[1].0 - pair[0].0, pair[1].1.saturating_sub(pair[0].1));
            ((pair[0].0 + pair[1].0) as f64 / 2.0, n_states as f64 / n_levels.max(1) as f64)
        })
        .filter(|&(_, width)| width >= WIDTH_MIN)
        .collect();
    let factors: Vec<(f64, f64)> = widths
        .windows(2)
        .map(|pair| {
            let depth = (pair[0].0 + pair[1].0) / 2.0;
            (depth.ln(), (pair[1].1 / pair[0].1).ln() / (pair[1].0 - pair[0].0))
        })
        .collect();
    let factors = &factors[factors.len().saturating_sub(FACTORS_MAX)..];
    if factors.len() < FACTORS_MIN {
        return None;
    }
    let (slope, at_zero) = line_through(factors)?;
    // Factors that do not fall have no end.
    if slope >= 0.0 {
        return None;
    }
    let &(mut depth, mut width) = widths.last()?;
    let mut states = known.last()?.1 as f64;
    for _ in 0..LEVELS_MAX {
        width *= (at_zero + slope * (depth + 0.5).ln()).exp();
        depth += 1.0;
        states += width;
        if width < 1.0 {
            return Some(states);
        }
    }
    None
}

/// Returns the slope and the value at 0 of the line that is nearest to some points, by least squares.
fn line_through(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let n = points.len() as f64;
    let mean_x = points.iter().map(|point| point.0).sum::<f64>() / n;
    let mean_y = points.iter().map(|point| point.1).sum::<f64>() / n;
    let spread: f64 = points.iter().map(|point| (point.0 - mean_x).powi(2)).sum();
    let common: f64 = points.iter().map(|point| (point.0 - mean_x) * (point.1 - mean_y)).sum();
    let slope = (spread > 0.0).then(|| common / spread)?;
    Some((slope, mean_y - slope * mean_x))
}

#[cfg(test)]
mod tests {
    use super::extrapolate;

    /// The numbers of states known after each level of `zookeeper.toml@mspec-1` with `MaxTransactions=0`.
    const LEVELS: &[(u64, u64)] = &[
        (2, 9),
        (3, 46),
        (4, 167),
        (5, 478),
        (6, 1_148),
        (7, 2_409),
        (8, 4_533),
        (9, 7_740),
        (10, 12_195),
        (11, 18_131),
        (12, 25_713),
        (13, 34_977),
        (14, 45_902),
        (15, 58_321),
        (16, 71_871),
        (17, 86_135),
        (18, 100_693),
        (19, 115_207),
        (20, 129_392),
        (21, 142_852),
        (22, 155_138),
        (23, 165_992),
        (24, 175_368),
        (25, 183_347),
        (26, 189_962),
        (27, 195_269),
        (28, 199_355),
        (29, 202_355),
        (30, 204_468),
        (31, 205_901),
        (32, 206_834),
        (33, 207_410),
        (34, 207_731),
        (35, 207_878),
        (36, 207_926),
        (37, 207_934),
        (38, 207_936),
    ];

    fn share(known: &[(u64, u64)]) -> f64 {
        let total = LEVELS.last().expect("levels").1;
        extrapolate(known).expect("the factors fall") / total as f64
    }

    #[test]
    fn levels_that_grow_more_slowly_are_continued_to_their_end() {
        for (n_levels, least, most) in [(9, 0.3, 3.0), (12, 0.5, 2.0), (16, 0.8, 1.3), (24, 0.95, 1.05)] {
            let share = share(&LEVELS[..n_levels - 1]);
            assert!((least..most).contains(&share), "{n_levels}: {share}");
        }
    }

    #[test]
    fn levels_that_were_not_seen_are_made_up_for() {
        let some: Vec<(u64, u64)> =
            LEVELS[..20].iter().copied().filter(|(level, _)| level % 3 != 1).collect();
        let share = share(&some);
        assert!((0.6..1.6).contains(&share), "{share}");
    }

    #[test]
    fn what_only_grows_has_no_estimate() {
        let doubled: Vec<(u64, u64)> = (1..16).map(|level| (level, 1 << level)).collect();
        assert_eq!(extrapolate(&doubled), None);
        assert_eq!(extrapolate(&[]), None);
    }
}
