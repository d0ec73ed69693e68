//! Actions that are coarser than what the program does at once: `until`, `repeat` and `prefer` of a mapping.

use crate::sandbox::Sandbox;
use crate::stage_ends::check_nothing_is_left;

/// The third time that its second is over, `a` sends two datagrams to `b`, which writes down what comes and in which order.
const NODE: &str = r#"
import json, socket, sys, time
def tell(seen):
    with open("seen", "w") as file:
        file.write(json.dumps(seen))
tell([])
link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
if sys.argv[1] == "a":
    link.bind(("127.0.0.1", 4301))
    for n in range(3):
        time.sleep(1)
        tell(["tick"] * (n + 1))
    for word in "low", "high":
        link.sendto(json.dumps({"word": word}).encode(), ("127.0.0.1", 4302))
    time.sleep(1000000)
else:
    link.bind(("127.0.0.1", 4302))
    seen = []
    while True:
        seen.append(json.loads(link.recv(1000))["word"])
        tell(seen)
"#;

const SYSTEM: &str = r#"
[start]
command = ["python3", "{system}/node.py", "{name}"]
[[node]]
name = "a"
address = "127.0.0.1:4301"
[[node]]
name = "b"
address = "127.0.0.1:4302"
[observe.seen]
file = "seen"
"#;

const SPEC: &str = r#"---- MODULE Two ----
EXTENDS Sequences, Naturals
Nodes == {"a", "b"}
VARIABLES ticks, taken
Init == ticks = 0 /\ taken = <<>>
Send == ticks = 0 /\ ticks' = 3 /\ UNCHANGED taken
Take == ticks = 3 /\ taken = <<>> /\ taken' = <<"high", "low">> /\ UNCHANGED ticks
Next == Send \/ Take
NothingTaken == taken = <<>>
====
"#;

const MAPPING: &str = r#"
spec = "Two.tla"
nodes = 'Nodes'
begin = ["start all"]
[variables]
ticks = 'Len(real.seen["a"])'
taken = 'real.seen["b"]'
[[action]]
name = "Send"
do = ["tick a"]
until = 'Len(real.seen["a"]) = 3'
repeat = ["tick a"]
[[action]]
name = "Take"
until = 'Len(real.seen["b"]) = 2'
prefer = ['message.body.word = "high"', 'message.from = "a" /\ message.to = "b"']
"#;

fn sandbox(mapping: &str) -> Sandbox {
    let sandbox = Sandbox::new()
        .file("two/node.py", NODE)
        .file("two/system.toml", SYSTEM)
        .file("two/mapping.toml", mapping)
        .file("two/Two.tla", SPEC)
        .file("two/Two.cfg", "INIT Init\nNEXT Next\nINVARIANT NothingTaken\nCHECK_DEADLOCK FALSE\n");
    let found = sandbox.run("check two/Two.tla --trace taken.itf.json");
    assert_eq!(found.code(), Some(12), "{}{}", found.stdout(), found.stderr());
    sandbox
}

#[track_caller]
fn ends(mapping: &str, code: i32, texts: &[&str]) {
    let path = ("PATH", "/usr/local/bin:/usr/bin:/bin");
    let sandbox = sandbox(mapping);
    let temporary = sandbox.path().display().to_string();
    let run = sandbox.run_with("replay taken.itf.json --system two", &[path, ("TMPDIR", &temporary)]);
    check_nothing_is_left(&sandbox);
    let all = format!("{}{}", run.stdout(), run.stderr());
    assert_eq!(run.code(), Some(code), "{all}");
    for text in texts {
        assert!(all.contains(text), "`{text}` is not in\n{all}");
    }
}

#[test]
fn the_most_urgent_message_is_delivered_first_and_events_are_repeated_until_it_is_done() {
    let high_first = "deliver a b 2\n         deliver a b 1";
    ends(MAPPING, 0, &["confirmed: the program violates `NothingTaken`, after 2 steps", high_first]);
}

#[test]
fn without_the_priority_the_program_takes_what_was_sent_first() {
    let mapping = MAPPING.replace("'message.body.word = \"high\"', ", "");
    ends(&mapping, 29, &["diverged at step 2, Take: `taken` differs", r#"program        <<"low", "high">>"#]);
}

#[test]
fn what_no_expression_prefers_is_not_delivered_and_what_is_not_done_in_time_is_told() {
    let mapping = MAPPING.replace("message.to = \"b\"", "message.to = \"a\"");
    ends(&mapping, 30, &["`Take` is not finished"]);
    let mapping = MAPPING.replace("repeat = [\"tick a\"]", "repeat = [\"tick a\"]\nrounds = 1");
    ends(&mapping, 30, &["`Send` is not finished"]);
}
