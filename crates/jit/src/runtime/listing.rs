//! Lists of the elements of sets, for loops of generated code.

use eval::interp::Machine;
use value::{Items, OpResult, ops, raw};

use super::{Context, with_machine};

/// Limit on the elements of a set that is listed. A larger one is left to the interpreter, which need not list it.
pub(super) const LISTED_MAX: usize = 1 << 16;

/// Lists the elements of a set, as words after their number.
pub(super) fn list_elements(
    context: &mut Context<'_>,
    elements_of: impl FnOnce(&mut Machine<'static, 'static>) -> OpResult<ops::Elements<'static>>,
) -> u64 {
    // PERF: the same memory for all lists, because most sets are small.
    let mut found = std::mem::take(&mut context.caches().listed);
    found.clear();
    found.push(0);
    let list = with_machine(context, |machine| {
        let mut elements = elements_of(machine).ok()?;
        while let Some(element) = elements.next(machine).ok()? {
            if found.len() > LISTED_MAX {
                return None;
            }
            found.push(raw::word(element));
        }
        found[0] = found.len() as u64 - 1;
        Some(raw::keep_words(machine.region(), &found))
    });
    context.caches().listed = found;
    list.unwrap_or(0)
}

/// Lists items, as words after their number.
pub(super) fn list_items(context: &mut Context<'_>, items: Items<'static>) -> u64 {
    let mut found = std::mem::take(&mut context.caches().listed);
    found.clear();
    found.push(items.len() as u64);
    found.extend(items.iter().map(raw::word));
    let list = with_machine(context, |machine| raw::keep_words(machine.region(), &found));
    context.caches().listed = found;
    list
}
