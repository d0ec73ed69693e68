//! The numbers of TLC's messages, by the names that TLC has for them.

pub type Code = u32;

pub const GENERAL: Code = 1000;
pub const WRONG_COMMANDLINE: Code = 1102;

pub const INITIAL_STATE: Code = 2102;
pub const NESTED_EXPRESSION: Code = 2103;
pub const ASSUMPTION_FALSE: Code = 2104;
pub const ASSUMPTION_EVALUATION: Code = 2105;
pub const INVARIANT_VIOLATED_INITIAL: Code = 2107;
pub const PROPERTY_VIOLATED_INITIAL: Code = 2108;
pub const INCOMPLETE_NEXT: Code = 2109;
pub const INVARIANT_VIOLATED: Code = 2110;
pub const INVARIANT_EVALUATION: Code = 2111;
pub const ACTION_PROPERTY_VIOLATED: Code = 2112;
pub const ACTION_PROPERTY_EVALUATION: Code = 2113;
pub const DEADLOCK: Code = 2114;
pub const TEMPORAL_VIOLATED: Code = 2116;
pub const NO_INITIAL: Code = 2118;
pub const BEHAVIOR_UP_TO_HERE: Code = 2121;
pub const BACK_TO_STATE: Code = 2122;
pub const ASSERT_FAILED: Code = 2132;
pub const EXCEPT_UNKNOWN_FIELD: Code = 2144;
pub const TLCGET_UNDEFINED: Code = 2145;
pub const FINGERPRINT: Code = 2147;
pub const CHECK_MEMBER_OF: Code = 2158;
pub const ARGUMENT: Code = 2169;
pub const APPLYING_TO_WRONG_VALUE: Code = 2176;
pub const DIVISION_BY_ZERO: Code = 2179;
pub const ZERO_TO_ZERO: Code = 2180;
pub const ARGUMENT_NOT_IN_DOMAIN: Code = 2183;
pub const EMPTY_SEQUENCE: Code = 2184;
pub const STARTING: Code = 2185;
pub const FINISHED: Code = 2186;
pub const MODE_SEARCH: Code = 2187;
pub const MODE_SIMULATION: Code = 2188;
pub const COMPUTING_INIT: Code = 2189;
pub const INIT_GENERATED: Code = 2190;
pub const INIT_GENERATED_SOME_DISTINCT: Code = 2191;
pub const CHECKING_TEMPORAL: Code = 2192;
pub const SUCCESS: Code = 2193;
pub const SEARCH_DEPTH: Code = 2194;
pub const CHECKPOINT_START: Code = 2195;
pub const CHECKPOINT_END: Code = 2196;
pub const RECOVER_END: Code = 2198;
pub const STATS: Code = 2199;
pub const PROGRESS: Code = 2200;
pub const COVERAGE_START: Code = 2201;
pub const COVERAGE_END: Code = 2202;
pub const STATS_DEEPENING: Code = 2204;
pub const STARTING_LEVEL: Code = 2205;
pub const PROGRESS_DEEPENING: Code = 2206;
pub const INIT_GENERATED_DEEPENING: Code = 2208;
pub const PROGRESS_SIMULATION: Code = 2209;
pub const STATS_SIMULATION: Code = 2210;
pub const CANNOT_HANDLE_FORMULA: Code = 2213;
pub const STATE: Code = 2217;
pub const STUTTERING: Code = 2218;
pub const SANY_END: Code = 2219;
pub const SANY_START: Code = 2220;
pub const COVERAGE_VALUE: Code = 2221;
pub const CONFIG_MISSING_CONSTANT: Code = 2222;
pub const CONFIG_WRONG_ARITY: Code = 2225;
pub const CONFIG_UNKNOWN_NAME: Code = 2226;
pub const CONFIG_NOT_DEFINED: Code = 2229;
pub const CONFIG_HAS_VALUE: Code = 2230;
pub const CONFIG_MISSING_INIT: Code = 2231;
pub const CONFIG_PROPERTY: Code = 2241;
pub const TAUTOLOGY: Code = 2253;
pub const NO_INITIAL_IN_MODEL: Code = 2256;
pub const VERSION: Code = 2262;
pub const COUNTER_EXAMPLE: Code = 2264;
pub const CHECKING_TEMPORAL_END: Code = 2267;
pub const COMPUTING_INIT_PROGRESS: Code = 2269;
pub const MODE_DEEPENING: Code = 2271;
pub const LIVENESS_SYMMETRY: Code = 2279;
pub const SYMMETRY_TOO_SMALL: Code = 2300;
pub const POSTCONDITION_FALSE: Code = 2404;
pub const POSTCONDITION_EVALUATION: Code = 2405;
pub const TE_SPEC: Code = 2501;
pub const TE_SPEC_FAILED: Code = 2502;
pub const COVERAGE_NEXT: Code = 2772;
pub const COVERAGE_INIT: Code = 2773;
pub const COVERAGE_PROPERTY: Code = 2774;
pub const STACK_OVERFLOW: Code = 1005;
pub const PARSING_FAILED: Code = 3002;
pub const CONFIG_READING: Code = 5001;
pub const CONFIG_TWICE: Code = 5004;
pub const CONFIG_SYNTAX: Code = 5006;

/// Numbers of the parser's warnings: a name that comes from two modules, by `EXTENDS` or by `INSTANCE`, and a
/// field of a record with the name of an operator.
pub const EXTENDED_AMBIGUITY: Code = 4800;
pub const INSTANCED_AMBIGUITY: Code = 4801;
pub const FIELD_NAME_CLASH: Code = 4802;

/// All warnings that are reported.
pub const WARNINGS: [Code; 6] = [
    EXCEPT_UNKNOWN_FIELD,
    LIVENESS_SYMMETRY,
    SYMMETRY_TOO_SMALL,
    EXTENDED_AMBIGUITY,
    INSTANCED_AMBIGUITY,
    FIELD_NAME_CLASH,
];
