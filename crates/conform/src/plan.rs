//! A mapping made part of a specification: what its expressions mean. Everything that can be wrong with it is found
//! here, before anything starts.
//!
//! The observed state of the program is one more variable, [`REAL`]; so is a message, [`MESSAGE`], and so are the parameters of
//! the action that a text belongs to.

use base::FxIndexSet;
use diag::Diagnostics;
use regex::Regex;
use sema::Spec;
use sema::level::Level;
use sema::spec::{DefBody, DefId, ExprId, ExprKind, Op, Quantifier, VarId};
use stage::system::System;
pub use validate::extend::AskedIdx;
use validate::extend::Extension;

use crate::lines;
use crate::map::{ActionForm, LineForm, Mapping, Piece, Text};

/// The name of the program's observations in expressions.
pub const REAL: &str = "real";
/// A message that is under way, in expressions about messages.
pub const MESSAGE: &str = "message";
/// Fields of [`REAL`] that are no observations.
pub const NET: &str = "net";
pub const UP: &str = "up";
pub const HELD: &str = "held";

/// The facts about a mapping that a replay needs.
#[derive(Debug)]
pub struct Plan {
    pub nodes: AskedIdx,
    pub arguments: Option<AskedIdx>,
    pub begin: Vec<PlannedLine>,
    /// The words of the decoder's command, if messages have one.
    pub decoder: Vec<String>,
    pub only: Option<AskedIdx>,
    pub value: Option<AskedIdx>,
    /// Variables by name, and what they are in the program.
    pub variables: Vec<(String, AskedIdx)>,
    pub history: Vec<String>,
    /// Variables that are not compared though the program has them.
    pub unobserved: Vec<String>,
    /// Properties that the values of the program do not decide.
    pub unconfirmed: Vec<String>,
    pub actions: Vec<PlannedAction>,
    pub alarms: Vec<Regex>,
    /// The observations that are made of each node.
    pub observations: Vec<String>,
    /// Whether messages that are under way are compared.
    pub reads_net: bool,
}

#[derive(Debug)]
pub struct PlannedAction {
    pub name: String,
    pub params: Vec<String>,
    pub when: Option<AskedIdx>,
    pub events: Vec<PlannedLine>,
    pub until: Option<AskedIdx>,
    pub repeat: Vec<PlannedLine>,
    pub prefer: Vec<AskedIdx>,
    /// The observations that `until`, `repeat` and `prefer` read.
    pub observations: Vec<String>,
    pub rounds_max: u32,
    pub compares: bool,
}

/// A line of which each expression has a number.
#[derive(Debug)]
pub struct PlannedLine {
    pub pieces: Vec<PlannedPiece>,
    pub message: Option<AskedIdx>,
}

#[derive(Debug)]
pub enum PlannedPiece {
    Plain(String),
    Asked(AskedIdx),
}

/// Adds a mapping to a specification and its configuration. `actions` are the names of the steps of the next-state
/// relation.
pub fn plan(
    extension: Extension<'_>,
    mapping: &Mapping,
    system: &System,
    actions: &[String],
) -> Result<Plan, Diagnostics> {
    let mut planner = Planner { extension, all: Vec::new() };
    planner.variable(REAL);
    let plan = planner.plan(mapping, (system, actions));
    planner.extension.finish(plan)
}

struct Planner<'a> {
    extension: Extension<'a>,
    /// Every expression of the mapping, with its text.
    all: Vec<(ExprId, Text)>,
}

