//! Values of TLA+ as terms of SMT-LIB. What has a structure that later steps can use keeps it (`Sym`); everything else is a
//! term of one sort, in which integers, truth values and texts are told apart, and all other values are what they are.

use std::rc::Rc;

use base::FxHashMap;
use sema::spec::{ExprId, LocalId};

/// The sort of all values, and the functions about which nothing is known but what is asserted of single terms.
pub(super) const PRELUDE: &str = "\
(declare-datatypes ((V 0)) (((vi (ival Int)) (vb (bval Bool)) (vs (sval Int)) (vo (oval Int)))))
(declare-fun app (V V) V)
(declare-fun len (V) Int)
(declare-fun mem (V V) Bool)
";

/// A value, with as much of its structure as is known.
#[derive(Clone, Debug)]
pub(super) enum Sym {
    /// A term of sort `V`.
    Term(String),
    /// A term of sort `Int`.
    Int(String),
    /// A term of sort `Bool`.
    Bool(String),
    Text(String),
    Record(Vec<(String, Rc<Sym>)>),
    Except {
        base: Rc<Sym>,
        path: Vec<Rc<Sym>>,
        value: Rc<Sym>,
    },
    /// `[local \in S |-> body]`
    Function {
        local: LocalId,
        body: ExprId,
        env: Env,
        is_primed: bool,
    },
    If(String, Rc<Sym>, Rc<Sym>),
    Tuple(Vec<Rc<Sym>>),
    Append(Rc<Sym>, Rc<Sym>),
    Concat(Rc<Sym>, Rc<Sym>),
    SubSeq(Rc<Sym>, Rc<Sym>, Rc<Sym>),
    Tail(Rc<Sym>),
    Set(Vec<Rc<Sym>>),
    Interval(Rc<Sym>, Rc<Sym>),
    Cup(Rc<Sym>, Rc<Sym>),
    Minus(Rc<Sym>, Rc<Sym>),
    /// `function @@ (key :> value)`
    With(Rc<Sym>, Rc<Sym>),
    Domain(Rc<Sym>),
    /// The elements of a sequence.
    Range(Rc<Sym>),
    /// A variable that each node has, as a whole.
    PerNode(usize, bool),
    /// The network before the step, at these indices.
    Network(Vec<Rc<Sym>>),
    /// A part of a set of which nothing else is known.
    Part(Rc<Sym>),
}

/// The values of names.
#[derive(Clone, Debug, Default)]
pub(super) struct Env {
    /// Two environments with the same number are the same.
    pub id: u32,
    pub values: Rc<FxHashMap<LocalId, Rc<Sym>>>,
}

/// A message that a step may put into the network, and the formula under which it does.
#[derive(Clone, Debug)]
pub(super) struct Sending {
    pub when: String,
    pub message: Rc<Sym>,
}

const TRUE: &str = "true";
const FALSE: &str = "false";

pub(super) fn and(parts: &[String]) -> String {
    joined("and", parts, (TRUE, FALSE))
}

pub(super) fn or(parts: &[String]) -> String {
    joined("or", parts, (FALSE, TRUE))
}

/// Joins formulas. One that decides is the whole; those that are `neutral` are left out.
fn joined(op: &str, parts: &[String], (neutral, decides): (&str, &str)) -> String {
    if parts.iter().any(|part| part == decides) {
        return decides.to_owned();
    }
    let rest: Vec<&str> = parts.iter().map(String::as_str).filter(|part| *part != neutral).collect();
    match rest[..] {
        [] => neutral.to_owned(),
        [one] => one.to_owned(),
        _ => format!("({op} {})", rest.join(" ")),
    }
}

pub(super) fn not(part: &str) -> String {
    match part {
        TRUE => FALSE.to_owned(),
        FALSE => TRUE.to_owned(),
        _ => format!("(not {part})"),
    }
}

/// Returns the value of a condition, if its text says it.
pub(super) fn known(condition: &str) -> Option<bool> {
    match condition {
        TRUE => Some(true),
        FALSE => Some(false),
        _ => None,
    }
}

/// Terms and what is asserted of them.
#[derive(Default)]
pub(super) struct Terms {
    /// Declarations and assertions, in order.
    pub lines: Vec<String>,
    n_fresh: usize,
    texts: FxHashMap<String, usize>,
    /// Values with structure that have a name already, by what they are made of.
    named: FxHashMap<String, String>,
}

