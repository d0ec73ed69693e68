//! Values as records: each is written once by a process, what it consists of before itself.
//!
//! A value inside another, or in a state, is a *reference*: two bits of kind below a number. Integers and booleans
//! are in the reference itself; strings and model values are numbered as they come; everything else goes by the key
//! that the interner of the process that wrote it gave it. Whoever reads interns the value anew: keys have no meaning
//! outside of what one process wrote.

use base::{FxHashMap, with_stack};
use num_bigint::BigInt;
use value::{
    Atom, Atoms, Ground, Interner, Items, Plain, Region, Shape, Value, ValueId, ValueVec, View, ops,
};

use super::bytes::{
    Broken, Read, RecordReader, put_bytes, put_number, put_signed, put_text, unzigzag, zigzag,
};
use super::ids::IdSet;

/// Kinds of records.
pub(super) const ATOM: u8 = 1;
pub(super) const SHAPE: u8 = 2;
pub(super) const VALUE: u8 = 3;
pub(super) const STATE: u8 = 4;
pub(super) const STACK: u8 = 5;

const REF_KEY: u64 = 0;
const REF_INT: u64 = 1;
const REF_ATOM: u64 = 2;
const REF_BOOL: u64 = 3;
const REF_SHIFT: u32 = 2;
/// Integers of this many bits fit beside the kind of a reference.
const REF_INT_BITS: u32 = 61;

const INTEGER: u8 = 1;
const SEQUENCE: u8 = 2;
const RECORD: u8 = 3;
const FUNCTION: u8 = 4;
const SET: u8 = 5;
const INTERVAL: u8 = 6;

/// Knows what this process has written.
#[derive(Default)]
pub(super) struct ValueWriter {
    written: IdSet,
    atoms: FxHashMap<Atom, u64>,
    shapes: FxHashMap<Shape, u64>,
}

impl ValueWriter {
    /// The reference to a stored value; what was not written yet is put into `out` first.
    pub fn reference(&mut self, out: &mut Vec<u8>, id: ValueId) -> u64 {
        self.of_value(out, Interner::shared().value(id))
    }

    fn of_value(&mut self, out: &mut Vec<u8>, value: Value<'_>) -> u64 {
        if let Some(value) = value.as_bool() {
            return u64::from(value) << REF_SHIFT | REF_BOOL;
        }
        if let Some(int) = value.as_small().filter(|&int| fits(int)) {
            return zigzag(int) << REF_SHIFT | REF_INT;
        }
        if let Some(atom) = value.as_atom() {
            return self.atom(out, atom) << REF_SHIFT | REF_ATOM;
        }
        let ground = Ground::opt(value).expect("a stored value is explicit");
        let id = Interner::shared().find(ground).expect("what a stored value consists of is stored");
        if self.written.insert(id.bits()) {
            with_stack(|| self.define(out, id, value));
        }
        u64::from(id.bits()) << REF_SHIFT | REF_KEY
    }

    fn define(&mut self, out: &mut Vec<u8>, id: ValueId, value: Value<'_>) {
        match value.view() {
            View::Int(int) => {
                head(out, id, INTEGER, |out| put_bytes(out, &BigInt::from(int).to_signed_bytes_le()))
            }
            View::BigInt(int) => head(out, id, INTEGER, |out| put_bytes(out, &int.to_signed_bytes_le())),
            View::Interval(first, last) => head(out, id, INTERVAL, |out| {
                put_signed(out, first);
                put_signed(out, last);
            }),
            View::Sequence(items) => {
                let items = self.all(out, items);
                head(out, id, SEQUENCE, |out| put_all(out, &items));
            }
            View::Set { elements, .. } => {
                let elements = self.all(out, elements);
                head(out, id, SET, |out| put_all(out, &elements));
            }
            View::Record(shape, items) => {
                let shape = self.shape(out, shape);
                let items = self.all(out, items);
                head(out, id, RECORD, |out| {
                    put_number(out, shape);
                    put_all(out, &items);
                });
            }
            View::Function(domain, items) => {
                let domain = self.of_value(out, domain);
                let items = self.all(out, items);
                head(out, id, FUNCTION, |out| {
                    put_number(out, domain);
                    put_all(out, &items);
                });
            }
            View::Bool(_) | View::String(_) | View::ModelValue(_) => unreachable!("in the reference itself"),
            View::LazyFunction { .. }
            | View::Powerset(_)
            | View::KSubsets(..)
            | View::FunctionSet(..)
            | View::RecordSet(..)
            | View::Product(_)
            | View::Filter(..)
            | View::Cup(..)
            | View::Cap(..)
            | View::Difference(..)
            | View::Union(_)
            | View::Naturals
            | View::Integers
            | View::Reals
            | View::Strings
            | View::Sequences(_)
            | View::Anything => unreachable!("a stored value is explicit"),
        }
    }

