//! Makes random small specifications: two to four variables with few values each, an initial predicate, actions that
//! assign in every form that TLC accepts as an assignment, and a configuration with a few properties.
//!
//! The content of initial predicates and actions is made in `formula`.

use super::expr::{Maker, Taste};
use super::formula::{Formulas, Helper, Phase};
use super::rules::CORE;
use super::term::{Sort, Term, TermPart};
use super::ty::Ty;

/// The settings: errors are rare, because most specifications should have some states.
const TASTE: Taste = Taste { rules: CORE, n_ill_typed: 1, one_risky_of: 12, depth_max: 2, n_forms_max: 3 };

/// A kind of variable.
pub struct Kind {
    pub pattern: &'static str,
    /// Its values.
    pub domain: &'static str,
    /// The expression that maps any value of its type to one of few. `$` is the value, `~` a new name.
    pub fit: &'static str,
    /// The constraint that keeps it small if its values were not made to fit. `$` is the variable.
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

/// Makes the specification with this number.
pub fn make(seed: u64) -> Term {
    let mut maker = Maker::new(seed, TASTE);
    let n_variables = 2 + maker.below(3);
    let variables: Vec<Variable> = (1..=n_variables).map(|at| variable(&mut maker, at)).collect();
    let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
    let head = format!("VARIABLES {0}\nvars == <<{0}>>\n", names.join(", "));
    let mut parts = vec![TermPart::Text(head), helpers(&names)];
    let mut formulas = Formulas { maker, variables, defined: Vec::new() };
    parts.push(definitions(&mut formulas));
    let initial = formulas.initial();
    parts.extend([
        TermPart::Text("Init == ".to_owned()),
        TermPart::Term(initial),
        TermPart::Text("\n".to_owned()),
    ]);
    let next = actions(&mut formulas, &mut parts);
    parts.extend([next, behaviour(&mut formulas.maker)]);
    parts.push(TermPart::List { separator: "", items: extras(&mut formulas), n_least: 0 });
    Term::frame(parts)
}

fn variable(maker: &mut Maker, at: usize) -> Variable {
    let kind = maker.pick(KINDS);
    let ty = super::ty::Pattern::new(kind.pattern).fill(&super::ty::Binding::default());
    Variable { name: format!("x{at}"), ty, kind }
}

/// Defines operators that assign their arguments, and a module that assigns the variable that it is instantiated with.
fn helpers(variables: &[&str]) -> TermPart {
    let frame = |text: String| Term::frame(vec![TermPart::Text(text)]);
    let mut items: Vec<Term> =
        Helper::ALL.iter().map(|helper| frame(format!("{}\n", helper.definition()))).collect();
    let mut inner = INNER_MODULE.to_owned();
    for name in variables {
        inner.push_str(&format!("I{name} == INSTANCE Inner WITH y <- {name}\n"));
    }
    items.push(frame(inner));
    TermPart::List { separator: "", items, n_least: 0 }
}

const INNER_MODULE: &str = "---- MODULE Inner ----\n\
    VARIABLE y\n\
    Set(e) == y' = e\n\
    Keep == UNCHANGED y\n\
    Equal(e) == y = e\n\
    Other(e) == y # e /\\ y' \\in {e, y}\n\
    ====\n";

/// Defines names for expressions about a state, used with and without a prime.
fn definitions(formulas: &mut Formulas) -> TermPart {
    let n_definitions = formulas.maker.below(3);
    let mut items = Vec::new();
    for at in 1..=n_definitions {
        let (ty, value) = formulas.state_value();
        items.push(Term::frame(vec![
            TermPart::Text(format!("D{at} == ")),
            TermPart::Term(value),
            TermPart::Text("\n".to_owned()),
        ]));
        formulas.defined.push((format!("D{at}"), ty));
    }
    TermPart::List { separator: "", items, n_least: 0 }
}

/// Adds definitions of actions to the parts; returns the definition of `Next`.
fn actions(formulas: &mut Formulas, parts: &mut Vec<TermPart>) -> TermPart {
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
                ("", vec![TermPart::Text(format!("A{at}"))])
            }
            Some((_, domain)) => (
                "(p)",
                vec![
                    TermPart::Text("(\\E p \\in ".to_owned()),
                    TermPart::Term(domain.clone()),
                    TermPart::Text(format!(" : A{at}(p))")),
                ],
            ),
        };
        items.push(Term { sort: Sort::Action, parts: usage });
        definitions.push(Term::frame(vec![
            TermPart::Text(format!("A{at}{arguments} == ")),
            TermPart::Term(action),
            TermPart::Text("\n".to_owned()),
        ]));
    }
    if formulas.maker.one_in(3) {
        items.push(formulas.action(&enabled));
    }
    parts.push(TermPart::List { separator: "", items: definitions, n_least: 0 });
    let list = TermPart::List { separator: " \\/ ", items, n_least: 1 };
    TermPart::Term(Term::frame(vec![
        TermPart::Text("Next == ".to_owned()),
        list,
        TermPart::Text("\n".to_owned()),
    ]))
}

