//! Nodes whose system calls are heard: how they start, and when their doors are served.

use std::io;

use base::Id;

use super::{Stage, Token};
use crate::Trouble;
use crate::control::Desk;
use crate::door::{self, Door};
use crate::elf::{find_door, locate};
use crate::node::{DoorKind, NodeId, NodeState, NodeSurroundings};

impl Stage {
    /// Returns the door through which a node is entered, or the reason why there is none.
    pub(super) fn choose_door(&self, id: NodeId) -> Result<DoorKind, String> {
        let spec = &self.nodes[id].spec;
        let fitting = find_door(&spec.command, &spec.folder, &self.settings.search_path)?;
        let program = spec.command.first().map_or("", String::as_str);
        let door = spec.door.unwrap_or(fitting);
        if (door, fitting) == (DoorKind::Library, DoorKind::Syscalls) {
            return Err(format!("the library cannot be loaded into `{program}`: leave `door` out"));
        }
        if door == DoorKind::Syscalls {
            if let Some(obstacle) = door::obstacle() {
                return Err(format!("`{program}` does without libc, and {obstacle}"));
            }
            if spec.has_agent {
                return Err("points and values in Java programs need the door `library`".to_owned());
            }
        }
        Ok(door)
    }

    /// Returns the door through which a node was entered when it last started.
    pub fn door(&self, id: NodeId) -> DoorKind {
        self.nodes[id].entered_by
    }

    pub(super) fn start_supervised(&mut self, id: NodeId) -> Result<(), Trouble> {
        let name = self.name(id).to_owned();
        let (folder, library) = (&self.folder, &self.library);
        let surroundings = NodeSurroundings { folder, library, search_path: &self.settings.search_path };
        let node = &mut self.nodes[id];
        let program = node.spec.command.first().map_or("", String::as_str);
        let path = locate(program, &node.spec.folder, &self.settings.search_path);
        let started = path
            .ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
            .and_then(|path| node.start_supervised(id.index(), &path, &surroundings))
            .and_then(|listener| {
                let door = Door::new(id, listener);
                self.epoll.add(door.descriptor(), Token::Calls(id).pack())?;
                self.doors[id] = Some(door);
                Ok(())
            });
        started.map_err(|error| Trouble::CannotStart { node: name, error })
    }

    /// Forgets the door of a node whose processes are gone.
    pub(super) fn close_door(&mut self, id: NodeId) {
        if let Some(door) = self.doors[id].take() {
            self.epoll.remove(door.descriptor());
        }
    }

    /// Lets a node's door do something.
    fn at_door<T>(&mut self, id: NodeId, act: impl FnOnce(&mut Door, &mut Desk<'_>) -> T) -> Option<T> {
        let Stage { nodes, network, uncontrolled, doors, .. } = self;
        let door = doors[id].as_mut()?;
        Some(act(door, &mut Desk { nodes, network, uncontrolled }))
    }

    /// Answers the system calls that wait, and carries out what was decided for threads whose calls have waited. Returns
    /// how many there were.
    pub(super) fn serve_doors(&mut self) -> io::Result<usize> {
        let mut n = 0;
        for id in self.nodes.ids().collect::<Vec<_>>() {
            n += self.at_door(id, Door::serve).transpose()?.unwrap_or(0);
            n += self.at_door(id, Door::obey).unwrap_or(0);
        }
        if n > 0 {
            self.watch_stand_ins()?;
        }
        Ok(n)
    }

    /// Looks which waits of a node at rest are over.
    pub(super) fn look_at_waits(&mut self, id: NodeId) {
        self.at_door(id, Door::look);
    }

    /// Returns the reason why a node cannot be kept under control, if there is one; the node is ended.
    pub(super) fn take_door_fault(&mut self) -> Option<Trouble> {
        for id in self.nodes.ids().collect::<Vec<_>>() {
            if let Some(reason) = self.doors[id].as_mut().and_then(|door| door.fault.take()) {
                let node = self.name(id).to_owned();
                self.nodes[id].kill();
                self.nodes[id].state = NodeState::Crashed;
                self.forget(id);
                return Some(Trouble::CannotEnter { node, reason });
            }
        }
        None
    }
}
