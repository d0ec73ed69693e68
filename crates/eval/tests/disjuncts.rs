//! Tests that fair actions that are disjuncts of the next-state relation are recognised, and others are not.

use std::path::Path;

use eval::NoRun;
use eval::interp::{Machine, Shared, action_instances};
use eval::temporal::{TemporalAtoms, TemporalFormula};
use sema::config::ConfigInput;
use sema::{DiskFiles, LoadOptions};
use value::{Atoms, Region};

const MODULE: &str = "---- MODULE Fair ----
EXTENDS Naturals
CONSTANT P
VARIABLES x, y
vars == <<x, y>>
Init == x = [p \\in P |-> 0] /\\ y = 0
Up(p) == x' = [x EXCEPT ![p] = 1] /\\ UNCHANGED y
Down(p, q) == x[p] = 1 /\\ x' = [x EXCEPT ![p] = 0, ![q] = 1] /\\ UNCHANGED y
Step(p) == Up(p) \\/ \\E q \\in P : Down(p, q)
Tick == LET z == y + 1 IN y' = z % 3 /\\ UNCHANGED x
Next == (\\E p \\in P : Step(p)) \\/ Tick
Spec == Init /\\ [][Next]_vars /\\ FAIR
====
";

/// Returns the actions that the fair action of `fairness` consists of, by name, once for each of its instances.
fn disjuncts(fairness: &str) -> Vec<Option<Vec<String>>> {
    let module = MODULE.replace("FAIR", fairness);
    let loaded = sema::load_text(Path::new("Fair.tla"), &module, &LoadOptions::default(), &DiskFiles);
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics);
    let mut spec = loaded.spec;
    let text = "SPECIFICATION Spec\nCONSTANT P = {1, 2}\n";
    let source = spec.sources.add("Fair.cfg", text.to_owned());
    let parsed = syntax::cfg::parse_config(source, text, &mut spec.names);
    let bound = sema::config::bind(&spec, ConfigInput { source, tree: &parsed.tree });
    let program = eval::lower::lower(&spec, &bound.config, Atoms::new()).program;
    let (shared, region) = (Shared::new(&program), Region::new());
    let mut machine = Machine::new(&program, &shared, &region, &NoRun);
    let actions = action_instances(&program, &mut machine).expect("the actions have values");
    let mut atoms = TemporalAtoms::default();
    let formula = machine.expand_temporal(&program.fairness[0], &mut atoms).expect("so have the bounds");
    let instances = if let TemporalFormula::Instances(items) = formula {
        items.into_iter().map(|item| item.formula).collect()
    } else {
        vec![formula]
    };
    let found = instances.iter().map(|instance| {
        let TemporalFormula::Fair { enabled, step, .. } = instance else { panic!("{instance:?}") };
        let found = machine.disjuncts(&actions, &atoms.actions[*step], &atoms.states[*enabled]);
        let found = found.expect("nothing is evaluated but constants")?;
        let name = |&index: &usize| spec.names.text(actions[index].leaf.name).to_owned();
        Some(found.actions.iter().map(name).collect())
    });
    found.collect()
}

#[track_caller]
fn check(fairness: &str, expected: &[Option<&[&str]>]) {
    let expected: Vec<Option<Vec<String>>> = expected
        .iter()
        .map(|names| names.map(|names| names.iter().map(|&name| name.to_owned()).collect()))
        .collect();
    assert_eq!(disjuncts(fairness), expected, "{fairness}");
}

#[test]
fn a_disjunct_is_known_by_what_it_does_and_with_which_values() {
    check("WF_vars(Tick)", &[Some(&["Tick"])]);
    check("WF_vars(Up(2))", &[Some(&["Up"])]);
    check("\\A p \\in P : WF_vars(Up(p))", &[Some(&["Up"]), Some(&["Up"])]);
    let step: &[&str] = &["Up", "Down", "Down"];
    check("\\A p \\in P : SF_vars(Step(p))", &[Some(step), Some(step)]);
    check("WF_vars(\\E p, q \\in P : Down(p, q))", &[Some(&["Down", "Down", "Down", "Down"])]);
    let all: &[&str] = &["Up", "Down", "Down", "Up", "Down", "Down", "Tick"];
    check("WF_vars(Next)", &[Some(all)]);
    check("WF_y(Tick)", &[Some(&["Tick"])]);
}

#[test]
fn what_is_more_or_less_than_disjuncts_is_not_taken_for_some() {
    check("WF_vars(Tick /\\ y = 0)", &[None]);
    check("WF_vars(Up(3))", &[None]);
    check("WF_vars(\\E p \\in 1..3 : Up(p))", &[None]);
    check("WF_vars(Tick \\/ (y' = 0 /\\ UNCHANGED x))", &[None]);
    check("WF_<<x[1]>>(Up(1))", &[None]);
}
