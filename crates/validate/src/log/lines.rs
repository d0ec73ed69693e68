//! Converts raw lines to events, filtered and renamed as a mapping says.

use std::io::{self, BufRead, Read};

use base::{FxHashMap, FxIndexMap};
use diag::{Code, Diagnostic};

use super::shapes::Shapes;
use super::text::{DecodedInput, NoText, Oddity, open_decoded};
use super::{Event, Json, LogInput, at_line, shorten};
use crate::map::LogForm;

/// Lines that are skipped because the mapping has no rule for their kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    pub kind: String,
    pub n_lines: usize,
    /// The file of the first such line.
    pub file: String,
    pub line: usize,
}

pub(crate) type LineError = Box<Diagnostic>;

fn cannot_read(name: &str, error: &io::Error) -> LineError {
    Box::new(Diagnostic::without_place(Code::CannotRead, format!("cannot read `{name}`: {error}")))
}

pub(crate) struct Lines<'a, 'i> {
    form: &'a LogForm,
    inputs: Vec<Input<'i>>,
    pub names: Vec<String>,
    /// The kinds that have rules, by number.
    kinds: &'a FxHashMap<String, u32>,
    /// Whether events may be of any kind.
    takes_all: bool,
    /// The last kind at each node, or in each file if nodes have no names.
    last_kinds: FxHashMap<(u32, Option<Box<str>>), u32>,
    pub skipped: FxIndexMap<String, Skipped>,
    pub n_lines: usize,
    /// The fields of events that have rules.
    pub shapes: Shapes,
    /// Files that are read although something about them is unusual.
    pub odd: Vec<(String, Oddity)>,
}

/// The longest line; anything longer was not written as an event.
const LINE_BYTES_MAX: u64 = 64 << 20;

struct Input<'i> {
    reader: Box<dyn BufRead + 'i>,
    is_opened: bool,
    n_read: u32,
    buffer: Vec<u8>,
}

impl<'i> Input<'i> {
    /// Detects the encoding of the file.
    fn open(&mut self) -> io::Result<Result<Option<Oddity>, NoText>> {
        self.is_opened = true;
        let reader = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        Ok(open_decoded(reader)?.map(|DecodedInput { reader, oddity }| {
            self.reader = reader;
            oddity
        }))
    }
}

impl<'a, 'i> Lines<'a, 'i> {
    pub fn new(
        form: &'a LogForm,
        inputs: Vec<LogInput<'i>>,
        (kinds, takes_all): (&'a FxHashMap<String, u32>, bool),
    ) -> Self {
        let names = inputs.iter().map(|input| input.name.clone()).collect();
        let inputs = inputs.into_iter();
        let inputs = inputs.map(|input| Input {
            reader: input.reader,
            is_opened: false,
            n_read: 0,
            buffer: Vec::new(),
        });
        Lines {
            form,
            inputs: inputs.collect(),
            names,
            kinds,
            takes_all,
            last_kinds: FxHashMap::default(),
            skipped: FxIndexMap::default(),
            n_lines: 0,
            shapes: Shapes::default(),
            odd: Vec::new(),
        }
    }

    pub fn n_files(&self) -> usize {
        self.inputs.len()
    }

    /// Reads the next event of a file.
    pub fn next(&mut self, file: usize) -> Result<Option<Event>, LineError> {
        loop {
            let Some((text, is_whole)) = self.raw_line(file)? else { return Ok(None) };
            let text = text.trim();
            if text.is_empty() {
                continue;
            }
            if let Some(event) = self.event(file, text, is_whole)? {
                return Ok(Some(event));
            }
        }
    }

    /// Reads the next line, and whether it ends with a line feed.
    fn raw_line(&mut self, file: usize) -> Result<Option<(String, bool)>, LineError> {
        self.open(file)?;
        let input = &mut self.inputs[file];
        input.buffer.clear();
        let read = input.reader.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut input.buffer);
        let n_bytes = read.map_err(|error| cannot_read(&self.names[file], &error))?;
        if n_bytes == 0 {
            return Ok(None);
        }
        input.n_read += 1;
        self.n_lines += 1;
        let is_whole = input.buffer.ends_with(b"\n");
        if !is_whole && n_bytes as u64 >= LINE_BYTES_MAX {
            let what = format!("the line is longer than {} MiB", LINE_BYTES_MAX >> 20);
            let told = at_line(Code::LogLine, (self.names[file].as_str(), input.n_read), &what);
            return Err(Box::new(told.help("write an event in one line, and each in a line of its own")));
        }
        match std::str::from_utf8(&input.buffer) {
            Ok(text) => Ok(Some((text.to_owned(), is_whole))),
            Err(_) => {
                let place = (self.names[file].as_str(), input.n_read);
                let told = at_line(Code::LogLine, place, "this is not UTF-8 text");
                Err(Box::new(told.help("see whether the file is compressed, or damaged")))
            }
        }
    }

    /// Detects the encoding of a file before its first line is read.
    fn open(&mut self, file: usize) -> Result<(), LineError> {
        if self.inputs[file].is_opened {
            return Ok(());
        }
        let name = &self.names[file];
        match self.inputs[file].open().map_err(|error| cannot_read(name, &error))? {
            Ok(oddity) => {
                self.odd.extend(oddity.map(|oddity| (name.clone(), oddity)));
                Ok(())
            }
            Err(no_text) => {
                let headline = format!("`{name}` {}", no_text.what());
                Err(Box::new(Diagnostic::without_place(Code::LogLine, headline).help(no_text.help())))
            }
        }
    }

