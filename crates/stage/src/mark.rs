//! Recognises the processes of a node by the variables that they were started with, which the library passes on to
//! every program that a node starts.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::idle;

/// The mark of one node of one stage.
pub(crate) struct Mark {
    variables: [Vec<u8>; 2],
}

impl Mark {
    pub fn new(folder: &Path, node: usize) -> Mark {
        let variable = |name: &str, value: &[u8]| [name.as_bytes(), b"=", value].concat();
        let number = node.to_string();
        Mark {
            variables: [
                variable(wire::ENV_FOLDER, folder.as_os_str().as_bytes()),
                variable(wire::ENV_NODE, number.as_bytes()),
            ],
        }
    }

    /// Whether a process has the mark. A process that has ended has none, nor has one that has overwritten its
    /// variables; but the latter has said hello.
    fn is_on(&self, pid: u32) -> bool {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        self.variables
            .iter()
            .all(|variable| environment.split(|byte| *byte == 0).any(|word| word == variable))
    }

    /// Lists the children of this process that have the mark. A process that a node has started becomes our child when
    /// its own parent ends.
    pub fn children(&self) -> Vec<u32> {
        let mut children = idle::unknown_children(std::process::id(), &[]);
        children.retain(|pid| self.is_on(*pid));
        children
    }
}
