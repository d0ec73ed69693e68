//! PlusCal in modules: messages about an algorithm stand in the algorithm, and names lead there.
//!
//! While an algorithm is written its translation is out of date, or missing. Messages are then those about a fresh
//! translation; those inside of it are shown at the words of the algorithm that they are about.

use std::ops::Range;

use diag::{Code, Diagnostic, Diagnostics, Span};
use pcal::{Options, Places, Status};
use sema::{FileSystem, LoadOptions, Spec};

use crate::analysis::Subject;

/// Messages about the root module, with those about a translation that is not fresh replaced by those about a fresh one.
pub fn review(
    spec: &Spec,
    diagnostics: Diagnostics,
    (subject, options, files): (&Subject, &LoadOptions, &dyn FileSystem),
) -> Diagnostics {
    let Some(root) = spec.modules.iter().next() else { return diagnostics };
    let source = root.span.source;
    let text = spec.sources.file(source).text();
    let Some(places) = pcal::places(text) else { return with_translation(spec, diagnostics) };
    let status = pcal::status(text, source, &Options::default());
    let is_fresh = matches!(status, Ok(Status::Fresh | Status::NoAlgorithm | Status::Different(_)) | Err(_));
    let translation = pcal::translate(text, source, &Options::default());
    let (false, Ok(Some(translation))) = (is_fresh, translation) else {
        return with_translation(spec, diagnostics);
    };
    let fresh = sema::load_text(&subject.root, &translation.module, options, files);
    let shift = Shift::new(text, &places, &translation.module);
    let mut reviewed = Diagnostics::new();
    for found in fresh.diagnostics {
        let is_here = found.primary.as_ref().is_some_and(|label| is_root(&fresh.spec, label.span));
        // Files that are not the root are read in both cases, and their messages are already there.
        if is_here {
            reviewed.push(shift.back(found, (&fresh.spec, source)));
        }
    }
    let others = diagnostics.into_iter().filter(|found| match &found.primary {
        Some(label) => {
            label.span.source != source || found.code == Code::StaleTranslation || !found.is_error()
        }
        None => true,
    });
    reviewed.extend(others.collect());
    with_translation(spec, reviewed)
}

fn is_root(spec: &Spec, span: Span) -> bool {
    spec.modules.iter().next().is_some_and(|root| root.span.source == span.source)
}

/// Adds what lints say about translations, which they do not where there are errors.
fn with_translation(spec: &Spec, mut diagnostics: Diagnostics) -> Diagnostics {
    for found in sema::lint::translations(spec) {
        if !diagnostics.iter().any(|known| known.code == found.code && known.primary == found.primary) {
            diagnostics.push(found);
        }
    }
    diagnostics
}

/// Leads from places of a module with a fresh translation to those of the module as it is.
struct Shift<'a> {
    text: &'a str,
    places: &'a Places,
    fresh: &'a str,
    /// The bytes that both texts begin with and end with.
    n_before: usize,
    n_after: usize,
}

impl<'a> Shift<'a> {
    fn new(text: &'a str, places: &'a Places, fresh: &'a str) -> Self {
        let n_before = text.bytes().zip(fresh.bytes()).take_while(|(a, b)| a == b).count();
        let room = text.len().min(fresh.len()) - n_before;
        let same = text.bytes().rev().zip(fresh.bytes().rev()).take_while(|(a, b)| a == b).count();
        Shift { text, places, fresh, n_before, n_after: same.min(room) }
    }

    fn offset(&self, at: usize) -> Option<usize> {
        let from_end = self.fresh.len() - at.min(self.fresh.len());
        if at <= self.n_before {
            Some(at)
        } else if from_end <= self.n_after {
            Some(self.text.len() - from_end)
        } else {
            None
        }
    }

    /// The place in the text; one inside of the translation becomes that of its word in the algorithm.
    fn place(&self, span: Span, source: diag::SourceId) -> Span {
        let range = span.range();
        if let (Some(start), Some(end)) = (self.offset(range.start), self.offset(range.end)) {
            return Span::new(source, start..end.max(start));
        }
        let word = self.fresh.get(range).unwrap_or_default();
        let inside = words(self.text, self.places.algorithm.clone(), word).next();
        let name = self.places.algorithm.start;
        let header = name..(name + "--algorithm".len()).min(self.places.algorithm.end);
        Span::new(source, inside.unwrap_or(header))
    }

