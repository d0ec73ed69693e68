//! `[[point]]`: places in the program at which threads are held, and observations that need them.

use wire::FileCall;

use super::file::{AtTable, CallName, ObserveTable, PointTable, SystemTable, TextTable, WantedTable};
use super::{Observation, SystemError, error_at};
use crate::points::{At, CallPlace, CodePlace, Condition, Path, Place, Point, ThreadPattern, View};

/// Reads all points of a description.
pub(super) fn check_all(table: &SystemTable) -> Result<Vec<Point>, SystemError> {
    let mut points: Vec<Point> = Vec::new();
    for one in &table.point {
        let point = check(one)?;
        if points.iter().any(|other| other.name == point.name) {
            return Err(error_at(&one.name, format!("there are two points named `{}`", point.name)));
        }
        points.push(point);
    }
    Ok(points)
}

/// Words that say something else where the name of a point may stand.
const TAKEN: [&str; 4] = ["write", "fsync", "rename", "after"];

fn check(table: &PointTable) -> Result<Point, SystemError> {
    let name = table.name.get_ref();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || !name.chars().all(is_word) {
        return Err(error_at(&table.name, "a point's name is made of letters, digits, `_` and `-`"));
    }
    if TAKEN.contains(&name.as_str()) {
        return Err(error_at(
            &table.name,
            format!("`{name}` is a word of its own: the point needs another name"),
        ));
    }
    if let Some(symbol) = &table.symbol {
        let what = "points in functions of native programs do not exist yet: `call` names a call of the system, \
                    `class` and `method` a place in a Java program";
        return Err(error_at(symbol, what));
    }
    let place = match (&table.call, &table.class) {
        (Some(_), None) => Place::Call(check_call(table)?),
        (None, Some(_)) => Place::Code(check_code(table)?),
        (Some(_), Some(_)) | (None, None) => {
            return Err(error_at(&table.name, "a point has either `call`, or `class` and `method`"));
        }
    };
    let thread = table.thread.as_ref().map(|thread| ThreadPattern(thread.clone()));
    Ok(Point { name: name.clone(), thread, place })
}

fn check_call(table: &PointTable) -> Result<CallPlace, SystemError> {
    let has_code = table.method.is_some() || table.at.is_some() || table.arguments.is_some();
    if has_code || !table.when.is_empty() {
        return Err(error_at(&table.name, "`method`, `at`, `arguments` and `when` go with `class`"));
    }
    let call = match table.call {
        Some(CallName::Write) | None => FileCall::Write,
        Some(CallName::Fsync) => FileCall::Sync,
        Some(CallName::Rename) => FileCall::Rename,
    };
    Ok(CallPlace { call, file: table.file.clone(), is_after: table.after })
}

fn check_code(table: &PointTable) -> Result<CodePlace, SystemError> {
    if table.file.is_some() || table.after {
        return Err(error_at(
            &table.name,
            "`file` and `after` go with `call`; `at = \"exit\"` is after a method",
        ));
    }
    let Some(method) = table.method.clone() else {
        return Err(error_at(&table.name, "a point in a class needs `method`"));
    };
    let at = match table.at.as_ref().map(toml::Spanned::get_ref) {
        None => At::Entry,
        Some(AtTable::Line(number)) => At::Line(*number),
        Some(AtTable::Word(word)) if word == "entry" => At::Entry,
        Some(AtTable::Word(word)) if word == "exit" => At::Exit,
        Some(AtTable::Word(_)) => {
            let place = table.at.as_ref().map(toml::Spanned::span);
            return Err(SystemError {
                message: "`at` is \"entry\", \"exit\" or the number of a line".to_owned(),
                place,
            });
        }
    };
    let mut conditions = Vec::new();
    for (path, wanted) in &table.when {
        let parsed = Path::parse(path).map_err(|error| error_at(wanted, error.to_string()))?;
        let wanted = match wanted.get_ref() {
            WantedTable::One(one) => vec![text(one)],
            WantedTable::Any(all) => all.iter().map(text).collect(),
        };
        conditions.push(Condition { path: parsed, wanted });
    }
    let class = table.class.clone().unwrap_or_default();
    Ok(CodePlace { class, method, arguments: table.arguments.clone(), at, conditions })
}

fn text(wanted: &TextTable) -> String {
    match wanted {
        TextTable::Truth(truth) => truth.to_string(),
        TextTable::Number(number) => number.to_string(),
        TextTable::Text(text) => text.clone(),
    }
}

/// Reads an observation of objects of a Java program.
pub(super) fn check_view(
    table: &toml::Spanned<ObserveTable>,
    path: &toml::Spanned<String>,
    points: &[Point],
) -> Result<Observation, SystemError> {
    let parsed = Path::parse(path.get_ref()).map_err(|error| error_at(path, error.to_string()))?;
    let ObserveTable { point, thread, class, .. } = table.get_ref();
    let view = match (point, thread, class) {
        (Some(point), None, None) => {
            let is_it = |known: &Point| known.name == *point && matches!(known.place, Place::Code(_));
            if !points.iter().any(is_it) {
                return Err(error_at(table, format!("there is no point `{point}` in the code")));
            }
            View::Point(point.clone())
        }
        (None, Some(thread), None) => View::Thread(ThreadPattern(thread.clone())),
        (None, None, Some(class)) => View::Class(class.clone()),
        _ => {
            let what = "`java` needs one of `point`, `thread` and `class`: where the path begins";
            return Err(error_at(table, what));
        }
    };
    Ok(Observation::Java { view, path: parsed })
}
