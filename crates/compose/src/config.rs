//! The configuration of a composition, as a `.cfg` says it.

use std::fmt::Write as _;

use base::FxIndexMap;
use diag::{Code, Diagnostic, Span};
use sema::spec::{AssumeKind, ConstId, Entity, ExprId, ModuleId};

use crate::asked;
use crate::assemble::Assembler;
use crate::effects::{Reach, body_of};
use crate::family::Text;

/// The value of a constant, with its place and how far it reaches.
struct GivenValue<'f> {
    value: &'f Text,
    span: Span,
    rank: Rank,
}

/// The precedence of a value: the last variant wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Family,
    Grain,
    Composition,
    Small,
}

/// Writes the configuration, and checks that everything it needs is there.
pub(crate) fn write(assembler: &mut Assembler<'_>, given: &[String]) {
    let names = named_operators(assembler);
    let values = values(assembler);
    let mut roots: Vec<ExprId> = assembler.outline.init.clone();
    roots.extend(assembler.outline.fairness.iter().copied());
    roots.extend(
        assembler.outline.parts.iter().flat_map(|part| part.actions.iter().map(|action| action.expr)),
    );
    roots.extend(names.iter().filter_map(|(_, name)| root_of(assembler, name)));
    let asked = assembler.outline.invariants.iter().chain(&assembler.outline.properties);
    roots.extend(asked.filter_map(|name| root_of(assembler, name)));
    roots.extend(assumptions(assembler));
    let mut reach = Reach::new(&assembler.spec, roots.iter().copied());
    // Values can be operators, which need constants themselves.
    loop {
        let n_roots = roots.len();
        let operators = values.iter().filter(|(id, _)| reach.constants.contains_key(*id));
        let operators = operators.filter_map(|(_, given)| given.value.text.trim().strip_prefix("<-"));
        for name in operators {
            let found = root_of(assembler, name.trim()).filter(|root| !roots.contains(root));
            roots.extend(found);
        }
        if roots.len() == n_roots {
            break;
        }
        reach = Reach::new(&assembler.spec, roots.iter().copied());
    }
    asked::report_missing(assembler, &reach);
    let root = assembler.spec.root;
    assembler.spec.modules[root].constants.retain(|id| reach.constants.contains_key(id));
    report_without_value(assembler, &values, given);
    let text = text_of(assembler, &names, &values);
    assembler.config = text;
}

fn root_of(assembler: &Assembler<'_>, name: &str) -> Option<ExprId> {
    match assembler.entity(name) {
        Some(Entity::Def(def)) => body_of(&assembler.spec, def),
        Some(Entity::Const(_) | Entity::Var(_) | Entity::Instance(_) | Entity::Local(_)) | None => None,
    }
}

/// Returns the assumptions that are checked: those of all modules that the root extends.
fn assumptions(assembler: &Assembler<'_>) -> Vec<ExprId> {
    let spec = &assembler.spec;
    let mut modules: Vec<ModuleId> = vec![spec.root];
    let mut at = 0;
    while at < modules.len() {
        let more = spec.modules[modules[at]].extends.clone();
        modules.extend(more.into_iter().filter(|module| !modules.contains(module)).collect::<Vec<_>>());
        at += 1;
    }
    let of_module = |&module: &ModuleId| {
        let all = spec.modules[module].assumptions.iter();
        all.filter(|assumption| assumption.kind == AssumeKind::Assume).map(|assumption| assumption.body)
    };
    modules.iter().flat_map(of_module).collect()
}

