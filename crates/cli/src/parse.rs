//! `specline parse`: reads files and says whether they are well-formed specifications.

use std::path::Path;

use base::Names;
use clap::{Args, ValueEnum};
use diag::{Diagnostics, SourceFile};
use sema::{DiskFiles, LoadOptions, Loaded, Spec};
use setup::composition;
use syntax::ast::File;

use crate::args::InputArgs;
use crate::commands::Run;
use crate::console::Console;
use crate::environment::Environment;
use crate::exit::{Ending, Stop};
use crate::verdicts::{Contents, Input, Reporter};

#[derive(Args, Debug)]
pub struct ParseArgs {
    #[command(flatten)]
    pub input: InputArgs,

    /// Write this to standard output in place of the verdicts
    #[arg(long, value_enum, value_name = "WHAT")]
    pub emit: Option<EmitArg>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum EmitArg {
    /// The syntax tree of FILE, as nested lists
    Ast,
    /// The syntax tree as JSON
    AstJson,
    /// The resolved specification, as nested lists
    Spec,
    /// The resolved specification as JSON
    Json,
}

impl Run for ParseArgs {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        parse(&self.input.into(), self.emit, console)
    }
}

fn parse(input: &Input, what: Option<EmitArg>, console: &Console) -> Result<Ending, Stop> {
    let mut reporter = Reporter::new(console, input, what.is_some())?;
    for path in &input.files {
        let Loaded { spec, diagnostics } = load(path, input);
        if let Some(emitted) = what.and_then(|what| emit(what, &spec, &diagnostics)) {
            reporter.emit(&emitted)?;
        }
        reporter.file(path, &spec.sources, diagnostics, Contents::of(&spec));
    }
    Ok(reporter.finish()?)
}

/// Loads the file `path` as `input` says.
pub fn load(path: &Path, input: &Input) -> Loaded {
    let options = LoadOptions { library: input.libraries.clone(), ..LoadOptions::default() };
    match composition::reference(path) {
        None => sema::load(path, &options, &DiskFiles),
        Some((file, name)) => {
            let composed = composition::read(&file, &name, (&options, &[]));
            Loaded { spec: composed.spec, diagnostics: composed.diagnostics }
        }
    }
}

/// Returns the text that `--emit` asks for. A file with errors has none, but a syntax tree needs only the syntax to be
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
