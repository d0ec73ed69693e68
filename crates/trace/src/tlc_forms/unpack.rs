//! `-loadTrace tlc`: reads a counterexample as TLC keeps values on disk. TLC refers to values that it has written before
//! by their numbers.

use base::{GunzipError, gunzip, with_stack};
use pickle::{Arguments, Kind, Reader};

use crate::{Binding, Datum, Ending, Place, Point, State, Step, Trace};

/// The most bytes that a file may hold, so that a small one does not fill the memory.
const HELD_BYTES_MAX: u64 = 1 << 28;
/// The most values in a file, so that a damaged one does not fill the memory.
const VALUES_MAX: usize = 1 << 24;
/// Number of bytes of a text that count as one value.
const TEXT_BYTES_PER_VALUE: usize = 32;

/// Reads the trace in a file. `model_values` are those of the configuration in its order.
pub fn read_binary(file: &[u8], model_values: &[String]) -> Result<Trace, String> {
    let bytes = gunzip(file, HELD_BYTES_MAX).map_err(|error| match error {
        GunzipError::Damaged => "it is no gzip file, or is damaged".to_owned(),
        GunzipError::TooLong => "it holds more than 256 MB".to_owned(),
    })?;
    let whole = DatumReader::new(model_values, &bytes, VALUES_MAX).value()?;
    trace(&whole).ok_or_else(|| "this is no counterexample of TLC".to_owned())
}

struct DatumReader<'a> {
    model_values: &'a [String],
    input: Reader<'a>,
    /// The values that can be referred to, by number; `None` while the value is being read.
    seen: Vec<Option<SeenValue>>,
    /// Number of values so far, including those by reference.
    n_values: usize,
    /// Number of values in copies of those that can be referred to.
    n_copied: usize,
    n_values_max: usize,
    /// Depth of the value that is being read.
    depth: usize,
    /// The greatest depth in the value that is being read.
    deepest: usize,
}

/// A value, the number of values in it, and its depth.
struct SeenValue {
    datum: Datum,
    n_values: usize,
    height: usize,
}

impl SeenValue {
    fn text(text: &str) -> SeenValue {
        SeenValue { datum: Datum::string(text), n_values: n_values_in(text.len()), height: 0 }
    }
}

/// Returns the number of values that a text of so many bytes counts as.
fn n_values_in(n_bytes: usize) -> usize {
    1 + n_bytes / TEXT_BYTES_PER_VALUE
}

type Read<T> = Result<T, String>;