/// Returns the operators that the configuration names, by keyword; reports those that do not exist.
fn named_operators(assembler: &mut Assembler<'_>) -> Vec<(&'static str, String)> {
    let choice = assembler.choice;
    let composition = choice.composition;
    let grains = || choice.parts.iter().map(|part| part.grain);
    let constraints = grains().flat_map(|grain| &grain.constraints).chain(&composition.constraints);
    let action_constraints =
        grains().flat_map(|grain| &grain.action_constraints).chain(&composition.action_constraints);
    let mut all: Vec<(&'static str, &Text)> = Vec::new();
    all.extend(constraints.map(|text| ("CONSTRAINT", text)));
    all.extend(action_constraints.map(|text| ("ACTION_CONSTRAINT", text)));
    all.extend(composition.symmetry.iter().map(|text| ("SYMMETRY", text)));
    all.extend(composition.view.iter().map(|text| ("VIEW", text)));
    all.extend(composition.alias.iter().map(|text| ("ALIAS", text)));
    let mut names: Vec<(&'static str, String)> = Vec::new();
    for (keyword, text) in all {
        if !matches!(assembler.entity(&text.text), Some(Entity::Def(_))) {
            let headline = format!("no file of the composition defines an operator `{}`", text.text);
            assembler.refuse(Code::CompositionFile, text, headline);
            continue;
        }
        let entry = (keyword, text.text.clone());
        if !names.contains(&entry) {
            names.push(entry);
        }
    }
    names
}

/// Returns the value of each constant. Reports grains that disagree, and values of constants that do not
/// exist.
fn values<'f>(assembler: &mut Assembler<'f>) -> FxIndexMap<ConstId, GivenValue<'f>> {
    let choice = assembler.choice;
    let family = choice.family.constants.iter().map(|pair| (Rank::Family, pair));
    let grains = choice.parts.iter().flat_map(|part| part.grain.constants.iter());
    let grains = grains.map(|pair| (Rank::Grain, pair));
    let own = choice.composition.constants.iter().map(|pair| (Rank::Composition, pair));
    let mut values: FxIndexMap<ConstId, GivenValue<'f>> = FxIndexMap::default();
    let small = choice.composition.small.iter().filter(|_| choice.composition.is_small);
    let small = small.map(|pair| (Rank::Small, pair));
    for (rank, (name, value)) in family.chain(grains).chain(own).chain(small) {
        let Some(Entity::Const(id)) = assembler.entity(&name.text) else {
            // A value for all compositions, or for both sides of a comparison, may be meant for grains that this one does
            // not have.
            if !matches!(rank, Rank::Family | Rank::Small) {
                let headline = format!("no file of the composition declares a constant `{}`", name.text);
                assembler.refuse(Code::CompositionConstant, name, headline);
            }
            continue;
        };
        let span = assembler.span(value);
        let before = values.get(&id);
        if let Some(before) = before.filter(|before| before.rank == rank && before.value.text != value.text) {
            let headline = format!("two grains of the composition give `{}` different values", name.text);
            let wrong = Diagnostic::new(Code::CompositionConstant, span, headline)
                .related(before.span, "the other value")
                .help("let the composition say which: `constants = { NAME = VALUE }`");
            // The composition itself may settle it.
            let settled = choice.composition.constants.iter().any(|(known, _)| known.text == name.text);
            if !settled {
                assembler.diagnostics.push(wrong);
            }
        }
        values.insert(id, GivenValue { value, span, rank });
    }
    values
}

fn report_without_value(
    assembler: &mut Assembler<'_>,
    values: &FxIndexMap<ConstId, GivenValue<'_>>,
    given: &[String],
) {
    let constants = assembler.spec.modules[assembler.spec.root].constants.clone();
    for id in constants.into_iter().filter(|id| !values.contains_key(id)) {
        let constant = &assembler.spec.constants[id];
        let name = assembler.spec.names.text(constant.name).to_owned();
        if given.contains(&name) {
            continue;
        }
        let composition = &assembler.choice.composition.name;
        let headline = format!("the constant `{name}` has no value in composition `{}`", composition.text);
        let wrong = Diagnostic::new(Code::CompositionConstant, constant.span, headline)
            .label("declared here")
            .related(assembler.span(composition), "the composition")
            .help(format!("add `{name} = VALUE` to `[constants]`, or to the composition's `constants`"));
        assembler.diagnostics.push(wrong);
    }
}

fn text_of(
    assembler: &Assembler<'_>,
    names: &[(&'static str, String)],
    values: &FxIndexMap<ConstId, GivenValue<'_>>,
) -> String {
    let mut text = String::from("SPECIFICATION Spec\n");
    let constants = &assembler.spec.modules[assembler.spec.root].constants;
    let with_value: Vec<ConstId> = constants.iter().copied().filter(|id| values.contains_key(id)).collect();
    if !with_value.is_empty() {
        text.push_str("\nCONSTANTS\n");
        for id in with_value {
            let name = assembler.spec.names.text(assembler.spec.constants[id].name);
            // One line for each constant, which `emit` relies on.
            let value = values[&id].value.text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
            let value = value.trim();
            let sign = if value.starts_with("<-") { "" } else { "= " };
            let _ = writeln!(text, "  {name} {sign}{value}");
        }
    }
    let mut section = |title: &str, names: &[String]| {
        if !names.is_empty() {
            let _ = write!(text, "\n{title}\n");
            for name in names {
                let _ = writeln!(text, "  {name}");
            }
        }
    };
    section("INVARIANTS", &assembler.outline.invariants);
    section("PROPERTIES", &assembler.outline.properties);
    for (keyword, title) in [("CONSTRAINT", "CONSTRAINTS"), ("ACTION_CONSTRAINT", "ACTION_CONSTRAINTS")] {
        let of_kind = names.iter().filter(|(known, _)| *known == keyword).map(|(_, name)| name.clone());
        section(title, &of_kind.collect::<Vec<_>>());
    }
    for keyword in ["SYMMETRY", "VIEW", "ALIAS"] {
        for (_, name) in names.iter().filter(|(known, _)| *known == keyword) {
            let _ = write!(text, "\n{keyword} {name}\n");
        }
    }
    if let Some(deadlock) = assembler.choice.composition.deadlock {
        let _ = write!(text, "\nCHECK_DEADLOCK {}\n", deadlock.to_string().to_uppercase());
    }
    text
}
