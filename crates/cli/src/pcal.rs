//! `specline pcal`: PlusCal algorithms translated to TLA+, in the modules in which they stand.

use std::path::{Path, PathBuf};

use ::pcal::{AddedLabel, FairnessOption, Options, Status, Translation};
use clap::{Args, ValueEnum};
use diag::{Code, Diagnostic, SourceId, SourceMap, render};
use setup::files;

use crate::args::{FormatArg, QuietArgs, module_parser};
use crate::commands::Run;
use crate::console::{Console, Stream};
use crate::environment::Environment;
use crate::exit::{Ending, Stop};

#[derive(Args, Debug)]
pub struct PcalArgs {
    #[command(flatten)]
    pub quiet: QuietArgs,

    /// Modules with a PlusCal algorithm; their `.tla` may be left out
    #[arg(required = true, value_name = "FILE", value_parser = module_parser())]
    pub files: Vec<PathBuf>,

    /// Write nothing, and say which translations are missing or out of date: then the exit code is 23
    #[arg(long, conflicts_with = "stdout")]
    pub check: bool,

    /// Write the module with its translation to standard output, and leave the file as it is
    #[arg(long)]
    pub stdout: bool,

    /// Fairness of each process, or of the whole: what pcal.trans calls -wf, -sf, -wfNext and -nof
    #[arg(long, value_enum, value_name = "WHICH")]
    pub fairness: Option<FairnessArg>,

    /// Add missing labels
    #[arg(long)]
    pub label: bool,

    /// The beginning of added labels
    #[arg(long, value_name = "NAME", default_value = "Lbl_")]
    pub label_root: String,

    /// The width of lines of the translation, at least 60
    #[arg(long, value_name = "COLUMNS", default_value = "78")]
    pub line_width: String,

    /// Make fairness a part of `Spec`, so that `Termination` can hold
    #[arg(long)]
    pub termination: bool,

    /// Add no step for what has ended, so that the end of all processes is a deadlock
    #[arg(long)]
    pub no_done_disjunct: bool,

    /// How diagnostics are written
    #[arg(long, alias = "message-format", value_enum, value_name = "FORMAT", default_value_t = FormatArg::Text)]
    pub format: FormatArg,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum FairnessArg {
    /// Weak fairness of each process
    Wf,
    /// Strong fairness of each process
    Sf,
    /// Weak fairness of `Next`
    WfNext,
    /// No fairness
    None,
}

impl PcalArgs {
    fn options(&self) -> Result<Options, Box<Diagnostic>> {
        let mut options = Options {
            fairness: self.fairness.map(|fairness| match fairness {
                FairnessArg::Wf => FairnessOption::Weak,
                FairnessArg::Sf => FairnessOption::Strong,
                FairnessArg::WfNext => FairnessOption::WeakNext,
                FairnessArg::None => FairnessOption::None,
            }),
            termination: self.termination,
            no_done_disjunct: self.no_done_disjunct,
            adds_labels: self.label,
            ..Options::default()
        };
        for (name, value) in [("labelRoot", &self.label_root), ("lineWidth", &self.line_width)] {
            options
                .set(name, Some(value))
                .map_err(|headline| Box::new(Diagnostic::without_place(Code::PcalOption, headline)))?;
        }
        Ok(options)
    }
}

impl Run for PcalArgs {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        let options = self.options().map_err(|wrong| console.refuse(&SourceMap::new(), &wrong))?;
        let translator = Translator { args: &self, options, console };
        let mut ending = Ending::Ok;
        for path in &self.files {
            ending = ending.max(translator.file(path)?);
        }
        Ok(ending)
    }
}

/// Translates files, and says what came of each.
struct Translator<'a> {
    args: &'a PcalArgs,
    options: Options,
    console: &'a Console,
}

