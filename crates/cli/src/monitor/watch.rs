//! `specline monitor SPEC`: messages are read line by line, and checked.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use diag::{Code, Diagnostic, SourceMap};
use eval::interp::Shared;
use model::STACK_BYTES;
use monitor::input::Event;
use monitor::prove::Conditions;
use monitor::{CannotStart, Monitor, MonitorRun, Setting, Stats, Told, Undecided};
use serde_json::json;
use setup::memory::{self, bytes};

use super::args::WatchArgs;
use super::conditions::Wanted;
use super::hook::Hook;
use super::load::{MappingFile, Sliced, load};
use super::metrics::Metrics;
use super::source::{self, Input, Source, Stopped};
use super::{conditions, page, tell};
use crate::args::CheckFormatArg;
use crate::console::{Console, Stream};
use crate::exit::{Ending, Stop};
use crate::{outputs, signals};

/// Everything that is read from files.
struct Loaded {
    file: MappingFile,
    sliced: Sliced,
    found: Conditions,
}

/// Signals that ask for something.
struct Signals {
    ends: Arc<AtomicBool>,
    reloads: Arc<AtomicBool>,
}

pub fn run(args: &WatchArgs, console: &Console) -> Result<Ending, Stop> {
    let signals = Signals { ends: signals::watch()?, reloads: signals::watch_reload()? };
    if args.describe {
        let loaded = read(args, true, &signals, console)?;
        describe(args.format, &loaded, console)?;
        return Ok(Ending::Ok);
    }
    let Some(node) = &args.node else {
        let told = Diagnostic::without_place(Code::MonitorMap, "no node is named")
            .help("say which process is watched: `--node n1`; or see what is derived, with `--describe`");
        return Err(console.refuse(&SourceMap::new(), &told));
    };
    args.tap.check(Some(node), console)?;
    let page = args.page.iter().map(|path| ("--page", path)).collect::<Vec<_>>();
    outputs::check(&page, (&args.model.input(), &[]), console)?;
    let mut loaded = read(args, false, &signals, console)?;
    let metrics = Metrics::default();
    if let Some(address) = args.metrics {
        let bound = metrics.serve(address, node)?;
        console.line(Stream::Err, &format!("metrics: http://{bound}/metrics"))?;
    }
    let input = match args.tap.is_wanted() {
        true => tapped(args, node, &signals, console),
        false => source::of_lines(&args.input)?,
    };
    let source = Source::open(input, args.record.as_deref(), [&signals.ends, &signals.reloads])?;
    let mut watch = Watch {
        args,
        node,
        console,
        signals: &signals,
        source,
        teller: Teller {
            args,
            console,
            node,
            hook: Hook::new(args.on_alarm.clone()),
            metrics,
            trouble: None,
        },
        stats: Stats::default(),
        is_running: args.join,
    };
    loop {
        match watch.go_on(&loaded)? {
            Some(other) => loaded = *other,
            None => return watch.conclude(),
        }
    }
}

/// Makes an input of the taps. It is opened by the thread that reads it.
fn tapped(args: &WatchArgs, node: &str, signals: &Signals, console: &Console) -> Input {
    let (tap, node, ends, console) = (args.tap.clone(), node.to_owned(), signals.ends.clone(), *console);
    Input::Tap(Box::new(move |hand_over| {
        let mut lines = tap.lines(&node, &ends, &console)?;
        hand_over(&mut *lines)
    }))
}

/// Reads the specification and the mapping, and judges the conditions.
fn read(args: &WatchArgs, derives: bool, signals: &Signals, console: &Console) -> Result<Loaded, Stop> {
    let file = MappingFile::read(&args.mapping, console)?;
    let input = args.model.input();
    let sliced = load(&input, &file, console)?;
    let wanted = Wanted { trusts: args.trust, derives };
    let found = conditions::find(&input, (&file, wanted), &signals.ends, console)?;
    if !derives {
        for warning in conditions::warnings(&found) {
            console.draw(Stream::Err, &sliced.spec.sources, &warning)?;
        }
    }
    Ok(Loaded { file, sliced, found })
}

fn describe(format: CheckFormatArg, loaded: &Loaded, console: &Console) -> io::Result<()> {
    let Loaded { file, sliced, found } = loaded;
    if format == CheckFormatArg::Json {
        return console.line(Stream::Out, &tell::describe_json(&sliced.slice, found).to_string());
    }
    let conditions = tell::describe_conditions(found, file.mapping.proof.derives);
    for line in tell::describe(&sliced.slice).into_iter().chain(conditions) {
        console.line(Stream::Out, &line)?;
    }
    Ok(())
}

/// A watch over one process, across readings of the files.
struct Watch<'a> {
    args: &'a WatchArgs,
    node: &'a str,
    console: &'a Console,
    signals: &'a Signals,
    source: Source<'a>,
    teller: Teller<'a>,
    stats: Stats,
    is_running: bool,
}

