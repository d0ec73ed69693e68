//! The slice of a specification at one node: its variables, the actions that are its steps, and what these do with
//! messages.
//!
//! A mapping is made part of the specification: the message that is looked at is one more variable, [`MESSAGE`], and so is
//! the node, [`NODE`]. Each action of the node is taken as the next-state relation allows it, with the node as the
//! parameter that says whose step it is.

mod ghost;
mod owner;
mod takes;

use base::{FxHashMap, FxHashSet};
use diag::{Code, Diagnostic, Diagnostics, SourceId, Span};
use sema::Spec;
use sema::config::{self, BoundConfig, Rule};
use sema::level::Level;
use sema::spec::{Builtin, DefId, ExprId, ExprKind, JunctionKind, VarId};
use sema::unfold::Replacements;
use validate::extend::{AskedIdx, Extension};
use validate::plan::{allowed_way, junction, push, unary};

pub use owner::Role;
use owner::{ActionUses, local_text};
pub use takes::FieldTest;

use crate::map::{Mapping, NetworkShape, Text};

/// The name of the message that is looked at, in expressions.
pub const MESSAGE: &str = "message";
/// The name of the node that is watched, in expressions.
pub const NODE: &str = "node";

/// The kind of event that makes a process take an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A message that the process received.
    Receive,
    /// A time-out, a client's request, or a step that nothing outside of the process causes.
    Own,
    /// The process was started again.
    Restart,
}

/// An action of the node. The rule is the one of that number in `Program::rules`.
#[derive(Clone, Debug)]
pub struct SliceAction {
    pub name: String,
    pub span: Span,
    pub kind: EventKind,
    /// Whether it may send messages.
    pub sends: bool,
    /// A test that every message has to pass that it takes. With it, the action takes nothing but a message.
    pub takes: Option<FieldTest>,
    /// Whether the mapping gives parameters values that may depend on the message that is to be explained.
    pub is_bound: bool,
    pub rule: usize,
    /// The action as the relation allows it.
    pub step: ExprId,
}

/// The formulas of a slice as the specification has them, for those who read them and do not evaluate.
#[derive(Debug)]
pub struct SliceFormulas {
    /// The variables of the slice, and those that the mapping adds.
    pub variables: Vec<VarId>,
    pub message: VarId,
    pub node: VarId,
    pub never: Vec<ExprId>,
    pub spent: Vec<ExprId>,
    pub replacements: Replacements,
}

#[derive(Clone, Debug)]
pub struct SliceVariable {
    pub name: String,
    pub role: Role,
}

/// How the state of a process that already runs is found.
#[derive(Clone, Debug)]
pub struct PlannedJoin {
    pub when: Option<AskedIdx>,
    /// A rule that leads from anywhere to the states after a message.
    pub rule: usize,
}

/// Everything that a monitor knows about a specification before it runs.
#[derive(Debug)]
pub struct Slice {
    pub variables: Vec<SliceVariable>,
    pub actions: Vec<SliceAction>,
    /// Actions that are no steps of a process.
    pub environment: Vec<String>,
    pub shape: NetworkShape,
    pub nodes: AskedIdx,
    pub from: Option<AskedIdx>,
    pub to: Option<AskedIdx>,
    pub only: Option<AskedIdx>,
    pub value: Option<AskedIdx>,
    pub together: Option<AskedIdx>,
    pub never: Vec<AskedIdx>,
    pub spent: Vec<AskedIdx>,
    pub at_once: Vec<AskedIdx>,
    /// Actions of the environment that may put messages into the network.
    pub outside: Vec<String>,
    /// Whether an action may look at several messages at once.
    pub reads_many: bool,
    /// Whether no action takes a message out of the network.
    pub keeps: bool,
    pub join: Option<PlannedJoin>,
    /// The names of the configuration that are model values.
    pub model_values: Vec<String>,
    pub formulas: SliceFormulas,
}

impl Slice {
    /// Whether actions see all messages that were received, and not one after the other.
    pub fn sees_all(&self) -> bool {
        self.shape != NetworkShape::Queues && (self.reads_many || self.keeps)
    }

