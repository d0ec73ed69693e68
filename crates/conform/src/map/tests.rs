//! The form of mappings.

use super::Mapping;

const HEAD: &str = "nodes = 'Server'\n[variables]\nterm = 'real.status'\n";

#[track_caller]
fn refuse(text: &str, message: &str, at: &str) {
    let whole = format!("{HEAD}{text}");
    let errors = Mapping::parse(&whole).unwrap_err();
    let first = &errors[0];
    assert_eq!((first.message.as_str(), &whole[first.place.clone()]), (message, at));
}

#[test]
fn what_is_written_is_kept_with_its_place() {
    let text = format!(
        "{HEAD}[[action]]\nname = 'A'\ndo = ['deliver {{j}} {{i}} is {{[a |-> {{m}}]}}', 'tick {{i}} 2']\n"
    );
    let mapping = Mapping::parse(&text).unwrap();
    let [deliver, tick] = mapping.actions[0].events.as_slice() else { panic!("two events") };
    let message = &deliver.message.as_ref().unwrap().value;
    assert_eq!((message.text.as_str(), &text[message.place.clone()]), ("[a |-> {m}]", "[a |-> {m}]"));
    assert_eq!(tick.fill(&mut |text| text.text.to_uppercase()), "tick I 2");
    assert_eq!(deliver.fill(&mut |text| text.text.clone()), "deliver j i 1");
}

#[test]
fn what_is_wrong_has_its_place() {
    refuse(
        "[[action]]\nname = 'A'\ndo = ['jump {i}']\n",
        "`jump` is no event; `help` lists them",
        "jump {i}",
    );
    refuse("[[action]]\nname = 'A'\ndo = ['tick {i']\n", "a brace is not closed", "tick {i");
    refuse(
        "[[action]]\nname = 'A'\ndo = ['tick {i} is {m}']\n",
        "`is` goes with `deliver`, `drop` and `duplicate`",
        "tick {i} is {m}",
    );
    refuse(
        "[[action]]\nname = 'A'\ndo = ['held']\n",
        "this is for a person at the prompt, and no event",
        "held",
    );
    refuse("[[action]]\nname = 'A'\nevents = []\n", "an action has no key `events`", "events");
    refuse(
        "[[action]]\nname = 'A'\ndo = 7\n",
        "`do` is to be a string or a list of strings, and is of type integer",
        "7",
    );
}

#[test]
fn a_part_comes_before_the_rest_and_only_where_it_belongs() {
    let text = format!(
        "{HEAD}[[action]]\nname = 'A'\n[[part]]\nof = 'm.fine'\nbegin = 'start all'\nhistory = 'h'\n[part.variables]\nterm = 'real.fine'\n\
         [[part.action]]\nname = 'A'\nwhen = 'x'\n"
    );
    let mapping = Mapping::parse(&text).unwrap();
    let plain = mapping.clone().with_parts(|_| false);
    assert_eq!((plain.begin.len(), plain.actions.len(), plain.history.len()), (0, 1, 0));
    let fine = mapping.with_parts(|title| title == "m.fine");
    assert_eq!((fine.begin.len(), fine.history[0].text.as_str()), (1, "h"));
    assert_eq!(fine.actions.iter().map(|action| action.when.is_some()).collect::<Vec<_>>(), [true, false]);
    let values: Vec<&str> = fine.variables.iter().map(|(_, value)| value.text.as_str()).collect();
    assert_eq!(values, ["real.fine"]);
    refuse("[[part]]\nhistory = 'h'\n", "a part needs `of`: which compositions is it for?", "[[part]]");
}
