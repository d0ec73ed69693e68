//! The dump of a whole specification: which modules it shows, in what order, and as JSON.

use std::path::Path;

use sema::{DiskFiles, LoadOptions, Spec};

fn diamond() -> Spec {
    let path = Path::new("tests/data/modules/Diamond/Root.tla");
    let loaded = sema::load(path, &LoadOptions::default(), &DiskFiles);
    assert!(loaded.is_ok());
    loaded.spec
}

#[test]
fn the_root_comes_first_then_what_it_needs() {
    let dump = sema::dump_spec(&diamond());
    let modules: Vec<&str> = dump.lines().filter(|line| line.starts_with("(module")).collect();
    assert_eq!(
        modules,
        [
            "(module Root",
            "(module Left (extends Base) (operator L state (def:Base::Shared 1)))",
            "(module Base",
            "(module Right (extends Base) (operator R state (def:Base::Shared 2)))"
        ]
    );
}

#[test]
fn embedded_modules_are_only_named() {
    let text = "---- MODULE M ----\nEXTENDS Sequences\n====\n";
    let loaded = sema::load_text(Path::new("M.tla"), text, &LoadOptions::default(), &DiskFiles);
    let dump = sema::dump_spec(&loaded.spec);
    assert_eq!(dump, "(module M (extends Sequences))\n(embedded Sequences)\n(embedded Naturals)\n");
}

#[test]
fn json_has_the_modules_in_a_list_and_every_node_its_place() {
    let json = sema::dump_spec_json(&diamond());
    let first = r#"[{"kind":"module","span":{"source":0,"start":[1,13],"end":[1,17]},"name":"Root","file":"tests/data/modules/Diamond/Root.tla","extends":["Left","Right"],"variables":[{"kind":"variable","span":{"source":0,"start":[3,10],"end":[3,13]},"name":"own"}],"instances":[],"definitions":[{"kind":"operator","#;
    assert!(json.starts_with(first), "{json}");
    assert!(json.ends_with("]\n") && json.lines().count() == 1);
    assert_eq!(json.matches("{\"kind\":").count(), json.matches(",\"span\":{\"source\":").count());
}
