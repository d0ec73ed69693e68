//! Access to a machine between evaluations: a search puts states in and takes them out.

use diag::Span;
use value::Value;

use super::Machine;

impl<'r> Machine<'_, 'r> {
    /// Runs `body` with the next state as the current one.
    pub fn in_next<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        std::mem::swap(&mut self.state, &mut self.next);
        let result = body(self);
        std::mem::swap(&mut self.state, &mut self.next);
        result
    }

    /// Runs `body` with `values` as the current state.
    pub fn with_state<T>(&mut self, values: &[Value<'r>], body: impl FnOnce(&mut Self) -> T) -> T {
        let values = values.iter().copied().map(Some).collect();
        let outer = std::mem::replace(&mut self.state, values);
        let result = body(self);
        self.state = outer;
        result
    }

    /// Returns the values of the current state, to be replaced by others that mean the same.
    pub fn state_mut(&mut self) -> &mut [Option<Value<'r>>] {
        &mut self.state
    }

    /// Returns the values of the next state, to be replaced by others that mean the same.
    pub fn next_mut(&mut self) -> &mut [Option<Value<'r>>] {
        &mut self.next
    }

    /// Returns a place for messages about something without its own place: the initial predicate.
    pub fn fallback_span(&self) -> Span {
        match self.program.init.first() {
            Some(root) => root.span,
            None => self.span(base::Id::from_index(0)),
        }
    }
}
