//! Random small specifications: two to four variables with few values each, an initial predicate, actions that
//! assign in every form that TLC takes for an assignment, and a configuration with a few properties.
//!
//! What it is like inside an initial predicate or an action is in `formula`.

use super::expr::{Maker, Taste};
use super::formula::{Formulas, Helper, Phase};
use super::rules::CORE;
use super::term::{Part, Sort, Term};
use super::ty::Ty;

/// Errors are rare: most specifications shall have some states.
const TASTE: Taste = Taste { rules: CORE, n_ill_typed: 1, one_risky_of: 12, depth_max: 2, n_forms_max: 3 };

/// A kind of variable.
pub struct Kind {
    pub pattern: &'static str,
    /// Its values.
    pub domain: &'static str,
    /// How any value of its type becomes one of few. `$` is the value, `~` a new name.
    pub fit: &'static str,
    /// What keeps it small where its values were not made to fit. `$` is the variable.
    pub bound: &'static str,
}

pub const KINDS: &[Kind] = &[
    Kind { pattern: "I", domain: "0..2", fit: "(($) % 3)", bound: "$ \\in -2..4" },
    Kind { pattern: "I", domain: "{0, 3, 1}", fit: "(($) % 4)", bound: "$ \\in -2..4" },
    Kind { pattern: "B", domain: "BOOLEAN", fit: "$", bound: "TRUE" },
    Kind { pattern: "M", domain: "Models", fit: "$", bound: "TRUE" },
    Kind { pattern: "T", domain: "{\"sb\", \"sa\"}", fit: "$", bound: "Len($) < 5" },
    Kind { pattern: "SI", domain: "SUBSET (0..1)", fit: "(($) \\cap (0..1))", bound: "$ \\subseteq -1..2" },
    Kind { pattern: "SM", domain: "SUBSET Models", fit: "$", bound: "TRUE" },
    Kind {
        pattern: "FMI",
        domain: "[Models -> 0..1]",
        fit: "(LET ~ == $ IN [~k \\in Models |-> IF ~k \\in DOMAIN ~ THEN ~[~k] % 2 ELSE 0])",
        bound: "\\A k \\in DOMAIN $ : $[k] \\in -1..2",
    },
    Kind {
        pattern: "QI",
        domain: "{<<>>, <<1>>, <<0, 1>>}",
        fit: "(LET ~ == $ IN [~k \\in 1..(Len(~) % 3) |-> ~[~k] % 2])",
        bound: "(Len($) < 3 /\\ \\A k \\in DOMAIN $ : $[k] \\in -1..2)",
    },
    Kind {
        pattern: "PIB",
        domain: "(0..1) \\X BOOLEAN",
        fit: "(LET ~ == $ IN <<~[1] % 2, ~[2]>>)",
        bound: "$[1] \\in -1..3",
    },
    Kind {
        pattern: "RIM",
        domain: "[fa : 0..1, fb : Models]",
        fit: "(LET ~ == $ IN [fa |-> ~.fa % 2, fb |-> ~.fb])",
        bound: "$.fa \\in -1..3",
    },
    Kind {
        pattern: "GM",
        domain: "{EmptyBag, SetToBag(Models)}",
        fit: "(LET ~ == $ IN IF BagCardinality(~) > 3 THEN EmptyBag ELSE ~)",
        bound: "BagCardinality($) < 5",
    },
];

/// A variable of the specification.
pub struct Variable {
    pub name: String,
    pub ty: Ty,
    pub kind: &'static Kind,
}

/// The specification with this number.
pub fn make(seed: u64) -> Term {
    let mut maker = Maker::new(seed, TASTE);
    let n_variables = 2 + maker.below(3);
    let variables: Vec<Variable> = (1..=n_variables).map(|at| variable(&mut maker, at)).collect();
    let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
    let head = format!("VARIABLES {0}\nvars == <<{0}>>\n", names.join(", "));
    let mut parts = vec![Part::Text(head), helpers(&names)];
    let mut formulas = Formulas { maker, variables, defined: Vec::new() };
    parts.push(definitions(&mut formulas));
    let initial = formulas.initial();
    parts.extend([Part::Text("Init == ".to_owned()), Part::Term(initial), Part::Text("\n".to_owned())]);
    let next = actions(&mut formulas, &mut parts);
    parts.extend([next, behaviour(&mut formulas.maker)]);
    parts.push(Part::List { separator: "", items: extras(&mut formulas), n_least: 0 });
    Term::frame(parts)
}

fn variable(maker: &mut Maker, at: usize) -> Variable {
    let kind = maker.pick(KINDS);
    let ty = super::ty::Pattern::new(kind.pattern).fill(&super::ty::Binding::default());
    Variable { name: format!("x{at}"), ty, kind }
}

/// Operators that assign what they are given, and a module that assigns what it is instantiated with.
fn helpers(variables: &[&str]) -> Part {
    let frame = |text: String| Term::frame(vec![Part::Text(text)]);
    let mut items: Vec<Term> =
        Helper::ALL.iter().map(|helper| frame(format!("{}\n", helper.definition()))).collect();
    let mut inner = INNER_MODULE.to_owned();
    for name in variables {
        inner.push_str(&format!("I{name} == INSTANCE Inner WITH y <- {name}\n"));
    }
    items.push(frame(inner));
    Part::List { separator: "", items, n_least: 0 }
}

const INNER_MODULE: &str = "---- MODULE Inner ----\n\
    VARIABLE y\n\
    Set(e) == y' = e\n\
    Keep == UNCHANGED y\n\
    Equal(e) == y = e\n\
    Other(e) == y # e /\\ y' \\in {e, y}\n\
    ====\n";

