//! The modules that come with Specline, compiled into the binary.

macro_rules! embedded_modules {
    ($($name:literal)*) => {
        /// Every embedded module: name and text.
        pub const MODULES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../modules/", $name, ".tla"))),)*];
    };
}

embedded_modules! {
    "Apalache"
    "Bags"
    "BagsExt"
    "BagsTheorems"
    "Bitwise"
    "CSV"
    "Combinatorics"
    "DifferentialEquations"
    "DyadicRationals"
    "FiniteSetTheorems"
    "FiniteSets"
    "FiniteSetsExt"
    "FiniteSetsExtTheorems"
    "FiniteSetsExt_theorems"
    "Folds"
    "FoldsTheorems"
    "FunctionTheorems"
    "Functions"
    "GraphTheorems"
    "GraphViz"
    "Graphs"
    "HTML"
    "IOUtils"
    "Integers"
    "Json"
    "Naturals"
    "NaturalsInduction"
    "Option"
    "Quorum"
    "QuorumTheorems"
    "Randomization"
    "RealTime"
    "Reals"
    "Relation"
    "SVG"
    "SequenceTheorems"
    "Sequences"
    "SequencesExt"
    "SequencesExtTheorems"
    "ShiViz"
    "Statistics"
    "TLAPS"
    "TLC"
    "TLCExt"
    "Toolbox"
    "UndirectedGraphs"
    "Variants"
    "VectorClocks"
    "WellFoundedInduction"
    "_DotTrace"
    "_JsonTrace"
    "_Possible"
    "_TLAPlusCounterExample"
    "_TLCActionTrace"
    "_TLCTESpec"
    "_TLCTrace"
    "_TLCTracePlain"
}

/// Returns the text of the embedded module `name`.
pub fn source(name: &str) -> Option<&'static str> {
    MODULES.iter().find(|&&(module, _)| module == name).map(|&(_, text)| text)
}

/// The modules of the language's own library. Their exports do not change, so their names may not be defined again, as
/// in SANY.
const LASTING: &[&str] =
    &["Bags", "FiniteSets", "Integers", "Naturals", "Randomization", "RealTime", "Reals", "Sequences", "TLC"];

/// Whether the exports of the embedded module `name` depend on its release.
pub fn changes_exports(name: &str) -> bool {
    !LASTING.contains(&name)
}

/// Operators that earlier releases exported: module, name, and replacement.
const RETIRED: &[(&str, &str, &str)] = &[
    ("FiniteSetsExt", "Product", "ProductSet"),
    ("FiniteSetsExt", "Sum", "SumSet"),
    ("SequencesExt", "ReduceSeq", "FoldSeq"),
    ("VectorClocks", "IsCausallyOrdered", "IsCausalOrder"),
    ("VectorClocks", "SortCausally", "CausalOrder"),
];

/// Returns the replacement of an operator that the module no longer exports.
pub fn successor(module: &str, name: &str) -> Option<&'static str> {
    RETIRED.iter().find(|&&(home, retired, _)| home == module && retired == name).map(|&(_, _, new)| new)
}
