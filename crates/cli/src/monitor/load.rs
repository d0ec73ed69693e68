//! The specification with a monitor's mapping in it.

use std::path::{Path, PathBuf};

use diag::{Code, Diagnostic, SourceMap, Span};
use eval::ir::Program;
use eval::lower::{Lowered, lower};
use model::Model;
use monitor::map::Mapping;
use monitor::slice::{Slice, slice};
use sema::Spec;
use setup::ModelInput;
use setup::files::read_text;
use setup::read_model::{self, worst};
use value::Atoms;

use crate::console::{Console, Stream};
use crate::exit::{Ending, Stop};

/// A mapping with its text.
pub struct MappingFile {
    path: PathBuf,
    text: String,
    pub mapping: Mapping,
}

impl MappingFile {
    pub fn read(path: &Path, console: &Console) -> Result<MappingFile, Stop> {
        let mut sources = SourceMap::new();
        let source = match read_text(path, &mut sources) {
            Ok(source) => source,
            Err(error) => return Err(console.refuse(&sources, &error)),
        };
        let text = sources.file(source).text().to_string();
        match Mapping::parse(&text) {
            Ok(mapping) => Ok(MappingFile { path: path.to_owned(), text, mapping }),
            Err(errors) => {
                for error in errors {
                    let told =
                        Diagnostic::new(Code::MonitorMap, Span::new(source, error.place), error.message);
                    let told = match error.help {
                        Some(help) => told.help(help),
                        None => told,
                    };
                    console.draw(Stream::Err, &sources, &told)?;
                }
                Err(Ending::ConfigError.into())
            }
        }
    }

    /// Returns the mapping with the bounds of its proofs. What outgoing messages tell of parameters is left out: all their
    /// values within the bounds are looked at.
    pub fn within_proof(&self) -> MappingFile {
        let mut mapping = self.mapping.clone();
        mapping.binds.clear();
        for (name, value) in &self.mapping.proof.constants {
            mapping.constants.retain(|(known, _)| known.text != name.text);
            mapping.constants.push((name.clone(), value.clone()));
        }
        MappingFile { path: self.path.clone(), text: self.text.clone(), mapping }
    }

    /// Returns the mapping without what outgoing messages tell of parameters: all values count.
    pub fn without_binds(&self) -> MappingFile {
        let mut mapping = self.mapping.clone();
        mapping.binds.clear();
        MappingFile { path: self.path.clone(), text: self.text.clone(), mapping }
    }

    /// Returns the constants that the mapping gives values to.
    pub fn constants(&self) -> Vec<String> {
        let constants = self.mapping.constants.iter();
        constants.map(|(name, value)| format!("{}={}", name.text, value.text)).collect()
    }
}

/// A specification and what was derived of it.
pub struct Sliced {
    pub spec: Spec,
    pub program: Program,
    pub slice: Slice,
}

impl Sliced {
    pub fn model(&self) -> Model<'_> {
        Model { spec: &self.spec, program: &self.program }
    }
}

/// Reads the specification, and derives the slice.
pub fn load(model: &ModelInput, file: &MappingFile, console: &Console) -> Result<Sliced, Stop> {
    let mut read = read_model::read(model, &file.constants());
    for diagnostic in read.diagnostics.iter() {
        console.draw(Stream::Err, &read.spec.sources, diagnostic)?;
    }
    let Some(mut config) = read.config.filter(|_| !read.diagnostics.has_errors()) else {
        return Err(worst(&read.diagnostics).into());
    };
    let source = read.spec.sources.add(file.path.display().to_string(), file.text.clone());
    let made = slice(&mut read.spec, &mut config, &file.mapping, source).and_then(|slice| {
        let Lowered { program, diagnostics } = lower(&read.spec, &config, Atoms::new());
        if diagnostics.has_errors() { Err(diagnostics) } else { Ok((slice, program)) }
    });
    match made {
        Ok((slice, program)) => Ok(Sliced { spec: read.spec, program, slice }),
        Err(diagnostics) => {
            for diagnostic in diagnostics.iter() {
                console.draw(Stream::Err, &read.spec.sources, diagnostic)?;
            }
            Err(worst(&diagnostics).into())
        }
    }
}
