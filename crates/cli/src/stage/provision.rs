//! `specline stage provision`: what a system needs, in a folder of its own.

use std::path::Path;
use std::process::Command;

use diag::{Code, Diagnostic, SourceMap};
use stage::system::{PACKAGES, PICKED, System};

use crate::check::cannot_write;
use crate::console::{Console, Stream};
use crate::exit::{Ending, Stop};

/// Whether everything that a system needs was provisioned, to the end.
pub fn is_there(system: &System, folder: &Path) -> bool {
    let has_python = system.python_packages.is_empty() || folder.join("bin/python").exists();
    let note = folder.join("provisioned");
    let commands = system.build(folder);
    let needs_nothing = system.provisions().next().is_none() && commands.is_empty();
    needs_nothing || has_python && note.exists() && !is_newer(system, &commands, &note)
}

/// Whether a file of the system that a program is built from has changed since.
fn is_newer(system: &System, commands: &[Vec<String>], note: &Path) -> bool {
    let changed = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    let noted = changed(note);
    let words = commands.iter().flatten().map(Path::new);
    words.filter(|path| path.starts_with(system.folder()) && path.is_file()).any(|path| changed(path) > noted)
}

/// Makes the folder anew, and installs the packages without what they in turn would like to have.
pub fn run(system: &System, folder: &Path, console: &Console) -> Result<Ending, Stop> {
    let names: Vec<&str> = system.provisions().collect();
    let commands = system.build(folder);
    if names.is_empty() && commands.is_empty() {
        console.line(Stream::Out, "nothing to provision")?;
        return Ok(Ending::Ok);
    }
    let made = make_all(system, folder).and_then(|()| build(&commands, folder));
    let noted = made.and_then(|()| {
        let note = folder.join("provisioned");
        let written = std::fs::write(&note, names.join("\n"));
        written.map_err(|error| Box::new(cannot_write(&note, &error.to_string())))
    });
    match noted {
        Ok(()) => {
            let built = commands.iter().filter_map(|words| words.first());
            let what = match names.is_empty() {
                true => format!("built with {}", built.cloned().collect::<Vec<_>>().join(", ")),
                false => format!("installed {}", names.join(", ")),
            };
            console.line(Stream::Out, &what)?;
            Ok(Ending::Ok)
        }
        Err(failed) => Err(console.refuse(&SourceMap::new(), &failed)),
    }
}

fn make_all(system: &System, folder: &Path) -> Result<(), Box<Diagnostic>> {
    if !(system.python_packages.is_empty() && system.archives.is_empty()) {
        make(folder)?;
    }
    if !system.python_packages.is_empty() {
        install(folder, system)?;
    }
    if !system.debian_packages.is_empty() {
        unpack(&system.debian_packages, folder)?;
    }
    if !system.archives.is_empty() {
        pick(folder, system)?;
    }
    Ok(())
}

/// Runs the commands that build a program, in the folder with what it is built from.
fn build(commands: &[Vec<String>], folder: &Path) -> Result<(), Box<Diagnostic>> {
    std::fs::create_dir_all(folder).map_err(|error| Box::new(cannot_write(folder, &error.to_string())))?;
    let mut words = commands.iter().filter_map(|words| words.split_first());
    words.try_for_each(|(program, words)| {
        succeed(Command::new(program).args(words).current_dir(folder), NEEDS_BUILD)
    })
}

const NEEDS_BUILD: &str = "the commands of `build` need what they name: a compiler of C, say (on Debian, \
                           `apt-get install gcc libc6-dev`)";

