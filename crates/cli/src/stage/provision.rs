//! `specline stage provision`: what a system needs, in a folder of its own.

use std::io;
use std::path::Path;
use std::process::Command;

use diag::{Code, Diagnostic};
use stage::system::System;

use crate::console::{Console, Stream};
use crate::exit::Ending;

/// Whether a system's Python environment was made, to the end.
pub fn is_there(python: &Path) -> bool {
    python.join("bin/python").exists() && python.join("provisioned").exists()
}

/// Makes the environment anew, and installs the packages without what they in turn would like to have.
pub fn run(system: &System, python: &Path, console: &Console) -> io::Result<Ending> {
    if system.python_packages.is_empty() {
        console.line(Stream::Out, "nothing to provision")?;
        return Ok(Ending::Ok);
    }
    let made = make(python).and_then(|()| install(python, system));
    match made {
        Ok(()) => {
            std::fs::write(python.join("provisioned"), system.python_packages.join("\n"))?;
            console.line(Stream::Out, &format!("installed {}", system.python_packages.join(", ")))?;
            Ok(Ending::Ok)
        }
        Err(headline) => super::fail(&Diagnostic::without_place(Code::StageFailed, headline), console),
    }
}

/// Where Debian's `python3-venv` is missing an environment can still be made, without pip.
fn make(python: &Path) -> Result<(), String> {
    let venv = |more: &[&str]| {
        succeed(Command::new("python3").args(["-m", "venv", "--clear"]).args(more).arg(python))
    };
    if venv(&[]).is_ok() {
        return Ok(());
    }
    venv(&["--without-pip"])?;
    // A wheel of pip is a program as well. The index says where the newest is; mirrors of it say so by half a link.
    succeed(Command::new(python.join("bin/python")).args(["-c", FETCH_PIP]).arg(python.join(PIP)))
}

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
    with urllib.request.urlopen(url, timeout=60) as answer:
        return answer.read(), answer.geturl()
page, base = get(INDEX)
Links().feed(page.decode())
url, _, digest = urllib.parse.urljoin(base, max(Links.found)[1]).partition("#sha256=")
data, _ = get(url)
if not digest or hashlib.sha256(data).hexdigest() != digest:
    sys.exit("the wheel of pip is not what the index says")
with open(sys.argv[1], "wb") as file:
    file.write(data)
"##;

/// Packages that are files are found beside the description.
fn install(python: &Path, system: &System) -> Result<(), String> {
    let mut command = Command::new(python.join("bin/python"));
    match python.join(PIP).exists() {
        true => command.arg(python.join(PIP).join("pip")),
        false => command.args(["-m", "pip"]),
    };
    command.args(["install", "--quiet", "--disable-pip-version-check", "--no-deps"]);
    succeed(command.args(&system.python_packages).current_dir(system.folder()))
}

fn succeed(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().display().to_string();
    let output = command.output().map_err(|error| format!("`{program}` cannot be run: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("`{program}` failed: {}", String::from_utf8_lossy(&output.stderr).trim_end())),
    }
}
