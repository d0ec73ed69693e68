//! `specline java`: a command line of Java that runs one of the TLA+ tools. TLC and SANY are run here, everything else by the
//! real Java. A program that is called `java` and is a link to `specline` does the same.

pub mod args;
mod real;

use std::io;
use std::path::Path;

use tlc::java::{CommandLine, Target, is_jar};
use tlc::{TlcJob, pcal_command, sany_command};

use crate::console::{Console, Stream};
use crate::exit::Ending;
use crate::java::args::JavaJob;

/// A class of the TLA+ tools that is run here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    Tlc,
    Sany,
    Pcal,
}

impl Tool {
    fn of(target: &Target) -> Option<Tool> {
        match target {
            Target::Class(class) => match class.as_str() {
                "tlc2.TLC" => Some(Tool::Tlc),
                "tla2sany.SANY" | "tla2sany.drivers.SANY" => Some(Tool::Sany),
                "pcal.trans" => Some(Tool::Pcal),
                _ => None,
            },
            // The main class of the jar of the TLA+ tools is TLC's.
            Target::Jar(jar) => is_tools(jar).then_some(Tool::Tlc),
            Target::Unknown => None,
        }
    }
}

/// Whether a jar is that of the TLA+ tools, by its name: `tla2tools.jar`, `tla2tools-1.8.0.jar`.
fn is_tools(jar: &Path) -> bool {
    jar.file_name().is_some_and(|name| name.to_string_lossy().starts_with("tla2tools"))
}

pub fn run(job: &JavaJob, console: &Console) -> io::Result<Ending> {
    let words = job.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut line = tlc::java::parse(words);
    let Some(tool) = Tool::of(&line.target) else { return real::run(job, &line.target, console) };
    line.machine.properties.extend(inherited_properties(&job.variables));
    inherit_class_path(&mut line, &job.variables);
    unread_jars(&line, console)?;
    let CommandLine { machine, arguments, .. } = line;
    match tool {
        Tool::Tlc => {
            let job = TlcJob { words: machine.tlc_words(arguments), variables: job.variables.clone() };
            tlc::run(&job, console)
        }
        Tool::Sany => sany_command::run(&machine.libraries(), &arguments, console),
        Tool::Pcal => pcal_command::run(&arguments, console),
    }
}

/// Takes the class path from CLASSPATH where the command line has none. Java does so for a class, and not for a jar.
fn inherit_class_path(line: &mut CommandLine, variables: &[(String, String)]) {
    let inherited = variables.iter().find(|(name, value)| name == "CLASSPATH" && !value.is_empty());
    if let (Some((_, paths)), Target::Class(_), true) =
        (inherited, &line.target, line.machine.class_path.is_empty())
    {
        line.machine.set_class_path(paths);
    }
}

/// The properties that variables of the environment give to every Java.
fn inherited_properties(variables: &[(String, String)]) -> Vec<String> {
    let is_for_java = |name: &str| ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"].contains(&name);
    let options = variables.iter().filter(|(name, _)| is_for_java(name));
    let words = options.flat_map(|(_, value)| value.split_whitespace());
    words.filter_map(|word| word.strip_prefix("-D")).map(str::to_owned).collect()
}

/// Says which jars of the class path are not read, but for those whose modules are built in.
fn unread_jars(line: &CommandLine, console: &Console) -> io::Result<()> {
    let is_built_in = |jar: &Path| {
        let name = jar.file_name().unwrap_or_default().to_string_lossy();
        is_tools(jar) || name.starts_with("CommunityModules")
    };
    let is_unread = |path: &Path| is_jar(path) && path.is_file() && !is_built_in(path);
    for jar in line.machine.class_path.iter().filter(|path| is_unread(path)) {
        let jar = jar.display();
        let text = format!("specline java: `{jar}` is not read: modules and classes in it are not found");
        console.line(Stream::Err, &text)?;
    }
    Ok(())
}
