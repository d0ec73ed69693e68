//! Completes a generated body to a module: its header, the modules that it extends, and the constants that all modules
//! have.

use std::path::Path;

use anyhow::{Context, Result};

use super::expr::{MODELS, STRINGS};
use super::term::Text;

/// The modules beyond those that every module extends, with the names that are used of them. TLC reads each file again
/// in each run, so only needed modules are extended.
const MODULES: &[(&str, &[&str])] = &[
    ("TLCExt", &["AssertError("]),
    (
        "Bags",
        &[
            "SetToBag",
            "EmptyBag",
            "BagToSet",
            "BagIn",
            "IsABag",
            "CopiesIn",
            "BagCardinality",
            "BagUnion",
            "BagOfAll",
            "(+)",
            "(-)",
            "\\sqsubseteq",
        ],
    ),
    ("BagsExt", &["BagAdd", "BagRemove"]),
    (
        "SequencesExt",
        &[
            "ToSet(",
            "SetToSeq",
            "SetToSortSeq",
            "TupleOf",
            "BoundedSeq",
            "Contains(",
            "IsSorted",
            "Reverse(",
            "Remove(",
            "ReplaceAll",
            "SelectInSeq",
            "SelectInSubSeq",
            "SelectLastInSeq",
            "InsertAt",
            "ReplaceAt",
            "RemoveAt",
            "RemoveFirst",
            "Cons(",
            "Front(",
            "Last(",
            "IsPrefix",
            "IsStrictPrefix",
            "IsSuffix",
            "Prefixes(",
            "Suffixes(",
            "LongestCommonPrefix",
            "FlattenSeq",
            "Zip(",
            "SubSeqs(",
            "FoldLeft",
            "FoldRight",
            "ReplaceFirstSubSeq",
        ],
    ),
    (
        "FiniteSetsExt",
        &[
            "SumSet",
            "ProductSet",
            "Quantify",
            "kSubset",
            "Max(",
            "Min(",
            "SymDiff",
            "FlattenSet",
            "Choices(",
            "ChooseUnique",
            "FoldSet",
        ],
    ),
    (
        "Functions",
        &[
            "Range(",
            "Restrict",
            "IsInjective",
            "AntiFunction",
            "Injection(",
            "Bijection(",
            "Surjection(",
            "SumFunction",
            "Pointwise",
            "FoldFunction",
        ],
    ),
];

/// The name of a module that is judged.
pub const NAME: &str = "Sample";

/// Returns the whole module and its configuration.
pub fn complete(name: &str, comment: &str, body: &Text) -> Text {
    let needed = MODULES.iter().filter(|(_, used)| used.iter().any(|used| body.module.contains(used)));
    let extended: String = needed.map(|(module, _)| format!(", {module}")).collect();
    let strings = STRINGS.map_joined(|string| format!("\"{string}\""));
    let module = format!(
        "---- MODULE {name} ----\n{comment}EXTENDS Integers, Sequences, FiniteSets, TLC{extended}\n\
         CONSTANTS {}\n\
         \\* Fixes the order of names and strings.\n\
         Ranks == <<[fa |-> 0, fb |-> 0], {strings}>>\n\
         Models == {{{}}}\n\
         {}\n====\n",
        MODELS.join(", "),
        MODELS.join(", "),
        body.module
    );
    let constants = MODELS.map_joined(|name| format!("{name} = {name}")).replace(", ", " ");
    Text { module, config: format!("CONSTANTS {constants}\n{}", body.config) }
}

trait MapJoined {
    fn map_joined(&self, map: impl Fn(&str) -> String) -> String;
}

impl MapJoined for &[&str] {
    fn map_joined(&self, map: impl Fn(&str) -> String) -> String {
        self.iter().map(|item| map(item)).collect::<Vec<_>>().join(", ")
    }
}

/// Writes `NAME.tla` and `NAME.cfg`.
pub fn write(folder: &Path, name: &str, text: &Text) -> Result<()> {
    for (extension, text) in [("tla", &text.module), ("cfg", &text.config)] {
        let path = folder.join(name).with_extension(extension);
        std::fs::write(&path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    Ok(())
}
