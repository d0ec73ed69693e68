//! Limits the effects of a specification outside itself: it runs no program, and writes only in one folder.
//!
//! Reading is not limited: files, the environment and the clock are read as without a sandbox.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A folder. Nothing is written outside it.
#[derive(Clone, Debug)]
pub struct Sandbox {
    /// Invariant: absolute and without links, as `canonicalize` gives it.
    folder: PathBuf,
}

/// An act that a sandbox prevented. It travels inside an [`io::Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forbidden {
    /// Running a program.
    Run,
    /// Writing a file outside the folder.
    Write,
}

impl Forbidden {
    /// Returns the act that an error says was forbidden, if it says so.
    pub fn of(error: &io::Error) -> Option<Forbidden> {
        error.get_ref()?.downcast_ref::<Forbidden>().copied()
    }
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Forbidden::Run => "no program is run in a sandbox",
            Forbidden::Write => {
                "this is outside of the current folder, and nothing is written there in a sandbox"
            }
        })
    }
}

impl std::error::Error for Forbidden {}

impl From<Forbidden> for io::Error {
    fn from(forbidden: Forbidden) -> io::Error {
        io::Error::new(ErrorKind::PermissionDenied, forbidden)
    }
}

impl Sandbox {
    /// Makes a sandbox with `folder`, which must exist.
    pub fn new(folder: &Path) -> io::Result<Sandbox> {
        let folder = folder.canonicalize()?;
        assert!(folder.is_absolute(), "a relative folder would be another one for each current folder");
        Ok(Sandbox { folder })
    }

    /// Resolves the path of a file that is to be written, relative to the folder, and forbids it if it is outside.
    ///
    /// The system resolves the existing part of the path, including links and `..`. A name that does not exist yet may
    /// only be followed by other names, so that no link and no `..` can lead out of the folder later on.
    pub fn resolve(&self, path: &str) -> io::Result<PathBuf> {
        let path = self.folder.join(path);
        let mut there = path.as_path();
        let mut missing = Vec::new();
        let resolved = loop {
            match there.canonicalize() {
                Ok(resolved) => break resolved,
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                Err(_) => {}
            }
            // Writing through a dangling link would create its target.
            let is_link = there.symlink_metadata().is_ok();
            let (Some(name), Some(parent), false) = (there.file_name(), there.parent(), is_link) else {
                return Err(Forbidden::Write.into());
            };
            missing.push(name);
            there = parent;
        };
        if !resolved.starts_with(&self.folder) {
            return Err(Forbidden::Write.into());
        }
        Ok(missing.into_iter().rev().fold(resolved, |path, name| path.join(name)))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::{Forbidden, Sandbox};

    /// Makes a folder with a sandbox around `in`, and files and links that lead out of it.
    fn make_sandbox() -> (tempfile::TempDir, Sandbox) {
        let outside = tempfile::tempdir().expect("a temporary folder can be made");
        let root = outside.path();
        std::fs::create_dir_all(root.join("in/sub")).expect("folders can be made");
        std::fs::create_dir(root.join("in-other")).expect("folders can be made");
        std::fs::write(root.join("secret"), "").expect("files can be written");
        std::fs::write(root.join("in/own"), "").expect("files can be written");
        let link = |to: &str, name: &str| symlink(to, root.join("in").join(name)).expect("links can be made");
        link("..", "up");
        link("../secret", "out");
        link("../nothing", "dangling");
        link("own", "same");
        link("sub", "deeper");
        let sandbox = Sandbox::new(&root.join("in")).expect("the folder is there");
        (outside, sandbox)
    }

    #[test]
    fn what_is_inside_may_be_written() {
        let (_outside, sandbox) = make_sandbox();
        let resolve = |path: &str| sandbox.resolve(path).expect("this is inside");
        let folder = resolve(".");
        for (path, real) in [
            ("new", "new"),
            ("own", "own"),
            ("same", "own"),
            ("sub/new/newer", "sub/new/newer"),
            ("deeper/new", "sub/new"),
            ("sub/../new", "new"),
            ("up/in/new", "new"),
            ("../in/new", "new"),
        ] {
            assert_eq!(resolve(path), folder.join(real), "{path}");
        }
        let absolute = folder.join("sub/x");
        assert_eq!(resolve(&absolute.display().to_string()), absolute);
    }

    #[test]
    fn what_leads_outside_is_forbidden() {
        let (outside, sandbox) = make_sandbox();
        let absolute = outside.path().join("new").display().to_string();
        let beside = outside.path().join("in-other/new").display().to_string();
        for path in [
            absolute.as_str(),
            beside.as_str(),
            "../new",
            "../secret",
            "sub/../../new",
            "up/new",
            "out",
            "dangling",
            "up/in-other/new",
            "none/../../new",
            "none/../new",
            "/dev/null",
        ] {
            let error = sandbox.resolve(path).expect_err(path);
            assert_eq!(Forbidden::of(&error), Some(Forbidden::Write), "{path}: {error}");
        }
        assert!(!Path::new(&absolute).exists());
    }

    #[test]
    fn what_the_system_refuses_is_its_error() {
        let (_outside, sandbox) = make_sandbox();
        let error = sandbox.resolve("own/new").expect_err("a file is no folder");
        assert_eq!(Forbidden::of(&error), None, "{error}");
    }
}
