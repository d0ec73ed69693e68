//! Random specifications whose graphs are known beforehand: a lasso that is told must be a behaviour of the graph, fair,
//! and violate the property; where none is told, no short behaviour is one. What formulas mean is written down here once
//! more, and shares no line with the checker.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use base::SystemClock;
use check::{Options, Search, Silent};
use model::{Engine, Model, Verdict};
use sema::config::ConfigInput;
use sema::{DiskFiles, LoadOptions};
use trace::{Datum, Ending, Trace};
use value::Atoms;

/// Behaviours up to so many states are tried one by one.
const LEN_MAX: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    A,
    B,
    Either,
}

/// A temporal formula over one variable `x`.
enum F {
    In(BTreeSet<u32>),
    Not(Box<F>),
    And(Box<F>, Box<F>),
    Implies(Box<F>, Box<F>),
    Always(Box<F>),
    Eventually(Box<F>),
    LeadsTo(Box<F>, Box<F>),
    Weak(Act),
    Strong(Act),
    /// `[]<><<A>>_x`
    Again(Act),
    /// `<>[][A]_x`
    Finally(Act),
}

struct System {
    n_states: u32,
    a: BTreeSet<(u32, u32)>,
    b: BTreeSet<(u32, u32)>,
    fairness: Vec<F>,
    property: F,
}

/// States, and where it goes on after the last.
struct Word {
    states: Vec<u32>,
    back_to: usize,
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Act::A => "A",
            Act::B => "B",
            Act::Either => "(A \\/ B)",
        })
    }
}

impl fmt::Display for F {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            F::In(set) => {
                let numbers: Vec<String> = set.iter().map(u32::to_string).collect();
                write!(f, "(x \\in {{{}}})", numbers.join(", "))
            }
            F::Not(inner) => write!(f, "(~{inner})"),
            F::And(left, right) => write!(f, "({left} /\\ {right})"),
            F::Implies(left, right) => write!(f, "({left} => {right})"),
            F::Always(inner) => write!(f, "([]{inner})"),
            F::Eventually(inner) => write!(f, "(<>{inner})"),
            F::LeadsTo(left, right) => write!(f, "({left} ~> {right})"),
            F::Weak(act) => write!(f, "WF_x({act})"),
            F::Strong(act) => write!(f, "SF_x({act})"),
            F::Again(act) => write!(f, "([]<><<{act}>>_x)"),
            F::Finally(act) => write!(f, "(<>[][{act}]_x)"),
        }
    }
}

impl System {
    fn is_step(&self, act: Act, step: (u32, u32)) -> bool {
        match act {
            Act::A => self.a.contains(&step),
            Act::B => self.b.contains(&step),
            Act::Either => self.a.contains(&step) || self.b.contains(&step),
        }
    }

    fn is_enabled(&self, act: Act, state: u32) -> bool {
        (0..self.n_states).any(|to| to != state && self.is_step(act, (state, to)))
    }

    fn module(&self) -> String {
        let pairs = |pairs: &BTreeSet<(u32, u32)>| {
            let pairs: Vec<String> = pairs.iter().map(|(from, to)| format!("<<{from}, {to}>>")).collect();
            pairs.join(", ")
        };
        let fairness: String = self.fairness.iter().map(|fair| format!(" /\\ {fair}")).collect();
        format!(
            "---- MODULE Random ----\nEXTENDS Naturals\nVARIABLE x\n\
             A == x' \\in 0..{last} /\\ <<x, x'>> \\in {{{a}}}\n\
             B == x' \\in 0..{last} /\\ <<x, x'>> \\in {{{b}}}\n\
             Spec == x = 0 /\\ [][A \\/ B]_x{fairness}\nProp == {property}\n====\n",
            last = self.n_states - 1,
            a = pairs(&self.a),
            b = pairs(&self.b),
            property = self.property,
        )
    }

    fn is_counterexample(&self, word: &Word) -> bool {
        let steps = (0..word.states.len()).map(|at| word.step(at));
        let are_steps = steps.into_iter().all(|step| step.0 == step.1 || self.is_step(Act::Either, step));
        let holds = |formula: &F| word.holds(self, formula, 0);
        word.states[0] == 0 && are_steps && self.fairness.iter().all(holds) && !holds(&self.property)
    }