impl Watch<'_> {
    /// Watches until the input ends, a signal asks for the end, or the files were read again: then it returns them.
    fn go_on(&mut self, loaded: &Loaded) -> Result<Option<Box<Loaded>>, Stop> {
        let shared = Shared::new(&loaded.sliced.program);
        let model = loaded.sliced.model();
        // A signal ends the watch between two events: what was read is judged.
        let interrupted = &AtomicBool::new(false);
        let run = MonitorRun { model, memory_bytes_max: bytes(memory::default_bytes()), interrupted };
        let setting = Setting {
            model,
            shared: &shared,
            run: &run,
            slice: &loaded.sliced.slice,
            mapping: &loaded.file.mapping,
            node: self.node,
            is_running: self.is_running,
            conditions: &loaded.found.all,
        };
        let started = base::on_deep_stack(STACK_BYTES, || self.watch(setting));
        match started {
            Ok(other) => other,
            Err(CannotStart(told)) => Err(self.console.refuse(&loaded.sliced.spec.sources, &told)),
        }
    }

    fn watch(&mut self, setting: Setting<'_>) -> Result<Result<Option<Box<Loaded>>, Stop>, CannotStart> {
        let mut monitor = Monitor::new(setting)?;
        monitor.stats = self.stats;
        loop {
            let teller = &mut self.teller;
            let spec = self.args.model.spec.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            monitor.watch(&mut self.source, &mut |event, told, stats| teller.tell(event, told, stats, &spec));
            self.stats = monitor.stats;
            let is_over = self.teller.trouble.is_some()
                || self.source.stopped == Stopped::End
                || self.source.trouble.is_some()
                || self.signals.ends.load(Ordering::Relaxed);
            if is_over {
                return Ok(Ok(None));
            }
            self.signals.reloads.store(false, Ordering::Relaxed);
            // What was read first stays if the new files are not right.
            match read(self.args, false, self.signals, self.console) {
                Ok(loaded) => {
                    self.is_running = true;
                    let told = "the files were read again; the state of the process is unknown";
                    return Ok(self
                        .console
                        .line(Stream::Err, told)
                        .map(|()| Some(Box::new(loaded)))
                        .map_err(Stop::from));
                }
                Err(_) => {
                    let told = "the files cannot be read again: the watch goes on with those of before";
                    if let Err(error) = self.console.line(Stream::Err, told) {
                        return Ok(Err(error.into()));
                    }
                }
            }
        }
    }

    /// Says what was seen.
    fn conclude(mut self) -> Result<Ending, Stop> {
        self.source.finish();
        self.teller.hook.finish();
        if let Some(error) = &self.source.record_trouble {
            let path = self.args.record.as_deref().unwrap_or(Path::new("-"));
            let told = format!("the record in {} is not complete: {error}", path.display());
            self.console.line(Stream::Err, &told)?;
        }
        if let Some(trouble) = self.source.trouble.or(self.teller.trouble) {
            return Err(trouble.into());
        }
        conclude(self.args.format, &self.stats, self.console)?;
        Ok(ending(&self.stats, &self.signals.ends))
    }
}

fn ending(stats: &Stats, interrupted: &AtomicBool) -> Ending {
    match (stats.n_alarms, stats.n_undecided) {
        (1.., _) => Ending::Alarm,
        (0, 1..) => Ending::Limit,
        (0, 0) if interrupted.load(Ordering::Relaxed) => Ending::Interrupted,
        (0, 0) => Ending::Ok,
    }
}

fn conclude(format: CheckFormatArg, stats: &Stats, console: &Console) -> io::Result<()> {
    if format == CheckFormatArg::Json {
        let mut answer = tell::stats_json(stats);
        answer["event"] = json!("end");
        return console.line(Stream::Out, &answer.to_string());
    }
    let explained = stats.n_explained;
    let line = format!(
        "{} in, {} out: {explained} explained, {} not judged, {} none of the protocol; alarms: {}, undecided: {}; \
         at most {} states, {} messages pending.",
        stats.n_in,
        stats.n_out,
        stats.n_unjudged,
        stats.n_skipped,
        stats.n_alarms,
        stats.n_undecided,
        stats.n_states_max,
        stats.n_pending_max
    );
    console.line(Stream::Out, &line)
}

/// Tells what comes of each event, if it is of interest.
struct Teller<'a> {
    args: &'a WatchArgs,
    console: &'a Console,
    node: &'a str,
    hook: Hook,
    metrics: Metrics,
    trouble: Option<io::Error>,
}

impl Teller<'_> {
    fn tell(&mut self, event: &Event, told: Told, stats: &Stats, spec: &str) -> ControlFlow<()> {
        if self.args.metrics.is_some() {
            self.metrics.set(*stats);
        }
        let is_json = self.args.format == CheckFormatArg::Json;
        let lines: Vec<String> = match told {
            Told::Fine => return ControlFlow::Continue(()),
            Told::Joined if is_json => {
                vec![json!({ "event": "joined", "node": self.node, "line": event.number }).to_string()]
            }
            Told::Joined => vec![format!("line {}: the state of `{}` is known", event.number, self.node)],
            Told::Alarm(alarm) => {
                let json = tell::alarm_json(&alarm, self.node);
                self.spread(&json, spec);
                if is_json { vec![json.to_string()] } else { tell::alarm(&alarm, self.node) }
            }
            Told::Undecided(why) => vec![self.undecided(event, &why, is_json)],
        };
        for line in lines {
            if let Err(error) = self.console.line(Stream::Out, &line) {
                self.trouble = Some(error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// Writes the page of an alarm, and calls the command. What fails is told, and the watch goes on.
    fn spread(&mut self, alarm: &serde_json::Value, spec: &str) {
        let mut troubles = Vec::new();
        if let Some(path) = &self.args.page
            && let Err(error) = std::fs::write(path, page::html(alarm, spec))
        {
            troubles.push(format!("the page {} cannot be written: {error}", path.display()));
        }
        troubles.extend(self.hook.call(&alarm.to_string()));
        for trouble in troubles {
            if let Err(error) = self.console.line(Stream::Err, &trouble) {
                self.trouble = Some(error);
            }
        }
    }

    fn undecided(&self, event: &Event, why: &Undecided, is_json: bool) -> String {
        let why = tell::undecided(why);
        match is_json {
            true => json!({ "event": "undecided", "node": self.node, "line": event.number, "why": why })
                .to_string(),
            false => format!("undecided[{}], line {}: {why}", Code::MonitorUndecided, event.number),
        }
    }
}
