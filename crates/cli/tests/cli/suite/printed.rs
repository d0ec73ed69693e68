//! TLC's listing of a state, read back: variables and their values.

use trace::Datum;

/// The equations of a state: `/\ x = 1` a line, or `x = 1` alone. `None` for a variable without a value.
pub fn state(text: &str) -> Result<Vec<(String, Option<Datum>)>, String> {
    let mut reader = Reader { rest: text };
    let mut equations = Vec::new();
    while !reader.is_at_end() {
        reader.opt("/\\");
        let name = reader.name()?;
        reader.expect("=")?;
        let value = if reader.opt("null") { None } else { Some(reader.value()?) };
        equations.push((name, value));
    }
    Ok(equations)
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn is_at_end(&mut self) -> bool {
        self.rest = self.rest.trim_start();
        self.rest.is_empty()
    }

    fn opt(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.opt(token) { Ok(()) } else { Err(format!("`{token}` expected before `{}`", self.rest)) }
    }

    fn name(&mut self) -> Result<String, String> {
        self.rest = self.rest.trim_start();
        let len = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        if len == 0 {
            return Err(format!("a name expected before `{}`", self.rest));
        }
        let (name, rest) = self.rest.split_at(len);
        self.rest = rest;
        Ok(name.to_owned())
    }

    fn value(&mut self) -> Result<Datum, String> {
        if self.opt("<<") {
            return Ok(Datum::seq(self.list(">>", Self::value)?));
        }
        if self.opt("{") {
            return Ok(Datum::set(self.list("}", Self::value)?));
        }
        if self.opt("[") {
            return Ok(Datum::record(self.list("]", Self::field)?));
        }
        if self.opt("(") {
            return self.function();
        }
        if self.opt("\"") {
            return self.string();
        }
        let is_negative = self.opt("-");
        let word = self.name()?;
        match (word.as_str(), word.parse::<i64>()) {
            (_, Ok(number)) => self.number(if is_negative { -number } else { number }),
            ("TRUE", _) => Ok(Datum::Bool(true)),
            ("FALSE", _) => Ok(Datum::Bool(false)),
            _ => Ok(Datum::Model(word)),
        }
    }

    /// A number, or an interval that begins with it.
    fn number(&mut self, first: i64) -> Result<Datum, String> {
        if !self.opt("..") {
            return Ok(Datum::int(first));
        }
        let sign = if self.opt("-") { -1 } else { 1 };
        let last = self.name()?.parse::<i64>().map_err(|error| error.to_string())?;
        Ok(Datum::Set((first..=sign * last).map(Datum::int).collect()))
    }

    fn list<T>(
        &mut self,
        end: &str,
        item: impl Fn(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let mut items = Vec::new();
        if self.opt(end) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.opt(end) {
                return Ok(items);
            }
            self.expect(",")?;
        }
    }

    fn field(&mut self) -> Result<(String, Datum), String> {
        let name = self.name()?;
        self.expect("|->")?;
        Ok((name, self.value()?))
    }

    /// `(1 :> "a" @@ 2 :> "b")`
    fn function(&mut self) -> Result<Datum, String> {
        let mut pairs = Vec::new();
        loop {
            let argument = self.value()?;
            self.expect(":>")?;
            pairs.push((argument, self.value()?));
            if self.opt(")") {
                return Ok(Datum::function(pairs));
            }
            self.expect("@@")?;
        }
    }

    fn string(&mut self) -> Result<Datum, String> {
        let mut text = String::new();
        let mut chars = self.rest.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(Datum::Str(text));
                }
                '\\' => text.push(chars.next().map_or('\\', |(_, escaped)| escaped)),
                c => text.push(c),
            }
        }
        Err("a string does not end".to_owned())
    }
}

#[test]
fn a_state_as_tlc_prints_it_is_read() {
    let text =
        "/\\ f = (0 :> {n1, n2} @@ 2 :> -1..1)\n/\\ r = [ a |-> <<\"x\\\"\">>,\n  b |-> TRUE ]\n/\\ z = null";
    let equations = state(text).expect("it can be read");
    let set = |items: Vec<Datum>| Datum::set(items);
    let f = Datum::function(vec![
        (Datum::int(0), set(vec![Datum::model("n2"), Datum::model("n1")])),
        (Datum::int(2), set(vec![Datum::int(0), Datum::int(-1), Datum::int(1)])),
    ]);
    let r = Datum::record([("b", Datum::Bool(true)), ("a", Datum::seq(vec![Datum::string("x\"")]))]);
    let expected =
        vec![("f".to_owned(), Some(f)), ("r".to_owned(), Some(r)), ("z".to_owned(), None::<Datum>)];
    assert_eq!(equations, expected);
}
