//! A value as a tree: its parts below each other.

use trace::Datum;

/// Draws a value, one part a line.
pub fn tree(datum: &Datum) -> String {
    let mut lines = Vec::new();
    draw(datum, ("", ""), &mut lines);
    lines.join("\n")
}

/// Draws a value. The lines begin with `first`, and those below the first with `rest`.
fn draw(datum: &Datum, (first, rest): (&str, &str), lines: &mut Vec<String>) {
    let parts = parts(datum);
    lines.push(format!("{first}{}", heading(datum, parts.len())));
    for (index, (name, part)) in parts.iter().enumerate() {
        let is_last = index + 1 == parts.len();
        let (branch, below) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        let (first, rest) = (format!("{rest}{branch}{name}"), format!("{rest}{below}"));
        base::with_stack(|| draw(part, (&first, &rest), lines));
    }
}

fn heading(datum: &Datum, n_parts: usize) -> String {
    let count = |what: &str, part: &str| {
        let plural = if n_parts == 1 { "" } else { "s" };
        format!("{what} of {n_parts} {part}{plural}")
    };
    match datum {
        _ if n_parts == 0 => datum.to_string(),
        Datum::Seq(_) => count("sequence", "element"),
        Datum::Set(_) => count("set", "element"),
        Datum::Record(_) => count("record", "field"),
        Datum::Function(_) => count("function", "argument"),
        Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) | Datum::Opaque(_) => {
            datum.to_string()
        }
    }
}

/// The parts of a value, with what stands before each.
fn parts(datum: &Datum) -> Vec<(String, &Datum)> {
    match datum {
        Datum::Seq(items) => {
            items.iter().enumerate().map(|(index, item)| (format!("[{}] ", index + 1), item)).collect()
        }
        Datum::Set(items) => items.iter().map(|item| (String::new(), item)).collect(),
        Datum::Record(fields) => fields.iter().map(|(name, value)| (format!("{name}: "), value)).collect(),
        Datum::Function(pairs) => {
            pairs.iter().map(|(argument, value)| (format!("[{argument}] "), value)).collect()
        }
        Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) | Datum::Opaque(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::tree;
    use trace::Datum;

    #[test]
    fn parts_stand_below_what_they_are_parts_of() {
        let set = Datum::set(vec![Datum::int(1), Datum::string("a")]);
        let record = Datum::record([("in", set), ("none", Datum::seq(vec![]))]);
        let drawn = tree(&Datum::seq(vec![record, Datum::Bool(true)]));
        let expected = "sequence of 2 elements\n├─ [1] record of 2 fields\n│  ├─ in: set of 2 elements\n\
                        │  │  ├─ 1\n│  │  └─ \"a\"\n│  └─ none: <<>>\n└─ [2] TRUE";
        assert_eq!(drawn, expected);
    }
}
