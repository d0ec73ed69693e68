//! Checks one model in many parts: each but the last is ended by a signal.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::part::{self, Blow, Ending};
use crate::bench::models::{Counts, Model};
use crate::run;

/// Number of parts after which the search is left to end.
const PARTS_MAX: u32 = 25;
const DELAY_MS_MAX: u64 = 1_500;
const WORKERS_MAX: u64 = 3;
/// The intervals between checkpoints, of which one is chosen.
const EVERY: [&str; 4] = ["0ms", "20ms", "150ms", "1s"];
const SIGNALS: [&str; 3] = ["KILL", "TERM", "INT"];
/// The exit code of an interrupted search, and, below, of a checkpoint that does not fit or cannot be read.
const INTERRUPTED: i32 = 130;
const REFUSED: [i32; 2] = [151, 255];

pub struct Round<'m> {
    program: &'m Path,
    model: &'m Model,
    is_depth_first: bool,
    folder: PathBuf,
    random: Random,
}

/// Counts of what was done.
#[derive(Clone, Copy, Default)]
pub struct Tally {
    killed: u64,
    asked: u64,
    resumed: u64,
    /// Number of checkpoints that were damaged on purpose, and refused.
    damaged: u64,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.killed += other.killed;
        self.asked += other.asked;
        self.resumed += other.resumed;
        self.damaged += other.damaged;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { killed, asked, resumed, damaged } = self;
        write!(
            f,
            "killed {killed} times, asked to end {asked} times, gone on {resumed} times, {damaged} damaged \
             checkpoints refused"
        )
    }
}

impl<'m> Round<'m> {
    pub fn new(program: &'m Path, models: &'m [Model], seed: u64, folder: PathBuf) -> Self {
        let mut random = Random(seed);
        let model = &models[random.below(models.len() as u64) as usize];
        let is_depth_first = random.below(4) == 0;
        Round { program, model, is_depth_first, folder, random }
    }

    pub fn title(&self) -> String {
        let order = if self.is_depth_first { "depth-first" } else { "breadth-first" };
        format!("{}, {order}", self.model.name)
    }

    pub fn run(&mut self) -> Result<Tally> {
        let mut tally = Tally::default();
        for n_parts in 0.. {
            let is_resumed = self.folder.join("manifest").exists();
            let mut command = self.command(&self.folder.clone(), is_resumed);
            let blow = (n_parts < PARTS_MAX).then(|| self.blow());
            let ending = part::run(&mut command, blow)?;
            tally.resumed += u64::from(is_resumed);
            match ending.exit {
                None => tally.killed += 1,
                Some(INTERRUPTED) => tally.asked += 1,
                Some(_) => return self.judge(&command, &ending).map(|()| tally),
            }
            if blow.is_none() {
                bail!("nobody ended it, and it did not come to its end: {}", format_command(&command));
            }
            if self.random.below(8) == 0 && self.damage()? {
                tally.damaged += 1;
            }
        }
        Ok(tally)
    }

    fn command(&mut self, folder: &Path, is_resumed: bool) -> Command {
        let mut command = Command::new(self.program);
        let every = EVERY[self.random.below(EVERY.len() as u64) as usize];
        let n_workers = 1 + self.random.below(WORKERS_MAX);
        command.arg("check").arg(self.model.case.module()).arg("--config").arg(self.model.case.config());
        command.args(["--format", "json", "--checkpoint-every", every]);
        command.args(["--workers", &n_workers.to_string()]);
        command.arg(if is_resumed { "--resume" } else { "--checkpoint" }).arg(folder);
        if self.is_depth_first {
            command.args(["--search", "dfs"]);
        }
        command
    }

    fn blow(&mut self) -> Blow {
        let signal = SIGNALS[self.random.below(SIGNALS.len() as u64) as usize];
        let delay = Duration::from_millis(self.random.below(DELAY_MS_MAX));
        // Half of the signals come while a checkpoint is being written.
        let n_checkpoints = (self.random.below(2) * self.random.below(12)) as u32;
        let delay = if n_checkpoints > 0 { delay / 200 } else { delay };
        Blow { signal, delay, n_checkpoints }
    }

    fn judge(&self, command: &Command, ending: &Ending) -> Result<()> {
        let (Some(0), Some(answer)) = (ending.exit, &ending.answer) else {
            bail!("it ended with {:?}: {}\n{}", ending.exit, format_command(command), ending.errors);
        };
        let mut found: Counts =
            serde_json::from_value(answer["counts"].clone()).context("the answer has no counts")?;
        if self.is_depth_first {
            found.depth = self.model.expected.depth;
        }
        if found != self.model.expected {
            bail!("{found:?}, and TLC recorded {:?}: {}", self.model.expected, format_command(command));
        }
        Ok(())
    }

    /// Changes one byte of a copy of the checkpoint, which must then be refused. Returns `false` if there is no
    /// checkpoint.
    fn damage(&mut self) -> Result<bool> {
        if !self.folder.join("manifest").exists() {
            return Ok(false);
        }
        let copy = self.folder.with_file_name("damaged");
        fs::create_dir_all(&copy).context("cannot make a folder")?;
        run::copy_files(&self.folder, &copy)?;
        let mut files: Vec<PathBuf> = list_files(&copy)?;
        files.retain(|file| fs::metadata(file).is_ok_and(|metadata| metadata.len() > 0));
        // Segments that were left unfinished are in no manifest, and are never read.
        let n_listed = files.len() - 1 + usize::from(self.is_last_listed());
        let chosen = &files[self.random.below(n_listed as u64) as usize];
        let mut bytes = fs::read(chosen).context("cannot read a checkpoint")?;
        let place = self.random.below(bytes.len() as u64) as usize;
        bytes[place] ^= 1 << self.random.below(8);
        fs::write(chosen, bytes).context("cannot write a checkpoint")?;
        let mut command = self.command(&copy, true);
        let ending = part::run(&mut command, None)?;
        if !ending.exit.is_some_and(|exit| REFUSED.contains(&exit)) {
            let file = chosen.display();
            bail!(
                "byte {place} of `{file}` was changed, and it ended with {:?}: {}",
                ending.exit,
                format_command(&command)
            );
        }
        fs::remove_dir_all(&copy).context("cannot remove a folder")?;
        Ok(true)
    }

    /// Whether the last segment is in the manifest; a segment that is newer than the manifest is unfinished.
    fn is_last_listed(&self) -> bool {
        let modified = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
        let segments = list_files(&self.folder).unwrap_or_default();
        let last = segments.iter().rfind(|path| path.to_string_lossy().contains("segment"));
        last.is_none_or(|last| modified(last) <= modified(&self.folder.join("manifest")))
    }
}

/// Lists the files of a checkpoint, by name.
fn list_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).context("cannot list a checkpoint")?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.file_name().is_some_and(|name| name != "lock" && name != "manifest.new"));
    files.sort();
    Ok(files)
}

fn format_command(command: &Command) -> String {
    let args = command.get_args().map(|arg| arg.to_string_lossy().into_owned());
    format!("specline {}", args.collect::<Vec<String>>().join(" "))
}

/// Random numbers by SplitMix64, for which any seed is good.
struct Random(u64);

impl Random {
    /// Returns a number below `end`, which must not be 0.
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits ^ bits >> 31) % end
    }
}