/// Names for expressions about a state, used with and without a prime.
fn definitions(formulas: &mut Formulas) -> Part {
    let n_definitions = formulas.maker.below(3);
    let mut items = Vec::new();
    for at in 1..=n_definitions {
        let (ty, value) = formulas.state_value();
        items.push(Term::frame(vec![
            Part::Text(format!("D{at} == ")),
            Part::Term(value),
            Part::Text("\n".to_owned()),
        ]));
        formulas.defined.push((format!("D{at}"), ty));
    }
    Part::List { separator: "", items, n_least: 0 }
}

/// Definitions of actions are added to the parts; returns the definition of `Next`.
fn actions(formulas: &mut Formulas, parts: &mut Vec<Part>) -> Part {
    let n_actions = 1 + formulas.maker.below(4);
    let mut items = Vec::new();
    let mut definitions = Vec::new();
    let mut enabled = Vec::new();
    for at in 1..=n_actions {
        let parameter = formulas.maker.one_in(3).then(|| formulas.parameter(Phase::Action));
        let known: Vec<(String, Ty)> =
            parameter.iter().map(|(ty, _)| ("p".to_owned(), ty.clone())).chain(enabled.clone()).collect();
        let action = formulas.action(&known);
        let (arguments, usage) = match &parameter {
            None => {
                enabled.push((format!("(ENABLED A{at})"), Ty::Bool));
                ("", vec![Part::Text(format!("A{at}"))])
            }
            Some((_, domain)) => (
                "(p)",
                vec![
                    Part::Text("(\\E p \\in ".to_owned()),
                    Part::Term(domain.clone()),
                    Part::Text(format!(" : A{at}(p))")),
                ],
            ),
        };
        items.push(Term { sort: Sort::Action, parts: usage });
        definitions.push(Term::frame(vec![
            Part::Text(format!("A{at}{arguments} == ")),
            Part::Term(action),
            Part::Text("\n".to_owned()),
        ]));
    }
    if formulas.maker.one_in(3) {
        items.push(formulas.action(&enabled));
    }
    parts.push(Part::List { separator: "", items: definitions, n_least: 0 });
    let list = Part::List { separator: " \\/ ", items, n_least: 1 };
    Part::Term(Term::frame(vec![Part::Text("Next == ".to_owned()), list, Part::Text("\n".to_owned())]))
}

fn behaviour(maker: &mut Maker) -> Part {
    let parts = match maker.one_in(2) {
        true => vec![Part::Config("INIT Init".to_owned()), Part::Config("NEXT Next".to_owned())],
        false => vec![
            Part::Text("Spec == Init /\\ [][Next]_vars\n".to_owned()),
            Part::Config("SPECIFICATION Spec".to_owned()),
        ],
    };
    Part::Term(Term::frame(parts))
}

/// What the configuration names beyond the behaviour; each may be left out.
fn extras(formulas: &mut Formulas) -> Vec<Term> {
    let mut items = vec![bounds(&formulas.variables)];
    let plain = |config: &str| Term::frame(vec![Part::Config(config.to_owned())]);
    if !formulas.maker.one_in(3) {
        items.push(plain("CHECK_DEADLOCK FALSE"));
    }
    if formulas.maker.one_in(2) {
        let (name, domain) = (formulas.variables[0].name.clone(), formulas.variables[0].kind.domain);
        items.push(named("INVARIANT", "Typed", Part::Text(format!("{name} \\in {domain}"))));
    }
    let states = [("INVARIANT", "Inv", 2), ("CONSTRAINT", "Within", 5)];
    for (keyword, name, one_of) in states {
        if formulas.maker.one_in(one_of) {
            let test = formulas.weak_test(Phase::State);
            items.push(named(keyword, name, test));
        }
    }
    let steps = [("ACTION_CONSTRAINT", "Allowed", 6)];
    for (keyword, name, one_of) in steps {
        if formulas.maker.one_in(one_of) {
            let test = formulas.weak_test(Phase::Step);
            items.push(named(keyword, name, test));
        }
    }
    if formulas.maker.one_in(3) {
        items.push(step_property(formulas));
    }
    if formulas.maker.one_in(7) {
        items.push(named("SYMMETRY", "Perms", Part::Text("Permutations(Models)".to_owned())));
    }
    if formulas.maker.one_in(7) {
        let view = formulas.view();
        items.push(named("VIEW", "View", Part::Term(view)));
    }
    items
}

/// A definition, and the line of the configuration that names it.
fn named(keyword: &str, name: &str, body: Part) -> Term {
    Term::frame(vec![
        Part::Text(format!("{name} == ")),
        body,
        Part::Text("\n".to_owned()),
        Part::Config(format!("{keyword} {name}")),
    ])
}

/// Where values are not made to fit, the search must end all the same.
fn bounds(variables: &[Variable]) -> Term {
    let bound = |variable: &Variable| variable.kind.bound.replace('$', &variable.name);
    let bounds: Vec<String> = variables.iter().map(bound).collect();
    named("CONSTRAINT", "Bounded", Part::Text(bounds.join(" /\\ ")))
}

fn step_property(formulas: &mut Formulas) -> Term {
    let test = formulas.weak_test(Phase::Step);
    let index = formulas.maker.below(formulas.variables.len());
    let subscript = match formulas.maker.one_in(2) {
        true => "vars".to_owned(),
        false => formulas.variables[index].name.clone(),
    };
    let body = Term::frame(vec![Part::Text("[][".to_owned()), test, Part::Text(format!("]_{subscript}"))]);
    named("PROPERTY", "Steps", Part::Term(body))
}
