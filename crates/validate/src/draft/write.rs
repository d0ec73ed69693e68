//! Writes the draft as text.

use std::fmt::Write;

use base::{FxIndexMap, FxIndexSet};
use sema::spec::DefId;

use super::sample::{Field, Sample};
use super::{Guess, SpecFacts, plain};
use crate::log::Json;

/// Common names of parameters, with the fields from which they often come.
const USUAL: [(&[&str], &[&str]); 5] = [
    (
        &["j", "k", "b", "q", "t", "peer", "other", "from", "src", "source"],
        &["from", "src", "source", "peer", "sender"],
    ),
    (
        &["j", "k", "b", "q", "t", "peer", "other", "to", "dst", "dest"],
        &["to", "dst", "dest", "peer", "receiver"],
    ),
    (&["m", "msg", "message"], &["msg", "message", "m"]),
    (&["v", "val", "value"], &["value", "val", "v"]),
    (&["n", "num", "index", "idx"], &["index", "n", "num"]),
];

/// Common names of fields that list the arguments of an action.
const ARGUMENTS: [&str; 6] = ["args", "eventargs", "arguments", "params", "parameters", "actionargs"];

pub(super) fn write(known: &SpecFacts<'_>, guess: &Guess, sample: &Sample) -> String {
    let mut text = String::new();
    let kinds = kinds(guess, sample);
    let (named, unnamed): (Vec<&String>, Vec<&String>) =
        kinds.keys().partition(|kind| known.action_for(kind).is_some());
    let _ = writeln!(
        text,
        "# A first draft, made of names that are alike: see that it is what you mean, and complete it."
    );
    if sample.n_unread > 0 {
        let are = match sample.n_unread {
            1 => "1 line is no JSON object: tell events from it".to_owned(),
            n => format!("{n} lines are no JSON objects: tell events from them"),
        };
        let _ = writeln!(text, "# {are} with `marker` in [log].");
    }
    constants_part(&mut text, known);
    log_part(&mut text, known, guess, (&unnamed, &kinds));
    order_part(&mut text, guess, sample);
    common_part(&mut text, known, guess);
    let rules: Vec<DraftRule> = named
        .iter()
        .filter_map(|kind| Some(draft_rule(known, guess, (kind, known.action_for(kind)?, &kinds[*kind]))))
        .collect();
    rules_part(&mut text, &rules);
    if named.is_empty() {
        placeholder(&mut text, known, &unnamed);
    }
    let used: FxIndexSet<DefId> = named.iter().filter_map(|kind| known.action_for(kind)).collect();
    silent_part(&mut text, known, &used);
    text
}

/// Returns the kinds of events, each with the fields that its events have.
fn kinds(guess: &Guess, sample: &Sample) -> FxIndexMap<String, FxIndexMap<String, Field>> {
    let Some(kind) = &guess.kind else { return FxIndexMap::default() };
    let word = |event: &Json| event.field(kind).and_then(Json::word);
    let words: FxIndexSet<String> = sample.events.iter().filter_map(|(_, event)| word(event)).collect();
    let of = |wanted: &String| {
        Sample::fields(sample.events.iter().filter(|(_, event)| word(event).as_ref() == Some(wanted)))
    };
    words.iter().map(|wanted| (wanted.clone(), of(wanted))).collect()
}

fn quote(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// Writes the constants that have no value yet, for the user to give them one.
fn constants_part(text: &mut String, known: &SpecFacts<'_>) {
    if known.open_constants.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "\n# These constants have no value: give them one here, an expression, or in a configuration.\n# [constants]"
    );
    for name in &known.open_constants {
        let _ = writeln!(text, "# {name} = '...'");
    }
}