impl Planner<'_> {
    fn plan(&mut self, mapping: &Mapping, (system, actions): (&System, &[String])) -> Option<Plan> {
        let nodes = self.ask(mapping.nodes.as_ref()?);
        let arguments = mapping.arguments.as_ref().and_then(|text| self.ask(text));
        let begin = self.lines(&mapping.begin, system);
        let variables = self.variables(mapping);
        self.plan_unseen(mapping);
        let alarms = self.alarms(mapping);
        let message = self.variable(MESSAGE);
        let only = mapping.messages.only.as_ref().and_then(|text| self.ask(text));
        let value = mapping.messages.value.as_ref().and_then(|text| self.ask(text));
        self.hide(message);
        let planned = mapping.actions.iter().filter_map(|form| self.action(form, system)).collect::<Vec<_>>();
        self.report_unmapped(mapping, actions);
        self.report_unknown(system);
        let (observations, reads_net) = self.find_observations(0, system);
        Some(Plan {
            nodes: nodes?,
            arguments,
            begin,
            decoder: mapping.messages.decoder.iter().map(|word| word.text.clone()).collect(),
            only,
            value,
            variables,
            history: mapping.history.iter().map(|name| name.text.clone()).collect(),
            unobserved: mapping.unobserved.iter().map(|name| name.text.clone()).collect(),
            unconfirmed: mapping.unconfirmed.iter().map(|name| name.text.clone()).collect(),
            actions: planned,
            alarms,
            observations,
            reads_net,
        })
    }

    fn refuse(&mut self, text: &Text, headline: impl Into<String>, help: impl Into<String>) {
        self.extension.refuse(text, headline, help);
    }

    /// Adds a variable to the root module.
    fn variable(&mut self, name: &str) -> Option<VarId> {
        let variable = self.extension.add_variable(name);
        if variable.is_none() {
            let headline = format!("the specification has a `{name}` of its own, which a mapping needs");
            let help = "call it something else in the specification";
            self.extension.refuse_at(self.extension.start(), headline, help);
        }
        variable
    }

    /// Hides a variable from the texts after this.
    fn hide(&mut self, variable: Option<VarId>) {
        variable.into_iter().for_each(|variable| self.extension.hide(variable));
    }

    /// Resolves a text as an expression about one state.
    fn expr(&mut self, text: &Text) -> Option<ExprId> {
        let expr = self.extension.resolve(text)?;
        if self.extension.spec.levels.exprs[expr] > Level::State {
            self.refuse(text, "this is about more than one state", "leave out the primes");
            return None;
        }
        self.all.push((expr, text.clone()));
        Some(expr)
    }

    fn ask(&mut self, text: &Text) -> Option<AskedIdx> {
        let expr = self.expr(text)?;
        Some(self.extension.ask_text(text, expr))
    }

    fn lines(&mut self, forms: &[LineForm], system: &System) -> Vec<PlannedLine> {
        forms.iter().filter_map(|form| self.line(form, system)).collect()
    }

    fn line(&mut self, form: &LineForm, system: &System) -> Option<PlannedLine> {
        if let Err(wrong) = lines::check(form, system) {
            self.refuse(&form.text, wrong.message, wrong.help);
        }
        let piece = |this: &mut Self, piece: &Piece| match piece {
            Piece::Plain(text) => Some(PlannedPiece::Plain(text.clone())),
            Piece::Expr(text) => this.ask(text).map(PlannedPiece::Asked),
        };
        let pieces: Vec<Option<PlannedPiece>> = form.pieces.iter().map(|part| piece(self, part)).collect();
        let message = form.message.as_ref().map(|matched| self.ask(&matched.value));
        let message = match message {
            None => None,
            Some(asked) => Some(asked?),
        };
        Some(PlannedLine { pieces: pieces.into_iter().collect::<Option<_>>()?, message })
    }

    /// Whether the specification has the variable that a text names; complains if it has not.
    fn check_variable(&mut self, name: &Text) -> bool {
        let own = self.own_variables();
        if own.contains(&name.text) {
            return true;
        }
        let help = match base::nearest(&name.text, own.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("its variables are {}", own.join(", ")),
        };
        self.refuse(name, format!("the specification has no variable `{}`", name.text), help);
        false
    }

    fn own_variables(&self) -> Vec<String> {
        let all = self.extension.spec.modules[self.extension.spec.root].variables.iter();
        let own = all.filter(|id| !self.extension.is_added(**id));
        own.map(|id| self.extension.spec.names.text(self.extension.spec.variables[*id].name).to_owned())
            .collect()
    }

    fn variables(&mut self, mapping: &Mapping) -> Vec<(String, AskedIdx)> {
        let mut all = Vec::new();
        for (name, text) in &mapping.variables {
            let is_known = self.check_variable(name);
            let Some(asked) = self.ask(text).filter(|_| is_known) else { continue };
            let expr = self.all.last().map(|(expr, _)| *expr);
            if expr.is_some_and(|expr| !self.reads_real(expr)) {
                let help =
                    format!("say where it is seen: `{REAL}.OBSERVATION[node]`; or list it in `unobserved`");
                self.refuse(text, format!("`{}` is compared with nothing of the program", name.text), help);
            }
            all.push((name.text.clone(), asked));
        }
        all
    }

    fn reads_real(&self, expr: ExprId) -> bool {
        let mut reads = false;
        validate::walk(self.extension.spec, expr, &mut |part| reads |= self.is_real(part));
        reads
    }

    fn is_real(&self, expr: ExprId) -> bool {
        let ExprKind::Var(id) = &self.extension.spec.exprs[expr].kind else { return false };
        let name = self.extension.spec.variables[*id].name;
        self.extension.is_added(*id) && self.extension.spec.names.text(name) == REAL
    }

    /// Checks the variables that are not compared, and that there are no others: a variable that nobody mentions may
    /// differ, and nobody would know.
    fn plan_unseen(&mut self, mapping: &Mapping) {
        for name in mapping.history.iter().chain(&mapping.unobserved) {
            self.check_variable(name);
            if mapping.variables.iter().any(|(known, _)| known.text == name.text) {
                let help = "what cannot be seen in the program cannot be compared: leave one of them out";
                self.refuse(name, format!("`{}` is compared as well", name.text), help);
            }
        }
        for name in &mapping.unobserved {
            if mapping.history.iter().any(|known| known.text == name.text) {
                let help = "what only the specification has is `history`: leave one of them out";
                self.refuse(name, format!("`{}` is in `history` as well", name.text), help);
            }
        }
        let compared = mapping.variables.iter().map(|(name, _)| name);
        let known: Vec<&str> = compared
            .chain(&mapping.history)
            .chain(&mapping.unobserved)
            .map(|name| name.text.as_str())
            .collect();
        let own = self.own_variables().into_iter().filter(|name| !known.contains(&name.as_str()));
        let missing: Vec<String> = own.map(|name| format!("`{name}`")).collect();
        let Some((last, others)) = missing.split_last() else { return };
        let headline = match others {
            [] => format!("the mapping does not say where {last} is seen in the program"),
            _ => format!(
                "the mapping does not say where {} and {last} are seen in the program",
                others.join(", ")
            ),
        };
        let help = "add it to `[variables]`; or to `history`, if only the specification has it; or to `unobserved`, if it is \
                    not to be compared";
        self.extension.refuse_at(self.extension.start(), headline, help);
    }

    fn alarms(&mut self, mapping: &Mapping) -> Vec<Regex> {
        let mut all = Vec::new();
        for text in &mapping.alarms {
            match Regex::new(&text.text) {
                Ok(regex) => all.push(regex),
                Err(error) => {
                    let headline = error.to_string().lines().last().unwrap_or_default().to_owned();
                    self.refuse(text, headline, "an alarm is a regular expression");
                }
            }
        }
        all
    }

    fn action(&mut self, form: &ActionForm, system: &System) -> Option<PlannedAction> {
        let def = self.find_action(&form.name)?;
        let params = self.parameters(def);
        let mut bound: Vec<Option<VarId>> = params.iter().map(|name| self.variable(name)).collect();
        let when = form.when.as_ref().and_then(|text| self.ask(text));
        let events = self.lines(&form.events, system);
        let n_before = self.all.len();
        let until = form.until.as_ref().and_then(|text| self.ask(text));
        let repeat = self.lines(&form.repeat, system);
        bound.push(self.variable(MESSAGE));
        let prefer = form.prefer.iter().filter_map(|text| self.ask(text)).collect();
        bound.into_iter().for_each(|variable| self.hide(variable));
        let (observations, _) = self.find_observations(n_before, system);
        let (name, rounds_max, compares) = (form.name.text.clone(), form.rounds_max, form.compares);
        Some(PlannedAction {
            name,
            params,
            when,
            events,
            until,
            repeat,
            prefer,
            observations,
            rounds_max,
            compares,
        })
    }

    /// The parameters of an action, and the names that `\E` binds where its definition begins: a trace says both.
    fn parameters(&self, def: DefId) -> Vec<String> {
        let mut locals = self.extension.spec.defs[def].params.clone();
        let mut body = self.extension.spec.defs[def].body;
        while let DefBody::Expr(expr) = body
            && let ExprKind::Quantified { kind: Quantifier::Exists, bounds, body: inner } =
                &self.extension.spec.exprs[expr].kind
        {
            locals.extend(bounds.iter().flat_map(|bound| bound.pattern.locals()));
            body = DefBody::Expr(*inner);
        }
        locals
            .into_iter()
            .map(|local| self.extension.spec.names.text(self.extension.spec.locals[local].name).to_owned())
            .collect()
    }

    fn find_action(&mut self, text: &Text) -> Option<DefId> {
        if let Some(def) = self.extension.find_action(&text.text) {
            return Some(def);
        }
        let headline = format!("the specification has no action `{}`", text.text);
        self.refuse(text, headline, "an action is a definition that has primes");
        None
    }

    /// Actions of the next-state relation that nothing is said about, and the other way round.
    fn report_unmapped(&mut self, mapping: &Mapping, actions: &[String]) {
        for name in actions {
            if !mapping.actions.iter().any(|form| form.name.text == *name) {
                let headline = format!("the mapping says nothing about the action `{name}`");
                let help =
                    format!("add `[[action]]` with `name = \"{name}\"`, and `do`: the events that it is");
                self.extension.refuse_at(self.extension.start(), headline, help);
            }
        }
        for form in &mapping.actions {
            let is_known = actions.contains(&form.name.text);
            if !is_known && self.extension.spec.names.get(&form.name.text).is_some() {
                let help = match base::nearest(&form.name.text, actions.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("steps are called {}", actions.join(", ")),
                };
                let headline = format!("no step of the next-state relation is called `{}`", form.name.text);
                self.refuse(&form.name, headline, help);
            }
        }
    }

    /// Returns the fields of [`REAL`] that an expression reads, and whether it reads the whole.
    fn fields_of(&self, expr: ExprId) -> (FxIndexSet<String>, bool) {
        let (mut names, mut below) = (FxIndexSet::default(), FxIndexSet::default());
        let mut is_whole = false;
        self.extension.spec.walk(expr, |part| {
            if let ExprKind::Field { record, field } = &self.extension.spec.exprs[part].kind
                && self.is_real(*record)
            {
                below.insert(*record);
                names.insert(self.extension.spec.names.text(*field).to_owned());
            }
            is_whole |= self.is_real(part) && !below.contains(&part);
            true
        });
        (names, is_whole)
    }

    /// Returns the observations that the texts from the given one on read, and whether they read messages under way.
    fn find_observations(&self, first: usize, system: &System) -> (Vec<String>, bool) {
        let mut names: FxIndexSet<String> = FxIndexSet::default();
        for (expr, _) in &self.all[first..] {
            let (fields, is_whole) = self.fields_of(*expr);
            names.extend(fields);
            if is_whole {
                names.extend(system.observations.keys().cloned().chain([NET.to_owned()]));
            }
        }
        let reads_net = names.shift_remove(NET);
        names.shift_remove(UP);
        names.shift_remove(HELD);
        (names.into_iter().collect(), reads_net)
    }

    /// Reports the observations that are read and that the system does not have.
    fn report_unknown(&mut self, system: &System) {
        let is_known = |field: &String| {
            [NET, UP, HELD].contains(&field.as_str()) || system.observations.contains_key(field)
        };
        let mut wrong: Vec<(Text, String)> = Vec::new();
        for (expr, text) in &self.all {
            let (fields, _) = self.fields_of(*expr);
            wrong.extend(
                fields.into_iter().filter(|field| !is_known(field)).map(|field| (text.clone(), field)),
            );
        }
        for (text, field) in wrong {
            let known: Vec<&str> =
                system.observations.keys().map(String::as_str).chain([UP, HELD, NET]).collect();
            let help = format!("there are {}", known.join(", "));
            self.refuse(&text, format!("the system has no observation `{field}`"), help);
        }
    }
}