    fn event(&mut self, file: usize, line: &str, is_whole: bool) -> Result<Option<Event>, LineError> {
        let text = match &self.form.marker {
            None => line,
            Some(marker) => match line.split_once(marker.as_str()) {
                Some((_, text)) => text.trim(),
                None => return Ok(None),
            },
        };
        let tree: Json =
            serde_json::from_str(text).map_err(|error| self.no_json(file, text, (&error, is_whole)))?;
        let tree = tree.with_all_digits(text);
        if !matches!(tree, Json::Object(_)) {
            return Err(self.refuse_line(file, Code::LogLine, "this is JSON, and no object", text));
        }
        let is_left_out = |(path, wanted): &(Vec<String>, String)| {
            tree.at(path).and_then(Json::word).as_deref() != Some(wanted.as_str())
        };
        if self.form.only.iter().any(is_left_out) {
            return Ok(None);
        }
        self.convert_line(file, text, tree)
    }

    /// Returns the event of a line, unless the line is filtered out.
    fn convert_line(&mut self, file: usize, text: &str, tree: Json) -> Result<Option<Event>, LineError> {
        let form = self.form;
        let mut added: Vec<(Box<str>, Json)> = Vec::new();
        for (name, path) in &form.rename {
            added.extend(tree.at(path).map(|json| (name.as_str().into(), json.clone())));
        }
        let tree = match &form.inside {
            None => tree,
            Some(path) => match tree.at(path) {
                Some(inner @ Json::Object(_)) => inner.clone(),
                Some(_) | None => {
                    let what = format!("there is no object `{}` in this line", path.join("."));
                    let told = self.refuse_line(file, Code::LogField, &what, text);
                    return Err(Box::new(told.help("leave such lines out with `only` in `[log]`")));
                }
            },
        };
        let Json::Object(mut members) = tree else { return Ok(None) };
        members.extend(added);
        let tree = Json::Object(members);
        let Some(kind) = self.kind(file, &tree, text)? else { return Ok(None) };
        let node = match &form.node {
            None => None,
            Some(path) => Some(self.node(file, &tree, (path, text))?),
        };
        let line = self.inputs[file].n_read;
        self.shapes.meet(kind, &tree);
        Ok(Some(Event { file: file as u32, line, text: text.into(), tree, kind, kind_before: None, node }))
    }

    /// Sets the kind of the event before this one at the same node. Events come here in their final order, which may
    /// differ from the order of reading.
    pub fn follow(&mut self, event: &mut Event) {
        let file = if event.node.is_some() { 0 } else { event.file };
        event.kind_before = self.last_kinds.insert((file, event.node.clone()), event.kind);
    }

    /// Returns the files without a line, if there are other files.
    pub fn empty(&self) -> impl Iterator<Item = &String> {
        let is_empty = |(_, input): &(&String, &Input<'i>)| input.n_read == 0;
        let files = self.names.iter().zip(&self.inputs).filter(|_| self.inputs.len() > 1);
        files.filter(is_empty).map(|(name, _)| name)
    }

    /// Returns the kind of an event, if there is a rule for it.
    fn kind(&mut self, file: usize, tree: &Json, text: &str) -> Result<Option<u32>, LineError> {
        if self.form.kind.is_empty() {
            return Ok(Some(0));
        }
        let Some(kind) = tree.at(&self.form.kind).and_then(Json::word) else {
            if self.takes_all {
                return Ok(Some(0));
            }
            let what =
                format!("there is no `{}` that says what kind of event this is", self.form.kind.join("."));
            let told = self.refuse_line(file, Code::LogField, &what, text);
            return Err(Box::new(told.help(
                "leave such lines out with `only` or `marker` in `[log]`, or write a rule for them: `[[event]]` with \
                 `when`, and without `kind`",
            )));
        };
        if let Some(&number) = self.kinds.get(&kind) {
            return Ok(Some(number));
        }
        if self.form.ignore.iter().any(|ignored| ignored.text == kind) {
            return Ok(None);
        }
        if self.takes_all {
            return Ok(Some(0));
        }
        let (name, line) = (self.names[file].clone(), self.inputs[file].n_read as usize);
        let first = Skipped { kind: kind.clone(), n_lines: 0, file: name, line };
        self.skipped.entry(kind).or_insert(first).n_lines += 1;
        Ok(None)
    }

    fn node(&self, file: usize, tree: &Json, (path, text): (&[String], &str)) -> Result<Box<str>, LineError> {
        match tree.at(path).and_then(Json::word) {
            Some(node) => Ok(node.into()),
            None => {
                let what = format!("there is no `{}` that says which node logged this", path.join("."));
                Err(self.refuse_line(file, Code::LogField, &what, text))
            }
        }
    }

    fn no_json(&self, file: usize, text: &str, (error, is_whole): (&serde_json::Error, bool)) -> LineError {
        let place = (self.names[file].as_str(), self.inputs[file].n_read);
        let told = match (error.is_eof(), is_whole) {
            (true, false) => at_line(Code::LogLine, place, "the line is cut off")
                .help("the program ended while it wrote this line: remove the line, or let the program write it again"),
            (true, true) => at_line(Code::LogLine, place, "the line ends before its JSON does")
                .help("write an event in one line; a program that is killed leaves such a line, which can be removed"),
            (false, _) => at_line(Code::LogLine, place, &format!("this is not JSON: {error}"))
                .help("leave out what is no event with `marker` in `[log]`, or repair the line"),
        };
        Box::new(told.note(format!("the line is {}", shorten(text))))
    }

    /// Describes an error in the last line of a file.
    fn refuse_line(&self, file: usize, code: Code, what: &str, text: &str) -> LineError {
        let place = (self.names[file].as_str(), self.inputs[file].n_read);
        Box::new(at_line(code, place, what).note(format!("the line is {}", shorten(text))))
    }
}
