//! Prints a program as text: `specline check --emit ir`. `docs/ir.md` is its legend.
//!
//! Nodes are lists in parentheses, with the operator first. A node with several parents is written where it first
//! occurs, as `#12=(...)`, and is `#12` after that. Nothing is evaluated.

mod list;

use base::{FxHashSet, Id, Name};
use sema::Spec;
use sema::spec::{DefId, Quantifier, StepKind};

use self::list::List;
use crate::ir::{
    ActionTree, Bound, CallArg, Failure, FuncId, IrId, IrKind, Memo, PathStep, Pattern, Program, Root,
    SlotRef, Update,
};

/// Prints `program` with the names of `spec`.
pub fn print(program: &Program, spec: &Spec) -> String {
    let mut printer = Printer { program, spec, written: FxHashSet::default(), n_parents: parents(program) };
    printer.program()
}

/// Returns the number of nodes that refer to each node.
fn parents(program: &Program) -> Vec<u32> {
    let mut counts = vec![0; program.irs.len()];
    for ir in program.irs.iter() {
        // A remembered expression is written where its slot is emptied, not where it is read.
        if !matches!(ir.kind, IrKind::Lazy { memo: Some(_), .. }) {
            ir.kind.for_each_child(&mut |child| counts[child.index()] += 1);
        }
    }
    counts
}

struct Printer<'p> {
    program: &'p Program,
    spec: &'p Spec,
    /// Nodes with several parents that have been written.
    written: FxHashSet<IrId>,
    n_parents: Vec<u32>,
}

fn atom(text: impl Into<String>) -> List {
    List::Atom(text.into())
}

fn list(head: impl Into<String>, items: impl IntoIterator<Item = List>) -> List {
    List::Items(std::iter::once(atom(head)).chain(items).collect())
}

