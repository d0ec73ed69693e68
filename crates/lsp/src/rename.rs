//! Renaming, and its refusal where a name would change its meaning.
//!
//! A rename is tried first: every module that reads one of the changed files is resolved again with the new texts. Every
//! name must lead to the same definition as before, and there may be no new error. That finds capture in all its forms.

use std::path::{Path, PathBuf};

use base::{FxIndexMap, FxIndexSet};
use diag::SourceId;
use lsp_types::{
    PrepareRenameResponse, RenameParams, TextDocumentPositionParams, TextEdit, Url, WorkspaceEdit,
};
use sema::spec::NameTarget;
use syntax::token::Keyword;

use crate::algorithm::is_word_char;
use crate::analysis::{Analysis, Occurrence, Subject};
use crate::lines::Lines;
use crate::navigation::{NamePlace, all_places, site_at};
use crate::worker::{Context, Failure};
use crate::{algorithm, words, workspace};

/// Number of modules that are resolved to try a rename.
const N_SUBJECTS_MAX: usize = 400;

pub fn prepare(
    context: &Context,
    params: TextDocumentPositionParams,
) -> Result<Option<PrepareRenameResponse>, Failure> {
    let document = context.document(&params.text_document.uri)?;
    let offset = document.offset(params.position);
    let Some(analysis) = context.analysis_of(&document) else { return Ok(None) };
    let Some(site) = site_at(&analysis, &document, offset) else { return Ok(None) };
    let name = analysis.source_of(&document.path).and_then(|source| analysis.name_at(source, offset));
    if let Some(reason) = name.and_then(|name| fixed_name(&analysis, name)) {
        return Err(Failure::Refused(reason));
    }
    if is_embedded(&analysis, &site.file) {
        return Err(Failure::refused("this is a name of a module that comes with Specline"));
    }
    let range = match name {
        Some(name) => name.start as usize..name.end as usize,
        None => match pcal::places(&document.text)
            .and_then(|places| algorithm::word_at(&document.text, &places, offset))
        {
            Some(range) => range,
            None => return Ok(None),
        },
    };
    Ok(Some(PrepareRenameResponse::Range(document.range(range))))
}

fn is_embedded(analysis: &Analysis, file: &str) -> bool {
    let mut files = analysis.spec.sources.ids().map(|id| analysis.spec.sources.file(id));
    files.any(|known| known.name() == file && !known.is_file())
}

/// The reason why a name of this kind is never renamed.
fn fixed_name(analysis: &Analysis, name: Occurrence) -> Option<String> {
    match name.target {
        NameTarget::Module(_) => {
            Some("a module has the name of its file: rename the file, and the module with it".to_owned())
        }
        NameTarget::Entity(_) | NameTarget::Label(_) => {
            let text = analysis.spec.sources.file(name.site.source).text();
            let spelling = text.get(name.site.range()).unwrap_or_default();
            let is_step = spelling.starts_with('<');
            (is_step || !spelling.chars().all(is_word_char))
                .then(|| format!("`{spelling}` is a symbol, and only words are renamed"))
        }
    }
}

pub fn rename(context: &Context, params: RenameParams) -> Result<Option<WorkspaceEdit>, Failure> {
    let new_name = params.new_name;
    check_new_name(&new_name)?;
    let place = params.text_document_position;
    prepare(context, place.clone())?;
    let Some((_, places)) = all_places(context, &place.text_document.uri, place.position)? else {
        return Ok(None);
    };
    let Some(old_name) =
        places.iter().find_map(|place| place.text.get(place.start as usize..place.end as usize))
    else {
        return Ok(None);
    };
    let old_name = old_name.to_owned();
    if old_name == new_name {
        return Ok(Some(WorkspaceEdit::default()));
    }
    let mut edits: FxIndexMap<PathBuf, FileEdits> = FxIndexMap::default();
    for place in &places {
        let file = edits.entry(place.path.clone()).or_insert_with(|| FileEdits::new(place));
        file.ranges.push(place.start as usize..place.end as usize);
    }
    for (path, file) in &mut edits {
        file.finish(path, (&old_name, &new_name))?;
    }
    try_rename(context, &edits)?;
    Ok(Some(workspace_edit(context, &edits, &new_name)))
}

