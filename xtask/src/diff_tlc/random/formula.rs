//! Makes initial predicates and actions: formulas that give each variable a value, in the forms that TLC knows as
//! assignments, and in a few that only look like one.

use super::expr::Maker;
use super::spec::Variable;
use super::term::{Sort, Term, TermPart};
use super::ty::Ty;

pub struct Formulas {
    pub maker: Maker,
    pub variables: Vec<Variable>,
    /// Definitions about a state.
    pub defined: Vec<(String, Ty)>,
}

/// The states that a formula is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// It assigns the variables of the first state.
    Initial,
    /// It assigns the primed variables.
    Action,
    /// It tests a state.
    State,
    /// It tests a step.
    Step,
}

/// Operators that assign their arguments.
#[derive(Clone, Copy)]
pub enum Helper {
    Put,
    Is,
    Among,
    PutSame,
    PutDeep,
    AmongDeep,
    Do,
}

impl Helper {
    pub const ALL: &[Helper] = &[
        Helper::Put,
        Helper::Is,
        Helper::Among,
        Helper::PutSame,
        Helper::PutDeep,
        Helper::AmongDeep,
        Helper::Do,
    ];

    pub fn definition(self) -> &'static str {
        match self {
            Helper::Put => "Put(v, e) == v' = e",
            Helper::Is => "Is(v, e) == v = e",
            Helper::Among => "Among(v, S) == v \\in S",
            Helper::PutSame => "Same(v) == UNCHANGED v",
            Helper::PutDeep => {
                "RECURSIVE Deep(_, _, _)\nDeep(v, e, n) == IF n = 0 THEN v = e ELSE Deep(v, e, n - 1)"
            }
            Helper::AmongDeep => {
                "RECURSIVE Either(_, _, _)\nEither(v, S, n) == IF n = 0 THEN v \\in S ELSE Either(v, S, n - 1) \\/ FALSE"
            }
            Helper::Do => "Do(p) == LET F[i \\in 0..2] == IF i = 0 THEN p ELSE F[i - 1] IN F[2]",
        }
    }
}

/// The greatest depth of formulas.
const DEPTH_MAX: u32 = 3;

impl Formulas {
    pub fn initial(&mut self) -> Term {
        let all: Vec<usize> = (0..self.variables.len()).collect();
        self.formula(Phase::Initial, &all, DEPTH_MAX)
    }

    /// Makes an action that may use these names, with a guard before or after.
    pub fn action(&mut self, known: &[(String, Ty)]) -> Term {
        let all: Vec<usize> = (0..self.variables.len()).collect();
        let mut known = known.to_vec();
        known.extend(self.names(Phase::State));
        self.maker.enter(&known);
        let body = self.formula(Phase::Action, &all, DEPTH_MAX);
        let made = match self.maker.below(3) {
            0 => {
                let guard = self.test();
                list_terms(Sort::Action, vec![guard, body], " /\\ ")
            }
            _ => body,
        };
        self.maker.leave(known.len());
        made
    }

    /// Returns a set to draw a parameter from, and the type of its elements.
    pub fn parameter(&mut self, phase: Phase) -> (Ty, Term) {
        let is_known = phase == Phase::Action && self.variables[0].ty == Ty::Int;
        let (ty, texts): (Ty, &[&str]) = match self.maker.below(3) {
            0 if is_known => (Ty::Int, &["{x1, 0}", "0..x1", "{x1 : k \\in 0..1}", "{}"]),
            0 => (Ty::Int, &["{1, 0}", "0..2", "{2}"]),
            1 => (Ty::Model, &["Models", "{m2}", "Models \\ {m1}"]),
            _ => (Ty::Bool, &["BOOLEAN", "{TRUE}"]),
        };
        let text = *self.maker.pick(texts);
        (ty.clone(), Term::text(Sort::Value(Ty::Set(Box::new(ty))), text))
    }

    /// Makes a boolean expression that is true more often than not. A variable occurs in it: a constant one is refused
    /// by both tools, and by TLC with other words if a definition inside it mentions a variable.
    pub fn weak_test(&mut self, phase: Phase) -> TermPart {
        let known = self.names(phase);
        self.maker.enter(&known);
        let (first, second) = (self.test(), self.test());
        self.maker.leave(known.len());
        let list = TermPart::List { separator: " \\/ ", items: vec![first, second], n_least: 1 };
        let open = format!("(x1 # x1{} \\/ ", if phase == Phase::Step { "'" } else { "" });
        TermPart::Term(Term::frame(vec![TermPart::Text(open), list, TermPart::Text(")".to_owned())]))
    }

