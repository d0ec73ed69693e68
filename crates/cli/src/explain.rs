//! `specline explain`: the long form of a message.

use std::io;

use base::nearest;
use clap::Args;
use diag::{Code, Severity};

use crate::commands::Run;
use crate::console::{Console, Stream};
use crate::environment::Environment;
use crate::exit::{Ending, Stop};
use crate::pages::page;

#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// A code such as `SL0301`, or its name, `unknown-name`
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

impl Run for ExplainArgs {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        Ok(explain(self.code.as_deref(), console)?)
    }
}

fn explain(code: Option<&str>, console: &Console) -> io::Result<Ending> {
    let Some(wanted) = code else {
        console.write(Stream::Out, &list())?;
        return Ok(Ending::Ok);
    };
    match find(wanted) {
        Some(code) => {
            console.write(Stream::Out, page(code))?;
            Ok(Ending::Ok)
        }
        None => {
            console.line(Stream::Err, &describe_unknown(wanted))?;
            Ok(Ending::BadUsage)
        }
    }
}

/// A code by its id in any case, its slug, or its number alone: `SL0301`, `unknown-name`, `301`.
fn find(wanted: &str) -> Option<Code> {
    let number = wanted.parse::<u16>().ok();
    Code::parse(wanted).or_else(|| Code::parse(&format!("SL{:04}", number?)))
}

fn describe_unknown(wanted: &str) -> String {
    // `{:?}` because what was typed may hold anything.
    let upper = wanted.to_ascii_uppercase();
    let ids = Code::ALL.iter().map(|code| code.id());
    let slugs = Code::ALL.iter().map(|code| code.slug());
    let guess = nearest(wanted, slugs).or_else(|| nearest(&upper, ids));
    let guess = guess.map_or(String::new(), |guess| format!("; did you mean `{guess}`?"));
    format!("error: there is no code {wanted:?}{guess}\n\n`specline explain` lists all codes.")
}

fn list() -> String {
    let mut text = String::new();
    for code in Code::ALL {
        let severity = match code.severity() {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        text.push_str(&format!("{}  {severity:7}  {}\n", code.id(), code.slug()));
    }
    text
}