impl Printer<'_> {
    fn program(&mut self) -> String {
        let program = self.program;
        let mut out = String::new();
        section(&mut out, "variables", self.variables());
        let globals = program.globals.iter_enumerated().map(|(id, global)| {
            let name = global.def.map(|def| atom(self.def(def)));
            let head = std::iter::once(atom(format!("g{}", id.index()))).chain(name);
            List::Items(head.chain([self.node(global.expr)]).collect())
        });
        let globals: Vec<List> = globals.collect();
        section(&mut out, "globals", globals);
        let funcs: Vec<FuncId> = program.funcs.iter_enumerated().map(|(id, _)| id).collect();
        let funcs = funcs.into_iter().map(|id| self.func(id)).collect();
        section(&mut out, "functions", funcs);
        for (title, roots) in self.roots() {
            let roots = roots.iter().map(|root| self.root(root)).collect();
            section(&mut out, title, roots);
        }
        let next: Vec<List> = program.next.iter().map(|(tree, _)| self.tree(tree)).collect();
        section(&mut out, "next", next);
        out
    }

    fn roots(&self) -> Vec<(&'static str, Vec<Root>)> {
        let program = self.program;
        let steps = program.step_properties.iter().map(|property| property.root).collect();
        let assumptions = program.assumptions.iter().map(|(_, root)| *root).collect();
        let one = |root: Option<Root>| root.into_iter().collect();
        vec![
            ("assumptions", assumptions),
            ("init", program.init.clone()),
            ("constraints", program.constraints.clone()),
            ("action constraints", program.action_constraints.clone()),
            ("invariants", program.invariants.clone()),
            ("initial properties", program.implied_inits.clone()),
            ("action properties", steps),
            ("postconditions", program.postconditions.clone()),
            ("possible", program.possible.clone()),
            ("symmetry", one(program.symmetry)),
            ("view", one(program.view)),
            ("alias", one(program.alias)),
            ("periodic", one(program.periodic)),
        ]
    }

    fn variables(&self) -> Vec<List> {
        let named = self.program.variables.iter().enumerate();
        named.map(|(index, &name)| atom(format!("{index} {}", self.text(name)))).collect()
    }

    fn text(&self, name: Name) -> &str {
        self.spec.names.text(name)
    }

    fn def(&self, def: DefId) -> String {
        self.text(self.spec.defs[def].name).to_owned()
    }

    fn root(&mut self, root: &Root) -> List {
        let name = root.def.map_or("_".to_owned(), |def| self.def(def));
        list(name, [self.node(root.expr)])
    }

    fn func(&mut self, id: FuncId) -> List {
        let func = &self.program.funcs[id];
        let params = func.param_names.iter().map(|&name| self.text(name).to_owned());
        let params = params.enumerate().map(|(slot, name)| atom(format!("%{slot}:{name}"))).collect();
        let head = [atom(self.text(func.name)), List::Items(params), self.node(func.body)];
        list(format!("f{}", id.index()), head)
    }

    /// Prints the next-state relation down to its actions.
    fn tree(&mut self, tree: &ActionTree) -> List {
        match tree {
            ActionTree::Or(branches) => {
                let branches: Vec<List> = branches.iter().map(|branch| self.tree(branch)).collect();
                list("\\/", branches)
            }
            ActionTree::Exists { bounds, body, .. } => {
                let bounds = self.bounds(bounds);
                list("\\E", [bounds, self.tree(body)])
            }
            ActionTree::Bind { memos, body } => {
                let memos = self.memos(memos);
                list("bind", [memos, self.tree(body)])
            }
            ActionTree::Leaf(leaf) => {
                let params = leaf.params.iter().map(|&(name, reader)| {
                    List::Items(vec![atom(self.spec.names.text(name)), self.node(reader)])
                });
                let params: Vec<List> = params.collect();
                let name = atom(self.text(leaf.name));
                list("action", [name, List::Items(params), self.node(leaf.expr)])
            }
        }
    }

    fn node(&mut self, id: IrId) -> List {
        base::with_stack(|| self.shared_node(id))
    }

    fn nodes(&mut self, ids: &[IrId]) -> Vec<List> {
        ids.iter().map(|&id| self.node(id)).collect()
    }

    /// Prints a node with several parents, with a label.
    fn shared_node(&mut self, id: IrId) -> List {
        let list = |this: &mut Self| this.kind(id);
        if self.n_parents[id.index()] < 2 {
            return list(self);
        }
        let label = format!("#{}", id.index());
        if self.written.contains(&id) {
            return atom(label);
        }
        match list(self) {
            List::Items(items) => {
                self.written.insert(id);
                List::Labelled(label, items)
            }
            whole @ (List::Atom(_) | List::Labelled(..)) => whole,
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm per kind of node")]
    fn kind(&mut self, id: IrId) -> List {
        let program = self.program;
        match &program.irs[id].kind {
            IrKind::Const(value) => atom(value::print_raw(value.get())),
            IrKind::Global(global) => atom(format!("g{}", global.index())),
            IrKind::Var(var) => atom(self.text(program.variables[usize::from(var.0)])),
            IrKind::Next(var) => {
                let name = program.variable_name(*var).map_or("?", |name| self.text(name));
                atom(format!("{name}'"))
            }
            IrKind::Slot(slot) => atom(slot_text(*slot)),
            IrKind::Lazy { up, memo: Some(memo), .. } => atom(slot_text(SlotRef { up: *up, index: *memo })),
            IrKind::Lazy { expr, memo: None, .. } => self.node(*expr),
            IrKind::Bind { memos, body } => {
                let memos = self.memos(memos);
                list("bind", [memos, self.node(*body)])
            }
            IrKind::Enter { def, body } => {
                let name = atom(self.def(*def));
                list("in", [name, self.node(*body)])
            }
            IrKind::And(items) => list("/\\", self.nodes(items)),
            IrKind::Or(items) => list("\\/", self.nodes(items)),
            IrKind::Not(a) => list("~", self.nodes(&[*a])),
            IrKind::Implies(a, b) => list("=>", self.nodes(&[*a, *b])),
            IrKind::Equiv(a, b) => list("<=>", self.nodes(&[*a, *b])),
            IrKind::If { condition, then, otherwise } => {
                list("if", self.nodes(&[*condition, *then, *otherwise]))
            }
            IrKind::Case { arms, other } => {
                let mut items: Vec<List> =
                    arms.iter().map(|&(guard, value)| List::Items(self.nodes(&[guard, value]))).collect();
                items.extend(other.map(|other| list("other", self.nodes(&[other]))));
                list("case", items)
            }
            IrKind::Quantified { kind, bounds, body } => {
                let head = if *kind == Quantifier::Exists { "\\E" } else { "\\A" };
                let bounds = self.bounds(bounds);
                list(head, [bounds, self.node(*body)])
            }
            IrKind::Choose { bound, body } => {
                let bounds = self.bounds(std::slice::from_ref(bound));
                list("choose", [bounds, self.node(*body)])
            }
            IrKind::Eq(a, b) => list("=", self.nodes(&[*a, *b])),
            IrKind::Neq(a, b) => list("/=", self.nodes(&[*a, *b])),
            IrKind::In(a, b) => list("\\in", self.nodes(&[*a, *b])),
            IrKind::NotIn(a, b) => list("\\notin", self.nodes(&[*a, *b])),
            IrKind::SubsetEq(a, b) => list("\\subseteq", self.nodes(&[*a, *b])),
            IrKind::Cup(a, b) => list("\\cup", self.nodes(&[*a, *b])),
            IrKind::Cap(a, b) => list("\\cap", self.nodes(&[*a, *b])),
            IrKind::SetMinus(a, b) => list("\\", self.nodes(&[*a, *b])),
            IrKind::PowerSet(a) => list("SUBSET", self.nodes(&[*a])),
            IrKind::BigUnion(a) => list("UNION", self.nodes(&[*a])),
            IrKind::Domain(a) => list("DOMAIN", self.nodes(&[*a])),
            IrKind::Tuple(items) => list("tuple", self.nodes(items)),
            IrKind::Product(items) => list("\\X", self.nodes(items)),
            IrKind::SetEnum(items) => list("set", self.nodes(items)),
            IrKind::SetFilter { bound, predicate, .. } => {
                let bounds = self.bounds(std::slice::from_ref(bound));
                list("filter", [bounds, self.node(*predicate)])
            }
            IrKind::SetMap { body, bounds } => {
                let bounds = self.bounds(bounds);
                list("map", [bounds, self.node(*body)])
            }
            IrKind::Function { bounds, body, itself, .. } => {
                let bounds = self.bounds(bounds);
                let head = itself.map_or("fn".to_owned(), |slot| format!("fn %{slot}"));
                list(head, [bounds, self.node(*body)])
            }
            IrKind::FunctionSet { domain, range } => list("->", self.nodes(&[*domain, *range])),
            IrKind::FnApply { function, arg } => list("apply", self.nodes(&[*function, *arg])),
            IrKind::Record { shape, values } => list("record", self.fields(*shape, values)),
            IrKind::RecordSet { shape, sets } => list("record-set", self.fields(*shape, sets)),
            IrKind::Field { record, field } => list("field", [atom(field.text()), self.node(*record)]),
            IrKind::Except { base, updates } => {
                let base = self.node(*base);
                let updates: Vec<List> = updates.iter().map(|update| self.update(update)).collect();
                list("except", std::iter::once(base).chain(updates))
            }
            IrKind::Unchanged { vars: Some(vars), .. } => {
                let names = vars.iter().map(|var| atom(self.text(program.variables[usize::from(var.0)])));
                list("unchanged", names)
            }
            IrKind::Unchanged { vars: None, current, next } => {
                list("unchanged-value", self.nodes(&[*current, *next]))
            }
            IrKind::Step { kind, action, unchanged } => {
                let head = if *kind == StepKind::Box { "[]_" } else { "<<>>_" };
                list(head, self.nodes(&[*action, *unchanged]))
            }
            IrKind::Enabled { action, primed } => {
                let head = if *primed { "enabled'" } else { "enabled" };
                list(head, self.nodes(&[*action]))
            }
            IrKind::Cdot(a, b) => list("\\cdot", self.nodes(&[*a, *b])),
            IrKind::Call { func, args, .. } => list(format!("f{}", func.index()), self.args(args)),
            IrKind::CallParam { slot, args } => list(slot_text(*slot), self.args(args)),
            IrKind::Native { op, args } => list(op.signature().1, self.args(args)),
            IrKind::Table { name, args, .. } => {
                let name = atom(self.text(*name));
                list("table", std::iter::once(name).chain(self.nodes(args)))
            }
            IrKind::Fail(failure) => list("fail", [atom(self.failure(*failure))]),
        }
    }

    fn failure(&self, failure: Failure) -> String {
        match failure {
            Failure::UnboundedQuantifier => "unbounded-quantifier".to_owned(),
            Failure::UnboundedChoose => "unbounded-choose".to_owned(),
            Failure::Temporal => "temporal".to_owned(),
            Failure::Real => "real".to_owned(),
            Failure::NoNative(op) => format!("no-native {}", op.signature().1),
            Failure::NoValue(name) => format!("no-value {}", self.text(name)),
            Failure::DoublePrime => "double-prime".to_owned(),
            Failure::Cyclic(name) => format!("cyclic {}", self.text(name)),
        }
    }

    fn memos(&mut self, memos: &[Memo]) -> List {
        let one = |this: &mut Self, memo: &Memo| {
            List::Items(vec![atom(format!("%{}", memo.slot)), this.node(memo.expr)])
        };
        List::Items(memos.iter().map(|memo| one(self, memo)).collect())
    }

    /// Prints `(%0:i set)` for each name. A tuple of names counts as one.
    fn bounds(&mut self, bounds: &[Bound]) -> List {
        let mut items = Vec::new();
        for bound in bounds {
            let names = bound.names.iter().zip(bound.pattern.slots());
            let names: Vec<String> =
                names.map(|(&name, slot)| format!("%{slot}:{}", self.text(name))).collect();
            let names = match &bound.pattern {
                Pattern::Names(_) => names.join(" "),
                Pattern::Tuple(_) => format!("<<{}>>", names.join(" ")),
            };
            items.push(list(names, [self.node(bound.set)]));
        }
        List::Items(items)
    }

    fn fields(&mut self, shape: value::Shape, values: &[IrId]) -> Vec<List> {
        let values = self.nodes(values);
        shape.fields().iter().zip(values).map(|(field, value)| list(field.text(), [value])).collect()
    }

    fn update(&mut self, update: &Update) -> List {
        let path = update.path.iter().map(|step| match step {
            PathStep::Field(name) => atom(format!(".{}", name.text())),
            PathStep::Index(index) => self.node(*index),
        });
        let path = List::Items(path.collect());
        List::Items(vec![path, atom(format!("%{}:@", update.at)), self.node(update.value)])
    }

    fn args(&mut self, args: &[CallArg]) -> Vec<List> {
        let one = |this: &mut Self, arg: &CallArg| match arg {
            CallArg::Expr(expr) => this.node(*expr),
            CallArg::Func(func) => atom(format!("f{}", func.index())),
            CallArg::Param(slot) => atom(slot_text(*slot)),
        };
        args.iter().map(|arg| one(self, arg)).collect()
    }
}

/// Prints `%3`, or `%3^1` for a slot of the frame around.
fn slot_text(slot: SlotRef) -> String {
    match slot.up {
        0 => format!("%{}", slot.index),
        up => format!("%{}^{up}", slot.index),
    }
}

fn section(out: &mut String, title: &str, lists: Vec<List>) {
    if lists.is_empty() {
        return;
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(title);
    out.push('\n');
    for list in lists {
        list.write(out, 2);
    }
}
