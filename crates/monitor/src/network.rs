//! The network of a specification, seen from one node: a value that holds one message for it, and what a step put into
//! it.

use value::{Host, OpResult, Value, ops};

use crate::map::NetworkShape;

/// The network as the node's actions see it.
#[derive(Clone, Copy)]
pub struct Network<'r> {
    pub shape: NetworkShape,
    /// The network without messages.
    pub empty: Value<'r>,
    pub node: Value<'r>,
}

/// A message that a step sent, with its receiver if the network says who that is.
#[derive(Clone, Copy)]
pub struct Sent<'r> {
    pub to: Option<Value<'r>>,
    pub value: Value<'r>,
    /// Whether the step that sent it did nothing else, and so may have happened more than once.
    pub is_pure: bool,
}

impl<'r> Sent<'r> {
    fn new(to: Option<Value<'r>>, value: Value<'r>) -> Sent<'r> {
        Sent { to, value, is_pure: false }
    }
}

/// The effect of a step on the network.
pub struct NetworkEffect<'r> {
    /// The places of messages that were there and are gone.
    pub consumed: Vec<usize>,
    pub sent: Vec<Sent<'r>>,
}

impl<'r> Network<'r> {
    /// Returns the network without messages, made from that of an initial state.
    pub fn emptied<H: Host<'r> + ?Sized>(
        host: &mut H,
        shape: NetworkShape,
        initial: Value<'r>,
    ) -> OpResult<Value<'r>> {
        match shape {
            NetworkShape::Set => Ok(Value::empty_set()),
            NetworkShape::Bag => Ok(Value::empty_sequence()),
            NetworkShape::Queues => {
                map(host, initial, &mut |host, row| map(host, row, &mut |_, _| Ok(Value::empty_sequence())))
            }
        }
    }

    /// Returns the network with one message from `from`.
    pub fn with<H: Host<'r> + ?Sized>(
        &self,
        host: &mut H,
        message: Value<'r>,
        from: Option<Value<'r>>,
    ) -> OpResult<Value<'r>> {
        match (self.shape, from) {
            (NetworkShape::Set, _) => Ok(host.region().set(&[message])),
            (NetworkShape::Bag, _) => {
                let one = host.region().int(1);
                ops::function_from_pairs(host, &[(message, one)])
            }
            (NetworkShape::Queues, Some(from)) => {
                let row = ops::apply(host, self.empty, from)?;
                let queue = host.region().sequence(&[message]);
                let row = replace(host, row, self.node, queue)?;
                replace(host, self.empty, from, row)
            }
            (NetworkShape::Queues, None) => Ok(self.empty),
        }
    }

    /// Returns the network with these messages; not for queues.
    pub fn with_all<H: Host<'r> + ?Sized>(&self, host: &mut H, held: &[Value<'r>]) -> OpResult<Value<'r>> {
        if self.shape == NetworkShape::Set {
            return Ok(host.region().set(held));
        }
        let mut pairs: Vec<(Value<'r>, i64)> = Vec::new();
        for &message in held {
            match pairs.iter_mut().find(|(known, _)| are_equal(host, *known, message)) {
                Some((_, n)) => *n += 1,
                None => pairs.push((message, 1)),
            }
        }
        let region = host.region();
        let pairs: Vec<(Value<'r>, Value<'r>)> =
            pairs.into_iter().map(|(message, n)| (message, region.int(n))).collect();
        ops::function_from_pairs(host, &pairs)
    }

    /// Compares the network after a step with the messages that it held before. In queues there is one at most, and its
    /// sender says where.
    pub fn effect<H: Host<'r> + ?Sized>(
        &self,
        host: &mut H,
        after: Value<'r>,
        (held, from): (&[Value<'r>], Option<Value<'r>>),
    ) -> OpResult<NetworkEffect<'r>> {
        let mut effect = NetworkEffect { consumed: (0..held.len()).collect(), sent: Vec::new() };
        if after.is_same(self.empty) {
            return Ok(effect);
        }
        match self.shape {
            NetworkShape::Set => {
                let mut elements = ops::elements_normal(host, after)?;
                while let Some(element) = elements.next(host)? {
                    let n_before = effect.consumed.len();
                    effect.consumed.retain(|&at| !are_equal(host, held[at], element));
                    if effect.consumed.len() == n_before {
                        effect.sent.push(Sent::new(None, element));
                    }
                }
            }
            NetworkShape::Bag => {
                let domain = ops::domain(host, after)?;
                let mut elements = ops::elements_normal(host, domain)?;
                while let Some(element) = elements.next(host)? {
                    let mut n_left = ops::apply(host, after, element)?.as_i64().unwrap_or_default();
                    effect.consumed.retain(|&at| {
                        let stays = n_left > 0 && are_equal(host, held[at], element);
                        n_left -= i64::from(stays);
                        !stays
                    });
                    effect.sent.extend((0..n_left.max(0)).map(|_| Sent::new(None, element)));
                }
            }
            NetworkShape::Queues => self.queues(host, after, from, &mut effect)?,
        }
        Ok(effect)
    }

    /// Returns the messages in a network that a node may receive, with their senders if the network says these.
    pub fn flights_to<H: Host<'r> + ?Sized>(
        host: &mut H,
        (shape, network): (NetworkShape, Value<'r>),
        node: Value<'r>,
    ) -> OpResult<Vec<(Value<'r>, Option<Value<'r>>)>> {
        let mut all = Vec::new();
        let keys = match shape {
            NetworkShape::Set => network,
            NetworkShape::Bag | NetworkShape::Queues => ops::domain(host, network)?,
        };
        let mut keys = ops::elements_normal(host, keys)?;
        while let Some(key) = keys.next(host)? {
            if shape != NetworkShape::Queues {
                all.push((key, None));
                continue;
            }
            let row = ops::apply(host, network, key)?;
            let queue = ops::apply(host, row, node)?;
            if let Some(items) = ops::as_sequence(host, queue)? {
                all.extend((0..items.len()).map(|at| (items.get(at), Some(key))));
            }
        }
        Ok(all)
    }

    fn queues<H: Host<'r> + ?Sized>(
        &self,
        host: &mut H,
        after: Value<'r>,
        from: Option<Value<'r>>,
        effect: &mut NetworkEffect<'r>,
    ) -> OpResult<()> {
        if let Some(from) = from {
            let row = ops::apply(host, after, from)?;
            let queue = ops::apply(host, row, self.node)?;
            if ops::as_sequence(host, queue)?.is_some_and(|items| !items.is_empty()) {
                effect.consumed.clear();
            }
        }
        let row = ops::apply(host, after, self.node)?;
        let domain = ops::domain(host, row)?;
        let mut nodes = ops::elements_normal(host, domain)?;
        while let Some(to) = nodes.next(host)? {
            let queue = ops::apply(host, row, to)?;
            let Some(items) = ops::as_sequence(host, queue)? else { continue };
            effect.sent.extend((0..items.len()).map(|at| Sent::new(Some(to), items.get(at))));
        }
        Ok(())
    }
}

