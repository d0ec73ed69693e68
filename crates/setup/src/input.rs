//! The files and options that make a model.

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
    pub wanted: WantedProperties,
    /// Whether a configuration must exist, as for TLC; otherwise one is assumed.
    pub needs_config: bool,
    /// Whether there may be neither a configuration nor a behaviour, because expressions alone are evaluated.
    pub may_lack_behaviour: bool,
    /// The treatment of translations of PlusCal.
    pub translations: Translations,
}

/// The treatment of translations of PlusCal algorithms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Translations {
    /// They are taken as they stand.
    #[default]
    Silent,
    /// They are taken as they stand, and those that are missing or out of date are reported.
    Reported,
    /// Fresh ones are made, and used without being written.
    Fresh,
}

/// Properties that are given on a command line: `EXPR`, or `NAME == EXPR`.
#[derive(Clone, Debug, Default)]
pub struct WantedProperties {
    pub invariants: Vec<String>,
    pub properties: Vec<String>,
}

impl WantedProperties {
    pub fn is_empty(&self) -> bool {
        self.invariants.is_empty() && self.properties.is_empty()
    }
}
