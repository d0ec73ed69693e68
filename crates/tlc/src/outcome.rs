//! Outcomes of searches and simulations as TLC reports them, and the exit code that TLC has for each.

use std::io;

use diag::{Diagnostic, Span};
use eval::interp::Fault;
use eval::ir::Root;
use model::{Model, NoVerdict, Outcome, Phase, PropertyKind, Verdict, Violation};
use sema::spec::DefBody;
use setup::{Ending, ending_of};
use trace::{Finding, Trace};

use super::behaviour::{self, Shown};
use super::nested::{self, Way};
use super::voice::{Class, Voice};
use super::words::{self, Manner, Words, sentence};
use super::{code, place};

/// Reports outcomes in TLC's words: where to, about which model, and how states are shown.
#[derive(Clone, Copy)]
pub struct Teller<'a> {
    pub voice: &'a Voice<'a>,
    pub model: Model<'a>,
    pub shown: Shown<'a>,
}

const BEHAVIOUR: &str = "The behavior up to this point is:";

impl Teller<'_> {
    /// Reports every outcome but success.
    pub fn tell(&self, outcome: &Outcome) -> io::Result<()> {
        match outcome {
            Ok(Verdict::Holds) => Ok(()),
            Ok(Verdict::Violated(violation)) => self.violation(violation),
            Err(reason) => self.without_verdict(reason),
        }
    }

    pub fn violation(&self, violation: &Violation) -> io::Result<()> {
        let (voice, name) = (self.voice, &violation.property.name);
        let trace = violation.trace.as_ref();
        let initial = trace.filter(|trace| trace.states.len() == 1);
        match (violation.property.kind, initial) {
            (PropertyKind::Invariant, Some(trace)) => {
                let state = behaviour::first_state(trace, self.shown);
                let text = format!("Invariant {name} is violated by the initial state:\n{state}");
                voice.error(code::INVARIANT_VIOLATED_INITIAL, &text)
            }
            (PropertyKind::Initial, Some(trace)) => {
                let state = behaviour::first_state(trace, self.shown);
                let text = format!("Property {name} is violated by the initial state:\n{state}");
                voice.error(code::PROPERTY_VIOLATED_INITIAL, &text)
            }
            (PropertyKind::Invariant, None) => {
                voice.error(code::INVARIANT_VIOLATED, &format!("Invariant {name} is violated."))?;
                self.up_to_here(trace)
            }
            (PropertyKind::Step | PropertyKind::Initial, _) => {
                voice
                    .error(code::ACTION_PROPERTY_VIOLATED, &format!("Action property {name} is violated."))?;
                self.up_to_here(trace)
            }
            (PropertyKind::Deadlock, _) => {
                voice.error(code::DEADLOCK, "Deadlock reached.")?;
                self.up_to_here(trace)
            }
            (PropertyKind::Temporal, _) => self.temporal(violation),
            (PropertyKind::Assumption, _) => {
                let text = format!("Assumption {} is false.", self.place(violation));
                voice.error(code::ASSUMPTION_FALSE, &text)
            }
            (PropertyKind::Postcondition | PropertyKind::Possible | PropertyKind::Periodic, _) => {
                let text = format!("Postcondition {name} at {} is false.", self.place(violation));
                voice.error(code::POSTCONDITION_FALSE, &text)
            }
        }
    }

    fn place(&self, violation: &Violation) -> String {
        let span = violation.property.span;
        let span = span.or(violation.diagnostic.primary.as_ref().map(|label| label.span));
        span.map_or_else(String::new, |span| place::of(self.model.spec, self.body(span)))
    }

    /// Returns the place of the body of a definition, given that of the whole definition; any other place as
    /// it is.
    fn body(&self, span: Span) -> Span {
        let spec = self.model.spec;
        let def = spec.defs.iter().find(|def| def.span == span);
        match def.map(|def| &def.body) {
            Some(DefBody::Expr(body)) => spec.exprs[*body].span,
            Some(_) | None => span,
        }
    }

    fn temporal(&self, violation: &Violation) -> io::Result<()> {
        let names = match violation.trace.as_ref().map(|trace| &trace.finding) {
            Some(Finding::TemporalProperty { names }) => names.clone(),
            Some(_) | None => vec![violation.property.name.clone()],
        };
        let text = match names.as_slice() {
            [] => "Temporal properties were violated.\n".to_owned(),
            [name] => format!("Temporal property {name} was violated.\n"),
            [one, other] => format!("Temporal properties {one} and {other} were violated.\n"),
            [first @ .., last] => {
                format!("Temporal properties {}, and {last} were violated.\n", first.join(", "))
            }
        };
        self.voice.error(code::TEMPORAL_VIOLATED, &text)?;
        let text = "The following behavior constitutes a counter-example:\n";
        self.voice.error(code::COUNTER_EXAMPLE, text)?;
        match &violation.trace {
            // TLC: there is no message about the end of the behaviour.
            Some(trace) if violation.is_prefix => {
                let trace = Trace { ending: trace::Ending::Stop, ..trace.clone() };
                behaviour::tell(self.voice, &trace, self.shown)
            }
            Some(trace) => behaviour::tell(self.voice, trace, self.shown),
            None => Ok(()),
        }
    }

    fn up_to_here(&self, trace: Option<&Trace>) -> io::Result<()> {
        let Some(trace) = trace.filter(|trace| !trace.states.is_empty()) else { return Ok(()) };
        self.voice.error(code::BEHAVIOR_UP_TO_HERE, BEHAVIOUR)?;
        behaviour::tell(self.voice, trace, self.shown)
    }

    fn without_verdict(&self, reason: &NoVerdict) -> io::Result<()> {
        match reason {
            NoVerdict::Undefined { phase, initial, error, fault, trace } => {
                let words = fault.as_ref().map(|fault| words::of(self.model, fault));
                let words = words.unwrap_or_else(|| self.ours(error));
                let place = fault.as_ref().map(|fault| fault.span);
                self.report_undefined((*phase, *initial), (&words, place), trace.as_deref())?;
                match fault {
                    Some(fault) if has_stack(*phase, *initial) => {
                        self.stack(fault, &words, way(*phase, *initial))
                    }
                    Some(_) | None => Ok(()),
                }
            }
            NoVerdict::Assertion { fault, trace, .. } => {
                let words = words::of(self.model, fault);
                self.report_undefined((Phase::Next, false), (&words, Some(fault.span)), trace.as_deref())?;
                self.stack(fault, &words, Way::Walk)
            }
            NoVerdict::Incomplete { initial, trace, .. } => self.incomplete(*initial, trace.as_deref()),
            // TLC: nothing to check, and nothing wrong.
            NoVerdict::NoInitialState(_) | NoVerdict::Interrupted => Ok(()),
            NoVerdict::Limit(limit) => {
                let text = format!("The search is not complete: {}.", setup::words::limit(*limit));
                self.voice.trouble(&text)
            }
            NoVerdict::Unsupported(error) | NoVerdict::Disk(error) | NoVerdict::Checkpoint(error) => {
                let (code, text) = super::config::words(self.model.spec, error);
                self.voice.error(code, &text)
            }
        }
    }

    /// Returns the message of a diagnostic for which TLC has no words.
    fn ours(&self, error: &Diagnostic) -> Words {
        let place = error.primary.as_ref().map(|label| place::of(self.model.spec, label.span));
        let place = place.map_or_else(String::new, |place| format!("\n{place}"));
        Words::unexpected(format!("{}.{place}", sentence(&error.headline)))
    }

    /// The expressions around the place.
    fn stack(&self, fault: &Fault, words: &Words, way: Way) -> io::Result<()> {
        if words.code == code::STACK_OVERFLOW {
            return Ok(());
        }
        if words.is_of_values {
            let text = nested::fingerprint_text(self.model, fault, (way, &words.text));
            return self.voice.error(code::FINGERPRINT, &text);
        }
        self.voice.error(code::NESTED_EXPRESSION, &nested::text(self.model, fault, way))
    }

    fn report_undefined(
        &self,
        (phase, initial): (Phase, bool),
        (words, place): (&Words, Option<Span>),
        trace: Option<&Trace>,
    ) -> io::Result<()> {
        let voice = self.voice;
        let text = self.inner(words);
        match phase {
            Phase::Assumption => {
                let assumptions = self.model.program.assumptions.iter().map(|(_, root)| root);
                let place = self.root_around(assumptions, place).1;
                let text = format!("Evaluating assumption {place} failed.\n{text}");
                voice.error(code::ASSUMPTION_EVALUATION, &text)
            }
            Phase::Postcondition => {
                let (name, place) = self.root_around(self.model.program.postconditions.iter(), place);
                let text = format!("Evaluating postcondition {name} at {place} failed.\n{text}");
                voice.error(code::POSTCONDITION_EVALUATION, &text)
            }
            _ if initial || phase == Phase::Init => {
                let has_state = phase != Phase::Init && words.manner != Manner::Own;
                match trace.filter(|trace| has_state && !trace.states.is_empty()) {
                    Some(trace) => {
                        let state = behaviour::last_state(trace, self.shown);
                        let text = format!("{text}\nWhile working on the initial state:\n{state}");
                        voice.error(code::INITIAL_STATE, &text)
                    }
                    None => voice.error(code::GENERAL, &self.frame_words(words)),
                }
            }
            Phase::Invariant => {
                let name = self.name_of(trace);
                let text = format!("Evaluating invariant {name} failed.\n{text}");
                voice.error(code::INVARIANT_EVALUATION, &text)?;
                self.up_to_here(trace)
            }
            Phase::StepProperty => {
                let name = self.name_of(trace);
                let text = format!("Evaluating action property {name} failed.\n{text}");
                voice.error(code::ACTION_PROPERTY_EVALUATION, &text)?;
                self.up_to_here(trace)
            }
            Phase::Preparation
            | Phase::Init
            | Phase::Next
            | Phase::Constraint
            | Phase::InitialProperty
            | Phase::Temporal
            | Phase::View
            | Phase::Configuration
            | Phase::Periodic => {
                self.at_large(words)?;
                self.up_to_here(trace)
            }
        }
    }

    /// An error that has a message to itself.
    fn at_large(&self, words: &Words) -> io::Result<()> {
        match words.manner {
            Manner::Own => self.voice.message(words.code, Class::Error, &words.text),
            Manner::Unexpected | Manner::Nested => {
                let text = format!(
                    "TLC threw an unexpected exception.\n\
                     This was probably caused by an error in the spec or model.\n\
                     See the User Output or TLC Console for clues to what happened.\n\
                     The exception was a java.lang.RuntimeException\n: {}",
                    self.inner(words),
                );
                self.voice.error(code::GENERAL, &text)
            }
        }
    }

    /// The words inside another message: with a frame of their own where they have a number.
    fn inner(&self, words: &Words) -> String {
        match words.manner {
            Manner::Own | Manner::Unexpected => words.text.clone(),
            Manner::Nested => self.frame_words(words),
        }
    }

    fn frame_words(&self, words: &Words) -> String {
        match words.manner {
            Manner::Unexpected => words.text.clone(),
            Manner::Own | Manner::Nested => self.voice.frame(words.code, &words.text),
        }
    }

    /// The formula that has a place in it, or else the first: its name and where it is.
    fn root_around<'r>(
        &self,
        roots: impl Iterator<Item = &'r Root> + Clone,
        place: Option<Span>,
    ) -> (String, String) {
        let spec = self.model.spec;
        let is_around = |root: &&Root| {
            place.is_some_and(|place| {
                root.span.source == place.source
                    && root.span.start <= place.start
                    && place.end <= root.span.end
            })
        };
        let Some(root) = roots.clone().find(is_around).or_else(|| roots.clone().next()) else {
            return (String::new(), String::new());
        };
        (model::root_name(spec, root), place::of(spec, place::body(spec, root)))
    }

    /// Returns the name of the property that could not be evaluated: the outermost definition around the
    /// failure.
    fn name_of(&self, trace: Option<&Trace>) -> String {
        let calls = trace.and_then(|trace| trace.failure.as_ref()).map(|failure| failure.calls.as_slice());
        calls.and_then(<[_]>::first).map_or_else(String::new, |call| call.name.clone())
    }

    fn incomplete(&self, initial: bool, trace: Option<&Trace>) -> io::Result<()> {
        if initial {
            let state = trace.map_or_else(String::new, |trace| behaviour::last_state(trace, self.shown));
            let text =
                format!("current state is not a legal state\nWhile working on the initial state:\n{state}");
            return self.voice.error(code::INITIAL_STATE, &text);
        }
        let Some(trace) = trace else { return Ok(()) };
        let last = trace.states.last();
        let missing: Vec<&str> = last.map_or_else(Vec::new, |state| {
            let named = trace.variables.iter().zip(&state.values);
            named.filter(|(_, value)| value.is_none()).map(|(name, _)| name.as_str()).collect()
        });
        let are = if missing.len() == 1 { " is" } else { "s are" };
        let step = last.and_then(|state| state.step.as_ref());
        let action = match step {
            Some(step) if self.is_named(&step.name) => {
                format!("action {} of the next-state relation", step.name)
            }
            Some(_) | None => "the next-state action".to_owned(),
        };
        let text = format!(
            "Successor state is not completely specified by {action}. The following variable{are} not \
             defined: {}.\n",
            missing.join(", "),
        );
        self.voice.error(code::INCOMPLETE_NEXT, &text)?;
        self.up_to_here(Some(trace))
    }

    /// Whether an action has a name of its own, beside that of the next-state relation.
    fn is_named(&self, name: &str) -> bool {
        let Some((tree, _)) = &self.model.program.next else { return false };
        let is_it = |leaf: &&eval::ir::ActionLeaf| self.model.spec.names.text(leaf.name) == name;
        tree.leaves().into_iter().find(is_it).is_some_and(|leaf| leaf.is_named)
    }
}

