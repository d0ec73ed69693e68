//! When machine code is made for a specification, and made again: the policy of searches and walks, without the compiler.

use std::time::Duration;

use value::ValueId;

use crate::Engine;

/// A search makes code after this many generated states: fewer are generated sooner than code is made. One more is added
/// for a few nodes of the program each, because both evaluating and compiling take longer the more there are.
const SEARCH_GENERATED_MIN: u64 = 2_500;
const NODES_PER_GENERATED: u64 = 16;
/// Where less memory than this is allowed, the memory that code takes is missed by few states: it waits for more.
const MEMORY_BYTES_FOR_FEW: usize = 64 << 20;
const GENERATED_MIN_IN_LITTLE_MEMORY: u64 = 20_000;
/// Walks make code after this many generated states. Between two rounds of walks all workers wait for it.
const WALKS_GENERATED_MIN: u64 = 30_000;
/// About as many instructions are compiled in a second. In a search, making code takes no longer than the search took so
/// far, or a fraction of a second: the rest has its turn when there are twice as many states.
const INSTRUCTIONS_PER_SECOND: f64 = 600_000.0;
const INSTRUCTIONS_MIN: usize = 800_000;
/// Code that gives up more often than once in so many runs is made again with newer examples.
const RUNS_PER_GIVEN_UP: u64 = 50;
/// The most states that are examined for the shapes of variables.
const EXAMPLES_MAX: usize = 8000;

/// When one run makes code.
#[derive(Clone, Copy, Debug)]
pub struct CodePolicy {
    engine: Engine,
    n_generated_min: u64,
    is_limited: bool,
}

impl CodePolicy {
    /// Makes the policy of a search through a program of so many nodes. Code counts no evaluations, so there is none
    /// where they are counted.
    pub fn of_search(engine: Engine, counts_evaluations: bool, n_nodes: usize) -> CodePolicy {
        let n_generated_min = SEARCH_GENERATED_MIN + n_nodes as u64 / NODES_PER_GENERATED;
        CodePolicy { engine: engine_for(engine, counts_evaluations), n_generated_min, is_limited: true }
    }

    /// Returns the policy where so much memory is allowed.
    #[must_use]
    pub fn within(self, memory_bytes: usize) -> CodePolicy {
        let is_little = memory_bytes < MEMORY_BYTES_FOR_FEW;
        let n_generated_min = if is_little { GENERATED_MIN_IN_LITTLE_MEMORY } else { 0 };
        CodePolicy { n_generated_min: self.n_generated_min.max(n_generated_min), ..self }
    }

    /// Makes the policy of random walks.
    pub fn of_walks(engine: Engine, counts_evaluations: bool) -> CodePolicy {
        let engine = engine_for(engine, counts_evaluations);
        CodePolicy { engine, n_generated_min: WALKS_GENERATED_MIN, is_limited: false }
    }

    /// Whether code may be made at all.
    pub fn allows_code(self) -> bool {
        self.engine != Engine::Interpreted
    }

    /// Whether so many generated states are enough for the first code.
    pub fn is_first_due(self, n_generated: u64) -> bool {
        match self.engine {
            Engine::Interpreted => false,
            Engine::Compiled => true,
            Engine::Auto => n_generated >= self.n_generated_min,
        }
    }

    /// Whether code that gave up so often is to be made again. `[before, now]` are the numbers of states when it was made,
    /// and now.
    pub fn is_due_again(self, use_of_code: CodeUse, [before, now]: [u64; 2]) -> bool {
        let CodeUse { n_runs, n_given_up, is_cut } = use_of_code;
        now >= 2 * before && (is_cut || n_given_up > n_runs / RUNS_PER_GIVEN_UP)
    }

    /// Returns the most instructions to compile, after a run has taken so long.
    pub fn n_instructions_max(self, elapsed: Duration) -> usize {
        if !self.is_limited || self.engine == Engine::Compiled {
            return usize::MAX;
        }
        ((elapsed.as_secs_f64() * INSTRUCTIONS_PER_SECOND) as usize).max(INSTRUCTIONS_MIN)
    }
}

fn engine_for(engine: Engine, counts_evaluations: bool) -> Engine {
    if counts_evaluations { Engine::Interpreted } else { engine }
}

/// How code was used since it was made.
#[derive(Clone, Copy, Debug)]
pub struct CodeUse {
    pub n_runs: u64,
    pub n_given_up: u64,
    /// Whether something has no code because of the limit on instructions, or has code that is no longer run.
    pub is_cut: bool,
}

/// States that show what values variables have.
#[derive(Debug, Default)]
pub struct CodeExamples(Vec<Vec<ValueId>>);

impl CodeExamples {
    /// The most states that are kept.
    pub const MAX: usize = EXAMPLES_MAX;

    /// Adds states. Every second one is forgotten when there are too many.
    pub fn extend(&mut self, states: impl IntoIterator<Item = Vec<ValueId>>) {
        self.0.extend(states);
        if self.0.len() > EXAMPLES_MAX {
            let mut is_second = false;
            self.0.retain(|_| {
                is_second = !is_second;
                is_second
            });
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &[ValueId]> {
        self.0.iter().map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_made_when_it_pays_and_again_when_it_gives_up() {
        let policy = CodePolicy::of_search(Engine::Auto, false, 400);
        assert!(!policy.is_first_due(2_524) && policy.is_first_due(2_525));
        assert!(!policy.within(1 << 20).is_first_due(19_999) && policy.within(1 << 30).is_first_due(2_525));
        let often = CodeUse { n_runs: 100, n_given_up: 3, is_cut: false };
        let seldom = CodeUse { n_given_up: 2, ..often };
        assert!(policy.is_due_again(often, [10, 20]) && !policy.is_due_again(often, [10, 19]));
        assert!(!policy.is_due_again(seldom, [10, 20]));
        assert!(policy.is_due_again(CodeUse { is_cut: true, ..seldom }, [10, 20]));
        assert_eq!(policy.n_instructions_max(Duration::ZERO), INSTRUCTIONS_MIN);
    }

    #[test]
    fn an_engine_that_was_asked_for_is_used_from_the_start_or_never() {
        assert!(CodePolicy::of_walks(Engine::Compiled, false).is_first_due(0));
        assert!(!CodePolicy::of_walks(Engine::Interpreted, false).is_first_due(u64::MAX));
        assert!(!CodePolicy::of_walks(Engine::Compiled, true).allows_code());
    }
}
