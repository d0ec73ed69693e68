//! Builds the actions of a mapping from the meanings of its texts.

use base::FxHashMap;
use diag::{Code, Diagnostic, Diagnostics, SourceId, Span};
use sema::Spec;
use sema::config::{self, BoundConfig, Replacement, Rule, Value};
use sema::level::Level;
use sema::spec::{Arg, Builtin, DefBody, DefId, ExprId, ExprKind, JunctionKind, Op, VarId};

use super::touch::{self, Inside, Key};
use super::ways::{Finder, binary, junction, push, unary};
use super::{
    AskedIdx, Plan, PlannedMessage, PlannedOrder, PlannedRule, PlannedSilent, Touch, TouchStep, fields,
};
use crate::extend::{Extension, join_lines};
use crate::map::{ActionForm, Condition, Conditions, EventRule, Map, MessageRule, Order, SilentRule, Text};

/// An action with the name and parameters that describe its step.
#[derive(Clone)]
struct BuiltAction {
    expr: ExprId,
    name: String,
    params: Vec<(base::Name, ExprId)>,
    /// The steps that it is composed of, if there are several.
    links: Vec<BuiltAction>,
}

impl BuiltAction {
    /// Returns the single steps.
    fn steps(&self) -> Vec<BuiltAction> {
        if self.links.is_empty() { vec![self.clone()] } else { self.links.clone() }
    }
}

pub(super) struct Builder<'a> {
    extension: Extension<'a>,
    map: &'a Map,
    event: VarId,
    init: Vec<ExprId>,
    next: ExprId,
    /// All expressions that are about an event.
    all_about: Vec<ExprId>,
    /// The expressions about the event in the rule that is being built.
    about: Vec<ExprId>,
    /// For each rule of several steps, these steps.
    links: Vec<(usize, Vec<BuiltAction>)>,
}

