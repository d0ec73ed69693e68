//! Names of variables, labels, procedures and processes. The translation has one space of names for all of them, so a name
//! that two things have is changed for one of them; the changes are written at the top of the translation.

use std::collections::BTreeMap;

use diag::Code;

use crate::ast::{Algorithm, Body, Kind, Procedure, Process, Statement, Step, Variable};
use crate::expr::{Expr, Token, TokenKind};
use crate::problem::Problem;
use crate::source::Spot;

/// The kinds of names, in the order in which names are settled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NameKind {
    Global,
    Label,
    Procedure,
    Process,
    ProcessVariable,
    ProcedureVariable,
    Parameter,
}

impl NameKind {
    const ALL: [NameKind; 7] = [
        NameKind::Global,
        NameKind::Label,
        NameKind::Procedure,
        NameKind::Process,
        NameKind::ProcessVariable,
        NameKind::ProcedureVariable,
        NameKind::Parameter,
    ];

    fn words(self) -> &'static str {
        match self {
            NameKind::Global => "Global variable",
            NameKind::Label => "Label",
            NameKind::Procedure => "Procedure",
            NameKind::Process => "Process",
            NameKind::ProcessVariable => "Process variable",
            NameKind::ProcedureVariable => "Procedure variable",
            NameKind::Parameter => "Parameter",
        }
    }

    fn is_variable(self) -> bool {
        match self {
            NameKind::Global
            | NameKind::ProcessVariable
            | NameKind::ProcedureVariable
            | NameKind::Parameter => true,
            NameKind::Label | NameKind::Procedure | NameKind::Process => false,
        }
    }

    /// Whether a name of this kind belongs to one procedure or process, and may not hide a global one.
    fn is_local(self) -> bool {
        matches!(self, NameKind::ProcessVariable | NameKind::ProcedureVariable | NameKind::Parameter)
    }
}

/// The procedure or process to which a name belongs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Owner {
    /// The procedure or process; empty for the algorithm itself.
    name: String,
    /// `procedure` or `process`.
    kind: &'static str,
}

#[derive(Clone, Debug)]
struct Entry {
    kind: NameKind,
    name: String,
    owner: Owner,
    at: Option<Spot>,
    /// The name in the translation.
    new_name: String,
}

/// The names of an algorithm.
#[derive(Clone, Debug, Default)]
pub struct Names {
    entries: Vec<Entry>,
    /// Indices into `entries` by name.
    by_name: BTreeMap<String, Vec<usize>>,
}

impl Names {
    /// Collects the names of `algorithm` and gives each its name in the translation.
    pub fn new(algorithm: &Algorithm) -> Result<Names, Problem> {
        let mut names = Names::default();
        names.collect(algorithm)?;
        names.disambiguate();
        Ok(names)
    }

    fn collect(&mut self, algorithm: &Algorithm) -> Result<(), Problem> {
        let none = Owner::default();
        self.insert(NameKind::Global, "pc", (&none, None))?;
        if !algorithm.procedures.is_empty() {
            self.insert(NameKind::Global, "stack", (&none, None))?;
        }
        self.variables(NameKind::Global, &algorithm.variables, &none)?;
        for procedure in &algorithm.procedures {
            self.insert(NameKind::Procedure, &procedure.name, (&none, Some(procedure.at)))?;
            let owner = Owner { name: procedure.name.clone(), kind: "procedure" };
            self.variables(NameKind::ProcedureVariable, &procedure.variables, &owner)?;
            self.variables(NameKind::Parameter, &procedure.parameters, &owner)?;
            self.steps(&procedure.body, &owner)?;
        }
        match &algorithm.body {
            Body::Single(steps) => self.steps(steps, &none)?,
            Body::Processes(processes) => {
                for process in processes {
                    self.insert(NameKind::Process, &process.name, (&none, Some(process.at)))?;
                    let owner = Owner { name: process.name.clone(), kind: "process" };
                    self.variables(NameKind::ProcessVariable, &process.variables, &owner)?;
                    self.steps(&process.body, &owner)?;
                }
            }
        }
        Ok(())
    }

