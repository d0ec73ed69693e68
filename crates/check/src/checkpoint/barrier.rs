//! Where a search stands between two pieces of work: everything that it knows besides its states.

use eval::{Owned, Register};
use model::{PropertyKind, Registers};
use num_bigint::BigInt;
use value::Atoms;

use super::bytes::{Broken, Read, RecordReader, put_bytes, put_number, put_signed, put_text};
use crate::answer::Counts;
use crate::settle::LastNew;

#[derive(Clone, Debug)]
pub(crate) struct Barrier {
    pub counts: Counts,
    pub stand: Stand,
    pub n_violations: u64,
    pub tallies: Vec<KeptTally>,
    pub first: Option<First>,
    /// Registers of each worker.
    pub registers: Vec<Registers>,
    /// Workers have set them: then they are not alike.
    pub are_registers_used: bool,
}

/// How far it is. States go by their numbers in the order in which they were settled.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stand {
    Breadth(LevelStand),
    /// The stack is beside the states. `is_cut`: something lay too deep.
    Depth {
        is_cut: bool,
    },
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelStand {
    /// The number of the level's first state; its states follow one another, and those found since follow them.
    pub start: u32,
    pub len: u32,
    /// Number of them that have been expanded.
    pub n_expanded: u32,
    pub depth: u32,
    /// Counts when the level began.
    pub counts: Counts,
    pub last_new: LastNew,
}

#[derive(Clone, Debug)]
pub(crate) struct KeptTally {
    pub kind: PropertyKind,
    pub name: String,
    pub n_violations: u64,
}

/// The first violation, so that its trace can be made again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct First {
    pub kind: PropertyKind,
    /// Index among the properties of its kind.
    pub index: u32,
    /// The state that it is about, if it was stored.
    pub stored: Option<u32>,
    /// The state that was expanded, and which of its successors it is about.
    pub parent: Option<u32>,
    pub ordinal: u32,
}

const KINDS: [PropertyKind; 9] = [
    PropertyKind::Assumption,
    PropertyKind::Invariant,
    PropertyKind::Step,
    PropertyKind::Initial,
    PropertyKind::Deadlock,
    PropertyKind::Postcondition,
    PropertyKind::Possible,
    PropertyKind::Periodic,
    PropertyKind::Temporal,
];

fn put_kind(bytes: &mut Vec<u8>, kind: PropertyKind) {
    let place = KINDS.iter().position(|&other| other == kind).expect("the table has every kind");
    bytes.push(place as u8);
}

fn read_kind(reader: &mut RecordReader<'_>) -> Read<PropertyKind> {
    KINDS.get(usize::from(reader.byte()?)).copied().ok_or(Broken)
}

impl Barrier {
    pub(super) fn put(&self, bytes: &mut Vec<u8>) {
        put_counts(bytes, self.counts);
        self.stand.put(bytes);
        put_number(bytes, self.n_violations);
        put_number(bytes, self.tallies.len() as u64);
        for tally in &self.tallies {
            put_kind(bytes, tally.kind);
            put_text(bytes, &tally.name);
            put_number(bytes, tally.n_violations);
        }
        bytes.push(u8::from(self.first.is_some()));
        if let Some(first) = self.first {
            first.put(bytes);
        }
        put_number(bytes, self.registers.len() as u64);
        for registers in &self.registers {
            put_registers(bytes, registers);
        }
        bytes.push(u8::from(self.are_registers_used));
    }

    pub(super) fn read(reader: &mut RecordReader<'_>, atoms: &'static Atoms) -> Read<Barrier> {
        let counts = read_counts(reader)?;
        let stand = Stand::read(reader)?;
        let n_violations = reader.number()?;
        let mut tallies = Vec::new();
        for _ in 0..reader.len()? {
            let (kind, name) = (read_kind(reader)?, reader.text()?.to_owned());
            tallies.push(KeptTally { kind, name, n_violations: reader.number()? });
        }
        let first = if reader.bool()? { Some(First::read(reader)?) } else { None };
        let mut registers = Vec::new();
        for _ in 0..reader.len()? {
            registers.push(read_registers(reader, atoms)?);
        }
        let are_registers_used = reader.bool()?;
        Ok(Barrier { counts, stand, n_violations, tallies, first, registers, are_registers_used })
    }
}

