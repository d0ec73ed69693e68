//! Binds a configuration to a specification: finds the meaning of each name in the file in the root module.
//!
//! [`bind`] looks names up, checks arities, kinds and levels, and reports constants without a value. A name that cannot
//! be bound is reported and left out. [`behaviour`] splits a SPECIFICATION into its parts. Nothing is evaluated: a
//! value stays as it is written.

mod behaviour;
mod constant_errors;
mod constants;
mod convention;
mod lookup;
mod names;

use base::Name;
use diag::{Diagnostic, Diagnostics, SourceId, Span};
use num_bigint::BigInt;
use syntax::cfg::{Config, Keyword};

use crate::spec::{ConstId, DefId, ExprId, Spec};
pub use crate::unfold::{Replacement, Replacements};
pub use behaviour::{Behaviour, Formula, NextRelation, behaviour, decompose};
pub use convention::Convention;
pub(crate) use convention::root_def;

/// A configuration file that has been read, its names interned in the spec's table.
#[derive(Clone, Copy, Debug)]
pub struct ConfigInput<'a> {
    /// The file itself, for messages about something missing in it.
    pub source: SourceId,
    pub tree: &'a Config,
}

/// A configuration whose names are resolved in the root module.
#[derive(Debug, Default)]
pub struct BoundConfig {
    /// `SPECIFICATION`, or `INIT` and `NEXT`. With errors there may be some of each.
    pub specification: Option<Named>,
    pub init: Option<Named>,
    pub next: Option<Named>,
    pub invariants: Vec<Named>,
    pub properties: Vec<Named>,
    pub constraints: Vec<Named>,
    pub action_constraints: Vec<Named>,
    pub postconditions: Vec<Named>,
    pub possible: Vec<Named>,
    pub symmetry: Option<Named>,
    pub view: Option<Named>,
    pub alias: Option<Named>,
    /// Expressions evaluated in each state of a trace, besides the variables. They come from the command line, never
    /// from a configuration file.
    pub shown: Vec<Named>,
    /// Expressions that the caller evaluates during a run and does not show.
    pub asked: Vec<Named>,
    /// Actions that the caller takes one by one, whatever the next-state relation is.
    pub rules: Vec<Rule>,
    pub periodic: Option<Named>,
    pub rl_reward: Option<Named>,
    /// `None` when the file does not say; TLC's default is TRUE.
    pub check_deadlock: Option<bool>,
    /// The assignments in force, in textual order. Of several assignments to one thing, the last.
    pub assignments: Vec<Assigned>,
    /// The assignments by target: what definitions and constants stand for.
    pub replacements: Replacements,
}

/// A name in the file, and the definition that it stands for after replacements.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    pub name: Name,
    pub span: Span,
    pub def: DefId,
}

/// An action, and the names and values that describe its step in messages.
#[derive(Clone, Debug)]
pub struct Rule {
    pub action: Named,
    pub params: Vec<(Name, ExprId)>,
}

/// One assignment under CONSTANT.
#[derive(Clone, Debug)]
pub struct Assigned {
    pub target: Target,
    pub replacement: Replacement,
    pub span: Span,
}

/// The thing that is given a value or replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    Const(ConstId),
    /// A definition as the root module names it. TLC: `Op` and `I!Op` are two; the definitions of an instantiated
    /// module use that module's own.
    Def {
        path: Vec<Name>,
        replaced: Vec<DefId>,
    },
    /// With `[Module]`: a definition of that module, and all copies that instances made of it.
    InModule(Vec<DefId>),
}

/// A value that a configuration can write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Int(BigInt),
    Str(Name),
    Bool(bool),
    ModelValue(Name),
    /// The elements in the order written, repetitions included.
    Set(Vec<Value>),
}

/// A bound configuration and the errors found in it.
#[derive(Debug)]
pub struct Bound {
    pub config: BoundConfig,
    pub diagnostics: Diagnostics,
}

