//! `-dumpTrace`: a counterexample in files, in all of TLC's forms.

use std::io;
use std::path::{Path, PathBuf};

use sema::Spec;
use sema::spec::Def;
use trace::{Binding, Step, Trace, tlc_forms, tlc_json};

use super::behaviour;
use super::constants::Constants;
use super::outcome::Teller;
use crate::check::{Outcome, trace_of};

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
    /// By TLC's word for it, in any case.
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
    let shown = behaviour::ordered(found, teller.shown);
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
            Ok(()) => teller.voice.printed(&format!("\"CounterExample written: {path}\""))?,
            Err(error) => teller.voice.trouble(&format!("Cannot write {path}: {error}."))?,
        }
    }
    Ok(())
}

/// What is in a file, if anything; or why the form has no room for it.
fn bytes(
    spec: &Spec,
    file: &TraceFile,
    trace: &Trace,
    constants: &Constants,
) -> Result<Option<Vec<u8>>, String> {
    let module = module_name(&file.path);
    let declared = || declared(spec, trace);
    let text = match file.form {
        Form::Json => tlc_json::write(trace),
        Form::Module => tlc_forms::counterexample(&with_arguments(spec, trace), &module),
        Form::States => tlc_forms::states(trace, &module),
        Form::Explorer => tlc_forms::explorer(trace, &module, &declared()),
        Form::Actions => {
            return Ok(tlc_forms::actions(&with_arguments(spec, trace), &module).map(String::into_bytes));
        }
        Form::Dot => tlc_forms::dot(trace, &declared()),
        Form::Binary => {
            return tlc_forms::binary(&with_arguments(spec, trace), &constants.model_values).map(Some);
        }
    };
    Ok(Some(text.into_bytes()))
}

/// TLC: the path without `.tla`. A module is called after the file alone here, since no other name could be read.
fn module_name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The names of a trace, those of variables first and as they are declared.
fn declared<'a>(spec: &'a Spec, trace: &'a Trace) -> Vec<&'a str> {
    let root = &spec.modules[spec.root];
    let rank = |name: &str| {
        let is_it = |id: &sema::spec::VarId| spec.names.text(spec.variables[*id].name) == name;
        root.variables.iter().position(is_it).unwrap_or(usize::MAX)
    };
    let mut names: Vec<&str> = trace.variables.iter().map(String::as_str).collect();
    names.sort_by_key(|name| rank(name));
    names
}

/// TLC: of a step only the arguments of the action are told, and not what was chosen inside of it.
fn with_arguments(spec: &Spec, trace: &Trace) -> Trace {
    let mut trace = trace.clone();
    let closing = match &mut trace.ending {
        trace::Ending::Loop { step, .. } => step.as_mut(),
        trace::Ending::Stop | trace::Ending::Stuttering => None,
    };
    let steps = trace.states.iter_mut().filter_map(|state| state.step.as_mut());
    steps.chain(closing).for_each(|step| keep_arguments(spec, step));
    trace
}

fn keep_arguments(spec: &Spec, step: &mut Step) {
    let params = definition(spec, step).map(|def| def.params.as_slice()).unwrap_or_default();
    let argument = |name: &str| step.parameters.iter().rev().find(|binding| binding.name == name).cloned();
    let arguments = params.iter().map(|param| argument(spec.names.text(spec.locals[*param].name)));
    step.parameters = arguments.collect::<Option<Vec<Binding>>>().unwrap_or_default();
}

/// The definition that a step is called after; of several that in the module where the step is.
fn definition<'a>(spec: &'a Spec, step: &Step) -> Option<&'a Def> {
    let mut named = spec.defs.iter().filter(|def| spec.names.text(def.name) == step.name);
    let module = step.place.as_ref().map(|place| place.module.as_str());
    let is_there = |def: &&Def| Some(spec.names.text(spec.modules[def.module].name)) == module;
    named.clone().find(is_there).or_else(|| named.next())
}