impl Stand {
    fn put(self, bytes: &mut Vec<u8>) {
        match self {
            Stand::Breadth(level) => {
                bytes.push(0);
                for number in [level.start, level.len, level.n_expanded, level.depth] {
                    put_number(bytes, u64::from(number));
                }
                put_counts(bytes, level.counts);
                put_number(bytes, level.last_new.generated);
                put_number(bytes, level.last_new.n_left);
            }
            Stand::Depth { is_cut } => {
                bytes.push(1);
                bytes.push(u8::from(is_cut));
            }
        }
    }

    fn read(reader: &mut RecordReader<'_>) -> Read<Stand> {
        if reader.bool()? {
            return Ok(Stand::Depth { is_cut: reader.bool()? });
        }
        Ok(Stand::Breadth(LevelStand {
            start: reader.number_32()?,
            len: reader.number_32()?,
            n_expanded: reader.number_32()?,
            depth: reader.number_32()?,
            counts: read_counts(reader)?,
            last_new: LastNew { generated: reader.number()?, n_left: reader.number()? },
        }))
    }
}

impl First {
    fn put(self, bytes: &mut Vec<u8>) {
        put_kind(bytes, self.kind);
        put_number(bytes, u64::from(self.index));
        for state in [self.stored, self.parent] {
            put_number(bytes, state.map_or(0, |state| u64::from(state) + 1));
        }
        put_number(bytes, u64::from(self.ordinal));
    }

    fn read(reader: &mut RecordReader<'_>) -> Read<First> {
        Ok(First {
            kind: read_kind(reader)?,
            index: reader.number_32()?,
            stored: reader.number_32()?.checked_sub(1),
            parent: reader.number_32()?.checked_sub(1),
            ordinal: reader.number_32()?,
        })
    }
}

fn put_counts(bytes: &mut Vec<u8>, counts: Counts) {
    for number in [counts.generated, counts.distinct, counts.queue, u64::from(counts.depth), counts.initial] {
        put_number(bytes, number);
    }
}

fn read_counts(reader: &mut RecordReader<'_>) -> Read<Counts> {
    Ok(Counts {
        generated: reader.number()?,
        distinct: reader.number()?,
        queue: reader.number()?,
        depth: reader.number_32()?,
        initial: reader.number()?,
    })
}

fn put_registers(bytes: &mut Vec<u8>, registers: &Registers) {
    put_number(bytes, registers.len() as u64);
    for (register, value) in registers {
        match register {
            Register::Index(index) => {
                bytes.push(0);
                put_number(bytes, *index);
            }
            Register::Named(name) => {
                bytes.push(1);
                put_text(bytes, name.text());
            }
        }
        put_owned(bytes, value);
    }
}

fn read_registers(reader: &mut RecordReader<'_>, atoms: &'static Atoms) -> Read<Registers> {
    let mut registers = Registers::default();
    for _ in 0..reader.len()? {
        let register = match reader.bool()? {
            false => Register::Index(reader.number()?),
            true => Register::Named(atoms.string(reader.text()?)),
        };
        registers.insert(register, read_owned(reader, atoms)?);
    }
    Ok(registers)
}

const BOOL: u8 = 0;
const INT: u8 = 1;
const BIG_INT: u8 = 2;
const STRING: u8 = 3;
const MODEL_VALUE: u8 = 4;
const TEXT: u8 = 5;
const SET: u8 = 6;
const INTERVAL: u8 = 7;
const SEQUENCE: u8 = 8;
const FUNCTION: u8 = 9;

fn put_owned(bytes: &mut Vec<u8>, value: &Owned) {
    let put_all = |bytes: &mut Vec<u8>, kind: u8, items: &[Owned]| {
        bytes.push(kind);
        put_number(bytes, items.len() as u64);
        items.iter().for_each(|item| base::with_stack(|| put_owned(bytes, item)));
    };
    match value {
        Owned::Bool(value) => bytes.extend([BOOL, u8::from(*value)]),
        Owned::Int(value) => {
            bytes.push(INT);
            put_signed(bytes, *value);
        }
        Owned::BigInt(value) => {
            bytes.push(BIG_INT);
            put_bytes(bytes, &value.to_signed_bytes_le());
        }
        Owned::Atom(atom) => {
            bytes.push(if atom.is_string() { STRING } else { MODEL_VALUE });
            put_text(bytes, atom.text());
        }
        Owned::Text(text) => {
            bytes.push(TEXT);
            put_text(bytes, text);
        }
        Owned::Set(items) => put_all(bytes, SET, items),
        Owned::Interval(first, last) => {
            bytes.push(INTERVAL);
            put_signed(bytes, *first);
            put_signed(bytes, *last);
        }
        Owned::Sequence(items) => put_all(bytes, SEQUENCE, items),
        Owned::Function(pairs) => {
            bytes.push(FUNCTION);
            put_number(bytes, pairs.len() as u64);
            for (key, value) in pairs {
                base::with_stack(|| put_owned(bytes, key));
                base::with_stack(|| put_owned(bytes, value));
            }
        }
    }
}

