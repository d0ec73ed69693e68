//! Counts how often actions and views were seen, for walks that prefer rare ones.

use base::FxHashMap;

use crate::guide::Lesson;

/// The most views that are counted. Others, met after that, count as new.
const VIEWS_MAX: usize = 1 << 22;

/// The number of times that each action was taken, by name, and each view was met.
#[derive(Debug)]
pub(crate) struct Rare {
    actions: Vec<u64>,
    views: FxHashMap<u64, u32>,
}

impl Rare {
    pub fn new(n_names: usize) -> Rare {
        Rare { actions: vec![0; n_names], views: FxHashMap::default() }
    }

    /// Returns a score that is greater for rarer steps: the inverse of how often the view was met, and of the root of
    /// how often the action was taken. There are few actions and many views; the root keeps actions from outweighing
    /// them.
    pub fn score(&self, name: u32, view: u64) -> f64 {
        let n_view = self.views.get(&view).copied().unwrap_or(0);
        let n_action = self.actions[name as usize];
        1.0 / (1.0 + f64::from(n_view)) / (1.0 + n_action as f64).sqrt()
    }

    /// Learns from the steps of one walk.
    pub fn learn(&mut self, lessons: &[Lesson], name_of: &[u32]) {
        for lesson in lessons {
            self.actions[name_of[lesson.action as usize] as usize] += 1;
            let Some(view) = lesson.to else { continue };
            if self.views.len() < VIEWS_MAX {
                *self.views.entry(view).or_insert(0) += 1;
            } else if let Some(count) = self.views.get_mut(&view) {
                *count += 1;
            }
        }
    }
}
