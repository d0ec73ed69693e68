//! Converts TLC's messages to what is expected of us: verdict, counts, trace.
//!
//! The numbers are TLC's message codes (`tlc2.output.EC`).

use anyhow::{Result, bail};

use super::expect::{Error, Outcome, State, Verdict};
use super::messages::{Message, Printed, Severity};
use super::tlc::Run;

const SANY_FINISHED: u32 = 2219;
const INIT_FINISHED: &[u32] = &[2190, 2191];
const STATE: u32 = 2217;
const STUTTERING: u32 = 2218;
const BACK_TO: u32 = 2122;
/// Headlines above a trace.
const BEHAVIOUR: &[u32] = &[2121, 2264];
const COUNTS: u32 = 2199;
const DEPTH: u32 = 2194;
const INVARIANT_INITIAL: u32 = 2107;
const PROPERTY_INITIAL: u32 = 2108;
/// The code of advice about the garbage collector, which says nothing about the specification.
const COLLECTOR: u32 = 2401;

pub fn read(run: &Run) -> Result<Outcome> {
    let messages: Vec<&Message> = run.messages.iter().filter_map(message).collect();
    let errors: Vec<&Message> = messages.iter().filter(|message| is_error(message)).copied().collect();
    let has = |codes: &[u32]| messages.iter().any(|message| codes.contains(&message.code));
    let seen = TlcProgress { modules: has(&[SANY_FINISHED]), initial_states: has(INIT_FINISHED) };
    let verdict = verdict(run.exit, &errors, &seen)?;
    // Under `-continue` TLC shows traces, but still ends with success.
    let trace = if verdict == Verdict::Ok { Vec::new() } else { trace(&messages) };
    let counts = messages.iter().find(|message| message.code == COUNTS);
    let count = |at| counts.and_then(|message| numbers(&message.text).nth(at));
    let search_depth = messages.iter().find(|message| message.code == DEPTH);
    let search_depth = search_depth.and_then(|message| numbers(&message.text).next());
    Ok(Outcome {
        exit: run.exit,
        verdict,
        property: errors.iter().filter(|_| verdict != Verdict::Ok).find_map(|message| property(message)),
        generated: count(0),
        distinct: count(1),
        depth: if trace.is_empty() { search_depth } else { Some(trace.len() as u64) },
        warnings: warnings(&messages),
        output: output(&run.messages),
        back_to: messages
            .iter()
            .find(|message| message.code == BACK_TO)
            .and_then(|message| numbers(&message.text).next()),
        stuttering: has(&[STUTTERING]),
        errors: errors.iter().map(|message| error(message)).collect(),
        trace,
    })
}

fn message(printed: &Printed) -> Option<&Message> {
    match printed {
        Printed::Message(message) => Some(message),
        Printed::Line(_) => None,
    }
}

fn is_error(message: &Message) -> bool {
    matches!(message.severity, Severity::Error | Severity::Bug) && !BEHAVIOUR.contains(&message.code)
}

/// The progress of TLC.
struct TlcProgress {
    /// Whether the modules are read; the configuration is read before them.
    modules: bool,
    /// Whether all initial states are made.
    initial_states: bool,
}

/// Determines the verdict. The exit code says most of it; the errors distinguish verdicts that share one.
fn verdict(exit: i32, errors: &[&Message], seen: &TlcProgress) -> Result<Verdict> {
    let has = |codes: &[u32]| errors.iter().any(|message| codes.contains(&message.code));
    Ok(match exit {
        0 => Verdict::Ok,
        10 if has(&[2104, 2105]) => Verdict::Assumption,
        10 => Verdict::Postcondition,
        11 => Verdict::Deadlock,
        12 => Verdict::Invariant,
        13 if has(&[PROPERTY_INITIAL]) => Verdict::InitProperty,
        13 if has(&[2116]) => Verdict::Temporal,
        13 => Verdict::ActionProperty,
        14 => Verdict::Assert,
        150 => Verdict::Parse,
        151 => Verdict::Config,
        77 | 255 if !seen.modules || errors.iter().any(|message| is_about_config(message)) => Verdict::Config,
        1 | 75..=77 | 255 if seen.initial_states => Verdict::Error,
        1 | 75..=77 | 255 => Verdict::InitError,
        other => bail!("exit code {other} is not known: {:?}", errors.first()),
    })
}

/// Whether a message is about the configuration, among those that TLC ends with the code for everything else.
fn is_about_config(message: &Message) -> bool {
    matches!(message.code, 5001..=5006 | 2213 | 2214 | 2222..=2245 | 2253 | 2272..=2274 | 2280 | 2281 | 2301)
}

/// Returns the name in `Invariant Small is violated.` or `Property Init is violated by the initial state:`.
fn property(message: &Message) -> Option<String> {
    let first = message.text.lines().next()?;
    let start = ["Invariant ", "Action property ", "Property ", "Temporal property ", "Postcondition "]
        .iter()
        .find_map(|start| first.strip_prefix(start))?;
    let (name, _) =
        [" is violated", " was violated", " at line "].iter().find_map(|end| start.split_once(end))?;
    // A property without a name is called by its place.
    (!name.starts_with("line ")).then(|| name.to_owned())
}

fn warnings(messages: &[&Message]) -> Vec<u32> {
    let mut codes = Vec::new();
    for message in messages {
        if message.severity == Severity::Warning
            && message.code != COLLECTOR
            && !codes.contains(&message.code)
        {
            codes.push(message.code);
        }
    }
    codes
}

