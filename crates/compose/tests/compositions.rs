//! Compositions of small grains that are given as texts: what they become, and what is wrong with bad ones.

use std::io;
use std::path::{Path, PathBuf};

use compose::interaction::{Interaction, Reason};
use compose::{Composed, Emitted, Loading, Why};
use diag::Code;
use sema::{FileSystem, LoadOptions};

/// Files that are texts of a test.
struct Texts(Vec<(&'static str, String)>);

impl FileSystem for Texts {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let found = self.0.iter().find(|(name, _)| Path::new(name) == path);
        found.map(|(_, text)| text.clone().into_bytes()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn exists(&self, path: &Path) -> bool {
        self.0.iter().any(|(name, _)| Path::new(name) == path)
    }

    fn modules_in(&self, _: &Path) -> Vec<PathBuf> {
        Vec::new()
    }
}

const BASE: &str = "EXTENDS Naturals\nCONSTANT Max\nVARIABLES x, y, z\nReset(i) == TRUE";
const ONE: &str = "EXTENDS Base\nOneInit == x = 0\nStep == x < Max /\\ x' = x + 1";
const TWO: &str = "EXTENDS Base\nTwoInit == y = 0 /\\ z = {}\n\
                   Copy(i) ==\n  /\\ y < x\n  /\\ IF i = 1\n     THEN y' = x\n     ELSE y' = y + 1\n\
                   Clear == Reset(1) /\\ x > 1 /\\ z' = {x}\nForget(i) == y' = 0";
const INVARIANTS: &str = "EXTENDS Base\nBehind == y <= x\nSmall == z \\in SUBSET Nat";

const FAMILY: &str = r#"
[constants]
Max = 3

[module.one.grain.plain]
file = "One.tla"
owns = ["x"]
init = "OneInit"
actions = ['Step']

[module.two.grain.plain]
file = "Two.tla"
owns = ["y", "z"]
reads = ["x"]
init = "TwoInit"
actions = ['\E i \in 1..2 : Copy(i)', 'Clear']
provides = { Reset = "Forget" }

[[invariant]]
name = "Behind"
label = "I-1"
file = "Inv.tla"

[[invariant]]
name = "Small"
file = "Inv.tla"

[composition.all]
one = "plain"
two = "plain"
"#;

fn module(name: &str, body: &str) -> String {
    format!("---- MODULE {name} ----\n{body}\n====\n")
}

/// Returns the usual files, with some of them replaced or added.
fn files(changed: &[(&'static str, &str)]) -> Texts {
    let usual = [("Base.tla", BASE), ("One.tla", ONE), ("Two.tla", TWO), ("Inv.tla", INVARIANTS)];
    let body = |name: &str, own: &'static str| {
        changed
            .iter()
            .find(|(known, _)| *known == name)
            .map_or(own.to_owned(), |(_, text)| (*text).to_owned())
    };
    let stem = |name: &str| name.trim_end_matches(".tla").to_owned();
    let mut all: Vec<(&'static str, String)> =
        usual.iter().map(|&(name, own)| (name, module(&stem(name), &body(name, own)))).collect();
    let is_new = |name: &str| usual.iter().all(|(known, _)| *known != name);
    let new = changed.iter().filter(|(name, _)| is_new(name));
    all.extend(new.map(|&(name, text)| (name, module(&stem(name), text))));
    Texts(all)
}

fn compose_with(family: &str, name: &str, files: &Texts) -> Composed {
    let family = compose::read(Path::new("f.toml"), family).expect("the file can be read");
    let choice = compose::choose(&family, name).expect("the composition can be chosen");
    let options = LoadOptions::default();
    compose::assemble(&choice, Loading { options: &options, files, given: &[] })
}

fn good(family: &str, files: &Texts) -> Composed {
    let composed = compose_with(family, "all", files);
    let errors: Vec<&str> =
        composed.diagnostics.iter().filter(|one| one.is_error()).map(|one| one.headline.as_str()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    composed
}

/// Returns the errors of a composition: code, headline, and how many places are shown.
fn errors(family: &str, files: &Texts) -> Vec<(Code, String, usize)> {
    let composed = compose_with(family, "all", files);
    let of = |one: &diag::Diagnostic| {
        (one.code, one.headline.clone(), usize::from(one.primary.is_some()) + one.secondary.len())
    };
    composed.diagnostics.iter().filter(|one| one.is_error()).map(of).collect()
}

/// Expects exactly one error, which shows at least `n_places` places.
#[track_caller]
fn expect_error(family: &str, files: &Texts, (code, words, n_places): (Code, &str, usize)) {
    let found = errors(family, files);
    let [(known, headline, n_shown)] = found.as_slice() else { panic!("one error expected: {found:?}") };
    assert_eq!(*known, code, "{headline}");
    assert!(headline.contains(words), "{headline}");
    assert!(*n_shown >= n_places, "{headline}: {n_shown} places");
}

fn refusals(family: &str) -> Vec<String> {
    let family = match compose::read(Path::new("f.toml"), family) {
        Ok(family) => family,
        Err(errors) => return errors.into_iter().map(|error| error.message).collect(),
    };
    match compose::choose(&family, "all") {
        Ok(_) => Vec::new(),
        Err(errors) => errors.into_iter().map(|error| error.message).collect(),
    }
}

#[track_caller]
fn expect_refusal(family: &str, words: &str) {
    let found = refusals(family);
    assert!(found.iter().any(|message| message.contains(words)), "{found:?}");
}

fn unchanged(composed: &Composed, action: &str) -> Vec<String> {
    let actions = composed.outline.parts.iter().flat_map(|part| &part.actions);
    let is_it = |def| composed.spec.names.text(composed.spec.defs[def].name) == action;
    let found = actions.into_iter().find(|known| is_it(known.def)).expect("the action is there");
    let name = |var| composed.spec.names.text(composed.spec.variables[var].name).to_owned();
    found.unchanged.iter().map(|&var| name(var)).collect()
}

#[test]
fn an_action_leaves_unchanged_what_it_never_primes() {
    let composed = good(FAMILY, &files(&[]));
    assert_eq!(unchanged(&composed, "Step"), ["y", "z"]);
    // Both branches are about y, and about nothing else.
    assert_eq!(unchanged(&composed, "Copy"), ["x", "z"]);
    // The operator that the grain provides changes y.
    assert_eq!(unchanged(&composed, "Clear"), ["x"]);
}

#[test]
fn an_operator_without_a_provider_changes_nothing() {
    let family = FAMILY.replace("provides = { Reset = \"Forget\" }", "");
    assert_eq!(unchanged(&good(&family, &files(&[])), "Clear"), ["x", "y"]);
}

#[test]
fn variables_that_nobody_owns_are_not_part_of_states() {
    let family = FAMILY.replace("[\"y\", \"z\"]", "[\"y\"]").replace(", 'Clear'", "");
    let two = TWO.replace(" /\\ z = {}", "");
    let composed = good(&family, &files(&[("Two.tla", &two)]));
    let variables = &composed.spec.modules[composed.spec.root].variables;
    assert_eq!(variables.len(), 2);
    // The invariant that reads z is left out, and says why; the other is chosen.
    assert_eq!(composed.outline.invariants, ["Behind"]);
    let [left_out] = composed.outline.left_out.as_slice() else { panic!("one is left out") };
    assert_eq!((left_out.name.as_str(), &left_out.why), ("Small", &Why::Misses(vec!["z".to_owned()])));
}

#[test]
fn needs_and_lists_leave_invariants_out_too() {
    let family =
        FAMILY.replace("label = \"I-1\"", "label = \"I-1\"\nneeds = [\"Copy\", \"two.plain\", \"w\"]");
    let composed = good(&family, &files(&[]));
    assert_eq!(composed.outline.left_out[0].why, Why::Misses(vec!["w".to_owned()]));
    let listed = format!("{FAMILY}invariants = [\"I-1\"]\n");
    let composed = good(&listed, &files(&[]));
    assert_eq!(composed.outline.invariants, ["Behind"]);
    assert_eq!(composed.outline.left_out[0].why, Why::NotListed);
}

#[test]
fn two_owners_are_an_error_with_both_places() {
    let family = FAMILY
        .replace("owns = [\"y\", \"z\"]", "owns = [\"x\", \"y\", \"z\"]")
        .replace("reads = [\"x\"]", "");
    expect_error(&family, &files(&[]), (Code::CompositionVariable, "`x` has two owners", 2));
}

#[test]
fn a_variable_that_nobody_owns_is_an_error_where_it_is_needed() {
    let family = FAMILY.replace("owns = [\"x\"]", "owns = []");
    let found = errors(&family, &files(&[]));
    assert!(
        found.iter().any(|(code, headline, n_places)| {
            *code == Code::CompositionVariable
                && headline.contains("needs the variable `x`")
                && *n_places == 2
        }),
        "{found:?}"
    );
}

#[test]
fn a_variable_that_only_an_init_needs_is_an_error_too() {
    let family = FAMILY.replace("[\"y\", \"z\"]", "[\"y\"]").replace(", 'Clear'", "");
    expect_error(&family, &files(&[]), (Code::CompositionVariable, "`z` is needed here", 2));
}

#[test]
fn an_action_speaks_only_of_variables_of_its_grain() {
    let one = ONE.replace("x' = x + 1", "x' = x + 1 /\\ y' = y");
    expect_error(FAMILY, &files(&[("One.tla", &one)]), (Code::CompositionVariable, "`Step` changes", 2));
    let one = ONE.replace("x < Max", "x < Max /\\ y = 0");
    expect_error(FAMILY, &files(&[("One.tla", &one)]), (Code::CompositionVariable, "`Step` reads", 2));
}

#[test]
fn an_action_that_is_listed_twice_is_an_error() {
    let family = FAMILY.replace("actions = ['Step']", "actions = ['Step', 'Step']");
    expect_error(&family, &files(&[]), (Code::CompositionAction, "`Step` is listed twice", 3));
}

#[test]
fn an_action_that_two_files_define_is_an_error() {
    let two = format!("{TWO}\nStep == y' = 1");
    expect_error(
        FAMILY,
        &files(&[("Two.tla", &two)]),
        (Code::CompositionName, "`Step` has a meaning in two", 2),
    );
}

#[test]
fn a_variable_that_two_files_declare_is_an_error() {
    let one = format!("{ONE}\nVARIABLE w");
    let two = format!("{TWO}\nVARIABLE w");
    let texts = files(&[("One.tla", &one), ("Two.tla", &two)]);
    expect_error(FAMILY, &texts, (Code::CompositionName, "`w` has a meaning in two", 2));
}

#[test]
fn an_action_cannot_be_part_of_another() {
    let two = TWO.replace("Clear == ", "Clear == Copy(1) /\\ ");
    expect_error(FAMILY, &files(&[("Two.tla", &two)]), (Code::CompositionAction, "applied by the action", 3));
}

#[test]
fn an_action_is_an_operator() {
    let family = FAMILY.replace("actions = ['Step']", "actions = ['Step /\\ TRUE']");
    expect_error(&family, &files(&[]), (Code::CompositionAction, "an action is an operator", 1));
}

#[test]
fn a_constant_without_a_value_is_an_error_with_both_places() {
    let family = FAMILY.replace("Max = 3", "");
    expect_error(&family, &files(&[]), (Code::CompositionConstant, "`Max` has no value", 2));
    // Unless the command line has one.
    let family = compose::read(Path::new("f.toml"), &family).expect("the file can be read");
    let choice = compose::choose(&family, "all").expect("the composition can be chosen");
    let (options, given, files) = (LoadOptions::default(), ["Max".to_owned()], files(&[]));
    let composed = compose::assemble(&choice, Loading { options: &options, files: &files, given: &given });
    assert!(!composed.diagnostics.has_errors());
}

#[test]
fn two_grains_must_agree_about_a_constant_unless_the_composition_says() {
    let family = FAMILY
        .replace("actions = ['Step']", "actions = ['Step']\nconstants = { Max = 1 }")
        .replace("init = \"TwoInit\"", "init = \"TwoInit\"\nconstants = { Max = 2 }");
    expect_error(&family, &files(&[]), (Code::CompositionConstant, "different values", 2));
    let settled = format!("{family}constants = {{ Max = 7 }}\n");
    assert!(good(&settled, &files(&[])).config.contains("Max = 7"));
    let unknown = format!("{FAMILY}constants = {{ Mux = 7 }}\n");
    expect_error(&unknown, &files(&[]), (Code::CompositionConstant, "declares a constant `Mux`", 1));
}

#[test]
fn names_of_the_composition_are_reserved() {
    let one = format!("{ONE}\nvars == x");
    expect_error(FAMILY, &files(&[("One.tla", &one)]), (Code::CompositionName, "`vars` is defined by", 2));
}

#[test]
fn provided_operators_must_fit() {
    let other = FAMILY.replace("Reset = \"Forget\"", "Reset = \"OneInit\"");
    expect_error(&other, &files(&[]), (Code::CompositionOperator, "do not take the same parameters", 3));
    let unknown = FAMILY.replace("Reset = \"Forget\"", "Rset = \"Forget\"");
    expect_error(&unknown, &files(&[]), (Code::CompositionOperator, "operator `Rset`", 1));
    let two = TWO.replace("Forget(i) == y' = 0", "Forget(i) == Reset(i) /\\ y' = 0");
    let texts = files(&[("Two.tla", &two)]);
    expect_error(FAMILY, &texts, (Code::CompositionOperator, "in a circle", 2));
    let twice = FAMILY.replace("actions = ['Step']", "actions = ['Step']\nprovides = { Reset = \"Keep\" }");
    let one = format!("{ONE}\nKeep(i) == TRUE");
    let texts = files(&[("One.tla", &one)]);
    expect_error(&twice, &texts, (Code::CompositionOperator, "two grains provide `Reset`", 2));
}

#[test]
fn modules_that_extend_each_other_in_a_circle_are_an_error() {
    let one = ONE.replace("EXTENDS Base", "EXTENDS Two");
    let two = TWO.replace("EXTENDS Base", "EXTENDS One");
    let found = errors(FAMILY, &files(&[("One.tla", &one), ("Two.tla", &two)]));
    let cycle = found.iter().find(|(code, ..)| *code == Code::ModuleCycle);
    let (_, headline, n_places) = cycle.unwrap_or_else(|| panic!("{found:?}"));
    assert!(headline.contains("One") && headline.contains("Two") && *n_places > 0, "{headline}: {n_places}");
}

#[test]
fn a_file_that_is_not_there_is_an_error_at_its_name() {
    let family = FAMILY.replace("\"One.tla\"", "\"Uno.tla\"");
    expect_error(&family, &files(&[]), (Code::CompositionFile, "there is no file `Uno.tla`", 1));
}

#[test]
fn names_in_the_file_must_exist() {
    expect_refusal(
        &FAMILY.replace("one = \"plain\"\ntwo", "uno = \"plain\"\ntwo"),
        "there is no module `uno`",
    );
    expect_refusal(&FAMILY.replace("one = \"plain\"\ntwo", "one = \"plan\"\ntwo"), "has no grain `plan`");
    expect_refusal(&format!("{FAMILY}faults = [\"crash\"]\n"), "there is no fault `crash`");
    expect_refusal(
        &format!("{FAMILY}start = \"late\"\n"),
        "no grain of this composition has a beginning `late`",
    );
    expect_refusal(&format!("{FAMILY}invariants = [\"I-9\"]\n"), "there is no invariant `I-9`");
    expect_refusal(
        &FAMILY.replace("[composition.all]", "[composition.most]"),
        "there is no composition `all`",
    );
    expect_refusal(&FAMILY.replace("init = \"OneInit\"", "inti = \"OneInit\""), "has no key `inti`");
}

#[test]
fn names_with_odd_characters_are_refused() {
    for name in ["\"a b\"", "\"\"", "\"a/b\"", "\"-x\"", "\"ä\"", "\"a@b\"", "\"a\\n\""] {
        let family = FAMILY.replace("[composition.all]", &format!("[composition.{name}]"));
        expect_refusal(&family, "cannot be a name");
    }
}

#[test]
fn modules_grains_and_faults_have_plain_names_too() {
    for name in ["\"a b\"", "\"\"", "\"a/b\"", "\"ä\"", "\"a\\n\""] {
        for part in ["module.three.grain.NAME", "module.NAME.grain.plain", "fault.NAME"] {
            let head = part.replace("NAME", name);
            expect_refusal(&format!("[{head}]\nfile = \"One.tla\"\n{FAMILY}"), "cannot be a name");
        }
    }
}

#[test]
fn variables_and_actions_with_odd_names_are_errors_at_their_places() {
    let family = FAMILY.replace("owns = [\"x\"]", "owns = [\"x\", \"x y\"]");
    expect_error(&family, &files(&[]), (Code::CompositionVariable, "`x y`", 1));
    let family = FAMILY.replace("actions = ['Step']", "actions = ['Step\u{1F512}']");
    let found = errors(&family, &files(&[]));
    assert!(!found.is_empty() && found.iter().all(|(_, _, n_places)| *n_places > 0), "{found:?}");
}

#[test]
fn modules_that_are_merged_into_each_other_are_refused() {
    let merged = "[module.three.grain.coarse]\nmerged = \"four.coarse\"\n\
                  [module.four.grain.coarse]\nmerged = \"three.coarse\"\n";
    let family = format!("{merged}{FAMILY}three = \"coarse\"\nfour = \"coarse\"\n");
    expect_refusal(&family, "`three.coarse` is merged into `four.coarse`, which is merged itself");
}

#[test]
fn grains_that_coarsen_each_other_in_a_circle_are_refused() {
    let family = FAMILY.replace("file = \"One.tla\"", "file = \"One.tla\"\ncoarsens = \"other\"")
        + "[module.one.grain.other]\nfile = \"One.tla\"\ncoarsens = \"plain\"\n";
    expect_refusal(&family, "in a circle: plain -> other -> plain");
}

#[test]
fn a_grain_that_is_merged_needs_the_other_one() {
    let merged = "[module.three.grain.coarse]\nmerged = \"one.coarse\"\n";
    let family = format!("{merged}{FAMILY}three = \"coarse\"\n");
    expect_refusal(&family, "which composition `all` does not have");
    let family = family.replace("one.coarse", "one.plain");
    assert!(refusals(&family).is_empty());
    let composed = good(&family, &files(&[]));
    assert_eq!(composed.outline.parts.len(), 3);
}

#[test]
fn what_is_accepted_names_something_and_says_why() {
    expect_refusal(&format!("{FAMILY}[[accepted]]\nactions = [\"A\"]\n"), "for a `reason`");
    expect_refusal(&format!("{FAMILY}[[accepted]]\nreason = \"so\"\n"), "not everything can be accepted");
}

#[test]
fn texts_that_are_no_composition_file_never_panic() {
    for text in [
        "",
        "[module]",
        "[module.a]",
        "module = 3",
        "[composition.x]\na = 1",
        "\u{0}",
        "[[module]]",
        "[constants]\nA = []",
    ] {
        if let Ok(family) = compose::read(Path::new("f.toml"), text) {
            let _ = compose::choose(&family, "x").map(|choice| choice.summary());
        }
    }
}

fn emitted(family: &str, files: &Texts) -> Emitted {
    compose::emit(&good(family, files), "a test", &[]).expect("it can be written")
}

#[test]
fn what_is_written_is_a_module_that_can_be_read() {
    let texts = files(&[]);
    let written = emitted(FAMILY, &texts);
    let options = LoadOptions::default();
    let none = Texts(Vec::new());
    let loaded = sema::load_text(Path::new("all.tla"), &written.tla, &options, &none);
    let errors: Vec<&str> = loaded.diagnostics.iter().map(|one| one.headline.as_str()).collect();
    assert!(errors.is_empty(), "{errors:?}\n{}", written.tla);
    assert_eq!(written.module, "all");
    // The provider comes before the operator that means it, and that before its users.
    let at = |text: &str| written.tla.find(text).unwrap_or_else(|| panic!("{text} in\n{}", written.tla));
    assert!(at("Forget(i) ==") < at("Reset(i) == Forget(i)"));
    assert!(at("Reset(i) == Forget(i)") < at("Clear =="));
    assert!(written.tla.contains("/\\ UNCHANGED <<x, z>>"));
    assert!(written.cfg.contains("INVARIANTS\n  Behind\n  Small\n"));
}

#[test]
fn recursive_and_instantiated_operators_are_written() {
    let one = "EXTENDS Base\nLOCAL INSTANCE Sequences\nRECURSIVE Sum(_)\nSum(n) == IF n = 0 THEN 0 ELSE n + Sum(n - 1)\n\
               H == INSTANCE Helper WITH Bound <- Max\nOneInit == x = Sum(0)\n\
               Step == LET s == <<1>> IN H!Below(x) /\\ x' = x + Len(s)";
    let helper = "EXTENDS Naturals\nCONSTANT Bound\nBelow(n) == n < Bound";
    let texts = files(&[("One.tla", one), ("Helper.tla", helper)]);
    let written = emitted(FAMILY, &texts);
    assert_eq!(written.copies.len(), 1);
    let copies = Texts(vec![("Helper.tla", written.copies[0].1.clone())]);
    let loaded = sema::load_text(Path::new("all.tla"), &written.tla, &LoadOptions::default(), &copies);
    let errors: Vec<&str> = loaded.diagnostics.iter().map(|one| one.headline.as_str()).collect();
    assert!(errors.is_empty(), "{errors:?}\n{}", written.tla);
}

#[test]
fn a_name_that_is_no_name_of_tla_becomes_one() {
    let family = FAMILY.replace("[composition.all]", "[composition.\"1-2\"]");
    let composed = compose_with(&family, "1-2", &files(&[]));
    assert_eq!(composed.outline.module, "Composition_1_2");
    let family = FAMILY.replace("[composition.all]", "[composition.One]");
    assert_eq!(compose_with(&family, "One", &files(&[])).outline.module, "One_");
}

fn reason_of(composed: &Composed, reasons: &compose::interaction::Reasons, name: &str) -> Option<Reason> {
    let is_it =
        |&var: &sema::spec::VarId| composed.spec.names.text(composed.spec.variables[var].name) == name;
    let var = reasons.keys().copied().find(is_it)?;
    Some(reasons[&var].clone())
}

#[test]
fn dependency_and_interaction_variables_have_evidence() {
    let composed = good(FAMILY, &files(&[]));
    let interaction = Interaction::new(&composed);
    let text = |span: diag::Span| composed.spec.sources.text(span).to_owned();
    // Definition 2: module one depends on x, because Step is enabled by it.
    let Some(Reason::Enables { span, .. }) = reason_of(&composed, &interaction.dependencies[0], "x") else {
        panic!("x enables Step")
    };
    assert_eq!(text(span), "x < Max");
    assert!(reason_of(&composed, &interaction.dependencies[0], "y").is_none());
    // Module two depends on y and on x; z is only written.
    assert!(reason_of(&composed, &interaction.dependencies[1], "y").is_some());
    assert!(reason_of(&composed, &interaction.dependencies[1], "z").is_none());
    // Definition 3: both depend on x.
    assert_eq!(reason_of(&composed, &interaction.interaction, "x"), Some(Reason::Shared { modules: (0, 1) }));
    assert!(reason_of(&composed, &interaction.interaction, "y").is_none());
}

#[test]
fn what_an_interaction_variable_is_computed_from_is_one_too() {
    // Two copies z into x: x is shared, so z becomes an interaction variable by rule 2.
    let two = "EXTENDS Base\nTwoInit == y = 0 /\\ z = 0\nCopy(i) == x > 0 /\\ x' = z\nClear == z' = 1\nForget(i) == y' = 0";
    let family = FAMILY.replace("reads = [\"x\"]", "shares = [\"x\"]");
    let composed = good(&family, &files(&[("Two.tla", two)]));
    let interaction = Interaction::new(&composed);
    let found = reason_of(&composed, &interaction.dependencies[1], "z");
    // Rule 3 of Definition 2 adds it to the module itself, with the update as evidence.
    let Some(Reason::Feeds { span, .. }) = found else { panic!("z feeds x: {found:?}") };
    assert_eq!(composed.spec.sources.text(span), "x' = z");
    // Module one assigns nothing from z, so it is no interaction variable: two's own dependency is enough.
    assert!(reason_of(&composed, &interaction.interaction, "z").is_none());
}

#[test]
fn a_value_that_another_module_computes_makes_its_source_an_interaction_variable() {
    // One depends on x. Two assigns z to x and depends on neither: rule 3 of Definition 3 adds z.
    let two =
        "EXTENDS Base\nTwoInit == y = 0 /\\ z = 0\nCopy(i) == x' = z\nClear == z' = 1\nForget(i) == y' = 0";
    let family = FAMILY.replace("reads = [\"x\"]", "shares = [\"x\"]");
    let composed = good(&family, &files(&[("Two.tla", two)]));
    let interaction = Interaction::new(&composed);
    let found = reason_of(&composed, &interaction.interaction, "z");
    assert!(matches!(found, Some(Reason::Feeds { .. })), "{found:?}");
}

#[test]
fn references_are_split_at_the_last_mark() {
    let split = |text: &str| compose::split_reference(Path::new(text));
    assert_eq!(split("a/b.toml@c-1"), Some((PathBuf::from("a/b.toml"), "c-1".to_owned())));
    assert_eq!(split("b.toml@"), Some((PathBuf::from("b.toml"), String::new())));
    assert_eq!(split("b.tla"), None);
    assert_eq!(split("b@c"), None);
}
