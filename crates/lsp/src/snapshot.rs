//! The state of the editor at one moment: open texts, folders, and what the editor can do.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::FxIndexMap;
use lsp_types::{Location, Position, TextDocumentContentChangeEvent, Url};

use crate::files::Stamp;
use crate::lines::{Encoding, Lines};

/// The kind of text that a file has, by its ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextKind {
    Module,
    Config,
    Other,
}

impl TextKind {
    pub fn of(path: &Path) -> TextKind {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("tla") => TextKind::Module,
            Some("cfg") => TextKind::Config,
            Some(_) | None => TextKind::Other,
        }
    }
}

/// An open text.
#[derive(Clone, Debug)]
pub struct Document {
    pub url: Url,
    pub path: PathBuf,
    pub kind: TextKind,
    pub version: i32,
    pub text: Arc<str>,
    pub lines: Lines,
    /// Another one after each change, and never used again.
    pub stamp: u64,
}

impl Document {
    pub fn new(url: Url, text: Arc<str>, (version, stamp): (i32, u64), encoding: Encoding) -> Document {
        let path = path_of(&url);
        let kind = TextKind::of(&path);
        let lines = Lines::new(&text, encoding);
        Document { url, path, kind, version, text, lines, stamp }
    }

    pub fn offset(&self, position: Position) -> usize {
        self.lines.offset(&self.text, position)
    }

    pub fn range(&self, range: std::ops::Range<usize>) -> lsp_types::Range {
        self.lines.range(&self.text, range)
    }

    /// Applies changes as the editor sends them, in order.
    pub fn change(
        &self,
        changes: Vec<TextDocumentContentChangeEvent>,
        version: i32,
        (stamp, encoding): (u64, Encoding),
    ) -> Document {
        let mut text = self.text.to_string();
        let mut lines = self.lines.clone();
        for change in changes {
            match change.range {
                Some(range) => text.replace_range(lines.bytes(&text, range), &change.text),
                None => text = change.text,
            }
            lines = Lines::new(&text, encoding);
        }
        Document { version, stamp, text: text.into(), lines, ..self.clone() }
    }
}

/// The path of a file, or a path that no file has for texts that are somewhere else.
pub fn path_of(url: &Url) -> PathBuf {
    match url.to_file_path() {
        Ok(path) => path,
        Err(()) => PathBuf::from(format!("/{}:", url.scheme())).join(url.path().trim_start_matches('/')),
    }
}

/// Abilities of the client that answers depend on.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClientAbilities {
    pub snippets: bool,
    pub label_details: bool,
    pub hierarchical_symbols: bool,
    pub progress: bool,
    pub lens_refresh: bool,
    pub watches_files: bool,
}

/// The state of the editor at one moment. Requests are answered from the one in which they were made.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The open texts by their paths, in the order in which they were opened.
    pub documents: FxIndexMap<PathBuf, Arc<Document>>,
    pub folders: Vec<PathBuf>,
    /// Folders in which modules are looked for besides that of each module.
    pub libraries: Vec<PathBuf>,
    pub encoding: Encoding,
    pub abilities: ClientAbilities,
    /// The folder with texts of the modules that come with Specline, for the editor to open.
    pub embedded_folder: Option<PathBuf>,
    /// Grows with every change.
    pub revision: u64,
}

impl Snapshot {
    pub fn document(&self, url: &Url) -> Option<&Arc<Document>> {
        self.documents.get(&path_of(url))
    }

    pub fn stamp_of(&self, path: &Path) -> Stamp {
        match self.documents.get(path) {
            Some(document) => Stamp::Open(document.stamp),
            None => Stamp::of_disk(path),
        }
    }

    /// Whether a path lies in the folder with the modules that come with Specline.
    pub fn is_embedded(&self, path: &Path) -> bool {
        self.embedded_folder.as_ref().is_some_and(|folder| path.starts_with(folder))
    }

    pub fn url_of(&self, path: &Path) -> Option<Url> {
        match self.documents.get(path) {
            Some(document) => Some(document.url.clone()),
            None => Url::from_file_path(path).ok(),
        }
    }

    /// A place in a text that may be open or not.
    pub fn location(&self, path: &Path, text: &str, range: std::ops::Range<usize>) -> Option<Location> {
        let lines = Lines::new(text, self.encoding);
        Some(Location { uri: self.url_of(path)?, range: lines.range(text, range) })
    }
}

#[cfg(test)]
mod tests {
    use lsp_types::{Position, Range, TextDocumentContentChangeEvent, Url};

    use super::{Document, Encoding, TextKind};

    #[test]
    fn changes_are_applied_one_after_the_other() {
        let url = Url::parse("file:///a/M.tla").expect("it is an address");
        let document = Document::new(url, "one\ntwo\n".into(), (1, 1), Encoding::Utf16);
        assert_eq!(document.kind, TextKind::Module);
        let insert = |line, character, text: &str| TextDocumentContentChangeEvent {
            range: Some(Range::new(Position::new(line, character), Position::new(line, character))),
            range_length: None,
            text: text.to_owned(),
        };
        let changes = vec![insert(0, 3, "\nand"), insert(1, 3, " a half"), insert(9, 9, "three")];
        let changed = document.change(changes, 2, (2, Encoding::Utf16));
        assert_eq!(&*changed.text, "one\nand a half\ntwo\nthree");
        let range = Some(Range::new(Position::new(2, 1), Position::new(1, 0)));
        let backwards = TextDocumentContentChangeEvent { range, range_length: None, text: "X".to_owned() };
        let changed = changed.change(vec![backwards], 3, (3, Encoding::Utf16));
        assert!(changed.text.contains('X'), "a range that ends before it begins does no harm");
    }

    #[test]
    fn texts_that_are_no_files_have_paths_of_their_own() {
        let url = Url::parse("untitled:Untitled-1").expect("it is an address");
        assert_eq!(super::path_of(&url), std::path::Path::new("/untitled:/Untitled-1"));
    }
}
