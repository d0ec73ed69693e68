//! `specline stage provision`: what a system needs, in a folder of its own.

use std::path::Path;
use std::process::Command;

use diag::{Code, Diagnostic, SourceMap};
use stage::system::System;

use crate::check::cannot_write;
use crate::console::{Console, Stream};
use crate::exit::{Ending, Stop};

/// Whether a system's Python environment was made, to the end.
pub fn is_there(python: &Path) -> bool {
    python.join("bin/python").exists() && python.join("provisioned").exists()
}

/// Makes the environment anew, and installs the packages without what they in turn would like to have.
pub fn run(system: &System, python: &Path, console: &Console) -> Result<Ending, Stop> {
    if system.python_packages.is_empty() {
        console.line(Stream::Out, "nothing to provision")?;
        return Ok(Ending::Ok);
    }
    let made = make(python).and_then(|()| install(python, system));
    let noted = made.and_then(|()| {
        let note = python.join("provisioned");
        let written = std::fs::write(&note, system.python_packages.join("\n"));
        written.map_err(|error| Box::new(cannot_write(&note, &error.to_string())))
    });
    match noted {
        Ok(()) => {
            console.line(Stream::Out, &format!("installed {}", system.python_packages.join(", ")))?;
            Ok(Ending::Ok)
        }
        Err(failed) => Err(console.refuse(&SourceMap::new(), &failed)),
    }
}

/// Where Debian's `python3-venv` is missing an environment can still be made, without pip.
fn make(python: &Path) -> Result<(), Box<Diagnostic>> {
    let venv = |more: &[&str]| {
        let mut command = Command::new("python3");
        succeed(command.args(["-m", "venv", "--clear"]).args(more).arg(python), NEEDS_PYTHON)
    };
    if venv(&[]).is_ok() {
        return Ok(());
    }
    venv(&["--without-pip"])?;
    // A wheel of pip is a program as well. The index says where the newest is; mirrors of it say so by half a link.
    let mut fetch = Command::new(python.join("bin/python"));
    succeed(fetch.args(["-c", FETCH_PIP]).arg(python.join(PIP)), NEEDS_PYPI)
}

const NEEDS_PYTHON: &str = "it takes Python 3; on Debian, `apt-get install python3-venv`";

const NEEDS_PYPI: &str = "packages come from https://pypi.org: it takes a network, and certificates (on Debian, \
                          `apt-get install ca-certificates`)";

/// Where pip is, if the environment has none of its own.
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

/// Packages that are files are found beside the description.
fn install(python: &Path, system: &System) -> Result<(), Box<Diagnostic>> {
    let mut command = Command::new(python.join("bin/python"));
    match python.join(PIP).exists() {
        true => command.arg(python.join(PIP).join("pip")),
        false => command.args(["-m", "pip"]),
    };
    command.args(["install", "--quiet", "--disable-pip-version-check", "--no-deps"]);
    succeed(command.args(&system.python_packages).current_dir(system.folder()), NEEDS_PYPI)
}

/// Runs a command. If it fails, reports what it wrote last, and what it needs.
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
