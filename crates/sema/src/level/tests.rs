//! Levels of single expressions, of additions to a finished specification, and of a corpus that states them itself.
//! Cases with errors are in `tests/data/level`.

use std::path::{Path, PathBuf};

use super::Level;
use crate::spec::{Arg, DefId, ExprId, ExprKind, Op, Spec};
use crate::{DiskFiles, ExprText, LoadOptions, Loaded, load, load_text, resolve_expr};

const CLOCK: &str = "---- MODULE Clock ----
CONSTANTS N, Op(_)
VARIABLES x, y
Next == x' = y
Later(p) == p'
Keep(p, q) == q
On(F(_), a) == F(a)
---- MODULE Inner ----
CONSTANT c
VARIABLE v
Tick == v' = c
====
I(n) == INSTANCE Inner WITH c <- n, v <- y
====";

fn clock() -> Spec {
    let Loaded { spec, diagnostics } =
        load_text(Path::new("Clock.tla"), CLOCK, &LoadOptions::default(), &DiskFiles);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    spec
}

/// Returns the level of an expression in the module above, or the codes of its errors.
fn level_of(spec: &mut Spec, text: &str) -> Result<Level, String> {
    let module = spec.root;
    match resolve_expr(spec, ExprText { origin: "test", text, module, params: &["p"] }) {
        Ok(resolved) => Ok(spec.levels.exprs[resolved.expr]),
        Err(diagnostics) => Err(diagnostics.iter().map(|diagnostic| diagnostic.code.id()).collect()),
    }
}

#[track_caller]
fn check(text: &str, expected: Result<Level, &str>) {
    assert_eq!(level_of(&mut clock(), text), expected.map_err(str::to_owned), "{text}");
}

#[test]
fn level_is_the_highest_that_counts() {
    check("N", Ok(Level::Constant));
    check("p", Ok(Level::Constant));
    check("Op(x)", Ok(Level::State));
    check("IF x THEN y' ELSE N", Ok(Level::Action));
    check("ENABLED Next", Ok(Level::State));
    check("N'", Ok(Level::Action));
    check("Keep(Next, N)", Ok(Level::Constant));
    check("Keep([]x, x)'", Ok(Level::Action));
    check("On(LAMBDA a : a', x)", Ok(Level::Action));
    check("WF_x(Next)", Ok(Level::Temporal));
    check("\\EE h : h = x", Ok(Level::Temporal));
    check("[x EXCEPT ![1] = @']", Ok(Level::Action));
}

#[test]
fn what_is_added_is_checked_against_what_was_there() {
    check("I(1)!Tick", Ok(Level::Action));
    check("I(x)!Tick", Err("SL0401"));
    check("Later(Next)", Err("SL0401"));
    check("LET Twice(a) == Later(a) IN Twice(y')", Err("SL0401"));
    check("On(Later, y')", Err("SL0407"));
    check("[]Next", Err("SL0403"));
}

#[test]
fn what_is_added_stays_known() {
    let mut spec = clock();
    for text in ["LET d(a) == a' IN d(x)", "x''", "I(2)!Tick", "p'"] {
        let _ = level_of(&mut spec, text);
        assert_eq!(spec.levels.exprs.len(), spec.exprs.len());
        assert_eq!(spec.levels.defs.len(), spec.defs.len());
    }
    assert_eq!(level_of(&mut spec, "I(2)!Tick"), Ok(Level::Action));
}

/// Reads `IsLevel(expression, level)` of the module `Semantics` in SANY's corpus.
fn assertion(spec: &Spec, kind: &ExprKind) -> Option<(ExprId, Level)> {
    let name = |def: DefId| spec.names.text(spec.defs[def].name);
    let ExprKind::Apply { op: Op::Def(def), args } = kind else { return None };
    let [Arg::Expr(subject), Arg::Expr(level)] = args[..] else { return None };
    let ExprKind::Apply { op: Op::Def(level), args: _ } = spec.exprs[level].kind else { return None };
    let level = match name(level) {
        "ConstantLevel" => Level::Constant,
        "VariableLevel" => Level::State,
        "ActionLevel" => Level::Action,
        "TemporalLevel" => Level::Temporal,
        _ => return None,
    };
    (name(*def) == "IsLevel").then_some((subject, level))
}

/// Whether a name is bound by `\AA` or `\EE`: SANY takes it as a constant, and Specline as a variable.
fn is_temporal_name(spec: &Spec, subject: ExprId) -> bool {
    let mut found = false;
    spec.walk(subject, |expr| {
        if let ExprKind::Local(local) = spec.exprs[expr].kind {
            found |= spec.locals[local].kind == crate::spec::LocalKind::TemporalBound;
        }
        true
    });
    found
}

/// A development test: `SPECLINE_LEVELS` is SANY's `test/tla2sany/semantic/corpus`. Without it there is
/// nothing to compare.
#[test]
fn corpus_has_the_levels_that_it_states() {
    #[expect(clippy::disallowed_methods, reason = "a development test is told where the corpus is")]
    let Some(folder) = std::env::var_os("SPECLINE_LEVELS").map(PathBuf::from) else { return };
    let mut n_assertions = 0;
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "tla") {
            continue;
        }
        let Loaded { spec, diagnostics } = load(&path, &LoadOptions::default(), &DiskFiles);
        if diagnostics.has_errors() {
            continue;
        }
        for expr in spec.exprs.iter() {
            let Some((subject, level)) = assertion(&spec, &expr.kind) else { continue };
            n_assertions += 1;
            if spec.levels.exprs[subject] != level && !is_temporal_name(&spec, subject) {
                wrong.push((
                    path.clone(),
                    spec.sources.position(expr.span),
                    level,
                    spec.levels.exprs[subject],
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(n_assertions > 200, "only {n_assertions} assertions were found");
}