    /// Makes an expression about a state.
    pub fn state_value(&mut self) -> (Ty, Term) {
        let known = self.names(Phase::State);
        self.maker.enter(&known);
        let ty = self.maker.ty(1);
        let value = self.maker.value(&ty);
        self.maker.leave(known.len());
        (ty, value)
    }

    pub fn view(&mut self) -> Term {
        let (_, view) = self.state_value();
        let first = Term::text(Sort::Frame, self.variables[0].name.clone());
        let items = vec![first, Term::frame(vec![TermPart::Term(view)])];
        let list = TermPart::List { separator: ", ", items, n_least: 1 };
        Term::frame(vec![TermPart::Text("<<".to_owned()), list, TermPart::Text(">>".to_owned())])
    }

    fn names(&self, phase: Phase) -> Vec<(String, Ty)> {
        let variables = self.variables.iter().map(|variable| (variable.name.clone(), variable.ty.clone()));
        let plain = variables.chain(self.defined.iter().cloned());
        let primed = plain.clone().map(|(name, ty)| (format!("{name}'"), ty));
        match phase {
            Phase::Initial => Vec::new(),
            Phase::Action | Phase::State => plain.collect(),
            Phase::Step => plain.chain(primed).collect(),
        }
    }

    fn test(&mut self) -> Term {
        self.maker.value(&Ty::Bool)
    }

    fn target(&self, phase: Phase, variable: usize) -> String {
        let prime = if phase == Phase::Action { "'" } else { "" };
        format!("{}{prime}", self.variables[variable].name)
    }

    /// Makes a formula that assigns these variables.
    fn formula(&mut self, phase: Phase, variables: &[usize], depth: u32) -> Term {
        if variables.len() > 1 && (depth == 0 || self.maker.one_in(2)) {
            return self.conjunction(phase, variables, depth);
        }
        if depth == 0 || self.maker.one_in(3) {
            return match variables {
                [variable] => self.assignment(phase, *variable),
                _ => self.conjunction(phase, variables, depth),
            };
        }
        self.branches(phase, variables, depth - 1)
    }

    /// Distributes the variables among conjuncts; a later one may use what an earlier one assigned.
    fn conjunction(&mut self, phase: Phase, variables: &[usize], depth: u32) -> Term {
        if phase == Phase::Action && self.maker.one_in(5) {
            return self.make_unchanged(variables);
        }
        let mut order = variables.to_vec();
        for at in (1..order.len()).rev() {
            order.swap(at, self.maker.below(at + 1));
        }
        let (first, rest) = order.split_at(1 + self.maker.below(order.len() - 1));
        let first_term = self.formula(phase, first, depth.saturating_sub(1));
        let known: Vec<(String, Ty)> =
            first.iter().map(|at| (self.target(phase, *at), self.variables[*at].ty.clone())).collect();
        self.maker.enter(&known);
        let mut items = vec![first_term];
        // A test among assignments leaves many specifications without an initial state.
        let one_test_of = if phase == Phase::Initial { 30 } else { 6 };
        if self.maker.one_in(one_test_of) {
            items.push(self.test());
        }
        items.push(self.formula(phase, rest, depth.saturating_sub(1)));
        self.maker.leave(known.len());
        list_terms(sort(phase), items, " /\\ ")
    }

    fn make_unchanged(&mut self, variables: &[usize]) -> Term {
        let names: Vec<String> = variables.iter().map(|at| self.variables[*at].name.clone()).collect();
        let text = if names.len() == self.variables.len() {
            "UNCHANGED vars".to_owned()
        } else if self.maker.one_in(3) {
            format!("UNCHANGED <<{}, <<{}>>>>", names[0], names[1..].join(", "))
        } else {
            format!("UNCHANGED <<{}>>", names.join(", "))
        };
        Term::text(Sort::Action, text)
    }

