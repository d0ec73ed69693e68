//! A command line of Java, taken apart: options of the virtual machine, what it is to run, and the arguments of that.

use std::path::{Path, PathBuf};

/// The options of the virtual machine that mean something here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Machine {
    /// `-Dname=value`, without the `-D`.
    pub properties: Vec<String>,
    pub class_path: Vec<PathBuf>,
}

/// The class or archive that a virtual machine is to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A class by its name, with dots.
    Class(String),
    /// `-jar FILE`
    Jar(PathBuf),
    /// Something that is none of the TLA+ tools: a module, a source file, a file of arguments, or nothing at all.
    Unknown,
}

/// A whole command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    pub machine: Machine,
    pub target: Target,
    pub arguments: Vec<String>,
}

/// Options that the class path follows.
const CLASS_PATH: &[&str] = &["-cp", "-classpath", "--class-path"];
/// Options that another word follows which has no meaning here.
const WITH_WORD: &[&str] = &[
    "-p",
    "--module-path",
    "--upgrade-module-path",
    "--add-modules",
    "--add-exports",
    "--add-opens",
    "--add-reads",
    "--limit-modules",
    "--patch-module",
    "--enable-native-access",
    "--source",
];
/// Beginnings of options that belong to the virtual machine and not to TLC.
const MACHINE_ONLY: &[&str] = &[
    "-X",
    "-ea",
    "-enableassertions",
    "-da",
    "-disableassertions",
    "-esa",
    "-enablesystemassertions",
    "-dsa",
    "-disablesystemassertions",
    "-server",
    "-client",
    "-agentlib:",
    "-agentpath:",
    "-javaagent:",
    "-verbose",
    "-showversion",
    "--show-version",
    "--enable-preview",
    "--add-",
    "--class-path=",
];

impl Machine {
    /// Takes the options of the virtual machine that `word` begins; whether it is one. `rest` are the words after it.
    fn take(&mut self, word: &str, rest: &mut impl Iterator<Item = String>) -> bool {
        if let Some(property) = word.strip_prefix("-D") {
            self.properties.push(property.to_owned());
        } else if CLASS_PATH.contains(&word) {
            self.set_class_path(&rest.next().unwrap_or_default());
        } else if let Some(paths) = word.strip_prefix("--class-path=") {
            self.set_class_path(paths);
        } else if WITH_WORD.contains(&word) {
            rest.next();
        } else {
            return MACHINE_ONLY.iter().any(|start| word.starts_with(start));
        }
        true
    }

    /// Replaces the class path by the paths in this text. As in Java an empty one is the current folder, and `FOLDER/*` stands
    /// for the jars in it.
    pub fn set_class_path(&mut self, paths: &str) {
        self.class_path.clear();
        for path in paths.split(':') {
            match path.strip_suffix('*').filter(|folder| folder.is_empty() || folder.ends_with('/')) {
                Some(folder) => self.class_path.extend(jars_in(Path::new(folder))),
                None if path.is_empty() => self.class_path.push(PathBuf::from(".")),
                None => self.class_path.push(PathBuf::from(path)),
            }
        }
    }

    /// The folders in which modules are looked for: those that `TLA-Library` names, then those of the class path.
    pub fn libraries(&self) -> Vec<PathBuf> {
        let named = self.properties.iter().filter_map(|property| property.strip_prefix("TLA-Library="));
        let named = named.flat_map(|paths| paths.split(':')).filter(|path| !path.is_empty());
        let folders = self.class_path.iter().filter(|path| path.is_dir()).cloned();
        named.map(PathBuf::from).chain(folders).collect()
    }

    /// The command line of TLC that has the same effect.
    pub fn tlc_words(&self, arguments: Vec<String>) -> Vec<String> {
        let properties = self.properties.iter().map(|property| format!("-D{property}"));
        let folders = self.class_path.iter().filter(|path| path.is_dir());
        let folders = folders.map(|folder| format!("-DTLA-Library={}", folder.display()));
        properties.chain(folders).chain(arguments).collect()
    }
}

