//! Tests of the embedded modules: all are there, none has an error, and the table of standard operators fits them.

use std::path::Path;

use base::FxHashSet;
use sema::embedded::MODULES;
use sema::spec::{DefBody, ModuleId, Spec};
use sema::std_ops::{self, StdOp};
use sema::{DiskFiles, LoadOptions};

/// Loads a module with `body`, which must give no message at all.
#[track_caller]
fn load(body: &str) -> Spec {
    let text = format!("---- MODULE Test ----\n{body}\n====\n");
    let loaded = sema::load_text(Path::new("Test.tla"), &text, &LoadOptions::default(), &DiskFiles);
    let messages = test_kit::plain(&loaded.diagnostics, &loaded.spec.sources);
    assert!(messages.is_empty(), "{body}:\n{messages}");
    loaded.spec
}

/// Loads the embedded module `name` by itself.
fn load_module(name: &str) -> (Spec, ModuleId) {
    let spec = load(&format!("EXTENDS {name}"));
    let module = spec.modules[spec.root].extends[0];
    (spec, module)
}

#[test]
fn the_list_is_that_of_the_folder() {
    let files = test_kit::files_here(Path::new("modules"), "tla");
    let in_folder: Vec<String> =
        files.iter().map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    let listed: Vec<&str> = MODULES.iter().map(|&(name, _)| name).collect();
    assert_eq!(in_folder, listed);
}

#[test]
fn every_module_can_be_extended_and_instantiated() {
    for &(name, _) in MODULES {
        let (spec, module) = load_module(name);
        assert_eq!(spec.names.text(spec.modules[module].name), name);
        if spec.modules[module].constants.is_empty() && spec.modules[module].variables.is_empty() {
            load(&format!("INSTANCE {name}"));
            load(&format!("I == INSTANCE {name}"));
            load(&format!("LOCAL INSTANCE {name}"));
        }
    }
}

#[test]
fn modules_do_not_disturb_each_other() {
    let core = ["Naturals", "Integers", "Reals", "Sequences", "FiniteSets", "TLC", "TLCExt", "Randomization"];
    load(&format!("EXTENDS {}", core.join(", ")));
    load("EXTENDS Naturals, Sequences, FiniteSets, Bags, TLC");
    load("EXTENDS Integers, SequencesExt, FiniteSetsExt, Functions, Folds");
    load("EXTENDS Integers, TLC, Json, IOUtils, CSV");
}

#[test]
fn every_operator_of_the_table_is_in_its_module() {
    let mut wrong = Vec::new();
    for &op in StdOp::ALL {
        let (module_name, name, arity) = op.signature();
        assert_eq!(std_ops::find(module_name, name, arity), Some(op));
        let (spec, module) = load_module(module_name);
        let defs = spec.modules[module].defs.iter().map(|&def| &spec.defs[def]);
        let found = defs.filter(|def| spec.names.text(def.name) == name).collect::<Vec<_>>();
        match found[..] {
            [def] if def.std == Some(op) => {}
            [def] => {
                wrong.push(format!("{module_name}!{name} has {} parameters, not {arity}", def.params.len()))
            }
            [] => wrong.push(format!("{module_name} does not define {name}")),
            [..] => wrong.push(format!("{module_name} defines {name} twice")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_native_operator_is_in_the_table() {
    let mut wrong = Vec::new();
    for &(name, _) in MODULES {
        let (spec, module) = load_module(name);
        let defs = spec.modules[module].defs.iter().map(|&def| &spec.defs[def]);
        let native = defs.filter(|def| def.body == DefBody::Native && def.std.is_none());
        wrong.extend(native.map(|def| format!("{name}!{}/{}", spec.names.text(def.name), def.params.len())));
    }
    assert!(wrong.is_empty(), "no standard operator for {}", wrong.join(", "));
}

#[test]
fn no_signature_stands_for_two_operators() {
    let mut seen = FxHashSet::default();
    for &op in StdOp::ALL {
        assert!(seen.insert(op.signature()), "{:?}", op.signature());
    }
}
