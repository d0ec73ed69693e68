//! `-loadTrace json FILE`, `-loadTrace tlc FILE`: a trace is run again, as `specline check --load` does it.
//!
//! TLC searches, and leaves out what is not in the trace; here the trace is followed, and one that is no behaviour of the
//! specification any more is an error and not a search that found nothing.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use retrace::{Break, BreakKind, Options, Retraced, retrace};
use setup::Ending;
use setup::memory::{self, bytes};
use trace::given::{self, Given};
use trace::{Finding, tlc_forms};

use super::code;
use super::outcome::{self, Teller};
use super::search::{COMPUTING_INIT, SUCCESS, Setting};

/// A form that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Json,
    /// TLC's values as it keeps them on disk.
    Binary,
}

impl Form {
    /// Returns the form that TLC's word names, in upper or lower case.
    pub fn of(word: &str) -> Option<Form> {
        match word.to_ascii_lowercase().as_str() {
            "json" => Some(Form::Json),
            "tlc" => Some(Form::Binary),
            _ => None,
        }
    }
}

pub fn run(teller: Teller<'_>, setting: &Setting<'_>, (form, path): (Form, &Path)) -> io::Result<Ending> {
    let (given, finding) = match read(form, path, setting) {
        Ok(read) => read,
        Err(reason) => {
            teller.voice.trouble(&format!("Cannot read the trace {}: {reason}.", path.display()))?;
            return Ok(Ending::Unreadable);
        }
    };
    let options = Options {
        check_deadlock: setting.check_deadlock,
        memory_bytes_max: bytes(memory::default_bytes()),
        seed: setting.wishes.seed.unwrap_or_default().cast_unsigned(),
        finding: finding.as_ref(),
        interrupted: &setting.interrupted,
        world: setting.world,
        clock: setting.clock,
    };
    teller.voice.say(code::COMPUTING_INIT, COMPUTING_INIT)?;
    match retrace(teller.model, &options, &given) {
        Ok(retraced) => tell(teller, path, &retraced),
        Err(early) => {
            let outcome = early.outcome();
            teller.tell(&outcome)?;
            Ok(outcome::exit(teller.model, &outcome))
        }
    }
}

/// Reads the trace, and the finding that it shows, if the file names it.
fn read(form: Form, path: &Path, setting: &Setting<'_>) -> Result<(Given, Option<Finding>), String> {
    match form {
        Form::Json => {
            let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
            let file = given::read(&text).map_err(|error| error.to_string())?;
            Ok((Given::from(&file), setup::finding_of(&file).cloned()))
        }
        Form::Binary => {
            let bytes = read_bounded(path).map_err(|error| error.to_string())?;
            let trace = tlc_forms::read_binary(&bytes, &setting.constants.model_values)?;
            Ok((Given::exact(&trace), None))
        }
    }
}

/// Reads a file, if it is not longer than a trace can be.
fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    /// Limit on the bytes of a trace. It is more than we write into a gzip file, and a device has no end.
    const BYTES_MAX: u64 = 1 << 29;
    let mut bytes = Vec::new();
    File::open(path)?.take(BYTES_MAX).read_to_end(&mut bytes)?;
    match bytes.len() as u64 == BYTES_MAX {
        true => Err(io::Error::other("it is too large")),
        false => Ok(bytes),
    }
}

fn tell(teller: Teller<'_>, path: &Path, retraced: &Retraced) -> io::Result<Ending> {
    let path = path.display();
    if let Some(Break { state, kind, .. }) = &retraced.broken {
        let what = match kind {
            BreakKind::Initial => "is no initial state",
            BreakKind::Step => "is no successor of the one before",
            BreakKind::Back => "has no step back to where the trace goes on",
        };
        let n = state + 1;
        let text = format!("The trace {path} is no behavior of the specification: state {n} {what}.");
        teller.voice.trouble(&text)?;
        return Ok(Ending::Unreadable);
    }
    if retraced.cut.is_some() && retraced.findings.is_empty() {
        let text =
            format!("The trace {path} can mean more behaviors of the specification than were looked at.");
        teller.voice.trouble(&text)?;
        return Ok(Ending::Unreadable);
    }
    if retraced.unfair.is_some() && retraced.findings.is_empty() {
        let text = format!("The trace {path} is no behavior of the specification: it is not fair.");
        teller.voice.trouble(&text)?;
        return Ok(Ending::Unreadable);
    }
    match retraced.findings.first() {
        Some(found) => {
            teller.tell(&found.outcome)?;
            Ok(outcome::exit(teller.model, &found.outcome))
        }
        None => {
            teller.voice.say(code::SUCCESS, SUCCESS)?;
            Ok(Ending::Ok)
        }
    }
}