/// Checks that a new name is one.
fn check_new_name(name: &str) -> Result<(), Failure> {
    let is_name = name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_')
        && name.chars().any(|char| char.is_ascii_alphabetic());
    if !is_name {
        return Err(Failure::Refused(format!(
            "`{name}` is not a name: letters, digits and `_`, with a letter"
        )));
    }
    let is_reserved = Keyword::parse(name).is_some()
        || words::find(name).is_some()
        || ["WF_", "SF_"].iter().any(|prefix| name.starts_with(prefix));
    match is_reserved {
        true => Err(Failure::Refused(format!("`{name}` is a word of the language"))),
        false => Ok(()),
    }
}

/// The changes of one file.
struct FileEdits {
    text: std::sync::Arc<str>,
    /// Places of the old name, ascending.
    ranges: Vec<std::ops::Range<usize>>,
    new_text: String,
    /// Whether the new text has a fresh translation.
    is_translated: bool,
}

impl FileEdits {
    fn new(place: &NamePlace) -> FileEdits {
        FileEdits {
            text: std::sync::Arc::clone(&place.text),
            ranges: Vec::new(),
            new_text: String::new(),
            is_translated: false,
        }
    }

    /// Makes the new text. A name that a translation has is renamed in the algorithm, too, and the translation is made anew:
    /// it must be the old one with the new name.
    fn finish(&mut self, path: &Path, (old, new): (&str, &str)) -> Result<(), Failure> {
        let places = pcal::places(&self.text);
        let within = |part: &std::ops::Range<usize>, range: &std::ops::Range<usize>| {
            part.start <= range.start && range.end <= part.end
        };
        let translation = places.as_ref().and_then(|places| places.translation.clone());
        let is_translated =
            translation.as_ref().is_some_and(|part| self.ranges.iter().any(|range| within(part, range)));
        if let Some(places) = places.filter(|_| is_translated) {
            self.ranges.extend(algorithm::words(&self.text, places.algorithm, old));
        }
        self.ranges.sort_by_key(|range| range.start);
        self.ranges.dedup();
        self.new_text = replace_all(&self.text, &self.ranges, new);
        if is_translated {
            self.translate(path)?;
        }
        Ok(())
    }

    fn translate(&mut self, path: &Path) -> Result<(), Failure> {
        let refuse = |why: &str| {
            let name = path.display();
            Failure::Refused(format!(
                "`{name}`: the name stands in the PlusCal algorithm, and {why}: rename it there by hand, and translate again"
            ))
        };
        let mut sources = diag::SourceMap::new();
        let source = sources.add_text("", self.new_text.as_str());
        let made = pcal::translate(&self.new_text, source, &pcal::Options::default());
        let Ok(Some(made)) = made else {
            return Err(refuse("with the new name the algorithm cannot be translated"));
        };
        let lines =
            |text: &str| -> Option<String> { Some(text[pcal::places(text)?.translation?].to_owned()) };
        let squeeze = |text: Option<String>| {
            text.map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        };
        if squeeze(lines(&made.module)) != squeeze(lines(&self.new_text)) {
            return Err(refuse("its translation would be another one, or is not up to date"));
        }
        self.is_translated = true;
        self.new_text = made.module;
        Ok(())
    }
}

fn replace_all(text: &str, ranges: &[std::ops::Range<usize>], new: &str) -> String {
    let mut made = String::with_capacity(text.len());
    let mut at = 0;
    for range in ranges {
        made.push_str(&text[at..range.start]);
        made.push_str(new);
        at = range.end;
    }
    made.push_str(&text[at..]);
    made
}

/// Resolves everything that the change can affect, before it and after it, and compares what each name means.
fn try_rename(context: &Context, edits: &FxIndexMap<PathBuf, FileEdits>) -> Result<(), Failure> {
    let changed: FxIndexSet<PathBuf> = edits.keys().cloned().collect();
    let replaced: FxIndexMap<PathBuf, String> =
        edits.iter().map(|(path, file)| (path.clone(), file.new_text.clone())).collect();
    let subjects = workspace::dependents(context, &changed)?;
    if subjects.len() > N_SUBJECTS_MAX {
        return Err(Failure::Refused(format!(
            "{} modules need what would change, more than the {N_SUBJECTS_MAX} that are checked",
            subjects.len()
        )));
    }
    for subject in subjects {
        context.cancel.check()?;
        let before = context.cache.analysis(&subject, &context.snapshot);
        if !changed.iter().any(|path| before.depends_on(path)) {
            continue;
        }
        let after = Analysis::new(&subject, &context.snapshot, &replaced);
        compare(&subject, &before, &after)?;
    }
    Ok(())
}

