//! The pages of `docs/errors`, embedded: what `specline explain` prints.
//!
//! The match is exhaustive, so a code without a page does not compile.

use diag::Code;

macro_rules! pages {
    ($($id:literal $code:ident;)*) => {
        /// The page of `code`, in Markdown.
        pub fn page(code: Code) -> &'static str {
            match code {
                $(Code::$code => include_str!(concat!("../../../docs/errors/", $id, ".md")),)*
            }
        }
    };
}

pages! {
    "SL0001" CannotRead;
    "SL0002" NotUtf8;
    "SL0003" TooLarge;
    "SL0004" NoModule;
    "SL0005" CannotWrite;
    "SL0101" StrayCharacter;
    "SL0102" UnterminatedString;
    "SL0103" UnterminatedComment;
    "SL0104" BadEscape;
    "SL0105" BadNumber;
    "SL0110" UnexpectedToken;
    "SL0111" UnclosedDelimiter;
    "SL0112" PrecedenceConflict;
    "SL0113" MissingModuleEnd;
    "SL0114" TooDeep;
    "SL0115" JunctionAlignment;
    "SL0116" BadProofStep;
    "SL0117" ReservedWord;
    "SL0118" NotAnOperator;
    "SL0119" UnbalancedProof;
    "SL0121" PcalSyntax;
    "SL0122" PcalLabel;
    "SL0123" PcalName;
    "SL0124" PcalAssign;
    "SL0125" PcalMarks;
    "SL0126" PcalOption;
    "SL0201" ModuleNotFound;
    "SL0202" ModuleCycle;
    "SL0203" ModuleNameMismatch;
    "SL0204" ModuleRedefined;
    "SL0301" UnknownName;
    "SL0302" Redefined;
    "SL0303" BuiltinRedefined;
    "SL0304" IncompletePath;
    "SL0305" AtOutsideExcept;
    "SL0306" DuplicateField;
    "SL0307" ImportConflict;
    "SL0308" ImportAmbiguity;
    "SL0309" NotAnExpression;
    "SL0310" FieldNameClash;
    "SL0320" WrongArity;
    "SL0321" OperatorExpected;
    "SL0322" OperatorArity;
    "SL0323" ExpressionExpected;
    "SL0324" FunctionArity;
    "SL0330" RecursivePrimes;
    "SL0331" RecursiveUndefined;
    "SL0332" RecursiveArity;
    "SL0333" RecursiveWrongLet;
    "SL0334" RecursiveSection;
    "SL0340" MissingSubstitution;
    "SL0341" RepeatedSubstitution;
    "SL0342" IllegalSubstitution;
    "SL0343" SubstitutionArity;
    "SL0344" NonLeibniz;
    "SL0345" SubstitutionLevel;
    "SL0350" LabelParameters;
    "SL0351" LabelPlace;
    "SL0352" LabelRedefined;
    "SL0353" BadSelector;
    "SL0360" StepName;
    "SL0361" StepNotExpression;
    "SL0362" BadFact;
    "SL0401" LevelExceeded;
    "SL0402" AssumptionLevel;
    "SL0403" StutterSensitive;
    "SL0404" TemporalOperandLevel;
    "SL0405" MixedLevels;
    "SL0406" QuantifierBoundLevel;
    "SL0407" OperatorArgumentLevel;
    "SL0408" ProofStepLevel;
    "SL0501" ConfigSyntax;
    "SL0502" ConfigRepeated;
    "SL0503" ConfigValue;
    "SL0504" ConfigConflict;
    "SL0505" ConfigUnknownName;
    "SL0506" ConfigIgnoredName;
    "SL0507" ConfigMissingConstant;
    "SL0508" ConfigArity;
    "SL0509" ConfigWrongKind;
    "SL0510" ConfigLevel;
    "SL0511" ConfigMissing;
    "SL0512" ConfigTemporal;
    "SL0513" TemporalTautology;
    "SL0514" TemporalOption;
    "SL0520" ConfigAssumed;
    "SL0601" UnusedDefinition;
    "SL0602" UnusedVariable;
    "SL0603" UnusedConstant;
    "SL0604" UnassignedVariable;
    "SL0605" AssignedTwice;
    "SL0606" Shadowing;
    "SL0607" PrimedConstant;
    "SL0608" StaleTranslation;
    "SL0609" IncompleteSubscript;
    "SL0610" LibraryNameHidden;
    "SL0611" RetiredName;
    "SL0701" NotComparable;
    "SL0702" OutsideDomain;
    "SL0703" WrongKind;
    "SL0704" NotEnumerable;
    "SL0705" SetTooLarge;
    "SL0706" NoWitness;
    "SL0707" NotBoolean;
    "SL0708" NoValueYet;
    "SL0709" NoCaseArm;
    "SL0710" BadArithmetic;
    "SL0711" EmptySequence;
    "SL0712" TooDeepRecursion;
    "SL0713" AssertFailed;
    "SL0714" NotEvaluable;
    "SL0715" NotStorable;
    "SL0716" IncompleteState;
    "SL0717" NoRegister;
    "SL0718" OutsideWorld;
    "SL0719" LostUpdate;
    "SL0730" Sandboxed;
    "SL0751" AssumptionFalse;
    "SL0752" InvariantViolated;
    "SL0753" StepViolated;
    "SL0754" InitialViolated;
    "SL0755" Deadlock;
    "SL0756" PostconditionFalse;
    "SL0757" NeverPossible;
    "SL0758" PeriodicFalse;
    "SL0759" NoInitialState;
    "SL0760" EmptySymmetry;
    "SL0761" TemporalViolated;
    "SL0762" LiveConstrained;
    "SL0763" LiveSymmetric;
    "SL0764" NeverLeads;
    "SL0765" NoFairness;
    "SL0766" TemporalNotWalked;
    "SL0767" TemporalUnchecked;
    "SL0768" NoInitialInModel;
    "SL0770" LiveViewed;
    "SL0771" SpillFolder;
    "SL0772" SpillFailed;
    "SL0773" AddressSpace;
    "SL0774" TooFewThreads;
    "SL0779" OutOfMemory;
    "SL0801" TraceSyntax;
    "SL0802" TraceShape;
    "SL0803" TraceWithoutProcesses;
    "SL0804" TraceUntyped;
    "SL0805" TraceNoBehaviour;
    "SL0806" TraceForeign;
    "SL0807" OutputTwice;
    "SL0808" TraceExpression;
    "SL0809" NoState;
    "SL0811" SystemFile;
    "SL0812" ScriptLine;
    "SL0813" StageFailed;
    "SL0821" CheckpointMismatch;
    "SL0822" CheckpointUnreadable;
    "SL0823" CheckpointUnwritable;
    "SL0824" CheckpointTaken;
    "SL0831" ProjectFile;
    "SL0832" UnknownAction;
    "SL0841" NoGraph;
    "SL0842" GraphFile;
    "SL0843" GraphTooLarge;
    "SL0844" GraphCut;
    "SL0851" LogNotRead;
    "SL0852" LogEmpty;
    "SL0853" LogRejected;
    "SL0854" NoAcceptance;
    "SL0855" MapFile;
    "SL0856" LogLine;
    "SL0857" LogField;
    "SL0858" LogOrder;
    "SL0859" MapUnused;
    "SL0860" LogUndecided;
    "SL0871" LastEventUnread;
    "SL0872" TraceCut;
    "SL0873" NotCompared;
    "SL0874" LogText;
    "SL0881" SystemMap;
    "SL0882" Diverged;
    "SL0883" ReplayImpossible;
    "SL0884" MonitorMap;
    "SL0885" NotLocal;
    "SL0886" MonitorInput;
    "SL0887" ProtocolAlarm;
    "SL0888" MonitorUndecided;
    "SL0889" MonitorCondition;
    "SL0890" TapSettings;
    "SL0891" CompositionFile;
    "SL0892" CompositionVariable;
    "SL0893" CompositionAction;
    "SL0894" CompositionName;
    "SL0895" CompositionConstant;
    "SL0896" CompositionOperator;
    "SL0897" CompositionChanged;
    "SL0901" Internal;
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use diag::Code;

    use super::page;

    #[test]
    fn every_page_opens_with_its_own_code() {
        for &code in Code::ALL {
            let title = format!("# {} {}", code.id(), code.slug());
            assert_eq!(page(code).lines().next(), Some(title.as_str()));
        }
    }

    #[test]
    fn every_file_is_the_page_of_a_code() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors");
        let files = std::fs::read_dir(folder).expect("the folder is there");
        let names = files.map(|file| file.expect("it can be listed").file_name().into_string());
        let names: BTreeSet<String> = names.map(|name| name.expect("names are ASCII")).collect();
        let expected: BTreeSet<String> = Code::ALL.iter().map(|code| format!("{code}.md")).collect();
        assert_eq!(names, expected);
    }
}
