//! Enumerates a set. There are two orders: the set's own, and the normal order.
//!
//! An enumeration lives in the region, like the values it enumerates: it needs no heap and no destructor.

use super::force::Explicit;
use super::function::FunctionForm;
use super::{force, member, not_enumerable, wrong_kind};
use crate::view::View;
use crate::{Closure, Host, Items, OpError, OpResult, Region, Value, ValueVec, check_room, print};

/// The elements of a set, one after the other; made by [`elements`] or [`elements_normal`].
pub struct Elements<'r>(ElementsState<'r>);

enum ElementsState<'r> {
    Items {
        items: Items<'r>,
        next: usize,
    },
    /// The integers from `next` to `last`; finished when `next` has passed it.
    Ints {
        next: i64,
        last: i64,
    },
    Other {
        other: Other<'r>,
        n_given: i64,
    },
}

/// Number of elements of a lazy set after which time and memory are checked.
const CHECK_EVERY: i64 = 1024;

enum Other<'r> {
    Subsets(Subsets<'r>),
    KSubsets(KSubsets<'r>),
    Odometer(&'r mut Odometer<'r>),
    Filter {
        base: &'r mut Elements<'r>,
        closure: Closure<'r>,
    },
    /// The elements of `base` that are (or are not) in `other`.
    Sieve {
        base: &'r mut Elements<'r>,
        other: Value<'r>,
        keep: bool,
    },
    Chain {
        first: &'r mut Elements<'r>,
        second: &'r mut Elements<'r>,
    },
    Flat {
        sets: &'r mut Elements<'r>,
        current: Option<&'r mut Elements<'r>>,
    },
}

/// Enumerates the elements in the set's own order, as TLC does for `x' \in S`: lazy unions may give an element twice.
pub fn elements<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> OpResult<Elements<'r>> {
    start(host, set, Order::Own)
}

/// Enumerates the elements in normal order, each once, as TLC does for `CHOOSE`, quantifiers, `{e : x \in S}` and
/// functions. Large sets of functions, records, tuples and subsets are not made explicit for it.
pub fn elements_normal<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> OpResult<Elements<'r>> {
    start(host, set, Order::Normal)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Own,
    Normal,
}

impl<'r> Elements<'r> {
    /// Returns the next element, or `None` at the end.
    #[inline]
    pub fn next<H: Host<'r> + ?Sized>(&mut self, host: &mut H) -> OpResult<Option<Value<'r>>> {
        match &mut self.0 {
            ElementsState::Items { items, next } => {
                if *next == items.len() {
                    return Ok(None);
                }
                *next += 1;
                Ok(Some(items.get(*next - 1)))
            }
            ElementsState::Ints { next, last } => {
                if *next > *last {
                    return Ok(None);
                }
                if *next % CHECK_EVERY == 0 {
                    check_limits(host)?;
                }
                *next += 1;
                Ok(Some(host.region().int(*next - 1)))
            }
            ElementsState::Other { other, n_given } => {
                *n_given += 1;
                if *n_given % CHECK_EVERY == 0 {
                    check_limits(host)?;
                }
                next_of_other(host, other)
            }
        }
    }

    fn other(other: Other<'r>) -> Elements<'r> {
        Elements(ElementsState::Other { other, n_given: 0 })
    }

    fn items(items: Items<'r>) -> Elements<'r> {
        Elements(ElementsState::Items { items, next: 0 })
    }
}

fn next_of_other<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    other: &mut Other<'r>,
) -> OpResult<Option<Value<'r>>> {
    match other {
        Other::Subsets(subsets) => Ok(subsets.next(host.region())),
        Other::KSubsets(subsets) => Ok(subsets.next(host.region())),
        Other::Odometer(odometer) => odometer.next(host),
        Other::Filter { base, closure } => next_of_filter(host, base, *closure),
        Other::Sieve { base, other, keep } => {
            while let Some(element) = base.next(host)? {
                if member(host, element, *other)? == *keep {
                    return Ok(Some(element));
                }
            }
            Ok(None)
        }
        Other::Chain { first, second } => match first.next(host)? {
            Some(element) => Ok(Some(element)),
            None => second.next(host),
        },
        Other::Flat { sets, current } => loop {
            if let Some(elements) = current
                && let Some(element) = elements.next(host)?
            {
                return Ok(Some(element));
            }
            let Some(set) = sets.next(host)? else { return Ok(None) };
            let elements = start(host, set, Order::Own)?;
            *current = Some(host.region().alloc(elements));
        },
    }
}

fn next_of_filter<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    base: &mut Elements<'r>,
    closure: Closure<'r>,
) -> OpResult<Option<Value<'r>>> {
    while let Some(element) = base.next(host)? {
        let kept = host.call(closure, &[element])?;
        if kept.as_bool().ok_or_else(|| not_boolean(kept))? {
            return Ok(Some(element));
        }
    }
    Ok(None)
}

