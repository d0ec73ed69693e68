//! `specline init`: a small specification to start from, with its configuration, its models and a file for CI.

use std::path::PathBuf;

use clap::Args;

use crate::commands::Run;
use crate::console::{Console, Stream};
use crate::environment::Environment;
use crate::exit::{Ending, Stop};
use crate::skeleton;

#[derive(Args, Debug)]
pub struct InitArgs {
    /// The name of the module
    #[arg(value_name = "NAME", value_parser = skeleton::parse_module_name)]
    pub name: String,

    /// The folder for the files; it is made if it is not there
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub folder: PathBuf,
}

impl Run for InitArgs {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        let name = self.name.as_str();
        let files = [
            (format!("{name}.tla"), module(name)),
            (format!("{name}.cfg"), CONFIG.to_owned()),
            ("specline.toml".to_owned(), skeleton::project(name)),
            (".github/workflows/specline.yml".to_owned(), WORKFLOW.to_owned()),
        ];
        skeleton::write(&self.folder, &files, console)?;
        let module = self.folder.join(format!("{name}.tla"));
        let next = format!("next: `specline check {0}`, `specline explore {0}`", module.display());
        console.line(Stream::Out, &next)?;
        Ok(Ending::Ok)
    }
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

const WORKFLOW: &str = "# Checks all models of `specline.toml`. The step before it installs `specline`.\n\
                        name: specline\non: [push, pull_request]\njobs:\n  models:\n    runs-on: ubuntu-latest\n    steps:\n      \
                        - uses: actions/checkout@v4\n      - run: cargo install --locked --git \"$SPECLINE_REPOSITORY\" cli\n        \
                        env:\n          SPECLINE_REPOSITORY: ${{ vars.SPECLINE_REPOSITORY }}\n      - run: specline fmt --check .\n      \
                        - run: specline test --github\n";