fn read_owned(reader: &mut RecordReader<'_>, atoms: &'static Atoms) -> Read<Owned> {
    base::with_stack(|| read_owned_here(reader, atoms))
}

fn read_owned_here(reader: &mut RecordReader<'_>, atoms: &'static Atoms) -> Read<Owned> {
    let all = |reader: &mut RecordReader<'_>| -> Read<Vec<Owned>> {
        let len = reader.len()?;
        (0..len).map(|_| read_owned(reader, atoms)).collect()
    };
    Ok(match reader.byte()? {
        BOOL => Owned::Bool(reader.bool()?),
        INT => Owned::Int(reader.read_signed()?),
        BIG_INT => Owned::BigInt(BigInt::from_signed_bytes_le(reader.bytes()?)),
        STRING => Owned::Atom(atoms.string(reader.text()?)),
        MODEL_VALUE => Owned::Atom(atoms.string(reader.text()?).as_model_value()),
        TEXT => Owned::Text(reader.text()?.to_owned()),
        SET => Owned::Set(all(reader)?),
        INTERVAL => Owned::Interval(reader.read_signed()?, reader.read_signed()?),
        SEQUENCE => Owned::Sequence(all(reader)?),
        FUNCTION => {
            let len = reader.len()?;
            let pair =
                |reader: &mut RecordReader<'_>| Ok((read_owned(reader, atoms)?, read_owned(reader, atoms)?));
            Owned::Function((0..len).map(|_| pair(reader)).collect::<Read<Vec<(Owned, Owned)>>>()?)
        }
        _ => return Err(Broken),
    })
}

#[cfg(test)]
mod tests {
    use eval::{Owned, Register};
    use num_bigint::BigInt;
    use value::Atoms;

    use super::super::bytes::RecordReader;
    use super::{Barrier, First, KeptTally, LevelStand, Registers, Stand};
    use crate::answer::Counts;
    use crate::settle::LastNew;
    use model::PropertyKind;

    fn barrier(atoms: &'static Atoms) -> Barrier {
        let counts = Counts { generated: 700, distinct: 70, queue: 7, depth: 3, initial: 2 };
        let stand = LevelStand {
            start: 1,
            len: 20,
            n_expanded: 3,
            depth: 3,
            counts,
            last_new: LastNew { generated: 690, n_left: 12 },
        };
        let name = atoms.declare("s:a");
        let every_kind = Owned::Function(vec![
            (Owned::Bool(true), Owned::Int(-5)),
            (Owned::Atom(name), Owned::BigInt(BigInt::from(u64::MAX) * -3)),
            (Owned::Atom(name.as_model_value()), Owned::text("t")),
            (Owned::Interval(-1, 9), Owned::Set(vec![Owned::Sequence(vec![Owned::Int(1), Owned::Int(2)])])),
        ]);
        let registers: Registers =
            [(Register::Index(4), every_kind), (Register::Named(name), Owned::Int(1))].into_iter().collect();
        Barrier {
            counts,
            stand: Stand::Breadth(stand),
            n_violations: 4,
            tallies: vec![KeptTally { kind: PropertyKind::Step, name: "P".to_owned(), n_violations: 4 }],
            first: Some(First {
                kind: PropertyKind::Step,
                index: 1,
                stored: None,
                parent: Some(0),
                ordinal: 9,
            }),
            registers: vec![registers, Registers::default()],
            are_registers_used: true,
        }
    }

    #[test]
    fn a_barrier_comes_back() {
        let atoms = Atoms::new();
        let barrier = barrier(atoms);
        let mut bytes = Vec::new();
        barrier.put(&mut bytes);
        let mut reader = RecordReader::new(&bytes);
        let again = Barrier::read(&mut reader, atoms).expect("it was just written");
        assert!(reader.is_empty());
        assert_eq!(format!("{again:?}"), format!("{barrier:?}"));
    }

    #[test]
    fn a_barrier_that_is_cut_off_is_refused() {
        let atoms = Atoms::new();
        let mut bytes = Vec::new();
        barrier(atoms).put(&mut bytes);
        for end in 0..bytes.len() {
            assert!(Barrier::read(&mut RecordReader::new(&bytes[..end]), atoms).is_err(), "{end}");
        }
    }
}
