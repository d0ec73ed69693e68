//! `specline new`: what it writes can be checked, tested and formatted as it is, and the program conforms.

use crate::conform_public::run;
use crate::sandbox::Sandbox;

#[test]
fn a_new_specification_and_its_system_agree() {
    let sandbox = Sandbox::new();
    let told = [
        "wrote specs/Tally.tla",
        "wrote specs/TcpNetwork.tla",
        "specline new system tally --spec specs/Tally.tla",
    ];
    sandbox.run("new spec Tally --folder specs").says(0, &told);
    sandbox.run("check specs/Tally.tla").says(0, &["distinct states"]);
    sandbox.run("lint specs/Tally.tla --deny warnings").ends_with(0);
    sandbox.run("fmt --check specs/Tally.tla").ends_with(0);
    sandbox.run("test specs").ends_with(0);
    let told =
        ["wrote systems/tally/node.py", "specline conform specs/Tally.tla --system systems/tally --walks 10"];
    sandbox.run("new system tally --spec specs/Tally.tla --folder systems/tally").says(0, &told);
    let walks = "conform specs/Tally.tla --system systems/tally --walks 5 --depth 20 -D MaxRequests=8 -D MaxCrashes=3";
    run(&sandbox, walks).says(0, &["the program conforms; 5 walks, 5 of them to the end"]);
}

/// The program differs from a specification that says something else.
#[test]
fn a_new_system_is_held_to_its_specification() {
    let sandbox = Sandbox::new();
    sandbox.run("new spec Tally").ends_with(0);
    sandbox.run("new system tally --spec Tally.tla").ends_with(0);
    let text = sandbox.read("Tally.tla").replace("Max(@, First(net, j, i).value)", "First(net, j, i).value");
    std::fs::write(sandbox.path().join("Tally.tla"), text).expect("the file can be written");
    let walks = "conform Tally.tla --system tally --walks 8 --depth 20 -D MaxRequests=8 -D MaxCrashes=0";
    run(&sandbox, walks).says(29, &["Receive", "count"]);
    sandbox.run("new system tally --spec Tally.tla").says(255, &["is there already"]);
    sandbox.run("new system a/b --spec Tally.tla").ends_with(1);
    sandbox.run("new system other --spec Other.tla").says(255, &["cannot read `Other.tla`"]);
}
