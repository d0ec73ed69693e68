//! A mapping: what of a specification belongs to one process, and what its messages look like, as a file in TOML says
//! it. What its expressions mean is asked of a specification later ([`crate::slice`]).

use toml::de::DeTable;
use validate::map::table::{Errors, Table, error};
pub use validate::map::{MapError, Text};

/// The most simulation states, unless the mapping says otherwise.
const STATES_MAX: u32 = 10_000;
/// The most pairs of a state and a message that a proof looks at, unless the mapping says otherwise.
const PAIRS_MAX: usize = 300_000;
/// The most messages that were received and may not have been handled, unless the mapping says otherwise.
const PENDING_MAX: u32 = 1_000;

/// The content of a monitor's mapping.
#[derive(Clone, Debug)]
pub struct Mapping {
    /// Values of constants, which count before those of the configuration.
    pub constants: Vec<(Text, Text)>,
    /// The set of nodes.
    pub nodes: Text,
    /// Variables that the process does not have: conjuncts that mention them are left out.
    pub ghost: Vec<Text>,
    /// Actions that are not those of a process.
    pub environment: Vec<Text>,
    /// The action that a restart of the process is.
    pub restart: Option<Text>,
    pub network: NetworkForm,
    pub messages: MessagesForm,
    pub input_order: InputOrder,
    /// The received messages that count as those of one connection, whatever connections they came over.
    pub together: Option<Text>,
    pub output: OutputForm,
    pub binds: Vec<ActionBinds>,
    /// Formulas about a state and an outgoing message: once TRUE, they stay TRUE, and the message cannot leave.
    pub never: Vec<Text>,
    /// Formulas about a state and a received message: once TRUE, they stay TRUE, and the message has no effect.
    pub spent: Vec<Text>,
    /// Formulas about a state and a received message: where one is TRUE, the message is handled as it arrives.
    pub at_once: Vec<Text>,
    pub proof: ProofForm,
    pub join: Option<JoinForm>,
    pub limits: LimitsForm,
}

/// The variable that holds messages under way, and how.
#[derive(Clone, Debug)]
pub struct NetworkForm {
    pub variable: Text,
    pub shape: NetworkShape,
    /// The sender and the receiver of a message; only sets and bags need them.
    pub from: Option<Text>,
    pub to: Option<Text>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkShape {
    /// A set of messages.
    Set,
    /// A function from messages to how many there are of each.
    Bag,
    /// `net[from][to]`, a sequence.
    Queues,
}

#[derive(Clone, Debug, Default)]
pub struct MessagesForm {
    /// Whether a message is one of the protocol.
    pub only: Option<Text>,
    /// The message as the specification has it.
    pub value: Option<Text>,
}

/// The order in which a process handles what it receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputOrder {
    /// Messages of one connection are handled one after the other.
    Connection,
    /// Any message may be handled before any other, or never.
    Any,
}

/// The order in which outgoing messages are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputOrder {
    /// The order in which the process sent them.
    Program,
    /// The order in which it sent them to one receiver.
    Connection,
}

#[derive(Clone, Copy, Debug)]
pub struct OutputForm {
    pub order: OutputOrder,
    /// Whether the process may send what is never seen.
    pub may_lose: bool,
}

/// Values of parameters that an outgoing message tells.
#[derive(Clone, Debug)]
pub struct ActionBinds {
    pub action: Text,
    pub bind: Vec<(Text, Text)>,
}

/// How the state of a process that already runs is found from a message that it sends.
#[derive(Clone, Debug)]
pub struct JoinForm {
    /// The messages for which the predicate makes sense.
    pub when: Option<Text>,
    /// The states that the process may be in after it sent the message.
    pub predicate: Text,
}

/// How conditions are shown to hold.
#[derive(Clone, Debug)]
pub struct ProofForm {
    /// Values of constants that make all states of a node few enough to look at.
    pub constants: Vec<(Text, Text)>,
    /// The most pairs of a state and a message.
    pub pairs_max: usize,
    /// Whether conditions of the mapping are used without proof.
    pub trusts: bool,
    /// Whether derived conditions are used.
    pub derives: bool,
    /// Whether an SMT solver is asked.
    pub asks_solver: bool,
}

