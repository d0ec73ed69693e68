//! Guesses about processes, messages and their lives, from the shapes of values.

use trace::diagram::{Diagram, Span, Wishes, hint};
use trace::{Binding, Datum, State, Step, Trace};

/// Creates a behaviour of these variables: for each state the action with its parameters, and the values.
fn behaviour(variables: &[&str], states: &[(&str, &[Datum], Vec<Datum>)]) -> Trace {
    let mut trace = Trace::new(variables.iter().map(|name| (*name).to_owned()).collect());
    for (action, parameters, values) in states {
        let names = ["p", "q", "r"].iter();
        let parameters =
            names.zip(*parameters).map(|(name, value)| Binding::new(*name, value.clone())).collect();
        let step = Step { name: (*action).to_owned(), place: None, parameters };
        trace.states.push(State { step: Some(step), values: values.iter().cloned().map(Some).collect() });
    }
    trace
}

fn draw(trace: &Trace) -> Option<Diagram> {
    Diagram::new(trace, &Wishes::default())
}

fn lanes(trace: &Trace) -> Vec<String> {
    draw(trace).map_or_else(Vec::new, |diagram| diagram.lanes)
}

fn int(value: i64) -> Datum {
    Datum::int(value)
}

fn model(name: &str) -> Datum {
    Datum::model(name)
}

fn by_model(values: [Datum; 2]) -> Datum {
    let [first, second] = values;
    Datum::function(vec![(model("a"), first), (model("b"), second)])
}

fn message(fields: &[(&str, Datum)]) -> Datum {
    Datum::record(fields.iter().cloned())
}

#[test]
fn one_function_of_model_values_is_enough_and_of_other_names_steps_must_name_them() {
    let of_models = [("Init", &[][..], vec![by_model([int(0), int(0)])])];
    assert_eq!(lanes(&behaviour(&["x"], &of_models)), ["a", "b"]);
    let record = || Datum::record([("a", int(0)), ("b", int(0))]);
    let unnamed = [("Init", &[][..], vec![record()]), ("Go", &[][..], vec![record()])];
    assert_eq!(lanes(&behaviour(&["x"], &unnamed)), Vec::<String>::new());
    let named = [("Init", &[][..], vec![record()]), ("Go", &[Datum::string("b")][..], vec![record()])];
    assert_eq!(lanes(&behaviour(&["x"], &named)), ["a", "b"]);
}

#[test]
fn a_function_whose_arguments_change_has_none_for_each_process() {
    let grown = Datum::function(vec![(model("a"), int(0)), (model("b"), int(0)), (model("c"), int(1))]);
    let states = [("Init", &[][..], vec![by_model([int(0), int(0)])]), ("Go", &[][..], vec![grown])];
    assert_eq!(lanes(&behaviour(&["x"], &states)), Vec::<String>::new());
}

#[test]
fn messages_are_found_by_their_fields_whatever_the_variable_is_called() {
    let sent = message(&[("msource", model("a")), ("mdest", model("b")), ("mtype", Datum::string("ask"))]);
    for full in [
        Datum::set(vec![sent.clone()]),
        Datum::seq(vec![sent.clone()]),
        Datum::function(vec![(sent.clone(), int(1))]),
    ] {
        let is_set = matches!(full, Datum::Set(_));
        let empty = if is_set { Datum::set(vec![]) } else { Datum::seq(vec![]) };
        let values = |wire: &Datum| vec![by_model([int(0), int(0)]), wire.clone()];
        let states = [
            ("Init", &[][..], values(&empty)),
            ("Send", &[model("a")][..], values(&full)),
            ("Take", &[model("b")][..], values(&empty)),
        ];
        let diagram = draw(&behaviour(&["x", "parcels"], &states)).expect("there are lanes");
        let found = diagram.messages.first().expect("there is a message");
        assert_eq!((found.label.as_str(), found.from, found.to), ("ask", Some(0), Some(1)), "{full}");
        assert_eq!((found.sent, found.taken.as_slice()), (1, &[2][..]), "{full}");
    }
}

