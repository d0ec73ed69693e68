//! `cargo xtask corpus DIR...`: judges folders of specifications, and compares each verdict.
//!
//! The expected verdict of a file comes from the folder's own convention ([`layout`]) or from a list of verdicts
//! (`--expect`); otherwise the file must be accepted. Only [`judge`] knows the front end. Then [`models`] are run, if
//! the corpus has their results. If it does not, TLC is asked ([`oracle`]).

mod expect;
mod judge;
mod layout;
mod manifest;
mod models;
mod oracle;
mod report;
mod snippets;
mod workers;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;

#[derive(Args)]
pub struct Options {
    /// Folders of specifications, or single files.
    #[arg(required_unless_present_any = ["test_models", "validation_suite"], value_name = "DIR")]
    folders: Vec<PathBuf>,

    /// Run the models of TLC's own tests with TLC and with Specline: a folder `org.lamport.tlatools` of its sources.
    #[arg(long, value_name = "DIR")]
    test_models: Option<PathBuf>,

    /// Run what the generator of tlaplus/ValidationTestSuite wrote into this folder with TLC and with Specline.
    #[arg(long, value_name = "DIR")]
    validation_suite: Option<PathBuf>,

    /// Run this program for them instead of building it.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,

    /// Keep the answers of TLC in this file, and do not ask again for those that are there.
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,

    /// Where else modules are looked for; may be given several times.
    #[arg(long, short = 'L', value_name = "DIR")]
    library: Vec<PathBuf>,

    /// Verdicts to compare with: lines of a path, a tab and an exit code (0 is acceptance). A relative
    /// path counts from the list's own folder.
    #[arg(long, value_name = "FILE")]
    expect: Option<PathBuf>,

    /// How many files are read at once; as many as there are processors unless given. Of models, two run at
    /// once at most.
    #[arg(long, short, value_name = "N")]
    jobs: Option<usize>,

    /// List the slowest files.
    #[arg(long)]
    timings: bool,

    /// Run no models.
    #[arg(long, conflicts_with = "model")]
    no_models: bool,

    /// Run only the models with this in their path, and read no other files; may be given several times.
    #[arg(long, value_name = "PART")]
    model: Vec<String>,

    /// The time that each model has, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    limit: u64,

    /// With which profile of cargo the program is built that runs models.
    #[arg(long, default_value = "release")]
    profile: String,

    /// How the program evaluates: `auto`, `interpreted` or `compiled`.
    #[arg(long, value_name = "ENGINE", default_value = "auto")]
    engine: String,
}

/// One thing to be judged.
#[derive(Debug)]
struct Case {
    /// The name in reports.
    name: String,
    subject: Subject,
    expected: Expected,
}

#[derive(Debug)]
enum Subject {
    /// A module file, with everything that it needs.
    Module(PathBuf),
    /// A configuration of a module.
    Config { config: PathBuf, module: PathBuf },
    /// A text of which only the grammar is judged.
    Syntax(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Accepted,
    Rejected,
}

/// The cases to judge, and those that could not even be found.
#[derive(Debug, Default)]
struct Plan {
    cases: Vec<Case>,
    /// Complaints about the corpus itself: listed files that do not exist, lists that cannot be read.
    problems: Vec<String>,
    /// Number of files that are known and not judged.
    n_passed_over: usize,
}

/// Judges everything and prints what is wrong; returns whether nothing is.
pub fn run(options: &Options) -> Result<bool> {
    for folder in &options.folders {
        if !folder.exists() {
            bail!("`{}` is not there", folder.display());
        }
    }
    let mut all_right = true;
    if options.test_models.is_some() || options.validation_suite.is_some() {
        all_right &= tell(oracle::run(&oracle_settings(options))?);
    }
    if options.folders.is_empty() {
        return Ok(all_right);
    }
    if options.model.is_empty() {
        all_right &= tell(judge_folders(options)?);
    }
    if !options.no_models {
        all_right &= tell(models::run(&options.folders, &settings(options))?);
    }
    Ok(all_right)
}

fn tell((lines, all_right): (Vec<String>, bool)) -> bool {
    for line in lines {
        println!("{line}");
    }
    all_right
}

fn judge_folders(options: &Options) -> Result<(Vec<String>, bool)> {
    let expectations = match &options.expect {
        Some(path) => expect::Expectations::read(path)?,
        None => expect::Expectations::default(),
    };
    let plan = layout::plan(&options.folders, &expectations);
    let results = workers::judge_all(&plan.cases, &options.library, n_jobs(options));
    Ok(report::report(&plan, &results, options.timings))
}

fn settings(options: &Options) -> models::Settings {
    models::Settings {
        library: options.library.clone(),
        selected: options.model.clone(),
        profile: options.profile.clone(),
        engine: options.engine.clone(),
        limit: Duration::from_secs(options.limit),
        n_jobs: n_jobs(options),
    }
}

fn oracle_settings(options: &Options) -> oracle::Settings {
    oracle::Settings {
        test_models: options.test_models.clone(),
        validation_suite: options.validation_suite.clone(),
        answers: options.answers.clone(),
        program: options.program.clone(),
        selected: options.model.clone(),
        profile: options.profile.clone(),
        limit: Duration::from_secs(options.limit),
    }
}

fn n_jobs(options: &Options) -> usize {
    let n_processors = || std::thread::available_parallelism().map_or(1, usize::from);
    options.jobs.unwrap_or_else(n_processors).max(1)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Options, judge_folders};
    use crate::run::root;

