//! Paths: how what can be seen at a point is written, as `this.self.state` or `arg1.getType()`.

/// A way from something that is seen at a place to a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    pub(super) root: Root,
    pub(super) steps: Vec<Step>,
    text: String,
}

/// The first word of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Root {
    This,
    /// An argument, from 0.
    Argument(usize),
    /// A local variable, or a static field where only a class is looked at.
    Name(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Field(String),
    /// A method without arguments.
    Method(String),
    Element(u32),
}

/// The reason why a text is no path.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no path such as `this.state`, `arg1.name()` or `arg2[0]`")]
pub struct PathError(String);

impl Path {
    pub fn parse(text: &str) -> Result<Path, PathError> {
        let wrong = || PathError(text.to_owned());
        let mut steps = Vec::new();
        for (index, word) in text.split('.').enumerate() {
            let (name, elements) = word.split_at(word.find('[').unwrap_or(word.len()));
            let (name, is_method) = match name.strip_suffix("()") {
                Some(name) => (name, true),
                None => (name, false),
            };
            let is_letter = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
            if name.is_empty() || !name.chars().all(is_letter) || is_method && index == 0 {
                return Err(wrong());
            }
            let name = name.to_owned();
            steps.push(if is_method { Step::Method(name) } else { Step::Field(name) });
            let mut rest = elements;
            while let Some((number, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
                steps.push(Step::Element(number.parse().map_err(|_| wrong())?));
                rest = after;
            }
            if !rest.is_empty() {
                return Err(wrong());
            }
        }
        let Step::Field(first) = steps.remove(0) else { return Err(wrong()) };
        let argument = first.strip_prefix("arg").and_then(|number| number.parse::<usize>().ok());
        let root = match argument.and_then(|number| number.checked_sub(1)) {
            Some(index) => Root::Argument(index),
            None if first == "this" => Root::This,
            None => Root::Name(first),
        };
        Ok(Path { root, steps, text: text.to_owned() })
    }

    /// Returns the path as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::{Path, Root, Step};

    #[test]
    fn paths_are_read() {
        let path = Path::parse("this.self.votes[2][0].toString()").unwrap();
        assert_eq!(path.root, Root::This);
        let field = |name: &str| Step::Field(name.to_owned());
        let expected = [
            field("self"),
            field("votes"),
            Step::Element(2),
            Step::Element(0),
            Step::Method("toString".to_owned()),
        ];
        assert_eq!(path.steps, expected);
        assert_eq!(Path::parse("arg2").unwrap().root, Root::Argument(1));
        assert_eq!(Path::parse("arg0").unwrap().root, Root::Name("arg0".to_owned()));
        assert_eq!(Path::parse("qp.type").unwrap().root, Root::Name("qp".to_owned()));
        for wrong in ["", ".", "this.", "this..x", "f()", "this.f(1)", "this[", "this[x]", "this[1]x", "a b"]
        {
            assert!(Path::parse(wrong).is_err(), "{wrong}");
        }
    }
}
