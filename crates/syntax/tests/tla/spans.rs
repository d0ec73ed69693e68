//! Checks that every node has its place: spans nest, and are inside the text.

use syntax::ast::File;
use syntax::walk::{for_each_child, for_each_in_unit};

use crate::{Read, data_dir, own_modules, read};

fn check_spans(read: &Read, name: &str) {
    let file = &read.parsed.tree;
    for (id, expr) in file.exprs.iter_enumerated() {
        assert!(expr.span.start <= expr.span.end, "{name}: {id:?} ends before it starts");
        for_each_child(&expr.kind, &mut |child| {
            let inner = file.exprs[child].span;
            assert!(
                expr.span.start <= inner.start && inner.end <= expr.span.end,
                "{name}: `{}` reaches out of `{}`",
                read.sources.text(inner),
                read.sources.text(expr.span),
            );
        });
    }
    check_units(file, name);
}

fn check_units(file: &File, name: &str) {
    for unit in file.modules.iter().flat_map(|module| &module.units) {
        for_each_in_unit(unit, &mut |expr| {
            let inner = file.exprs[expr].span;
            assert!(unit.span.start <= inner.start && inner.end <= unit.span.end, "{name}: {:?}", unit.span);
        });
    }
}

#[test]
fn parts_lie_inside_what_they_are_parts_of() {
    for path in test_kit::files(&data_dir().join("ok"), "tla").into_iter().chain(own_modules()) {
        let read = read(&std::fs::read_to_string(&path).unwrap());
        // A form that an error interrupts has no clear end. Such files are in `suite/parse`.
        if !read.parsed.diagnostics.has_errors() {
            check_spans(&read, &path.display().to_string());
        }
    }
}

#[test]
fn the_json_form_gives_lines_and_columns() {
    let read = read("---- MODULE M ----\nπ ≜ 0\nOp == \"é\\n\" = x'\n====\n");
    assert!(read.parsed.diagnostics.has_errors(), "π is not a letter of TLA+");
    let file = read.sources.file(read.source);
    let json = syntax::dump_json(&read.parsed.tree, &read.names, file);
    let string = r#"{"kind":"string","span":{"start":[3,7],"end":[3,12]},"value":"é\n"}"#;
    assert!(json.contains(string), "{json}");
    let prime = r#"{"kind":"postfix","span":{"start":[3,15],"end":[3,17]},"operator":"'","operands":[{"kind":"name","#;
    assert!(json.contains(prime), "{json}");
}