/// Fetches archives, and keeps the files of them that are wanted.
fn pick(folder: &Path, system: &System) -> Result<(), Box<Diagnostic>> {
    let (into, fetched) = (folder.join(PACKAGES).join(PICKED), folder.join("archives"));
    for path in [&into, &fetched] {
        // What an earlier attempt left is no part of this one.
        let _ = std::fs::remove_dir_all(path);
        std::fs::create_dir_all(path).map_err(|error| Box::new(cannot_write(path, &error.to_string())))?;
    }
    let mut download = pip(folder);
    download
        .args(["download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest"])
        .arg(&fetched);
    succeed(download.args(&system.archives), NEEDS_PYPI)?;
    let mut picking = Command::new(folder.join("bin/python"));
    picking.args(["-c", PICK]).arg(&fetched).arg(&into).args(&system.picks);
    succeed(&mut picking, "`pick` has patterns for paths in the archives: `*/jars/zookeeper-*.jar`")?;
    // What is wanted was taken: if this fails, it only costs space.
    let _ = std::fs::remove_dir_all(&fetched);
    Ok(())
}

/// Takes the files that one of the patterns fits from all archives of a folder.
const PICK: &str = r#"
import fnmatch, pathlib, sys, tarfile, zipfile
fetched, into, *patterns = sys.argv[1:]
unused = set(patterns)
def is_wanted(name):
    fitting = {pattern for pattern in patterns if fnmatch.fnmatchcase(name, pattern)}
    unused.difference_update(fitting)
    return bool(fitting)
def keep(name, data):
    (pathlib.Path(into) / pathlib.PurePosixPath(name).name).write_bytes(data)
for path in sorted(pathlib.Path(fetched).iterdir()):
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                if not member.is_dir() and is_wanted(member.filename):
                    keep(member.filename, archive.read(member))
    else:
        with tarfile.open(path) as archive:
            for member in archive:
                if member.isfile() and is_wanted(member.name):
                    keep(member.name, archive.extractfile(member).read())
if unused or not patterns:
    sys.exit("no file fits " + (", ".join(sorted(unused)) or "no pattern"))
"#;

/// Fetches Debian packages and unpacks their files; nothing of the machine's own packages changes.
fn unpack(packages: &[String], folder: &Path) -> Result<(), Box<Diagnostic>> {
    let (into, fetched) = (folder.join(PACKAGES), folder.join("fetched"));
    for path in [&into, &fetched] {
        // What an earlier attempt left is no part of this one.
        let _ = std::fs::remove_dir_all(path);
        std::fs::create_dir_all(path).map_err(|error| Box::new(cannot_write(path, &error.to_string())))?;
    }
    fetch(packages, &fetched)?;
    let entries =
        std::fs::read_dir(&fetched).map_err(|error| Box::new(cannot_write(&fetched, &error.to_string())))?;
    for entry in entries.flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "deb") {
            succeed(Command::new("dpkg").arg("-x").arg(entry.path()).arg(&into), NEEDS_DEBIAN)?;
        }
    }
    // They are unpacked: if this fails, it only costs space.
    let _ = std::fs::remove_dir_all(&fetched);
    Ok(())
}

/// Fetches packages into a folder. If the machine has no package lists, they are fetched into that folder
/// too; this needs no rights.
fn fetch(packages: &[String], folder: &Path) -> Result<(), Box<Diagnostic>> {
    let download = |options: &[String]| {
        let mut command = Command::new("apt-get");
        succeed(command.args(options).arg("download").args(packages).current_dir(folder), NEEDS_DEBIAN)
    };
    if download(&[]).is_ok() {
        return Ok(());
    }
    let lists = folder.join("lists");
    let partial = lists.join("partial");
    std::fs::create_dir_all(&partial)
        .map_err(|error| Box::new(cannot_write(&partial, &error.to_string())))?;
    let options = [
        "-o".to_owned(),
        format!("Dir::State::lists={}", lists.display()),
        "-o".to_owned(),
        format!("Dir::Cache={}", folder.display()),
        "-o".to_owned(),
        "Debug::NoLocking=1".to_owned(),
    ];
    succeed(Command::new("apt-get").args(&options).arg("update").current_dir(folder), NEEDS_DEBIAN)?;
    download(&options)
}

const NEEDS_DEBIAN: &str = "packages are fetched with `apt-get download` and unpacked with `dpkg -x`: it takes Debian, \
                            or a distribution made from it, and a network";

