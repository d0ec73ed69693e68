//! Algorithms in `data`, each beside the module that `pcal.trans` 1.12 makes of it; algorithms in `refused`, each beside the
//! message; and damaged ones, which get a message or a translation and never a panic.
#![expect(clippy::disallowed_methods, reason = "a variable says whether expectations are written")]

use std::path::{Path, PathBuf};

use diag::{SourceMap, render};
use pcal::{Options, Status};

/// The modules in a folder beside this file, with their texts, by name.
fn modules(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder is here")
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "tla"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// The module with its translation, or the message.
fn translate(name: &str, text: &str) -> Result<String, String> {
    let mut sources = SourceMap::new();
    let source = sources.add(name, text);
    match pcal::translate(text, source, &Options::default()) {
        Ok(translation) => Ok(translation.map(|translation| translation.module).unwrap_or_default()),
        Err(wrong) => Err(render::text(&sources, &wrong, render::Colour::Plain) + "\n"),
    }
}

#[test]
fn translations_are_those_of_the_tools() {
    for (path, text) in modules("data") {
        let expected = std::fs::read_to_string(path.with_extension("expected")).expect("it was recorded");
        let found =
            translate("Module.tla", &text).unwrap_or_else(|wrong| panic!("{}: {wrong}", path.display()));
        for (number, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
            assert_eq!(found, expected, "{} line {}", path.display(), number + 1);
        }
        assert_eq!(found, expected, "{}", path.display());
        // A second translation changes nothing, and the result is fresh.
        assert_eq!(translate("Module.tla", &found).as_deref(), Ok(found.as_str()));
        let source = SourceMap::new().add("Module.tla", found.as_str());
        assert_eq!(pcal::status(&found, source, &Options::default()), Ok(Status::Fresh));
    }
}

#[test]
fn wrong_algorithms_are_refused_at_their_place() {
    for (path, text) in modules("refused") {
        let found = translate("Module.tla", &text).expect_err(&path.display().to_string());
        let expected_path = path.with_extension("txt");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&expected_path, &found).expect("it can be written");
        }
        let expected = std::fs::read_to_string(&expected_path).expect("it was recorded");
        assert_eq!(found, expected, "{}: UPDATE_EXPECT=1 rewrites the expectation", path.display());
    }
}

#[test]
fn what_was_changed_is_told_apart() {
    let (_, text) = modules("data").remove(0);
    let fresh = translate("Module.tla", &text).expect("it is right");
    let status = |text: &str| {
        let source = SourceMap::new().add("Module.tla", text);
        pcal::status(text, source, &Options::default()).expect("it can be translated")
    };
    assert_eq!(status(&text), Status::Missing);
    assert_eq!(status("---- MODULE M ----\n===="), Status::NoAlgorithm);
    let edited = fresh.replace("Init == ", "Init ==  ");
    assert!(matches!(status(&edited), Status::Edited(_)), "{:?}", status(&edited));
    let stale = fresh.replacen("x := 0", "x := 1", 1);
    assert!(matches!(status(&stale), Status::Stale(_)), "{:?}", status(&stale));
}

/// Removes, doubles or replaces a piece of the text, as `seed` says.
fn damage(text: &str, seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).expect("31 bits") % below.max(1)
    };
    let words: Vec<&str> = text.split_inclusive(|char: char| !char.is_alphanumeric()).collect();
    let begin = words.iter().position(|word| word.contains("algorithm")).unwrap_or(0);
    let at = begin + random(words.len() - begin);
    let other = words[begin + random(words.len() - begin)];
    let mut damaged = words.clone();
    match random(4) {
        0 => drop(damaged.remove(at)),
        1 => damaged.insert(at, other),
        2 => damaged[at] = other,
        _ => damaged.truncate(at),
    }
    damaged.concat()
}

#[test]
fn damaged_algorithms_get_a_message_and_never_a_panic() {
    let mut n_refused = 0;
    for (path, text) in modules("data") {
        for seed in 0..250 {
            let damaged = damage(&text, seed);
            let result = std::panic::catch_unwind(|| translate("Module.tla", &damaged));
            let result = result.unwrap_or_else(|_| panic!("{} with seed {seed}:\n{damaged}", path.display()));
            n_refused += usize::from(result.is_err());
        }
    }
    assert!(n_refused > 300, "{n_refused} were refused");
}
