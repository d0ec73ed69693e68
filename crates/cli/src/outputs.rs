//! Files that a run writes: no two of them are the same, and none is one that it reads.

use std::path::{Path, PathBuf};

use diag::{Code, Diagnostic};

/// Two of the files that a run writes that are one, or one that it also reads.
pub fn clash(written: &[(&str, impl AsRef<Path>)], read: &[(&str, impl AsRef<Path>)]) -> Option<Diagnostic> {
    for (at, (name, path)) in written.iter().enumerate() {
        let (path, file) = (path.as_ref().display(), resolved(path.as_ref()));
        let is_it = |known: &Path| resolved(known) == file;
        if let Some((other, _)) = written[..at].iter().find(|(_, known)| is_it(known.as_ref())) {
            return Some(told(format!("`{other}` and `{name}` both write `{path}`")));
        }
        if let Some((what, _)) = read.iter().find(|(_, known)| is_it(known.as_ref())) {
            return Some(told(format!("`{name}` would write over {what}, `{path}`")));
        }
    }
    None
}

fn told(headline: String) -> Diagnostic {
    Diagnostic::without_place(Code::OutputTwice, headline).help("give each a file of its own")
}

/// The file itself, links followed; of one that is not there yet, its folder.
fn resolved(path: &Path) -> PathBuf {
    if let Ok(found) = path.canonicalize() {
        return found;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        (Ok(_) | Err(_), _) => path.to_owned(),
    }
}
