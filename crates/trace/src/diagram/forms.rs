//! Writes lanes and messages in the languages of drawing tools: Mermaid, PlantUML, ShiViz.

use std::fmt::Write as _;

use super::{Diagram, Message};
use crate::text::step_text;
use crate::{Step, Trace};

/// The reason why writing to a string cannot fail.
const WRITES: &str = "a string takes all";

/// Returns a sequence diagram for Mermaid.
pub fn mermaid(trace: &Trace, diagram: &Diagram) -> String {
    let mut text = String::from("sequenceDiagram\n");
    for (lane, name) in diagram.lanes.iter().enumerate() {
        writeln!(text, "    participant p{lane} as {}", mermaid_text(name)).expect(WRITES);
    }
    each_event(trace, diagram, |event| {
        let line = match event {
            Event::Step { state, lane, step } => {
                let over = over(diagram, lane);
                format!("Note over {over}: {}", mermaid_text(&title(state, step)))
            }
            Event::Taken(message, from, to) => arrow("->>", (from, to), &mermaid_text(&message.label)),
            Event::Lost(message, from, to) => arrow("-x", (from, to), &mermaid_text(&message.label)),
            Event::Open(message, from, to) => arrow("--)", (from, to), &mermaid_text(&message.label)),
        };
        writeln!(text, "    {line}").expect(WRITES);
    });
    text
}

/// Returns a sequence diagram for PlantUML.
pub fn plantuml(trace: &Trace, diagram: &Diagram) -> String {
    let mut text = String::from("@startuml\n");
    for (lane, name) in diagram.lanes.iter().enumerate() {
        writeln!(text, "participant \"{}\" as p{lane}", one_line(&name.replace('"', "'"))).expect(WRITES);
    }
    each_event(trace, diagram, |event| {
        let line = match event {
            Event::Step { state, lane, step } => {
                let over = over(diagram, lane).replace(',', ", ");
                format!("note over {over} : {}", one_line(&title(state, step)))
            }
            Event::Taken(message, from, to) => arrow(" -> ", (from, to), &one_line(&message.label)),
            Event::Lost(message, from, to) => arrow(" ->x ", (from, to), &one_line(&message.label)),
            Event::Open(message, from, to) => arrow(" -->> ", (from, to), &one_line(&message.label)),
        };
        writeln!(text, "{line}").expect(WRITES);
    });
    text.push_str("@enduml\n");
    text
}

/// Returns a log with vector clocks for ShiViz: two lines for each event, in its default form.
pub fn shiviz(trace: &Trace, diagram: &Diagram) -> String {
    // Steps of no particular process have a lane of their own.
    let n_lanes = diagram.lanes.len() + 1;
    let mut clocks = vec![vec![0_u64; n_lanes]; n_lanes];
    let mut at_state: Vec<Vec<u64>> = Vec::new();
    let host = |lane: usize| diagram.lanes.get(lane).map_or("(all)", String::as_str);
    let mut text = String::new();
    for (index, state) in trace.states.iter().enumerate() {
        let lane = diagram.lane_of_state.get(index).copied().flatten().unwrap_or(n_lanes - 1);
        let taken = diagram.messages.iter().filter(|message| message.taken.contains(&index));
        let known: Vec<&Vec<u64>> = taken.filter_map(|message| at_state.get(message.sent)).collect();
        let clock = &mut clocks[lane];
        for other in known {
            clock.iter_mut().zip(other).for_each(|(mine, &other)| *mine = (*mine).max(other));
        }
        clock[lane] += 1;
        at_state.push(clock.clone());
        let known = (0..n_lanes).filter(|&of| clock[of] > 0);
        let entries: Vec<String> = known.map(|of| format!("{}:{}", quote(host(of)), clock[of])).collect();
        writeln!(text, "{}", one_line(&title(index, state.step.as_ref()))).expect(WRITES);
        let name: String = host(lane).chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
        writeln!(text, "{name} {{{}}}", entries.join(", ")).expect(WRITES);
    }
    text
}

/// The elements to draw, in the order of time.
enum Event<'d> {
    Step {
        state: usize,
        lane: Option<usize>,
        step: Option<&'d Step>,
    },
    Taken(&'d Message, usize, usize),
    Lost(&'d Message, usize, usize),
    /// A message that is still in the network at the end.
    Open(&'d Message, usize, usize),
}

/// Calls `each` for every element. An arrow is drawn where a message arrives; one that never arrives is drawn where it
/// was sent.
fn each_event(trace: &Trace, diagram: &Diagram, mut each: impl FnMut(Event<'_>)) {
    for (index, state) in trace.states.iter().enumerate() {
        let ends = |message: &&Message| message.taken.contains(&index) || message.lost == Some(index);
        for message in diagram.messages.iter().filter(ends) {
            let Some((from, to)) = message.from.zip(message.to) else { continue };
            match message.lost == Some(index) {
                true => each(Event::Lost(message, from, to)),
                false => each(Event::Taken(message, from, to)),
            }
        }
        let lane = diagram.lane_of_state.get(index).copied().flatten();
        each(Event::Step { state: index, lane, step: state.step.as_ref() });
        let is_open =
            |message: &&Message| message.sent == index && message.taken.is_empty() && message.lost.is_none();
        for message in diagram.messages.iter().filter(is_open) {
            if let Some((from, to)) = message.from.zip(message.to) {
                each(Event::Open(message, from, to));
            }
        }
    }
}

fn arrow(arrow: &str, (from, to): (usize, usize), label: &str) -> String {
    format!("p{from}{arrow}p{to}: {label}")
}

/// Returns the lanes of a note: a step of no particular process is over all lanes.
fn over(diagram: &Diagram, lane: Option<usize>) -> String {
    match lane {
        Some(lane) => format!("p{lane}"),
        None if diagram.lanes.len() < 2 => "p0".to_owned(),
        None => format!("p0,p{}", diagram.lanes.len() - 1),
    }
}

/// Returns `3: Send(n = n1)`.
fn title(state: usize, step: Option<&Step>) -> String {
    let what = step.map_or_else(|| "initial state".to_owned(), step_text);
    format!("{}: {what}", state + 1)
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Escapes a text: Mermaid ends a statement at a semicolon, and reads a number sign as the start of a character's code.
fn mermaid_text(text: &str) -> String {
    one_line(text).split('#').map(|part| part.replace(';', "#59;")).collect::<Vec<_>>().join("#35;")
}

fn quote(text: &str) -> String {
    serde_json::to_string(text).expect("a string always has a JSON form")
}
