//! Tells whether anything in a process runs, by a snapshot of all its threads from `/proc`.
//!
//! One look at each thread is not a snapshot: a thread that was asleep when it was looked at may have been woken by one
//! that was looked at later and sleeps now. Two looks are a snapshot: if every thread is asleep in both, and none has
//! been given the processor in between, then none ran at any moment between the end of the first look and the beginning
//! of the second, so at that moment all were asleep at once.
//!
//! The letter of a thread's state is not enough: a thread that is about to sleep is shown as asleep before it has
//! checked whether it needs to, and may be kept from the processor for long just then. The file `syscall` is reliable:
//! the kernel writes something other than "running" there only when the thread has left the queue of the processor.
//!
//! A process that has ended becomes visible as a zombie a moment before its parent is woken. So a fresh zombie counts
//! as awake once: by the next look its parent has been woken, or does not wait for it.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;

use base::{FxIndexMap, FxIndexSet};

/// For each thread, by its number, how often it was given the processor.
type Look = Vec<(u32, u64)>;

/// The threads of the processes of one node.
#[derive(Default)]
pub struct Threads {
    files: FxIndexMap<u32, TaskFiles>,
    /// Threads that have ended and whose parents have not collected them.
    zombies: FxIndexSet<u32>,
}

struct TaskFiles {
    stat: File,
    schedstat: File,
    /// Absent if the kernel does not let us read it; then the letter of the state is used.
    syscall: Option<File>,
}

/// The result of a snapshot.
pub enum Snapshot {
    /// No thread ran; these threads existed.
    Asleep(Vec<u32>),
    /// Something ran, or may have.
    Awake,
}

impl Threads {
    /// Looks whether any thread runs. Those that are `parked` wait for an answer of the stage, and do not.
    pub fn snapshot(&mut self, pids: &[u32], parked: &FxIndexSet<u32>) -> Snapshot {
        let Some(first) = self.look(pids, parked) else { return Snapshot::Awake };
        match self.look(pids, parked) {
            Some(second) if second == first => {
                Snapshot::Asleep(first.into_iter().map(|(tid, _)| tid).collect())
            }
            Some(_) | None => Snapshot::Awake,
        }
    }

    /// Looks at every thread once; `None` if one is awake or cannot be looked at.
    fn look(&mut self, pids: &[u32], parked: &FxIndexSet<u32>) -> Option<Look> {
        let mut look = Vec::new();
        for pid in pids {
            for tid in tasks(*pid).ok()? {
                if parked.contains(&tid) {
                    // When the first thread has ended, the others may be ending too: then they run.
                    if has_ended(*pid) && !matches!(describe(*pid, tid).1, 'D' | 'S') {
                        return None;
                    }
                    look.push((tid, 0));
                    continue;
                }
                match self.look_at(*pid, tid) {
                    TaskState::Asleep(count) => look.push((tid, count)),
                    TaskState::Ended if !self.zombies.insert(tid) => {}
                    TaskState::Gone => {}
                    TaskState::Awake | TaskState::Ended => return None,
                }
            }
        }
        self.forget_all_but(&look);
        Some(look)
    }

    fn look_at(&mut self, pid: u32, tid: u32) -> TaskState {
        if !self.files.contains_key(&tid) {
            match TaskFiles::open(pid, tid) {
                Ok(files) => self.files.insert(tid, files),
                Err(error) if is_gone(&error) => return TaskState::Gone,
                Err(_) => return TaskState::Awake,
            };
        }
        self.files.get(&tid).map_or(TaskState::Gone, TaskFiles::state)
    }

    fn forget_all_but(&mut self, look: &Look) {
        if self.files.len() > look.len() {
            self.files.retain(|tid, _| look.iter().any(|(alive, _)| alive == tid));
        }
    }
}

/// The kernel's text for a thread that runs, in place of a system call.
const RUNNING: &[u8] = b"running\n";

enum TaskState {
    Asleep(u64),
    Awake,
    /// A zombie.
    Ended,
    Gone,
}

/// Whether the error is one that the kernel gives for a thread that no longer exists.
fn is_gone(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound || error.raw_os_error() == Some(libc::ESRCH)
}

impl TaskFiles {
    fn open(pid: u32, tid: u32) -> io::Result<TaskFiles> {
        let open = |name: &str| File::open(format!("/proc/{pid}/task/{tid}/{name}"));
        Ok(TaskFiles { stat: open("stat")?, schedstat: open("schedstat")?, syscall: open("syscall").ok() })
    }