impl Terms {
    /// Declares a constant of a sort, of which nothing is known.
    pub fn fresh(&mut self, sort: &str) -> String {
        self.n_fresh += 1;
        let name = format!("x{}", self.n_fresh);
        self.lines.push(format!("(declare-const {name} {sort})"));
        name
    }

    pub fn assert(&mut self, formula: &str) {
        self.lines.push(format!("(assert {formula})"));
    }

    /// Gives a long formula a name, so that it is written once.
    pub fn name(&mut self, sort: &str, term: String) -> String {
        if term.len() < 40 {
            return term;
        }
        self.n_fresh += 1;
        let name = format!("x{}", self.n_fresh);
        self.lines.push(format!("(define-fun {name} () {sort} {term})"));
        name
    }

    pub fn text(&mut self, text: &str) -> String {
        let next = self.texts.len();
        let number = *self.texts.entry(text.to_owned()).or_insert(next);
        format!("(vs {number})")
    }

    fn constructed(&mut self, key: String) -> (String, bool) {
        if let Some(name) = self.named.get(&key) {
            return (name.clone(), false);
        }
        let name = self.fresh("V");
        self.named.insert(key, name.clone());
        (name, true)
    }

    /// Returns a value as a term. Two values that are made of the same terms in the same way are one term.
    pub fn term(&mut self, sym: &Sym) -> String {
        match sym {
            Sym::Term(term) => term.clone(),
            Sym::Int(int) => format!("(vi {int})"),
            Sym::Bool(formula) => format!("(vb {formula})"),
            Sym::Text(text) => self.text(text),
            Sym::If(condition, then, otherwise) => {
                let (then, otherwise) = (self.term(then), self.term(otherwise));
                self.name("V", format!("(ite {condition} {then} {otherwise})"))
            }
            Sym::Record(fields) => self.record(fields),
            Sym::Except { base, path, value } => {
                let base = self.term(base);
                let path: Vec<String> = path.iter().map(|key| self.term(key)).collect();
                let value = self.term(value);
                self.constructed(format!("except {base} {} {value}", path.join(" "))).0
            }
            Sym::Function { body, env, is_primed, .. } => {
                self.constructed(format!("function {body:?} {} {is_primed}", env.id)).0
            }
            Sym::Tuple(items) => self.tuple(items),
            Sym::Append(..) | Sym::Concat(..) | Sym::SubSeq(..) | Sym::Tail(_) => self.sequence(sym),
            Sym::Set(items) => {
                let items: Vec<String> = items.iter().map(|item| self.term(item)).collect();
                self.constructed(format!("set {}", items.join(" "))).0
            }
            Sym::Interval(left, right) => self.made_of("interval", &[left, right]),
            Sym::Cup(left, right) => self.made_of("cup", &[left, right]),
            Sym::Minus(left, right) => self.made_of("minus", &[left, right]),
            Sym::With(function, key) => {
                // The value is not kept: nothing is said about equality.
                let _ = (self.term(function), self.term(key));
                self.fresh("V")
            }
            Sym::Domain(of) => self.made_of("domain", &[of]),
            Sym::Range(of) => self.made_of("range", &[of]),
            Sym::PerNode(at, is_next) => self.constructed(format!("variable {at} {is_next}")).0,
            Sym::Network(path) => {
                let path: Vec<String> = path.iter().map(|key| self.term(key)).collect();
                self.constructed(format!("network {}", path.join(" "))).0
            }
            Sym::Part(_) => self.fresh("V"),
        }
    }

    fn made_of(&mut self, kind: &str, parts: &[&Rc<Sym>]) -> String {
        let parts: Vec<String> = parts.iter().map(|part| self.term(part)).collect();
        self.constructed(format!("{kind} {}", parts.join(" "))).0
    }

    fn record(&mut self, fields: &[(String, Rc<Sym>)]) -> String {
        let fields: Vec<(String, String)> =
            fields.iter().map(|(name, value)| (self.text(name), self.term(value))).collect();
        let key: Vec<String> = fields.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let (name, is_new) = self.constructed(format!("record {}", key.join(" ")));
        if is_new {
            for (field, value) in fields {
                self.assert(&format!("(= (app {name} {field}) {value})"));
            }
        }
        name
    }

