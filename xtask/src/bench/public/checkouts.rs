//! Lays public models over checkouts of the repositories that their specifications come from.
//!
//! The files of the specification are copied into a folder of its own for each model, and the model's files on top.
//! Nothing of a checkout is ever copied into this repository.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::super::models::{Counts, Model};
use super::list::{Expected, ListedModel, Verdict};
use crate::diff_tlc::case;
use crate::run;

/// A model that is ready to run.
pub struct PublicModel {
    pub model: Model,
    pub repository: String,
    pub expected: Expected,
}

impl PublicModel {
    /// Whether the search goes to its end, so that its counts can be compared.
    pub fn is_whole_search(&self) -> bool {
        self.expected.verdict == Verdict::Ok
    }
}

/// Makes the folder of a model in `scratch`; fails if the checkout is missing or at another commit.
pub fn lay_out(listed: &ListedModel, checkouts: &Path, scratch: &Path) -> Result<PublicModel> {
    let checkout = find_checkout(listed, checkouts)?;
    let folder = scratch.join(&listed.name);
    std::fs::create_dir(&folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    for file in &listed.files {
        let from = checkout.join(&listed.folder).join(file);
        let name = from.file_name().with_context(|| format!("`{file}` is not a file"))?;
        std::fs::copy(&from, folder.join(name))
            .with_context(|| format!("cannot copy `{}`", from.display()))?;
    }
    run::copy_files(&listed.own, &folder)?;
    let case = case::find(&[folder.join("MC")])?.into_iter().next().context("a model has MC.cfg")?;
    let counts = listed.expected.counts().unwrap_or(Counts { generated: 0, distinct: 0, depth: 0 });
    Ok(PublicModel {
        model: Model { name: listed.name.clone(), case, expected: counts },
        repository: listed.repository.clone(),
        expected: listed.expected,
    })
}

fn find_checkout(listed: &ListedModel, checkouts: &Path) -> Result<PathBuf> {
    let name = listed.repository.rsplit('/').next().unwrap_or(&listed.repository);
    let checkout = checkouts.join(name);
    if !checkout.is_dir() {
        bail!("no checkout of {} at `{}`", listed.repository, checkout.display());
    }
    if let Some(wanted) = &listed.commit {
        let shown = checkout.to_string_lossy().into_owned();
        let found = run::read("git", &["-C", &shown, "rev-parse", "HEAD"])
            .with_context(|| format!("cannot read the commit of `{shown}`"))?;
        if found.trim() != wanted {
            bail!("`{shown}` is at {}, and the counts are those of {wanted}", found.trim());
        }
    }
    Ok(checkout)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::list::{Expected, ListedModel, Verdict};
    use super::lay_out;
    use crate::run;

    fn listed(root: &Path, commit: Option<&str>) -> ListedModel {
        ListedModel {
            name: "clock".to_owned(),
            repository: "someone/clocks".to_owned(),
            commit: commit.map(str::to_owned),
            folder: "spec".to_owned(),
            files: vec!["Clock.tla".to_owned()],
            own: root.join("own"),
            expected: Expected { verdict: Verdict::Ok, generated: Some(2), distinct: Some(1), depth: 1 },
        }
    }

    fn furnish(root: &Path) {
        for folder in ["own", "checkouts/clocks/spec", "scratch"] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        for file in ["own/MC.tla", "own/MC.cfg", "checkouts/clocks/spec/Clock.tla"] {
            std::fs::write(root.join(file), "").unwrap();
        }
    }

    #[test]
    fn files_of_both_are_laid_into_one_folder() {
        let root = tempfile::tempdir().unwrap();
        furnish(root.path());
        let laid =
            lay_out(&listed(root.path(), None), &root.path().join("checkouts"), &root.path().join("scratch"))
                .unwrap();
        assert!(laid.model.case.module().ends_with("clock/MC.tla"));
        assert!(laid.model.case.config().with_file_name("Clock.tla").is_file());
    }

    #[test]
    fn a_missing_checkout_is_named() {
        let root = tempfile::tempdir().unwrap();
        let error = lay_out(&listed(root.path(), None), root.path(), root.path()).err().unwrap();
        assert!(error.to_string().contains("someone/clocks"), "{error}");
    }

    #[test]
    fn another_commit_is_refused() {
        let root = tempfile::tempdir().unwrap();
        furnish(root.path());
        let checkouts = root.path().join("checkouts");
        let at = checkouts.join("clocks").to_string_lossy().into_owned();
        run::read("git", &["-C", &at, "init", "--quiet"]).unwrap();
        let user = ["-c", "user.name=x", "-c", "user.email=x"];
        let commit = ["-C", &at, "commit", "--quiet", "--allow-empty", "--message", "x"];
        run::read("git", &[user.as_slice(), commit.as_slice()].concat()).unwrap();
        let wanted = "0123456789012345678901234567890123456789";
        let scratch = root.path().join("scratch");
        let error = lay_out(&listed(root.path(), Some(wanted)), &checkouts, &scratch).err().unwrap();
        assert!(error.to_string().contains(wanted), "{error}");
        let head = run::read("git", &["-C", &at, "rev-parse", "HEAD"]).unwrap();
        assert!(lay_out(&listed(root.path(), Some(head.trim())), &checkouts, &scratch).is_ok());
    }
}