    fn variables(&mut self, kind: NameKind, variables: &[Variable], owner: &Owner) -> Result<(), Problem> {
        variables
            .iter()
            .try_for_each(|variable| self.insert(kind, &variable.name, (owner, Some(variable.at))))
    }

    fn steps(&mut self, steps: &[Step], owner: &Owner) -> Result<(), Problem> {
        for step in steps {
            self.insert(NameKind::Label, &step.label, (owner, Some(step.at)))?;
            self.statements(&step.statements, owner)?;
        }
        Ok(())
    }

    fn statements(&mut self, statements: &[Statement], owner: &Owner) -> Result<(), Problem> {
        for statement in statements {
            match &statement.kind {
                Kind::If { then, otherwise, .. } => {
                    self.statements(then, owner)?;
                    self.statements(otherwise, owner)?;
                }
                Kind::Either(branches) => {
                    branches.iter().try_for_each(|branch| self.statements(branch, owner))?;
                }
                Kind::With { body, .. } => self.statements(body, owner)?,
                Kind::While { statements, steps, .. } => {
                    self.statements(statements, owner)?;
                    self.steps(steps, owner)?;
                }
                Kind::LabelIf { then, otherwise, .. } => {
                    for branch in [then, otherwise] {
                        self.statements(&branch.statements, owner)?;
                        self.steps(&branch.steps, owner)?;
                    }
                }
                Kind::LabelEither(branches) => {
                    for branch in branches {
                        self.statements(&branch.statements, owner)?;
                        self.steps(&branch.steps, owner)?;
                    }
                }
                Kind::Assign(_)
                | Kind::Await(_)
                | Kind::Print(_)
                | Kind::Assert(_)
                | Kind::Skip
                | Kind::Call { .. }
                | Kind::Return { .. }
                | Kind::CallReturn { .. }
                | Kind::CallGoto { .. }
                | Kind::Goto { .. }
                | Kind::MacroCall(_) => {}
            }
        }
        Ok(())
    }

    fn insert(
        &mut self,
        kind: NameKind,
        name: &str,
        (owner, at): (&Owner, Option<Spot>),
    ) -> Result<(), Problem> {
        let clashes = |entry: &&Entry| match kind.is_local() {
            true => entry.owner == *owner || (entry.kind == NameKind::Global && entry.owner.name.is_empty()),
            false => entry.kind == kind && entry.owner == *owner,
        };
        if let Some(first) = self.named(name).find(clashes) {
            let headline = format!("{} `{name}` is declared twice", kind.words().to_lowercase());
            let problem =
                Problem::new(Code::PcalName, at.unwrap_or_default(), headline).wide(name.chars().count());
            return Err(match first.at {
                Some(at) => problem.related(at, name.chars().count(), "first here"),
                None => problem.note(format!("the translation adds a variable `{name}`")),
            });
        }
        self.by_name.entry(name.to_owned()).or_default().push(self.entries.len());
        let (name, new_name) = (name.to_owned(), name.to_owned());
        self.entries.push(Entry { kind, name, owner: owner.clone(), at, new_name });
        Ok(())
    }

    /// Entries with this name, in the order of the text.
    fn named(&self, name: &str) -> impl Iterator<Item = &Entry> {
        self.by_name.get(name).into_iter().flatten().map(|&index| &self.entries[index])
    }

    /// Lengthens names that several things have, those of later kinds first by `_`, then by letters of the owner.
    fn disambiguate(&mut self) {
        let mut n_users: BTreeMap<String, usize> = BTreeMap::new();
        for entry in &self.entries {
            *n_users.entry(entry.new_name.clone()).or_default() += 1;
        }
        for (number, kind) in NameKind::ALL.into_iter().enumerate() {
            for entry in self.entries.iter_mut().filter(|entry| entry.kind == kind) {
                let owner: Vec<char> = entry.owner.name.chars().collect();
                let mut n_added = 0;
                while kind != NameKind::Global && n_users[&entry.new_name] > 1 {
                    *n_users.entry(entry.new_name.clone()).or_default() -= 1;
                    match n_added {
                        0 => entry.new_name.push('_'),
                        n if n <= owner.len() => entry.new_name.push(owner[n - 1]),
                        _ => entry.new_name.push_str(&number.to_string()),
                    }
                    n_added += 1;
                    *n_users.entry(entry.new_name.clone()).or_default() += 1;
                }
            }
        }
    }