    fn back(&self, mut found: Diagnostic, (spec, source): (&Spec, diag::SourceId)) -> Diagnostic {
        if let Some(label) = &mut found.primary {
            label.span = self.place(label.span, source);
        }
        found.secondary.retain(|label| is_root(spec, label.span));
        found.secondary.iter_mut().for_each(|label| label.span = self.place(label.span, source));
        found.fixes.clear();
        found.met = None;
        found
    }
}

/// The places of a word in a part of a text, outside of strings and comments of PlusCal.
pub fn words<'a>(
    text: &'a str,
    part: Range<usize>,
    word: &'a str,
) -> impl Iterator<Item = Range<usize>> + 'a {
    let is_name = !word.is_empty() && word.chars().all(is_word_char);
    let pieces = if is_name { pieces(text, part) } else { Vec::new() };
    pieces.into_iter().filter(move |piece| text[piece.clone()] == *word)
}

pub fn is_word_char(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// The words of a part of a text, outside of strings and comments.
pub fn pieces(text: &str, part: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = part.start;
    while at < part.end {
        let rest = &text[at..part.end];
        let Some(char) = rest.chars().next() else { break };
        if rest.starts_with("\\*") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("(*") {
            at += rest.find("*)").map_or(rest.len(), |n_bytes| n_bytes + 2);
        } else if char == '"' {
            let inside = &rest[1..];
            at += 1 + inside.find(['"', '\n']).map_or(inside.len(), |n_bytes| n_bytes + 1);
        } else if is_word_char(char) {
            let n_bytes = rest.find(|char| !is_word_char(char)).unwrap_or(rest.len());
            found.push(at..at + n_bytes);
            at += n_bytes;
        } else {
            at += char.len_utf8();
        }
    }
    found
}

/// The word at a byte of the algorithm.
pub fn word_at(text: &str, places: &Places, offset: usize) -> Option<Range<usize>> {
    let within = (places.algorithm.start..=places.algorithm.end).contains(&offset);
    let pieces = if within { pieces(text, places.algorithm.clone()) } else { Vec::new() };
    pieces.into_iter().find(|piece| piece.start <= offset && offset <= piece.end)
}

/// The place in the algorithm where a name gets its meaning: a label where it stands before a statement, anything else
/// where it comes first.
pub fn declaration(text: &str, places: &Places, word: &str) -> Option<Range<usize>> {
    let is_label = |place: &Range<usize>| {
        let rest = text[place.end..].trim_start_matches([' ', '\t']);
        rest.starts_with(':') && !rest.starts_with(":=")
    };
    let mut all = words(text, places.algorithm.clone(), word);
    let first = all.next()?;
    match is_label(&first) {
        true => Some(first),
        false => Some(all.find(is_label).unwrap_or(first)),
    }
}

#[cfg(test)]
mod tests {
    use super::{declaration, pieces, words};

    const TEXT: &str = "(* --algorithm A { variable x = \"x\"; \\* x\n { go: x := 1; goto go; } } *)";

    #[test]
    fn words_in_strings_and_comments_do_not_count() {
        let places = pcal::places(TEXT).expect("there is an algorithm");
        let found: Vec<_> = words(TEXT, places.algorithm.clone(), "x").collect();
        assert_eq!(found.len(), 2);
        assert!(pieces(TEXT, places.algorithm).iter().all(|piece| !TEXT[piece.clone()].is_empty()));
    }

    #[test]
    fn a_label_is_declared_where_it_stands_before_a_statement() {
        let places = pcal::places("(* --algorithm A { { goto go; go: skip } } *)");
        let places = places.expect("there is an algorithm");
        let text = "(* --algorithm A { { goto go; go: skip } } *)";
        let place = declaration(text, &places, "go").expect("it is there");
        assert_eq!(&text[place.start..place.start + 3], "go:");
    }
}
