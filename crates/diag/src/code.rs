//! The table of `SL` codes. A code is stable: it is never reused for another meaning.
//!
//! Each has a page, `docs/errors/SLnnnn.md`, which `specline explain` prints.

/// The severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Severity {
    Warning,
    Error,
}

/// The side at fault; the footer of a message names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum World {
    Spec,
    Config,
    Machine,
    /// A program that runs on the stage.
    System,
    Ours,
}

macro_rules! codes {
    ($($code:ident $variant:ident $severity:ident $world:ident $slug:literal;)*) => {
        /// A stable code.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        pub enum Code { $($variant,)* }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &[Code] = &[$(Code::$variant,)*];

            /// Returns the id, such as `SL0012`.
            pub fn id(self) -> &'static str {
                match self { $(Code::$variant => stringify!($code),)* }
            }

            /// Returns a few words in kebab case.
            pub fn slug(self) -> &'static str {
                match self { $(Code::$variant => $slug,)* }
            }

            pub fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity,)* }
            }

            pub fn world(self) -> World {
                match self { $(Code::$variant => World::$world,)* }
            }
        }
    };
}

codes! {
    // Reading files.
    SL0001 CannotRead            Error   Machine "cannot-read";
    SL0002 NotUtf8               Error   Spec    "not-utf8";
    SL0003 TooLarge              Error   Spec    "too-large";
    SL0004 NoModule              Error   Spec    "no-module";
    SL0005 CannotWrite           Error   Machine "cannot-write";

    // Reading TLA+: characters and tokens.
    SL0101 StrayCharacter        Error   Spec    "stray-character";
    SL0102 UnterminatedString    Error   Spec    "unterminated-string";
    SL0103 UnterminatedComment   Error   Spec    "unterminated-comment";
    SL0104 BadEscape             Error   Spec    "bad-escape";
    SL0105 BadNumber             Error   Spec    "bad-number";

    // Reading TLA+: grammar.
    SL0110 UnexpectedToken       Error   Spec    "unexpected-token";
    SL0111 UnclosedDelimiter     Error   Spec    "unclosed-delimiter";
    SL0112 PrecedenceConflict    Error   Spec    "precedence-conflict";
    SL0113 MissingModuleEnd      Error   Spec    "missing-module-end";
    SL0114 TooDeep               Error   Spec    "too-deep";
    SL0115 JunctionAlignment     Error   Spec    "junction-alignment";
    SL0116 BadProofStep          Error   Spec    "bad-proof-step";
    SL0117 ReservedWord          Error   Spec    "reserved-word";
    SL0118 NotAnOperator         Error   Spec    "not-an-operator";
    SL0119 UnbalancedProof       Error   Spec    "unbalanced-proof";

    // PlusCal.
    SL0121 PcalSyntax            Error   Spec    "pluscal-syntax";
    SL0122 PcalLabel             Error   Spec    "pluscal-label";
    SL0123 PcalName              Error   Spec    "pluscal-name";
    SL0124 PcalAssign            Error   Spec    "pluscal-assignment";
    SL0125 PcalMarks             Error   Spec    "pluscal-marks";
    SL0126 PcalOption            Error   Config  "pluscal-option";
    // Modules.
    SL0201 ModuleNotFound        Error   Spec    "module-not-found";
    SL0202 ModuleCycle           Error   Spec    "module-cycle";
    SL0203 ModuleNameMismatch    Error   Spec    "module-name-mismatch";
    SL0204 ModuleRedefined       Error   Spec    "module-redefined";

    // Names.
    SL0301 UnknownName           Error   Spec    "unknown-name";
    SL0302 Redefined             Error   Spec    "redefined";
    SL0303 BuiltinRedefined      Error   Spec    "builtin-redefined";
    SL0304 IncompletePath        Error   Spec    "incomplete-path";
    SL0305 AtOutsideExcept       Error   Spec    "at-outside-except";
    SL0306 DuplicateField        Error   Spec    "duplicate-field";
    SL0307 ImportConflict        Error   Spec    "import-conflict";
    SL0308 ImportAmbiguity       Warning Spec    "import-ambiguity";
    SL0309 NotAnExpression       Error   Spec    "not-an-expression";
    SL0310 FieldNameClash        Warning Spec    "field-name-clash";

    // Arity and higher-order arguments.
    SL0320 WrongArity            Error   Spec    "wrong-arity";
    SL0321 OperatorExpected      Error   Spec    "operator-expected";
    SL0322 OperatorArity         Error   Spec    "operator-arity";
    SL0323 ExpressionExpected    Error   Spec    "expression-expected";
    SL0324 FunctionArity         Error   Spec    "function-arity";

    // Recursion.
    SL0330 RecursivePrimes       Error   Spec    "recursive-primes";
    SL0331 RecursiveUndefined    Error   Spec    "recursive-undefined";
    SL0332 RecursiveArity        Error   Spec    "recursive-arity";
    SL0333 RecursiveWrongLet     Error   Spec    "recursive-wrong-let";
    SL0334 RecursiveSection      Error   Spec    "recursive-section";

    // INSTANCE.
    SL0340 MissingSubstitution   Error   Spec    "missing-substitution";
    SL0341 RepeatedSubstitution  Error   Spec    "repeated-substitution";
    SL0342 IllegalSubstitution   Error   Spec    "illegal-substitution";
    SL0343 SubstitutionArity     Error   Spec    "substitution-arity";
    SL0344 NonLeibniz            Error   Spec    "non-leibniz";
    SL0345 SubstitutionLevel     Error   Spec    "substitution-level";

    // Labels and subexpressions.
    SL0350 LabelParameters       Error   Spec    "label-parameters";
    SL0351 LabelPlace            Error   Spec    "label-place";
    SL0352 LabelRedefined        Error   Spec    "label-redefined";
    SL0353 BadSelector           Error   Spec    "bad-selector";

    // Proofs.
    SL0360 StepName              Error   Spec    "step-name";
    SL0361 StepNotExpression     Error   Spec    "step-not-expression";
    SL0362 BadFact               Error   Spec    "bad-fact";

    // Levels.
    SL0401 LevelExceeded         Error   Spec    "level-exceeded";
    SL0402 AssumptionLevel       Error   Spec    "assumption-level";
    SL0403 StutterSensitive      Error   Spec    "stutter-sensitive";
    SL0404 TemporalOperandLevel  Error   Spec    "temporal-operand-level";
    SL0405 MixedLevels           Error   Spec    "mixed-levels";
    SL0406 QuantifierBoundLevel  Error   Spec    "quantifier-bound-level";
    SL0407 OperatorArgumentLevel Error   Spec    "operator-argument-level";
    SL0408 ProofStepLevel        Error   Spec    "proof-step-level";

    // Configuration files.
    SL0501 ConfigSyntax          Error   Config  "config-syntax";
    SL0502 ConfigRepeated        Error   Config  "config-repeated";
    SL0503 ConfigValue           Error   Config  "config-value";
    SL0504 ConfigConflict        Error   Config  "config-conflict";
    SL0505 ConfigUnknownName     Error   Config  "config-unknown-name";
    SL0506 ConfigIgnoredName     Warning Config  "config-ignored-name";
    SL0507 ConfigMissingConstant Error   Config  "config-missing-constant";
    SL0508 ConfigArity           Error   Config  "config-arity";
    SL0509 ConfigWrongKind       Error   Config  "config-wrong-kind";
    SL0510 ConfigLevel           Error   Config  "config-level";
    SL0511 ConfigMissing         Error   Config  "config-missing";
    SL0512 ConfigTemporal        Error   Config  "config-temporal";
    SL0513 TemporalTautology     Error   Config  "temporal-tautology";
    SL0514 TemporalOption        Error   Config  "temporal-option";
    SL0520 ConfigAssumed         Warning Config  "config-assumed";

    // Lints.
    SL0601 UnusedDefinition      Warning Spec    "unused-definition";
    SL0602 UnusedVariable        Warning Spec    "unused-variable";
    SL0603 UnusedConstant        Warning Spec    "unused-constant";
    SL0604 UnassignedVariable    Warning Spec    "unassigned-variable";
    SL0605 AssignedTwice         Warning Spec    "assigned-twice";
    SL0606 Shadowing             Warning Spec    "shadowing";
    SL0607 PrimedConstant        Warning Spec    "primed-constant";
    SL0608 StaleTranslation      Warning Spec    "stale-translation";
    SL0609 IncompleteSubscript   Warning Spec    "incomplete-subscript";
    SL0610 LibraryNameHidden     Warning Spec    "library-name-hidden";
    SL0611 RetiredName           Warning Spec    "retired-name";

    // Evaluation: expressions without a value.
    SL0701 NotComparable         Error   Spec    "not-comparable";
    SL0702 OutsideDomain         Error   Spec    "outside-domain";
    SL0703 WrongKind             Error   Spec    "wrong-kind";
    SL0704 NotEnumerable         Error   Spec    "not-enumerable";
    SL0705 SetTooLarge           Error   Spec    "set-too-large";
    SL0706 NoWitness             Error   Spec    "no-witness";
    SL0707 NotBoolean            Error   Spec    "not-boolean";
    SL0708 NoValueYet            Error   Spec    "no-value-yet";
    SL0709 NoCaseArm             Error   Spec    "no-case-arm";
    SL0710 BadArithmetic         Error   Spec    "bad-arithmetic";
    SL0711 EmptySequence         Error   Spec    "empty-sequence";
    SL0712 TooDeepRecursion      Error   Spec    "too-deep-recursion";
    SL0713 AssertFailed          Error   Spec    "assert-failed";
    SL0714 NotEvaluable          Error   Spec    "not-evaluable";
    SL0715 NotStorable           Error   Spec    "not-storable";
    SL0716 IncompleteState       Error   Spec    "incomplete-state";
    SL0717 NoRegister            Error   Spec    "no-register";
    SL0718 OutsideWorld          Error   Spec    "outside-world";
    SL0719 LostUpdate            Warning Spec    "lost-update";
    SL0730 Sandboxed             Error   Spec    "sandboxed";

    // Answers of a search.
    SL0751 AssumptionFalse       Error   Spec    "assumption-false";
    SL0752 InvariantViolated     Error   Spec    "invariant-violated";
    SL0753 StepViolated          Error   Spec    "action-property-violated";
    SL0754 InitialViolated       Error   Spec    "initial-property-violated";
    SL0755 Deadlock              Error   Spec    "deadlock";
    SL0756 PostconditionFalse    Error   Spec    "postcondition-false";
    SL0757 NeverPossible         Error   Spec    "never-possible";
    SL0758 PeriodicFalse         Error   Spec    "periodic-false";
    SL0759 NoInitialState        Error   Spec    "no-initial-state";
    SL0760 EmptySymmetry         Warning Config  "empty-symmetry";
    SL0761 TemporalViolated      Error   Spec    "temporal-property-violated";
    SL0762 LiveConstrained       Warning Config  "temporal-under-constraint";
    SL0763 LiveSymmetric         Warning Config  "temporal-under-symmetry";
    SL0764 NeverLeads            Warning Spec    "leads-to-never";
    SL0765 NoFairness            Warning Spec    "no-fairness";
    SL0766 TemporalNotWalked     Warning Config  "temporal-not-walked";
    SL0767 TemporalUnchecked     Warning Config  "temporal-unchecked";
    SL0768 NoInitialInModel      Error   Spec    "no-initial-state-in-model";
    SL0770 LiveViewed            Warning Config  "temporal-under-view";
    SL0771 SpillFolder           Error   Machine "spill-folder";
    SL0772 SpillFailed           Error   Machine "spill-failed";
    SL0773 AddressSpace          Error   Machine "address-space";
    SL0774 TooFewThreads         Error   Machine "too-few-threads";
    SL0779 OutOfMemory           Error   Machine "out-of-memory";

    // Traces that were kept.
    SL0801 TraceSyntax           Error   Machine "trace-syntax";
    SL0802 TraceShape            Error   Machine "trace-shape";
    SL0803 TraceWithoutProcesses Error   Machine "trace-without-processes";
    SL0804 TraceUntyped          Error   Machine "trace-untyped";
    SL0805 TraceNoBehaviour      Error   Spec    "trace-no-behaviour";
    SL0806 TraceForeign          Error   Machine "trace-foreign";
    SL0807 OutputTwice           Error   Machine "output-twice";
    SL0808 TraceExpression       Error   Config  "trace-expression";
    SL0809 NoState               Error   Config  "no-state";

    // The stage.
    SL0811 SystemFile            Error   Config  "system-file";
    SL0812 ScriptLine            Error   Config  "script-line";
    SL0813 StageFailed           Error   System  "stage-failed";

    // Checkpoints.
    SL0821 CheckpointMismatch    Error   Config  "checkpoint-mismatch";
    SL0822 CheckpointUnreadable  Error   Machine "checkpoint-unreadable";
    SL0823 CheckpointUnwritable  Error   Machine "checkpoint-unwritable";
    SL0824 CheckpointTaken       Error   Machine "checkpoint-taken";

    // The contents of `specline.toml`.
    SL0831 ProjectFile           Error   Config  "project-file";
    SL0832 UnknownAction         Error   Config  "unknown-action";

    // State graphs.
    SL0841 NoGraph               Error   Config  "no-graph";
    SL0842 GraphFile             Error   Machine "graph-file";
    SL0843 GraphTooLarge         Error   Machine "graph-too-large";
    SL0844 GraphCut              Warning Config  "graph-cut";

    // Logs that are validated.
    SL0851 LogNotRead            Error   Config  "log-not-read";
    SL0852 LogEmpty              Error   Machine "log-empty";
    SL0853 LogRejected           Error   Spec    "log-rejected";
    SL0854 NoAcceptance          Error   Config  "no-acceptance";
    SL0855 MapFile               Error   Config  "map-file";
    SL0856 LogLine               Error   Machine "log-line";
    SL0857 LogField              Error   Machine "log-field";
    SL0858 LogOrder              Error   Machine "log-order";
    SL0859 MapUnused             Warning Config  "map-unused";
    SL0860 LogUndecided          Error   Config  "log-undecided";
    SL0871 LastEventUnread       Warning Spec    "last-event-unread";
    SL0872 TraceCut              Warning Machine "trace-cut";
    SL0873 NotCompared           Warning Config  "not-compared";
    SL0874 LogText               Warning Machine "log-text";

    // Behaviours that are carried out on real processes.
    SL0881 SystemMap             Error   Config  "system-map";
    SL0882 Diverged              Error   System  "diverged";
    SL0883 ReplayImpossible      Error   System  "replay-impossible";

    // Processes that are watched.
    SL0884 MonitorMap            Error   Config  "monitor-map";
    SL0885 NotLocal              Error   Spec    "not-local";
    SL0886 MonitorInput          Error   Machine "monitor-input";
    SL0887 ProtocolAlarm         Error   System  "protocol-alarm";
    SL0888 MonitorUndecided      Warning System  "monitor-undecided";
    SL0889 MonitorCondition      Warning Config  "monitor-condition";
    SL0890 TapSettings           Error   Config  "tap-settings";

    // Compositions.
    SL0891 CompositionFile       Error   Config  "composition-file";
    SL0892 CompositionVariable   Error   Config  "composition-variable";
    SL0893 CompositionAction     Error   Config  "composition-action";
    SL0894 CompositionName       Error   Config  "composition-name";
    SL0895 CompositionConstant   Error   Config  "composition-constant";
    SL0896 CompositionOperator   Error   Config  "composition-operator";
    SL0897 CompositionChanged    Error   Machine "composition-changed";

    // Our own errors.
    SL0901 Internal              Error   Ours    "internal";
}

impl Code {
    /// Returns the code spelled `id`, in upper or lower case.
    pub fn parse(id: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.id().eq_ignore_ascii_case(id) || code.slug() == id)
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn ids_and_slugs_are_unique_and_parse_back() {
        for (index, &code) in Code::ALL.iter().enumerate() {
            assert_eq!(Code::parse(code.id()), Some(code));
            assert_eq!(Code::parse(code.slug()), Some(code));
            assert!(Code::ALL[..index].iter().all(|&other| other.id() != code.id()));
        }
    }
}
