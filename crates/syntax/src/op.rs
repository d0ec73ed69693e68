//! TLA+'s operator symbols: spellings, fixity, precedence range, associativity.
//!
//! The precedences are those of the language definition (Specifying Systems, table 6).

/// The way in which several operators of one symbol associate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assoc {
    Left,
    None,
}

/// The position of the operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Fixity {
    Prefix,
    Infix,
    Postfix,
}

/// The facts about a symbol that the parser needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpInfo {
    pub fixity: Fixity,
    /// The lowest and highest precedence. Two ranges that overlap conflict, unless associativity decides.
    pub low: u8,
    pub high: u8,
    pub assoc: Assoc,
}

macro_rules! operators {
    ($($variant:ident $canonical:literal [$($other:literal)*] $fixity:ident $low:literal-$high:literal $assoc:ident;)*) => {
        /// An operator symbol, whatever its spelling.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        pub enum OpSym { $($variant,)* }

        impl OpSym {
            pub const ALL: &[OpSym] = &[$(OpSym::$variant,)*];

            /// Returns the spelling that names the operator in scopes and messages.
            pub fn canonical(self) -> &'static str {
                match self { $(OpSym::$variant => $canonical,)* }
            }

            /// Returns every spelling, the canonical one first. Prefix minus is written `-` in expressions and `-.` in
            /// declarations.
            pub fn spellings(self) -> &'static [&'static str] {
                match self { $(OpSym::$variant => &[$canonical, $($other,)*],)* }
            }

            pub fn info(self) -> OpInfo {
                match self {
                    $(OpSym::$variant => OpInfo {
                        fixity: Fixity::$fixity, low: $low, high: $high, assoc: Assoc::$assoc,
                    },)*
                }
            }
        }
    };
}

