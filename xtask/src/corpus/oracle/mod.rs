//! `cargo xtask corpus --test-models DIR` and `--validation-suite DIR`: runs configurations without recorded results by
//! TLC and by `specline tlc` with the same options.
//!
//! [`plan`] finds the models, [`junit`] the options that TLC's own tests give them, [`execute`] runs either tool,
//! [`answers`] keeps the answers of TLC, [`listed`] knows the intended differences.

mod answers;
mod execute;
mod junit;
mod listed;
mod plan;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::diff_tlc::tlc::Tlc;
use crate::program;
use answers::Answers;
use execute::{Answer, Oracle, Programs};
use listed::ListedDifferences;

/// The settings for such a corpus.
#[derive(Debug)]
pub struct Settings {
    /// A checkout of TLC's sources, `org.lamport.tlatools`.
    pub test_models: Option<PathBuf>,
    /// A folder that the generator of the validation suite has written.
    pub validation_suite: Option<PathBuf>,
    /// The file where answers of TLC are kept from one run to the next.
    pub answers: Option<PathBuf>,
    /// The models to run: those whose names contain one of these texts; all if there are none.
    pub selected: Vec<String>,
    /// The program, if it need not be built.
    pub program: Option<PathBuf>,
    pub profile: String,
    /// The time that each tool has for a model.
    pub limit: Duration,
}

/// One model with the options for either tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OracleModel {
    /// The path of the configuration below the corpus, its module if that has another name, and the options.
    pub name: String,
    pub folder: PathBuf,
    pub module: String,
    pub config: String,
    pub flags: Vec<String>,
    /// Java properties, for settings that are not options.
    pub properties: Vec<String>,
}

impl OracleModel {
    /// Whether the counts depend on the tool's own random numbers or order.
    fn has_own_counts(&self) -> bool {
        let random = ["-simulate", "-generate", "-dfid"];
        self.flags.iter().any(|flag| random.contains(&flag.as_str()))
    }
}

/// The result for one model.
#[derive(Debug, PartialEq, Eq)]
enum Comparison {
    Same,
    /// TLC did not end in time.
    TooSlow,
    /// There is an intended difference, with the reason.
    Listed(String),
    /// There is no TLC to ask, and no saved answer.
    Unanswered,
    Different(String),
}

/// Runs every model; returns the report, and whether every difference is listed.
pub fn run(settings: &Settings) -> Result<(Vec<String>, bool)> {
    let mut all_right = true;
    let mut lines = Vec::new();
    let corpora = [
        (settings.test_models.as_ref(), Corpus::TestModels),
        (settings.validation_suite.as_ref(), Corpus::ValidationSuite),
    ];
    for (folder, corpus) in corpora {
        let Some(folder) = folder else { continue };
        if !folder.is_dir() {
            bail!("`{}` is not a folder", folder.display());
        }
        let (mut told, right) = run_corpus(folder, corpus, settings)?;
        lines.append(&mut told);
        all_right &= right;
    }
    Ok((lines, all_right))
}

#[derive(Clone, Copy, Debug)]
pub enum Corpus {
    TestModels,
    ValidationSuite,
}

fn run_corpus(folder: &std::path::Path, corpus: Corpus, settings: &Settings) -> Result<(Vec<String>, bool)> {
    let (mut planned, listed) = match corpus {
        Corpus::TestModels => (plan::test_models(folder)?, ListedDifferences::test_models()?),
        Corpus::ValidationSuite => (plan::validation_suite(folder)?, ListedDifferences::validation_suite()?),
    };
    if planned.models.is_empty() {
        bail!("there is no model below `{}`", folder.display());
    }
    if !settings.selected.is_empty() {
        planned.models.retain(|model| settings.selected.iter().any(|part| model.name.contains(part)));
    }
    let tlc = match Tlc::is_configured() {
        true => Some(Oracle::new(Tlc::from_environment()?, corpus)?),
        false => None,
    };
    let specline = match &settings.program {
        Some(program) => {
            program.canonicalize().with_context(|| format!("`{}` is not there", program.display()))?
        }
        None => program::build(&settings.profile)?,
    };
    let mut programs = Programs { specline, tlc, limit: settings.limit };
    let mut answers = Answers::open(settings.answers.as_deref())?;
    let mut totals = Totals::default();
    for model in &planned.models {
        let comparison = compare(model, &mut programs, &mut answers, &listed)?;
        totals.count(model, comparison);
    }
    let mut lines: Vec<String> =
        planned.left_out.iter().map(|(name, why)| format!("left out: {name}: {why}")).collect();
    lines.extend(listed.list_unused(&totals.listed).map(|name| format!("listed, and not different: {name}")));
    lines.push(totals.line(planned.models.len(), planned.left_out.len()));
    if planned.n_copies > 0 {
        lines.push(format!("{} more configurations are copies of these", planned.n_copies));
    }
    Ok((lines, totals.n_different == 0))
}

fn compare(
    model: &OracleModel,
    programs: &mut Programs,
    answers: &mut Answers,
    listed: &ListedDifferences,
) -> Result<Comparison> {
    let known = answers.of(model);
    if known == Some(Answer::TooSlow) {
        return Ok(Comparison::TooSlow);
    }
    let found = programs.ask_specline(model)?;
    let expected = match (known, &mut programs.tlc) {
        (Some(answer), _) => answer,
        (None, Some(tlc)) => {
            let answer = tlc.ask(model, found, programs.limit)?;
            answers.keep(model, answer)?;
            answer
        }
        (None, None) => return Ok(Comparison::Unanswered),
    };
    if expected == Answer::TooSlow {
        return Ok(Comparison::TooSlow);
    }
    if expected == found || (model.has_own_counts() && expected.exit() == found.exit()) {
        return Ok(Comparison::Same);
    }
    Ok(match listed.reason(&model.name) {
        Some(reason) => Comparison::Listed(reason.to_owned()),
        None => Comparison::Different(format!("TLC {expected}; Specline {found}")),
    })
}

#[derive(Default)]
struct Totals {
    n_same: usize,
    n_too_slow: usize,
    n_unanswered: usize,
    n_different: usize,
    listed: Vec<String>,
}

impl Totals {
    /// Counts a model, and prints at once what is worth a line.
    fn count(&mut self, model: &OracleModel, comparison: Comparison) {
        match comparison {
            Comparison::Same => self.n_same += 1,
            Comparison::TooSlow => {
                self.n_too_slow += 1;
                println!("too slow for TLC: {}", model.name);
            }
            Comparison::Listed(reason) => {
                println!("listed: {}: {reason}", model.name);
                self.listed.push(model.name.clone());
            }
            Comparison::Unanswered => self.n_unanswered += 1,
            Comparison::Different(how) => {
                self.n_different += 1;
                println!("DIFFERENT {}: {how}", model.name);
            }
        }
    }

    fn line(&self, n_models: usize, n_left_out: usize) -> String {
        format!(
            "{n_models} models: {} as with TLC, {} different and listed, {} different; {} too slow for TLC, {} without an \
             answer of TLC; {n_left_out} configurations left out",
            self.n_same,
            self.listed.len(),
            self.n_different,
            self.n_too_slow,
            self.n_unanswered,
        )
    }
}
