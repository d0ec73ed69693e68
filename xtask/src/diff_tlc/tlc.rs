//! Runs TLC on a case, in a copy of its folder.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::case::{self, Case};
use super::messages::{self, Message, Printed};
use crate::run;

const CLASSPATH: &str = "SPECLINE_TLC_CLASSPATH";
const VERSION: &str = "SPECLINE_TLC_VERSION";

/// The message that names TLC's version.
const VERSION_CODE: u32 = 2262;

pub struct Tlc {
    classpath: String,
    /// The version on the class path, as the user gives it.
    version: Option<String>,
}

/// The result of one run.
pub struct Run {
    pub exit: i32,
    pub messages: Vec<Printed>,
}

impl Tlc {
    #[expect(
        clippy::disallowed_methods,
        reason = "a developer's tool: where TLC is, the repository cannot know"
    )]
    pub fn from_environment() -> Result<Tlc> {
        let Ok(classpath) = std::env::var(CLASSPATH) else {
            bail!("set {CLASSPATH} to the class path of TLC (tla2tools.jar, CommunityModules-deps.jar)");
        };
        Ok(Tlc { classpath, version: std::env::var(VERSION).ok() })
    }

    /// Whether the user has said where TLC is.
    #[expect(clippy::disallowed_methods, reason = "as above")]
    pub fn is_configured() -> bool {
        std::env::var_os(CLASSPATH).is_some()
    }

    /// The options with which TLC is always run here.
    pub const OPTIONS: &[&str] =
        &["-tool", "-noTE", "-checkpoint", "0", "-workers", "1", "-fp", "0", "-seed", "1"];

    pub fn classpath(&self) -> &str {
        &self.classpath
    }

    pub fn run(&self, case: &Case) -> Result<Run> {
        let place = tempfile::tempdir().context("cannot make a folder to run TLC in")?;
        let module = case.module();
        let folder = module.parent().context("a module lies in a folder")?;
        run::copy_files(folder, place.path())?;
        std::fs::copy(case.config(), place.path().join("case.cfg"))
            .context("cannot copy the configuration")?;
        let name = module.file_name().context("a module has a name")?.to_string_lossy();
        self.run_in(place.path(), &name, "case.cfg", &case.run)
    }

    /// Runs TLC on a module and its configuration in a folder that nothing else uses.
    pub fn run_in(&self, place: &Path, module: &str, config: &str, how: &case::Run) -> Result<Run> {
        let output = Command::new("java")
            .arg("-XX:+UseParallelGC")
            .args(how.properties.iter().map(|property| format!("-D{property}")))
            .args(["-cp", &self.classpath, "tlc2.TLC"])
            .args(Tlc::OPTIONS)
            .args(["-metadir", "states", "-config", config])
            .args(&how.flags)
            .arg(module)
            .current_dir(place)
            .stdin(Stdio::null())
            .output()
            .context("cannot run `java`")?;
        let text = String::from_utf8(output.stdout).context("TLC printed bytes that are not text")?;
        let Some(exit) = output.status.code() else { bail!("TLC was killed") };
        let place = place.display().to_string();
        let messages = messages::parse(&text.replace(&format!("{place}/"), ""));
        if messages.is_empty() {
            bail!("TLC did not start: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(Run { exit, messages })
    }

    /// Returns the version that the user gives, or TLC's own, if that names a revision.
    pub fn version(&self, printed: &[Printed]) -> Result<String> {
        if let Some(version) = &self.version {
            return Ok(version.clone());
        }
        let own = printed.iter().find_map(|printed| match printed {
            Printed::Message(Message { code: VERSION_CODE, text, .. }) => Some(text.trim()),
            Printed::Message(_) | Printed::Line(_) => None,
        });
        match own {
            Some(own) if own.contains("rev:") => Ok(own.to_owned()),
            Some(_) | None => bail!("this TLC does not know its revision: say it in {VERSION}"),
        }
    }
}
