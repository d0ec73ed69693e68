//! `specline demo`: everything that it shows went as it says.

use crate::sandbox::{Run, Sandbox};

/// What comes before the real program: the same everywhere.
fn check_first_scenes(run: &Run) {
    run.check_masked("demo", |text| {
        let told = text.split_once("-- stdout --\n").map_or(text, |(_, told)| told);
        told.split("6. A real program").next().unwrap_or_default().to_owned()
    });
}

#[test]
fn the_demo_finds_a_mistake_in_a_real_program() {
    let sandbox = Sandbox::new();
    let cache = sandbox.path().join("cache").display().to_string();
    let run =
        sandbox.run_with("demo", &[("XDG_CACHE_HOME", &cache), ("PATH", "/usr/local/bin:/usr/bin:/bin")]);
    check_first_scenes(&run);
    let confirmed = "confirmed: the program violates `CommitMonotonic`, after 12 steps";
    for told in [confirmed, "diverged at step 5", "specline parse Spec.tla"] {
        assert!(run.stdout().contains(told), "`{told}` is not in\n{}{}", run.stdout(), run.stderr());
    }
    assert_eq!(run.code(), Some(0));
    assert!(sandbox.read("cache/specline/demo/commit-goes-back.html").contains("commit, in the program"));
}

#[test]
fn without_python_the_real_program_is_left_out_and_files_of_the_folder_do_not_disturb() {
    let sandbox = Sandbox::new().file("Naturals.tla", "not a module").file("Lease.cfg", "nonsense");
    let here = sandbox.path().display().to_string();
    let run = sandbox.run_with("demo", &[("XDG_CACHE_HOME", &here), ("PATH", &here)]);
    check_first_scenes(&run);
    assert_eq!(run.code(), Some(0));
    assert!(run.stdout().contains("The rest is left out: it needs Python 3"), "{}", run.stdout());
}
