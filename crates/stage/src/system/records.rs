//! Framing by content, as users describe it: records whose lengths follow from what is in them.

use super::file::{AnswerTable, BodyTable, FieldTable, FramingTable, PreambleTable, RuleName};
use super::{OFFSET_MAX, SystemError, error_at};
use crate::net::{Answer, Body, Field, Length, Preamble, Records, Rule, Run};

/// The deepest vector in a vector.
const DEPTH_MAX: usize = 8;

/// Reads the fields of a record, and what may follow it.
pub(super) fn check(table: &FramingTable) -> Result<Records, SystemError> {
    let Some(given) = &table.fields else {
        return Err(error_at(&table.rule, "`rule = \"records\"` needs `fields`"));
    };
    let fields = check_fields(given.get_ref(), DEPTH_MAX).map_err(|message| error_at(given, message))?;
    let Some(run) = &table.run else { return Ok(Records { fields, run: None }) };
    if !matches!(fields.first(), Some(Field::Fixed(1..=8))) {
        return Err(error_at(run, "a run follows records that begin with a number"));
    }
    if run.get_ref().end.is_empty() {
        return Err(error_at(run, "a run ends with at least one byte"));
    }
    let (after, end) = (run.get_ref().after, run.get_ref().end.clone().into_bytes());
    Ok(Records { fields, run: Some(Run { after, end }) })
}

/// Reads what comes before the first message.
pub(super) fn check_preamble(given: Option<&toml::Spanned<PreambleTable>>) -> Result<Preamble, SystemError> {
    let Some(given) = given else { return Ok(Preamble::None) };
    match given.get_ref() {
        PreambleTable::Bytes(n) => Ok(Preamble::Bytes(*n)),
        PreambleTable::Fields(fields) => {
            let fields = check_fields(fields, DEPTH_MAX).map_err(|message| error_at(given, message))?;
            Ok(Preamble::Record(fields))
        }
    }
}

/// Reads which answer a client waits for.
pub(super) fn check_answer(given: Option<&toml::Spanned<AnswerTable>>) -> Result<Answer, SystemError> {
    let Some(given) = given else { return Ok(Answer::default()) };
    let rule = match given.get_ref().rule {
        RuleName::Line => Rule::Line,
        RuleName::Jute | RuleName::Length => Rule::Length(Length::default()),
        RuleName::Varint => Rule::Varint,
        RuleName::Http => Rule::Http(None),
        RuleName::None | RuleName::Records => {
            return Err(error_at(
                given,
                "answers are counted by `line`, `length`, `jute`, `varint` or `http`",
            ));
        }
    };
    match given.get_ref().count {
        0 => Err(error_at(given, "a client waits for at least one message")),
        n_messages => Ok(Answer { rule, n_messages }),
    }
}

/// Reads what follows messages of a kind, whose length has `offset` bytes before it.
pub(super) fn check_body(given: &toml::Spanned<BodyTable>, offset: usize) -> Result<Body, SystemError> {
    let BodyTable { kind, at, every, width } = *given.get_ref();
    if !(1..=8).contains(&offset) {
        return Err(error_at(
            given,
            "the kind of a message is in the 1 to 8 bytes before its length (`offset`)",
        ));
    }
    if !(1..=8).contains(&width) {
        return Err(error_at(given, "a number has 1 to 8 bytes"));
    }
    if every > 0 && every < width || every > OFFSET_MAX || at.unsigned_abs() > OFFSET_MAX as u64 {
        return Err(error_at(
            given,
            format!("numbers are at most {OFFSET_MAX} bytes away, and do not overlap"),
        ));
    }
    Ok(Body { kind, at, every, width })
}

fn check_fields(fields: &[FieldTable], depth: usize) -> Result<Vec<Field>, String> {
    if depth == 0 {
        return Err(format!("vectors are at most {DEPTH_MAX} deep"));
    }
    if fields.is_empty() {
        return Err("a record has at least one field".to_owned());
    }
    fields.iter().map(|field| check_field(field, depth)).collect()
}

fn check_field(field: &FieldTable, depth: usize) -> Result<Field, String> {
    match field {
        FieldTable::Vector(fields) => Ok(Field::Vector(check_fields(fields, depth - 1)?)),
        FieldTable::Kind(kind) => match kind.as_str() {
            "byte" => Ok(Field::Fixed(1)),
            "short" => Ok(Field::Fixed(2)),
            "int" => Ok(Field::Fixed(4)),
            "long" => Ok(Field::Fixed(8)),
            "buffer" => Ok(Field::Counted),
            other => Err(format!(
                "`{other}` is no kind of field: there are `byte`, `short`, `int`, `long`, `buffer`, and lists of \
                 fields"
            )),
        },
    }
}
