//! The language server, driven as an editor drives it: every request on every module of some folders, its answers beside
//! what the resolver says; then keystrokes in a module of 2,000 lines, how long each takes, and what memory they leave.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use base::{Clock, SystemClock};
use serde_json::json;
use test_kit::{Editor, Rng, Thoroughness, Visit, address, visit};

use crate::walk;

/// How much is asked about each module.
const THOROUGHNESS: Thoroughness = Thoroughness { n_names_max: 400, n_wide_max: 2 };
/// Number of lines of the module that is edited.
const N_LINES: usize = 2000;
/// Edits before memory is looked at for the first time.
const N_WARM: u64 = 1000;
/// The growth of memory that counts as none: pages that come and go.
const GROWTH_MAX: u64 = 24 << 20;

/// Visits all modules below `folders`, and edits a long one.
pub fn run(program: &Path, folders: &[PathBuf], (n_edits, seed): (u64, u64)) -> Result<bool> {
    let visited = visit_all(program, folders)?;
    let edited = edit(program, n_edits, seed)?;
    Ok(visited && edited)
}

fn visit_all(program: &Path, folders: &[PathBuf]) -> Result<bool> {
    let clock = SystemClock::start();
    let mut total = Visit::default();
    let mut n_modules = 0;
    for folder in folders {
        let mut editor = Editor::start(program, &[folder], "utf-8");
        let modules = walk::files(folder, &["node_modules"]);
        for path in modules.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "tla"))
        {
            let visit = visit(&mut editor, &path, THOROUGHNESS);
            n_modules += 1;
            total.n_requests += visit.n_requests;
            total.n_definitions += visit.n_definitions;
            total.n_references += visit.n_references;
            total.n_renamed += visit.n_renamed;
            total.n_refused += visit.n_refused;
            visit.wrong.iter().for_each(|wrong| println!("{wrong}"));
            total.wrong.extend(visit.wrong);
        }
        let bugs = editor.shown.iter().filter(|text| text.contains("a bug in specline")).count();
        println!("{}: {bugs} bugs reported, {} MB resident", folder.display(), editor.resident_bytes() >> 20);
        editor.finish();
    }
    println!(
        "{n_modules} modules, {} requests in {} s; {} definitions and {} references as the resolver has them, but for {}; {} renames, {} refused",
        total.n_requests,
        clock.elapsed().as_secs(),
        total.n_definitions,
        total.n_references,
        total.wrong.len(),
        total.n_renamed,
        total.n_refused,
    );
    Ok(total.wrong.is_empty())
}

/// A module of `N_LINES` lines in which definitions use those before them, as in specifications of systems.
fn long_module() -> String {
    let mut text = String::from("---- MODULE Long ----\nEXTENDS Naturals, Sequences, FiniteSets, TLC\n");
    text.push_str("CONSTANTS Nodes, Limit\nVARIABLES queue, state, sent\nvars == <<queue, state, sent>>\n");
    let mut number = 0;
    while text.matches('\n').count() < N_LINES - 8 {
        let before = if number == 0 { "TRUE".to_owned() } else { format!("Step{}(n)", number - 1) };
        let _ = write!(
            text,
            "Step{number}(n) ==\n  /\\ state[n] = \"s{number}\"\n  /\\ Len(queue[n]) < Limit\n  /\\ \\E m \\in Nodes \\ {{n}} :\n       /\\ queue' = [queue EXCEPT ![m] = Append(@, [from |-> n, kind |-> {number}])]\n       /\\ sent' = sent \\cup {{<<n, m, {number}>>}}\n  /\\ state' = [state EXCEPT ![n] = IF Cardinality(sent) > {number} THEN \"done\" ELSE @]\n  /\\ {before} \\/ TRUE\n\n"
        );
        number += 1;
    }
    text.push_str(
        "Init == queue = [n \\in Nodes |-> <<>>] /\\ state = [n \\in Nodes |-> \"s0\"] /\\ sent = {}\n",
    );
    let _ = writeln!(text, "Next == \\E n \\in Nodes : Step{}(n)", number - 1);
    text.push_str("Spec == Init /\\ [][Next]_vars\n====\n");
    text
}

fn is_error(message: &serde_json::Value) -> bool {
    message["severity"] == json!(1)
}

/// Types and removes single characters, and waits for the messages of each, which differ.
pub fn edit(program: &Path, n_edits: u64, seed: u64) -> Result<bool> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let path = folder.path().join("Long.tla");
    let text = long_module();
    std::fs::write(&path, &text).context("cannot write the module")?;
    let places: Vec<usize> = text.match_indices("Len(queue").map(|(at, _)| at).collect();
    let mut editor = Editor::start(program, &[folder.path()], "utf-8");
    editor.open(&path, &text);
    let at_rest = editor.messages_about(&path, 1);
    anyhow::ensure!(!at_rest.iter().any(is_error), "the module has errors: {at_rest:?}");
    let (clock, mut random) = (SystemClock::start(), Rng::new(seed));
    let mut times: Vec<Duration> = Vec::new();
    let mut warm = 0;
    let mut place = json!(null);
    for round in 0..n_edits {
        let begun = clock.elapsed();
        // Typing an `x` in front of a name makes it unknown, and removing it mends that.
        if round % 2 == 0 {
            let at = random.pick(&places);
            let before = &text[..at];
            let start = before.rfind('\n').map_or(0, |newline| newline + 1);
            let position = json!({ "line": before.matches('\n').count(), "character": at - start });
            place = json!({ "start": position, "end": position });
            editor.change(&path, round as i64 + 2, json!([{ "range": place, "text": "x" }]));
        } else {
            let mut range = place.clone();
            range["end"]["character"] = json!(range["start"]["character"].as_u64().unwrap_or(0) + 1);
            editor.change(&path, round as i64 + 2, json!([{ "range": range, "text": "" }]));
        }
        let messages = editor.messages_about(&path, round as i64 + 2);
        let is_right = if round % 2 == 0 { messages.iter().any(is_error) } else { messages == at_rest };
        anyhow::ensure!(is_right, "edit {round} leaves {messages:?}");
        times.push(clock.elapsed() - begun);
        if round + 1 == N_WARM.min(n_edits) {
            warm = editor.resident_bytes();
        }
    }
    let resident = editor.resident_bytes();
    let hover = clock.elapsed();
    let position = json!({ "textDocument": { "uri": address(&path) }, "position": place["start"] });
    let asked = editor.request("textDocument/hover", position);
    anyhow::ensure!(asked.is_ok(), "a hover has no answer: {asked:?}");
    let hover = clock.elapsed() - hover;
    editor.finish();
    times.sort();
    let at = |part: usize| {
        times.get((times.len() * part / 1000).min(times.len().saturating_sub(1))).copied().unwrap_or_default()
    };
    println!(
        "{n_edits} keystrokes in {} lines: messages after {:.1} ms (median), {:.1} ms (99 %), {:.1} ms (worst); a hover {:.1} ms",
        text.lines().count(),
        at(500).as_secs_f64() * 1e3,
        at(990).as_secs_f64() * 1e3,
        at(1000).as_secs_f64() * 1e3,
        hover.as_secs_f64() * 1e3,
    );
    println!(
        "resident: {} MB after {} edits, {} MB after all",
        warm >> 20,
        N_WARM.min(n_edits),
        resident >> 20
    );
    Ok(resident <= warm + GROWTH_MAX)
}