    /// Returns the name of the variable that holds messages.
    pub fn network(&self) -> &str {
        let network = self.variables.iter().find(|variable| variable.role == Role::Network);
        network.map_or("", |variable| variable.name.as_str())
    }
}

fn copy(replacements: &Replacements) -> Replacements {
    Replacements { defs: replacements.defs.clone(), constants: replacements.constants.clone() }
}

/// Returns why the messages that a node may receive cannot all be found by taking the steps of nodes.
pub fn why_not_closed(slice: &Slice) -> Option<String> {
    if slice.reads_many && slice.shape != NetworkShape::Queues {
        return Some("an action looks at several messages at once".to_owned());
    }
    let outside = slice.outside.first()?;
    Some(format!("`{outside}`, which is no step of a node, may put messages into the network"))
}

/// Derives the slice, and adds what it needs to the specification and its configuration.
pub fn slice(
    spec: &mut Spec,
    config: &mut BoundConfig,
    mapping: &Mapping,
    source: SourceId,
) -> Result<Slice, Diagnostics> {
    let next = next_state_relation(spec, config)?;
    let mut slicer = Slicer {
        extension: Extension::new(spec, config, source, Code::MonitorMap),
        mapping,
        next,
        roles: FxHashMap::default(),
        added: Vec::new(),
        outside: Vec::new(),
        reads_many: false,
        keeps: true,
    };
    let made = slicer.slice();
    slicer.extension.finish(made)
}

/// Returns the next-state relation, if there is one and it has no parameters.
fn next_state_relation(spec: &Spec, config: &BoundConfig) -> Result<ExprId, Diagnostics> {
    let behaviour = config::behaviour(spec, config);
    let mut diagnostics = behaviour.diagnostics;
    match behaviour.next.as_slice() {
        [next] if next.action.env.is_empty() => return Ok(next.action.expr),
        _ if diagnostics.has_errors() => {}
        _ => {
            let headline = "a process is watched by one next-state relation, without parameters";
            let help =
                "give INIT and NEXT in the configuration, or `Init /\\ [][Next]_vars` as SPECIFICATION";
            diagnostics.push(Diagnostic::without_place(Code::MonitorMap, headline).help(help));
        }
    }
    Err(diagnostics)
}

struct Slicer<'a> {
    extension: Extension<'a>,
    mapping: &'a Mapping,
    next: ExprId,
    roles: FxHashMap<VarId, Role>,
    /// The variables that the mapping adds.
    added: Vec<VarId>,
    outside: Vec<String>,
    reads_many: bool,
    keeps: bool,
}

