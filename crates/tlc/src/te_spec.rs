//! `-generateSpecTE`: a specification is written that explores the counterexample.

use std::path::{Path, PathBuf};

use model::Outcome;
use sema::Spec;
use sema::config::BoundConfig;
use setup::trace_of;
use trace::tlc_forms::Exploration;
use trace::{Ending, Trace};

use super::code;
use super::constants::Constants;
use super::options::Options;
use super::outcome::Teller;

/// The prefix of the name of a variable that ALIAS would hide.
const HIDDEN: &str = "_TE_";

/// Whether a specification is to be written.
///
/// TLC: unless something else is said. Here it is asked for, by the option or by where it is to go; then TLC's exceptions
/// count.
pub fn is_wished(options: &Options) -> bool {
    let is_explorer = options.spec.file_stem().is_some_and(|stem| stem.to_string_lossy().contains("_TTrace"));
    let is_place = options.te_spec_place.is_some();
    let may = !options.leaves_out_te_spec && !options.is_tool && !options.goes_on && !is_explorer;
    options.recover.is_none() && (options.wants_te_spec || is_place && may)
}

/// The expressions by which a trace keeps the variables, where ALIAS shows something else.
pub fn hidden_variables(spec: &Spec, config: &BoundConfig) -> Vec<String> {
    if config.alias.is_none() {
        return Vec::new();
    }
    let names = spec.modules[spec.root].variables.iter().map(|&id| spec.names.text(spec.variables[id].name));
    names.map(|name| format!("{HIDDEN}{name} == {name}")).collect()
}

/// Writes the trace exploration specification, if there is a behaviour of more than one state. TLC: its path
/// is the last message.
pub fn write(teller: Teller<'_>, options: &Options, constants: &Constants, outcome: &Outcome) {
    let Some(found) = trace_of(outcome).filter(|_| is_wished(options)) else { return };
    let trace = variables(teller, found);
    let is_whole = trace.states.iter().all(|state| state.values.iter().all(Option::is_some));
    let is_one = trace.states.len() < 2 && trace.ending == Ending::Stop;
    if is_one || !is_whole {
        return;
    }
    let spec = teller.model.spec;
    let module = spec.names.text(spec.modules[spec.root].name);
    let path = place(options, module);
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let undeclared = list_undeclared(spec, constants);
    let exploration = Exploration {
        trace: &trace,
        name: &name,
        module,
        undeclared: &undeclared,
        constants: &assignments(constants),
    };
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    let written = folder.and_then(|()| std::fs::write(&path, exploration.text()));
    let path = path.display();
    match written {
        Ok(()) => teller.voice.say_last(code::TE_SPEC, format!("Trace exploration spec path: {path}")),
        Err(error) => {
            let text = format!("The trace exploration spec {path} was not written: {error}");
            teller.voice.say_last(code::TE_SPEC_FAILED, text);
        }
    }
}

/// Returns the trace with the variables of the module, even if an ALIAS hides them.
fn variables(teller: Teller<'_>, found: &Trace) -> Trace {
    let mut trace = found.clone();
    let order = teller.shown.variables.iter();
    let hidden = |name: &String| found.variables.iter().position(|it| *it == format!("{HIDDEN}{name}"));
    let shown = |name: &String| found.variables.iter().position(|it| it == name);
    let indices: Vec<Option<usize>> = order.map(|name| hidden(name).or_else(|| shown(name))).collect();
    trace.variables = teller.shown.variables.to_vec();
    for (state, before) in trace.states.iter_mut().zip(&found.states) {
        state.values = indices.iter().map(|&at| before.values.get(at?)?.clone()).collect();
    }
    trace
}

/// Returns the file that was named for the specification.
pub fn file(options: &Options) -> Option<&Path> {
    let is_module = |path: &Path| path.extension().is_some_and(|it| it.eq_ignore_ascii_case("tla"));
    options.te_spec_place.as_deref().filter(|path| is_wished(options) && is_module(path))
}

/// Returns the path of the specification. TLC: beside the module, in the folder that was named, or the file
/// that was named.
fn place(options: &Options, module: &str) -> PathBuf {
    if let Some(file) = file(options) {
        return file.to_owned();
    }
    let seconds = jiff::Timestamp::now().as_second();
    let name = format!("{module}_TTrace_{seconds}.tla");
    match &options.te_spec_place {
        Some(folder) => folder.join(name),
        None => options.spec.parent().unwrap_or(Path::new("")).join(name),
    }
}

/// Returns the model values that are no name of the module.
fn list_undeclared(spec: &Spec, constants: &Constants) -> Vec<String> {
    let scope = &spec.modules[spec.root].scope;
    let is_known = |name: &String| scope.keys().any(|known| spec.names.text(*known) == name);
    constants.model_values.iter().filter(|name| !is_known(name)).cloned().collect()
}

/// Returns the assignments of constants, and one of each model value to its own name, since the trace uses
/// that name.
fn assignments(constants: &Constants) -> Vec<String> {
    let own = constants.model_values.iter().map(|name| format!("{name} = {name}"));
    let missing = own.filter(|line| !constants.lines.contains(line));
    constants.lines.iter().cloned().chain(missing).collect()
}
