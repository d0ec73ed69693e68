//! Reading what is not a module: configurations; and writing a file in the place of an older one.

use std::io::{self, Write};
use std::path::Path;

use diag::{Code, Diagnostic, SourceId, SourceMap, Span};
use sema::{DiskFiles, FileSystem};
use syntax::decode::NotUtf8;

/// Reads the text of `path` into `sources`.
pub fn read_text(path: &Path, sources: &mut SourceMap) -> Result<SourceId, Box<Diagnostic>> {
    read_text_by(path, sources, |bytes| {
        String::from_utf8(bytes).map_err(|error| {
            let n_good = error.utf8_error().valid_up_to();
            NotUtf8 { good: String::from_utf8_lossy(&error.as_bytes()[..n_good]).into_owned() }
        })
    })
}

/// Reads the text of a file into `sources`, decoded by `decode`.
pub fn read_text_by(
    path: &Path,
    sources: &mut SourceMap,
    decode: impl Fn(Vec<u8>) -> Result<String, NotUtf8>,
) -> Result<SourceId, Box<Diagnostic>> {
    let name = path.display().to_string();
    let bytes = DiskFiles.read(path).map_err(|error| {
        Box::new(Diagnostic::without_place(Code::CannotRead, format!("cannot read `{name}`: {error}")))
    })?;
    if bytes.len() > SourceMap::MAX_BYTES {
        let headline = format!("`{name}` has {} bytes, too many to read", bytes.len());
        return Err(Box::new(Diagnostic::without_place(Code::TooLarge, headline)));
    }
    match decode(bytes) {
        Ok(text) => Ok(sources.add(name, text)),
        Err(NotUtf8 { good }) => {
            let end = good.len();
            let headline = format!("`{name}` is not UTF-8: byte {end} does not start a character");
            // The text up to the first bad byte is kept, so that the message can point.
            let source = sources.add(name, good);
            Err(Box::new(Diagnostic::new(Code::NotUtf8, Span::new(source, end..end), headline)))
        }
    }
}

/// Writes `text` to `path`: either all of it is there afterwards, or what was there before. Permissions stay, and a link still
/// leads to the file.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let new = target.with_file_name(name);
    let written = write_beside(&new, &target, text).and_then(|()| std::fs::rename(&new, &target));
    if written.is_err() {
        // Whether the beginning of a file can be removed changes nothing about the error.
        let _ = std::fs::remove_file(&new);
    }
    written
}

fn write_beside(new: &Path, old: &Path, text: &str) -> io::Result<()> {
    let mut file = std::fs::File::create(new)?;
    if let Ok(metadata) = old.metadata() {
        file.set_permissions(metadata.permissions())?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