    fn has_short(&self) -> bool {
        let mut walks = vec![vec![0]];
        while let Some(states) = walks.pop() {
            let word = |back_to| Word { states: states.clone(), back_to };
            if (0..states.len()).any(|back_to| self.is_counterexample(&word(back_to))) {
                return true;
            }
            if states.len() < LEN_MAX {
                walks.extend((0..self.n_states).map(|to| [states.as_slice(), &[to]].concat()));
            }
        }
        false
    }
}

impl Word {
    fn step(&self, at: usize) -> (u32, u32) {
        (self.states[at], self.states.get(at + 1).copied().unwrap_or(self.states[self.back_to]))
    }

    /// `at` and what comes after it.
    fn from(&self, at: usize) -> impl Iterator<Item = usize> {
        at.min(self.back_to)..self.states.len()
    }

    fn later(&self, at: usize) -> Vec<usize> {
        self.from(at).filter(|&later| later >= at || later >= self.back_to).collect()
    }

    fn in_cycle(&self) -> std::ops::Range<usize> {
        self.back_to..self.states.len()
    }

    fn holds(&self, system: &System, formula: &F, at: usize) -> bool {
        let is_angle = |act: Act, at: usize| {
            let step = self.step(at);
            step.0 != step.1 && system.is_step(act, step)
        };
        let holds = |formula: &F, at| self.holds(system, formula, at);
        match formula {
            F::In(set) => set.contains(&self.states[at]),
            F::Not(inner) => !holds(inner, at),
            F::And(left, right) => holds(left, at) && holds(right, at),
            F::Implies(left, right) => !holds(left, at) || holds(right, at),
            F::Always(inner) => self.later(at).into_iter().all(|at| holds(inner, at)),
            F::Eventually(inner) => self.later(at).into_iter().any(|at| holds(inner, at)),
            F::LeadsTo(left, right) => {
                let reaches = |at| self.later(at).into_iter().any(|at| holds(right, at));
                self.later(at).into_iter().all(|at| !holds(left, at) || reaches(at))
            }
            F::Weak(act) => {
                self.in_cycle().any(|at| is_angle(*act, at) || !system.is_enabled(*act, self.states[at]))
            }
            F::Strong(act) => {
                self.in_cycle().any(|at| is_angle(*act, at))
                    || self.in_cycle().all(|at| !system.is_enabled(*act, self.states[at]))
            }
            F::Again(act) => self.in_cycle().any(|at| is_angle(*act, at)),
            F::Finally(act) => self.in_cycle().all(|at| {
                let step = self.step(at);
                step.0 == step.1 || system.is_step(*act, step)
            }),
        }
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as u32) % n
    }

    fn system(&mut self) -> System {
        let n_states = 1 + self.below(4);
        let pairs = (0..n_states).flat_map(|from| (0..n_states).map(move |to| (from, to)));
        let pairs: Vec<(u32, u32)> = pairs.collect();
        let mut edges = || pairs.iter().copied().filter(|_| self.below(4) == 0).collect();
        let (a, b) = (edges(), edges());
        let fairness = (0..self.below(3)).map(|_| self.fairness()).collect();
        let property = self.property(n_states);
        System { n_states, a, b, fairness, property }
    }

    fn act(&mut self) -> Act {
        [Act::A, Act::B, Act::Either][self.below(3) as usize]
    }

    fn fairness(&mut self) -> F {
        if self.below(2) == 0 { F::Weak(self.act()) } else { F::Strong(self.act()) }
    }

    fn property(&mut self, n_states: u32) -> F {
        match self.below(6) {
            0 => self.fairness(),
            1 => F::Again(self.act()),
            2 => F::Finally(self.act()),
            _ => F::Eventually(Box::new(F::And(
                Box::new(self.states(n_states)),
                Box::new(self.temporal(n_states, 2)),
            ))),
        }
    }

    fn states(&mut self, n_states: u32) -> F {
        F::In((0..n_states).filter(|_| self.below(2) == 0).collect())
    }

    fn temporal(&mut self, n_states: u32, depth: u32) -> F {
        if depth == 0 {
            return self.states(n_states);
        }
        let mut part = || Box::new(self.temporal(n_states, depth - 1));
        let (left, right) = (part(), part());
        match self.below(6) {
            0 => F::Not(left),
            1 => F::And(left, right),
            2 => F::Implies(left, right),
            3 => F::Always(left),
            4 => F::Eventually(left),
            _ => F::LeadsTo(left, right),
        }
    }
}

