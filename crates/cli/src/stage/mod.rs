//! `specline stage`: real processes under control, from a prompt or a script.

pub mod args;
mod provision;

use std::fs::File;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use diag::{Code, Diagnostic, SourceId, SourceMap, Span};
use setup::files::read_text;
use stage::script::{self, Line, PlayError, Player, Record};
use stage::system::System;
use stage::{Settings, Trouble};

use crate::check::cannot_write;
use crate::console::{Console, Stream};
use crate::environment::StagePlace;
use crate::exit::{Ending, Stop};
use crate::prompt::{Prompt, Words};
use crate::stage::args::{StageCommand, StageJob};

pub use self::provision::last_lines;

pub fn run(job: &StageJob, console: &Console) -> Result<Ending, Stop> {
    let args = &job.args;
    let (name, parameters, is_provision) = match (&args.command, &args.system) {
        (Some(StageCommand::Provision { system, parameters }), _) => (system, parameters, true),
        (None, Some(system)) => (system, &args.parameters, false),
        (None, None) => return Ok(Ending::BadUsage),
    };
    if is_provision {
        let system = read_system(name, parameters, console)?;
        return provision::run(&system, &python_of(name, &system, &job.place), console);
    }
    let (system, python) = ready((name, parameters), &args.arguments, &job.place, console)?;
    play(job, system, python, console)
}

/// Returns the folder with what was provisioned for a system, one for each list of packages.
fn python_of(name: &Path, system: &System, place: &StagePlace) -> PathBuf {
    let packages = system.provisions().collect::<Vec<&str>>().join(",").replace('/', "_");
    let folder = place.cache.join("systems").join(name.file_name().unwrap_or(name.as_os_str()));
    folder.join(if packages.is_empty() { "python".to_owned() } else { packages })
}

/// A described system that can be started, and its Python environment; more words for its command.
pub fn ready(
    (name, parameters): (&Path, &[(String, String)]),
    arguments: &[String],
    place: &StagePlace,
    console: &Console,
) -> Result<(System, PathBuf), Stop> {
    let mut system = read_system(name, parameters, console)?;
    let python = python_of(name, &system, place);
    if !provision::is_there(&system, &python) {
        let headline = format!("`{}` is not provisioned", name.display());
        let set = parameters.iter().map(|(name, value)| format!(" --set {name}={value}"));
        let help = format!("run `specline stage provision {}{}`", name.display(), set.collect::<String>());
        let told = Diagnostic::without_place(Code::StageFailed, headline).help(help);
        return Err(console.refuse(&SourceMap::new(), &told));
    }
    system.add_arguments(arguments);
    Ok((system, python))
}

/// The folder of a system: `NAME`, here or under `systems`; or that of `NAME/system.toml`.
pub fn folder_of(name: &Path) -> PathBuf {
    if name.file_name().is_some_and(|file| file == "system.toml") && name.is_file() {
        // The folder of a bare `system.toml` is the current one.
        let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty());
        return folder.unwrap_or(Path::new(".")).to_owned();
    }
    let folder =
        [name.to_owned(), Path::new("systems").join(name)].into_iter().find(|folder| folder.is_dir());
    folder.unwrap_or_else(|| name.to_owned())
}

/// The description, with values of its parameters.
fn read_system(name: &Path, parameters: &[(String, String)], console: &Console) -> Result<System, Stop> {
    let folder = folder_of(name);
    let mut sources = SourceMap::new();
    let read = read_text(&folder.join("system.toml"), &mut sources).and_then(|source| {
        // Nodes run elsewhere: what is in the description's folder must be found from there.
        let whole = std::path::absolute(&folder).unwrap_or_else(|_| folder.clone());
        System::parse_with(sources.file(source).text(), &whole, parameters).map_err(|error| {
            Box::new(match error.place {
                Some(place) => Diagnostic::new(Code::SystemFile, Span::new(source, place), error.message),
                None => {
                    let headline = format!("`{}`: {}", sources.file(source).name(), error.message);
                    Diagnostic::without_place(Code::SystemFile, headline)
                }
            })
        })
    });
    read.map_err(|error| console.refuse(&sources, &error))
}

