//! Temporal properties before the search: quantifiers expanded, formulas taken apart, what cannot be checked refused.

use diag::{Code, Diagnostic, Span};
use eval::interp::{ActionInstance, Evaluated, Machine};
use model::temporal::Builder;
use model::temporal::bits::{BitSets, Cache};
use model::{Model, NoVerdict};

use super::asked::Asked;
use super::derived::Derived;
use super::log::StepLog;
use super::{Liveness, Recorder};
use crate::options::Options;
use crate::run::Board;

/// Prepares the properties of behaviours; `None` if there are none.
pub(crate) fn prepare(
    model: Model<'_>,
    machine: &mut Machine<'_, '_>,
    options: &Options<'_>,
) -> Result<Option<Liveness>, NoVerdict> {
    let program = model.program;
    let Some(first) = program.temporal.first() else { return Ok(None) };
    if let Some(option) = refused_option(options) {
        return Err(NoVerdict::Unsupported(Box::new(option_refusal(option, first.span))));
    }
    let mut builder = Builder::new(model);
    builder.may_ask = true;
    let (fairness, properties) = builder.plan(machine)?;
    let asked = Asked::new(builder.asking());
    Ok(Some(Liveness {
        fairness,
        properties,
        leads_to: builder.leads_to,
        asked,
        atoms: builder.atoms,
        labels: BitSets::default(),
        log: StepLog::default(),
        fair: builder.fair,
        derived: Derived::default(),
        bits: BitSets::default(),
        labels_at_once: program.view.is_some() || program.symmetry.is_some(),
    }))
}

impl Liveness {
    /// Finds out which fair actions are disjuncts of the next-state relation.
    pub fn derive<'p>(&mut self, machine: &mut Machine<'p, '_>, actions: &[ActionInstance<'p>]) {
        self.derived = match self.labels_at_once {
            true => Derived::none(&self.atoms),
            false => Derived::new(machine, actions, &self.atoms, &self.fair),
        };
        self.derived.ask(&self.asked.atoms);
    }

    /// How many steps were written down.
    pub fn n_steps(&self) -> u64 {
        self.log.n_steps()
    }

    /// The number of the set of actions that the machine's step is.
    pub(super) fn label(&self, labels: &mut Cache<'_>, machine: &mut Machine<'_, '_>) -> Evaluated<u32> {
        let actions = &self.atoms.actions;
        labels.number_of(actions.len(), |atom| machine.atom_holds(&actions[atom]))
    }

    /// Returns a recorder with which a worker writes steps down.
    pub fn recorder<'a>(&'a self, board: &'a Board<'a>) -> Recorder<'a> {
        Recorder::new(board, self)
    }
}

/// Returns an option that excludes temporal properties, if one is used.
fn refused_option(options: &Options<'_>) -> Option<&'static str> {
    match (&options.spill, &options.checkpoints) {
        (Some(_), _) => Some("--spill"),
        (None, Some(checkpoints)) if checkpoints.is_resumed => Some("--resume"),
        (None, Some(_)) => Some("--checkpoint"),
        (None, None) => None,
    }
}

fn option_refusal(option: &str, span: Span) -> Diagnostic {
    let headline = format!("temporal properties cannot be checked with `{option}` yet");
    Diagnostic::new(Code::TemporalOption, span, headline)
        .label("this needs every step of the search in memory")
        .help(format!("leave `{option}` out, or check this property in a run of its own"))
}
