//! Reads values from TLA+ text, so that tests read like the language: literals, set operators, and filters and
//! functions with a few named bodies (`even`, `any`, `odd_or_error`, `same`, `next`, `fact`).

use value::{Atoms, Closure, Host, Items, OpError, OpResult, Plain, Region, Shape, Value, ValueVec, ops};

/// A host that knows the named bodies.
pub struct Evaluator<'r> {
    region: &'r Region,
    pub atoms: &'static Atoms,
    pub n_calls: usize,
}

impl<'r> Evaluator<'r> {
    pub fn new(region: &'r Region) -> Self {
        let atoms = Atoms::new();
        // The order of declaration is the normal order.
        for name in ["z", "b", "a", "c", "m1", "m2", "A_1", "A_2", "B_1", "none"] {
            atoms.declare(name);
        }
        Evaluator { region, atoms, n_calls: 0 }
    }

    /// Returns the value of a text. The test fails if it has none.
    #[track_caller]
    pub fn value(&mut self, text: &str) -> Value<'r> {
        self.opt_value(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    pub fn opt_value(&mut self, text: &str) -> OpResult<Value<'r>> {
        let mut parser = Parser { host: self, rest: text };
        let value = parser.expression()?;
        assert!(parser.rest.trim().is_empty(), "`{}` is left of `{text}`", parser.rest);
        Ok(value)
    }

    #[track_caller]
    pub fn printed(&mut self, text: &str) -> String {
        let value = self.value(text);
        value::print(self, value).unwrap_or_else(|error| panic!("{text}: {error}"))
    }
}

const BODIES: [&str; 6] = ["even", "any", "odd_or_error", "same", "next", "fact"];

impl<'r> Host<'r> for Evaluator<'r> {
    fn region(&self) -> &'r Region {
        self.region
    }

    fn call(&mut self, closure: Closure<'r>, args: &[Value<'r>]) -> OpResult<Value<'r>> {
        self.n_calls += 1;
        let x = args[0];
        match BODIES[closure.code as usize] {
            "even" => Ok(Value::bool(x.as_i64().is_some_and(|x| x % 2 == 0))),
            "any" => Ok(Value::TRUE),
            "odd_or_error" if x.as_i64().is_some_and(|x| x % 2 == 0) => {
                Err(Box::new(OpError::Raised(std::sync::Arc::new("even!"))))
            }
            "odd_or_error" => Ok(Value::TRUE),
            "same" => Ok(x),
            "next" => ops::add(self, x, Value::small(1)),
            "fact" if x.as_i64() == Some(0) => Ok(Value::small(1)),
            "fact" => {
                let before = ops::subtract(self, x, Value::small(1))?;
                let rest = ops::apply(self, args[1], before)?;
                ops::multiply(self, x, rest)
            }
            other => panic!("no body {other}"),
        }
    }
}

struct Parser<'a, 'r, 't> {
    host: &'a mut Evaluator<'r>,
    rest: &'t str,
}

