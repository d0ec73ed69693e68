//! `specline conform --recheck`: what was kept, carried out again.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use base::FxIndexSet;
use conform::{Ending as Came, Obstacle};
use diag::{Code, Diagnostic, SourceMap, render};
use serde_json::{Value, json};
use setup::ModelInput;

use super::load::MappingFile;
use super::replay::{Carried, ReplayTask};
use super::{keep, tell};
use crate::args::CheckFormatArg;
use crate::conform::args::ConformJob;
use crate::console::{Console, Stream};
use crate::exit::{Ending, Stop};
use crate::{signals, trace as trace_files};

/// Carries out every kept trace again. A file that cannot be read is reported, and the others still run.
pub fn recheck(job: &ConformJob, mapping: &MappingFile, console: &Console) -> Result<Ending, Stop> {
    let args = &job.args;
    let folder = args.system.keep.as_deref().unwrap_or(Path::new("."));
    let kept = match keep::all(folder) {
        Ok(kept) => kept,
        Err(error) => {
            let headline = format!("cannot read what is kept in `{}`: {error}", folder.display());
            return Err(tell::fail(Code::CannotRead, &headline, console));
        }
    };
    if kept.is_empty() {
        let headline = format!("nothing is kept in `{}`", folder.display());
        return Err(tell::fail(Code::CannotRead, &headline, console));
    }
    let interrupted = signals::watch()?;
    let (mut all, n_kept) = (Vec::new(), kept.len());
    for path in kept {
        if interrupted.load(Ordering::Relaxed) {
            break;
        }
        let one = again(job, mapping, path, (&interrupted, console))?;
        let is_silent = args.quiet.quiet && one.rechecked == Rechecked::Gone;
        if args.format == CheckFormatArg::Text && !is_silent {
            let what = one.kind.clone().unwrap_or_else(|| one.path.display().to_string());
            console.line(Stream::Out, &format!("{}: {what} ({})", one.rechecked.words(), one.now))?;
        }
        all.push(one);
    }
    let n = |wanted: Rechecked| all.iter().filter(|one| one.rechecked == wanted).count();
    let (n_gone, n_there) = (n(Rechecked::Gone), n(Rechecked::StillThere));
    let n_unknown = n_kept - n_gone - n_there;
    let is_interrupted = interrupted.load(Ordering::Relaxed);
    let uncontrolled: FxIndexSet<&String> = all.iter().flat_map(|one| &one.uncontrolled).collect();
    if args.format == CheckFormatArg::Text && !uncontrolled.is_empty() {
        console.write(Stream::Out, &format!("{}\n", tell::uncontrolled_text(uncontrolled.into_iter())))?;
    }
    match args.format {
        CheckFormatArg::Text if args.quiet.quiet && n_gone == n_kept && !is_interrupted => {}
        CheckFormatArg::Text => {
            let count = render::count(n_kept, "trace");
            let interrupted = if is_interrupted { "interrupted; " } else { "" };
            let line =
                format!("{interrupted}{count}: {n_gone} gone, {n_there} still there, {n_unknown} not known");
            console.line(Stream::Out, &line)?;
        }
        CheckFormatArg::Json => {
            let traces: Vec<Value> = all.iter().map(One::json).collect();
            let answer = json!({ "kind": "recheck", "traces": traces, "gone": n_gone, "still_there": n_there, "not_known": n_unknown, "interrupted": is_interrupted });
            console.line(Stream::Out, &answer.to_string())?;
        }
    }
    let ending = all.iter().map(|one| one.rechecked.ending()).max().unwrap_or(Ending::Ok);
    Ok(if is_interrupted { Ending::Interrupted } else { ending })
}

/// A trace that was kept, and what has become of it.
struct One {
    path: PathBuf,
    /// The kind that it had, if its note can be read.
    kind: Option<String>,
    rechecked: Rechecked,
    /// The result now.
    now: String,
    /// Things that the program did without control in the meantime.
    uncontrolled: FxIndexSet<String>,
}

