//! `specline fmt`: modules in one style.

use std::io::{self, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use ::fmt::{Formatted, Options, Unreadable, format};
use clap::Args;
use diag::{Code, Diagnostic, SourceMap};
use setup::files;

use crate::args::{QuietArgs, module_path};
use crate::commands::Run;
use crate::console::{Console, Stream};
use crate::environment::Environment;
use crate::exit::{Ending, Stop};

#[derive(Args, Debug)]
pub struct FmtArgs {
    #[command(flatten)]
    pub quiet: QuietArgs,

    /// Modules, and folders with modules; `-` reads standard input and writes standard output
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Write nothing, and say which modules are not in this style: then the exit code is 23
    #[arg(long)]
    pub check: bool,

    /// Show what would change, and write nothing
    #[arg(long)]
    pub diff: bool,

    /// Write the modules to standard output, and leave the files as they are
    #[arg(long, conflicts_with_all = ["check", "diff"])]
    pub stdout: bool,

    /// Format only what has one of these lines, counted from 1: `10:20`; may be repeated
    #[arg(long = "range", value_name = "FIRST:LAST", value_parser = parse_range)]
    pub ranges: Vec<RangeInclusive<usize>>,
}

/// Reads `FIRST:LAST`, or one line.
fn parse_range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    let line = |text: &str| text.parse().ok().filter(|&line: &usize| line > 0);
    match (line(first), line(last)) {
        (Some(first), Some(last)) if first <= last => Ok(first..=last),
        _ => Err("expected two numbers of lines, such as `10:20`".to_owned()),
    }
}

impl Run for FmtArgs {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        let formatter = Formatter { options: Options { ranges: self.ranges.clone() }, args: &self, console };
        let mut ending = Ending::Ok;
        for path in &self.files {
            ending = ending.max(formatter.path(path)?);
        }
        Ok(ending)
    }
}

/// Formats files, and says what came of each.
struct Formatter<'a> {
    args: &'a FmtArgs,
    options: Options,
    console: &'a Console,
}

impl Formatter<'_> {
    fn path(&self, path: &Path) -> Result<Ending, Stop> {
        if path == Path::new("-") {
            return self.standard_input();
        }
        let path = &module_path(path.to_path_buf());
        if !path.is_dir() {
            return self.file(path);
        }
        let mut found = Vec::new();
        modules_below(path, &mut found)?;
        let mut ending = Ending::Ok;
        for file in &found {
            ending = ending.max(self.file(file)?);
        }
        Ok(ending)
    }

    fn standard_input(&self) -> Result<Ending, Stop> {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text)?;
        match format("standard input", &text, &self.options) {
            Ok(formatted) => {
                let ending = self.compare(Path::new("standard input"), &text, &formatted)?;
                if !self.args.check && !self.args.diff {
                    self.console.write(Stream::Out, &formatted.text)?;
                }
                Ok(ending)
            }
            Err(unreadable) => self.unreadable(&unreadable),
        }
    }

    fn file(&self, path: &Path) -> Result<Ending, Stop> {
        let mut sources = SourceMap::new();
        let text = match files::read_text(path, &mut sources) {
            Ok(source) => sources.file(source).text().clone(),
            Err(wrong) => {
                self.console.draw(Stream::Err, &sources, &wrong)?;
                return Ok(Ending::of(&wrong, false));
            }
        };
        let formatted = match format(&path.display().to_string(), &text, &self.options) {
            Ok(formatted) => formatted,
            Err(unreadable) => return self.unreadable(&unreadable),
        };
        let ending = self.compare(path, &text, &formatted)?;
        if self.args.stdout {
            self.console.write(Stream::Out, &formatted.text)?;
        } else if !self.args.check && !self.args.diff && formatted.text != *text {
            if let Err(error) = files::replace(path, &formatted.text) {
                let headline = format!("cannot write `{}`: {error}", path.display());
                let wrong = Diagnostic::without_place(Code::CannotWrite, headline);
                self.console.draw(Stream::Err, &SourceMap::new(), &wrong)?;
                return Ok(Ending::of(&wrong, false));
            }
            self.tell(&format!("{}: formatted", path.display()))?;
        }
        Ok(ending)
    }

    /// Says how the new text differs, and which units were left alone.
    fn compare(&self, path: &Path, text: &str, formatted: &Formatted) -> Result<Ending, Stop> {
        let name = path.display();
        for lines in &formatted.left_alone {
            let line = lines.start();
            let told = format!(
                "{name}:{line}: left as it is, since its columns carry meaning that a new layout would change"
            );
            self.console.line(Stream::Err, &told)?;
        }
        if formatted.text == text {
            return Ok(Ending::Ok);
        }
        if self.args.diff {
            let diff = similar::TextDiff::from_lines(text, formatted.text.as_str());
            let header = (name.to_string(), name.to_string());
            self.console.write(Stream::Out, &diff.unified_diff().header(&header.0, &header.1).to_string())?;
        } else if self.args.check {
            self.tell(&format!("{name}: not in this style"))?;
        }
        Ok(if self.args.check { Ending::Different } else { Ending::Ok })
    }

    fn unreadable(&self, unreadable: &Unreadable) -> Result<Ending, Stop> {
        let mut ending = Ending::Ok;
        for diagnostic in unreadable.diagnostics.iter() {
            self.console.draw(Stream::Err, &unreadable.sources, diagnostic)?;
            ending = ending.max(Ending::of(diagnostic, false));
        }
        Ok(ending)
    }

    /// Tells a person what came of a file. Standard output belongs to the text, if that is asked for.
    fn tell(&self, text: &str) -> Result<(), Stop> {
        let stream = if self.args.stdout { Stream::Err } else { Stream::Out };
        if !self.args.quiet.quiet {
            self.console.line(stream, text)?;
        }
        Ok(())
    }
}

/// Finds the modules below a folder, in the order of their names. Hidden folders and links are left out.
fn modules_below(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type()?);
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if kind.is_dir() && !is_hidden {
            modules_below(&path, found)?;
        } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "tla") {
            found.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::parse_range;

    #[test]
    fn a_range_is_two_lines() {
        assert_eq!(parse_range("3:7"), Ok(3..=7));
        assert_eq!(parse_range("4"), Ok(4..=4));
        for wrong in ["7:3", "0:1", "a", ":", "1:"] {
            assert!(parse_range(wrong).is_err(), "{wrong}");
        }
    }
}
