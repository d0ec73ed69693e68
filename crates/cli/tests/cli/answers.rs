//! Answers of `specline check`: steps with their parameters, the part of a property that
//! failed, the calls that led to an error. The snapshots are read by people.

use crate::sandbox::{Run, Sandbox};

const MESSAGES: &str = r#"---- MODULE Messages ----
EXTENDS Naturals, FiniteSets
VARIABLES msgs, max
Acceptor == {"a1", "a2"}
Send(m) == msgs' = msgs \cup {m}
Prepare(b) == Send([type |-> "1a", bal |-> b]) /\ UNCHANGED max
Reply(a, m) ==
    /\ m.type = "1a" /\ m.bal > max[a]
    /\ max' = [max EXCEPT ![a] = m.bal]
    /\ Send([type |-> "1b", bal |-> m.bal, acc |-> a])
Promise(a) == \E m \in msgs : Reply(a, m)
Raise(m) ==
    /\ m.type = "1b"
    /\ \E k \in {m.bal, 7} : max' = [max EXCEPT ![m.acc] = k]
    /\ UNCHANGED msgs
Init == msgs = {} /\ max = [a \in Acceptor |-> 0]
Next ==
    \/ \E b \in 1..2 : Prepare(b)
    \/ \E a \in Acceptor : Promise(a)
    \/ \E m \in msgs : Raise(m)

Typed == max \in [Acceptor -> 0..2]
Below(a, limit) == LET bal == max[a] IN bal <= limit
Bounded == /\ Typed
           /\ \A x \in Acceptor : Below(x, 1)
