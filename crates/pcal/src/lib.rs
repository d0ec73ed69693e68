//! PlusCal: the algorithm in a comment of a module, and its translation to TLA+.
//!
//! The text goes through `lex` and `parse` to statements as written; `macros` replaces calls of macros, `labels` says where
//! labels must be, `split` makes steps of the statements between them, `names` settles names, `steps` turns control flow into
//! assignments to `pc` and `stack`, and `generate` writes the actions. The translation is, line by line, that of `pcal.trans`,
//! which people have in their modules, and so are its checksums. Nothing here knows files or what an expression means.

mod ast;
mod dump;
mod expr;
mod generate;
mod labels;
mod lex;
mod macros;
mod marks;
mod names;
mod options;
mod parse;
mod problem;
mod source;
mod split;
mod steps;
mod translate;

use std::ops::Range;

use diag::{Diagnostic, SourceId, Span};

pub use labels::AddedLabel;
pub use marks::Checksums;
pub use options::{FairnessOption, Options};
pub use source::Spot;

use marks::{AlgorithmPlace, Marks};
use problem::Problem;
use source::Text;

/// A translation, and the module with it.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The lines between the marks.
    pub lines: Vec<String>,
    pub checksums: Checksums,
    /// Labels that were added, because an option said so or the algorithm has none at all.
    pub added_labels: Vec<AddedLabel>,
    /// Whether some variable has no initial value, so that the module gets the constant `defaultInitValue`.
    pub has_default: bool,
    /// Whether the options ask for the property `Termination`.
    pub checks_termination: bool,
    /// The whole module.
    pub module: String,
}

/// The state of the translation in a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// There is no algorithm.
    NoAlgorithm,
    /// There is no translation.
    Missing,
    /// The translation is not the one that was made: its checksum is another one. The place is the line with the checksum.
    Edited(Span),
    /// The algorithm is not the one from which the translation was made: its checksum is another one.
    Stale(Span),
    /// The translation is another one, and there are no checksums that say why.
    Different(Span),
    /// The translation is that of the algorithm.
    Fresh,
}

/// The algorithm of a module and its marks.
struct Found {
    text: Text,
    place: AlgorithmPlace,
    marks: Option<Marks>,
    options: Options,
}

/// Whether the text has an algorithm.
pub fn has_algorithm(text: &str) -> bool {
    text.contains("--algorithm") || text.contains("--fair")
}

/// The bytes of a module that belong to PlusCal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// From `--algorithm` or `--fair` to the end of the comment around it.
    pub algorithm: Range<usize>,
    /// The lines between the marks.
    pub translation: Option<Range<usize>>,
}

/// Finds the algorithm of a module and its translation. `None` where there is no algorithm, or its comment is not closed.
pub fn places(text: &str) -> Option<Places> {
    if !has_algorithm(text) {
        return None;
    }
    let lines = Text::new(text);
    let marks = marks::find_marks(&lines).ok()?;
    let place = marks::find_algorithm(&lines, marks).ok()??;
    let last = marks::end_of_comment(&lines, place.name).ok()?;
    let start_of_line = |line: usize| lines.range(Spot { line, column: 0 }, 0).start;
    let last_line = lines.range(Spot { line: last, column: 0 }, lines.line_len(last));
    // Behind the comment there may be another one in the same line.
    let end = text[last_line.clone()].rfind("*)").map_or(last_line.end, |n_bytes| last_line.start + n_bytes);
    let begin = lines.range(place.begin, 0).start;
    Some(Places {
        algorithm: begin..end.max(begin),
        translation: marks.map(|marks| start_of_line(marks.begin + 1)..start_of_line(marks.end)),
    })
}

/// Translates the algorithm in the module `text`; `None` if there is none. Errors are about `source`.
pub fn translate(
    text: &str,
    source: SourceId,
    options: &Options,
) -> Result<Option<Translation>, Box<Diagnostic>> {
    let lines = Text::new(text);
    translate_text(text, &lines, options).map_err(|problem| Box::new(problem.diagnostic(&lines, source)))
}