    fn all(&mut self, out: &mut Vec<u8>, items: Items<'_>) -> Vec<u64> {
        items.iter().map(|item| self.of_value(out, item)).collect()
    }

    fn atom(&mut self, out: &mut Vec<u8>, atom: Atom) -> u64 {
        let next = self.atoms.len() as u64;
        *self.atoms.entry(atom).or_insert_with(|| {
            out.push(ATOM);
            out.push(u8::from(atom.is_model_value()));
            put_text(out, atom.text());
            next
        })
    }

    fn shape(&mut self, out: &mut Vec<u8>, shape: Shape) -> u64 {
        if let Some(&number) = self.shapes.get(&shape) {
            return number;
        }
        let fields: Vec<u64> = shape.fields().iter().map(|&field| self.atom(out, field)).collect();
        out.push(SHAPE);
        put_all(out, &fields);
        let number = self.shapes.len() as u64;
        self.shapes.insert(shape, number);
        number
    }
}

fn fits(int: i64) -> bool {
    let free = 64 - REF_INT_BITS;
    int << free >> free == int
}

fn head(out: &mut Vec<u8>, id: ValueId, kind: u8, rest: impl FnOnce(&mut Vec<u8>)) {
    out.push(VALUE);
    put_number(out, u64::from(id.bits()));
    out.push(kind);
    rest(out);
}

fn put_all(out: &mut Vec<u8>, references: &[u64]) {
    put_number(out, references.len() as u64);
    references.iter().for_each(|&reference| put_number(out, reference));
}

/// Values of a region before it is emptied.
const REGION_BYTES_MAX: usize = 1 << 20;

/// Reads values that another process wrote, and interns them.
pub(super) struct ValueReader {
    spellings: &'static Atoms,
    atoms: Vec<Atom>,
    shapes: Vec<Shape>,
    values: FxHashMap<u32, ValueId>,
    region: Region,
}

/// Why a value cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoValue {
    Broken,
    /// There is no room for it.
    Full,
}

impl From<Broken> for NoValue {
    fn from(_: Broken) -> Self {
        NoValue::Broken
    }
}

impl ValueReader {
    pub fn new(spellings: &'static Atoms) -> Self {
        ValueReader {
            spellings,
            atoms: Vec::new(),
            shapes: Vec::new(),
            values: FxHashMap::default(),
            region: Region::new(),
        }
    }

    pub fn atom_record(&mut self, reader: &mut RecordReader<'_>) -> Read<()> {
        let is_model_value = reader.bool()?;
        let atom = self.spellings.string(reader.text()?);
        self.atoms.push(if is_model_value { atom.as_model_value() } else { atom });
        Ok(())
    }

    pub fn shape_record(&mut self, reader: &mut RecordReader<'_>) -> Read<()> {
        let mut fields = Vec::with_capacity(reader.len()?);
        for _ in 0..fields.capacity() {
            fields.push(*at(&self.atoms, reader.number()?)?);
        }
        let shape = Shape::new(&fields).filter(|shape| shape.fields() == fields).ok_or(Broken)?;
        self.shapes.push(shape);
        Ok(())
    }

    pub fn value_record(&mut self, reader: &mut RecordReader<'_>) -> Result<(), NoValue> {
        if self.region.bytes_used() > REGION_BYTES_MAX {
            self.region.reset();
        }
        let key = reader.number_32()?;
        let value = self.build(reader)?;
        let ground = Ground::new(&mut Plain(&self.region), value).map_err(|_| NoValue::Broken)?;
        let id = Interner::shared().intern(ground).map_err(|_| NoValue::Full)?;
        self.values.insert(key, id);
        Ok(())
    }