/// The source of the lines of a script.
enum Lines {
    /// A script, whose lines have places.
    Script { sources: SourceMap, source: SourceId, at: usize },
    /// A person at a terminal.
    Person(Box<Prompt>),
    /// A pipe.
    Pipe,
}

/// One line with what is needed to point into it.
struct Input {
    text: String,
    /// Position in the script at which it starts.
    start: usize,
}

impl Lines {
    fn next(&mut self) -> io::Result<Option<Input>> {
        match self {
            Lines::Script { sources, source, at } => {
                let text = sources.file(*source).text();
                let Some(line) = text[*at..].split_inclusive('\n').next() else { return Ok(None) };
                let input = Input { text: line.trim_end_matches('\n').to_owned(), start: *at };
                *at += line.len();
                Ok(Some(input))
            }
            Lines::Person(prompt) => Ok(prompt.next()?.map(|text| Input { text, start: 0 })),
            Lines::Pipe => {
                let mut text = String::new();
                let n = io::stdin().lock().read_line(&mut text)?;
                Ok((n > 0).then(|| Input { text: text.trim_end_matches('\n').to_owned(), start: 0 }))
            }
        }
    }
}

/// A script is checked to its end before anything starts. `words` are offered to a person.
fn open_lines(job: &StageJob, words: Words, console: &Console) -> Result<Lines, Stop> {
    let Some(script) = &job.args.script else {
        let prompt = if job.has_prompt { Some(Prompt::new("stage> ", words)?) } else { None };
        return Ok(prompt.map_or(Lines::Pipe, |prompt| Lines::Person(Box::new(prompt))));
    };
    let mut sources = SourceMap::new();
    let read = read_text(script, &mut sources).and_then(|source| {
        check_script(sources.file(source).text(), source)?;
        Ok(source)
    });
    match read {
        Ok(source) => Ok(Lines::Script { sources, source, at: 0 }),
        Err(error) => Err(console.refuse(&sources, &error)),
    }
}

fn check_script(text: &str, source: SourceId) -> Result<(), Box<Diagnostic>> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Err(error) = script::parse(line) {
            let span = Span::new(source, start + error.place.start..start + error.place.end);
            return Err(Box::new(Diagnostic::new(Code::ScriptLine, span, error.message)));
        }
        start += line.len();
    }
    Ok(())
}

/// Returns the words of which a line at the prompt may consist.
fn words_of(system: &System) -> Words {
    let nodes = system.nodes.iter().map(|node| &node.name);
    let points = system.points.iter().map(|point| &point.name);
    let names = nodes.chain(system.observations.keys()).chain(system.clients.keys()).chain(points).cloned();
    Words {
        events: script::verbs().map(str::to_owned).collect(),
        names: names.collect(),
        are_names_of_expressions: false,
    }
}

fn play(job: &StageJob, system: System, python: PathBuf, console: &Console) -> Result<Ending, Stop> {
    let mut lines = open_lines(job, words_of(&system), console)?;
    let refuse = |told: &Diagnostic| console.refuse(&SourceMap::new(), told);
    let log = job.args.log.as_deref().map(Log::create).transpose();
    let mut log = log.map_err(|unwritable| refuse(&unwritable))?;
    let mut settings = Settings::new(job.place.temporary.clone());
    settings.search_path.clone_from(&job.place.search_path);
    settings.seed = job.args.seed.unwrap_or(settings.seed);
    let player = Player::open(system, settings, python);
    let mut player = player.map_err(|trouble| refuse(&diagnose(&PlayError::Stage(trouble), None)))?;
    // A script ends with its first mistake. A pipe continues, and ends as a failure. A person at a terminal
    // has seen the message.
    let mut ending = Ending::Ok;
    while let Some(input) = lines.next()? {
        let failed = match script::parse(&input.text) {
            Ok(None) => None,
            Ok(Some(Line::Quit)) => break,
            Ok(Some(line)) => play_line(&mut player, &line, &input, (&mut log, console))?
                .map(|error| diagnose(&error, place(&lines, input.start..input.start + input.text.len()))),
            // Only a person's line: a script was checked.
            Err(error) => Some(Diagnostic::without_place(Code::ScriptLine, error.message)),
        };
        if let Some(diagnostic) = failed {
            draw(&lines, &diagnostic, console)?;
            match lines {
                Lines::Script { .. } => return Ok(Ending::of(&diagnostic, false)),
                Lines::Pipe if ending == Ending::Ok => ending = Ending::of(&diagnostic, false),
                Lines::Pipe => {}
                Lines::Person(_) => {}
            }
        }
    }
    if let (Lines::Script { .. }, Err(error)) = (&lines, player.check_points()) {
        let diagnostic = diagnose(&error, None);
        draw(&lines, &diagnostic, console)?;
        return Ok(Ending::of(&diagnostic, false));
    }
    Ok(ending)
}

