//! Compares the arguments of functions, which TLC prints as names of fields, regardless of the order of elements.

use base::with_stack;

use super::write::key;
use crate::Datum;
use crate::itf::Json;

/// Returns the field whose name TLC can have printed for `argument`.
pub(super) fn field<'j>(fields: &'j [(String, Json)], argument: &Datum) -> Option<&'j Json> {
    let printed = key(argument);
    let exact = fields.iter().find(|(name, _)| *name == printed);
    let found = exact.or_else(|| {
        let wanted = Some(argument).filter(|argument| has_parts(argument)).map(|_| sort_parts(&printed))?;
        fields.iter().find(|(name, _)| name.len() == printed.len() && sort_parts(name) == wanted)
    });
    found.map(|(_, json)| json)
}

/// Whether a field of this name can be that of `argument`.
pub(super) fn is_key(name: &str, argument: &Datum) -> bool {
    let printed = key(argument);
    name == printed || has_parts(argument) && sort_parts(name) == sort_parts(&printed)
}

fn has_parts(argument: &Datum) -> bool {
    match argument {
        Datum::Set(_) | Datum::Seq(_) | Datum::Record(_) | Datum::Function(_) => true,
        Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) | Datum::Opaque(_) => false,
    }
}

/// Returns a printed value with the parts of each set, record and function in the order of their texts. Other texts
/// stay as they are.
fn sort_parts(text: &str) -> String {
    with_stack(|| {
        let (mut result, mut rest) = (String::new(), text);
        while let Some(first) = rest.chars().next() {
            // The items of a sequence stay where they are.
            let len = group_len(rest).filter(|_| first != '<').unwrap_or(first.len_utf8());
            let (group, after) = rest.split_at(len);
            match first {
                '{' | '[' if group.len() > 1 => result.push_str(&sort_group(group, ",", ", ")),
                '(' if group.len() > 1 => result.push_str(&sort_group(group, "@@", " @@ ")),
                _ => result.push_str(group),
            }
            rest = after;
        }
        result
    })
}

/// Returns a group in brackets with its parts in order.
fn sort_group(group: &str, separator: &str, between: &str) -> String {
    let inner = &group[1..group.len() - 1];
    let mut parts: Vec<String> =
        split(inner, separator).into_iter().map(|part| sort_parts(part.trim())).collect();
    parts.sort();
    format!("{}{}{}", &group[..1], parts.join(between), &group[group.len() - 1..])
}

/// Returns the parts between separators that are neither in a string nor in brackets.
fn split<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    while let Some(first) = text[at..].chars().next() {
        if text[at..].starts_with(separator) {
            parts.push(&text[start..at]);
            at += separator.len();
            start = at;
        } else {
            at += group_len(&text[at..]).unwrap_or(first.len_utf8());
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Returns the length of the string or the group in brackets at the beginning of a text.
fn group_len(text: &str) -> Option<usize> {
    let mut open: Vec<char> = Vec::new();
    let (mut is_string, mut is_escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_string => is_escaped = true,
            '"' => is_string = !is_string,
            _ if is_string => {}
            '{' => open.push('}'),
            '[' => open.push(']'),
            '(' => open.push(')'),
            '<' => open.push('>'),
            '}' | ']' | ')' | '>' if open.last() == Some(&c) => {
                open.pop();
            }
            _ => {}
        }
        if open.is_empty() && !is_string {
            let is_group = at > 0;
            return is_group.then_some(at + c.len_utf8());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{is_key, sort_parts};
    use crate::Datum;

    #[test]
    fn elements_and_fields_have_no_order() {
        assert_eq!(sort_parts("{q, p}"), sort_parts("{p, q}"));
        assert_eq!(sort_parts("{{b, a}, {}}"), sort_parts("{{}, {a, b}}"));
        assert_eq!(sort_parts("[zz |-> 1, aa |-> {2, 1}]"), sort_parts("[aa |-> {1, 2}, zz |-> 1]"));
        assert_eq!(sort_parts("(b :> 1 @@ a :> <<2, 1>>)"), sort_parts("(a :> <<2, 1>> @@ b :> 1)"));
    }

    #[test]
    fn sequences_and_strings_have_one() {
        assert_ne!(sort_parts("<<1, 2>>"), sort_parts("<<2, 1>>"));
        assert_ne!(sort_parts("{\"b, a\"}"), sort_parts("{\"a, b\"}"));
        assert_eq!(sort_parts("{\"}\\\"\", 1}"), sort_parts("{1, \"}\\\"\"}"));
        assert_ne!(sort_parts("{<<2, 1>>}"), sort_parts("{<<1, 2>>}"));
        assert_eq!(sort_parts("{<<{2, 1}>>}"), sort_parts("{<<{1, 2}>>}"));
    }

    #[test]
    fn a_string_is_not_what_it_looks_like() {
        assert!(!is_key("{q, p}", &Datum::string("{p, q}")));
        assert!(is_key("{q, p}", &Datum::set(vec![Datum::model("p"), Datum::model("q")])));
        assert!(!is_key("{q, r}", &Datum::set(vec![Datum::model("p"), Datum::model("q")])));
    }
}
