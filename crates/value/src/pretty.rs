//! Prints values over several lines, as TLC breaks values wider than a line: one element on each line, a pair on one
//! line if it fits, otherwise the value below its key.

use base::with_stack;

use crate::print::{ShownForm, domain_items, expand};
use crate::view::View;
use crate::{Host, Items, OpResult, Value, print};

/// Prints the value over several lines of at most `width` columns where possible, as TLC breaks them.
pub fn pretty<'r, H: Host<'r> + ?Sized>(host: &mut H, value: Value<'r>, width: usize) -> OpResult<String> {
    let line = print(host, value)?;
    if line.chars().count() <= width {
        return Ok(line);
    }
    let mut layout = Layout { out: String::new() };
    layout.node(&node(host, value)?, Room { width, trailer: 0 }, 0);
    Ok(layout.out)
}

/// A value with its parts, ready for layout.
struct PrettyNode {
    /// The text on one line.
    line: String,
    len: usize,
    parts: PrettyParts,
}

enum PrettyParts {
    /// A value that is never broken.
    None,
    List(Brackets, Vec<PrettyNode>),
    /// Keys and values of a function.
    Pairs(Brackets, &'static str, Vec<(PrettyNode, PrettyNode)>),
}

/// The text around and between the parts when they are on lines of their own.
#[derive(Clone, Copy)]
struct Brackets {
    open: &'static str,
    close: &'static str,
    separator: &'static str,
}

const SET: Brackets = Brackets { open: "{ ", close: " }", separator: "," };
const SEQUENCE: Brackets = Brackets { open: "<< ", close: " >>", separator: "," };
const RECORD: Brackets = Brackets { open: "[ ", close: " ]", separator: "," };
const FUNCTION: Brackets = Brackets { open: "( ", close: " )", separator: " @@" };
/// Number of columns by which a value is indented below its key.
const VALUE_INDENT: usize = 4;

fn node<'r, H: Host<'r> + ?Sized>(host: &mut H, value: Value<'r>) -> OpResult<PrettyNode> {
    let value = match expand(host, value)? {
        ShownForm::AsItIs(value) | ShownForm::Instead(value) => value,
    };
    let parts = match value.view() {
        View::Set { elements, .. } => PrettyParts::List(SET, nodes(host, elements)?),
        View::Sequence(elements) => PrettyParts::List(SEQUENCE, nodes(host, elements)?),
        View::Record(shape, values) if shape.fields().iter().all(|field| field.is_identifier()) => {
            let names = shape.fields().iter().map(|field| PrettyNode::leaf(field.text().to_owned()));
            PrettyParts::Pairs(RECORD, " |->", names.zip(nodes(host, values)?).collect())
        }
        View::Record(shape, values) => {
            let keys: Vec<Value<'r>> = shape.fields().iter().map(|&field| Value::atom(field)).collect();
            pairs(host, &keys, values)?
        }
        View::Function(domain, values) => pairs(host, &domain_items(domain), values)?,
        View::Bool(_) | View::Int(_) | View::BigInt(_) | View::String(_) | View::ModelValue(_) => {
            PrettyParts::None
        }
        View::LazyFunction { .. } | View::Interval(..) | View::Powerset(_) | View::KSubsets(..) => {
            PrettyParts::None
        }
        View::FunctionSet(..) | View::RecordSet(..) | View::Product(_) | View::Filter(..) => {
            PrettyParts::None
        }
        View::Cup(..) | View::Cap(..) | View::Difference(..) | View::Union(_) | View::Naturals => {
            PrettyParts::None
        }
        View::Integers | View::Reals | View::Strings | View::Sequences(_) | View::Anything => {
            PrettyParts::None
        }
    };
    Ok(PrettyNode { parts, ..PrettyNode::leaf(print(host, value)?) })
}

fn nodes<'r, H: Host<'r> + ?Sized>(host: &mut H, items: Items<'r>) -> OpResult<Vec<PrettyNode>> {
    items.iter().map(|item| with_stack(|| node(host, item))).collect()
}

fn pairs<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    keys: &[Value<'r>],
    values: Items<'r>,
) -> OpResult<PrettyParts> {
    let keys: Vec<PrettyNode> =
        keys.iter().map(|&key| with_stack(|| node(host, key))).collect::<OpResult<_>>()?;
    let values = nodes(host, values)?;
    Ok(PrettyParts::Pairs(FUNCTION, " :>", keys.into_iter().zip(values).collect()))
}

impl PrettyNode {
    fn leaf(line: String) -> PrettyNode {
        PrettyNode { len: line.chars().count(), line, parts: PrettyParts::None }
    }
}

/// The columns from the current indent on, and how many of them the last line must leave for the text after it.
#[derive(Clone, Copy)]
struct Room {
    width: usize,
    trailer: usize,
}

impl Room {
    fn holds(self, len: usize) -> bool {
        len + self.trailer <= self.width
    }

    fn inside(self, columns: usize, trailer: usize) -> Room {
        Room { width: self.width.saturating_sub(columns), trailer }
    }
}

struct Layout {
    out: String,
}

impl Layout {
    fn node(&mut self, node: &PrettyNode, room: Room, indent: usize) {
        if room.holds(node.len) {
            return self.out.push_str(&node.line);
        }
        match &node.parts {
            PrettyParts::None => self.out.push_str(&node.line),
            PrettyParts::List(brackets, elements) => self.list(*brackets, elements, room, indent),
            PrettyParts::Pairs(brackets, arrow, pairs) => {
                self.out.push_str(brackets.open);
                let columns = brackets.open.len();
                for (index, pair) in pairs.iter().enumerate() {
                    let is_last = index + 1 == pairs.len();
                    let trailer =
                        if is_last { room.trailer + brackets.close.len() } else { brackets.separator.len() };
                    self.pair(pair, arrow, room.inside(columns, trailer), indent + columns);
                    if !is_last {
                        self.out.push_str(brackets.separator);
                        self.new_line(indent + columns);
                    }
                }
                self.out.push_str(brackets.close);
            }
        }
    }

    fn list(&mut self, brackets: Brackets, elements: &[PrettyNode], room: Room, indent: usize) {
        self.out.push_str(brackets.open);
        let columns = brackets.open.len();
        for (index, element) in elements.iter().enumerate() {
            let is_last = index + 1 == elements.len();
            let trailer =
                if is_last { room.trailer + brackets.close.len() } else { brackets.separator.len() };
            with_stack(|| self.node(element, room.inside(columns, trailer), indent + columns));
            if !is_last {
                self.out.push_str(brackets.separator);
                self.new_line(indent + columns);
            }
        }
        self.out.push_str(brackets.close);
    }

    fn pair(&mut self, (key, value): &(PrettyNode, PrettyNode), arrow: &str, room: Room, indent: usize) {
        if room.holds(key.len + arrow.len() + 1 + value.len) {
            self.out.push_str(&key.line);
            self.out.push_str(arrow);
            self.out.push(' ');
            return self.out.push_str(&value.line);
        }
        with_stack(|| self.node(key, room.inside(0, arrow.len()), indent));
        self.out.push_str(arrow);
        self.new_line(indent + VALUE_INDENT);
        with_stack(|| self.node(value, room.inside(VALUE_INDENT, room.trailer), indent + VALUE_INDENT));
    }

    fn new_line(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
    }
}
