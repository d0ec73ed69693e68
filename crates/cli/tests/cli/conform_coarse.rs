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
[observe.count]
file = "seen"
read = ["python3", "-c", "import json, sys; print(len(json.load(sys.stdin)))"]
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

fn sandbox(system: &str, mapping: &str) -> Sandbox {
    let sandbox = Sandbox::new()
        .file("two/node.py", NODE)
        .file("two/system.toml", system)
        .file("two/mapping.toml", mapping)
        .file("two/Two.tla", SPEC)
        .file("two/Two.cfg", "INIT Init\nNEXT Next\nINVARIANT NothingTaken\nCHECK_DEADLOCK FALSE\n");
    let found = sandbox.run("check two/Two.tla --trace taken.itf.json");
    assert_eq!(found.code(), Some(12), "{}{}", found.stdout(), found.stderr());
    sandbox
}

#[track_caller]
fn ends(mapping: &str, code: i32, texts: &[&str]) {
    ends_with(SYSTEM, mapping, code, texts);
}

#[track_caller]
fn ends_with(system: &str, mapping: &str, code: i32, texts: &[&str]) {
    let path = ("PATH", "/usr/local/bin:/usr/bin:/bin");
    let sandbox = sandbox(system, mapping);
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

#[test]
fn what_is_seen_may_be_read_by_a_command() {
    let mapping = MAPPING.replace("Len(real.seen[\"a\"])", "real.count[\"a\"]");
    ends(&mapping, 0, &["confirmed: the program violates `NothingTaken`, after 2 steps"]);
}

#[test]
fn nodes_may_have_other_names_in_the_system() {
    let mapping = MAPPING.replace("'Nodes'", r#"'[n \in {7, 8} |-> IF n = 7 THEN "a" ELSE "b"]'"#);
    let mapping =
        mapping.replace("real.seen[\"a\"]", "real.seen[7]").replace("real.seen[\"b\"]", "real.seen[8]");
    let mapping =
        mapping.replace(r#"message.from = "a" /\ message.to = "b""#, r"message.from = 7 /\ message.to = 8");
    let mapping = mapping.replace("[\"tick a\"]", "['tick {7}']");
    ends(&mapping, 0, &["confirmed: the program violates `NothingTaken`, after 2 steps"]);
    let mapping = MAPPING.replace("'Nodes'", r#"'[n \in {7, 8} |-> "a"]'"#);
    ends(&mapping, 151, &["the mapping calls both 7 and 8 `a`"]);
    let mapping = MAPPING.replace("'Nodes'", r#"'[n \in {7, 8} |-> "c"]'"#);
    ends(
        &mapping,
        151,
        &["the specification has a node 7, and the system has none of that name: it has a, b"],
    );
}

#[test]
fn a_property_that_the_program_does_not_decide_is_not_confirmed() {
    let mapping = MAPPING.replace("begin =", "unconfirmed = ['NothingTaken']\nbegin =");
    ends(&mapping, 30, &["the mapping says that the values of the program do not decide `NothingTaken`"]);
}

#[test]
fn a_part_is_for_compositions() {
    let part = "[[part]]\nof = 'm.fine'\n[part.variables]\nticks = 'real.seen'\n";
    ends(&format!("{MAPPING}{part}"), 0, &["confirmed: the program violates `NothingTaken`, after 2 steps"]);
}

/// The node that takes waits at a point before it writes; whoever waits there is known to expressions.
#[test]
fn points_at_which_threads_wait_are_known_to_expressions() {
    let system = format!("{SYSTEM}[[point]]\nname = \"told\"\ncall = \"write\"\nfile = \"seen\"\n");
    let take = r#"name = "Take"
do = ["hold b told"]
repeat = ['release {{n \in Nodes : "told" \in real.held[n]}} told']"#;
    let mapping = MAPPING.replace("name = \"Take\"", take);
    let held = "hold b told\n         deliver a b 2\n         deliver a b 1\n         release b told";
    ends_with(&system, &mapping, 0, &["confirmed: the program violates `NothingTaken`", held]);
}

/// One command reads all that is seen of a node, a line for each look.
#[test]
fn a_command_that_stays_answers_line_by_line() {
    let program = "
import json, sys
for line in sys.stdin:
    print(len(json.loads(json.loads(line))), flush=True)
";
    let short = r#"read = ["python3", "-c", "import json, sys; print(len(json.load(sys.stdin)))"]"#;
    let system = |read: &str| SYSTEM.replace(short, &format!("{read}\nstays = true"));
    let mapping = MAPPING.replace("ticks = 'Len(real.seen[\"a\"])'", "ticks = 'real.count[\"a\"]'");
    let reads = format!("read = [\"python3\", \"-c\", '''{program}''']");
    ends_with(
        &system(&reads),
        &mapping,
        0,
        &["confirmed: the program violates `NothingTaken`, after 2 steps"],
    );
    let ended = "the command of `count` ended (exit status: 3)";
    ends_with(&system("read = [\"sh\", \"-c\", \"read line; exit 3\"]"), &mapping, 30, &[ended]);
}
