//! An algorithm as the text whose checksum stands behind `BEGIN TRANSLATION`.
//!
//! TLC: the text is that of the tree after the translation, whose statements inside others have been rewritten then.

use crate::ast::{
    Algorithm, Assignment, Body, Branch, FairLabels, Fairness, Kind, Procedure, Process, Statement, Step,
    Variable,
};
use crate::expr::{Expr, Token, TokenKind};

/// Writes `algorithm`; before version 1.5 there were no fairness and labels of it.
pub fn dump(algorithm: &Algorithm, is_before_1_5: bool) -> String {
    let mut dump = Dump { text: String::new(), indents: vec![0], is_before_1_5 };
    match &algorithm.body {
        Body::Single(steps) => {
            dump.line("[type     |-> \"uniprocess\", ");
            dump.head(algorithm, [" decls  |-> ", " defs   |-> ", " prcds  |-> "]);
            dump.indented(" body  |-> ", |dump| dump.seq(steps, Dump::step));
        }
        Body::Processes(processes) => {
            dump.line("[type    |-> \"multiprocess\", ");
            dump.head(algorithm, [" decls |-> ", " defs  |-> ", " prcds |-> "]);
            dump.indented(" procs |-> ", |dump| dump.seq(processes, Dump::process));
        }
    }
    dump.text.push(']');
    dump.text
}

struct Dump {
    text: String,
    /// The columns of open parts; the last one is where a line begins.
    indents: Vec<usize>,
    is_before_1_5: bool,
}

impl Dump {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn newline(&mut self) {
        let indent = self.indents.last().copied().unwrap_or(0);
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', indent));
    }

    /// A text and the end of its line.
    fn line(&mut self, text: &str) {
        self.push(text);
        self.newline();
    }

    /// A text, with lines of what follows standing behind it.
    fn indented(&mut self, text: &str, inside: impl FnOnce(&mut Dump)) {
        let indent = self.indents.last().copied().unwrap_or(0) + text.chars().count();
        self.indents.push(indent);
        self.push(text);
        inside(self);
        self.indents.pop();
    }

    fn seq<T>(&mut self, items: &[T], write: impl Fn(&mut Dump, &T)) {
        self.indented("<<", |dump| dump.items(items, write));
        self.push(">>");
    }