    /// Makes a formula around one or several formulas that each assign these variables.
    fn branches(&mut self, phase: Phase, variables: &[usize], depth: u32) -> Term {
        match self.maker.below(10) {
            0..=2 => {
                let items =
                    vec![self.formula(phase, variables, depth), self.formula(phase, variables, depth)];
                list_terms(sort(phase), items, " \\/ ")
            }
            3 => {
                let parts = [
                    self.test(),
                    self.formula(phase, variables, depth),
                    self.formula(phase, variables, depth),
                ];
                self.fill_texts(phase, &["(IF ", " THEN ", " ELSE ", ")"], parts.to_vec())
            }
            4 => self.case(phase, variables, depth),
            5 | 6 => self.exists(phase, variables, depth),
            7 => self.definition(phase, variables, depth),
            8 if phase == Phase::Action => {
                let inner = self.formula(phase, variables, depth);
                let names: Vec<String> =
                    variables.iter().map(|at| self.variables[*at].name.clone()).collect();
                let (open, close) = if self.maker.one_in(2) { ("[", "]_") } else { ("<<", ">>_") };
                self.fill_texts(phase, &[open, &format!("{close}<<{}>>", names.join(", "))], vec![inner])
            }
            _ => self.formula(phase, variables, depth),
        }
    }

    fn case(&mut self, phase: Phase, variables: &[usize], depth: u32) -> Term {
        let first = [self.test(), self.formula(phase, variables, depth)];
        let second = [self.test(), self.formula(phase, variables, depth)];
        let other = self.formula(phase, variables, depth);
        let mut parts: Vec<Term> = first.into_iter().chain(second).collect();
        if self.maker.one_in(20) {
            return self.fill_texts(phase, &["(CASE ", " -> ", " [] ", " -> ", ")"], parts);
        }
        parts.push(other);
        self.fill_texts(phase, &["(CASE ", " -> ", " [] ", " -> ", " [] OTHER -> ", ")"], parts)
    }

    fn exists(&mut self, phase: Phase, variables: &[usize], depth: u32) -> Term {
        let is_plain = !self.maker.one_in(if phase == Phase::Initial { 6 } else { 2 });
        let (ty, domain) = match is_plain {
            true => self.parameter(phase),
            false => {
                let ty = self.maker.ty(0);
                let set = self.maker.value(&Ty::Set(Box::new(ty.clone())));
                (ty, set)
            }
        };
        let name = self.maker.fresh('v');
        self.maker.enter(&[(name.clone(), ty)]);
        let body = self.formula(phase, variables, depth);
        self.maker.leave(1);
        self.fill_texts(phase, &[&format!("(\\E {name} \\in "), " : ", ")"], vec![domain, body])
    }

    fn definition(&mut self, phase: Phase, variables: &[usize], depth: u32) -> Term {
        let ty = self.maker.ty(1);
        let value = self.maker.value(&ty);
        let name = self.maker.fresh('v');
        self.maker.enter(&[(name.clone(), ty)]);
        let body = self.formula(phase, variables, depth);
        self.maker.leave(1);
        self.fill_texts(phase, &[&format!("(LET {name} == "), " IN ", ")"], vec![value, body])
    }

    /// Makes a formula that gives one variable its value, or values.
    fn assignment(&mut self, phase: Phase, variable: usize) -> Term {
        let target = self.target(phase, variable);
        let name = self.variables[variable].name.clone();
        let domain = self.variables[variable].kind.domain;
        let is_set = matches!(self.variables[variable].ty, Ty::Set(_));
        let value = self.make_fitting(variable);
        match self.maker.below(30) {
            0 | 1 if phase == Phase::Action => Term::text(Sort::Action, format!("UNCHANGED {name}")),
            2 if phase == Phase::Action => Term::text(Sort::Action, format!("Same({name})")),
            3 if phase == Phase::Action => {
                self.fill_texts(phase, &[&format!("Put({name}, "), ")"], vec![value])
            }
            4 => self.fill_texts(phase, &[&format!("Is({target}, "), ")"], vec![value]),
            5 => {
                let other = self.make_fitting(variable);
                self.fill_texts(phase, &[&format!("Among({target}, {{"), ", ", "})"], vec![value, other])
            }
            6..=9 => Term::text(sort(phase), format!("{target} \\in {domain}")),
            10 => {
                let other = self.make_fitting(variable);
                self.fill_texts(phase, &[&format!("{target} \\in {{"), ", ", "}"], vec![value, other])
            }
            11 => self.make_filtered(phase, variable),
            12 if is_set => self.fill_texts(phase, &[&format!("{target} \\subseteq ")], vec![value]),
            13 => {
                self.fill_texts(phase, &["(\\A k \\in {1} : ", ")"], vec![self.plain(phase, &target, value)])
            }
            14 => self.fill_texts(phase, &["(TRUE => ", ")"], vec![self.plain(phase, &target, value)]),
            15 => {
                let (first, other) = (self.plain(phase, &target, value), self.make_fitting(variable));
                self.fill_texts(phase, &["(", &format!(" /\\ {target} # "), ")"], vec![first, other])
            }
            17 if phase == Phase::Action => Term::text(Sort::Action, format!("I{name}!Keep")),
            18 if phase == Phase::Action => {
                self.fill_texts(phase, &[&format!("I{name}!Set("), ")"], vec![value])
            }
            19 if phase == Phase::Action => {
                self.fill_texts(phase, &[&format!("I{name}!Other("), ")"], vec![value])
            }
            20 if phase == Phase::Initial => {
                self.fill_texts(phase, &[&format!("I{name}!Equal("), ")"], vec![value])
            }
            21 => self.fill_texts(phase, &[&format!("Deep({target}, "), ", 2)"], vec![value]),
            22 => {
                let other = self.make_fitting(variable);
                self.fill_texts(phase, &[&format!("Either({target}, {{"), ", ", "}, 1)"], vec![value, other])
            }
            23 => self.fill_texts(phase, &["Do(", ")"], vec![self.plain(phase, &target, value)]),
            24 => self.fill_texts(phase, &[&format!("(LET left == {target} IN left) = ")], vec![value]),
            16 if self.maker.one_in(4) => self.make_odd(phase, &target, value),
            _ => self.plain(phase, &target, value),
        }
    }

