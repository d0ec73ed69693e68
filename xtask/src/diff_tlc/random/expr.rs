//! Makes random expressions of a given type, by the table of rules.

use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

use super::rules::{Risk, Rule};
use super::term::{Sort, Term, TermPart};
use super::ty::{Binding, N_UNKNOWNS, Pattern, Ty};

/// The strings and model values that occur. The prelude of each module names them in this order, so that both
/// tools rank them alike: TLC ranks a string earlier when a standard module has a name of that spelling, and in a
/// process that has read other modules before.
pub const STRINGS: &[&str] = &["sa", "sb", "sc"];
pub const MODELS: &[&str] = &["m1", "m2", "m3"];

/// The settings for choosing expressions.
#[derive(Clone, Copy)]
pub struct Taste {
    /// Families of rules; each family is equally likely, so that a long one does not dominate.
    pub rules: &'static [&'static [Rule]],
    /// Number of holes, of a thousand, that get an expression of another type.
    pub n_ill_typed: u32,
    /// One of this many forms that may fail is used.
    pub one_risky_of: u32,
    /// The greatest depth of expressions, and, below, the most forms of one.
    pub depth_max: u32,
    pub n_forms_max: u32,
}

/// Makes terms. All randomness comes from here.
pub struct Maker {
    rng: TestRng,
    pub taste: Taste,
    n_names: u32,
    /// The names that may be used here.
    scope: Vec<(String, Ty)>,
    n_forms_left: u32,
}

impl Maker {
    pub fn new(seed: u64, taste: Taste) -> Maker {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        Maker { rng, taste, n_names: 0, scope: Vec::new(), n_forms_left: 0 }
    }

    pub fn below(&mut self, n: usize) -> usize {
        let n = u64::try_from(n).expect("counts are small");
        usize::try_from(self.rng.next_u64() % n).expect("less than a usize")
    }

    /// Returns true one time in `n`.
    pub fn one_in(&mut self, n: u32) -> bool {
        self.rng.next_u32().is_multiple_of(n)
    }

