//! What was found, in a folder: each trace as ITF, and beside it what it was and how to read it again.

use std::io;
use std::path::{Path, PathBuf};

use conform::kind_of;
use serde::{Deserialize, Serialize};
use trace::Trace;

use super::json;
use super::session::Took;
use super::tell::last_action;
use crate::args::ModelArgs;
use crate::kept::with_origin;

/// What stands beside a trace.
#[derive(Debug, Serialize, Deserialize)]
pub struct Note {
    /// What came of it: `diverged`, `could-not` or `confirmed`.
    pub verdict: String,
    /// What makes two of them examples of one.
    pub kind: String,
    pub spec: PathBuf,
    pub config: Option<PathBuf>,
    pub defines: Vec<String>,
    /// The rest is for people.
    #[serde(default)]
    pub replayed: serde_json::Value,
}

/// A trace that was kept.
pub struct Kept {
    pub path: PathBuf,
    pub note: Note,
}

/// Writes a trace with its note; gives its path.
pub fn keep(
    folder: &Path,
    model: &ModelArgs,
    trace: &Trace,
    (replayed, took): (&conform::Replayed, Took),
) -> io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let action = last_action(trace, replayed);
    let kind = kind_of(&replayed.ending, &action);
    let path = folder.join(format!("{}.itf.json", file_name(&kind)));
    let note = Note {
        verdict: json::verdict(&replayed.ending).to_owned(),
        kind,
        spec: model.spec.clone(),
        config: model.config.clone(),
        defines: model.defines.clone(),
        replayed: json::replayed(trace, replayed, took),
    };
    let mut whole = with_origin(model, trace);
    whole.states.truncate(replayed.rows.len().max(1));
    std::fs::write(&path, trace::itf::write(&whole))?;
    std::fs::write(note_of(&path), serde_json::to_string_pretty(&note)?)?;
    Ok(path)
}

fn note_of(path: &Path) -> PathBuf {
    let name = path.display().to_string();
    PathBuf::from(format!("{}.note.json", name.trim_end_matches(".itf.json")))
}

/// A name that files can have.
fn file_name(kind: &str) -> String {
    let word = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let words: String = kind.chars().map(word).take(80).collect();
    words.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// What is in a folder, by name.
pub fn all(folder: &Path) -> io::Result<Vec<Kept>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.display().to_string().ends_with(".itf.json") {
            paths.push(path);
        }
    }
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(note_of(&path))?;
        Ok(Kept { note: serde_json::from_str(&text)?, path })
    };
    paths.into_iter().map(read).collect()
}