impl<'a> DatumReader<'a> {
    fn new(model_values: &'a [String], bytes: &'a [u8], n_values_max: usize) -> DatumReader<'a> {
        DatumReader {
            model_values,
            input: Reader::new(bytes),
            seen: Vec::new(),
            n_values: 0,
            n_copied: 0,
            n_values_max,
            depth: 0,
            deepest: 0,
        }
    }

    fn place(&mut self) -> usize {
        self.seen.push(None);
        self.seen.len() - 1
    }

    fn count(&mut self, n_values: usize) -> Read<()> {
        self.n_values = self.n_values.saturating_add(n_values);
        self.fits()
    }

    fn count_copy(&mut self, n_values: usize) -> Read<()> {
        self.n_copied = self.n_copied.saturating_add(n_values);
        self.fits()
    }

    fn fits(&self) -> Read<()> {
        match self.n_values.saturating_add(self.n_copied) > self.n_values_max {
            true => Err("it has too many values".to_owned()),
            false => Ok(()),
        }
    }

    fn value(&mut self) -> Read<Datum> {
        self.count(1)?;
        self.depth += 1;
        self.reach(self.depth)?;
        let datum = with_stack(|| self.any_kind());
        self.depth -= 1;
        datum
    }

    /// Notes a depth, and fails if it is too great.
    fn reach(&mut self, depth: usize) -> Read<()> {
        self.deepest = self.deepest.max(depth);
        match depth > Datum::DEPTH_MAX {
            true => Err("its values are too deep".to_owned()),
            false => Ok(()),
        }
    }

    fn any_kind(&mut self) -> Read<Datum> {
        let byte = self.input.byte().ok_or_else(ends_early)?;
        let kind =
            Kind::of(byte).ok_or_else(|| format!("there is no kind of value with the number {byte}"))?;
        match kind {
            Kind::Bool => self.input.bool().map(Datum::Bool).ok_or_else(ends_early),
            Kind::Int => self.input.int().map(Datum::int).ok_or_else(ends_early),
            Kind::String => {
                let place = self.place();
                self.read_kept_text(place).map(Datum::Str)
            }
            Kind::Model => self.model_value(),
            Kind::Interval => self.interval(),
            Kind::Record => self.read_kept(DatumReader::record),
            Kind::Set => self.read_kept(|reader| {
                let length = reader.input.signed_len().ok_or_else(ends_early)?;
                reader.values(length).map(Datum::set)
            }),
            Kind::Tuple => self.read_kept(|reader| {
                let length = reader.input.length().ok_or_else(ends_early)?;
                reader.values(length).map(Datum::seq)
            }),
            Kind::Function => self.read_kept(DatumReader::function),
            Kind::Reference => self.read_reference(),
        }
    }

    /// Reads a value that can be referred to later. Its number precedes those of its parts.
    fn read_kept(&mut self, body: impl FnOnce(&mut Self) -> Read<Datum>) -> Read<Datum> {
        let (place, n_before) = (self.place(), self.n_values);
        let outer = std::mem::replace(&mut self.deepest, self.depth);
        let datum = body(self)?;
        let (n_values, height) = (self.n_values - n_before + 1, self.deepest - self.depth);
        self.deepest = self.deepest.max(outer);
        self.count_copy(n_values)?;
        self.seen[place] = Some(SeenValue { datum: datum.clone(), n_values, height });
        Ok(datum)
    }

    /// Reads a text that can be referred to later.
    fn read_kept_text(&mut self, place: usize) -> Read<String> {
        let text = self.text()?;
        self.seen[place] = Some(SeenValue::text(&text));
        Ok(text)
    }

    fn read_reference(&mut self) -> Read<Datum> {
        let number = self.input.length().ok_or_else(ends_early)?;
        let seen = self.seen.get(number).and_then(Option::as_ref);
        let seen = seen.ok_or_else(|| format!("no value before this has the number {number}"))?;
        let (n_values, height) = (seen.n_values, seen.height);
        self.count(n_values)?;
        self.reach(self.depth + height)?;
        let seen = self.seen[number].as_ref().expect("it was just there");
        Ok(seen.datum.clone())
    }

    fn values(&mut self, length: usize) -> Read<Vec<Datum>> {
        (0..length).map(|_| self.value()).collect()
    }

    fn text(&mut self) -> Read<String> {
        let characters = self.input.string().ok_or_else(ends_early)?;
        self.count(n_values_in(characters.len()))?;
        self.count_copy(n_values_in(characters.len()))?;
        Ok(pickle::text(characters))
    }

    fn model_value(&mut self) -> Read<Datum> {
        let number = self.input.model().ok_or_else(ends_early)?;
        let name = usize::try_from(number).ok().and_then(|number| self.model_values.get(number));
        let name = name.ok_or_else(|| {
            format!("the configuration has no model value with the number {number}; is it that of the trace?")
        })?;
        Ok(Datum::model(name))
    }

    fn interval(&mut self) -> Read<Datum> {
        let (low, high) = self.input.interval().ok_or_else(ends_early)?;
        let (low, high) = (i64::from(low), i64::from(high));
        self.count(usize::try_from(high - low).unwrap_or(0))?;
        Ok(Datum::Set((low..=high).map(Datum::int).collect()))
    }

    fn record(&mut self) -> Read<Datum> {
        let length = self.input.signed_len().ok_or_else(ends_early)?;
        let mut fields = Vec::new();
        for _ in 0..length {
            let kind = self.input.byte().ok_or_else(ends_early)?;
            let name = match Kind::of(kind) {
                Some(Kind::Reference) => match self.read_reference()? {
                    Datum::Str(name) => name,
                    Datum::Bool(_)
                    | Datum::Int(_)
                    | Datum::Model(_)
                    | Datum::Seq(_)
                    | Datum::Set(_)
                    | Datum::Record(_)
                    | Datum::Function(_)
                    | Datum::Opaque(_) => {
                        return Err("a field has no name".to_owned());
                    }
                },
                // TLC writes nothing else here.
                Some(_) | None => {
                    let place = self.place();
                    self.read_kept_text(place)?
                }
            };
            fields.push((name, self.value()?));
        }
        Ok(Datum::record(fields))
    }

    fn function(&mut self) -> Read<Datum> {
        let length = self.input.length().ok_or_else(ends_early)?;
        match self.input.arguments().ok_or_else(ends_early)? {
            Arguments::Interval(1, _) => self.values(length).map(Datum::seq),
            Arguments::Interval(low, _) => {
                let values = self.values(length)?;
                Ok(Datum::Function((i64::from(low)..).map(Datum::int).zip(values).collect()))
            }
            Arguments::Written => {
                let pairs = (0..length).map(|_| Ok((self.value()?, self.value()?)));
                pairs.collect::<Read<Vec<_>>>().map(Datum::function)
            }
        }
    }
}

