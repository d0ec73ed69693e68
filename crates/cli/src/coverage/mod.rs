//! `--coverage` and the files beside it: what was counted as a report, as JSON, and written where it is to be kept.
//! `docs/coverage.md` is the user's copy.

pub mod args;
pub mod command;
pub mod text;

use std::io;

use diag::{SourceMap, Span};
use model::Outcome;
use report::coverage::{About, Action, Branch, Expression, Point, Report, Source, TextPlace};
use sema::Spec;
use serde_json::{Value, json};
use setup::ModelInput;

use crate::args::CoverageArgs;
use crate::check::cannot_write;
use crate::check::text::short as short_outcome;
use crate::console::{Console, Stream};
use crate::exit::Stop;
use crate::outputs;

/// Returns the counts with the texts of the modules that they are about.
pub fn report(spec: &Spec, counted: &model::Coverage) -> Report {
    let actions = counted.actions.iter().map(|action| Action {
        name: action.step_name.clone(),
        place: report_place(spec, action.span),
        tried: action.tried,
        possible: action.possible,
        generated: action.generated,
    });
    let branches = counted.branches.iter().map(|branch| Branch {
        kind: branch.kind,
        place: report_place(spec, branch.span),
        taken: branch.n_taken,
    });
    let expressions = counted.expressions.iter().map(|expression| Expression {
        place: report_place(spec, expression.span),
        definition: expression.definition.clone(),
        depth: 0,
        evaluated: expression.evaluated,
        trues: expression.trues,
        cost: expression.cost,
    });
    let report = Report {
        bounds: None,
        actions: actions.collect(),
        branches: branches.collect(),
        expressions: expressions.collect(),
        sources: sources(spec),
    };
    report.nest()
}

/// The files of the user's modules, each once.
fn sources(spec: &Spec) -> Vec<Source> {
    let mut ids: Vec<diag::SourceId> =
        spec.modules.iter().filter(|module| !module.embedded).map(|module| module.span.source).collect();
    ids.sort_unstable();
    ids.dedup();
    let source = |id| {
        let file = spec.sources.file(id);
        Source { file: file.name().to_owned(), text: file.text().to_string() }
    };
    ids.into_iter().map(source).collect()
}

pub fn report_place(spec: &Spec, span: Span) -> TextPlace {
    let file = spec.sources.file(span.source);
    let point = |offset: u32| {
        let position = file.position(offset);
        Point { line: position.line, column: position.column }
    };
    TextPlace { file: file.name().to_owned(), start: point(span.start), end: point(span.end) }
}

/// Returns the report as JSON.
pub fn json(report: &Report) -> Value {
    let mut object = json!(report);
    object["kind"] = json!("coverage");
    object["branches_taken"] = json!(report.n_taken());
    object
}

/// Returns a place as `Raft.tla:12:5`.
pub fn place(spec: &Spec, span: Span) -> String {
    report_place(spec, span).text()
}

/// The text of a place, in one line.
pub fn short(spec: &Spec, span: Span) -> String {
    report::coverage::shorten(spec.sources.text(span))
}

pub fn json_place(spec: &Spec, span: Span) -> Value {
    json!(report_place(spec, span))
}

/// The files of coverage that a run writes besides its answer.
#[derive(Clone, Copy)]
pub struct Files<'a> {
    args: &'a CoverageArgs,
    model: &'a ModelInput,
}

impl<'a> Files<'a> {
    /// Checks before a long run that every file can be written; reports it and stops if one cannot.
    pub fn new(args: &'a CoverageArgs, model: &'a ModelInput, console: &Console) -> Result<Files<'a>, Stop> {
        outputs::check(&args.files(), (model, &[]), console)?;
        Ok(Files { args, model })
    }

    /// Writes the files of a run, and returns whether all could be written. Clears `counted` unless
    /// `--coverage` asks for it in the answer.
    pub fn take(
        &self,
        spec: &Spec,
        counted: &mut Option<model::Coverage>,
        ending: RunEnding,
        console: &Console,
    ) -> io::Result<bool> {
        let is_written = match counted {
            Some(counted) => self.write(&[report(spec, counted)], ending, console)?,
            None => true,
        };
        if !self.args.coverage {
            *counted = None;
        }
        Ok(is_written)
    }

    /// Writes the files, reports those that cannot be written, and returns whether all could. The first
    /// report is the sum of the others.
    pub fn write(&self, reports: &[Report], ending: RunEnding, console: &Console) -> io::Result<bool> {
        let Some(all) = reports.first() else { return Ok(true) };
        let CoverageArgs { coverage_html, coverage_lcov, coverage_cobertura, .. } = self.args;
        let about = || about(self.model, ending);
        let texts = [
            coverage_html.as_ref().map(|path| (path, report::coverage::html(reports, &about()))),
            coverage_lcov.as_ref().map(|path| (path, report::coverage::lcov(all))),
            coverage_cobertura.as_ref().map(|path| (path, report::coverage::cobertura(all))),
        ];
        let mut is_written = true;
        for (path, text) in texts.into_iter().flatten() {
            if let Err(error) = std::fs::write(path, text) {
                is_written = false;
                console.draw(Stream::Err, &SourceMap::new(), &cannot_write(path, &error.to_string()))?;
            }
        }
        Ok(is_written)
    }
}

