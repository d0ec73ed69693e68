//! The journal, which survives a crash: a file with a JSON record a line, synced before anybody hears of it.
//!
//! The file only grows; nothing is ever cut out of it but a last line that a crash has torn.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::message::{Entry, NodeId};

/// A change of what survives a crash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Record {
    #[serde(rename_all = "camelCase")]
    Vote { term: u64, voted_for: Option<NodeId> },
    /// The log keeps its first `keep` entries, then come these.
    Append { keep: usize, entries: Vec<Entry> },
}

/// A line of the journal: the change, and the line of the log of events that tells of it. That one is written
/// next; where a crash came between, it is made up for at the next start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saved {
    pub record: Record,
    pub event: String,
}

/// The data that was on disk before the crash.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Durable {
    pub term: u64,
    pub voted_for: Option<NodeId>,
    pub log: Vec<Entry>,
    /// The last event that changed any of this.
    pub event: Option<String>,
}

impl Durable {
    fn apply(&mut self, saved: Saved) {
        self.event = Some(saved.event);
        match saved.record {
            Record::Vote { term, voted_for } => (self.term, self.voted_for) = (term, voted_for),
            Record::Append { keep, entries } => {
                self.log.truncate(keep);
                self.log.extend(entries);
            }
        }
    }
}

pub struct Journal {
    file: File,
}

impl Journal {
    /// Opens the journal in this folder, both made if they are not there.
    pub fn open(folder: &Path) -> Result<(Journal, Durable)> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
        let path = folder.join("journal");
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = options.with_context(|| format!("cannot open `{}`", path.display()))?;
        let (durable, n_bytes) =
            recover(&mut file).with_context(|| format!("cannot read `{}`", path.display()))?;
        file.set_len(n_bytes)?;
        file.seek(SeekFrom::End(0))?;
        // The name of a new file is lost with its folder unless that is synced, too.
        File::open(folder)?.sync_all()?;
        Ok((Journal { file }, durable))
    }

    pub fn save(&mut self, saved: &Saved) -> Result<()> {
        let mut line = serde_json::to_vec(saved)?;
        line.push(b'\n');
        self.file.write_all(&line)?;
        self.file.sync_data()?;
        Ok(())
    }
}

/// Reads the whole lines. Returns their data and their length in bytes.
fn recover(file: &mut File) -> Result<(Durable, u64)> {
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let mut durable = Durable::default();
    for (at, line) in whole.lines().enumerate() {
        durable.apply(serde_json::from_str(line).with_context(|| format!("line {} is no record", at + 1))?);
    }
    Ok((durable, whole.len() as u64))
}
