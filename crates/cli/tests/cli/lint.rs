//! `specline lint`: what is legal but probably not meant, and configurations.

use crate::sandbox::Sandbox;

const CARELESS: &str = "\
---- MODULE Careless ----
EXTENDS Naturals
CONSTANT Limit
VARIABLES x, y
Init == x = 0 /\\ y = 0
Left == x' = x + 1
Right == y' = y + 1 /\\ UNCHANGED x
Forgotten == x' = 0 /\\ UNCHANGED y
Next == Left \\/ Right
Grows == x' >= x
====
";

#[test]
fn findings_are_warnings_and_no_failure() {
    Sandbox::new().file("Careless.tla", CARELESS).run("lint Careless.tla").check("lint-findings");
}

#[test]
fn denied_warnings_are_a_failure() {
    let sandbox = Sandbox::new().file("Careless.tla", CARELESS);
    let run = sandbox.run("lint --deny warnings Careless.tla");
    assert_eq!(run.code(), Some(20));
}

#[test]
fn the_configuration_beside_the_file_is_taken() {
    let config = "INIT Init\nNEXT Next\nCONSTANTS\n  Limit = 3\n  Limt = 4\nINVARIANTS Grows TypeOK\n";
    let sandbox = Sandbox::new().file("Careless.tla", CARELESS).file("Careless.cfg", config);
    sandbox.run("lint Careless.tla").check("lint-config-beside");
}

#[test]
fn a_configuration_may_be_given() {
    let sandbox = Sandbox::new()
        .file("Careless.tla", CARELESS)
        .file("Careless.cfg", "this one is not read")
        .file("other.cfg", "INIT Init\nNEXT Next\nCONSTANT Limit = 3\n");
    sandbox.run("lint -c other.cfg Careless.tla").check("lint-config-given");
}

#[test]
fn configurations_that_cannot_be_read() {
    let sandbox = Sandbox::new().file("Careless.tla", CARELESS).file("bad.cfg", "INIT Init, Next\n");
    sandbox.run("lint -c bad.cfg Careless.tla").check("lint-config-syntax");
    sandbox.run("lint -c missing.cfg Careless.tla").check("lint-config-missing");
}

#[test]
fn errors_come_before_lints() {
    let sandbox = Sandbox::new().file("Wrong.tla", "---- MODULE Wrong ----\nVARIABLE x\nA == B\n====\n");
    sandbox.run("lint Wrong.tla").check("lint-errors");
}
