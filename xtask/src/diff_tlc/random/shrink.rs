//! Shrinks a term while a condition holds: proptest's protocol of `simplify` and `complicate` over edits of the tree. A
//! list loses an item; a term becomes the least of its sort, or one of its own parts.

use proptest::strategy::ValueTree;

use super::term::{Sort, Term, TermPart};

/// A term that is being shrunk.
pub struct Shrinking {
    current: Term,
    /// The value of `current` before the edit that is being tried.
    before: Option<Term>,
    /// The next edit to try, among those that `current` allows.
    edit_idx: usize,
    /// Whether an edit was kept since the list of edits was begun: then another round is worthwhile.
    kept_any: bool,
}

impl Shrinking {
    pub fn new(term: Term) -> Shrinking {
        Shrinking { current: term, before: None, edit_idx: 0, kept_any: false }
    }
}

impl ValueTree for Shrinking {
    type Value = Term;

    fn current(&self) -> Term {
        self.current.clone()
    }

    /// Tries the next edit; keeps the previous one, if there was one.
    fn simplify(&mut self) -> bool {
        self.kept_any |= self.before.take().is_some();
        let mut edits = edits(&self.current);
        if self.edit_idx >= edits.len() {
            if !std::mem::take(&mut self.kept_any) || edits.is_empty() {
                return false;
            }
            self.edit_idx = 0;
        }
        let edit = edits.swap_remove(self.edit_idx);
        let smaller = edit.apply(&self.current);
        self.before = Some(std::mem::replace(&mut self.current, smaller));
        true
    }

    /// Undoes the last edit and tries the next.
    fn complicate(&mut self) -> bool {
        if let Some(before) = self.before.take() {
            self.current = before;
            self.edit_idx += 1;
        }
        self.simplify()
    }
}

/// One way to shrink a term, at the place that these children lead to.
struct Edit {
    path: Vec<usize>,
    change: Change,
}

enum Change {
    /// The n-th list of the term loses this item.
    Drop { list_idx: usize, item_idx: usize },
    /// The term becomes this text.
    Least(&'static str),
    /// The term becomes the part at this path.
    Hoist(Vec<usize>),
}

/// Returns all edits, those of large terms first.
fn edits(term: &Term) -> Vec<Edit> {
    let mut found = Vec::new();
    collect(term, &mut Vec::new(), &mut found);
    found
}

fn collect(term: &Term, path: &mut Vec<usize>, found: &mut Vec<Edit>) {
    let mut add = |change| found.push(Edit { path: path.clone(), change });
    if let Sort::Value(ty) = &term.sort {
        let text = term.render().module;
        // A least term may only become one before it in the list, so that shrinking ends.
        let plainer = ty.least().iter().take_while(|least| **least != text);
        plainer.for_each(|least| add(Change::Least(least)));
    }
    if term.sort != Sort::Frame {
        let mut below = Vec::new();
        same_sort(term, &term.sort, &mut Vec::new(), &mut below);
        below.into_iter().for_each(|path| add(Change::Hoist(path)));
    }
    for (list_idx, (items, n_least)) in lists(term).enumerate() {
        if items.len() > n_least {
            (0..items.len()).for_each(|item_idx| add(Change::Drop { list_idx, item_idx }));
        }
    }
    for (at, child) in term.children().enumerate() {
        path.push(at);
        collect(child, path, found);
        path.pop();
    }
}

fn lists(term: &Term) -> impl Iterator<Item = (&Vec<Term>, usize)> {
    term.parts.iter().filter_map(|part| match part {
        TermPart::List { items, n_least, .. } => Some((items, *n_least)),
        TermPart::Text(_) | TermPart::Config(_) | TermPart::Term(_) => None,
    })
}

/// Collects paths to the nearest terms of this sort below `term`.
fn same_sort(term: &Term, sort: &Sort, path: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    for (at, child) in term.children().enumerate() {
        path.push(at);
        if child.sort == *sort {
            found.push(path.clone());
        } else {
            same_sort(child, sort, path, found);
        }
        path.pop();
    }
}

impl Edit {
    fn apply(&self, term: &Term) -> Term {
        let mut edited = term.clone();
        let target = at_mut(&mut edited, &self.path);
        match &self.change {
            Change::Least(text) => target.parts = vec![TermPart::Text((*text).to_owned())],
            Change::Hoist(path) => *target = at_mut(target, path).clone(),
            Change::Drop { list_idx, item_idx } => drop_item(target, *list_idx, *item_idx),
        }
        edited
    }
}

fn drop_item(term: &mut Term, list_idx: usize, item_idx: usize) {
    let lists = term.parts.iter_mut().filter_map(|part| match part {
        TermPart::List { items, .. } => Some(items),
        TermPart::Text(_) | TermPart::Config(_) | TermPart::Term(_) => None,
    });
    lists.into_iter().nth(list_idx).expect("the edit was made for this term").remove(item_idx);
}

fn at_mut<'t>(term: &'t mut Term, path: &[usize]) -> &'t mut Term {
    path.iter().fold(term, |term, at| term.children_mut().nth(*at).expect("the edit was made for this term"))
}

#[cfg(test)]
mod tests {
    use proptest::strategy::ValueTree;

    use super::super::term::{Sort, Term, TermPart};
    use super::super::ty::Ty;
    use super::Shrinking;

    fn shrunk(term: Term, is_bad: impl Fn(&str) -> bool) -> String {
        let mut tree = Shrinking::new(term);
        let mut smallest = tree.current().render().module;
        let mut goes_on = tree.simplify();
        while goes_on {
            let text = tree.current().render().module;
            goes_on = if is_bad(&text) {
                smallest = text;
                tree.simplify()
            } else {
                tree.complicate()
            };
        }
        smallest
    }

    fn number(parts: Vec<TermPart>) -> Term {
        Term { sort: Sort::Value(Ty::Int), parts }
    }

    fn literal(text: &str) -> Term {
        Term::text(Sort::Value(Ty::Int), text)
    }

    #[test]
    fn what_is_not_needed_goes() {
        let items = vec![literal("17"), literal("23"), literal("42")];
        let set = Term {
            sort: Sort::Value(Ty::Set(Box::new(Ty::Int))),
            parts: vec![
                TermPart::Text("{".into()),
                TermPart::List { separator: ", ", items, n_least: 0 },
                TermPart::Text("}".into()),
            ],
        };
        assert_eq!(shrunk(set, |text| text.contains("23")), "{23}");
    }

    #[test]
    fn a_part_takes_the_place_of_the_whole() {
        let inner = number(vec![
            TermPart::Term(literal("17")),
            TermPart::Text(" \\div ".into()),
            TermPart::Term(literal("5")),
        ]);
        let outer =
            number(vec![TermPart::Term(inner), TermPart::Text(" + ".into()), TermPart::Term(literal("40"))]);
        assert_eq!(shrunk(outer, |text| text.contains("\\div")), "0 \\div 0");
    }
}
