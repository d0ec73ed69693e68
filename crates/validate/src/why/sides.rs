//! Splits a conjunct that compares two values into these values.

use trace::Failure;

/// The operators, longer ones first, so that `<=` is not read as `<` and something else.
const OPERATORS: [&str; 14] =
    ["\\subseteq", "\\notin", "\\in", "\\leq", "\\geq", "/=", "<=", "=<", ">=", "=", "#", "<", ">", "\\/="];

/// A comparison `left operator right`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides {
    pub left: Side,
    pub operator: String,
    pub right: Side,
}

/// An expression and its value; a literal is its own value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    pub text: String,
    pub value: String,
}

/// Splits a comparison by the texts whose values are known. At least one side must have a known value, and the other
/// one must have a known value or be a literal.
pub fn sides(failure: &Failure) -> Option<Sides> {
    let text = failure.text.as_str();
    let splits = text.char_indices().filter_map(|(at, _)| {
        let rest = &text[at..];
        let operator = OPERATORS.into_iter().find(|operator| rest.starts_with(operator))?;
        Some((text[..at].trim(), operator, rest[operator.len()..].trim()))
    });
    // A parameter has its value from the call that gave it; the innermost one counts.
    let parameters = || failure.calls.iter().rev().flat_map(|call| &call.parameters);
    // A mapping writes conditions on the next state without a prime.
    let is_it = |known: &str, side: &str| {
        known == side || known.strip_suffix('\'').is_some_and(|of| of == side || of == format!("({side})"))
    };
    let known = || failure.values.iter().chain(parameters());
    let value = |side: &str| {
        known().find(|known| known.name == side).or_else(|| known().find(|known| is_it(&known.name, side)))
    };
    splits.into_iter().find_map(|(left, operator, right)| {
        let shown = |side: &str| -> Option<Side> {
            let value = value(side).map(|known| known.value.to_string());
            let value = value.or_else(|| is_literal(side).then(|| side.to_owned()))?;
            Some(Side { text: side.to_owned(), value })
        };
        let (left, right) = (shown(left)?, shown(right)?);
        Some(Sides { left, operator: operator.to_owned(), right })
    })
}

/// Whether a text is a number, a string, TRUE or FALSE, or an empty set or tuple, so that nothing in it has another
/// value.
fn is_literal(text: &str) -> bool {
    let is_number = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let is_text = inner.is_some_and(|inner| !inner.contains('"'));
    is_number || is_text || ["TRUE", "FALSE", "{}", "<<>>"].contains(&text)
}

#[cfg(test)]
mod tests {
    use trace::{Binding, Datum, Failure};

    use super::sides;

    fn check(text: &str, values: &[(&str, i64)], expected: Option<[&str; 5]>) {
        let values = values.iter().map(|&(name, value)| Binding::new(name, Datum::int(value))).collect();
        let failure = Failure { text: text.to_owned(), place: None, values, calls: Vec::new() };
        let found = sides(&failure).map(|found| {
            [found.left.text, found.left.value, found.operator, found.right.text, found.right.value]
        });
        assert_eq!(found, expected.map(|parts| parts.map(str::to_owned)), "{text}");
    }

    #[test]
    fn what_is_compared_is_found_by_its_text() {
        check("x = 1", &[("x", 2)], Some(["x", "2", "=", "1", "1"]));
        check("x' <= y", &[("x'", 2), ("y", 1)], Some(["x'", "2", "<=", "y", "1"]));
        check("f[a = b] = c", &[("f[a = b]", 1), ("c", 2), ("a", 1)], Some(["f[a = b]", "1", "=", "c", "2"]));
        check("x \\in S", &[("x", 1)], None);
        check("Ok(x)", &[("x", 1)], None);
        check("x = event.x", &[("x'", 2), ("event.x", 3)], Some(["x", "2", "=", "event.x", "3"]));
    }
}