impl<'a> Builder<'a> {
    pub fn new(
        spec: &'a mut Spec,
        config: &'a mut BoundConfig,
        map: &'a Map,
        source: SourceId,
    ) -> Result<Self, Diagnostics> {
        let (init, next) = behaviour(spec, config)?;
        let mut extension = Extension::new(spec, config, source, Code::MapFile);
        let Some(event) = add_event(&mut extension, &map.log.name) else {
            return Err(extension.diagnostics);
        };
        let (all_about, about, links) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Builder { extension, map, event, init, next, all_about, about, links })
    }

    pub fn build(mut self) -> Result<Plan, Diagnostics> {
        let map = self.map;
        let mut rules = Vec::new();
        for (entry, rule) in map.events.iter().enumerate() {
            self.event_rule(entry, rule, &mut rules);
        }
        self.links(&mut rules);
        let n_about_rules = self.all_about.len();
        let mut silent: Vec<PlannedSilent> =
            map.silent.iter().filter_map(|rule| self.silent_rule(rule)).collect();
        self.add_undeclared(&mut silent);
        let init = self.build_initial();
        let typed = self.resolve_fields();
        let nodes = map.log.nodes.as_ref().and_then(|text| self.ask(text));
        let order = self.order();
        if matches!(order, PlannedOrder::Vector(_) | PlannedOrder::Messages { .. }) {
            self.touches(&mut rules);
        }
        self.leave_out_the_rest();
        self.extension.check_levels();
        if self.extension.diagnostics.has_errors() {
            return Err(self.extension.diagnostics);
        }
        let (by_kind, for_all) = by_kind(map, &rules);
        let besides = self.all_about[n_about_rules..].iter().copied();
        let reads_besides = fields::paths(self.extension.spec, self.event, besides).into_iter().collect();
        Ok(Plan {
            actions: super::actions(self.extension.spec, self.next),
            by_kind,
            for_all,
            rules,
            silent,
            init,
            reads_besides,
            fields: fields::all(self.extension.spec, self.event, self.all_about.iter().copied()),
            typed,
            nodes,
            order,
            model_values: model_values(self.extension.spec, self.extension.config),
        })
    }

    /// Removes from the configuration what cannot be asked about a given behaviour.
    fn leave_out_the_rest(&mut self) {
        let span = self.extension.spec.exprs[self.next].span;
        let never = push(self.extension.spec, ExprKind::Bool(false), span);
        let next = self.extension.define("Next", never, span);
        let config = &mut *self.extension.config;
        // Steps are taken one by one, so there is nothing to expand.
        (config.specification, config.init, config.next) = (None, None, Some(next));
        (config.symmetry, config.view, config.alias, config.periodic) = (None, None, None, None);
        config.constraints.clear();
        config.action_constraints.clear();
        config.postconditions.clear();
        config.possible.clear();
    }

    fn refuse(&mut self, text: &Text, headline: impl Into<String>, help: impl Into<String>) {
        self.extension.refuse(text, headline, help);
    }

    fn span(&self, text: &Text) -> Span {
        self.extension.span(text)
    }

    /// Resolves a text as an expression.
    fn expr(&mut self, text: &Text) -> Option<ExprId> {
        let expr = self.extension.resolve(text)?;
        self.about.push(expr);
        self.all_about.push(expr);
        Some(expr)
    }

    /// Resolves a text as an expression of at most this level.
    fn expr_up_to(&mut self, text: &Text, level_max: Level, help: &str) -> Option<ExprId> {
        let expr = self.expr(text)?;
        if self.extension.spec.levels.exprs[expr] <= level_max {
            return Some(expr);
        }
        self.refuse(text, format!("`{}` is about more than one state", text.text), help);
        None
    }

    fn condition(&mut self, condition: &Condition, level_max: Level, is_primed: bool) -> Option<ExprId> {
        let help = "what is about a step, with primes, goes under `step`";
        let left = self.expr_up_to(&condition.left, level_max, help)?;
        let left_span = self.span(&condition.left);
        let Some(right_text) = &condition.right else {
            return Some(if is_primed {
                unary(self.extension.spec, Builtin::Prime, left, left_span)
            } else {
                left
            });
        };
        let right = self.expr_up_to(right_text, level_max, help)?;
        let span = left_span.to(self.span(right_text));
        let left = if is_primed { unary(self.extension.spec, Builtin::Prime, left, left_span) } else { left };
        let right = match is_primed && self.reads_state(right) {
            true => unary(self.extension.spec, Builtin::Prime, right, self.extension.spec.exprs[right].span),
            false => right,
        };
        Some(binary(self.extension.spec, Builtin::Eq, (left, right), span))
    }

    /// Whether an expression reads a variable other than the event.
    fn reads_state(&self, expr: ExprId) -> bool {
        let mut reads = false;
        crate::reads::walk(self.extension.spec, expr, &mut |part| {
            reads |= matches!(self.extension.spec.exprs[part].kind, ExprKind::Var(variable) if variable != self.event);
        });
        reads
    }

    fn event_rule(&mut self, entry: usize, rule: &EventRule, planned: &mut Vec<PlannedRule>) {
        let n_about = self.about.len();
        let common = Conditions::default();
        let common = if rule.has_common { &self.map.conditions } else { &common };
        let mut first: Vec<ExprId> = Vec::new();
        if let Some(when) = &rule.when {
            first.extend(self.expr_up_to(when, Level::State, "`when` is about the state before the step"));
        }
        // Events that the rule is not for need not have the fields that it reads of others.
        let n_asked = rule.when.as_ref().map(|_| self.about.len());
        // The conditions of the action come before those on the event, which may make sense only then.
        let mut then = Vec::new();
        for conditions in [&rule.conditions, common] {
            let before = conditions.before.iter().map(|condition| (condition, Level::State, false));
            let after = conditions.after.iter().map(|condition| (condition, Level::State, true));
            let step = conditions.step.iter().map(|condition| (condition, Level::Action, false));
            for (condition, level, is_primed) in before.chain(after).chain(step) {
                then.extend(self.condition(condition, level, is_primed));
            }
        }
        let n_conditions = self.about.len();
        for form in &rule.actions {
            self.about.truncate(n_conditions);
            let Some(made) = self.action(rule, form) else { continue };
            let asked = &self.about[n_about..n_asked.unwrap_or(self.about.len())];
            let needs = fields::always(self.extension.spec, self.event, asked.iter().copied());
            let name = made.name.clone();
            self.links.push((planned.len(), made.links.clone()));
            self.add_rule(made, (&first, &then), self.form_span(rule, form));
            let follows = rule.follows.iter().map(|kind| kind.text.clone()).collect();
            let is_stutter = matches!(form, ActionForm::Stutter);
            let about = self.about[n_about..].iter().copied();
            let reads = fields::paths(self.extension.spec, self.event, about).into_iter().collect();
            let free = rule.free.iter().map(|param| param.text.clone()).collect();
            let (links, touches) = (Vec::new(), None);
            planned.push(PlannedRule {
                entry,
                name,
                is_stutter,
                follows,
                needs,
                links,
                reads,
                free,
                touches,
            });
        }
        self.report_unused_binds(rule);
    }

    /// Adds an action for each step of the rules that have several, because properties are checked after each.
    fn links(&mut self, rules: &mut [PlannedRule]) {
        for (rule, links) in std::mem::take(&mut self.links) {
            for (number, made) in (1..).zip(links) {
                let span = self.extension.spec.exprs[made.expr].span;
                // This is not the name of an action, so that it is counted with the whole.
                let made = BuiltAction { name: format!("step {number} of several"), ..made };
                let link = self.add_rule(made, (&[], &[]), span);
                rules[rule].links.push(link);
            }
        }
    }

    /// Determines what the steps of each rule touch, if events may be tried in several orders.
    fn touches(&mut self, rules: &mut [PlannedRule]) {
        let mut asked: FxHashMap<Key, AskedIdx> = FxHashMap::default();
        for (index, rule) in rules.iter_mut().enumerate() {
            let DefBody::Expr(body) =
                self.extension.spec.defs[self.extension.config.rules[index].action.def].body
            else {
                continue;
            };
            let found =
                touch::touches(self.extension.spec, &self.extension.config.replacements, (body, self.event));
            rule.touches = found.map(|all| {
                let all = all.into_iter();
                let planned = all.map(|raw| Touch {
                    variable: base::Id::index(raw.variable),
                    path: raw.path.into_iter().map(|into| self.touch_step(into, &mut asked)).collect(),
                    kind: raw.kind,
                });
                planned.collect()
            });
        }
    }

    fn touch_step(&mut self, into: Inside, asked: &mut FxHashMap<Key, AskedIdx>) -> TouchStep {
        let key = match into {
            Inside::Any => return TouchStep::Any,
            Inside::Field(name) => return TouchStep::Field(self.extension.spec.names.text(name).to_owned()),
            Inside::Key(key) => key,
        };
        if let Some(&known) = asked.get(&key) {
            return TouchStep::Asked(known);
        }
        let span = self.extension.spec.exprs[key.root].span;
        let field = |record, field: &base::Name| {
            push(self.extension.spec, ExprKind::Field { record, field: *field }, span)
        };
        let expr = key.fields.iter().fold(key.root, field);
        let index = self.extension.ask("key", expr, span);
        asked.insert(key, index);
        TouchStep::Asked(index)
    }

    fn rule_span(&self, rule: &EventRule) -> Span {
        self.extension.span_of(rule.place.clone())
    }

    fn form_span(&self, rule: &EventRule, form: &ActionForm) -> Span {
        match form {
            ActionForm::Steps(steps) if !steps.is_empty() => self.span(&steps[0]),
            ActionForm::Stutter | ActionForm::Steps(_) => self.rule_span(rule),
        }
    }

    /// Builds the action that explains an event, without the conditions.
    fn action(&mut self, rule: &EventRule, form: &ActionForm) -> Option<BuiltAction> {
        let ActionForm::Steps(steps) = form else { return Some(self.stutter(rule)) };
        let binds: Vec<&(Text, Text)> = rule.bind.iter().chain(&self.map.bind).collect();
        let mut made = Vec::new();
        for step in steps {
            made.push(self.step(step, &binds, Some(&rule.free)));
        }
        let made: Vec<BuiltAction> = made.into_iter().collect::<Option<_>>()?;
        let name = made.iter().map(|made| made.name.as_str()).collect::<Vec<_>>().join(" \\cdot ");
        let span = self.form_span(rule, form);
        let links = match made.as_slice() {
            [only] => only.links.clone(),
            several => several.iter().flat_map(BuiltAction::steps).collect(),
        };
        let mut all = made.into_iter();
        let BuiltAction { mut expr, mut params, .. } = all.next()?;
        for next in all {
            expr = binary(self.extension.spec, Builtin::Cdot, (expr, next.expr), span);
            params.extend(next.params);
        }
        Some(BuiltAction { expr, name, params, links })
    }

    fn stutter(&mut self, rule: &EventRule) -> BuiltAction {
        let span = self.rule_span(rule);
        let variables = self.extension.spec.modules[self.extension.spec.root].variables.clone();
        let items =
            variables.into_iter().map(|id| push(self.extension.spec, ExprKind::Var(id), span)).collect();
        let all = push(self.extension.spec, ExprKind::Tuple(items), span);
        let expr = unary(self.extension.spec, Builtin::Unchanged, all, span);
        BuiltAction { expr, name: "stutter".to_owned(), params: Vec::new(), links: Vec::new() }
    }

    /// Builds one step. A name is an action as the next-state relation allows it; anything else is taken as it is
    /// written. The parameters in `free` may be unbound, or all of them if that is `None`.
    fn step(&mut self, text: &Text, binds: &[&(Text, Text)], free: Option<&[Text]>) -> Option<BuiltAction> {
        let name = text.text.trim();
        if !is_name(name) {
            let expr = self.expr_up_to(text, Level::Action, "an action is about one step")?;
            let links = self.split_composition(text, expr)?;
            return Some(BuiltAction { expr, name: join_lines(name), params: Vec::new(), links });
        }
        let def = self.find_action(text, name)?;
        let params = self.extension.spec.defs[def].params.clone();
        let (mut values, mut told) = (Vec::new(), Vec::new());
        for param in params {
            let param_name = self.extension.spec.locals[param].name;
            let param_text = self.extension.spec.names.text(param_name).to_owned();
            let bind = binds.iter().find(|(key, _)| key.text == param_text);
            let Some((_, value)) = bind else {
                if free.is_some_and(|free| !free.iter().any(|name| name.text == param_text)) {
                    self.report_unbound(text, name, &param_text);
                }
                values.push(None);
                continue;
            };
            let value =
                self.expr_up_to(value, Level::State, "a parameter is about the state before the step");
            told.extend(value.map(|value| (param_name, value)));
            values.push(value);
        }
        let (next, replacements) = (self.next, &self.extension.config.replacements);
        let Some(expr) = Finder::new(self.extension.spec, replacements, def, &values).find(next) else {
            let headline =
                format!("the next-state relation does not come to `{name}` in a way that is understood");
            let help = format!(
                "write the action out, with its parameters: '{name}(...)'; it is then taken as it is written"
            );
            self.refuse(text, headline, help);
            return None;
        };
        Some(BuiltAction { expr, name: name.to_owned(), params: told, links: Vec::new() })
    }

    /// Returns the steps of `A \\cdot B`, because properties are checked after each; empty for a single step.
    fn split_composition(&mut self, text: &Text, expr: ExprId) -> Option<Vec<BuiltAction>> {
        let (mut parts, mut todo) = (Vec::new(), vec![expr]);
        while let Some(part) = todo.pop() {
            if let ExprKind::Apply { op: Op::Builtin(Builtin::Cdot), args } =
                &self.extension.spec.exprs[part].kind
            {
                todo.extend(args.iter().rev().filter_map(Arg::expr));
            } else {
                parts.push(part);
            }
        }
        let mut is_hidden = false;
        for &part in &parts {
            self.extension.spec.walk(part, |inner| {
                let kind = &self.extension.spec.exprs[inner].kind;
                is_hidden |= matches!(kind, ExprKind::Apply { op: Op::Builtin(Builtin::Cdot), .. });
                !is_hidden
            });
        }
        if is_hidden {
            let headline = "steps that are composed inside of an expression cannot be told apart";
            let help = "write the steps one by one, `action = [[\"A\", \"B\"]]`, or compose them outermost: 'A \\cdot B'";
            self.refuse(text, headline, help);
            return None;
        }
        let made = |expr: ExprId| {
            let name = join_lines(self.extension.spec.sources.text(self.extension.spec.exprs[expr].span));
            BuiltAction { expr, name, params: Vec::new(), links: Vec::new() }
        };
        Some(if parts.len() > 1 { parts.into_iter().map(made).collect() } else { Vec::new() })
    }

    fn report_unbound(&mut self, text: &Text, action: &str, param: &str) {
        let headline = format!("nothing binds the parameter `{param}` of `{action}`");
        let help = format!(
            "say what it is, `bind = {{ {param} = '{}.FIELD' }}`, or that it is whatever the specification allows, `free = [\"{param}\"]`",
            self.map.log.name
        );
        self.refuse(text, headline, help);
    }

    fn find_action(&mut self, text: &Text, name: &str) -> Option<DefId> {
        if let Some(def) = self.extension.find_action(name) {
            return Some(def);
        }
        match self.extension.find_entity(name) {
            Some(_) => {
                let help = "an event stands for actions: definitions that have primes";
                self.refuse(text, format!("`{name}` is no action"), help);
            }
            None => {
                let actions = self.actions();
                let near = base::nearest(name, actions.iter().map(String::as_str));
                let help = match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("its actions are {}", actions.join(", ")),
                };
                self.refuse(text, format!("the specification has no action `{name}`"), help);
            }
        }
        None
    }

    /// Returns the names of the actions that the root module knows.
    fn actions(&self) -> Vec<String> {
        super::actions(self.extension.spec, self.next).into_iter().map(|def| self.name_of(def)).collect()
    }

    fn name_of(&self, def: DefId) -> String {
        self.extension.spec.names.text(self.extension.spec.defs[def].name).to_owned()
    }

    fn report_unused_binds(&mut self, rule: &EventRule) {
        let steps = rule.actions.iter().flat_map(|form| match form {
            ActionForm::Stutter => &[][..],
            ActionForm::Steps(steps) => steps,
        });
        let (mut known, mut named): (Vec<String>, Vec<&str>) = (Vec::new(), Vec::new());
        for step in steps.filter(|step| is_name(step.text.trim())) {
            // A name that is not an action is reported as such elsewhere.
            let Some(def) = self.extension.find_action(step.text.trim()) else { return };
            named.push(step.text.trim());
            let params = self.extension.spec.defs[def].params.iter();
            known.extend(params.map(|&param| {
                self.extension.spec.names.text(self.extension.spec.locals[param].name).to_owned()
            }));
        }
        let keys = rule.bind.iter().map(|(key, _)| key).chain(&rule.free);
        let unknown: Vec<Text> = keys.filter(|key| !known.contains(&key.text)).cloned().collect();
        for key in unknown {
            let help = match (named.as_slice(), known.is_empty()) {
                (_, false) => format!("its parameters are {}", known.join(", ")),
                ([one], true) => format!("`{one}` has no parameters: leave it out"),
                (_, true) => {
                    "only actions that are named, and have parameters, take them from here".to_owned()
                }
            };
            self.refuse(&key, format!("no action of this event has a parameter `{}`", key.text), help);
        }
    }

    /// Adds an action: the event stays, the conditions before the step, the step, the conditions after it.
    fn add_rule(&mut self, made: BuiltAction, (first, then): (&[ExprId], &[ExprId]), span: Span) -> usize {
        let event = push(self.extension.spec, ExprKind::Var(self.event), span);
        let stays = unary(self.extension.spec, Builtin::Unchanged, event, span);
        let items = [&[stays], first, &[made.expr], then].concat();
        let body = junction(self.extension.spec, JunctionKind::And, items, span);
        let action = self.extension.define(&made.name, body, span);
        self.extension.config.rules.push(Rule { action, params: made.params });
        self.extension.config.rules.len() - 1
    }

    fn silent_rule(&mut self, rule: &SilentRule) -> Option<PlannedSilent> {
        let n_about = self.about.len();
        let binds: Vec<&(Text, Text)> = rule.bind.iter().collect();
        let made = self.step(&rule.action, &binds, None)?;
        let read = fields::all(self.extension.spec, self.event, self.about.drain(n_about..));
        if read.is_whole || !read.names.is_empty() {
            let headline = "a silent step belongs to no event, and cannot ask about one";
            self.refuse(&rule.action, headline, "leave it open, or make it part of an `[[event]]`");
        }
        rule.next.iter().for_each(|kind| self.check_kind(kind));
        let name = made.name.clone();
        let span = self.span(&rule.action);
        let action = self.add_rule(made, (&[], &[]), span);
        Some(PlannedSilent {
            is_declared: true,
            action,
            name,
            per_gap_max: rule.per_gap_max,
            total_max: rule.total_max,
            next: rule.next.iter().map(|kind| kind.text.clone()).collect(),
        })
    }

    /// Adds the other actions of the next-state relation, if they can be taken by themselves.
    fn add_undeclared(&mut self, silent: &mut Vec<PlannedSilent>) {
        for def in super::actions(self.extension.spec, self.next) {
            let name = self.name_of(def);
            if silent.iter().any(|known| known.name == name) {
                continue;
            }
            let open = vec![None; self.extension.spec.defs[def].params.len()];
            let next = self.next;
            let found =
                Finder::new(self.extension.spec, &self.extension.config.replacements, def, &open).find(next);
            let Some(expr) = found else { continue };
            let span = self.extension.spec.defs[def].span;
            let made = BuiltAction { expr, name: name.clone(), params: Vec::new(), links: Vec::new() };
            let action = self.add_rule(made, (&[], &[]), span);
            let (per_gap_max, total_max) = (0, None);
            let next = Vec::new();
            silent.push(PlannedSilent { is_declared: false, action, name, per_gap_max, total_max, next });
        }
    }

    /// Builds an action that leads from anywhere to the initial states.
    fn build_initial(&mut self) -> usize {
        let form = &self.map.init;
        let n_about = self.about.len();
        let own = match &form.predicate {
            Some(text) => self
                .expr_up_to(text, Level::State, "initial states are about one state")
                .into_iter()
                .collect(),
            None => self.init.clone(),
        };
        let mut after = Vec::new();
        for expr in own {
            after.push(unary(
                self.extension.spec,
                Builtin::Prime,
                expr,
                self.extension.spec.exprs[expr].span,
            ));
        }
        let first = after.first().copied();
        for condition in &form.conditions {
            after.extend(self.condition(condition, Level::State, true));
        }
        self.check_first_event(n_about);
        let span = self.extension.spec.exprs[self.next].span;
        let expr = match first {
            Some(_) => after.remove(0),
            None => push(self.extension.spec, ExprKind::Bool(true), span),
        };
        let made = BuiltAction { expr, name: "Init".to_owned(), params: Vec::new(), links: Vec::new() };
        self.add_rule(made, (&[], &after), span)
    }

    /// Reports initial conditions on the first event if it is not known which event is first.
    fn check_first_event(&mut self, n_about: usize) {
        let read = fields::all(self.extension.spec, self.event, self.about[n_about..].iter().copied());
        let form = &self.map.init;
        let text = form.conditions.first().map(|condition| &condition.left).or(form.predicate.as_ref());
        let is_ordered = matches!(self.map.order, Order::AsWritten | Order::Fields(_));
        if let Some(text) = text.filter(|_| !is_ordered && (read.is_whole || !read.names.is_empty())) {
            let headline =
                "initial states cannot be asked about the first event: by this order there may be several";
            let help = "say what holds at the start without the event, or order events by `fields`";
            self.refuse(text, headline, help);
        }
    }

    fn ask(&mut self, text: &Text) -> Option<AskedIdx> {
        let expr = self.expr_up_to(text, Level::State, "this is about one event")?;
        Some(self.extension.ask_text(text, expr))
    }

    fn resolve_fields(&mut self) -> Vec<(String, AskedIdx)> {
        let fields = &self.map.fields;
        fields.iter().filter_map(|(name, set)| Some((name.text.clone(), self.ask(set)?))).collect()
    }

    /// Reports a kind without a rule: such events are skipped, and nothing is ordered or awaited by them.
    fn check_kind(&mut self, kind: &Text) {
        let known = self.map.events.iter().flat_map(|rule| &rule.kinds).map(|known| known.text.as_str());
        let known: Vec<&str> = known.collect();
        if known.contains(&kind.text.as_str()) {
            return;
        }
        let help = match base::nearest(&kind.text, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "write an `[[event]]` for it: \"stutter\" where nothing happens".to_owned(),
        };
        self.refuse(kind, format!("there is no `[[event]]` of the kind `{}`", kind.text), help);
    }

    fn order(&mut self) -> PlannedOrder {
        let messages = |this: &mut Self, rules: &[MessageRule]| {
            let mut all = Vec::new();
            for rule in rules {
                rule.kinds.iter().for_each(|kind| this.check_kind(kind));
                let kinds = rule.kinds.iter().map(|kind| kind.text.clone()).collect();
                all.extend(this.ask(&rule.key).map(|key| PlannedMessage { kinds, key, is_set: rule.is_set }));
            }
            all
        };
        match &self.map.order {
            Order::AsWritten => PlannedOrder::AsWritten,
            Order::Fields(fields) => PlannedOrder::Fields(fields.clone()),
            Order::Vector(clock) => PlannedOrder::Vector(clock.clone()),
            Order::Messages { sends, receives, has_duplicates } => {
                let (sends, receives) = (messages(self, sends), messages(self, receives));
                PlannedOrder::Messages { sends, receives, has_duplicates: *has_duplicates }
            }
        }
    }
}

