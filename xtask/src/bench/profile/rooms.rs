//! Assigns instructions to parts of the program.

use super::callgrind::CostPlace;

/// Returns the room of a place. A line of ours belongs to the module it is in, wherever it was inlined; an inlined line
/// of others belongs to the function that it is part of.
pub fn room(place: &CostPlace) -> String {
    own_room(&place.file)
        .or_else(|| own_room(&place.own_file))
        .or_else(|| foreign_room(&place.own_file))
        .unwrap_or_else(|| file_name(&place.object).to_owned())
}

/// Returns a line of source: the file from its crate on, and the number.
pub fn line(place: &CostPlace) -> String {
    let file = &place.file;
    let roots = ["crates/", "/library/", "/registry/src/"];
    let short = roots.iter().find_map(|root| file.rsplit_once(root)).map_or(file.as_str(), |(_, path)| path);
    format!("{short}:{}", place.line)
}

/// Returns `value::ops` for `.../crates/value/src/ops/sets.rs`.
fn own_room(file: &str) -> Option<String> {
    let (_, path) = file.rsplit_once("crates/")?;
    let (name, rest) = path.split_once("/src/")?;
    if name.contains('/') {
        return None;
    }
    let module = rest.split('/').next()?.trim_end_matches(".rs");
    Some(match module {
        "lib" | "main" => name.to_owned(),
        _ => format!("{name}::{module}"),
    })
}

/// Returns `hashbrown` for `.../hashbrown-0.17.1/src/raw.rs`, `core` for `.../library/core/src/slice/mod.rs`.
fn foreign_room(file: &str) -> Option<String> {
    let (folder, _) = file
        .split_once("/src/")
        .filter(|(folder, _)| !folder.contains("/registry"))
        .or_else(|| file.split_once("/registry/src/").and_then(|(_, path)| path.split_once("/src/")))?;
    let name = file_name(folder);
    let is_version = |version: &str| version.starts_with(|first: char| first.is_ascii_digit());
    Some(match name.rsplit_once('-') {
        Some((name, version)) if is_version(version) => name.to_owned(),
        Some(_) | None => name.to_owned(),
    })
}

fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::super::callgrind::CostPlace;
    use super::{line, room};

    const OPS: &str = "/there/specline/crates/value/src/ops/sets.rs";
    const INTERP: &str = "/there/specline/crates/eval/src/interp.rs";
    const SLICE: &str = "/rustc/59807616/library/core/src/slice/mod.rs";
    const TABLE: &str = "/there/.cargo/registry/src/index.crates.io-19/hashbrown-0.17.1/src/raw.rs";

    #[track_caller]
    fn check(own_file: &str, file: &str, expected: &str) {
        let place = CostPlace {
            function: "f".to_owned(),
            own_file: own_file.to_owned(),
            file: file.to_owned(),
            line: 7,
            object: "/usr/lib/libc.so.6".to_owned(),
        };
        assert_eq!(room(&place), expected);
    }

    #[test]
    fn our_lines_belong_to_their_module_wherever_they_are() {
        check(OPS, OPS, "value::ops");
        check(INTERP, OPS, "value::ops");
        check(SLICE, OPS, "value::ops");
        check("crates/check/src/lib.rs", "crates/check/src/lib.rs", "check");
    }

    #[test]
    fn inlined_lines_of_others_belong_to_the_function() {
        check(INTERP, SLICE, "eval::interp");
        check(TABLE, SLICE, "hashbrown");
    }

    #[test]
    fn functions_of_others_have_rooms_of_their_own() {
        check(SLICE, SLICE, "core");
        check(TABLE, TABLE, "hashbrown");
        check("./malloc/./malloc/malloc.c", "./malloc/./malloc/malloc.c", "libc.so.6");
        check("???", "???", "libc.so.6");
    }

    #[test]
    fn a_line_is_named_from_its_crate_on() {
        let named = |file: &str| line(&CostPlace { file: file.to_owned(), line: 7, ..CostPlace::default() });
        assert_eq!(named(OPS), "value/src/ops/sets.rs:7");
        assert_eq!(named(SLICE), "core/src/slice/mod.rs:7");
        assert_eq!(named("malloc.c"), "malloc.c:7");
    }
}
