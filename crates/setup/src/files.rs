//! Reading what is not a module: configurations.

use std::path::Path;

use diag::{Code, Diagnostic, SourceId, SourceMap, Span};
use sema::{DiskFiles, FileSystem};

/// Reads the text of `path` into `sources`.
pub fn read_text(path: &Path, sources: &mut SourceMap) -> Result<SourceId, Box<Diagnostic>> {
    let name = path.display().to_string();
    let bytes = DiskFiles.read(path).map_err(|error| {
        Box::new(Diagnostic::without_place(Code::CannotRead, format!("cannot read `{name}`: {error}")))
    })?;
    if bytes.len() > SourceMap::MAX_BYTES {
        let headline = format!("`{name}` has {} bytes, too many to read", bytes.len());
        return Err(Box::new(Diagnostic::without_place(Code::TooLarge, headline)));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(sources.add(name, text)),
        Err(error) => {
            let good = error.utf8_error().valid_up_to();
            let headline = format!("`{name}` is not UTF-8: byte {good} does not start a character");
            // The text up to the first bad byte is kept, so that the message can point.
            let source = sources.add(name, String::from_utf8_lossy(&error.as_bytes()[..good]));
            Err(Box::new(Diagnostic::new(Code::NotUtf8, Span::new(source, good..good), headline)))
        }
    }
}