/// Returns the initial predicates and the next-state relation.
fn behaviour(spec: &Spec, config: &BoundConfig) -> Result<(Vec<ExprId>, ExprId), Diagnostics> {
    let behaviour = config::behaviour(spec, config);
    let mut diagnostics = behaviour.diagnostics;
    let plain = behaviour.init.iter().all(|formula| formula.env.is_empty());
    match behaviour.next.as_slice() {
        [next] if plain && next.action.env.is_empty() => {
            let init = behaviour.init.iter().map(|formula| formula.expr).collect();
            return Ok((init, next.action.expr));
        }
        _ if diagnostics.has_errors() => {}
        _ => {
            let headline =
                "a log is followed by one initial predicate and one next-state relation, without parameters";
            diagnostics.push(Diagnostic::without_place(Code::MapFile, headline).help(
                "give INIT and NEXT in the configuration, or `Init /\\ [][Next]_vars` as SPECIFICATION",
            ));
        }
    }
    Err(diagnostics)
}

/// Adds the event as a variable of the root module.
fn add_event(extension: &mut Extension<'_>, name: &str) -> Option<VarId> {
    let start = extension.start();
    if !is_name(name) {
        let headline = format!("an event cannot be called `{name}`");
        extension.refuse_at(start, headline, "`name` in `[log]` is to be a name of TLA+");
        return None;
    }
    let event = extension.add_variable(name);
    if event.is_none() {
        let help =
            "call events something else: `name = \"logged\"` in `[log]`, and `logged.FIELD` in expressions";
        extension.refuse_at(start, format!("the specification has a `{name}` of its own"), help);
    }
    event
}

