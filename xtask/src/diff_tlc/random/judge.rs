//! A specification through both tools, and what must be the same.
//!
//! Counts are compared when nothing was found, since a run that stops early stops at another moment; the property
//! and the length of the trace when something was. Our other ways to search must agree with the first.

use anyhow::Result;

use super::accepted;
use super::term::Text;
use super::tools::{Heat, Place, Tools};
use crate::diff_tlc::class::Class;
use crate::diff_tlc::expect::{Outcome, Verdict};
use crate::diff_tlc::messages::Printed;
use crate::diff_tlc::outcome;
use crate::diff_tlc::specline::Answer;
use crate::diff_tlc::warm::Ending;

/// What one run said, as far as it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    pub class: Class,
    /// Generated, distinct, depth: of a search that came to its end.
    pub counts: Option<[u64; 3]>,
    pub property: Option<String>,
    pub n_trace: Option<u64>,
}

/// What came of comparing.
#[derive(Clone, Debug)]
pub enum Judged {
    Same(Said),
    Different {
        how: Difference,
        shown: String,
    },
    /// One of them took too long.
    GivenUp,
    /// They differ, and that is known.
    Accepted,
}

/// Where two runs part. Shrinking keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    Verdict(Class, Class),
    Counts,
    Property,
    Trace,
    /// The states of the trace: the first violation in the order of states, actions and values.
    States,
    /// Two ways of our own to search.
    Search,
}

pub fn judge(tools: &mut Tools, heat: Heat, body: &Text) -> Result<Judged> {
    let place = Place::new(body)?;
    let theirs = match tools.tlc(&place, heat)? {
        Ending::Ended(run) if run.messages.iter().any(is_tlcs_own) => return Ok(Judged::Accepted),
        Ending::Ended(run) => outcome::read(&run)?,
        Ending::GivenUp(_) => return Ok(Judged::GivenUp),
    };
    let is_lost = is_lost(&theirs);
    let their_states: Vec<String> = theirs.trace.iter().map(|state| state.state.clone()).collect();
    let theirs = Said {
        class: Class::of_tlc(&theirs),
        counts: theirs.generated.zip(theirs.distinct).zip(theirs.depth).map(|((a, b), c)| [a, b, c]),
        property: theirs.property.clone(),
        n_trace: Some(theirs.trace.len() as u64),
    };
    let Some(ours) = tools.specline(&place, &["--workers", "1"])? else { return Ok(Judged::GivenUp) };
    let answer = ours;
    let ours = said(&answer);
    let is_our_own = answer.headline.as_deref().is_some_and(accepted::is_our_own);
    if is_our_own || is_lost || fails_before_the_search(&theirs, &ours) {
        return Ok(Judged::Accepted);
    }
    if let Some(how) = difference(&theirs, &ours) {
        return Ok(Judged::Different {
            how,
            shown: format!("TLC: {}\nSpecline: {}", show(&theirs), show(&ours)),
        });
    }
    if ours.class.has_trace() {
        let our_states = tools.states(&place, &answer)?;
        if normal(&their_states) != normal(&our_states) {
            let shown = format!("TLC: {}\nSpecline: {}", their_states.join(" ~> "), our_states.join(" ~> "));
            return Ok(Judged::Different { how: Difference::States, shown });
        }
    }
    others(tools, &place, body, ours)
}

/// States without what says nothing about them: the order of variables is that of a hash table in TLC.
fn normal(states: &[String]) -> Vec<Vec<String>> {
    let normal = |state: &String| {
        let lines: Vec<String> = state.lines().map(str::to_owned).collect();
        let text = accepted::plain(&lines);
        let mut variables: Vec<String> = text.split("/\\ ").map(|part| part.trim().to_owned()).collect();
        variables.sort();
        variables
    };
    states.iter().map(normal).collect()
}

/// Two workers must say all of the same, and so must searches that go on from disk. Depth-first search must count the same, unless a state stands for others:
/// which one is explored then depends on the order.
fn others(tools: &Tools, place: &Place, body: &Text, ours: Said) -> Result<Judged> {
    let stands_for_others = ["VIEW", "SYMMETRY"].iter().any(|word| body.config.contains(word));
    let is_unordered = ours.class == Class::Holds && !stands_for_others;
    let ways: [(&[&str], bool); 4] = [
        (&["--workers", "2"], true),
        (&["--workers", "1", "--search", "dfs"], is_unordered),
        (&["--workers", "1", "--spill", "spilled", "--spill-after", "0"], true),
        (&["--workers", "2", "--spill", "spilled", "--spill-after", "4"], true),
    ];
    for (flags, is_compared) in ways {
        if !is_compared {
            continue;
        }
        let Some(answer) = tools.specline(place, flags)? else { return Ok(Judged::GivenUp) };
        let mut other = said(&answer);
        if flags.contains(&"dfs")
            && let (Some([.., depth]), Some([.., ours])) = (&mut other.counts, ours.counts)
        {
            *depth = ours;
        }
        if difference(&ours, &other).is_some() {
            let shown = format!("{}: {}\none worker: {}", flags.join(" "), show(&other), show(&ours));
            return Ok(Judged::Different { how: Difference::Search, shown });
        }
    }
    Ok(Judged::Same(ours))
}

/// TLC finds the way to a violation by taking the steps again. An error that comes after the violation in the same step
/// then ends the trace before it.
fn is_lost(theirs: &Outcome) -> bool {
    let is_initial = theirs.errors.iter().any(|error| matches!(error.code, 2107 | 2108));
    let is_property = matches!(theirs.verdict, Verdict::Invariant | Verdict::ActionProperty);
    is_property && theirs.trace.len() == 1 && !is_initial
}

/// A constant bound of an action without a value is an error to us before the first state; to TLC when a state is there
/// to try the action in.
fn fails_before_the_search(theirs: &Said, ours: &Said) -> bool {
    let is_early = ours.class == Class::Undefined && ours.counts == Some([0, 0, 0]);
    let is_cut_off = theirs.counts.is_some_and(|[_, distinct, _]| distinct == 0);
    is_early && (theirs.class == Class::Empty || theirs.n_trace == Some(1) || is_cut_off)
}

fn is_tlcs_own(printed: &Printed) -> bool {
    match printed {
        Printed::Message(message) => accepted::is_tlcs_own(&message.text),
        Printed::Line(_) => false,
    }
}

fn said(answer: &Answer) -> Said {
    Said {
        class: Class::of_specline(answer),
        counts: answer.counts,
        property: answer.property.clone(),
        n_trace: answer.n_trace,
    }
}

fn difference(one: &Said, other: &Said) -> Option<Difference> {
    if one.class != other.class {
        return Some(Difference::Verdict(one.class, other.class));
    }
    match one.class {
        Class::Holds => (one.counts != other.counts).then_some(Difference::Counts),
        Class::Violated | Class::StepViolated | Class::Deadlock => {
            let named = one.property.is_some() && other.property.is_some();
            if named && one.property != other.property {
                return Some(Difference::Property);
            }
            (one.n_trace != other.n_trace).then_some(Difference::Trace)
        }
        Class::Undefined
        | Class::Refused
        | Class::Empty
        | Class::Assertion
        | Class::Assumption
        | Class::Other(_) => None,
    }
}

fn show(said: &Said) -> String {
    let Said { class, counts, property, n_trace } = said;
    format!("{class:?} {counts:?} {} trace of {}", property.as_deref().unwrap_or("-"), n_trace.unwrap_or(0))
}
