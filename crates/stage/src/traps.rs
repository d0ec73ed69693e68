//! Calls on files at which a node is held or ends. A trap is armed by an event and set off once.

use std::path::Path;

use serde::Serialize;
use wire::{FileCall, Verdict};

/// A call on a file, and the action to take there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trap {
    pub call: FileCall,
    /// The end of the file's path; without it, any file in the node's folder fits.
    pub file: Option<String>,
    pub action: TrapAction,
    /// Whether the action comes after the call instead of before it.
    pub is_after: bool,
}

/// The action to take at a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrapAction {
    /// The thread waits until it is released.
    Hold,
    /// The node ends.
    Kill,
    /// This many bytes are written, then the node ends.
    Tear(u64),
}

/// The answer to a node that asked whether to go on.
pub(crate) struct Answer {
    pub verdict: Verdict,
    pub n_bytes: u64,
    /// Whether the node must not run any more.
    pub is_end: bool,
}

impl Answer {
    fn new(verdict: Verdict) -> Answer {
        Answer { verdict, n_bytes: 0, is_end: false }
    }
}

/// A call as the node describes it. The path is relative to the node's folder.
pub(crate) struct FileStep<'p> {
    pub call: FileCall,
    pub is_done: bool,
    pub path: &'p Path,
    /// The new name of a file that is renamed.
    pub target: &'p Path,
}

/// The traps of one node.
#[derive(Default)]
pub(crate) struct Traps {
    /// The traps that are armed. The flag says whether the call has begun and the trap waits for its end.
    armed: Vec<(Trap, bool)>,
    /// Descriptions of the traps that were set off, for people.
    notes: Vec<String>,
}

impl Traps {
    pub fn arm(&mut self, trap: Trap) {
        self.armed.push((trap, false));
    }

    pub fn is_empty(&self) -> bool {
        self.armed.is_empty()
    }

    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Forgets which calls have begun, because the processes are gone and will not finish them.
    pub fn forget_begun(&mut self) {
        self.armed.iter_mut().for_each(|(_, has_begun)| *has_begun = false);
    }

    pub fn answer(&mut self, step: &FileStep<'_>) -> Answer {
        let fits = |(trap, has_begun): &(Trap, bool)| *has_begun == step.is_done && trap.fits(step);
        let Some(at) = self.armed.iter().position(fits) else { return Answer::new(Verdict::Go) };
        let (trap, has_begun) = &mut self.armed[at];
        if !*has_begun {
            match trap.action {
                TrapAction::Tear(n_bytes) => {
                    *has_begun = true;
                    return Answer { n_bytes, ..Answer::new(Verdict::Tear) };
                }
                TrapAction::Hold | TrapAction::Kill if trap.is_after => {
                    *has_begun = true;
                    return Answer::new(Verdict::Ask);
                }
                TrapAction::Hold | TrapAction::Kill => {}
            }
        }
        let (trap, _) = self.armed.remove(at);
        self.notes.push(trap.note(step));
        Answer { is_end: trap.action != TrapAction::Hold, ..Answer::new(Verdict::Hold) }
    }
}

impl Trap {
    fn fits(&self, step: &FileStep<'_>) -> bool {
        let ends_so = |file: &String| step.path.ends_with(file) || step.target.ends_with(file);
        self.call == step.call && self.file.as_ref().is_none_or(ends_so)
    }

    fn note(&self, step: &FileStep<'_>) -> String {
        let call = match self.call {
            FileCall::Write => "write to",
            FileCall::Sync => "sync of",
            FileCall::Rename => "rename of",
        };
        let moment = if step.is_done { "after" } else { "before" };
        let path = step.path.display();
        match self.action {
            TrapAction::Hold => format!("held {moment} the {call} {path}"),
            TrapAction::Kill => format!("killed {moment} the {call} {path}"),
            TrapAction::Tear(n_bytes) => format!("killed after {n_bytes} bytes of the {call} {path}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FileStep, Trap, TrapAction, Traps};
    use std::path::Path;
    use wire::{FileCall, Verdict};

    fn step(call: FileCall, is_done: bool) -> FileStep<'static> {
        FileStep { call, is_done, path: Path::new("data/log"), target: Path::new("") }
    }

    #[test]
    fn a_trap_is_set_off_once_and_by_its_own_call_alone() {
        let mut traps = Traps::default();
        let file = Some("log".to_owned());
        traps.arm(Trap { call: FileCall::Sync, file, action: TrapAction::Kill, is_after: true });
        assert_eq!(traps.answer(&step(FileCall::Write, false)).verdict, Verdict::Go);
        assert_eq!(traps.answer(&step(FileCall::Sync, false)).verdict, Verdict::Ask);
        // Another thread reaches the call before the first one is done.
        assert_eq!(traps.answer(&step(FileCall::Sync, false)).verdict, Verdict::Go);
        assert!(traps.answer(&step(FileCall::Sync, true)).is_end);
        assert!(traps.is_empty());
        assert_eq!(traps.take_notes(), ["killed after the sync of data/log"]);
        assert_eq!(traps.answer(&step(FileCall::Sync, false)).verdict, Verdict::Go);
    }

    #[test]
    fn other_files_are_let_through() {
        let mut traps = Traps::default();
        let file = Some("other".to_owned());
        traps.arm(Trap { call: FileCall::Write, file, action: TrapAction::Hold, is_after: false });
        assert_eq!(traps.answer(&step(FileCall::Write, false)).verdict, Verdict::Go);
        assert!(!traps.is_empty());
    }
}
