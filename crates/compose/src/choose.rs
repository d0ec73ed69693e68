//! Which grains a composition has.

use std::ops::Range;

use crate::family::{Composition, Family, Grain, MapError, Module, ModuleKind, Text};

/// A composition with its grains found.
#[derive(Clone, Debug)]
pub struct Choice<'f> {
    pub family: &'f Family,
    pub composition: &'f Composition,
    /// The modules that take part, in the order of the file.
    pub parts: Vec<ChosenModule<'f>>,
}

/// A module that takes part, at one grain.
#[derive(Clone, Copy, Debug)]
pub struct ChosenModule<'f> {
    pub module: &'f Module,
    pub grain: &'f Grain,
}

impl ChosenModule<'_> {
    /// Returns `module.grain`, or the name of a fault.
    pub fn title(&self) -> String {
        title(self.module, self.grain)
    }
}

/// Returns `module.grain`, or the name of a fault.
fn title(module: &Module, grain: &Grain) -> String {
    match module.kind {
        ModuleKind::Ordinary => format!("{}.{}", module.name.text, grain.name.text),
        ModuleKind::Fault => module.name.text.clone(),
    }
}

/// Returns the name of a start among the titles of parts.
fn start_title(name: &str) -> String {
    format!("start.{name}")
}

impl Family {
    /// Returns what a composition can be said to have: `module.grain`, the names of faults, and `start.NAME`.
    pub fn titles(&self) -> Vec<String> {
        let grains =
            || self.modules.iter().flat_map(|module| module.grains.iter().map(move |grain| (module, grain)));
        let starts =
            grains().flat_map(|(_, grain)| grain.starts.iter().map(|(name, _)| start_title(&name.text)));
        let mut all: Vec<String> =
            grains().map(|(module, grain)| title(module, grain)).chain(starts).collect();
        let mut seen = base::FxHashSet::default();
        all.retain(|title| seen.insert(title.clone()));
        all
    }
}

impl<'f> Choice<'f> {
    /// Returns what this composition has, of [`Family::titles`].
    pub fn titles(&self) -> Vec<String> {
        let start = self.composition.start.iter().map(|start| start_title(&start.text));
        self.parts.iter().map(ChosenModule::title).chain(start).collect()
    }

    /// Returns the part that is the module `name`.
    pub fn part(&self, name: &str) -> Option<ChosenModule<'f>> {
        self.parts.iter().find(|part| part.module.name.text == name).copied()
    }

    /// Returns the part that does what `part` does: itself, or the one that it is merged into.
    pub fn carrier(&self, part: ChosenModule<'f>) -> ChosenModule<'f> {
        let into = part.grain.merged.as_ref().and_then(|merged| split_grain(&merged.text));
        into.and_then(|(module, _)| self.part(module)).unwrap_or(part)
    }

    /// Returns this composition with every module that is no target at the finest grain that its grain
    /// coarsens.
    pub fn refined(&self, targets: &[String]) -> Choice<'f> {
        let refine = |part: &ChosenModule<'f>| match targets.contains(&part.module.name.text) {
            true => *part,
            false => ChosenModule { grain: finest(part.module, part.grain), ..*part },
        };
        Choice { parts: self.parts.iter().map(refine).collect(), ..self.clone() }
    }

    /// Returns a short name for the chosen grains: `leases=atomic clients=plain +crash`.
    pub fn summary(&self) -> String {
        let word = |part: &ChosenModule<'_>| match part.module.kind {
            ModuleKind::Ordinary => format!("{}={}", part.module.name.text, part.grain.name.text),
            ModuleKind::Fault => format!("+{}", part.module.name.text),
        };
        self.parts.iter().map(word).collect::<Vec<_>>().join(" ")
    }
}

/// Returns the grain at the end of the chain of `coarsens`. Chains end: [`check_family`] refuses circles.
pub fn finest<'f>(module: &'f Module, grain: &'f Grain) -> &'f Grain {
    let mut grain = grain;
    for _ in 0..module.grains.len() {
        match grain.coarsens.as_ref().and_then(|finer| module.grain(&finer.text)) {
            Some(finer) => grain = finer,
            None => break,
        }
    }
    grain
}

/// Splits `module.grain`.
pub fn split_grain(text: &str) -> Option<(&str, &str)> {
    text.split_once('.')
}