    fn state(&self) -> TaskState {
        let mut buffer = [0; 512];
        let letter = match read(&self.stat, &mut buffer).map(state_letter) {
            Ok(Some(letter)) => letter,
            Err(error) if is_gone(&error) => return TaskState::Gone,
            Ok(None) | Err(_) => return TaskState::Awake,
        };
        match letter {
            // Waiting, stopped or traced.
            b'S' | b'T' | b't' | b'I' => {}
            b'Z' | b'X' => return TaskState::Ended,
            _ => return TaskState::Awake,
        }
        if self.syscall.as_ref().is_some_and(|file| read(file, &mut buffer).is_ok_and(|text| text == RUNNING))
        {
            return TaskState::Awake;
        }
        // The third number is how often the thread was given the processor.
        match read(&self.schedstat, &mut buffer).map(|bytes| number(bytes, 2)) {
            Ok(Some(count)) => TaskState::Asleep(count),
            Err(error) if is_gone(&error) => TaskState::Gone,
            Ok(None) | Err(_) => TaskState::Awake,
        }
    }
}

fn read<'b>(file: &File, buffer: &'b mut [u8]) -> io::Result<&'b [u8]> {
    let n = file.read_at(buffer, 0)?;
    Ok(&buffer[..n])
}

/// Returns the letter of a thread's state. It follows the program's name, which stands in parentheses and may itself
/// contain any character.
fn state_letter(stat: &[u8]) -> Option<u8> {
    let end = stat.iter().rposition(|byte| *byte == b')')?;
    stat.get(end + 2).copied()
}

fn number(bytes: &[u8], index: usize) -> Option<u64> {
    std::str::from_utf8(bytes).ok()?.split_ascii_whitespace().nth(index)?.parse().ok()
}

/// Lists the threads of a process; none if it is gone.
pub fn tasks(pid: u32) -> io::Result<Vec<u32>> {
    let entries = match fs::read_dir(format!("/proc/{pid}/task")) {
        Ok(entries) => entries,
        Err(error) if is_gone(&error) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut tasks = Vec::new();
    for entry in entries {
        match entry {
            Ok(entry) => tasks.extend(entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok())),
            Err(error) if is_gone(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(tasks)
}

/// Lists the children of a process that are not in `known`. libc starts some without calling the library (`system`,
/// `popen`). Empty if the kernel has no such list.
pub fn unknown_children(pid: u32, known: &[u32]) -> Vec<u32> {
    let of_thread = |tid: u32| fs::read_to_string(format!("/proc/{pid}/task/{tid}/children"));
    let lists = tasks(pid).unwrap_or_default().into_iter().filter_map(|tid| of_thread(tid).ok());
    let parse =
        |list: String| -> Vec<u32> { list.split(' ').filter_map(|child| child.parse().ok()).collect() };
    lists.flat_map(parse).filter(|child| !known.contains(child)).collect()
}

/// Returns the processor time that a thread has used.
pub fn cpu_ns(pid: u32, tid: u32) -> Option<u64> {
    number(&fs::read(format!("/proc/{pid}/task/{tid}/schedstat")).ok()?, 0)
}

/// Whether the first thread of a process has ended.
fn has_ended(pid: u32) -> bool {
    matches!(describe(pid, pid).1, 'Z' | 'X')
}

/// Describes a thread for people: its name and the letter of its state.
pub fn describe(pid: u32, tid: u32) -> (String, char) {
    let name = fs::read_to_string(format!("/proc/{pid}/task/{tid}/comm")).unwrap_or_default();
    let stat = fs::read(format!("/proc/{pid}/task/{tid}/stat")).unwrap_or_default();
    (name.trim_end().to_owned(), state_letter(&stat).map_or('?', char::from))
}

#[cfg(test)]
mod tests {
    use super::{Snapshot, Threads, number, state_letter, tasks};
    use base::FxIndexSet;

    #[test]
    fn names_with_parentheses_do_not_hide_the_state() {
        assert_eq!(state_letter(b"12 (a) R) b) S 1 1"), Some(b'S'));
        assert_eq!(state_letter(b"12 (a"), None);
        assert_eq!(number(b"10 20 30\n", 2), Some(30));
    }

    #[test]
    fn the_thread_that_looks_is_awake() {
        let own = std::process::id();
        assert!(!tasks(own).unwrap().is_empty());
        assert!(matches!(Threads::default().snapshot(&[own], &FxIndexSet::default()), Snapshot::Awake));
    }

    #[test]
    fn a_process_that_waits_for_input_is_asleep_and_one_that_is_gone_has_no_threads() {
        let mut child = std::process::Command::new("cat")
            .stdin(std::process::Stdio::piped())
            .spawn()
            .expect("`cat` can be run");
        let mut threads = Threads::default();
        // The child has to start first, so several looks may be needed.
        let asleep =
            (0..100_000).find_map(|_| match threads.snapshot(&[child.id()], &FxIndexSet::default()) {
                Snapshot::Asleep(tids) => Some(tids),
                Snapshot::Awake => None,
            });
        assert_eq!(asleep, Some(vec![child.id()]));
        drop(child.stdin.take());
        child.wait().expect("`cat` ends with its input");
        let none = FxIndexSet::default();
        assert!(matches!(threads.snapshot(&[child.id()], &none), Snapshot::Asleep(tids) if tids.is_empty()));
    }
}