/// Whether two values are equal; those that cannot be compared are not.
pub fn are_equal<'r, H: Host<'r> + ?Sized>(host: &mut H, left: Value<'r>, right: Value<'r>) -> bool {
    left.is_same(right) || ops::equal(host, left, right).unwrap_or(false)
}

/// Returns the function with another value at `key`.
pub fn replace<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    function: Value<'r>,
    key: Value<'r>,
    value: Value<'r>,
) -> OpResult<Value<'r>> {
    let domain = ops::domain(host, function)?;
    let mut keys = ops::elements_normal(host, domain)?;
    let mut pairs = Vec::new();
    while let Some(at) = keys.next(host)? {
        let is_it = are_equal(host, at, key);
        pairs.push((at, if is_it { value } else { ops::apply(host, function, at)? }));
    }
    ops::function_from_pairs(host, &pairs)
}

/// Returns the function with all its values changed.
pub fn map<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    function: Value<'r>,
    change: &mut dyn FnMut(&mut H, Value<'r>) -> OpResult<Value<'r>>,
) -> OpResult<Value<'r>> {
    let domain = ops::domain(host, function)?;
    let mut keys = ops::elements_normal(host, domain)?;
    let mut pairs = Vec::new();
    while let Some(key) = keys.next(host)? {
        let value = ops::apply(host, function, key)?;
        pairs.push((key, change(host, value)?));
    }
    ops::function_from_pairs(host, &pairs)
}
