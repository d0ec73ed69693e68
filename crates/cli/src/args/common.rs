//! Options that several commands share, each under one name.

use std::time::Duration;

use clap::{Args, ValueEnum};

/// How many threads a run has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorkersArg {
    /// One for each processor.
    Auto,
    Count(u16),
}

/// Reads `auto`, or a number from 1 on.
pub fn parse_workers(text: &str) -> Result<WorkersArg, String> {
    if text == "auto" {
        return Ok(WorkersArg::Auto);
    }
    let count = text.parse().ok().filter(|&count| count > 0).map(WorkersArg::Count);
    count.ok_or_else(|| format!("expected a number from 1 to {}, or `auto`", u16::MAX))
}

/// Whether deadlock is looked for.
#[derive(Args, Debug)]
pub struct DeadlockArgs {
    /// Whether a state without successors is an error; without it the configuration says. `--no-deadlock` means `off`
    #[arg(long, value_enum, value_name = "SWITCH", overrides_with_all = ["deadlock", "no_deadlock"])]
    deadlock: Option<SwitchArg>,

    /// Another spelling of `--deadlock off`
    #[arg(long, hide = true, overrides_with_all = ["deadlock", "no_deadlock"])]
    no_deadlock: bool,
}

impl DeadlockArgs {
    /// Returns the choice of the command line, if there is one.
    pub fn wish(&self) -> Option<bool> {
        if self.no_deadlock { Some(false) } else { self.deadlock.map(|switch| switch == SwitchArg::On) }
    }
}

/// Whether a walk that goes wrong is made short.
#[derive(Args, Debug)]
pub struct MinimiseArgs {
    /// Whether a walk that goes wrong is made as short as it gets. `--no-minimise` means `off`
    #[arg(long, alias = "minimize", value_enum, value_name = "SWITCH", default_value_t = SwitchArg::On, overrides_with_all = ["minimise", "no_minimise"])]
    minimise: SwitchArg,

    /// Another spelling of `--minimise off`
    #[arg(long, alias = "no-minimize", hide = true, overrides_with_all = ["minimise", "no_minimise"])]
    no_minimise: bool,
}

impl MinimiseArgs {
    pub fn is_on(&self) -> bool {
        !self.no_minimise && self.minimise == SwitchArg::On
    }
}

/// How much a command says.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct QuietArgs {
    /// Say only what is wrong: no progress, no summary
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SwitchArg {
    On,
    Off,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineArg {
    /// Compiled to machine code once there are enough states that it pays
    Auto,
    Interpreted,
    /// Compiled from the first state on
    Compiled,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckFormatArg {
    /// For people
    Text,
    /// One JSON object a line, on standard output: docs/check-json.md
    Json,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatArg {
    /// With source lines, for people
    Text,
    /// One line each, for editors
    Concise,
    /// One JSON object a line, on standard output
    Json,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum DenyArg {
    Warnings,
}

/// Reads a time: `90`, `90s`, `5m`, `2h`, `500ms`.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    if let Some(Ok(number)) = text.strip_suffix("ms").map(str::parse) {
        return Ok(Duration::from_millis(number));
    }
    let (number, unit) = match text.strip_suffix(['s', 'm', 'h']) {
        Some(number) => (number, &text[number.len()..]),
        None => (text, "s"),
    };
    let number: u64 =
        number.parse().map_err(|_| "a number of seconds, minutes (m) or hours (h)".to_owned())?;
    let seconds = match unit {
        "h" => number.saturating_mul(3600),
        "m" => number.saturating_mul(60),
        _ => number,
    };
    Ok(Duration::from_secs(seconds))
}

pub fn parse_variable(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{WorkersArg, parse_workers};

    #[test]
    fn workers_are_a_number_or_auto() {
        assert_eq!(parse_workers("auto"), Ok(WorkersArg::Auto));
        assert_eq!(parse_workers("3"), Ok(WorkersArg::Count(3)));
        for wrong in ["0", "-1", "many", "", "65536"] {
            assert!(parse_workers(wrong).is_err(), "{wrong}");
        }
    }
}