/// Finds the composition `name` of a family.
pub fn choose<'f>(family: &'f Family, name: &str) -> Result<Choice<'f>, Vec<MapError>> {
    let Some(composition) = family.composition(name) else {
        return Err(vec![unknown_composition(family, name)]);
    };
    let mut errors = check_family(family);
    let mut chosen: Vec<(&Module, &Grain)> = Vec::new();
    for (module, grain) in &composition.grains {
        match find_grain(family, module, grain) {
            Ok(found) => chosen.push(found),
            Err(error) => errors.push(error),
        }
    }
    for fault in &composition.faults {
        match find_fault(family, fault) {
            Ok(found) => chosen.push(found),
            Err(error) => errors.push(error),
        }
    }
    let parts: Vec<ChosenModule<'f>> =
        family.modules.iter().filter_map(|module| part_of(module, &chosen)).collect();
    let choice = Choice { family, composition, parts };
    errors.extend(check_merged(&choice));
    errors.extend(check_start(&choice));
    errors.extend(check_named_invariants(&choice));
    if errors.is_empty() { Ok(choice) } else { Err(errors) }
}

/// Returns the module at the grain that was chosen, or at its default grain.
fn part_of<'f>(module: &'f Module, chosen: &[(&'f Module, &'f Grain)]) -> Option<ChosenModule<'f>> {
    let named = chosen.iter().find(|(known, _)| std::ptr::eq(*known, module)).map(|&(_, grain)| grain);
    let default = || module.default.as_ref().and_then(|default| module.grain(&default.text));
    named.or_else(default).map(|grain| ChosenModule { module, grain })
}

fn wrong(place: Range<usize>, message: impl Into<String>, help: Option<String>) -> MapError {
    MapError { message: message.into(), place, help }
}

fn unknown_composition(family: &Family, name: &str) -> MapError {
    let names: Vec<&str> =
        family.compositions.iter().map(|composition| composition.name.text.as_str()).collect();
    let message = match name.is_empty() {
        true => "the name of a composition is missing after `@`".to_owned(),
        false => format!("there is no composition `{}`", name.escape_debug()),
    };
    let help = match (base::nearest(name, names.iter().copied()), names.is_empty()) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, true) => "add `[composition.NAME]` with a grain for each module".to_owned(),
        (None, false) => format!("there are {}", names.join(", ")),
    };
    wrong(0..0, message, Some(help))
}

fn find_grain<'f>(
    family: &'f Family,
    module: &Text,
    grain: &Text,
) -> Result<(&'f Module, &'f Grain), MapError> {
    let ordinary = || family.modules.iter().filter(|module| module.kind == ModuleKind::Ordinary);
    let Some(found) = ordinary().find(|known| known.name.text == module.text) else {
        let names: Vec<&str> = ordinary().map(|module| module.name.text.as_str()).collect();
        let is_fault = family.module(&module.text).is_some();
        let help = match (is_fault, base::nearest(&module.text, names.iter().copied())) {
            (true, _) => Some(format!("it is a fault: list it as `faults = [\"{}\"]`", module.text)),
            (false, Some(near)) => Some(format!("did you mean `{near}`?")),
            (false, None) => Some(format!("the modules are {}", names.join(", "))),
        };
        return Err(wrong(module.place.clone(), format!("there is no module `{}`", module.text), help));
    };
    match found.grain(&grain.text) {
        Some(grain) => Ok((found, grain)),
        None => {
            let message = format!("module `{}` has no grain `{}`", module.text, grain.text);
            Err(wrong(grain.place.clone(), message, Some(grains_help(found, &grain.text))))
        }
    }
}

fn grains_help(module: &Module, wanted: &str) -> String {
    let names: Vec<&str> = module.grains.iter().map(|grain| grain.name.text.as_str()).collect();
    match base::nearest(wanted, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("its grains are {}", names.join(", ")),
    }
}

fn find_fault<'f>(family: &'f Family, fault: &Text) -> Result<(&'f Module, &'f Grain), MapError> {
    let faults = || family.modules.iter().filter(|module| module.kind == ModuleKind::Fault);
    match faults().find(|module| module.name.text == fault.text) {
        Some(module) => Ok((module, &module.grains[0])),
        None => {
            let names: Vec<&str> = faults().map(|module| module.name.text.as_str()).collect();
            let help = match base::nearest(&fault.text, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("add `[fault.{}]`", fault.text),
            };
            Err(wrong(fault.place.clone(), format!("there is no fault `{}`", fault.text), Some(help)))
        }
    }
}

