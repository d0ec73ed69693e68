//! Writes values as bytes.

use base::with_stack;

use super::{
    INT_END, MODEL_VALUE, SEQUENCE, SET, SHORT_MODEL_VALUE_END, SHORT_SEQUENCE_END, SHORT_SET_END,
    SHORT_STRING_END, STRING, domains, tag,
};
use crate::intern::INTERVAL_MIN;
use crate::mem::{Object, ObjectKind};
use crate::{Atom, Ground, Interner, Items, Value};

const N_RECENT: usize = 16;

/// Writes values as bytes. Each worker has its own, because it remembers domains.
#[derive(Debug, Default)]
pub struct Encoder {
    /// Domains that live forever, by their words, and the number of each.
    recent: [(u64, u32); N_RECENT],
}

impl Encoder {
    pub fn new() -> Encoder {
        Encoder::default()
    }

    /// Appends the bytes of a value.
    pub fn encode(&mut self, value: Ground<'_>, out: &mut Vec<u8>) {
        self.value(value.value(), out);
    }

    #[inline]
    fn value(&mut self, value: Value<'_>, out: &mut Vec<u8>) {
        if let Some(int) = value.as_small() {
            int_bytes(int, out);
        } else if let Some(atom) = value.as_atom() {
            atom_bytes(atom, out);
        } else if let Some(object) = value.object() {
            with_stack(|| self.object(object, out));
        } else {
            out.push(if value.as_bool() == Some(true) { tag::TRUE } else { tag::FALSE });
        }
    }

    fn object(&mut self, object: Object<'_>, out: &mut Vec<u8>) {
        match object.kind() {
            ObjectKind::Sequence => {
                length_bytes(object.len(), (SEQUENCE, SHORT_SEQUENCE_END, tag::SEQUENCE), out);
                self.items(object.items(), out);
            }
            ObjectKind::Set => self.set(object.items(), out),
            ObjectKind::Interval => self.interval(object.bounds(), out),
            ObjectKind::Record => {
                out.push(tag::RECORD);
                number_bytes(object.shape().bits().into(), out);
                self.items(object.items(), out);
            }
            ObjectKind::Function => {
                self.domain(object.domain(), object.len(), out);
                self.items(object.items(), out);
            }
            ObjectKind::BigInt => big_int_bytes(object, out),
            kind @ (ObjectKind::LazyFunction | ObjectKind::Powerset | ObjectKind::KSubsets) => {
                not_ground(kind)
            }
            kind @ (ObjectKind::FunctionSet | ObjectKind::RecordSet | ObjectKind::Product) => {
                not_ground(kind)
            }
            kind @ (ObjectKind::Filter | ObjectKind::Cup | ObjectKind::Cap) => not_ground(kind),
            kind @ (ObjectKind::Difference | ObjectKind::Union | ObjectKind::Sequences) => not_ground(kind),
        }
    }

    fn items(&mut self, items: Items<'_>, out: &mut Vec<u8>) {
        for item in items {
            self.value(item, out);
        }
    }

    fn set(&mut self, items: Items<'_>, out: &mut Vec<u8>) {
        if let Some(bounds) = as_gapless(items) {
            return self.interval(bounds, out);
        }
        length_bytes(items.len(), (SET, SHORT_SET_END, tag::SET), out);
        self.items(items, out);
    }

    /// Writes an interval. Short ones are written as sets, as the interner stores them.
    fn interval(&mut self, (first, last): (i64, i64), out: &mut Vec<u8>) {
        let n_more = last.wrapping_sub(first) as u64;
        if n_more + 1 < INTERVAL_MIN as u64 {
            length_bytes(n_more as usize + 1, (SET, SHORT_SET_END, tag::SET), out);
            (first..=last).for_each(|int| int_bytes(int, out));
            return;
        }
        out.push(tag::INTERVAL);
        int_bytes(first, out);
        number_bytes(n_more, out);
    }

    fn domain(&mut self, domain: Value<'_>, n_elements: usize, out: &mut Vec<u8>) {
        match self.domain_number(domain, n_elements) {
            Some(number) => {
                out.push(tag::NUMBERED_FUNCTION);
                number_bytes(number.into(), out);
            }
            None => {
                out.push(tag::FUNCTION);
                self.value(domain, out);
            }
        }
    }

    #[inline]
    fn domain_number(&mut self, domain: Value<'_>, n_elements: usize) -> Option<u32> {
        let place = (domain.word() >> 3) as usize % N_RECENT;
        if self.recent[place].0 == domain.word() {
            return Some(self.recent[place].1);
        }
        let ground = Ground::opt(domain).expect("the domain of an explicit function is explicit");
        let number = domains::number(ground, n_elements)?;
        // Another value could later take the address of one in a region.
        if Interner::shared().owns(domain) {
            self.recent[place] = (domain.word(), number);
        }
        Some(number)
    }
}

#[inline]
fn int_bytes(int: i64, out: &mut Vec<u8>) {
    match int {
        0.. if int < i64::from(INT_END) => out.push(int as u8),
        0.. => {
            out.push(tag::INT);
            number_bytes(int as u64 - u64::from(INT_END), out);
        }
        ..0 => {
            out.push(tag::NEGATIVE_INT);
            number_bytes(!int as u64, out);
        }
    }
}

fn big_int_bytes(object: Object<'_>, out: &mut Vec<u8>) {
    // The interner has objects for some integers that words hold inline.
    if let Some(int) = small_of(object) {
        return int_bytes(int, out);
    }
    out.extend([tag::BIG_INT, object.is_negative().into()]);
    number_bytes(object.digits().len() as u64, out);
    object.digits().iter().for_each(|digit| out.extend(digit.to_le_bytes()));
}

/// Returns the integer of an object, if a word can hold it.
fn small_of(object: Object<'_>) -> Option<i64> {
    let magnitude = match *object.digits() {
        [low] => i64::from(low),
        [low, high] => i64::try_from(u64::from(high) << 32 | u64::from(low)).ok()?,
        _ => return None,
    };
    let int = if object.is_negative() { -magnitude } else { magnitude };
    Value::opt_int(int).map(|_| int)
}

fn atom_bytes(atom: Atom, out: &mut Vec<u8>) {
    let index = atom.index();
    let (short, short_end, long) = match atom.is_string() {
        true => (STRING, SHORT_STRING_END, tag::STRING),
        false => (MODEL_VALUE, SHORT_MODEL_VALUE_END, tag::MODEL_VALUE),
    };
    if index < short_end {
        out.extend([short + (index >> 8) as u8, index as u8]);
        return;
    }
    out.push(long);
    number_bytes(index.into(), out);
}

fn length_bytes(len: usize, (short, short_end, long): (u8, usize, u8), out: &mut Vec<u8>) {
    if len < short_end {
        out.push(short + len as u8);
        return;
    }
    out.push(long);
    number_bytes((len - short_end) as u64, out);
}

#[inline]
fn number_bytes(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Returns first and last, if these sorted elements are enough integers without a gap to be an interval.
fn as_gapless(items: Items<'_>) -> Option<(i64, i64)> {
    let n = items.len() as i64;
    if n < INTERVAL_MIN {
        return None;
    }
    let (first, last) = (items.get(0).as_i64()?, items.get(items.len() - 1).as_i64()?);
    (last.checked_sub(first)? + 1 == n && Value::opt_int(first).is_some() && Value::opt_int(last).is_some())
        .then_some((first, last))
}

fn not_ground(kind: ObjectKind) {
    unreachable!("{kind:?} is not explicit");
}