    fn plain(&self, phase: Phase, target: &str, value: Term) -> Term {
        self.fill_texts(phase, &[&format!("{target} = "), ""], vec![value])
    }

    /// Makes `v \in {k \in D : test of k}`.
    fn make_filtered(&mut self, phase: Phase, variable: usize) -> Term {
        let Variable { ty, kind, .. } = &self.variables[variable];
        let (ty, domain) = (ty.clone(), kind.domain);
        let name = self.maker.fresh('v');
        self.maker.enter(&[(name.clone(), ty)]);
        let test = self.test();
        self.maker.leave(1);
        let target = self.target(phase, variable);
        self.fill_texts(phase, &[&format!("{target} \\in {{{name} \\in {domain} : "), "}"], vec![test])
    }

    /// Makes a formula that is not an assignment, although it looks like one.
    fn make_odd(&mut self, phase: Phase, target: &str, value: Term) -> Term {
        match self.maker.below(3) {
            0 => self.fill_texts(phase, &["", &format!(" = {target}")], vec![value]),
            1 => self.fill_texts(phase, &[&format!("~({target} # "), ")"], vec![value]),
            _ => Term::text(sort(phase), "TRUE"),
        }
    }

    /// Makes a value for this variable, usually one of its few.
    fn make_fitting(&mut self, variable: usize) -> Term {
        let Variable { ty, kind, .. } = &self.variables[variable];
        let (ty, fit) = (ty.clone(), kind.fit);
        let value = self.maker.value(&ty);
        if self.maker.one_in(6) {
            return value;
        }
        let name = self.maker.fresh('v');
        let fit = fit.replace('~', &name);
        let (before, after) = fit.split_once('$').expect("a value has its place");
        let around = [before, after].map(|text| TermPart::Text(text.to_owned()));
        let [before, after] = around;
        Term { sort: Sort::Value(ty), parts: vec![before, TermPart::Term(value), after] }
    }

    /// Joins texts with terms between them.
    fn fill_texts(&self, phase: Phase, texts: &[&str], terms: Vec<Term>) -> Term {
        let mut parts = Vec::new();
        let mut terms = terms.into_iter();
        for text in texts {
            parts.push(TermPart::Text((*text).to_owned()));
            parts.extend(terms.next().map(TermPart::Term));
        }
        Term { sort: sort(phase), parts }
    }
}

/// Lists terms in parentheses, of which all but one may be left out.
fn list_terms(sort: Sort, items: Vec<Term>, separator: &'static str) -> Term {
    let list = TermPart::List { separator, items, n_least: 1 };
    Term { sort, parts: vec![TermPart::Text("(".to_owned()), list, TermPart::Text(")".to_owned())] }
}

fn sort(phase: Phase) -> Sort {
    match phase {
        Phase::Initial => Sort::Initial,
        Phase::Action => Sort::Action,
        Phase::State | Phase::Step => Sort::Value(Ty::Bool),
    }
}
