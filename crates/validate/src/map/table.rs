//! Tables of TOML with places. Keys are requested by name, and keys that were not requested are errors.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::{MapError, Text};

type Item<'i> = Spanned<DeValue<'i>>;

/// A table that is being read.
pub struct Table<'t, 'i> {
    text: &'t str,
    table: &'t DeTable<'i>,
    /// A description of the table, for messages.
    name: &'t str,
    known: Vec<&'static str>,
}

/// The errors found so far.
pub type Errors = Vec<MapError>;

pub fn error(place: Range<usize>, message: impl Into<String>) -> MapError {
    MapError { message: message.into(), place, help: None }
}

impl<'t, 'i> Table<'t, 'i> {
    pub fn new(text: &'t str, name: &'t str, table: &'t DeTable<'i>) -> Self {
        Table { text, table, name, known: Vec::new() }
    }

    pub fn get(&mut self, key: &'static str) -> Option<&'t Item<'i>> {
        self.known.push(key);
        self.table.iter().find(|(known, _)| known.get_ref().as_ref() == key).map(|(_, value)| value)
    }

    /// Reports the keys that were not requested.
    pub fn finish(self, errors: &mut Errors) {
        for (key, _) in self.table {
            let name = key.get_ref().as_ref();
            if self.known.contains(&name) {
                continue;
            }
            let nearest = base::nearest(name, self.known.iter().copied());
            let mut unknown = error(key.span(), format!("{} has no key `{name}`", self.name));
            unknown.help = Some(match nearest {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("its keys are {}", list_names(&self.known)),
            });
            errors.push(unknown);
        }
    }

    pub fn string(&mut self, key: &'static str, errors: &mut Errors) -> Option<Text> {
        let item = self.get(key)?;
        text_of(self.text, item).or_else(|| report_wrong(item, key, "a string", errors))
    }

    /// Reads a string or a list of strings.
    pub fn strings(&mut self, key: &'static str, errors: &mut Errors) -> Vec<Text> {
        let Some(item) = self.get(key) else { return Vec::new() };
        let items: Vec<&Item<'i>> = match item.get_ref().as_array() {
            Some(array) => array.iter().collect(),
            None => vec![item],
        };
        let each = |item: &&Item<'i>| {
            text_of(self.text, item)
                .or_else(|| report_wrong(item, key, "a string or a list of strings", errors))
        };
        items.iter().filter_map(each).collect()
    }

    /// Reads a table of strings.
    pub fn pairs(&mut self, key: &'static str, errors: &mut Errors) -> Vec<(Text, Text)> {
        let Some(item) = self.get(key) else { return Vec::new() };
        match item.get_ref().as_table() {
            Some(table) => pairs(self.text, table, errors),
            None => report_wrong(item, key, "a table", errors).unwrap_or_default(),
        }
    }

    /// Reads the values of names: a table, or a list of names that are read from the fields of `event` with the same
    /// names.
    pub fn binds(&mut self, (key, event): (&'static str, &str), errors: &mut Errors) -> Vec<(Text, Text)> {
        let Some(item) = self.get(key) else { return Vec::new() };
        let Some(array) = item.get_ref().as_array() else { return self.pairs(key, errors) };
        let each = |item: &Item<'i>| {
            let name =
                text_of(self.text, item).or_else(|| report_wrong(item, key, "a list of names", errors))?;
            let field = Text { text: format!("{event}.{}", name.text), is_verbatim: false, ..name.clone() };
            Some((name, field))
        };
        array.iter().filter_map(each).collect()
    }

    /// Returns every key with its value, in the order of the file.
    pub fn entries(&mut self, key: &'static str, errors: &mut Errors) -> Vec<(Text, &'t Item<'i>)> {
        let Some(table) = self.table(key, errors) else { return Vec::new() };
        let entry = |(key, item): (&Spanned<DeString<'i>>, &'t Item<'i>)| {
            (key_text(self.text, key.get_ref(), key.span()), item)
        };
        let mut all: Vec<(Text, &'t Item<'i>)> = table.iter().map(entry).collect();
        all.sort_by_key(|(key, _)| key.place.start);
        all
    }

    pub fn number(&mut self, key: &'static str, errors: &mut Errors) -> Option<u32> {
        let item = self.get(key)?;
        let number = item.get_ref().as_integer().and_then(|integer| integer.as_str().parse().ok());
        number.or_else(|| report_wrong(item, key, "a number that is not negative", errors))
    }

    pub fn flag(&mut self, key: &'static str, errors: &mut Errors) -> Option<bool> {
        let item = self.get(key)?;
        item.get_ref().as_bool().or_else(|| report_wrong(item, key, "`true` or `false`", errors))
    }

    pub fn table(&mut self, key: &'static str, errors: &mut Errors) -> Option<&'t DeTable<'i>> {
        let item = self.get(key)?;
        item.get_ref().as_table().or_else(|| report_wrong(item, key, "a table", errors))
    }

    /// Reads `[[key]]`, each with its place.
    pub fn tables(&mut self, key: &'static str, errors: &mut Errors) -> Vec<(Range<usize>, &'t DeTable<'i>)> {
        let Some(item) = self.get(key) else { return Vec::new() };
        let Some(array) = item.get_ref().as_array() else {
            let expected = format!("a list of tables, each `[[{key}]]`");
            return report_wrong(item, key, &expected, errors).unwrap_or_default();
        };
        let each = |item: &'t Item<'i>| match item.get_ref().as_table() {
            Some(table) => Some((item.span(), table)),
            None => report_wrong(item, key, "a table", errors),
        };
        array.iter().filter_map(each).collect()
    }
}

/// Returns the entries of a table in the order of the file.
pub(super) fn pairs(text: &str, table: &DeTable<'_>, errors: &mut Errors) -> Vec<(Text, Text)> {
    let mut all = Vec::new();
    for (key, item) in table {
        match text_of(text, item) {
            Some(value) => all.push((key_text(text, key.get_ref(), key.span()), value)),
            None => drop(report_wrong::<()>(item, key.get_ref(), "a string", errors)),
        }
    }
    all.sort_by_key(|(key, _)| key.place.start);
    all
}

pub fn report_wrong<T>(item: &Item<'_>, key: &str, expected: &str, errors: &mut Errors) -> Option<T> {
    let found = item.get_ref().type_str();
    errors.push(error(item.span(), format!("`{key}` is to be {expected}, and is of type {found}")));
    None
}

pub fn text_of(source: &str, item: &Item<'_>) -> Option<Text> {
    Some(unquote(source, item.get_ref().as_str()?, item.span()))
}

pub fn key_text(source: &str, key: &str, span: Range<usize>) -> Text {
    unquote(source, key, span)
}

/// Creates a text from `span`, which includes the quotes if there are any.
fn unquote(source: &str, meant: &str, span: Range<usize>) -> Text {
    let written = source.get(span.clone()).unwrap_or_default();
    let inner = match written.find(meant) {
        Some(at) if at <= 4 => Some(span.start + at..span.start + at + meant.len()),
        Some(_) | None => None,
    };
    Text { text: meant.to_owned(), is_verbatim: inner.is_some(), place: inner.unwrap_or(span) }
}

pub(super) fn list_names(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
