//! `-dumpTrace tlc`: a counterexample as TLC keeps values on disk, so that TLC's `-loadTrace tlc` reads it.
//!
//! Each value is a byte for its kind followed by its parts, numbers with the high byte first, all of it in gzip. TLC
//! may refer back to a value that it has written before; this writer never does, which TLC accepts as well.

use base::with_stack;
use num_bigint::BigInt;

use super::record;
use crate::{Datum, Trace};

/// TLC's numbers for the kinds of values.
pub(super) mod kind {
    pub const BOOL: u8 = 0;
    pub const INT: u8 = 1;
    pub const STRING: u8 = 3;
    pub const RECORD: u8 = 4;
    pub const SET: u8 = 5;
    pub const TUPLE: u8 = 7;
    pub const FUNCTION: u8 = 9;
    pub const MODEL: u8 = 21;
}

/// Returns the file, or the reason why TLC could not read it back. `model_values` are those of the configuration in its
/// order: TLC stores their numbers.
pub fn binary(trace: &Trace, model_values: &[String]) -> Result<Vec<u8>, String> {
    let names = trace.variables.iter().map(|name| Datum::string(name.as_str()));
    let whole = Datum::record([("counterexample", record::of(trace)), ("vars", Datum::Set(names.collect()))]);
    let mut writer = BinaryWriter { model_values, bytes: Vec::new() };
    writer.value(&whole)?;
    Ok(base::gzip(&writer.bytes))
}

struct BinaryWriter<'a> {
    model_values: &'a [String],
    bytes: Vec<u8>,
}

impl BinaryWriter<'_> {
    fn value(&mut self, datum: &Datum) -> Result<(), String> {
        with_stack(|| match datum {
            Datum::Bool(value) => {
                self.bytes.extend([kind::BOOL, u8::from(*value)]);
                Ok(())
            }
            Datum::Int(value) => self.integer(value),
            Datum::Str(text) => self.string(text),
            Datum::Model(name) => self.model_value(name),
            Datum::Seq(items) => self.tuple(items),
            Datum::Record(fields) if fields.is_empty() => self.tuple(&[]),
            Datum::Record(fields) => self.record(fields),
            Datum::Function(pairs) => self.function(pairs),
            Datum::Set(elements) => {
                self.bytes.push(kind::SET);
                self.int(-number(elements.len())?);
                elements.iter().try_for_each(|element| self.value(element))
            }
            Datum::Opaque(text) => Err(format!("`{text}` is no value that can be written down")),
        })
    }

    fn int(&mut self, number: i32) {
        self.bytes.extend(number.to_be_bytes());
    }

    fn integer(&mut self, value: &BigInt) -> Result<(), String> {
        let number = i32::try_from(value).map_err(|_| format!("TLC has no number as large as {value}"))?;
        self.bytes.push(kind::INT);
        self.int(number);
        Ok(())
    }

    /// Writes a string. The first two numbers are indices into TLC's own tables, which it ignores when reading.
    fn string(&mut self, text: &str) -> Result<(), String> {
        let too_wide = |c: char| format!("TLC would lose the character `{c}` of a string");
        let bytes = text.chars().map(|c| u8::try_from(c).map_err(|_| too_wide(c)));
        let bytes: Vec<u8> = bytes.collect::<Result<_, _>>()?;
        self.bytes.push(kind::STRING);
        self.int(0);
        self.int(-1);
        self.int(number(bytes.len())?);
        self.bytes.extend(bytes);
        Ok(())
    }

    fn model_value(&mut self, name: &str) -> Result<(), String> {
        let at = self.model_values.iter().position(|known| known == name);
        let at = at.and_then(|at| i16::try_from(at).ok());
        let at =
            at.ok_or_else(|| format!("the number that TLC has for the model value {name} is not known"))?;
        self.bytes.push(kind::MODEL);
        self.bytes.extend(at.to_be_bytes());
        Ok(())
    }

    fn length(&mut self, n: usize) -> Result<(), String> {
        match i16::try_from(n) {
            Ok(short) => self.bytes.extend(short.to_be_bytes()),
            Err(_) => self.int(-number(n)?),
        }
        Ok(())
    }

    fn tuple(&mut self, items: &[Datum]) -> Result<(), String> {
        self.bytes.push(kind::TUPLE);
        self.length(items.len())?;
        items.iter().try_for_each(|item| self.value(item))
    }

    fn record(&mut self, fields: &[(String, Datum)]) -> Result<(), String> {
        self.bytes.push(kind::RECORD);
        self.int(-number(fields.len())?);
        for (name, value) in fields {
            self.string(name)?;
            self.value(value)?;
        }
        Ok(())
    }

    fn function(&mut self, pairs: &[(Datum, Datum)]) -> Result<(), String> {
        /// Says that the arguments are written, in any order.
        const UNORDERED: u8 = 2;
        self.bytes.push(kind::FUNCTION);
        self.length(pairs.len())?;
        self.bytes.push(UNORDERED);
        for (argument, value) in pairs {
            self.value(argument)?;
            self.value(value)?;
        }
        Ok(())
    }
}

fn number(n: usize) -> Result<i32, String> {
    i32::try_from(n).map_err(|_| format!("TLC has no value with {n} parts"))
}

#[cfg(test)]
mod tests {
    use super::BinaryWriter;
    use crate::Datum;

    fn write(datum: &Datum) -> Result<Vec<u8>, String> {
        let model_values = ["a".to_owned(), "b".to_owned()];
        let mut writer = BinaryWriter { model_values: &model_values, bytes: Vec::new() };
        writer.value(datum).map(|()| writer.bytes)
    }

    #[test]
    fn values_have_the_form_that_tlc_reads() {
        let check = |datum: Datum, bytes: &[u8]| assert_eq!(write(&datum).as_deref(), Ok(bytes), "{datum}");
        check(Datum::Bool(true), &[0, 1]);
        check(Datum::int(-2), &[1, 255, 255, 255, 254]);
        check(Datum::model("b"), &[21, 0, 1]);
        check(Datum::string("hi"), &[3, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 2, b'h', b'i']);
        check(Datum::seq(vec![Datum::Bool(false)]), &[7, 0, 1, 0, 0]);
        check(Datum::set(vec![Datum::Bool(false)]), &[5, 255, 255, 255, 255, 0, 0]);
        check(Datum::function(vec![(Datum::Bool(true), Datum::Bool(false))]), &[9, 0, 1, 2, 0, 1, 0, 0]);
        let field =
            [&[4, 255, 255, 255, 255][..], &[3, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 1, b'f', 0, 1]];
        check(Datum::record([("f", Datum::Bool(true))]), &field.concat());
    }

    #[test]
    fn what_tlc_could_not_read_back_is_not_written() {
        for datum in
            [Datum::int(1_i64 << 40), Datum::model("c"), Datum::string("λ"), Datum::Opaque("Nat".into())]
        {
            assert!(write(&datum).is_err(), "{datum}");
        }
    }
}
