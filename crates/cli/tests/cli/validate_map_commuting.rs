//! `specline validate SPEC --map`, where events are in no total order: those that commute are tried in one order only, and no
//! answer depends on that.

use std::fmt::Write as _;

use serde_json::Value;

use crate::sandbox::{Run, Sandbox};

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn pick<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.roll(all.len())]
    }
}

const GUARDS: [&str; 10] = [
    "TRUE",
    "TRUE",
    "TRUE",
    "x[i] < 2",
    "x[j] = 0",
    "c = 0",
    "Len(y[i][j]) < 2",
    "<<j, i>> \\in s",
    "<<i, j>> \\notin s",
    "\\A n \\in Node : x[n] < 2",
];
const STEPS_OF_X: [&str; 10] = [
    "x' = x",
    "UNCHANGED x",
    "x' = [x EXCEPT ![i] = (@ + 1) % 3]",
    "x' = [x EXCEPT ![i] = x[j]]",
    "x' = [x EXCEPT ![j] = 1]",
    "x' = [n \\in Node |-> IF n = i THEN 2 ELSE x[n]]",
    "x' = IF c > 0 THEN [x EXCEPT ![i] = 0] ELSE x",
    "\\E v \\in {0, 2} : x' = [x EXCEPT ![i] = v]",
    "\\E k \\in Node : x[k] = 0 /\\ x' = [x EXCEPT ![k] = x[i]]",
    "\\A k \\in {i} : x' = [x EXCEPT ![k] = 1]",
];
const STEPS_OF_Y: [&str; 7] = [
    "UNCHANGED y",
    "UNCHANGED y",
    "y' = [y EXCEPT ![i][j] = Append(@, x[i])]",
    "y' = Put(y, i, j, 7)",
    "y[j][i] # <<>> /\\ y' = [y EXCEPT ![j][i] = Tail(@)]",
    "y' = Put(Put(y, i, j, 1), j, i, 2)",
    "y' = [y EXCEPT ![i] = [n \\in Node |-> IF n = j THEN <<>> ELSE @[n]]]",
];
const STEPS_OF_S: [&str; 8] = [
    "UNCHANGED s",
    "UNCHANGED <<s>>",
    "s' = s \\cup {<<i, j>>}",
    "s' = s \\cup {<<i, IF x[i] = 0 THEN i ELSE j>>}",
    "<<j, i>> \\in s /\\ s' = s \\ {<<j, i>>}",
    "s' = {t \\in s : t[1] # i}",
    "s' = IF <<i, j>> \\in s THEN s ELSE s \\cup {<<i, i>>}",
    "s' = (s \\ {<<j, i>>}) \\cup {<<i, IF y[i][j] = <<>> THEN \"a\" ELSE \"b\">>}",
];
const STEPS_OF_C: [&str; 5] = ["UNCHANGED c", "UNCHANGED c", "c' = c", "c' = (c + 1) % 3", "c' = x[i]"];

fn spec(dice: &mut Dice) -> String {
    let mut text = String::from(
        "---- MODULE Any ----\nEXTENDS Naturals, Sequences\nVARIABLES x, y, s, c\nNode == {\"a\", \"b\", \"d\"}\n\
         Put(q, i, j, m) == IF Len(q[i][j]) < 3 THEN [q EXCEPT ![i][j] = Append(@, m)] ELSE q\n\
         Init == x = [n \\in Node |-> 0] /\\ y = [n \\in Node |-> [m \\in Node |-> <<>>]] /\\ s = {} /\\ c = 0\n",
    );
    for number in 1..=3 {
        let parts = [
            dice.pick(&GUARDS),
            dice.pick(&STEPS_OF_X),
            dice.pick(&STEPS_OF_Y),
            dice.pick(&STEPS_OF_S),
            dice.pick(&STEPS_OF_C),
        ];
        let _ = writeln!(text, "A{number}(i, j) ==");
        parts.iter().for_each(|part| {
            let _ = writeln!(text, "  /\\ {part}");
        });
    }
    text += "Next == \\E i, j \\in Node : A1(i, j) \\/ A2(i, j) \\/ A3(i, j)\nLow == c < 2\n====\n";
    text
}

