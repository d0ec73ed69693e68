//! From the text of a mapping to a [`Mapping`].

use std::ops::Range;

use toml::de::DeTable;
use validate::map::table::{Errors, Table, error};

use super::{ActionForm, LineForm, MapError, Mapping, MessagesForm, PartForm, Text};

/// How often what is repeated is done, unless the mapping says otherwise.
const ROUNDS: u32 = 100;

pub(super) fn mapping(text: &str) -> Result<Mapping, Vec<MapError>> {
    let parsed = DeTable::parse(text).map_err(|failed| {
        let help = "write expressions in single quotes, where `\\` means itself".to_owned();
        vec![MapError { help: Some(help), ..error(failed.span().unwrap_or(0..0), failed.message()) }]
    })?;
    let mut errors = Vec::new();
    let mut top = Table::new(text, "a mapping", parsed.get_ref());
    let (spec, config) = (top.string("spec", &mut errors), top.string("config", &mut errors));
    let libraries = top.strings("libraries", &mut errors);
    let constants = top.pairs("constants", &mut errors);
    let (nodes, arguments) = (top.string("nodes", &mut errors), top.string("arguments", &mut errors));
    let begin = lines(&top.strings("begin", &mut errors), &mut errors);
    let messages = top.table("messages", &mut errors);
    let messages =
        messages.map_or_else(MessagesForm::default, |table| messages_form(text, table, &mut errors));
    let variables = top.pairs("variables", &mut errors);
    let (history, alarms) = (top.strings("history", &mut errors), top.strings("alarms", &mut errors));
    let unobserved = top.strings("unobserved", &mut errors);
    let unconfirmed = top.strings("unconfirmed", &mut errors);
    let actions = top.tables("action", &mut errors);
    let actions =
        actions.into_iter().filter_map(|(place, table)| action(text, place, table, &mut errors)).collect();
    let parts = top.tables("part", &mut errors);
    let parts =
        parts.into_iter().filter_map(|(place, table)| part(text, place, table, &mut errors)).collect();
    top.finish(&mut errors);
    let mapping = Mapping {
        spec,
        config,
        libraries,
        constants,
        nodes,
        arguments,
        begin,
        messages,
        variables,
        history,
        unobserved,
        unconfirmed,
        actions,
        alarms,
        parts,
    };
    errors.extend(missing(&mapping, text));
    errors.sort_by_key(|error| error.place.start);
    if errors.is_empty() { Ok(mapping) } else { Err(errors) }
}

/// Reports the first part that every mapping must have and this one has not.
fn missing(mapping: &Mapping, text: &str) -> Option<MapError> {
    let end = text.len()..text.len();
    let told = |message: &str, help: &str| {
        Some(MapError { help: Some(help.to_owned()), ..error(end.clone(), message) })
    };
    if mapping.nodes.is_none() {
        return told(
            "the mapping does not say which nodes there are",
            "add `nodes = 'Server'`, the set of nodes",
        );
    }
    if mapping.variables.is_empty() {
        let help = "add `[variables]`, with what each variable is in the program: `term = '...real...'`";
        return told("the mapping compares nothing", help);
    }
    if mapping.actions.is_empty() {
        return told("a mapping has at least one `[[action]]`", "add one, with `name` and `do`");
    }
    None
}

fn lines(texts: &[Text], errors: &mut Errors) -> Vec<LineForm> {
    let each = |text: &Text| LineForm::parse(text).map_err(|wrong| errors.push(wrong)).ok();
    texts.iter().filter_map(each).collect()
}

fn messages_form(text: &str, table: &DeTable<'_>, errors: &mut Errors) -> MessagesForm {
    let mut table = Table::new(text, "`[messages]`", table);
    let form = MessagesForm {
        decoder: table.strings("decoder", errors),
        only: table.string("only", errors),
        value: table.string("value", errors),
    };
    table.finish(errors);
    form
}

fn part(text: &str, place: Range<usize>, table: &DeTable<'_>, errors: &mut Errors) -> Option<PartForm> {
    let mut table = Table::new(text, "a part", table);
    let of = table.strings("of", errors);
    let begin = lines(&table.strings("begin", errors), errors);
    let variables = table.pairs("variables", errors);
    let (history, unobserved) = (table.strings("history", errors), table.strings("unobserved", errors));
    let actions = table.tables("action", errors).into_iter();
    let actions = actions.filter_map(|(place, table)| action(text, place, table, errors)).collect();
    table.finish(errors);
    if of.is_empty() {
        errors.push(MapError {
            help: Some("add `of = \"MODULE.GRAIN\"`".to_owned()),
            ..error(place, "a part needs `of`: which compositions is it for?")
        });
        return None;
    }
    Some(PartForm { of, begin, variables, history, unobserved, actions })
}

fn action(text: &str, place: Range<usize>, table: &DeTable<'_>, errors: &mut Errors) -> Option<ActionForm> {
    let mut table = Table::new(text, "an action", table);
    let name = table.string("name", errors);
    let when = table.string("when", errors);
    let events = lines(&table.strings("do", errors), errors);
    let until = table.string("until", errors);
    let repeat = lines(&table.strings("repeat", errors), errors);
    let prefer = table.strings("prefer", errors);
    let rounds_max = table.number("rounds", errors).unwrap_or(ROUNDS);
    let compares = table.flag("compare", errors).unwrap_or(true);
    table.finish(errors);
    if until.is_none() && !(repeat.is_empty() && prefer.is_empty()) {
        errors.push(error(place.clone(), "`repeat` and `prefer` go with `until`: when is it finished?"));
    }
    let Some(name) = name else {
        errors.push(error(place, "an action needs a `name`"));
        return None;
    };
    Some(ActionForm { place, name, when, events, until, repeat, prefer, rounds_max, compares })
}