pub(crate) fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && text.chars().any(|c| c.is_ascii_alphabetic())
}

fn by_kind(map: &Map, rules: &[PlannedRule]) -> (FxHashMap<String, Vec<usize>>, Vec<usize>) {
    let (mut by_kind, mut for_all) = (FxHashMap::<String, Vec<usize>>::default(), Vec::new());
    for (index, rule) in rules.iter().enumerate() {
        let kinds = &map.events[rule.entry].kinds;
        if kinds.is_empty() {
            for_all.push(index);
        }
        for kind in kinds {
            by_kind.entry(kind.text.clone()).or_default().push(index);
        }
    }
    (by_kind, for_all)
}

/// Returns the names of the model values that a configuration assigns.
pub fn model_values(spec: &Spec, config: &BoundConfig) -> Vec<String> {
    fn collect(spec: &Spec, value: &Value, names: &mut Vec<String>) {
        match value {
            Value::ModelValue(name) => names.push(spec.names.text(*name).to_owned()),
            Value::Set(values) => values.iter().for_each(|value| collect(spec, value, names)),
            Value::Int(_) | Value::Str(_) | Value::Bool(_) => {}
        }
    }
    let mut names = Vec::new();
    for assigned in &config.assignments {
        if let Replacement::Value(value) = &assigned.replacement {
            collect(spec, value, &mut names);
        }
    }
    names
}
