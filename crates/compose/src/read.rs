//! Reads the text of a composition file as a [`Family`].

use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use validate::map::table::{Errors, Table, error, key_text, report_wrong, text_of};

use crate::family::{
    Accepted, Composition, Family, Grain, MapError, Module, ModuleKind, PropertyEntry, Text,
};

type Item<'i> = Spanned<DeValue<'i>>;

/// Keys of a composition that are not names of modules.
const COMPOSITION_KEYS: &[&str] = &[
    "faults",
    "constants",
    "small",
    "start",
    "init",
    "constraints",
    "action_constraints",
    "symmetry",
    "view",
    "alias",
    "deadlock",
    "invariants",
    "extends",
];

/// Reads a composition file.
pub(crate) fn family(path: &Path, text: &str) -> Result<Family, Vec<MapError>> {
    let parsed = DeTable::parse(text).map_err(|failed| vec![not_toml(&failed, text)])?;
    let mut reader = FamilyReader { text, errors: Vec::new() };
    let family = reader.family(path, parsed.get_ref());
    let mut errors = reader.errors;
    errors.sort_by_key(|error| error.place.start);
    if errors.is_empty() { Ok(family) } else { Err(errors) }
}

fn not_toml(failed: &toml::de::Error, text: &str) -> MapError {
    let place = failed.span().unwrap_or(0..0);
    let mut told = error(place.clone(), failed.message());
    if text.get(place).is_some_and(|part| part.contains('\\')) || failed.message().contains("escape") {
        let help = "write expressions in single quotes, where `\\` means itself: '\\E x \\in S : A(x)'";
        told.help = Some(help.to_owned());
    }
    told
}

/// Reports a value of the wrong type.
fn report_type(item: &Item<'_>, key: &str, expected: &str, errors: &mut Errors) {
    let _: Option<()> = report_wrong(item, key, expected, errors);
}

struct FamilyReader<'t> {
    text: &'t str,
    errors: Errors,
}

impl<'t> FamilyReader<'t> {
    fn family(&mut self, path: &Path, top: &'t DeTable<'_>) -> Family {
        let text = self.text;
        let mut table = Table::new(text, "a composition file", top);
        let constants = self.values(&mut table, "constants");
        let mut modules = self.read_named(&mut table, "module", FamilyReader::module);
        modules.extend(self.read_named(&mut table, "fault", FamilyReader::fault));
        let invariants = self.tables(&mut table, "invariant", FamilyReader::read_asked);
        let properties = self.tables(&mut table, "property", FamilyReader::read_asked);
        let compositions = self.read_named(&mut table, "composition", FamilyReader::composition);
        let accepted = self.tables(&mut table, "accepted", FamilyReader::read_accepted);
        table.finish(&mut self.errors);
        for name in modules.iter().filter(|module| COMPOSITION_KEYS.contains(&module.name.text.as_str())) {
            let message =
                format!("a module cannot be called `{}`: a composition has that key", name.name.text);
            self.errors.push(error(name.name.place.clone(), message));
        }
        let path = path.to_path_buf();
        let text = text.to_owned();
        Family { path, text, constants, modules, invariants, properties, compositions, accepted }
    }

    /// Reads `[key.NAME]` tables in the order of the file.
    fn read_named<T>(
        &mut self,
        table: &mut Table<'t, '_>,
        key: &'static str,
        read: impl Fn(&mut Self, Text, &'t DeTable<'_>) -> T,
    ) -> Vec<T> {
        let mut all: Vec<T> = Vec::new();
        for (name, item) in table.entries(key, &mut self.errors) {
            self.check_name(&name);
            match item.get_ref().as_table() {
                Some(inner) => all.push(read(self, name, inner)),
                None => report_type(item, &name.text, "a table", &mut self.errors),
            }
        }
        all
    }

    /// Reads `[[key]]` tables.
    fn tables<T>(
        &mut self,
        table: &mut Table<'t, '_>,
        key: &'static str,
        read: impl Fn(&mut Self, Range<usize>, &'t DeTable<'_>) -> Option<T>,
    ) -> Vec<T> {
        let found = table.tables(key, &mut self.errors);
        found.into_iter().filter_map(|(place, inner)| read(self, place, inner)).collect()
    }