/// Returns what was printed outside frames after the modules were read.
fn output(printed: &[Printed]) -> Vec<String> {
    let finished = |printed: &Printed| message(printed).is_some_and(|message| message.code == SANY_FINISHED);
    let Some(at) = printed.iter().position(finished) else { return Vec::new() };
    let line = |printed: &Printed| match printed {
        Printed::Line(line) => Some(line.clone()),
        Printed::Message(_) => None,
    };
    printed[at..].iter().filter_map(line).collect()
}

/// The most lines that are kept of an error's text.
const ERROR_LINES_MAX: usize = 5;

/// Converts an error. TLC wraps some errors in a report about an exception; the cause is what matters.
fn error(message: &Message) -> Error {
    let text = &message.text;
    let cause = text.find("The exception was a ").and_then(|at| text[at..].split_once("\n: "));
    let cause = cause.map_or(text.as_str(), |(_, cause)| cause);
    let lines = cause.lines().map(str::trim_end).filter(|line| !line.is_empty());
    Error {
        code: message.code,
        cause: message.cause,
        text: lines.take(ERROR_LINES_MAX).collect::<Vec<_>>().join("\n"),
    }
}

/// Returns the states that were shown, or the one in the message if an initial state violates a property.
fn trace(messages: &[&Message]) -> Vec<State> {
    let shown: Vec<State> =
        messages.iter().filter(|message| message.code == STATE).filter_map(|m| state(&m.text)).collect();
    if !shown.is_empty() {
        return shown;
    }
    let initial =
        messages.iter().find(|message| [INVARIANT_INITIAL, PROPERTY_INITIAL].contains(&message.code));
    let state = initial.and_then(|message| message.text.split_once('\n'));
    let state = state.map(|(_, state)| State {
        action: "Initial predicate".to_owned(),
        state: state.trim_end().to_owned(),
    });
    state.into_iter().collect()
}

/// Parses `2: <Step(1) line 6, col 9 to line 6, col 18 of module A>` and the state in the lines below.
fn state(text: &str) -> Option<State> {
    let (head, state) = text.split_once('\n')?;
    let label = head.split_once(": <")?.1.strip_suffix('>')?;
    let action = label.split_once(" line ").map_or(label, |(name, _)| name);
    Some(State { action: action.to_owned(), state: state.trim_end().to_owned() })
}

/// Returns the whole numbers in a text, without their separators.
fn numbers(text: &str) -> impl Iterator<Item = u64> {
    text.split(|c: char| !c.is_ascii_digit() && c != ',')
        .filter_map(|word| word.replace(',', "").parse().ok())
}

#[cfg(test)]
mod tests {
    use super::super::expect::{State, Verdict};
    use super::super::messages;
    use super::super::tlc::Run;
    use super::read;

    fn frame(code: u32, severity: u32, text: &str) -> String {
        format!("@!@!@STARTMSG {code}:{severity} @!@!@\n{text}\n@!@!@ENDMSG {code} @!@!@\n")
    }

    fn run(exit: i32, parts: &[String]) -> Run {
        Run { exit, messages: messages::parse(&parts.concat()) }
    }

    #[test]
    fn a_violation_has_a_name_counts_and_a_trace() {
        let run = run(
            12,
            &[
                "Parsing file A.tla\n".to_owned(),
                frame(2219, 0, "SANY finished."),
                "<<\"hi\", 1>>\n".to_owned(),
                frame(2190, 0, "Finished computing initial states: 1 distinct state generated at noon."),
                frame(2144, 3, "EXCEPT was applied to nothing"),
                frame(2110, 1, "Invariant Small is violated."),
                frame(2121, 1, "The behavior up to this point is:"),
                frame(2217, 4, "1: <Initial predicate>\n/\\ x = 0\n/\\ y = 1\n"),
                frame(
                    2217,
                    4,
                    "2: <Step(1,\"a\") line 6, col 9 to line 6, col 18 of module A>\n/\\ x = 1\n/\\ y = 1\n",
                ),
                frame(2199, 0, "1,204 states generated, 3 distinct states found, 0 states left on queue."),
                frame(2194, 0, "The depth of the complete state graph search is 4."),
            ],
        );
        let outcome = read(&run).unwrap();
        assert_eq!(outcome.verdict, Verdict::Invariant);
        assert_eq!(outcome.property.as_deref(), Some("Small"));
        assert_eq!((outcome.generated, outcome.distinct, outcome.depth), (Some(1204), Some(3), Some(2)));
        assert_eq!(outcome.output, ["<<\"hi\", 1>>"]);
        assert_eq!(outcome.warnings, [2144]);
        let last = State { action: "Step(1,\"a\")".to_owned(), state: "/\\ x = 1\n/\\ y = 1".to_owned() };
        assert_eq!(outcome.trace.last(), Some(&last));
    }

    #[test]
    fn a_violating_initial_state_is_a_trace_of_one() {
        let text = "Property Start is violated by the initial state:\nx = 0\n";
        let outcome = read(&run(13, &[frame(2108, 1, text)])).unwrap();
        assert_eq!(outcome.verdict, Verdict::InitProperty);
        assert_eq!(outcome.property.as_deref(), Some("Start"));
        assert_eq!(outcome.depth, Some(1));
        assert_eq!(outcome.trace[0].state, "x = 0");
    }

    #[test]
    fn the_cause_is_found_behind_the_report_of_an_exception() {
        let text = "TLC threw an unexpected exception.\nThe exception was a java.lang.RuntimeException\n: Attempted to do it.\nmore";
        let outcome = read(&run(255, &[frame(2219, 0, "SANY finished."), frame(1000, 1, text)])).unwrap();
        assert_eq!(outcome.verdict, Verdict::InitError);
        assert_eq!(outcome.errors[0].text, "Attempted to do it.\nmore");
    }

    #[test]
    fn an_unknown_exit_code_is_not_guessed_at() {
        assert!(read(&run(42, &[])).is_err());
    }
}
