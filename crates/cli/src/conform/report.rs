//! Reports the results of random walks: as text, as JSON, and as pages that lead to each other.

use std::io;
use std::path::{Path, PathBuf};

use conform::{Kind, WalkResults};
use diag::{SourceMap, render};
use report::coverage::Report;
use serde_json::{Value, json};
use setup::with_files;
use trace::diagram::Wishes;

use super::load::Loaded;
use super::pages::{PageContext, pages};
use super::{facts, json as told_json, keep, tell};
use crate::args::CheckFormatArg;
use crate::conform::args::ConformJob;
use crate::console::{Console, Stream};
use crate::coverage;
use crate::exit::Ending;

/// The results of walks of a model.
#[derive(Clone, Copy)]
pub struct WalkFindings<'a> {
    pub loaded: &'a Loaded,
    pub found: &'a WalkResults,
    /// The parts of the specification that were carried out, if they are to be reported.
    pub counted: Option<&'a Report>,
}

/// Reports the results of walks, and returns how the command ends.
pub fn report(
    job: &ConformJob,
    lanes: &Wishes,
    findings: WalkFindings<'_>,
    console: &Console,
) -> io::Result<Ending> {
    let WalkFindings { loaded, found, counted } = findings;
    let (args, is_interrupted) = (&job.args, found.is_interrupted);
    let paths = keep_all(args.system.keep.as_deref(), findings, console)?;
    let mut is_written = args.system.keep.is_none() || paths.iter().all(Option::is_some);
    let ending = ending_of(found);
    match args.format {
        CheckFormatArg::Text if args.quiet.quiet => {
            divergences(loaded, found, &paths, console)?;
            // Silence means success, so an answer that says nothing about the program is written.
            if !matches!(ending, Ending::Ok | Ending::Diverged) {
                console.line(Stream::Out, &headline(found))?;
            }
        }
        CheckFormatArg::Text => {
            text(loaded, found, (&paths, counted.filter(|_| args.coverage.coverage)), console)?;
        }
        CheckFormatArg::Json => {
            let mut answer = answer_json(loaded, found, &paths);
            answer["interrupted"] = is_interrupted.into();
            answer["coverage"] =
                counted.filter(|_| args.coverage.coverage).map_or(Value::Null, coverage::json);
            console.line(Stream::Out, &answer.to_string())?;
        }
    }
    if let Some(path) = &args.html {
        let facts = facts::facts((&args.system, loaded), Some(args.seed), &job.world.environment);
        is_written &= pages(path, PageContext { wishes: lanes, facts: &facts }, findings, console)?;
    }
    Ok(with_files(ending, is_written))
}

/// Says how walks end that found this.
fn ending_of(found: &WalkResults) -> Ending {
    let is_divergence = found.kinds.values().any(Kind::is_divergence);
    match (is_divergence, found.kinds.is_empty(), found.n_steps) {
        (true, _, _) => Ending::Diverged,
        (false, false, _) => Ending::CouldNot,
        (false, true, _) if found.is_interrupted => Ending::Interrupted,
        (false, true, 0) => Ending::Limit,
        (false, true, _) => Ending::Ok,
    }
}

/// Keeps the traces of all kinds, if they are to be kept, and reports those that cannot be written.
fn keep_all(
    folder: Option<&Path>,
    WalkFindings { loaded, found, .. }: WalkFindings<'_>,
    console: &Console,
) -> io::Result<Vec<Option<PathBuf>>> {
    let keep_one = |group: &Kind| {
        let Some(folder) = folder else { return Ok(None) };
        match keep::keep(folder, &loaded.model, &group.trace, (&group.replayed, group.took)) {
            Ok(path) => Ok(Some(path)),
            Err(unwritable) => {
                console.draw(Stream::Err, &SourceMap::new(), &unwritable)?;
                Ok(None)
            }
        }
    };
    found.kinds.values().map(keep_one).collect()
}

/// Writes what is wrong, one kind after the other.
fn divergences(
    loaded: &Loaded,
    found: &WalkResults,
    paths: &[Option<PathBuf>],
    console: &Console,
) -> io::Result<()> {
    for ((number, (kind, group)), path) in (1..).zip(&found.kinds).zip(paths) {
        console.line(Stream::Out, &format!("{number}. {kind} ({})", shortest(group)))?;
        tell::tell_replay((loaded, &group.trace), &group.replayed, console)?;
        if let Some(path) = path {
            console.line(Stream::Out, &format!("\nkept in {}", path.display()))?;
        }
        console.line(Stream::Out, "")?;
    }
    if !found.uncontrolled.is_empty() {
        console.write(Stream::Out, &tell::uncontrolled_text(found.uncontrolled.iter()))?;
    }
    Ok(())
}

