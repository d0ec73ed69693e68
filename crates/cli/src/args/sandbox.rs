//! Options that limit what a specification may do outside of itself.

use clap::Args;

/// Whether a specification may run programs and write files anywhere. `docs/sandbox.md` lists the operators.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct SandboxArgs {
    /// Let the specification run no program, and write no file outside of the current folder
    #[arg(long, overrides_with = "no_sandbox")]
    sandbox: bool,

    /// Let the specification run programs and write files wherever it says; the default of all commands but `audit` and `trace`
    #[arg(long, overrides_with = "sandbox")]
    no_sandbox: bool,
}

impl SandboxArgs {
    /// Whether there is a sandbox, for a command that has none unless it is asked for.
    pub fn is_wanted(self) -> bool {
        self.sandbox
    }

    /// Whether there is a sandbox, for a command that has one unless it is switched off.
    pub fn is_kept(self) -> bool {
        !self.no_sandbox
    }

    /// The option as it was given, if it was.
    pub fn option(self) -> Option<&'static str> {
        match (self.sandbox, self.no_sandbox) {
            (true, _) => Some("--sandbox"),
            (false, true) => Some("--no-sandbox"),
            (false, false) => None,
        }
    }
}
