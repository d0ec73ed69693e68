//! A step as an action: each statement is a conjunct, and variables that it does not change are `UNCHANGED`.

use diag::Code;

use super::changed::{Changed, wrap};
use super::output::{spaces, width};
use super::subscripts::subscript;
use super::{Context, Generator};
use crate::ast::{Assignment, Kind, Statement, Step};
use crate::expr::Expr;
use crate::problem::Problem;

/// A conjunct is written behind this: the text in front of it on its first line.
type Prefix = String;

/// The step that is being written.
#[derive(Clone, Debug)]
struct Writing<'a> {
    context: &'a Context,
    /// `[process]`, where there are processes.
    subscript: Option<Expr>,
}

/// Names so short are written as `x' = x`.
const SHORT: usize = 5;

impl Generator<'_> {
    pub(super) fn steps(&mut self, steps: &[Step], context: &Context) -> Result<(), Problem> {
        let variables = self.variables.clone();
        steps.iter().try_for_each(|step| self.step(step, context, &variables))
    }

    fn step(&mut self, step: &Step, context: &Context, variables: &[String]) -> Result<(), Problem> {
        let name = if self.algorithm.shape.omits_pc { &context.name } else { &step.label };
        let parameter = if context.has_parameter { "(self)" } else { "" };
        let head = format!("{name}{parameter} == ");
        let column = width(&head);
        let first_line = self.output.lines.len();
        let writing = Writing { context, subscript: context.this.as_ref().map(subscript) };
        let mut changed = Changed::new(variables);
        let mut prefix = format!("{head}/\\ ");
        for statement in &step.statements {
            self.statement(statement, &mut changed, (&writing, prefix))?;
            prefix = format!("{}/\\ ", spaces(column));
        }
        let unchanged = changed.unchanged();
        match unchanged.as_slice() {
            [] if step.statements.len() == 1 => self.remove_conjunction(first_line, column),
            [] => {}
            [name] => self.output.line(&format!("{prefix}{}", stays(name))),
            names => {
                let lines = wrap(names, self.width().saturating_sub(column + width("/\\ UNCHANGED << ")));
                self.unchanged_lines(&prefix, &lines);
            }
        }
        self.output.line("");
        Ok(())
    }

    /// `UNCHANGED << ... >>` on several lines.
    fn unchanged_lines(&mut self, prefix: &str, lines: &[String]) {
        let mut front = format!("{prefix}UNCHANGED << ");
        for (index, line) in lines.iter().enumerate() {
            let end = if index + 1 == lines.len() { " >>" } else { "" };
            self.output.line(&format!("{front}{line}{end}"));
            front = spaces(width(&front));
        }
    }

    /// Takes the bullet away where the action is a single conjunct.
    fn remove_conjunction(&mut self, first_line: usize, column: usize) {
        for (index, line) in self.output.lines[first_line..].iter_mut().enumerate() {
            let removed = if index == 0 { column..column + 3 } else { 0..3 };
            let chars: Vec<char> = line.chars().collect();
            if chars.len() > 3 {
                *line = chars[..removed.start].iter().chain(&chars[removed.end..]).collect();
            }
        }
    }

    fn statement(
        &mut self,
        statement: &Statement,
        changed: &mut Changed<'_>,
        (writing, prefix): (&Writing<'_>, Prefix),
    ) -> Result<(), Problem> {
        match &statement.kind {
            Kind::Assign(all) => self.assign(all, changed, (writing, prefix)),
            Kind::If { test, then, otherwise } => {
                let test = self.in_action(test, writing.subscript.as_ref(), changed);
                self.if_statement((&test, then, otherwise), changed, (writing, prefix))
            }
            Kind::Either(branches) => self.either(branches, changed, (writing, prefix)),
            Kind::With { .. } => self.with(statement, changed, (writing, prefix)),
            Kind::Await(expr) => {
                let expr = self.in_action(expr, writing.subscript.as_ref(), changed);
                self.conjunct(&prefix, &expr, "");
                Ok(())
            }
            Kind::Print(expr) => {
                let expr = self.in_action(expr, writing.subscript.as_ref(), changed);
                self.conjunct(&format!("{prefix}PrintT("), &expr, ")");
                Ok(())
            }
            Kind::Assert(expr) => {
                let expr = self.in_action(expr, writing.subscript.as_ref(), changed);
                self.assertion(&prefix, &expr, &statement.place());
                Ok(())
            }
            Kind::Skip => {
                self.output.line(&format!("{prefix}TRUE"));
                Ok(())
            }
            Kind::While { .. }
            | Kind::LabelIf { .. }
            | Kind::LabelEither(_)
            | Kind::Call { .. }
            | Kind::Return { .. }
            | Kind::CallReturn { .. }
            | Kind::CallGoto { .. }
            | Kind::Goto { .. }
            | Kind::MacroCall(_) => {
                let headline = "a statement stands where control flow cannot be translated";
                Err(Problem::new(Code::PcalLabel, statement.at, headline)
                    .help("put a label behind it or before it"))
            }
        }
    }

    fn conjunct(&mut self, front: &str, expr: &Expr, end: &str) {
        self.output.push(front);
        self.output.expr(expr);
        self.output.push(end);
        self.output.end_line();
    }

    fn assertion(&mut self, prefix: &str, expr: &Expr, place: &str) {
        let front = format!("{prefix}Assert(");
        self.output.push(&front);
        self.output.expr(expr);
        let text = format!("\"Failure of assertion at {place}.\")");
        self.output.push(", ");
        if self.output.column() + width(&text) >= self.width() {
            self.output.end_line();
            self.output.push(&spaces(width(&front)));
        }
        self.output.push(&text);
        self.output.end_line();
    }

    /// Assignments of one statement: those to one variable are one conjunct.
    fn assign(
        &mut self,
        all: &[Assignment],
        changed: &mut Changed<'_>,
        (writing, prefix): (&Writing<'_>, Prefix),
    ) -> Result<(), Problem> {
        let mut after = changed.clone();
        let groups: Vec<&[Assignment]> = all.chunk_by(|one, next| one.variable == next.variable).collect();
        self.output.push(&prefix);
        let mut has_bullets = false;
        for (index, group) in groups.iter().enumerate() {
            let first = &group[0];
            self.check_assigned(group, &mut after)?;
            if index > 0 {
                self.output.end_line();
                self.output.push(&spaces(width(&prefix)));
            }
            has_bullets |= index + 1 < groups.len();
            let bullet = if has_bullets { "/\\ " } else { "" };
            let front = format!("{bullet}{}' = ", first.variable);
            match *group {
                [one] => self.single(one, changed, (writing, front)),
                group => self.several(group, changed, (writing, front, width(&prefix))),
            }
        }
        self.output.end_line();
        changed.merge(&after);
        Ok(())
    }

    fn check_assigned(&self, group: &[Assignment], after: &mut Changed<'_>) -> Result<(), Problem> {
        let first = &group[0];
        let name = &first.variable;
        let wrong = |headline: String| Problem::new(Code::PcalAssign, first.at, headline).wide(width(name));
        if !self.variables.contains(name) {
            let names = self.variables.iter().map(String::as_str);
            let problem = wrong(format!("`{name}` is assigned to, and is no variable of the algorithm"));
            return Err(match base::nearest(name, names) {
                Some(near) => problem.suggest(near),
                None => problem.help("declare it in `variables`"),
            });
        }
        let has_whole = group.iter().any(|one| one.subscript.is_empty());
        if after.set(name) > 1 || (group.len() > 1 && has_whole) {
            return Err(wrong(format!("`{name}` is assigned to twice in one step"))
                .help("assign once, or put a label between the two"));
        }
        Ok(())
    }

    /// One assignment to a variable.
    fn single(&mut self, one: &Assignment, changed: &Changed<'_>, (writing, front): (&Writing<'_>, String)) {
        let bracket = writing.subscript.as_ref();
        let part = self.in_action(&one.subscript, bracket, changed);
        let value = self.in_action(&one.value, bracket, changed);
        let name = &one.variable;
        let is_of_process = name == "pc" || name == "stack" || self.is_subscripted(name);
        match (&writing.context.this, is_of_process && self.has_processes()) {
            (Some(this), true) => {
                self.output.push(&format!("{front}[{name} EXCEPT !["));
                self.output.expr(this);
                self.output.push("]");
                self.except(&part, &value);
            }
            (Some(_) | None, _) if !one.subscript.is_empty() => {
                self.output.push(&format!("{front}[{name} EXCEPT !"));
                self.except(&part, &value);
            }
            (Some(_) | None, _) => {
                self.output.push(&front);
                self.parenthesized(&value);
            }
        }
    }

    /// The end of an EXCEPT: what is changed, and the new value.
    fn except(&mut self, part: &Expr, value: &Expr) {
        self.output.expr(part);
        self.output.push(" = ");
        self.output.expr(value);
        self.output.push("]");
    }

    /// An expression, in parentheses where it may bind less tightly than `=`.
    pub(super) fn parenthesized(&mut self, expr: &Expr) {
        let needs = needs_parentheses(&expr.to_lines());
        self.output.push(if needs { "(" } else { "" });
        self.output.expr(expr);
        self.output.push(if needs { ")" } else { "" });
    }

    /// Several assignments to parts of one variable.
    fn several(
        &mut self,
        group: &[Assignment],
        changed: &Changed<'_>,
        (writing, front, prefix_width): (&Writing<'_>, String, usize),
    ) {
        let name = &group[0].variable;
        let front = format!("{front}[{name} EXCEPT ");
        let indent = width(&front) + prefix_width;
        self.output.push(&front);
        for (index, one) in group.iter().enumerate() {
            let bracket = writing.subscript.as_ref();
            let part = self.in_action(&one.subscript, bracket, changed);
            let value = self.in_action(&one.value, bracket, changed);
            self.output.push("!");
            if let (Some(this), true) = (&writing.context.this, self.is_subscripted(name)) {
                self.output.push("[");
                self.output.expr(this);
                self.output.push("]");
            }
            self.output.expr(&part);
            self.output.push(" = ");
            self.output.expr(&value);
            if index + 1 < group.len() {
                self.output.push(",");
                self.output.end_line();
                self.output.push(&spaces(indent));
            } else {
                self.output.push("]");
            }
        }
    }

    // Six values: the three parts of the statement, and how and where it is written.
    fn if_statement(
        &mut self,
        (test, then, otherwise): (&Expr, &[Statement], &[Statement]),
        changed: &mut Changed<'_>,
        (writing, prefix): (&Writing<'_>, Prefix),
    ) -> Result<(), Problem> {
        let front = format!("{prefix}IF ");
        let indent = spaces(width(&front));
        self.conjunct(&front, test, "");
        let column = width(&indent) + width("THEN ");
        let (mut in_then, mut in_otherwise) = (changed.clone(), changed.clone());
        let mut bullet = format!("{indent}THEN /\\ ");
        for statement in then {
            self.statement(statement, &mut in_then, (writing, bullet))?;
            bullet = format!("{}/\\ ", spaces(column));
        }
        let (then_end, then_bullet) = (self.output.lines.len(), bullet);
        let mut bullet = format!("{indent}ELSE /\\ ");
        if otherwise.is_empty() {
            self.output.line(&format!("{bullet}TRUE"));
            bullet = format!("{}/\\ ", spaces(column));
        }
        for statement in otherwise {
            self.statement(statement, &mut in_otherwise, (writing, bullet))?;
            bullet = format!("{}/\\ ", spaces(column));
        }
        let lines = self.unchanged_in_branch(&bullet, &in_otherwise.unchanged_beside(&in_then));
        self.output.lines.extend(lines);
        let lines = self.unchanged_in_branch(&then_bullet, &in_then.unchanged_beside(&in_otherwise));
        self.output.lines.splice(then_end..then_end, lines);
        changed.merge(&in_then);
        changed.merge(&in_otherwise);
        Ok(())
    }

    /// The conjunct of a branch about variables that only the other branch changes.
    fn unchanged_in_branch(&self, bullet: &str, names: &[&str]) -> Vec<String> {
        match names {
            [] => Vec::new(),
            [name] => vec![format!("{bullet}{}", stays(name))],
            names => {
                let room = self.width().saturating_sub(width(bullet) + width("UNCHANGED << "));
                let wrapped = wrap(names, room);
                let n_lines = wrapped.len();
                let front = format!("{bullet}UNCHANGED << ");
                let line = |(index, line): (usize, String)| {
                    let front = if index == 0 { front.clone() } else { spaces(width(&front)) };
                    let end = if index + 1 == n_lines { " >>" } else { "" };
                    format!("{front}{line}{end}")
                };
                wrapped.into_iter().enumerate().map(line).collect()
            }
        }
    }

    fn either(
        &mut self,
        branches: &[Vec<Statement>],
        changed: &mut Changed<'_>,
        (writing, prefix): (&Writing<'_>, Prefix),
    ) -> Result<(), Problem> {
        let column = width(&prefix);
        let mut front = format!("{prefix}\\/ ");
        let mut all = changed.clone();
        let mut ends = Vec::new();
        for branch in branches {
            let mut in_branch = changed.clone();
            let mut bullet = format!("{front}/\\ ");
            for statement in branch {
                self.statement(statement, &mut in_branch, (writing, bullet))?;
                bullet = format!("{}/\\ ", spaces(column + 3));
            }
            all.merge(&in_branch);
            ends.push((self.output.lines.len(), in_branch));
            front = format!("{}\\/ ", spaces(column));
        }
        for (end, in_branch) in ends.into_iter().rev() {
            let bullet = format!("{}/\\ ", spaces(column + 3));
            let line = match in_branch.unchanged_beside(&all).as_slice() {
                [] => continue,
                [name] => format!("{bullet}{}", stays(name)),
                names => format!("{bullet}UNCHANGED <<{}>>", names.join(", ")),
            };
            self.output.lines.insert(end, line);
        }
        changed.merge(&all);
        Ok(())
    }

    fn with(
        &mut self,
        statement: &Statement,
        changed: &mut Changed<'_>,
        (writing, prefix): (&Writing<'_>, Prefix),
    ) -> Result<(), Problem> {
        let Kind::With { variable, is_equal, value, body } = &statement.kind else { return Ok(()) };
        let column = width(&prefix);
        let value = self.in_action(value, writing.subscript.as_ref(), changed);
        match is_equal {
            true => self.conjunct(&format!("{prefix}LET {variable} == "), &value, " IN"),
            false => self.conjunct(&format!("{prefix}\\E {variable} \\in "), &value, ":"),
        }
        let mut bullet = spaces(column + 2);
        if body.len() > 1 {
            bullet.push_str("/\\ ");
        }
        for statement in body {
            self.statement(statement, changed, (writing, bullet))?;
            bullet = format!("{}/\\ ", spaces(column + 2));
        }
        Ok(())
    }
}

/// That one variable keeps its value.
fn stays(name: &str) -> String {
    match width(name) > SHORT {
        true => format!("UNCHANGED {name}"),
        false => format!("{name}' = {name}"),
    }
}

/// Whether an expression behind `x' =` may need parentheses: an operator that binds less tightly stands outside brackets.
///
/// TLC: only the first line is looked at.
fn needs_parentheses(lines: &[String]) -> bool {
    let Some(line) = lines.first() else { return false };
    let chars: Vec<char> = line.chars().collect();
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut index = 0;
    while index < chars.len() {
        let (char, next) = (chars[index], chars.get(index + 1).copied().unwrap_or(' '));
        let before = index.checked_sub(1).map(|before| chars[before]);
        let mut may_need = false;
        match char {
            '\\' if in_string => index += 1,
            '"' => in_string = !in_string,
            _ if in_string => {}
            '<' if next == '<' => {
                index += 1;
                depth += 1;
            }
            '>' if next == '>' => {
                index += 1;
                if depth == 0 {
                    return true;
                }
                depth -= 1;
            }
            '=' | '#' | '<' | '>' => may_need = true,
            '|' => may_need = next == '-' || before == Some('-'),
            '\\' => may_need = ![' ', 'o', 'X'].contains(&next),
            '/' => may_need = next == '\\',
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                if depth == 0 {
                    return true;
                }
                depth -= 1;
            }
            _ => {}
        }
        if may_need && depth == 0 {
            return true;
        }
        index += 1;
    }
    in_string
}