    /// Lists what was renamed, as comments of the translation.
    pub fn report(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for kind in NameKind::ALL {
            for entry in
                self.entries.iter().filter(|entry| entry.kind == kind && entry.name != entry.new_name)
            {
                let owner = match entry.owner.name.is_empty() {
                    true => String::new(),
                    false => format!(" of {} {}", entry.owner.kind, entry.owner.name),
                };
                let at = entry.at.unwrap_or_default();
                let place = format!("line {} col {}", at.line + 1, at.column + 1);
                let (kind, name, new_name) = (kind.words(), &entry.name, &entry.new_name);
                lines.push(format!("\\* {kind} {name}{owner} at {place} changed to {new_name}"));
            }
        }
        lines
    }

    /// The name in the translation of what is called `name` in `owner`.
    pub fn new_name<'a>(&'a self, kind: NameKind, name: &'a str, owner: &str) -> &'a str {
        let found = self.named(name).find(|entry| entry.kind == kind && entry.owner.name == owner);
        found.map_or(name, |entry| &entry.new_name)
    }

    fn is_label(&self, name: &str, owner: &str) -> bool {
        self.named(name).any(|entry| entry.kind == NameKind::Label && entry.owner.name == owner)
    }

    fn variable<'a>(&'a self, name: &'a str, owner: &str) -> &'a str {
        let found = self.named(name).find(|entry| entry.owner.name == owner);
        found.filter(|entry| entry.kind.is_variable()).map_or(name, |entry| &entry.new_name)
    }

    /// Whether a variable is called like the constant for variables without a value.
    pub fn uses(&self, name: &str) -> Option<Spot> {
        self.named(name).next().and_then(|entry| entry.at)
    }
}

/// Gives everything in the algorithm its name in the translation.
pub fn rename(algorithm: &mut Algorithm, names: &Names) -> Result<(), Problem> {
    let everywhere = Renamer { names, owner: String::new() };
    everywhere.variables(&mut algorithm.variables);
    algorithm.procedures.iter_mut().try_for_each(|procedure| rename_procedure(procedure, names))?;
    match &mut algorithm.body {
        Body::Single(steps) => everywhere.steps(steps),
        Body::Processes(processes) => {
            processes.iter_mut().try_for_each(|process| rename_process(process, names))
        }
    }
}

fn rename_procedure(procedure: &mut Procedure, names: &Names) -> Result<(), Problem> {
    let renamer = Renamer { names, owner: procedure.name.clone() };
    renamer.variables(&mut procedure.variables);
    renamer.variables(&mut procedure.parameters);
    renamer.steps(&mut procedure.body)?;
    renamer.labels(&mut procedure.labels.plus);
    renamer.labels(&mut procedure.labels.minus);
    procedure.name = names.new_name(NameKind::Procedure, &procedure.name, "").to_owned();
    Ok(())
}

fn rename_process(process: &mut Process, names: &Names) -> Result<(), Problem> {
    let renamer = Renamer { names, owner: process.name.clone() };
    renamer.variables(&mut process.variables);
    renamer.steps(&mut process.body)?;
    renamer.labels(&mut process.labels.plus);
    renamer.labels(&mut process.labels.minus);
    process.name = names.new_name(NameKind::Process, &process.name, "").to_owned();
    Ok(())
}

/// Renames what belongs to a procedure or process.
struct Renamer<'a> {
    names: &'a Names,
    owner: String,
}

