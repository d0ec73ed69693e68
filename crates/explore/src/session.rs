//! Expressions and definitions as a person types them.

use std::sync::atomic::Ordering;

use diag::{Code, Diagnostic, Diagnostics, SourceMap, Span};
use eval::interp::{Fault, FaultKind, Machine, Shared};
use eval::lower::{Lowered, lower_expr};
use eval::native::printable;
use model::{Model, QuietRun, Side};
use sema::config::BoundConfig;
use sema::level::Level;
use sema::spec::ExprId;
use sema::{ExprText, Spec};
use syntax::LoneExpr;
use syntax::ast::{ExprKind, UnitKind};
use trace::Datum;
use value::{Atoms, ops};

use crate::run::{ExploreRun, Memory, Settings};
use crate::standing::StandingState;

/// A definition that was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The names that it defines.
    pub names: Vec<String>,
    pub text: String,
}

/// The place where an expression is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    pub state: &'a StandingState,
    /// The state after it, for expressions with primes.
    pub next: Option<&'a StandingState>,
    /// 1 for an initial state.
    pub level: u32,
}

/// The result of an input.
#[derive(Debug)]
pub enum Typed {
    Value(Box<Answer>),
    /// These names are defined from now on.
    Defined(Vec<String>),
}

/// The value of an expression.
#[derive(Debug)]
pub struct Answer {
    /// The value as TLC prints it, over several lines if it is wide.
    pub text: String,
    pub datum: Datum,
    /// Lines that the expression printed.
    pub printed: Vec<String>,
    /// Updates by EXCEPT that changed nothing.
    pub warnings: Vec<Diagnostic>,
}

/// The reason why an input has no result.
#[derive(Debug)]
pub struct Refused {
    pub diagnostics: Diagnostics,
    pub kind: RefusedKind,
    /// Lines that were printed before the error.
    pub printed: Vec<String>,
}

/// The kind of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusedKind {
    /// The text makes no sense, or not here.
    Text,
    /// The expression has no value.
    NoValue,
    /// The user ended the evaluation.
    Interrupted,
}

impl From<Diagnostics> for Refused {
    fn from(diagnostics: Diagnostics) -> Refused {
        Refused { diagnostics, kind: RefusedKind::Text, printed: Vec::new() }
    }
}

impl From<Diagnostic> for Refused {
    fn from(diagnostic: Diagnostic) -> Refused {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(diagnostic);
        diagnostics.into()
    }
}

/// A specification to which expressions are added, one after the other.
pub struct Session<'a> {
    spec: Spec,
    config: &'a BoundConfig,
    atoms: &'static Atoms,
    settings: &'a Settings<'a>,
    memory: Memory,
    definitions: Vec<Definition>,
    /// The width at which values are broken over several lines.
    pub width: usize,
}

/// The name of what is typed, in messages.
const ORIGIN: &str = "expression";

