//! Runs a specification through both tools, and checks what must be the same.
//!
//! Counts are compared if nothing was found, since a run that stops early stops at another moment; the property and the
//! length of the trace are compared if something was found. Our other ways to search must agree with the first.

use anyhow::Result;

use super::accepted;
use super::term::Text;
use super::tools::{Heat, ModulePlace, Tools};
use crate::diff_tlc::class::Class;
use crate::diff_tlc::expect::{Outcome, Verdict};
use crate::diff_tlc::messages::Printed;
use crate::diff_tlc::outcome;
use crate::diff_tlc::specline::Answer;
use crate::diff_tlc::warm::Ending;

/// The parts of a run's answer that are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedAnswer {
    pub class: Class,
    /// The counts of a search that reached its end: generated, distinct, depth.
    pub counts: Option<[u64; 3]>,
    pub property: Option<String>,
    pub n_trace: Option<u64>,
}

/// The result of the comparison.
#[derive(Clone, Debug)]
pub enum JudgedSpec {
    Same(ComparedAnswer),
    Different {
        how: Difference,
        shown: String,
    },
    /// One of them took too long.
    GivenUp,
    /// They differ in a known way.
    Accepted,
}

/// The point where two runs differ. Shrinking preserves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    Verdict(Class, Class),
    Counts,
    Property,
    Trace,
    /// The states of the trace differ: the first violation in the order of states, actions and values.
    States,
    /// Two of our own ways to search differ.
    Search,
}

pub fn judge(tools: &mut Tools, heat: Heat, body: &Text) -> Result<JudgedSpec> {
    let place = ModulePlace::new(body)?;
    let theirs = match tools.tlc(&place, heat)? {
        Ending::Ended(run) if run.messages.iter().any(is_tlcs_own) => return Ok(JudgedSpec::Accepted),
        Ending::Ended(run) => outcome::read(&run)?,
        Ending::GivenUp(_) => return Ok(JudgedSpec::GivenUp),
    };
    let is_lost = is_lost(&theirs);
    let their_states: Vec<String> = theirs.trace.iter().map(|state| state.state.clone()).collect();
    let theirs = ComparedAnswer {
        class: Class::of_tlc(&theirs),
        counts: theirs.generated.zip(theirs.distinct).zip(theirs.depth).map(|((a, b), c)| [a, b, c]),
        property: theirs.property.clone(),
        n_trace: Some(theirs.trace.len() as u64),
    };
    let Some(ours) = tools.specline(&place, &["--workers", "1"])? else { return Ok(JudgedSpec::GivenUp) };
    let answer = ours;
    let ours = read_answer(&answer);
    let is_our_own = answer.headline.as_deref().is_some_and(accepted::is_our_own);
    if is_our_own || is_lost || fails_before_the_search(&theirs, &ours) {
        return Ok(JudgedSpec::Accepted);
    }
    if let Some(how) = difference(&theirs, &ours) {
        return Ok(JudgedSpec::Different {
            how,
            shown: format!("TLC: {}\nSpecline: {}", show(&theirs), show(&ours)),
        });
    }
    if ours.class.has_trace() {
        let our_states = tools.states(&place, &answer)?;
        if normal(&their_states) != normal(&our_states) {
            let shown = format!("TLC: {}\nSpecline: {}", their_states.join(" ~> "), our_states.join(" ~> "));
            return Ok(JudgedSpec::Different { how: Difference::States, shown });
        }
    }
    compare_other_searches(tools, &place, body, ours)
}

/// Normalises states: the order of variables is that of a hash table in TLC.
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

/// Compares our other ways to search. Two workers must give exactly the same answer, and so must searches that continue
/// from disk. Depth-first search must count the same, unless a state stands for others: then the order decides which
/// one is explored.
fn compare_other_searches(
    tools: &Tools,
    place: &ModulePlace,
    body: &Text,
    ours: ComparedAnswer,
) -> Result<JudgedSpec> {
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
        let Some(answer) = tools.specline(place, flags)? else { return Ok(JudgedSpec::GivenUp) };
        let mut other = read_answer(&answer);
        if flags.contains(&"dfs")
            && let (Some([.., depth]), Some([.., ours])) = (&mut other.counts, ours.counts)
        {
            *depth = ours;
        }
        if difference(&ours, &other).is_some() {
            let shown = format!("{}: {}\none worker: {}", flags.join(" "), show(&other), show(&ours));
            return Ok(JudgedSpec::Different { how: Difference::Search, shown });
        }
    }
    Ok(JudgedSpec::Same(ours))
}

/// Whether TLC lost the trace: it finds the way to a violation by taking the steps again, and an error after the
/// violation in the same step then ends the trace early.
fn is_lost(theirs: &Outcome) -> bool {
    let is_initial = theirs.errors.iter().any(|error| matches!(error.code, 2107 | 2108));
    let is_property = matches!(theirs.verdict, Verdict::Invariant | Verdict::ActionProperty);
    is_property && theirs.trace.len() == 1 && !is_initial
}

/// Whether an action has a constant bound without a value. For us this is an error before the first state; for TLC,
/// only when there is a state in which to try the action.
fn fails_before_the_search(theirs: &ComparedAnswer, ours: &ComparedAnswer) -> bool {
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

fn read_answer(answer: &Answer) -> ComparedAnswer {
    ComparedAnswer {
        class: Class::of_specline(answer),
        counts: answer.counts,
        property: answer.property.clone(),
        n_trace: answer.n_trace,
    }
}

fn difference(one: &ComparedAnswer, other: &ComparedAnswer) -> Option<Difference> {
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

fn show(said: &ComparedAnswer) -> String {
    let ComparedAnswer { class, counts, property, n_trace } = said;
    format!("{class:?} {counts:?} {} trace of {}", property.as_deref().unwrap_or("-"), n_trace.unwrap_or(0))
}