impl<'r, 't> Parser<'_, 'r, 't> {
    fn expression(&mut self) -> OpResult<Value<'r>> {
        let left = self.primary()?;
        self.infix(left)
    }

    /// Reads infix operators, all of one precedence, from the left.
    fn infix(&mut self, mut left: Value<'r>) -> OpResult<Value<'r>> {
        loop {
            left = if self.take("\\cup") {
                let right = self.primary()?;
                ops::cup(self.host, left, right)?
            } else if self.take("\\cap") {
                let right = self.primary()?;
                ops::cap(self.host, left, right)?
            } else if self.take("\\X") {
                let right = self.primary()?;
                ops::product(self.host, &[left, right])
            } else if self.peek("\\in") {
                return Ok(left);
            } else if self.take("\\") {
                let right = self.primary()?;
                ops::difference(self.host, left, right)?
            } else if self.take("..") {
                let right = self.primary()?;
                ops::interval(self.host, left, right)?
            } else if self.take(":>") {
                let right = self.primary()?;
                ops::pair(self.host, left, right)?
            } else if self.take("@@") {
                let right = self.primary()?;
                let right = if self.take(":>") {
                    let value = self.primary()?;
                    ops::pair(self.host, right, value)?
                } else {
                    right
                };
                ops::merge(self.host, left, right)?
            } else {
                return Ok(left);
            };
        }
    }

    fn primary(&mut self) -> OpResult<Value<'r>> {
        self.skip_spaces();
        if self.take("<<") {
            let items = self.list(">>")?;
            return Ok(self.host.region.sequence(&items));
        }
        if self.take("{") {
            return self.set();
        }
        if self.take("[") {
            return self.bracket();
        }
        if self.take("(") {
            let value = self.expression()?;
            self.expect(")");
            return Ok(value);
        }
        if self.take("\"") {
            let end = self.rest.find('"').expect("a string ends");
            let atom = self.host.atoms.string(&self.rest[..end]);
            self.rest = &self.rest[end + 1..];
            return Ok(Value::atom(atom));
        }
        self.word()
    }

    fn word(&mut self) -> OpResult<Value<'r>> {
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let end = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        assert!(!word.is_empty(), "a value, not `{}`", self.rest);
        self.rest = rest;
        if let Ok(int) = word.parse::<num_bigint::BigInt>() {
            return Ok(self.host.region.big_int(&int));
        }
        match word {
            "TRUE" => Ok(Value::TRUE),
            "FALSE" => Ok(Value::FALSE),
            "Nat" => Ok(Value::NAT),
            "Int" => Ok(Value::INT),
            "Real" => Ok(Value::REAL),
            "STRING" => Ok(Value::STRING),
            "ANY" => Ok(Value::ANY),
            "SUBSET" | "UNION" | "Seq" | "DOMAIN" => {
                let operand = self.primary()?;
                match word {
                    "SUBSET" => Ok(ops::powerset(self.host, operand)),
                    "UNION" => ops::union(self.host, operand),
                    "Seq" => Ok(ops::sequences(self.host, operand)),
                    _ => ops::domain(self.host, operand),
                }
            }
            "kSubset" => {
                self.expect("(");
                let size = self.primary()?.as_i64().expect("a size");
                self.expect(",");
                let set = self.expression()?;
                self.expect(")");
                Ok(ops::k_subsets(self.host, size as u32, set))
            }
            name => Ok(Value::atom(self.host.atoms.string(name).as_model_value())),
        }
    }

    fn list(&mut self, close: &str) -> OpResult<Vec<Value<'r>>> {
        let mut items = Vec::new();
        while !self.take(close) {
            items.push(self.expression()?);
            if !self.peek(close) {
                self.expect(",");
            }
        }
        Ok(items)
    }

    /// Reads `{e1, ...}` or `{x \in S : body}`.
    fn set(&mut self) -> OpResult<Value<'r>> {
        if self.take("x \\in") {
            let set = self.expression()?;
            self.expect(":");
            let closure = self.closure();
            self.expect("}");
            if !ops::is_eager(set) {
                return Ok(ops::filter(self.host, set, closure));
            }
            let mut kept = ValueVec::new(self.host.region);
            let mut elements = ops::elements(self.host, set)?;
            while let Some(element) = elements.next(self.host)? {
                if self.host.call(closure, &[element])?.as_bool().expect("a boolean") {
                    kept.push(element);
                }
            }
            return Ok(kept.into_set());
        }
        let items = self.list("}")?;
        Ok(self.host.region.set(&items))
    }

    fn closure(&mut self) -> Closure<'r> {
        self.skip_spaces();
        let code = BODIES.iter().position(|body| self.rest.starts_with(body)).expect("a body");
        self.rest = &self.rest[BODIES[code].len()..];
        Closure { code: code as u32, flags: 0, captured: Items::EMPTY }
    }

    /// Reads `[f |-> e, ...]`, `[f : S, ...]`, `[x \in S |-> body]` (always lazy) or `[S -> T]`.
    fn bracket(&mut self) -> OpResult<Value<'r>> {
        if self.take("x \\in") {
            let set = self.expression()?;
            self.expect("|->");
            let closure = self.closure();
            self.expect("]");
            return Ok(ops::lazy_function(self.host, set, closure));
        }
        let separator = self.rest.trim_start().trim_start_matches(|c: char| c.is_alphanumeric()).trim_start();
        let is_record = separator.starts_with("|->");
        if is_record || separator.starts_with(':') {
            return self.fields(if is_record { "|->" } else { ":" });
        }
        let domain = self.expression()?;
        self.expect("->");
        let range = self.expression()?;
        self.expect("]");
        Ok(ops::function_set(self.host, domain, range))
    }

    fn fields(&mut self, arrow: &str) -> OpResult<Value<'r>> {
        let mut fields = Vec::new();
        while !self.take("]") {
            let (name, rest) = self.rest.trim_start().split_once(arrow).expect("an arrow");
            self.rest = rest;
            fields.push((self.host.atoms.string(name.trim()), self.expression()?));
            if !self.peek("]") {
                self.expect(",");
            }
        }
        fields.sort_by(|left, right| left.0.rank_cmp(right.0));
        let shape =
            Shape::new(&fields.iter().map(|field| field.0).collect::<Vec<_>>()).expect("distinct fields");
        let values: Vec<Value<'r>> = fields.iter().map(|field| field.1).collect();
        match arrow {
            ":" => Ok(ops::record_set(self.host, shape, &values)),
            _ => Ok(self.host.region.record(shape, &values)),
        }
    }

    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn peek(&mut self, token: &str) -> bool {
        self.skip_spaces();
        self.rest.starts_with(token)
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.peek(token);
        if found {
            self.rest = &self.rest[token.len()..];
        }
        found
    }

    fn expect(&mut self, token: &str) {
        assert!(self.take(token), "`{token}` before `{}`", self.rest);
    }
}

#[test]
fn the_notation_itself() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    for text in
        ["<<1, \"a\">>", "[b |-> 1, a |-> {}]", "(1 :> 2 @@ 3 :> 4)", "m1", "-5", "TRUE", "Nat", "1..3"]
    {
        assert_eq!(host.printed(text), text);
    }
    assert!(value::print(&mut Plain(&region), Value::TRUE).is_ok());
}
