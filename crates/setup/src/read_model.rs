//! Reads a specification and its configuration, for every command that runs one.

use std::path::{Path, PathBuf};

use diag::{Code, Diagnostic, Diagnostics, SourceId};
use sema::config::{self, BoundConfig, ConfigInput, Convention};
use sema::{DiskFiles, LoadOptions, Loaded, Spec};
use syntax::cfg::{self, Config};

use compose::Composed;

use crate::composition;
use crate::config::{config_of, read_config};
use crate::ending::Ending;
use crate::fresh::FreshTranslations;
use crate::input::{ModelInput, Translations};
use crate::{defines, wanted};

/// A specification with its configuration, and everything that is wrong with them.
pub struct Read {
    pub spec: Spec,
    /// The configuration; `None` if there are errors.
    pub config: Option<BoundConfig>,
    pub diagnostics: Diagnostics,
}

/// Reads a model, with the definitions of the command line and `further` ones.
pub fn read(args: &ModelInput, further: &[String]) -> Read {
    read_knowing(args, further, &[])
}

/// Reads a model as [`read`] does. Expressions from other sources may also use the definitions of `modules`.
pub fn read_knowing(args: &ModelInput, further: &[String], modules: &[String]) -> Read {
    let beside = args.beside.iter().chain(modules).cloned().collect();
    let options = LoadOptions { ahead: args.ahead.clone(), library: args.libraries.clone(), beside };
    let Written { mut spec, mut diagnostics, config } = read_spec(args, further, &options);
    if !diagnostics.has_errors() {
        sema::know_modules(&mut spec, modules);
    }
    let bound = match diagnostics.has_errors() {
        true => None,
        false => bind(args, (further, config.as_deref()), &mut spec, &mut diagnostics),
    };
    let config = bound.filter(|_| !diagnostics.has_errors());
    Read { spec, config, diagnostics }
}

/// A specification as it was read, and its configuration if it brings one.
struct Written {
    spec: Spec,
    diagnostics: Diagnostics,
    config: Option<String>,
}

/// Reads a module, or the composition that `FILE.toml@NAME` means.
fn read_spec(args: &ModelInput, further: &[String], options: &LoadOptions) -> Written {
    let Some((file, name)) = composition::reference(&args.spec) else {
        let Loaded { spec, mut diagnostics } = match args.translations {
            Translations::Fresh => sema::load(&args.spec, options, &FreshTranslations),
            Translations::Silent | Translations::Reported => sema::load(&args.spec, options, &DiskFiles),
        };
        diagnostics.extend(about_translations(args.translations, &spec));
        return Written { spec, diagnostics, config: None };
    };
    let given: Vec<String> =
        args.defines.iter().chain(further).filter_map(|define| defined_name(define)).collect();
    let composed = composition::read(&file, &name, (options, &given));
    let Composed { spec, mut diagnostics, config, .. } = composed;
    if args.translations == Translations::Fresh {
        let headline = "`--translate` goes with a module, and this is a composition";
        diagnostics.push(
            Diagnostic::without_place(Code::PcalOption, headline).help("run `specline pcal` on its modules"),
        );
    }
    Written { spec, diagnostics, config: Some(config) }
}

/// Looks at translations of PlusCal. Where fresh ones are wanted, an algorithm without one is an error.
fn about_translations(wanted: Translations, spec: &Spec) -> Diagnostics {
    match wanted {
        Translations::Silent => Diagnostics::new(),
        Translations::Reported => sema::lint::translations(spec),
        Translations::Fresh => {
            let found = sema::lint::translations(spec).into_iter();
            found.map(|found| Diagnostic { severity: found.code.severity(), ..found }).collect()
        }
    }
}

/// Returns `NAME` of `NAME=EXPR`.
fn defined_name(define: &str) -> Option<String> {
    define.split_once('=').map(|(name, _)| name.trim().to_owned())
}

