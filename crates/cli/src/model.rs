//! A specification and its configuration, read: what every command needs that runs one.

use diag::{Code, Diagnostic, Diagnostics};
use sema::config::{self, BoundConfig, ConfigInput};
use sema::{DiskFiles, LoadOptions, Loaded, Spec};

use crate::args::ModelArgs;
use crate::config::{config_of, read_config};
use crate::defines;
use crate::exit::Ending;

/// What was read.
pub struct Read {
    pub spec: Spec,
    /// Nothing when there are errors.
    pub config: Option<BoundConfig>,
    pub diagnostics: Diagnostics,
}

/// Reads it, with the definitions of the command line and further ones in it.
pub fn read(args: &ModelArgs, further: &[String]) -> Read {
    let options = LoadOptions { library: args.libraries.clone(), beside: args.beside.clone() };
    let Loaded { mut spec, mut diagnostics } = sema::load(&args.spec, &options, &DiskFiles);
    let bound = match diagnostics.has_errors() {
        true => None,
        false => bind(args, further, &mut spec, &mut diagnostics),
    };
    let config = bound.filter(|_| !diagnostics.has_errors());
    Read { spec, config, diagnostics }
}

fn bind(
    args: &ModelArgs,
    further: &[String],
    spec: &mut Spec,
    diagnostics: &mut Diagnostics,
) -> Option<BoundConfig> {
    let Some(path) = config_of(&args.spec, args.config.as_deref()) else {
        let path = args.spec.with_extension("cfg");
        let headline = format!("there is no configuration: `{}` does not exist", path.display());
        diagnostics
            .push(Diagnostic::without_place(Code::CannotRead, headline).help("name one with --config"));
        return None;
    };
    let (source, tree) = match read_config(spec, &path) {
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
    diagnostics.extend(bound.diagnostics);
    Some(bound.config)
}

/// How a run ends that found no more than these.
pub fn worst(diagnostics: &Diagnostics) -> Ending {
    diagnostics.iter().map(|diagnostic| Ending::of(diagnostic, false)).max().unwrap_or(Ending::Ok)
}
