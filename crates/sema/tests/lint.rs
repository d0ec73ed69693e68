//! Compares lints and bound configurations with recorded ones: `tests/data/lint/**/*.tla`, each with a `.cfg` if it has
//! one, and `tests/data/config/Module.CaseInWords.cfg`.
//!
//! Modules that cases extend are in a folder `library`. `UPDATE_EXPECT=1 cargo test -p sema --test lint` rewrites the
//! expectations, the `.txt` files.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use diag::{Diagnostics, SourceId};
use sema::config::{Bound, BoundConfig, ConfigInput, Named, Replacement, Target, Value};
use sema::{DiskFiles, LoadOptions, Spec};
use syntax::cfg::{self, Config};

fn load(path: &Path) -> Spec {
    let options =
        LoadOptions { library: vec![PathBuf::from("tests/data/lint/library")], ..LoadOptions::default() };
    let loaded = sema::load(path, &options, &DiskFiles);
    let errors = render(&loaded.spec, &loaded.diagnostics);
    assert!(loaded.is_ok(), "{} has errors:\n{errors}", path.display());
    loaded.spec
}

fn read_config(spec: &mut Spec, path: &Path) -> (SourceId, Config) {
    let text = std::fs::read_to_string(path).unwrap();
    let source = spec.sources.add(path.display().to_string(), text.as_str());
    let parsed = cfg::parse_config(source, &text, &mut spec.names);
    assert!(parsed.diagnostics.is_empty(), "{}:\n{}", path.display(), render(spec, &parsed.diagnostics));
    (source, parsed.tree)
}

fn render(spec: &Spec, diagnostics: &Diagnostics) -> String {
    let rendered: Vec<String> = diagnostics
        .iter()
        .map(|diagnostic| diag::render::text(&spec.sources, diagnostic, diag::render::Colour::Plain))
        .collect();
    rendered.join("\n\n")
}

/// Lists the files below `folder` that end in `extension`, except those of `library`.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "library") {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[expect(clippy::disallowed_methods, reason = "the one flag that rewrites expectations")]
fn update_wanted() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some()
}

