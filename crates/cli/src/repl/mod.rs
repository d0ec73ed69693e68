//! The prompt of `specline eval` and `specline explore`: expressions where one stands, and steps from there.

mod command;
mod history;
mod steps;

use std::collections::BTreeMap;
use std::io::{self, BufRead, IsTerminal};

use diag::{Code, Diagnostic, SourceMap};
use eval::world::Machine;
use explore::{Explorer, Path, Reached, Session, Typed};
use setup::ModelInput;
use setup::read_model::worst;
use trace::Style;

use self::command::{Line, VERBS, help, parse};
use self::history::History;
use crate::console::{Console, Stream};
use crate::environment::Environment;
use crate::eval::args::{TracePlace, ValueFormatArg};
use crate::eval::{place, tell_answer, tell_refusal};
use crate::exit::{Ending, Stop};
use crate::prompt::{Prompt, Words};

pub use self::steps::StepSource;

/// The command that the prompt belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplKind {
    Eval,
    /// Commands need no colon, and each move shows where it leads.
    Explore,
}

/// The prompt, and where one stands.
pub struct Repl<'s> {
    session: Session<'s>,
    kind: ReplKind,
    console: &'s Console,
    input: Option<ModelInput>,
    world: &'s Machine,
    /// How values are written.
    pub format: ValueFormatArg,
    path: Path,
    kept: BTreeMap<String, Path>,
    /// The steps, or initial states, of the last list.
    choices: Vec<Reached>,
    /// The reason why no steps can be taken.
    no_steps: Option<Diagnostic>,
}

/// Whether the prompt goes on.
enum After {
    Goes,
    Ends,
}