fn place(lines: &Lines, range: std::ops::Range<usize>) -> Option<Span> {
    match lines {
        Lines::Script { source, .. } => Some(Span::new(*source, range)),
        Lines::Person(_) | Lines::Pipe => None,
    }
}

fn draw(lines: &Lines, diagnostic: &Diagnostic, console: &Console) -> io::Result<()> {
    match lines {
        Lines::Script { sources, .. } => console.draw(Stream::Err, sources, diagnostic),
        Lines::Person(_) | Lines::Pipe => console.draw(Stream::Err, &SourceMap::new(), diagnostic),
    }
}

/// The file to which the record of each event is written.
struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    fn create(path: &Path) -> Result<Log, Box<Diagnostic>> {
        let file = File::create(path).map_err(|error| Box::new(cannot_write(path, &error.to_string())))?;
        Ok(Log { path: path.to_owned(), file })
    }

    fn write(&mut self, record: &Record) -> io::Result<()> {
        let json = serde_json::to_string(record).expect("a record is made of texts and numbers");
        let named =
            |error: io::Error| io::Error::new(error.kind(), format!("`{}`: {error}", self.path.display()));
        writeln!(self.file, "{json}").map_err(named)
    }
}

/// Carries out one line, shows the result, and writes it to the log.
fn play_line(
    player: &mut Player,
    line: &Line,
    input: &Input,
    (log, console): (&mut Option<Log>, &Console),
) -> io::Result<Option<PlayError>> {
    let (record, result) = player.play(line, &input.text);
    show(&record, console)?;
    if let Some(log) = log {
        log.write(&record)?;
    }
    Ok(result.err())
}

fn show(record: &Record, console: &Console) -> io::Result<()> {
    let told = record.answer.iter().chain(&record.uncontrolled);
    let answers = told.map(|line| format!("{}\n", visible(line)));
    let streams = [(&record.output, '|'), (&record.errors, '!')];
    let texts = streams.into_iter().flat_map(|(texts, mark)| {
        texts.iter().flat_map(move |(node, text)| text.lines().map(move |line| (node, mark, line)))
    });
    let written = texts.map(|(node, mark, line)| format!("{node}{mark} {}\n", visible(line)));
    console.write(Stream::Out, &answers.chain(written).collect::<String>())
}

/// Makes output of nodes safe to show: it may have anything in it, and a terminal must not obey it.
fn visible(text: &str) -> String {
    text.chars().map(base::visible).collect()
}

/// Describes an error, with the activity of the threads of a node that never rests.
fn diagnose(error: &PlayError, place: Option<Span>) -> Diagnostic {
    let headline = error.to_string();
    let diagnostic = match place {
        Some(span) => Diagnostic::new(Code::StageFailed, span, headline),
        None => Diagnostic::without_place(Code::StageFailed, headline),
    };
    let PlayError::Stage(Trouble::NeverIdle { threads, .. }) = error else { return diagnostic };
    threads.iter().fold(diagnostic, |diagnostic, thread| {
        let call = thread.call.map_or("nothing that is under control", |call| call.name());
        diagnostic.note(format!("thread {} `{}` ({}): {call}", thread.tid, thread.name, thread.state))
    })
}
