//! Lines of the translation, which are written from left to right.

use crate::expr::Expr;

/// Lines that are finished, and the one that is being written.
#[derive(Debug)]
pub struct Output {
    pub lines: Vec<String>,
    current: String,
}

impl Output {
    /// Begins with these lines.
    pub fn of(lines: Vec<String>) -> Output {
        Output { lines, current: String::new() }
    }

    /// Adds to the current line.
    pub fn push(&mut self, text: &str) {
        self.current.push_str(text);
    }

    /// The column behind the current line.
    pub fn column(&self) -> usize {
        width(&self.current)
    }

    /// Ends the current line if there is something on it.
    pub fn end_line(&mut self) {
        if !self.current.is_empty() {
            self.lines.push(std::mem::take(&mut self.current));
        }
    }

    /// Ends the current line, and adds a whole one, which may be empty.
    pub fn line(&mut self, line: &str) {
        self.end_line();
        self.lines.push(line.to_owned());
    }

    /// Adds an expression; its lines stand below each other. The last one is the current line.
    pub fn expr(&mut self, expr: &Expr) {
        let indent = self.column();
        let mut lines = expr.to_lines().into_iter();
        let Some(first) = lines.next() else { return };
        self.current.push_str(&first);
        for line in lines {
            self.lines.push(std::mem::take(&mut self.current));
            self.current = spaces(indent) + &line;
        }
    }
}

/// So many spaces.
pub fn spaces(n: usize) -> String {
    " ".repeat(n)
}

/// The number of columns of a text.
pub fn width(text: &str) -> usize {
    text.chars().count()
}
