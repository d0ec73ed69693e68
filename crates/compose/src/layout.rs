//! Pieces of text that are moved: columns matter in TLA+, so whole blocks are shifted.

use std::ops::Range;

const TAB: usize = 8;

/// A piece of a text with the columns that its lines have there.
pub(crate) struct Block {
    /// The lines, each with the column of its first character that is not blank. Empty lines have none.
    lines: Vec<(usize, String)>,
}

impl Block {
    /// Takes the piece `range` of `text`.
    pub(crate) fn new(text: &str, range: Range<usize>) -> Block {
        let line_start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let column = expand(&text[line_start..range.start]).chars().count();
        let mut lines = Vec::new();
        for (index, line) in text[range].lines().enumerate() {
            let line = expand(line.trim_end_matches('\r'));
            let own = line.trim_start();
            let indent = line.chars().count() - own.chars().count();
            let at = if index == 0 { column + indent } else { indent };
            lines.push((at, own.trim_end().to_owned()));
        }
        Block { lines }
    }

    /// Returns the column of the first character.
    pub(crate) fn column(&self) -> usize {
        self.lines.first().map_or(0, |&(column, _)| column)
    }

    /// Returns the text for a place in the same column: the first line bare, the others as they were.
    pub(crate) fn text(&self) -> String {
        self.shift(0, self.column())
    }

    /// Returns the text for a place in column `column`, so that no line is left of it. The lines keep their columns
    /// relative to each other, so the first may begin with blanks.
    pub(crate) fn place_at(&self, column: usize) -> String {
        let filled = self.lines.iter().filter(|(_, line)| !line.is_empty());
        let least = filled.map(|&(column, _)| column).min().unwrap_or(0);
        let left = column as isize - least as isize;
        self.shift(left, column)
    }

    fn shift(&self, by: isize, start: usize) -> String {
        let mut text = String::new();
        for (index, (column, line)) in self.lines.iter().enumerate() {
            let column = column.saturating_add_signed(by);
            if index > 0 {
                text.push('\n');
            }
            if !line.is_empty() {
                let indent = if index == 0 { column.saturating_sub(start) } else { column };
                text.push_str(&" ".repeat(indent));
                text.push_str(line);
            }
        }
        text
    }
}

/// Replaces tabs by blanks.
fn expand(text: &str) -> String {
    let mut out = String::new();
    let mut column = 0;
    for c in text.chars() {
        match c {
            '\t' => {
                let n_blanks = TAB - column % TAB;
                out.push_str(&" ".repeat(n_blanks));
                column += n_blanks;
            }
            c => {
                out.push(c);
                column += 1;
            }
        }
    }
    out
}

/// Joins names with commas in lines of at most `width` characters.
pub(crate) fn fill<'n>(names: impl Iterator<Item = &'n str>, width: usize) -> String {
    let mut text = String::new();
    let mut length = 0;
    for name in names {
        if length > 0 {
            text.push(',');
            match length + name.len() + 2 > width {
                true => {
                    text.push('\n');
                    length = 0;
                }
                false => {
                    text.push(' ');
                    length += 2;
                }
            }
        }
        text.push_str(name);
        length += name.chars().count();
    }
    text
}

/// Indents every line but the first.
pub(crate) fn indent_after_first(text: &str, column: usize) -> String {
    text.replace('\n', &format!("\n{}", " ".repeat(column)))
}

/// Returns the comment that stands directly above `offset`, with its line ends; nothing if there is none.
pub(crate) fn comment_before(text: &str, offset: usize) -> &str {
    let line_start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    if !text[line_start..offset].trim().is_empty() {
        return "";
    }
    let mut start = line_start;
    while start > 0 {
        let above_start = text[..start - 1].rfind('\n').map_or(0, |at| at + 1);
        let above = text[above_start..start].trim();
        if above.starts_with("\\*") || is_whole_comment(above) {
            start = above_start;
        } else if above.ends_with("*)") {
            match block_start(text, start) {
                Some(block) => start = block,
                None => break,
            }
        } else {
            break;
        }
    }
    &text[start..line_start]
}

fn is_whole_comment(line: &str) -> bool {
    line.starts_with("(*")
        && line.ends_with("*)")
        && line.len() >= 4
        && line[2..].find("*)") == Some(line.len() - 4)
}

/// Returns the start of the line on which the comment begins that ends before `end`, if it stands alone there.
fn block_start(text: &str, end: usize) -> Option<usize> {
    let open = text[..end].rfind("(*")?;
    // Comments nest; with another end in between it is not this simple.
    let is_simple = text[open..end].matches("*)").count() == 1;
    let line_start = text[..open].rfind('\n').map_or(0, |at| at + 1);
    (is_simple && text[line_start..open].trim().is_empty()).then_some(line_start)
}

#[cfg(test)]
mod tests {
    use super::{Block, comment_before, fill};

    #[test]
    fn a_block_keeps_its_columns_when_it_is_moved() {
        let text = "A == IF p\n  THEN x\n  ELSE y\n";
        let block = Block::new(text, 5..text.len() - 1);
        assert_eq!(block.place_at(5), "   IF p\n     THEN x\n     ELSE y");
    }

    #[test]
    fn a_list_goes_on_in_its_column() {
        let text = "A == /\\ p\n     /\\ q\n";
        let block = Block::new(text, 5..text.len() - 1);
        assert_eq!((block.column(), block.text().as_str()), (5, "/\\ p\n     /\\ q"));
    }

    #[test]
    fn comments_directly_above_belong_to_a_definition() {
        let text = "B == 1\n\n(* one\n   two *)\n\\* three\nA == 1\n";
        let at = text.find("A ==").expect("it is there");
        assert_eq!(comment_before(text, at), "(* one\n   two *)\n\\* three\n");
        assert_eq!(comment_before(text, 0), "");
    }

    #[test]
    fn long_lists_are_broken() {
        assert_eq!(fill(["aa", "bb", "cc"].into_iter(), 7), "aa, bb,\ncc");
    }
}