impl Renamer<'_> {
    fn labels(&self, labels: &mut [String]) {
        labels.iter_mut().for_each(|label| self.label(label));
    }

    fn label(&self, label: &mut String) {
        *label = self.names.new_name(NameKind::Label, label, &self.owner).to_owned();
    }

    fn variables(&self, variables: &mut [Variable]) {
        for variable in variables {
            variable.name = self.names.variable(&variable.name, &self.owner).to_owned();
            self.expr(&mut variable.value);
        }
    }

    fn expr(&self, expr: &mut Expr) {
        let mut renamed: Vec<(String, Expr)> = Vec::new();
        for token in expr.tokens().filter(|token| token.kind == TokenKind::Identifier) {
            let new_name = self.names.variable(&token.text, &self.owner);
            if new_name != token.text && renamed.iter().all(|(name, _)| *name != token.text) {
                let by = Expr::new(vec![vec![Token::new(new_name, 0, TokenKind::Identifier)]]);
                renamed.push((token.text.clone(), by));
            }
        }
        if !renamed.is_empty() {
            expr.substitute(&renamed, false);
        }
    }

    fn exprs(&self, exprs: &mut [Expr]) {
        exprs.iter_mut().for_each(|expr| self.expr(expr));
    }

    fn steps(&self, steps: &mut [Step]) -> Result<(), Problem> {
        for step in steps {
            self.label(&mut step.label);
            self.statements(&mut step.statements)?;
        }
        Ok(())
    }

    fn statements(&self, statements: &mut [Statement]) -> Result<(), Problem> {
        statements.iter_mut().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&self, statement: &mut Statement) -> Result<(), Problem> {
        let at = statement.at;
        match &mut statement.kind {
            Kind::Assign(all) => {
                for one in all {
                    one.variable = self.names.variable(&one.variable, &self.owner).to_owned();
                    self.expr(&mut one.subscript);
                    self.expr(&mut one.value);
                }
            }
            Kind::If { test, then, otherwise } => {
                self.statements(then)?;
                self.statements(otherwise)?;
                self.expr(test);
            }
            Kind::Either(branches) => branches.iter_mut().try_for_each(|branch| self.statements(branch))?,
            Kind::With { value, body, .. } => {
                self.expr(value);
                self.statements(body)?;
            }
            Kind::Await(expr) | Kind::Print(expr) | Kind::Assert(expr) => self.expr(expr),
            Kind::While { test, statements, steps } => {
                self.statements(statements)?;
                self.steps(steps)?;
                self.expr(test);
            }
            Kind::LabelIf { test, then, otherwise } => {
                self.expr(test);
                for branch in [then, otherwise] {
                    self.statements(&mut branch.statements)?;
                    self.steps(&mut branch.steps)?;
                }
            }
            Kind::LabelEither(branches) => {
                for branch in branches {
                    self.statements(&mut branch.statements)?;
                    self.steps(&mut branch.steps)?;
                }
            }
            Kind::CallReturn { from, to, arguments } => {
                from.iter_mut().for_each(|from| self.procedure(from));
                self.procedure(to);
                self.exprs(arguments);
            }
            Kind::Call { to, arguments } => {
                self.procedure(to);
                self.exprs(arguments);
            }
            Kind::CallGoto { to, after, arguments } => {
                self.check_target(after, at)?;
                self.label(after);
                self.procedure(to);
                self.exprs(arguments);
            }
            Kind::Goto { to } => {
                self.check_target(to, at)?;
                self.label(to);
            }
            Kind::Return { from } => from.iter_mut().for_each(|from| self.procedure(from)),
            Kind::Skip | Kind::MacroCall(_) => {}
        }
        Ok(())
    }

    fn procedure(&self, name: &mut String) {
        *name = self.names.new_name(NameKind::Procedure, name, "").to_owned();
    }

    fn check_target(&self, label: &str, at: Spot) -> Result<(), Problem> {
        if label == "Done" || self.names.is_label(label, &self.owner) {
            return Ok(());
        }
        let headline = format!("there is no label `{label}` here");
        Err(Problem::new(Code::PcalName, at, headline)
            .wide("goto".len())
            .help("a `goto` leads to a label of the same process or procedure, or to `Done`"))
    }
}
