//! The files of all folders, and which modules need which.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::{FxIndexMap, FxIndexSet};
use diag::SourceMap;
use syntax::token::{Keyword, TokenKind};

use crate::algorithm::is_word_char;
use crate::analysis::Subject;
use crate::configs;
use crate::snapshot::{Snapshot, TextKind};
use crate::worker::{Context, Failure};

/// Number of files that are looked at, and depth of folders: a folder with more is hardly one of specifications.
const N_FILES_MAX: usize = 4000;
const DEPTH_MAX: usize = 12;
/// Size of the largest file that is searched for names.
const N_BYTES_MAX: u64 = 8 << 20;

/// The modules and configurations of all folders, and all open ones, sorted.
pub fn files(snapshot: &Snapshot) -> Vec<PathBuf> {
    let mut found = FxIndexSet::default();
    let beside = snapshot.documents.keys().filter_map(|path| path.parent());
    for folder in &snapshot.folders {
        add_files(folder, DEPTH_MAX, &mut found);
    }
    for folder in beside.collect::<FxIndexSet<_>>() {
        add_files(folder, 1, &mut found);
    }
    found.extend(snapshot.documents.keys().filter(|path| TextKind::of(path) != TextKind::Other).cloned());
    found.retain(|path| !snapshot.is_embedded(path));
    let mut files: Vec<PathBuf> = found.into_iter().collect();
    files.sort();
    files
}

fn add_files(folder: &Path, depth: usize, found: &mut FxIndexSet<PathBuf>) {
    if depth == 0 || found.len() >= N_FILES_MAX {
        return;
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let Ok(kind) = entry.file_type() else { continue };
        let path = entry.path();
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if kind.is_dir() && !is_hidden && entry.file_name() != "node_modules" {
            add_files(&path, depth - 1, found);
        } else if kind.is_file() && TextKind::of(&path) != TextKind::Other && found.len() < N_FILES_MAX {
            found.insert(path);
        }
    }
}

/// The text of a file as the editor has it.
pub fn text_of(snapshot: &Snapshot, path: &Path) -> Option<Arc<str>> {
    if let Some(document) = snapshot.documents.get(path) {
        return Some(Arc::clone(&document.text));
    }
    if path.metadata().ok()?.len() > N_BYTES_MAX {
        return None;
    }
    std::fs::read_to_string(path).ok().map(Arc::from)
}

/// Whether a text has a word, not as a part of another one.
pub fn has_word(text: &str, word: &str) -> bool {
    let borders = |at: usize| {
        let before = text[..at].chars().next_back().is_some_and(is_word_char);
        let after = text[at + word.len()..].chars().next().is_some_and(is_word_char);
        !before && !after
    };
    text.match_indices(word).any(|(at, _)| borders(at))
}

/// Every module and configuration that has this word, with what it takes to analyse it; all of them without a word.
pub fn subjects_with(context: &Context, word: Option<&str>) -> Result<Vec<Subject>, Failure> {
    let snapshot = &context.snapshot;
    let files = files(snapshot);
    let mut subjects = FxIndexSet::default();
    for path in &files {
        context.cancel.check()?;
        let Some(text) = text_of(snapshot, path) else { continue };
        if word.is_none_or(|word| has_word(&text, word)) {
            subjects.extend(subject_of(path, &files));
        }
    }
    Ok(subjects.into_iter().collect())
}

/// Returns how to analyse a module or a configuration. It is one of `files`, as are all others of its folder.
fn subject_of(path: &Path, files: &[PathBuf]) -> Option<Subject> {
    match TextKind::of(path) {
        TextKind::Module => {
            let config = path.with_extension("cfg");
            let config = files.binary_search(&config).is_ok().then_some(config);
            Some(Subject { root: path.to_path_buf(), config })
        }
        TextKind::Config => {
            let near = in_folder_of(path, files);
            let modules: Vec<PathBuf> =
                near.filter(|file| TextKind::of(file) == TextKind::Module).cloned().collect();
            let root = configs::module_among(path, &modules)?.clone();
            Some(Subject { root, config: Some(path.to_path_buf()) })
        }
        TextKind::Other => None,
    }
}

/// The files of the same folder.
fn in_folder_of<'a>(path: &Path, files: &'a [PathBuf]) -> impl Iterator<Item = &'a PathBuf> {
    let folder = path.parent().map(Path::to_path_buf);
    files.iter().filter(move |file| file.parent() == folder.as_deref())
}

/// Every subject that reads one of these files, directly or through other modules.
pub fn dependents(context: &Context, changed: &FxIndexSet<PathBuf>) -> Result<Vec<Subject>, Failure> {
    let snapshot = &context.snapshot;
    let files = files(snapshot);
    let mut needs: FxIndexMap<&Path, FxIndexSet<String>> = FxIndexMap::default();
    for path in files.iter().filter(|path| TextKind::of(path) == TextKind::Module) {
        context.cancel.check()?;
        if let Some(text) = text_of(snapshot, path) {
            needs.insert(path, modules_needed(&text));
        }
    }
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let mut affected: FxIndexSet<String> = changed.iter().filter_map(|path| stem(path)).collect();
    loop {
        let more = needs.iter().filter(|(_, needed)| needed.iter().any(|name| affected.contains(name)));
        let more: Vec<String> = more.filter_map(|(path, _)| stem(path)).collect();
        let n_before = affected.len();
        affected.extend(more);
        if affected.len() == n_before {
            break;
        }
    }
    let is_affected = |path: &Path| stem(path).is_some_and(|stem| affected.contains(&stem));
    let subjects = files.iter().filter_map(|path| subject_of(path, &files));
    let affected: FxIndexSet<Subject> = subjects.filter(|subject| is_affected(&subject.root)).collect();
    Ok(affected.into_iter().collect())
}

/// The names behind EXTENDS and INSTANCE in a text.
fn modules_needed(text: &str) -> FxIndexSet<String> {
    let mut sources = SourceMap::new();
    let source = sources.add_text("", text);
    let tokens = syntax::tokens_of_file(source, text);
    let mut found = FxIndexSet::default();
    let mut in_extends = false;
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| tokens[before].kind);
        let is_behind = in_extends || before == Some(TokenKind::Keyword(Keyword::Instance));
        if token.kind == TokenKind::Ident && is_behind {
            found.insert(text[token.start as usize..token.end as usize].to_owned());
        } else if token.kind == TokenKind::Keyword(Keyword::Extends) {
            in_extends = true;
        } else if token.kind != TokenKind::Comma {
            in_extends = false;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{has_word, modules_needed};

    #[test]
    fn words_are_whole() {
        assert!(has_word("a /\\ Init", "Init") && has_word("Init", "Init") && has_word("(Init)", "Init"));
        assert!(!has_word("InitAll", "Init") && !has_word("MyInit", "Init") && !has_word("", "Init"));
    }

    #[test]
    fn needed_modules_are_those_behind_extends_and_instance() {
        let text =
            "---- MODULE M ----\nEXTENDS A, B\nLOCAL INSTANCE C\nI == INSTANCE D WITH x <- y\nE == 1\n====";
        assert_eq!(modules_needed(text).into_iter().collect::<Vec<_>>(), ["A", "B", "C", "D"]);
    }
}
