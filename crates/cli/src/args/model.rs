//! Options for files with specifications.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use setup::{ModelInput, Translations, WantedProperties};

use crate::args::{DenyArg, FormatArg, QuietArgs, ReportArgs, SandboxArgs};

/// Options of every command that runs a specification.
#[derive(Args, Clone, Debug)]
pub struct ModelArgs {
    /// The root module; its `.tla` may be left out
    #[arg(value_name = "SPEC", value_parser = module_parser())]
    pub spec: PathBuf,

    /// The configuration; without it SPEC's own name with `.cfg`, and where there is none `Spec`, or `Init` and `Next`
    #[arg(short, long, value_name = "CONFIG")]
    pub config: Option<PathBuf>,

    #[command(flatten)]
    pub sources: SourceArgs,

    /// Translate PlusCal algorithms afresh, and write the translations nowhere
    #[arg(long)]
    pub translate: bool,

    #[command(flatten)]
    pub sandbox: SandboxArgs,
}

impl ModelArgs {
    /// Returns the model, with no properties besides those of its configuration.
    pub fn input(&self) -> ModelInput {
        let translations = if self.translate { Translations::Fresh } else { Translations::Reported };
        let input = self.sources.input(self.spec.clone(), self.config.clone());
        ModelInput { translations, ..input }
    }
}

/// Modules and constants that complete a specification.
#[derive(Args, Clone, Debug)]
pub struct SourceArgs {
    /// A folder with modules to extend or instantiate; may be repeated
    #[arg(short = 'L', long = "library", value_name = "DIR")]
    pub libraries: Vec<PathBuf>,

    /// Gives a constant a value, any TLA+ expression; may be repeated
    #[arg(short = 'D', long = "define", value_name = "NAME=EXPR")]
    pub defines: Vec<String>,
}

impl SourceArgs {
    /// Returns the model of a root module, with no properties besides those of its configuration.
    pub fn input(&self, spec: PathBuf, config: Option<PathBuf>) -> ModelInput {
        let (libraries, defines) = (self.libraries.clone(), self.defines.clone());
        ModelInput { spec, config, libraries, defines, ..ModelInput::default() }
    }
}

impl WantedArgs {
    /// Returns the properties.
    pub fn wanted(&self) -> WantedProperties {
        WantedProperties { invariants: self.invariants.clone(), properties: self.properties.clone() }
    }
}

/// Options of every command that reads specifications.
#[derive(Args, Debug)]
pub struct InputArgs {
    #[command(flatten)]
    pub quiet: QuietArgs,

    /// TLA+ modules; their `.tla` may be left out
    #[arg(required = true, value_name = "FILE", value_parser = module_parser())]
    pub files: Vec<PathBuf>,

    /// A folder with modules to extend or instantiate; may be repeated
    #[arg(short = 'L', long = "library", value_name = "DIR")]
    pub libraries: Vec<PathBuf>,

    /// How diagnostics are written
    #[arg(long, alias = "message-format", value_enum, value_name = "FORMAT", default_value_t = FormatArg::Text)]
    pub format: FormatArg,

    /// Treat these as a failure
    #[arg(long, value_enum, value_name = "WHAT")]
    pub deny: Option<DenyArg>,

    #[command(flatten)]
    pub reports: ReportArgs,
}

/// Properties that are given on the command line, besides those of the configuration.
#[derive(Args, Clone, Debug, Default)]
pub struct WantedArgs {
    /// Check this in every state: `EXPR` over the names of SPEC, or `NAME == EXPR`; may be repeated
    #[arg(long = "invariant", value_name = "EXPR", allow_hyphen_values = true)]
    pub invariants: Vec<String>,

    /// Check this formula of all behaviours: `EXPR` over the names of SPEC, or `NAME == EXPR`; may be repeated
    #[arg(long = "property", value_name = "EXPR", allow_hyphen_values = true)]
    pub properties: Vec<String>,
}

/// Reads the path of a module, whose `.tla` may be left out.
pub fn module_parser() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(module_path)
}

/// Returns the path of a module: `Queue` means `Queue.tla`, unless there is a file `Queue`.
pub fn module_path(path: PathBuf) -> PathBuf {
    if path.is_file() || path.file_name().is_none() {
        return path;
    }
    let mut longer = OsString::from(path.as_os_str());
    longer.push(".tla");
    let longer = PathBuf::from(longer);
    // Where neither exists, messages name the file that was meant.
    let is_bare = path.extension().is_none() && !path.exists();
    if Path::is_file(&longer) || is_bare { longer } else { path }
}