    fn build(&self, reader: &mut RecordReader<'_>) -> Read<Value<'_>> {
        let region = &self.region;
        match reader.byte()? {
            INTEGER => Ok(region.big_int(&BigInt::from_signed_bytes_le(reader.bytes()?))),
            SEQUENCE => Ok(self.items(reader)?.into_sequence()),
            SET => Ok(self.items(reader)?.into_set()),
            INTERVAL => {
                let (first, last) = (reader.read_signed()?, reader.read_signed()?);
                let is_one = last >= first && last.checked_sub(first).is_some_and(|len| len < i64::MAX);
                if is_one { Ok(region.interval(first, last)) } else { Err(Broken) }
            }
            RECORD => {
                let shape = *at(&self.shapes, reader.number()?)?;
                let items = self.items(reader)?;
                if items.len() == shape.len() { Ok(items.into_record(shape)) } else { Err(Broken) }
            }
            FUNCTION => {
                let domain = self.value(reader)?;
                let items = self.items(reader)?;
                let n_keys = match (domain.as_interval(), domain.as_normal_set()) {
                    (Some((first, last)), _) => last.checked_sub(first).and_then(|len| len.checked_add(1)),
                    (None, Some(keys)) => Some(keys.len() as i64),
                    (None, None) => None,
                };
                if n_keys == Some(items.len() as i64) {
                    Ok(ops::function(domain, items))
                } else {
                    Err(Broken)
                }
            }
            _ => Err(Broken),
        }
    }

    fn items(&self, reader: &mut RecordReader<'_>) -> Read<ValueVec<'_>> {
        let len = reader.len()?;
        let mut items = ValueVec::with_capacity(&self.region, len);
        for _ in 0..len {
            items.push(self.value(reader)?);
        }
        Ok(items)
    }

    fn value(&self, reader: &mut RecordReader<'_>) -> Read<Value<'_>> {
        let reference = reader.number()?;
        let payload = reference >> REF_SHIFT;
        match reference & ((1 << REF_SHIFT) - 1) {
            REF_KEY => {
                let key = u32::try_from(payload).map_err(|_| Broken)?;
                self.values.get(&key).map(|&id| Interner::shared().value(id)).ok_or(Broken)
            }
            REF_INT => Ok(self.region.int(unzigzag(payload))),
            REF_ATOM => at(&self.atoms, payload).map(|&atom| Value::atom(atom)),
            _ if payload < 2 => Ok(Value::bool(payload == 1)),
            _ => Err(Broken),
        }
    }

    /// A value of a state.
    pub fn id(&self, reader: &mut RecordReader<'_>) -> Result<ValueId, NoValue> {
        let ground = Ground::opt(self.value(reader)?).ok_or(NoValue::Broken)?;
        Interner::shared().intern(ground).map_err(|_| NoValue::Full)
    }
}

fn at<T>(items: &[T], index: u64) -> Read<&T> {
    usize::try_from(index).ok().and_then(|index| items.get(index)).ok_or(Broken)
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use value::{Atoms, Ground, Interner, Plain, Region, Shape, Value, ValueId, ops};

    use super::super::bytes::{RecordReader, put_number};
    use super::{ATOM, NoValue, SHAPE, VALUE, ValueReader, ValueWriter};

    /// Reads all definitions of `bytes`, and the reference at their end.
    fn read(atoms: &'static Atoms, bytes: &[u8]) -> Result<ValueId, NoValue> {
        let mut values = ValueReader::new(atoms);
        let mut reader = RecordReader::new(bytes);
        loop {
            match reader.byte()? {
                ATOM => values.atom_record(&mut reader)?,
                SHAPE => values.shape_record(&mut reader)?,
                VALUE => values.value_record(&mut reader)?,
                0 => return values.id(&mut reader),
                _ => return Err(NoValue::Broken),
            }
        }
    }

    fn intern(region: &Region, value: Value<'_>) -> ValueId {
        let ground = Ground::new(&mut Plain(region), value).expect("it is explicit");
        Interner::shared().intern(ground).expect("there is room")
    }

    fn write_value(id: ValueId) -> Vec<u8> {
        let mut bytes = Vec::new();
        let reference = ValueWriter::default().reference(&mut bytes, id);
        bytes.push(0);
        put_number(&mut bytes, reference);
        bytes
    }

    /// A value of each kind, each inside of another.
    fn samples<'r>(region: &'r Region, atoms: &'static Atoms) -> Vec<Value<'r>> {
        let (a, b) = (atoms.declare("a"), atoms.declare("b"));
        let model = Value::atom(a.as_model_value());
        let big = region.big_int(&(BigInt::from(i64::MAX) * 5));
        let near = region.int(-(1 << 40));
        let set = region.set(&[Value::small(9), Value::small(2), near]);
        let shape = Shape::new(&[a, b]).expect("two fields");
        let record = region.record(shape, &[set, Value::TRUE]);
        let pairs = [(model, record), (Value::atom(b.as_model_value()), big)];
        let function = ops::function_from_pairs(&mut Plain(region), &pairs).expect("two model values");
        let nested =
            region.sequence(&[function, region.interval(-3, 70), region.sequence(&[]), Value::FALSE]);
        vec![model, Value::small(-7), near, big, set, record, function, nested, region.set(&[nested])]
    }

    #[test]
    fn values_of_every_kind_come_back() {
        let (region, atoms) = (Region::new(), Atoms::new());
        for value in samples(&region, atoms) {
            let id = intern(&region, value);
            assert_eq!(read(atoms, &write_value(id)), Ok(id), "{value:?}");
        }
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let (region, atoms) = (Region::new(), Atoms::new());
        for value in samples(&region, atoms) {
            let bytes = write_value(intern(&region, value));
            for end in 0..bytes.len() {
                assert!(read(atoms, &bytes[..end]).is_err());
            }
            for place in 0..bytes.len() {
                for byte in [0, 1, 2, 3, 5, 6, 0x7f, 0x80, 0xff] {
                    let mut changed = bytes.clone();
                    changed[place] = byte;
                    let _ = read(atoms, &changed);
                }
            }
        }
    }
}
