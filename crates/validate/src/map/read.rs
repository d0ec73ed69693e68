//! Reads the text of a mapping as a [`Map`].

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::table::{Errors, Table, error, list_names, pairs, report_wrong, text_of};
use super::{
    ActionForm, Condition, Conditions, EventRule, InitForm, LogForm, Map, MapError, MessageRule, Order,
    SearchForm, SilentRule, Text,
};

/// The default name of an event in expressions.
const EVENT: &str = "event";
/// The word in place of an action that lets the state stay the same.
const STUTTER: &str = "stutter";

pub(super) fn map(text: &str) -> Result<Map, Vec<MapError>> {
    let parsed = DeTable::parse(text).map_err(|failed| vec![not_toml(&failed, text)])?;
    let mut errors = Vec::new();
    let mut top = Table::new(text, "a mapping", parsed.get_ref());
    let constants = top.pairs("constants", &mut errors);
    let log = top.table("log", &mut errors);
    let log =
        with_default_name(log.map_or_else(LogForm::default, |table| log_form(text, table, &mut errors)));
    let order = top.table("order", &mut errors);
    let order = order.map_or(Order::AsWritten, |table| order_form(text, table, &mut errors));
    let init = top.table("init", &mut errors);
    let init = init.map_or_else(InitForm::default, |table| init_form(text, table, &mut errors));
    let bind = top.binds(("bind", &log.name), &mut errors);
    let conditions = conditions(text, &mut top, &mut errors);
    let fields = top.pairs("fields", &mut errors);
    let events = event_rules(text, &mut top, &log.name, &mut errors);
    let silent = top.tables("silent", &mut errors);
    let silent = silent
        .into_iter()
        .filter_map(|(place, table)| silent_rule(text, place, table, &mut errors))
        .collect();
    let search = top.table("search", &mut errors);
    let search = search.map_or_else(SearchForm::default, |table| search_form(text, table, &mut errors));
    top.finish(&mut errors);
    let map = Map { constants, log, order, init, bind, conditions, fields, events, silent, search };
    errors.extend(find_missing(&map, text));
    errors.sort_by_key(|error| error.place.start);
    if errors.is_empty() { Ok(map) } else { Err(errors) }
}

fn not_toml(failed: &toml::de::Error, text: &str) -> MapError {
    let place = failed.span().unwrap_or(0..0);
    let mut told = error(place.clone(), failed.message());
    if text.get(place).is_some_and(|part| part.contains('\\')) || failed.message().contains("escape") {
        told.help = Some(
            "write expressions in single quotes, where `\\` means itself: '\\E x \\in S : x'".to_owned(),
        );
    }
    told
}

fn with_default_name(log: LogForm) -> LogForm {
    let name = if log.name.is_empty() { EVENT.to_owned() } else { log.name };
    LogForm { name, ..log }
}

/// Checks for the things that every mapping must have.
fn find_missing(map: &Map, text: &str) -> Option<MapError> {
    let end = text.len()..text.len();
    if map.events.is_empty() {
        let help =
            "add `[events]` with `KIND = \"ACTION\"`; `specline validate --init-map` writes a first draft";
        return Some(MapError {
            help: Some(help.to_owned()),
            ..error(end, "a mapping says what at least one kind of event stands for")
        });
    }
    if map.log.kind.is_empty() && map.events.iter().any(|rule| !rule.kinds.is_empty()) {
        let help = "add `[log]` with `kind = \"FIELD\"`, the field that says what an event is";
        return Some(MapError {
            help: Some(help.to_owned()),
            ..error(end, "the mapping does not say where an event has its kind")
        });
    }
    if matches!(map.order, Order::Vector(_)) && map.log.node.is_none() {
        let help = "add `node = \"FIELD\"` to `[log]`, the field that says which node logged an event";
        let message = "an order by vector clocks needs to know the node of an event";
        return Some(MapError { help: Some(help.to_owned()), ..error(end, message) });
    }
    None
}

fn path(text: &Text) -> Vec<String> {
    text.text.split('.').map(ToOwned::to_owned).collect()
}

fn log_form(text: &str, table: &DeTable<'_>, errors: &mut Errors) -> LogForm {
    let mut table = Table::new(text, "`[log]`", table);
    let opt_path = |text: Option<Text>| text.map(|text| path(&text));
    let form = LogForm {
        name: table.string("name", errors).map_or_else(String::new, |name| name.text),
        marker: table.string("marker", errors).map(|marker| marker.text),
        inside: opt_path(table.string("inside", errors)),
        kind: opt_path(table.string("kind", errors)).unwrap_or_default(),
        only: table.pairs("only", errors).into_iter().map(|(key, value)| (path(&key), value.text)).collect(),
        rename: table
            .pairs("rename", errors)
            .into_iter()
            .map(|(key, from)| (key.text, path(&from)))
            .collect(),
        ignore: table.strings("ignore", errors),
        ignore_fields: table.strings("ignore-fields", errors).iter().map(path).collect(),
        node: opt_path(table.string("node", errors)),
        nodes: table.string("nodes", errors),
    };
    table.finish(errors);
    form
}