    /// Refuses names that cannot be written on a command line after `@`, or as a name of TLA+ once `-` and `.` are
    /// replaced.
    fn check_name(&mut self, name: &Text) {
        let is_good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let starts = name.text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if name.text.is_empty() || !name.text.chars().all(is_good) || !starts {
            let message = format!("`{}` cannot be a name", name.text.escape_debug());
            let mut wrong = error(name.place.clone(), message);
            let help =
                "names consist of letters, digits, `_`, `-` and `.`, and begin with a letter, digit or `_`";
            wrong.help = Some(help.to_owned());
            self.errors.push(wrong);
        }
    }

    fn module(&mut self, name: Text, table: &'t DeTable<'_>) -> Module {
        let mut inner = Table::new(self.text, "a module", table);
        let code = inner.strings("code", &mut self.errors);
        let default = inner.string("default", &mut self.errors);
        let grains = self.read_named(&mut inner, "grain", FamilyReader::grain);
        inner.finish(&mut self.errors);
        if grains.is_empty() {
            let message = format!("module `{}` has no grain", name.text);
            let mut wrong = error(name.place.clone(), message);
            wrong.help = Some(format!("add `[module.{}.grain.NAME]`", name.text));
            self.errors.push(wrong);
        }
        Module { name, kind: ModuleKind::Ordinary, code, default, grains }
    }

    fn fault(&mut self, name: Text, table: &'t DeTable<'_>) -> Module {
        let mut grain = self.grain(name.clone(), table);
        let code = std::mem::take(&mut grain.code);
        Module { name, kind: ModuleKind::Fault, code, default: None, grains: vec![grain] }
    }

    fn grain(&mut self, name: Text, table: &'t DeTable<'_>) -> Grain {
        let mut inner = Table::new(self.text, "a grain", table);
        let owns = inner.get("owns").is_some();
        let errors = &mut self.errors;
        let grain = Grain {
            file: inner.string("file", errors),
            owns: owns.then(|| inner.strings("owns", errors)),
            shares: inner.strings("shares", errors),
            reads: inner.strings("reads", errors),
            init: inner.string("init", errors),
            starts: inner.pairs("starts", errors),
            actions: inner.strings("actions", errors),
            fairness: inner.strings("fairness", errors),
            constraints: inner.strings("constraints", errors),
            action_constraints: inner.strings("action_constraints", errors),
            constants: Vec::new(),
            provides: inner.pairs("provides", errors),
            coarsens: inner.string("coarsens", errors),
            merged: inner.string("merged", errors),
            code: inner.strings("code", errors),
            name,
        };
        let constants = self.values(&mut inner, "constants");
        inner.finish(&mut self.errors);
        self.check_grain(&grain);
        Grain { constants, ..grain }
    }

    fn check_grain(&mut self, grain: &Grain) {
        let name = &grain.name;
        match (&grain.file, &grain.merged) {
            (None, None) => {
                let message = format!("grain `{}` has no `file`", name.text);
                self.errors.push(error(name.place.clone(), message));
            }
            (Some(file), Some(_)) => {
                let message = "a grain that is merged into another has no `file` of its own";
                self.errors.push(error(file.place.clone(), message));
            }
            (Some(_), None) | (None, Some(_)) => {}
        }
        if grain.merged.is_some()
            && let Some(own) = grain.actions.first().or(grain.init.as_ref())
        {
            let message = "a grain that is merged into another has no actions and no variables of its own";
            self.errors.push(error(own.place.clone(), message));
        }
    }

