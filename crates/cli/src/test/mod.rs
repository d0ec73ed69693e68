//! `specline test`: all models of a project, each checked by a process of its own, against what is expected of it.

pub mod args;
mod child;
mod judge;
mod plan;
mod tell;

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use base::{Clock, SystemClock};
use diag::SourceMap;
use report::findings::Outcome;

use crate::console::{Console, Stream};
use crate::exit::{Ending, Stop};
use crate::reports::Reports;
use crate::test::args::TestJob;
use crate::verdicts::read_to_the_end;
use crate::{project, signals};
use judge::Judged;
use plan::Model;

pub fn run(job: &TestJob, console: &Console) -> Result<Ending, Stop> {
    let project = [("the project", project::file(&job.args.project))];
    let mut reports = Reports::new(&job.args.reports, &job.args.project, &project, console)?;
    let mut sources = SourceMap::new();
    match plan::read(&job.args, &mut sources) {
        Ok(models) => Ok(test_all(job, &models, reports, console)?),
        Err(error) => {
            console.draw(Stream::Err, &sources, &error)?;
            reports.file(&job.args.project, &sources, [&*error]);
            Ok(reports.finish(Ending::of(&error, false), console)?)
        }
    }
}

fn test_all(
    job: &TestJob,
    models: &[Model],
    mut reports: Reports<'_>,
    console: &Console,
) -> io::Result<Ending> {
    if job.args.list {
        models.iter().try_for_each(|model| console.line(Stream::Out, &tell::list_entry(model)))?;
        return Ok(Ending::Ok);
    }
    let interrupted = signals::watch()?;
    let clock = SystemClock::start();
    let teller = tell::Teller::new(console, &job.args, models);
    let (mut n_passed, mut is_told) = (0, vec![false; models.len()]);
    // A closed reader does not stop the other checks.
    let mut written = Ok(());
    all(models, job.n_jobs, &interrupted, |index, judged| {
        n_passed += usize::from(judged.is_passed());
        is_told[index] = true;
        reports.model(&models[index], &judged);
        if written.is_ok() {
            written = teller.model(&models[index], &judged);
        }
    })?;
    for (model, _) in models.iter().zip(is_told).filter(|(_, is_told)| !is_told) {
        reports.case(&model.name, Outcome::Skipped("its turn did not come".to_owned()));
    }
    let is_interrupted = interrupted.load(Ordering::Relaxed);
    let written = written.and_then(|()| teller.end(n_passed, is_interrupted, clock.elapsed()));
    let ending = match is_interrupted {
        true => Ending::Interrupted,
        false if n_passed == models.len() => Ending::Ok,
        false => Ending::Unexpected,
    };
    read_to_the_end(written, reports.finish(ending, console)?)
}

/// Checks all models, `n_jobs` at a time, and calls `tell` for each as soon as it is done.
fn all(
    models: &[Model],
    n_jobs: usize,
    interrupted: &AtomicBool,
    mut tell: impl FnMut(usize, Judged),
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let program = std::env::current_exe()?;
    let (sender, judged) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..n_jobs.min(models.len()) {
            let (next, program, sender) = (&next, &program, sender.clone());
            std::thread::Builder::new().spawn_scoped(scope, move || {
                while !interrupted.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(model) = models.get(index) else { return };
                    let clock = SystemClock::start();
                    let run = child::run(program, model, interrupted);
                    // The receiver is gone if the answers can no longer be written.
                    let _ = sender.send((index, Judged::new(model, run, clock.elapsed())));
                }
            })?;
        }
        drop(sender);
        judged.iter().for_each(|(index, judged)| tell(index, judged));
        Ok(())
    })
}
