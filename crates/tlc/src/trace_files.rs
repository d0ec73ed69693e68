//! `-dumpTrace`: a counterexample in files, in all of TLC's forms.

use std::io;
use std::path::{Path, PathBuf};

use model::Outcome;
use sema::Spec;
use setup::trace_of;
use trace::{Trace, tlc_forms, tlc_json};

use super::behaviour;
use super::constants::Constants;
use super::outcome::Teller;

/// A form that TLC writes counterexamples in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Json,
    /// `CounterExample` as a definition of a module.
    Module,
    /// The states as a definition of a module.
    States,
    /// A specification that has the trace as its behaviour.
    Explorer,
    /// The steps as an action constraint.
    Actions,
    Dot,
    /// TLC's values as it keeps them on disk.
    Binary,
}

impl Form {
    /// Returns the form that TLC's word names, in upper or lower case.
    pub fn of(word: &str) -> Option<Form> {
        const FORMS: [(&str, Form); 7] = [
            ("json", Form::Json),
            ("tla", Form::Module),
            ("tlcplain", Form::States),
            ("tlcTESpec", Form::Explorer),
            ("tlcaction", Form::Actions),
            ("dot", Form::Dot),
            ("tlc", Form::Binary),
        ];
        FORMS.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, form)| form)
    }
}

/// A file that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFile {
    pub form: Form,
    pub path: PathBuf,
}

/// Writes a counterexample to all files. TLC: a postcondition does it, and prints that it did.
pub fn write(
    teller: Teller<'_>,
    files: &[TraceFile],
    constants: &Constants,
    outcome: &Outcome,
) -> io::Result<()> {
    let Some(found) = trace_of(outcome).filter(|trace| !trace.states.is_empty()) else { return Ok(()) };
    let shown = behaviour::order(found, teller.shown);
    for file in files {
        let path = file.path.display();
        let bytes = match bytes(teller.model.spec, file, &shown, constants) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => continue,
            Err(reason) => {
                let text = format!("Cannot write {path}: {reason}. `-dumpTrace json` has a form for it.");
                teller.voice.trouble(&text)?;
                continue;
            }
        };
        match std::fs::write(&file.path, bytes) {
            Ok(()) => teller.voice.print(&format!("\"CounterExample written: {path}\""))?,
            Err(error) => teller.voice.trouble(&format!("Cannot write {path}: {error}."))?,
        }
    }
    Ok(())
}

/// Returns the content of a file, if there is any; or why the form has no room for it.
fn bytes(
    spec: &Spec,
    file: &TraceFile,
    trace: &Trace,
    constants: &Constants,
) -> Result<Option<Vec<u8>>, String> {
    let module = module_name(&file.path);
    let declared = || list_declared(spec, trace);
    let text = match file.form {
        Form::Json => tlc_json::write(trace),
        Form::Module => tlc_forms::counterexample(trace, &module),
        Form::States => tlc_forms::states(trace, &module),
        Form::Explorer => tlc_forms::explorer(trace, &module, &declared()),
        Form::Actions => {
            return Ok(tlc_forms::actions(trace, &module).map(String::into_bytes));
        }
        Form::Dot => tlc_forms::dot(trace, &declared()),
        Form::Binary => {
            return tlc_forms::binary(trace, &constants.model_values).map(Some);
        }
    };
    Ok(Some(text.into_bytes()))
}

/// Returns the name of the module in a file. TLC uses the path without `.tla`; here it is the file name
/// alone, since no parser accepts a path as a name.
fn module_name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the names of a trace: variables first, in the order of their declaration.
fn list_declared<'a>(spec: &'a Spec, trace: &'a Trace) -> Vec<&'a str> {
    let root = &spec.modules[spec.root];
    let rank = |name: &str| {
        let is_it = |id: &sema::spec::VarId| spec.names.text(spec.variables[*id].name) == name;
        root.variables.iter().position(is_it).unwrap_or(usize::MAX)
    };
    let mut names: Vec<&str> = trace.variables.iter().map(String::as_str).collect();
    names.sort_by_key(|name| rank(name));
    names
}
