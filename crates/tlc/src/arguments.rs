//! Steps as TLC reports them: the action, and the arguments of its definition.

use sema::Spec;
use sema::spec::Def;
use trace::{Binding, Ending, Step, Trace};

/// Keeps of each step only the arguments of its action. TLC: values that are chosen inside the action are not
/// shown.
pub fn keep_arguments(spec: &Spec, trace: &mut Trace) {
    let closing = match &mut trace.ending {
        Ending::Loop { step, .. } => step.as_mut(),
        Ending::Stop | Ending::Stuttering => None,
    };
    let steps = trace.states.iter_mut().filter_map(|state| state.step.as_mut());
    steps.chain(closing).for_each(|step| of_step(spec, step));
}

fn of_step(spec: &Spec, step: &mut Step) {
    let module = step.place.as_ref().map(|place| place.module.as_str());
    let names = parameters(spec, &step.name, module);
    step.parameters = arguments(&names, &step.parameters, |binding: &Binding| &binding.name);
}

/// The bindings of these names, the innermost of several; none if one is missing.
pub fn arguments<B: Clone>(names: &[&str], bindings: &[B], name_of: impl Fn(&B) -> &str) -> Vec<B> {
    let argument = |name: &&str| bindings.iter().rev().find(|binding| name_of(binding) == *name).cloned();
    names.iter().map(argument).collect::<Option<Vec<B>>>().unwrap_or_default()
}

/// Returns the names of the parameters of an action; of several definitions of this name, those of the one in this
/// module.
pub fn parameters<'a>(spec: &'a Spec, action: &str, module: Option<&str>) -> Vec<&'a str> {
    let mut named = spec.defs.iter().filter(|def| spec.names.text(def.name) == action);
    let is_there = |def: &&Def| Some(spec.names.text(spec.modules[def.module].name)) == module;
    let def = named.clone().find(is_there).or_else(|| named.next());
    let params = def.map(|def| def.params.as_slice()).unwrap_or_default();
    params.iter().map(|param| spec.names.text(spec.locals[*param].name)).collect()
}
