//! A composition as one ordinary module and its configuration, for SANY, TLC and people.
//!
//! Definitions keep their text and their comments. They are put into an order in which each comes after what it needs,
//! because an operator that a grain provides may be defined after the modules that apply it.

use std::fmt::Write as _;

use base::{FxIndexMap, FxIndexSet, Name};
use diag::{Code, Diagnostic, Span};
use sema::Spec;
use sema::config::Define;
use sema::spec::{
    Arg, AssumeKind, DefId, DefKind, Entity, ExprId, ExprKind, InstanceId, JunctionKind, ModuleId, Op, OpArg,
    VarId,
};

use crate::assemble::{ActionOutline, Composed};
use crate::effects::{Reach, body_of};
use crate::layout;

/// The longest line of a list of names.
const WIDTH: usize = 100;

/// The files that a composition becomes.
#[derive(Clone, Debug)]
pub struct Emitted {
    /// The name of the module.
    pub module: String,
    pub tla: String,
    pub cfg: String,
    /// Modules that it instantiates, by name, with their texts.
    pub copies: Vec<(String, String)>,
}

/// Writes a composition without errors. `title` says where it comes from; `defines` are values of constants that take
/// the place of those of the composition.
pub fn emit(composed: &Composed, title: &str, defines: &[Define]) -> Result<Emitted, Box<Diagnostic>> {
    let mut emitter = Emitter::new(composed, defines);
    emitter.definitions()?;
    let operators = emitter.values(defines);
    let tla = emitter.module_text(title);
    let copies = emitter.copies();
    let cfg = format!("\\* {title}\n\n{}", config_text(&composed.config, &operators));
    Ok(Emitted { module: composed.outline.module.clone(), tla, cfg, copies })
}

/// Returns the configuration where each constant in `operators` is replaced by the operator beside it.
fn config_text(config: &str, operators: &[(String, String)]) -> String {
    let is_replaced = |line: &&str| {
        let first = line.split_whitespace().next();
        line.starts_with(' ') && operators.iter().any(|(name, _)| first == Some(name.as_str()))
    };
    let mut text = String::new();
    for line in config.lines().filter(|line| !is_replaced(line)) {
        text.push_str(line);
        text.push('\n');
    }
    if !operators.is_empty() {
        text.push_str("\nCONSTANTS\n");
        for (name, operator) in operators {
            let _ = writeln!(text, "  {name} <- {operator}");
        }
    }
    text
}

struct Emitter<'c> {
    composed: &'c Composed,
    spec: &'c Spec,
    /// Everything that the behaviour and the questions about it lead to.
    reach: Reach,
    actions: FxIndexMap<DefId, &'c ActionOutline>,
    provided: FxIndexMap<DefId, DefId>,
    done: FxIndexSet<DefId>,
    done_instances: FxIndexSet<InstanceId>,
    /// The place of each name that was written.
    names: FxIndexMap<Name, Span>,
    text: String,
    /// The module whose definitions were written last.
    last: Option<ModuleId>,
}

