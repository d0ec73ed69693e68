//! Decides which invariants and properties a composition has: those whose variables and definitions it has.

use diag::{Code, Diagnostic};
use sema::spec::{DefId, Entity, ModuleId};

use crate::assemble::Assembler;
use crate::choose::Choice;
use crate::effects::{Reach, body_of};
use crate::family::PropertyEntry;

/// An invariant or property that a composition does not have, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    pub name: String,
    pub why: Why,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// The names of variables, actions, modules or grains that are not there.
    Misses(Vec<String>),
    /// The composition lists its invariants, and this one is not among them.
    NotListed,
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::Misses(names) => write!(f, "misses {}", names.join(", ")),
            Why::NotListed => f.write_str("not among the invariants that the composition lists"),
        }
    }
}

/// Returns the invariants and properties whose modules and grains are part of the composition, so that their
/// files can be read.
pub(crate) fn candidates<'c>(choice: &'c Choice<'c>) -> impl Iterator<Item = &'c PropertyEntry> {
    let all = choice.family.invariants.iter().chain(&choice.family.properties);
    all.filter(|asked| missing_parts(choice, asked).is_empty() && is_listed(choice, asked))
}

fn is_listed(choice: &Choice<'_>, asked: &PropertyEntry) -> bool {
    let listed = choice.composition.invariants.as_ref();
    let is_invariant = choice.family.invariants.iter().any(|known| std::ptr::eq(known, asked));
    !is_invariant || listed.is_none_or(|names| names.iter().any(|name| asked.is_called(&name.text)))
}

/// Returns the modules and grains among the needs that the composition does not have.
fn missing_parts(choice: &Choice<'_>, asked: &PropertyEntry) -> Vec<String> {
    let is_missing = |need: &&str| match need.split_once('.') {
        Some((module, grain)) => {
            choice.family.module(module).is_some()
                && choice.part(module).is_none_or(|part| part.grain.name.text != grain)
        }
        None => choice.family.module(need).is_some() && choice.part(need).is_none(),
    };
    let needs = asked.needs.iter().map(|need| need.text.as_str());
    needs.filter(is_missing).map(str::to_owned).collect()
}

/// Decides for every invariant and property of the family whether the composition has it.
pub(crate) fn choose(assembler: &mut Assembler<'_>) {
    let family = assembler.choice.family;
    for asked in &family.invariants {
        if let Some(name) = judge(assembler, asked) {
            assembler.outline.invariants.push(name);
        }
    }
    for asked in &family.properties {
        if let Some(name) = judge(assembler, asked) {
            assembler.outline.properties.push(name);
        }
    }
}

fn judge(assembler: &mut Assembler<'_>, asked: &PropertyEntry) -> Option<String> {
    let choice = assembler.choice;
    let title = asked.title();
    let parts = missing_parts(choice, asked);
    if !parts.is_empty() {
        assembler.outline.left_out.push(LeftOut { name: title, why: Why::Misses(parts) });
        return None;
    }
    if !is_listed(choice, asked) {
        assembler.outline.left_out.push(LeftOut { name: title, why: Why::NotListed });
        return None;
    }
    let Some(def) = find(assembler, asked) else {
        let headline =
            format!("`{}` defines no operator `{}` without parameters", asked.file.text, asked.name.text);
        assembler.refuse(Code::CompositionFile, &asked.name, headline);
        return None;
    };
    let mut missing = missing_names(assembler, asked);
    let body = body_of(&assembler.spec, def)?;
    let reach = Reach::new(&assembler.spec, [body]);
    for &var in reach.vars.keys() {
        let name = assembler.var_name(var).to_owned();
        if !assembler.owners.contains_key(&var) && !missing.contains(&name) {
            missing.push(name);
        }
    }
    if missing.is_empty() {
        return Some(asked.name.text.clone());
    }
    assembler.outline.left_out.push(LeftOut { name: title, why: Why::Misses(missing) });
    None
}

fn find(assembler: &Assembler<'_>, asked: &PropertyEntry) -> Option<DefId> {
    let Some(Entity::Def(def)) = assembler.entity(&asked.name.text) else { return None };
    assembler.spec.defs[def].params.is_empty().then_some(def)
}

/// Returns the variables and actions among the needs that are not there; reports names that nothing has.
fn missing_names(assembler: &mut Assembler<'_>, asked: &PropertyEntry) -> Vec<String> {
    let mut missing = Vec::new();
    for need in &asked.needs {
        let (module, grain) = need.text.split_once('.').unwrap_or((&need.text, ""));
        if let Some(known) = assembler.choice.family.module(module) {
            if !grain.is_empty() && known.grain(grain).is_none() {
                let headline = format!("module `{module}` has no grain `{grain}`");
                assembler.refuse(Code::CompositionFile, need, headline);
            }
            continue;
        }
        let is_there = match assembler.entity(&need.text) {
            Some(Entity::Var(var)) => assembler.owners.contains_key(&var),
            Some(Entity::Def(def)) => is_action(assembler, def),
            Some(Entity::Const(_) | Entity::Instance(_) | Entity::Local(_)) | None => false,
        };
        if !is_there {
            missing.push(need.text.clone());
        }
    }
    missing
}

fn is_action(assembler: &Assembler<'_>, def: DefId) -> bool {
    assembler.outline.parts.iter().any(|part| part.actions.iter().any(|action| action.def == def))
}

/// Reports names of the configuration that reach a variable without an owner.
pub(crate) fn report_missing(assembler: &mut Assembler<'_>, reach: &Reach) {
    for (&var, &span) in &reach.vars {
        if assembler.owners.contains_key(&var) {
            continue;
        }
        let name = assembler.var_name(var).to_owned();
        let composition = &assembler.choice.composition.name;
        let headline =
            format!("`{name}` is needed here, and no grain of composition `{}` owns it", composition.text);
        let declared = assembler.spec.variables[var].span;
        let mut wrong =
            Diagnostic::new(Code::CompositionVariable, span, headline).related(declared, "declared here");
        if let Some(grain) = grain_of(assembler, assembler.spec.variables[var].module) {
            wrong = wrong.help(format!("the grain `{grain}` declares it: let it own `{name}`"));
        } else {
            wrong = wrong.help("add it to the `owns` of a grain, or choose grains that do not need it");
        }
        assembler.diagnostics.push(wrong);
    }
}

fn grain_of(assembler: &Assembler<'_>, module: ModuleId) -> Option<String> {
    let index = assembler.outline.parts.iter().position(|part| part.tla == module)?;
    Some(assembler.part(index).title())
}