/// A way to search.
#[derive(Clone, Copy, Debug)]
struct Way {
    search: Search,
    engine: Engine,
    n_workers: usize,
}

const WAYS: [Way; 3] = [
    Way { search: Search::BreadthFirst, engine: Engine::Interpreted, n_workers: 1 },
    Way { search: Search::BreadthFirst, engine: Engine::Compiled, n_workers: 2 },
    Way { search: Search::DepthFirst, engine: Engine::Interpreted, n_workers: 1 },
];

/// The lasso that is told, or that there is none.
fn told(system: &System, way: Way) -> Option<Trace> {
    let module = system.module();
    let loaded = sema::load_text(Path::new("Random.tla"), &module, &LoadOptions::default(), &DiskFiles);
    assert!(!loaded.diagnostics.has_errors(), "{module}\n{:?}", loaded.diagnostics);
    let mut spec = loaded.spec;
    let text = "SPECIFICATION Spec\nPROPERTY Prop\n";
    let source = spec.sources.add("Random.cfg", text.to_owned());
    let parsed = syntax::cfg::parse_config(source, text, &mut spec.names);
    let bound = sema::config::bind(&spec, ConfigInput { source, tree: &parsed.tree });
    assert!(!bound.diagnostics.has_errors(), "{:?}", bound.diagnostics);
    let lowered = eval::lower::lower(&spec, &bound.config, Atoms::new());
    let options = Options {
        search: way.search,
        engine: way.engine,
        n_workers: way.n_workers,
        n_judges: 0,
        check_deadlock: false,
        depth_max: None,
        states_max: None,
        time_max: None,
        memory_bytes_max: 1 << 30,
        spill: None,
        violations_max: Some(1),
        checkpoints: None,
        counts_evaluations: false,
        reports_engine: false,
        seed: 0,
        interrupted: &AtomicBool::new(false),
        world: &eval::world::NO_WORLD,
        clock: &SystemClock::start(),
    };
    match check::check(Model { spec: &spec, program: &lowered.program }, &options, &Silent).outcome {
        Ok(Verdict::Holds) => None,
        Ok(Verdict::Violated(violation)) => violation.trace,
        Err(reason) => panic!("{module}\n{reason:?}"),
    }
}

fn word(trace: &Trace) -> Word {
    let number = |value: &Option<Datum>| match value {
        Some(Datum::Int(number)) => u32::try_from(number.clone()).expect("states are small numbers"),
        other => panic!("{other:?}"),
    };
    let states: Vec<u32> = trace.states.iter().map(|state| number(&state.values[0])).collect();
    let back_to = match trace.ending {
        Ending::Loop { to, .. } => to,
        Ending::Stuttering => states.len() - 1,
        Ending::Stop => panic!("a lasso does not stop"),
    };
    Word { states, back_to }
}

#[test]
fn a_lasso_is_a_counterexample_and_where_there_is_none_no_short_one_exists() {
    let (mut n_violated, mut n_held) = (0, 0);
    for seed in 0..150 {
        let system = Random(seed * 7919 + 1).system();
        let is_short = system.has_short();
        for way in WAYS {
            match told(&system, way) {
                Some(trace) => {
                    n_violated += 1;
                    let word = word(&trace);
                    let is_one = system.is_counterexample(&word);
                    assert!(is_one, "seed {seed}, {way:?}: {:?}\n{}", word.states, system.module());
                }
                None => {
                    n_held += 1;
                    assert!(!is_short, "seed {seed}, {way:?}\n{}", system.module());
                }
            }
        }
    }
    assert!(n_violated > 100 && n_held > 50, "{n_violated} violated, {n_held} held");
}
