//! Tests of the mappings that the reader accepts and refuses, and of the places of its errors.

use super::{ActionForm, Map, Order};

const SMALL: &str = r#"
[log]
kind = "what"
ignore = ["tick"]

[order]
by = "fields"
fields = ["clock", "meta.node"]

[after]
"x[event.node]" = 'event.x'

[[event]]
kind = "add"
action = [["Lock", "Add"], "stutter"]
bind = { i = "event.node" }
"#;

/// Returns each message with the text that it points at.
fn list_errors(text: &str) -> Vec<(String, String)> {
    let errors = Map::parse(text).expect_err("it is no mapping");
    errors.into_iter().map(|error| (error.message, text[error.place].to_owned())).collect()
}

#[test]
fn a_mapping_is_read_with_the_places_of_its_texts() {
    let map = Map::parse(SMALL).expect("it is a mapping");
    assert!(matches!(&map.order, Order::Fields(fields) if fields[1] == ["meta", "node"]));
    let condition = &map.conditions.after[0];
    assert_eq!(&SMALL[condition.left.place.clone()], "x[event.node]");
    let right = condition.right.as_ref().expect("a table has both sides");
    assert_eq!(&SMALL[right.place.clone()], "event.x");
    let rule = &map.events[0];
    let [ActionForm::Steps(steps), ActionForm::Stutter] = rule.actions.as_slice() else {
        panic!("two alternatives: {:?}", rule.actions)
    };
    assert_eq!(steps.iter().map(|step| step.text.as_str()).collect::<Vec<_>>(), ["Lock", "Add"]);
}

#[test]
fn a_key_that_nobody_knows_is_refused_where_it_stands() {
    let text = SMALL.replace("kind = \"add\"", "kid = \"add\"");
    assert_eq!(
        list_errors(&text),
        [
            ("an event needs `kind`, or `when`: which events it is about".to_owned(), "[[event]]".to_owned()),
            ("`[[event]]` has no key `kid`".to_owned(), "kid".to_owned()),
        ]
    );
}

#[test]
fn a_value_of_the_wrong_type_is_refused_where_it_stands() {
    let text = SMALL.replace("\"what\"", "7");
    let errors = list_errors(&text);
    assert_eq!(errors[0], ("`kind` is to be a string, and is of type integer".to_owned(), "7".to_owned()));
}

#[test]
fn a_mapping_without_events_is_none() {
    assert_eq!(list_errors("").len(), 1);
    assert!(list_errors("[log]\nkind = \"a\"\n")[0].0.contains("at least one kind of event"));
}

#[test]
fn an_escape_that_toml_does_not_know_is_explained() {
    let errors =
        Map::parse("[[event]]\nkind = \"a\"\naction = \"\\E x \\in S : A(x)\"\n").expect_err("no TOML");
    assert!(errors[0].help.as_ref().is_some_and(|help| help.contains("single quotes")), "{errors:?}");
}

#[test]
fn a_kind_in_events_has_an_action_several_or_a_rule() {
    let text = SMALL.replace("[[event]]\nkind = \"add\"", "[events]\nlose = \"Lose\"\ntake = [{ action = \"Take\", when = \"event.x = 1\" }, { action = \"Drop\", bind = [\"x\"] }]\n[events.add]");
    let map = Map::parse(&text).expect("it is a mapping");
    let kinds: Vec<&str> = map.events.iter().map(|rule| rule.kinds[0].text.as_str()).collect();
    assert_eq!(kinds, ["lose", "take", "take", "add"]);
    let (name, value) = &map.events[2].bind[0];
    assert_eq!((name.text.as_str(), value.text.as_str()), ("x", "event.x"));
    assert_eq!(map.events[3].actions.len(), 2);
    let text = text.replace("when = ", "kind = \"a\", when = ");
    assert_eq!(list_errors(&text)[0].0, "a rule of `[events]` has no key `kind`");
    let text = SMALL.replace("[[event]]", "[events]\nlose = 7\n[[event]]");
    assert_eq!(list_errors(&text)[0].1, "7");
}
