//! `pcal.trans`: the translator's options, files and exit codes. It writes the module, keeps the old one beside it with the
//! extension `.old`, and completes the configuration.

use std::io;
use std::path::{Path, PathBuf};

use diag::{Diagnostic, SourceMap, render};
use pcal::{Options, Translation};
use setup::{Ending, files};

use crate::Host;
use crate::voice::Voice;

const USAGE: &str = "specline java pcal.trans [options] <file>

  -nocfg, -noold        write no configuration, keep no old module
  -wf, -sf, -wfNext     fairness of each process, or of Next
  -nof                  no fairness
  -termination          check Termination
  -noDoneDisjunct       no step for what has ended
  -label, -reportLabels add missing labels
  -labelRoot <name>     what added labels begin with
  -lineWidth <columns>  the width of lines
  -version <number>     the version of PlusCal";

/// The line of a configuration below which users write.
const DELIMITER: &str = "\\* Add statements after this line.";

/// A run of the translator.
struct Job {
    options: Options,
    writes_config: bool,
    keeps_old: bool,
    file: PathBuf,
}

/// Does what a command line of the translator asks for. The exit code is 0, or 255 as for any Java program that fails so.
pub fn run(arguments: &[String], host: &dyn Host) -> io::Result<Ending> {
    let voice = Voice::new(host, false);
    if arguments.iter().any(|word| word == "-help" || word == "--help") || arguments.is_empty() {
        return voice.line(USAGE).map(|()| Ending::Ok);
    }
    match parse(arguments) {
        Ok(job) => translate(&job, &voice),
        Err(wrong) => {
            voice.line(&format!("Command-line error: {wrong}."))?;
            voice.line("Use -help option for more information.")?;
            Ok(Ending::Unreadable)
        }
    }
}

fn parse(arguments: &[String]) -> Result<Job, String> {
    let (file, words) = arguments.split_last().ok_or("No arguments specified")?;
    let mut job = Job {
        options: Options::default(),
        writes_config: true,
        keeps_old: true,
        file: with_extension(file)?,
    };
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let name = word.strip_prefix('-').ok_or_else(|| format!("Unknown command-line option: {word}"))?;
        match name {
            "nocfg" => job.writes_config = false,
            "noold" => job.keeps_old = false,
            // Lines end as they do in the module; and nothing more is told.
            "unixEOL" | "debug" => {}
            _ => {
                let value = words.peek().map(|value| value.as_str());
                if job.options.set(name, value)? {
                    words.next();
                }
            }
        }
    }
    Ok(job)
}

fn with_extension(file: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(file);
    match path.extension() {
        None => Ok(path.with_extension("tla")),
        Some(extension) if extension.eq_ignore_ascii_case("tla") => Ok(path),
        Some(_) => Err("Input file has extension other than tla".to_owned()),
    }
}

fn translate(job: &Job, voice: &Voice<'_>) -> io::Result<Ending> {
    let mut sources = SourceMap::new();
    let fail = |sources: &SourceMap, wrong: &Diagnostic| {
        voice.line(&format!("\nUnrecoverable error:\n -- {}\n", render::concise(sources, wrong)))?;
        Ok(Ending::Unreadable)
    };
    let source = match files::read_text(&job.file, &mut sources) {
        Ok(source) => source,
        Err(wrong) => return fail(&sources, &wrong),
    };
    let text = sources.file(source).text().clone();
    let translation = match pcal::translate(&text, source, &job.options) {
        Ok(Some(translation)) => translation,
        Ok(None) => {
            voice
                .line("\nUnrecoverable error:\n -- Beginning of algorithm string --algorithm not found.\n")?;
            return Ok(Ending::Unreadable);
        }
        Err(wrong) => return fail(&sources, &wrong),
    };
    voice.line("Parsing completed.\nTranslation completed.")?;
    if let Err((path, error)) = write(job, &text, &translation) {
        voice.line(&format!(
            "\nUnrecoverable error:\n -- Could not write file {}: {error}\n",
            path.display()
        ))?;
        return Ok(Ending::Unreadable);
    }
    voice.line(&format!("New file {} written.", job.file.display()))?;
    if job.writes_config {
        voice.line(&format!("New file {} written.", job.file.with_extension("cfg").display()))?;
    }
    Ok(Ending::Ok)
}

/// Writes the old module, the new one, and the configuration; gives the file that could not be written.
fn write(job: &Job, old: &str, translation: &Translation) -> Result<(), (PathBuf, io::Error)> {
    let replace =
        |path: &Path, text: &str| files::replace(path, text).map_err(|error| (path.to_owned(), error));
    if job.keeps_old {
        replace(&job.file.with_extension("old"), old)?;
    }
    replace(&job.file, &translation.module)?;
    if job.writes_config {
        let path = job.file.with_extension("cfg");
        let present = match std::fs::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err((path, error)),
        };
        replace(&path, &config(present.as_deref(), translation))?;
    }
    Ok(())
}

/// The configuration: what the translation needs, and what stood below the delimiter, or all of it where there was none.
fn config(present: Option<&str>, translation: &Translation) -> String {
    let mut lines: Vec<&str> = present.unwrap_or(DELIMITER).lines().collect();
    match lines.iter().position(|line| line.contains(DELIMITER)) {
        Some(at) => drop(lines.drain(..at)),
        None => lines.insert(0, DELIMITER),
    }
    if translation.has_default {
        lines.insert(0, "CONSTANT defaultInitValue = defaultInitValue");
    }
    if translation.checks_termination {
        lines.insert(0, "PROPERTY Termination");
    }
    let names_it = |line: &&str| {
        let statement = line.find("SPECIFICATION");
        statement.is_some_and(|at| line.find("\\*").is_none_or(|comment| comment > at))
    };
    if !lines.iter().any(names_it) {
        lines.insert(0, "SPECIFICATION Spec");
    }
    lines.join("\n") + "\n"
}
