//! Variables that grow with every level: why a search may never come to its end.
//!
//! It cannot be known that a specification has no bound: a counter that stops at a thousand looks the same up to there.
//! So what is told is what was seen: how large the values were at a quarter, a half, three quarters of the levels and at the
//! last, where each is larger than the one before.

use model::{NoVerdict, Outcome, data};
use trace::Datum;
use value::{Interner, ValueId};

use crate::context::Context;
use crate::observe::Event;
use crate::space::Handle;

/// How many states of a level are looked at.
const STATES_PER_LEVEL: usize = 8;
/// With fewer levels nothing is said.
const LEVELS_MIN: u32 = 8;
/// Nothing is said during a search that took less.
const SECONDS_MIN: u64 = 10;
/// Parts of a value are counted up to this many.
const PARTS_MAX: u64 = 100_000;

/// A variable, and how large its values were.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    pub variable: String,
    pub measure: Measure,
    /// Levels, and the most that was seen there; both grow.
    pub points: Vec<(u32, u64)>,
}

/// In which way values are large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The largest number in them.
    Number,
    /// How many parts they have: elements, fields, and what these consist of.
    Parts,
}

/// Sizes of values at the levels so far.
#[derive(Default)]
pub(crate) struct GrowthWatch {
    /// For some levels, further and further apart, each variable's largest number and number of parts.
    seen: Vec<(u32, Vec<Size>)>,
    next_level: u32,
    is_told: bool,
}

#[derive(Clone, Copy, Default)]
struct Size {
    number: u64,
    parts: u64,
}

impl GrowthWatch {
    /// Looks at some states of a level that is deeper than those before, and tells when there has been enough time and
    /// something grows.
    pub fn look(&mut self, context: &Context<'_>, level: &[Handle], depth: u32) {
        if depth >= self.next_level && !level.is_empty() {
            self.next_level = depth.saturating_add((depth / 16).max(1));
            self.seen.push((depth, sizes(context, level)));
            self.tell_if_long(context);
        }
    }

    /// Tells what grows if there has been enough time.
    pub fn tell_if_long(&mut self, context: &Context<'_>) {
        if context.board.elapsed().as_secs() >= SECONDS_MIN {
            self.tell(context);
        }
    }

    /// Tells what grows, if anything does and nobody was told.
    pub fn tell(&mut self, context: &Context<'_>) {
        if self.is_told {
            return;
        }
        let growing = self.growing(context);
        if !growing.is_empty() {
            self.is_told = true;
            context.board.observer.event(Event::Growing(&growing));
        }
    }

    /// Tells what grows if the search came to no end.
    pub fn tell_if_cut_off(&mut self, context: &Context<'_>, outcome: &Outcome) {
        if let Err(NoVerdict::Limit(_) | NoVerdict::Interrupted) = outcome {
            self.tell(context);
        }
    }

    fn growing(&self, context: &Context<'_>) -> Vec<Growth> {
        let Some(samples) = self.samples() else { return Vec::new() };
        let names = context.program().variables.iter().map(|&name| context.text(name));
        let grown = |(index, name): (usize, &str)| {
            let points = |size: fn(&Size) -> u64| -> Vec<(u32, u64)> {
                samples.iter().map(|(level, sizes)| (*level, sizes.get(index).map_or(0, size))).collect()
            };
            let of = |measure, points: Vec<(u32, u64)>| {
                let variable = name.to_owned();
                is_growing(&points).then_some(Growth { variable, measure, points })
            };
            let by_parts = of(Measure::Parts, points(|size| size.parts));
            by_parts.or_else(|| of(Measure::Number, points(|size| size.number)))
        };
        names.enumerate().filter_map(grown).collect()
    }

    /// Returns the sizes at a quarter, a half and three quarters of the levels, and at the last.
    fn samples(&self) -> Option<Vec<&(u32, Vec<Size>)>> {
        let (last, _) = *self.seen.last().filter(|(level, _)| *level >= LEVELS_MIN)?;
        let near = |quarters: u32| {
            let wanted = u64::from(last) * u64::from(quarters) / 4;
            self.seen.iter().min_by_key(|(level, _)| u64::from(*level).abs_diff(wanted))
        };
        (1..=4).map(near).collect()
    }
}

fn is_growing(points: &[(u32, u64)]) -> bool {
    points.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1)
}

/// The largest of each variable among some states of a level, evenly spread.
fn sizes(context: &Context<'_>, level: &[Handle]) -> Vec<Size> {
    let n_variables = context.space.n_variables();
    let mut sizes = vec![Size::default(); n_variables];
    let mut ids = vec![ValueId::from_bits(0); n_variables];
    let n_states = level.len().min(STATES_PER_LEVEL);
    for index in 0..n_states {
        let at = index * (level.len() - 1) / (n_states - 1).max(1);
        context.space.state(level[at], &mut ids);
        for (size, &id) in sizes.iter_mut().zip(&ids) {
            let mut found = Size::default();
            add(&data::datum(Interner::shared().value(id)), &mut found);
            // The value itself is no part of it.
            let parts = found.parts.saturating_sub(1);
            *size = Size { number: size.number.max(found.number), parts: size.parts.max(parts) };
        }
    }
    sizes
}

fn add(datum: &Datum, size: &mut Size) {
    if size.parts >= PARTS_MAX {
        return;
    }
    size.parts += 1;
    base::with_stack(|| match datum {
        Datum::Int(number) => {
            let magnitude = u64::try_from(number.magnitude().clone()).unwrap_or(u64::MAX);
            size.number = size.number.max(magnitude);
        }
        Datum::Seq(items) | Datum::Set(items) => items.iter().for_each(|item| add(item, size)),
        Datum::Record(fields) => fields.iter().for_each(|(_, value)| add(value, size)),
        Datum::Function(pairs) => pairs.iter().for_each(|(key, value)| {
            add(key, size);
            add(value, size);
        }),
        Datum::Bool(_) | Datum::Str(_) | Datum::Model(_) | Datum::Opaque(_) => {}
    });
}