    pub fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }

    pub fn fresh(&mut self, start: char) -> String {
        self.n_names += 1;
        format!("{start}{}", self.n_names)
    }

    /// Makes names known.
    pub fn enter(&mut self, names: &[(String, Ty)]) {
        self.scope.extend_from_slice(names);
    }

    /// Forgets the last names.
    pub fn leave(&mut self, n_names: usize) {
        self.scope.truncate(self.scope.len() - n_names);
    }

    pub fn ty(&mut self, depth: u32) -> Ty {
        let n = if depth == 0 { 4 } else { 12 };
        let next = |maker: &mut Maker| Box::new(maker.ty(depth - 1));
        match self.below(n) {
            0 => Ty::Int,
            1 => Ty::Bool,
            2 => Ty::Str,
            3 => Ty::Model,
            4..=6 => Ty::Set(next(self)),
            7 => Ty::Seq(next(self)),
            8 => Ty::Fun(next(self), next(self)),
            9 => Ty::Pair(next(self), next(self)),
            10 => Ty::Rec(next(self), next(self)),
            _ => Ty::Bag(next(self)),
        }
    }

    /// Makes an expression of this type, up to the largest size.
    pub fn value(&mut self, ty: &Ty) -> Term {
        self.n_forms_left = self.taste.n_forms_max;
        self.hole(ty, self.taste.depth_max, SIZE_MAX)
    }

    fn hole(&mut self, ty: &Ty, depth: u32, size: usize) -> Term {
        if self.rng.next_u32() % 1000 < self.taste.n_ill_typed {
            let other = self.ty(1);
            let term = self.form(&other, depth, size);
            return Term { sort: Sort::Value(ty.clone()), parts: vec![TermPart::Term(term)] };
        }
        self.form(ty, depth, size)
    }

    fn form(&mut self, ty: &Ty, depth: u32, size: usize) -> Term {
        if let Some(name) = self.pick_known(ty, size) {
            return Term::text(Sort::Value(ty.clone()), name);
        }
        if depth == 0 || self.n_forms_left == 0 || self.one_in(6) {
            return self.literal(ty, size);
        }
        match self.rule(ty, size) {
            Some((rule, binding)) => {
                self.n_forms_left -= 1;
                self.apply(rule, binding, depth - 1, size)
            }
            None => self.literal(ty, size),
        }
    }

    /// Sometimes returns a name of this type. The size of its value is not known.
    fn pick_known(&mut self, ty: &Ty, size: usize) -> Option<String> {
        let known: Vec<&String> =
            self.scope.iter().filter(|(_, of)| of == ty).map(|(name, _)| name).collect();
        if known.is_empty() || (matches!(ty, Ty::Set(_)) && size < SIZE_MAX) {
            return None;
        }
        let name = known[usize::try_from(self.rng.next_u32()).expect("fits") % known.len()].clone();
        (!self.one_in(3)).then_some(name)
    }

    /// Picks a rule that gives this type.
    fn rule(&mut self, ty: &Ty, size: usize) -> Option<(&'static Rule, Binding)> {
        for _ in 0..20 {
            let family = *self.pick(self.taste.rules);
            let rule = self.pick(family);
            let Some(binding) = Pattern::new(rule.result).matches(ty) else { continue };
            if rule.size > size || (rule.risk == Risk::Partial && !self.one_in(self.taste.one_risky_of)) {
                continue;
            }
            return Some((rule, binding));
        }
        None
    }

    fn apply(&mut self, rule: &'static Rule, mut binding: Binding, depth: u32, size: usize) -> Term {
        let sort = Sort::Value(Pattern::new(rule.result).matches_or_fill(&mut binding, self));
        let mut names = Names::default();
        let holes: Vec<Term> = rule
            .holes
            .split_whitespace()
            .map(|hole| {
                let hole = Hole::read(hole);
                let known: Vec<(String, Ty)> = hole
                    .names
                    .iter()
                    .map(|(letter, pattern)| (names.get(self, *letter), pattern.fill(&binding)))
                    .collect();
                let ty = hole.pattern.fill(&binding);
                let size = hole.size.unwrap_or(size);
                self.enter(&known);
                let term = self.hole(&ty, depth, size);
                self.leave(known.len());
                term
            })
            .collect();
        let parts = self.assemble(rule.text, &holes, &mut names);
        Term { sort, parts }
    }

    /// Fills the holes of a rule's text.
    fn assemble(&mut self, text: &str, holes: &[Term], names: &mut Names) -> Vec<TermPart> {
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            let next = letters.peek().copied();
            match (letter, next) {
                ('$', Some(digit)) if digit.is_ascii_digit() => {
                    letters.next();
                    parts.push(TermPart::Text(std::mem::take(&mut plain)));
                    let hole = digit.to_digit(10).expect("a digit");
                    parts.push(TermPart::Term(holes[usize::try_from(hole).expect("small")].clone()));
                }
                ('%', Some(name)) if name.is_ascii_lowercase() => {
                    letters.next();
                    plain.push_str(&names.get(self, name));
                }
                (letter, _) => plain.push(letter),
            }
        }
        parts.push(TermPart::Text(plain));
        parts
    }

    /// Makes a literal value.
    pub fn literal(&mut self, ty: &Ty, size: usize) -> Term {
        let sort = Sort::Value(ty.clone());
        let text = match ty {
            Ty::Int => self.number(),
            Ty::Bool => (*self.pick(&["TRUE", "FALSE"])).to_owned(),
            Ty::Str => format!("\"{}\"", self.pick(STRINGS)),
            Ty::Model => (*self.pick(MODELS)).to_owned(),
            Ty::Set(of) => return Term { sort, parts: self.make_list("{", of, "}", size) },
            Ty::Seq(of) => return Term { sort, parts: self.make_list("<<", of, ">>", 3) },
            Ty::Bag(of) => return Term { sort, parts: self.make_list("SetToBag({", of, "})", size) },
            Ty::Fun(from, to) => return self.literal_function(from, to, size),
            Ty::Pair(a, b) => return self.compose(sort, ["<<", ", ", ">>"], [a, b]),
            Ty::Rec(a, b) => return self.compose(sort, ["[fa |-> ", ", fb |-> ", "]"], [a, b]),
        };
        Term::text(sort, text)
    }

    fn number(&mut self) -> String {
        match self.below(8) {
            0 => format!("(-{})", 1 + self.below(4)),
            1 => (4 + self.below(9)).to_string(),
            _ => self.below(4).to_string(),
        }
    }

    fn make_list(&mut self, open: &str, of: &Ty, close: &str, size: usize) -> Vec<TermPart> {
        let n = self.below(size.clamp(1, 3) + 1);
        let items = (0..n).map(|_| self.literal(of, 2)).collect();
        vec![
            TermPart::Text(open.to_owned()),
            TermPart::List { separator: ", ", items, n_least: 0 },
            TermPart::Text(close.to_owned()),
        ]
    }

    fn literal_function(&mut self, from: &Ty, to: &Ty, size: usize) -> Term {
        let sort = Sort::Value(Ty::Fun(Box::new(from.clone()), Box::new(to.clone())));
        let domain = self.literal(&Ty::Set(Box::new(from.clone())), size.min(3));
        let name = self.fresh('v');
        self.enter(&[(name.clone(), from.clone())]);
        let value = self.form(to, 0, 2);
        self.leave(1);
        let parts = vec![
            TermPart::Text(format!("[{name} \\in ")),
            TermPart::Term(domain),
            TermPart::Text(" |-> ".to_owned()),
            TermPart::Term(value),
            TermPart::Text("]".to_owned()),
        ];
        Term { sort, parts }
    }

    fn compose(&mut self, sort: Sort, around: [&str; 3], types: [&Ty; 2]) -> Term {
        let [open, between, close] = around.map(|text| TermPart::Text(text.to_owned()));
        let [a, b] = types.map(|ty| TermPart::Term(self.literal(ty, 2)));
        Term { sort, parts: vec![open, a, between, b, close] }
    }
}