#[cold]
pub(super) fn not_boolean(value: Value<'_>) -> Box<OpError> {
    Box::new(OpError::NotBoolean { value: print::print_raw(value) })
}

#[inline]
fn start<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>, order: Order) -> OpResult<Elements<'r>> {
    match set.as_normal_set() {
        Some(items) => Ok(Elements::items(items)),
        None => start_other(host, set, order),
    }
}

/// Refuses to go on when the values made so far fill the memory, or the time is up.
#[cold]
fn check_limits<'r, H: Host<'r> + ?Sized>(host: &mut H) -> OpResult<()> {
    host.check_limits()
}

fn start_other<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    set: Value<'r>,
    order: Order,
) -> OpResult<Elements<'r>> {
    check_room(host, 0)?;
    if let Some(explicit) = set.object().and_then(|object| object.explicit_form())
        && set.is_set()
    {
        return start(host, explicit, order);
    }
    let own = order == Order::Own;
    match set.view() {
        View::Interval(first, last) => Ok(Elements(ElementsState::Ints { next: first, last })),
        View::Powerset(base) => start_subsets(host, base),
        View::KSubsets(base, size) => start_k_subsets(host, base, size),
        View::FunctionSet(domain, range) => start_functions(host, domain, range, order),
        View::RecordSet(shape, sets) => Odometer::start(host, sets, FunctionForm::Record(shape), order),
        View::Product(sets) => Odometer::start(host, sets, FunctionForm::Sequence, order),
        View::Filter(base, closure) if own => {
            let base = start_part(host, base)?;
            Ok(Elements::other(Other::Filter { base, closure }))
        }
        View::Cap(left, right) if own => {
            let (base, other) = if left.kind().is_enumerable() { (left, right) } else { (right, left) };
            let base = start_part(host, base)?;
            Ok(Elements::other(Other::Sieve { base, other, keep: true }))
        }
        View::Difference(left, other) if own => {
            let base = start_part(host, left)?;
            Ok(Elements::other(Other::Sieve { base, other, keep: false }))
        }
        View::Cup(left, right) if own => {
            let (first, second) = (start_part(host, left)?, start_part(host, right)?);
            Ok(Elements::other(Other::Chain { first, second }))
        }
        View::Union(sets) if own => {
            let sets = start_part(host, sets)?;
            Ok(Elements::other(Other::Flat { sets, current: None }))
        }
        View::Set { .. }
        | View::Filter(..)
        | View::Cap(..)
        | View::Difference(..)
        | View::Cup(..)
        | View::Union(..) => explicit_items(host, set).map(Elements::items),
        View::Naturals | View::Integers | View::Reals | View::Strings => Err(not_enumerable(set)),
        View::Sequences(_) | View::Anything => Err(not_enumerable(set)),
        View::Bool(_) | View::Int(_) | View::BigInt(_) | View::String(_) | View::ModelValue(_) => {
            Err(no_set(set))
        }
        View::Sequence(_) | View::Record(..) | View::Function(..) | View::LazyFunction { .. } => {
            Err(no_set(set))
        }
    }
}

#[cold]
fn no_set(value: Value<'_>) -> Box<OpError> {
    wrong_kind("\\in", "a set", value)
}

fn start_part<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> OpResult<&'r mut Elements<'r>> {
    let elements = start(host, set, Order::Own)?;
    Ok(host.region().alloc(elements))
}

fn explicit_items<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> OpResult<Items<'r>> {
    let set = force::explicit_set(host, set)?;
    Ok(set.as_normal_set().expect("`explicit_set` gives a set in normal form"))
}

/// An enumeration of all subsets: by size, then in the order of the indices of their elements, which is the normal
/// order.
struct Subsets<'r> {
    items: Items<'r>,
    /// The indices of the elements of the next subset, ascending, in the first `size` places.
    picks: &'r mut [u32],
    /// The size of the next subset. More than the number of elements when the enumeration is finished.
    size: usize,
}

