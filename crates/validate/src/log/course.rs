//! Events in the order that a mapping declares: either in one total order, read when they are needed, or in several
//! streams of which only a partial order is known.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::rc::Rc;

use diag::Code;
use num_bigint::BigInt;

use super::lines::{LineError, Lines};
use super::partial::Partial;
use super::{Event, Json, at_line, shorten};
use crate::search::room::event_bytes;

/// Number of events of each stream that have happened.
pub(crate) type Position = Rc<[u32]>;

/// The numbers of the events that can come next, each with the position after it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    pub events: Rc<[(usize, Position)]>,
    /// The first `n_enough` of them are enough to try: any behaviour that explains the rest can begin with one of them.
    pub n_enough: usize,
}

/// The value of a field that events are ordered by.
#[derive(Clone, Debug, PartialEq)]
enum OrderKey {
    Int(i64),
    Big(Box<BigInt>),
    Other(f64),
    Text(Box<str>),
}

impl OrderKey {
    fn of(json: &Json) -> Option<OrderKey> {
        match json {
            Json::Int(value) => Some(OrderKey::Int(*value)),
            Json::Big(value) => Some(OrderKey::Big(value.clone())),
            Json::Other(value) => Some(OrderKey::Other(*value)),
            Json::Text(text) => Some(OrderKey::Text(text.clone())),
            Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => None,
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            OrderKey::Int(_) | OrderKey::Big(_) | OrderKey::Other(_) => "a number",
            OrderKey::Text(_) => "a text",
        }
    }

    /// Compares two keys. Numbers come before texts; no events are ordered by both.
    fn order(&self, other: &OrderKey) -> Ordering {
        match (self, other) {
            (OrderKey::Int(one), OrderKey::Int(other)) => one.cmp(other),
            (OrderKey::Big(one), OrderKey::Big(other)) => one.cmp(other),
            (OrderKey::Int(one), OrderKey::Big(other)) => BigInt::from(*one).cmp(other),
            (OrderKey::Big(one), OrderKey::Int(other)) => (**one).cmp(&BigInt::from(*other)),
            (OrderKey::Text(one), OrderKey::Text(other)) => one.cmp(other),
            (OrderKey::Text(_), OrderKey::Int(_) | OrderKey::Big(_) | OrderKey::Other(_)) => {
                Ordering::Greater
            }
            (OrderKey::Int(_) | OrderKey::Big(_) | OrderKey::Other(_), OrderKey::Text(_)) => Ordering::Less,
            (OrderKey::Other(_), _) | (_, OrderKey::Other(_)) => self.float().total_cmp(&other.float()),
        }
    }

    /// Returns the approximate value of a number.
    fn float(&self) -> f64 {
        match self {
            OrderKey::Int(value) => *value as f64,
            OrderKey::Big(value) => value.to_string().parse().unwrap_or(f64::INFINITY),
            OrderKey::Other(value) => *value,
            OrderKey::Text(_) => f64::INFINITY,
        }
    }
}

