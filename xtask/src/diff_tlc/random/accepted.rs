//! Differences between TLC and us that are known and need no investigation.

/// Inputs that only TLC refuses, by a part of its message, with the reasons.
const ONLY_TLC_REFUSES: &[(&str, &str)] = &[
    (
        "Cannot cast",
        "an operator without a use for its parameters is a value to TLC, and its Java code fails",
    ),
    ("should be an operator, but instead it is", "likewise"),
    ("The argument of IsInjective should be a function", "its Java code knows few forms of functions"),
    ("Functions.antiFunction", "its Java code wants an injective function, which the definition does not"),
    (
        "Attempted to check equality of record",
        "the empty function on an interval is no record, and an element of a set is compared with what is looked for",
    ),
    ("non integral index", "the empty function is not the empty sequence there"),
];

/// Inputs that only we refuse, by a part of our message, with the reasons.
const ONLY_WE_REFUSE: &[(&str, &str)] = &[
    ("`ReplaceFirstSubSeq` needs a sequence", "TLC does not look at what it does not insert"),
    ("`IsFiniteSet` needs a set", "sequences and functions are finite sets to TLC"),
    ("`UNION` needs a set", "TLC fails when the elements are asked for, and they may never be"),
    ("`\\cup` needs a set", "likewise"),
    ("`\\cap` needs a set", "likewise"),
    ("`\\` needs a set", "likewise"),
    (
        "cannot enumerate <<>>",
        "a sequence is no set; TLC counts the elements of `SUBSET <<>>` by the length of the sequence, and finds `{}` in it",
    ),
    (
        "`Cardinality` needs a set, not a sequence: <<>>",
        "likewise; TLC counts the functions of `[<<>> -> S]` by the length of the sequence",
    ),
    ("cannot compare the record", "a function on strings is a record, which TLC knows by how it was made"),
];

pub fn is_tlcs_own(message: &str) -> bool {
    ONLY_TLC_REFUSES.iter().any(|(part, _)| message.contains(part))
}

pub fn is_our_own(message: &str) -> bool {
    ONLY_WE_REFUSE.iter().any(|(part, _)| message.contains(part))
}

/// Whether TLC printed a function that it has not made explicit, which it shows by the place of its text.
pub fn is_unfinished(theirs: &[String]) -> bool {
    theirs.iter().any(|line| line.contains("<expression line"))
}

/// Returns a printed value without irrelevant details: line breaks, and whether a set was an interval. TLC keeps
/// intervals inside values, and prints the domain of a function as it was written.
pub fn plain(lines: &[String]) -> String {
    let words: Vec<&str> = lines.iter().flat_map(|line| line.split_whitespace()).collect();
    let text =
        words.join(" ").replace("<< ", "<<").replace(" >>", ">>").replace("{ ", "{").replace(" }", "}");
    expand_intervals(&text)
}

fn expand_intervals(text: &str) -> String {
    let Some(dots) = text.find("..") else { return text.to_owned() };
    let (before, after) = (&text[..dots], &text[dots + 2..]);
    let is_part = |c: char| c.is_ascii_digit() || c == '-';
    let start = before.rfind(|c| !is_part(c)).map_or(0, |at| at + 1);
    let end = after.find(|c| !is_part(c)).unwrap_or(after.len());
    let bounds = before[start..].parse::<i64>().ok().zip(after[..end].parse::<i64>().ok());
    let (shown, rest) = match bounds {
        Some((low, high)) => {
            let members: Vec<String> = (low..=high).map(|member| member.to_string()).collect();
            (format!("{}{{{}}}", &before[..start], members.join(", ")), &after[end..])
        }
        None => (format!("{before}.."), after),
    };
    shown + &expand_intervals(rest)
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn an_interval_is_its_elements() {
        let lines = ["<< -1..1,".to_owned(), "   {0..0, 2..3} >>".to_owned()];
        assert_eq!(plain(&lines), "<<{-1, 0, 1}, {{0}, {2, 3}}>>");
    }
}