fn order_form(text: &str, table: &DeTable<'_>, errors: &mut Errors) -> Order {
    let mut table = Table::new(text, "`[order]`", table);
    let by = table.string("by", errors);
    let fields = table.strings("fields", errors);
    let clock = table.string("clock", errors);
    let sends = message_rules(text, table.tables("send", errors), errors);
    let receives = message_rules(text, table.tables("receive", errors), errors);
    let has_duplicates = table.flag("duplicates", errors).unwrap_or(true);
    report_unused_order(&mut table, by.as_ref(), errors);
    table.finish(errors);
    let Some(by) = by else { return Order::AsWritten };
    let mut needs = |what: &str| errors.push(error(by.place.clone(), format!("this order needs {what}")));
    match by.text.as_str() {
        "written" => {}
        "fields" if fields.is_empty() => needs("`fields`"),
        "fields" => return Order::Fields(fields.iter().map(path).collect()),
        "vector" => match clock {
            Some(clock) => return Order::Vector(path(&clock)),
            None => needs("`clock`, the field with the vector clock"),
        },
        "messages" if sends.is_empty() || receives.is_empty() => {
            needs("`[[order.send]]` and `[[order.receive]]`");
        }
        "messages" => return Order::Messages { sends, receives, has_duplicates },
        other => {
            let known = ["written", "fields", "vector", "messages"];
            let mut unknown = error(by.place.clone(), format!("there is no order by `{other}`"));
            unknown.help = Some(format!("events are ordered by one of {}", list_names(&known)));
            errors.push(unknown);
        }
    }
    Order::AsWritten
}

/// Reports keys that the order does not use.
fn report_unused_order(table: &mut Table<'_, '_>, by: Option<&Text>, errors: &mut Errors) {
    let uses = [
        ("fields", "fields"),
        ("clock", "vector"),
        ("send", "messages"),
        ("receive", "messages"),
        ("duplicates", "messages"),
    ];
    for (key, user) in uses {
        let Some(item) = table.get(key) else { continue };
        if by.is_none_or(|by| by.text != user) {
            let mut unused = error(item.span(), format!("`{key}` is for an order by `{user}`"));
            unused.help = Some(format!("say `by = \"{user}\"` in `[order]`, or leave `{key}` out"));
            errors.push(unused);
        }
    }
}

fn message_rules(
    text: &str,
    tables: Vec<(Range<usize>, &DeTable<'_>)>,
    errors: &mut Errors,
) -> Vec<MessageRule> {
    let mut rules = Vec::new();
    for (place, table) in tables {
        let mut table = Table::new(text, "a message", table);
        let kinds = table.strings("kind", errors);
        let (key, keys) = (table.string("key", errors), table.string("keys", errors));
        table.finish(errors);
        if kinds.is_empty() {
            errors.push(error(place.clone(), "a message needs `kind`: which events send or receive it"));
        }
        let is_set = key.is_none();
        match key.or(keys) {
            Some(key) => rules.push(MessageRule { kinds, key, is_set }),
            None => {
                errors.push(error(place, "a message needs `key`, an expression that tells it from others"))
            }
        }
    }
    rules
}

fn init_form(text: &str, table: &DeTable<'_>, errors: &mut Errors) -> InitForm {
    let mut table = Table::new(text, "`[init]`", table);
    let predicate = table.string("predicate", errors);
    let conditions =
        table.get("where").map_or_else(Vec::new, |item| condition_list(text, item, "where", errors));
    table.finish(errors);
    InitForm { predicate, conditions }
}

fn search_form(text: &str, table: &DeTable<'_>, errors: &mut Errors) -> SearchForm {
    let mut table = Table::new(text, "`[search]`", table);
    let window = table.number("window", errors).map(|window| (window as usize).max(1));
    let has_every_order = table.flag("every-order", errors).unwrap_or(false);
    table.finish(errors);
    SearchForm { window: window.unwrap_or(SearchForm::default().window), has_every_order }
}

fn conditions(text: &str, table: &mut Table<'_, '_>, errors: &mut Errors) -> Conditions {
    let mut part = |key: &'static str| match table.get(key) {
        Some(item) => condition_list(text, item, key, errors),
        None => Vec::new(),
    };
    Conditions { before: part("before"), after: part("after"), step: part("step") }
}

/// Reads formulas, or a table of pairs of expressions that must be equal.
fn condition_list(text: &str, item: &Spanned<DeValue<'_>>, key: &str, errors: &mut Errors) -> Vec<Condition> {
    if let Some(table) = item.get_ref().as_table() {
        let pairs = pairs(text, table, errors).into_iter();
        return pairs.map(|(left, right)| Condition { left, right: Some(right) }).collect();
    }
    let items: Vec<&Spanned<DeValue<'_>>> = match item.get_ref().as_array() {
        Some(array) => array.iter().collect(),
        None => vec![item],
    };
    let each = |item: &&Spanned<DeValue<'_>>| {
        let expected = "a formula, a list of formulas, or a table of expressions and their values";
        let formula = text_of(text, item).or_else(|| report_wrong(item, key, expected, errors));
        formula.map(|left| Condition { left, right: None })
    };
    items.iter().filter_map(each).collect()
}

