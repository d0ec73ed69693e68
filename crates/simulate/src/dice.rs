//! Random numbers that are a function of their seed: SplitMix64, a counter and a mixing function.

const STRIDE: u64 = 0x9e37_79b9_7f4a_7c15;

/// A sequence of random numbers.
#[derive(Clone, Debug)]
pub struct Dice {
    state: u64,
}

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice { state: seed }
    }

    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STRIDE);
        mix(self.state)
    }

    /// Returns a number below `n`, all equally likely; 0 if `n` is 0. The bias of the multiplication is below one in
    /// 2^32.
    pub fn below(&mut self, n: usize) -> usize {
        let product = u128::from(self.next()) * n as u128;
        (product >> 64) as usize
    }

    /// Returns a number from 0 to 1, exclusive.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns an index by weight; `None` when no weight is above zero.
    pub fn pick_weighted(&mut self, weights: &[f64]) -> Option<usize> {
        let total: f64 = weights.iter().sum();
        debug_assert!(
            total.is_finite() && weights.iter().all(|&weight| weight >= 0.0),
            "no weight is below 0"
        );
        if total <= 0.0 {
            return None;
        }
        let mut rest = self.unit() * total;
        let mut last = None;
        for (index, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            last = Some(index);
            if rest < weight {
                break;
            }
            rest -= weight;
        }
        last
    }
}

/// Returns a seed made of two numbers.
pub fn mix_seeds(first: u64, second: u64) -> u64 {
    mix(first ^ mix(second.wrapping_add(STRIDE)))
}

fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

#[cfg(test)]
mod tests {
    use super::Dice;

    #[test]
    fn numbers_below_a_bound_are_all_about_as_frequent() {
        let mut dice = Dice::new(1);
        let mut counts = [0; 6];
        (0..60_000).for_each(|_| counts[dice.below(6)] += 1);
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
    }

    #[test]
    fn an_index_comes_as_often_as_its_weight_says() {
        let mut dice = Dice::new(2);
        let mut counts = [0; 3];
        (0..40_000).for_each(|_| counts[dice.pick_weighted(&[1.0, 0.0, 3.0]).expect("weights above 0")] += 1);
        assert_eq!(counts[1], 0);
        assert!((9_500..10_500).contains(&counts[0]), "{counts:?}");
        assert_eq!(dice.pick_weighted(&[0.0]), None);
    }

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let draw = |seed| {
            let mut dice = Dice::new(seed);
            [dice.next(), dice.next(), dice.next()]
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }
}
