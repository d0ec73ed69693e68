//! The words of a monitor, for people and for programs.

use diag::Code;
use monitor::conditions::{About, Condition, ConditionForm, Proof};
use monitor::prove::Conditions;
use monitor::slice::{EventKind, Role, Slice};
use monitor::{Alarm, Stats, Undecided};
use serde_json::{Value, json};
use trace::Datum;

/// Describes the slice.
pub fn describe(slice: &Slice) -> Vec<String> {
    let of = |role: Role| {
        let all = slice.variables.iter().filter(|variable| variable.role == role);
        all.map(|variable| variable.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    let mut lines = vec![
        format!("variables of each node: {}", of(Role::PerNode)),
        format!("messages under way: {}", of(Role::Network)),
    ];
    if !of(Role::Ghost).is_empty() {
        lines.push(format!("left out: {}", of(Role::Ghost)));
    }
    for (kind, title) in [
        (EventKind::Receive, "on a message"),
        (EventKind::Own, "on a time-out, a request, or by itself"),
        (EventKind::Restart, "on a restart"),
    ] {
        let all: Vec<String> = slice
            .actions
            .iter()
            .filter(|action| action.kind == kind)
            .map(|action| if action.sends { format!("{} (sends)", action.name) } else { action.name.clone() })
            .collect();
        if !all.is_empty() {
            lines.push(format!("{title}: {}", all.join(", ")));
        }
    }
    if !slice.environment.is_empty() {
        lines.push(format!("no step of a node: {}", slice.environment.join(", ")));
    }
    lines
}

/// Describes the conditions under which messages are of no use.
pub fn describe_conditions(found: &Conditions, uses_derived: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for (about, title) in [
        (About::Received, "a received message is of no use any more, and left out at once, if"),
        (About::Sent, "a message cannot leave any more, and the search for it ends, if"),
        (About::AtOnce, "a received message is handled as it arrives, if"),
    ] {
        let all = found.all.iter().filter(|one| one.about == about);
        let all: Vec<String> = all.map(|one| condition_line(one, uses_derived)).collect();
        if !all.is_empty() {
            lines.push(format!("{title}:"));
            lines.extend(all);
        }
    }
    if let Some(why) = &found.trouble {
        lines.push(format!("no conditions were derived: {why}"));
    }
    lines
}

fn condition_line(condition: &Condition, uses_derived: bool) -> String {
    let from = match condition.form {
        ConditionForm::Written(_) => "mapping",
        ConditionForm::Derived(_) if uses_derived => "derived",
        ConditionForm::Derived(_) => "a suggestion, not used",
    };
    let unsolved = match &condition.unsolved {
        Some(why) => format!("; {}", diag::render::printable(why)),
        None => String::new(),
    };
    format!("    {}  ({from}; {}{unsolved})", condition.text, proof(&condition.proof))
}

fn proof(proof: &Proof) -> String {
    match proof {
        Proof::Solved => "shown by z3, whatever the numbers are".to_owned(),
        Proof::Bounded { n_states, n_messages } => {
            format!("holds in {n_states} states of nodes for {n_messages} messages, within the bounds")
        }
        Proof::Trusted => "trusted, not shown".to_owned(),
        Proof::Refuted(why) => format!("not used: does not hold: {}", diag::render::printable(why)),
        Proof::Open(why) => format!("not used: {}", diag::render::printable(why)),
    }
}

fn condition_json(condition: &Condition) -> Value {
    let about = match condition.about {
        About::Received => "received",
        About::Sent => "sent",
        About::AtOnce => "at once",
    };
    let (status, states, messages) = match &condition.proof {
        Proof::Solved => ("solved", None, None),
        Proof::Bounded { n_states, n_messages } => ("bounded", Some(n_states), Some(n_messages)),
        Proof::Trusted => ("trusted", None, None),
        Proof::Refuted(_) => ("refuted", None, None),
        Proof::Open(_) => ("open", None, None),
    };
    let is_derived = matches!(condition.form, ConditionForm::Derived(_));
    json!({
        "about": about, "condition": condition.text, "derived": is_derived, "proof": status,
        "states": states, "messages": messages, "used": condition.proof.is_enough(), "unsolved": condition.unsolved,
    })
}

pub fn describe_json(slice: &Slice, found: &Conditions) -> Value {
    let role = |role: Role| match role {
        Role::PerNode => "node",
        Role::Network => "network",
        Role::Ghost => "ghost",
    };
    let kind = |kind: EventKind| match kind {
        EventKind::Receive => "receive",
        EventKind::Own => "own",
        EventKind::Restart => "restart",
    };
    let variables: Vec<Value> = slice
        .variables
        .iter()
        .map(|variable| json!({ "name": variable.name, "role": role(variable.role) }))
        .collect();
    let actions: Vec<Value> = slice
        .actions
        .iter()
        .map(|action| json!({ "name": action.name, "kind": kind(action.kind), "sends": action.sends }))
        .collect();
    json!({ "variables": variables, "actions": actions, "environment": slice.environment,
        "conditions": found.all.iter().map(condition_json).collect::<Vec<_>>() })
}

fn show(datum: &Datum) -> String {
    diag::render::printable(&datum.to_string()).to_string()
}

fn show_place(place: &trace::Place) -> String {
    format!("{}:{}:{}", place.file, place.start.line, place.start.column)
}

/// Describes an alarm in lines.
pub fn alarm(alarm: &Alarm, node: &str) -> Vec<String> {
    let to = alarm.to.as_ref().map_or_else(String::new, |to| format!(" to `{to}`"));
    let mut lines = vec![
        format!(
            "alarm[{}]: `{node}` cannot have sent the message of line {}{to}",
            Code::ProtocolAlarm,
            alarm.number
        ),
        format!("    {}", show(&alarm.message)),
    ];
    for nearest in &alarm.nearest {
        lines.push(format!(
            "  `{}` would have sent, with another {}:",
            nearest.action,
            nearest.fields.join(", ")
        ));
        lines.push(format!("    {}", show(&nearest.message)));
    }
    if alarm.nearest.is_empty() {
        lines.push("  no action of the specification could have sent anything here".to_owned());
    }
    for missed in &alarm.missed {
        let place =
            missed.place.as_ref().map_or_else(String::new, |place| format!("  {}", show_place(place)));
        lines.push(format!(
            "  not by `{}`, because this is FALSE: {}{place}",
            missed.action, missed.condition
        ));
    }
    let states = diag::render::count(alarm.n_states, "state");
    lines.push(format!("  all before it is explained; the process may have been in {states}, such as"));
    lines.extend(alarm.state.iter().map(|(name, value)| format!("    {name} = {}", show(value))));
    for (line, message) in &alarm.pending {
        lines.push(format!("    received in line {line}, perhaps not handled: {}", show(message)));
    }
    for step in &alarm.history {
        let action = step.action.as_deref().unwrap_or(if step.sent.is_some() { "sent" } else { "ignored" });
        let received = step.received.map_or_else(String::new, |line| format!(", received in line {line}"));
        let sent = step.sent.map_or_else(String::new, |line| format!(", line {line}"));
        lines.push(format!("    step: {action}{received}{sent}"));
    }
    if !alarm.relies_on.is_empty() {
        lines.push(format!("  this relies on: {}", alarm.relies_on.join("; ")));
    }
    lines
}

pub fn alarm_json(alarm: &Alarm, node: &str) -> Value {
    let nearest: Vec<Value> = alarm
        .nearest
        .iter()
        .map(|near| json!({ "action": near.action, "message": near.message.to_string(), "fields": near.fields }))
        .collect();
    let missed: Vec<Value> = alarm
        .missed
        .iter()
        .map(|missed| {
            let place = missed.place.as_ref().map(show_place);
            json!({ "action": missed.action, "condition": missed.condition, "place": place })
        })
        .collect();
    let state: Vec<Value> = alarm
        .state
        .iter()
        .map(|(name, value)| json!({ "variable": name, "value": value.to_string() }))
        .collect();
    let history: Vec<Value> = alarm
        .history
        .iter()
        .map(|step| json!({ "action": step.action, "received": step.received, "sent": step.sent }))
        .collect();
    json!({
        "event": "alarm", "code": Code::ProtocolAlarm.id(), "node": node, "line": alarm.number, "to": alarm.to,
        "message": alarm.message.to_string(), "states": alarm.n_states, "state": state,
        "nearest": nearest, "missed": missed, "history": history,
        "relies_on": alarm.relies_on,
    })
}

/// Says why nothing can be said.
pub fn undecided(why: &Undecided) -> String {
    match why {
        Undecided::States => {
            "more states than `[limits] states` allows would have to be looked at".to_owned()
        }
        Undecided::Pending => {
            "more messages than `[limits] pending` allows were received and may not have been handled"
                .to_owned()
        }
        Undecided::Gap(why) => format!("the state of the process is unknown from here on: {why}"),
        Undecided::Fault(told) => format!("an expression has no value: {}", told.headline),
        Undecided::Message(why) => format!("this message cannot be read: {why}"),
        Undecided::Earlier => {
            "no known state explains this message, but some were given up before".to_owned()
        }
    }
}

pub fn stats_json(stats: &Stats) -> Value {
    let mean = |sum: u64| (sum as f64 / stats.n_explained.max(1) as f64 * 100.0).round() / 100.0;
    json!({
        "states_mean": mean(stats.n_states_sum), "pending_mean": mean(stats.n_pending_sum),
        "in": stats.n_in, "out": stats.n_out, "skipped": stats.n_skipped, "explained": stats.n_explained,
        "unjudged": stats.n_unjudged, "alarms": stats.n_alarms, "undecided": stats.n_undecided,
        "explored": stats.n_explored, "states": stats.n_states, "states_max": stats.n_states_max,
        "at_once": stats.n_at_once, "pending": stats.n_pending, "pending_max": stats.n_pending_max,
    })
}
