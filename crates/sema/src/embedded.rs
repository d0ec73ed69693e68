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
}

/// The text of the embedded module `name`.
pub fn source(name: &str) -> Option<&'static str> {
    MODULES.iter().find(|&&(module, _)| module == name).map(|&(_, text)| text)
}
