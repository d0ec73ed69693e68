//! Tests of one more expression given as text: it sees what its module sees, and the specification stays as it was.

use std::path::Path;

use diag::Diagnostics;
use sema::level::Level;
use sema::spec::{Arg, DefId, ExprKind, ModuleId, Op};
use sema::{DiskFiles, ExprText, LoadOptions, ResolvedText, Spec};

const SPEC: &str = r"---- MODULE Counter ----
EXTENDS Naturals, Sequences
CONSTANT N
VARIABLES x, y
---- MODULE Box ----
CONSTANT c
VARIABLE v
Get == <<c, v>>
Later(k) == v' = k
Plain == 1
LOCAL Hidden == c
Deeper == Hidden
====
I == INSTANCE Box WITH c <- N, v <- x
P(q) == INSTANCE Box WITH c <- q, v <- y
Uses == <<I!Get, P(1)!Get>>
Init == x = 0
LOCAL Mine == N
RECURSIVE Sum(_)
Sum(n) == IF n = 0 THEN 0 ELSE n + Sum(n - 1)
====
";

fn counter() -> Spec {
    let loaded = sema::load_text(Path::new("Counter.tla"), SPEC, &LoadOptions::default(), &DiskFiles);
    assert!(loaded.is_ok(), "{}", test_kit::plain(&loaded.diagnostics, &loaded.spec.sources));
    loaded.spec
}

fn resolve(spec: &mut Spec, text: &str, params: &[&str]) -> Result<ResolvedText, Diagnostics> {
    let module = spec.root;
    sema::resolve_expr(spec, ExprText { origin: "-D Test", text, module, params })
}

/// Checks the meaning of `text` at the end of the root module, and its level.
#[track_caller]
fn check(text: &str, params: &[&str], level: Level) {
    let mut spec = counter();
    let before = own_definitions(&spec);
    match resolve(&mut spec, text, params) {
        Ok(resolved) => {
            assert_eq!(resolved.params.len(), params.len());
            assert_eq!(spec.levels.exprs[resolved.expr], level, "{text}");
        }
        Err(diagnostics) => panic!("{text}: {}", test_kit::plain(&diagnostics, &spec.sources)),
    }
    spec_is_as_before(&before, &spec);
}

/// Checks that `text` is refused with these messages, and that nothing else happens.
#[track_caller]
fn check_refused(text: &str, params: &[&str], expected: &str) {
    let mut spec = counter();
    let before = own_definitions(&spec);
    let Err(diagnostics) = resolve(&mut spec, text, params) else { panic!("{text} is accepted") };
    let messages: Vec<String> =
        diagnostics.iter().map(|diagnostic| format!("{} {}", diagnostic.code, diagnostic.headline)).collect();
    assert_eq!(messages.join("\n"), expected, "{text}");
    for diagnostic in diagnostics.iter() {
        let primary = diagnostic.primary.as_ref().unwrap();
        assert_eq!(spec.sources.file(primary.span.source).name(), "-D Test");
    }
    spec_is_as_before(&before, &spec);
    // The specification can still be used.
    assert!(resolve(&mut spec, "x + N", &[]).is_ok());
}

/// Checks that the module's own definitions are untouched. Instances may have made more definitions.
#[track_caller]
fn spec_is_as_before(before: &[String], spec: &Spec) {
    assert_eq!(before, own_definitions(spec));
}

fn own_definitions(spec: &Spec) -> Vec<String> {
    let root = &spec.modules[spec.root];
    let scope = format!("{:?} {:?} {:?}", root.scope, root.instances, root.variables);
    let defs = root.defs.iter().map(|&def| format!("{:?} {}", spec.defs[def], spec.levels.defs[def]));
    defs.chain([scope]).collect()
}

#[test]
fn an_expression_sees_what_its_module_sees() {
    check("1 + 2", &[], Level::Constant);
    check("x + N", &[], Level::State);
    check("Init /\\ x' = Len(<<y>>)", &[], Level::Action);
    check("[][x' = x]_x", &[], Level::Temporal);
    check("Mine + Sum(3)", &[], Level::Constant);
    check("\\E e \\in {N} : LET d == e IN d = N", &[], Level::Constant);
    check("[z \\in {1} |-> [Uses EXCEPT ![1] = @]]", &[], Level::State);
}