fn behaviour(maker: &mut Maker) -> TermPart {
    let parts = match maker.one_in(2) {
        true => vec![TermPart::Config("INIT Init".to_owned()), TermPart::Config("NEXT Next".to_owned())],
        false => vec![
            TermPart::Text("Spec == Init /\\ [][Next]_vars\n".to_owned()),
            TermPart::Config("SPECIFICATION Spec".to_owned()),
        ],
    };
    TermPart::Term(Term::frame(parts))
}

/// Makes the parts that the configuration names besides the behaviour; each may be left out.
fn extras(formulas: &mut Formulas) -> Vec<Term> {
    let mut items = vec![bounds(&formulas.variables)];
    let plain = |config: &str| Term::frame(vec![TermPart::Config(config.to_owned())]);
    if !formulas.maker.one_in(3) {
        items.push(plain("CHECK_DEADLOCK FALSE"));
    }
    if formulas.maker.one_in(2) {
        let (name, domain) = (formulas.variables[0].name.clone(), formulas.variables[0].kind.domain);
        items.push(define_named("INVARIANT", "Typed", TermPart::Text(format!("{name} \\in {domain}"))));
    }
    let states = [("INVARIANT", "Inv", 2), ("CONSTRAINT", "Within", 5)];
    for (keyword, name, one_of) in states {
        if formulas.maker.one_in(one_of) {
            let test = formulas.weak_test(Phase::State);
            items.push(define_named(keyword, name, test));
        }
    }
    let steps = [("ACTION_CONSTRAINT", "Allowed", 6)];
    for (keyword, name, one_of) in steps {
        if formulas.maker.one_in(one_of) {
            let test = formulas.weak_test(Phase::Step);
            items.push(define_named(keyword, name, test));
        }
    }
    if formulas.maker.one_in(3) {
        items.push(step_property(formulas));
    }
    if formulas.maker.one_in(7) {
        items.push(define_named("SYMMETRY", "Perms", TermPart::Text("Permutations(Models)".to_owned())));
    }
    if formulas.maker.one_in(7) {
        let view = formulas.view();
        items.push(define_named("VIEW", "View", TermPart::Term(view)));
    }
    items
}

/// Makes a definition, and the line of the configuration that names it.
fn define_named(keyword: &str, name: &str, body: TermPart) -> Term {
    Term::frame(vec![
        TermPart::Text(format!("{name} == ")),
        body,
        TermPart::Text("\n".to_owned()),
        TermPart::Config(format!("{keyword} {name}")),
    ])
}

/// Makes a constraint that lets the search end even if values are not made to fit.
fn bounds(variables: &[Variable]) -> Term {
    let bound = |variable: &Variable| variable.kind.bound.replace('$', &variable.name);
    let bounds: Vec<String> = variables.iter().map(bound).collect();
    define_named("CONSTRAINT", "Bounded", TermPart::Text(bounds.join(" /\\ ")))
}

fn step_property(formulas: &mut Formulas) -> Term {
    let test = formulas.weak_test(Phase::Step);
    let index = formulas.maker.below(formulas.variables.len());
    let subscript = match formulas.maker.one_in(2) {
        true => "vars".to_owned(),
        false => formulas.variables[index].name.clone(),
    };
    let body =
        Term::frame(vec![TermPart::Text("[][".to_owned()), test, TermPart::Text(format!("]_{subscript}"))]);
    define_named("PROPERTY", "Steps", TermPart::Term(body))
}