NoneHigher == ~ \E p, q \in msgs : p.type = "1a" /\ q.type = "1b" /\ p.bal > q.bal
Alone == \A p, q \in Acceptor : (max[p] > 0 /\ max[q] > 0) => p = q
Known == msgs \subseteq [type : {"1a"}, bal : 1..2]
Few == Cardinality(msgs) < 2
Rises == [][\A a \in Acceptor : max'[a] <= max[a] + 1]_max
====
"#;

fn messages(property: &str) -> Run {
    let config = format!("INIT Init\nNEXT Next\n{property}\n");
    let sandbox = Sandbox::new().file("Messages.tla", MESSAGES).file("Messages.cfg", &config);
    sandbox.run("check --workers 1 Messages.tla")
}

/// Witnesses of choices that depend on the state are parameters; a step is called after the definition that it
/// is a step of, also where TLC says `Next`.
#[test]
fn steps_have_their_witnesses() {
    let run = messages("INVARIANT Typed");
    run.check("answers-witnesses");
    assert!(run.stdout().contains("Promise(a = \"a1\", m = [type |-> \"1a\", bal |-> 1])"));
    assert!(run.stdout().contains("Raise(m = [type |-> \"1b\", bal |-> 1, acc |-> \"a1\"], k = 7)"));
}

#[test]
fn a_conjunct_is_found_through_definitions_and_quantifiers() {
    messages("INVARIANT Bounded").check("answers-conjunct");
}

#[test]
fn a_negated_choice_has_its_witnesses() {
    messages("INVARIANT NoneHigher").check("answers-negated");
}

#[test]
fn an_implication_is_shown_whole() {
    messages("INVARIANT Alone").check("answers-implication");
}

#[test]
fn an_element_that_does_not_belong_is_shown() {
    messages("INVARIANT Known").check("answers-element");
}

#[test]
fn a_forbidden_step_has_old_and_new_values() {
    messages("PROPERTY Rises").check("answers-step");
}

#[test]
fn parameters_are_in_the_file_too() {
    let config = "INIT Init\nNEXT Next\nINVARIANT Bounded\n";
    let sandbox = Sandbox::new().file("Messages.tla", MESSAGES).file("Messages.cfg", config);
    assert_eq!(sandbox.run("check --workers 1 --trace out.json Messages.tla").code(), Some(12));
    sandbox.run("trace show out.json").check("answers-file");
}

const HELPER: &str = "---- MODULE Helper ----\nEXTENDS Naturals\nVARIABLE v\nAt(f, i) == f[i]\nLook(f, k) == At(f, k + v)\n====\n";

/// Checks a module with the variables `x` and `y`; `x` starts at 0, `y` at `<<5, 6>>`.
fn broken(name: &str, text: &str, config: &str) {
    let init = if text.contains("Init ==") { "" } else { "Init == x = 0 /\\ y = <<5, 6>>\n" };
    let module = format!(
        "---- MODULE Broken ----\nEXTENDS Naturals, Sequences, FiniteSets, TLC\nVARIABLES x, y\n{init}{text}\n====\n"
    );
    let config = format!("INIT Init\nNEXT Next\n{config}\n");
    let sandbox =
        Sandbox::new().file("Broken.tla", &module).file("Broken.cfg", &config).file("Helper.tla", HELPER);
    sandbox.run("check --workers 1 Broken.tla").check(&format!("answers-{name}"));
}

#[test]
fn an_error_in_an_action_has_the_calls_with_their_values() {
    let text =
        "Get(f, k) == f[k]\nBump(k) == x' = Get(y, k + 1) /\\ UNCHANGED y\nNext == \\E i \\in 1..2 : Bump(i)";
    broken("call", text, "");
}

#[test]
fn an_error_in_an_invariant_has_the_bound_names() {
    let text = "Next == x' = (x + 1) % 4 /\\ UNCHANGED y\nLow(k) == y[k] < 10\n\
                Inv == \\A i \\in 1..3 : i <= x + 1 => Low(i)";
    broken("bound", text, "INVARIANT Inv");
}

#[test]
fn an_error_in_an_instance_has_its_calls() {
    broken("instance", "Lib == INSTANCE Helper WITH v <- x\nNext == x' = Lib!Look(y, 3) /\\ UNCHANGED y", "");
}

#[test]
fn an_error_in_a_recursion_has_each_call() {
    let text = "RECURSIVE Sum(_)\nSum(s) == IF s = <<>> THEN 0 ELSE Head(s) + Sum(Tail(s))\n\
                Next == x' = Sum(<<1, 2, \"a\">>) /\\ UNCHANGED y";
    broken("recursion", text, "");
}

#[test]
fn an_endless_recursion_is_cut_short() {
    broken("endless", "RECURSIVE F(_)\nF(n) == 1 + F(n + 1)\nNext == x' = F(x) /\\ UNCHANGED y", "");
}

#[test]
fn an_error_in_a_constant_has_its_definitions() {
    broken("constant", "F(k) == <<1>>[k]\nC == F(2)\nD == C + 1\nNext == x' = D /\\ UNCHANGED y", "");
}

/// Conjuncts that held are no part of the path to the error of a later one.
#[test]
fn conjuncts_that_held_are_not_blamed() {
    broken("passed", "A == \\E k \\in {x + 1} : x' = k\nB == y' = <<x'>>[2]\nNext == A /\\ B", "");
}

#[test]
fn a_refused_comparison_has_both_values_and_places() {
    broken(
        "compared",
        "Same(a, b) == {a} = b\nNext == (IF Same(x, {y}) THEN x' = 1 ELSE x' = 2) /\\ UNCHANGED y",
        "",
    );
}

#[test]
fn a_filter_tells_the_element() {
    let text = "Count(s) == Cardinality({e \\in s : e.f > 1})\n\
                Next == x' = Count({[f |-> x + 2], [g |-> 1]}) /\\ UNCHANGED y";
    broken("filter", text, "");
}

#[test]
fn an_error_in_an_initial_state_has_its_calls() {
    broken(
        "initial",
        "Pick(S) == CHOOSE k \\in S : k > 9\nInit == y = <<1>> /\\ x = Pick({1, 2})\nNext == UNCHANGED <<x, y>>",
        "",
    );
}

#[test]
fn a_false_assumption_has_its_values() {
    let text = "F(k) == <<1, 5>>[k]\nASSUME \\A i \\in 1..2 : F(i) < 3\nNext == UNCHANGED <<x, y>>";
    broken("assumption", text, "");
}

#[test]
fn a_variable_that_is_left_open_is_named() {
    broken("open", "Step(k) == x' = k\nNext == \\E k \\in {1, 2} : Step(k)", "");
}

#[test]
fn a_variable_that_is_read_too_early_comes_with_advice() {
    broken("early", "Next == y' = <<x'>> /\\ x' = 1", "");
}

/// Checks `Low` of a counter that is shown by an alias.
fn aliased(name: &str, alias: &str, config: &str) {
    let module = format!(
        "---- MODULE Shown ----\nEXTENDS Naturals, Sequences, TLC, TLCExt\nVARIABLE x\nInit == x = 1\nNext == x' = x + 1\n\
         Low == x < 3\nSmall == x < 3\nShown == {alias}\n====\n"
    );
    let config = format!("INIT Init\nNEXT Next\nINVARIANT Low\nALIAS Shown\n{config}\n");
    let sandbox = Sandbox::new().file("Shown.tla", &module).file("Shown.cfg", &config);
    sandbox.run("check --workers 1 Shown.tla").check(&format!("answers-{name}"));
}

/// The violating state is outside of the model, and is shown by the alias all the same.
#[test]
fn an_alias_sees_next_states_levels_and_the_trace() {
    let alias =
        "[now |-> x, then |-> x', level |-> TLCGet(\"level\"), length |-> Len(Trace), on |-> ENABLED Next]";
    aliased("alias", alias, "CONSTRAINT Small");
}

#[test]
fn an_alias_without_a_value_leaves_the_variables_and_says_why() {
    aliased("alias-fails", "[third |-> <<10, 20>>[x]]", "");
    aliased("alias-no-record", "<<x>>", "");
}

/// A postcondition sees the steps with the arguments of their definitions, as in TLC.
#[test]
fn a_postcondition_sees_the_arguments_of_steps() {
    let module = "---- MODULE Seen ----\nEXTENDS Naturals, TLC, TLCExt\nVARIABLE x\nInit == x = 0\n\
                  Add(k, twice) == x' = x + k + twice\nStop == x = 3 /\\ x' = 4\n\
                  Next == (\\E i \\in {1}, j \\in {2} : Add(i, j)) \\/ Stop\nNotFour == x # 4\n\
                  AtEnd == PrintT({a[2] : a \\in CounterExample.action})\n====\n";
    let config = "INIT Init\nNEXT Next\nINVARIANT NotFour\nPOSTCONDITION AtEnd\n";
    let sandbox = Sandbox::new().file("Seen.tla", module).file("Seen.cfg", config);
    let run = sandbox.run("check --workers 1 Seen.tla");
    assert_eq!(run.code(), Some(12), "{}", run.stdout());
    assert!(run.stdout().contains("context |-> [k |-> 1, twice |-> 2],"), "{}", run.stdout());
    assert!(run.stdout().contains("parameters |-> <<\"k\", \"twice\">>"), "{}", run.stdout());
}

#[test]
fn an_infinite_choice_names_its_action() {
    broken("infinite", "Pick(S) == \\E n \\in S : x' = n /\\ UNCHANGED y\nNext == Pick(Nat)", "");
}