fn map(dice: &mut Dice, has_every_order: bool) -> String {
    let mut text = format!(
        "[log]\nkind = \"e\"\nnode = \"i\"\n[order]\nby = \"vector\"\nclock = \"v\"\n\
         [bind]\ni = \"event.i\"\nj = \"event.j\"\n[search]\nevery-order = {has_every_order}\n"
    );
    let second = dice.pick(&["\"A2\"", "[\"A2\", \"A1\"]", "[[\"A1\", \"A2\"]]", "[\"A2\", \"stutter\"]"]);
    for (kind, action) in [("k1", "\"A1\""), ("k2", second), ("k3", "\"A3\"")] {
        let after = "'event.x = 9 \\/ x[event.i] = event.x'";
        let _ = writeln!(text, "[[event]]\nkind = \"{kind}\"\naction = {action}\nafter = {after}");
    }
    if dice.roll(3) == 0 {
        text += "[[silent]]\naction = \"A3\"\nper-gap = 1\ntotal = 2\n";
    }
    text
}

/// Up to four events at each of three nodes, each with a vector clock.
fn log(dice: &mut Dice) -> String {
    let nodes = ["a", "b", "d"];
    let mut text = String::new();
    for (index, node) in nodes.iter().enumerate() {
        let other = nodes[(index + 1) % 3];
        for number in 1..=dice.roll(4) + 1 {
            let seen = if dice.roll(3) == 0 { dice.roll(number) } else { 0 };
            let (kind, j) = (dice.pick(&["k1", "k2", "k3"]), dice.pick(&nodes));
            let x = dice.pick(&["9", "9", "9", "9", "9", "9", "0", "1", "2"]);
            let clock = format!("{{\"{node}\":{number},\"{other}\":{seen}}}");
            let _ =
                writeln!(text, "{{\"e\":\"{kind}\",\"i\":\"{node}\",\"j\":\"{j}\",\"x\":{x},\"v\":{clock}}}");
        }
    }
    text
}

/// Returns the report of each run without the number of tries, and that number.
fn told(run: &Run) -> Vec<(Value, u64)> {
    let objects = run.stdout().lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let about_runs = objects.filter(|object| object["kind"] == "validation");
    let split = |mut object: Value| {
        let tried = object["tried"].take().as_u64().unwrap_or(0);
        (object, tried)
    };
    about_runs.map(split).collect()
}

const N_SPECS: u64 = 16;
const N_LOGS: usize = 12;

#[test]
fn whether_orders_are_left_out_changes_no_answer() {
    let (mut n_accepted, mut n_rejected, mut n_fewer) = (0, 0, 0);
    for seed in 0..N_SPECS {
        let mut dice = Dice(seed * 7_919 + 5);
        let (spec, has_property) = (spec(&mut dice), dice.roll(2) == 0);
        let config = format!("INIT Init\nNEXT Next\n{}", if has_property { "INVARIANT Low\n" } else { "" });
        let mut logs = Vec::new();
        for _ in 0..N_LOGS {
            logs.push(log(&mut dice));
        }
        let [once, every] = [false, true].map(|has_every_order| {
            let map = map(&mut Dice(seed), has_every_order);
            let mut sandbox =
                Sandbox::new().file("Any.tla", &spec).file("Any.cfg", &config).file("map.toml", map);
            let mut line = "validate Any.tla --map map.toml --format json --workers 1 --log".to_owned();
            for (number, log) in logs.iter().enumerate() {
                sandbox = sandbox.file(&format!("run{number}/all.ndjson"), log);
                let _ = write!(line, " run{number}");
            }
            told(&sandbox.run(&line))
        });
        assert_eq!((once.len(), every.len()), (N_LOGS, N_LOGS), "{seed}\n{spec}");
        for ((once, n_once), (every, n_every)) in once.into_iter().zip(every) {
            assert_eq!(once, every, "{seed}\n{spec}");
            n_accepted += usize::from(once["verdict"] != "rejected");
            n_rejected += usize::from(once["verdict"] == "rejected");
            assert!(n_once <= n_every, "{seed}: {n_once} and {n_every}");
            n_fewer += usize::from(n_once < n_every);
        }
    }
    let all = (n_accepted, n_rejected, n_fewer);
    assert!(n_accepted > 20 && n_rejected > 20 && n_fewer > 20, "{all:?}");
}

const APART: &str = "---- MODULE Apart ----
EXTENDS Naturals
VARIABLES x
Node == 1..4
Init == x = [n \\in Node |-> 0]
Work(n) == x' = [x EXCEPT ![n] = @ + 1]
Next == \\E n \\in Node : Work(n)
====
";

