//! `-D NAME=EXPR`: constants on the command line, as full TLA+ expressions.

use diag::{Code, Diagnostic, Diagnostics};
use sema::config::Define;
use sema::{ExprText, Spec, define_constant};

/// Resolves the expressions in the root module.
pub fn resolve(spec: &mut Spec, defines: &[String]) -> Result<Vec<Define>, Diagnostics> {
    let mut resolved = Vec::new();
    let mut errors = Diagnostics::new();
    for define in defines {
        match one(spec, define) {
            Ok(define) => resolved.push(define),
            Err(diagnostics) => errors.extend(diagnostics),
        }
    }
    if errors.has_errors() { Err(errors) } else { Ok(resolved) }
}

fn one(spec: &mut Spec, define: &str) -> Result<Define, Diagnostics> {
    let Some((name, text)) = define.split_once('=').map(|(name, text)| (name.trim(), text)) else {
        let headline = format!("`-D {define}` has no `=`: a constant, `=` and its value are needed");
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(Diagnostic::without_place(Code::ConfigSyntax, headline));
        return Err(diagnostics);
    };
    let origin = format!("-D {name}");
    let module = spec.root;
    let def = define_constant(spec, name, ExprText { origin: &origin, text, module, params: &[] })?;
    Ok(Define { name: spec.names.intern(name), span: spec.defs[def].span, def })
}