fn log_part(
    text: &mut String,
    known: &SpecFacts<'_>,
    guess: &Guess,
    (unnamed, kinds): (&[&String], &FxIndexMap<String, FxIndexMap<String, Field>>),
) {
    let _ = writeln!(text, "\n[log]");
    if let Some(inside) = &guess.inside {
        let _ = writeln!(text, "inside = {}    # the field of a line that has the event", quote(inside));
    }
    match &guess.kind {
        Some(kind) => {
            let _ = writeln!(text, "kind = {}    # the field that says what an event is", quote(kind));
        }
        None => {
            let fields: Vec<&str> = guess.fields.keys().map(String::as_str).collect();
            let _ = writeln!(
                text,
                "kind = \"kind\"    # no field was found that tells; there are: {}",
                fields.join(", ")
            );
        }
    }
    match &guess.node {
        Some(node) => {
            let _ = writeln!(text, "node = {}    # the field that says who logged it", quote(node));
        }
        None => {
            let _ =
                writeln!(text, "# node = \"FIELD\"    # the field that says who logged it, if there is one");
        }
    }
    if !unnamed.is_empty() && unnamed.len() < kinds.len() {
        let list: Vec<String> = unnamed.iter().map(|kind| quote(kind)).collect();
        let _ = writeln!(
            text,
            "# No action is called like these: write rules for those that matter, in [events], and ignore the others."
        );
        let _ = writeln!(text, "# ignore = [{}]", list.join(", "));
    }
    let names: Vec<&str> = known.actions.iter().map(|&action| known.action_name(action)).collect();
    let _ = writeln!(text, "# The actions are {}.", names.join(", "));
}

fn order_part(text: &mut String, guess: &Guess, sample: &Sample) {
    if sample.n_files < 2 && guess.vector.is_none() {
        return;
    }
    let _ = writeln!(text, "\n[order]    # of events in several files");
    match (&guess.vector, &guess.clock, &guess.node) {
        (Some(vector), _, Some(_)) => {
            let _ = writeln!(text, "by = \"vector\"\nclock = {}", quote(vector));
        }
        (_, Some(clock), node) => {
            let fields: Vec<String> =
                [Some(clock), node.as_ref()].into_iter().flatten().map(|name| quote(name)).collect();
            let _ = writeln!(text, "by = \"fields\"\nfields = [{}]", fields.join(", "));
        }
        (_, None, _) => {
            let _ = writeln!(
                text,
                "by = \"written\"    # one file after the other; see \"fields\", \"vector\" and \"messages\""
            );
        }
    }
}

/// Writes the conditions for every event: fields whose names resemble variables.
fn common_part(text: &mut String, known: &SpecFacts<'_>, guess: &Guess) {
    let n_events = guess.fields.values().map(|field| field.n_events).max().unwrap_or(0);
    let everywhere = guess.fields.iter().filter(|(_, field)| field.n_events == n_events);
    let lines: Vec<String> = everywhere.filter_map(|(name, _)| equation(known, guess, name)).collect();
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n[after]    # guessed: what these variables are when the event has happened");
    for line in lines {
        let _ = writeln!(text, "{line}");
    }
}

/// Writes `"term[event.node]" = "event.term"`.
fn equation(known: &SpecFacts<'_>, guess: &Guess, field: &str) -> Option<String> {
    let is_taken =
        [&guess.kind, &guess.node, &guess.clock].iter().any(|taken| taken.as_deref() == Some(field));
    if is_taken || guess.fields.get(field).is_some_and(|field| field.is_changes) {
        return None;
    }
    let (variable, is_function) = known.variable_for(field)?;
    let value = read(field);
    Some(match (is_function, &guess.node) {
        (true, Some(node)) => {
            format!("{} = {}", quote(&format!("{variable}[{}]", read(node))), quote(&value))
        }
        (true, None) => return None,
        (false, _) => format!("{variable} = {}", quote(&value)),
    })
}

/// Returns the expression that reads a field.
fn read(field: &str) -> String {
    match crate::plan::is_name(field) {
        true => format!("event.{field}"),
        false => format!("event[\"{field}\"]"),
    }
}