impl One {
    fn json(&self) -> Value {
        json!({
            "file": self.path, "kind": self.kind, "verdict": self.rechecked.words(), "now": self.now,
            "uncontrolled": self.uncontrolled.iter().collect::<Vec<_>>(),
        })
    }
}

/// Carries out one trace again.
fn again(
    job: &ConformJob,
    mapping: &MappingFile,
    path: PathBuf,
    (interrupted, console): (&AtomicBool, &Console),
) -> Result<One, Stop> {
    let unread = |path: PathBuf, kind: Option<String>| One {
        path,
        kind,
        rechecked: Rechecked::Unknown(Ending::Unreadable),
        now: "it cannot be read".to_owned(),
        uncontrolled: FxIndexSet::default(),
    };
    let note = match keep::note(&path) {
        Ok(note) => note,
        Err(refused) => {
            console.draw(Stream::Err, &SourceMap::new(), &refused)?;
            return Ok(unread(path, None));
        }
    };
    if !is_same_file(&note.spec, &job.model.spec) {
        let (kept, given) = (note.spec.display(), job.model.spec.display());
        let headline = format!("`{}` was kept for `{kept}`, and not for `{given}`", path.display());
        let help =
            format!("give the specification that it was found with: `specline conform {kept} --recheck`");
        let told = Diagnostic::without_place(Code::CannotRead, headline).help(help);
        console.draw(Stream::Err, &SourceMap::new(), &told)?;
        return Ok(unread(path, Some(note.kind)));
    }
    let Some(file) = trace_files::file(&path, console)? else { return Ok(unread(path, Some(note.kind))) };
    let model = ModelInput {
        spec: note.spec.clone(),
        config: note.config.clone(),
        libraries: job.model.libraries.clone(),
        defines: note.defines.clone(),
        ..ModelInput::default()
    };
    let task = ReplayTask {
        system: &job.args.system,
        place: &job.place,
        world: &job.world,
        mapping,
        path: &path,
        file: &file,
        times: 1,
        interrupted,
        console,
    };
    let carried = task.carry_out(model, |Carried { trace, runs, .. }| {
        runs.first().map(|(replayed, _)| {
            let is_still_there = replayed.kind(trace) == note.kind;
            let rechecked = Rechecked::new(is_still_there, &replayed.ending);
            (rechecked, replayed.ending.reason(), replayed.uncontrolled().cloned().collect())
        })
    });
    let (rechecked, now, uncontrolled) = match carried {
        Ok(came) => came.expect("it was carried out once"),
        Err(Stop::Ended(ending)) => {
            (Rechecked::Unknown(ending), "it cannot be followed".to_owned(), FxIndexSet::default())
        }
        Err(stop) => return Err(stop),
    };
    Ok(One { path, kind: Some(note.kind), rechecked, now, uncontrolled })
}

/// Whether two paths lead to one file. A file that is not there is the same as no other, and is reported when it is read.
fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        (Ok(_) | Err(_), _) => one == other,
    }
}

/// The fate of a trace that was kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rechecked {
    StillThere,
    /// The trace was carried out, and ended otherwise.
    Gone,
    /// It was not carried out to an answer.
    Unknown(Ending),
}

impl Rechecked {
    fn words(self) -> &'static str {
        match self {
            Rechecked::Gone => "gone",
            Rechecked::StillThere => "still there",
            Rechecked::Unknown(_) => "not known",
        }
    }

    fn ending(self) -> Ending {
        match self {
            Rechecked::Gone => Ending::Ok,
            Rechecked::StillThere => Ending::Diverged,
            Rechecked::Unknown(ending) => ending,
        }
    }

    fn new(is_same: bool, came: &Came) -> Rechecked {
        match came {
            Came::CouldNot(Obstacle::Interrupted) => Rechecked::Unknown(Ending::Interrupted),
            _ if is_same => Rechecked::StillThere,
            Came::CouldNot(_) => Rechecked::Unknown(Ending::CouldNot),
            Came::Agreed | Came::Confirmed(_) | Came::Diverged(_) => Rechecked::Gone,
        }
    }
}
