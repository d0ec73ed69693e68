//! `specline lsp`: the real program, driven as an editor drives it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;
use test_kit::{Editor, Thoroughness, address, visit};

fn specline_program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_specline"))
}

/// A folder with files, and an editor that has it open.
struct Session {
    folder: TempDir,
    editor: Editor,
}

impl Session {
    fn new(files: &[(&str, &str)]) -> Session {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let editor = Editor::start(&specline_program(), &[folder.path()], "utf-8");
        Session { folder, editor }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Opens a file as it is on disk, and returns the codes of the messages about it.
    fn open(&mut self, name: &str) -> Vec<String> {
        let path = self.path(name);
        let text = std::fs::read_to_string(&path).unwrap();
        self.editor.open(&path, &text);
        codes(&self.editor.messages_about(&path, 1))
    }

    fn replace(&mut self, name: &str, version: i64, text: &str) -> Vec<String> {
        let path = self.path(name);
        self.editor.replace(&path, version, text);
        codes(&self.editor.messages_about(&path, version))
    }

    /// Makes a request at the first place of `mark` in a file.
    fn at(&mut self, method: &str, name: &str, mark: &str, more: &Value) -> Result<Value, Value> {
        let path = self.path(name);
        let text = std::fs::read_to_string(&path).unwrap();
        let at = text.find(mark).unwrap();
        let line = text[..at].matches('\n').count();
        let character = at - text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let mut params = json!({
            "textDocument": { "uri": address(&path) },
            "position": { "line": line, "character": character },
        });
        let object = params.as_object_mut().unwrap();
        more.as_object()
            .into_iter()
            .flatten()
            .for_each(|(key, value)| drop(object.insert(key.clone(), value.clone())));
        self.editor.request(method, params)
    }

    fn rename(&mut self, name: &str, mark: &str, new_name: &str) -> Result<Value, String> {
        let answer = self.at("textDocument/rename", name, mark, &json!({ "newName": new_name }));
        answer.map_err(|error| error["message"].as_str().unwrap().to_owned())
    }

    /// The text of a file after the edits of an answer.
    fn edited(&self, name: &str, edit: &Value) -> String {
        let path = self.path(name);
        let text = std::fs::read_to_string(&path).unwrap();
        apply(&text, &edit["changes"][address(&path)])
    }
}

fn codes(messages: &[Value]) -> Vec<String> {
    messages.iter().map(|message| message["code"].as_str().unwrap().to_owned()).collect()
}

/// Applies edits whose positions count bytes.
fn apply(text: &str, edits: &Value) -> String {
    let starts: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let offset = |position: &Value| {
        let line = position["line"].as_u64().unwrap() as usize;
        starts.get(line).map_or(text.len(), |start| start + position["character"].as_u64().unwrap() as usize)
    };
    let mut edits: Vec<(usize, usize, String)> = edits
        .as_array()
        .into_iter()
        .flatten()
        .map(|edit| {
            let range = &edit["range"];
            (offset(&range["start"]), offset(&range["end"]), edit["newText"].as_str().unwrap().to_owned())
        })
        .collect();
    edits.sort();
    let mut made = text.to_owned();
    edits.iter().rev().for_each(|(start, end, new)| made.replace_range(*start..*end, new));
    made
}

const COUNTER: &str = "\
---- MODULE Counter ----
EXTENDS Naturals
CONSTANT Limit \\* how far it counts
VARIABLE n

\\* Where it begins.
Init == n = 0
Next == n < Limit /\\ n' = n + 1
Spec == Init /\\ [][Next]_n
Small == n <= Limit
Even == \\E half \\in 0..Limit : n = half + half
====
";
const COUNTER_CFG: &str =
    "SPECIFICATION Spec\nCONSTANT Limit = 3\nINVARIANT Small\nINVARIANT Even\nCHECK_DEADLOCK FALSE\n";

#[test]
fn messages_come_as_one_types_and_go_again() {
    let mut session = Session::new(&[("Counter.tla", COUNTER)]);
    assert_eq!(session.open("Counter.tla"), Vec::<String>::new());
    let broken = COUNTER.replace("n = 0", "m = 0");
    assert_eq!(session.replace("Counter.tla", 2, &broken), ["SL0301"]);
    assert_eq!(session.replace("Counter.tla", 3, COUNTER), Vec::<String>::new());
    session.editor.finish();
}

#[test]
fn open_texts_are_read_in_place_of_files() {
    let user = "---- MODULE User ----\nEXTENDS Library\nTwice == Double(2)\n====\n";
    let library = "---- MODULE Library ----\nEXTENDS Naturals\n====\n";
    let mut session = Session::new(&[("User.tla", user), ("Library.tla", library)]);
    assert_eq!(session.open("User.tla"), ["SL0301"]);
    session.open("Library.tla");
    let more = library.replace("Naturals\n", "Naturals\nDouble(a) == a + a\n");
    let (user_path, library_path) = (session.path("User.tla"), session.path("Library.tla"));
    session.editor.replace(&library_path, 2, &more);
    // The file on disk is as it was; the message about the other text goes.
    while !session.editor.published[&address(&user_path)].1.is_empty() {
        session.editor.request("workspace/symbol", json!({ "query": "Double" })).unwrap();
    }
    let answer = session.at("textDocument/definition", "User.tla", "Double", &Value::Null).unwrap();
    assert_eq!(answer["uri"], json!(address(&library_path)));
    assert_eq!(answer["range"]["start"], json!({ "line": 2, "character": 0 }));
    session.editor.finish();
}

#[test]
fn hover_shows_definition_level_and_comment() {
    let mut session = Session::new(&[("Counter.tla", COUNTER), ("Counter.cfg", COUNTER_CFG)]);
    session.open("Counter.tla");
    let mut hover = |mark: &str| {
        let answer = session.at("textDocument/hover", "Counter.tla", mark, &Value::Null).unwrap();
        answer["contents"]["value"].as_str().unwrap().to_owned()
    };
    let init = hover("Init /\\");
    assert!(
        init.contains("Init == n = 0") && init.contains("level: state") && init.contains("Where it begins."),
        "{init}"
    );
    assert!(hover("Limit \\*").contains("how far it counts"));
    assert!(hover("half +").contains("a bound name"));
    assert!(hover("\\E half").contains("some element"));
    assert!(hover("Naturals").contains("comes with Specline"));
    session.editor.finish();
}

#[test]
fn a_rename_goes_through_modules_and_configurations() {
    let user = "---- MODULE User ----\nEXTENDS Counter\nBounded == Small /\\ n \\in 0..Limit\n====\n";
    let files = [("Counter.tla", COUNTER), ("Counter.cfg", COUNTER_CFG), ("User.tla", user)];
    let mut session = Session::new(&files);
    session.open("Counter.tla");
    let edit = session.rename("Counter.tla", "Small", "AtMostLimit").unwrap();
    assert_eq!(session.edited("Counter.tla", &edit), COUNTER.replace("Small", "AtMostLimit"));
    assert_eq!(session.edited("Counter.cfg", &edit), COUNTER_CFG.replace("Small", "AtMostLimit"));
    assert_eq!(session.edited("User.tla", &edit), user.replace("Small", "AtMostLimit"));
    let edit = session.rename("Counter.tla", "half +", "h").unwrap();
    assert_eq!(session.edited("Counter.tla", &edit), COUNTER.replace("half", "h"));
    session.editor.finish();
}

#[test]
fn a_rename_that_would_capture_is_refused() {
    let user =
        "---- MODULE User ----\nEXTENDS Counter\nBounded == \\A k \\in 0..Limit : k >= 0\nTaken == n\n====\n";
    let mut session = Session::new(&[("Counter.tla", COUNTER), ("User.tla", user)]);
    session.open("Counter.tla");
    session.open("User.tla");
    // Another definition, a bound name of a module that extends this one, the library, words of the language.
    for (mark, new_name) in
        [("Small", "Next"), ("Small", "Taken"), ("Limit", "k"), ("Small", "Nat"), ("Small", "CHOOSE")]
    {
        let refused = session.rename("Counter.tla", mark, new_name);
        assert!(refused.is_err(), "{mark} to {new_name}: {refused:?}");
    }
    // Names of the library and of modules are not renamed.
    assert!(session.rename("Counter.tla", "Naturals", "Integers").is_err());
    session.editor.finish();
}

#[test]
fn a_rename_that_changes_a_meaning_without_an_error_is_refused() {
    // With `a` renamed to `b`, the implicit substitution of the INSTANCE would find the other variable.
    let inner = "---- MODULE Inner ----\nVARIABLE a\nIs == a\n====\n";
    let outer = "---- MODULE Outer ----\nVARIABLES a, b\nI == INSTANCE Inner\nBoth == I!Is /\\ b\n====\n";
    let mut session = Session::new(&[("Inner.tla", inner), ("Outer.tla", outer)]);
    session.open("Inner.tla");
    // Nothing in `Outer` is written anew, and its INSTANCE would stand for another variable, without any error.
    let refused = session.rename("Inner.tla", "a\nIs", "b");
    assert!(refused.as_ref().is_err_and(|reason| reason.contains("Outer")), "{refused:?}");
    session.editor.finish();
}

const TICK: &str = "\
---- MODULE Tick ----
EXTENDS Naturals
CONSTANT Limit
(* --algorithm Tick {
  variable count = 0;
  { step: while (count < Limit) { count := count + 1 } }
} *)
====
";

#[test]
fn algorithms_are_checked_where_they_stand_and_translated() {
    let mut session = Session::new(&[("Tick.tla", TICK)]);
    assert_eq!(session.open("Tick.tla"), ["SL0608"], "it has no translation");
    let unlabelled = TICK.replace("while (count < Limit) { count := count + 1 }", "count := 1; count := 2");
    assert_eq!(session.replace("Tick.tla", 2, &unlabelled), ["SL0122"]);
    let path = session.path("Tick.tla");
    let message = &session.editor.messages_about(&path, 2)[0];
    assert_eq!(message["range"]["start"]["line"], json!(5), "it is in the algorithm");
    assert_eq!(message["severity"], json!(1));
    // A name that nothing declares is marked in the algorithm, though it is the translation that is resolved.
    let unknown = TICK.replace("count < Limit", "count < Lim");
    let found = session.replace("Tick.tla", 3, &unknown);
    assert!(found.contains(&"SL0301".to_owned()), "{found:?}");
    let messages = session.editor.messages_about(&path, 3);
    let message = messages.iter().find(|message| message["code"] == "SL0301").unwrap();
    assert_eq!(message["range"]["start"], json!({ "line": 5, "character": 25 }));
    session.replace("Tick.tla", 4, TICK);
    let command = json!({ "command": "specline.translate", "arguments": [{ "module": address(&path) }] });
    session.editor.request("workspace/executeCommand", command).unwrap();
    let made = apply(TICK, &session.editor.applied[0]["changes"][address(&path)]);
    assert!(made.contains("BEGIN TRANSLATION (chksum(pcal)"), "{made}");
    assert_eq!(session.replace("Tick.tla", 5, &made), Vec::<String>::new());
    // A name of the algorithm is renamed there and in its translation, which stays fresh.
    std::fs::write(&path, &made).unwrap();
    let edit = session.rename("Tick.tla", "count < Limit", "ticks").unwrap();
    let renamed = session.edited("Tick.tla", &edit);
    assert!(!renamed.contains("count"), "{renamed}");
    assert_eq!(session.replace("Tick.tla", 6, &renamed), Vec::<String>::new());
    session.editor.finish();
}

#[test]
fn messages_with_a_remedy_offer_it() {
    let check = |text: &str, title: &str, expected: &str| {
        let mut session = Session::new(&[("Fix.tla", text)]);
        session.open("Fix.tla");
        let path = session.path("Fix.tla");
        let end = json!({ "line": 99, "character": 0 });
        let params = json!({
            "textDocument": { "uri": address(&path) },
            "range": { "start": { "line": 0, "character": 0 }, "end": end }, "context": { "diagnostics": [] },
        });
        let actions = session.editor.request("textDocument/codeAction", params).unwrap();
        let action = actions.as_array().unwrap().iter().find(|action| action["title"] == title);
        let action = action.unwrap_or_else(|| panic!("{title}: {actions}"));
        assert_eq!(session.edited("Fix.tla", &action["edit"]), expected);
        session.editor.finish();
    };
    let module = |body: &str| format!("---- MODULE Fix ----\n{body}\n====\n");
    let (text, fixed) = (module("A == Len(<<1>>)"), module("EXTENDS Sequences\nA == Len(<<1>>)"));
    check(&text, "add `Sequences` to EXTENDS", &fixed);
    let (text, fixed) = (module("EXTENDS TLC\nA == 1 + 1"), module("EXTENDS TLC, Naturals\nA == 1 + 1"));
    check(&text, "add `Naturals` to EXTENDS", &fixed);
    let (text, fixed) = (module("VARIABLE inbox\nA == inbix"), module("VARIABLE inbox\nA == inbox"));
    check(&text, "change to `inbox`", &fixed);
    let (text, fixed) = (module("F(n) == F(n)"), module("RECURSIVE F(_)\nF(n) == F(n)"));
    check(&text, "declare `RECURSIVE F(_)`", &fixed);
    let text = module("(* --algorithm A { variable x = 0; { one: x := 1; x := 2 } } *)");
    let fixed = text.replace("; x := 2", "; Lbl_1: x := 2");
    check(&text, "add the label `Lbl_1`", &fixed);
}

#[test]
fn completion_knows_names_members_and_modules_that_are_not_extended() {
    let text = "---- MODULE Use ----\nEXTENDS Naturals\nVARIABLE counter\nI == INSTANCE Part\nA(param) == c\nB == I!P\n====\n";
    let part = "---- MODULE Part ----\n\\* The part.\nPiece == 1\nLOCAL Hidden == 2\n====\n";
    let mut session = Session::new(&[("Use.tla", text), ("Part.tla", part)]);
    session.open("Use.tla");
    let labels = |answer: Value| -> Vec<String> {
        answer["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["label"].as_str().unwrap().to_owned())
            .collect()
    };
    let at = |session: &mut Session, mark| {
        session.at("textDocument/completion", "Use.tla", mark, &Value::Null).unwrap()
    };
    let names = labels(at(&mut session, "\nB =="));
    for name in ["counter", "param", "A", "I", "Nat", "CHOOSE", "Append"] {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
    }
    assert_eq!(labels(at(&mut session, "\n====")), ["Piece"]);
    let all = at(&mut session, "\nB ==");
    let append = all["items"].as_array().unwrap().iter().find(|item| item["label"] == "Append").unwrap();
    assert_eq!(append["additionalTextEdits"][0]["newText"], ", Sequences");
    let resolved = session.editor.request("completionItem/resolve", append.clone()).unwrap();
    let comment = resolved["documentation"]["value"].as_str().unwrap();
    assert!(comment.contains("added at its end"), "{comment}");
    session.editor.finish();
}

#[test]
fn lenses_check_a_model_and_show_the_result_at_the_property() {
    let mut session = Session::new(&[("Counter.tla", COUNTER), ("Counter.cfg", COUNTER_CFG)]);
    session.open("Counter.tla");
    let path = session.path("Counter.tla");
    let document = json!({ "textDocument": { "uri": address(&path) } });
    let titles = |session: &mut Session| -> Vec<(u64, String)> {
        let lenses = session.editor.request("textDocument/codeLens", document.clone()).unwrap();
        let one = |lens: &Value| {
            (
                lens["range"]["start"]["line"].as_u64().unwrap(),
                lens["command"]["title"].as_str().unwrap().to_owned(),
            )
        };
        lenses.as_array().unwrap().iter().map(one).collect()
    };
    let check = "▶ check Counter.cfg".to_owned();
    assert_eq!(titles(&mut session), [(0, check.clone()), (9, check.clone()), (10, check.clone())]);
    let arguments = json!([{ "module": address(&path), "config": address(&session.path("Counter.cfg")) }]);
    let command = json!({ "command": "specline.check", "arguments": arguments });
    let answer = session.editor.request("workspace/executeCommand", command.clone()).unwrap();
    assert_eq!((&answer["verdict"], &answer["property"]), (&json!("violated"), &json!("Even")));
    let page = std::fs::read_to_string(answer["trace_page"].as_str().unwrap()).unwrap();
    assert!(page.contains("<html"));
    let again = " · check Counter.cfg again";
    let found = titles(&mut session);
    assert_eq!(found[0], (0, format!("✗ violated Even after 2 states{again}")));
    assert!(found[1].1.starts_with("? Even is violated first"), "{found:?}");
    assert_eq!(found[2], (10, format!("✗ violated after 2 states{again}")));
    // The verdict is one about the files as they were.
    let path = session.path("Counter.tla");
    session.editor.replace(&path, 2, &COUNTER.replace("half + half", "half"));
    assert_eq!(titles(&mut session)[2], (10, check));
    let unsaved = session.editor.request("workspace/executeCommand", command.clone()).unwrap_err();
    assert!(unsaved["message"].as_str().unwrap().contains("save"), "{unsaved}");
    std::fs::write(&path, COUNTER.replace("half + half", "half")).unwrap();
    let answer = session.editor.request("workspace/executeCommand", command).unwrap();
    assert_eq!(answer["verdict"], json!("holds"));
    assert_eq!(titles(&mut session)[2].1, format!("✓ holds · 4 states{again}"));
    session.editor.finish();
}

#[test]
fn configurations_have_messages_names_and_lenses() {
    let config = COUNTER_CFG.replace("Even", "Evem");
    let mut session = Session::new(&[("Counter.tla", COUNTER), ("Counter_big.cfg", &config)]);
    let found = session.open("Counter_big.cfg");
    assert_eq!(found, ["SL0505"], "the configuration is for the module whose name it begins with");
    let answer = session.at("textDocument/definition", "Counter_big.cfg", "Small", &Value::Null).unwrap();
    assert_eq!(answer["range"]["start"], json!({ "line": 9, "character": 0 }));
    let hover = session.at("textDocument/hover", "Counter_big.cfg", "Limit", &Value::Null).unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains("how far it counts"));
    session.editor.finish();
}

#[test]
fn positions_are_those_that_the_editor_counts() {
    let text = "---- MODULE M ----\nA == \"𝔹é\" = B0\nB == 1\n====\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("M.tla");
    std::fs::write(&path, text).unwrap();
    for (encoding, expected) in [("utf-16", 13), ("utf-8", 16), ("utf-32", 12)] {
        let mut editor = Editor::start(&specline_program(), &[folder.path()], encoding);
        assert_eq!(editor.abilities["capabilities"]["positionEncoding"], encoding);
        editor.open(&path, text);
        let messages = editor.messages_about(&path, 1);
        assert_eq!(messages[0]["range"]["start"]["character"], json!(expected), "{encoding}");
        editor.finish();
    }
}

#[test]
fn nonsense_is_answered_and_the_server_goes_on() {
    let mut session = Session::new(&[("Counter.tla", COUNTER)]);
    session.open("Counter.tla");
    let code = |answer: Result<Value, Value>| answer.unwrap_err()["code"].as_i64().unwrap();
    let editor = &mut session.editor;
    assert_eq!(code(editor.request("textDocument/nothing", json!({}))), -32601);
    assert_eq!(code(editor.request("textDocument/hover", json!({ "position": "here" }))), -32602);
    let elsewhere = json!({ "textDocument": { "uri": "file:///nowhere.tla" }, "position": { "line": 0, "character": 0 } });
    assert_eq!(code(editor.request("textDocument/hover", elsewhere)), -32803);
    editor.notify("textDocument/didChange", json!({ "textDocument": 7 }));
    editor.notify("$/cancelRequest", json!({ "id": 12345 }));
    editor.notify("specline/nothing", json!(null));
    let path = session.folder.path().join("Counter.tla");
    let far = json!({ "textDocument": { "uri": address(&path) }, "position": { "line": 4_000_000, "character": 4_000_000 } });
    for method in ["hover", "definition", "completion", "documentHighlight", "prepareRename"] {
        session.editor.request(&format!("textDocument/{method}"), far.clone()).unwrap();
    }
    session.editor.finish();
}

#[test]
fn damaged_modules_are_survived() {
    let sources = test_kit::files_here(Path::new("../../suite/large"), "tla");
    let mut session = Session::new(&[("Damaged.tla", COUNTER)]);
    let path = session.path("Damaged.tla");
    session.editor.open(&path, COUNTER);
    let mut random = test_kit::Rng::new(29);
    for (version, source) in (2..).zip(sources.iter().cycle().take(40)) {
        let text = std::fs::read_to_string(source).unwrap();
        let damaged = test_kit::mutate(&text, &["LET", "/\\", "====", "(*", "MODULE"], &mut random);
        session.editor.replace(&path, version, &damaged);
        let document = json!({ "textDocument": { "uri": address(&path) } });
        for method in ["documentSymbol", "foldingRange", "semanticTokens/full", "codeLens"] {
            session.editor.request(&format!("textDocument/{method}"), document.clone()).unwrap();
        }
    }
    assert!(session.editor.shown.is_empty(), "{:?}", session.editor.shown);
    session.editor.finish();
}

#[test]
fn every_request_is_answered_on_modules_of_the_repository() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let modules: Vec<PathBuf> = [
        "suite/protocols",
        "suite/modules",
        "suite/operators",
        "suite/liveness",
        "suite/lang",
        "bench/models",
        "specs/etcd",
    ]
    .iter()
    .flat_map(|folder| modules_in(&root.join(folder)))
    .collect();
    assert!(modules.len() > 20, "{modules:?}");
    let mut editor = Editor::start(&specline_program(), &[], "utf-8");
    let (mut wrong, mut n_definitions) = (Vec::new(), 0);
    for path in modules.iter().step_by(4) {
        let visit = visit(&mut editor, path, Thoroughness { n_names_max: 20, n_wide_max: 1 });
        n_definitions += visit.n_definitions;
        wrong.extend(visit.wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_definitions > 100, "{n_definitions}");
    editor.finish();
}

fn modules_in(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "tla"))
        .collect();
    found.sort();
    found
}

/// Neovim is a real editor, and it has a client of its own.
#[test]
fn neovim_shows_messages_and_definitions() {
    let broken = COUNTER.replace("n = 0", "m = 0");
    let session = Session::new(&[("Counter.tla", &broken)]);
    let script = session.path("drive.lua");
    std::fs::write(&script, include_str!("../data/lsp/drive.lua")).unwrap();
    let ended = Command::new("nvim")
        .args(["--headless", "--clean", "-n"])
        .arg(session.path("Counter.tla"))
        .arg("-c")
        .arg(format!("luafile {}", script.display()))
        .env("SPECLINE", specline_program())
        .env("SPECLINE_FOLDER", session.folder.path())
        .output()
        .unwrap();
    let said =
        format!("{}{}", String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    assert!(ended.status.success(), "{said}");
    assert!(said.contains("message: `m` is not defined"), "{said}");
    assert!(said.contains("definition: line 7"), "{said}");
    assert!(said.contains("hover: Init == m = 0"), "{said}");
    assert!(said.contains("formatted: true"), "{said}");
    session.editor.finish();
}