impl Default for ProofForm {
    fn default() -> Self {
        ProofForm {
            constants: Vec::new(),
            pairs_max: PAIRS_MAX,
            trusts: false,
            derives: false,
            asks_solver: true,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct LimitsForm {
    pub states_max: usize,
    pub pending_max: usize,
    /// The most steps that no message shows, between two outgoing ones.
    pub silent_max: Option<u32>,
}

impl Mapping {
    pub fn parse(text: &str) -> Result<Mapping, Vec<MapError>> {
        let parsed = DeTable::parse(text).map_err(|failed| {
            let help = "write expressions in single quotes, where `\\` means itself".to_owned();
            vec![MapError { help: Some(help), ..error(failed.span().unwrap_or(0..0), failed.message()) }]
        })?;
        let mut errors = Vec::new();
        let mapping = read(text, parsed.get_ref(), &mut errors);
        errors.sort_by_key(|error| error.place.start);
        match mapping {
            Some(mapping) if errors.is_empty() => Ok(mapping),
            _ => Err(errors),
        }
    }
}

fn read(text: &str, table: &DeTable<'_>, errors: &mut Errors) -> Option<Mapping> {
    let mut top = Table::new(text, "a mapping", table);
    let constants = top.pairs("constants", errors);
    let nodes = top.string("nodes", errors);
    let (ghost, environment) = (top.strings("ghost", errors), top.strings("environment", errors));
    let restart = top.string("restart", errors);
    let network = top.table("network", errors).map(|table| network(text, table, errors));
    let messages = top.table("messages", errors).map(|table| messages(text, table, errors));
    let input = top.table("input", errors).map(|table| input(text, table, errors));
    let (input_order, together) = input.unwrap_or((InputOrder::Connection, None));
    let output = top.table("output", errors).map(|table| output(text, table, errors));
    let actions = top.tables("action", errors);
    let binds = actions.into_iter().filter_map(|(place, table)| {
        let mut table = Table::new(text, "an action", table);
        let (name, bind) = (table.string("name", errors), table.pairs("bind", errors));
        table.finish(errors);
        if name.is_none() {
            errors.push(error(place, "an action needs a `name`"));
        }
        Some(ActionBinds { action: name?, bind })
    });
    let binds = binds.collect();
    let (never, spent) = (top.strings("never", errors), top.strings("spent", errors));
    let at_once = top.strings("at_once", errors);
    let proof = top.table("proof", errors).map(|table| proof(text, table, errors));
    let join = top.table("join", errors).map(|table| join(text, table, errors));
    let limits = top.table("limits", errors).map(|table| limits(text, table, errors));
    top.finish(errors);
    let end = text.len()..text.len();
    if nodes.is_none() {
        let help = Some("add `nodes = 'Server'`, the set of nodes".to_owned());
        let message = "the mapping does not say which nodes there are";
        errors.push(MapError { help, ..error(end.clone(), message) });
    }
    if network.is_none() {
        let help = "add `[network]` with `variable` and `form`: \"set\", \"bag\" or \"queues\"".to_owned();
        let message = "the mapping does not say which variable has the messages that are under way";
        errors.push(MapError { help: Some(help), ..error(end, message) });
    }
    Some(Mapping {
        constants,
        nodes: nodes?,
        ghost,
        environment,
        restart,
        network: network??,
        messages: messages.unwrap_or_default(),
        input_order,
        together,
        output: output.unwrap_or(OutputForm { order: OutputOrder::Program, may_lose: false }),
        binds,
        never,
        spent,
        at_once,
        proof: proof.unwrap_or_default(),
        join: join.flatten(),
        limits: limits.unwrap_or_else(default_limits),
    })
}

fn default_limits() -> LimitsForm {
    LimitsForm { states_max: STATES_MAX as usize, pending_max: PENDING_MAX as usize, silent_max: None }
}

/// Returns the choice that a text names; reports it if there is none of that name.
fn choose<T: Copy>(text: &Text, choices: &[(&str, T)], errors: &mut Errors) -> Option<T> {
    let found = choices.iter().find(|(name, _)| *name == text.text).map(|(_, choice)| *choice);
    if found.is_none() {
        let names: Vec<String> = choices.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        let message = format!("`{}` is none of {}", text.text, names.join(", "));
        errors.push(error(text.place.clone(), message));
    }
    found
}

fn network(text: &str, table: &DeTable<'_>, errors: &mut Errors) -> Option<NetworkForm> {
    const SHAPES: [(&str, NetworkShape); 3] =
        [("set", NetworkShape::Set), ("bag", NetworkShape::Bag), ("queues", NetworkShape::Queues)];
    let mut table = Table::new(text, "`[network]`", table);
    let (variable, form) = (table.string("variable", errors), table.string("form", errors));
    let (from, to) = (table.string("from", errors), table.string("to", errors));
    table.finish(errors);
    let (Some(variable), Some(form)) = (variable, form) else {
        errors.push(error(0..0, "`[network]` needs `variable` and `form`"));
        return None;
    };
    let shape = choose(&form, &SHAPES, errors)?;
    if shape != NetworkShape::Queues && (from.is_none() || to.is_none()) {
        let help = "add `from = 'message.FIELD'` and `to = 'message.FIELD'`".to_owned();
        let message = "in a set or a bag, messages say who sent them and who receives them";
        errors.push(MapError { help: Some(help), ..error(form.place.clone(), message) });
    }
    Some(NetworkForm { variable, shape, from, to })
}

fn messages(text: &str, table: &DeTable<'_>, errors: &mut Errors) -> MessagesForm {
    let mut table = Table::new(text, "`[messages]`", table);
    let form = MessagesForm { only: table.string("only", errors), value: table.string("value", errors) };
    table.finish(errors);
    form
}

fn input(text: &str, table: &DeTable<'_>, errors: &mut Errors) -> (InputOrder, Option<Text>) {
    let mut table = Table::new(text, "`[input]`", table);
    let (order, together) = (table.string("order", errors), table.string("together", errors));
    table.finish(errors);
    let choices = [("connection", InputOrder::Connection), ("any", InputOrder::Any)];
    let order = order.and_then(|order| choose(&order, &choices, errors)).unwrap_or(InputOrder::Connection);
    (order, together)
}

fn output(text: &str, table: &DeTable<'_>, errors: &mut Errors) -> OutputForm {
    let mut table = Table::new(text, "`[output]`", table);
    let order = table.string("order", errors);
    let may_lose = table.flag("lost", errors).unwrap_or(false);
    table.finish(errors);
    let choices = [("program", OutputOrder::Program), ("connection", OutputOrder::Connection)];
    let order = order.and_then(|order| choose(&order, &choices, errors)).unwrap_or(OutputOrder::Program);
    OutputForm { order, may_lose }
}

fn join(text: &str, table: &DeTable<'_>, errors: &mut Errors) -> Option<JoinForm> {
    let mut table = Table::new(text, "`[join]`", table);
    let (when, predicate) = (table.string("when", errors), table.string("predicate", errors));
    table.finish(errors);
    if predicate.is_none() {
        errors.push(error(0..0, "`[join]` needs `predicate`: the states after the first message"));
    }
    Some(JoinForm { when, predicate: predicate? })
}

fn proof(text: &str, table: &DeTable<'_>, errors: &mut Errors) -> ProofForm {
    let mut table = Table::new(text, "`[proof]`", table);
    let constants = table.pairs("constants", errors);
    let pairs = table.number("pairs", errors);
    let (trusts, derives) = (table.flag("trust", errors), table.flag("derive", errors));
    let asks_solver = table.flag("solver", errors);
    table.finish(errors);
    ProofForm {
        constants,
        pairs_max: pairs.map_or(PAIRS_MAX, |pairs| pairs as usize),
        trusts: trusts.unwrap_or(false),
        derives: derives.unwrap_or(false),
        asks_solver: asks_solver.unwrap_or(true),
    }
}

fn limits(text: &str, table: &DeTable<'_>, errors: &mut Errors) -> LimitsForm {
    let mut table = Table::new(text, "`[limits]`", table);
    let (states, pending) = (table.number("states", errors), table.number("pending", errors));
    let silent_max = table.number("silent", errors);
    table.finish(errors);
    LimitsForm {
        states_max: states.unwrap_or(STATES_MAX) as usize,
        pending_max: pending.unwrap_or(PENDING_MAX) as usize,
        silent_max,
    }
}

#[cfg(test)]
mod tests {
    use super::{InputOrder, Mapping, NetworkShape, OutputOrder};

    #[test]
    fn a_mapping_is_read_with_its_defaults() {
        let text = "nodes = 'Server'\n[network]\nvariable = 'net'\nform = 'queues'\n";
        let mapping = Mapping::parse(text).unwrap();
        assert_eq!(mapping.network.shape, NetworkShape::Queues);
        assert_eq!(
            (mapping.input_order, mapping.output.order),
            (InputOrder::Connection, OutputOrder::Program)
        );
        assert!(!mapping.output.may_lose && mapping.join.is_none());
    }

    #[test]
    fn what_is_wrong_is_reported_with_its_place() {
        let text = "nodes = 'Server'\nghosts = []\n[network]\nvariable = 'net'\nform = 'heap'\n";
        let errors = Mapping::parse(text).unwrap_err();
        let told: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
        assert!(told.iter().any(|message| message.contains("no key `ghosts`")), "{told:?}");
        assert!(told.iter().any(|message| message.contains("`heap` is none of")), "{told:?}");
        let bag = "nodes = 'S'\n[network]\nvariable = 'm'\nform = 'bag'\n";
        assert_eq!(Mapping::parse(bag).unwrap_err().len(), 1);
        assert_eq!(Mapping::parse("").unwrap_err().len(), 2);
    }
}
