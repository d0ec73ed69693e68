//! `--emit`: a composition as files.

use std::path::{Path, PathBuf};

use compose::{Choice, Composed, Emitted};
use diag::{Code, Diagnostic, SourceMap};
use sema::{DiskFiles, LoadOptions};
use setup::composition;

use crate::compose::Command;
use crate::console::Stream;
use crate::exit::{Ending, Stop};

/// Writes the module, its configuration and the modules that it instantiates.
pub fn write(
    command: &Command<'_>,
    choice: &Choice<'_>,
    (composed, folder): (&mut Composed, &Path),
) -> Result<Ending, Stop> {
    let title = format!("{}@{}: {}", command.file.display(), choice.composition.name.text, choice.summary());
    let (_, defines) = composition::bind_defined(composed, &command.file, &command.args.sources.defines)
        .map_err(|errors| command.refuse(&composed.spec.sources, &errors))?;
    let emitted = compose::emit(composed, &title, &defines)
        .map_err(|error| command.console.refuse(&composed.spec.sources, &error))?;
    check_inputs(command, choice, (&emitted, folder))?;
    std::fs::create_dir_all(folder).map_err(|error| cannot_write(command, folder, &error))?;
    let mut files = vec![
        (format!("{}.tla", emitted.module), &emitted.tla),
        (format!("{}.cfg", emitted.module), &emitted.cfg),
    ];
    files.extend(emitted.copies.iter().map(|(name, text)| (format!("{name}.tla"), text)));
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|error| cannot_write(command, &path, &error))?;
        if !command.args.quiet.quiet {
            command.console.line(Stream::Err, &format!("wrote {}", path.display()))?;
        }
    }
    read_back(command, &folder.join(format!("{}.tla", emitted.module)))
}

fn cannot_write(command: &Command<'_>, path: &Path, error: &std::io::Error) -> Stop {
    let headline = format!("cannot write `{}`: {error}", path.display());
    let wrong = Diagnostic::without_place(Code::CannotWrite, headline);
    command.console.refuse(&SourceMap::new(), &wrong)
}

/// Refuses to write over a file that the composition is read from.
fn check_inputs(
    command: &Command<'_>,
    choice: &Choice<'_>,
    (emitted, folder): (&Emitted, &Path),
) -> Result<(), Stop> {
    let files = choice.parts.iter().filter_map(|part| part.grain.file.as_ref());
    let mut read: Vec<(&str, PathBuf)> =
        files.map(|file| ("a grain of the composition", choice.family.path_of(file))).collect();
    read.push(("the composition file", command.file.clone()));
    let path = |name: &str| ("--emit", folder.join(name));
    let mut written =
        vec![path(&format!("{}.tla", emitted.module)), path(&format!("{}.cfg", emitted.module))];
    written.extend(emitted.copies.iter().map(|(name, _)| path(&format!("{name}.tla"))));
    match setup::outputs::clash(&written, &read) {
        Some(clash) => Err(command.console.refuse(&SourceMap::new(), &clash)),
        None => Ok(()),
    }
}

/// Reads what was written. Errors in it are ours.
fn read_back(command: &Command<'_>, path: &Path) -> Result<Ending, Stop> {
    let options = LoadOptions { library: command.args.sources.libraries.clone(), ..LoadOptions::default() };
    let loaded = sema::load(path, &options, &DiskFiles);
    for error in loaded.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
        command.console.draw(Stream::Err, &loaded.spec.sources, error)?;
    }
    match loaded.diagnostics.has_errors() {
        true => {
            let headline = "the module that was written cannot be read back";
            let wrong = Diagnostic::without_place(Code::Internal, headline);
            Err(command.console.refuse(&loaded.spec.sources, &wrong))
        }
        false => Ok(Ending::Ok),
    }
}
