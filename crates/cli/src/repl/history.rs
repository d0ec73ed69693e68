//! Lines of earlier sessions, in a file of the user's cache.

use std::path::{Path, PathBuf};

use crate::environment::StagePlace;

/// Number of lines that are kept.
const LINES_MAX: usize = 1000;

/// The lines of earlier sessions, and those of this one.
pub struct History {
    path: PathBuf,
    lines: Vec<String>,
    n_old: usize,
}

impl History {
    /// Reads the lines of earlier sessions; there are none if the file cannot be read.
    pub fn read(name: &str) -> History {
        let path = StagePlace::read().cache.join(name);
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        History { path, n_old: lines.len(), lines }
    }

    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.lines.iter().cloned()
    }

    pub fn add(&mut self, line: &str) {
        if !line.trim().is_empty() && self.lines.last().is_none_or(|last| last != line) {
            self.lines.push(line.to_owned());
        }
    }

    /// Writes the lines. A session is not worth less because its lines cannot be kept: then nothing happens.
    pub fn write(&self) {
        if self.lines.len() == self.n_old {
            return;
        }
        let from = self.lines.len().saturating_sub(LINES_MAX);
        let text: String = self.lines[from..].iter().map(|line| format!("{line}\n")).collect();
        let _ = self.path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let _ = std::fs::write(Path::new(&self.path), text);
    }
}
