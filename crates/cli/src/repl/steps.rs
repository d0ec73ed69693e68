//! Steps at the prompt: lists of what is possible, moves, paths that are kept.

use std::io;
use std::path::Path as FilePath;

use diag::{Code, Diagnostic};
use eval::lower::{Lowered, lower};
use explore::{Explorer, Path, Reach, Settings, with_explorer};
use model::{Ended, Model, NoVerdict, Verdict};
use sema::Spec;
use sema::config::BoundConfig;
use trace::Trace;
use value::Atoms;

use super::command::Line;
use super::{Repl, ReplKind};
use crate::console::Stream;
use crate::exit::{Ending, Stop};
use crate::kept::with_origin;

/// Number of steps, or initial states, that are listed.
const LISTED_MAX: usize = 200;

/// A specification whose steps are taken.
#[derive(Clone, Copy)]
pub struct StepSource<'a> {
    pub spec: &'a Spec,
    pub config: &'a BoundConfig,
    pub atoms: &'static Atoms,
}

impl Repl<'_> {
    /// Calls `body` with the steps of a specification, or without any if it has none.
    pub fn with_steps(
        &mut self,
        source: Option<StepSource<'_>>,
        settings: &Settings<'_>,
        body: impl FnOnce(&mut Self, Option<&Explorer<'_>>) -> Result<Ending, Stop>,
    ) -> Result<Ending, Stop> {
        let Some(StepSource { spec, config, atoms }) = source else { return body(self, None) };
        let Lowered { program, diagnostics } = lower(spec, config, atoms);
        if let Some(error) = diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
            self.no_steps = Some(error.clone());
            return body(self, None);
        }
        let model = Model { spec, program: &program };
        let mut body = Some(body);
        let mut call = |repl: &mut Self, steps: Option<&Explorer<'_>>| match body.take() {
            Some(body) => body(repl, steps),
            None => Ok(Ending::Ok),
        };
        match with_explorer(model, settings, |explorer| call(self, Some(explorer))) {
            Ok(result) => result,
            Err(ended) => {
                self.no_steps = Some(reason(ended));
                call(self, None)
            }
        }
    }

    /// Carries out a command about states and steps.
    pub(super) fn walk(&mut self, line: Line, steps: &Explorer<'_>) -> Result<(), Stop> {
        match line {
            Line::Initial => {
                self.path = Path::default();
                self.list(steps)?;
            }
            Line::Next => {
                self.list(steps)?;
            }
            Line::Take(number) => self.take_step(number, steps)?,
            Line::Back => match self.path.back() {
                true => self.arrive(Some(steps))?,
                false => self.complain("there is no state before this one")?,
            },
            Line::Goto(number) => match self.path.go_to(number) {
                true => self.arrive(Some(steps))?,
                false => self.complain(&format!("there is no state {number} on this path"))?,
            },
            Line::State => self.show_state(steps)?,
            Line::Path => {
                let style = trace::Style { full: false, ..self.style() };
                self.console.write(Stream::Out, &trace::story(&self.trace(steps), style))?;
            }
            Line::Keep(None) => self.kept.keys().try_for_each(|name| self.say(name))?,
            Line::Keep(Some(name)) => {
                self.kept.insert(name, self.path.clone());
            }
            Line::Switch(name) => match self.kept.get(&name) {
                Some(path) => {
                    self.path = path.clone();
                    self.arrive(Some(steps))?;
                }
                None => self.complain(&format!("no path is kept under `{name}`"))?,
            },
            Line::Save(file) => self.save(&file, steps)?,
            Line::Empty
            | Line::Help
            | Line::Quit
            | Line::Definitions
            | Line::Load(_)
            | Line::Format(_)
            | Line::Input(_) => {}
        }
        Ok(())
    }

    /// Says where a move has led.
    pub(super) fn arrive(&mut self, steps: Option<&Explorer<'_>>) -> io::Result<()> {
        self.choices.clear();
        let Some(steps) = steps else { return Ok(()) };
        self.show_state(steps)?;
        if self.kind == ReplKind::Explore {
            self.list(steps)?;
        }
        Ok(())
    }

    /// Goes to the first state: the only initial one, or a list to choose from.
    pub fn begin(&mut self, steps: &Explorer<'_>) -> io::Result<()> {
        if self.path.here().is_some() {
            return self.arrive(Some(steps));
        }
        let reach = steps.initial(LISTED_MAX);
        if let ([only], true, false) = (&reach.states[..], reach.errors.is_empty(), reach.is_cut) {
            self.path.take(only.clone());
            return self.arrive(Some(steps));
        }
        self.list(steps).map(|_| ())
    }

    fn take_step(&mut self, number: usize, steps: &Explorer<'_>) -> io::Result<()> {
        if self.choices.is_empty() {
            self.choices = self.reach(steps).states;
        }
        let Some(chosen) = self.choices.get(number - 1).cloned() else {
            return self.complain(&format!("there is no {number} in the list"));
        };
        self.path.take(chosen);
        self.arrive(Some(steps))
    }

    fn reach(&self, steps: &Explorer<'_>) -> Reach {
        match self.path.here() {
            Some(here) => steps.successors(&here.state, self.path.level(), LISTED_MAX),
            None => steps.initial(LISTED_MAX),
        }
    }

    /// Lists the steps from here, or the initial states. Returns the number of errors among them.
    pub(super) fn list(&mut self, steps: &Explorer<'_>) -> io::Result<usize> {
        let reach = self.reach(steps);
        for line in &reach.printed {
            self.say(line)?;
        }
        let variables = steps.variables();
        let style = trace::Style { full: false, ..self.style() };
        match self.path.here() {
            Some(here) => {
                let before = here.state.to_state();
                for (index, reached) in reach.states.iter().enumerate() {
                    let after = trace::State { step: reached.step.clone(), ..reached.state.to_state() };
                    let changes = trace::state_changes(&variables, &before, &after, style);
                    let number = index + 1;
                    self.console.write(Stream::Out, &format!("{number}: {}", changes.trim_start()))?;
                }
            }
            None => {
                for (index, reached) in reach.states.iter().enumerate() {
                    let states = vec![reached.state.to_state()];
                    let alone = Trace { states, ..Trace::new(variables.clone()) };
                    let text = trace::state_text(&alone, 0, self.style());
                    let number = format!("{}:", index + 1);
                    self.console.write(Stream::Out, &text.replacen("State 1:", &number, 1))?;
                }
            }
        }
        if reach.is_cut {
            self.say(&format!("there are more than these {LISTED_MAX}"))?;
        }
        for error in &reach.errors {
            self.console.draw(Stream::Err, &steps.model().spec.sources, error)?;
        }
        if reach.states.is_empty() && reach.errors.is_empty() {
            self.say(match self.path.here() {
                Some(_) => "no step is possible here",
                None => "there is no initial state",
            })?;
        }
        self.choices = reach.states;
        Ok(reach.errors.len())
    }

    /// Shows the state, and the invariants that do not hold in it.
    fn show_state(&self, steps: &Explorer<'_>) -> io::Result<()> {
        let Some(here) = self.path.here() else {
            return self.complain("there is no state here: `init` lists the initial ones");
        };
        let trace = self.trace(steps);
        let text = trace::state_text(&trace, trace.states.len() - 1, self.style());
        self.console.write(Stream::Out, &text)?;
        for invariant in steps.invariants(&here.state, self.path.level()) {
            match invariant.holds {
                Ok(true) => {}
                Ok(false) => self.say(&format!("invariant `{}` does not hold here", invariant.name))?,
                Err(error) => self.console.draw(Stream::Err, &steps.model().spec.sources, &error)?,
            }
        }
        Ok(())
    }

    fn trace(&self, steps: &Explorer<'_>) -> Trace {
        self.path.to_trace(steps.model())
    }

    /// Writes the path as a trace. A file that is there already is left alone.
    fn save(&self, file: &FilePath, steps: &Explorer<'_>) -> io::Result<()> {
        let trace = self.trace(steps);
        if trace.states.is_empty() {
            return self.complain("there is no state here that could be saved");
        }
        let trace = self.input.as_ref().map_or_else(|| trace.clone(), |input| with_origin(input, &trace));
        let text = trace::itf::write(&trace);
        let written = std::fs::File::create_new(file)
            .and_then(|mut file| io::Write::write_all(&mut file, text.as_bytes()));
        match written {
            Ok(()) => self.say(&format!("wrote {}, {} states", file.display(), trace.states.len())),
            Err(error) => self.refuse_file(format!("cannot write `{}`: {error}", file.display())),
        }
    }
}

/// Returns why nothing can be explored.
fn reason(ended: Ended) -> Diagnostic {
    let nothing = |headline: &str| Diagnostic::without_place(Code::NotEvaluable, headline);
    match ended {
        Ended::Verdict(Verdict::Violated(violation)) => violation.diagnostic,
        Ended::NoVerdict(NoVerdict::Undefined { error, .. } | NoVerdict::Assertion { error, .. }) => *error,
        Ended::NoVerdict(NoVerdict::Unsupported(error)) => *error,
        Ended::Verdict(_) | Ended::NoVerdict(_) => nothing("there is no next-state relation"),
    }
}