/// The largest size of a set that is made.
const SIZE_MAX: usize = 16;

impl Pattern {
    /// Returns the type of the pattern; unknowns that the wanted type leaves open become random types.
    fn matches_or_fill(self, binding: &mut Binding, maker: &mut Maker) -> Ty {
        for at in 0..N_UNKNOWNS {
            if binding.0[at].is_none() {
                let depth = u32::from(maker.one_in(2));
                binding.0[at] = Some(maker.ty(depth));
            }
        }
        self.fill(binding)
    }
}

/// A hole as the table writes it.
struct Hole {
    names: Vec<(char, Pattern)>,
    pattern: Pattern,
    size: Option<usize>,
}

impl Hole {
    fn read(text: &'static str) -> Hole {
        let (names, rest) = text.split_once('|').unwrap_or(("", text));
        let (pattern, size) =
            rest.split_once('/').map_or((rest, None), |(pattern, size)| (pattern, Some(size)));
        let names = names.split(',').filter_map(|name| name.split_once(':'));
        Hole {
            names: names
                .map(|(name, of)| (name.chars().next().expect("a name has a letter"), Pattern::new(of)))
                .collect(),
            pattern: Pattern::new(pattern),
            size: size.map(|size| size.parse().expect("a size in the table is a number")),
        }
    }
}

/// The names that one use of a rule introduces, by their letters.
#[derive(Default)]
struct Names(Vec<(char, String)>);

impl Names {
    fn get(&mut self, maker: &mut Maker, letter: char) -> String {
        if letter == '@' {
            return "@".to_owned();
        }
        if let Some((_, name)) = self.0.iter().find(|(known, _)| *known == letter) {
            return name.clone();
        }
        let name = maker.fresh('v');
        self.0.push((letter, name.clone()));
        name
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::ALL;
    use super::super::ty::Ty;
    use super::{Hole, Maker, Taste};

    const TASTE: Taste = Taste { rules: ALL, n_ill_typed: 0, one_risky_of: 4, depth_max: 3, n_forms_max: 20 };

    #[test]
    fn every_hole_of_the_table_is_used_and_there() {
        for rule in ALL.iter().copied().flatten() {
            let holes: Vec<Hole> = rule.holes.split_whitespace().map(Hole::read).collect();
            for at in 0..9 {
                let is_used = rule.text.contains(&format!("${at}"));
                assert_eq!(is_used, at < holes.len(), "hole {at} of `{}`", rule.text);
            }
            for (letter, _) in holes.iter().flat_map(|hole| &hole.names).filter(|(letter, _)| *letter != '@')
            {
                assert!(rule.text.contains(&format!("%{letter}")), "name {letter} of `{}`", rule.text);
            }
        }
    }

    #[test]
    fn a_seed_gives_the_same_expression_again() {
        let make = |seed| Maker::new(seed, TASTE).value(&Ty::Set(Box::new(Ty::Int))).render().module;
        assert_eq!(make(3), make(3));
        assert!((0..20).any(|seed| make(seed) != make(3)));
    }
}
