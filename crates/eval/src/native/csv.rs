//! CSV: lines of delimited text, appended to a file and read back.

use std::io::ErrorKind;

use value::{Value, ValueVec};

use super::call::{ArgPosition, Call};
use super::format::format;
use super::json::save;
use crate::interp::Evaluated;
use crate::world::Opening;

type Result<'r> = Evaluated<Value<'r>>;

pub(super) fn write<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [template, values, path] = call.values()?;
    let template = call.text(ArgPosition::First, template)?;
    let path = call.text(ArgPosition::Third, path)?;
    let mut texts = Vec::new();
    for item in call.sequence(ArgPosition::Only, values)? {
        texts.push(call.show(item)?);
    }
    let line = format(template, &texts).map_err(|reason| call.malformed_fault(reason))?;
    save(call, path, &(line + "\n"), Opening::APPEND)
}

pub(super) fn write_record<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [record, delimiter, headers, path] = call.values()?;
    let delimiter = call.text(ArgPosition::Second, delimiter)?;
    let headers = call.boolean(ArgPosition::Third, headers)?;
    let path = call.text(ArgPosition::Fourth, path)?;
    let Some((shape, values)) = record.as_record() else {
        return Err(call.refuse(ArgPosition::Only, "record", record));
    };
    let mut text = String::new();
    if headers {
        let names: Vec<&str> = shape.fields().iter().map(|field| field.text()).collect();
        text = names.join(delimiter) + "\n";
    }
    let mut texts = Vec::new();
    for value in values {
        texts.push(call.show(value)?);
    }
    text += &(texts.join(delimiter) + "\n");
    save(call, path, &text, Opening::APPEND)
}

/// Returns the text of a file, or `None` when there is no such file.
fn load(call: &mut Call<'_, '_, '_>, path: &str) -> Evaluated<Option<String>> {
    match call.machine.run().world().read(path) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(call.io(path, "it is not UTF-8 text")),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(call.io(path, error)),
    }
}

pub(super) fn read<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [columns, delimiter, path] = call.values()?;
    let delimiter = call.text(ArgPosition::Second, delimiter)?;
    let path = call.text(ArgPosition::Third, path)?;
    let mut names = Vec::new();
    for column in call.sequence(ArgPosition::Only, columns)? {
        names.push(call.text(ArgPosition::First, column)?);
    }
    let mut records = ValueVec::new(call.machine.region());
    for (index, line) in load(call, path)?.unwrap_or_default().lines().enumerate() {
        let texts = split(line, delimiter);
        if texts.len() < names.len() {
            let reason = format!("line {} has {} of {} columns", index + 1, texts.len(), names.len());
            return Err(call.io(path, reason));
        }
        let fields: Vec<_> = names.iter().zip(texts).map(|(&name, text)| (name, call.string(text))).collect();
        let record = call.record(&fields)?;
        records.push(record);
    }
    Ok(records.into_sequence())
}

/// Splits a line into columns. TLC: the delimiter is a regular expression there; an escaped one stands for itself here
/// too. Empty columns at the end are dropped.
fn split<'t>(line: &'t str, delimiter: &str) -> Vec<&'t str> {
    let delimiter = delimiter.strip_prefix('\\').unwrap_or(delimiter);
    let mut columns: Vec<&str> =
        if delimiter.is_empty() { vec![line] } else { line.split(delimiter).collect() };
    while columns.len() > 1 && columns.last().is_some_and(|column| column.is_empty()) {
        columns.pop();
    }
    columns
}

pub(super) fn records<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [path] = call.values()?;
    let path = call.text(ArgPosition::Only, path)?;
    let n_lines = load(call, path)?.map_or(0, |text| text.lines().count());
    Ok(call.machine.region().int(n_lines as i64))
}
