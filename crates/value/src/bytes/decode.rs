//! Reads values from bytes. Damaged bytes are refused, and no input does worse than that.

use base::with_stack;
use num_bigint::{BigInt, BigUint, Sign};

use super::{INT_END, MODEL_VALUE, SEQUENCE, SET, SHORT_SEQUENCE_END, SHORT_SET_END, STRING, domains, tag};
use crate::{Atom, Region, Shape, Value, ValueVec};

/// The error for bytes that no [`Encoder`](crate::Encoder) of this process wrote.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("these bytes are not those of a value")]
pub struct Damaged;

/// Reads the value at the beginning of `bytes` and removes it from them.
pub fn decode<'r>(region: &'r Region, bytes: &mut &[u8]) -> Result<Value<'r>, Damaged> {
    let mut reader = ValueReader { region, rest: bytes };
    let value = reader.value()?;
    *bytes = reader.rest;
    Ok(value)
}

struct ValueReader<'r, 'b> {
    region: &'r Region,
    rest: &'b [u8],
}

type Read<T> = Result<T, Damaged>;

impl<'r> ValueReader<'r, '_> {
    #[inline]
    fn value(&mut self) -> Read<Value<'r>> {
        let first = self.byte()?;
        match first {
            ..INT_END => Ok(Value::small(first.into())),
            STRING..MODEL_VALUE => self.short_atom(first - STRING, false),
            MODEL_VALUE.. => self.short_atom(first - MODEL_VALUE, true),
            _ => with_stack(|| self.other(first)),
        }
    }

    fn other(&mut self, first: u8) -> Read<Value<'r>> {
        match first {
            SEQUENCE..SET => self.sequence((first - SEQUENCE).into()),
            SET..tag::FALSE => self.set((first - SET).into()),
            tag::FALSE => Ok(Value::FALSE),
            tag::TRUE => Ok(Value::TRUE),
            tag::INT | tag::NEGATIVE_INT => self.int(first).map(|int| self.region.int(int)),
            tag::BIG_INT => self.big_int(),
            tag::SEQUENCE => self.length(SHORT_SEQUENCE_END).and_then(|len| self.sequence(len)),
            tag::SET => self.length(SHORT_SET_END).and_then(|len| self.set(len)),
            tag::INTERVAL => self.interval(),
            tag::RECORD => self.record(),
            tag::FUNCTION => {
                let domain = self.value()?;
                self.function(domain)
            }
            tag::NUMBERED_FUNCTION => {
                let domain = domains::domain(self.number()?).ok_or(Damaged)?;
                self.function(domain)
            }
            tag::STRING => self.atom(false),
            tag::MODEL_VALUE => self.atom(true),
            _ => Err(Damaged),
        }
    }

    fn byte(&mut self) -> Read<u8> {
        let (&first, rest) = self.rest.split_first().ok_or(Damaged)?;
        self.rest = rest;
        Ok(first)
    }

    fn number(&mut self) -> Read<u64> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return Err(Damaged);
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Damaged)
    }

    /// Reads an integer whose first byte has been read.
    fn int(&mut self, first: u8) -> Read<i64> {
        let int = match first {
            ..INT_END => i64::from(first),
            tag::INT => i64::try_from(self.number()?.checked_add(INT_END.into()).ok_or(Damaged)?)
                .map_err(|_| Damaged)?,
            tag::NEGATIVE_INT => !i64::try_from(self.number()?).map_err(|_| Damaged)?,
            _ => return Err(Damaged),
        };
        Value::opt_int(int).map(|_| int).ok_or(Damaged)
    }

    fn big_int(&mut self) -> Read<Value<'r>> {
        let sign = match self.byte()? {
            0 => Sign::Plus,
            1 => Sign::Minus,
            _ => return Err(Damaged),
        };
        let n_bytes = usize::try_from(self.number()?).ok().and_then(|n| n.checked_mul(4)).ok_or(Damaged)?;
        let digits = self.rest.get(..n_bytes).ok_or(Damaged)?;
        self.rest = &self.rest[n_bytes..];
        Ok(self.region.big_int(&BigInt::from_biguint(sign, BigUint::from_bytes_le(digits))))
    }

    fn short_atom(&mut self, high: u8, is_model_value: bool) -> Read<Value<'r>> {
        let index = u64::from(high) << 8 | u64::from(self.byte()?);
        Atom::of_index(index, is_model_value).map(Value::atom).ok_or(Damaged)
    }

    fn atom(&mut self, is_model_value: bool) -> Read<Value<'r>> {
        Atom::of_index(self.number()?, is_model_value).map(Value::atom).ok_or(Damaged)
    }

    /// Reads a length that is too long for a short form.
    fn length(&mut self, short_end: usize) -> Read<usize> {
        let len = usize::try_from(self.number()?).map_err(|_| Damaged)?;
        len.checked_add(short_end).ok_or(Damaged)
    }

    fn items(&mut self, len: usize) -> Read<ValueVec<'r>> {
        // Each item takes at least a byte, so no more room is made than the text can fill.
        if len > self.rest.len() {
            return Err(Damaged);
        }
        let mut items = ValueVec::with_capacity(self.region, len);
        for _ in 0..len {
            items.push(self.value()?);
        }
        Ok(items)
    }

    fn sequence(&mut self, len: usize) -> Read<Value<'r>> {
        Ok(self.items(len)?.into_sequence())
    }

    fn set(&mut self, len: usize) -> Read<Value<'r>> {
        Ok(self.items(len)?.into_normal_set())
    }

    fn interval(&mut self) -> Read<Value<'r>> {
        let first = self.byte()?;
        let first = self.int(first)?;
        let n_more = i64::try_from(self.number()?).map_err(|_| Damaged)?;
        let last = first.checked_add(n_more).filter(|&last| Value::opt_int(last).is_some());
        Ok(self.region.interval(first, last.ok_or(Damaged)?))
    }

    fn record(&mut self) -> Read<Value<'r>> {
        let shape = Shape::of_number(self.number()?).ok_or(Damaged)?;
        Ok(self.items(shape.len())?.into_record(shape))
    }

    fn function(&mut self, domain: Value<'r>) -> Read<Value<'r>> {
        let len = match (domain.as_interval(), domain.as_normal_set()) {
            (Some((first, last)), _) if first != 1 => usize::try_from(last - first).map_err(|_| Damaged)? + 1,
            (None, Some(keys)) if !keys.is_empty() => keys.len(),
            (_, _) => return Err(Damaged),
        };
        Ok(self.items(len)?.into_function(domain))
    }
}
