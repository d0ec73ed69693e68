//! The words and symbols of the language itself, each with what it means.

/// A word or symbol: its spellings, a pattern, and what it means.
pub struct Word {
    pub spellings: &'static [&'static str],
    pub form: &'static str,
    pub meaning: &'static str,
}

macro_rules! words {
    ($([$($spelling:literal)+] $form:literal $meaning:literal;)*) => {
        pub const WORDS: &[Word] =
            &[$(Word { spellings: &[$($spelling),+], form: $form, meaning: $meaning },)*];
    };
}

words! {
    ["MODULE"] "---- MODULE M ----" "Begins a module; `====` ends it. The file is called `M.tla`.";
    ["EXTENDS"] "EXTENDS M, N" "Brings everything that these modules declare and define, except what is LOCAL.";
    ["INSTANCE"] "I == INSTANCE M WITH c <- e" "Brings the definitions of `M`, with its constants and variables replaced. `I!Op` names one of them.";
    ["WITH"] "INSTANCE M WITH c <- e" "What replaces the constants and variables of an instantiated module. One without a replacement stands for what has the same name here.";
    ["LOCAL"] "LOCAL F == e" "Keeps a definition from modules that extend or instantiate this one.";
    ["CONSTANT" "CONSTANTS"] "CONSTANTS N, Op(_, _)" "Declares what a model gives a value: `CONSTANT N = 3` in the configuration.";
    ["VARIABLE" "VARIABLES"] "VARIABLES x, y" "Declares what a state consists of.";
    ["ASSUME" "ASSUMPTION"] "ASSUME N > 0" "A condition on constants. It is checked before anything else.";
    ["AXIOM"] "AXIOM F" "A condition that is taken for granted.";
    ["THEOREM" "LEMMA" "PROPOSITION" "COROLLARY"] "THEOREM Spec => []Inv" "States what follows. It is not checked when a model is.";
    ["RECURSIVE"] "RECURSIVE F(_)" "Declares an operator before its definition, so that its body can use it.";
    ["LET"] "LET F(x) == e IN g" "Definitions for one expression.";
    ["IN"] "LET F(x) == e IN g" "Begins the expression for which the definitions of a LET are.";
    ["IF" "THEN" "ELSE"] "IF p THEN e ELSE f" "`e` if `p` holds, otherwise `f`.";
    ["CASE" "OTHER"] "CASE p -> e [] q -> f [] OTHER -> g" "The value of an arm whose condition holds. If several do, the first one counts for TLC.";
    ["CHOOSE"] "CHOOSE x \\in S : P(x)" "Some element with this property, always the same one. No value if there is none.";
    ["LAMBDA"] "LAMBDA x, y : e" "An operator without a name, as an argument of another one.";
    ["ENABLED"] "ENABLED A" "Whether a step of the action `A` is possible in this state.";
    ["UNCHANGED"] "UNCHANGED <<x, y>>" "`x' = x /\\ y' = y`.";
    ["DOMAIN"] "DOMAIN f" "The set of the arguments of a function; of a sequence `1..Len(f)`.";
    ["SUBSET"] "SUBSET S" "The set of all subsets of `S`.";
    ["UNION"] "UNION S" "The union of the sets in `S`.";
    ["EXCEPT"] "[f EXCEPT ![a] = e, !.b = @ + 1]" "The function `f` with other values at these arguments. `@` is the old value.";
    ["BOOLEAN"] "BOOLEAN" "`{TRUE, FALSE}`";
    ["STRING"] "STRING" "The set of all strings.";
    ["TRUE"] "TRUE" "The truth value true.";
    ["FALSE"] "FALSE" "The truth value false.";
    ["WF_"] "WF_vars(A)" "Weak fairness: if `A` stays possible from some point on, it happens.";
    ["SF_"] "SF_vars(A)" "Strong fairness: if `A` is possible again and again, it happens.";
    ["\\A" "\\forall" "∀"] "\\A x \\in S : P(x)" "`P` holds for every element of `S`.";
    ["\\E" "\\exists" "∃"] "\\E x \\in S : P(x)" "`P` holds for some element of `S`. In an action: one step for each such element.";
    ["\\AA"] "\\AA x : F" "For all behaviours of a hidden variable.";
    ["\\EE"] "\\EE x : F" "For some behaviour of a hidden variable.";
    ["/\\" "\\land" "∧"] "p /\\ q" "And. A list of lines that begin with it in one column is one conjunction.";
    ["\\/" "\\lor" "∨"] "p \\/ q" "Or. In an action: a choice between steps.";
    ["~" "\\lnot" "\\neg" "¬"] "~p" "Not.";
    ["=>" "⇒"] "p => q" "If `p`, then `q`.";
    ["<=>" "\\equiv" "≡" "⇔"] "p <=> q" "Both or neither.";
    ["="] "a = b" "Equality. In an action `x' = e` says what the next value of `x` is.";
    ["/=" "#" "≠"] "a # b" "Not equal.";
    ["\\in" "∈"] "x \\in S" "`x` is an element of `S`.";
    ["\\notin" "∉"] "x \\notin S" "`x` is no element of `S`.";
    ["\\subseteq" "⊆"] "S \\subseteq T" "Every element of `S` is one of `T`.";
    ["\\cup" "\\union" "∪"] "S \\cup T" "The elements of `S` and those of `T`.";
    ["\\cap" "\\intersect" "∩"] "S \\cap T" "The elements that are in both.";
    ["\\" ] "S \\ T" "The elements of `S` that are not in `T`.";
    ["\\X" "\\times" "×"] "S \\X T" "The set of pairs with their parts from `S` and `T`.";
    ["'"] "x'" "The value of `x` in the next state.";
    ["[]" "□"] "[]F" "`F` holds always.";
    ["<>" "◇" "⋄"] "<>F" "`F` holds at some point.";
    ["~>" "↝" "⇝"] "F ~> G" "Whenever `F` holds, `G` holds then or later.";
    ["\\cdot" "⋅"] "A \\cdot B" "A step of `A` and then one of `B`, as one step.";
    ["@"] "[f EXCEPT ![a] = @ + 1]" "The old value, in an EXCEPT.";
    ["|->"] "[x \\in S |-> e]" "A function: `e` for each `x` in `S`. `[a |-> 1]` is a record.";
    ["->"] "[S -> T]" "The set of functions from `S` to `T`.";
    [":>"] "a :> b" "The function with the one argument `a` and the value `b`; of module `TLC`.";
    ["@@"] "f @@ g" "Both functions together; where both have a value, that of `f`. Of module `TLC`.";
}

/// Finds a word or symbol by its spelling.
pub fn find(spelling: &str) -> Option<&'static Word> {
    WORDS.iter().find(|word| word.spellings.contains(&spelling))
}

#[cfg(test)]
mod tests {
    use base::FxHashSet;

    use super::WORDS;

    #[test]
    fn each_spelling_has_one_meaning() {
        let mut seen = FxHashSet::default();
        for spelling in WORDS.iter().flat_map(|word| word.spellings) {
            assert!(seen.insert(spelling), "{spelling}");
        }
    }
}
