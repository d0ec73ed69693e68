//! Writes a first draft of a mapping: guesses by names, from the actions of a specification and the events of a log.
//!
//! The draft is a mapping that can be parsed; whether it is right is for people to decide.

mod sample;
mod write;

use base::FxIndexMap;
use sema::Spec;
use sema::config::{BoundConfig, behaviour};
use sema::spec::{Arg, Builtin, DefId, ExprId, ExprKind, Op, VarId};

use sample::{Field, Sample};

/// The reason why there is no draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoDraft {
    /// No line has an object.
    NoEvent,
    /// There is no next-state relation with named actions.
    NoNext,
}

/// Writes a draft for the lines of these files. `open_constants` are the constants for which the configuration has no
/// value that counts.
pub fn draft(
    spec: &Spec,
    config: &BoundConfig,
    open_constants: &[String],
    files: &[Vec<String>],
) -> Result<String, NoDraft> {
    let sample = Sample::read(files);
    if sample.events.is_empty() {
        return Err(NoDraft::NoEvent);
    }
    let parts = behaviour(spec, config);
    let next = parts.next.first().map(|next| next.action.expr).ok_or(NoDraft::NoNext)?;
    let inits: Vec<ExprId> = parts.init.iter().map(|formula| formula.expr).collect();
    let actions = crate::plan::actions(spec, next);
    let open_constants = open_constants.to_vec();
    let known = SpecFacts { spec, actions, functions: functions(spec, &inits), open_constants };
    let whole = Guess::of(&known, &sample);
    let inner = sample.object_fields().into_iter().map(|field| {
        let sample = sample.inside(&field);
        (Guess { inside: Some(field), ..Guess::of(&known, &sample) }, sample)
    });
    // Events are in a field of the line only if that has more of the actions.
    let named = inner.max_by_key(|(guess, _)| guess.n_actions(&known));
    let is_better = |guess: &Guess| guess.n_actions(&known) > whole.n_actions(&known);
    Ok(match named.filter(|(guess, _)| is_better(guess)) {
        Some((guess, inner)) => write::write(&known, &guess, &inner),
        None => write::write(&known, &whole, &sample),
    })
}

/// The known facts about a specification.
struct SpecFacts<'s> {
    spec: &'s Spec,
    actions: Vec<DefId>,
    /// Variables whose initial values are functions.
    functions: Vec<VarId>,
    open_constants: Vec<String>,
}

impl SpecFacts<'_> {
    fn action_name(&self, action: DefId) -> &str {
        self.spec.names.text(self.spec.defs[action].name)
    }

    fn params(&self, action: DefId) -> impl Iterator<Item = &str> {
        let params = self.spec.defs[action].params.iter();
        params.map(|&param| self.spec.names.text(self.spec.locals[param].name))
    }

    /// Returns the action whose name resembles a kind of event.
    fn action_for(&self, kind: &str) -> Option<DefId> {
        let wanted = plain(kind);
        let named = |action: &&DefId| plain(self.action_name(**action));
        let exact = self.actions.iter().find(|action| named(action) == wanted);
        let part = || {
            let mut near = self.actions.iter().filter(|action| {
                let name = named(action);
                wanted.len() > 3 && (name.contains(&wanted) || wanted.contains(&name))
            });
            near.next().filter(|_| near.next().is_none())
        };
        exact.or_else(part).copied()
    }

    /// Returns the variable whose name resembles a field, and whether it is a function.
    fn variable_for(&self, field: &str) -> Option<(&str, bool)> {
        let variables = self.spec.modules[self.spec.root].variables.iter();
        let mut named = variables.map(|&id| (self.spec.names.text(self.spec.variables[id].name), id));
        let (name, id) = named.find(|(name, _)| plain(name) == plain(field))?;
        Some((name, self.functions.contains(&id)))
    }
}

