//! The identity of a search: every text that was loaded, and the options that its answer depends on.

use std::path::Path;

use model::Model;

use super::bytes::{Read, RecordReader, checksum, mix, put_number, put_text};
use crate::options::{Options, Search};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    texts: Vec<Text>,
    /// Names and values of options.
    options: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Text {
    /// A file's name without its folder, or where else the text comes from.
    name: String,
    /// Two sums, so that 128 bits tell texts apart.
    sums: (u64, u64),
}

impl Identity {
    pub fn of(model: Model<'_>, options: &Options<'_>) -> Identity {
        let sources = &model.spec.sources;
        let text = |source| {
            let file = sources.file(source);
            let name =
                Path::new(file.name()).file_name().map_or(file.name().into(), |name| name.to_string_lossy());
            let bytes = file.text().as_bytes();
            let reversed: u64 = bytes.iter().rev().fold(1, |sum, &byte| mix(sum, u64::from(byte)));
            Text { name: name.into_owned(), sums: (checksum(bytes), reversed) }
        };
        Identity { texts: sources.ids().map(text).collect(), options: options_of(options) }
    }

    pub fn put(&self, bytes: &mut Vec<u8>) {
        put_number(bytes, self.texts.len() as u64);
        for text in &self.texts {
            put_text(bytes, &text.name);
            put_number(bytes, text.sums.0);
            put_number(bytes, text.sums.1);
        }
        put_number(bytes, self.options.len() as u64);
        for (name, value) in &self.options {
            put_text(bytes, name);
            put_text(bytes, value);
        }
    }

    pub fn read(reader: &mut RecordReader<'_>) -> Read<Identity> {
        let mut identity = Identity { texts: Vec::new(), options: Vec::new() };
        for _ in 0..reader.len()? {
            let name = reader.text()?.to_owned();
            identity.texts.push(Text { name, sums: (reader.number()?, reader.number()?) });
        }
        for _ in 0..reader.len()? {
            identity.options.push((reader.text()?.to_owned(), reader.text()?.to_owned()));
        }
        Ok(identity)
    }

    /// Everything in which `self`, a run that is to go on, is not what it `was`.
    pub fn differences(&self, was: &Identity) -> Vec<String> {
        let mut differences = Vec::new();
        for text in &self.texts {
            match was.texts.iter().find(|other| other.name == text.name) {
                Some(other) if other == text => {}
                Some(_) => differences.push(format!("`{}` is not what it was", text.name)),
                None => differences.push(format!("`{}` was not part of it", text.name)),
            }
        }
        let is_gone = |other: &&Text| self.texts.iter().all(|text| text.name != other.name);
        differences
            .extend(was.texts.iter().filter(is_gone).map(|other| format!("`{}` was part of it", other.name)));
        for ((name, is), (_, was)) in self.options.iter().zip(&was.options) {
            if is != was {
                differences.push(format!("{name} is {is}, and was {was}"));
            }
        }
        if differences.is_empty() && self != was {
            differences.push("its modules were loaded in another order".to_owned());
        }
        differences
    }
}

/// Lists the options in an order that is equal for every search.
fn options_of(options: &Options<'_>) -> Vec<(String, String)> {
    let is_depth_first = match options.search {
        Search::BreadthFirst => false,
        Search::DepthFirst => true,
    };
    let or_none = |number: Option<String>| number.unwrap_or_else(|| "not given".to_owned());
    // What lies deeper is not on the stack of a depth-first search; a level is still there.
    let depth = or_none(options.depth_max.filter(|_| is_depth_first).map(|depth| depth.to_string()));
    let go_on = match options.violations_max {
        Some(1) => "not given".to_owned(),
        Some(max) => format!("up to violation {max}"),
        None => "through all violations".to_owned(),
    };
    let fact = |name: &str, value: String| (name.to_owned(), value);
    vec![
        fact("`--search`", if is_depth_first { "dfs" } else { "bfs" }.to_owned()),
        fact("`--deadlock`", if options.check_deadlock { "on" } else { "off" }.to_owned()),
        fact("`--continue`", go_on),
        fact("`--seed`", options.seed.to_string()),
        fact("`--depth` of a depth-first search", depth),
    ]
}
