//! Checks of models: the program is started again, and what it says is kept for the lenses.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use base::FxIndexMap;
use lsp_types::notification::Progress;
use lsp_types::request::{ApplyWorkspaceEdit, CodeLensRefresh, WorkDoneProgressCreate};
use lsp_types::{
    ApplyWorkspaceEditParams, ExecuteCommandParams, MessageType, NumberOrString, ProgressParams,
    ProgressParamsValue, ProgressToken, Url, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::actions;
use crate::analysis::Subject;
use crate::files::Stamp;
use crate::snapshot::{Snapshot, path_of};
use crate::worker::{Context, Failure};

/// Checks a model: `{ "module": address, "config": address }`.
pub const CHECK: &str = "specline.check";
/// Translates the algorithm of a module: `{ "module": address }`.
pub const TRANSLATE: &str = "specline.translate";

/// A model: a module and a configuration.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ModelKey {
    pub module: PathBuf,
    pub config: PathBuf,
}

/// How a check ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// As `specline check --format json` calls it; `wrong` where there was no search.
    pub verdict: String,
    pub property: Option<String>,
    pub n_distinct: Option<u64>,
    pub n_steps: Option<usize>,
    /// The first error, where the specification could not be searched.
    pub error: Option<String>,
}

impl Verdict {
    /// A few words about one property, or about the model.
    pub fn words(&self, property: Option<&str>) -> String {
        let states = self.n_distinct.map_or(String::new(), |n| format!(" · {} states", grouped(n)));
        let is_other = property.is_some() && self.property.as_deref() != property;
        match self.verdict.as_str() {
            "holds" => format!("✓ holds{states}"),
            "violated" if is_other => match &self.property {
                Some(other) => format!("? {other} is violated first{states}"),
                None => format!("? another error comes first{states}"),
            },
            "violated" => {
                let what =
                    self.property.as_deref().filter(|_| property.is_none()).map(|name| format!(" {name}"));
                let steps = self.n_steps.map_or(String::new(), |n| format!(" after {n} states"));
                format!("✗ violated{}{steps}", what.unwrap_or_default())
            }
            "limit" | "interrupted" => format!("? not finished{states}"),
            "wrong" => format!("✗ not checked: {}", self.error.as_deref().unwrap_or("see the messages")),
            other => format!("✗ {other}{states}"),
        }
    }
}

/// A number with commas between thousands.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The answer to a check, for editors that show traces.
#[derive(Clone, Debug, Serialize)]
struct CheckAnswer {
    verdict: String,
    summary: String,
    property: Option<String>,
    /// Pages for a browser, where there are some.
    trace_page: Option<PathBuf>,
    coverage_page: Option<PathBuf>,
    trace: Option<PathBuf>,
}

/// The checks that run, and how the others ended.
#[derive(Debug, Default)]
pub struct Checks {
    running: Mutex<Vec<RunningCheck>>,
    verdicts: Mutex<FxIndexMap<ModelKey, CheckedModel>>,
    n_started: AtomicU64,
    is_ending: AtomicBool,
}

/// How a check ended, and the files that it read.
#[derive(Debug)]
struct CheckedModel {
    verdict: Verdict,
    stamps: Vec<(PathBuf, Stamp)>,
}

