//! Checks the variables that actions mention, and adds those that they leave unchanged.

use base::FxIndexSet;
use diag::{Code, Diagnostic, Span};
use sema::spec::{DefBody, DefId, ExprKind, JunctionKind, VarId};

use crate::assemble::Assembler;
use crate::effects::{EffectTable, Reach, body_of};
use crate::family::Text;

/// The variables of a part, by what it may do with them.
pub(crate) struct Knowledge {
    changes: FxIndexSet<VarId>,
    reads: FxIndexSet<VarId>,
}

impl Knowledge {
    pub(crate) fn of(assembler: &Assembler<'_>, index: usize) -> Knowledge {
        let grain = assembler.part(index).grain;
        let find = |names: &[Text]| -> Vec<VarId> {
            let var = |name: &Text| match assembler.entity(&name.text) {
                Some(sema::spec::Entity::Var(var)) => Some(var),
                Some(_) | None => None,
            };
            names.iter().filter_map(var).collect()
        };
        let own = assembler.outline.parts[index].owns.iter().copied();
        let changes: FxIndexSet<VarId> = own.chain(find(&grain.shares)).collect();
        let reads = changes.iter().copied().chain(find(&grain.reads)).collect();
        Knowledge { changes, reads }
    }
}

/// Checks that actions and provided operators change and read only variables that their grain names. Operators that
/// other grains provide still have their meaning that does nothing.
pub(crate) fn check_knowledge(assembler: &mut Assembler<'_>) {
    let table = EffectTable::new(&assembler.spec);
    let mut wrong = Vec::new();
    for index in 0..assembler.outline.parts.len() {
        let knowledge = Knowledge::of(assembler, index);
        let part = &assembler.outline.parts[index];
        let provided = assembler.part(index).grain.provides.iter();
        let provided = provided.filter_map(|(_, operator)| match assembler.entity(&operator.text) {
            Some(sema::spec::Entity::Def(def)) => Some(def),
            Some(_) | None => None,
        });
        let defs: Vec<DefId> = part.actions.iter().map(|action| action.def).chain(provided).collect();
        let check = KnowledgeCheck { assembler, table: &table, knowledge, part: index };
        defs.into_iter().for_each(|def| check.check_def(def, &mut wrong));
    }
    wrong.into_iter().for_each(|diagnostic| assembler.diagnostics.push(diagnostic));
}

/// The check of one part's definitions.
struct KnowledgeCheck<'c, 'f> {
    assembler: &'c Assembler<'f>,
    table: &'c EffectTable,
    knowledge: Knowledge,
    /// The index of the part.
    part: usize,
}

impl KnowledgeCheck<'_, '_> {
    /// Reports the variables that a definition mentions and its grain does not name.
    fn check_def(&self, def: DefId, wrong: &mut Vec<Diagnostic>) {
        let effects = self.table.of_def(def);
        let is_there = |var: &VarId| self.assembler.owners.contains_key(var);
        for (&var, &span) in effects.primes.iter().filter(|(var, _)| is_there(var)) {
            if !self.knowledge.changes.contains(&var) {
                let how = match self.knowledge.reads.contains(&var) {
                    true => "changes, and only `reads` names it",
                    false => "changes, and its grain does not name it",
                };
                wrong.push(self.unknown_variable(def, (var, span), ("shares", how)));
            }
        }
        for (&var, &span) in effects.reads.iter().filter(|(var, _)| is_there(var)) {
            if !self.knowledge.reads.contains(&var) && !effects.primes.contains_key(&var) {
                let how = "reads, and its grain does not name it";
                wrong.push(self.unknown_variable(def, (var, span), ("reads", how)));
            }
        }
    }

    fn unknown_variable(
        &self,
        def: DefId,
        (var, span): (VarId, Span),
        (key, how): (&str, &str),
    ) -> Diagnostic {
        let (name, action) = (self.assembler.var_name(var), self.assembler.def_name(def));
        let headline = format!("`{name}` is a variable that `{action}` {how}");
        let part = self.assembler.part(self.part);
        let place = self.assembler.span(&part.grain.name);
        Diagnostic::new(Code::CompositionVariable, span, headline)
            .related(place, format!("the grain `{}`", part.title()))
            .help(format!("add `{name}` to its `{key}`"))
    }
}

/// Makes every action leave unchanged the variables that it does not mention.
pub(crate) fn add_unchanged(assembler: &mut Assembler<'_>) {
    check_calls(assembler);
    if assembler.diagnostics.has_errors() {
        return;
    }
    let table = EffectTable::new(&assembler.spec);
    let all = assembler.spec.modules[assembler.spec.root].variables.clone();
    for index in 0..assembler.outline.parts.len() {
        for at in 0..assembler.outline.parts[index].actions.len() {
            let def = assembler.outline.parts[index].actions[at].def;
            let primes = &table.of_def(def).primes;
            let rest: Vec<VarId> = all.iter().copied().filter(|var| !primes.contains_key(var)).collect();
            if rest.is_empty() {
                continue;
            }
            let Some(body) = body_of(&assembler.spec, def) else { continue };
            let (outer, name) = (assembler.spec.exprs[body].span, assembler.spec.defs[def].name_span);
            let unchanged = assembler.make_unchanged(&rest, name);
            let items = vec![body, unchanged];
            let body = assembler.add(ExprKind::Junction { kind: JunctionKind::And, items }, outer);
            assembler.spec.defs[def].body = DefBody::Expr(body);
            assembler.outline.parts[index].actions[at].unchanged = rest;
        }
    }
}

/// Refuses actions that other actions apply: what is added to the one would hold for the other.
fn check_calls(assembler: &mut Assembler<'_>) {
    let actions: Vec<DefId> = assembler
        .outline
        .parts
        .iter()
        .flat_map(|part| part.actions.iter().map(|action| action.def))
        .collect();
    let mut wrong = Vec::new();
    for &caller in &actions {
        let Some(body) = body_of(&assembler.spec, caller) else { continue };
        let reach = Reach::new(&assembler.spec, [body]);
        for &called in actions.iter().filter(|&called| reach.defs.contains_key(called)) {
            let (one, other) = (assembler.def_name(called), assembler.def_name(caller));
            let headline = format!("the action `{one}` is applied by the action `{other}`");
            let help = "put what both do into an operator that is no action, and let both apply it";
            wrong.push(
                Diagnostic::new(Code::CompositionAction, reach.defs[&called], headline)
                    .related(assembler.spec.defs[called].name_span, "defined here")
                    .related(assembler.spec.defs[caller].name_span, "the action that applies it")
                    .help(help),
            );
        }
    }
    wrong.into_iter().for_each(|diagnostic| assembler.diagnostics.push(diagnostic));
}
