//! `specline completions` and `specline man`: what shells and `man` want to know of the command line, from its definition.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use diag::SourceMap;

use crate::check::cannot_write;
use crate::commands::{Cli, Run};
use crate::console::{Console, Stream};
use crate::environment::Environment;
use crate::exit::{Ending, Stop};

#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

impl Run for CompletionsArgs {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        Ok(completions(self.shell, console)?)
    }
}

#[derive(Args, Debug)]
pub struct ManArgs {
    /// The folder; it is made if it is not there
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Run for ManArgs {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        Ok(man(&self.folder, console)?)
    }
}

fn completions(shell: Shell, console: &Console) -> io::Result<Ending> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "specline", &mut script);
    console.write(Stream::Out, &String::from_utf8_lossy(&script))?;
    Ok(Ending::Ok)
}

fn man(folder: &Path, console: &Console) -> io::Result<Ending> {
    let mut command = Cli::command();
    // Names and options of subcommands are complete only then.
    command.build();
    let written = std::fs::create_dir_all(folder).and_then(|()| write(&command, "specline", folder));
    if let Err(error) = written {
        let diagnostic = cannot_write(folder, &error.to_string());
        console.draw(Stream::Err, &SourceMap::new(), &diagnostic)?;
        return Ok(Ending::Unreadable);
    }
    Ok(Ending::Ok)
}

/// Writes a page for a command, and one for each subcommand: `specline-trace-show.1`.
fn write(command: &Command, name: &str, folder: &Path) -> io::Result<()> {
    let page = Man::new(command.clone().display_name(name.to_owned()));
    let mut text = Vec::new();
    page.render(&mut text)?;
    std::fs::write(folder.join(format!("{name}.1")), text)?;
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        write(inner, &format!("{name}-{}", inner.get_name()), folder)?;
    }
    Ok(())
}
