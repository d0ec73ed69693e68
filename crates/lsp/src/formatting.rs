//! Formatting, by the same library as `specline fmt`.

use std::ops::Range;

use fmt::Options;
use lsp_types::{DocumentFormattingParams, DocumentRangeFormattingParams, TextEdit, Url};

use crate::lines::{Encoding, Lines};
use crate::snapshot::TextKind;
use crate::worker::{Context, Failure};

pub fn whole(context: &Context, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>, Failure> {
    format(context, &params.text_document.uri, &Options::default())
}

pub fn range(
    context: &Context,
    params: DocumentRangeFormattingParams,
) -> Result<Option<Vec<TextEdit>>, Failure> {
    let last = match params.range.end.character {
        // A range that ends at the start of a line has none of it.
        0 if params.range.end.line > params.range.start.line => params.range.end.line,
        _ => params.range.end.line.saturating_add(1),
    };
    let lines = params.range.start.line as usize + 1..=last as usize;
    format(context, &params.text_document.uri, &Options { ranges: vec![lines] })
}

fn format(context: &Context, url: &Url, options: &Options) -> Result<Option<Vec<TextEdit>>, Failure> {
    let document = context.document(url)?;
    if document.kind != TextKind::Module {
        return Ok(None);
    }
    match fmt::format(&document.path.display().to_string(), &document.text, options) {
        Ok(formatted) => Ok(Some(edits(&document.text, &formatted.text, context.snapshot.encoding))),
        // The messages about the text say why.
        Err(_) => Ok(None),
    }
}

/// The changes that make one text of another, by lines: each part in which they differ.
pub fn edits(old: &str, new: &str, encoding: Encoding) -> Vec<TextEdit> {
    let lines = Lines::new(old, encoding);
    let edit = |(range, text): (Range<usize>, &str)| TextEdit {
        range: lines.range(old, range),
        new_text: text.to_owned(),
    };
    differences(old, new).into_iter().map(edit).collect()
}

/// The parts of `old` that differ, with what is in their place. Formatting keeps the number of lines, and then each line
/// is compared with its own.
fn differences<'a>(old: &str, new: &'a str) -> Vec<(Range<usize>, &'a str)> {
    let (old_lines, new_lines): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    if old_lines.len() == new_lines.len() {
        let (mut at, mut found) = (0, Vec::new());
        for (&old, &new) in old_lines.iter().zip(&new_lines) {
            if old != new {
                found.push((at..at + old.len(), new));
            }
            at += old.len();
        }
        return found;
    }
    let n_before = old_lines.iter().zip(&new_lines).take_while(|(a, b)| a == b).count();
    let room = old_lines.len().min(new_lines.len()) - n_before;
    let n_after =
        old_lines.iter().rev().zip(new_lines.iter().rev()).take_while(|(a, b)| a == b).count().min(room);
    let n_bytes = |lines: &[&str]| lines.iter().map(|line| line.len()).sum::<usize>();
    let start = n_bytes(&old_lines[..n_before]);
    let old_end = old.len() - n_bytes(&old_lines[old_lines.len() - n_after..]);
    let new_end = new.len() - n_bytes(&new_lines[new_lines.len() - n_after..]);
    if start == old_end && start == new_end {
        Vec::new()
    } else {
        vec![(start..old_end, &new[start..new_end])]
    }
}

#[cfg(test)]
mod tests {
    use super::differences;

    #[test]
    fn the_differences_make_the_new_text_of_the_old_one() {
        let check = |old: &str, new: &str, n_parts: usize| {
            let parts = differences(old, new);
            assert_eq!(parts.len(), n_parts, "{old:?} {new:?}");
            let mut made = old.to_owned();
            parts.into_iter().rev().for_each(|(range, text)| made.replace_range(range, text));
            assert_eq!(made, new);
        };
        check("a\nb\nc\n", "a\nb\nc\n", 0);
        check("a\nb\nc\n", "A\nb\nC\n", 2);
        check("a\nb\nc\n", "a\nb\nx\nc\n", 1);
        check("a\nb\nc", "a\nc", 1);
        check("", "a\n", 1);
        check("a\na\n", "a\n", 1);
    }
}