/// Checks what does not depend on a composition: defaults, `coarsens`, names.
pub fn check_family(family: &Family) -> Vec<MapError> {
    let mut errors = Vec::new();
    for module in &family.modules {
        if let Some(default) = module.default.as_ref().filter(|default| module.grain(&default.text).is_none())
        {
            let message = format!("module `{}` has no grain `{}`", module.name.text, default.text);
            let help = grains_help(module, &default.text);
            errors.push(wrong(default.place.clone(), message, Some(help)));
        }
        errors.extend(module.grains.iter().filter_map(|grain| check_coarsens(module, grain)));
    }
    let names = family.modules.iter().map(|module| &module.name);
    errors.extend(find_repeated(names, "two modules are called"));
    errors
}

fn find_repeated<'f>(names: impl Iterator<Item = &'f Text>, what: &str) -> Vec<MapError> {
    let mut seen: Vec<&Text> = Vec::new();
    let mut errors = Vec::new();
    for name in names {
        match seen.iter().any(|known| known.text == name.text) {
            true => errors.push(wrong(name.place.clone(), format!("{what} `{}`", name.text), None)),
            false => seen.push(name),
        }
    }
    errors
}

fn check_coarsens(module: &Module, grain: &Grain) -> Option<MapError> {
    let finer = grain.coarsens.as_ref()?;
    if module.grain(&finer.text).is_none() {
        let message = format!("module `{}` has no grain `{}`", module.name.text, finer.text);
        return Some(wrong(finer.place.clone(), message, Some(grains_help(module, &finer.text))));
    }
    let mut chain = vec![grain.name.text.as_str()];
    let mut next = Some(finer);
    while let Some(finer) = next {
        if chain.contains(&finer.text.as_str()) {
            chain.push(&finer.text);
            let message = format!("grains coarsen each other in a circle: {}", chain.join(" -> "));
            return Some(wrong(grain.name.place.clone(), message, None));
        }
        chain.push(&finer.text);
        next = module.grain(&finer.text).and_then(|grain| grain.coarsens.as_ref());
    }
    None
}

/// Checks that what a grain is merged into is part of the composition.
fn check_merged(choice: &Choice<'_>) -> Vec<MapError> {
    let mut errors = Vec::new();
    for part in &choice.parts {
        let Some(merged) = &part.grain.merged else { continue };
        let title = part.title();
        let found = split_grain(&merged.text).and_then(|(module, grain)| {
            let carrier = choice.part(module)?;
            (carrier.grain.name.text == grain).then_some(carrier)
        });
        let name = &choice.composition.name.text;
        match found {
            None => {
                let message = format!(
                    "`{title}` is a part of `{}`, which composition `{name}` does not have",
                    merged.text
                );
                errors.push(wrong(merged.place.clone(), message, None));
            }
            Some(carrier) if carrier.grain.merged.is_some() => {
                let message = format!("`{title}` is merged into `{}`, which is merged itself", merged.text);
                errors.push(wrong(merged.place.clone(), message, None));
            }
            Some(_) => {}
        }
    }
    errors
}

fn check_start(choice: &Choice<'_>) -> Option<MapError> {
    let start = choice.composition.start.as_ref()?;
    let has = |part: &ChosenModule<'_>| part.grain.starts.iter().any(|(name, _)| name.text == start.text);
    if choice.parts.iter().any(has) {
        return None;
    }
    let message = format!("no grain of this composition has a beginning `{}`", start.text);
    let help = format!("add `starts = {{ {} = \"OPERATOR\" }}` to a grain", start.text);
    Some(wrong(start.place.clone(), message, Some(help)))
}

fn check_named_invariants(choice: &Choice<'_>) -> Vec<MapError> {
    let family = choice.family;
    let named = choice.composition.invariants.iter().flatten();
    let unknown = named.filter(|name| !family.invariants.iter().any(|asked| asked.is_called(&name.text)));
    let error = |name: &Text| {
        let names = family.invariants.iter().map(|asked| asked.name.text.as_str());
        let help = base::nearest(&name.text, names).map(|near| format!("did you mean `{near}`?"));
        wrong(name.place.clone(), format!("there is no invariant `{}`", name.text), help)
    };
    unknown.map(error).collect()
}
