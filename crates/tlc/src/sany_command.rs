//! `tla2sany.SANY`: the parser's options, output and exit codes.

use std::io;
use std::path::{Path, PathBuf};

use diag::{Diagnostic, Diagnostics};
use sema::{DiskFiles, LoadOptions, Loaded};
use setup::Ending;

use crate::voice::Voice;
use crate::{Host, folders_ahead, sany as told};

const USAGE: &str = "specline java tla2sany.SANY [-s] [-l] [-error-codes] [-suppressMessages <codes>] [-messagesAsErrors <codes>] <file>...

  -s            leave the semantic analysis out
  -l            leave the check of levels out
  -error-codes  end with 4 where the meaning of a module is wrong; without it only a text that is no module ends with an error";

/// The options of a run of SANY.
#[derive(Default)]
struct Options {
    leaves_out_semantics: bool,
    leaves_out_levels: bool,
    has_error_codes: bool,
    suppressed: Vec<u32>,
    as_errors: Vec<u32>,
    files: Vec<PathBuf>,
}

/// A command line that is not carried out.
enum Stop {
    Help,
    Wrong(String),
}

/// Runs a command line of SANY, with SANY's output.
pub fn run(libraries: &[PathBuf], arguments: &[String], host: &dyn Host) -> io::Result<Ending> {
    let voice = Voice::new(host, false);
    let options = match parse(arguments) {
        Ok(options) => options,
        Err(Stop::Help) => return voice.line(USAGE).map(|()| Ending::Ok),
        Err(Stop::Wrong(text)) => {
            voice.line(&format!("{text}\nTry 'SANY -help' for more information."))?;
            return Ok(Ending::Unreadable);
        }
    };
    let voice = voice.with_codes(options.suppressed.clone(), options.as_errors.clone());
    for file in &options.files {
        let ending = one(&voice, &options, libraries, file)?;
        // SANY: the first file with an error is the last.
        if ending != Ending::Ok {
            return Ok(ending);
        }
    }
    Ok(Ending::Ok)
}

/// Parses one file, and says what SANY says.
fn one(voice: &Voice<'_>, options: &Options, libraries: &[PathBuf], file: &Path) -> io::Result<Ending> {
    voice.line("\n****** SANY2 Version 2.2 created 08 July 2020\n")?;
    let path = with_extension(file);
    if !path.is_file() {
        voice.line(&format!("Cannot find the specified file {}.", path.display()))?;
        return Ok(Ending::Unreadable);
    }
    let (ahead, library) = (folders_ahead(&path), libraries.to_vec());
    let load = LoadOptions { ahead, library, ..LoadOptions::default() };
    let Loaded { spec, diagnostics } = sema::load(&path, &load, &DiskFiles);
    let wanted = retain_wanted(options, told::promote(voice, diagnostics));
    told::tell(voice, &spec, &wanted)?;
    let errors = || wanted.iter().filter(|error| error.is_error());
    if errors().any(is_fatal) {
        return Ok(Ending::Unreadable);
    }
    let is_wrong = errors().next().is_some() && options.has_error_codes;
    Ok(if is_wrong { Ending::Meaning } else { Ending::Ok })
}

/// Whether SANY stops at an error: at a syntax error, or at a module that is not found.
fn is_fatal(error: &Diagnostic) -> bool {
    let id = error.code.id();
    ["SL00", "SL01", "SL02"].iter().any(|start| id.starts_with(start))
}

/// Removes the diagnostics of the checks that the options switch off.
fn retain_wanted(options: &Options, diagnostics: Diagnostics) -> Diagnostics {
    let is_level = |diagnostic: &Diagnostic| diagnostic.code.id().starts_with("SL04");
    let is_left_out = |diagnostic: &Diagnostic| {
        !is_fatal(diagnostic)
            && (options.leaves_out_semantics || options.leaves_out_levels && is_level(diagnostic))
    };
    let mut wanted = Diagnostics::new();
    for diagnostic in diagnostics {
        if !is_left_out(&diagnostic) {
            wanted.push(diagnostic);
        }
    }
    wanted
}

fn with_extension(file: &Path) -> PathBuf {
    match file.extension() {
        Some(extension) if extension == "tla" => file.to_path_buf(),
        Some(_) | None => {
            let mut name = file.as_os_str().to_owned();
            name.push(".tla");
            PathBuf::from(name)
        }
    }
}

fn parse(arguments: &[String]) -> Result<Options, Stop> {
    let mut options = Options::default();
    let mut words = arguments.iter().peekable();
    while let Some(word) = words.next_if(|word| word.starts_with('-')) {
        let lower = word.to_ascii_lowercase();
        match lower.as_str() {
            "-s" => options.leaves_out_semantics = !options.leaves_out_semantics,
            "-l" => options.leaves_out_levels = !options.leaves_out_levels,
            "-error-codes" => options.has_error_codes = true,
            "-suppressmessages" => options.suppressed = codes(word, words.next())?,
            "-messagesaserrors" => options.as_errors = codes(word, words.next())?,
            // SANY's lints, and statistics that it no longer prints.
            "-g" | "-stat" => {}
            "-d" => {
                return Err(Stop::Wrong("-d: there is no explorer of the parser's tables here".to_owned()));
            }
            "-help" | "--help" | "-h" => return Err(Stop::Help),
            _ => return Err(Stop::Wrong(format!("Invalid option: {word}"))),
        }
    }
    options.files = words.map(PathBuf::from).collect();
    match options.files.is_empty() {
        true => Err(Stop::Wrong("At least 1 filename is required.".to_owned())),
        false => Ok(options),
    }
}

fn codes(option: &str, list: Option<&String>) -> Result<Vec<u32>, Stop> {
    let Some(list) = list else {
        return Err(Stop::Wrong(format!("Error: {option} requires a comma-separated list of codes.")));
    };
    let code = |text: &str| {
        let wrong = |_| Stop::Wrong(format!("Error: {option}: not an integer: {text}"));
        text.trim().parse().map_err(wrong)
    };
    list.split(',').map(code).collect()
}
