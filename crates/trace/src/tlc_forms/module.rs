//! Writes a counterexample as a module, and as a graph for GraphViz.

use std::fmt::Write;

use super::record::{self, edges};
use crate::{Datum, Step, Trace};

/// Writes the form of `-dumpTrace tla`: `CounterExample` as a definition.
pub fn counterexample(trace: &Trace, module: &str) -> String {
    let value = record::of(trace);
    format!("---- MODULE {module} ----\nLOCAL INSTANCE TLC\n\nCounterExample == \n\t{value}\n\n====")
}

/// Writes the form of `-dumpTrace tlcplain`: the states as a definition.
pub fn states(trace: &Trace, module: &str) -> String {
    let value = sequence(trace);
    format!("---- MODULE {module} ----\nLOCAL INSTANCE TLC\n\nTrace == \n\t{value}\n\n====")
}

/// Writes the form of `-dumpTrace tlcTESpec`: a specification whose behaviour is the trace. `declared` has the
/// variables in the order in which the specification declares them.
pub fn explorer(trace: &Trace, module: &str, declared: &[&str]) -> String {
    let conjuncts = |prime: &str, index: &str| {
        let lines = declared.iter().map(|name| format!("/\\ {name}{prime} = Trace[{index}].{name}\n"));
        lines.collect::<String>()
    };
    let names = declared.join(", ");
    let parts = [
        format!("---- MODULE {module} ----\n{}\n\n", extends(trace)),
        format!("LOCAL INSTANCE TLC\n\nTrace == \n\t{}\n\n", sequence(trace)),
        format!("_init ==\n{}\n", conjuncts("", "1")),
        "_next ==\n\\E i,j \\in DOMAIN Trace:\n/\\ i = TLCGet(\"level\")\n/\\ j = i + 1\n".to_owned(),
        conjuncts("", "i"),
        conjuncts("'", "j"),
        "\n\\* The last state may stay for ever.".to_owned(),
        format!("\n_terminating ==\n\tUNCHANGED <<{names}>>"),
        format!("\n\n_spec == \n\t_init /\\ [][_next \\/ _terminating]_<<{names}>>\n\n===="),
    ];
    parts.concat()
}

/// Writes the form of `-dumpTrace tlcaction`: the steps as an action constraint; `None` for a trace without steps.
pub fn actions(trace: &Trace, module: &str) -> Option<String> {
    let edges = edges(trace);
    let mut disjuncts = String::new();
    for edge in &edges {
        let call = edge.step.map_or_else(|| "TRUE".to_owned(), call);
        writeln!(disjuncts, "\\/ {} = _idx /\\ {call}", edge.from + 1).expect("a string takes all");
    }
    let text = format!(
        "---- MODULE {module} ----\n{}\n\n_length == {}\n\n_next(_idx) ==\n{disjuncts}\n_actionConstraint ==\n\
         _next(LET T == INSTANCE TLC IN T!TLCGet(\"level\"))\n\n====",
        extends(trace),
        edges.len(),
    );
    (!edges.is_empty()).then_some(text)
}

/// Writes the form of `-dumpTrace dot`: states and the names of the steps. Numbers replace TLC's fingerprints;
/// `declared` has the variables as in [`explorer`].
pub fn dot(trace: &Trace, declared: &[&str]) -> String {
    let mut text = String::from("digraph MyGraph {");
    for (index, state) in trace.states.iter().enumerate() {
        let value = |name: &&str| {
            let at = trace.variables.iter().position(|variable| variable == name)?;
            state.values.get(at)?.as_ref().map(|value| format!("{}\\n", escape(value)))
        };
        // TLC: its fold puts each one before the previous ones.
        let label: String = declared.iter().rev().filter_map(value).collect();
        write!(text, "{}[label=\"{label}\"];", index + 1).expect("a string takes all");
    }
    for edge in edges(trace) {
        let name = edge.step.map_or("", |step| step.name.as_str());
        write!(text, "{}->{}[label=\"{name}\"];", edge.from + 1, edge.to + 1).expect("a string takes all");
    }
    text.push('}');
    text
}

fn escape(value: &Datum) -> String {
    value.to_string().replace('\\', "\\\\").replace('"', "\\\"")
}

fn sequence(trace: &Trace) -> Datum {
    Datum::Seq(trace.states.iter().map(|state| record::state(trace, state)).collect())
}

