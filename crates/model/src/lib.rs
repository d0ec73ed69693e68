//! A specification that is ready to run, and what every exploration of it shares.
//!
//! A search, a walk, a replay and a validation all prepare a [`Model`], evaluate its formulas on a machine, and report what
//! they find in the same words. None of that needs a set of states: this crate knows nothing of stores, checkpoints or
//! symmetry.
//!
//! | module | contents |
//! | --- | --- |
//! | [`prepare`] | constants, assumptions and actions before the first state; postconditions after the last |
//! | [`outcome`] | verdicts, and reasons why there is none |
//! | [`words`], [`fault`], [`explain`], [`blocked`] | findings as diagnostics: what failed, where, with which values |
//! | [`data`], [`ground`], [`alias`] | values of states, explicit, interned, and as traces show them |
//! | [`temporal`] | temporal properties: their formulas, and their meaning on one behaviour |
//! | [`periodic`] | the formula under `_PERIODIC`, which can end a run |
//! | `code_policy` | when machine code is made |
//! | [`coverage`] | which parts of the specification were used |
//! | [`run`] | what whoever evaluates must provide |

pub mod alias;
pub mod blocked;
mod code_policy;
pub mod counterexample;
pub mod coverage;
pub mod data;
pub mod explain;
pub mod fault;
pub mod ground;
mod model;
pub mod names;
pub mod outcome;
pub mod periodic;
pub mod prepare;
pub mod run;
pub mod step_names;
pub mod temporal;
pub mod tlc_get;
mod witness;
pub mod words;

pub use alias::{alias_fields, expressions, show_alias, show_expressions};
pub use blocked::explain_deadlock;
pub use code_policy::{CodeExamples, CodePolicy, CodeUse};
pub use counterexample::{counterexample, to_owned_value};
pub use coverage::{
    ActionCoverage, Branch, BranchKind, Coverage, ExpressionCoverage, FoundBy, IdleKind, IdlePart,
};
pub use data::{Data, datum, state_data};
pub use explain::{failing_conjunct, failing_part, nearest_miss};
pub use fault::diagnostic as fault_diagnostic;
pub use ground::{Side, ground, intern_made};
pub use model::{Engine, Model};
pub use names::{location, place, place_text, root_name};
pub use outcome::{
    Ended, Limit, NoVerdict, Outcome, Phase, Property, PropertyKind, Tally, Verdict, Violation, What,
};
pub use periodic::Periodic;
pub use prepare::{all_hold, conclude, lost_updates, prepare};
pub use run::{Evaluation, QuietRun, REGION_BYTES_MAX, Registers, STACK_BYTES, all_registers, draw, quietly};
pub use step_names::{step, step_names};
pub use temporal::undefined_verdict as undefined_temporal;
pub use temporal::{
    Endless, Judged, WalkLasso, WalkLiveness, WalkStop, WalkedStates, judge as judge_behaviour,
};
pub use tlc_get::{describe, describe_early, revision, unnamed_action};
pub use witness::{Possible, Witnesses};
pub use words::{no_initial_in_model, no_initial_state, no_states, no_verdict, property, violation};
