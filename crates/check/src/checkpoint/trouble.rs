//! Diagnostics about checkpoints that are refused or cannot be written.

use std::io;
use std::path::Path;

use diag::render::count;
use diag::{Code, Diagnostic};

use super::folder::{BadSegment, NoFolder};
use super::manifest::{BadManifest, FORMAT, TOOL};

const BEGIN_ANEW: &str = "or begin anew with `--checkpoint` and another folder";

/// It is about something else; `reasons` has at least one.
pub(super) fn mismatch(path: &Path, reasons: Vec<String>) -> Box<Diagnostic> {
    let headline = format!("the checkpoint in `{}` is of another search", path.display());
    let mut error = Diagnostic::without_place(Code::CheckpointMismatch, headline);
    error.notes = reasons;
    Box::new(error.help(format!("go on with what it was made with, {BEGIN_ANEW}")))
}

/// Registers belong to workers.
pub(super) fn other_workers(path: &Path, n_then: usize, n_now: usize) -> Box<Diagnostic> {
    let headline = format!(
        "the checkpoint in `{}` has the registers of {}, and there are {n_now} now",
        path.display(),
        count(n_then, "worker")
    );
    let note = "the specification sets registers with `TLCSet`, and each worker has its own";
    let help = format!("go on with `--workers {n_then}`, {BEGIN_ANEW}");
    Box::new(Diagnostic::without_place(Code::CheckpointMismatch, headline).note(note).help(help))
}

pub(super) fn no_manifest(path: &Path, error: &io::Error) -> Box<Diagnostic> {
    let path = path.display();
    let headline = if error.kind() == io::ErrorKind::NotFound {
        format!("there is no checkpoint in `{path}`")
    } else {
        format!("cannot read the checkpoint in `{path}`: {error}")
    };
    let help = "a search writes one with `--checkpoint DIR`";
    Box::new(Diagnostic::without_place(Code::CheckpointUnreadable, headline).help(help))
}

pub(super) fn bad_manifest(path: &Path, bad: &BadManifest) -> Box<Diagnostic> {
    let path_text = path.display();
    match bad {
        BadManifest::NotOne => damaged_error(path, "`manifest` is not one of Specline's"),
        BadManifest::Damaged => damaged_error(path, "`manifest` is not what was written"),
        BadManifest::Format(format) => other_version(format!(
            "the checkpoint in `{path_text}` has format {format}, and this is {FORMAT}"
        )),
        BadManifest::Tool(tool) => other_version(format!(
            "the checkpoint in `{path_text}` was written by version {tool}, and this is version {TOOL}"
        )),
    }
}

fn other_version(headline: String) -> Box<Diagnostic> {
    let help = format!("go on with the version of Specline that wrote it, {BEGIN_ANEW}");
    Box::new(Diagnostic::without_place(Code::CheckpointMismatch, headline).help(help))
}

pub(super) fn bad_segment(path: &Path, number: u32, bad: &BadSegment) -> Box<Diagnostic> {
    let name = format!("`segment-{number:06}`");
    let reason = match bad {
        BadSegment::Failed(error) => format!("cannot read {name}: {error}"),
        BadSegment::Length { expected, found } => {
            format!("{name} has {}, and {expected} were written", count(*found as usize, "byte"))
        }
        BadSegment::Content => format!("{name} is not what was written"),
    };
    damaged_error(path, &reason)
}

pub(super) fn damaged_error(path: &Path, reason: &str) -> Box<Diagnostic> {
    let headline = format!("the checkpoint in `{}` is damaged: {reason}", path.display());
    let help = format!("restore the folder from a copy, {BEGIN_ANEW}");
    Box::new(Diagnostic::without_place(Code::CheckpointUnreadable, headline).help(help))
}

pub(super) fn no_folder(path: &Path, why: &NoFolder, is_resumed: bool) -> Box<Diagnostic> {
    let path_text = path.display();
    match why {
        NoFolder::InUse => {
            let headline = format!("another search is using `{path_text}`");
            let help = "wait for it, end it, or choose another folder";
            Box::new(Diagnostic::without_place(Code::CheckpointTaken, headline).help(help))
        }
        NoFolder::Failed(error) if is_resumed => no_manifest(path, error),
        NoFolder::Failed(error) => {
            let headline = format!("cannot make the folder `{path_text}`: {error}");
            let help = "name a folder that can be written to with `--checkpoint`";
            Box::new(Diagnostic::without_place(Code::CheckpointUnwritable, headline).help(help))
        }
    }
}

/// A new search must not take the place of an old one's work.
pub(super) fn taken_error(path: &Path) -> Box<Diagnostic> {
    let path = path.display();
    let headline = format!("there is a checkpoint in `{path}` already");
    let help = format!("go on from it with `--resume {path}`, or choose another folder, or remove this one");
    Box::new(Diagnostic::without_place(Code::CheckpointTaken, headline).help(help))
}

/// `n_distinct` is what the last good one has.
pub(super) fn unwritable(path: &Path, error: &io::Error, n_distinct: Option<u64>) -> Box<Diagnostic> {
    let path = path.display();
    let headline = format!("cannot write the checkpoint in `{path}`: {error}");
    let error = Diagnostic::without_place(Code::CheckpointUnwritable, headline);
    Box::new(match n_distinct {
        Some(n) => error
            .note(format!("the one before it is still good: {}", count(n as usize, "distinct state")))
            .help(format!("make room, and go on from there with `--resume {path}`")),
        None => error.note("there was none before it").help("make room, or choose another folder"),
    })
}
