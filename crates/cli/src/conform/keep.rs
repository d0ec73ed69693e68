//! Findings in a folder: each trace as ITF, and beside it a note on what it was and how to read it again.

use std::io;
use std::path::{Path, PathBuf};

use conform::Took;
use diag::{Code, Diagnostic};
use serde::{Deserialize, Serialize};
use setup::ModelInput;
use trace::Trace;

use super::json;
use crate::check::cannot_write;
use crate::kept::with_origin;

/// The note beside a trace.
#[derive(Debug, Serialize, Deserialize)]
pub struct Note {
    /// The verdict: `diverged`, `could-not` or `confirmed`.
    pub verdict: String,
    /// The kind: two traces of one kind are examples of one problem.
    pub kind: String,
    pub spec: PathBuf,
    pub config: Option<PathBuf>,
    pub defines: Vec<String>,
    /// The rest of the file, which is for people.
    #[serde(default)]
    pub replayed: serde_json::Value,
}

/// Writes a trace with its note; gives its path.
pub fn keep(
    folder: &Path,
    model: &ModelInput,
    trace: &Trace,
    (replayed, took): (&conform::Replayed, Took),
) -> Result<PathBuf, Box<Diagnostic>> {
    let unwritable = |path: &Path, error: io::Error| Box::new(cannot_write(path, &error.to_string()));
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, error))?;
    let kind = replayed.kind(trace);
    let path = folder.join(format!("{}.itf.json", file_name(&kind)));
    let note = Note {
        verdict: json::verdict(&replayed.ending).to_owned(),
        kind,
        spec: model.spec.clone(),
        config: model.config.clone(),
        defines: model.defines.clone(),
        replayed: json::replay_json(trace, replayed, took),
    };
    let mut whole = with_origin(model, trace);
    whole.states.truncate(replayed.rows.len().max(1));
    let note = serde_json::to_string_pretty(&note).expect("a note is made of texts and numbers");
    for (path, text) in [(&path, trace::itf::write(&whole)), (&note_of(&path), note)] {
        std::fs::write(path, text).map_err(|error| unwritable(path, error))?;
    }
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

/// The traces in a folder, by name.
pub fn all(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.display().to_string().ends_with(".itf.json") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Reads the note beside a trace. The error says what is wrong with it.
pub fn note(trace: &Path) -> Result<Note, Box<Diagnostic>> {
    let path = note_of(trace);
    let refused = |error: &dyn std::fmt::Display| {
        let headline = format!("cannot read `{}`: {error}", path.display());
        let help = format!("it says what `{}` showed, and is written with it by --keep", trace.display());
        Box::new(Diagnostic::without_place(Code::CannotRead, headline).help(help))
    };
    let text = std::fs::read_to_string(&path).map_err(|error| refused(&error))?;
    serde_json::from_str(&text).map_err(|error| refused(&error))
}