/// The names of each file in their order: for each the file of its definition, and which of the names there it is.
type Meanings = Vec<(String, Vec<(String, usize)>)>;

fn compare(subject: &Subject, before: &Analysis, after: &Analysis) -> Result<(), Failure> {
    let root = subject.root.display();
    let errors = |analysis: &Analysis| -> Vec<String> {
        let errors = analysis.diagnostics.iter().filter(|found| found.is_error());
        errors.map(|found| found.code.id().to_owned()).collect()
    };
    let (known, new) = (errors(before), errors(after));
    if new.len() > known.len() || new.iter().any(|code| !known.contains(code)) {
        let first = after
            .diagnostics
            .iter()
            .find(|found| found.is_error() && !known.contains(&found.code.id().to_owned()));
        let first = first.or_else(|| after.diagnostics.iter().find(|found| found.is_error()));
        let what = first.map_or_else(String::new, |found| found.headline.clone());
        return Err(Failure::Refused(format!("`{root}` would have an error: {what}")));
    }
    match meanings(before) == meanings(after) {
        true => Ok(()),
        false => {
            Err(Failure::Refused(format!("in `{root}` a name would get another meaning: choose another one")))
        }
    }
}

/// Returns what each name in the user's files means, and what INSTANCEs substitute unsaid; without places: these change, and
/// the order does not.
fn meanings(analysis: &Analysis) -> Meanings {
    let names = |source: SourceId| analysis.occurrences.get(&source).map_or(&[][..], Vec::as_slice);
    let meaning = |name: &Occurrence| {
        let home = names(name.site.source);
        let number = home.partition_point(|other| other.start < name.site.start);
        (analysis.spec.sources.file(name.site.source).name().to_owned(), number)
    };
    let files = analysis.spec.sources.ids().filter(|&source| analysis.spec.sources.file(source).is_file());
    let of_file = |source: SourceId| {
        (analysis.spec.sources.file(source).name().to_owned(), names(source).iter().map(meaning).collect())
    };
    let implied = analysis.spec.implied.iter().map(|name| {
        let site = crate::analysis::site_of(&analysis.spec, name.target);
        meaning(&Occurrence { start: name.span.start, end: name.span.end, target: name.target, site })
    });
    let implied = (String::new(), implied.collect());
    files.map(of_file).chain([implied]).collect()
}

fn workspace_edit(
    context: &Context,
    edits: &FxIndexMap<PathBuf, FileEdits>,
    new_name: &str,
) -> WorkspaceEdit {
    #[expect(clippy::disallowed_types, reason = "the protocol's type has it")]
    let mut changes: std::collections::HashMap<Url, Vec<TextEdit>> = std::collections::HashMap::new();
    for (path, file) in edits {
        let Some(url) = context.snapshot.url_of(path) else { continue };
        let lines = Lines::new(&file.text, context.snapshot.encoding);
        let edit = |range: &std::ops::Range<usize>| TextEdit {
            range: lines.range(&file.text, range.clone()),
            new_text: new_name.to_owned(),
        };
        let made = match file.is_translated {
            true => crate::formatting::edits(&file.text, &file.new_text, context.snapshot.encoding),
            false => file.ranges.iter().map(edit).collect(),
        };
        changes.insert(url, made);
    }
    WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
}

#[cfg(test)]
mod tests {
    use super::{check_new_name, replace_all};

    #[test]
    fn new_names_are_names_and_not_words_of_the_language() {
        for good in ["x", "_x", "a1", "Init2", "1a"] {
            assert!(check_new_name(good).is_ok(), "{good}");
        }
        for bad in ["", "a b", "EXTENDS", "IF", "WF_x", "12", "a-b", "SUBSET", "é"] {
            assert!(check_new_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_are_replaced_where_they_are() {
        assert_eq!(replace_all("a + b + a", &[0..1, 8..9], "xyz"), "xyz + b + xyz");
    }
}
