//! Files that a command writes for its user to begin with.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use diag::{Code, Diagnostic, SourceMap};

use crate::check::cannot_write;
use crate::console::{Console, Stream};
use crate::exit::Stop;

/// Reads the name of a module: letters, digits and `_`, with a letter.
pub fn parse_module_name(text: &str) -> Result<String, String> {
    let is_name = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let has_letter = text.chars().any(|c| c.is_ascii_alphabetic());
    match is_name && has_letter && !text.starts_with("WF_") && !text.starts_with("SF_") {
        true => Ok(text.to_owned()),
        false => Err("the name of a module has letters, digits and `_`".to_owned()),
    }
}

/// Writes files into a folder, and says which; all or nothing, and none of the user's is written over.
pub fn write(folder: &Path, files: &[(String, String)], console: &Console) -> Result<(), Stop> {
    if let Some((taken, _)) = files.iter().find(|(file, _)| folder.join(file).exists()) {
        let headline =
            format!("`{}` is there already, and nothing was written", folder.join(taken).display());
        let told =
            Diagnostic::without_place(Code::CannotWrite, headline).help("name another folder with --folder");
        return Err(console.refuse(&SourceMap::new(), &told));
    }
    for (file, text) in files {
        let path = folder.join(file);
        if let Err(error) = write_one(&path, text) {
            return Err(console.refuse(&SourceMap::new(), &cannot_write(&path, &error.to_string())));
        }
        console.line(Stream::Out, &format!("wrote {}", path.display()))?;
    }
    Ok(())
}

fn write_one(path: &Path, text: &str) -> io::Result<()> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    File::create_new(path)?.write_all(text.as_bytes())
}

/// Returns a `specline.toml` with one model.
pub fn project(name: &str) -> String {
    format!("[test]\ntime = \"60s\"\n\n[[test.model]]\nspec = \"{name}.tla\"\nexpect = \"ok\"\n")
}

#[cfg(test)]
mod tests {
    use super::parse_module_name;

    #[test]
    fn a_name_is_one_of_a_module() {
        for right in ["Lock", "Two_2", "2a"] {
            assert!(parse_module_name(right).is_ok(), "{right}");
        }
        for wrong in ["", "a b", "../x", "12", "WF_x", "a-b"] {
            assert!(parse_module_name(wrong).is_err(), "{wrong}");
        }
    }
}