#[test]
fn of_two_variables_with_messages_the_one_that_only_remembers_is_none() {
    let sent = message(&[("from", model("a")), ("to", model("b"))]);
    let set = |items: &[&Datum]| Datum::Set(items.iter().map(|&item| item.clone()).collect());
    let values = |seen: Datum, wire: Datum| vec![by_model([int(0), int(0)]), seen, wire];
    let states = [
        ("Init", &[][..], values(set(&[]), set(&[]))),
        ("Send", &[model("a")][..], values(set(&[&sent]), set(&[&sent]))),
        ("Take", &[model("b")][..], values(set(&[&sent]), set(&[]))),
    ];
    let diagram = draw(&behaviour(&["x", "everything", "parcels"], &states)).expect("there are lanes");
    assert_eq!(diagram.messages.len(), 1);
    assert_eq!(diagram.messages[0].taken, [2]);
}

#[test]
fn whoever_sends_and_receives_has_a_lane_without_a_function_and_beside_one() {
    let sent = |from: &str| message(&[("src", Datum::string(from)), ("dst", Datum::string("server"))]);
    let states = [
        ("Init", &[][..], vec![Datum::set(vec![])]),
        ("Send", &[][..], vec![Datum::set(vec![sent("client")])]),
    ];
    assert_eq!(lanes(&behaviour(&["parcels"], &states)), ["client", "server"]);
    let outside = message(&[("src", model("z")), ("dst", model("a"))]);
    let states = [("Init", &[][..], vec![by_model([int(0), int(0)]), Datum::set(vec![outside])])];
    assert_eq!(lanes(&behaviour(&["x", "parcels"], &states)), ["a", "b", "z"]);
}

#[test]
fn boxes_of_processes_that_are_numbers_hold_messages() {
    let queues = |item: Option<Datum>| {
        let full = Datum::Seq(item.into_iter().collect());
        Datum::seq(vec![
            Datum::seq(vec![Datum::seq(vec![]), full]),
            Datum::seq(vec![Datum::seq(vec![]), Datum::seq(vec![])]),
        ])
    };
    let clock = || Datum::seq(vec![int(1), int(1)]);
    let sent = message(&[("type", Datum::string("req"))]);
    let states = [
        ("Init", &[][..], vec![clock(), queues(None)]),
        ("Send", &[int(1)][..], vec![clock(), queues(Some(sent))]),
    ];
    let diagram = draw(&behaviour(&["clock", "network"], &states)).expect("there are lanes");
    let found = diagram.messages.first().expect("there is a message");
    assert_eq!((found.label.as_str(), found.from, found.to), ("req", Some(0), Some(1)));
}

#[test]
fn who_takes_a_message_does_the_step_though_the_sender_is_named_first() {
    let sent = message(&[("src", model("a")), ("dst", model("b"))]);
    let values = |items: &[&Datum]| {
        vec![by_model([int(0), int(0)]), Datum::Set(items.iter().map(|&item| item.clone()).collect())]
    };
    let both = [model("a"), model("b")];
    let lane = |action: &'static str| {
        let states = [
            ("Init", &[][..], values(&[])),
            ("Send", &both[..], values(&[&sent])),
            (action, &both[..], values(&[])),
        ];
        let diagram = draw(&behaviour(&["x", "parcels"], &states)).expect("there are lanes");
        (diagram.lane_of_state[2], diagram.messages[0].lost)
    };
    assert_eq!(lane("Receive"), (Some(1), None));
    for loss in ["DropMessage", "CutLink", "NodeCrash"] {
        assert_eq!(lane(loss), (Some(0), Some(2)), "{loss}");
    }
}

fn span(lane: usize, from: usize, to: Option<usize>) -> Span {
    Span { lane: Some(lane), from, to, text: String::new() }
}

