//! Whether anything in a process runs: a snapshot of all threads, from `/proc`.
//!
//! One look at each thread is not a snapshot: one that was asleep when it was looked at may have been woken by one
//! that was looked at later and sleeps now. Two looks are: if every thread is asleep in both, and none has been
//! given the processor in between, then none ran at any moment between the end of the first look and the
//! beginning of the second, so at that moment all were asleep at once.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;

use base::FxIndexMap;

/// How often a thread was given the processor, by its number.
type Look = Vec<(u32, u64)>;

/// The threads of the processes of one node.
#[derive(Default)]
pub struct Threads {
    files: FxIndexMap<u32, TaskFiles>,
}

struct TaskFiles {
    stat: File,
    schedstat: File,
}

/// What a snapshot says.
pub enum Snapshot {
    /// Nothing ran; these threads there were.
    Asleep(Vec<u32>),
    /// Something ran, or may have.
    Awake,
}

impl Threads {
    pub fn snapshot(&mut self, pids: &[u32]) -> Snapshot {
        let Some(first) = self.look(pids) else { return Snapshot::Awake };
        match self.look(pids) {
            Some(second) if second == first => {
                Snapshot::Asleep(first.into_iter().map(|(tid, _)| tid).collect())
            }
            Some(_) | None => Snapshot::Awake,
        }
    }

    /// `None` if a thread is awake.
    fn look(&mut self, pids: &[u32]) -> Option<Look> {
        let mut look = Vec::new();
        for (pid, tid) in pids.iter().flat_map(|pid| tasks(*pid).map(|tid| (*pid, tid))) {
            match self.look_at(pid, tid) {
                TaskState::Asleep(count) => look.push((tid, count)),
                TaskState::Gone => {}
                TaskState::Awake => return None,
            }
        }
        self.forget_all_but(&look);
        Some(look)
    }

    fn look_at(&mut self, pid: u32, tid: u32) -> TaskState {
        if !self.files.contains_key(&tid) {
            let Some(files) = TaskFiles::open(pid, tid) else { return TaskState::Gone };
            self.files.insert(tid, files);
        }
        self.files.get(&tid).map_or(TaskState::Gone, TaskFiles::state)
    }

    fn forget_all_but(&mut self, look: &Look) {
        if self.files.len() > look.len() {
            self.files.retain(|tid, _| look.iter().any(|(alive, _)| alive == tid));
        }
    }
}

enum TaskState {
    Asleep(u64),
    Awake,
    Gone,
}

impl TaskFiles {
    fn open(pid: u32, tid: u32) -> Option<TaskFiles> {
        let open = |name: &str| File::open(format!("/proc/{pid}/task/{tid}/{name}")).ok();
        Some(TaskFiles { stat: open("stat")?, schedstat: open("schedstat")? })
    }

    fn state(&self) -> TaskState {
        let mut buffer = [0; 512];
        let Some(letter) = read(&self.stat, &mut buffer).and_then(state_letter) else {
            return TaskState::Gone;
        };
        match letter {
            // Waiting, stopped or traced.
            b'S' | b'T' | b't' | b'I' => {}
            b'Z' | b'X' => return TaskState::Gone,
            _ => return TaskState::Awake,
        }
        // The third number: how often it was given the processor.
        match read(&self.schedstat, &mut buffer).and_then(|bytes| number(bytes, 2)) {
            Some(count) => TaskState::Asleep(count),
            None => TaskState::Gone,
        }
    }
}

fn read<'b>(file: &File, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
    let n = file.read_at(buffer, 0).ok()?;
    buffer.get(..n)
}

/// The letter after the name of the program, which stands in parentheses and may contain any.
fn state_letter(stat: &[u8]) -> Option<u8> {
    let end = stat.iter().rposition(|byte| *byte == b')')?;
    stat.get(end + 2).copied()
}

fn number(bytes: &[u8], index: usize) -> Option<u64> {
    std::str::from_utf8(bytes).ok()?.split_ascii_whitespace().nth(index)?.parse().ok()
}

/// The threads of a process; none if it is gone.
pub fn tasks(pid: u32) -> impl Iterator<Item = u32> {
    let entries = fs::read_dir(format!("/proc/{pid}/task")).ok();
    let names = entries.into_iter().flatten().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter_map(|name| name.parse().ok())
}

/// What a thread does, for people: its name and the letter of its state.
pub fn describe(pid: u32, tid: u32) -> (String, char) {
    let name = fs::read_to_string(format!("/proc/{pid}/task/{tid}/comm")).unwrap_or_default();
    let stat = fs::read(format!("/proc/{pid}/task/{tid}/stat")).unwrap_or_default();
    (name.trim_end().to_owned(), state_letter(&stat).map_or('?', char::from))
}

#[cfg(test)]
mod tests {
    use super::{Snapshot, Threads, number, state_letter, tasks};

    #[test]
    fn names_with_parentheses_do_not_hide_the_state() {
        assert_eq!(state_letter(b"12 (a) R) b) S 1 1"), Some(b'S'));
        assert_eq!(state_letter(b"12 (a"), None);
        assert_eq!(number(b"10 20 30\n", 2), Some(30));
    }

    #[test]
    fn the_thread_that_looks_is_awake() {
        let own = std::process::id();
        assert!(tasks(own).count() > 0);
        assert!(matches!(Threads::default().snapshot(&[own]), Snapshot::Awake));
    }

    #[test]
    fn a_process_that_waits_for_input_is_asleep_and_one_that_is_gone_has_no_threads() {
        let mut child = std::process::Command::new("cat")
            .stdin(std::process::Stdio::piped())
            .spawn()
            .expect("`cat` can be run");
        let mut threads = Threads::default();
        // It has to start first: each look is one step nearer.
        let asleep = (0..100_000).find_map(|_| match threads.snapshot(&[child.id()]) {
            Snapshot::Asleep(tids) => Some(tids),
            Snapshot::Awake => None,
        });
        assert_eq!(asleep, Some(vec![child.id()]));
        drop(child.stdin.take());
        child.wait().expect("`cat` ends with its input");
        assert!(matches!(threads.snapshot(&[child.id()]), Snapshot::Asleep(tids) if tids.is_empty()));
    }
}
