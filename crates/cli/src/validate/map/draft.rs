//! `specline validate --init-map SPEC --log FILE`: a first draft of a mapping.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use diag::{Code, Diagnostic, Span};
use setup::ModelInput;
use setup::read_model::{self, Read, worst};
use validate::NoText;
use validate::draft::NoDraft;

use super::super::{draw, log, refuse};
use crate::console::{Console, Stream};
use crate::exit::{Ending, Stop};
use crate::validate::args::ValidateJob;

/// Number of lines of each file that are looked at.
const LINES_MAX: usize = 20_000;

pub fn draft(job: &ValidateJob, console: &Console) -> Result<Ending, Stop> {
    let args = &job.args;
    let files = match log::list_files(&args.logs) {
        Ok(files) => files,
        Err(error) => return Err(refuse(args, &error, console)),
    };
    let mut lines = Vec::new();
    for path in &files {
        match first_lines(path) {
            Ok(read) => lines.push(read),
            Err(error) => {
                let headline = format!("cannot read `{}`: {error}", path.display());
                let error = Diagnostic::without_place(Code::CannotRead, headline);
                return Err(refuse(args, &error, console));
            }
        }
    }
    let (Read { spec, config, diagnostics }, open_constants) = read_spec(&args.model());
    diagnostics.iter().try_for_each(|error| draw(args, &spec.sources, error, console))?;
    let Some(config) = config else { return Ok(worst(&diagnostics)) };
    match validate::draft::draft(&spec, &config, &open_constants, &lines) {
        Ok(text) => {
            console.write(Stream::Out, &text)?;
            Ok(Ending::Ok)
        }
        Err(NoDraft::NoEvent) => {
            let error = log::empty("the log has no event: no line of it is a JSON object");
            Err(refuse(args, &error, console))
        }
        Err(NoDraft::NoNext) => {
            let error =
                Diagnostic::without_place(Code::MapFile, "the specification has no next-state relation")
                    .help("name one with NEXT or SPECIFICATION in the configuration");
            Err(refuse(args, &error, console))
        }
    }
}

/// Reads a specification. A draft evaluates nothing: a constant without a value gets any, and is returned by name.
fn read_spec(model: &ModelInput) -> (Read, Vec<String>) {
    let read = read_model::read(model, &[]);
    let errors: Vec<&Diagnostic> = read.diagnostics.iter().filter(|error| error.is_error()).collect();
    let is_open = |error: &&Diagnostic| error.code == Code::ConfigMissingConstant;
    if errors.is_empty() || !errors.iter().all(is_open) {
        return (read, Vec::new());
    }
    let spans: Vec<Span> = errors.iter().filter_map(|error| Some(error.primary.as_ref()?.span)).collect();
    let open = read.spec.constants.iter().filter(|constant| spans.contains(&constant.span));
    let open: Vec<String> = open.map(|constant| read.spec.names.text(constant.name).to_owned()).collect();
    let values: Vec<String> = open.iter().map(|name| format!("{name}={{}}")).collect();
    (read_model::read(model, &values), open)
}

fn first_lines(path: &Path) -> io::Result<Vec<String>> {
    let reader = BufReader::new(File::open(path)?);
    let lines = reader.split(b'\n').take(LINES_MAX).collect::<io::Result<Vec<Vec<u8>>>>()?;
    let refused = |no_text: NoText| io::Error::other(format!("it {}; {}", no_text.what(), no_text.help()));
    let (bytes, _) = validate::decode(lines.join(&b'\n')).map_err(refused)?;
    Ok(String::from_utf8_lossy(&bytes).lines().map(ToOwned::to_owned).collect())
}
