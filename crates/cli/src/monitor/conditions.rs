//! The conditions under which messages are of no use: shown to hold before a process is watched.

use std::sync::atomic::{AtomicBool, Ordering};

use diag::{Code, Diagnostic};
use eval::interp::Shared;
use model::STACK_BYTES;
use monitor::conditions::{Condition, ConditionForm, Proof};
use monitor::prove::{Conditions, prove, written};
use monitor::{CannotStart, MonitorRun, Setting};
use setup::ModelInput;
use setup::memory::{self, bytes};

use super::load::{MappingFile, Sliced, load};
use super::solver;
use crate::console::{Console, Stream};
use crate::exit::{Ending, Stop};

/// The questions about conditions.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// Whether those of the mapping are used without proof.
    pub trusts: bool,
    /// Whether others are looked for, used or not.
    pub derives: bool,
}

/// Judges the conditions of a mapping and derives others, within the bounds of `[proof]`.
pub fn find(
    model: &ModelInput,
    (file, wanted): (&MappingFile, Wanted),
    interrupted: &AtomicBool,
    console: &Console,
) -> Result<Conditions, Stop> {
    let trusts = wanted.trusts || file.mapping.proof.trusts;
    let derives = wanted.derives || file.mapping.proof.derives;
    let mut all = written(&file.mapping);
    if (all.is_empty() || trusts) && !derives {
        // What is trusted needs no proof.
        all.iter_mut().for_each(trust);
        return Ok(Conditions { all, trouble: None });
    }
    let open = match file.mapping.proof.asks_solver {
        true => Some(load(model, &file.without_binds(), console)?),
        false => None,
    };
    if let Some(open) = &open {
        solver::solve((&open.spec, &open.slice), all.iter_mut());
    }
    let bounded = file.within_proof();
    let sliced = load(model, &bounded, console)?;
    let shared = Shared::new(&sliced.program);
    let judge = || judge((&sliced, &bounded), &shared, (derives, interrupted), all);
    let found = base::on_deep_stack(STACK_BYTES, judge);
    let mut found = found.map_err(|CannotStart(told)| console.refuse(&sliced.spec.sources, &told))?;
    if interrupted.load(Ordering::Relaxed) {
        console.line(Stream::Err, "interrupted while conditions were judged")?;
        return Err(Ending::Interrupted.into());
    }
    let derived = found.all.iter_mut().filter(|one| matches!(one.form, ConditionForm::Derived(_)));
    if let Some(open) = &open {
        solver::solve((&open.spec, &open.slice), derived);
    }
    if trusts {
        found.all.iter_mut().for_each(trust);
    }
    Ok(found)
}

fn judge(
    (sliced, file): (&Sliced, &MappingFile),
    shared: &Shared,
    (derives, interrupted): (bool, &AtomicBool),
    written: Vec<Condition>,
) -> Result<Conditions, CannotStart> {
    let model = sliced.model();
    let run = MonitorRun { model, memory_bytes_max: bytes(memory::default_bytes()), interrupted };
    let (slice, mapping) = (&sliced.slice, &file.mapping);
    let setting =
        Setting { model, shared, run: &run, slice, mapping, node: "", is_running: false, conditions: &[] };
    if written.iter().all(|condition| condition.proof == Proof::Solved) && !derives {
        return Ok(Conditions { all: written, trouble: None });
    }
    prove(setting, (mapping.proof.pairs_max, derives), written)
}

fn trust(condition: &mut Condition) {
    let is_written = matches!(condition.form, ConditionForm::Written(_));
    if is_written && !condition.proof.is_enough() {
        condition.proof = Proof::Trusted;
    }
}

/// Returns the conditions of the mapping that are not used, as warnings.
pub fn warnings(conditions: &Conditions) -> Vec<Diagnostic> {
    let unused = conditions.all.iter().filter(|condition| !condition.proof.is_enough());
    let warning = |condition: &Condition| {
        let headline = format!("the condition `{}` of the mapping is not used", condition.text);
        let why = match &condition.proof {
            Proof::Refuted(why) => format!("it does not hold: {why}"),
            Proof::Open(why) => format!("nothing shows that it holds: {why}"),
            Proof::Solved | Proof::Bounded { .. } | Proof::Trusted => String::new(),
        };
        let help = match &condition.proof {
            Proof::Refuted(_) => "correct the formula, or leave it out",
            Proof::Open(_) | Proof::Solved | Proof::Bounded { .. } | Proof::Trusted => {
                "give `[proof] constants` that make the states of a node few; or rely on it with `--trust`"
            }
        };
        Diagnostic::without_place(Code::MonitorCondition, headline).note(why).help(help)
    };
    unused.map(warning).collect()
}