/// The page of one report.
pub fn page(report: &Report, model: &ModelInput, ending: RunEnding) -> String {
    report::coverage::html(std::slice::from_ref(report), &about(model, ending))
}

impl CoverageArgs {
    /// Whether anything is to be counted.
    pub fn is_wanted(&self) -> bool {
        self.coverage
            || [&self.coverage_html, &self.coverage_lcov, &self.coverage_cobertura]
                .iter()
                .any(|path| path.is_some())
    }
}

/// How the run that counted ended, in words.
#[derive(Clone, Debug)]
pub struct RunEnding {
    text: String,
    is_complete: bool,
}

impl RunEnding {
    /// Describes the end of a search.
    pub fn of_search(outcome: &Outcome) -> RunEnding {
        match outcome {
            Ok(model::Verdict::Holds) => RunEnding {
                text: "Complete: every reachable state was explored, and no error was found.".to_owned(),
                is_complete: true,
            },
            Ok(model::Verdict::Violated(_)) | Err(_) => {
                RunEnding::cut_short(format!("{}. {NOT_COMPLETE}", capital(&short_outcome(outcome))))
            }
        }
    }

    /// Describes the end of random walks, which are never complete.
    pub fn of_walks(outcome: &Outcome) -> RunEnding {
        RunEnding::cut_short(format!("Random walks: {}. {NOT_COMPLETE}", short_outcome(outcome)))
    }

    /// Describes walks that were carried out on a program. Only the steps that the program took count.
    pub fn of_programs() -> RunEnding {
        RunEnding::cut_short(format!("What a program was seen to do as well. {NOT_COMPLETE}"))
    }

    /// Describes walks within bounds, which check no property.
    pub fn of_bounds() -> RunEnding {
        RunEnding::cut_short(format!("Random walks within each bound. {NOT_COMPLETE}"))
    }

    /// Describes searches for behaviours that explain logs, which stop once a log is explained.
    pub fn of_logs() -> RunEnding {
        RunEnding::cut_short(format!("What the logs were explained by, and what was tried. {NOT_COMPLETE}"))
    }

    /// Describes a run by the answer that it wrote at its end, if it did.
    pub fn of_json(answer: Option<&command::Answer>) -> RunEnding {
        let Some(answer) = answer else {
            return RunEnding::cut_short(format!("How the run ended is not known. {NOT_COMPLETE}"));
        };
        let verdict = answer.verdict.as_deref().unwrap_or("unknown");
        let is_search = answer.counts.is_some();
        match (is_search, verdict) {
            (true, "holds") => RunEnding::of_search(&Ok(model::Verdict::Holds)),
            (true, _) => {
                RunEnding::cut_short(format!("The search ended with the verdict `{verdict}`. {NOT_COMPLETE}"))
            }
            (false, _) => {
                RunEnding::cut_short(format!("Random walks, with the verdict `{verdict}`. {NOT_COMPLETE}"))
            }
        }
    }

    fn cut_short(text: String) -> RunEnding {
        RunEnding { text, is_complete: false }
    }
}

const NOT_COMPLETE: &str = "What was not reached may yet be reachable.";

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn about(model: &ModelInput, ending: RunEnding) -> About {
    let config = model.config.as_ref().map(|path| path.display().to_string());
    let defines = model.defines.iter().map(|define| format!("-D {define}"));
    let tool = format!("specline {}", env!("CARGO_PKG_VERSION"));
    let origin: Vec<String> = config.into_iter().chain(defines).chain([tool]).collect();
    About {
        spec: model.spec.display().to_string(),
        origin: origin.join(", "),
        ending: ending.text,
        is_complete: ending.is_complete,
    }
}