    fn options(folder: PathBuf) -> Options {
        Options {
            folders: vec![folder],
            test_models: None,
            validation_suite: None,
            answers: None,
            program: None,
            library: Vec::new(),
            expect: None,
            jobs: Some(2),
            timings: false,
            no_models: true,
            model: Vec::new(),
            limit: 1,
            profile: String::new(),
            engine: String::new(),
        }
    }

    /// Judges `folder` of the sample corpus; its own path is shown as `..`.
    fn check(folder: &str, with_verdicts: bool, expected: &[&str]) {
        let data = root().join("xtask/tests/data/corpus");
        let expect = with_verdicts.then(|| data.join("verdicts.tsv"));
        let options = Options { expect, ..options(data.join(folder)) };
        let (lines, all_right) = judge_folders(&options).unwrap();
        let shown = lines.join("\n").replace(&format!("{}", data.display()), "..");
        assert_eq!(shown, expected.join("\n"));
        assert_eq!(all_right, expected.len() == 1);
    }

    #[test]
    fn in_a_plain_folder_everything_must_be_accepted() {
        check(
            "plain",
            false,
            &[
                "../plain/Bad.tla: rejected, and must be accepted",
                "    SL0301 ../plain/Bad.tla:3:12: `m` is not defined",
                "2 judged (2 to accept, 0 to reject), 1 wrong",
            ],
        );
    }

    #[test]
    fn a_list_of_verdicts_says_what_must_be_rejected() {
        check("plain", true, &["2 judged (1 to accept, 1 to reject), 0 wrong"]);
    }

    #[test]
    fn names_of_errors_say_what_must_be_rejected() {
        check(
            "errors",
            false,
            &[
                "../errors/E4201_Harmless_Test.tla: accepted, and must be rejected",
                "3 judged (1 to accept, 2 to reject), 1 wrong, 1 passed over",
            ],
        );
    }

    #[test]
    fn what_a_manifest_lists_must_be_there_and_fit() {
        let manifest = "../listed/specifications/Clock/manifest.json";
        check(
            "listed",
            false,
            &[
                "../listed/specifications/Clock/Broken.cfg: rejected, and must be accepted",
                "    SL0503 ../listed/specifications/Clock/Broken.cfg:1:14: a configuration cannot hold a range",
                &format!("{manifest}: `specifications/Clock/Gone.cfg` is listed and not there"),
                &format!("{manifest}: `specifications/Clock/Missing.tla` is listed and not there"),
                "3 judged (3 to accept, 0 to reject), 1 wrong, 2 problems of the corpus, 1 passed over",
            ],
        );
    }

    #[test]
    fn texts_with_headers_are_judged_one_by_one() {
        check(
            "snippets.txt",
            false,
            &[
                "../snippets.txt: Not an error at all: accepted, and must be rejected",
                "3 judged (1 to accept, 2 to reject), 1 wrong",
            ],
        );
    }

    #[test]
    fn a_folder_without_specifications_is_not_right() {
        let notes = root().join("xtask/tests/data/corpus/notes.txt");
        let (lines, all_right) = judge_folders(&Options { timings: true, ..options(notes) }).unwrap();
        assert_eq!(lines, ["0 judged (0 to accept, 0 to reject), 0 wrong"]);
        assert!(!all_right);
    }
}
