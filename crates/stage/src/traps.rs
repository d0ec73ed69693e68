//! Calls on files at which a node is held or ends. A trap is armed by an event and set off once.

use std::path::Path;

use serde::Serialize;
use wire::{FileCall, Verdict};

use crate::points::ThreadPattern;

/// A call on a file, and the action to take there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trap {
    pub call: FileCall,
    /// The end of the file's path; without it, any file in the node's folder fits.
    pub file: Option<String>,
    pub action: TrapAction,
    /// Whether the action comes after the call instead of before it.
    pub is_after: bool,
    /// The name of the point, if it has one.
    pub point: Option<String>,
    /// The threads that count, if not all do.
    pub thread: Option<ThreadPattern>,
    /// Whether it stays armed when it was set off.
    pub is_always: bool,
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
    /// The name of the point at which the thread is held, if it has one.
    pub point: Option<String>,
}

impl Answer {
    fn new(verdict: Verdict) -> Answer {
        Answer { verdict, n_bytes: 0, is_end: false, point: None }
    }
}

/// A call as the node describes it. The path is relative to the node's folder.
pub(crate) struct FileStep<'p> {
    pub call: FileCall,
    pub is_done: bool,
    pub path: &'p Path,
    /// The new name of a file that is renamed.
    pub target: &'p Path,
    /// The name of the thread, as far as the kernel keeps it.
    pub thread: &'p str,
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

    /// Whether a trap with this name is armed.
    pub fn has_point(&self, point: &str) -> bool {
        self.armed.iter().any(|(trap, _)| trap.point.as_deref() == Some(point))
    }

    /// Whether a trap with this name is armed that stays so.
    pub fn always_has_point(&self, point: &str) -> bool {
        self.armed.iter().any(|(trap, _)| trap.is_always && trap.point.as_deref() == Some(point))
    }

    /// Removes the traps with this name that do not stay.
    pub fn disarm(&mut self, point: &str) {
        self.armed.retain(|(trap, _)| trap.is_always || trap.point.as_deref() != Some(point));
    }

    /// Adds a description of something that was set off.
    pub fn note(&mut self, note: String) {
        self.notes.push(note);
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
        *has_begun = false;
        let trap = trap.clone();
        if !trap.is_always {
            self.armed.remove(at);
        }
        self.notes.push(trap.note(step));
        Answer { is_end: trap.action != TrapAction::Hold, point: trap.point, ..Answer::new(Verdict::Hold) }
    }
}

/// Whether a path ends in the way that a line of a script says: `*` at the end stands for the rest of the file's name.
fn ends_so(path: &Path, end: &str) -> bool {
    let Some(begin) = end.strip_suffix('*') else { return path.ends_with(end) };
    let (folder, begin) = begin.rsplit_once('/').unwrap_or(("", begin));
    let name = path.file_name().map(|name| name.to_string_lossy());
    name.is_some_and(|name| name.starts_with(begin))
        && (folder.is_empty() || path.parent().is_some_and(|parent| parent.ends_with(folder)))
}

impl Trap {
    fn fits(&self, step: &FileStep<'_>) -> bool {
        let is_meant = |file: &String| ends_so(step.path, file) || ends_so(step.target, file);
        let is_thread = |pattern: &ThreadPattern| pattern.fits_kernel_name(step.thread);
        self.call == step.call
            && self.file.as_ref().is_none_or(is_meant)
            && self.thread.as_ref().is_none_or(is_thread)
    }

    fn note(&self, step: &FileStep<'_>) -> String {
        let call = match self.call {
            FileCall::Write => "write to",
            FileCall::Sync => "sync of",
            FileCall::Rename => "rename of",
        };
        let moment = if step.is_done { "after" } else { "before" };
        let path = step.path.display();
        let point = match &self.point {
            Some(point) => format!(" at {point}: thread {},", step.thread),
            None => String::new(),
        };
        match self.action {
            TrapAction::Hold => format!("held{point} {moment} the {call} {path}"),
            TrapAction::Kill => format!("killed{point} {moment} the {call} {path}"),
            TrapAction::Tear(n_bytes) => format!("killed after {n_bytes} bytes of the {call} {path}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FileStep, Trap, TrapAction, Traps};
    use crate::points::ThreadPattern;
    use std::path::Path;
    use wire::{FileCall, Verdict};

    fn step(call: FileCall, is_done: bool) -> FileStep<'static> {
        FileStep { call, is_done, path: Path::new("data/log"), target: Path::new(""), thread: "SyncThread:1" }
    }

    #[test]
    fn a_trap_is_set_off_once_and_by_its_own_call_alone() {
        let mut traps = Traps::default();
        let file = Some("log".to_owned());
        traps.arm(Trap {
            call: FileCall::Sync,
            file,
            action: TrapAction::Kill,
            is_after: true,
            point: None,
            thread: None,
            is_always: false,
        });
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
    fn a_star_stands_for_the_rest_of_a_name() {
        let fits = |end: &str| super::ends_so(Path::new("data/version-2/log.100000001"), end);
        assert!(fits("log.*") && fits("version-2/log.*") && fits("data/version-2/log.1*") && fits("*"));
        assert!(!fits("og.*") && !fits("data/log.*") && !fits("snapshot.*") && !fits("2/log.*"));
        assert!(fits("log.100000001") && !fits("log.1"));
    }

    #[test]
    fn a_point_counts_for_its_threads_and_tells_its_name() {
        let mut traps = Traps::default();
        let (call, file, action, is_after) = (FileCall::Sync, None, TrapAction::Hold, false);
        let named = |thread: &str| (Some("log".to_owned()), Some(ThreadPattern(thread.to_owned())));
        let (point, thread) = named("CommitProcessor*");
        traps.arm(Trap { call, file: file.clone(), action, is_after, point, thread, is_always: false });
        assert_eq!(traps.answer(&step(FileCall::Sync, false)).verdict, Verdict::Go);
        assert!(traps.has_point("log"));
        traps.disarm("log");
        assert!(traps.is_empty());
        let (point, thread) = named("SyncThread*");
        traps.arm(Trap { call, file, action, is_after, point, thread, is_always: false });
        assert_eq!(traps.answer(&step(FileCall::Sync, false)).point.as_deref(), Some("log"));
        assert_eq!(traps.take_notes(), ["held at log: thread SyncThread:1, before the sync of data/log"]);
    }

    #[test]
    fn other_files_are_let_through() {
        let mut traps = Traps::default();
        let file = Some("other".to_owned());
        traps.arm(Trap {
            call: FileCall::Write,
            file,
            action: TrapAction::Hold,
            is_after: false,
            point: None,
            thread: None,
            is_always: false,
        });
        assert_eq!(traps.answer(&step(FileCall::Write, false)).verdict, Verdict::Go);
        assert!(!traps.is_empty());
    }
}
