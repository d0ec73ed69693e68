//! JSON of a program as values of TLA+.

use serde_json::Value;
use trace::Datum;

/// The meaning of names in JSON.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// A node's name or address, and the node as the specification has it.
    pub nodes: Vec<(String, Datum)>,
    /// Names of model values.
    pub model_values: Vec<String>,
}

impl Names {
    /// A node, a model value, or the text itself.
    pub fn text(&self, text: &str) -> Datum {
        if let Some(node) = self.node(text) {
            return node.clone();
        }
        match self.model_values.iter().any(|name| name == text) {
            true => Datum::model(text),
            false => Datum::string(text),
        }
    }

    fn node(&self, text: &str) -> Option<&Datum> {
        self.nodes.iter().find(|(name, _)| name == text).map(|(_, node)| node)
    }

    /// The value. An object whose names are all those of nodes is a function on nodes; what is null is not there.
    pub fn datum(&self, json: &Value) -> Datum {
        match json {
            Value::Null => Datum::string("null"),
            Value::Bool(value) => Datum::Bool(*value),
            Value::Number(number) => match number.as_i64() {
                Some(value) => Datum::int(value),
                // What is no integer of 64 bits is a text.
                None => Datum::string(number.to_string()),
            },
            Value::String(text) => self.text(text),
            Value::Array(items) => Datum::Seq(items.iter().map(|item| self.datum(item)).collect()),
            Value::Object(members) => {
                let members = members.iter().filter(|(_, value)| !value.is_null());
                let all: Vec<(&String, Datum)> =
                    members.map(|(name, value)| (name, self.datum(value))).collect();
                let nodes: Option<Vec<&Datum>> = all.iter().map(|(name, _)| self.node(name)).collect();
                match nodes {
                    Some(nodes) if !nodes.is_empty() => Datum::Function(
                        nodes.into_iter().cloned().zip(all.iter().map(|(_, value)| value.clone())).collect(),
                    ),
                    Some(_) | None => {
                        Datum::record(all.into_iter().map(|(name, value)| (name.clone(), value)))
                    }
                }
            }
        }
    }
}

/// A value as a word of an event.
pub fn word(datum: &Datum, names: &Names) -> Option<String> {
    if let Some((name, _)) = names.nodes.iter().find(|(_, node)| node == datum) {
        return Some(name.clone());
    }
    match datum {
        Datum::Str(text) | Datum::Model(text) => Some(text.clone()),
        Datum::Int(value) => Some(value.to_string()),
        Datum::Bool(value) => Some(value.to_string()),
        Datum::Seq(_) | Datum::Record(_) | Datum::Function(_) | Datum::Set(_) | Datum::Opaque(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Names, word};
    use serde_json::json;
    use trace::Datum;

    #[test]
    fn names_of_nodes_are_nodes_wherever_they_stand() {
        let n1 = Datum::model("n1");
        let names = Names {
            nodes: vec![("n1".to_owned(), n1.clone()), ("127.0.0.1:1".to_owned(), n1.clone())],
            model_values: vec!["None".to_owned()],
        };
        let json =
            json!({ "vote": "127.0.0.1:1", "next": { "127.0.0.1:1": 2 }, "to": null, "log": ["None", "x"] });
        let expected = Datum::record([
            ("vote", n1.clone()),
            ("next", Datum::function(vec![(n1.clone(), Datum::int(2))])),
            ("log", Datum::seq(vec![Datum::model("None"), Datum::string("x")])),
        ]);
        assert_eq!(names.datum(&json), expected);
        assert_eq!(word(&n1, &names).as_deref(), Some("n1"));
        assert_eq!(word(&Datum::int(7), &names).as_deref(), Some("7"));
        assert_eq!(word(&expected, &names), None);
    }
}