fn text(
    loaded: &Loaded,
    found: &WalkResults,
    (paths, counted): (&[Option<PathBuf>], Option<&Report>),
    console: &Console,
) -> io::Result<()> {
    divergences(loaded, found, paths, console)?;
    console.line(Stream::Out, "Actions that were carried out, and agreed")?;
    for name in actions(loaded) {
        let n = found.actions.get(&name).copied().unwrap_or(0);
        let never = if n == 0 { "  never" } else { "" };
        console.line(Stream::Out, &format!("  {n:>8}  {name}{never}"))?;
    }
    if let Some(counted) = counted {
        let text = coverage::text::text(counted);
        console.write(
            Stream::Out,
            &format!("\nWhat of the specification was carried out, and agreed\n{text}"),
        )?;
    }
    if !loaded.pair.plan.unobserved.is_empty() {
        console.line(Stream::Out, &format!("\nNot compared: {}", loaded.pair.plan.unobserved.join(", ")))?;
    }
    let (steps, start) = found.each_s();
    let line =
        format!("\n{}\n{steps:.3} s a walk, and {start:.3} s to wait for fresh nodes", headline(found));
    console.line(Stream::Out, &line)
}

/// Returns how many walks were of a kind, and which one is shown.
pub fn shortest(group: &Kind) -> String {
    let walks = count(group.n_walks, "walk");
    let shortened = match group.n_steps() < group.n_steps_before {
        true => format!(", its {} made {}", count(group.n_steps_before as u64, "step"), group.n_steps()),
        false => String::new(),
    };
    format!("{walks}; the shortest is walk {}{shortened}", group.walk)
}

pub fn headline(found: &WalkResults) -> String {
    let is_divergence = found.kinds.values().any(Kind::is_divergence);
    let verdict = match found.kinds.len() {
        0 if found.is_interrupted && found.n_steps == 0 => {
            "interrupted before anything was compared".to_owned()
        }
        0 if found.is_interrupted => {
            "interrupted: nothing differed so far, and whether the program conforms is not known".to_owned()
        }
        0 if found.n_steps == 0 => "nothing was compared, and nothing is known".to_owned(),
        0 => "the program conforms".to_owned(),
        _ if found.is_interrupted && !is_divergence => {
            "interrupted: walks could not be carried out, and whether the program conforms is not known"
                .to_owned()
        }
        _ if !is_divergence => {
            "walks could not be carried out: whether the program conforms is not known".to_owned()
        }
        1 => "the program does not conform: 1 kind of divergence".to_owned(),
        n => format!("the program does not conform: {n} kinds of divergence"),
    };
    let cut_off = if found.is_interrupted && is_divergence { ", interrupted" } else { "" };
    let (walks, steps) = (count(found.n_walks, "walk"), count(found.n_steps, "step"));
    let elapsed_s = found.elapsed.as_secs_f64();
    format!(
        "{verdict}; {walks}, {} of them to the end, {steps} compared, {elapsed_s:.1} s{cut_off}",
        found.n_agreed
    )
}

pub fn count(n: u64, noun: &str) -> String {
    render::count(usize::try_from(n).unwrap_or(usize::MAX), noun)
}

/// The actions of the specification, in the order of the mapping.
pub fn actions(loaded: &Loaded) -> Vec<String> {
    let mut names: Vec<String> = loaded.pair.plan.actions.iter().map(|action| action.name.clone()).collect();
    names.dedup();
    names
}

fn answer_json(loaded: &Loaded, found: &WalkResults, paths: &[Option<PathBuf>]) -> Value {
    let group = |((kind, group), path): ((&String, &Kind), &Option<PathBuf>)| {
        let mut told = told_json::replay_json(&group.trace, &group.replayed, group.took);
        told["group"] = json!(kind);
        told["walks"] = json!(group.n_walks);
        told["walk"] = json!(group.walk);
        told["steps_before"] = json!(group.n_steps_before);
        told["kept"] = json!(path);
        told
    };
    let actions = actions(loaded).into_iter().map(|name| {
        let n = found.actions.get(&name).copied().unwrap_or(0);
        (name, json!(n))
    });
    let (steps_s, start_s) = found.each_s();
    json!({
        "kind": "conform",
        "walks": found.n_walks,
        "agreed": found.n_agreed,
        "steps": found.n_steps,
        "elapsed_ms": found.elapsed.as_millis() as u64,
        "walk_s": steps_s,
        "start_s": start_s,
        "unobserved": loaded.pair.plan.unobserved,
        "uncontrolled": found.uncontrolled.iter().collect::<Vec<_>>(),
        "actions": actions.collect::<serde_json::Map<String, Value>>(),
        "groups": found.kinds.iter().zip(paths).map(group).collect::<Vec<_>>(),
    })
}