/// Returns a name in lower case without punctuation, for comparing.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the variables that an initial predicate makes functions: `x = [i \in S |-> ...]`.
fn functions(spec: &Spec, inits: &[ExprId]) -> Vec<VarId> {
    let mut found = Vec::new();
    for &init in inits {
        crate::reads::walk(spec, init, &mut |expr| {
            if let ExprKind::Apply { op: Op::Builtin(Builtin::Eq), args } = &spec.exprs[expr].kind
                && let [Arg::Expr(left), Arg::Expr(right)] = args.as_slice()
                && let ExprKind::Var(variable) = spec.exprs[*left].kind
                && matches!(spec.exprs[*right].kind, ExprKind::Function { .. })
            {
                found.push(variable);
            }
        });
    }
    found
}

/// The guessed roles of the fields of a log.
struct Guess {
    /// The field of a line that has the event, if the line is not the event itself.
    inside: Option<String>,
    kind: Option<String>,
    node: Option<String>,
    /// The field that orders events.
    clock: Option<String>,
    vector: Option<String>,
    fields: FxIndexMap<String, Field>,
}

const KIND_NAMES: [&str; 8] = ["event", "kind", "type", "action", "op", "name", "tag", "msg"];
const NODE_NAMES: [&str; 9] = ["node", "server", "process", "host", "self", "nid", "pid", "id", "replica"];
const CLOCK_NAMES: [&str; 7] = ["clock", "lamport", "time", "timestamp", "ts", "index", "seq"];

impl Guess {
    fn of(known: &SpecFacts<'_>, sample: &Sample) -> Guess {
        let fields = Sample::fields(sample.events.iter());
        let n_events = sample.events.len();
        let everywhere = |field: &Field| field.n_events == n_events;
        let kind = best(&fields, |name, field| {
            let n_values = field.n_values().filter(|_| everywhere(field) && field.is_text)?;
            let n_actions = field.words.iter().filter(|word| known.action_for(word).is_some()).count();
            let named = rank(&KIND_NAMES, name);
            (n_actions > 0 || named > 0).then_some(n_actions * 100 + named * 4 + usize::from(n_values > 1))
        });
        let node = best(&fields, |name, field| {
            let is_kind = kind.as_deref() == Some(name);
            let n_values = field.n_values().filter(|_| everywhere(field) && !is_kind)?;
            let per_file = usize::from(sample.n_files > 1 && field.is_constant_in_file && n_values > 1) * 50;
            let named = rank(&NODE_NAMES, name);
            (named > 0 || per_file > 0).then_some(named + per_file)
        });
        let clock = best(&fields, |name, field| {
            let is_clock = everywhere(field) && field.is_growing && !field.is_constant_in_file;
            Some(rank(&CLOCK_NAMES, name)).filter(|&rank| is_clock && rank > 0)
        });
        let vector = best(&fields, |_, field| (everywhere(field) && field.is_counts).then_some(1));
        Guess { inside: None, kind, node, clock, vector, fields }
    }

    /// Returns the number of kinds of events that are called like an action.
    fn n_actions(&self, known: &SpecFacts<'_>) -> usize {
        let kind = self.kind.as_ref().and_then(|kind| self.fields.get(kind));
        kind.map_or(0, |kind| kind.words.iter().filter(|word| known.action_for(word).is_some()).count())
    }
}

/// Returns how near the front of a list a name is; 0 if it is not in the list.
fn rank(names: &[&str], name: &str) -> usize {
    names.iter().position(|known| plain(known) == plain(name)).map_or(0, |at| names.len() - at)
}

/// Returns the field with the most points; of several, the first.
fn best(
    fields: &FxIndexMap<String, Field>,
    points: impl Fn(&str, &Field) -> Option<usize>,
) -> Option<String> {
    let mut best: Option<(usize, &String)> = None;
    for (name, field) in fields {
        if let Some(points) = points(name, field)
            && best.is_none_or(|(most, _)| points > most)
        {
            best = Some((points, name));
        }
    }
    best.map(|(_, name)| name.clone())
}
