//! `specline conform --recheck`: what was kept, carried out again.

use std::io;
use std::path::Path;

use conform::{Ending as Came, Obstacle, kind_of};
use diag::{Code, render};

use super::load::MappingFile;
use super::{keep, replay, tell};
use crate::args::ModelArgs;
use crate::console::{Console, Stream};
use crate::exit::Ending;
use crate::settings::ConformJob;
use crate::{signals, trace as trace_files};

/// Everything that was kept, carried out again.
pub fn recheck(job: &ConformJob, mapping: &MappingFile, console: &Console) -> io::Result<Ending> {
    let args = &job.args;
    let folder = args.system.keep.as_deref().unwrap_or(Path::new("."));
    let kept = match keep::all(folder) {
        Ok(kept) => kept,
        Err(error) => {
            let headline = format!("cannot read what is kept in `{}`: {error}", folder.display());
            return tell::fail(Code::CannotRead, &headline, console);
        }
    };
    if kept.is_empty() {
        let headline = format!("nothing is kept in `{}`", folder.display());
        return tell::fail(Code::CannotRead, &headline, console);
    }
    let interrupted = signals::watched()?;
    let (mut n_gone, mut n_there, mut worst) = (0, 0, Ending::Ok);
    for one in &kept {
        let Some(file) = trace_files::file(&one.path, console)? else { return Ok(Ending::Unreadable) };
        let note = &one.note;
        let model = ModelArgs {
            spec: note.spec.clone(),
            config: note.config.clone(),
            libraries: args.model.libraries.clone(),
            defines: note.defines.clone(),
            beside: Vec::new(),
        };
        let machine = (&args.system, &job.place, job.variables.as_slice());
        let outputs = (&*interrupted, console);
        let done =
            replay::carry_out(machine, (mapping, model), (&one.path, &file, 1), outputs, |_, trace, all| {
                all.first().map(|(replayed, _)| {
                    let kind = kind_of(&replayed.ending, &tell::last_action(trace, replayed));
                    (Rechecked::new(kind == note.kind, &replayed.ending), tell::reason(&replayed.ending))
                })
            })?;
        let (rechecked, now) = match done {
            Ok(Some(came)) => came,
            Ok(None) => continue,
            Err(ending) => (Rechecked::Unknown(ending), "it cannot be followed".to_owned()),
        };
        let (word, ending) = match rechecked {
            Rechecked::Gone => ("gone", Ending::Ok),
            Rechecked::StillThere => ("still there", Ending::Diverged),
            Rechecked::Unknown(ending) => ("not known", ending),
        };
        n_gone += usize::from(rechecked == Rechecked::Gone);
        n_there += usize::from(rechecked == Rechecked::StillThere);
        console.line(Stream::Out, &format!("{word}: {} ({now})", note.kind))?;
        worst = worst.max(ending);
    }
    let (all, n_unknown) = (render::count(kept.len(), "trace"), kept.len() - n_gone - n_there);
    let headline = format!("{all}: {n_gone} gone, {n_there} still there, {n_unknown} not known");
    console.line(Stream::Out, &headline)?;
    Ok(worst)
}

/// What has become of something that was kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rechecked {
    StillThere,
    /// The trace was carried out, and ended otherwise.
    Gone,
    /// It was not carried out to an answer.
    Unknown(Ending),
}

impl Rechecked {
    fn new(is_same: bool, came: &Came) -> Rechecked {
        match came {
            Came::CouldNot(Obstacle::Interrupted) => Rechecked::Unknown(Ending::Interrupted),
            _ if is_same => Rechecked::StillThere,
            Came::CouldNot(_) => Rechecked::Unknown(Ending::CouldNot),
            Came::Agreed | Came::Confirmed(_) | Came::Diverged(_) => Rechecked::Gone,
        }
    }
}
