//! SequencesExt: search and replace, in sequences and in strings.

use value::{Items, Value, ValueVec};

use super::call::{ArgPosition, Call};
use super::sequences_ext::stands_at;
use crate::interp::Evaluated;

type Result<'r> = Evaluated<Value<'r>>;

/// `ReplaceFirstSubSeq(r, s, t)`: t with the first s replaced by r. An empty s is found at the start.
pub(super) fn replace_first<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let parts: [Value<'r>; 3] = call.values()?;
    if let Some([r, s, t]) = texts(parts) {
        return Ok(call.string(&t.replacen(s, r, 1)));
    }
    let [r, s, t] = sequences(call, parts)?;
    for at in starts(s, t) {
        if stands_at(call, t, at, s)? {
            let mut result = ValueVec::new(call.machine.region());
            result.extend(t.slice(0, at));
            result.extend(r);
            result.extend(t.slice(at + s.len(), t.len() - at - s.len()));
            return Ok(result.into_sequence());
        }
    }
    Ok(parts[2])
}

/// `ReplaceAllSubSeqs(r, s, t)`: t with every s replaced by r, from left to right. An empty s is found before
/// every element.
pub(super) fn replace_all<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let parts: [Value<'r>; 3] = call.values()?;
    if let Some([r, s, t]) = texts(parts) {
        let result = if s.is_empty() { before_each(r, t) } else { t.replace(s, r) };
        return Ok(call.string(&result));
    }
    let [r, s, t] = sequences(call, parts)?;
    if t.is_empty() && s.is_empty() {
        return Ok(parts[0]);
    }
    let mut result = ValueVec::new(call.machine.region());
    let mut at = 0;
    while at < t.len() {
        let found = at + s.len() <= t.len() && stands_at(call, t, at, s)?;
        if found {
            result.extend(r);
        }
        if found && !s.is_empty() {
            at += s.len();
        } else {
            result.push(t.get(at));
            at += 1;
        }
    }
    Ok(result.into_sequence())
}

fn before_each(r: &str, t: &str) -> String {
    if t.is_empty() {
        return r.to_owned();
    }
    t.chars().flat_map(|char| r.chars().chain(std::iter::once(char))).collect()
}

fn texts(parts: [Value<'_>; 3]) -> Option<[&'static str; 3]> {
    let [r, s, t] = parts.map(|part| part.as_string().map(|atom| atom.text()));
    Some([r?, s?, t?])
}

fn sequences<'r>(call: &mut Call<'_, '_, 'r>, [r, s, t]: [Value<'r>; 3]) -> Evaluated<[Items<'r>; 3]> {
    Ok([
        call.sequence(ArgPosition::First, r)?,
        call.sequence(ArgPosition::Second, s)?,
        call.sequence(ArgPosition::Third, t)?,
    ])
}

/// Returns the indices at which `part` could start.
fn starts(part: Items<'_>, whole: Items<'_>) -> std::ops::Range<usize> {
    if part.len() > whole.len() { 0..0 } else { 0..whole.len() - part.len() + 1 }
}
