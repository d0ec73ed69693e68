//! Reads TLC's tests in Java for the options that they give to models. They are read as text: the class, the class that
//! it extends, and the strings of the call of `super`.

use std::path::Path;

use anyhow::{Context, Result};

use crate::walk;

/// The model and options of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JUnitTest {
    /// The folder below the folder of models.
    pub folder: String,
    pub module: String,
    pub config: String,
    pub flags: Vec<String>,
    pub properties: Vec<String>,
}

/// Options that change the result, and how many words each takes. Other options say where to write something.
const KEPT: &[(&str, Words)] = &[
    ("-aril", Words::One),
    ("-config", Words::One),
    ("-continue", Words::None),
    ("-deadlock", Words::None),
    ("-depth", Words::One),
    ("-dfid", Words::One),
    ("-generate", Words::Perhaps),
    ("-inv", Words::One),
    ("-invlevel", Words::One),
    ("-lncheck", Words::One),
    ("-maxSetSize", Words::One),
    ("-nowarning", Words::None),
    ("-postCondition", Words::One),
    ("-simulate", Words::Perhaps),
    ("-view", Words::None),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    None,
    One,
    /// One word, if it does not look like an option.
    Perhaps,
}

/// Texts in a test which mean that a property of Java is set.
const PROPERTIES: &[(&str, &str)] = &[
    ("Tool.CDOT_KEY", "tlc2.tool.impl.Tool.cdot=true"),
    ("allowCyclicRedefinitions", "tlc2.tool.impl.SpecProcessor.allowCyclicRedefinitions=true"),
];

/// Returns the tests below a folder, in the order of their files.
pub fn tests(folder: &Path) -> Result<Vec<JUnitTest>> {
    let mut tests = Vec::new();
    for path in walk::files(folder, &[]) {
        if path.extension().is_none_or(|extension| extension != "java") {
            continue;
        }
        let bytes = std::fs::read(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
        tests.extend(read(&String::from_utf8_lossy(&bytes)));
    }
    Ok(tests)
}

fn read(text: &str) -> Option<JUnitTest> {
    let (class, base) = class(text)?;
    // The tests for trace specifications run what another test has written.
    if text.contains("abstract class") || class.contains("TTrace") || base.contains("TTrace") {
        return None;
    }
    let call = text.split_once("super(").and_then(|(_, rest)| rest.split_once(");"));
    let call = call.map_or("", |(call, _)| call);
    let (head, array) = match call.split_once("new String[]") {
        Some((head, rest)) => (head, rest.split_once('}').map_or("", |(array, _)| array)),
        None => (call, ""),
    };
    let (spec, folder) = subject(class, base, head)?;
    // The name of the configuration is computed.
    if base != "SuiteTestCase" && remove_strings(array).contains("config") {
        return None;
    }
    // For tests that translate PlusCal first, the arguments are the translator's.
    let words = if base.starts_with("PCal") { Vec::new() } else { strings(array) };
    let mut flags = keep_options(&words);
    let module = spec.strip_suffix(".tla").unwrap_or(&spec).to_owned();
    let config = take_config(&mut flags).unwrap_or_else(|| module.clone());
    let config = if config.contains('.') { config } else { format!("{config}.cfg") };
    let checks_deadlock = text.split_once("checkDeadLock()").is_some_and(|(_, rest)| {
        rest.trim_start().strip_prefix('{').is_some_and(|body| body.trim_start().starts_with("return true"))
    });
    if !checks_deadlock && !flags.iter().any(|flag| flag == "-deadlock") {
        flags.insert(0, "-deadlock".to_owned());
    }
    let set = PROPERTIES.iter().filter(|(mark, _)| text.contains(mark));
    let properties = set.map(|(_, property)| (*property).to_owned()).collect();
    Some(JUnitTest { folder, module, config, flags, properties })
}

/// Returns the names after `class` and `extends`.
fn class(text: &str) -> Option<(&str, &str)> {
    let (_, rest) = text.split_once("public class ")?;
    let mut words = rest.split_whitespace();
    let class = words.next()?;
    (words.next()? == "extends").then_some(())?;
    let base = words.next()?;
    Some((class, base.split('{').next().unwrap_or(base)))
}

/// Returns the module and its folder, by the convention of the class that is extended.
fn subject(class: &str, base: &str, head: &str) -> Option<(String, String)> {
    if base == "SuiteTestCase" || base == "SuiteETestCase" {
        return Some((class.to_lowercase(), "suite".to_owned()));
    }
    let head = head.replace("\" + File.separator + \"", "/");
    let mut strings = strings(&head).into_iter();
    let spec = strings.next()?;
    let folder = strings.next().unwrap_or_default();
    let folder = folder.trim_matches('/');
    Some((
        spec,
        match base {
            "AbstractCoverageTest" => "coverage".to_owned(),
            "AbstractExampleTestCase" if !folder.starts_with("examples") => format!("examples/{folder}"),
            _ => folder.to_owned(),
        },
    ))
}

/// Returns the texts between quotes.
fn strings(text: &str) -> Vec<String> {
    text.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

fn remove_strings(text: &str) -> String {
    text.split('"').step_by(2).collect()
}

fn keep_options(words: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let Some((_, takes)) = KEPT.iter().find(|(option, _)| option == word) else { continue };
        kept.push(word.clone());
        let follows = match takes {
            Words::None => false,
            Words::One => true,
            Words::Perhaps => words.peek().is_some_and(|next| !next.starts_with('-')),
        };
        kept.extend(words.next_if(|_| follows).cloned());
    }
    kept
}

fn take_config(flags: &mut Vec<String>) -> Option<String> {
    let at = flags.iter().position(|flag| flag == "-config")?;
    flags.drain(at..(at + 2).min(flags.len())).nth(1)
}

#[cfg(test)]
mod tests {
    use super::{JUnitTest, read};

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn the_options_of_a_test_are_those_that_change_what_is_found() {
        let text = r#"public class WalkTest extends ModelCheckerTestCase {
            public WalkTest() {
                super("Walk", "sub" + File.separator + "dir", new String[] { "-config", "Short", "-dump", "dot", "x.dot",
                    "-simulate", "num=5", "-depth", "6" }, ExitStatus.SUCCESS);
            }
            protected boolean checkDeadLock() { return true; }
        }"#;
        let test = JUnitTest {
            folder: "sub/dir".to_owned(),
            module: "Walk".to_owned(),
            config: "Short.cfg".to_owned(),
            flags: words(&["-simulate", "num=5", "-depth", "6"]),
            properties: Vec::new(),
        };
        assert_eq!(read(text), Some(test));
    }

    #[test]
    fn the_numbered_suite_has_its_names_from_the_classes() {
        let text = "public class Test12 extends SuiteTestCase {\n public Test12() { super(\"9\", \"6\"); } }";
        let test = read(text).unwrap();
        assert_eq!((test.folder.as_str(), test.config.as_str()), ("suite", "test12.cfg"));
        assert_eq!(test.flags, ["-deadlock"]);
    }

    #[test]
    fn what_sets_properties_runs_with_them() {
        let text = r#"public class ComposeTest extends ModelCheckerTestCase {
            static { System.setProperty(Tool.CDOT_KEY, "true"); }
            public ComposeTest() { super("Compose"); }
        }"#;
        assert_eq!(read(text).unwrap().properties, ["tlc2.tool.impl.Tool.cdot=true"]);
    }
}
