//! A sample of a log: its fields and their values.

use base::{FxIndexMap, FxIndexSet};

use crate::log::Json;

/// The most different values of a field that are distinguished.
const VALUES_MAX: usize = 64;

/// The events of the files that were examined.
#[derive(Default)]
pub(super) struct Sample {
    pub events: Vec<(usize, Json)>,
    pub n_files: usize,
    pub n_unread: usize,
}

/// A field at the top of events.
#[derive(Default)]
pub(super) struct Field {
    pub n_events: usize,
    /// Its values that are strings or integers.
    pub words: FxIndexSet<String>,
    pub is_word: bool,
    pub is_text: bool,
    pub is_int: bool,
    /// Whether it is an object of integers, which may be a vector clock.
    pub is_counts: bool,
    /// The number of elements, if it is always an array of so many strings and numbers.
    pub n_scalars: Option<usize>,
    /// Whether it lists changes of a value, each an object with `op`, and is not the value itself.
    pub is_changes: bool,
    /// Whether it never decreases within a file.
    pub is_growing: bool,
    pub is_constant_in_file: bool,
}

impl Sample {
    pub fn read(files: &[Vec<String>]) -> Sample {
        let mut sample = Sample { n_files: files.len(), ..Sample::default() };
        for (file, lines) in files.iter().enumerate() {
            for line in lines.iter().filter(|line| !line.trim().is_empty()) {
                match serde_json::from_str::<Json>(line.trim()) {
                    Ok(tree @ Json::Object(_)) => sample.events.push((file, tree)),
                    Ok(_) | Err(_) => sample.n_unread += 1,
                }
            }
        }
        sample
    }

    /// Returns the fields that are an object in some event.
    pub fn object_fields(&self) -> FxIndexSet<String> {
        let members = self.events.iter().flat_map(|(_, event)| match event {
            Json::Object(members) => members.as_slice(),
            Json::Null | Json::Bool(_) | Json::Int(_) | Json::Big(_) | Json::Other(_) => &[],
            Json::Text(_) | Json::Array(_) => &[],
        });
        let objects = members.filter(|(_, value)| matches!(value, Json::Object(_)));
        objects.map(|(name, _)| name.to_string()).collect()
    }

    /// Returns the sample of the objects in this field.
    pub fn inside(&self, field: &str) -> Sample {
        let inner = |(file, event): &(usize, Json)| match event.field(field)? {
            object @ Json::Object(_) => Some((*file, object.clone())),
            Json::Null | Json::Bool(_) | Json::Int(_) | Json::Big(_) | Json::Other(_) => None,
            Json::Text(_) | Json::Array(_) => None,
        };
        Sample { events: self.events.iter().filter_map(inner).collect(), ..*self }
    }

    /// Returns the fields of these events, in the order of their first occurrence.
    pub fn fields<'s>(events: impl Iterator<Item = &'s (usize, Json)>) -> FxIndexMap<String, Field> {
        let mut fields: FxIndexMap<String, Field> = FxIndexMap::default();
        let mut last: FxIndexMap<(usize, String), &Json> = FxIndexMap::default();
        for (file, event) in events {
            let Json::Object(members) = event else { continue };
            for (name, value) in members {
                let fresh = Field { is_growing: true, is_constant_in_file: true, ..Field::default() };
                let field = fields.entry(name.to_string()).or_insert(fresh);
                field.see(value, last.insert((*file, name.to_string()), value));
            }
        }
        fields
    }
}

impl Field {
    fn see(&mut self, value: &Json, before: Option<&Json>) {
        let is_first = self.n_events == 0;
        let is_now = |was: bool, is: bool| (was || is_first) && is;
        self.is_text = is_now(self.is_text, matches!(value, Json::Text(_)));
        self.is_int = is_now(self.is_int, matches!(value, Json::Int(_)));
        self.is_counts = is_now(self.is_counts, is_counts(value));
        let n_scalars = n_scalars(value);
        self.n_scalars = n_scalars.filter(|_| is_first || self.n_scalars == n_scalars);
        self.is_changes = is_now(self.is_changes, is_changes(value));
        let word = value.word();
        self.is_word = is_now(self.is_word, word.is_some());
        self.n_events += 1;
        if self.words.len() <= VALUES_MAX {
            self.words.extend(word);
        }
        if let Some(before) = before {
            self.is_constant_in_file &= before == value;
            self.is_growing &= match (before, value) {
                (Json::Int(before), Json::Int(value)) => before <= value,
                (Json::Text(before), Json::Text(value)) => before <= value,
                _ => false,
            };
        }
    }

    /// Returns the number of different values, if they were distinguished.
    pub fn n_values(&self) -> Option<usize> {
        (self.is_word && self.words.len() <= VALUES_MAX).then_some(self.words.len())
    }
}

fn is_counts(value: &Json) -> bool {
    let Json::Object(members) = value else { return false };
    !members.is_empty() && members.iter().all(|(_, count)| matches!(count, Json::Int(_)))
}

fn n_scalars(value: &Json) -> Option<usize> {
    let Json::Array(items) = value else { return None };
    items.iter().all(|item| item.word().is_some()).then_some(items.len())
}

fn is_changes(value: &Json) -> bool {
    let Json::Array(items) = value else { return false };
    !items.is_empty() && items.iter().all(|item| item.field("op").is_some())
}