impl Translator<'_> {
    fn file(&self, path: &Path) -> Result<Ending, Stop> {
        let mut sources = SourceMap::new();
        let source = match files::read_text(path, &mut sources) {
            Ok(source) => source,
            Err(wrong) => return self.wrong(&sources, &wrong),
        };
        match self.args.check {
            true => self.check(path, &sources, source),
            false => self.translate(path, &sources, source),
        }
    }

    fn wrong(&self, sources: &SourceMap, wrong: &Diagnostic) -> Result<Ending, Stop> {
        match self.args.format {
            FormatArg::Text => self.console.draw(Stream::Err, sources, wrong)?,
            FormatArg::Concise => self.console.line(Stream::Err, &render::concise(sources, wrong))?,
            FormatArg::Json => self.console.line(Stream::Out, &render::json(sources, wrong))?,
        }
        Ok(Ending::of(wrong, false))
    }

    fn no_algorithm(&self, path: &Path, sources: &SourceMap) -> Result<Ending, Stop> {
        let headline = format!("`{}` has no PlusCal algorithm", path.display());
        let wrong = Diagnostic::without_place(Code::PcalMarks, headline).help(
            "an algorithm stands in a comment and begins with `--algorithm NAME` or `--fair algorithm NAME`",
        );
        self.wrong(sources, &wrong)
    }

    /// Tells a person what came of a file. Standard output belongs to what is asked for with `--stdout`.
    fn tell(&self, path: &Path, text: &str) -> Result<(), Stop> {
        if self.args.quiet.quiet || self.args.format == FormatArg::Json {
            return Ok(());
        }
        let stream = if self.args.stdout { Stream::Err } else { Stream::Out };
        Ok(self.console.line(stream, &format!("{}: {text}", path.display()))?)
    }

    fn check(&self, path: &Path, sources: &SourceMap, source: SourceId) -> Result<Ending, Stop> {
        let text = sources.file(source).text();
        let status = match ::pcal::status(text, source, &self.options) {
            Ok(status) => status,
            Err(wrong) => return self.wrong(sources, &wrong),
        };
        let stale = |place, headline: &str| {
            let wrong = Diagnostic::new(Code::StaleTranslation, place, headline);
            self.wrong(sources, &wrong.help("run `specline pcal`"))
        };
        match status {
            Status::NoAlgorithm => return self.no_algorithm(path, sources),
            Status::Fresh => {
                self.tell(path, "the translation is up to date")?;
                return Ok(Ending::Ok);
            }
            Status::Missing => {
                let headline = format!("the algorithm in `{}` has no translation", path.display());
                let wrong = Diagnostic::without_place(Code::StaleTranslation, headline);
                self.wrong(sources, &wrong.help("run `specline pcal`"))?
            }
            Status::Edited(place) => stale(place, "the translation was edited after it was made")?,
            Status::Stale(place) => stale(place, "the algorithm was edited after the translation was made")?,
            Status::Different(place) => stale(place, "the translation is not that of the algorithm")?,
        };
        Ok(Ending::Different)
    }

    fn translate(&self, path: &Path, sources: &SourceMap, source: SourceId) -> Result<Ending, Stop> {
        let text = sources.file(source).text();
        let translation = match ::pcal::translate(text, source, &self.options) {
            Ok(Some(translation)) => translation,
            Ok(None) => return self.no_algorithm(path, sources),
            Err(wrong) => return self.wrong(sources, &wrong),
        };
        if self.args.stdout {
            self.console.write(Stream::Out, &translation.module)?;
        } else if translation.module != **text
            && let Err(error) = files::replace(path, &translation.module)
        {
            let headline = format!("cannot write `{}`: {error}", path.display());
            return self.wrong(sources, &Diagnostic::without_place(Code::CannotWrite, headline));
        }
        self.tell_about(path, &translation, **text == translation.module)?;
        Ok(Ending::Ok)
    }

    fn tell_about(&self, path: &Path, translation: &Translation, is_same: bool) -> Result<(), Stop> {
        let n_lines = translation.lines.len();
        self.tell(
            path,
            &match (is_same, self.args.stdout) {
                (true, false) => "the translation was up to date".to_owned(),
                (_, _) => format!("translated, {n_lines} lines"),
            },
        )?;
        if !translation.added_labels.is_empty() {
            let place = |added: &AddedLabel| format!("`{}` at {}", added.label, added.at.words());
            let places: Vec<String> = translation.added_labels.iter().map(place).collect();
            self.tell(path, &format!("added labels: {}", places.join(", ")))?;
        }
        if translation.has_default {
            self.tell(path, "the configuration needs `CONSTANT defaultInitValue = defaultInitValue`")?;
        }
        if translation.checks_termination {
            self.tell(path, "the configuration checks it with `PROPERTY Termination`")?;
        }
        Ok(())
    }
}