impl<'a> Session<'a> {
    pub fn new(
        spec: Spec,
        config: &'a BoundConfig,
        atoms: &'static Atoms,
        settings: &'a Settings<'a>,
    ) -> Session<'a> {
        let (memory, definitions) = (Memory::default(), Vec::new());
        Session { spec, config, atoms, settings, memory, definitions, width: 80 }
    }

    /// The sources that diagnostics point into.
    pub fn sources(&self) -> &SourceMap {
        &self.spec.sources
    }

    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// The names that an expression can use, for completion.
    pub fn names(&self) -> Vec<String> {
        let root = &self.spec.modules[self.spec.root];
        let known = root.scope.keys().map(|&name| self.spec.names.text(name).to_owned());
        known.chain(self.definitions.iter().flat_map(|one| one.names.clone())).collect()
    }

    /// The names of the variables, in the order in which states have them.
    pub fn variables(&self) -> Vec<String> {
        let variables = self.spec.modules[self.spec.root].variables.iter();
        variables.map(|&id| self.spec.names.text(self.spec.variables[id].name).to_owned()).collect()
    }

    /// Returns a state with these values, found by their names. Other variables have no value there.
    pub fn state(&self, names: &[String], values: &[Option<Datum>]) -> StandingState {
        let run = ExploreRun::new(self.settings, &self.spec, &self.memory);
        let value = |variable: &String| {
            let index = names.iter().position(|name| name == variable)?;
            values.get(index).cloned().flatten()
        };
        let values: Vec<Option<Datum>> = self.variables().iter().map(value).collect();
        StandingState::from_data(self.atoms, &run, &values)
    }

    /// Takes an input: evaluates an expression, or remembers a definition.
    pub fn take(&mut self, text: &str, position: Option<Position<'_>>) -> Result<Typed, Refused> {
        let reading = self.read(text);
        match reading {
            Reading::Expression => self.eval(text, position).map(|answer| Typed::Value(Box::new(answer))),
            Reading::Definition(names) => self.define(Definition { names, text: text.to_owned() }),
        }
    }

    /// Finds out whether a text is an expression or a definition, without regard to the meaning of names.
    fn read(&mut self, text: &str) -> Reading {
        let is_expression = {
            let source = self.spec.sources.add_text(ORIGIN, text);
            !syntax::parse_expr(source, text, &mut self.spec.names).diagnostics.has_errors()
        };
        if is_expression {
            return Reading::Expression;
        }
        let wrapped = format!("LET\n{text}\nIN TRUE");
        let source = self.spec.sources.add_text(ORIGIN, wrapped.as_str());
        let parsed = syntax::parse_expr(source, &wrapped, &mut self.spec.names);
        // A definition with a mistake is still one: its own message says more than that of an expression.
        let looks_defining = begins_like_a_definition(text);
        if parsed.diagnostics.has_errors() && !looks_defining {
            return Reading::Expression;
        }
        Reading::Definition(defined_names(&parsed.tree, &self.spec))
    }

    /// Remembers a definition. One of the same name is replaced, where it stood if that is possible.
    fn define(&mut self, definition: Definition) -> Result<Typed, Refused> {
        self.forget_library_names(&definition.names);
        let overlaps = |known: &Definition| known.names.iter().any(|name| definition.names.contains(name));
        let at = self.definitions.iter().position(overlaps);
        let before = self.definitions.clone();
        let kept =
            |list: &[Definition]| list.iter().filter(|one| !overlaps(one)).cloned().collect::<Vec<_>>();
        let mut result = Err(Refused::from(Diagnostics::new()));
        // First where the earlier one stood, so that its users see the new one; then behind all others.
        let places = at.into_iter().chain([kept(&before).len()]);
        for place in places {
            let mut list = kept(&before);
            list.insert(place.min(list.len()), definition.clone());
            self.definitions = list;
            result = self.resolve("TRUE").map(|_| Typed::Defined(definition.names.clone()));
            if result.is_ok() {
                return result;
            }
        }
        self.definitions = before;
        result
    }

    /// A name that only comes from a library module is free for what is typed.
    fn forget_library_names(&mut self, names: &[String]) {
        let root = self.spec.root;
        for name in names {
            let Some(name) = self.spec.names.get(name) else { continue };
            let is_library = self.spec.modules[root].scope.get(&name).is_some_and(|entry| {
                let sema::spec::Entity::Def(def) = entry.entity else { return false };
                entry.local && self.spec.modules[self.spec.defs[def].module].embedded
            });
            if is_library {
                self.spec.modules[root].scope.shift_remove(&name);
            }
        }
    }

    /// Resolves an expression behind all definitions.
    fn resolve(&mut self, text: &str) -> Result<ExprId, Refused> {
        let mut whole = String::new();
        for definition in &self.definitions {
            whole.push_str(&format!("LET {} IN\n", definition.text));
        }
        whole.push_str(text);
        let module = self.spec.root;
        let text = ExprText { origin: ORIGIN, text: &whole, module, params: &[] };
        Ok(sema::resolve_expr(&mut self.spec, text)?.expr)
    }

    /// Evaluates an expression: in a state, on the step to the next one, or without either.
    pub fn eval(&mut self, text: &str, position: Option<Position<'_>>) -> Result<Answer, Refused> {
        let expr = self.resolve(text)?;
        self.check_level(expr, position)?;
        let (Lowered { program, diagnostics }, root) = lower_expr(&self.spec, self.config, self.atoms, expr);
        if diagnostics.has_errors() {
            return Err(diagnostics.into());
        }
        let model = Model { spec: &self.spec, program: &program };
        let shared = Shared::new(&program);
        let run = ExploreRun::new(self.settings, &self.spec, &self.memory);
        let region = run.region();
        let mut machine = Machine::new(&program, &shared, &region, &run);
        if let Some(position) = position {
            run.stand_at(position.level);
            position.state.enter(&mut machine, Side::Current);
            if let Some(next) = position.next {
                next.enter(&mut machine, Side::Next);
            }
        }
        let evaluated = machine.eval_root(root).and_then(|value| {
            let text = printable(&mut machine, value, (self.width, root.expr))?;
            let forced = ops::force(&mut machine, value).unwrap_or(value);
            Ok((text, model::datum(forced)))
        });
        let printed = run.take_printed();
        match evaluated {
            Ok((text, datum)) => {
                Ok(Answer { text, datum, printed, warnings: model::lost_updates(model, &shared) })
            }
            Err(fault) => Err(Refused { printed, ..self.refusal(model, &fault) }),
        }
    }

    fn refusal(&self, model: Model<'_>, fault: &Fault) -> Refused {
        // The next input begins anew.
        self.settings.interrupted.store(false, Ordering::Relaxed);
        let is_interrupted = matches!(fault.kind, FaultKind::Interrupted);
        let kind = if is_interrupted { RefusedKind::Interrupted } else { RefusedKind::NoValue };
        Refused { kind, ..model::fault_diagnostic(model, fault).into() }
    }

    /// Checks that there are as many states as the expression needs.
    fn check_level(&self, expr: ExprId, position: Option<Position<'_>>) -> Result<(), Refused> {
        let span = self.spec.exprs[expr].span;
        let has_next = position.is_some_and(|position| position.next.is_some());
        match self.spec.levels.exprs[expr] {
            Level::Constant => Ok(()),
            Level::State if position.is_some() => Ok(()),
            Level::Action if has_next => Ok(()),
            Level::State => Err(no_state(span, "the expression depends on a state, and there is none here")),
            Level::Action => Err(no_state(span, "the expression is about a step, and there is none here")),
            Level::Temporal => {
                let headline = "the expression is about whole behaviours";
                let help = "`specline check --property EXPR` checks it";
                Err(Diagnostic::new(Code::NoState, span, headline).help(help).into())
            }
        }
    }
}