#[test]
fn an_expression_can_have_parameters() {
    check("a + b", &["a", "b"], Level::Constant);
    check("a + x", &["a"], Level::State);
    let mut spec = counter();
    let ResolvedText { expr, params } = resolve(&mut spec, "b + a", &["a", "b"]).unwrap();
    let ExprKind::Apply { args, .. } = &spec.exprs[expr].kind else { panic!("a sum") };
    let locals: Vec<_> = args.iter().filter_map(Arg::expr).map(|arg| spec.exprs[arg].kind.clone()).collect();
    assert!(
        matches!(locals[..], [ExprKind::Local(b), ExprKind::Local(a)] if a == params[0] && b == params[1])
    );
}

#[test]
fn an_expression_can_use_instances() {
    check("I!Get", &[], Level::State);
    check("I!Later(3)", &[], Level::Action);
    check("P(N)!Get = P(a)!Get", &["a"], Level::State);
    check("I!Plain + P(1)!Plain", &[], Level::Constant);
    check("LET J == INSTANCE Box WITH c <- 5, v <- y IN J!Get", &[], Level::State);
    check("I!Deeper", &[], Level::Constant);
}

/// Returns the definition that `text` applies.
#[track_caller]
fn applied_definition(spec: &mut Spec, text: &str) -> DefId {
    let resolved = resolve(spec, text, &[]).unwrap();
    let ExprKind::Apply { op: Op::Def(def), .. } = spec.exprs[resolved.expr].kind else {
        panic!("{text} applies no definition")
    };
    def
}

#[test]
fn what_an_instance_made_is_not_made_again() {
    let mut spec = counter();
    let in_spec = |spec: &Spec, name: &str| {
        let name = spec.names.get(name).unwrap();
        let found = spec.defs.iter_enumerated().filter(|(_, def)| def.name == name && def.origin.is_some());
        found.map(|(id, _)| id).collect::<Vec<_>>()
    };
    // The specification itself uses `I!Get` and `P(1)!Get`.
    let made = in_spec(&spec, "Get");
    assert_eq!(made.len(), 2);
    assert_eq!(applied_definition(&mut spec, "I!Get"), made[0]);
    assert_eq!(applied_definition(&mut spec, "P(2)!Get"), made[1]);
    // A new definition is made once.
    assert!(in_spec(&spec, "Later").is_empty());
    let later = applied_definition(&mut spec, "I!Later(1)");
    assert_eq!(applied_definition(&mut spec, "I!Later(2)"), later);
    assert_eq!(in_spec(&spec, "Later"), [later]);
    assert_eq!(in_spec(&spec, "Get"), made);
}

#[test]
fn an_expression_can_stand_in_a_nested_module() {
    let mut spec = counter();
    let nested = spec.modules[spec.root].nested[0];
    let ask = |spec: &mut Spec, module: ModuleId, text: &str| {
        sema::resolve_expr(spec, ExprText { origin: "mapping.toml: Box", text, module, params: &[] })
    };
    // The expression sees its own names, LOCAL ones too, and those of the module around it.
    for text in ["<<c, v, Get>>", "Hidden", "x + N", "I!Get"] {
        assert!(ask(&mut spec, nested, text).is_ok(), "{text}");
    }
    let root = spec.root;
    assert!(ask(&mut spec, root, "c").is_err());
}

#[test]
fn what_is_wrong_is_reported_at_the_text() {
    check_refused("x + Unknwn", &[], "SL0301 `Unknwn` is not defined");
    check_refused("I!Hidden", &[], "SL0301 module `Box` has no definition `Hidden`");
    check_refused("Sum(1, 2)", &[], "SL0320 `Sum` takes 1 argument, and 2 are given");
    check_refused("\\E x \\in {1} : TRUE", &[], "SL0302 `x` is already a variable here");
    check_refused("N + a", &["N"], "SL0302 `N` is already a constant here\nSL0301 `a` is not defined");
    check_refused(
        "LET J == INSTANCE Bags IN J!EmptyBag",
        &[],
        "SL0201 there is no module `Bags` in this specification",
    );
}

#[test]
fn what_cannot_be_read_is_reported_at_the_text() {
    for text in ["", "1 +", "x = = 1", "1 2", "---- MODULE M ----", "(((", "\"abc"] {
        let mut spec = counter();
        assert!(resolve(&mut spec, text, &[]).is_err(), "{text}");
        assert!(resolve(&mut spec, "x + N", &[]).is_ok());
    }
}

#[test]
fn levels_are_checked() {
    check_refused(
        "x''",
        &[],
        "SL0401 an operand of `'` may be at most of state level, but this is of action level",
    );
    let mut spec = counter();
    assert!(resolve(&mut spec, "[](x' = 1)", &[]).is_err());
    assert!(resolve(&mut spec, "P(x')!Get", &[]).is_err());
}