    fn read_asked(&mut self, place: Range<usize>, table: &'t DeTable<'_>) -> Option<PropertyEntry> {
        let mut inner = Table::new(self.text, "an invariant or property", table);
        let name = inner.string("name", &mut self.errors);
        let label = inner.string("label", &mut self.errors);
        let file = inner.string("file", &mut self.errors);
        let needs = inner.strings("needs", &mut self.errors);
        inner.finish(&mut self.errors);
        let (Some(name), Some(file)) = (name, file) else {
            self.errors.push(error(place, "an invariant or property has a `name` and a `file`"));
            return None;
        };
        Some(PropertyEntry { name, label, file, needs })
    }

    fn read_accepted(&mut self, place: Range<usize>, table: &'t DeTable<'_>) -> Option<Accepted> {
        let mut inner = Table::new(self.text, "an accepted difference", table);
        let errors = &mut self.errors;
        let compositions = inner.strings("compositions", errors);
        let target = inner.string("target", errors);
        let actions = inner.strings("actions", errors);
        let variables = inner.strings("variables", errors);
        let reason = inner.string("reason", errors);
        inner.finish(errors);
        let Some(reason) = reason.filter(|reason| !reason.text.trim().is_empty()) else {
            self.errors.push(error(place, "a difference is accepted for a `reason`"));
            return None;
        };
        if actions.is_empty() && variables.is_empty() {
            let message =
                "an accepted difference names `actions` or `variables`: not everything can be accepted";
            self.errors.push(error(place, message));
            return None;
        }
        Some(Accepted { place, compositions, target, actions, variables, reason })
    }

    fn composition(&mut self, name: Text, table: &'t DeTable<'_>) -> Composition {
        let mut inner = Table::new(self.text, "a composition", table);
        let invariants = inner.get("invariants").is_some();
        let errors = &mut self.errors;
        let composition = Composition {
            grains: Vec::new(),
            faults: inner.strings("faults", errors),
            constants: Vec::new(),
            small: Vec::new(),
            is_small: false,
            start: inner.string("start", errors),
            init: inner.string("init", errors),
            constraints: inner.strings("constraints", errors),
            action_constraints: inner.strings("action_constraints", errors),
            symmetry: inner.string("symmetry", errors),
            view: inner.string("view", errors),
            alias: inner.string("alias", errors),
            deadlock: inner.flag("deadlock", errors),
            invariants: invariants.then(|| inner.strings("invariants", errors)),
            extends: inner.strings("extends", errors),
            name,
        };
        let constants = self.values(&mut inner, "constants");
        let small = self.values(&mut inner, "small");
        let grains = self.grains_of(table);
        Composition { constants, small, grains, ..composition }
    }

    /// Reads the keys of a composition that are names of modules.
    fn grains_of(&mut self, table: &'t DeTable<'_>) -> Vec<(Text, Text)> {
        let mut grains = Vec::new();
        for (key, item) in table {
            let name = key.get_ref().as_ref();
            if COMPOSITION_KEYS.contains(&name) {
                continue;
            }
            let module = key_text(self.text, name, key.span());
            match text_of(self.text, item) {
                Some(grain) => grains.push((module, grain)),
                None => report_type(item, name, "the name of a grain", &mut self.errors),
            }
        }
        grains.sort_by_key(|(module, _)| module.place.start);
        grains
    }

    /// Reads a table of values: strings as they are, numbers and booleans as TLA+ writes them.
    fn values(&mut self, table: &mut Table<'t, '_>, key: &'static str) -> Vec<(Text, Text)> {
        let mut all = Vec::new();
        for (name, item) in table.entries(key, &mut self.errors) {
            match self.value(item) {
                Some(value) => all.push((name, value)),
                None => {
                    let expected = "a string, a whole number or a boolean";
                    report_type(item, &name.text, expected, &mut self.errors);
                }
            }
        }
        all
    }

    fn value(&self, item: &Item<'_>) -> Option<Text> {
        if let Some(text) = text_of(self.text, item) {
            return Some(text);
        }
        let value = item.get_ref();
        let text = match (value.as_integer(), value.as_bool()) {
            (Some(integer), _) => integer.as_str().to_owned(),
            (None, Some(flag)) => flag.to_string().to_uppercase(),
            (None, None) => return None,
        };
        Some(Text { text, place: item.span(), is_verbatim: false })
    }
}
