//! `cargo xtask tidy`: checks the rules of the repository that neither compiler nor linter knows.
//!
//! Each rule is a function from texts to complaints, tested on a bad sample. It also runs as a test.

mod codes;
mod contract;
mod crates;
mod markdown;
mod modules;
mod rust;
mod text;

use anyhow::Result;

use crate::{run, walk};

/// A file of the repository. Paths are relative to the root and use `/`.
#[derive(Debug)]
struct TrackedFile {
    path: String,
    text: String,
}

impl TrackedFile {
    fn has_extension(&self, extension: &str) -> bool {
        self.path.rsplit_once('.').is_some_and(|(_, found)| found == extension)
    }
}

/// A violation of a rule, with its place.
#[derive(Debug, PartialEq, Eq)]
struct Complaint {
    path: String,
    /// The line, counted from 1; `None` for the file as a whole.
    line: Option<usize>,
    text: String,
}

impl Complaint {
    fn file(path: &str, text: impl Into<String>) -> Self {
        Complaint { path: path.to_owned(), line: None, text: text.into() }
    }

    /// Creates a complaint about a line; `index` counts from 0.
    fn line(path: &str, index: usize, text: impl Into<String>) -> Self {
        Complaint { path: path.to_owned(), line: Some(index + 1), text: text.into() }
    }
}

impl std::fmt::Display for Complaint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path, self.text),
            None => write!(f, "{}: {}", self.path, self.text),
        }
    }
}

/// Prints the complaints; returns whether there are none.
pub fn run() -> Result<bool> {
    let complaints = check()?;
    for complaint in &complaints {
        println!("{complaint}");
    }
    match complaints.len() {
        0 => println!("tidy"),
        n => println!("{n} complaints"),
    }
    Ok(complaints.is_empty())
}

fn check() -> Result<Vec<Complaint>> {
    let paths = tracked_paths();
    let files = read_texts(&paths);
    let mut complaints = Vec::new();
    for file in &files {
        complaints.extend(rust::check(file));
        complaints.extend(text::check(file));
        complaints.extend(markdown::check(file, &paths));
    }
    complaints.extend(codes::check(diag::Code::ALL, &files));
    complaints.extend(contract::check(&files));
    complaints.extend(modules::check(&files));
    complaints.extend(crates::check(&crates::read_metadata()?, &paths));
    Ok(complaints)
}

/// Returns every file that git knows and that exists; in a copy without git, every file.
fn tracked_paths() -> Vec<String> {
    let paths: Vec<String> = match run::read("git", &["ls-files", "-z"]) {
        Ok(listed) => listed.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect(),
        Err(_) => {
            let files = walk::files(run::root(), &["target"]);
            let relative = files.iter().filter_map(|path| path.strip_prefix(run::root()).ok());
            relative.map(|path| path.to_string_lossy().replace('\\', "/")).collect()
        }
    };
    paths.into_iter().filter(|path| run::root().join(path).is_file()).collect()
}

/// Reads the files that contain text; the others have no rules.
fn read_texts(paths: &[String]) -> Vec<TrackedFile> {
    let read = |path: &String| {
        let text = std::fs::read_to_string(run::root().join(path)).ok()?;
        Some(TrackedFile { path: path.clone(), text })
    };
    paths.iter().filter_map(read).collect()
}

#[cfg(test)]
fn sample(path: &str, text: &str) -> TrackedFile {
    TrackedFile { path: path.to_owned(), text: text.to_owned() }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_repository_is_tidy() {
        let complaints = super::check().unwrap();
        let lines: Vec<String> = complaints.iter().map(ToString::to_string).collect();
        assert!(lines.is_empty(), "\n{}", lines.join("\n"));
    }
}
