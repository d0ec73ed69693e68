//! Where a model comes from, as commands say it.

use std::path::PathBuf;

/// A specification and what is said about it outside of its module.
#[derive(Clone, Debug, Default)]
pub struct ModelInput {
    /// The root module.
    pub spec: PathBuf,
    /// The configuration, if one was named.
    pub config: Option<PathBuf>,
    /// Folders with modules to extend or instantiate.
    pub libraries: Vec<PathBuf>,
    /// Values of constants: `NAME=EXPR`.
    pub defines: Vec<String>,
    /// Folders that are searched for modules before the folder of the root.
    pub ahead: Vec<PathBuf>,
    /// Modules that are loaded beside the root.
    pub beside: Vec<String>,
    /// Properties besides those of the configuration.
    pub wanted: Wanted,
    /// Whether a configuration must exist, as for TLC; otherwise one is assumed.
    pub needs_config: bool,
}

/// Properties that are given on a command line: `EXPR`, or `NAME == EXPR`.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    pub invariants: Vec<String>,
    pub properties: Vec<String>,
}

impl Wanted {
    pub fn is_empty(&self) -> bool {
        self.invariants.is_empty() && self.properties.is_empty()
    }
}
