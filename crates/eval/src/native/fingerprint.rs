//! TLC's fingerprints of values, and the graphs that use them as names of nodes.

use num_bigint::BigInt;
use value::{Value, ops};

use super::call::{ArgPosition, Call};
use crate::interp::Evaluated;

type Result<'r> = Evaluated<Value<'r>>;

/// TLC picks one of 131 polynomials at random, or by `-fp`: this is number 1.
const POLYNOMIAL: u64 = 0xda8a_0ba6_6dae_0181;

/// The remainders of all bytes times x^64.
const TABLE: [u64; 256] = table();

const fn table() -> [u64; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut remainder = byte as u64;
        let mut bit = 0;
        while bit < 8 {
            let carry = if remainder & 1 == 1 { POLYNOMIAL } else { 0 };
            remainder = (remainder >> 1) ^ carry;
            bit += 1;
        }
        table[byte] = remainder;
        byte += 1;
    }
    table
}

/// The kinds of values as TLC numbers them.
const BOOL: u8 = 0;
const INT: u8 = 1;
const STRING: u8 = 3;
const SET: u8 = 5;
const FUNCTION: u8 = 9;
const MODEL_VALUE: u8 = 21;

struct Fingerprint(u64);

impl Fingerprint {
    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 >> 8) ^ TABLE[usize::from(byte ^ self.0 as u8)];
    }

    fn int(&mut self, int: i32) {
        int.to_le_bytes().into_iter().for_each(|byte| self.byte(byte));
    }

    fn len(&mut self, len: usize) {
        self.int(i32::try_from(len).unwrap_or(i32::MAX));
    }

    /// Adds the low byte of each character, as TLC does.
    fn text(&mut self, text: &str) {
        text.encode_utf16().for_each(|unit| self.byte(unit as u8));
    }

    fn string(&mut self, text: &str) {
        self.byte(STRING);
        self.len(text.encode_utf16().count());
        self.text(text);
    }

    fn value<'r>(&mut self, call: &mut Call<'_, '_, 'r>, value: Value<'r>) -> Evaluated<()> {
        base::with_stack(|| self.value_here(call, value))
    }

    fn value_here<'r>(&mut self, call: &mut Call<'_, '_, 'r>, value: Value<'r>) -> Evaluated<()> {
        if let Some(value) = value.as_bool() {
            self.byte(BOOL);
            self.byte(if value { b't' } else { b'f' });
        } else if let Some(int) = value.as_big_int() {
            self.byte(INT);
            // LIMIT: TLC has 32 bits; only the low bits of larger integers count.
            let low = u32::try_from(int & BigInt::from(u32::MAX)).unwrap_or(0);
            self.int(low as i32);
        } else if let Some(atom) = value.as_string() {
            self.string(atom.text());
        } else if let Some(atom) = value.as_model_value() {
            self.byte(MODEL_VALUE);
            self.text(atom.text());
        } else if value.is_set() {
            let elements = call.elements(value)?;
            self.byte(SET);
            self.len(elements.len());
            for element in elements {
                self.value(call, element)?;
            }
        } else {
            let pairs = call.graph(value)?.unwrap_or_default();
            self.byte(FUNCTION);
            self.len(pairs.len());
            for (key, value) in pairs {
                self.value(call, key)?;
                self.value(call, value)?;
            }
        }
        Ok(())
    }
}

fn fingerprint<'r>(call: &mut Call<'_, '_, 'r>, value: Value<'r>) -> Evaluated<i64> {
    let value = call.op(|machine| ops::force(machine, value))?;
    let mut fingerprint = Fingerprint(POLYNOMIAL);
    fingerprint.value(call, value)?;
    Ok(fingerprint.0 as i64)
}

/// `TLCFP(v)`: the low 32 bits, as a signed number.
pub(super) fn tlc_fp<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [value] = call.values()?;
    let fingerprint = fingerprint(call, value)?;
    Ok(Value::small(fingerprint as i32))
}

/// `DotDiGraph`: writes a graph in the dot language. The nodes are named by their fingerprints.
pub(super) fn dot_di_graph<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let graph = call.value(0)?;
    let node_label = call.operator(1)?;
    let edge_label = call.operator(2)?;
    let mut text = "digraph MyGraph {".to_owned();
    for node in part(call, graph, "node")? {
        let label = call.apply(node_label, &[node])?;
        let label = call.show(label)?;
        text += &format!("{}[label={label}];", fingerprint(call, node)?);
    }
    for edge in part(call, graph, "edge")? {
        let ends = call.sequence(ArgPosition::First, edge)?;
        if ends.len() < 2 {
            return Err(call.refuse(ArgPosition::First, "graph whose edges are pairs of nodes", graph));
        }
        let (from, to) = (fingerprint(call, ends.get(0))?, fingerprint(call, ends.get(1))?);
        let label = call.apply(edge_label, &[edge])?;
        let label = call.show(label)?;
        text += &format!("{from}->{to}[label={label}];");
    }
    text.push('}');
    Ok(call.string(&text))
}

fn part<'r>(call: &mut Call<'_, '_, 'r>, graph: Value<'r>, name: &'static str) -> Evaluated<Vec<Value<'r>>> {
    match call.field(graph, name)? {
        Some(set) if set.is_set() => call.elements(set),
        Some(_) | None => {
            Err(call.refuse(ArgPosition::First, "graph record with sets of nodes and edges", graph))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Fingerprint, INT, POLYNOMIAL};

    #[test]
    fn integers_have_the_fingerprints_that_tlc_gives_them() {
        for (int, expected) in [(1, -5_002_151_522_364_771_816), (2, -2_714_544_764_469_681_861)] {
            let mut fingerprint = Fingerprint(POLYNOMIAL);
            fingerprint.byte(INT);
            fingerprint.int(int);
            assert_eq!(fingerprint.0 as i64, expected);
        }
    }
}