#[test]
fn who_is_down_is_told_by_a_variable_or_by_the_names_of_steps() {
    let yes_no = |a: bool, b: bool| by_model([Datum::Bool(a), Datum::Bool(b)]);
    let by_up = [
        ("Init", &[][..], vec![yes_no(true, true)]),
        ("Go", &[model("b")][..], vec![yes_no(true, false)]),
        ("Go", &[model("b")][..], vec![yes_no(true, true)]),
    ];
    let down = |trace: &Trace| draw(trace).expect("there are lanes").life.down;
    assert_eq!(down(&behaviour(&["up"], &by_up)), [span(1, 1, Some(2))]);
    // Under another name the same values mean nothing.
    assert_eq!(down(&behaviour(&["active"], &by_up)), []);
    let still = || vec![by_model([int(0), int(0)])];
    let by_name = |after: &'static str| {
        let states = [
            ("Init", &[][..], still()),
            ("NodeCrash", &[model("a")][..], still()),
            (after, &[model("a")][..], still()),
        ];
        down(&behaviour(&["x"], &states))
    };
    assert_eq!(by_name("Restart"), [span(0, 1, Some(2))]);
    assert_eq!(by_name("Receive"), [span(0, 1, Some(1))], "it went on at once");
}

#[test]
fn roles_are_few_names_that_change_and_no_processes() {
    let states = [
        (
            "Init",
            &[][..],
            vec![by_model([model("None"), model("None")]), by_model([model("idle"), model("idle")])],
        ),
        (
            "Vote",
            &[model("a")][..],
            vec![by_model([model("b"), model("None")]), by_model([model("busy"), model("idle")])],
        ),
    ];
    let life = draw(&behaviour(&["votedFor", "what"], &states)).expect("there are lanes").life;
    let role = life.role.expect("there is a role");
    assert_eq!(role.name, "what");
    let busy = vec![(0, "idle".to_owned()), (1, "busy".to_owned())];
    assert_eq!(role.values, [busy, vec![(0, "idle".to_owned())]]);
    assert_eq!(life.term, None);
}

#[test]
fn groups_that_are_connected_tell_which_links_are_cut() {
    let group = |names: &[&str]| Datum::Set(names.iter().map(|name| model(name)).collect());
    let values = |groups: Vec<Datum>| {
        vec![by_model([int(0), int(0)]), Datum::record([("conn", Datum::seq(groups)), ("n", int(0))])]
    };
    let states = [
        ("Init", &[][..], values(vec![group(&["a", "b"])])),
        ("Go", &[][..], values(vec![group(&["a"]), group(&["b"])])),
        ("Go", &[][..], values(vec![group(&["a", "b"])])),
    ];
    let cuts = draw(&behaviour(&["x", "netman"], &states)).expect("there are lanes").life.cuts;
    assert_eq!(cuts, [Span { lane: None, from: 1, to: Some(2), text: "a–b".to_owned() }]);
}

#[test]
fn a_hint_says_what_to_write_with_names_that_the_trace_has() {
    let states = [
        ("Init", &[][..], vec![int(0)]),
        ("Go", &[model("x1")][..], vec![int(1)]),
        ("Go", &[model("x2")][..], vec![int(2)]),
    ];
    let trace = behaviour(&["n"], &states);
    let told = hint(&trace, draw(&trace).as_ref()).expect("there is a hint");
    assert!(told.lines.starts_with("[trace]\nprocesses = [\"x1\", \"x2\"]"), "{}", told.lines);
    let states = [("Init", &[][..], vec![by_model([int(0), int(0)]), Datum::set(vec![int(1)])])];
    let trace = behaviour(&["x", "post"], &states);
    let told = hint(&trace, draw(&trace).as_ref()).expect("there is a hint");
    assert!(told.lines.starts_with("[trace]\nmessages = [\"post\"]"), "{}", told.lines);
}