impl Slicer<'_> {
    fn slice(&mut self) -> Option<Slice> {
        let own = self.extension.spec.modules[self.extension.spec.root].variables.clone();
        let variables = self.read_roles()?;
        self.remove_ghosts()?;
        self.added = [MESSAGE, NODE].iter().filter_map(|name| self.add_variable(name)).collect();
        let [message, node] = self.added[..] else { return None };
        let mapping = self.mapping;
        let nodes = self.ask(&mapping.nodes);
        let [from, to] = [&mapping.network.from, &mapping.network.to].map(|text| self.ask_opt(text.as_ref()));
        let only = self.ask_opt(mapping.messages.only.as_ref());
        let value = self.ask_opt(mapping.messages.value.as_ref());
        let together = self.ask_opt(mapping.together.as_ref());
        let never = mapping.never.iter().filter_map(|text| self.ask(text)).collect();
        let spent = mapping.spent.iter().filter_map(|text| self.ask(text)).collect();
        let at_once = mapping.at_once.iter().filter_map(|text| self.ask(text)).collect();
        let (actions, environment) = self.read_actions(node);
        let join = self.plan_join();
        self.leave_out_the_rest();
        let model_values = validate::plan::model_values(self.extension.spec, self.extension.config);
        let formulas = SliceFormulas {
            variables: own,
            message,
            node,
            never: self.resolve_all(&mapping.never),
            spent: self.resolve_all(&mapping.spent),
            replacements: copy(&self.extension.config.replacements),
        };
        Some(Slice {
            variables,
            actions,
            environment,
            shape: mapping.network.shape,
            nodes: nodes?,
            from,
            to,
            only,
            value,
            together,
            never,
            spent,
            at_once,
            outside: std::mem::take(&mut self.outside),
            reads_many: self.reads_many,
            keeps: self.keeps,
            join,
            model_values,
            formulas,
        })
    }

    fn resolve_all(&mut self, texts: &[Text]) -> Vec<ExprId> {
        texts.iter().filter_map(|text| self.extension.resolve(text)).collect()
    }

    fn add_variable(&mut self, name: &str) -> Option<VarId> {
        let variable = self.extension.add_variable(name);
        if variable.is_none() {
            let headline = format!("the specification has a `{name}` of its own, which a mapping needs");
            let start = self.extension.start();
            self.extension.refuse_at(start, headline, "call it something else in the specification");
        }
        variable
    }

    fn name_of(&self, var: VarId) -> String {
        self.extension.spec.names.text(self.extension.spec.variables[var].name).to_owned()
    }

    /// Reads what each variable is. Those that the mapping does not name are functions on the nodes.
    fn read_roles(&mut self) -> Option<Vec<SliceVariable>> {
        let own = self.extension.spec.modules[self.extension.spec.root].variables.clone();
        let named = self.mapping.ghost.iter().map(|text| (text, Role::Ghost));
        let named: Vec<(&Text, Role)> =
            named.chain([(&self.mapping.network.variable, Role::Network)]).collect();
        let mut is_complete = true;
        for (text, role) in named {
            match own.iter().find(|&&var| self.name_of(var) == text.text) {
                Some(&var) => drop(self.roles.insert(var, role)),
                None => {
                    is_complete = false;
                    let names: Vec<String> = own.iter().map(|&var| self.name_of(var)).collect();
                    let help = match base::nearest(&text.text, names.iter().map(String::as_str)) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("its variables are {}", names.join(", ")),
                    };
                    let headline = format!("the specification has no variable `{}`", text.text);
                    self.extension.refuse(text, headline, help);
                }
            }
        }
        let role = |var: &VarId| self.roles.get(var).copied().unwrap_or(Role::PerNode);
        let all = own.iter().map(|var| SliceVariable { name: self.name_of(*var), role: role(var) });
        is_complete.then(|| all.collect())
    }

    fn remove_ghosts(&mut self) -> Option<()> {
        let ghosts: FxHashSet<VarId> =
            self.roles.iter().filter(|(_, role)| **role == Role::Ghost).map(|(var, _)| *var).collect();
        let Err(entangled) = ghost::remove(self.extension.spec, self.next, &ghosts) else { return Some(()) };
        let name = self.name_of(entangled.ghost);
        let headline = format!("the ghost variable `{name}` decides about other variables here");
        let told = Diagnostic::new(Code::NotLocal, entangled.span, headline)
            .help("only conjuncts that are about ghost variables alone can be left out: write them apart");
        self.extension.diagnostics.push(told);
        None
    }

    fn ask(&mut self, text: &Text) -> Option<AskedIdx> {
        let expr = self.extension.resolve(text)?;
        if self.extension.spec.levels.exprs[expr] > Level::State {
            self.extension.refuse(text, "this is about more than one state", "leave out the primes");
            return None;
        }
        Some(self.extension.ask_text(text, expr))
    }

    fn ask_opt(&mut self, text: Option<&Text>) -> Option<AskedIdx> {
        text.and_then(|text| self.ask(text))
    }

    fn read_actions(&mut self, node: VarId) -> (Vec<SliceAction>, Vec<String>) {
        let defs = validate::plan::actions(self.extension.spec, self.next);
        self.check_names(&defs);
        let (mut actions, mut environment) = (Vec::new(), Vec::new());
        for def in defs {
            let name = self.extension.spec.names.text(self.extension.spec.defs[def].name).to_owned();
            let uses = owner::uses(self.extension.spec, &self.roles, def);
            let is_declared = self.mapping.environment.iter().any(|text| text.text == name);
            let is_local = !uses.indices.is_empty() || !uses.whole.is_empty();
            self.keeps &= !uses.may_remove;
            if is_declared || !is_local {
                if uses.may_add {
                    self.outside.push(name.clone());
                }
                environment.push(name);
                continue;
            }
            let Some(owner) = self.find_owner(&name, &uses) else { continue };
            actions.extend(self.add_action(def, &name, (&uses, &owner), node));
        }
        (actions, environment)
    }

    /// Reports names in the mapping that are no actions.
    fn check_names(&mut self, defs: &[DefId]) {
        let spec = &*self.extension.spec;
        let known: Vec<String> =
            defs.iter().map(|&def| spec.names.text(spec.defs[def].name).to_owned()).collect();
        let mapping = self.mapping;
        let named = mapping.environment.iter().chain(&mapping.restart);
        for text in named.chain(mapping.binds.iter().map(|bind| &bind.action)) {
            if known.contains(&text.text) {
                continue;
            }
            let help = match base::nearest(&text.text, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("its actions are {}", known.join(", ")),
            };
            let headline = format!("the next-state relation has no action `{}`", text.text);
            self.extension.refuse(text, headline, help);
        }
    }

    /// Returns the index that all of an action's uses have; reports the first that differs.
    fn find_owner(&mut self, name: &str, uses: &ActionUses) -> Option<String> {
        if let Some((var, span)) = uses.whole.first() {
            let variable = self.name_of(*var);
            let headline =
                format!("`{name}` uses `{variable}` of all nodes at once, which one process does not know");
            let help = format!(
                "read `{variable}` at the node of the action alone; or name it in `ghost`, if no process has it"
            );
            self.extension.diagnostics.push(Diagnostic::new(Code::NotLocal, *span, headline).help(help));
            return None;
        }
        let (owner, _, first) = uses.indices.first()?;
        let Some((_, var, span)) = uses.indices.iter().find(|(text, ..)| text != owner) else {
            return Some(owner.clone());
        };
        let variable = self.name_of(*var);
        let headline = format!("`{name}` uses `{variable}` of another node");
        let help = "a process knows of others what their messages say: send it in a message; or name the action in \
                    `environment`, if no process takes it";
        let told = Diagnostic::new(Code::NotLocal, *span, headline)
            .related(*first, "this is at the node whose step it is")
            .help(help);
        self.extension.diagnostics.push(told);
        None
    }

    fn add_action(
        &mut self,
        def: DefId,
        name: &str,
        (uses, owner): (&ActionUses, &str),
        node: VarId,
    ) -> Option<SliceAction> {
        let span = self.extension.spec.defs[def].name_span;
        let params = self.extension.spec.defs[def].params.clone();
        let mut binds: Vec<Option<ExprId>> = Vec::new();
        for &param in &params {
            let is_owner = local_text(param) == owner;
            binds.push(is_owner.then(|| push(self.extension.spec, ExprKind::Var(node), span)));
        }
        if binds.iter().all(Option::is_none) && uses.receives.is_none() && !owner.contains('.') {
            let headline = format!("`{name}` does not say by a parameter whose step it is");
            let help = "make the node a parameter of the action: `\\E i \\in Server : Act(i)`";
            self.extension.diagnostics.push(Diagnostic::new(Code::NotLocal, span, headline).help(help));
            return None;
        }
        self.bind_params(name, &params, &mut binds);
        let (next, replacements) = (self.next, &self.extension.config.replacements);
        let Some(way) = allowed_way(self.extension.spec, replacements, (def, &binds), next) else {
            let headline =
                format!("the next-state relation reaches `{name}` in a way that is not understood");
            let help = "let the relation be a disjunction of actions, with `\\E` around them";
            self.extension.diagnostics.push(Diagnostic::new(Code::NotLocal, span, headline).help(help));
            return None;
        };
        // The relation may take a message from the network and hand it to the action.
        let reads = owner::reads_network(self.extension.spec, &self.roles, way);
        let reads_many = owner::reads_many(self.extension.spec, &self.roles, way);
        if reads_many && self.mapping.network.shape == NetworkShape::Bag {
            // How often a message was handled does not show where several are looked at: an alarm could be false.
            let headline = format!("`{name}` looks at several messages of a bag at once");
            let help =
                "let it choose one message, `\\E m \\in DOMAIN net : ...`, or let the network be a set";
            self.extension.diagnostics.push(Diagnostic::new(Code::NotLocal, span, headline).help(help));
            return None;
        }
        self.reads_many |= reads_many;
        let is_restart = self.mapping.restart.as_ref().is_some_and(|restart| restart.text == name);
        let kind = match (is_restart, reads) {
            (true, _) => EventKind::Restart,
            (false, Some(_)) => EventKind::Receive,
            (false, None) => EventKind::Own,
        };
        let takes = takes::field_test(self.extension.spec, &self.roles, way);
        let is_bound =
            self.mapping.binds.iter().any(|form| form.action.text == name && !form.bind.is_empty());
        let rule = self.add_rule(name, way, span);
        Some(SliceAction {
            name: name.to_owned(),
            span,
            kind,
            sends: uses.changes_network,
            takes,
            is_bound,
            rule,
            step: way,
        })
    }

    /// Adds the values that the mapping has for parameters.
    fn bind_params(&mut self, name: &str, params: &[sema::spec::LocalId], binds: &mut [Option<ExprId>]) {
        let mapping = self.mapping;
        for (param, value) in
            mapping.binds.iter().filter(|form| form.action.text == name).flat_map(|form| &form.bind)
        {
            let spec = &*self.extension.spec;
            let at = params.iter().position(|&local| spec.names.text(spec.locals[local].name) == param.text);
            match (at, self.extension.resolve(value)) {
                (Some(at), Some(expr)) => binds[at] = Some(expr),
                (Some(_), None) => {}
                (None, _) => {
                    let headline = format!("`{name}` has no parameter `{}`", param.text);
                    self.extension.refuse(
                        param,
                        headline,
                        "`bind` has parameters of the action, by their names",
                    );
                }
            }
        }
    }

    /// Adds a rule: message and node stay, and the step happens.
    fn add_rule(&mut self, name: &str, step: ExprId, span: Span) -> usize {
        let mut items = Vec::new();
        for &variable in &self.added {
            let variable = push(self.extension.spec, ExprKind::Var(variable), span);
            items.push(unary(self.extension.spec, Builtin::Unchanged, variable, span));
        }
        items.push(step);
        let body = junction(self.extension.spec, JunctionKind::And, items, span);
        let action = self.extension.define(name, body, span);
        self.extension.config.rules.push(Rule { action, params: Vec::new() });
        self.extension.config.rules.len() - 1
    }

    fn plan_join(&mut self) -> Option<PlannedJoin> {
        let form = self.mapping.join.as_ref()?;
        let when = self.ask_opt(form.when.as_ref());
        let predicate = self.extension.resolve(&form.predicate)?;
        if self.extension.spec.levels.exprs[predicate] > Level::State {
            self.extension.refuse(
                &form.predicate,
                "this is about more than one state",
                "leave out the primes",
            );
            return None;
        }
        let span = self.extension.span(&form.predicate);
        let step = unary(self.extension.spec, Builtin::Prime, predicate, span);
        let rule = self.add_rule("join", step, span);
        Some(PlannedJoin { when, rule })
    }

    /// Removes from the configuration what is not asked about one process.
    fn leave_out_the_rest(&mut self) {
        let span = self.extension.spec.exprs[self.next].span;
        let never = push(self.extension.spec, ExprKind::Bool(false), span);
        let next = self.extension.define("Next", never, span);
        let behaviour = config::behaviour(self.extension.spec, self.extension.config);
        let init: Vec<ExprId> = behaviour.init.iter().map(|formula| formula.expr).collect();
        // The node and the message have values before there is a state.
        let mut items = init;
        for &variable in &self.added {
            let name = push(self.extension.spec, ExprKind::Var(variable), span);
            let value = push(self.extension.spec, ExprKind::Bool(true), span);
            items.push(validate::plan::binary(self.extension.spec, Builtin::Eq, (name, value), span));
        }
        let body = junction(self.extension.spec, JunctionKind::And, items, span);
        let init = self.extension.define("Init", body, span);
        let config = &mut *self.extension.config;
        (config.specification, config.init, config.next) = (None, Some(init), Some(next));
        (config.symmetry, config.view, config.alias, config.periodic) = (None, None, None, None);
        config.invariants.clear();
        config.properties.clear();
        config.constraints.clear();
        config.action_constraints.clear();
        config.postconditions.clear();
        config.possible.clear();
    }
}
