//! `specline explain`.

use diag::Code;

use crate::sandbox::Sandbox;

#[test]
fn a_code_prints_its_page() {
    Sandbox::new().run("explain SL0301").check("explain-code");
}

#[test]
fn a_code_may_be_given_in_other_ways() {
    let sandbox = Sandbox::new();
    let by_id = sandbox.run("explain SL0301");
    for other in ["sl0301", "unknown-name", "301", "0301"] {
        assert_eq!(sandbox.run(&format!("explain {other}")).stdout(), by_id.stdout(), "{other}");
    }
}

#[test]
fn no_code_lists_all() {
    let run = Sandbox::new().run("explain");
    assert_eq!(run.stdout().lines().count(), Code::ALL.len());
    assert!(run.stdout().contains("\nSL0301  error    unknown-name\n"), "{}", run.stdout());
    assert!(run.stdout().contains("\nSL0601  warning  unused-definition\n"), "{}", run.stdout());
    assert_eq!(run.code(), Some(0));
}

#[test]
fn an_unknown_code_is_met_with_the_nearest() {
    let sandbox = Sandbox::new();
    sandbox.run("explain SL0399").check("explain-unknown-code");
    sandbox.run("explain unknow-name").check("explain-unknown-slug");
    sandbox.run("explain \x1b[31m").check("explain-nonsense");
}
