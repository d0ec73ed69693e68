//! A specification that explores a trace: one file with modules and a configuration, which has the trace as its
//! behaviour and finds its end again. Expressions that are added to it are shown in every state.
//!
//! TLC: states are distinguished by the level. Here an index is a separate variable, so that a state may occur twice.

use std::fmt::Write;

use super::record;
use crate::{Datum, Ending, State, Trace};

/// The parts of a specification that explores a trace.
#[derive(Clone, Copy, Debug)]
pub struct Exploration<'a> {
    /// The trace, whose states have every variable of the module.
    pub trace: &'a Trace,
    /// The name of the specification.
    pub name: &'a str,
    /// The module of the trace.
    pub module: &'a str,
    /// Model values that the module does not declare.
    pub undeclared: &'a [String],
    /// The assignments to constants in the configuration, given and required.
    pub constants: &'a [String],
}

const INDEX: &str = "_TEIndex";

impl Exploration<'_> {
    /// Returns the file.
    pub fn text(&self) -> String {
        let parts = [self.behaviour(), self.expressions(), self.states(), self.declarations(), self.config()];
        parts.concat()
    }

    fn extends(&self, further: &str) -> String {
        let Exploration { module, .. } = self;
        let constants =
            if self.undeclared.is_empty() { String::new() } else { format!("{module}_TEConstants, ") };
        format!("EXTENDS {constants}{further}{module}\n\n")
    }

    fn header(&self, name: &str, further: &str) -> String {
        format!("---- MODULE {name} ----\n{}", self.extends(further))
    }

    fn behaviour(&self) -> String {
        let Exploration { module, trace, name, .. } = self;
        let variables = &trace.variables;
        let lines = |line: &dyn Fn(&String) -> String| variables.iter().map(line).collect::<String>();
        [
            self.header(name, "Naturals, Sequences, TLC, TLCExt, Toolbox, "),
            format!("VARIABLE {INDEX} \\* which state of the trace this is\n\n"),
            format!(
                "_expression ==\n    LET {module}_TEExpression == INSTANCE {module}_TEExpression\n    \
                 IN {module}_TEExpression!expression\n\n"
            ),
            format!(
                "_trace ==\n    LET {module}_TETrace == INSTANCE {module}_TETrace\n    IN {module}_TETrace!trace\n\n"
            ),
            self.finding(),
            format!("_init ==\n    /\\ {INDEX} = 1\n"),
            lines(&|variable| format!("    /\\ {variable} = _TETrace[1].{variable}\n")),
            format!("\n_next ==\n    /\\ {}\n", self.index_step()),
            lines(&|variable| format!("    /\\ {variable}' = _TETrace[{INDEX}'].{variable}\n")),
            "====\n\n".to_owned(),
        ]
        .concat()
    }

    /// Returns the formula for the next index.
    fn index_step(&self) -> String {
        let on = format!("{INDEX} < Len(_TETrace) /\\ {INDEX}' = {INDEX} + 1");
        match &self.trace.ending {
            Ending::Loop { to, .. } => {
                format!("\\/ {on}\n       \\/ {INDEX} = Len(_TETrace) /\\ {INDEX}' = {}", to + 1)
            }
            Ending::Stop | Ending::Stuttering => on,
        }
    }

    /// Returns the property that the trace violates.
    fn finding(&self) -> String {
        let last = self.trace.states.len();
        let end = self.at(last);
        match &self.trace.ending {
            Ending::Stop => format!("_inv ==\n    ~(\n{end}    )\n\n"),
            Ending::Stuttering => format!("_prop ==\n    ~<>[](\n{end}    )\n\n"),
            Ending::Loop { to, .. } => {
                let start = self.at(to + 1);
                format!("_prop ==\n    ~([]<>(\n{end}    ) /\\ []<>(\n{start}    ))\n\n")
            }
        }
    }

    /// Returns a formula for the state with this number.
    fn at(&self, number: usize) -> String {
        let mut text = format!("        /\\ {INDEX} = {number}\n");
        if let Some(state) = number.checked_sub(1).and_then(|index| self.trace.states.get(index)) {
            for (name, value) in known_values(self.trace, state) {
                writeln!(text, "        /\\ {name} = ({value})").expect("a string takes all");
            }
        }
        text
    }

    fn expressions(&self) -> String {
        let Exploration { module, trace, .. } = self;
        let name = format!("{module}_TEExpression");
        let fields: Vec<String> = trace.variables.iter().map(|name| format!("{name} |-> {name}")).collect();
        let first = trace.variables.first().map_or("x", String::as_str);
        [
            "\\* What is shown of each state: a line less hides a variable, and a line more shows an expression.\n"
                .to_owned(),
            format!("\\* A file {name}.tla of its own counts before this module.\n"),
            self.header(&name, "Naturals, Sequences, TLC, TLCExt, Toolbox, "),
            format!("expression ==\n    [\n        {}\n", fields.join("\n        ,")),
            "        \\* ,_position |-> _TEPosition\n".to_owned(),
            format!("        \\* ,_{first}_is_the_same |-> {first} = {first}'\n"),
            "    ]\n====\n\n".to_owned(),
        ]
        .concat()
    }

    fn states(&self) -> String {
        let states = self.trace.states.iter().map(|state| record::state(self.trace, state).to_string());
        let states: Vec<String> = states.map(|state| format!("        {state}")).collect();
        let header = self.header(&format!("{}_TETrace", self.module), "TLC, ");
        format!("{header}trace ==\n    <<\n{}\n    >>\n====\n\n", states.join(",\n"))
    }

    fn declarations(&self) -> String {
        let Exploration { module, undeclared, .. } = self;
        if undeclared.is_empty() {
            return String::new();
        }
        let names = undeclared.join(", ");
        format!("---- MODULE {module}_TEConstants ----\nEXTENDS {module}\n\nCONSTANTS {names}\n====\n\n")
    }

    fn config(&self) -> String {
        let lines: String = self.constants.iter().map(|line| format!("    {line}\n")).collect();
        let constants = if lines.is_empty() { String::new() } else { format!("CONSTANTS\n{lines}") };
        let found = match &self.trace.ending {
            Ending::Stop => "INVARIANT _inv",
            Ending::Stuttering | Ending::Loop { .. } => "PROPERTY _prop",
        };
        format!(
            "---- CONFIG {} ----\n{constants}INIT _init\nNEXT _next\n{found}\nCHECK_DEADLOCK FALSE\n\
             CONSTANT _TETrace <- _trace\nALIAS _expression\n====\n",
            self.name
        )
    }
}

fn known_values<'a>(trace: &'a Trace, state: &'a State) -> impl Iterator<Item = (&'a String, &'a Datum)> {
    let named = trace.variables.iter().zip(&state.values);
    named.filter_map(|(name, value)| Some((name, value.as_ref()?)))
}
