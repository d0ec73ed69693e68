//! Reports what nodes may do without being seen: code of theirs that does without libc, and sockets that belong to the
//! machine.

use super::Stage;
use crate::control::Desk;
use crate::node::{DoorKind, NodeId};
use crate::sockets::OpenSockets;
use crate::strays::{self, Stray};

impl Stage {
    /// Looks at the nodes that ran since the last call or may have run unseen, and reports what is found.
    pub(super) fn look_for_strangers(&mut self) {
        for id in self.running_nodes().collect::<Vec<_>>() {
            // Where system calls are heard, libc does not matter.
            if self.nodes[id].entered_by == DoorKind::Syscalls {
                continue;
            }
            let node = &mut self.nodes[id];
            // Code without libc can sleep and wake unseen, so that its sockets may be new at any time.
            if node.looked_at_rest == node.n_rests && !node.code_watch.has_strangers() {
                continue;
            }
            node.looked_at_rest = node.n_rests;
            let has_changed = node.code_watch.has_changed(&node.pids);
            if has_changed {
                self.look_at_code(id);
            }
            if has_changed || self.nodes[id].code_watch.has_strangers() {
                self.look_at_sockets(id);
            }
        }
    }

    fn look_at_code(&mut self, id: NodeId) {
        let node = &mut self.nodes[id];
        let found = node.code_watch.find_strangers(&node.pids, self.library.path(), &self.settings.images);
        for stranger in found {
            let name = stranger.path.file_name().unwrap_or(stranger.path.as_os_str()).display().to_string();
            for text in stranger.findings.texts() {
                self.tell(id, "code", &format!("{name} {text}"));
            }
        }
    }

    fn look_at_sockets(&mut self, id: NodeId) {
        let open = OpenSockets::of(&self.nodes[id].pids);
        let is_unknown =
            |stray: &Stray| open.count(stray.inode) > 0 && self.network.addresses.get(stray.inode).is_none();
        let strays: Vec<Stray> = strays::all().into_iter().filter(is_unknown).collect();
        for stray in strays {
            if self.nodes[id].strays.insert(stray.inode) {
                let (call, kind) = if stray.is_stream { ("listen", "TCP") } else { ("bind", "UDP") };
                self.tell(id, call, &format!("it has the {kind} port {} of this machine", stray.addr));
            }
        }
    }

    pub(super) fn tell(&mut self, id: NodeId, call: &str, detail: &str) {
        let Stage { nodes, network, uncontrolled, .. } = self;
        Desk { nodes, network, uncontrolled }.note(id, call, detail, false);
    }
}
