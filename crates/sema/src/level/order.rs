//! The order in which definitions and modules are read: each after those that it uses, recursive groups together.

use base::Id;

use crate::spec::{
    Arg, DefBody, DefId, ExprId, ExprKind, InstanceId, ModuleId, Op, OpArg, Proof, Spec, Theorem,
};
use crate::spec_walk::ProofPart;

/// A unit that is read as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Def(DefId),
    /// The substitutions of an INSTANCE.
    Instance(InstanceId),
    /// The assumptions and theorems of a module. Its definitions and instances come before.
    Module(ModuleId),
}

/// A unit alone, or units that use one another.
#[derive(Debug)]
pub(super) struct Group {
    pub units: Vec<Unit>,
    /// Whether reading a unit once is not enough.
    pub recursive: bool,
}

/// The new part of `spec`: everything after these numbers of items.
pub(super) struct NewUnits<'a> {
    pub spec: &'a Spec,
    pub n_defs: usize,
    pub n_modules: usize,
    pub n_instances: usize,
}

impl NewUnits<'_> {
    /// Returns the new units, each group after those that it uses.
    pub fn groups(&self) -> Vec<Group> {
        let edges: Vec<Vec<u32>> = (0..self.n_units()).map(|node| self.uses(self.unit(node))).collect();
        strongly_connected(&edges)
            .into_iter()
            .map(|nodes| {
                let recursive = nodes.len() > 1 || edges[nodes[0] as usize].contains(&nodes[0]);
                Group { units: nodes.into_iter().map(|node| self.unit(node as usize)).collect(), recursive }
            })
            .collect()
    }

    fn n_new_defs(&self) -> usize {
        self.spec.defs.len() - self.n_defs
    }

    fn n_new_modules(&self) -> usize {
        self.spec.modules.len() - self.n_modules
    }

    fn n_units(&self) -> usize {
        self.n_new_defs() + self.n_new_modules() + self.spec.instances.len() - self.n_instances
    }

    fn unit(&self, node: usize) -> Unit {
        let Some(index) = node.checked_sub(self.n_new_defs()) else {
            return Unit::Def(DefId::from_index(self.n_defs + node));
        };
        match index.checked_sub(self.n_new_modules()) {
            None => Unit::Module(ModuleId::from_index(self.n_modules + index)),
            Some(index) => Unit::Instance(InstanceId::from_index(self.n_instances + index)),
        }
    }

    /// Returns the node of a unit, or `None` for one that was read before.
    fn node(&self, unit: Unit) -> Option<u32> {
        let index = match unit {
            Unit::Def(def) => def.index().checked_sub(self.n_defs)?,
            Unit::Module(module) => module.index().checked_sub(self.n_modules)? + self.n_new_defs(),
            Unit::Instance(instance) => {
                let index = instance.index().checked_sub(self.n_instances)?;
                index + self.n_new_defs() + self.n_new_modules()
            }
        };
        Some(u32::try_from(index).expect("an arena holds fewer than 2^32 elements"))
    }

    fn uses(&self, unit: Unit) -> Vec<u32> {
        let mut uses = Uses { scope: self, nodes: Vec::new() };
        match unit {
            Unit::Def(def) => uses.def(def),
            Unit::Module(module) => uses.module(module),
            Unit::Instance(instance) => uses.instance(instance),
        }
        uses.nodes
    }
}

/// Collects what one unit uses.
struct Uses<'a> {
    scope: &'a NewUnits<'a>,
    nodes: Vec<u32>,
}

impl Uses<'_> {
    fn add(&mut self, unit: Unit) {
        self.nodes.extend(self.scope.node(unit));
    }

    fn def(&mut self, id: DefId) {
        let spec = self.scope.spec;
        let def = &spec.defs[id];
        match def.body {
            DefBody::Expr(body) => self.expr(body),
            DefBody::Native | DefBody::Missing => {}
        }
        if let Some(origin) = def.origin {
            self.add(Unit::Def(origin.def));
            self.add(Unit::Instance(origin.instance));
        }
    }

    fn module(&mut self, id: ModuleId) {
        let module = &self.scope.spec.modules[id];
        module.defs.iter().for_each(|&def| self.add(Unit::Def(def)));
        module.extends.iter().for_each(|&extended| self.add(Unit::Module(extended)));
        module.assumptions.iter().for_each(|assumption| self.expr(assumption.body));
        module.theorems.iter().for_each(|theorem| self.theorem(theorem));
        module.instances.iter().for_each(|&instance| self.add(Unit::Instance(instance)));
    }

    fn instance(&mut self, id: InstanceId) {
        let instance = &self.scope.spec.instances[id];
        self.add(Unit::Module(instance.module));
        for substitution in &instance.substitutions {
            self.arg(&substitution.value);
            if let Some(expr) = substitution.value.expr() {
                self.expr(expr);
            }
        }
    }

    fn theorem(&mut self, theorem: &Theorem) {
        self.expr(theorem.statement);
        if let Some(proof) = &theorem.proof {
            self.proof(proof);
        }
    }

    fn proof(&mut self, proof: &Proof) {
        proof.for_each_part(&mut |part| match part {
            ProofPart::Expr(expr) => self.expr(expr),
            ProofPart::Def(def) => self.add(Unit::Def(def)),
            ProofPart::Instance(_) | ProofPart::Local(_) => {}
        });
    }

    fn expr(&mut self, root: ExprId) {
        let spec = self.scope.spec;
        spec.walk(root, |expr| {
            let kind = &spec.exprs[expr].kind;
            if let ExprKind::Apply { op, args } = kind {
                self.op(*op);
                args.iter().for_each(|arg| self.arg(arg));
            }
            kind.let_defs().iter().for_each(|&def| self.add(Unit::Def(def)));
            true
        });
    }

    fn arg(&mut self, arg: &Arg) {
        match arg {
            Arg::Op(OpArg::Ref(op, _)) => self.op(*op),
            Arg::Op(OpArg::Lambda(_)) | Arg::Expr(_) => {}
        }
    }

    fn op(&mut self, op: Op) {
        match op {
            Op::Def(def) => self.add(Unit::Def(def)),
            Op::Const(_) | Op::Param(_) | Op::Builtin(_) => {}
        }
    }
}

