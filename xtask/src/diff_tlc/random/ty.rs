//! The types that guide the making of expressions, and the patterns of types in the table of rules.
//!
//! TLA+ has no types; these keep most expressions from being refused at once by both tools.

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    Int,
    Bool,
    Str,
    /// A model value.
    Model,
    Set(Box<Ty>),
    Seq(Box<Ty>),
    Fun(Box<Ty>, Box<Ty>),
    Pair(Box<Ty>, Box<Ty>),
    /// A record with the fields `fa` and `fb`.
    Rec(Box<Ty>, Box<Ty>),
    Bag(Box<Ty>),
}

impl Ty {
    /// Returns the simplest expressions of this type, to shrink to.
    pub fn least(&self) -> &'static [&'static str] {
        match self {
            Ty::Int => &["0", "1"],
            Ty::Bool => &["TRUE", "FALSE"],
            Ty::Str => &["\"sa\""],
            Ty::Model => &["m1"],
            Ty::Set(_) => &["{}"],
            Ty::Seq(_) | Ty::Fun(..) | Ty::Bag(_) => &["<<>>"],
            Ty::Pair(..) | Ty::Rec(..) => &[],
        }
    }
}

/// A type with unknowns: `I B T M` are integers, booleans, strings and model values; `Sp` is a set, `Qp` a
/// sequence, `Fpq` a function, `Ppq` a pair, `Rpq` a record, `Gp` a bag; `a` to `c` are unknown.
#[derive(Clone, Copy, Debug)]
pub struct Pattern(&'static str);

pub const N_UNKNOWNS: usize = 3;

/// The types of the unknowns.
#[derive(Clone, Debug, Default)]
pub struct Binding(pub [Option<Ty>; N_UNKNOWNS]);

impl Pattern {
    pub fn new(text: &'static str) -> Pattern {
        Pattern(text)
    }

    /// Returns the types of the unknowns, if the type has this form.
    pub fn matches(self, ty: &Ty) -> Option<Binding> {
        let mut binding = Binding::default();
        let mut rest = self.0.bytes();
        unify(&mut rest, ty, &mut binding).then_some(binding)
    }

    /// Returns the type, once every unknown is bound.
    pub fn fill(self, binding: &Binding) -> Ty {
        fill(&mut self.0.bytes(), binding)
    }
}

type Bytes = std::str::Bytes<'static>;

fn unknown(letter: u8) -> usize {
    let at = usize::from(letter - b'a');
    assert!(at < N_UNKNOWNS, "a letter of the table of rules: {}", char::from(letter));
    at
}

fn unify(rest: &mut Bytes, ty: &Ty, binding: &mut Binding) -> bool {
    let letter = rest.next().expect("a pattern is as long as it must be");
    match (letter, ty) {
        (b'I', Ty::Int) | (b'B', Ty::Bool) | (b'T', Ty::Str) | (b'M', Ty::Model) => true,
        (b'S', Ty::Set(of)) | (b'Q', Ty::Seq(of)) | (b'G', Ty::Bag(of)) => unify(rest, of, binding),
        (b'F', Ty::Fun(a, b)) | (b'P', Ty::Pair(a, b)) | (b'R', Ty::Rec(a, b)) => {
            unify(rest, a, binding) && unify(rest, b, binding)
        }
        (b'a'..=b'z', ty) => {
            let known = &mut binding.0[unknown(letter)];
            known.get_or_insert_with(|| ty.clone()) == ty
        }
        _ => false,
    }
}

fn fill(rest: &mut Bytes, binding: &Binding) -> Ty {
    let letter = rest.next().expect("a pattern is as long as it must be");
    let mut next = || Box::new(fill(rest, binding));
    match letter {
        b'I' => Ty::Int,
        b'B' => Ty::Bool,
        b'T' => Ty::Str,
        b'M' => Ty::Model,
        b'S' => Ty::Set(next()),
        b'Q' => Ty::Seq(next()),
        b'G' => Ty::Bag(next()),
        b'F' => Ty::Fun(next(), next()),
        b'P' => Ty::Pair(next(), next()),
        b'R' => Ty::Rec(next(), next()),
        letter => binding.0[unknown(letter)].clone().expect("every unknown is bound before"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Pattern, Ty};

    #[test]
    fn a_pattern_finds_its_unknowns() {
        let ty = Ty::Fun(Box::new(Ty::Int), Box::new(Ty::Set(Box::new(Ty::Str))));
        let binding = Pattern::new("FaSb").matches(&ty).unwrap();
        assert_eq!(Pattern::new("Pba").fill(&binding), Ty::Pair(Box::new(Ty::Str), Box::new(Ty::Int)));
    }

    #[test]
    fn an_unknown_is_the_same_everywhere() {
        let ty = Ty::Pair(Box::new(Ty::Int), Box::new(Ty::Str));
        assert!(Pattern::new("Paa").matches(&ty).is_none());
        assert!(Pattern::new("Pab").matches(&ty).is_some());
    }
}
