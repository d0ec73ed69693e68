//! `specline parse`: reads files and says whether they are well-formed specifications.

use std::io;
use std::path::Path;

use base::Names;
use diag::{Diagnostics, SourceFile};
use sema::{DiskFiles, LoadOptions, Loaded, Spec};
use syntax::ast::File;

use crate::args::EmitArg;
use crate::console::Console;
use crate::exit::Ending;
use crate::settings::{Input, ParseJob};
use crate::verdicts::{Contents, Reporter};

pub fn run(job: &ParseJob, console: &Console) -> io::Result<Ending> {
    let mut reporter = match Reporter::new(console, &job.input, job.emit.is_some())? {
        Ok(reporter) => reporter,
        Err(ending) => return Ok(ending),
    };
    for path in &job.input.files {
        let Loaded { spec, diagnostics } = load(path, &job.input);
        if let Some(emitted) = job.emit.and_then(|what| emit(what, &spec, &diagnostics)) {
            reporter.emit(&emitted)?;
        }
        reporter.file(path, &spec.sources, diagnostics, Contents::of(&spec));
    }
    reporter.finish()
}

/// Loads the file `path` as `input` says.
pub fn load(path: &Path, input: &Input) -> Loaded {
    let options = LoadOptions { library: input.libraries.clone(), ..LoadOptions::default() };
    sema::load(path, &options, &DiskFiles)
}

/// What `--emit` asks for. Nothing for a file with errors, but a syntax tree needs only the syntax to be
/// right.
fn emit(what: EmitArg, spec: &Spec, diagnostics: &Diagnostics) -> Option<String> {
    match what {
        EmitArg::Ast => syntax_tree(spec, |tree, names, _| syntax::dump(tree, names)),
        EmitArg::AstJson => syntax_tree(spec, syntax::dump_json),
        EmitArg::Spec => (!diagnostics.has_errors()).then(|| sema::dump_spec(spec)),
        EmitArg::Json => (!diagnostics.has_errors()).then(|| sema::dump_spec_json(spec)),
    }
}

/// The tree of the file that was asked for, which is the first source. It is parsed once more, because
/// loading keeps meanings and not trees.
fn syntax_tree(spec: &Spec, dump: impl Fn(&File, &Names, &SourceFile) -> String) -> Option<String> {
    let source = spec.sources.ids().next()?;
    let text = spec.sources.file(source);
    let mut names = Names::new();
    let parsed = syntax::parse_file(source, text.text(), &mut names);
    (!parsed.diagnostics.has_errors()).then(|| dump(&parsed.tree, &names, text))
}