    fn tuple(&mut self, items: &[Rc<Sym>]) -> String {
        let items: Vec<String> = items.iter().map(|item| self.term(item)).collect();
        let (name, is_new) = self.constructed(format!("tuple {}", items.join(" ")));
        if is_new {
            self.assert(&format!("(= (len {name}) {})", items.len()));
            for (at, item) in items.iter().enumerate() {
                self.assert(&format!("(= (app {name} (vi {})) {item})", at + 1));
            }
        }
        name
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "only sequences are handed over")]
    fn sequence(&mut self, sym: &Sym) -> String {
        let name = match sym {
            Sym::Append(one, two) => self.made_of("append", &[one, two]),
            Sym::Concat(one, two) => self.made_of("concat", &[one, two]),
            Sym::SubSeq(of, from, to) => self.made_of("subseq", &[of, from, to]),
            Sym::Tail(of) => self.made_of("tail", &[of]),
            _ => unreachable!("only sequences are handed over"),
        };
        let length = self.length(sym);
        self.assert(&format!("(= (len {name}) {length})"));
        name
    }

    /// Returns the length of a sequence.
    #[expect(clippy::wildcard_enum_match_arm, reason = "of every other value nothing is known")]
    pub fn length(&mut self, sym: &Sym) -> String {
        match sym {
            Sym::Tuple(items) => items.len().to_string(),
            Sym::Append(of, _) => format!("(+ {} 1)", self.length(of)),
            // Never below 0, also where it stands in a branch that is not taken.
            Sym::Tail(of) => {
                let length = self.length(of);
                format!("(ite (> {length} 0) (- {length} 1) 0)")
            }
            Sym::Concat(one, two) => format!("(+ {} {})", self.length(one), self.length(two)),
            Sym::SubSeq(_, from, to) => {
                let (from, to) = (self.int(from), self.int(to));
                format!("(ite (< {to} {from}) 0 (+ (- {to} {from}) 1))")
            }
            Sym::If(condition, then, otherwise) => {
                let (then, otherwise) = (self.length(then), self.length(otherwise));
                self.name("Int", format!("(ite {condition} {then} {otherwise})"))
            }
            _ => {
                let term = self.term(sym);
                let length = format!("(len {term})");
                self.assert(&format!("(>= {length} 0)"));
                length
            }
        }
    }

    /// Returns a value as an integer. Of one that is none, nothing is known.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other value is a term")]
    pub fn int(&mut self, sym: &Sym) -> String {
        match sym {
            Sym::Int(int) => int.clone(),
            Sym::If(condition, then, otherwise) => {
                let (then, otherwise) = (self.int(then), self.int(otherwise));
                self.name("Int", format!("(ite {condition} {then} {otherwise})"))
            }
            _ => format!("(ival {})", self.term(sym)),
        }
    }

    /// Returns a value as a formula.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other value is a term")]
    pub fn bool(&mut self, sym: &Sym) -> String {
        match sym {
            Sym::Bool(formula) => formula.clone(),
            Sym::If(condition, then, otherwise) => {
                let (then, otherwise) = (self.bool(then), self.bool(otherwise));
                self.name("Bool", format!("(ite {condition} {then} {otherwise})"))
            }
            _ => format!("(bval {})", self.term(sym)),
        }
    }

    /// Returns the formula that two values are equal.
    pub fn equal(&mut self, one: &Sym, two: &Sym) -> String {
        match (one, two) {
            (Sym::Int(one), Sym::Int(two)) => format!("(= {one} {two})"),
            (Sym::Bool(one), Sym::Bool(two)) => format!("(= {one} {two})"),
            (Sym::Text(one), Sym::Text(two)) => (one == two).to_string(),
            (Sym::If(condition, then, otherwise), other) | (other, Sym::If(condition, then, otherwise)) => {
                let (then, otherwise) = (self.equal(then, other), self.equal(otherwise, other));
                self.name("Bool", format!("(ite {condition} {then} {otherwise})"))
            }
            _ => {
                let (one, two) = (self.term(one), self.term(two));
                format!("(= {one} {two})")
            }
        }
    }
}
