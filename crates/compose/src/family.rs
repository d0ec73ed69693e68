//! A composition file as data: modules, their grains, what is asked, and named choices of grains.

use std::ops::Range;
use std::path::{Path, PathBuf};

pub use validate::map::{MapError, Text};

/// A composition file.
#[derive(Clone, Debug)]
pub struct Family {
    pub path: PathBuf,
    pub text: String,
    /// Values of constants for every composition.
    pub constants: Vec<(Text, Text)>,
    /// Modules in the order of the file, those of faults last.
    pub modules: Vec<Module>,
    pub invariants: Vec<PropertyEntry>,
    pub properties: Vec<PropertyEntry>,
    pub compositions: Vec<Composition>,
    pub accepted: Vec<Accepted>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleKind {
    Ordinary,
    /// Takes part only where a composition lists it under `faults`.
    Fault,
}

/// A part of the system.
#[derive(Clone, Debug)]
pub struct Module {
    pub name: Text,
    pub kind: ModuleKind,
    /// Paths of the code that it describes.
    pub code: Vec<Text>,
    /// The grain of compositions that do not name the module.
    pub default: Option<Text>,
    pub grains: Vec<Grain>,
}

/// One way in which a module is written.
#[derive(Clone, Debug)]
pub struct Grain {
    pub name: Text,
    pub file: Option<Text>,
    /// `None`: the variables that the file declares itself.
    pub owns: Option<Vec<Text>>,
    pub shares: Vec<Text>,
    pub reads: Vec<Text>,
    pub init: Option<Text>,
    pub starts: Vec<(Text, Text)>,
    pub actions: Vec<Text>,
    pub fairness: Vec<Text>,
    pub constraints: Vec<Text>,
    pub action_constraints: Vec<Text>,
    pub constants: Vec<(Text, Text)>,
    pub provides: Vec<(Text, Text)>,
    pub coarsens: Option<Text>,
    /// The grain of another module of which this one is a part: `election.coarse`.
    pub merged: Option<Text>,
    pub code: Vec<Text>,
}

/// An invariant or a property.
#[derive(Clone, Debug)]
pub struct PropertyEntry {
    /// The operator.
    pub name: Text,
    /// A short name for people: `I-8`.
    pub label: Option<Text>,
    pub file: Text,
    /// Variables, actions, modules and grains that it needs besides the variables that it reads.
    pub needs: Vec<Text>,
}

impl PropertyEntry {
    /// Returns the name with the label, for people.
    pub fn title(&self) -> String {
        match &self.label {
            Some(label) => format!("{} {}", label.text, self.name.text),
            None => self.name.text.clone(),
        }
    }

    /// Whether people mean this one by `name`.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.text == name || self.label.as_ref().is_some_and(|label| label.text == name)
    }
}

/// A named choice of grains.
#[derive(Clone, Debug)]
pub struct Composition {
    pub name: Text,
    /// The grain of each module that is named.
    pub grains: Vec<(Text, Text)>,
    pub faults: Vec<Text>,
    pub constants: Vec<(Text, Text)>,
    /// Values of constants for comparisons.
    pub small: Vec<(Text, Text)>,
    /// Whether the small values take precedence over all others, where there is such a constant.
    pub is_small: bool,
    pub start: Option<Text>,
    pub init: Option<Text>,
    pub constraints: Vec<Text>,
    pub action_constraints: Vec<Text>,
    pub symmetry: Option<Text>,
    pub view: Option<Text>,
    pub alias: Option<Text>,
    pub deadlock: Option<bool>,
    /// `Some`: only these invariants are chosen.
    pub invariants: Option<Vec<Text>>,
    /// Further files.
    pub extends: Vec<Text>,
}

/// A difference between two grains that is known, and why it is accepted.
#[derive(Clone, Debug)]
pub struct Accepted {
    pub place: Range<usize>,
    /// Compositions that it is about; empty: all.
    pub compositions: Vec<Text>,
    pub target: Option<Text>,
    /// The action that takes the step, or whose update differs; empty: any.
    pub actions: Vec<Text>,
    /// The variables that differ; empty: any.
    pub variables: Vec<Text>,
    pub reason: Text,
}

impl Family {
    /// Returns the module called `name`.
    pub fn module(&self, name: &str) -> Option<&Module> {
        self.modules.iter().find(|module| module.name.text == name)
    }

    /// Returns the composition called `name`.
    pub fn composition(&self, name: &str) -> Option<&Composition> {
        self.compositions.iter().find(|composition| composition.name.text == name)
    }

    /// Returns the family with the small constants of each composition in force.
    #[must_use]
    pub fn with_small_constants(&self) -> Family {
        let mut family = self.clone();
        for composition in &mut family.compositions {
            composition.is_small = true;
        }
        family
    }

    /// Returns the folder that paths in the file are seen from.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// Returns a path of the file as seen from where the program runs.
    pub fn path_of(&self, written: &Text) -> PathBuf {
        self.folder().join(&written.text)
    }
}

impl Module {
    /// Returns the grain called `name`.
    pub fn grain(&self, name: &str) -> Option<&Grain> {
        self.grains.iter().find(|grain| grain.name.text == name)
    }
}

/// Splits `FILE.toml@NAME`. Returns `None` for the path of a module.
pub fn split_reference(path: &Path) -> Option<(PathBuf, String)> {
    const MARK: &str = ".toml@";
    let text = path.to_str()?;
    let at = text.rfind(MARK)?;
    let (file, name) = text.split_at(at + MARK.len());
    Some((PathBuf::from(file.trim_end_matches('@')), name.to_owned()))
}
