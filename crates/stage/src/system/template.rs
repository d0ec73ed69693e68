//! Texts with placeholders such as `{name}`; `{{` stands for a brace.

/// A text whose placeholders are known to exist.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    parts: Vec<TemplatePart>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum TemplatePart {
    Text(String),
    Value(String),
}

/// Placeholders with one value for each node.
const SINGLE: &[&str] =
    &["name", "index", "host", "port", "address", "folder", "log", "system", "python", "packages"];
/// The addresses of all other nodes.
const OTHERS: &str = "others";

/// The values of placeholders.
pub struct Values {
    pub(super) single: Vec<(&'static str, String)>,
    pub(super) others: Vec<String>,
    /// The values of `{1}`, `{2}` and so on.
    pub arguments: Vec<String>,
}

impl Values {
    fn get(&self, name: &str) -> String {
        if name == OTHERS {
            return self.others.join(",");
        }
        if let Some(argument) = name.parse::<usize>().ok().and_then(|n| self.arguments.get(n.checked_sub(1)?))
        {
            return argument.clone();
        }
        let found = self.single.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    }
}

impl Template {
    /// Parses a text; fails on a placeholder that is neither a node's value nor one of `arguments`.
    pub fn parse(text: &str, arguments: &[&str]) -> Result<Template, String> {
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            plain.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(brace) {
                plain.push_str(brace);
                rest = after;
                continue;
            }
            let Some((name, after)) = rest.split_once('}').filter(|_| brace == "{") else {
                return Err("a brace that belongs to no placeholder: write it twice".to_owned());
            };
            if !SINGLE.contains(&name) && name != OTHERS && !arguments.contains(&name) {
                return Err(format!("`{{{name}}}` stands for nothing"));
            }
            parts.push(TemplatePart::Text(std::mem::take(&mut plain)));
            parts.push(TemplatePart::Value(name.to_owned()));
            rest = after;
        }
        plain.push_str(rest);
        parts.push(TemplatePart::Text(plain));
        parts.retain(|part| *part != TemplatePart::Text(String::new()));
        Ok(Template { parts })
    }

    /// Returns the names of the placeholders.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            TemplatePart::Text(_) => None,
            TemplatePart::Value(name) => Some(name.as_str()),
        })
    }

    /// Creates a template without placeholders.
    pub fn plain(text: &str) -> Template {
        Template { parts: vec![TemplatePart::Text(text.to_owned())] }
    }

    pub fn fill(&self, values: &Values) -> String {
        let part = |part: &TemplatePart| match part {
            TemplatePart::Text(text) => text.clone(),
            TemplatePart::Value(name) => values.get(name),
        };
        self.parts.iter().map(part).collect()
    }

    /// Fills in the placeholders. The result is one word, or one for each other node if the template consists of their
    /// placeholder alone.
    pub fn fill_words(&self, values: &Values) -> Vec<String> {
        match self.parts.as_slice() {
            [TemplatePart::Value(name)] if name == OTHERS => values.others.clone(),
            _ => vec![self.fill(values)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Template, Values};

    #[track_caller]
    fn check(text: &str, expected: Result<&str, &str>) {
        let values = Values {
            single: vec![("name", "n1".to_owned())],
            others: vec!["a".to_owned(), "b".to_owned()],
            arguments: vec!["x".to_owned()],
        };
        let filled = Template::parse(text, &["1", "2"]).map(|template| template.fill(&values));
        assert_eq!(filled.as_deref().map_err(String::as_str), expected);
    }

    #[test]
    fn placeholders_are_filled_in() {
        check("plain", Ok("plain"));
        check("<{name}> {others} {1}{2}", Ok("<n1> a,b x"));
        check("{{name}}", Ok("{name}"));
        check("{nobody}", Err("`{nobody}` stands for nothing"));
        check("{name", Err("a brace that belongs to no placeholder: write it twice"));
        check("name}", Err("a brace that belongs to no placeholder: write it twice"));
    }
}