fn translate_text(text: &str, lines: &Text, options: &Options) -> Result<Option<Translation>, Problem> {
    let Some(found) = find(lines, options)? else { return Ok(None) };
    let translated = translate::translate(found.text, found.place, found.options)?;
    let new = with_translation(text, (lines, found.place, found.marks), &translated)?;
    Ok(Some(Translation {
        lines: translated.lines,
        checksums: Checksums {
            algorithm: Some(translated.algorithm_checksum),
            translation: Some(translated.checksum),
        },
        added_labels: translated.added_labels,
        has_default: translated.has_default,
        checks_termination: translated.checks_termination,
        module: new,
    }))
}

/// Compares the translation in the module with that of its algorithm.
///
/// A translation with the right checksums is fresh, also where another version of the translator gave it another layout.
pub fn status(text: &str, source: SourceId, options: &Options) -> Result<Status, Box<Diagnostic>> {
    let lines = Text::new(text);
    status_of(text, &lines, (source, options)).map_err(|problem| Box::new(problem.diagnostic(&lines, source)))
}

fn status_of(text: &str, lines: &Text, (source, options): (SourceId, &Options)) -> Result<Status, Problem> {
    let Some(found) = find(lines, options)? else { return Ok(Status::NoAlgorithm) };
    let translated = translate::translate(found.text, found.place, found.options)?;
    let Some(marks) = found.marks else { return Ok(Status::Missing) };
    let present = lines_between(text, marks);
    if present.iter().copied().eq(translated.lines.iter().map(String::as_str)) {
        return Ok(Status::Fresh);
    }
    let begin = Spot { line: marks.begin, column: 0 };
    let place = Span::new(source, lines.range(begin, lines.line_len(marks.begin)));
    let recorded = marks::checksums(&lines.line_text(marks.begin));
    let recorded = recorded.unwrap_or(Checksums { algorithm: None, translation: None });
    let is_wrong =
        |recorded: &Option<String>, found: &str| recorded.as_ref().map(|recorded| recorded != found);
    let is_edited = is_wrong(&recorded.translation, &translate::checksum(&present.concat()));
    let is_stale = is_wrong(&recorded.algorithm, &translated.algorithm_checksum);
    Ok(match (is_edited, is_stale) {
        (Some(true), _) => Status::Edited(place),
        (_, Some(true)) => Status::Stale(place),
        (None, None) => Status::Different(place),
        (Some(false), _) | (_, Some(false)) => Status::Fresh,
    })
}

fn find(lines: &Text, options: &Options) -> Result<Option<Found>, Problem> {
    let mut options = options.clone();
    let marks = marks::find_marks(lines)?;
    let Some(place) = marks::find_algorithm(lines, marks)? else { return Ok(None) };
    options.read(lines)?;
    options.settle();
    Ok(Some(Found { text: lines.clone(), place, marks, options }))
}

/// The lines between the marks, without what ends them.
fn lines_between(text: &str, marks: Marks) -> Vec<&str> {
    let lines = text.split_inclusive('\n').skip(marks.begin + 1).take(marks.end - marks.begin - 1);
    lines.map(|line| line.trim_end_matches(['\n', '\r'])).collect()
}

/// The module with the translation between its marks, which are added where there are none.
fn with_translation(
    text: &str,
    (lines, place, marks): (&Text, AlgorithmPlace, Option<Marks>),
    translated: &translate::Translated,
) -> Result<String, Problem> {
    let all: Vec<&str> = text.split_inclusive('\n').collect();
    let end_of_line = if all.first().is_some_and(|line| line.ends_with("\r\n")) { "\r\n" } else { "\n" };
    let mut new = String::with_capacity(text.len());
    let (algorithm, translation) = (&translated.algorithm_checksum, &translated.checksum);
    let rest = match marks {
        Some(marks) => {
            all[..marks.begin].iter().for_each(|line| new.push_str(line));
            new.push_str(&marks::with_checksums(all[marks.begin], algorithm, translation));
            marks.end
        }
        None => {
            let last = marks::end_of_comment(lines, place.name)?;
            all[..=last].iter().for_each(|line| new.push_str(line));
            if !new.ends_with('\n') {
                new.push_str(end_of_line);
            }
            new.push_str(&marks::new_begin(algorithm, translation));
            new.push_str(end_of_line);
            last + 1
        }
    };
    for line in &translated.lines {
        new.push_str(line);
        new.push_str(end_of_line);
    }
    if marks.is_none() {
        new.push_str(marks::NEW_END);
        new.push_str(end_of_line);
    }
    all[rest..].iter().for_each(|line| new.push_str(line));
    Ok(new)
}