/// Nodes that have nothing to do with each other, the last event of one of which is wrong.
fn apart(has_every_order: bool) -> Value {
    let map = format!(
        "[log]\nkind = \"e\"\nnode = \"n\"\n[order]\nby = \"vector\"\nclock = \"v\"\n[search]\nevery-order = {has_every_order}\n\
         [[event]]\nkind = \"work\"\naction = \"Work\"\nbind = {{ n = \"event.n\" }}\nafter = {{ \"x[event.n]\" = \"event.x\" }}\n"
    );
    let mut text = String::new();
    for number in 1..=6 {
        for node in 1..=4 {
            let x = if (node, number) == (3, 6) { 7 } else { number };
            let _ = writeln!(text, "{{\"e\":\"work\",\"n\":{node},\"x\":{x},\"v\":{{\"{node}\":{number}}}}}");
        }
    }
    let sandbox = Sandbox::new()
        .file("Apart.tla", APART)
        .file("Apart.cfg", "INIT Init\nNEXT Next\n")
        .file("map.toml", map)
        .file("run.ndjson", text);
    let run = sandbox.run("validate Apart.tla --map map.toml --format json --log run.ndjson");
    run.ends_with(28);
    told(&run)
        .pop()
        .map(|(told, tried)| serde_json::json!({ "told": told, "tried": tried }))
        .unwrap_or_default()
}

#[test]
fn nodes_that_have_nothing_to_do_with_each_other_are_followed_one_by_one() {
    let (once, every) = (apart(false), apart(true));
    assert_eq!(once["told"], every["told"]);
    assert_eq!(once["told"]["explained"], 23);
    // Every event once; and each step of each cut, of which there are 7 * 7 * 7 * 6.
    assert!(once["tried"].as_u64() <= Some(25), "{once}");
    assert!(every["tried"].as_u64() > Some(2_000), "{every}");
}

/// How a variable gets its next value, though no `x'` stands before the `=`.
const OTHER_NAMES: [(&str, &str); 9] = [
    ("Set(v, e) == v' = e", "Set(x, 1)"),
    ("Set(v, e) == v' \\in {e}", "Set(x, 1)"),
    ("Same(v, e) == v = e", "Same(x', 1)"),
    ("Other == x", "Other' = 1"),
    ("Later == x'", "Later = 1"),
    ("Do(Op(_)) == Op(x)\nOne(v) == v' = 1", "Do(One)"),
    ("Do(Op(_)) == Op(x)", "Do(LAMBDA v : LET w == v IN w' = 1)"),
    ("Other == x\nSub == INSTANCE Sub WITH w <- Other", "Sub!One"),
    ("Sub(w) == INSTANCE Sub", "Sub(x)!One"),
];

/// The search itself finds that one of two has to come first, and not only when it is looked how far a rejected log goes:
/// that would be given up where the log is long.
#[test]
fn what_is_changed_by_another_name_is_changed() {
    let log = "{\"e\":\"Read\",\"i\":\"a\",\"v\":{\"a\":1}}\n{\"e\":\"Write\",\"i\":\"b\",\"v\":{\"b\":1}}\n";
    for (definitions, write) in OTHER_NAMES {
        let spec = format!(
            "---- MODULE Any ----\nVARIABLES x, y\n{definitions}\nInit == x = 0 /\\ y = 0\n\
             Read == x = 1 /\\ y' = 1 /\\ x' = x\nWrite == {write} /\\ y' = y\nNext == Read \\/ Write\n====\n"
        );
        let [once, every] = [false, true].map(|has_every_order| {
            let map = format!(
                "[log]\nkind = \"e\"\nnode = \"i\"\n[order]\nby = \"vector\"\nclock = \"v\"\n\
                 [search]\nevery-order = {has_every_order}\n[[event]]\nkind = \"Read\"\naction = \"Read\"\n\
                 [[event]]\nkind = \"Write\"\naction = \"Write\"\n"
            );
            let sandbox = Sandbox::new()
                .file("Any.tla", &spec)
                .file("Any.cfg", "INIT Init\nNEXT Next\n")
                .file("Sub.tla", "---- MODULE Sub ----\nVARIABLE w\nOne == w' = 1\n====\n")
                .file("map.toml", map)
                .file("run.ndjson", log);
            told(&sandbox.run("validate Any.tla --map map.toml --format json --log run.ndjson"))
        });
        assert_eq!(once, every, "{spec}");
        assert_eq!(once[0].0["verdict"], "accepted", "{spec}");
    }
}