#[derive(Debug)]
struct RunningCheck {
    token: ProgressToken,
    child: Arc<Mutex<Child>>,
    cancel: crate::worker::Cancel,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Checks {
    /// How the check of a model ended, if nothing has changed since.
    pub fn verdict(&self, key: &ModelKey, snapshot: &Snapshot) -> Option<Verdict> {
        let verdicts = lock(&self.verdicts);
        let CheckedModel { verdict, stamps } = verdicts.get(key)?;
        stamps.iter().all(|(path, stamp)| is_same(snapshot, path, *stamp)).then(|| verdict.clone())
    }

    /// Ends the check that reports its progress under `token`.
    pub fn stop(&self, token: &ProgressToken) {
        for check in lock(&self.running).iter().filter(|check| check.token == *token) {
            check.cancel.cancel();
            let _ = lock(&check.child).kill();
        }
    }

    /// Ends checks whose requests were taken back.
    pub fn wake(&self) {
        for check in lock(&self.running).iter().filter(|check| check.cancel.is_cancelled()) {
            let _ = lock(&check.child).kill();
        }
    }

    pub fn stop_all(&self) {
        self.is_ending.store(true, Ordering::SeqCst);
        for check in lock(&self.running).iter() {
            let _ = lock(&check.child).kill();
        }
    }
}

/// Whether a file is as it was on disk when a model was checked.
fn is_same(snapshot: &Snapshot, path: &Path, stamp: Stamp) -> bool {
    Stamp::of_disk(path) == stamp && !is_unsaved(snapshot, path)
}

/// Whether an open text differs from its file.
fn is_unsaved(snapshot: &Snapshot, path: &Path) -> bool {
    let Some(document) = snapshot.documents.get(path) else { return false };
    !std::fs::read(path).is_ok_and(|bytes| bytes == document.text.as_bytes())
}

#[derive(Deserialize)]
struct Arguments {
    module: Url,
    config: Option<Url>,
}

pub fn execute(context: &Context, params: ExecuteCommandParams) -> Result<Option<Value>, Failure> {
    let first = params.arguments.into_iter().next().unwrap_or_default();
    let arguments: Arguments = serde_json::from_value(first).map_err(|error| {
        Failure::Refused(format!("`{}` takes the address of a module: {error}", params.command))
    })?;
    match params.command.as_str() {
        CHECK => {
            let module = path_of(&arguments.module);
            let config = arguments.config.as_ref().map(path_of);
            let token = params.work_done_progress_params.work_done_token;
            check(context, &Subject { root: module, config }, token)
        }
        TRANSLATE => translate(context, &arguments.module),
        other => Err(Failure::Refused(format!("there is no command `{other}`"))),
    }
}

fn translate(context: &Context, module: &Url) -> Result<Option<Value>, Failure> {
    let document = context.document(module)?;
    let mut sources = diag::SourceMap::new();
    let source = sources.add_text("", Arc::clone(&document.text));
    match pcal::translate(&document.text, source, &pcal::Options::default()) {
        Err(wrong) => return Err(Failure::Refused(wrong.headline)),
        Ok(None) => return Err(Failure::refused("the module has no PlusCal algorithm")),
        Ok(Some(_)) => {}
    }
    let Some(edit) = actions::translation(context, &document) else { return Ok(None) };
    let label = Some("translate the algorithm".to_owned());
    context.client.request::<ApplyWorkspaceEdit>(ApplyWorkspaceEditParams { label, edit });
    Ok(None)
}

fn check(
    context: &Context,
    subject: &Subject,
    token: Option<ProgressToken>,
) -> Result<Option<Value>, Failure> {
    let snapshot = &context.snapshot;
    let analysis = context.cache.analysis(subject, snapshot);
    let files: Vec<PathBuf> = analysis
        .spec
        .sources
        .ids()
        .map(|id| analysis.spec.sources.file(id))
        .filter(|file| file.is_file())
        .map(|file| PathBuf::from(file.name()))
        .collect();
    if let Some(unsaved) = files.iter().find(|path| is_unsaved(snapshot, path)) {
        return Err(Failure::Refused(format!("save `{}` first: a check reads files", unsaved.display())));
    }
    let stamps: Vec<(PathBuf, Stamp)> =
        files.into_iter().map(|path| (path.clone(), Stamp::of_disk(&path))).collect();
    let number = context.checks.n_started.fetch_add(1, Ordering::Relaxed);
    let folder = context.host.temporary.join(format!("check-{number}"));
    std::fs::create_dir_all(&folder)
        .map_err(|error| Failure::Refused(format!("cannot make `{}`: {error}", folder.display())))?;
    let answer = run(context, subject, (&folder, number), token)?;
    let config = subject.config.clone().unwrap_or_else(|| subject.root.with_extension("cfg"));
    let key = ModelKey { module: subject.root.clone(), config };
    let summary = answer.words(None);
    lock(&context.checks.verdicts).insert(key, CheckedModel { verdict: answer.clone(), stamps });
    if snapshot.abilities.lens_refresh {
        context.client.request::<CodeLensRefresh>(());
    }
    let name = subject.root.file_name().unwrap_or_default().to_string_lossy();
    let kind = if answer.verdict == "holds" { MessageType::INFO } else { MessageType::WARNING };
    context.client.show(kind, format!("{name}: {summary}"));
    let existing = |name: &str| Some(folder.join(name)).filter(|path| path.is_file());
    let answer = CheckAnswer {
        verdict: answer.verdict,
        summary,
        property: answer.property,
        trace_page: existing("trace.html"),
        coverage_page: existing("coverage.html"),
        trace: existing("trace.itf.json"),
    };
    Ok(serde_json::to_value(answer).ok())
}

/// Starts the program, follows what it says, and returns how it ended.
fn run(
    context: &Context,
    subject: &Subject,
    (folder, number): (&Path, u64),
    token: Option<ProgressToken>,
) -> Result<Verdict, Failure> {
    let mut command = Command::new(&context.host.program);
    command.arg("check").arg(&subject.root).args(["--format", "json"]);
    if let Some(config) = &subject.config {
        command.arg("--config").arg(config);
    }
    for library in &context.snapshot.libraries {
        command.arg("--library").arg(library);
    }
    let outputs =
        [("--trace", "trace.itf.json"), ("--trace-html", "trace.html"), ("--coverage-html", "coverage.html")];
    for (option, name) in outputs {
        command.arg(option).arg(folder.join(name));
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let started = command.spawn();
    let mut child = started
        .map_err(|error| Failure::Refused(format!("`{}`: {error}", context.host.program.display())))?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let errors = std::thread::spawn(move || read_all(stderr));
    let progress = CheckProgress::begin(context, subject, token, number);
    let child = Arc::new(Mutex::new(child));
    let running = RunningCheck {
        token: progress.token.clone(),
        child: Arc::clone(&child),
        cancel: context.cancel.clone(),
    };
    lock(&context.checks.running).push(running);
    if context.cancel.is_cancelled() || context.checks.is_ending.load(Ordering::SeqCst) {
        let _ = lock(&child).kill();
    }
    let mut report = CheckReport::default();
    if let Some(stdout) = stdout {
        // Lines without end are no answer of ours.
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            report.line(&line, &progress);
        }
    }
    let _ = lock(&child).wait();
    lock(&context.checks.running).retain(|check| !Arc::ptr_eq(&check.child, &child));
    progress.end();
    context.cancel.check()?;
    let errors = errors.join().unwrap_or_default();
    Ok(report.verdict(&errors))
}

fn read_all(stream: Option<impl Read>) -> String {
    let mut text = String::new();
    // What can be read of it is enough for a message.
    let _ = stream.map(|stream| stream.take(1 << 16).read_to_string(&mut text));
    text
}

/// The part of the output of a check that counts here.
#[derive(Default)]
struct CheckReport {
    answer: Option<Value>,
    error: Option<String>,
}

impl CheckReport {
    fn line(&mut self, line: &str, progress: &CheckProgress<'_>) {
        let Ok(event) = serde_json::from_str::<Value>(line) else { return };
        let is_error = event.get("severity").and_then(Value::as_str) == Some("error");
        match event.get("kind").and_then(Value::as_str) {
            Some("progress") => progress.report(&event),
            Some("diagnostic") if is_error && self.error.is_none() => {
                self.error = event.get("headline").and_then(Value::as_str).map(str::to_owned);
            }
            Some("answer") => self.answer = Some(event),
            Some(_) | None => {}
        }
    }