fn order(one: &[OrderKey], other: &[OrderKey]) -> Ordering {
    let pairs = one.iter().zip(other);
    pairs.map(|(one, other)| one.order(other)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// The next event of a file.
struct Head {
    event: Event,
    key: Vec<OrderKey>,
}

/// All events in one sequence, the earliest of all files first.
pub(crate) struct Merge {
    /// The fields to order by; `None` takes one file after the other.
    fields: Option<Vec<Vec<String>>>,
    heads: Vec<Option<Head>>,
    last_keys: Vec<Option<(Vec<OrderKey>, u32)>>,
    /// The key of the first event that was read, with its file and line. All other keys must be of the same kinds.
    first_key: Option<(Vec<OrderKey>, usize, u32)>,
    /// Files whose next event is not read yet.
    without_head: Vec<usize>,
    file: usize,
    /// Events that may be asked for again; the first of them has the number `first`.
    window: VecDeque<Rc<Event>>,
    first: usize,
    /// The approximate memory that they take.
    n_bytes: usize,
}

impl Merge {
    pub fn new(fields: Option<Vec<Vec<String>>>, n_files: usize) -> Merge {
        Merge {
            fields,
            heads: (0..n_files).map(|_| None).collect(),
            last_keys: vec![None; n_files],
            first_key: None,
            without_head: (0..n_files).collect(),
            file: 0,
            window: VecDeque::new(),
            first: 0,
            n_bytes: 0,
        }
    }

    fn get(&mut self, lines: &mut Lines<'_, '_>, number: usize) -> Result<Option<Rc<Event>>, LineError> {
        while number >= self.first + self.window.len() {
            match self.pull(lines)? {
                Some(mut event) => {
                    lines.follow(&mut event);
                    self.n_bytes += event_bytes(&event);
                    self.window.push_back(Rc::new(event));
                }
                None => return Ok(None),
            }
        }
        Ok(number.checked_sub(self.first).and_then(|index| self.window.get(index)).cloned())
    }

    pub fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    fn pull(&mut self, lines: &mut Lines<'_, '_>) -> Result<Option<Event>, LineError> {
        if self.fields.is_none() {
            while self.file < lines.n_files() {
                match lines.next(self.file)? {
                    Some(event) => return Ok(Some(event)),
                    None => self.file += 1,
                }
            }
            return Ok(None);
        }
        // The files are read as late as this because the line after an event need not exist while the event is
        // examined.
        for file in std::mem::take(&mut self.without_head) {
            self.advance(lines, file)?;
        }
        let mut least: Option<usize> = None;
        for file in 0..self.heads.len() {
            let Some(head) = &self.heads[file] else { continue };
            let is_less = |best: usize| {
                self.heads[best].as_ref().is_none_or(|best| order(&head.key, &best.key).is_lt())
            };
            if least.is_none_or(is_less) {
                least = Some(file);
            }
        }
        let Some(file) = least else { return Ok(None) };
        let head = self.heads[file].take();
        if let Some(head) = &head {
            self.check_unique(head, lines)?;
        }
        self.without_head.push(file);
        Ok(head.map(|head| head.event))
    }

    /// Checks that no other file has an event with the same key, which could come before or after this one.
    fn check_unique(&self, head: &Head, lines: &Lines<'_, '_>) -> Result<(), LineError> {
        let mut others = self.heads.iter().flatten();
        let Some(tied) = others.find(|other| order(&head.key, &other.key).is_eq()) else { return Ok(()) };
        let fields = self.fields.as_deref().unwrap_or_default();
        let fields = fields.iter().map(|field| field.join(".")).collect::<Vec<_>>().join(", ");
        let name = |event: &Event| lines.names[event.file as usize].clone();
        let other = format!("line {} of `{}`", head.event.line, name(&head.event));
        let what = format!("the event is as early as {other} by {fields}: it is not known which was first");
        let told = at_line(Code::LogOrder, (&name(&tied.event), tied.event.line), &what)
            .note(format!("the line is {}", shorten(&tied.event.text)))
            .help("add a field to `fields` that tells them apart, such as the node, if their order does not matter");
        Err(Box::new(told))
    }

    fn advance(&mut self, lines: &mut Lines<'_, '_>, file: usize) -> Result<(), LineError> {
        let Some(event) = lines.next(file)? else { return Ok(()) };
        let fields = self.fields.as_deref().unwrap_or_default();
        let mut key = Vec::with_capacity(fields.len());
        let place = (lines.names[file].as_str(), event.line);
        for field in fields {
            let Some(part) = event.tree.at(field).and_then(OrderKey::of) else {
                let what =
                    format!("there is no `{}` to order events by, a number or a text", field.join("."));
                let told = at_line(Code::LogField, place, &what);
                return Err(Box::new(told.note(format!("the line is {}", shorten(&event.text)))));
            };
            key.push(part);
        }
        let (known, known_file, known_line) =
            self.first_key.get_or_insert_with(|| (key.clone(), file, event.line));
        if let Some(at) = (0..key.len()).find(|&at| key[at].kind() != known[at].kind()) {
            let (name, here, there) = (fields[at].join("."), key[at].kind(), known[at].kind());
            let other = format!("line {known_line} of `{}`", lines.names[*known_file]);
            let what = format!("`{name}`, which events are ordered by, is {here}, and {there} in {other}");
            let told = at_line(Code::LogField, place, &what)
                .note(format!("the line is {}", shorten(&event.text)))
                .help("let every node write it in the same way");
            return Err(Box::new(told));
        }
        if let Some((last, line)) = &self.last_keys[file]
            && order(&key, last).is_lt()
        {
            let names = fields.iter().map(|field| field.join(".")).collect::<Vec<_>>().join(", ");
            let what = format!("the event is out of order: it comes before line {line} by {names}");
            let told = at_line(Code::LogOrder, place, &what)
                .note(format!("the line is {}", shorten(&event.text)))
                .help("sort the file; or, if a clock was set back, order by a clock that only grows");
            return Err(Box::new(told));
        }
        self.last_keys[file] = Some((key.clone(), event.line));
        self.heads[file] = Some(Head { event, key });
        Ok(())
    }

    /// Reads the rest of the log as far as possible. Returns the number of all events, or an error if they are not in
    /// order.
    fn rest(&mut self, lines: &mut Lines<'_, '_>) -> Result<Option<usize>, LineError> {
        let mut n_events = self.first + self.window.len();
        loop {
            match self.pull(lines) {
                Ok(Some(_)) => n_events += 1,
                Ok(None) => return Ok(Some(n_events)),
                Err(error) if error.code == Code::LogOrder => return Err(error),
                // Any other error comes after the one that is already known.
                Err(_) => return Ok(None),
            }
        }
    }

    fn forget_before(&mut self, number: usize) {
        while self.first < number
            && let Some(event) = self.window.pop_front()
        {
            self.n_bytes -= event_bytes(&event);
            self.first += 1;
        }
    }
}

/// The events of a log, and which of them can come next.
pub(crate) enum Course {
    Total(Merge),
    Partial(Partial),
}

impl Course {
    pub fn start(&self) -> Position {
        match self {
            Course::Total(_) => Rc::new([0]),
            Course::Partial(partial) => partial.start(),
        }
    }

    pub fn event(
        &mut self,
        lines: &mut Lines<'_, '_>,
        number: usize,
    ) -> Result<Option<Rc<Event>>, LineError> {
        match self {
            Course::Total(merge) => merge.get(lines, number),
            Course::Partial(partial) => Ok(partial.event(number)),
        }
    }

    /// Returns the events that can come next.
    pub fn next(&mut self, lines: &mut Lines<'_, '_>, position: &Position) -> Result<Choices, LineError> {
        match self {
            Course::Total(merge) => {
                let number = position[0] as usize;
                let is_there = merge.get(lines, number)?.is_some();
                let next: Option<(usize, Position)> =
                    is_there.then(|| (number, Rc::from([position[0] + 1].as_slice())));
                Ok(Choices { events: next.into_iter().collect(), n_enough: usize::from(is_there) })
            }
            Course::Partial(partial) => Ok(partial.next(position)),
        }
    }

    /// Whether two events lead to the same states in either order, wherever both can happen.
    pub fn commute(&self, one: usize, other: usize) -> bool {
        match self {
            Course::Total(_) => false,
            Course::Partial(partial) => partial.commute(one, other),
        }
    }

    /// Forgets all events before this position, which are not asked for again.
    pub fn forget_before(&mut self, position: &Position) {
        if let Course::Total(merge) = self {
            merge.forget_before(position[0] as usize);
        }
    }

    /// Returns the number of events, if all can be read. Fails only if they are not in order, so that nothing can be
    /// said about them.
    pub fn n_events(&mut self, lines: &mut Lines<'_, '_>) -> Result<Option<usize>, LineError> {
        match self {
            Course::Total(merge) => merge.rest(lines),
            Course::Partial(partial) => Ok(Some(partial.n_events())),
        }
    }
}
