//! Finds words that were probably meant: "did you mean `Len`?".

/// Returns the candidate closest to `word`, if one is close enough to be a slip; of equals the first.
///
/// A slip is one edit for every three characters. In shorter words only the case may differ, since any two of them are
/// alike. Two neighbours swapped are one edit, and a difference in case alone is the smallest slip of all.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let n_chars = word.chars().count();
    // Beyond this it is not a typing error, and the work below is quadratic in the length.
    if n_chars > LONGEST_CHARS {
        return None;
    }
    let edits_max = n_chars / 3;
    let close = |candidate: &&str| candidate.chars().count().abs_diff(n_chars) <= edits_max;
    let others = candidates.into_iter().filter(|&candidate| candidate != word).filter(close);
    let scored = others.map(|candidate| (cost(word, candidate), candidate));
    let near = scored.filter(|&(cost, _)| cost < (edits_max + 1) * EDIT);
    near.min_by_key(|&(cost, _)| cost).map(|(_, candidate)| candidate)
}

const LONGEST_CHARS: usize = 200;
/// The cost of an edit. Changing the case of a letter costs one, so that it comes before any edit.
const EDIT: usize = 8;

/// Returns the cost of the cheapest way from `from` to `to`: optimal string alignment.
fn cost(from: &str, to: &str) -> usize {
    let from: Vec<char> = from.chars().collect();
    let to: Vec<char> = to.chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=to.len()).map(|n| n * EDIT).collect();
    for i in 1..=from.len() {
        let mut row = vec![i * EDIT];
        for j in 1..=to.len() {
            let replaced = last[j - 1] + replacement(from[i - 1], to[j - 1]);
            let mut best = replaced.min(last[j] + EDIT).min(row[j - 1] + EDIT);
            if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                best = best.min(before_last[j - 2] + EDIT);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[to.len()]
}

fn replacement(from: char, to: char) -> usize {
    if from == to {
        0
    } else if from.to_lowercase().eq(to.to_lowercase()) {
        1
    } else {
        EDIT
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[track_caller]
    fn check(word: &str, candidates: &[&str], expected: Option<&str>) {
        assert_eq!(nearest(word, candidates.iter().copied()), expected, "{word}");
    }

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        check("Lenn", &["Head", "Len", "Tail"], Some("Len"));
        check("Cardinalty", &["Cardinality", "IsFiniteSet"], Some("Cardinality"));
        check("mgss", &["msgs", "acks"], Some("msgs"));
        check("x", &["y", "X"], Some("X"));
        check("x", &["y", "xs"], None);
        check("Init", &["Next", "Spec"], None);
        check("Init", &["Init"], None);
        check("", &["a"], None);
        check("SL0399", &["SL0309", "SL0901"], Some("SL0309"));
    }

    #[test]
    fn case_alone_is_the_smallest_slip() {
        check("TypeOk", &["TypeO", "TypeOK", "TypeOks"], Some("TypeOK"));
        check("TYPEOK", &["TypeOK"], Some("TypeOK"));
    }

    #[test]
    fn a_megabyte_is_not_compared() {
        check(&"x".repeat(1_000_000), &["x"], None);
    }
}
