//! TLC's options, one row each: the words that an option takes, and its effect here. `docs/tlc.md` is the
//! user's copy.

/// The number of words that follow an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    Nothing,
    /// One word, called so in messages.
    One(&'static str),
    /// A form and a file.
    FormAndFile,
    /// A word that has one of these in it, or none.
    Perhaps(&'static [&'static str]),
    /// A file, and before it perhaps a word that starts so.
    FileAfter(&'static [&'static str]),
}

/// The effect of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Used(Wish),
    /// It has no effect here, and is accepted without a message.
    Silent,
    /// It has no effect here, for this reason, which is reported.
    Ignored(&'static str),
    /// It is refused with this reason: without its effect the answer would be wrong.
    Refused(&'static str),
}

/// The meaning of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    Aril,
    Checkpoint,
    Config,
    Continue,
    Coverage,
    Deepen,
    NoDeadlock,
    Depth,
    DiffTrace,
    Dump,
    DumpTrace,
    ExplorationPlace,
    ExploreTrace,
    Fingerprint,
    Generate,
    Help,
    Invariant,
    InvariantLevel,
    LivenessCheck,
    LoadTrace,
    MessagesAsErrors,
    MetaDir,
    NoExploration,
    NoSandbox,
    NoWarning,
    PostCondition,
    Recover,
    Sandbox,
    Seed,
    Simulate,
    Suppress,
    Tool,
    UserFile,
    View,
    Workers,
}

#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub name: &'static str,
    pub takes: Takes,
    pub standing: Standing,
}

const fn row(name: &'static str, takes: Takes, standing: Standing) -> Row {
    Row { name, takes, standing }
}

const SIMULATION: &[&str] = &["num=", "file=", "stats=", "sched="];
const DEBUGGER: &[&str] = &["port=", "nosuspend", "nohalt", "suspend", "halt"];

use Standing::{Ignored, Refused, Silent, Used};
use Takes::{FileAfter, FormAndFile, Nothing, One, Perhaps};

pub const OPTIONS: &[Row] = &[
    row("-aril", One("integer"), Used(Wish::Aril)),
    row("-checkpoint", One("integer"), Used(Wish::Checkpoint)),
    row("-cleanup", Nothing, Silent),
    row("-config", One("file name"), Used(Wish::Config)),
    row("-continue", Nothing, Used(Wish::Continue)),
    row("-coverage", One("integer"), Used(Wish::Coverage)),
    row("-deadlock", Nothing, Used(Wish::NoDeadlock)),
    row("-debug", Nothing, Ignored("there is nothing of TLC's own to be debugged")),
    row(
        "-debugger",
        Perhaps(DEBUGGER),
        Refused(
            "there is no server for debuggers; `specline check --trace-html` and `--trace-expr` show what a step did",
        ),
    ),
    row("-depth", One("integer"), Used(Wish::Depth)),
    row("-dfid", One("integer"), Used(Wish::Deepen)),
    row("-difftrace", Nothing, Used(Wish::DiffTrace)),
    row("-dump", FileAfter(&["dot", "class,"]), Used(Wish::Dump)),
    row("-dumpTrace", FormAndFile, Used(Wish::DumpTrace)),
    row("-fp", One("integer"), Used(Wish::Fingerprint)),
    row("-fpbits", One("integer"), Ignored("states are compared in full, and there are no fingerprints")),
    row("-fpmem", One("number"), Ignored("states are compared in full, and there are no fingerprints")),
    row("-generate", Perhaps(SIMULATION), Used(Wish::Generate)),
    row("-generateSpecTE", Perhaps(&["nomonolith"]), Used(Wish::ExploreTrace)),
    row("-gzip", Nothing, Ignored("what is kept on disk has a form of its own")),
    row("--help", Nothing, Used(Wish::Help)),
    row("-h", Nothing, Used(Wish::Help)),
    row("-help", Nothing, Used(Wish::Help)),
    row("-inv", One("expression"), Used(Wish::Invariant)),
    row("-invlevel", One("integer"), Used(Wish::InvariantLevel)),
    row("-lncheck", One("strategy"), Used(Wish::LivenessCheck)),
    row("-loadTrace", FormAndFile, Used(Wish::LoadTrace)),
    row("-maxSetSize", One("integer"), Ignored("sets are not limited by their number of elements")),
    row("-messagesAsErrors", One("list of codes"), Used(Wish::MessagesAsErrors)),
    row("-metadir", One("folder"), Used(Wish::MetaDir)),
    row("-modelcheck", Nothing, Silent),
    row("-noGenerateSpecTE", Nothing, Used(Wish::NoExploration)),
    row("-noGenerateSpecTEBin", Nothing, Silent),
    row("-noTE", Nothing, Used(Wish::NoExploration)),
    row("-noTEBin", Nothing, Silent),
    row("-nowarning", Nothing, Used(Wish::NoWarning)),
    row("-postCondition", One("Module!Operator"), Used(Wish::PostCondition)),
    row("-recover", One("folder"), Used(Wish::Recover)),
    row("--no-sandbox", Nothing, Used(Wish::NoSandbox)),
    row("--sandbox", Nothing, Used(Wish::Sandbox)),
    row("-seed", One("integer"), Used(Wish::Seed)),
    row("-simulate", Perhaps(SIMULATION), Used(Wish::Simulate)),
    row("-suppressMessages", One("list of codes"), Used(Wish::Suppress)),
    row("-teSpecOutDir", One("folder"), Used(Wish::ExplorationPlace)),
    row("-terse", Nothing, Ignored("values are always printed in full")),
    row("-tool", Nothing, Used(Wish::Tool)),
    row("-userFile", One("file name"), Used(Wish::UserFile)),
    row("-view", Nothing, Used(Wish::View)),
    row("-workers", One("number, or 'auto',"), Used(Wish::Workers)),
];

/// The row of an option. TLC: some may be written in any case.
pub fn find(word: &str) -> Option<&'static Row> {
    const ANY_CASE: &[&str] = &["-dumpTrace", "-loadTrace", "-postCondition", "-noTE", "-noTEBin"];
    let is_it =
        |row: &&Row| row.name == word || ANY_CASE.contains(&row.name) && row.name.eq_ignore_ascii_case(word);
    OPTIONS.iter().find(is_it)
}

#[cfg(test)]
mod tests {
    use super::{OPTIONS, Standing};

    const PAGE: &str = include_str!("../../../docs/tlc.md");

    #[test]
    fn the_book_has_a_row_for_each_option_that_says_what_becomes_of_it() {
        for row in OPTIONS {
            let line = PAGE.lines().find(|line| {
                line.starts_with("| `")
                    && line.split('`').any(|word| word.split(' ').next() == Some(row.name))
            });
            let Some(line) = line else { panic!("docs/tlc.md has no row for {}", row.name) };
            let column = line.split('|').nth(2).map_or("", str::trim);
            let expected = match row.standing {
                Standing::Used(_) => "yes",
                Standing::Silent | Standing::Ignored(_) => "no effect",
                Standing::Refused(_) => "refused",
            };
            assert_eq!(column, expected, "{}", row.name);
        }
    }
}