/// Finds strongly connected components by Tarjan's algorithm, each after those that it reaches.
///
/// R. Tarjan, "Depth-first search and linear graph algorithms", 1972; the recursion is a list of visits
/// here, since a specification may define a hundred thousand operators, each in terms of the one before.
fn strongly_connected(edges: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut search = ComponentSearch::new(edges);
    for root in 0..edges.len() {
        if search.number[root] == UNSEEN {
            search.run(u32::try_from(root).expect("nodes are numbered by u32"));
        }
    }
    search.components
}

const UNSEEN: u32 = u32::MAX;

struct ComponentSearch<'a> {
    edges: &'a [Vec<u32>],
    /// The order in which nodes were first seen.
    number: Vec<u32>,
    /// The earliest node on `stack` that is known to be reachable.
    low: Vec<u32>,
    on_stack: Vec<bool>,
    /// Nodes whose component is not complete yet.
    stack: Vec<u32>,
    /// Nodes being visited, with the edges already followed.
    visits: Vec<(u32, usize)>,
    n_seen: u32,
    components: Vec<Vec<u32>>,
}

impl<'a> ComponentSearch<'a> {
    fn new(edges: &'a [Vec<u32>]) -> Self {
        let n_nodes = edges.len();
        ComponentSearch {
            edges,
            number: vec![UNSEEN; n_nodes],
            low: vec![0; n_nodes],
            on_stack: vec![false; n_nodes],
            stack: Vec::new(),
            visits: Vec::new(),
            n_seen: 0,
            components: Vec::new(),
        }
    }

    fn run(&mut self, root: u32) {
        self.enter(root);
        while let Some((node, n_followed)) = self.visits.pop() {
            match self.edges[node as usize].get(n_followed) {
                Some(&next) => {
                    self.visits.push((node, n_followed + 1));
                    self.follow(node, next);
                }
                None => self.leave(node),
            }
        }
    }

    fn enter(&mut self, node: u32) {
        self.number[node as usize] = self.n_seen;
        self.low[node as usize] = self.n_seen;
        self.n_seen += 1;
        self.stack.push(node);
        self.on_stack[node as usize] = true;
        self.visits.push((node, 0));
    }

    fn follow(&mut self, node: u32, next: u32) {
        let seen = self.number[next as usize];
        if seen == UNSEEN {
            self.enter(next);
        } else if self.on_stack[next as usize] {
            self.low[node as usize] = self.low[node as usize].min(seen);
        }
    }

    fn leave(&mut self, node: u32) {
        let low = self.low[node as usize];
        if let Some(&(parent, _)) = self.visits.last() {
            self.low[parent as usize] = self.low[parent as usize].min(low);
        }
        if low == self.number[node as usize] {
            let start = self.stack.iter().rposition(|&other| other == node).expect("on the stack until now");
            let mut component = self.stack.split_off(start);
            // Last seen first: a unit comes before those that use it as far as a cycle allows, so that a
            // group settles after a few readings.
            component.reverse();
            component.iter().for_each(|&member| self.on_stack[member as usize] = false);
            self.components.push(component);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::strongly_connected;

    #[track_caller]
    fn check(edges: &[&[u32]], expected: &[&[u32]]) {
        let edges: Vec<Vec<u32>> = edges.iter().map(|list| list.to_vec()).collect();
        assert_eq!(strongly_connected(&edges), expected);
    }

    #[test]
    fn what_is_used_comes_first() {
        check(&[&[1, 2], &[2], &[]], &[&[2], &[1], &[0]]);
    }

    #[test]
    fn what_uses_one_another_comes_together() {
        check(&[&[1], &[2], &[1, 3], &[]], &[&[3], &[2, 1], &[0]]);
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let n_nodes = 200_000_u32;
        let edges: Vec<Vec<u32>> = (0..n_nodes).map(|i| if i == 0 { vec![] } else { vec![i - 1] }).collect();
        assert_eq!(strongly_connected(&edges).len(), n_nodes as usize);
    }
}
