//! The operators of the standard and community modules that evaluators implement.
//!
//! An operator is recognised by module, name and arity, whichever file the module was read from: TLC also applies its
//! native operators when a specification brings its own copy of a module. Operators whose embedded definition is
//! `NATIVE` have no other meaning. For the others the definition fixes the meaning, and an evaluator may compute it
//! faster.

macro_rules! std_ops {
    ($($module:ident { $($variant:ident $name:literal / $arity:literal;)* })*) => {
        /// A standard operator.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum StdOp { $($($variant,)*)* }

        impl StdOp {
            pub const ALL: &[StdOp] = &[$($(StdOp::$variant,)*)*];

            /// Returns the module that defines it, its name and its arity.
            pub fn signature(self) -> (&'static str, &'static str, usize) {
                match self { $($(StdOp::$variant => (stringify!($module), $name, $arity),)*)* }
            }
        }

        /// Returns the standard operator `name` of module `module`.
        pub fn find(module: &str, name: &str, arity: usize) -> Option<StdOp> {
            match (module, name, arity) {
                $($((stringify!($module), $name, $arity) => Some(StdOp::$variant),)*)*
                (_, _, _) => None,
            }
        }
    };
}

std_ops! {
    Naturals {
        Nat "Nat" / 0; Plus "+" / 2; Minus "-" / 2; Times "*" / 2; Power "^" / 2;
        Lt "<" / 2; Gt ">" / 2; Leq "\\leq" / 2; Geq "\\geq" / 2;
        Mod "%" / 2; Div "\\div" / 2; Interval ".." / 2;
    }
    Integers { Int "Int" / 0; Neg "-." / 1; }
    Reals { Real "Real" / 0; Divide "/" / 2; Infinity "Infinity" / 0; }
    Sequences {
        Seq "Seq" / 1; Len "Len" / 1; Concat "\\o" / 2; Append "Append" / 2; Head "Head" / 1;
        Tail "Tail" / 1; SubSeq "SubSeq" / 3; SelectSeq "SelectSeq" / 2;
    }
    FiniteSets { IsFiniteSet "IsFiniteSet" / 1; Cardinality "Cardinality" / 1; }
    Bags {
        IsABag "IsABag" / 1; BagToSet "BagToSet" / 1; SetToBag "SetToBag" / 1; BagIn "BagIn" / 2;
        EmptyBag "EmptyBag" / 0; BagPlus "\\oplus" / 2; BagMinus "\\ominus" / 2; BagUnion "BagUnion" / 1;
        BagSubset "\\sqsubseteq" / 2; SubBag "SubBag" / 1; BagOfAll "BagOfAll" / 2;
        BagCardinality "BagCardinality" / 1; CopiesIn "CopiesIn" / 2;
    }
    TLC {
        Print "Print" / 2; PrintT "PrintT" / 1; Assert "Assert" / 2; JavaTime "JavaTime" / 0;
        TlcGet "TLCGet" / 1; TlcSet "TLCSet" / 2; MapsTo ":>" / 2; Override "@@" / 2;
        Permutations "Permutations" / 1; SortSeq "SortSeq" / 2; RandomElement "RandomElement" / 1;
        Any "Any" / 0; ToString "ToString" / 1; TlcEval "TLCEval" / 1;
    }
    TLCExt {
        AssertEq "AssertEq" / 2; AssertError "AssertError" / 2; Trace "Trace" / 0;
        CounterExample "CounterExample" / 0; ToTrace "ToTrace" / 1; TlcNoOp "TLCNoOp" / 1;
        TlcModelValue "TLCModelValue" / 1; TlcCache "TLCCache" / 2; TlcFp "TLCFP" / 1;
        TlcEvalDefinition "TLCEvalDefinition" / 1; TlcGetOrDefault "TLCGetOrDefault" / 2;
        TlcGetAndSet "TLCGetAndSet" / 4; TlcDefer "TLCDefer" / 1; PickSuccessor "PickSuccessor" / 1;
    }
    Toolbox { TeTrace "_TETrace" / 0; TePosition "_TEPosition" / 0; }
    Randomization {
        RandomSubset "RandomSubset" / 2; RandomSetOfSubsets "RandomSetOfSubsets" / 3;
        TestRandomSetOfSubsets "TestRandomSetOfSubsets" / 3;
    }
    SequencesExt {
        SetToSeq "SetToSeq" / 1; SetToSeqs "SetToSeqs" / 1; SequencesContains "Contains" / 2;
        AllSubSeqs "AllSubSeqs" / 1; FoldLeft "FoldLeft" / 3; FoldLeftDomain "FoldLeftDomain" / 3;
        FoldRight "FoldRight" / 3; FoldRightDomain "FoldRightDomain" / 3; FoldSeq "FoldSeq" / 3;
        IsPrefix "IsPrefix" / 2; LongestCommonPrefix "LongestCommonPrefix" / 1; RemoveFirst "RemoveFirst" / 2;
        RemoveFirstMatch "RemoveFirstMatch" / 2; ReplaceAllSubSeqs "ReplaceAllSubSeqs" / 3;
        ReplaceFirstSubSeq "ReplaceFirstSubSeq" / 3; SelectInSeq "SelectInSeq" / 2;
        SelectInSubSeq "SelectInSubSeq" / 4; SelectLastInSeq "SelectLastInSeq" / 2;
        SelectLastInSubSeq "SelectLastInSubSeq" / 4; Suffixes "Suffixes" / 1;
    }
    FiniteSetsExt { FoldSet "FoldSet" / 3; Quantify "Quantify" / 2; KSubset "kSubset" / 2; }
    Functions {
        AntiFunction "AntiFunction" / 1; FoldFunction "FoldFunction" / 3;
        FoldFunctionOnSet "FoldFunctionOnSet" / 4; IsInjective "IsInjective" / 1;
    }
    Folds { MapThenFoldSet "MapThenFoldSet" / 5; }
    BagsExt { FoldBag "FoldBag" / 3; }
    Graphs {
        GraphsSimplePath "SimplePath" / 1; GraphsAreConnectedIn "AreConnectedIn" / 3;
        IsStronglyConnected "IsStronglyConnected" / 1;
    }
    UndirectedGraphs {
        UndirectedSimplePath "SimplePath" / 1; UndirectedAreConnectedIn "AreConnectedIn" / 3;
        ConnectedComponents "ConnectedComponents" / 1;
    }
    Bitwise { BitAnd "&" / 2; BitOr "|" / 2; BitXor "^^" / 2; BitNot "Not" / 1; ShiftR "shiftR" / 2; }
    Combinatorics { Choose "choose" / 2; Factorial "factorial" / 0; }
    DyadicRationals { DyadicReduce "Reduce" / 1; }
    Json {
        ToJson "ToJson" / 1; ToJsonArray "ToJsonArray" / 1; ToJsonObject "ToJsonObject" / 1;
        JsonSerialize "JsonSerialize" / 2; JsonDeserialize "JsonDeserialize" / 1;
        NdJsonSerialize "ndJsonSerialize" / 2; NdJsonDeserialize "ndJsonDeserialize" / 1;
    }
    IOUtils {
        IoSerialize "IOSerialize" / 3; IoDeserialize "IODeserialize" / 2; Serialize "Serialize" / 3;
        Deserialize "Deserialize" / 2; IoExec "IOExec" / 1; IoEnvExec "IOEnvExec" / 2;
        IoExecTemplate "IOExecTemplate" / 2; IoEnvExecTemplate "IOEnvExecTemplate" / 3; IoEnv "IOEnv" / 0;
        Atoi "atoi" / 1;
    }
    CSV {
        CsvWrite "CSVWrite" / 3; CsvWriteRecord "CSVWriteRecord" / 4; CsvRead "CSVRead" / 3;
        CsvRecords "CSVRecords" / 1;
    }
    SVG {
        SvgElemToString "SVGElemToString" / 1; NodeOfRingNetwork "NodeOfRingNetwork" / 5;
        NodesOfDirectedMultiGraph "NodesOfDirectedMultiGraph" / 3; PointOnLine "PointOnLine" / 3;
    }
    Statistics { ChiSquare "ChiSquare" / 3; }
    VectorClocks { CausalOrder "CausalOrder" / 4; }
    GraphViz { DotDiGraph "DotDiGraph" / 3; }
}