/// Compares the output for each case with its `.txt`.
#[track_caller]
fn check(cases: Vec<PathBuf>, run: impl Fn(&Path) -> String) {
    assert!(!cases.is_empty(), "there are no cases");
    let mut wrong = Vec::new();
    for case in cases {
        let (path, actual) = (case.with_extension("txt"), run(&case));
        if update_wanted() {
            std::fs::write(&path, &actual).unwrap();
        } else if std::fs::read_to_string(&path).unwrap_or_default() != actual {
            wrong.push(format!("{} is now:\n{actual}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn specifications_get_their_warnings() {
    check(files(Path::new("tests/data/lint"), "tla"), |path| {
        let mut spec = load(path);
        let config_path = path.with_extension("cfg");
        let config = config_path.exists().then(|| read_config(&mut spec, &config_path));
        let input = config.as_ref().map(|(source, tree)| ConfigInput { source: *source, tree });
        let diagnostics = sema::lint::lint(&spec, input);
        match diagnostics.is_empty() {
            true => "nothing\n".to_owned(),
            false => render(&spec, &diagnostics) + "\n",
        }
    });
}

#[test]
fn configurations_are_bound_to_their_module() {
    check(files(Path::new("tests/data/config"), "cfg"), |path| {
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let module = stem.split('.').next().unwrap();
        let mut spec = load(&path.with_file_name(format!("{module}.tla")));
        let (source, tree) = read_config(&mut spec, path);
        let Bound { config, diagnostics } = sema::config::bind(&spec, ConfigInput { source, tree: &tree });
        let messages = render(&spec, &diagnostics);
        let gap = if messages.is_empty() { "" } else { "\n\n" };
        messages + gap + &dump(&spec, &config)
    });
}

/// Writes a bound configuration line by line.
fn dump(spec: &Spec, config: &BoundConfig) -> String {
    let mut out = String::new();
    let one = [
        ("SPECIFICATION", config.specification),
        ("INIT", config.init),
        ("NEXT", config.next),
        ("SYMMETRY", config.symmetry),
        ("VIEW", config.view),
        ("ALIAS", config.alias),
        ("_PERIODIC", config.periodic),
        ("_RL_REWARD", config.rl_reward),
    ];
    let many = [
        ("INVARIANT", &config.invariants),
        ("PROPERTY", &config.properties),
        ("CONSTRAINT", &config.constraints),
        ("ACTION_CONSTRAINT", &config.action_constraints),
        ("POSTCONDITION", &config.postconditions),
        ("_POSSIBLE", &config.possible),
    ];
    let names = one.iter().flat_map(|&(keyword, named)| named.map(|named| (keyword, named)));
    let lists = many.iter().flat_map(|&(keyword, list)| list.iter().map(move |&named| (keyword, named)));
    for (keyword, named) in names.chain(lists) {
        writeln!(out, "{keyword} {}", named_text(spec, named)).unwrap();
    }
    for assigned in &config.assignments {
        let target = target_text(spec, &assigned.target);
        writeln!(out, "{target} {}", replacement_text(spec, &assigned.replacement)).unwrap();
    }
    if let Some(deadlock) = config.check_deadlock {
        writeln!(out, "CHECK_DEADLOCK {deadlock}").unwrap();
    }
    out
}

fn named_text(spec: &Spec, named: Named) -> String {
    let (written, meant) = (spec.names.text(named.name), def_text(spec, named.def));
    if written == meant { meant } else { format!("{written}, which is {meant}") }
}

/// Returns the name of a definition and the instances that made it.
fn def_text(spec: &Spec, def: sema::spec::DefId) -> String {
    let def = &spec.defs[def];
    let name = spec.names.text(def.name).to_owned();
    match def.origin {
        Some(origin) => match spec.instances[origin.instance].name {
            Some(instance) => format!("{}!{name}", spec.names.text(instance)),
            None => format!("{name} by INSTANCE"),
        },
        None => name,
    }
}

fn target_text(spec: &Spec, target: &Target) -> String {
    match target {
        Target::Const(constant) => format!("constant {}", spec.names.text(spec.constants[*constant].name)),
        Target::Def { path, replaced } if replaced.is_empty() => {
            let names: Vec<&str> = path.iter().map(|&name| spec.names.text(name)).collect();
            format!("definition {}, which nobody uses,", names.join("!"))
        }
        Target::Def { path: _, replaced: defs } | Target::InModule(defs) => {
            let names: Vec<String> = defs.iter().map(|&def| def_text(spec, def)).collect();
            format!("definition {}", names.join(", "))
        }
    }
}

fn replacement_text(spec: &Spec, replacement: &Replacement) -> String {
    match replacement {
        Replacement::Def(def) => format!("<- {}", def_text(spec, *def)),
        Replacement::Const(constant) => {
            format!("<- constant {}", spec.names.text(spec.constants[*constant].name))
        }
        Replacement::Value(value) => format!("= {}", value_text(spec, value)),
        Replacement::Table(lines) => {
            let line = |(args, value): &(Vec<Value>, Value)| {
                format!("({}) = {}", values_text(spec, args), value_text(spec, value))
            };
            lines.iter().map(line).collect::<Vec<_>>().join(" ")
        }
    }
}

fn value_text(spec: &Spec, value: &Value) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        Value::Str(text) => format!("{:?}", spec.names.text(*text)),
        Value::Bool(value) => value.to_string(),
        Value::ModelValue(name) => format!("model value {}", spec.names.text(*name)),
        Value::Set(elements) => format!("{{{}}}", values_text(spec, elements)),
    }
}

fn values_text(spec: &Spec, values: &[Value]) -> String {
    values.iter().map(|value| value_text(spec, value)).collect::<Vec<_>>().join(", ")
}