/// A guess at what a kind of events stands for.
struct DraftRule {
    kind: String,
    action: String,
    params: String,
    /// Parameters and their values.
    bound: Vec<(String, String)>,
    free: Vec<String>,
    /// Conditions that hold after the step.
    told: Vec<String>,
    /// Fields that nothing reads.
    open: Vec<String>,
}

impl DraftRule {
    /// Returns a comment with the parameters of the action; empty if it has none.
    fn signature(&self) -> String {
        if self.params.is_empty() { String::new() } else { format!("    # {}({})", self.action, self.params) }
    }
}

fn draft_rule(
    known: &SpecFacts<'_>,
    guess: &Guess,
    (kind, action, fields): (&str, DefId, &FxIndexMap<String, Field>),
) -> DraftRule {
    let params: Vec<&str> = known.params(action).collect();
    let (mut bound, mut free) = (Vec::new(), Vec::new());
    let mut used: Vec<String> = Vec::new();
    let listed = arguments(fields, params.len());
    for (index, param) in params.iter().enumerate() {
        if let Some(field) = listed {
            bound.push(((*param).to_owned(), quote(&format!("{}[{}]", read(field), index + 1))));
            used.push(field.clone());
            continue;
        }
        match source(guess, fields, (param, index), &used) {
            Some(field) => {
                bound.push(((*param).to_owned(), quote(&read(&field))));
                used.push(field);
            }
            None => free.push(quote(param)),
        }
    }
    let n_events = fields.values().map(|field| field.n_events).max().unwrap_or(0);
    let n_all = guess.fields.values().map(|field| field.n_events).max().unwrap_or(0);
    let own = fields
        .iter()
        .filter(|(name, field)| field.n_events == n_events && guess.fields[*name].n_events < n_all);
    let (mut told, mut open) = (Vec::new(), Vec::new());
    for (name, _) in own.filter(|(name, _)| !used.contains(name)) {
        match equation(known, guess, name) {
            Some(line) => told.push(line),
            None => open.push(name.clone()),
        }
    }
    let (action, params) = (known.action_name(action).to_owned(), params.join(", "));
    DraftRule { kind: kind.to_owned(), action, params, bound, free, told, open }
}

/// Returns the parameters that several rules bind in the same way, with the most frequent value. A parameter that is
/// free in some rule is left out.
fn find_shared_binds(rules: &[DraftRule]) -> Vec<(String, String)> {
    let mut found: FxIndexMap<&String, FxIndexMap<&String, usize>> = FxIndexMap::default();
    for (param, value) in rules.iter().flat_map(|rule| &rule.bound) {
        *found.entry(param).or_default().entry(value).or_default() += 1;
    }
    let is_free = |param: &str| rules.iter().any(|rule| rule.free.contains(&quote(param)));
    let mut all = Vec::new();
    for (param, values) in found.into_iter().filter(|(param, _)| !is_free(param)) {
        // If several values are equally frequent, the first is taken.
        let most = values.into_iter().rev().max_by_key(|(_, n_rules)| *n_rules);
        if let Some((value, _)) = most.filter(|(_, n_rules)| *n_rules > 1) {
            all.push((param.clone(), value.clone()));
        }
    }
    all
}

fn rules_part(text: &mut String, rules: &[DraftRule]) {
    let shared = find_shared_binds(rules);
    if !shared.is_empty() {
        let _ = writeln!(text, "\n[bind]    # what parameters are, in whichever action");
        for (param, value) in &shared {
            let _ = writeln!(text, "{param} = {value}");
        }
    }
    let is_own = |bound: &&(String, String)| !shared.contains(bound);
    let is_plain = |rule: &&DraftRule| {
        rule.bound.iter().find(is_own).is_none()
            && [&rule.free, &rule.told, &rule.open].iter().all(|list| list.is_empty())
    };
    let (plain, others): (Vec<&DraftRule>, Vec<&DraftRule>) = rules.iter().partition(is_plain);
    if !plain.is_empty() {
        let _ = writeln!(text, "\n[events]");
    }
    for rule in plain {
        let _ = writeln!(text, "{} = {}{}", key(&rule.kind), quote(&rule.action), rule.signature());
    }
    for rule in others {
        rule_part(text, rule, &shared);
    }
}