/// The jars in a folder, by name.
fn jars_in(folder: &Path) -> Vec<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut jars: Vec<PathBuf> = entries.filter(|path| is_jar(path)).collect();
    jars.sort();
    jars
}

/// Whether a path is that of a jar, by its name.
pub fn is_jar(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jar"))
}

/// Takes the command line of `java` apart.
pub fn parse(words: Vec<String>) -> CommandLine {
    let (mut machine, mut words) = (Machine::default(), words.into_iter());
    let target = loop {
        let Some(word) = words.next() else { break Target::Unknown };
        if machine.take(&word, &mut words) {
            continue;
        }
        break match word.as_str() {
            "-jar" => words.next().map_or(Target::Unknown, |jar| Target::Jar(PathBuf::from(jar))),
            other if other.starts_with(['-', '@']) => Target::Unknown,
            class => Target::Class(class.replace('/', ".")),
        };
    };
    CommandLine { machine, target, arguments: words.collect() }
}

/// The command line of TLC in `words`, which may have a command line of Java before it: options of the virtual machine, then
/// the name of TLC's class or `-jar FILE`, or neither.
pub fn without_machine(words: Vec<String>) -> Vec<String> {
    let mut machine = Machine::default();
    let has_class = words.iter().any(|word| is_tlc(word));
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if machine.take(&word, &mut words) {
            continue;
        }
        match word.as_str() {
            tlc if is_tlc(tlc) => break,
            // What stands before the class is an option of the virtual machine, known or not.
            _ if has_class => {}
            "-jar" => {
                words.next();
                break;
            }
            _ => return machine.tlc_words(std::iter::once(word).chain(words).collect()),
        }
    }
    machine.tlc_words(words.collect())
}

fn is_tlc(word: &str) -> bool {
    word == "tlc2.TLC" || word == "tlc2/TLC"
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{CommandLine, Target, parse, without_machine};

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    fn parsed(line: &str) -> CommandLine {
        parse(words(line))
    }

    #[test]
    fn options_of_the_machine_end_where_a_class_or_a_jar_is_named() {
        let line = parsed(
            "-XX:+UseParallelGC -Xmx4g -ea -DTLA-Library=a:b -cp x.jar:lib tlc2.TLC -workers 2 -D x M",
        );
        assert_eq!(line.target, Target::Class("tlc2.TLC".to_owned()));
        assert_eq!(line.machine.properties, ["TLA-Library=a:b"]);
        assert_eq!(line.machine.class_path, [PathBuf::from("x.jar"), PathBuf::from("lib")]);
        assert_eq!(line.arguments, words("-workers 2 -D x M"));
        let line = parsed("--add-opens java.base/java.lang=ALL-UNNAMED -jar tools/tla2tools.jar -deadlock M");
        assert_eq!(line.target, Target::Jar(PathBuf::from("tools/tla2tools.jar")));
        assert_eq!(line.arguments, words("-deadlock M"));
        assert_eq!(
            parsed("--class-path=a tla2sany/SANY M").target,
            Target::Class("tla2sany.SANY".to_owned())
        );
        for unknown in ["-version", "-m a/b", "@file", "", "-cp", "-jar"] {
            assert_eq!(parsed(unknown).target, Target::Unknown, "{unknown}");
        }
    }

    #[test]
    fn tlc_takes_what_stands_before_its_class_and_what_has_no_class() {
        let tlc = |line: &str| without_machine(words(line));
        let expected = words("-Da=b -workers 2 M");
        assert_eq!(tlc("-XX:+UseParallelGC -cp x.jar -Da=b tlc2.TLC -workers 2 M"), expected);
        assert_eq!(tlc("-Xmx2g -Da=b -jar tla2tools.jar -workers 2 M"), expected);
        assert_eq!(tlc("-cp none -Da=b -workers 2 M"), expected);
        assert_eq!(tlc("-unheard-of -Da=b tlc2.TLC -workers 2 M"), expected);
        assert_eq!(tlc("-workers 2 -Da=b M"), words("-workers 2 -Da=b M"));
    }
}