impl<'s> Repl<'s> {
    pub fn new(
        session: Session<'s>,
        (kind, input): (ReplKind, Option<ModelInput>),
        world: &'s Machine,
        console: &'s Console,
    ) -> Repl<'s> {
        Repl {
            session,
            kind,
            console,
            input,
            world,
            format: ValueFormatArg::Text,
            path: Path::default(),
            kept: BTreeMap::new(),
            choices: Vec::new(),
            no_steps: None,
        }
    }

    /// Goes to a state of a trace.
    pub fn load(&mut self, place: &TracePlace) -> Result<(), Stop> {
        let trace = place::read(place, self.input.as_ref(), self.world, self.console)?;
        let state = |state: &trace::State| Reached {
            step: state.step.clone(),
            state: self.session.state(&trace.variables, &state.values),
        };
        self.path = Path::new(trace.states.iter().map(state).collect(), place.state - 1);
        self.choices.clear();
        Ok(())
    }

    /// Evaluates one expression, or takes a definition.
    pub fn evaluate(&mut self, text: &str) -> io::Result<Ending> {
        match self.session.take(text, self.path.position()) {
            Ok(Typed::Value(answer)) => {
                tell_answer(&answer, self.session.sources(), self.format, self.console)?;
                Ok(Ending::Ok)
            }
            Ok(Typed::Defined(names)) => {
                if self.format != ValueFormatArg::Json {
                    self.say(&format!("defined: {}", names.join(", ")))?;
                }
                Ok(Ending::Ok)
            }
            Err(refused) => tell_refusal(&refused, self.session.sources(), self.format, self.console),
        }
    }

    fn say(&self, text: &str) -> io::Result<()> {
        self.console.line(Stream::Out, text)
    }

    /// Says why a line was not carried out.
    fn complain(&self, text: &str) -> io::Result<()> {
        self.console.line(Stream::Err, text)
    }

    fn style(&self) -> Style {
        Style { full: true, colour: self.console.has_colour(Stream::Out), ..Style::default() }
    }

    /// Reads lines from a person or a pipe until their end.
    pub fn read_lines(
        &mut self,
        steps: Option<&Explorer<'_>>,
        environment: &Environment,
    ) -> Result<Ending, Stop> {
        if io::stdin().is_terminal() && environment.stdout_is_terminal {
            return self.read_prompt(steps);
        }
        let mut continued = String::new();
        for line in io::stdin().lock().lines() {
            if let After::Ends = self.line(&mut continued, &line?, steps)? {
                break;
            }
        }
        Ok(Ending::Ok)
    }

    fn read_prompt(&mut self, steps: Option<&Explorer<'_>>) -> Result<Ending, Stop> {
        let (text, file, mark) = match self.kind {
            ReplKind::Eval => ("eval> ", "eval-history", ":"),
            ReplKind::Explore => ("explore> ", "explore-history", ""),
        };
        self.say(&format!(
            "`{mark}help` lists the commands; a line that ends with `\\` goes on in the next one"
        ))?;
        let mut history = History::read(file);
        let mut prompt = Prompt::new(text, self.words(mark))?;
        prompt.remember(history.lines());
        let mut continued = String::new();
        while let Some(line) = prompt.next()? {
            history.add(&line);
            let n_definitions = self.session.definitions().len();
            if let After::Ends = self.line(&mut continued, &line, steps)? {
                break;
            }
            if self.session.definitions().len() != n_definitions {
                prompt.set_words(self.words(mark));
            }
        }
        history.write();
        Ok(Ending::Ok)
    }

    fn words(&self, mark: &str) -> Words {
        let events = VERBS.iter().map(|verb| format!("{mark}{}", verb.name)).collect();
        Words { events, names: self.session.names(), are_names_of_expressions: true }
    }

    /// Carries out a line. One that ends with `\` is completed by the next.
    fn line(
        &mut self,
        continued: &mut String,
        line: &str,
        steps: Option<&Explorer<'_>>,
    ) -> Result<After, Stop> {
        if let Some(begun) = line.strip_suffix('\\').filter(|begun| !begun.ends_with('/')) {
            continued.push_str(begun);
            continued.push('\n');
            return Ok(After::Goes);
        }
        continued.push_str(line);
        let whole = std::mem::take(continued);
        match parse(&whole, self.kind == ReplKind::Explore) {
            Ok(line) => self.carry_out(line, steps),
            Err(reason) => {
                self.complain(&reason)?;
                Ok(After::Goes)
            }
        }
    }

    fn carry_out(&mut self, line: Line, steps: Option<&Explorer<'_>>) -> Result<After, Stop> {
        match line {
            Line::Empty => {}
            Line::Quit => return Ok(After::Ends),
            Line::Help => {
                let mark = if self.kind == ReplKind::Eval { ":" } else { "" };
                self.console.write(Stream::Out, &help(mark))?;
            }
            Line::Definitions => {
                self.session.definitions().iter().try_for_each(|one| self.say(&one.text))?;
            }
            Line::Format(format) => self.format = format,
            Line::Input(text) => {
                self.evaluate(&text)?;
            }
            Line::Load(place) => match self.load(&place) {
                Ok(()) => self.arrive(steps)?,
                // Why not was said.
                Err(Stop::Ended(_)) => {}
                Err(stop) => return Err(stop),
            },
            Line::Initial
            | Line::Next
            | Line::Take(_)
            | Line::Back
            | Line::Goto(_)
            | Line::State
            | Line::Path
            | Line::Keep(_)
            | Line::Switch(_)
            | Line::Save(_) => match steps {
                Some(steps) => self.walk(line, steps)?,
                None => self.tell_no_steps()?,
            },
        }
        Ok(After::Goes)
    }

    /// Says why no steps can be taken.
    fn tell_no_steps(&self) -> io::Result<()> {
        match &self.no_steps {
            Some(reason) => self.console.draw(Stream::Err, self.session.sources(), reason),
            None => self.complain("there are no steps: no specification was named"),
        }
    }

    /// Shows the successors of where one stands, or the initial states.
    pub fn show_next(&mut self, steps: Option<&Explorer<'_>>) -> Result<Ending, Stop> {
        let Some(steps) = steps else {
            self.tell_no_steps()?;
            let reason = self.no_steps.clone().unwrap_or_else(|| {
                Diagnostic::without_place(Code::NotEvaluable, "there is no next-state relation")
            });
            let mut diagnostics = diag::Diagnostics::new();
            diagnostics.push(reason);
            return Err(worst(&diagnostics).into());
        };
        let n_errors = self.list(steps)?;
        Ok(if n_errors > 0 { Ending::Undefined } else { Ending::Ok })
    }

    /// The error with this headline, for a file.
    fn refuse_file(&self, headline: String) -> io::Result<()> {
        let told = Diagnostic::without_place(Code::CannotWrite, headline);
        self.console.draw(Stream::Err, &SourceMap::new(), &told)
    }
}