/// Reads `[events]`, a line for each kind, and `[[event]]`, in the order of the file.
fn event_rules(text: &str, top: &mut Table<'_, '_>, event: &str, errors: &mut Errors) -> Vec<EventRule> {
    let mut rules = Vec::new();
    for (kind, item) in top.entries("events", errors) {
        let several =
            item.get_ref().as_array().filter(|array| array.iter().all(|one| one.get_ref().is_table()));
        let alternatives = match several {
            Some(array) if !array.is_empty() => array.iter().collect(),
            Some(_) | None => vec![item],
        };
        for item in alternatives {
            let rule = match item.get_ref().as_table() {
                Some(table) => event_rule(MapText { text, event }, (item.span(), table), Some(&kind), errors),
                None => plain_rule(&kind, action_forms(text, item, errors)),
            };
            rules.push(rule);
        }
    }
    for (place, table) in top.tables("event", errors) {
        rules.push(event_rule(MapText { text, event }, (place, table), None, errors));
    }
    rules.sort_by_key(|rule| rule.place.start);
    rules
}

/// Creates a rule that only says which actions a kind stands for.
fn plain_rule(kind: &Text, actions: Vec<ActionForm>) -> EventRule {
    EventRule {
        place: kind.place.clone(),
        kinds: vec![kind.clone()],
        when: None,
        follows: Vec::new(),
        actions,
        bind: Vec::new(),
        free: Vec::new(),
        conditions: Conditions::default(),
        has_common: true,
    }
}

/// The text of a mapping, and the name that events have in it.
struct MapText<'t> {
    text: &'t str,
    event: &'t str,
}

/// Reads the table of a rule. `kind` is its kind, if the table does not have one itself.
fn event_rule(
    MapText { text, event }: MapText<'_>,
    (place, table): (Range<usize>, &DeTable<'_>),
    kind: Option<&Text>,
    errors: &mut Errors,
) -> EventRule {
    let name = if kind.is_some() { "a rule of `[events]`" } else { "`[[event]]`" };
    let mut table = Table::new(text, name, table);
    let kinds = match kind {
        Some(kind) => vec![kind.clone()],
        None => table.strings("kind", errors),
    };
    let when = table.string("when", errors);
    let follows = table.strings("follows", errors);
    let actions = table.get("action").map_or_else(Vec::new, |item| action_forms(text, item, errors));
    if actions.is_empty() {
        let mut told = error(place.clone(), "an event needs `action`: what it stands for");
        told.help =
            Some("name an action of the specification, or \"stutter\" where nothing happens".to_owned());
        errors.push(told);
    }
    if kinds.is_empty() && when.is_none() {
        errors.push(error(place.clone(), "an event needs `kind`, or `when`: which events it is about"));
    }
    let rule = EventRule {
        place,
        kinds,
        when,
        follows,
        actions,
        bind: table.binds(("bind", event), errors),
        free: table.strings("free", errors),
        conditions: conditions(text, &mut table, errors),
        has_common: table.flag("common", errors).unwrap_or(true),
    };
    table.finish(errors);
    rule
}

/// Reads one action, or a list of alternatives. An alternative that is itself a list is a sequence of steps.
fn action_forms(text: &str, item: &Spanned<DeValue<'_>>, errors: &mut Errors) -> Vec<ActionForm> {
    let expected = "an action, a list of actions, or a list of lists of actions";
    let alternatives: Vec<&Spanned<DeValue<'_>>> = match item.get_ref().as_array() {
        Some(array) => array.iter().collect(),
        None => vec![item],
    };
    let mut forms = Vec::new();
    for item in alternatives {
        let steps: Vec<&Spanned<DeValue<'_>>> = match item.get_ref().as_array() {
            Some(array) => array.iter().collect(),
            None => vec![item],
        };
        let texts: Vec<Text> = steps
            .iter()
            .filter_map(|step| text_of(text, step).or_else(|| report_wrong(step, "action", expected, errors)))
            .collect();
        match texts.as_slice() {
            [] => errors.push(error(item.span(), "there is no action here")),
            [only] if only.text == STUTTER => forms.push(ActionForm::Stutter),
            _ => forms.push(ActionForm::Steps(texts)),
        }
    }
    forms
}

fn silent_rule(
    text: &str,
    place: Range<usize>,
    table: &DeTable<'_>,
    errors: &mut Errors,
) -> Option<SilentRule> {
    let mut table = Table::new(text, "`[[silent]]`", table);
    let action = table.string("action", errors);
    let bind = table.pairs("bind", errors);
    let per_gap_max = table.number("per-gap", errors).unwrap_or(1);
    let total_max = table.number("total", errors);
    let next = table.strings("next", errors);
    table.finish(errors);
    if action.is_none() {
        errors.push(error(place, "a silent step needs `action`"));
    }
    Some(SilentRule { action: action?, bind, per_gap_max, total_max, next })
}
