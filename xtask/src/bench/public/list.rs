//! Reads lists of public models: `models.tsv`, with a folder of model files for each line.
//!
//! The first line names the columns, so that lists with more or fewer of them can be read. `name`, `repository`,
//! `folder`, `files`, `generated`, `distinct`, `depth` and `verdict` are needed; without a `commit`, any will do.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::super::models::Counts;

const LIST: &str = "models.tsv";

/// The text of a cell without a value.
const NOTHING: &str = "-";

/// A line of a list.
#[derive(Debug, PartialEq)]
pub struct ListedModel {
    pub name: String,
    /// The repository on GitHub, `owner/name`.
    pub repository: String,
    /// The commit that TLC's counts are for.
    pub commit: Option<String>,
    /// The folder of the specification in the repository.
    pub folder: String,
    /// The files of that folder that the model needs.
    pub files: Vec<String>,
    /// The folder with the files of the model itself.
    pub own: PathBuf,
    pub expected: Expected,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Ok,
    /// An invariant, an action property or an assertion is violated.
    Safety,
}

/// The result of TLC. The counts of a search that ended early are not recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    pub verdict: Verdict,
    pub generated: Option<u64>,
    pub distinct: Option<u64>,
    /// The depth of the search, or the number of states of the trace.
    pub depth: u64,
}

/// The result of one run of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    pub verdict: Verdict,
    pub counts: Counts,
}

impl Verdict {
    /// Returns the verdict behind an exit code, which TLC and Specline share.
    pub fn of_exit(exit: i32) -> Option<Verdict> {
        match exit {
            0 => Some(Verdict::Ok),
            12..=14 => Some(Verdict::Safety),
            _ => None,
        }
    }

    fn read(word: &str) -> Result<Verdict> {
        match word {
            "ok" => Ok(Verdict::Ok),
            "safety" => Ok(Verdict::Safety),
            _ => bail!("`{word}` is not a verdict: `ok` or `safety`"),
        }
    }
}

impl Expected {
    /// Fails if something else was found.
    pub fn compare(&self, found: &Found) -> Result<()> {
        let same = |expected: Option<u64>, found: u64| expected.is_none_or(|expected| expected == found);
        let all_same = self.verdict == found.verdict
            && same(self.generated, found.counts.generated)
            && same(self.distinct, found.counts.distinct)
            && self.depth == found.counts.depth;
        if !all_same {
            bail!("found {found:?}, and TLC recorded {self:?}");
        }
        Ok(())
    }

    /// Returns the counts of a search that went to its end.
    pub fn counts(&self) -> Option<Counts> {
        Some(Counts { generated: self.generated?, distinct: self.distinct?, depth: self.depth })
    }
}

/// Reads the list of a folder, or of the folder `models` in it.
pub fn read(folder: &Path) -> Result<Vec<ListedModel>> {
    let inner = folder.join("models");
    let folder = if folder.join(LIST).is_file() || !inner.is_dir() { folder } else { &inner };
    let path = folder.join(LIST);
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
    parse(&text, folder).with_context(|| format!("cannot use `{}`", path.display()))
}

fn parse(text: &str, folder: &Path) -> Result<Vec<ListedModel>> {
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().context("the list is empty")?.split('\t').collect();
    let rows = lines.filter(|line| !line.is_empty());
    rows.map(|line| {
        let row = Row { columns: &columns, cells: line.split('\t').collect() };
        row.model(folder).with_context(|| format!("line `{line}`"))
    })
    .collect()
}

/// A line that is not understood yet.
struct Row<'t> {
    columns: &'t [&'t str],
    cells: Vec<&'t str>,
}

impl Row<'_> {
    fn model(&self, folder: &Path) -> Result<ListedModel> {
        let name = self.text("name")?;
        let number = |column| self.opt_text(column).map(str::parse).transpose().context("not a number");
        Ok(ListedModel {
            repository: self.text("repository")?.to_owned(),
            commit: self.opt_text("commit").map(str::to_owned),
            folder: self.text("folder")?.to_owned(),
            files: self.text("files")?.split(' ').map(str::to_owned).collect(),
            own: folder.join(name),
            name: name.to_owned(),
            expected: Expected {
                verdict: Verdict::read(self.text("verdict")?)?,
                generated: number("generated")?,
                distinct: number("distinct")?,
                depth: number("depth")?.context("no depth")?,
            },
        })
    }

    fn text(&self, column: &str) -> Result<&str> {
        self.opt_text(column).with_context(|| format!("it has no {column}"))
    }

    fn opt_text(&self, column: &str) -> Option<&str> {
        let at = self.columns.iter().position(|name| *name == column)?;
        self.cells.get(at).copied().filter(|cell| !cell.is_empty() && *cell != NOTHING)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Counts, Expected, Found, Verdict, parse};

    const HEAD: &str = "name\trepository\tfolder\tfiles\tgenerated\tdistinct\tdepth\tverdict\ttlc_w1_s\n";

    fn parse_line(line: &str) -> anyhow::Result<super::ListedModel> {
        Ok(parse(&format!("{HEAD}{line}\n"), Path::new("models"))?.remove(0))
    }

    #[test]
    fn columns_are_found_by_their_names() {
        let model = parse_line("zab\tapache/zookeeper\tspec\tZab.tla Net.tla\t20\t10\t4\tok\t1.5").unwrap();
        assert_eq!(model.files, ["Zab.tla", "Net.tla"]);
        assert_eq!(model.commit, None);
        assert_eq!(model.own, Path::new("models/zab"));
        assert_eq!(model.expected.counts(), Some(Counts { generated: 20, distinct: 10, depth: 4 }));
    }

    #[test]
    fn a_violation_has_a_depth_and_no_counts() {
        let model = parse_line("bug\ta/b\tspec\tRaft.tla\t-\t-\t10\tsafety\t5").unwrap();
        assert_eq!(model.expected.counts(), None);
        let counts = Counts { generated: 77, distinct: 7, depth: 10 };
        model.expected.compare(&Found { verdict: Verdict::Safety, counts }).unwrap();
        assert!(model.expected.compare(&Found { verdict: Verdict::Ok, counts }).is_err());
    }

    #[test]
    fn one_state_more_is_a_difference() {
        let expected = Expected { verdict: Verdict::Ok, generated: Some(20), distinct: Some(10), depth: 4 };
        let found =
            |distinct| Found { verdict: Verdict::Ok, counts: Counts { generated: 20, distinct, depth: 4 } };
        assert!(expected.compare(&found(10)).is_ok());
        assert!(expected.compare(&found(11)).is_err());
    }

    #[test]
    fn a_line_without_a_verdict_is_refused() {
        assert!(parse_line("zab\tapache/zookeeper\tspec\tZab.tla\t20\t10\t4\t-\t1.5").is_err());
        assert!(parse_line("zab\tapache/zookeeper\tspec\tZab.tla\t20\t10\t4\tfine\t1.5").is_err());
    }
}