/// The variables that a property reads, but for these. What `v` is in `[A]_v` does not matter to a step that changes
/// something that is seen.
pub fn unseen_variables(spec: &Spec, def: DefId, seen: &[String]) -> Vec<String> {
    let mut names: FxIndexSet<String> = FxIndexSet::default();
    let mut entered: FxIndexSet<DefId> = FxIndexSet::default();
    let mut todo: Vec<ExprId> = Vec::new();
    let mut enter = |def: DefId, todo: &mut Vec<ExprId>| {
        if let DefBody::Expr(body) = spec.defs[def].body
            && spec.defs[def].std.is_none()
            && entered.insert(def)
        {
            todo.push(body);
        }
    };
    enter(def, &mut todo);
    while let Some(expr) = todo.pop() {
        if let ExprKind::Step { action, .. } = &spec.exprs[expr].kind {
            todo.push(*action);
            continue;
        }
        if let ExprKind::Var(id) = &spec.exprs[expr].kind {
            names.insert(spec.names.text(spec.variables[*id].name).to_owned());
        }
        if let ExprKind::Apply { op: Op::Def(def), .. } = &spec.exprs[expr].kind {
            enter(*def, &mut todo);
        }
        todo.extend(spec.children(expr));
    }
    names.into_iter().filter(|name| !seen.contains(name)).collect()
}