fn start_subsets<'r, H: Host<'r> + ?Sized>(host: &mut H, base: Value<'r>) -> OpResult<Elements<'r>> {
    let items = explicit_items(host, base)?;
    let picks = host.region().alloc_slice((0..items.len()).map(|index| index as u32));
    Ok(Elements::other(Other::Subsets(Subsets { items, picks, size: 0 })))
}

impl<'r> Subsets<'r> {
    fn next(&mut self, region: &'r Region) -> Option<Value<'r>> {
        if self.size > self.items.len() {
            return None;
        }
        let subset = pick(region, self.items, &self.picks[..self.size]);
        if !next_combination(&mut self.picks[..self.size], self.items.len()) {
            self.size += 1;
            (0..).zip(self.picks.iter_mut()).for_each(|(index, pick)| *pick = index);
        }
        Some(subset)
    }
}

fn pick<'r>(region: &'r Region, items: Items<'r>, picks: &[u32]) -> Value<'r> {
    let mut vec = ValueVec::with_capacity(region, picks.len());
    vec.extend(picks.iter().map(|&index| items.get(index as usize)));
    vec.into_normal_set()
}

/// Moves to the next ascending choice among `n`, in lexicographic order. Returns `false` after the last.
fn next_combination(picks: &mut [u32], n: usize) -> bool {
    let size = picks.len();
    let can_move = |(place, &pick): (usize, &u32)| (pick as usize) < n - (size - place);
    let Some(place) = picks.iter().enumerate().rposition(can_move) else { return false };
    let first = picks[place] + 1;
    (first..).zip(&mut picks[place..]).for_each(|(index, pick)| *pick = index);
    true
}

/// An enumeration of the subsets of one size. TLC: in the order of the bit sets of their indices, not in normal order.
struct KSubsets<'r> {
    items: Items<'r>,
    picks: &'r mut [u32],
    is_over: bool,
}

fn start_k_subsets<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    base: Value<'r>,
    size: usize,
) -> OpResult<Elements<'r>> {
    let items = explicit_items(host, base)?;
    let is_over = size > items.len();
    let n_picks = if is_over { 0 } else { size };
    let picks = host.region().alloc_slice((0..n_picks).map(|index| index as u32));
    Ok(Elements::other(Other::KSubsets(KSubsets { items, picks, is_over })))
}

impl<'r> KSubsets<'r> {
    fn next(&mut self, region: &'r Region) -> Option<Value<'r>> {
        if self.is_over {
            return None;
        }
        let subset = pick(region, self.items, self.picks);
        // The next larger number with as many bits: the lowest bit that can move up does, and those below it fall down.
        let n = self.items.len() as u32;
        let place = (0..self.picks.len())
            .find(|&place| self.picks[place] + 1 < self.picks.get(place + 1).copied().unwrap_or(n));
        match place {
            Some(place) => {
                self.picks[place] += 1;
                (0..).zip(&mut self.picks[..place]).for_each(|(index, pick)| *pick = index);
            }
            None => self.is_over = true,
        }
        Some(subset)
    }
}

/// An enumeration of choices of one element out of each of several sets; the last varies fastest.
struct Odometer<'r> {
    wheels: &'r mut [Wheel<'r>],
    form: FunctionForm<'r>,
    order: Order,
    is_over: bool,
}

struct Wheel<'r> {
    set: Value<'r>,
    elements: Elements<'r>,
    current: Value<'r>,
}

impl<'r> Odometer<'r> {
    fn start<H: Host<'r> + ?Sized>(
        host: &mut H,
        sets: impl IntoIterator<Item = Value<'r>>,
        form: FunctionForm<'r>,
        order: Order,
    ) -> OpResult<Elements<'r>> {
        let mut wheels = Vec::new();
        let mut is_over = false;
        for set in sets {
            let mut elements = start(host, set, order)?;
            match elements.next(host)? {
                Some(current) => wheels.push(Wheel { set, elements, current }),
                None => {
                    is_over = true;
                    break;
                }
            }
        }
        let wheels = host.region().alloc_slice(wheels.into_iter());
        Ok(Elements::other(Other::Odometer(host.region().alloc(Odometer { wheels, form, order, is_over }))))
    }

    fn next<H: Host<'r> + ?Sized>(&mut self, host: &mut H) -> OpResult<Option<Value<'r>>> {
        if self.is_over {
            return Ok(None);
        }
        let mut vec = ValueVec::with_capacity(host.region(), self.wheels.len());
        vec.extend(self.wheels.iter().map(|wheel| wheel.current));
        let element = self.form.build(vec);
        self.advance(host)?;
        Ok(Some(element))
    }

    fn advance<H: Host<'r> + ?Sized>(&mut self, host: &mut H) -> OpResult<()> {
        for wheel in self.wheels.iter_mut().rev() {
            if let Some(current) = wheel.elements.next(host)? {
                wheel.current = current;
                return Ok(());
            }
            wheel.elements = start(host, wheel.set, self.order)?;
            wheel.current = wheel.elements.next(host)?.expect("the set had an element before");
        }
        self.is_over = true;
        Ok(())
    }
}

fn start_functions<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    domain: Value<'r>,
    range: Value<'r>,
    order: Order,
) -> OpResult<Elements<'r>> {
    if !range.kind().is_enumerable() {
        return Err(not_enumerable(range));
    }
    let explicit = force::explicit_elements(host, domain)?;
    let domain =
        if let Explicit::Interval(..) = explicit { domain } else { force::explicit_set(host, domain)? };
    let n = usize::try_from(explicit.len()).ok().filter(|&n| n <= u32::MAX as usize);
    let n = n.ok_or_else(|| super::too_large(domain))?;
    Odometer::start(host, std::iter::repeat_n(range, n), FunctionForm::of(domain), order)
}
