//! Installs the packages that a step of the tests needs and the machine lacks.

use anyhow::{Result, bail};

use crate::run;

/// A package that is installed once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Package {
    /// A Debian package. It is installed if `probe`, a program and its arguments, succeeds.
    Apt { name: &'static str, probe: &'static [&'static str] },
    /// A Python package. It is installed if `import` can be imported.
    #[cfg_attr(not(test), expect(dead_code, reason = "no step needs one today"))]
    Pip { name: &'static str, import: &'static str },
}

/// Installs those of `packages` that are missing, and prints what it does.
pub fn ensure(packages: &[Package]) -> Result<()> {
    let missing: Vec<Package> = packages.iter().copied().filter(|package| !is_present(*package)).collect();
    for command in install_commands(&missing, run::succeeds("test", &["-w", "/etc"])) {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let Some((program, args)) = words.split_first() else { continue };
        if !run::show(program, args)? {
            bail!("cannot install what the tests need: `{}` failed", command.join(" "));
        }
    }
    Ok(())
}

fn is_present(package: Package) -> bool {
    match package {
        Package::Apt { probe, .. } => {
            probe.split_first().is_some_and(|(program, args)| run::succeeds(program, args))
        }
        Package::Pip { import, .. } => run::succeeds("python3", &["-c", &format!("import {import}")]),
    }
}

/// Returns the commands that install `missing`; none if it is empty.
fn install_commands(missing: &[Package], is_root: bool) -> Vec<Vec<String>> {
    let mut apt: Vec<&str> = Vec::new();
    let mut pip: Vec<&str> = Vec::new();
    for package in missing {
        match package {
            Package::Apt { name, .. } => apt.push(name),
            Package::Pip { name, .. } => pip.push(name),
        }
    }
    let mut commands = Vec::new();
    let mut push = |words: &[&str], names: &[&str]| {
        let sudo = if is_root { [].as_slice() } else { ["sudo"].as_slice() };
        let all = sudo.iter().chain(words).chain(names);
        commands.push(all.map(|word| (*word).to_owned()).collect());
    };
    if !apt.is_empty() {
        // A fresh machine has no package lists, and installing fails without them.
        push(&["apt-get", "update"], &[]);
        push(&["apt-get", "install", "--yes", "--no-install-recommends"], &apt);
    }
    if !pip.is_empty() {
        push(&["python3", "-m", "pip", "install", "--break-system-packages"], &pip);
    }
    commands
}

#[cfg(test)]
mod tests {
    use super::{Package, install_commands, is_present};

    const TRUE: Package = Package::Apt { name: "coreutils", probe: &["true"] };
    const FALSE: Package = Package::Apt { name: "nothing", probe: &["false"] };
    const NO_SUCH_PROGRAM: Package = Package::Apt { name: "nothing", probe: &["no-such-program-here"] };

    #[test]
    fn a_package_is_there_when_its_probe_succeeds() {
        assert!(is_present(TRUE));
        assert!(!is_present(FALSE));
        assert!(!is_present(NO_SUCH_PROGRAM));
    }

    #[test]
    fn nothing_is_installed_when_nothing_is_missing() {
        assert!(install_commands(&[], true).is_empty());
    }

    #[test]
    fn package_lists_are_fetched_before_the_first_package() {
        let commands = install_commands(&[FALSE, Package::Pip { name: "x", import: "x" }], true);
        let lines: Vec<String> = commands.iter().map(|words| words.join(" ")).collect();
        assert_eq!(
            lines,
            [
                "apt-get update",
                "apt-get install --yes --no-install-recommends nothing",
                "python3 -m pip install --break-system-packages x"
            ]
        );
    }

    #[test]
    fn a_user_who_is_not_root_asks_for_the_right() {
        assert_eq!(install_commands(&[FALSE], false)[0].join(" "), "sudo apt-get update");
    }
}
