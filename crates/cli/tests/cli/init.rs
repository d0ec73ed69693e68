//! `specline init`: what it writes can be checked, tested and formatted as it is.

use crate::sandbox::Sandbox;

#[test]
fn a_new_specification_can_be_checked_at_once() {
    let sandbox = Sandbox::new();
    let told =
        ["wrote ./Lock.tla", "wrote ./Lock.cfg", "wrote ./specline.toml", "specline explore ./Lock.tla"];
    sandbox.run("init Lock").says(0, &told);
    sandbox.run("check Lock.tla").says(0, &["8 distinct states"]);
    sandbox.run("lint Lock.tla --deny warnings").ends_with(0);
    sandbox.run("fmt --check .").ends_with(0);
    sandbox.run("test").ends_with(0);
}

#[test]
fn nothing_is_written_over() {
    let sandbox = Sandbox::new().file("new/specline.toml", "[test]\n");
    sandbox.run("init Lock --folder new").says(255, &["specline.toml` is there already"]);
    assert!(!sandbox.path().join("new/Lock.tla").exists(), "all or nothing");
    assert_eq!(sandbox.read("new/specline.toml"), "[test]\n");
    sandbox.run("init a-b").ends_with(1);
}
