//! `specline demo`: everything that it shows went as it says.

use crate::sandbox::{Run, Sandbox};

/// Checks the scenes before the real program, which are the same everywhere.
fn check_first_scenes(run: &Run) {
    run.check_masked("demo", |text| {
        let told = text.split_once("-- stdout --\n").map_or(text, |(_, told)| told);
        told.split("6. A real program").next().unwrap_or_default().to_owned()
    });
}

/// Commands that stand in for those of a machine, and nothing beside them.
fn machine(commands: &[(&str, &str)]) -> Sandbox {
    let of = |sandbox: Sandbox, (name, script): &(&str, &str)| sandbox.script(&format!("bin/{name}"), script);
    commands.iter().fold(Sandbox::new(), of)
}

fn run_on(sandbox: &Sandbox) -> Run {
    let [bin, cache] = ["bin", "cache"].map(|folder| sandbox.path().join(folder).display().to_string());
    sandbox.run_with("demo", &[("XDG_CACHE_HOME", &cache), ("PATH", &bin)])
}

/// A stand-in for `apt-get` that expects these packages, word for word: a machine without Python has no environments
/// either, and may have no certificates.
const APT_GET: &str = r#"
cd "$(/usr/bin/dirname "$0")" || exit 1
echo "$DEBIAN_FRONTEND: $*" >> asked
case "$*" in
"--version" | "update") ;;
"install --yes --no-install-recommends python3-venv ca-certificates")
    printf '#!/bin/sh\nPATH=/usr/local/bin:/usr/bin:/bin\nexec python3 "$@"\n' > python3
    /bin/chmod +x python3 ;;
*) exit 1 ;;
esac"#;

#[test]
fn the_demo_installs_python_and_finds_a_mistake_in_a_real_program() {
    let sandbox = machine(&[("apt-get", APT_GET), ("test", "exit 0")]);
    let run = run_on(&sandbox);
    check_first_scenes(&run);
    let confirmed = "confirmed: the program violates `CommitMonotonic`, after 12 steps";
    for told in [confirmed, "diverged at step 5", "specline parse Spec.tla"] {
        assert!(run.stdout().contains(told), "`{told}` is not in\n{}{}", run.stdout(), run.stderr());
    }
    assert_eq!(run.code(), Some(0));
    assert!(sandbox.read("cache/specline/demo/commit-goes-back.html").contains("\"verdict\":\"confirmed\""));
    let asked = sandbox.read("bin/asked");
    let words: Vec<&str> = asked.lines().filter_map(|line| line.strip_prefix("noninteractive: ")).collect();
    assert!(
        matches!(words[..], ["--version", "update", install] if install.starts_with("install ")),
        "{asked}"
    );
}

/// The first scenes are shown, the others are left out, and it is told why; which is no success.
#[track_caller]
fn check_left_out(sandbox: &Sandbox, why: &str) {
    let run = run_on(sandbox);
    check_first_scenes(&run);
    assert!(run.stdout().contains(why), "`{why}` is not in\n{}", run.stdout());
    assert!(run.stdout().contains("The rest of the demo is left out"), "{}", run.stdout());
    assert_eq!(run.code(), Some(24));
}

#[test]
fn without_python_the_real_program_is_left_out_and_files_of_the_folder_do_not_disturb() {
    let sandbox = Sandbox::new().file("Naturals.tla", "not a module").file("Lease.cfg", "nonsense");
    check_left_out(&sandbox, "There is no `python3` here, and no `apt-get`");
}

#[test]
fn who_may_not_install_python_is_told_how() {
    let sandbox = machine(&[("apt-get", "exit 0"), ("test", "exit 1"), ("sudo", "exit 1")]);
    check_left_out(&sandbox, "# apt-get install --yes --no-install-recommends python3-venv ca-certificates");
}

#[test]
fn what_apt_get_says_when_it_fails_is_told() {
    let fails = "if test \"$1\" = install; then echo 'E: no such mirror' >&2; exit 100; fi";
    let sandbox = machine(&[("apt-get", fails), ("test", "exit 0")]);
    check_left_out(&sandbox, "ca-certificates` failed:\n\n    E: no such mirror\n");
}

#[test]
fn what_keeps_packages_from_being_installed_is_told() {
    let makes = r#"case "$*" in --version) ;; *) eval "at=\${$#}"; mkdir -p "$at/bin"; cp "$0" "$at/bin/python" ;; esac
case "$*" in *"pip install"*) printf 'one\ntwo\nthree\n\nno network\n' >&2; exit 1 ;; esac"#;
    let makes = format!("PATH=/usr/bin:/bin\n{makes}");
    let sandbox = machine(&[("python3", &makes)]);
    check_left_out(&sandbox, "two\n = note: three\n = note: no network\n = help: packages come from");
}

#[test]
fn a_folder_that_cannot_be_made_is_told() {
    let sandbox = Sandbox::new().file("cache", "no folder");
    check_left_out(&sandbox, "error[SL0005]: cannot write `");
}
