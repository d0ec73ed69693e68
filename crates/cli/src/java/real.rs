//! Starts the real Java, for programs other than TLC and SANY.

use std::ffi::OsStr;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tlc::java::Target;

use crate::console::{Console, Stream};
use crate::exit::Ending;
use crate::java::args::JavaJob;

/// Set for the real Java, so that one which leads back here is noticed.
const HANDED_OVER: &str = "SPECLINE_JAVA_HANDED_OVER";

/// Runs the same command line with the real Java, in the place of this process; says what to do where there is none.
pub fn run(job: &JavaJob, target: &Target, console: &Console) -> io::Result<Ending> {
    let was_handed_over = job.variables.iter().any(|(name, _)| name == HANDED_OVER);
    let java = if was_handed_over { None } else { find(job) };
    let Some(java) = java else {
        if is_version(&job.words) && !was_handed_over {
            // Scripts look for the number after `version`, and want one that the TLA+ tools can live with.
            let own = env!("CARGO_PKG_VERSION");
            let text = format!("specline {own} in the place of java version \"21\"");
            console.line(Stream::Err, &text)?;
            return Ok(Ending::Ok);
        }
        return refuse(target, was_handed_over, console);
    };
    let error = Command::new(&java).args(&job.words).env(HANDED_OVER, "1").exec();
    let text = format!("specline java: `{}` cannot be run: {error}", java.display());
    console.line(Stream::Err, &text)?;
    Ok(Ending::Unreadable)
}

/// The Java that SPECLINE_JAVA names, or the first of the search path that is not this program.
fn find(job: &JavaJob) -> Option<PathBuf> {
    if let Some(java) = &job.java {
        return Some(java.clone());
    }
    let own = std::env::current_exe().and_then(|path| path.canonicalize()).ok();
    let mut found = std::env::split_paths(&job.search_path).map(|folder| folder.join("java"));
    found.find(|path| path.is_file() && path.canonicalize().ok() != own)
}

fn is_version(words: &[impl AsRef<OsStr>]) -> bool {
    let [word] = words else { return false };
    ["-version", "--version", "-fullversion"].iter().any(|known| word.as_ref() == Path::new(known))
}

fn refuse(target: &Target, was_handed_over: bool, console: &Console) -> io::Result<Ending> {
    let what = match target {
        Target::Class(class) => format!("the class `{class}` is not run here"),
        Target::Jar(jar) => format!("`{}` is not the jar of the TLA+ tools", jar.display()),
        Target::Unknown => "only tlc2.TLC, tla2sany.SANY and `-jar tla2tools.jar` are run here".to_owned(),
    };
    let why = match was_handed_over {
        true => "and the Java that was found leads back to specline",
        false => "and there is no other `java` in PATH",
    };
    console.line(Stream::Err, &format!("specline java: {what}, {why}"))?;
    console.line(
        Stream::Err,
        "help: set SPECLINE_JAVA to the path of a real Java, which is run for all the rest",
    )?;
    if let Some(instead) = instead(target) {
        console.line(Stream::Err, &format!("help: {instead}"))?;
    }
    Ok(Ending::BadUsage)
}

/// Returns the command that serves the purpose here.
fn instead(target: &Target) -> Option<&'static str> {
    let Target::Class(class) = target else { return None };
    match class.as_str() {
        "tlc2.TraceExplorer" => Some(
            "`specline tlc -generateSpecTE` writes a specification that explores a trace; so does `specline trace show --expr`",
        ),
        "tla2sany.xml.XMLExporter" => Some("`specline parse --emit json` writes a resolved specification"),
        _ => None,
    }
}
