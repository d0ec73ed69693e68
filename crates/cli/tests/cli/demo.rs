//! `specline demo`: everything that it shows went as it says.

use crate::sandbox::Sandbox;

#[test]
fn the_demo_works() {
    let run = Sandbox::new().run("demo");
    run.check("demo");
    assert_eq!(run.code(), Some(0));
}

#[test]
fn files_of_the_folder_do_not_disturb_it() {
    let sandbox = Sandbox::new().file("Naturals.tla", "not a module").file("Lease.cfg", "nonsense");
    assert_eq!(sandbox.run("demo").code(), Some(0));
}
