//! The messages that an action can take, as far as its formula says so by a field of the message alone:
//! `\E m \in DOMAIN net : ... m.type = "append" ...`. For any other message the action is FALSE, and need not be evaluated.

use base::{FxHashMap, FxHashSet};
use sema::Spec;
use sema::spec::{Arg, Builtin, DefBody, ExprId, ExprKind, JunctionKind, LocalId, Op, Quantifier, VarId};

use super::owner::{ActionUses, Env, Role, UseReader, local_text};

/// The values of a field that a message must have one of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldTest {
    pub field: String,
    /// Texts: the field is compared with strings.
    pub values: Vec<String>,
}

/// Returns the test that a formula implies about the one message that it chooses from the network; `None` if it may be
/// TRUE for any message, or without one.
pub fn field_test(spec: &Spec, roles: &FxHashMap<VarId, Role>, formula: ExprId) -> Option<FieldTest> {
    let uses =
        UseReader { spec, roles, uses: ActionUses::default(), seen: FxHashSet::default(), open: Vec::new() };
    TestReader { uses }.read(formula, &Env::default(), None)
}

struct TestReader<'a> {
    uses: UseReader<'a>,
}

impl TestReader<'_> {
    /// Reads a formula; `chosen` is the text of the message, once it is chosen.
    fn read(&mut self, expr: ExprId, env: &Env, chosen: Option<&str>) -> Option<FieldTest> {
        base::with_stack(|| self.read_here(expr, env, chosen))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "every other formula says nothing")]
    fn read_here(&mut self, expr: ExprId, env: &Env, chosen: Option<&str>) -> Option<FieldTest> {
        let spec = self.uses.spec;
        match &spec.exprs[expr].kind {
            ExprKind::Junction { kind: JunctionKind::And, items } => self.any(items, env, chosen),
            ExprKind::Junction { kind: JunctionKind::Or, items } => self.all(items, env, chosen),
            ExprKind::Apply { op: Op::Builtin(op), args } => {
                let sides: Vec<ExprId> = args.iter().filter_map(Arg::expr).collect();
                match op {
                    Builtin::And => self.any(&sides, env, chosen),
                    Builtin::Or => self.all(&sides, env, chosen),
                    Builtin::Eq | Builtin::In => self.compare(&sides, env, chosen?),
                    _ => None,
                }
            }
            ExprKind::Let { body, .. } | ExprKind::Label { body, .. } => self.read(*body, env, chosen),
            ExprKind::Quantified { kind: Quantifier::Exists, bounds, body } => {
                let found = bounds.iter().find(|bound| self.are_messages(bound.set, env));
                let local =
                    found.and_then(|bound| bound.pattern.locals().first()).map(|&local| local_text(local));
                self.read(*body, env, chosen.or(local.as_deref()))
            }
            ExprKind::Apply { op: Op::Def(def), args } if self.uses.follows(*def) => {
                let DefBody::Expr(body) = spec.defs[*def].body else { return None };
                let inner = self.uses.bind(*def, args, env);
                self.uses.open.push(*def);
                let found = self.read(body, &inner, chosen);
                self.uses.open.pop();
                found
            }
            _ => None,
        }
    }

    /// Reads a conjunction: what one part says holds for all of it.
    fn any(&mut self, items: &[ExprId], env: &Env, chosen: Option<&str>) -> Option<FieldTest> {
        items.iter().find_map(|&item| self.read(item, env, chosen))
    }

    /// Reads a disjunction: every part has to say something about the same field.
    fn all(&mut self, items: &[ExprId], env: &Env, chosen: Option<&str>) -> Option<FieldTest> {
        let mut items = items.iter();
        let mut test = self.read(*items.next()?, env, chosen)?;
        for &item in items {
            let more = self.read(item, env, chosen).filter(|more| more.field == test.field)?;
            test.values.extend(more.values);
        }
        test.values.sort_unstable();
        test.values.dedup();
        Some(test)
    }

    /// Reads `m.field = "text"` and `m.field \in {"text", ...}`.
    fn compare(&mut self, sides: &[ExprId], env: &Env, chosen: &str) -> Option<FieldTest> {
        let &[left, right] = sides else { return None };
        let text = self.uses.text(left, env);
        let field = text.strip_prefix(chosen)?.strip_prefix('.')?;
        let is_name = field.chars().all(|c| c.is_alphanumeric() || c == '_');
        let values = self.texts(right)?;
        is_name.then(|| FieldTest { field: field.to_owned(), values })
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a text, or a set of texts")]
    fn texts(&self, expr: ExprId) -> Option<Vec<String>> {
        let spec = self.uses.spec;
        match &spec.exprs[expr].kind {
            ExprKind::Str(name) => Some(vec![spec.names.text(*name).to_owned()]),
            ExprKind::SetEnum(items) => {
                let all: Option<Vec<Vec<String>>> = items.iter().map(|&item| self.texts(item)).collect();
                all.map(|all| all.concat())
            }
            _ => None,
        }
    }

    /// Whether a set has only messages of the network: the network as a set, `DOMAIN net` of a bag, or
    /// `{net[i][j][n] : n \in DOMAIN net[i][j]}` of queues, also through definitions.
    #[expect(clippy::wildcard_enum_match_arm, reason = "of any other set that is not known")]
    fn are_messages(&mut self, set: ExprId, env: &Env) -> bool {
        let spec = self.uses.spec;
        let is_network = |reader: &Self, expr: ExprId, env: &Env| {
            reader.uses.variable(expr, env).is_some_and(|var| reader.uses.role(var) == Role::Network)
        };
        if is_network(self, set, env) {
            return true;
        }
        match &spec.exprs[set].kind {
            ExprKind::Apply { op: Op::Builtin(Builtin::Domain), args } => {
                args.first().and_then(Arg::expr).is_some_and(|inner| is_network(self, inner, env))
            }
            ExprKind::Apply { op: Op::Def(def), args } if self.uses.follows(*def) => {
                let DefBody::Expr(body) = spec.defs[*def].body else { return false };
                let inner = self.uses.bind(*def, args, env);
                self.uses.open.push(*def);
                let found = self.are_messages(body, &inner);
                self.uses.open.pop();
                found
            }
            ExprKind::SetMap { body, bounds } => match &bounds[..] {
                [bound] => self.are_items(*body, (bound.pattern.locals(), bound.set), env),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether `{body : names \in domain}` has the elements of one queue of the network.
    fn are_items(&mut self, body: ExprId, (names, domain): (&[LocalId], ExprId), env: &Env) -> bool {
        let spec = self.uses.spec;
        let (
            [name],
            ExprKind::FnApply { function, args },
            ExprKind::Apply { op: Op::Builtin(Builtin::Domain), args: of },
        ) = (names, &spec.exprs[body].kind, &spec.exprs[domain].kind)
        else {
            return false;
        };
        let (Some(of), &[index]) = (of.first().and_then(Arg::expr), &args[..]) else { return false };
        let queue = self.uses.text(*function, env);
        let network = self.uses.network_text().map(|text| format!("{text}["));
        queue == self.uses.text(of, env)
            && network.is_some_and(|network| queue.starts_with(&network))
            && self.uses.text(index, env) == local_text(*name)
    }
}
