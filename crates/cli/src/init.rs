//! `specline init`: a small specification to start from, with its configuration, its models and a file for CI.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use diag::{Code, Diagnostic, SourceMap};

use crate::commands::Run;
use crate::console::{Console, Stream};
use crate::environment::Environment;
use crate::exit::{Ending, Stop};

#[derive(Args, Debug)]
pub struct InitArgs {
    /// The name of the module
    #[arg(value_name = "NAME", value_parser = parse_name)]
    pub name: String,

    /// The folder for the files; it is made if it is not there
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub folder: PathBuf,
}

/// Reads the name of a module: letters, digits and `_`, with a letter.
fn parse_name(text: &str) -> Result<String, String> {
    let is_name = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let has_letter = text.chars().any(|c| c.is_ascii_alphabetic());
    match is_name && has_letter && !text.starts_with("WF_") && !text.starts_with("SF_") {
        true => Ok(text.to_owned()),
        false => Err("the name of a module has letters, digits and `_`".to_owned()),
    }
}

impl Run for InitArgs {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        let name = self.name.as_str();
        let files = [
            (format!("{name}.tla"), module(name)),
            (format!("{name}.cfg"), CONFIG.to_owned()),
            ("specline.toml".to_owned(), project(name)),
            (".github/workflows/specline.yml".to_owned(), WORKFLOW.to_owned()),
        ];
        // All or nothing: a file of the user's is never written over.
        if let Some((taken, _)) = files.iter().find(|(file, _)| self.folder.join(file).exists()) {
            let headline =
                format!("`{}` is there already, and nothing was written", self.folder.join(taken).display());
            let told = Diagnostic::without_place(Code::CannotWrite, headline)
                .help("name another folder with --folder");
            return Err(console.refuse(&SourceMap::new(), &told));
        }
        for (file, text) in &files {
            let path = self.folder.join(file);
            if let Err(error) = write(&path, text) {
                let headline = format!("cannot write `{}`: {error}", path.display());
                let told = Diagnostic::without_place(Code::CannotWrite, headline);
                return Err(console.refuse(&SourceMap::new(), &told));
            }
            console.line(Stream::Out, &format!("wrote {}", path.display()))?;
        }
        let module = self.folder.join(format!("{name}.tla"));
        let next = format!("next: `specline check {0}`, `specline explore {0}`", module.display());
        console.line(Stream::Out, &next)?;
        Ok(Ending::Ok)
    }
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    File::create_new(path)?.write_all(text.as_bytes())
}

/// A lock with clients: small, with an invariant that holds and a property that needs fairness.
fn module(name: &str) -> String {
    format!(
        r#"---- MODULE {name} ----
\* Clients that take turns with one lock.
CONSTANT Client
VARIABLES holder, waiting

vars == <<holder, waiting>>

Nobody == "nobody"

TypeOK == /\ holder \in Client \cup {{Nobody}}
          /\ waiting \subseteq Client

Init == /\ holder = Nobody
        /\ waiting = {{}}

Ask(c) == /\ c \notin waiting
          /\ c # holder
          /\ waiting' = waiting \cup {{c}}
          /\ UNCHANGED holder

Take(c) == /\ holder = Nobody
           /\ c \in waiting
           /\ holder' = c
           /\ waiting' = waiting \ {{c}}

Release == /\ holder # Nobody
           /\ holder' = Nobody
           /\ UNCHANGED waiting

Next == \/ \E c \in Client : Ask(c) \/ Take(c)
        \/ Release

Spec == Init /\ [][Next]_vars /\ WF_vars(Release) /\ \A c \in Client : SF_vars(Take(c))

\* Whoever holds the lock does not wait for it.
HolderIsServed == holder \notin waiting

\* Whoever waits gets the lock.
EveryoneIsServed == \A c \in Client : c \in waiting ~> holder = c
====
"#
    )
}

const CONFIG: &str = "CONSTANT Client = {c1, c2}\nSPECIFICATION Spec\nINVARIANTS TypeOK HolderIsServed\n\
                      PROPERTY EveryoneIsServed\n";

fn project(name: &str) -> String {
    format!("[test]\ntime = \"60s\"\n\n[[test.model]]\nspec = \"{name}.tla\"\nexpect = \"ok\"\n")
}

const WORKFLOW: &str = "# Checks all models of `specline.toml`. The step before it installs `specline`.\n\
                        name: specline\non: [push, pull_request]\njobs:\n  models:\n    runs-on: ubuntu-latest\n    steps:\n      \
                        - uses: actions/checkout@v4\n      - run: cargo install --locked --git \"$SPECLINE_REPOSITORY\" cli\n        \
                        env:\n          SPECLINE_REPOSITORY: ${{ vars.SPECLINE_REPOSITORY }}\n      - run: specline fmt --check .\n      \
                        - run: specline test --github\n";

#[cfg(test)]
mod tests {
    use super::parse_name;

    #[test]
    fn a_name_is_one_of_a_module() {
        for right in ["Lock", "Two_2", "2a"] {
            assert!(parse_name(right).is_ok(), "{right}");
        }
        for wrong in ["", "a b", "../x", "12", "WF_x", "a-b"] {
            assert!(parse_name(wrong).is_err(), "{wrong}");
        }
    }
}