    fn verdict(self, errors: &str) -> Verdict {
        let Some(answer) = self.answer else {
            let error = self.error.or_else(|| errors.lines().next().map(str::to_owned));
            let verdict = "wrong".to_owned();
            return Verdict { verdict, property: None, n_distinct: None, n_steps: None, error };
        };
        let text = |key: &str| answer.get(key).and_then(Value::as_str).map(str::to_owned);
        Verdict {
            verdict: text("verdict").unwrap_or_else(|| "wrong".to_owned()),
            property: text("property"),
            n_distinct: answer.pointer("/counts/distinct").and_then(Value::as_u64),
            n_steps: answer.pointer("/trace/states").and_then(Value::as_array).map(Vec::len),
            error: self.error,
        }
    }
}

/// The progress of a check, as the editor shows it.
struct CheckProgress<'a> {
    context: &'a Context,
    token: ProgressToken,
    is_shown: bool,
}

impl<'a> CheckProgress<'a> {
    fn begin(context: &'a Context, subject: &Subject, token: Option<ProgressToken>, number: u64) -> Self {
        let own = NumberOrString::String(format!("specline-check-{number}"));
        let is_shown = token.is_some() || context.snapshot.abilities.progress;
        if token.is_none() && is_shown {
            let params = WorkDoneProgressCreateParams { token: own.clone() };
            context.client.request::<WorkDoneProgressCreate>(params);
        }
        let progress = CheckProgress { context, token: token.unwrap_or(own), is_shown };
        let name = subject.config.as_ref().unwrap_or(&subject.root).file_name().unwrap_or_default();
        progress.send(WorkDoneProgress::Begin(WorkDoneProgressBegin {
            title: format!("checking {}", name.to_string_lossy()),
            cancellable: Some(true),
            ..WorkDoneProgressBegin::default()
        }));
        progress
    }

    fn report(&self, event: &Value) {
        let n_distinct = event.pointer("/counts/distinct").and_then(Value::as_u64).unwrap_or(0);
        let message = Some(format!("{} states", grouped(n_distinct)));
        self.send(WorkDoneProgress::Report(WorkDoneProgressReport {
            message,
            ..WorkDoneProgressReport::default()
        }));
    }

    fn end(&self) {
        self.send(WorkDoneProgress::End(WorkDoneProgressEnd { message: None }));
    }

    fn send(&self, progress: WorkDoneProgress) {
        if self.is_shown {
            let value = ProgressParamsValue::WorkDone(progress);
            self.context.client.notify::<Progress>(ProgressParams { token: self.token.clone(), value });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Verdict, grouped};

    #[test]
    fn numbers_have_commas() {
        assert_eq!([1, 999, 1000, 1_234_567].map(grouped), ["1", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn a_violated_property_says_nothing_about_the_others() {
        let verdict = Verdict {
            verdict: "violated".to_owned(),
            property: Some("Safe".to_owned()),
            n_distinct: Some(10),
            n_steps: Some(3),
            error: None,
        };
        assert_eq!(verdict.words(Some("Safe")), "✗ violated after 3 states");
        assert_eq!(verdict.words(Some("Live")), "? Safe is violated first · 10 states");
        assert_eq!(verdict.words(None), "✗ violated Safe after 3 states");
    }
}
