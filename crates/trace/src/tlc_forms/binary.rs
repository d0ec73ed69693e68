//! `-dumpTrace tlc`: a counterexample as TLC keeps values on disk, so that TLC's `-loadTrace tlc` reads it.

use base::with_stack;
use num_bigint::BigInt;
use pickle::{Arguments, PartOrder, TooManyParts, Writer};

use super::record;
use crate::{Datum, Trace};

/// Returns the file, or the reason why TLC could not read it back. `model_values` are those of the configuration in its
/// order: TLC stores their numbers.
pub fn binary(trace: &Trace, model_values: &[String]) -> Result<Vec<u8>, String> {
    let names = trace.variables.iter().map(|name| Datum::string(name.as_str()));
    let whole = Datum::record([("counterexample", record::of(trace)), ("vars", Datum::Set(names.collect()))]);
    let mut writer = DatumWriter { model_values, out: Writer::default() };
    writer.value(&whole)?;
    Ok(base::gzip(&writer.out.into_bytes()))
}

struct DatumWriter<'a> {
    model_values: &'a [String],
    out: Writer,
}

impl DatumWriter<'_> {
    fn value(&mut self, datum: &Datum) -> Result<(), String> {
        with_stack(|| match datum {
            Datum::Bool(value) => {
                self.out.bool(*value);
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
                self.out.begin_set(elements.len()).map_err(too_many_parts)?;
                elements.iter().try_for_each(|element| self.value(element))
            }
            Datum::Opaque(text) => Err(format!("`{text}` is no value that can be written down")),
        })
    }

    fn integer(&mut self, value: &BigInt) -> Result<(), String> {
        let number = i32::try_from(value).map_err(|_| format!("TLC has no number as large as {value}"))?;
        self.out.int(number);
        Ok(())
    }

    fn string(&mut self, text: &str) -> Result<(), String> {
        match text.chars().find(|&c| u8::try_from(c).is_err()) {
            Some(c) => Err(format!("TLC would lose the character `{c}` of a string")),
            None => self.out.string(text).map_err(too_many_parts),
        }
    }

    fn model_value(&mut self, name: &str) -> Result<(), String> {
        let at = self.model_values.iter().position(|known| known == name);
        let at = at.and_then(|at| i16::try_from(at).ok());
        let at =
            at.ok_or_else(|| format!("the number that TLC has for the model value {name} is not known"))?;
        self.out.model(at);
        Ok(())
    }

    fn tuple(&mut self, items: &[Datum]) -> Result<(), String> {
        self.out.begin_tuple(items.len()).map_err(too_many_parts)?;
        items.iter().try_for_each(|item| self.value(item))
    }

    fn record(&mut self, fields: &[(String, Datum)]) -> Result<(), String> {
        self.out.begin_record(fields.len(), PartOrder::Any).map_err(too_many_parts)?;
        for (name, value) in fields {
            self.string(name)?;
            self.value(value)?;
        }
        Ok(())
    }

    fn function(&mut self, pairs: &[(Datum, Datum)]) -> Result<(), String> {
        self.out.begin_function(pairs.len(), Arguments::Written).map_err(too_many_parts)?;
        for (argument, value) in pairs {
            self.value(argument)?;
            self.value(value)?;
        }
        Ok(())
    }
}

fn too_many_parts(TooManyParts(n): TooManyParts) -> String {
    format!("TLC has no value with {n} parts")
}

#[cfg(test)]
mod tests {
    use pickle::Writer;

    use super::DatumWriter;
    use crate::Datum;

    fn write(datum: &Datum) -> Result<Vec<u8>, String> {
        let model_values = ["a".to_owned(), "b".to_owned()];
        let mut writer = DatumWriter { model_values: &model_values, out: Writer::default() };
        writer.value(datum).map(|()| writer.out.into_bytes())
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