fn ends_early() -> String {
    "it ends before it is complete".to_owned()
}

fn field<'d>(datum: &'d Datum, name: &str) -> Option<&'d Datum> {
    let Datum::Record(fields) = datum else { return None };
    fields.iter().find(|(known, _)| known == name).map(|(_, value)| value)
}

fn items(datum: &Datum) -> Option<&[Datum]> {
    match datum {
        Datum::Seq(items) | Datum::Set(items) => Some(items),
        Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) => None,
        Datum::Record(_) | Datum::Function(_) | Datum::Opaque(_) => None,
    }
}

fn number(datum: &Datum) -> Option<usize> {
    let Datum::Int(number) = datum else { return None };
    usize::try_from(number).ok()
}

fn text(datum: &Datum) -> Option<String> {
    let Datum::Str(text) = datum else { return None };
    Some(text.clone())
}

/// Converts `[counterexample |-> [state |-> {...}, action |-> {...}], vars |-> {...}]` to a trace.
fn trace(whole: &Datum) -> Option<Trace> {
    let counterexample = field(whole, "counterexample")?;
    let names = items(field(whole, "vars")?)?;
    let mut trace = Trace::new(names.iter().map(text).collect::<Option<Vec<_>>>()?);
    let mut states: Vec<(usize, &Datum)> = items(field(counterexample, "state")?)?
        .iter()
        .map(|pair| Some((number(items(pair)?.first()?)?, items(pair)?.get(1)?)))
        .collect::<Option<_>>()?;
    states.sort_by_key(|(number, _)| *number);
    if states.iter().enumerate().any(|(index, (number, _))| *number != index + 1) {
        return None;
    }
    for (_, state) in &states {
        let values = trace.variables.iter().map(|name| field(state, name).cloned()).collect();
        trace.states.push(State { step: None, values });
    }
    for edge in items(field(counterexample, "action")?)? {
        add_edge(&mut trace, items(edge)?)?;
    }
    Some(trace)
}

/// Adds a step to the next state, or from the last one back.
fn add_edge(trace: &mut Trace, edge: &[Datum]) -> Option<()> {
    let [from, action, to] = edge else { return None };
    let index = |state: &Datum| number(items(state)?.first()?)?.checked_sub(1);
    let (from, to) = (index(from)?, index(to)?);
    let (step, is_last) = (step(action), from + 1 == trace.states.len());
    if to == from + 1 {
        trace.states.get_mut(to)?.step = step;
    } else if to == from && is_last {
        trace.ending = Ending::Stuttering;
    } else if to < from && is_last {
        trace.ending = Ending::Loop { to, step };
    } else {
        return None;
    }
    Some(())
}

/// Reads a step. TLC writes an empty record for a step without a name.
fn step(action: &Datum) -> Option<Step> {
    let name = text(field(action, "name")?)?;
    let context = field(action, "context");
    let names = field(action, "parameters").and_then(items).unwrap_or_default();
    let parameters = names.iter().filter_map(|name| {
        let name = text(name)?;
        let value = field(context?, &name)?.clone();
        Some(Binding { name, value })
    });
    Some(Step { parameters: parameters.collect(), place: field(action, "location").and_then(place), name })
}

fn place(location: &Datum) -> Option<Place> {
    let at = |name: &str| number(field(location, name)?).and_then(|number| u32::try_from(number).ok());
    let module = text(field(location, "module")?)?;
    let end = Point { line: at("endLine")?, column: at("endColumn")?.saturating_add(1) };
    Some(Place {
        file: String::new(),
        start: Point { line: at("beginLine")?, column: at("beginColumn")? },
        end,
        module,
    })
}

#[cfg(test)]
mod tests {
    use super::{DatumReader, read_binary};
    use crate::tlc_forms::binary;
    use crate::{Binding, Datum, Ending, State, Step, Trace};

    fn value(bytes: &[u8]) -> Result<Datum, String> {
        let model_values = ["a".to_owned()];
        DatumReader::new(&model_values, bytes, 1 << 16).value()
    }