    fn items<T>(&mut self, items: &[T], write: impl Fn(&mut Dump, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.line(", ");
            }
            write(self, item);
        }
    }

    fn names(&mut self, names: &[String]) {
        let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        self.push(&format!("<<{}>>", quoted.join(", ")));
    }

    /// An indented part and what ends its line.
    fn part(&mut self, text: &str, inside: impl FnOnce(&mut Dump)) {
        self.indented(text, inside);
        self.line(",");
    }

    fn head(&mut self, algorithm: &Algorithm, [variables, define, procedures]: [&str; 3]) {
        self.line(&format!(" name  |-> \"{}\", ", algorithm.name));
        self.part(variables, |dump| dump.seq(&algorithm.variables, Dump::variable));
        self.part(define, |dump| dump.expr(&algorithm.define));
        self.part(procedures, |dump| dump.seq(&algorithm.procedures, Dump::procedure));
    }

    fn variable(&mut self, variable: &Variable) {
        self.push(&format!(
            "[var |-> \"{}\", eqOrIn |-> {}, val |-> ",
            variable.name,
            relation(variable.is_equal)
        ));
        self.expr(&variable.value);
        self.push("]");
    }

    fn labels(&mut self, labels: &FairLabels, calls: &[String]) {
        self.push("minusLabels |-> ");
        self.names(&labels.minus);
        self.push(", plusLabels |->");
        self.names(&labels.plus);
        self.push(", proceduresCalled |->");
        self.names(calls);
        self.line(",");
    }

    fn procedure(&mut self, procedure: &Procedure) {
        self.line(&format!("[name   |-> \"{}\", ", procedure.name));
        if !self.is_before_1_5 {
            self.labels(&procedure.labels, &procedure.calls);
        }
        self.part(" params |-> ", |dump| dump.seq(&procedure.parameters, Dump::variable));
        self.part(" decls  |-> ", |dump| dump.seq(&procedure.variables, Dump::variable));
        self.indented(" body   |-> ", |dump| dump.seq(&procedure.body, Dump::step));
        self.push("]");
    }

    fn process(&mut self, process: &Process) {
        if self.is_before_1_5 {
            self.line(&format!("[name   |-> \"{}\", ", process.name));
        } else {
            self.line(&format!("[name   |-> \"{}\",", process.name));
            let fairness = match process.fairness {
                Fairness::Unfair => "unfair",
                Fairness::Weak => "wf",
                Fairness::Strong => "sf",
            };
            self.push(&format!(" fairness |-> \"{fairness}\", "));
            self.labels(&process.labels, &process.calls);
        }
        self.line(&format!(" eqOrIn |-> {},", relation(process.is_one)));
        self.push(" id     |-> ");
        self.expr(&process.id);
        self.line(",");
        self.part(" decls  |-> ", |dump| dump.seq(&process.variables, Dump::variable));
        self.indented(" body   |-> ", |dump| dump.seq(&process.body, Dump::step));
        self.push("]");
    }

    fn step(&mut self, step: &Step) {
        self.line(&format!("[label |-> \"{}\",", step.label));
        self.indented(" stmts |-> ", |dump| {
            dump.statements(&step.statements);
            dump.push("]");
        });
    }

    fn statements(&mut self, statements: &[Statement]) {
        self.seq(statements, Dump::statement);
    }

    fn steps(&mut self, steps: &[Step]) {
        self.seq(steps, Dump::step);
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            Kind::Assign(all) => {
                self.line("[type |-> \"assignment\",");
                self.indented(" ass  |-> ", |dump| dump.seq(all, Dump::assignment));
                self.push("]");
            }
            Kind::If { test, then, otherwise } => {
                self.test("if", test);
                self.part(" then |-> ", |dump| dump.statements(then));
                self.indented(" else |-> ", |dump| dump.statements(otherwise));
                self.push("]");
            }
            Kind::Either(branches) => {
                self.line("[type |-> \"either\", ");
                self.indented(" ors  |-> ", |dump| {
                    dump.indented("<< ", |dump| dump.items(branches, |dump, branch| dump.statements(branch)));
                    dump.push(" >>]");
                });
            }
            Kind::With { variable, is_equal, value, body } => {
                self.line("[type   |-> \"with\", ");
                self.line(&format!(" var    |-> \"{variable}\","));
                self.line(&format!(" eqOrIn |-> {},", relation(*is_equal)));
                self.push(" exp    |-> ");
                self.expr(value);
                self.line(",");
                self.indented(" do     |-> ", |dump| dump.statements(body));
                self.push("]");
            }
            Kind::Await(expr) => self.with_expr("when", expr),
            Kind::Print(expr) => self.with_expr("print", expr),
            Kind::Assert(expr) => self.with_expr("assert", expr),
            Kind::Skip => self.push("[type |-> \"skip\"]"),
            Kind::While { test, statements, steps } => {
                self.test("while", test);
                self.part(" labDo   |-> ", |dump| dump.steps(steps));
                self.indented(" unlabDo |-> ", |dump| dump.statements(statements));
                self.push("]");
            }
            Kind::LabelIf { .. } | Kind::LabelEither(_) => self.labelled(statement),
            Kind::Call { .. }
            | Kind::Return { .. }
            | Kind::CallReturn { .. }
            | Kind::CallGoto { .. }
            | Kind::Goto { .. }
            | Kind::MacroCall(_) => self.jump(statement),
        }
    }

    fn test(&mut self, name: &str, test: &Expr) {
        self.line(&format!("[type    |-> \"{name}\", "));
        self.push(" test    |-> ");
        self.expr(test);
        self.line(",");
    }

    fn with_expr(&mut self, name: &str, expr: &Expr) {
        self.line(&format!("[type |-> \"{name}\", "));
        self.push(" exp |-> ");
        self.expr(expr);
        self.push("]");
    }

    fn assignment(&mut self, assignment: &Assignment) {
        self.push(&format!("[lhs |-> [var |-> \"{}\", sub |-> ", assignment.variable));
        self.expr(&assignment.subscript);
        self.line("],");
        self.push(" rhs |-> ");
        self.expr(&assignment.value);
        self.push("]");
    }

    /// `if` and `either` with labels inside.
    fn labelled(&mut self, statement: &Statement) {
        if let Kind::LabelIf { test, then, otherwise } = &statement.kind {
            self.line("[type      |-> \"labelIf\",");
            self.push(" test      |-> ");
            self.expr(test);
            self.line(",");
            self.part(" unlabThen |-> ", |dump| dump.statements(&then.statements));
            self.part(" labThen   |-> ", |dump| dump.steps(&then.steps));
            self.part(" unlabElse |-> ", |dump| dump.statements(&otherwise.statements));
            self.indented(" labElse   |-> ", |dump| dump.steps(&otherwise.steps));
            self.line("]");
        }
        if let Kind::LabelEither(branches) = &statement.kind {
            self.line("[type    |-> \"labelEither\",");
            self.indented(" clauses |-> ", |dump| dump.seq(branches, Dump::branch));
            self.line("]");
        }
    }

    fn branch(&mut self, branch: &Branch) {
        self.part("[unlabOr |-> ", |dump| dump.statements(&branch.statements));
        self.indented(" labOr   |-> ", |dump| dump.steps(&branch.steps));
        self.line("]");
    }

    fn jump(&mut self, statement: &Statement) {
        match &statement.kind {
            Kind::Call { to, arguments } => {
                self.line("[type     |-> \"call\",");
                self.line(" returnTo |-> \"\",");
                self.line(&format!(" to       |-> \"{to}\","));
                self.indented(" args     |-> ", |dump| dump.seq(arguments, Dump::expr));
                self.push("]");
            }
            Kind::Return { from } => {
                self.push(&format!(
                    "[type |-> \"return\", from |-> \"{}\"]",
                    from.as_deref().unwrap_or("null")
                ));
            }
            Kind::CallReturn { from, to, arguments } => {
                self.line("[type     |-> \"callReturn\",");
                self.line(&format!(" from     |-> \"{}\",", from.as_deref().unwrap_or("null")));
                self.jump_end(to, arguments);
            }
            Kind::CallGoto { to, after, arguments } => {
                self.line("[type     |-> \"callGoto\",");
                self.line(&format!(" after    |-> \"{after}\","));
                self.jump_end(to, arguments);
            }
            Kind::Goto { to } => self.push(&format!("[type |-> \"goto\",  to |-> \"{to}\"]")),
            Kind::Assign(_)
            | Kind::If { .. }
            | Kind::Either(_)
            | Kind::With { .. }
            | Kind::Await(_)
            | Kind::Print(_)
            | Kind::Assert(_)
            | Kind::Skip
            | Kind::While { .. }
            | Kind::LabelIf { .. }
            | Kind::LabelEither(_)
            | Kind::MacroCall(_) => {}
        }
    }

    fn jump_end(&mut self, to: &str, arguments: &[Expr]) {
        self.line(&format!(" to       |-> \"{to}\","));
        self.indented("args     |-> ", |dump| {
            dump.seq(arguments, Dump::expr);
            dump.line("]");
        });
    }

    fn expr(&mut self, expr: &Expr) {
        self.push("<< ");
        let mut is_first = true;
        for (index, line) in expr.lines.iter().enumerate() {
            if index > 0 {
                self.text.push('\n');
            }
            for token in line {
                if !is_first {
                    self.push(", ");
                }
                is_first = false;
                self.token(token);
            }
        }
        self.push(" >>");
    }

    fn token(&mut self, token: &Token) {
        let (text, column) = (&token.text, token.column);
        let text = match (token.kind, text.as_str()) {
            (TokenKind::String, _) => format!("\"\\\"\", \"{text}\", \"\\\"\""),
            (_, "\\/" | "/\\") => format!("\"(col{column}) {}\"", text.replace('\\', "\\\\")),
            (_, text) if text.starts_with('\\') => format!("\"\\{text}\""),
            (_, text) => format!("\"{text}\""),
        };
        self.push(&text);
    }
}

fn relation(is_equal: bool) -> &'static str {
    if is_equal { "\"=\"" } else { "\"\\\\in\"" }
}
