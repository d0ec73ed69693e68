//! How many states a search would find, from the levels that a short one came through.
//!
//! The levels of a breadth-first search grow, and later shrink: from one to the next by a factor that falls steadily.
//! The factors of the last levels are continued along a line until they come to nothing.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use check::{Event, Observer};

/// Limit on levels that are continued.
const LEVELS_MAX: usize = 1_000;
/// How many factors the line is drawn through, at least and at most.
const FACTORS_MIN: usize = 4;
const FACTORS_MAX: usize = 10;
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
        continued(whole)
    }
}

/// Continues the numbers of states that are known after levels of some depths.
fn continued(known: &[(u64, u64)]) -> Option<f64> {
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
        .map(|pair| ((pair[0].0 + pair[1].0) / 2.0, (pair[1].1 / pair[0].1).ln() / (pair[1].0 - pair[0].0)))
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
        width *= (at_zero + slope * (depth + 0.5)).exp();
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
    use super::continued;

    /// The numbers of states known after each level, where widths are those of a bell.
    fn bell(peak: f64, spread: f64, n_levels: u64) -> (Vec<(u64, u64)>, f64) {
        let width = |level: u64| (100_000.0 * (-((level as f64 - peak) / spread).powi(2)).exp()) as u64;
        let total = (1..200).map(width).sum::<u64>() as f64;
        let known = (1..=n_levels).map(|level| (level, (1..=level).map(width).sum())).collect();
        (known, total)
    }

    #[test]
    fn levels_that_grow_more_slowly_are_continued_to_their_end() {
        for n_levels in [15, 20, 30] {
            let (known, total) = bell(25.0, 10.0, n_levels);
            let estimate = continued(&known).expect("the factors fall");
            assert!((0.8..1.25).contains(&(estimate / total)), "{n_levels}: {estimate} of {total}");
        }
    }

    #[test]
    fn levels_that_were_not_seen_are_made_up_for() {
        let (known, total) = bell(25.0, 10.0, 24);
        let some: Vec<(u64, u64)> = known.into_iter().filter(|(level, _)| level % 3 != 1).collect();
        let estimate = continued(&some).expect("the factors fall");
        assert!((0.6..1.6).contains(&(estimate / total)), "{estimate} of {total}");
    }

    #[test]
    fn what_only_grows_has_no_estimate() {
        let doubled: Vec<(u64, u64)> = (1..16).map(|level| (level, 1 << level)).collect();
        assert_eq!(continued(&doubled), None);
        assert_eq!(continued(&[]), None);
    }
}
