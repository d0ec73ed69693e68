//! The command line of `specline eval`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use setup::{ModelInput, Translations};

use crate::args::{SandboxArgs, SourceArgs, module_parser};
use crate::commands::Run;
use crate::console::Console;
use crate::environment::Environment;
use crate::exit::{Ending, Stop};

#[derive(Args, Debug)]
pub struct EvalArgs {
    /// The expression; without it expressions are read from a prompt, or from standard input
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub expression: Option<String>,

    #[command(flatten)]
    pub model: EvalModelArgs,

    /// Evaluate in this state of a trace, counted from 1; primes read the state after it
    #[arg(long, value_name = "TRACE:STATE", value_parser = parse_place, requires = "spec")]
    pub at: Option<TracePlace>,

    /// Show the successors of the state of `--at`, or the initial states
    #[arg(long, requires = "spec", conflicts_with = "expression")]
    pub next: bool,

    /// How values are written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ValueFormatArg::Text)]
    pub format: ValueFormatArg,
}

/// The names that expressions can use.
#[derive(Args, Clone, Debug)]
pub struct EvalModelArgs {
    /// The specification whose names the expression can use
    #[arg(short = 'm', long = "module", value_name = "SPEC", value_parser = module_parser())]
    pub spec: Option<PathBuf>,

    /// Configuration of SPEC. Default: SPEC's own name with `.cfg`, if there is such a file
    #[arg(short, long, value_name = "CONFIG", requires = "spec")]
    pub config: Option<PathBuf>,

    /// A further module whose definitions the expression can use; may be repeated
    #[arg(short = 'e', long, value_name = "MODULE")]
    pub extends: Vec<String>,

    #[command(flatten)]
    pub sources: SourceArgs,

    /// Translate PlusCal algorithms afresh, and write the translations nowhere
    #[arg(long, requires = "spec")]
    pub translate: bool,

    #[command(flatten)]
    pub sandbox: SandboxArgs,
}

impl EvalModelArgs {
    /// The model, if a specification was named.
    pub fn input(&self) -> Option<ModelInput> {
        let translations = if self.translate { Translations::Fresh } else { Translations::Reported };
        let input = self.sources.input(self.spec.clone()?, self.config.clone());
        Some(ModelInput { translations, may_lack_behaviour: true, ..input })
    }
}

/// A state of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracePlace {
    pub trace: PathBuf,
    /// The number of the state, from 1.
    pub state: usize,
}

/// Reads `TRACE:STATE`.
pub fn parse_place(text: &str) -> Result<TracePlace, String> {
    let parts = text.rsplit_once(':').filter(|(trace, _)| !trace.is_empty());
    let (trace, state) = parts.ok_or("expected TRACE:STATE, such as `trace.itf.json:3`")?;
    let state = state.parse().ok().filter(|&state: &usize| state > 0);
    let state = state.ok_or("states of a trace are numbers from 1 on")?;
    Ok(TracePlace { trace: PathBuf::from(trace), state })
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueFormatArg {
    /// As TLC prints them
    Text,
    /// One JSON object a line, with the value in the Informal Trace Format
    Json,
    /// The parts of a value below each other
    Tree,
}

impl Run for EvalArgs {
    fn run(self, environment: &Environment, console: &Console) -> Result<Ending, Stop> {
        super::run(&self, environment, console)
    }
}

#[cfg(test)]
mod tests {
    use super::parse_place;

    #[test]
    fn a_place_is_a_file_and_a_number() {
        let place = parse_place("C:/x.json:12").expect("a place");
        assert_eq!((place.trace.display().to_string().as_str(), place.state), ("C:/x.json", 12));
        for wrong in ["x.json", "x.json:0", "x.json:", ":3", "x.json:-1", "x.json:a"] {
            assert!(parse_place(wrong).is_err(), "{wrong}");
        }
    }
}
