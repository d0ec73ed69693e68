//! Lines at the prompt: commands and inputs.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::eval::args::{TracePlace, ValueFormatArg, parse_place};

/// A line at the prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    Empty,
    Help,
    Quit,
    Definitions,
    State,
    Path,
    Initial,
    Next,
    Take(usize),
    Back,
    Goto(usize),
    /// Keep the path under a name; without one, list the names.
    Keep(Option<String>),
    /// Go on with the path of this name.
    Switch(String),
    Load(TracePlace),
    Save(PathBuf),
    Format(ValueFormatArg),
    /// An expression or a definition.
    Input(String),
}

/// A command, as `help` shows it.
pub struct Verb {
    pub name: &'static str,
    argument: &'static str,
    about: &'static str,
}

const fn verb(name: &'static str, argument: &'static str, about: &'static str) -> Verb {
    Verb { name, argument, about }
}

pub const VERBS: &[Verb] = &[
    verb("init", "", "list the initial states"),
    verb("next", "", "list the steps that are possible, with what each would change"),
    verb("take", "N", "take the step, or the initial state, with this number of the list"),
    verb("back", "", "go back one state"),
    verb("goto", "N", "go to the state with this number"),
    verb("state", "", "show the state"),
    verb("path", "", "show the way to the state"),
    verb("keep", "NAME", "keep this path under a name; without one, list the names"),
    verb("switch", "NAME", "go on with a path that was kept"),
    verb("load", "TRACE:STATE", "go to a state of a trace"),
    verb("save", "FILE", "write the path as a trace in ITF JSON"),
    verb("defs", "", "list what was defined here"),
    verb("format", "text|json|tree", "how values are written"),
    verb("help", "", "show this list"),
    verb("quit", "", "end"),
];

/// The text of `help`. `mark` stands before each command.
pub fn help(mark: &str) -> String {
    let line =
        |verb: &Verb| format!("  {:<24}{}\n", format!("{mark}{} {}", verb.name, verb.argument), verb.about);
    let rest = "  EXPR                    the value of an expression, here\n  NAME(x) == EXPR         \
                a definition; one of the same name is replaced\n";
    format!("{}{rest}", VERBS.iter().map(line).collect::<String>())
}

/// Reads a line. Commands begin with a colon; with `are_bare`, the colon may be left out, and a number alone takes a step.
pub fn parse(line: &str, are_bare: bool) -> Result<Line, String> {
    let line = line.trim();
    if line.is_empty() {
        return Ok(Line::Empty);
    }
    if let Some(rest) = line.strip_prefix(':') {
        return command(rest.trim())
            .unwrap_or_else(|| Err(format!("there is no command `:{rest}`; see `:help`")));
    }
    let is_number = line.chars().all(|c| c.is_ascii_digit());
    if are_bare && is_number {
        return number(line).map(Line::Take);
    }
    // `next` is a command, and `next + 1` an expression.
    let bare = if are_bare && !line.contains(['=', '(', '<', '+']) { command(line) } else { None };
    bare.unwrap_or_else(|| Ok(Line::Input(line.to_owned())))
}

/// Reads a command; `None` if there is none of this name.
fn command(text: &str) -> Option<Result<Line, String>> {
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    let known = VERBS.iter().find(|verb| verb.name == name || name == &verb.name[..1])?;
    let plain = |line: Line| {
        if rest.is_empty() { Ok(line) } else { Err(format!("`{}` takes no argument", known.name)) }
    };
    let text = || match rest {
        "" => Err(format!("`{} {}` needs its argument", known.name, known.argument)),
        rest => Ok(rest.to_owned()),
    };
    Some(match known.name {
        "init" => plain(Line::Initial),
        "next" => plain(Line::Next),
        "take" => number(rest).map(Line::Take),
        "back" => plain(Line::Back),
        "goto" => number(rest).map(Line::Goto),
        "state" => plain(Line::State),
        "path" => plain(Line::Path),
        "keep" => Ok(Line::Keep((!rest.is_empty()).then(|| rest.to_owned()))),
        "switch" => text().map(Line::Switch),
        "load" => parse_place(rest).map(Line::Load),
        "save" => text().map(|file| Line::Save(PathBuf::from(file))),
        "defs" => plain(Line::Definitions),
        "format" => ValueFormatArg::from_str(rest, true)
            .map(Line::Format)
            .map_err(|_| "a format is `text`, `json` or `tree`".to_owned()),
        "help" => plain(Line::Help),
        _ => plain(Line::Quit),
    })
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| "expected a number from 1 on".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Line, parse};

    #[test]
    fn commands_begin_with_a_colon() {
        assert_eq!(parse(":take 3", false), Ok(Line::Take(3)));
        assert_eq!(parse(" :n ", false), Ok(Line::Next));
        assert_eq!(parse("next", false), Ok(Line::Input("next".to_owned())));
        assert_eq!(parse("3", false), Ok(Line::Input("3".to_owned())));
        assert!(parse(":dance", false).is_err());
        assert!(parse(":take 0", false).is_err());
        assert!(parse(":next now", false).is_err());
    }

    #[test]
    fn colons_can_be_left_out_where_steps_are_taken() {
        assert_eq!(parse("3", true), Ok(Line::Take(3)));
        assert_eq!(parse("back", true), Ok(Line::Back));
        assert_eq!(parse("state = 3", true), Ok(Line::Input("state = 3".to_owned())));
        assert_eq!(parse("queue", true), Ok(Line::Input("queue".to_owned())));
    }
}