operators! {
    // Logic and temporal logic.
    Implies     "=>"            ["⇒"]                               Infix   1-1   None;
    PlusArrow   "-+->"          ["⇸"]                               Infix   2-2   None;
    Equiv       "<=>"           ["\\equiv" "≡" "⇔"]                 Infix   2-2   None;
    LeadsTo     "~>"            ["↝" "⇝"]                           Infix   2-2   None;
    And         "/\\"           ["\\land" "∧"]                      Infix   3-3   Left;
    Or          "\\/"           ["\\lor" "∨"]                       Infix   3-3   Left;
    Not         "~"             ["\\lnot" "\\neg" "¬"]              Prefix  4-4   None;
    Box         "[]"            ["□"]                               Prefix  4-15  None;
    Diamond     "<>"            ["◇" "⋄"]                           Prefix  4-15  None;
    Enabled     "ENABLED"       []                                  Prefix  4-15  None;
    Unchanged   "UNCHANGED"     []                                  Prefix  4-15  None;

    // Relations.
    Eq          "="             []                                  Infix   5-5   None;
    Neq         "/="            ["#" "≠"]                           Infix   5-5   None;
    In          "\\in"          ["∈"]                               Infix   5-5   None;
    NotIn       "\\notin"       ["∉"]                               Infix   5-5   None;
    SubsetEq    "\\subseteq"    ["⊆"]                               Infix   5-5   None;
    Subset      "\\subset"      ["⊂"]                               Infix   5-5   None;
    SupsetEq    "\\supseteq"    ["⊇"]                               Infix   5-5   None;
    Supset      "\\supset"      ["⊃"]                               Infix   5-5   None;
    Lt          "<"             []                                  Infix   5-5   None;
    Gt          ">"             []                                  Infix   5-5   None;
    Leq         "\\leq"         ["<=" "=<" "≤"]                     Infix   5-5   None;
    Geq         "\\geq"         [">=" "≥"]                          Infix   5-5   None;
    Prec        "\\prec"        ["≺"]                               Infix   5-5   None;
    PrecEq      "\\preceq"      ["⪯"]                               Infix   5-5   None;
    Succ        "\\succ"        ["≻"]                               Infix   5-5   None;
    SuccEq      "\\succeq"      ["⪰"]                               Infix   5-5   None;
    SqSubset    "\\sqsubset"    ["⊏"]                               Infix   5-5   None;
    SqSubsetEq  "\\sqsubseteq"  ["⊑"]                               Infix   5-5   None;
    SqSupset    "\\sqsupset"    ["⊐"]                               Infix   5-5   None;
    SqSupsetEq  "\\sqsupseteq"  ["⊒"]                               Infix   5-5   None;
    Sim         "\\sim"         ["∼"]                               Infix   5-5   None;
    SimEq       "\\simeq"       ["≃"]                               Infix   5-5   None;
    Asymp       "\\asymp"       ["≍"]                               Infix   5-5   None;
    Approx      "\\approx"      ["≈"]                               Infix   5-5   None;
    Cong        "\\cong"        ["≅"]                               Infix   5-5   None;
    DotEq       "\\doteq"       ["≐"]                               Infix   5-5   None;
    PropTo      "\\propto"      ["∝"]                               Infix   5-5   None;
    MuchLess    "\\ll"          ["≪"]                               Infix   5-5   None;
    MuchGreater "\\gg"          ["≫"]                               Infix   5-5   None;
    RightTack   "|-"            ["⊢"]                               Infix   5-5   None;
    LeftTack    "-|"            ["⊣"]                               Infix   5-5   None;
    Models      "|="            ["⊨"]                               Infix   5-5   None;
    ModelsRev   "=|"            ["⫤"]                               Infix   5-5   None;
    Assign      ":="            ["≔"]                               Infix   5-5   None;
    Produces    "::="           ["⩴"]                               Infix   5-5   None;
    Cdot        "\\cdot"        ["⋅"]                               Infix   5-14  Left;

    // Functions and sets.
    AtAt        "@@"            []                                  Infix   6-6   Left;
    ColonGt     ":>"            []                                  Infix   7-7   None;
    LtColon     "<:"            []                                  Infix   7-7   None;
    SetMinus    "\\"            []                                  Infix   8-8   None;
    Cap         "\\cap"         ["\\intersect" "∩"]                 Infix   8-8   Left;
    Cup         "\\cup"         ["\\union" "∪"]                     Infix   8-8   Left;
    DotDot      ".."            ["‥"]                               Infix   9-9   None;
    DotDotDot   "..."           ["…"]                               Infix   9-9   None;
    DoubleBang  "!!"            ["‼"]                               Infix   9-13  None;
    DoubleHash  "##"            []                                  Infix   9-13  Left;
    Dollar      "$"             []                                  Infix   9-13  Left;
    DoubleDollar "$$"           []                                  Infix   9-13  Left;
    DoubleQuery "??"            ["⁇"]                               Infix   9-13  Left;
    SqCap       "\\sqcap"       ["⊓"]                               Infix   9-13  Left;
    SqCup       "\\sqcup"       ["⊔"]                               Infix   9-13  Left;
    UPlus       "\\uplus"       ["⊎"]                               Infix   9-13  Left;
    Wreath      "\\wr"          ["≀"]                               Infix   9-14  None;
    PowerSet    "SUBSET"        []                                  Prefix  10-13 None;
    Union       "UNION"         []                                  Prefix  10-13 None;
    Domain      "DOMAIN"        []                                  Prefix  10-13 None;
    Times       "\\X"           ["\\times" "×"]                     Infix   10-13 Left;

    // Arithmetic and its look-alikes.
    Plus        "+"             []                                  Infix   10-10 Left;
    PlusPlus    "++"            []                                  Infix   10-10 Left;
    OPlus       "\\oplus"       ["(+)" "⊕"]                         Infix   10-10 Left;
    Percent     "%"             []                                  Infix   10-11 None;
    PercentPercent "%%"         []                                  Infix   10-11 Left;
    Bar         "|"             []                                  Infix   10-11 Left;
    BarBar      "||"            ["‖"]                               Infix   10-11 Left;
    Minus       "-"             []                                  Infix   11-11 Left;
    MinusMinus  "--"            []                                  Infix   11-11 Left;
    OMinus      "\\ominus"      ["(-)" "⊖"]                         Infix   11-11 Left;
    Neg         "-."            []                                  Prefix  12-12 None;
    Amp         "&"             []                                  Infix   13-13 Left;
    AmpAmp      "&&"            []                                  Infix   13-13 Left;
    Star        "*"             []                                  Infix   13-13 Left;
    StarStar    "**"            []                                  Infix   13-13 Left;
    Slash       "/"             []                                  Infix   13-13 None;
    SlashSlash  "//"            []                                  Infix   13-13 None;
    BigCirc     "\\bigcirc"     ["◯"]                               Infix   13-13 Left;
    Bullet      "\\bullet"      ["●"]                               Infix   13-13 Left;
    Div         "\\div"         ["÷"]                               Infix   13-13 None;
    Circ        "\\o"           ["\\circ" "∘"]                      Infix   13-13 Left;
    ODot        "\\odot"        ["(.)" "⊙"]                         Infix   13-13 Left;
    OSlash      "\\oslash"      ["(/)" "⊘"]                         Infix   13-13 None;
    OTimes      "\\otimes"      ["(\\X)" "⊗"]                       Infix   13-13 Left;
    StarOp      "\\star"        ["⋆"]                               Infix   13-13 Left;
    Caret       "^"             []                                  Infix   14-14 None;
    CaretCaret  "^^"            []                                  Infix   14-14 None;

    // Postfix.
    Prime       "'"             []                                  Postfix 15-15 None;
    CaretPlus   "^+"            ["⁺"]                               Postfix 15-15 None;
    CaretStar   "^*"            []                                  Postfix 15-15 None;
    CaretHash   "^#"            []                                  Postfix 15-15 None;
}
