//! `cargo xtask bench --profile`: counts where instructions are executed, with valgrind's callgrind.
//!
//! The number of instructions is the same on a busy machine as on an idle one, so two commits can be compared by it.
//! Each model is run twice, once only to its first state, and the instructions up to there are not counted.

mod callgrind;
mod report;
mod rooms;

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::models::{Counts, Model};
use super::specline::{self, Specline};
use super::table::group_digits;
use super::{Options, commit, write_json};
use crate::run;
use report::Summary;

#[derive(Debug, Serialize, Deserialize)]
pub struct Profiles {
    commit: String,
    build: String,
    models: BTreeMap<String, Profile>,
}

const BRIEF_STATES_MAX: u64 = 20_000;

/// The total number of instructions.
#[derive(Debug, Serialize)]
pub struct Instructions {
    model: String,
    generated: u64,
    instructions: u64,
    per_state: f64,
}

impl Instructions {
    pub fn line(&self) -> String {
        format!(
            "instructions on the first {} states of {}: {}, {:.0} for each state generated (callgrind)",
            group_digits(BRIEF_STATES_MAX),
            self.model,
            group_digits(self.instructions),
            self.per_state,
        )
    }
}

/// The cost of one model after its start.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    generated: u64,
    instructions: u64,
    rooms: BTreeMap<String, u64>,
    functions: BTreeMap<String, u64>,
    /// Instructions by line. Lines move from commit to commit, so they are not saved.
    #[serde(skip)]
    lines: BTreeMap<String, u64>,
}

/// Counts the instructions of a model until it has found [`BRIEF_STATES_MAX`] states; `None` without valgrind.
pub fn brief(specline: &Specline, model: &Model) -> Result<Option<Instructions>> {
    if !run::succeeds("valgrind", &["--version"]) {
        return Ok(None);
    }
    eprintln!("instructions on {} ...", model.name);
    let profile = profile(specline, model, BRIEF_STATES_MAX)?;
    Ok(Some(Instructions {
        model: model.name.clone(),
        generated: profile.generated,
        instructions: profile.instructions,
        per_state: profile.per_state(),
    }))
}

pub fn run(options: &Options, models: &[Model]) -> Result<bool> {
    if !run::succeeds("valgrind", &["--version"]) {
        bail!("`valgrind` is not installed; on Debian: apt-get install valgrind");
    }
    let baseline = options.baseline.as_deref().map(read_baseline).transpose()?;
    let mut profiles = Profiles { commit: commit()?, build: options.build.clone(), models: BTreeMap::new() };
    let specline = Specline::build(&options.build, options.max_seconds)?;
    for model in models {
        let profile = profile(&specline, model, options.max_states)
            .with_context(|| format!("cannot profile {}", model.name))?;
        let before = baseline.as_ref().and_then(|baseline| baseline.models.get(&model.name));
        println!("{}\n", report::model(&model.name, &profile, before, options.top).join("\n"));
        profiles.models.insert(model.name.clone(), profile);
    }
    let summary = Summary { profiles: &profiles, baseline: baseline.as_ref() };
    println!("{}", summary.lines().join("\n"));
    if let Some(path) = &options.json {
        write_json(path, &profiles)?;
    }
    Ok(true)
}

fn read_baseline(path: &std::path::Path) -> Result<Profiles> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    serde_json::from_str(&text)
        .with_context(|| format!("`{}` was not written by `--profile --json`", path.display()))
}

fn profile(specline: &Specline, model: &Model, states_max: u64) -> Result<Profile> {
    let (start, _) = count(specline, model, 1)?;
    let (whole, counts) = count(specline, model, states_max)?;
    Ok(Profile::new(&whole, &start, counts.generated))
}

/// Runs the program under callgrind until it has found `states_max` states.
fn count(specline: &Specline, model: &Model, states_max: u64) -> Result<(callgrind::Costs, Counts)> {
    let out = tempfile::NamedTempFile::new().context("cannot make a file")?;
    let check = specline::check(&specline.program, model);
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--compress-strings=no", "--compress-pos=no"])
        .arg(format!("--callgrind-out-file={}", out.path().display()))
        .arg(check.get_program())
        .args(check.get_args())
        .args(["--max-states", &states_max.to_string()])
        .stdin(Stdio::null())
        .output()
        .context("cannot run `valgrind`")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let counts = specline::counts(&text).with_context(|| format!("valgrind says: {}", errors.trim()))?;
    let written = std::fs::read_to_string(out.path()).context("cannot read what callgrind wrote")?;
    Ok((callgrind::parse(&written)?, counts))
}

impl Profile {
    /// Subtracts `start` from `whole`, by room and by function.
    fn new(whole: &callgrind::Costs, start: &callgrind::Costs, generated: u64) -> Profile {
        let mut profile = Profile { generated, ..Profile::default() };
        for (place, &cost) in whole {
            let cost = cost.saturating_sub(start.get(place).copied().unwrap_or(0));
            profile.instructions += cost;
            *profile.rooms.entry(rooms::room(place)).or_default() += cost;
            *profile.functions.entry(place.function.clone()).or_default() += cost;
            *profile.lines.entry(rooms::line(place)).or_default() += cost;
        }
        profile.rooms.retain(|_, cost| *cost > 0);
        profile.functions.retain(|_, cost| *cost > 0);
        profile
    }

    fn per_state(&self) -> f64 {
        self.instructions as f64 / self.generated as f64
    }
}

#[cfg(test)]
mod tests {
    use super::Profile;
    use super::callgrind::parse;

    #[test]
    fn what_it_took_to_start_is_not_counted() {
        let whole = parse("fl=crates/value/src/ops.rs\nfn=f\n1 100\nfn=g\n1 7\n").unwrap();
        let start = parse("fl=crates/value/src/ops.rs\nfn=f\n1 10\nfn=g\n1 7\n").unwrap();
        let profile = Profile::new(&whole, &start, 30);
        assert_eq!(profile.instructions, 90);
        assert_eq!(profile.functions.into_iter().collect::<Vec<_>>(), [("f".to_owned(), 90)]);
        assert_eq!(profile.rooms.into_iter().collect::<Vec<_>>(), [("value::ops".to_owned(), 90)]);
    }
}