/// Whether TLC shows a stack of expressions. It evaluates the step again to get one, but not in every phase.
fn has_stack(phase: Phase, initial: bool) -> bool {
    match phase {
        Phase::Init | Phase::Next | Phase::Constraint | Phase::StepProperty | Phase::View => true,
        Phase::InitialProperty | Phase::Temporal => true,
        Phase::Invariant => initial,
        Phase::Assumption
        | Phase::Preparation
        | Phase::Configuration
        | Phase::Postcondition
        | Phase::Periodic => false,
    }
}

fn way(phase: Phase, initial: bool) -> Way {
    match phase {
        Phase::Init | Phase::Next => Way::Walk,
        _ if initial => Way::AfterInit,
        Phase::Constraint
        | Phase::StepProperty
        | Phase::View
        | Phase::InitialProperty
        | Phase::Temporal
        | Phase::Invariant
        | Phase::Assumption
        | Phase::Preparation
        | Phase::Configuration
        | Phase::Postcondition
        | Phase::Periodic => Way::Evaluation,
    }
}

/// Returns TLC's exit code. If an operator of a standard module failed, it is that of the message.
pub fn exit(model: Model<'_>, outcome: &Outcome) -> Ending {
    match outcome {
        Err(NoVerdict::NoInitialState(_)) => Ending::Ok,
        Err(reason) if reason.is_out_of_memory() => ending_of(outcome),
        Err(NoVerdict::Undefined { phase, initial: false, fault: Some(fault), .. }) => {
            let is_own = words::of(model, fault).manner == Manner::Own;
            match phase {
                Phase::Next | Phase::Constraint | Phase::View | Phase::StepProperty if is_own => {
                    Ending::Unreadable
                }
                Phase::Next | Phase::Constraint | Phase::View | Phase::StepProperty => Ending::Undefined,
                Phase::Assumption
                | Phase::Preparation
                | Phase::Init
                | Phase::Invariant
                | Phase::InitialProperty
                | Phase::Temporal
                | Phase::Configuration
                | Phase::Postcondition
                | Phase::Periodic => ending_of(outcome),
            }
        }
        // TLC: what finitely many steps violate is found on the way, like an invariant.
        Ok(Verdict::Violated(violation)) if violation.is_prefix => Ending::Invariant,
        Ok(_) | Err(_) => ending_of(outcome),
    }
}

/// Returns the exit code of iterative deepening, where initial states are found as a search finds them.
pub fn exit_of_deepening(model: Model<'_>, outcome: &Outcome) -> Ending {
    match outcome {
        Err(NoVerdict::Undefined { initial: true, .. } | NoVerdict::Undefined { phase: Phase::Init, .. }) => {
            exit(model, outcome)
        }
        Ok(_) | Err(_) => exit_outside_search(model, outcome),
    }
}

/// Returns the exit code of walks and of the steps of iterative deepening. Everything that fails in a step is an error
/// of no kind there, `Assert` included.
pub fn exit_outside_search(model: Model<'_>, outcome: &Outcome) -> Ending {
    let ending = exit(model, outcome);
    match outcome {
        Err(NoVerdict::Assertion { .. }) => Ending::Unreadable,
        Err(NoVerdict::Undefined { .. }) if ending == Ending::Undefined => Ending::Unreadable,
        Ok(_) | Err(_) => ending,
    }
}
