//! The conditions under which messages are of no use: shown to hold before a process is watched.

use std::sync::atomic::AtomicBool;

use diag::{Code, Diagnostic};
use eval::interp::Shared;
use model::STACK_BYTES;
use monitor::conditions::{Condition, ConditionForm, Proof};
use monitor::prove::{Conditions, prove, written};
use monitor::{CannotStart, MonitorRun, Setting};
use setup::ModelInput;
use setup::memory::{self, bytes};

use super::load::{MappingFile, Sliced, load};
use crate::console::Console;
use crate::exit::Stop;

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
    let bounded = file.within_proof();
    let sliced = load(model, &bounded, console)?;
    let shared = Shared::new(&sliced.program);
    let found =
        base::on_deep_stack(STACK_BYTES, || judge((&sliced, &bounded), &shared, (wanted, interrupted)));
    let mut found = found.map_err(|CannotStart(told)| console.refuse(&sliced.spec.sources, &told))?;
    if wanted.trusts || file.mapping.proof.trusts {
        found.all.iter_mut().for_each(trust);
    }
    Ok(found)
}

fn judge(
    (sliced, file): (&Sliced, &MappingFile),
    shared: &Shared,
    (wanted, interrupted): (Wanted, &AtomicBool),
) -> Result<Conditions, CannotStart> {
    let model = sliced.model();
    let run = MonitorRun { model, memory_bytes_max: bytes(memory::default_bytes()), interrupted };
    let (slice, mapping) = (&sliced.slice, &file.mapping);
    let setting =
        Setting { model, shared, run: &run, slice, mapping, node: "", is_running: false, conditions: &[] };
    let derives = wanted.derives || mapping.proof.derives;
    if mapping.never.is_empty() && mapping.spent.is_empty() && !derives {
        return Ok(Conditions { all: written(setting), trouble: None });
    }
    prove(setting, mapping.proof.pairs_max, derives)
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
            Proof::Bounded { .. } | Proof::Trusted => String::new(),
        };
        Diagnostic::without_place(Code::MonitorCondition, headline)
            .note(why)
            .help("give `[proof] constants` that make the states of a node few; or rely on it with `--trust`")
    };
    unused.map(warning).collect()
}
