//! Evaluates expressions to answers.

use std::path::Path;

use diag::Diagnostics;
use eval::interp::{Machine, Shared};
use eval::lower;
use sema::config::{BoundConfig, ConfigInput};
use sema::spec::ExprId;
use sema::{DiskFiles, ExprText, LoadOptions, Spec};
use value::{Atoms, Region};

use crate::surroundings::Surroundings;

pub struct Answer {
    /// The value as printed, or the error.
    pub result: Result<String, String>,
    /// The lines printed during evaluation.
    pub printed: Vec<String>,
}

/// The expressions of one document, in one module.
pub struct Session {
    spec: Spec,
    config: BoundConfig,
    exprs: Vec<Result<ExprId, String>>,
}

impl Session {
    pub fn new(definitions: &str, config: &str, exprs: &[&str]) -> Session {
        let module = format!("---- MODULE Lang ----\n{definitions}\n====\n");
        let path = Path::new("Lang.tla");
        let loaded = sema::load_text(path, &module, &LoadOptions::default(), &DiskFiles);
        let mut spec = loaded.spec;
        let complaints = test_kit::plain(&loaded.diagnostics, &spec.sources);
        assert!(!loaded.diagnostics.has_errors(), "{complaints}");
        let config = bind_config(&mut spec, config);
        let exprs = exprs.iter().map(|text| resolve(&mut spec, text)).collect();
        Session { spec, config, exprs }
    }

    pub fn answers(&self) -> Vec<Answer> {
        let atoms = Atoms::new();
        self.exprs.iter().map(|expr| self.answer(expr, atoms)).collect()
    }

    fn answer(&self, expr: &Result<ExprId, String>, atoms: &'static Atoms) -> Answer {
        let expr = match expr {
            Ok(expr) => *expr,
            Err(error) => return Answer { result: Err(error.clone()), printed: Vec::new() },
        };
        let (lowered, root) = lower::lower_expr(&self.spec, &self.config, atoms, expr);
        assert!(!lowered.diagnostics.has_errors(), "{:?}", lowered.diagnostics);
        let program = &lowered.program;
        let shared = Shared::new(program);
        let surroundings = Surroundings::new();
        let region = Region::new();
        let mut machine = Machine::new(program, &shared, &region, &surroundings);
        let result = match machine.eval_root(root) {
            Ok(value) => value::print(&mut machine, value).map_err(|error| error.to_string()),
            Err(fault) => Err(fault.kind.headline(program, &self.spec.names)),
        };
        Answer { result, printed: surroundings.printed() }
    }
}

fn bind_config(spec: &mut Spec, text: &str) -> BoundConfig {
    if text.is_empty() {
        return BoundConfig::default();
    }
    let source = spec.sources.add("Lang.cfg", text);
    let parsed = syntax::cfg::parse_config(source, text, &mut spec.names);
    let bound = sema::config::bind(spec, ConfigInput { source, tree: &parsed.tree });
    bound.config
}

fn resolve(spec: &mut Spec, text: &str) -> Result<ExprId, String> {
    let module = spec.root;
    let text = ExprText { origin: "expression", text, module, params: &[] };
    let headline = |diagnostics: Diagnostics| {
        diagnostics.iter().map(|diagnostic| diagnostic.headline.clone()).collect::<Vec<_>>().join("; ")
    };
    sema::resolve_expr(spec, text).map(|resolved| resolved.expr).map_err(headline)
}
