//! The common beginning of both commands. It reads the system, its mapping, and the specification twice:
//! without the mapping, to find behaviours, and with the mapping, to evaluate its expressions on them.

use std::io;
use std::path::{Path, PathBuf};

use ::stage::system::System;
use base::FxIndexSet;
use conform::map::{Mapping, Text};
use conform::{Pair, Plan, Side, plan};
use diag::{Code, Diagnostic, Diagnostics, SourceId, SourceMap, Span};
use eval::lower::{Lowered, lower};
use model::Model;
use sema::Spec;
use sema::config::BoundConfig;
use setup::files::read_text;
use setup::read_model::{self, Read, worst};
use setup::{ModelInput, composition};
use validate::extend::Extension;
use value::Atoms;

use crate::conform::args::SystemArgs;
use crate::console::{Console, Stream};
use crate::environment::StagePlace;
use crate::exit::{Ending, Stop};
use crate::stage;

/// A specification and a program, with the files that the specification comes from.
pub struct Loaded {
    pub model: ModelInput,
    pub pair: Pair,
}

/// A mapping with its text.
pub struct MappingFile {
    pub path: PathBuf,
    text: String,
    pub mapping: Mapping,
}

impl MappingFile {
    /// Reads the mapping of a system.
    pub fn read(args: &SystemArgs, console: &Console) -> Result<MappingFile, Stop> {
        let path = match &args.mapping {
            Some(path) => path.clone(),
            None => stage::folder_of(&args.system).join("mapping.toml"),
        };
        let mut sources = SourceMap::new();
        let source = match read_text(&path, &mut sources) {
            Ok(source) => source,
            Err(error) => {
                let told = error.help("a system that specifications are held against has a `mapping.toml`");
                return Err(console.refuse(&sources, &told));
            }
        };
        let text = sources.file(source).text().to_string();
        match Mapping::parse(&text) {
            Ok(mapping) => Ok(MappingFile { path, text, mapping }),
            Err(errors) => {
                for error in errors {
                    let span = Span::new(source, error.place);
                    let told = Diagnostic::new(Code::SystemMap, span, error.message);
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

    /// A path that the mapping names, from its own folder.
    pub fn beside(&self, text: &Text) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(&text.text)
    }
}

/// Reads everything, and finds what is wrong with it.
pub fn load(
    (args, place): (&SystemArgs, &StagePlace),
    (file, mut model): (&MappingFile, ModelInput),
    console: &Console,
) -> Result<Loaded, Stop> {
    model.libraries.extend(file.mapping.libraries.iter().map(|text| file.beside(text)));
    let (system, python) = stage::ready((&args.system, &args.parameters), &args.arguments, place, console)?;
    let constants = file.mapping.constants.iter();
    let constants: Vec<String> =
        constants.map(|(name, value)| format!("{}={}", name.text, value.text)).collect();
    let plain = read(&model, &constants, console)?;
    let mut read = read_model::read(&model, &constants);
    let source = read.spec.sources.add(file.path.display().to_string(), file.text.clone());
    let mapping = match for_composition(&file.mapping, &model.spec, source) {
        Ok(mapping) => mapping,
        Err(diagnostics) => return Err(draw(&read.spec, &diagnostics, console)?.into()),
    };
    let planned = plan_mapping(&mut read, (&mapping, source), &system, &actions(plain.model()));
    let (plan, config) = match planned {
        Ok(planned) => planned,
        Err(diagnostics) => return Err(draw(&read.spec, &diagnostics, console)?.into()),
    };
    let Lowered { program, diagnostics } = lower(&read.spec, &config, Atoms::new());
    if diagnostics.has_errors() {
        return Err(draw(&read.spec, &diagnostics, console)?.into());
    }
    let mapped = Side { spec: read.spec, config, program };
    Ok(Loaded { model, pair: Pair { plain, mapped, plan, system, python } })
}

/// Returns the mapping with the parts for the composition that the specification is. Where it is none, no part is for it.
fn for_composition(mapping: &Mapping, spec: &Path, source: SourceId) -> Result<Mapping, Diagnostics> {
    let Some((file, name)) = composition::reference(spec) else {
        return Ok(mapping.clone().with_parts(|_| false));
    };
    // It was read before, without errors.
    let Ok(family) = composition::read_family(&file) else { return Ok(mapping.clone()) };
    let known = family.titles();
    let mut unknown = Diagnostics::new();
    for title in mapping.parts.iter().flat_map(|part| &part.of).filter(|title| !known.contains(&title.text)) {
        let headline = format!("`{}` has no `{}`", file.display(), title.text);
        let help = match base::nearest(&title.text, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "a part is of `MODULE.GRAIN`, of the name of a fault, or of `start.NAME`".to_owned(),
        };
        unknown.push(
            Diagnostic::new(Code::SystemMap, Span::new(source, title.place.clone()), headline).help(help),
        );
    }
    if unknown.has_errors() {
        return Err(unknown);
    }
    let Ok(choice) = compose::choose(&family, &name) else { return Ok(mapping.clone()) };
    let chosen = choice.titles();
    Ok(mapping.clone().with_parts(|title| chosen.iter().any(|chosen| chosen == title)))
}

fn draw(spec: &Spec, diagnostics: &Diagnostics, console: &Console) -> io::Result<Ending> {
    for diagnostic in diagnostics.iter() {
        console.draw(Stream::Err, &spec.sources, diagnostic)?;
    }
    Ok(worst(diagnostics))
}

/// Reads the specification, without the mapping.
fn read(model: &ModelInput, constants: &[String], console: &Console) -> Result<Side, Stop> {
    let Read { spec, config, mut diagnostics } = read_model::read(model, constants);
    let lowered = config.map(|mut config| {
        // What is compared are the variables, and not what an ALIAS makes of them.
        config.alias = None;
        let Lowered { program, diagnostics: lowered } = lower(&spec, &config, Atoms::new());
        diagnostics.extend(lowered);
        (config, program)
    });
    let ending = draw(&spec, &diagnostics, console)?;
    match lowered.filter(|_| !diagnostics.has_errors()) {
        Some((config, program)) => Ok(Side { spec, config, program }),
        None => Err(ending.into()),
    }
}

/// Returns the names of steps.
fn actions(model: Model<'_>) -> Vec<String> {
    let leaves = model.program.next.as_ref().map_or_else(Vec::new, |(tree, _)| tree.leaves());
    let names: FxIndexSet<String> =
        leaves.iter().map(|leaf| model.spec.names.text(leaf.name).to_owned()).collect();
    names.into_iter().collect()
}

/// The mapping made part of the specification. Only what is asked about single states and steps stays of the
/// configuration.
fn plan_mapping(
    read: &mut Read,
    (mapping, source): (&Mapping, SourceId),
    system: &System,
    actions: &[String],
) -> Result<(Plan, BoundConfig), Diagnostics> {
    let mut config = read.config.take().expect("it was read before, without errors");
    (config.symmetry, config.view, config.alias, config.periodic) = (None, None, None, None);
    config.constraints.clear();
    config.action_constraints.clear();
    config.postconditions.clear();
    config.possible.clear();
    let plan = {
        let extension = Extension::new(&mut read.spec, &mut config, source, Code::SystemMap);
        plan(extension, mapping, system, actions)?
    };
    Ok((plan, config))
}
