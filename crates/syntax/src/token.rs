//! Tokens, which the lexer hands to the parser. No text is copied; a token is a kind and a place.

use crate::op::OpSym;

/// One token of a module, or of an expression on its own.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub flags: Flags,
    /// Byte offsets in the text.
    pub start: u32,
    pub end: u32,
    /// The column, counted from 1 in characters; a tab goes to the next multiple of eight. Junction lists depend on it.
    pub column: u32,
}

/// Further facts about a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u8);

impl Flags {
    /// Whether it is the first token of its line.
    pub const LINE_START: Flags = Flags(1);
    /// `/\` or `\/` in a spelling that may head an item of a junction list; `\land` may not.
    pub const BULLET: Flags = Flags(2);
    /// The start of the left side of a definition: some tokens later comes its `==`.
    pub const DEFINITION: Flags = Flags(4);

    pub fn contains(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn insert(&mut self, other: Flags) {
        self.0 |= other.0;
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// An identifier, including `TRUE`, `FALSE`, `BOOLEAN` and `STRING`, which may name fields.
    Ident,
    Number,
    String,
    /// `<1>`, `<1>a`, `<*>a..`, `<1>*`
    Step,
    Op(OpSym),
    Keyword(Keyword),
    /// `---- MODULE`
    ModuleStart,
    /// `----`
    Separator,
    /// `====`
    ModuleEnd,
    Comma,
    Colon,
    /// `::`
    ColonColon,
    Dot,
    Underscore,
    /// `==`
    DefEq,
    LParen,
    RParen,
    LBracket,
    RBracket,
    /// `]_`
    RBracketSub,
    LBrace,
    RBrace,
    /// `<<`
    LAngle,
    /// `>>`
    RAngle,
    /// `>>_`
    RAngleSub,
    Bang,
    /// `@`
    At,
    /// `->`
    Arrow,
    /// `<-`
    BackArrow,
    /// `|->`
    MapsTo,
    /// Characters that are not a token; the lexer has reported them.
    Error,
    Eof,
    /// Never in the token list: the parser sees this when the next token is at or left of the column of the current
    /// junction list.
    ItemEnd,
}

macro_rules! keywords {
    ($($variant:ident $($spelling:literal)|+;)*) => {
        /// A reserved word that is not an operator.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Keyword { $($variant,)* }

        impl Keyword {
            pub fn parse(word: &str) -> Option<Keyword> {
                match word {
                    $($($spelling)|+ => Some(Keyword::$variant),)*
                    _ => None,
                }
            }

            /// Every spelling of every keyword.
            pub const SPELLINGS: &[&str] = &[$($($spelling,)+)*];
        }
    };
}

keywords! {
    Action "ACTION" | "ACTIONS";
    Assume "ASSUME";
    Assumption "ASSUMPTION";
    Axiom "AXIOM";
    BoxAssume "[]ASSUME";
    BoxProve "[]PROVE";
    By "BY";
    Case "CASE";
    Choose "CHOOSE";
    Constant "CONSTANT" | "CONSTANTS";
    Def "DEF" | "DEFS";
    Define "DEFINE";
    Else "ELSE";
    Except "EXCEPT";
    Exists "\\E" | "\\exists" | "∃";
    Extends "EXTENDS";
    Forall "\\A" | "\\forall" | "∀";
    Have "HAVE";
    Hide "HIDE";
    If "IF";
    In "IN";
    Instance "INSTANCE";
    Lambda "LAMBDA";
    Let "LET";
    Local "LOCAL";
    Module "MODULE";
    New "NEW";
    Obvious "OBVIOUS";
    Omitted "OMITTED";
    Only "ONLY";
    Other "OTHER";
    Pick "PICK";
    Proof "PROOF";
    Prove "PROVE";
    Qed "QED";
    Recursive "RECURSIVE";
    State "STATE";
    StrongFairness "SF_";
    Suffices "SUFFICES";
    Take "TAKE";
    Temporal "TEMPORAL" | "TEMPORALS";
    TemporalExists "\\EE";
    TemporalForall "\\AA";
    Then "THEN";
    Theorem "THEOREM" | "PROPOSITION" | "LEMMA" | "COROLLARY";
    Use "USE";
    Variable "VARIABLE" | "VARIABLES";
    WeakFairness "WF_";
    With "WITH";
    Witness "WITNESS";
}
