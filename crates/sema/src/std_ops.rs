//! The operators of the standard and community modules that evaluators implement.
//!
//! An operator is recognised by module, name and arity, whichever file the module was read from: TLC also applies its
//! native operators when a specification brings its own copy of a module. Operators whose embedded definition is
//! `NATIVE` have no other meaning. For the others the definition fixes the meaning, and an evaluator may compute it
//! faster.

/// Something that a standard operator does besides computing a value from those of its arguments. The table below lists
/// the effects of each operator after its arity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Prints,
    /// The operator ends the run if its argument is false.
    Asserts,
    /// The value may differ from one use to the next: it is random, or read from a clock or a file.
    Varies,
    /// The operator writes something that outlasts its evaluation, in registers or in files.
    Writes,
    /// The value depends on the run: on registers, or on the behaviour that led here.
    AsksRun,
    RunsProgram,
}

impl StdOp {
    pub fn has_effect(self, effect: Effect) -> bool {
        self.effects().contains(&effect)
    }
}

macro_rules! std_ops {
    ($($module:ident { $($variant:ident $name:literal / $arity:literal $([$($effect:ident),*])?;)* })*) => {
        /// A standard operator.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum StdOp { $($($variant,)*)* }

        impl StdOp {
            pub const ALL: &[StdOp] = &[$($(StdOp::$variant,)*)*];

            /// Returns the module that defines it, its name and its arity.
            pub fn signature(self) -> (&'static str, &'static str, usize) {
                match self { $($(StdOp::$variant => (stringify!($module), $name, $arity),)*)* }
            }

            /// Returns what it does besides computing a value from its arguments.
            pub fn effects(self) -> &'static [Effect] {
                match self { $($(StdOp::$variant => &[$($(Effect::$effect),*)?],)*)* }
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
        Nat "Nat" / 0; Plus "+" / 2; Minus "-" / 2; Times "*" / 2; Power "^" / 2; Lt "<" / 2; Gt ">" / 2;
        Leq "\\leq" / 2; Geq "\\geq" / 2; Mod "%" / 2; Div "\\div" / 2; Interval ".." / 2;
    }
    Integers { Int "Int" / 0; Neg "-." / 1; }
    Reals { Real "Real" / 0; Divide "/" / 2; Infinity "Infinity" / 0; }
    Sequences {
        Seq "Seq" / 1; Len "Len" / 1; Concat "\\o" / 2; Append "Append" / 2; Head "Head" / 1; Tail "Tail" / 1;
        SubSeq "SubSeq" / 3; SelectSeq "SelectSeq" / 2;
    }
    FiniteSets { IsFiniteSet "IsFiniteSet" / 1; Cardinality "Cardinality" / 1; }
    Bags {
        IsABag "IsABag" / 1; BagToSet "BagToSet" / 1; SetToBag "SetToBag" / 1; BagIn "BagIn" / 2;
        EmptyBag "EmptyBag" / 0; BagPlus "\\oplus" / 2; BagMinus "\\ominus" / 2; BagUnion "BagUnion" / 1;
        BagSubset "\\sqsubseteq" / 2; SubBag "SubBag" / 1; BagOfAll "BagOfAll" / 2;
        BagCardinality "BagCardinality" / 1; CopiesIn "CopiesIn" / 2;
    }
    TLC {
        Print "Print" / 2 [Prints]; PrintT "PrintT" / 1 [Prints]; Assert "Assert" / 2 [Asserts];
        JavaTime "JavaTime" / 0 [Varies]; TlcGet "TLCGet" / 1 [AsksRun];
        TlcSet "TLCSet" / 2 [AsksRun, Writes]; MapsTo ":>" / 2; Override "@@" / 2;
        Permutations "Permutations" / 1; SortSeq "SortSeq" / 2; RandomElement "RandomElement" / 1 [Varies];
        Any "Any" / 0; ToString "ToString" / 1; TlcEval "TLCEval" / 1;
    }
    TLCExt {
        AssertEq "AssertEq" / 2; AssertError "AssertError" / 2; Trace "Trace" / 0 [AsksRun];
        CounterExample "CounterExample" / 0 [AsksRun]; ToTrace "ToTrace" / 1; TlcNoOp "TLCNoOp" / 1;
        TlcModelValue "TLCModelValue" / 1; TlcCache "TLCCache" / 2; TlcFp "TLCFP" / 1;
        TlcEvalDefinition "TLCEvalDefinition" / 1 [AsksRun]; TlcGetOrDefault "TLCGetOrDefault" / 2 [AsksRun];
        TlcGetAndSet "TLCGetAndSet" / 4 [AsksRun, Writes]; TlcDefer "TLCDefer" / 1 [Writes];
        PickSuccessor "PickSuccessor" / 1 [Varies, AsksRun];
    }
    Toolbox { TeTrace "_TETrace" / 0 [AsksRun]; TePosition "_TEPosition" / 0 [AsksRun]; }
    Randomization {
        RandomSubset "RandomSubset" / 2 [Varies]; RandomSetOfSubsets "RandomSetOfSubsets" / 3 [Varies];
        TestRandomSetOfSubsets "TestRandomSetOfSubsets" / 3 [Varies];
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
        JsonSerialize "JsonSerialize" / 2 [Writes]; JsonDeserialize "JsonDeserialize" / 1 [Varies];
        NdJsonSerialize "ndJsonSerialize" / 2 [Writes]; NdJsonDeserialize "ndJsonDeserialize" / 1 [Varies];
    }
    IOUtils {
        IoSerialize "IOSerialize" / 3 [Writes]; IoDeserialize "IODeserialize" / 2 [Varies];
        Serialize "Serialize" / 3 [Writes]; Deserialize "Deserialize" / 2 [Varies];
        IoExec "IOExec" / 1 [RunsProgram]; IoEnvExec "IOEnvExec" / 2 [RunsProgram];
        IoExecTemplate "IOExecTemplate" / 2 [RunsProgram];
        IoEnvExecTemplate "IOEnvExecTemplate" / 3 [RunsProgram]; IoEnv "IOEnv" / 0; Atoi "atoi" / 1;
    }
    CSV {
        CsvWrite "CSVWrite" / 3 [Writes]; CsvWriteRecord "CSVWriteRecord" / 4 [Writes];
        CsvRead "CSVRead" / 3 [Varies]; CsvRecords "CSVRecords" / 1 [Varies];
    }
    SVG {
        SvgElemToString "SVGElemToString" / 1; NodeOfRingNetwork "NodeOfRingNetwork" / 5;
        NodesOfDirectedMultiGraph "NodesOfDirectedMultiGraph" / 3; PointOnLine "PointOnLine" / 3;
    }
    Statistics { ChiSquare "ChiSquare" / 3; }
    VectorClocks { CausalOrder "CausalOrder" / 4; }
    GraphViz { DotDiGraph "DotDiGraph" / 3; }
}