fn rule_part(text: &mut String, rule: &DraftRule, shared: &[(String, String)]) {
    let DraftRule { kind, action, bound, free, told, open, .. } = rule;
    let _ = writeln!(text, "\n[events.{}]{}", key(kind), rule.signature());
    let _ = writeln!(text, "action = {}", quote(action));
    let own = bound.iter().filter(|bound| !shared.contains(bound));
    let own: Vec<String> = own.map(|(param, value)| format!("{param} = {value}")).collect();
    if !own.is_empty() {
        let _ = writeln!(text, "bind = {{ {} }}", own.join(", "));
    }
    if !free.is_empty() {
        let _ = writeln!(
            text,
            "free = [{}]    # whatever the specification allows: say in `bind` what the log knows",
            free.join(", ")
        );
    }
    if !told.is_empty() {
        let _ = writeln!(text, "after = {{ {} }}", told.join(", "));
    }
    if !open.is_empty() {
        let _ = writeln!(text, "# not used yet: {}", open.join(", "));
    }
}

/// Returns a TOML key, in quotes if it needs them.
fn key(name: &str) -> String {
    let is_bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if is_bare { name.to_owned() } else { quote(name) }
}

/// Returns the field that lists the arguments of an action with so many parameters.
fn arguments(fields: &FxIndexMap<String, Field>, n_params: usize) -> Option<&String> {
    let lists_them = |(name, field): &(&String, &Field)| {
        field.n_scalars == Some(n_params) && ARGUMENTS.contains(&plain(name).as_str())
    };
    fields.iter().find(lists_them).filter(|_| n_params > 0).map(|(name, _)| name)
}

/// Returns the field that a parameter comes from.
fn source(
    guess: &Guess,
    fields: &FxIndexMap<String, Field>,
    (param, index): (&str, usize),
    used: &[String],
) -> Option<String> {
    let is_open = |name: &&String| !used.contains(name);
    let same = fields.keys().filter(is_open).find(|name| plain(name) == plain(param));
    if let Some(name) = same {
        return Some(name.clone());
    }
    if index == 0
        && let Some(node) = guess.node.as_ref().filter(is_open)
    {
        return Some(node.clone());
    }
    let usual = USUAL.iter().filter(|(params, _)| params.contains(&plain(param).as_str()));
    let mut names = usual.flat_map(|(_, names)| names.iter());
    names.find_map(|usual| fields.keys().filter(is_open).find(|name| plain(name) == *usual)).cloned()
}

/// Writes an example rule, since a mapping needs at least one.
fn placeholder(text: &mut String, known: &SpecFacts<'_>, unnamed: &[&String]) {
    let kinds: Vec<String> = unnamed.iter().map(|kind| quote(kind)).collect();
    let kinds = if kinds.is_empty() { "\"KIND\"".to_owned() } else { format!("[{}]", kinds.join(", ")) };
    let names: Vec<&str> = known.actions.iter().map(|&action| known.action_name(action)).collect();
    let _ =
        writeln!(text, "\n[[event]]    # no kind of event is called like an action: {}", names.join(", "));
    let _ = writeln!(text, "kind = {kinds}\naction = \"stutter\"    # nothing happens: say what does");
}

/// Writes the actions that no event describes.
fn silent_part(text: &mut String, known: &SpecFacts<'_>, used: &FxIndexSet<DefId>) {
    let mut others = known.actions.iter().filter(|action| !used.contains(*action)).peekable();
    if others.peek().is_none() {
        return;
    }
    let _ = writeln!(
        text,
        "\n# No event is called like these actions. One that happens without an event is silent:"
    );
    for &action in others {
        let _ =
            writeln!(text, "# [[silent]]\n# action = {}\n# per-gap = 1", quote(known.action_name(action)));
    }
}