impl<'c> Emitter<'c> {
    fn new(composed: &'c Composed, defines: &[Define]) -> Emitter<'c> {
        let spec = &composed.spec;
        let outline = &composed.outline;
        let actions = outline.parts.iter().flat_map(|part| part.actions.iter());
        let values = defines.iter().filter_map(|define| body_of(spec, define.def));
        let reach = Reach::with_defs(spec, roots(composed).into_iter().chain(values), named_defs(composed));
        Emitter {
            composed,
            spec,
            reach,
            actions: actions.map(|action| (action.def, action)).collect(),
            provided: outline.provided.iter().copied().collect(),
            done: FxIndexSet::default(),
            done_instances: FxIndexSet::default(),
            names: FxIndexMap::default(),
            text: String::new(),
            last: None,
        }
    }

    /// Writes the definitions of all files, in the order of modules and of the text as far as possible.
    fn definitions(&mut self) -> Result<(), Box<Diagnostic>> {
        for module in self.modules() {
            let spec = self.spec;
            for &def in &spec.modules[module].defs {
                if self.reach.defs.contains_key(&def) {
                    self.definition(def)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the modules that the root extends, those that others need first; without the root and embedded ones.
    fn modules(&self) -> Vec<ModuleId> {
        let mut order = Vec::new();
        self.visit_module(self.spec.root, &mut order);
        order.retain(|&module| module != self.spec.root && !self.spec.modules[module].embedded);
        order
    }

    fn visit_module(&self, module: ModuleId, order: &mut Vec<ModuleId>) {
        if order.contains(&module) {
            return;
        }
        for &needed in &self.spec.modules[module].extends {
            self.visit_module(needed, order);
        }
        order.push(module);
    }

    /// Writes an operator for each value that was given; returns the constants with the names of these.
    fn values(&mut self, defines: &[Define]) -> Vec<(String, String)> {
        let mut operators = Vec::new();
        if !defines.is_empty() {
            let _ = write!(self.text, "{}\n\\* Values that were given\n\n", "-".repeat(76));
        }
        for define in defines {
            let Some(body) = body_of(self.spec, define.def) else { continue };
            let name = self.spec.names.text(define.name).to_owned();
            let mut operator = format!("Given_{name}");
            while self.spec.names.get(&operator).is_some() {
                operator.push('_');
            }
            let _ = write!(self.text, "{operator} ==\n  {}\n\n", self.place(body, 2));
            operators.push((name, operator));
        }
        operators
    }

    fn definition(&mut self, id: DefId) -> Result<(), Box<Diagnostic>> {
        if !self.done.insert(id) {
            return Ok(());
        }
        let def = &self.spec.defs[id];
        if self.spec.modules[def.module].embedded && def.origin.is_none() {
            return Ok(());
        }
        if let Some(origin) = def.origin {
            return self.instance(origin.instance);
        }
        match def.kind {
            DefKind::Operator | DefKind::Function => {}
            DefKind::Let => return base::with_stack(|| self.needs(id)),
            DefKind::Subexpression | DefKind::Assumption | DefKind::Theorem | DefKind::ProofStep => {
                let headline = "a name of a part of another definition cannot be written into one module";
                return Err(Box::new(Diagnostic::new(Code::CompositionName, def.span, headline)));
            }
        }
        if def.recursive && def.kind == DefKind::Operator {
            let line = self.recursive_line(id);
            self.heading(def.module);
            self.text.push_str(&line);
        }
        base::with_stack(|| self.needs(id))?;
        self.check_name(def.name, def.name_span)?;
        self.heading(def.module);
        let text = self.definition_text(id);
        self.text.push_str(&text);
        self.text.push_str("\n\n");
        Ok(())
    }

    /// Writes what a definition applies.
    fn needs(&mut self, id: DefId) -> Result<(), Box<Diagnostic>> {
        let Some(body) = body_of(self.spec, id) else { return Ok(()) };
        direct_uses(self.spec, body).into_iter().try_for_each(|used| self.definition(used))
    }

    fn recursive_line(&self, id: DefId) -> String {
        let def = &self.spec.defs[id];
        let name = self.spec.names.text(def.name);
        match def.params.len() {
            0 => format!("RECURSIVE {name}\n"),
            n_params => format!("RECURSIVE {name}({})\n", vec!["_"; n_params].join(", ")),
        }
    }

    fn instance(&mut self, id: InstanceId) -> Result<(), Box<Diagnostic>> {
        if !self.done_instances.insert(id) {
            return Ok(());
        }
        let instance = &self.spec.instances[id];
        for substitution in &instance.substitutions {
            if let Some(expr) = substitution.value.expr() {
                direct_uses(self.spec, expr).into_iter().try_for_each(|used| self.definition(used))?;
            }
        }
        if !self.is_top_level(id) {
            return Ok(());
        }
        if let Some(name) = instance.name {
            self.check_name(name, instance.span)?;
        }
        let text = self.instance_text(id);
        self.heading(instance.within);
        self.text.push_str(&text);
        self.text.push_str("\n\n");
        Ok(())
    }

    /// Whether an INSTANCE is a unit of a module. Others are in a LET, and come with the text around them.
    fn is_top_level(&self, id: InstanceId) -> bool {
        self.spec.modules[self.spec.instances[id].within].instances.contains(&id)
    }

    /// Returns the whole unit of an INSTANCE, from the start of its line if nothing else stands there.
    fn instance_text(&self, id: InstanceId) -> String {
        let instance = &self.spec.instances[id];
        let file = self.spec.sources.file(instance.span.source);
        let line = file.line_range(file.line_index(instance.span.start));
        let before = &file.text()[line.start..instance.span.range().start];
        format!("{before}{}", &file.text()[instance.span.range()])
    }

    /// Refuses two definitions of one name, which LOCAL allows in modules of their own.
    fn check_name(&mut self, name: Name, span: Span) -> Result<(), Box<Diagnostic>> {
        match self.names.insert(name, span) {
            Some(first) if first != span => {
                let text = self.spec.names.text(name);
                let headline = format!("`{text}` is defined in two files, and one module has one");
                let wrong = Diagnostic::new(Code::CompositionName, span, headline);
                Err(Box::new(wrong.related(first, "the other definition").help("rename one of them")))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn heading(&mut self, module: ModuleId) {
        if self.last == Some(module) {
            return;
        }
        self.last = Some(module);
        let name = self.spec.names.text(self.spec.modules[module].name);
        let parts = self.composed.outline.parts.iter().filter(|part| part.tla == module);
        let parts: Vec<String> = parts.map(|part| format!("{}.{}", part.module, part.grain)).collect();
        let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
        let rule = "-".repeat(76);
        let _ = write!(self.text, "{rule}\n\\* {name}{parts}\n\n");
    }

    fn source_text(&self, span: Span) -> &'c str {
        let text: &'c str = self.spec.sources.file(span.source).text();
        &text[span.range()]
    }

    fn definition_text(&self, id: DefId) -> String {
        let def = &self.spec.defs[id];
        let source = self.spec.sources.file(def.span.source);
        let comment = layout::comment_before(source.text(), def.span.range().start);
        let written = match (self.provided.get(&id), self.actions.get(&id)) {
            (Some(&provider), _) => self.provided_text(id, provider),
            (None, Some(action)) if !action.unchanged.is_empty() => self.action_text(id, action),
            (None, Some(_) | None) => self.source_text(def.span).to_owned(),
        };
        format!("{comment}{written}")
    }

    /// Returns what stands before the body of a definition: `Name(x, y) ==`.
    fn head(&self, id: DefId, body: ExprId) -> &'c str {
        let (def, body) = (&self.spec.defs[id], self.spec.exprs[body].span);
        self.source_text(Span { end: body.start, ..def.span }).trim_end()
    }

    fn provided_text(&self, id: DefId, provider: DefId) -> String {
        let def = &self.spec.defs[id];
        let names = |name: Name| self.spec.names.text(name);
        let params: Vec<&str> = def.params.iter().map(|&param| names(self.spec.locals[param].name)).collect();
        let args = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
        let (own, other) = (names(def.name), names(self.spec.defs[provider].name));
        format!("{own}{args} == {other}{args}")
    }

    fn action_text(&self, id: DefId, action: &ActionOutline) -> String {
        let head = self.head(id, action.written);
        let span = self.spec.exprs[action.written].span;
        let source = self.spec.sources.file(span.source);
        let block = layout::Block::new(source.text(), span.range());
        let unchanged = self.unchanged_text(&action.unchanged);
        let is_list = matches!(
            self.spec.exprs[action.written].kind,
            ExprKind::Junction { kind: JunctionKind::And, .. }
        );
        let column = if is_list { block.column() } else { 2 };
        let unchanged = layout::indent_after_first(&unchanged, column + 3);
        let pad = " ".repeat(column);
        match is_list {
            // The list continues in its own column.
            true => format!("{head}\n{pad}{}\n{pad}/\\ {unchanged}", block.text()),
            false => format!("{head}\n  /\\ {}\n  /\\ {unchanged}", block.place_at(5)),
        }
    }

    fn unchanged_text(&self, vars: &[VarId]) -> String {
        let names = vars.iter().map(|&var| self.spec.names.text(self.spec.variables[var].name));
        format!("UNCHANGED <<{}>>", layout::fill(names, WIDTH - 20))
    }

    fn module_text(&self, title: &str) -> String {
        let name = &self.composed.outline.module;
        let rule = "-".repeat(24);
        let mut text =
            format!("{rule} MODULE {name} {rule}\n\\* {title}\n\\* Written by specline compose.\n");
        let libraries = self.libraries();
        if !libraries.is_empty() {
            let _ = writeln!(text, "EXTENDS {}", libraries.join(", "));
        }
        let constants = self.constants();
        if !constants.is_empty() {
            let list = layout::fill(constants.iter().map(String::as_str), WIDTH - 10);
            let _ = write!(text, "\nCONSTANTS\n  {}\n", layout::indent_after_first(&list, 2));
        }
        let root = &self.spec.modules[self.spec.root];
        let names = root.variables.iter().map(|&var| self.spec.names.text(self.spec.variables[var].name));
        let list = layout::indent_after_first(&layout::fill(names, WIDTH - 10), 2);
        let _ = write!(text, "\nVARIABLES\n  {list}\n\nvars ==\n  <<{list}>>\n\n{}", self.text);
        for assumption in self.assumptions() {
            let _ = write!(text, "{}\n\n", self.source_text(assumption));
        }
        text.push_str(&self.behaviour());
        text.push('\n');
        text.push_str(&"=".repeat(76));
        text.push('\n');
        text
    }

    fn constants(&self) -> Vec<String> {
        let root = &self.spec.modules[self.spec.root];
        let each = |&id: &sema::spec::ConstId| {
            let constant = &self.spec.constants[id];
            let name = self.spec.names.text(constant.name);
            match constant.arity {
                0 => name.to_owned(),
                arity => format!("{name}({})", vec!["_"; arity as usize].join(", ")),
            }
        };
        root.constants.iter().map(each).collect()
    }

    /// Returns the embedded modules that the files extend, each once.
    fn libraries(&self) -> Vec<&'c str> {
        let mut names: Vec<&'c str> = Vec::new();
        for module in self.modules() {
            for &needed in &self.spec.modules[module].extends {
                let needed = &self.spec.modules[needed];
                let name = self.spec.names.text(needed.name);
                if needed.embedded && !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }

    fn assumptions(&self) -> Vec<Span> {
        let of_module = |module: ModuleId| {
            let all = self.spec.modules[module].assumptions.iter();
            all.filter(|assumption| assumption.kind == AssumeKind::Assume).map(|assumption| assumption.span)
        };
        self.modules().into_iter().flat_map(of_module).collect()
    }

    fn behaviour(&self) -> String {
        let outline = &self.composed.outline;
        let mut text = format!("{}\n\\* The composition\n\nInit ==\n", "-".repeat(76));
        for &init in &outline.init {
            let _ = writeln!(text, "  /\\ {}", self.place(init, 5));
        }
        text.push_str("\nNext ==\n");
        for part in outline.parts.iter().filter(|part| !part.actions.is_empty()) {
            let _ = writeln!(text, "  \\* {}.{}", part.module, part.grain);
            for action in &part.actions {
                let _ = writeln!(text, "  \\/ {}", self.place(action.expr, 5));
            }
        }
        text.push_str("\nSpec ==\n  /\\ Init\n  /\\ [][Next]_vars\n");
        for &fairness in &outline.fairness {
            let _ = writeln!(text, "  /\\ {}", self.place(fairness, 5));
        }
        text
    }

    fn place(&self, expr: ExprId, column: usize) -> String {
        let span = self.spec.exprs[expr].span;
        layout::Block::new(self.spec.sources.file(span.source).text(), span.range()).place_at(column)
    }

    /// Returns the modules of files that are instantiated, and what these need.
    fn copies(&self) -> Vec<(String, String)> {
        let mut todo: Vec<ModuleId> = Vec::new();
        let mut seen: FxIndexSet<ModuleId> = FxIndexSet::default();
        let instantiated = self.reach.defs.keys().filter_map(|&def| self.spec.defs[def].origin);
        todo.extend(instantiated.map(|origin| self.spec.instances[origin.instance].module));
        while let Some(module) = todo.pop() {
            let entry = &self.spec.modules[module];
            if entry.embedded || entry.parent.is_some() || !seen.insert(module) {
                continue;
            }
            todo.extend(entry.extends.iter().copied());
            todo.extend(entry.instances.iter().map(|&instance| self.spec.instances[instance].module));
        }
        let copy = |&module: &ModuleId| {
            let entry = &self.spec.modules[module];
            let text = self.spec.sources.file(entry.span.source).text().to_string();
            (self.spec.names.text(entry.name).to_owned(), text)
        };
        seen.iter().map(copy).collect()
    }
}

/// Returns the expressions that the behaviour of a composition consists of.
fn roots(composed: &Composed) -> Vec<ExprId> {
    let outline = &composed.outline;
    let actions = outline.parts.iter().flat_map(|part| part.actions.iter().map(|action| action.expr));
    outline.init.iter().chain(&outline.fairness).copied().chain(actions).collect()
}

/// Returns the definitions that the configuration names. Every word of it that is one counts; a few too many do no
/// harm.
fn named_defs(composed: &Composed) -> Vec<DefId> {
    let spec = &composed.spec;
    let scope = &spec.modules[spec.root].scope;
    let words = composed.config.split(|c: char| !c.is_alphanumeric() && c != '_');
    let own = words.filter(|word| !["Spec", "Init", "Next", "vars"].contains(word));
    let def = |word: &str| match spec.names.get(word).and_then(|name| scope.get(&name))?.entity {
        Entity::Def(def) => Some(def),
        Entity::Const(_) | Entity::Var(_) | Entity::Instance(_) | Entity::Local(_) => None,
    };
    own.filter_map(def).collect()
}

/// Returns the definitions that an expression applies itself, those of its LETs read through.
fn direct_uses(spec: &Spec, root: ExprId) -> Vec<DefId> {
    let mut used: FxIndexSet<DefId> = FxIndexSet::default();
    spec.walk(root, |expr| {
        if let ExprKind::Apply { op, args } = &spec.exprs[expr].kind {
            let refs = args.iter().filter_map(|arg| match arg {
                Arg::Op(OpArg::Ref(op, _)) => Some(*op),
                Arg::Op(OpArg::Lambda(_)) | Arg::Expr(_) => None,
            });
            for op in [*op].into_iter().chain(refs) {
                if let Op::Def(def) = op {
                    used.insert(def);
                }
            }
        }
        // The definitions of a LET are part of the text, used or not.
        used.extend(spec.exprs[expr].kind.let_defs().iter().copied());
        true
    });
    used.into_iter().collect()
}
