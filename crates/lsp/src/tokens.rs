//! Semantic tokens: what each word and comment of a text is.

use std::ops::Range;

use lsp_types::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensLegend,
    SemanticTokensParams, SemanticTokensRangeParams, SemanticTokensRangeResult, SemanticTokensResult,
};
use sema::spec::{DefKind, Entity, LocalKind, NameTarget};
use syntax::token::{Token, TokenKind};

use crate::algorithm;
use crate::analysis::{Analysis, Occurrence};
use crate::snapshot::{Document, TextKind};
use crate::symbols::parse;
use crate::worker::{Context, Failure};

/// The kind of a token: its index in the legend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Namespace,
    Variable,
    Parameter,
    Property,
    Function,
    Keyword,
    Comment,
    String,
    Number,
    Operator,
    Macro,
}

const TYPES: &[SemanticTokenType] = &[
    SemanticTokenType::NAMESPACE,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::KEYWORD,
    SemanticTokenType::COMMENT,
    SemanticTokenType::STRING,
    SemanticTokenType::NUMBER,
    SemanticTokenType::OPERATOR,
    SemanticTokenType::MACRO,
];

const DECLARATION: u32 = 1;
const READONLY: u32 = 2;
const LIBRARY: u32 = 4;

pub fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.to_vec(),
        token_modifiers: vec![
            SemanticTokenModifier::DECLARATION,
            SemanticTokenModifier::READONLY,
            SemanticTokenModifier::DEFAULT_LIBRARY,
        ],
    }
}

pub fn full(
    context: &Context,
    params: SemanticTokensParams,
) -> Result<Option<SemanticTokensResult>, Failure> {
    let document = context.document(&params.text_document.uri)?;
    let data = encode(&document, &pieces(context, &document), 0..document.text.len());
    Ok(Some(SemanticTokensResult::Tokens(SemanticTokens { result_id: None, data })))
}

pub fn range(
    context: &Context,
    params: SemanticTokensRangeParams,
) -> Result<Option<SemanticTokensRangeResult>, Failure> {
    let document = context.document(&params.text_document.uri)?;
    let wanted = document.lines.bytes(&document.text, params.range);
    let data = encode(&document, &pieces(context, &document), wanted);
    Ok(Some(SemanticTokensRangeResult::Tokens(SemanticTokens { result_id: None, data })))
}

/// A coloured part of a text.
struct Piece {
    range: Range<usize>,
    kind: Kind,
    modifiers: u32,
}

fn pieces(context: &Context, document: &Document) -> Vec<Piece> {
    let analysis = context.analysis_of(document);
    let analysis = analysis.as_deref();
    let names: &[Occurrence] = analysis
        .and_then(|analysis| analysis.occurrences.get(&analysis.source_of(&document.path)?))
        .map_or(&[], Vec::as_slice);
    let text = &document.text;
    let mut found: Vec<Piece> = Vec::new();
    for name in names {
        if let Some((kind, modifiers)) = analysis.and_then(|analysis| kind_of(analysis, *name, document)) {
            found.push(Piece { range: name.start as usize..name.end as usize, kind, modifiers });
        }
    }
    if document.kind == TextKind::Module {
        let parsed = parse(text);
        let tokens = parsed.tokens.iter().filter_map(|token| {
            let kind = kind_of_token(token)?;
            Some(Piece { range: token.start as usize..token.end as usize, kind, modifiers: 0 })
        });
        found.extend(tokens);
        let places = pcal::places(text);
        for comment in comments(text, &parsed.tokens) {
            match &places {
                Some(places)
                    if comment.start <= places.algorithm.start && places.algorithm.start < comment.end =>
                {
                    found.extend(algorithm_pieces(text, places, comment));
                }
                Some(_) | None => found.push(Piece { range: comment, kind: Kind::Comment, modifiers: 0 }),
            }
        }
    }
    // Names come before tokens at the same place, and stay.
    found.sort_by_key(|piece| piece.range.start);
    found.dedup_by_key(|piece| piece.range.start);
    found
}

fn kind_of(analysis: &Analysis, name: Occurrence, document: &Document) -> Option<(Kind, u32)> {
    let spec = &analysis.spec;
    let is_word =
        document.text.get(name.start as usize..name.end as usize)?.chars().all(algorithm::is_word_char);
    let library = |is_embedded: bool| if is_embedded { LIBRARY } else { 0 };
    let is_declared = (name.site.start, name.site.end) == (name.start, name.end)
        && Some(name.site.source) == analysis.source_of(&document.path);
    let declaration = if is_declared { DECLARATION } else { 0 };
    let (kind, modifiers) = match name.target {
        NameTarget::Module(id) => (Kind::Namespace, library(spec.modules[id].embedded)),
        NameTarget::Label(_) => (Kind::Property, 0),
        NameTarget::Entity(Entity::Const(_)) => (Kind::Variable, READONLY),
        NameTarget::Entity(Entity::Var(_)) => (Kind::Variable, 0),
        NameTarget::Entity(Entity::Instance(_)) => (Kind::Namespace, 0),
        NameTarget::Entity(Entity::Def(id)) => match spec.defs[id].kind {
            DefKind::Assumption | DefKind::Theorem | DefKind::ProofStep => (Kind::Macro, 0),
            DefKind::Operator | DefKind::Function | DefKind::Let | DefKind::Subexpression => {
                (Kind::Function, library(spec.modules[spec.defs[id].module].embedded))
            }
        },
        NameTarget::Entity(Entity::Local(id)) => match spec.locals[id].kind {
            LocalKind::Param => (Kind::Parameter, 0),
            LocalKind::Bound | LocalKind::TemporalBound | LocalKind::At | LocalKind::New(_) => {
                (Kind::Parameter, READONLY)
            }
        },
    };
    Some((if is_word { kind } else { Kind::Operator }, modifiers | declaration))
}

