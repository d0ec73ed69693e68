//! A long trace: all forms in a time that a person does not notice.

use std::time::Duration;

use base::{Clock, SystemClock};
use trace::{Binding, Datum, Place, Point, State, Step, Style, Trace, itf, json, story, tlc};

const N_STEPS: usize = 1000;

fn long() -> Trace {
    let nodes: Vec<String> = (1..=5).map(|node| format!("n{node}")).collect();
    let variables = ["log", "msgs", "term", "mode"].map(str::to_owned).to_vec();
    let place = Place {
        file: "Raft.tla".to_owned(),
        module: "Raft".to_owned(),
        start: Point { line: 10, column: 3 },
        end: Point { line: 20, column: 9 },
    };
    let over = |value: &dyn Fn(usize) -> Datum| {
        Datum::Function(nodes.iter().enumerate().map(|(at, node)| (Datum::model(node), value(at))).collect())
    };
    let state = |index: usize| {
        let entry = |at: usize| Datum::record([("term", Datum::int(at)), ("value", Datum::string("v"))]);
        let log = over(&|node| Datum::Seq((0..index / 50 + node).map(entry).collect()));
        let message = |id: usize| {
            Datum::record([("id", Datum::int(id)), ("to", Datum::model("n1")), ("entry", entry(id))])
        };
        let msgs = Datum::Set((index..index + 20).map(message).collect());
        let term = over(&|node| Datum::int(index / 10 + node));
        let mode = over(&|node| Datum::string(if node == index % 5 { "leader" } else { "follower" }));
        let parameters = vec![Binding::new("i", Datum::model("n1")), Binding::new("m", message(index))];
        let step = Step { name: "Receive".to_owned(), place: Some(place.clone()), parameters };
        State { step: Some(step), values: vec![Some(log), Some(msgs), Some(term), Some(mode)] }
    };
    Trace { states: (0..=N_STEPS).map(state).collect(), ..Trace::new(variables) }
}

#[test]
fn a_thousand_steps_take_no_time() {
    let trace = long();
    let clock = SystemClock::start();
    let text = itf::write(&trace);
    let read = itf::read(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read, trace);
    let told = story(&read, Style::default());
    assert!(told.contains("State 1001: Receive(i = n1"));
    assert!(tlc(&read).contains("State 1001: <Receive(n1,"));
    assert!(json(&read, false).len() < text.len());
    // The limit is far above the usual time and far below what a person would notice, for a machine that is busy.
    let taken = clock.elapsed();
    assert!(taken < Duration::from_secs(60), "{taken:?}");
}
