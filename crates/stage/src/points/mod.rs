//! Points: places in a program at which a thread is held, or its node ends. A point is described once, with a name; events
//! arm it, and it is set off by the first thread that comes there.

mod agent;
mod look;
mod path;

pub(crate) use agent::{Agent, Armed, HeldThread, PointFault, install, place_in_class};
pub(crate) use look::{Scene, look, text_of};
pub use path::Path;

use wire::FileCall;

/// A place in a program, and the threads for which it counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    pub name: String,
    pub thread: Option<ThreadPattern>,
    pub place: Place,
}

/// The kinds of places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// A call of the system, in any program.
    Call(CallPlace),
    /// A method of a Java program.
    Code(CodePlace),
}

/// A call on a file in the node's folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallPlace {
    pub call: FileCall,
    /// The end of the file's path.
    pub file: Option<String>,
    pub is_after: bool,
}

/// A place in a method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodePlace {
    pub class: String,
    pub method: String,
    /// The types of its arguments, if only one of several methods with this name counts.
    pub arguments: Option<Vec<String>>,
    pub at: At,
    /// Everything that must hold there.
    pub conditions: Vec<Condition>,
}

/// A place within a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum At {
    Entry,
    /// Where it returns; not where an exception leaves it.
    Exit,
    /// The code of a line of the source.
    Line(u32),
}

/// Something that can be seen at a place, and the texts of which it must be one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    pub path: Path,
    pub wanted: Vec<String>,
}

/// A place from which objects of a Java program are looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum View {
    /// The frame of the thread that is held at this point.
    Point(String),
    /// The object of the thread with such a name.
    Thread(ThreadPattern),
    /// The static fields of this class, and its only object.
    Class(String),
}

/// The name of a thread; `*` at its end stands for any rest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadPattern(pub String);

/// The number of letters of a thread's name that the kernel keeps.
const KERNEL_NAME_LEN: usize = 15;

impl ThreadPattern {
    pub fn fits(&self, name: &str) -> bool {
        match self.0.strip_suffix('*') {
            Some(prefix) => name.starts_with(prefix),
            None => name == self.0,
        }
    }

    /// Whether it fits a name of which the kernel has the beginning.
    pub fn fits_kernel_name(&self, name: &str) -> bool {
        if name.len() < KERNEL_NAME_LEN {
            return self.fits(name);
        }
        let wanted = self.0.strip_suffix('*').unwrap_or(&self.0).as_bytes();
        let n = wanted.len().min(KERNEL_NAME_LEN);
        let is_whole = self.0.ends_with('*') || wanted.len() >= KERNEL_NAME_LEN;
        is_whole && name.as_bytes().starts_with(&wanted[..n])
    }
}

#[cfg(test)]
mod tests {
    use super::ThreadPattern;

    #[test]
    fn a_pattern_fits_whole_names_and_those_that_the_kernel_cut() {
        let pattern = |text: &str| ThreadPattern(text.to_owned());
        assert!(pattern("SyncThread:1").fits("SyncThread:1"));
        assert!(!pattern("SyncThread:1").fits("SyncThread:12"));
        assert!(pattern("SyncThread*").fits("SyncThread:12"));
        assert!(pattern("QuorumPeer[myid=1]*").fits_kernel_name("QuorumPeer[myid"));
        assert!(pattern("QuorumPeer[myid=1]").fits_kernel_name("QuorumPeer[myid"));
        assert!(pattern("Quorum*").fits_kernel_name("QuorumPeer[myid"));
        assert!(!pattern("Quorum").fits_kernel_name("QuorumPeer[myid"));
        assert!(!pattern("Sync*").fits_kernel_name("QuorumPeer[myid"));
        assert!(pattern("main").fits_kernel_name("main"));
        assert!(!pattern("main").fits_kernel_name("mainly"));
    }
}
