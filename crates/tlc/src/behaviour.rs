//! A behaviour as TLC prints it: a message for each state, then one for its end: a cycle or stuttering.

use std::io;

use sema::Spec;
use sema::config::BoundConfig;
use sema::spec::Entity;
use setup::expressions::alias_fields;
use trace::{Ending, State, Trace};

use super::view::Viewed;
use super::voice::{Class, Voice};
use super::{arguments, code};

/// How states are shown.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    pub spec: &'a Spec,
    /// The variables in TLC's order.
    pub variables: &'a [String],
    /// The fields of ALIAS in TLC's order, if they are known.
    pub fields: &'a [String],
    /// Whether only changes are shown of all states but the first and the last.
    pub changes_only: bool,
    /// The VIEW through which the other states are shown.
    pub view: Option<Viewed<'a>>,
}

/// A trace with what it shows in TLC's order, as far as that is known.
pub fn order(trace: &Trace, shown: Shown<'_>) -> Trace {
    let is_all = |order: &&[String]| {
        trace.variables.iter().all(|name| order.contains(name) || trace.expressions.contains(name))
    };
    let order = [shown.fields, shown.variables].into_iter().find(is_all).unwrap_or(&[]);
    let rank = |name: &String| order.iter().position(|known| known == name);
    // What was asked for besides is for files alone.
    let is_shown = |index: &usize| !trace.expressions.contains(&trace.variables[*index]);
    let mut indices: Vec<usize> = (0..trace.variables.len()).filter(is_shown).collect();
    indices.sort_by_key(|&index| rank(&trace.variables[index]));
    let mut ordered = trace.clone();
    ordered.expressions.clear();
    arguments::keep_arguments(shown.spec, &mut ordered);
    ordered.variables = indices.iter().map(|&index| trace.variables[index].clone()).collect();
    for (state, before) in ordered.states.iter_mut().zip(&trace.states) {
        state.values = indices.iter().map(|&index| before.values[index].clone()).collect();
    }
    ordered
}

/// The states and what follows the last.
pub fn tell(voice: &Voice<'_>, trace: &Trace, shown: Shown<'_>) -> io::Result<()> {
    let trace = order(trace, shown);
    let n_states = trace.states.len();
    for index in 0..n_states {
        // TLC: the first state and the last are whole, and a lasso is so all the way.
        let is_whole = index == 0 || index + 1 == n_states || trace.ending != Ending::Stop;
        let before = (shown.changes_only && !is_whole).then(|| &trace.states[index - 1]);
        let (header, state) = (trace::tlc_header(&trace, index), state(&trace, (index, before), shown));
        voice.message(code::STATE, Class::State, &format!("{}: {header}\n{state}", index + 1))?;
    }
    match &trace.ending {
        Ending::Stop => Ok(()),
        Ending::Stuttering => {
            voice.message(code::STUTTERING, Class::State, &format!("{}: Stuttering", n_states + 1))
        }
        Ending::Loop { to, step } => {
            let (number, step) = (to + 1, step.as_ref().map(trace::tlc_step));
            match (voice.is_tool, step) {
                (true, Some(step)) => {
                    let text = format!("{number}: Back to state: {step}\n");
                    voice.message(code::BACK_TO_STATE, Class::State, &text)
                }
                (true, None) => {
                    voice.message(code::BACK_TO_STATE, Class::State, &format!("{number}: Back to state\n"))
                }
                (false, Some(step)) => {
                    voice.say(code::BACK_TO_STATE, &format!("Back to state {number}: {step}\n"))
                }
                (false, None) => voice.say(code::BACK_TO_STATE, &format!("Back to state {number}\n")),
            }
        }
    }
}

/// The first state alone.
pub fn first_state(trace: &Trace, shown: Shown<'_>) -> String {
    state(&order(trace, shown), (0, None), shown)
}

/// The last state alone.
pub fn last_state(trace: &Trace, shown: Shown<'_>) -> String {
    state(&order(trace, shown), (trace.states.len().saturating_sub(1), None), shown)
}

/// Returns a state of an ordered trace as text. Given the state before it, only the variables that changed;
/// TLC ignores VIEW then.
pub fn state(trace: &Trace, (index, before): (usize, Option<&State>), shown: Shown<'_>) -> String {
    let viewed = shown.view.filter(|_| before.is_none()).and_then(|view| view.text(trace, index));
    viewed.unwrap_or_else(|| trace::tlc_state(trace, index, before))
}

/// Returns the fields of ALIAS in the order of the text, which is TLC's order; none if it is not one record.
pub fn fields(spec: &Spec, config: &BoundConfig) -> Vec<String> {
    alias_fields(spec, config).iter().map(|(name, _)| spec.names.text(*name).to_owned()).collect()
}

/// Returns the variables in TLC's order.
///
/// TLC: the order of a hash table with all names that the root module can use, by `String.hashCode` and the
/// size that the table has with that many names. Names that share a place keep their order here.
pub fn variables(spec: &Spec) -> Vec<String> {
    let root = &spec.modules[spec.root];
    let names = root.variables.iter().map(|&id| spec.names.text(spec.variables[id].name).to_owned());
    let mut names: Vec<String> = names.collect();
    let of_instances = root.scope.values().map(|entry| n_names_of_instance(spec, entry.entity, DEPTH_MAX));
    let n_places = n_places(N_BUILTINS + root.scope.len() + of_instances.sum::<usize>());
    names.sort_by_key(|name| (java_hash(name) & 0x7fff_ffff) % n_places);
    names
}

/// Limit on instances inside of instances.
const DEPTH_MAX: usize = 8;

/// Returns how many names `I!Op` a named INSTANCE adds to TLC's table: those of all definitions that its module passes on.
fn n_names_of_instance(spec: &Spec, entity: Entity, depth: usize) -> usize {
    let Entity::Instance(instance) = entity else { return 0 };
    let scope = &spec.modules[spec.instances[instance].module].scope;
    let passed_on = scope.values().filter(|entry| !entry.local);
    let n_names = |entity: Entity| match entity {
        Entity::Def(_) => 1,
        Entity::Instance(_) if depth > 0 => 1 + n_names_of_instance(spec, entity, depth - 1),
        Entity::Instance(_) | Entity::Const(_) | Entity::Var(_) | Entity::Local(_) => 0,
    };
    passed_on.map(|entry| n_names(entry.entity)).sum()
}

/// How many operators TLA+ has without any module.
const N_BUILTINS: usize = 72;

/// Returns the size of Java's table: it grows when it is three quarters full.
fn n_places(n_names: usize) -> u32 {
    let mut n_places: u32 = 11;
    while n_names > n_places as usize * 3 / 4 {
        n_places = n_places * 2 + 1;
    }
    n_places
}

fn java_hash(text: &str) -> u32 {
    text.encode_utf16().fold(0, |hash: u32, unit| hash.wrapping_mul(31).wrapping_add(u32::from(unit)))
}

#[cfg(test)]
mod tests {
    use super::{java_hash, n_places};

    #[test]
    fn names_have_the_places_that_java_gives_them() {
        assert_eq!(java_hash("log"), 107_332);
        assert_eq!(java_hash("x"), 120);
        // 8 names fill a table of 11, and the ninth makes it larger.
        assert_eq!((n_places(8), n_places(9), n_places(17), n_places(18)), (11, 23, 23, 47));
    }
}