/// Creates a virtual environment. Without Debian's `python3-venv` it has no pip of its own.
fn make(python: &Path) -> Result<(), Box<Diagnostic>> {
    let venv = |more: &[&str]| {
        let mut command = Command::new("python3");
        succeed(command.args(["-m", "venv", "--clear"]).args(more).arg(python), NEEDS_PYTHON)
    };
    if venv(&[]).is_ok() {
        return Ok(());
    }
    venv(&["--without-pip"])?;
    // A wheel of pip can be run as a program. The index links to the newest; mirrors use relative links.
    let mut fetch = Command::new(python.join("bin/python"));
    succeed(fetch.args(["-c", FETCH_PIP]).arg(python.join(PIP)), NEEDS_PYPI)
}

const NEEDS_PYTHON: &str = "it takes Python 3; on Debian, `apt-get install python3-venv`";

const NEEDS_PYPI: &str = "packages come from https://pypi.org: it takes a network, and certificates (on Debian, \
                          `apt-get install ca-certificates`)";

/// Name of the file with pip, for an environment without a pip of its own.
const PIP: &str = "pip.whl";

const FETCH_PIP: &str = r##"
import hashlib, html.parser, re, sys, urllib.parse, urllib.request
INDEX = "https://pypi.org/simple/pip/"
class Links(html.parser.HTMLParser):
    found = []
    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        name = re.match(r"pip-(\d+(?:\.\d+)*)-py3-none-any\.whl", attributes.get("href", "").split("/")[-1])
        if tag == "a" and name and "data-yanked" not in attributes:
            self.found.append(([int(part) for part in name[1].split(".")], attributes["href"]))
def get(url):
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return answer.read(), answer.geturl()
    except OSError as error:
        sys.exit(f"cannot fetch {url}: {getattr(error, 'reason', error)}")
page, base = get(INDEX)
Links().feed(page.decode())
if not Links.found:
    sys.exit(f"{base} lists no wheel of pip")
url, _, digest = urllib.parse.urljoin(base, max(Links.found)[1]).partition("#sha256=")
data, _ = get(url)
if not digest or hashlib.sha256(data).hexdigest() != digest:
    sys.exit("the wheel of pip is not what the index says")
with open(sys.argv[1], "wb") as file:
    file.write(data)
"##;

/// Returns the pip of an environment.
fn pip(python: &Path) -> Command {
    let mut command = Command::new(python.join("bin/python"));
    match python.join(PIP).exists() {
        true => command.arg(python.join(PIP).join("pip")),
        false => command.args(["-m", "pip"]),
    };
    command
}

/// Packages that are files are found beside the description.
fn install(python: &Path, system: &System) -> Result<(), Box<Diagnostic>> {
    let mut command = pip(python);
    command.args(["install", "--quiet", "--disable-pip-version-check", "--no-deps"]);
    succeed(command.args(&system.python_packages).current_dir(system.folder()), NEEDS_PYPI)
}

/// Runs a command. If it fails, returns an error with the end of its output and the requirements of the
/// command.
fn succeed(command: &mut Command, needs: &str) -> Result<(), Box<Diagnostic>> {
    let program = command.get_program().display().to_string();
    let failed = |headline: String| Diagnostic::without_place(Code::StageFailed, headline).help(needs);
    let output = command.output().map_err(|error| failed(format!("`{program}` cannot be run: {error}")))?;
    if output.status.success() {
        return Ok(());
    }
    let written = String::from_utf8_lossy(&output.stderr);
    Err(Box::new(last_lines(&written).fold(failed(format!("`{program}` failed")), Diagnostic::note)))
}

/// Returns the last lines of the output of a command that failed: enough for pip, which has its cause before its
/// verdict.
pub fn last_lines(text: &str) -> impl Iterator<Item = &str> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let n_left_out = lines.len().saturating_sub(3);
    lines.into_iter().skip(n_left_out)
}