/// A value given on the command line. It overrides the file.
#[derive(Clone, Copy, Debug)]
pub struct Define {
    pub name: Name,
    /// The place of the value.
    pub span: Span,
    /// The definition made by [`crate::define_constant`].
    pub def: DefId,
}

/// Resolves `input` in the root module of `spec`.
pub fn bind(spec: &Spec, input: ConfigInput<'_>) -> Bound {
    bind_with(spec, input, &[])
}

/// Resolves `input` in the root module of `spec`, with values given outside the file.
pub fn bind_with(spec: &Spec, input: ConfigInput<'_>, defines: &[Define]) -> Bound {
    let (config, diagnostics) = (BoundConfig::default(), Diagnostics::new());
    let mut binder = Binder { spec, input, defines, config, diagnostics };
    binder.bind_constants();
    binder.bind_names();
    binder.check_behaviour();
    Bound { config: binder.config, diagnostics: sort_by_place(binder.diagnostics, input.source) }
}

/// Sorts messages: first those about the file, from top to bottom, then those about modules.
fn sort_by_place(diagnostics: Diagnostics, file: SourceId) -> Diagnostics {
    let mut sorted: Vec<Diagnostic> = diagnostics.into_iter().collect();
    sorted.sort_by_key(|diagnostic| {
        let span = diagnostic.primary.as_ref().map(|label| label.span);
        (span.is_some_and(|span| span.source != file), span)
    });
    let mut diagnostics = Diagnostics::new();
    sorted.into_iter().for_each(|diagnostic| diagnostics.push(diagnostic));
    diagnostics
}

/// The work of [`bind`].
struct Binder<'a> {
    spec: &'a Spec,
    input: ConfigInput<'a>,
    defines: &'a [Define],
    config: BoundConfig,
    diagnostics: Diagnostics,
}

impl Binder<'_> {
    fn bind_names(&mut self) {
        self.config.specification = self.one_name(Keyword::Specification);
        self.config.init = self.one_name(Keyword::Init);
        self.config.next = self.one_name(Keyword::Next);
        self.config.invariants = self.all_names(Keyword::Invariant);
        self.config.properties = self.all_names(Keyword::Property);
        self.config.constraints = self.all_names(Keyword::Constraint);
        self.config.action_constraints = self.all_names(Keyword::ActionConstraint);
        self.config.postconditions = self.all_names(Keyword::Postcondition);
        self.config.possible = self.all_names(Keyword::Possible);
        self.config.symmetry = self.one_name(Keyword::Symmetry);
        self.config.view = self.one_name(Keyword::View);
        self.config.alias = self.one_name(Keyword::Alias);
        self.config.periodic = self.one_name(Keyword::Periodic);
        self.config.rl_reward = self.one_name(Keyword::RlReward);
        self.config.check_deadlock = self.input.tree.check_deadlock().map(|flag| flag.value);
    }

    fn one_name(&mut self, keyword: Keyword) -> Option<Named> {
        let ident = self.input.tree.name(keyword)?;
        self.bind_name(ident, keyword)
    }

    fn all_names(&mut self, keyword: Keyword) -> Vec<Named> {
        let idents: Vec<_> = self.input.tree.names(keyword).collect();
        idents.into_iter().filter_map(|ident| self.bind_name(ident, keyword)).collect()
    }

    fn text(&self, name: Name) -> &str {
        self.spec.names.text(name)
    }
}

impl BoundConfig {
    /// Returns every definition that the file names, except those under CONSTANT.
    pub fn named_definitions(&self) -> impl Iterator<Item = Named> {
        let one = [
            self.specification,
            self.init,
            self.next,
            self.symmetry,
            self.view,
            self.alias,
            self.periodic,
            self.rl_reward,
        ];
        let many = [
            &self.invariants,
            &self.properties,
            &self.constraints,
            &self.action_constraints,
            &self.postconditions,
            &self.possible,
        ];
        one.into_iter().flatten().chain(many.into_iter().flatten().copied())
    }
}
