//! Texts that are almost right: tokens and lines of a good text are removed, doubled or exchanged.
//!
//! A seed gives the same text on every machine, so that a failure can be reproduced.

/// A generator of numbers that are random enough for tests (splitmix64).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "there is no number below 0");
        (self.next_u64() % bound as u64) as usize
    }

    /// Returns one of `items`, which must not be empty.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// Returns `text` with one change, of tokens or of lines. `words` are tokens that may be inserted.
pub fn mutate(text: &str, words: &[&str], rng: &mut Rng) -> String {
    if rng.below(3) == 0 {
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        change(&mut lines, &["\n"], rng);
        return lines.concat();
    }
    let mut tokens = tokens(text);
    change(&mut tokens, words, rng);
    tokens.concat()
}

fn change<'a>(parts: &mut Vec<&'a str>, words: &[&'a str], rng: &mut Rng) {
    if parts.is_empty() {
        return parts.push(rng.pick(words));
    }
    let (at, other) = (rng.below(parts.len()), rng.below(parts.len()));
    match rng.below(7) {
        0 => {
            parts.remove(at);
        }
        1 => parts.insert(at, parts[at]),
        2 => parts.swap(at, other),
        3 => parts[at] = parts[other],
        4 => parts.insert(at, parts[other]),
        5 => parts.insert(at, rng.pick(words)),
        _ => parts.truncate(at),
    }
}

/// Splits a text into words, numbers, blanks and single other characters.
fn tokens(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => 0,
        ' ' => 1,
        _ => 2,
    };
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, next) in text.char_indices() {
        let now = class(next);
        if before.is_some_and(|before| before != now || now == 2) {
            tokens.push(&text[start..at]);
            start = at;
        }
        before = Some(now);
    }
    tokens.push(&text[start..]);
    tokens
}

#[cfg(test)]
mod tests {
    use super::{Rng, mutate, tokens};

    #[test]
    fn tokens_make_up_the_text() {
        let text = "Op(x_1) ==  x_1 /\\ é\n";
        assert_eq!(tokens(text).concat(), text);
        assert_eq!(tokens("a1 == b"), ["a1", " ", "=", "=", " ", "b"]);
    }

    #[test]
    fn the_same_seed_gives_the_same_text() {
        let text = "a == b\nc == d\n";
        let all = |seed| (0..50).map(|_| mutate(text, &["X"], &mut Rng::new(seed))).collect::<Vec<_>>();
        assert_eq!(all(7), all(7));
        let mut rng = Rng::new(1);
        assert!((0..50).any(|_| mutate(text, &["X"], &mut rng) != text));
        assert!((0..50).all(|_| mutate("", &["X"], &mut rng).len() <= 1));
    }
}
