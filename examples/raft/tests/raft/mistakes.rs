//! Every mistake that `--bug` makes, provoked in real nodes: the log shows it, and without the flag does not.
//!
//! Who stands for election is decided by restarting nodes with a short time-out or one that never passes,
//! and what is lost by killing whoever should not hear it.

use crate::nodes::{Cluster, Patience};
use serde_json::Value;

use Patience::{Endless, Short};

/// Plays the scene with the mistake and without, and looks for steps like this at this node: an event,
/// seen beside the one before it.
#[track_caller]
fn check(
    bug: &str,
    scene: impl Fn(&mut Cluster),
    place: (&str, &str),
    shows: impl Fn(&Value, &Value) -> bool,
) {
    let (node, kind) = place;
    let mut wrong = Cluster::new(bug, &["--bug", bug]);
    scene(&mut wrong);
    wrong.await_step(node, kind, &shows);
    let mut right = Cluster::new(&format!("no-{bug}"), &[]);
    scene(&mut right);
    right.await_event(node, kind, |_| true);
    right.stop();
    assert_eq!(right.find_step(node, kind, &shows), None, "without the mistake");
}

/// n1 has missed what the others have committed, and stands for election.
fn latecomer(cluster: &mut Cluster) {
    cluster.run("n2", Short);
    cluster.run("n3", Endless);
    assert_eq!(cluster.ask("put colour red"), "ok");
    cluster.kill("n2");
    cluster.run("n2", Endless);
    cluster.run("n1", Short);
}

/// n1 has an entry of term 1 that nobody else has, and leads again.
fn old_entry(cluster: &mut Cluster) {
    lonely_leader(cluster, "n1", &["n2"], 1);
    cluster.run("n1", Short);
    cluster.run("n2", Endless);
}

/// n1 has one entry of term 1, n2 two of term 2, n3 none; n1 leads.
fn diverged(cluster: &mut Cluster) {
    lonely_leader(cluster, "n1", &["n3"], 1);
    lonely_leader(cluster, "n2", &["n3"], 2);
    cluster.run("n1", Short);
    cluster.run("n3", Endless);
    cluster.await_leader("n1");
    cluster.run("n2", Endless);
}

/// All have one entry, n2 one more that nobody else has; n1 leads.
fn loose_end(cluster: &mut Cluster) {
    cluster.run("n1", Short);
    cluster.run("n2", Endless);
    cluster.run("n3", Endless);
    assert_eq!(cluster.ask("put colour red"), "ok");
    for node in ["n2", "n3"] {
        cluster.await_event(node, "handle-append", |event| event["last"] == 1);
    }
    cluster.stop();
    lonely_leader(cluster, "n2", &["n3"], 1);
    cluster.run("n1", Short);
    cluster.run("n3", Endless);
    cluster.await_leader("n1");
}

/// `leader` is elected by `voters`, which are killed before clients ask for `n_puts` things; then it is, too.
fn lonely_leader(cluster: &mut Cluster, leader: &str, voters: &[&str], n_puts: usize) {
    cluster.run(leader, Short);
    voters.iter().for_each(|voter| cluster.run(voter, Endless));
    cluster.await_leader(leader);
    voters.iter().for_each(|voter| cluster.kill(voter));
    for n in 0..n_puts {
        cluster.tell(leader, &format!("put from-{leader} {n}"));
    }
    cluster.kill(leader);
}

/// Where the entries of the event's message end.
fn end_of(event: &Value) -> u64 {
    let entries = event["msg"]["entries"].as_array().map_or(0, Vec::len);
    number(&event["msg"]["prevIndex"]) + entries as u64
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

#[test]
fn a_refusal_counts_as_an_acknowledgement() {
    let shows = |_: &Value, event: &Value| event["msg"]["ok"] == false && number(&event["match"]) > 0;
    check("commit-on-nack", diverged, ("n1", "handle-reply"), shows);
}

#[test]
fn an_entry_of_an_older_term_is_committed() {
    let scene = |cluster: &mut Cluster| {
        old_entry(cluster);
        // A right leader commits nothing before it has an entry of its own term.
        cluster.await_event("n1", "handle-reply", |event| event["match"] == 1);
        assert_eq!(cluster.ask("put colour red"), "ok");
    };
    check("commit-old-term", scene, ("n1", "advance-commit"), |_, event| event["commit"] == 1);
}

#[test]
fn an_append_cuts_off_what_follows_it() {
    let scene = |cluster: &mut Cluster| {
        loose_end(cluster);
        cluster.run("n2", Endless);
    };
    let shows = |before: &Value, event: &Value| number(&event["last"]) < number(&before["last"]);
    check("truncate-early", scene, ("n2", "handle-append"), shows);
}

#[test]
fn more_is_acknowledged_than_was_sent() {
    let scene = |cluster: &mut Cluster| {
        loose_end(cluster);
        cluster.run("n2", Endless);
    };
    let shows = |_: &Value, event: &Value| {
        event["reply"]["ok"] == true && number(&event["reply"]["match"]) > end_of(event)
    };
    check("inaccurate-ack", scene, ("n2", "handle-append"), shows);
}

#[test]
fn a_refusal_counts_as_a_vote() {
    let shows = |_: &Value, event: &Value| {
        let votes = event["votes"].as_array().expect("a list");
        event["msg"]["granted"] == false && votes.contains(&event["from"])
    };
    check("wrong-quorum", latecomer, ("n1", "handle-vote"), shows);
}

#[test]
fn a_vote_is_given_to_a_log_that_is_behind() {
    let shows = |_: &Value, event: &Value| {
        event["reply"]["granted"] == true && event["msg"]["lastIndex"] == 0 && event["last"] == 1
    };
    let scene = |cluster: &mut Cluster| {
        latecomer(cluster);
        cluster.await_event("n1", "handle-vote", |_| true);
    };
    check("vote-early", scene, ("n3", "handle-ask"), shows);
}

#[test]
fn two_votes_are_given_in_a_term() {
    let scene = |cluster: &mut Cluster| {
        // Neither candidate hears of the other.
        cluster.run("n3", Endless);
        cluster.run_apart("n1", Short, "n2");
        cluster.await_leader("n1");
        cluster.run_apart("n2", Short, "n1");
        cluster.await_event("n3", "handle-ask", |event| event["from"] == "n2");
    };
    let shows = |before: &Value, event: &Value| {
        before["term"] == event["term"] && before["votedFor"] == "n1" && event["votedFor"] == "n2"
    };
    check("vote-twice", scene, ("n3", "handle-ask"), shows);
}

#[test]
fn the_term_is_forgotten() {
    let scene = |cluster: &mut Cluster| {
        cluster.run("n1", Short);
        cluster.run("n2", Endless);
        cluster.await_leader("n1");
        cluster.stop();
        cluster.run("n2", Endless);
    };
    check("forget-vote", scene, ("n2", "start"), |_, event| number(&event["seq"]) > 1 && event["term"] == 0);
}

#[test]
fn more_is_committed_than_was_sent() {
    let scene = |cluster: &mut Cluster| {
        loose_end(cluster);
        assert_eq!(cluster.ask("put colour blue"), "ok");
        cluster.run("n2", Endless);
    };
    let shows = |before: &Value, event: &Value| {
        let commit = number(&event["commit"]);
        commit > end_of(event) && commit > number(&before["commit"])
    };
    check("commit-beyond", scene, ("n2", "handle-append"), shows);
}
