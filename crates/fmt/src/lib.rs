//! One style for TLA+ modules: spaces between tokens, indentation, junction lists in one column.
//!
//! Lines end where their author ended them. Within a line, spaces are set anew ([`spacing`]); where a line begins follows
//! from the syntax tree ([`indent`]). Columns that were aligned on neighbouring lines stay aligned ([`align`]). Comments,
//! prose around modules, PlusCal and its translation are left as they are.
//!
//! Every result is read again: it must have the same tokens, the same tree and the same comments. A unit that would not is
//! left as it was written. *Not here:* files and the command line.

mod align;
mod indent;
mod kept;
mod layout;
mod pieces;
mod spacing;
mod verify;

use std::ops::RangeInclusive;

use base::Names;
use diag::{Diagnostics, SourceId, SourceMap, Span};
use syntax::ast::{File, Module, UnitKind};

use kept::KeptLines;
use pieces::Pieces;

/// The parts of a text that are formatted.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Lines, counted from 1. Units that have none of them are left alone; without any ranges, all are formatted.
    pub ranges: Vec<RangeInclusive<usize>>,
}

/// The result of formatting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted {
    pub text: String,
    /// Lines of units that were left alone because the new text would have meant something else. A mistake of ours.
    pub left_alone: Vec<RangeInclusive<usize>>,
}

/// The text cannot be read, and why.
#[derive(Debug)]
pub struct Unreadable {
    pub sources: SourceMap,
    pub diagnostics: Diagnostics,
}

/// Number of rounds after which a text must not change any more.
const N_ROUNDS_MAX: usize = 4;

/// Formats the modules of a file. A second run changes nothing.
pub fn format(name: &str, text: &str, options: &Options) -> Result<Formatted, Unreadable> {
    let is_crlf = text.contains("\r\n");
    let mut current = Formatted { text: text.replace("\r\n", "\n"), left_alone: Vec::new() };
    for _ in 0..N_ROUNDS_MAX {
        let next = format_once(name, &current.text, options)?;
        let is_stable = next.text == current.text;
        current = next;
        if is_stable {
            break;
        }
    }
    if is_crlf {
        current.text = current.text.replace('\n', "\r\n");
    }
    Ok(current)
}

/// A text that was read.
struct Read {
    source: SourceId,
    names: Names,
    file: File,
}

fn read(name: &str, text: &str) -> Result<Read, Unreadable> {
    let mut sources = SourceMap::new();
    let source = sources.add(name, text);
    let mut names = Names::new();
    let parsed = syntax::parse_file(source, text, &mut names);
    match parsed.diagnostics.has_errors() {
        true => Err(Unreadable { sources, diagnostics: parsed.diagnostics }),
        false => Ok(Read { source, names, file: parsed.tree }),
    }
}

fn format_once(name: &str, text: &str, options: &Options) -> Result<Formatted, Unreadable> {
    let read = read(name, text)?;
    let pieces = Pieces::new(read.source, text);
    let units = unit_spans(&read.file);
    let mut kept = KeptLines::new(text, &options.ranges, &units);
    let formatted = layout::layout(text, &read.file, &pieces, &kept);
    if verify::is_same(&read, text, &formatted) {
        return Ok(Formatted { text: formatted, left_alone: Vec::new() });
    }
    // Some unit would mean something else: each is tried alone.
    let mut left_alone = Vec::new();
    for &unit in &units {
        let alone = layout::layout(text, &read.file, &pieces, &kept.only(text, unit));
        if !verify::is_same(&read, text, &alone) {
            left_alone.push(kept.keep(text, unit));
        }
    }
    let formatted = layout::layout(text, &read.file, &pieces, &kept);
    match verify::is_same(&read, text, &formatted) {
        true => Ok(Formatted { text: formatted, left_alone }),
        false => {
            let n_lines = text.lines().count().max(1);
            Ok(Formatted { text: text.to_owned(), left_alone: vec![1..=n_lines] })
        }
    }
}

/// The units of all modules, without those that are modules themselves.
fn unit_spans(file: &File) -> Vec<Span> {
    fn add(module: &Module, spans: &mut Vec<Span>) {
        for unit in &module.units {
            match &unit.kind {
                UnitKind::Module(nested) => base::with_stack(|| add(nested, spans)),
                UnitKind::Constants(_)
                | UnitKind::Variables(_)
                | UnitKind::Recursive(_)
                | UnitKind::Operator { .. }
                | UnitKind::Function { .. }
                | UnitKind::Instance(_)
                | UnitKind::NamedInstance { .. }
                | UnitKind::Assume { .. }
                | UnitKind::Theorem { .. }
                | UnitKind::UseHide(_) => spans.push(unit.span),
            }
        }
    }
    let mut spans = Vec::new();
    file.modules.iter().for_each(|module| add(module, &mut spans));
    spans
}