fn no_state(span: Span, headline: &str) -> Refused {
    let help = "name one with `--at TRACE:STATE`; a step is that from the state to the next one of the trace";
    Diagnostic::new(Code::NoState, span, headline).help(help).into()
}

/// The kind of an input.
enum Reading {
    Expression,
    Definition(Vec<String>),
}

/// Whether a text begins like `name ==` or `name(parameters) ==`, as far as can be seen without reading it.
fn begins_like_a_definition(text: &str) -> bool {
    let head = text.split("==").next().unwrap_or_default();
    let name: String = head.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let rest = head.trim_start()[name.len()..].trim();
    let is_head = rest.is_empty() || rest.starts_with(['(', '[']) && rest.ends_with([')', ']']);
    text.contains("==") && !name.is_empty() && name != "LET" && is_head
}

/// The names that `LET definitions IN TRUE` defines.
fn defined_names(parsed: &LoneExpr, spec: &Spec) -> Vec<String> {
    let ExprKind::Let { units, .. } = &parsed.file.exprs[parsed.root].kind else { return Vec::new() };
    let mut names: Vec<String> = Vec::new();
    for unit in units {
        let name = match &unit.kind {
            UnitKind::Operator { head, .. } | UnitKind::NamedInstance { head, .. } => head.name.name,
            UnitKind::Function { name, .. } => name.name,
            UnitKind::Constants(_)
            | UnitKind::Variables(_)
            | UnitKind::Recursive(_)
            | UnitKind::Instance(_)
            | UnitKind::Assume { .. }
            | UnitKind::Theorem { .. }
            | UnitKind::UseHide(_)
            | UnitKind::Module(_) => continue,
        };
        names.push(spec.names.text(name).to_owned());
    }
    names
}