fn kind_of_token(token: &Token) -> Option<Kind> {
    let kind = token.kind;
    if matches!(kind, TokenKind::Keyword(_) | TokenKind::ModuleStart) {
        Some(Kind::Keyword)
    } else if kind == TokenKind::Number {
        Some(Kind::Number)
    } else if kind == TokenKind::String {
        Some(Kind::String)
    } else if kind == TokenKind::Step {
        Some(Kind::Macro)
    } else if matches!(kind, TokenKind::Op(_) | TokenKind::DefEq) {
        Some(Kind::Operator)
    } else {
        None
    }
}

/// The comments between the tokens of a text.
pub fn comments(text: &str, tokens: &[Token]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    // Outside of modules there is prose.
    let Some(first) = tokens.first() else { return found };
    let mut at = first.end as usize;
    for token in &tokens[1..] {
        let is_module_start = token.kind == TokenKind::ModuleStart;
        if !is_module_start && at <= token.start as usize {
            comments_between(text, at..token.start as usize, &mut found);
        }
        at = token.end as usize;
    }
    found
}

fn comments_between(text: &str, part: Range<usize>, found: &mut Vec<Range<usize>>) {
    let mut at = part.start;
    while at < part.end {
        let rest = &text[at..part.end];
        let n_bytes = if rest.starts_with("\\*") {
            rest.find('\n').map_or(rest.len(), |newline| rest[..newline].trim_end().len())
        } else if rest.starts_with("(*") {
            block_comment_len(rest)
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        found.push(at..at + n_bytes);
        at += n_bytes.max(1);
    }
}

fn block_comment_len(text: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("(*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with("*)") {
            (depth, at) = (depth.saturating_sub(1), at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

const PCAL_WORDS: &[&str] = &[
    "algorithm",
    "assert",
    "await",
    "begin",
    "call",
    "define",
    "do",
    "either",
    "else",
    "elsif",
    "end",
    "fair",
    "goto",
    "if",
    "macro",
    "or",
    "print",
    "procedure",
    "process",
    "return",
    "skip",
    "then",
    "variable",
    "variables",
    "when",
    "while",
    "with",
];

/// The words of an algorithm, and what of the comment around it is a comment.
fn algorithm_pieces(text: &str, places: &pcal::Places, comment: Range<usize>) -> Vec<Piece> {
    let piece = |range: Range<usize>, kind| Piece { range, kind, modifiers: 0 };
    let mut found = vec![piece(comment.start..places.algorithm.start, Kind::Comment)];
    for word in algorithm::pieces(text, places.algorithm.clone()) {
        let spelling = &text[word.clone()];
        let kind = if PCAL_WORDS.contains(&spelling) || crate::words::find(spelling).is_some() {
            Kind::Keyword
        } else if spelling.starts_with(|char: char| char.is_ascii_digit()) {
            Kind::Number
        } else {
            continue;
        };
        found.push(piece(word, kind));
    }
    if places.algorithm.end < comment.end {
        found.push(piece(places.algorithm.end..comment.end, Kind::Comment));
    }
    found
}

/// Pieces as the protocol wants them: each relative to the one before, none over the end of a line.
fn encode(document: &Document, pieces: &[Piece], wanted: Range<usize>) -> Vec<SemanticToken> {
    let (text, lines) = (&document.text, &document.lines);
    let mut data = Vec::new();
    let (mut line, mut character, mut done) = (0, 0, 0);
    for piece in pieces {
        // What begins inside of the piece before is a part of it.
        if piece.range.start < done || piece.range.end <= wanted.start || piece.range.start >= wanted.end {
            continue;
        }
        done = piece.range.end;
        let (first, last) = (lines.line_of(piece.range.start), lines.line_of(piece.range.end.max(1) - 1));
        for index in first..=last.max(first) {
            let whole = lines.line_range(text, index);
            let part = whole.start.max(piece.range.start)..whole.end.min(piece.range.end);
            if part.is_empty() {
                continue;
            }
            let range = document.range(part);
            let delta_line = range.start.line - line;
            let delta_start =
                if delta_line == 0 { range.start.character - character } else { range.start.character };
            data.push(SemanticToken {
                delta_line,
                delta_start,
                length: range.end.character - range.start.character,
                token_type: piece.kind as u32,
                token_modifiers_bitset: piece.modifiers,
            });
            (line, character) = (range.start.line, range.start.character);
        }
    }
    data
}

#[cfg(test)]
mod tests {
    use super::comments;
    use crate::symbols::parse;

    #[test]
    fn comments_are_found_between_tokens_and_nested() {
        let text = "prose (* no *)\n---- MODULE M ----\n\\* one\nA == 1 (* two (* in *) two *) + 2 \\* three\n====\nprose \\* no";
        let found: Vec<&str> =
            comments(text, &parse(text).tokens).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, ["\\* one", "(* two (* in *) two *)", "\\* three"]);
    }
}
