//! Arguments of functions as TLC prints them, which are names of fields: compared whatever the order of elements is.

use base::with_stack;

use super::write::key;
use crate::Datum;
use crate::itf::Json;

/// The field whose name TLC can have printed of `argument`.
pub(super) fn field<'j>(fields: &'j [(String, Json)], argument: &Datum) -> Option<&'j Json> {
    let printed = key(argument);
    let exact = fields.iter().find(|(name, _)| *name == printed);
    let found = exact.or_else(|| {
        let wanted = Some(argument).filter(|argument| has_parts(argument)).map(|_| in_one_order(&printed))?;
        fields.iter().find(|(name, _)| name.len() == printed.len() && in_one_order(name) == wanted)
    });
    found.map(|(_, json)| json)
}

/// Whether a field of this name can be that of `argument`.
pub(super) fn is_key(name: &str, argument: &Datum) -> bool {
    let printed = key(argument);
    name == printed || has_parts(argument) && in_one_order(name) == in_one_order(&printed)
}

fn has_parts(argument: &Datum) -> bool {
    match argument {
        Datum::Set(_) | Datum::Seq(_) | Datum::Record(_) | Datum::Function(_) => true,
        Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) | Datum::Opaque(_) => false,
    }
}

/// A printed value with the parts of each set, record and function in the order of their text. What is no printed value
/// stays as it is.
fn in_one_order(text: &str) -> String {
    with_stack(|| {
        let (mut result, mut rest) = (String::new(), text);
        while let Some(first) = rest.chars().next() {
            // The items of a sequence stay where they are.
            let len = group_len(rest).filter(|_| first != '<').unwrap_or(first.len_utf8());
            let (group, after) = rest.split_at(len);
            match first {
                '{' | '[' if group.len() > 1 => result.push_str(&sorted(group, ",", ", ")),
                '(' if group.len() > 1 => result.push_str(&sorted(group, "@@", " @@ ")),
                _ => result.push_str(group),
            }
            rest = after;
        }
        result
    })
}

/// A group in brackets with its parts in order.
fn sorted(group: &str, separator: &str, between: &str) -> String {
    let inner = &group[1..group.len() - 1];
    let mut parts: Vec<String> =
        split(inner, separator).into_iter().map(|part| in_one_order(part.trim())).collect();
    parts.sort();
    format!("{}{}{}", &group[..1], parts.join(between), &group[group.len() - 1..])
}

/// The parts between separators that are in no string and in no brackets.
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

/// How long the string or the group in brackets is that a text begins with.
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
    use super::{in_one_order, is_key};
    use crate::Datum;

    #[test]
    fn elements_and_fields_have_no_order() {
        assert_eq!(in_one_order("{q, p}"), in_one_order("{p, q}"));
        assert_eq!(in_one_order("{{b, a}, {}}"), in_one_order("{{}, {a, b}}"));
        assert_eq!(in_one_order("[zz |-> 1, aa |-> {2, 1}]"), in_one_order("[aa |-> {1, 2}, zz |-> 1]"));
        assert_eq!(in_one_order("(b :> 1 @@ a :> <<2, 1>>)"), in_one_order("(a :> <<2, 1>> @@ b :> 1)"));
    }

    #[test]
    fn sequences_and_strings_have_one() {
        assert_ne!(in_one_order("<<1, 2>>"), in_one_order("<<2, 1>>"));
        assert_ne!(in_one_order("{\"b, a\"}"), in_one_order("{\"a, b\"}"));
        assert_eq!(in_one_order("{\"}\\\"\", 1}"), in_one_order("{1, \"}\\\"\"}"));
        assert_ne!(in_one_order("{<<2, 1>>}"), in_one_order("{<<1, 2>>}"));
        assert_eq!(in_one_order("{<<{2, 1}>>}"), in_one_order("{<<{1, 2}>>}"));
    }

    #[test]
    fn a_string_is_not_what_it_looks_like() {
        assert!(!is_key("{q, p}", &Datum::string("{p, q}")));
        assert!(is_key("{q, p}", &Datum::set(vec![Datum::model("p"), Datum::model("q")])));
        assert!(!is_key("{q, r}", &Datum::set(vec![Datum::model("p"), Datum::model("q")])));
    }
}
