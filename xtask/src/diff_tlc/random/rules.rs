//! The table of the forms of expressions: for each form its type, its text and its holes.
//!
//! In a text, `$0` is the first hole and `%v` a name that is new at each use. A hole is a pattern of types (see
//! [`super::ty::Pattern`]), preceded by the names that it may use (`v:a|B`), and followed by the most elements that its
//! sets should have (`Sa/3`). Numbers stay small: those beyond 32 bits are an error in TLC only.

/// One form of expression.
pub struct Rule {
    pub result: &'static str,
    pub text: &'static str,
    pub holes: &'static str,
    pub risk: Risk,
    /// The size of sets that may result from it.
    pub size: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Risk {
    /// It has a value if its parts have.
    None,
    /// It has no value for many arguments. It is used less often, so that errors do not hide the rest.
    Partial,
}

const fn of(result: &'static str, text: &'static str, holes: &'static str) -> Rule {
    Rule { result, text, holes, risk: Risk::None, size: 0 }
}

const fn partial(result: &'static str, text: &'static str, holes: &'static str) -> Rule {
    Rule { result, text, holes, risk: Risk::Partial, size: 0 }
}

const fn large(size: usize, result: &'static str, text: &'static str, holes: &'static str) -> Rule {
    Rule { result, text, holes, risk: Risk::None, size }
}

/// The forms of expressions that stand alone.
pub const ALL: &[&[Rule]] = &[
    NUMBERS,
    LOGIC,
    COMPARISONS,
    ANY,
    CLOSURES,
    HIGHER_ORDER,
    FOLDS,
    SETS,
    LAZY_SETS,
    FUNCTIONS,
    RECORDS,
    SEQUENCES,
    SEQUENCES_EXT,
    FINITE_SETS_EXT,
    FUNCTIONS_EXT,
    BAGS,
    STRINGS,
    INFINITE,
];

/// The forms of expressions inside a specification: those built into the language, and those of modules that TLC reads
/// quickly.
pub const CORE: &[&[Rule]] = &[
    NUMBERS,
    LOGIC,
    COMPARISONS,
    ANY,
    ANY,
    CLOSURES,
    HIGHER_ORDER,
    SETS,
    LAZY_SETS,
    FUNCTIONS,
    RECORDS,
    SEQUENCES,
    BAGS,
    INFINITE,
];

/// Recursive functions and lazy sets that capture their surroundings, needed or not; mutual recursion; functions of
/// which one value is used; instances in a LET.
const CLOSURES: &[Rule] = &[
    of(
        "a",
        "(LET %v == $0 %f[%i \\in 0..2] == IF %i = 0 THEN $1 ELSE IF %i = 2 THEN %v ELSE %f[%i - 1] IN %f[($2) % 3])",
        "a a I",
    ),
    of(
        "a",
        "(LET %v == $0 %w == %v %f[%i \\in 0..2] == IF %i = 0 THEN $1 ELSE IF %i = 2 THEN $2 ELSE %f[%i - 1] IN %f[($3) % 3])",
        "a w:a|a v:a|a I",
    ),
    of(
        "a",
        "(LET RECURSIVE %g(_) %g(%n) == IF %n = 0 THEN $0 ELSE %g(%n - 1) \
         %f[%i \\in 0..2] == IF %i = 0 THEN $1 ELSE IF %i = 1 THEN %f[0] ELSE %g(%i) IN %f[($2) % 3])",
        "a a I",
    ),
    of(
        "a",
        "(LET RECURSIVE %f %g[%i \\in 0..3] == IF %i = 0 THEN $0 ELSE %f[%i - 1] \
         %f[%i \\in 0..3] == IF %i = 0 THEN $1 ELSE %g[%i - 1] IN %f[($2) % 4])",
        "a a I",
    ),
    of(
        "a",
        "(LET RECURSIVE %r(_, _) %r(%n, %v) == IF %n > 1 THEN LET %f[%i \\in 0..2] == IF %i = 0 THEN $0 ELSE IF %i > 1 THEN %v ELSE %f[%i - 1] \
         IN %f[($1) % 3] ELSE %r(%n + 1, %v) IN %r(0, $2))",
        "n:I|a I a",
    ),
    of("B", "(LET %v == $0 IN $1 \\in {%s \\in SUBSET (0..1) : %s = {} \\/ $2})", "a SI v:a,s:SI|B"),
    of("I", "(LET %q == INSTANCE FiniteSets IN %q!Cardinality($0))", "Sa"),
    of("I", "(LET %q == INSTANCE Sequences IN %q!Len(%q!Append($0, $1)))", "Qa a"),
    partial("I", "[%v \\in 0..2 |-> 6 \\div %v][($0) % 3]", "I"),
    partial("a", "[%v \\in 0..2 |-> $0][$1]", "v:I|a I"),
    partial("B", "([fa |-> $0, fb |-> $1] = $2)", "a b FIc"),
    partial("B", "($2 # [fa |-> $0, fb |-> $1])", "a b Qc"),
];

const NUMBERS: &[Rule] = &[
    of("I", "($0 + $1)", "I I"),
    of("I", "($0 - $1)", "I I"),
    of("I", "(($0 % 9) * ($1 % 9))", "I I"),
    of("I", "(-$0)", "I"),
    of("I", "($0 \\div 3)", "I"),
    of("I", "($0 % 3)", "I"),
    partial("I", "($0 \\div $1)", "I I"),
    partial("I", "($0 % $1)", "I I"),
    of("I", "(($0 % 5) ^ (1 + ($1 % 3)))", "I I"),
    partial("I", "(($0 % 5) ^ ($1 % 4))", "I I"),
    of("I", "Cardinality($0)", "Sa"),
    of("I", "Len($0)", "Qa"),
];

const LOGIC: &[Rule] = &[
    of("B", "($0 /\\ $1)", "B B"),
    of("B", "($0 \\/ $1)", "B B"),
    of("B", "($0 => $1)", "B B"),
    of("B", "($0 <=> $1)", "B B"),
    of("B", "(~$0)", "B"),
    of("B", "(\\A %v \\in $0 : $1)", "Sa v:a|B"),
    of("B", "(\\E %v \\in $0 : $1)", "Sa v:a|B"),
    of("B", "(\\A %v, %w \\in $0 : $1)", "Sa/4 v:a,w:a|B"),
    of("B", "(\\E %v \\in $0, %w \\in $1 : $2)", "Sa/4 Sb/4 v:a,w:b|B"),
    of("B", "(\\E <<%v, %w>> \\in ($0 \\X $1) : $2)", "Sa/4 Sb/4 v:a,w:b|B"),
    partial("B", "(\\A <<%v, %w>> \\in $0 : $1)", "SPab v:a,w:b|B"),
];

const COMPARISONS: &[Rule] = &[
    of("B", "($0 = $1)", "a a"),
    of("B", "($0 # $1)", "a a"),
    of("B", "($0 < $1)", "I I"),
    of("B", "($0 <= $1)", "I I"),
    of("B", "($0 >= $1)", "I I"),
    of("B", "($0 \\in $1)", "a Sa"),
    of("B", "($0 \\notin $1)", "a Sa"),
    of("B", "($0 \\subseteq $1)", "Sa Sa"),
    of("B", "IsFiniteSet($0)", "Sa"),
];

const ANY: &[Rule] = &[
    of("a", "(IF $0 THEN $1 ELSE $2)", "B a a"),
    of("a", "(CASE $0 -> $1 [] $2 -> $3 [] OTHER -> $4)", "B a B a a"),
    partial("a", "(CASE $0 -> $1 [] $2 -> $3)", "B a B a"),
    of("a", "(LET %v == $0 IN $1)", "b v:b|a"),
    of("a", "(LET %v == $0 %w == $1 IN $2)", "b v:b|c v:b,w:c|a"),
    partial("a", "(CHOOSE %v \\in $0 : $1)", "Sa v:a|B"),
    of("a", "(LET %v == $0 IN IF %v = {} THEN $1 ELSE CHOOSE %w \\in %v : TRUE)", "Sa a"),
    of(
        "a",
        "(LET %v == {%w \\in $0 : $1} IN IF %v = {} THEN $2 ELSE CHOOSE %u \\in %v : TRUE)",
        "Sa w:a|B a",
    ),
    partial("a", "$0[$1]", "Fba b"),
    of("a", "(LET %v == $0 %w == $1 IN IF %w \\in DOMAIN %v THEN %v[%w] ELSE $2)", "Fba b a"),
    partial("a", "[%v \\in $0 |-> $1][CHOOSE %w \\in $0 : TRUE]", "Sb v:b|a"),
    of("a", "$0.fa", "Rab"),
    of("a", "$0.fb", "Rba"),
    of("a", "$0[\"fa\"]", "Rab"),
    of("a", "$0[1]", "Pab"),
    of("a", "$0[2]", "Pba"),
    partial("a", "Head($0)", "Qa"),
    partial("a", "$0[$1]", "Qa I"),
    of("a", "(LET %v == $0 IN IF %v = <<>> THEN $1 ELSE %v[Len(%v)])", "Qa a"),
    of("a", "TLCEval($0)", "a"),
];

const HIGHER_ORDER: &[Rule] = &[
    of("a", "(LET %v(%w) == $0 IN %v($1))", "w:b|a b"),
    of("a", "(LET %v(%w, %u) == $0 IN %v($1, %v($2, $3)))", "w:b,u:a|a b b a"),
    of("a", "(LET %v(%w(_), %u) == %w(%w(%u)) IN %v(LAMBDA %t : $0, $1))", "t:a|a a"),
    of("a", "(LET %v(%w(_, _), %u) == %w($0, %u) IN %v(LAMBDA %t, %s : $1, $2))", "b t:b,s:c|a c"),
    of(
        "a",
        "(LET %f[%n \\in 0..4] == IF %n = 0 THEN $0 ELSE LET %v == %f[%n - 1] IN $1 IN %f[$2 % 5])",
        "a v:a,n:I|a I",
    ),
    of(
        "a",
        "(LET %s == $0 IN LET %f[%n \\in SUBSET %s] == IF %n = {} THEN $1 ELSE LET %w == CHOOSE %u \\in %n : TRUE %v == %f[%n \\ {%w}] IN $2 IN %f[%s])",
        "Sb/3 a v:a,w:b|a",
    ),
    of(
        "FIa",
        "(LET %f[%n \\in 0..2] == IF %n = 0 THEN $0 ELSE LET %v == %f[%n - 1] IN $1 IN %f)",
        "a v:a,n:I|a",
    ),
    of(
        "a",
        "(LET RECURSIVE %f(_) %f(%n) == IF %n <= 0 THEN $0 ELSE LET %v == %f(%n - 1) IN $1 IN %f($2 % 4))",
        "a v:a,n:I|a I",
    ),
    of(
        "I",
        "(LET RECURSIVE %f(_) %f(%n) == IF %n = {} THEN 0 ELSE LET %w == CHOOSE %u \\in %n : TRUE IN $1 + %f(%n \\ {%w}) IN %f($0))",
        "Sb w:b|I",
    ),
];

const FOLDS: &[Rule] = &[
    of("I", "FoldSet(LAMBDA %v, %w : $0, $1, $2)", "v:a,w:I|I I Sa"),
    of("Qa", "FoldSet(LAMBDA %v, %w : Append(%w, %v), $0, $1)", "Qa Sa"),
    of("a", "FoldLeft(LAMBDA %v, %w : $0, $1, $2)", "v:a,w:b|a a Qb"),
    of("a", "FoldRight(LAMBDA %v, %w : $0, $1, $2)", "v:b,w:a|a Qb a"),
    of("Qa", "FoldFunction(LAMBDA %v, %w : Append(%w, %v), $0, $1)", "Qa Fba"),
    of("a", "FoldFunctionOnSet(LAMBDA %v, %w : $0, $1, $2, DOMAIN $2)", "v:b,w:a|a a FIb"),
];

const SETS: &[Rule] = &[
    of("Sa", "($0 \\cup $1)", "Sa Sa"),
    of("Sa", "($0 \\cap $1)", "Sa Sa"),
    of("Sa", "($0 \\ $1)", "Sa Sa"),
    of("Sa", "{%v \\in $0 : $1}", "Sa v:a|B"),
    of("Sa", "{$0 : %v \\in $1}", "v:b|a Sb"),
    of("Sa", "{$0 : %v \\in $1, %w \\in $2}", "v:b,w:c|a Sb/4 Sc/4"),
    of("Sa", "{$0 : <<%v, %w>> \\in ($1 \\X $2)}", "v:b,w:c|a Sb/4 Sc/4"),
    of("Sa", "{<<%v, %w>> \\in ($0 \\X $1) : $2}", "Sb/4 Sc/4 v:b,w:c|B"),
    of("SI", "(($0 % 4)..($1 % 7))", "I I"),
    of("SI", "(-1..2)", ""),
    of("SB", "BOOLEAN", ""),
    of("SM", "Models", ""),
    of("Sa", "(DOMAIN $0)", "Fab"),
    of("SI", "(DOMAIN $0)", "Qa"),
    of("ST", "(DOMAIN $0)", "Rab"),
    large(8, "Sa", "(UNION $0)", "SSa/4"),
];

const LAZY_SETS: &[Rule] = &[
    large(8, "SSa", "(SUBSET $0)", "Sa/3"),
    large(8, "SFab", "[$0 -> $1]", "Sa/2 Sb/3"),
    large(8, "SFIb", "[1..2 -> $0]", "Sb/3"),
    large(8, "SRab", "[fa : $0, fb : $1]", "Sa/3 Sb/3"),
    large(8, "SPab", "($0 \\X $1)", "Sa/3 Sb/3"),
    of("SSa", "{%v \\in SUBSET $0 : $1}", "Sa/3 v:Sa|B"),
    of("SFab", "{%v \\in [$0 -> $1] : $2}", "Sa/2 Sb/3 v:Fab|B"),
    of("SPab", "{%v \\in $0 \\X $1 : $2}", "Sa/3 Sb/3 v:Pab|B"),
    large(8, "SSa", "((SUBSET $0) \\cup (SUBSET $1))", "Sa/2 Sa/2"),
    large(8, "SSa", "((SUBSET $0) \\cap (SUBSET $1))", "Sa/3 Sa/3"),
    large(8, "SSa", "((SUBSET $0) \\ (SUBSET $1))", "Sa/3 Sa/3"),
    of("Sa", "(UNION (SUBSET $0))", "Sa/3"),
    of("B", "($0 \\in SUBSET $1)", "Sa Sa"),
    of("B", "($0 \\in [$1 -> $2])", "Fab Sa Sb"),
    of("B", "($0 \\in [$1 -> $2])", "QI SI SI"),
    of("B", "($0 \\in [fa : $1, fb : $2])", "Rab Sa Sb"),
    of("B", "($0 \\in ($1 \\X $2))", "Pab Sa Sb"),
    of("B", "($0 \\in UNION $1)", "a SSa"),
    of("B", "((SUBSET $0) \\subseteq (SUBSET $1))", "Sa/3 Sa/3"),
    // `[S -> T] = [U -> V]` is left out: TLC compares domains and ranges, even if both sets contain only `<<>>`.
    of("B", "(($0 \\X $1) = ($2 \\X $3))", "Sa/3 Sb/3 Sa/3 Sb/3"),
    of("I", "Cardinality(SUBSET $0)", "Sa/4"),
    of("I", "Cardinality([$0 -> $1])", "Sa/2 Sb/3"),
    of("SQa", "Permutations($0)", "SM/3"),
];

const FUNCTIONS: &[Rule] = &[
    of("Fab", "[%v \\in $0 |-> $1]", "Sa v:a|b"),
    of("FPabc", "[%v \\in $0, %w \\in $1 |-> $2]", "Sa/3 Sb/3 v:a,w:b|c"),
    of("Fab", "[$0 EXCEPT ![$1] = $2]", "Fab a @:b|b"),
    of("Fab", "[$0 EXCEPT ![$1] = $2, ![$3] = $4]", "Fab a @:b|b a @:b|b"),
    of("FaFbc", "[$0 EXCEPT ![$1][$2] = $3]", "FaFbc a b @:c|c"),
    of("FaRbc", "[$0 EXCEPT ![$1].fa = $2]", "FaRbc a @:b|b"),
    of("FPabc", "[$0 EXCEPT ![$1, $2] = $3]", "FPabc a b @:c|c"),
    partial("c", "$0[$1, $2]", "FPabc a b"),
    of("Fab", "($0 @@ $1)", "Fab Fab"),
    of("Fab", "($0 :> $1)", "a b"),
    of("Fab", "(($0 :> $1) @@ $2)", "a b Fab"),
    of("FIa", "$0", "Qa"),
    of("FTa", "$0", "Raa"),
    of("Fab", "(IF $0 = <<>> THEN $0 ELSE $0)", "Fab"),
];

const RECORDS: &[Rule] = &[
    of("Rab", "[fa |-> $0, fb |-> $1]", "a b"),
    of("Rab", "[fb |-> $1, fa |-> $0]", "a b"),
    of("Rab", "[$0 EXCEPT !.fa = $1]", "Rab @:a|a"),
    of("Rab", "[$0 EXCEPT !.fb = $1, !.fa = $2]", "Rab @:b|b @:a|a"),
    of("RaFbc", "[$0 EXCEPT !.fb[$1] = $2]", "RaFbc b @:c|c"),
    of("Raa", "[%v \\in {\"fa\", \"fb\"} |-> $0]", "v:T|a"),
    of("Pab", "<<$0, $1>>", "a b"),
    of("Pab", "[$0 EXCEPT ![1] = $1]", "Pab @:a|a"),
    of("Paa", "[%v \\in 1..2 |-> $0]", "v:I|a"),
    of("Paa", "((1 :> $0) @@ (2 :> $1))", "a a"),
];

const SEQUENCES: &[Rule] = &[
    of("Qa", "Append($0, $1)", "Qa a"),
    of("Qa", "($0 \\o $1)", "Qa Qa"),
    partial("Qa", "Tail($0)", "Qa"),
    partial("Qa", "SubSeq($0, $1, $2)", "Qa I I"),
    of("Qa", "SubSeq($0, 1, Len($0))", "Qa"),
    of("Qa", "SelectSeq($0, LAMBDA %v : $1)", "Qa v:a|B"),
    of("Qa", "[%v \\in 1..3 |-> $0]", "v:I|a"),
    of("Qa", "[%v \\in DOMAIN $0 |-> $1]", "Qb v:I|a"),
    of("Qa", "[$0 EXCEPT ![$1] = $2]", "Qa I @:a|a"),
    of("QI", "SortSeq($0, LAMBDA %v, %w : %v < %w)", "QI"),
    of("Qa", "SortSeq($0, LAMBDA %v, %w : $1 < $2)", "Qa v:a|I w:a|I"),
    of("Qa", "<<$0>>", "a"),
    of("Qa", "$0", "Paa"),
];

const SEQUENCES_EXT: &[Rule] = &[
    of("Sa", "ToSet($0)", "Qa"),
    of("Qa", "SetToSeq($0)", "Sa"),
    of("SQa", "SetToSeqs($0)", "Sa/3"),
    of("Qa", "SetToSortSeq($0, LAMBDA %v, %w : $1 < $2)", "Sa v:a|I w:a|I"),
    of("SQa", "TupleOf($0, 2)", "Sa/3"),
    of("SQa", "BoundedSeq($0, 2)", "Sa/2"),
    of("B", "Contains($0, $1)", "Qa a"),
    of("B", "IsSorted($0, LAMBDA %v, %w : %v <= %w)", "QI"),
    of("Qa", "Reverse($0)", "Qa"),
    of("Qa", "Remove($0, $1)", "Qa a"),
    of("Qa", "ReplaceAll($0, $1, $2)", "Qa a a"),
    of("I", "SelectInSeq($0, LAMBDA %v : $1)", "Qa v:a|B"),
    of("I", "SelectLastInSeq($0, LAMBDA %v : $1)", "Qa v:a|B"),
    partial("I", "SelectInSubSeq($0, $1, $2, LAMBDA %v : $3)", "Qa I I v:a|B"),
    partial("Qa", "InsertAt($0, $1, $2)", "Qa I a"),
    partial("Qa", "ReplaceAt($0, $1, $2)", "Qa I a"),
    partial("Qa", "RemoveAt($0, $1)", "Qa I"),
    of("Qa", "RemoveFirst($0, $1)", "Qa a"),
    of("Qa", "RemoveFirstMatch($0, LAMBDA %v : $1)", "Qa v:a|B"),
    of("Qa", "Cons($0, $1)", "a Qa"),
    of("Qa", "Front($0)", "Qa"),
    partial("a", "Last($0)", "Qa"),
    of("B", "IsPrefix($0, $1)", "Qa Qa"),
    of("B", "IsStrictPrefix($0, $1)", "Qa Qa"),
    of("B", "IsSuffix($0, $1)", "Qa Qa"),
    of("SQa", "Prefixes($0)", "Qa"),
    of("SQa", "Suffixes($0)", "Qa"),
    of("Qa", "LongestCommonPrefix({$0, $1})", "Qa Qa"),
    of("Qa", "FlattenSeq($0)", "QQa"),
    partial("QPab", "Zip($0, $1)", "Qa Qb"),
    of("SQa", "SubSeqs($0)", "Qa"),
    of("Qa", "ReplaceFirstSubSeq($0, $1, $2)", "Qa Qa Qa"),
];

const FINITE_SETS_EXT: &[Rule] = &[
    of("I", "SumSet($0)", "SI"),
    of("I", "ProductSet({%v % 4 : %v \\in $0})", "SI/4"),
    of("I", "MapThenSumSet(LAMBDA %v : $0, $1)", "v:a|I Sa"),
    of("I", "Quantify($0, LAMBDA %v : $1)", "Sa v:a|B"),
    large(8, "SSa", "kSubset($0 % 4, $1)", "I Sa/4"),
    partial("I", "Max($0)", "SI"),
    partial("I", "Min($0)", "SI"),
    of("Sa", "SymDiff($0, $1)", "Sa Sa"),
    of("Sa", "FlattenSet($0)", "SSa/4"),
    of("SFSaa", "Choices($0)", "SSa/2"),
    partial("a", "ChooseUnique($0, LAMBDA %v : $1)", "Sa v:a|B"),
];

const FUNCTIONS_EXT: &[Rule] = &[
    of("Ga", "BagAdd($0, $1)", "Ga a"),
    of("Ga", "BagRemove($0, $1)", "Ga a"),
    of("Sb", "Range($0)", "Fab"),
    partial("Fab", "Restrict($0, $1)", "Fab Sa"),
    of("Fab", "RestrictDomain($0, LAMBDA %v : $1)", "Fab v:a|B"),
    of("Fab", "RestrictValues($0, LAMBDA %v : $1)", "Fab v:b|B"),
    of("B", "IsInjective($0)", "Fab"),
    of("Fba", "AntiFunction($0)", "Fab"),
    of("SFab", "Injection($0, $1)", "Sa/2 Sb/3"),
    of("SFab", "Bijection($0, $1)", "Sa/2 Sb/2"),
    of("SFab", "Surjection($0, $1)", "Sa/2 Sb/2"),
    of("B", "ExistsInjection($0, $1)", "Sa/3 Sb/3"),
    of("I", "SumFunction($0)", "FaI"),
    partial("Fab", "Pointwise($0, $1, LAMBDA %v, %w : $2)", "Fab Fab v:b,w:b|b"),
];

const BAGS: &[Rule] = &[
    of("Ga", "SetToBag($0)", "Sa"),
    of("Ga", "($0 (+) $1)", "Ga Ga"),
    of("Ga", "($0 (-) $1)", "Ga Ga"),
    of("Ga", "EmptyBag", ""),
    of("Sa", "BagToSet($0)", "Ga"),
    of("B", "BagIn($0, $1)", "a Ga"),
    of("B", "($0 \\sqsubseteq $1)", "Ga Ga"),
    of("B", "IsABag($0)", "FaI"),
    of("B", "IsABag($0)", "Ga"),
    of("I", "BagCardinality($0)", "Ga"),
    of("I", "CopiesIn($0, $1)", "a Ga"),
    of("Ga", "BagUnion({$0, $1})", "Ga Ga"),
    of("Gb", "BagOfAll(LAMBDA %v : $0, $1)", "v:a|b Ga"),
    of("FaI", "$0", "Ga"),
];

const STRINGS: &[Rule] = &[
    // Sets and records are left out: the result of ToString then depends on how they were made (see `accepted`), and in
    // TLC on whether a record was compared before. Numbers are left out too: TLC has interned those of its own modules
    // before, and ranks them first.
    of("T", "ToString($0)", "PMB"),
    of("T", "($0 \\o $1)", "T T"),
    of("I", "Len($0)", "T"),
    partial("T", "SubSeq($0, $1, $2)", "T I I"),
];

const INFINITE: &[Rule] = &[
    of("B", "($0 \\in Nat)", "I"),
    of("B", "($0 \\in Int)", "I"),
    of("B", "($0 \\in STRING)", "T"),
    of("B", "($0 \\in Seq($1))", "Qa Sa"),
    of("B", "($0 \\in Seq(Nat))", "QI"),
    of("B", "($0 \\subseteq Nat)", "SI"),
    of("B", "($0 \\in SUBSET Nat)", "SI"),
    of("B", "($0 \\in [$1 -> Nat])", "FaI Sa"),
    of("B", "($0 \\in [fa : Nat, fb : $1])", "RIa Sa"),
    of("B", "($0 \\in (Nat \\X $1))", "PIa Sa"),
    of("B", "($0 \\in {%v \\in Nat : $1})", "I v:I|B"),
    of("I", "[%v \\in Nat |-> $0][($1 % 4)]", "v:I|I I"),
    partial("SI", "Nat", ""),
    partial("ST", "STRING", ""),
    partial("SQa", "Seq($0)", "Sa"),
];
