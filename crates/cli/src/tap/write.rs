//! Writes events of taps, to standard output or into a file for each node.
//!
//! A disk that is full is told once, and nothing is written any more; relays go on, since processes depend on them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use tap::event::TapEvent;

use crate::console::{Console, Stream};

/// How many bytes are collected before they are written.
const BATCH_BYTES: usize = 64 << 10;

#[derive(Debug, Default)]
struct Counts {
    n_in: u64,
    n_out: u64,
    n_restarts: u64,
    n_gaps: u64,
}

pub struct Writer<'a> {
    into: Option<&'a Path>,
    console: &'a Console,
    files: BTreeMap<String, BufWriter<File>>,
    /// Lines that wait to be written to standard output.
    text: String,
    counts: BTreeMap<String, Counts>,
    trouble: Option<io::Error>,
}

/// Returns a name of a file for a node.
fn file_name(node: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' };
    format!("{}.ndjson", node.chars().map(plain).collect::<String>())
}

impl<'a> Writer<'a> {
    pub fn new(into: Option<&'a Path>, console: &'a Console) -> Writer<'a> {
        let (files, counts) = (BTreeMap::new(), BTreeMap::new());
        Writer { into, console, files, text: String::new(), counts, trouble: None }
    }

    pub fn write(&mut self, event: &TapEvent) {
        let node = event.node().unwrap_or_default();
        let counts = self.counts.entry(node.to_owned()).or_default();
        match event {
            TapEvent::In { .. } => counts.n_in += 1,
            TapEvent::Out { .. } => counts.n_out += 1,
            TapEvent::Restart { .. } => counts.n_restarts += 1,
            TapEvent::Gap { .. } => counts.n_gaps += 1,
            TapEvent::Note { .. } => {}
        }
        if self.trouble.is_none() {
            let written = self.write_line(node, &event.line());
            self.note_trouble(written);
        }
    }

    fn write_line(&mut self, node: &str, line: &str) -> io::Result<()> {
        let Some(folder) = self.into else {
            self.text.push_str(line);
            self.text.push('\n');
            return if self.text.len() > BATCH_BYTES { self.write_out() } else { Ok(()) };
        };
        if !self.files.contains_key(node) {
            let path = folder.join(file_name(node));
            let made = std::fs::create_dir_all(folder).and_then(|()| File::create(&path));
            let file =
                made.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
            self.files.insert(node.to_owned(), BufWriter::new(file));
        }
        match self.files.get_mut(node) {
            Some(file) => writeln!(file, "{line}"),
            None => Ok(()),
        }
    }

    fn write_out(&mut self) -> io::Result<()> {
        let text = std::mem::take(&mut self.text);
        if text.is_empty() { Ok(()) } else { self.console.write(Stream::Out, &text) }
    }

    /// Writes what was collected.
    pub fn flush(&mut self) {
        if self.trouble.is_none() {
            let mut written = self.write_out();
            for file in self.files.values_mut() {
                written = written.and(file.flush());
            }
            self.note_trouble(written);
        }
    }

    fn note_trouble(&mut self, written: io::Result<()>) {
        if let Err(error) = written {
            let told = format!("tap: nothing is written any more, but relays go on: {error}");
            // If nobody reads that either, there is nobody to tell.
            drop(self.console.line(Stream::Err, &told));
            self.trouble = Some(error);
        }
    }

    /// Writes the rest, and how much there was.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush();
        for (node, counts) in &self.counts {
            let Counts { n_in, n_out, n_restarts, n_gaps } = counts;
            let told =
                format!("tap: `{node}`: {n_in} in, {n_out} out, restarts: {n_restarts}, gaps: {n_gaps}");
            self.console.line(Stream::Err, &told)?;
        }
        self.trouble.map_or(Ok(()), Err)
    }
}
