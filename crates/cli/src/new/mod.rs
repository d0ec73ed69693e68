//! `specline new`: what a new specification of a system begins with, and a new system for it. Both run as they are.

use std::io;
use std::path::{Component, Path, PathBuf};

use clap::{Args, Subcommand};
use diag::SourceMap;
use setup::files::read_text;

use crate::check::cannot_write;
use crate::commands::Run;
use crate::console::{Console, Stream};
use crate::environment::Environment;
use crate::exit::{Ending, Stop};
use crate::skeleton;

#[derive(Subcommand, Debug)]
pub enum NewCommand {
    /// Write a specification of nodes that exchange messages: a module, the network below it, a configuration and tests
    Spec(NewSpecArgs),
    /// Write the description of a program for the stage, and the mapping that ties it to a specification
    System(NewSystemArgs),
}

#[derive(Args, Debug)]
pub struct NewSpecArgs {
    /// The name of the module
    #[arg(value_name = "NAME", value_parser = skeleton::parse_module_name)]
    pub name: String,

    /// The folder for the files; it is made if it is not there
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub folder: PathBuf,
}

#[derive(Args, Debug)]
pub struct NewSystemArgs {
    /// The name of the system, and of its folder
    #[arg(value_name = "NAME", value_parser = parse_system_name)]
    pub name: String,

    /// The specification that `specline new spec` has written
    #[arg(long, value_name = "SPEC")]
    pub spec: PathBuf,

    /// The folder for the files, in place of one with the system's name; it is made if it is not there
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

/// Reads the name of a system, which is that of a folder too.
fn parse_system_name(text: &str) -> Result<String, String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match !text.is_empty() && !text.starts_with('-') && text.chars().all(is_part) {
        true => Ok(text.to_owned()),
        false => Err("the name of a system has letters, digits, `_` and `-`".to_owned()),
    }
}

impl Run for NewCommand {
    fn run(self, environment: &Environment, console: &Console) -> Result<Ending, Stop> {
        match self {
            NewCommand::Spec(args) => args.run(environment, console),
            NewCommand::System(args) => args.run(environment, console),
        }
    }
}

const NETWORK: &str = include_str!("../../../../specs/network/TcpNetwork.tla");

impl Run for NewSpecArgs {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        let name = self.name.as_str();
        let files = [
            (format!("{name}.tla"), include_str!("files/spec.tla").replace("@NAME@", name)),
            ("TcpNetwork.tla".to_owned(), NETWORK.to_owned()),
            (format!("{name}.cfg"), include_str!("files/spec.cfg").to_owned()),
            ("specline.toml".to_owned(), skeleton::project(name)),
        ];
        skeleton::write(&self.folder, &files, console)?;
        let module = self.folder.join(format!("{name}.tla"));
        let (module, system) = (module.display(), name.to_lowercase());
        let next = format!("next: `specline check {module}`, `specline new system {system} --spec {module}`");
        console.line(Stream::Out, &next)?;
        Ok(Ending::Ok)
    }
}

/// Returns the way from a folder to a file, both as they are found from here.
fn relative(file: &Path, folder: &Path) -> io::Result<PathBuf> {
    let [file, folder] = [std::path::absolute(file)?, std::path::absolute(folder)?].map(|path| plain(&path));
    let n_common = file.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(n_common).map(|_| Component::ParentDir);
    Ok(up.chain(file.components().skip(n_common)).collect())
}

/// Returns an absolute path without `..` in it.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => plain.push(part),
        }
    }
    plain
}

/// Returns a path for a text of TOML in quotes.
fn toml_text(path: &Path) -> String {
    path.display().to_string().replace('\\', "\\\\").replace('"', "\\\"")
}

impl Run for NewSystemArgs {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        let folder = self.folder.clone().unwrap_or_else(|| PathBuf::from(&self.name));
        read_text(&self.spec, &mut SourceMap::new())
            .map_err(|failed| console.refuse(&SourceMap::new(), &failed))?;
        let path = relative(&self.spec, &folder)
            .map_err(|error| console.refuse(&SourceMap::new(), &cannot_write(&folder, &error.to_string())))?;
        let module = self.spec.file_name().unwrap_or_default().to_string_lossy();
        let fill = |text: &str| {
            let values = [
                ("@NAME@", self.name.clone()),
                ("@MODULE@", module.to_string()),
                ("@PATH@", toml_text(&path)),
                ("@CONFIG@", toml_text(&path.with_extension("cfg"))),
                ("@SPEC@", self.spec.display().to_string()),
                ("@FOLDER@", folder.display().to_string()),
            ];
            values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
        };
        let files = [
            ("system.toml".to_owned(), fill(include_str!("files/system.toml"))),
            ("mapping.toml".to_owned(), fill(include_str!("files/mapping.toml"))),
            ("node.py".to_owned(), fill(include_str!("files/node.py"))),
        ];
        skeleton::write(&folder, &files, console)?;
        let (spec, system) = (self.spec.display(), folder.display());
        let next = format!("next: `specline conform {spec} --system {system} --walks 10`");
        console.line(Stream::Out, &next)?;
        Ok(Ending::Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::{relative, toml_text};
    use std::path::Path;

    #[track_caller]
    fn check(file: &str, folder: &str, expected: &str) {
        assert_eq!(relative(Path::new(file), Path::new(folder)).unwrap(), Path::new(expected));
    }

    #[test]
    fn the_way_leads_up_and_down() {
        check("specs/A.tla", "systems/a", "../../specs/A.tla");
        check("./A.tla", "a", "../A.tla");
        check("a/A.tla", "a", "A.tla");
        check("/x/../y/A.tla", "/y/./b", "../A.tla");
    }

    #[test]
    fn a_path_stands_in_quotes() {
        assert_eq!(toml_text(Path::new("a\"b")), "a\\\"b");
    }
}
