//! Q-learning, as Mukherjee and others use it for concurrency testing, and TLC for its `rl` scheduler: every step that was
//! made costs, so that what was done in a view of the state is done less there, and what leads to well-known
//! places too.

use base::FxHashMap;

use crate::guide::Lesson;

/// How much of what is new is believed.
const ALPHA: f32 = 0.3;
/// How much of what comes later counts.
const GAMMA: f32 = 0.7;
/// What a step costs.
const REWARD: f32 = -10.0;
/// How large the table gets. Views that are met after that are not learned about.
const TABLE_BYTES_MAX: usize = 256 << 20;

/// What is expected of each action in each view.
#[derive(Debug)]
pub(crate) struct Learned {
    n_actions: usize,
    rows: FxHashMap<u64, Box<[f32]>>,
}

impl Learned {
    pub fn new(n_actions: usize) -> Learned {
        Learned { n_actions, rows: FxHashMap::default() }
    }

    /// How likely an action is, not yet divided by the sum: a softmax.
    pub fn likelihood(&self, view: u64, action: u32) -> f64 {
        let expected = self.rows.get(&view).map_or(0.0, |row| row[action as usize]);
        f64::from(expected).exp()
    }

    /// Takes the steps of one walk, the last one first.
    pub fn learn(&mut self, lessons: &[Lesson]) {
        for lesson in lessons.iter().rev() {
            let row = lesson.to.and_then(|to| self.rows.get(&to));
            let later = row.map_or(0.0, |row| row.iter().copied().fold(f32::MIN, f32::max));
            let is_full = (self.rows.len() + 1) * self.n_actions * size_of::<f32>() > TABLE_BYTES_MAX;
            if is_full && !self.rows.contains_key(&lesson.from) {
                continue;
            }
            let n_actions = self.n_actions;
            let row = self.rows.entry(lesson.from).or_insert_with(|| vec![0.0; n_actions].into());
            let expected = &mut row[lesson.action as usize];
            *expected += ALPHA * (REWARD + GAMMA * later - *expected);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Learned;
    use crate::guide::Lesson;

    #[test]
    fn what_was_done_becomes_less_likely_where_it_was_done() {
        let mut learned = Learned::new(2);
        learned.learn(&[Lesson { from: 7, action: 1, to: Some(8) }]);
        assert!(learned.likelihood(7, 1) < learned.likelihood(7, 0));
        assert_eq!(learned.likelihood(8, 1), learned.likelihood(8, 0));
    }

    #[test]
    fn what_leads_to_a_place_where_all_was_done_becomes_less_likely_than_what_does_not() {
        let mut learned = Learned::new(2);
        for action in 0..2 {
            learned.learn(&[Lesson { from: 9, action, to: Some(10) }]);
        }
        learned.learn(&[Lesson { from: 7, action: 0, to: Some(9) }]);
        learned.learn(&[Lesson { from: 7, action: 1, to: Some(8) }]);
        assert!(learned.likelihood(7, 0) < learned.likelihood(7, 1));
    }
}