fn bind(
    args: &ModelInput,
    (further, own): (&[String], Option<&str>),
    spec: &mut Spec,
    diagnostics: &mut Diagnostics,
) -> Option<BoundConfig> {
    let read = match (config_of(&args.spec, args.config.as_deref()), own) {
        (Some(path), _) => read_config(spec, &path),
        (None, Some(own)) => composition::parse_config(spec, &args.spec, own),
        (None, None) => assume(args, spec, diagnostics),
    };
    let (source, tree) = match read {
        Ok(read) => read,
        Err(errors) => {
            diagnostics.extend(errors);
            return None;
        }
    };
    let defined: Vec<String> = args.defines.iter().chain(further).cloned().collect();
    let defines = match defines::resolve(spec, &defined) {
        Ok(defines) => defines,
        Err(errors) => {
            diagnostics.extend(errors);
            return None;
        }
    };
    let bound = config::bind_with(spec, ConfigInput { source, tree: &tree }, &defines);
    let is_missing = |diagnostic: &Diagnostic| diagnostic.code == Code::ConfigMissing;
    let told = bound.diagnostics.into_iter().filter(|told| !(args.may_lack_behaviour && is_missing(told)));
    told.for_each(|told| diagnostics.push(told));
    let mut config = bound.config;
    wanted::add(spec, &mut config, &args.wanted, diagnostics);
    Some(config)
}

/// Derives a configuration from the names in the module (`Spec`, or `Init` and `Next`), with a warning, if
/// there is no file.
fn assume(
    args: &ModelInput,
    spec: &mut Spec,
    diagnostics: &mut Diagnostics,
) -> Result<(SourceId, Config), Diagnostics> {
    let missing = args.spec.with_extension("cfg");
    // A folder of that name is a mistake in the configuration, not a missing one.
    let is_free = !args.needs_config && !missing.exists();
    let convention = Convention::of(spec).filter(|_| is_free);
    if args.may_lack_behaviour && is_free {
        return Ok(assumed(spec, convention.map_or("", Convention::statements)));
    }
    let Some(convention) = convention else { return Err(no_config(args, spec, &missing)) };
    let statements = convention.statements();
    let headline = format!("there is no configuration: `{statements}` is assumed");
    let mut warning = Diagnostic::without_place(Code::ConfigAssumed, headline)
        .note(format!("`{}` does not exist", missing.display()));
    warning = match others(&missing).as_slice() {
        [] if args.wanted.is_empty() => warning.help("say what must hold with --invariant and --property"),
        [] => warning,
        others => warning.help(format!("name one with --config; there is {}", others.join(", "))),
    };
    diagnostics.push(warning);
    Ok(assumed(spec, statements))
}

/// The configuration with these statements, which no file has.
fn assumed(spec: &mut Spec, statements: &str) -> (SourceId, Config) {
    let source = spec.sources.add_text("assumed configuration", statements);
    let parsed = cfg::parse_config_in(source, statements, 0..statements.len(), &mut spec.names);
    (source, parsed.tree)
}

fn no_config(args: &ModelInput, spec: &Spec, missing: &Path) -> Diagnostics {
    let headline = format!("there is no configuration: `{}` does not exist", missing.display());
    let mut error = Diagnostic::without_place(Code::CannotRead, headline).help("name one with --config");
    if !args.needs_config && Convention::of(spec).is_none() {
        let module = spec.names.text(spec.modules[spec.root].name);
        error =
            error.note(format!("`{module}` has neither `Spec` nor `Init` and `Next`, which would be taken"));
    }
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(error);
    diagnostics
}

/// The configurations in the folder in which one is missing, by name; a few of them.
fn others(missing: &Path) -> Vec<String> {
    const SHOWN_MAX: usize = 3;
    let folder = missing.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<PathBuf> = entries
        .map(|entry| PathBuf::from(entry.file_name()))
        .filter(|name| name.extension().is_some_and(|extension| extension == "cfg"))
        .collect();
    names.sort();
    names.into_iter().take(SHOWN_MAX).map(|name| format!("`{}`", name.display())).collect()
}

/// Returns the ending of a run that only has these diagnostics: that of the worst.
pub fn worst(diagnostics: &Diagnostics) -> Ending {
    diagnostics.iter().map(|diagnostic| Ending::of(diagnostic, false)).max().unwrap_or(Ending::Ok)
}