    fn lasso() -> Trace {
        let mut trace = Trace::new(vec!["x".to_owned(), "f".to_owned()]);
        let function = Datum::function(vec![(Datum::model("a"), Datum::set(vec![Datum::string("s")]))]);
        for (number, step) in [(0, None), (1, Some("Go")), (-7, Some("Go"))] {
            let parameters = vec![Binding { name: "p".to_owned(), value: Datum::model("a") }];
            let step = step.map(|name| Step { name: name.to_owned(), place: None, parameters });
            trace.states.push(State { step, values: vec![Some(Datum::int(number)), Some(function.clone())] });
        }
        let step = Step { name: "Back".to_owned(), place: None, parameters: Vec::new() };
        trace.ending = Ending::Loop { to: 1, step: Some(step) };
        trace
    }

    #[test]
    fn what_was_written_is_read_back() {
        let model_values = ["a".to_owned()];
        let file = binary(&lasso(), &model_values).expect("it has a form");
        assert_eq!(read_binary(&file, &model_values), Ok(lasso()));
    }

    #[test]
    fn a_value_that_was_written_before_is_found_by_its_number() {
        // A tuple of the string "s" twice: the tuple has the number 0.
        let bytes = [7, 0, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, b's', 26, 0, 1];
        assert_eq!(value(&bytes), Ok(Datum::seq(vec![Datum::string("s"), Datum::string("s")])));
        assert!(value(&[7, 0, 1, 26, 0, 0]).is_err(), "a value is not a part of itself");
    }

    #[test]
    fn intervals_are_sets_and_arguments() {
        let numbers = |from: i64| (from..from + 2).map(Datum::int);
        assert_eq!(value(&[23, 0, 0, 0, 4, 0, 0, 0, 5]), Ok(Datum::Set(numbers(4).collect())));
        let function = [9, 0, 2, 0, 0, 0, 0, 4, 0, 0, 0, 5, 0, 1, 0, 0];
        let values = [Datum::Bool(true), Datum::Bool(false)];
        assert_eq!(value(&function), Ok(Datum::Function(numbers(4).zip(values).collect())));
    }

    #[test]
    fn damaged_files_are_refused() {
        let model_values = ["a".to_owned()];
        let file = binary(&lasso(), &model_values).expect("it has a form");
        for length in 0..file.len() {
            assert!(read_binary(&file[..length], &model_values).is_err(), "{length}");
        }
        assert!(read_binary(&file, &[]).is_err(), "there is no such model value");
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 0x55;
            let _ = read_binary(&damaged, &model_values);
        }
        // Each tuple has the one before it twice.
        let mut bomb: Vec<u8> = vec![7, 0, 63];
        bomb.extend([7, 0, 0]);
        (1..63_u8).for_each(|number| bomb.extend([7, 0, 2, 26, 0, number, 26, 0, number]));
        assert_eq!(value(&bomb), Err("it has too many values".to_owned()));
    }

    #[test]
    fn what_is_deep_is_refused_before_it_is_copied() {
        // The stack of a test's thread is too small for copying a value that is a thousand deep.
        let roomy = std::thread::Builder::new().stack_size(32 << 20).spawn(deep_values);
        roomy.expect("a thread can be started").join().expect("values are refused");
    }

    fn deep_values() {
        let nested = |depth: usize| {
            let mut bytes = [7, 0, 1].repeat(depth - 1);
            bytes.extend([0, 1]);
            bytes
        };
        assert!(DatumReader::new(&[], &nested(1_000), 1 << 24).value().is_ok());
        let too_deep = Err("its values are too deep".to_owned());
        assert_eq!(DatumReader::new(&[], &nested(1_001), 1 << 24).value(), too_deep);
        // Each tuple has the one before it, by its number, so none of them is deep in the file.
        let mut chain: Vec<u8> = vec![7, 0x07, 0xd0, 7, 0, 0];
        (1..2_000_u16).for_each(|number| {
            chain.extend([7, 0, 1, 26]);
            chain.extend(number.to_be_bytes());
        });
        assert_eq!(DatumReader::new(&[], &chain, 1 << 24).value(), too_deep);
        // A value is copied for each level that it is in, and copies count.
        let many = [&[7, 0, 1].repeat(900)[..], &[7, 0, 100], &[0, 1].repeat(100)].concat();
        assert_eq!(value(&many), Err("it has too many values".to_owned()));
    }

    #[test]
    fn long_texts_count_as_often_as_they_are_referred_to() {
        let mut bytes: Vec<u8> = vec![7, 0, 200, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0];
        bytes.extend(vec![b's'; 0x4000]);
        bytes.extend([26, 0, 1].repeat(199));
        assert_eq!(value(&bytes), Err("it has too many values".to_owned()));
    }
}
