//! Q-learning, as Mukherjee and others use it for concurrency testing, and TLC for its `rl` scheduler: every step
//! costs, so that actions that were taken in a view of the state become less likely there, and so do those that lead to
//! well-known places.

use base::FxHashMap;

use crate::guide::Lesson;

/// The weight of new experience.
const ALPHA: f32 = 0.3;
/// The weight of later rewards.
const GAMMA: f32 = 0.7;
/// The reward of a step by default, which is a cost.
pub(crate) const REWARD: f32 = -10.0;
/// The largest size of the table. Views that are met after that are not learned about.
const TABLE_BYTES_MAX: usize = 256 << 20;

/// The expected reward of each action in each view.
#[derive(Debug)]
pub(crate) struct Learned {
    n_actions: usize,
    rows: FxHashMap<u64, Box<[f32]>>,
}

impl Learned {
    pub fn new(n_actions: usize) -> Learned {
        Learned { n_actions, rows: FxHashMap::default() }
    }

    /// Returns the likelihood of an action, not yet divided by the sum: a softmax.
    pub fn likelihood(&self, view: u64, action: u32) -> f64 {
        let expected = self.rows.get(&view).map_or(0.0, |row| row[action as usize]);
        f64::from(expected).exp()
    }

    /// Learns from the steps of one walk, the last one first.
    pub fn learn(&mut self, lessons: &[Lesson]) {
        for lesson in lessons.iter().rev() {
            let row = lesson.to.and_then(|to| self.rows.get(&to));
            let later = row.map_or(0.0, |row| row.iter().copied().fold(f32::MIN, f32::max));
            let Some(expected) = self.expected_reward(lesson) else { continue };
            *expected += ALPHA * (lesson.reward + GAMMA * later - *expected);
        }
    }

    /// Learns from the actions that had no successor.
    pub fn dislike(&mut self, lessons: &[Lesson]) {
        for lesson in lessons {
            if let Some(expected) = self.expected_reward(lesson) {
                *expected = ALPHA * lesson.reward;
            }
        }
    }

    /// Returns the expected reward of the lesson's action in the lesson's view, if there is room to learn it.
    fn expected_reward(&mut self, lesson: &Lesson) -> Option<&mut f32> {
        let is_full = (self.rows.len() + 1) * self.n_actions * size_of::<f32>() > TABLE_BYTES_MAX;
        if is_full && !self.rows.contains_key(&lesson.from) {
            return None;
        }
        let n_actions = self.n_actions;
        let row = self.rows.entry(lesson.from).or_insert_with(|| vec![0.0; n_actions].into());
        Some(&mut row[lesson.action as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::{Learned, REWARD};
    use crate::guide::Lesson;

    fn lesson(from: u64, action: u32, to: Option<u64>) -> Lesson {
        Lesson { from, action, to, reward: REWARD }
    }

    #[test]
    fn what_was_done_becomes_less_likely_where_it_was_done() {
        let mut learned = Learned::new(2);
        learned.learn(&[lesson(7, 1, Some(8))]);
        assert!(learned.likelihood(7, 1) < learned.likelihood(7, 0));
        assert_eq!(learned.likelihood(8, 1), learned.likelihood(8, 0));
    }

    #[test]
    fn what_leads_to_a_place_where_all_was_done_becomes_less_likely_than_what_does_not() {
        let mut learned = Learned::new(2);
        for action in 0..2 {
            learned.learn(&[lesson(9, action, Some(10))]);
        }
        learned.learn(&[lesson(7, 0, Some(9))]);
        learned.learn(&[lesson(7, 1, Some(8))]);
        assert!(learned.likelihood(7, 0) < learned.likelihood(7, 1));
    }

    #[test]
    fn what_had_no_successor_becomes_less_likely_after_the_same_action() {
        let mut learned = Learned::new(2);
        learned.dislike(&[lesson(7, 1, None), lesson(7, 1, None)]);
        assert!(learned.likelihood(7, 1) < learned.likelihood(7, 0));
        assert_eq!(learned.likelihood(7, 1), f64::from(0.3_f32 * REWARD).exp());
        assert_eq!(learned.likelihood(8, 1), learned.likelihood(8, 0));
    }

    #[test]
    fn what_is_worth_more_becomes_more_likely() {
        let mut learned = Learned::new(2);
        learned.learn(&[Lesson { reward: 5.0, ..lesson(7, 1, None) }]);
        assert!(learned.likelihood(7, 1) > learned.likelihood(7, 0));
    }
}
