//! The last scenes of the demo: a mistake that is found in a specification is looked for in the real program, as it is on
//! PyPI, and found there; then in the release that repaired it.
//!
//! Each scene is a command line that the user can type as well, run by this very program in a folder of its own.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use diag::SourceMap;

use super::python;
use crate::check::cannot_write;
use crate::console::{Console, Stream};
use crate::environment::StagePlace;

/// The files that the command lines name.
const FILES: &[(&str, &str)] = &[
    ("specs/network/TcpNetwork.tla", include_str!("../../../../specs/network/TcpNetwork.tla")),
    ("specs/pysyncobj/PySyncObj.tla", include_str!("../../../../specs/pysyncobj/PySyncObj.tla")),
    ("specs/pysyncobj/PySyncObj.cfg", include_str!("../../../../specs/pysyncobj/PySyncObj.cfg")),
    ("specs/pysyncobj/CommitMonotonic.cfg", include_str!("../../../../specs/pysyncobj/CommitMonotonic.cfg")),
    ("systems/pysyncobj/system.toml", include_str!("../../../../systems/pysyncobj/system.toml")),
    ("systems/pysyncobj/mapping.toml", include_str!("../../../../systems/pysyncobj/mapping.toml")),
    ("systems/pysyncobj/node.py", include_str!("../../../../systems/pysyncobj/node.py")),
    ("systems/pysyncobj/decode.py", include_str!("../../../../systems/pysyncobj/decode.py")),
];

const REPORT: &str = "commit-goes-back.html";

struct Scene {
    title: &'static str,
    commands: &'static [(&'static str, i32)],
    moral: &'static str,
}

/// The scene that installs the needs of the others.
const PROVISION: Scene = Scene {
    title: "6. A real program: PySyncObj 0.3.11, which replicates Python objects by Raft, and 0.3.12",
    commands: &[
        ("stage provision systems/pysyncobj --set version=0.3.11", 0),
        ("stage provision systems/pysyncobj --set version=0.3.12", 0),
    ],
    moral: "Both are installed from PyPI as they are, each into an environment of its own.",
};

const SCENES: &[Scene] = &[
    Scene {
        title: "7. A specification of what it does, checked: does a commit index ever go back?",
        commands: &[(
            "check specs/pysyncobj/PySyncObj.tla -c specs/pysyncobj/CommitMonotonic.cfg -L specs/network \
             --trace commit-goes-back.itf.json",
            13,
        )],
        moral: "It does. The search is breadth-first, so no shorter behaviour shows it.",
    },
    Scene {
        title: "8. Is that so in the program? The behaviour is carried out on two real processes",
        commands: &[(
            "replay commit-goes-back.itf.json --system systems/pysyncobj \
             -c specs/pysyncobj/CommitMonotonic.cfg --html commit-goes-back.html",
            0,
        )],
        moral: "Confirmed: clock, network and randomness of the processes are in Specline's hands, nothing\n\
                in them was changed, and after each step their state is that of the specification.",
    },
    Scene {
        title: "9. And in the release that repaired it?",
        commands: &[(
            "replay commit-goes-back.itf.json --system systems/pysyncobj \
             -c specs/pysyncobj/CommitMonotonic.cfg --set version=0.3.12",
            29,
        )],
        moral: "It does something else: the two values that differ stand side by side.",
    },
];

/// The result of the scenes.
pub enum Played {
    AsTold,
    Otherwise,
    /// The programs that it needs cannot be installed here.
    LeftOut,
}

pub fn play(place: &StagePlace, console: &Console) -> io::Result<Played> {
    let folder = place.cache.join("demo");
    console.line(Stream::Out, &format!("{}\n", PROVISION.title))?;
    if let Err((path, error)) = write_files(&folder) {
        console.draw(Stream::Out, &SourceMap::new(), &cannot_write(&path, &error.to_string()))?;
        console.line(Stream::Out, LEFT_OUT)?;
        return Ok(Played::LeftOut);
    }
    if let Some(why) = python::install(console)? {
        console.line(Stream::Out, &format!("{why}\n{LEFT_OUT}"))?;
        return Ok(Played::LeftOut);
    }
    if !play_commands(&PROVISION, &folder, console)? {
        console.line(Stream::Out, LEFT_OUT)?;
        return Ok(Played::LeftOut);
    }
    for scene in SCENES {
        console.line(Stream::Out, &format!("{}\n", scene.title))?;
        if !play_commands(scene, &folder, console)? {
            return Ok(Played::Otherwise);
        }
    }
    let report = folder.join(REPORT);
    console.line(Stream::Out, &format!("Specification and program side by side: {}\n", report.display()))?;
    Ok(Played::AsTold)
}

const LEFT_OUT: &str = "\
The rest of the demo is left out: it needs Python 3, PySyncObj from PyPI, and a folder to put them in.\n";

/// The path is the one that cannot be written.
fn write_files(folder: &Path) -> Result<(), (PathBuf, io::Error)> {
    for (path, text) in FILES {
        let path = folder.join(path);
        let made = std::fs::create_dir_all(path.parent().unwrap_or(folder));
        made.and_then(|()| std::fs::write(&path, text)).map_err(|error| (path, error))?;
    }
    Ok(())
}

/// Runs the command lines of a scene, and returns whether each ended as expected.
fn play_commands(scene: &Scene, folder: &Path, console: &Console) -> io::Result<bool> {
    let program = std::env::current_exe()?;
    for (line, expected) in scene.commands {
        console.line(Stream::Out, &format!("    $ specline {line}\n"))?;
        let ended = run(&program, line, folder, console)?;
        if ended != Some(*expected) {
            return Ok(false);
        }
    }
    console.line(Stream::Out, &format!("{}\n", scene.moral))?;
    Ok(true)
}

/// Runs the program; its output goes where ours goes.
fn run(program: &PathBuf, line: &str, folder: &Path, console: &Console) -> io::Result<Option<i32>> {
    let words = line.split_whitespace().map(OsStr::new);
    let mut command = Command::new(program);
    let output = command.args(words).current_dir(folder).stdin(Stdio::null()).output()?;
    for text in [output.stdout, output.stderr] {
        console.write(Stream::Out, &String::from_utf8_lossy(&text))?;
    }
    console.line(Stream::Out, "")?;
    Ok(output.status.code())
}