/// Returns the modules of the steps.
fn extends(trace: &Trace) -> String {
    let mut modules: Vec<&str> = Vec::new();
    for place in edges(trace).iter().filter_map(|edge| edge.step?.place.as_ref()) {
        if !modules.contains(&place.module.as_str()) {
            modules.push(&place.module);
        }
    }
    if modules.is_empty() { String::new() } else { format!("EXTENDS {}", modules.join(", ")) }
}

/// Returns `Send(n1, n2)`.
fn call(step: &Step) -> String {
    let values: Vec<String> = step.parameters.iter().map(|binding| binding.value.to_string()).collect();
    if values.is_empty() { step.name.clone() } else { format!("{}({})", step.name, values.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::{actions, counterexample, dot, explorer, states};
    use crate::{Binding, Datum, Ending, Place, Point, State, Step, Trace};

    fn step(name: &str, parameters: Vec<Binding>) -> Step {
        let (start, end) = (Point { line: 3, column: 9 }, Point { line: 3, column: 20 });
        let place = Place { file: "A.tla".to_owned(), module: "A".to_owned(), start, end };
        Step { name: name.to_owned(), place: Some(place), parameters }
    }

    /// Returns a trace of two states of two variables that leads back to its beginning.
    fn lasso() -> Trace {
        let mut trace = Trace::new(vec!["x".to_owned(), "s".to_owned()]);
        let values = |x: i64, s: &str| vec![Some(Datum::int(x)), Some(Datum::string(s))];
        let by = Binding { name: "i".to_owned(), value: Datum::model("n1") };
        trace.states = vec![
            State { step: None, values: values(0, "a") },
            State { step: Some(step("Inc", vec![by])), values: values(1, "b\"") },
        ];
        trace.ending = Ending::Loop { to: 0, step: Some(step("Back", Vec::new())) };
        trace
    }

    #[test]
    fn a_module_has_states_and_steps() {
        let text = counterexample(&lasso(), "T");
        let first = r#"<<1, [x |-> 0, s |-> "a"]>>"#;
        let second = r#"<<2, [x |-> 1, s |-> "b\""]>>"#;
        let place =
            r#"[beginLine |-> 3, beginColumn |-> 9, endLine |-> 3, endColumn |-> 19, module |-> "A"]"#;
        let inc = format!(
            r#"[name |-> "Inc", location |-> {place}, context |-> [i |-> n1], parameters |-> <<"i">>]"#
        );
        let back = format!(r#"[name |-> "Back", location |-> {place}]"#);
        let value = format!(
            "[action |-> {{<<{first}, {inc}, {second}>>, <<{second}, {back}, {first}>>}}, state |-> {{{first}, {second}}}]"
        );
        assert_eq!(
            text,
            format!("---- MODULE T ----\nLOCAL INSTANCE TLC\n\nCounterExample == \n\t{value}\n\n====")
        );
    }

    #[test]
    fn a_module_has_the_states_alone() {
        let text = states(&lasso(), "T");
        assert!(
            text.contains("Trace == \n\t<<[x |-> 0, s |-> \"a\"], [x |-> 1, s |-> \"b\\\"\"]>>\n"),
            "{text}"
        );
    }

    #[test]
    fn a_specification_goes_from_state_to_state() {
        let text = explorer(&lasso(), "T", &["s", "x"]);
        assert!(text.starts_with("---- MODULE T ----\nEXTENDS A\n\n"), "{text}");
        assert!(text.contains("_init ==\n/\\ s = Trace[1].s\n/\\ x = Trace[1].x\n"), "{text}");
        assert!(text.contains("/\\ x = Trace[i].x\n/\\ s' = Trace[j].s\n"), "{text}");
        assert!(text.ends_with("_init /\\ [][_next \\/ _terminating]_<<s, x>>\n\n===="), "{text}");
    }

    #[test]
    fn steps_are_an_action_constraint() {
        let text = actions(&lasso(), "T").expect("there are two steps");
        assert!(text.contains("_length == 2\n"), "{text}");
        assert!(text.contains("\\/ 1 = _idx /\\ Inc(n1)\n\\/ 2 = _idx /\\ Back\n"), "{text}");
        let mut still = lasso();
        (still.ending, still.states) = (Ending::Stop, still.states[..1].to_vec());
        assert_eq!(actions(&still, "T"), None);
    }

    #[test]
    fn a_graph_has_states_and_steps() {
        assert_eq!(
            dot(&lasso(), &["x", "s"]),
            "digraph MyGraph {1[label=\"\\\"a\\\"\\n0\\n\"];2[label=\"\\\"b\\\\\\\"\\\"\\n1\\n\"];\
             1->2[label=\"Inc\"];2->1[label=\"Back\"];}"
        );
    }
}
