//! Threads of Java programs held at points in their code, through the debugger's interface of their machines.
//!
//! The machine waits for a debugger before it runs anything. The stage reaches it as it reaches clients: over a port that
//! belongs to this stage alone, in a connection that is no message of any node. While the stage asks, the threads of the
//! interface have the turn before all others, so that what is seen is of one moment. A thread that is held waits in the
//! machine, and counts as asleep.

use std::io;
use std::time::Duration;

use base::{Clock, Id, SystemClock};
use jdwp::{Event, EventKind, EventSet, Link, RequestId, Session, Suspend, ThreadId, Vm};

use super::{LOOK, PATIENCE, Stage};
use crate::Trouble;
use crate::node::{NodeId, NodeState};
use crate::points::{
    Agent, Armed, HeldThread, Path, Place, Point, PointFault, Scene, View, install, look, place_in_class,
    text_of,
};
use crate::traps::{Trap, TrapAction};

/// The points of one node.
#[derive(Default)]
pub(super) struct NodePoints {
    /// The talk with its machine, while it runs.
    agent: Option<Agent>,
    armed: Vec<Armed>,
}

/// The first of the ports on which machines wait for the stage, one for each node. Programs get theirs from 40000 on.
const FIRST_AGENT_PORT: u16 = 39_000;
const AGENT_PORTS: u16 = 1_000;

/// Returns the port on which the machine of a node waits for the stage.
pub(crate) fn agent_port(index: usize) -> u16 {
    FIRST_AGENT_PORT + u16::try_from(index).unwrap_or(u16::MAX) % AGENT_PORTS
}

/// How a point is armed.
struct Arming {
    action: TrapAction,
    /// The only thread that counts.
    only: Option<ThreadId>,
    is_always: bool,
}

/// The way to the machine of a node.
struct AgentLink<'s> {
    stage: &'s mut Stage,
    node: NodeId,
    client: usize,
}

impl Link for AgentLink<'_> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(client) = self.stage.network.clients.get_mut(&self.client) {
            client.end.send(bytes);
        }
        self.stage.nodes[self.node].is_settled = false;
        Ok(())
    }

    fn receive(&mut self) -> io::Result<Vec<u8>> {
        self.stage.await_agent(self.node, self.client)
    }
}

impl Stage {
    /// Greets the machine of a node that has just started, arms what is armed there, and lets it run its program.
    pub(super) fn open_agent(&mut self, id: NodeId) -> Result<(), Trouble> {
        let node = self.name(id).to_owned();
        if self.nodes[id].state != NodeState::Running {
            return Err(Trouble::AgentRefused { node, said: self.last_words(id) });
        }
        let Ok(client) = self.connect_client(id, Some(agent_port(id.index()))) else {
            return Err(Trouble::NoAgent { node });
        };
        let mut link = AgentLink { stage: self, node: id, client };
        let session = Session::open(&mut link).and_then(|mut session| {
            // It must not be resumed before it has stopped.
            while !session.has_events() {
                let bytes = link.receive()?;
                if bytes.is_empty() {
                    return Err(jdwp::Error::Closed);
                }
                session.feed(&bytes)?;
            }
            Ok(session)
        });
        let session = session.map_err(|error| self.debugger(id, error))?;
        self.points[id].agent = Some(Agent { session: Some(session), client, held: Vec::new() });
        let mut installed = Ok(());
        for armed in std::mem::take(&mut self.points[id].armed) {
            installed = installed.and(self.install(id, armed));
        }
        // The program runs even if a point cannot be there.
        self.talk(id, |vm| Ok(vm.resume_all()?))?;
        self.settle().and(installed)
    }

    /// Arms a point in the machine of a node that runs. One that cannot be there is not armed.
    fn install(&mut self, id: NodeId, mut armed: Armed) -> Result<(), Trouble> {
        match self.talk(id, |vm| install(vm, &mut armed)) {
            Ok(()) => {
                self.points[id].armed.push(armed);
                Ok(())
            }
            Err(trouble) => self.withdraw(id, &armed).and(Err(trouble)),
        }
    }

    /// Returns the last lines that a node has written, for a message about its end.
    fn last_words(&self, id: NodeId) -> String {
        const LINES: usize = 3;
        let written = [self.output(id), self.errors(id)].map(Result::unwrap_or_default).concat();
        let text = String::from_utf8_lossy(&written).into_owned();
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        lines[lines.len().saturating_sub(LINES)..].join("; ")
    }

    fn debugger(&self, id: NodeId, error: jdwp::Error) -> Trouble {
        Trouble::Debugger { node: self.name(id).to_owned(), error }
    }

    fn fault(&self, id: NodeId, fault: PointFault) -> Trouble {
        match fault {
            PointFault::Machine(error) => self.debugger(id, error),
            PointFault::Wrong(what) => Trouble::WrongPoint { node: self.name(id).to_owned(), what },
        }
    }

    /// Asks the machine of a node.
    fn talk<T>(
        &mut self,
        id: NodeId,
        ask: impl FnOnce(&mut Vm<'_>) -> Result<T, PointFault>,
    ) -> Result<T, Trouble> {
        let agent = self.points[id].agent.as_mut();
        let taken = agent.and_then(|agent| Some((agent.client, agent.session.take()?)));
        let Some((client, mut session)) = taken else {
            return Err(Trouble::NoAgent { node: self.name(id).to_owned() });
        };
        let mut link = AgentLink { stage: self, node: id, client };
        let answered = ask(&mut session.talk(&mut link));
        if let Some(agent) = self.points[id].agent.as_mut() {
            agent.session = Some(session);
        }
        answered.map_err(|fault| self.fault(id, fault))
    }

    /// Waits until the machine of a node has said something; nothing if it is gone. Its other threads run only where the
    /// interface waits for them.
    fn await_agent(&mut self, id: NodeId, client: usize) -> io::Result<Vec<u8>> {
        let clock = SystemClock::start();
        let mut nudged = Duration::ZERO;
        loop {
            let n_served = self.serve(Duration::ZERO).map_err(io::Error::other)?;
            self.bury();
            let Some(known) = self.network.clients.get_mut(&client) else { return Ok(Vec::new()) };
            let bytes = known.end.take_read();
            if !bytes.is_empty() || known.end.is_ended {
                return Ok(bytes);
            }
            if n_served == 0 && self.rests_in_talk(id).map_err(io::Error::other)? {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "it does not answer"));
            }
            let elapsed = clock.elapsed();
            if elapsed > nudged + PATIENCE {
                nudged = elapsed;
                self.nodes[id].wake_impatient();
                self.pass_over(id);
            }
            if elapsed > self.settings.idle_limit {
                let limit_ms = self.settings.idle_limit.as_millis();
                let what = format!("it does not answer within {limit_ms} ms");
                return Err(io::Error::new(io::ErrorKind::TimedOut, what));
            }
        }
    }

    /// Gives a turn to a thread of a node that is being asked, those of its interface first; whether there is none that
    /// could go on.
    fn rests_in_talk(&mut self, id: NodeId) -> Result<bool, Trouble> {
        let is_quiet = self.network.is_quiet(id, &self.nodes[id])
            && self.nodes[id].is_asleep()
            && self.serve(Duration::ZERO)? == 0
            && self.network.is_quiet(id, &self.nodes[id]);
        if !is_quiet {
            self.serve(LOOK)?;
            return Ok(false);
        }
        let node = &mut self.nodes[id];
        Ok(!(node.give_turn_to_runtime() || node.wake_runtime() || node.wake_due()))
    }

    /// Handles what the machine of a node has told by itself; returns whether there was anything. The node must sleep.
    pub(super) fn serve_agent(&mut self, id: NodeId) -> Result<bool, Trouble> {
        let Some(agent) = &mut self.points[id].agent else { return Ok(false) };
        let Some(client) = self.network.clients.get_mut(&agent.client) else { return Ok(false) };
        let (bytes, is_ended) = (client.end.take_read(), client.end.is_ended);
        if is_ended {
            // The machine ends, and its node will soon.
            self.forget_agent(id);
            return Ok(false);
        }
        if let Some(session) = &mut agent.session {
            session.feed(&bytes).map_err(|error| self.debugger(id, error))?;
        }
        let mut was_told = false;
        while let Some(events) = self.next_events(id)? {
            was_told = true;
            match self.handle_events(id, &events) {
                // The program goes on without the point.
                Err(fault @ Trouble::WrongPoint { .. }) => drop(self.point_fault.get_or_insert(fault)),
                handled => handled?,
            }
        }
        Ok(was_told)
    }

    fn next_events(&mut self, id: NodeId) -> Result<Option<EventSet>, Trouble> {
        let session = self.points[id].agent.as_mut().and_then(|agent| agent.session.as_mut());
        let events = session.map_or(Ok(None), Session::next_events);
        events.map_err(|error| self.debugger(id, error))
    }

    /// Forgets the machine of a node that does not run any more. What is armed stays armed for its next start.
    pub(super) fn forget_agent(&mut self, id: NodeId) {
        let points = &mut self.points[id];
        if let Some(agent) = points.agent.take() {
            points.armed.iter_mut().for_each(Armed::forget_machine);
            self.network.clients.shift_remove(&agent.client);
        }
    }

    /// Handles events that were told together. Their thread goes on unless it is held.
    fn handle_events(&mut self, id: NodeId, set: &EventSet) -> Result<(), Trouble> {
        let mut handled = Ok(false);
        for event in &set.events {
            let one = match event {
                Event::Breakpoint { request, thread, .. } if matches!(handled, Ok(false)) => {
                    self.come_to_point(id, *request, *thread)
                }
                Event::ClassPrepare { request, tag, class, .. } => self
                    .place_in(id, *request, |vm, armed| place_in_class(vm, armed, (*tag, *class)))
                    .map(|()| false),
                Event::Breakpoint { .. }
                | Event::VmStart { .. }
                | Event::VmDeath
                | Event::MethodEntry { .. }
                | Event::MethodExit { .. }
                | Event::ThreadStart { .. }
                | Event::ThreadDeath { .. } => Ok(false),
            };
            handled = match (handled, one) {
                (Ok(before), Ok(now)) => Ok(before || now),
                (Err(first), _) | (Ok(_), Err(first)) => Err(first),
            };
        }
        let thread = set.events.iter().find_map(Event::thread).filter(|_| set.suspend == Suspend::Thread);
        let stays = matches!(handled, Ok(true)) || self.nodes[id].is_doomed;
        if let Some(thread) = thread.filter(|_| !stays) {
            self.talk(id, |vm| Ok(vm.resume(thread)?))?;
        }
        handled.map(|_| ())
    }

    /// Arms a point in a class that was loaded. A point that cannot be there is not armed any more.
    fn place_in(
        &mut self,
        id: NodeId,
        prepare: RequestId,
        place: impl FnOnce(&mut Vm<'_>, &mut Armed) -> Result<(), PointFault>,
    ) -> Result<(), Trouble> {
        let found = self.points[id].armed.iter().position(|armed| armed.prepare == Some(prepare));
        let Some(at) = found else { return Ok(()) };
        let mut armed = self.points[id].armed.remove(at);
        match self.talk(id, |vm| place(vm, &mut armed)) {
            Ok(()) => {
                self.points[id].armed.insert(at, armed);
                Ok(())
            }
            Err(trouble) => {
                self.withdraw(id, &armed)?;
                Err(trouble)
            }
        }
    }

    /// Handles a thread that has come to a breakpoint; returns whether it is held.
    fn come_to_point(&mut self, id: NodeId, request: RequestId, thread: ThreadId) -> Result<bool, Trouble> {
        let found = self.points[id].armed.iter().position(|armed| armed.breakpoints.contains(&request));
        let Some(at) = found else { return Ok(false) };
        let armed = self.points[id].armed[at].clone();
        if armed.only.is_some_and(|only| only != thread) {
            return Ok(false);
        }
        let judged = self.talk(id, |vm| judge(vm, &armed, thread));
        if let Ok(None) = judged {
            return Ok(false);
        }
        if !armed.is_always || judged.is_err() {
            self.points[id].armed.remove(at);
            self.withdraw(id, &armed)?;
        }
        let Some(name) = judged? else { return Ok(false) };
        let point = armed.point.name;
        if armed.action == TrapAction::Hold {
            self.nodes[id].traps.note(format!("held at {point}: thread {name}"));
            let held = HeldThread { thread, name, point };
            if let Some(agent) = self.points[id].agent.as_mut() {
                agent.held.push(held);
            }
            return Ok(true);
        }
        self.nodes[id].traps.note(format!("killed at {point}: thread {name}"));
        self.nodes[id].is_doomed = true;
        self.nodes[id].is_settled = false;
        Ok(true)
    }

    /// Withdraws what was asked of the machine for a point.
    fn withdraw(&mut self, id: NodeId, armed: &Armed) -> Result<(), Trouble> {
        if self.points[id].agent.is_none() {
            return Ok(());
        }
        self.talk(id, |vm| {
            for request in &armed.breakpoints {
                vm.clear(EventKind::Breakpoint, *request)?;
            }
            if let Some(request) = armed.prepare {
                vm.clear(EventKind::ClassPrepare, request)?;
            }
            Ok(())
        })
    }

    /// Makes the next thread of a node that comes to a point, in whatever event that is, be held there, or end the node.
    pub fn arm_point(&mut self, id: NodeId, point: &Point, action: TrapAction) -> Result<(), Trouble> {
        self.arm_point_as(id, point, Arming { action, only: None, is_always: false })
    }

    /// Makes every thread of a node that comes to a point be held there, until it is let go.
    pub fn hold_always(&mut self, id: NodeId, point: &Point) -> Result<(), Trouble> {
        if self.is_always_armed(id, &point.name) {
            return Ok(());
        }
        self.arm_point_as(id, point, Arming { action: TrapAction::Hold, only: None, is_always: true })
    }

    fn is_always_armed(&self, id: NodeId, point: &str) -> bool {
        let in_code = |armed: &Armed| armed.point.name == point && armed.is_always;
        self.points[id].armed.iter().any(in_code) || self.nodes[id].traps.always_has_point(point)
    }

    fn arm_point_as(&mut self, id: NodeId, point: &Point, arming: Arming) -> Result<(), Trouble> {
        let Arming { action, only, is_always } = arming;
        let code = match &point.place {
            Place::Call(call) => {
                let (point, thread) = (Some(point.name.clone()), point.thread.clone());
                let (file, is_after) = (call.file.clone(), call.is_after);
                self.arm(id, Trap { call: call.call, file, action, is_after, point, thread, is_always });
                return Ok(());
            }
            Place::Code(code) => code.clone(),
        };
        if !self.nodes[id].spec.has_agent {
            return Err(Trouble::NoAgent { node: self.name(id).to_owned() });
        }
        let armed = Armed {
            point: point.clone(),
            code,
            action,
            only,
            is_always,
            prepare: None,
            breakpoints: Vec::new(),
            is_loaded: false,
        };
        if self.points[id].agent.is_none() {
            self.points[id].armed.push(armed);
            return Ok(());
        }
        let installed = self.install(id, armed);
        self.settle().and(installed)
    }

    /// Lets the threads of a node that are held at a point go on.
    pub fn release_point(&mut self, id: NodeId, point: &str) -> Result<(), Trouble> {
        self.check_running(id)?;
        let held = self.held_at(id, Some(point));
        let was_at_call = self.nodes[id].release_calls(point);
        if held.is_empty() && !was_at_call {
            let (node, point) = (self.name(id).to_owned(), point.to_owned());
            let why = self.why_not_held(id, &point);
            return Err(Trouble::NobodyAt { node, point, why });
        }
        self.resume_held(id, &held)?;
        self.settle()
    }

    /// Lets all threads of a node that are held at points in the code go on; returns whether there were any.
    pub(super) fn release_all_points(&mut self, id: NodeId) -> Result<bool, Trouble> {
        let held = self.held_at(id, None);
        self.resume_held(id, &held)?;
        Ok(!held.is_empty())
    }

    fn resume_held(&mut self, id: NodeId, held: &[HeldThread]) -> Result<(), Trouble> {
        for one in held {
            if let Some(agent) = self.points[id].agent.as_mut() {
                agent.held.retain(|other| other.thread != one.thread);
            }
            self.talk(id, |vm| Ok(vm.resume(one.thread)?))?;
        }
        Ok(())
    }

    /// Returns the threads of a node that are held in the code: at one point, or at any.
    fn held_at(&self, id: NodeId, point: Option<&str>) -> Vec<HeldThread> {
        let held = self.points[id].agent.iter().flat_map(|agent| &agent.held);
        held.filter(|one| point.is_none_or(|point| one.point == point)).cloned().collect()
    }

    /// Returns the points at which threads of a node are held, each with the name of its thread.
    pub fn held_points(&self, id: NodeId) -> Vec<(String, String)> {
        let in_code = self.held_at(id, None).into_iter().map(|held| (held.point, held.name));
        in_code.chain(self.nodes[id].held_calls()).collect()
    }

    fn why_not_held(&self, id: NodeId, point: &str) -> String {
        match self.points[id].armed.iter().find(|armed| armed.point.name == point) {
            Some(armed) => armed.why_not_reached(),
            None if self.nodes[id].traps.has_point(point) => "no thread has made this call".to_owned(),
            None => "`hold` was not asked for there, or its thread has gone on".to_owned(),
        }
    }

    /// Lets the thread that is held at one point go on until it comes to another, where it is held.
    pub fn step_point(&mut self, id: NodeId, from: &str, to: &Point) -> Result<(), Trouble> {
        self.check_running(id)?;
        let held = self.held_at(id, Some(from));
        let only = match (&to.place, held.as_slice()) {
            (Place::Code(_), [one]) => Some(one.thread),
            (Place::Code(_) | Place::Call(_), _) => None,
        };
        let n_before = self.held_points(id).iter().filter(|(point, _)| *point == to.name).count();
        if !self.is_always_armed(id, &to.name) {
            self.arm_point_as(id, to, Arming { action: TrapAction::Hold, only, is_always: false })?;
        }
        let released = self.release_point(id, from);
        let n_after = self.held_points(id).iter().filter(|(point, _)| *point == to.name).count();
        if released.is_ok() && n_after > n_before {
            return Ok(());
        }
        let why = self.why_not_held(id, &to.name);
        self.disarm(id, &to.name)?;
        released?;
        let (node, from, to) = (self.name(id).to_owned(), from.to_owned(), to.name.clone());
        Err(Trouble::NotReached { node, from, to, why })
    }

    /// Withdraws a point that was armed for one thread.
    fn disarm(&mut self, id: NodeId, point: &str) -> Result<(), Trouble> {
        self.nodes[id].traps.disarm(point);
        let is_it = |armed: &Armed| armed.point.name == point && !armed.is_always;
        let (gone, kept) = std::mem::take(&mut self.points[id].armed).into_iter().partition(is_it);
        self.points[id].armed = kept;
        let gone: Vec<Armed> = gone;
        for armed in &gone {
            self.withdraw(id, armed)?;
        }
        self.settle()
    }

    /// Returns the points in code that are armed and to which no thread has come, each with its node and why.
    pub fn unreached_points(&self) -> Vec<(NodeId, String, String)> {
        let of_node = |id: NodeId| {
            let armed = self.points[id].armed.iter();
            let armed = armed.filter(|armed| !armed.is_always || !armed.is_loaded);
            armed.map(move |armed| (id, armed.point.name.clone(), armed.why_not_reached()))
        };
        self.nodes.ids().flat_map(of_node).collect()
    }

    /// Returns what is seen in a Java program, as text.
    pub fn look_at(&mut self, id: NodeId, view: &View, path: &Path) -> Result<String, Trouble> {
        self.check_running(id)?;
        let held = self.held_at(id, None);
        let seen = self.talk(id, |vm| {
            let scene = scene(vm, view, &held)?;
            let value = look(vm, &scene, path)?;
            Ok(text_of(vm, value)?)
        });
        self.settle()?;
        seen
    }
}

/// Returns the name of a thread that has come to a point, if it is one that counts there.
fn judge(vm: &mut Vm<'_>, armed: &Armed, thread: ThreadId) -> Result<Option<String>, PointFault> {
    let name = vm.thread_name(thread)?;
    if armed.point.thread.as_ref().is_some_and(|pattern| !pattern.fits(&name)) {
        return Ok(None);
    }
    for condition in &armed.code.conditions {
        // A call in the condition before has changed the names of frames.
        let scene = frame_of(vm, thread)?;
        let value = look(vm, &scene, &condition.path)?;
        let text = text_of(vm, value)?;
        if !condition.wanted.contains(&text) {
            return Ok(None);
        }
    }
    Ok(Some(name))
}

fn frame_of(vm: &mut Vm<'_>, thread: ThreadId) -> Result<Scene, PointFault> {
    let frame = vm.frames(thread, 1)?.first().copied();
    let frame = frame.ok_or_else(|| PointFault::Wrong("the thread runs no method".to_owned()))?;
    Ok(Scene { frame: Some((thread, frame)), caller: Some(thread), ..Scene::default() })
}

/// Finds what the words of a path begin with.
fn scene(vm: &mut Vm<'_>, view: &View, held: &[HeldThread]) -> Result<Scene, PointFault> {
    let caller = held.first().map(|one| one.thread);
    match view {
        View::Point(point) => match held.iter().find(|one| one.point == *point) {
            Some(one) => frame_of(vm, one.thread),
            None => Err(PointFault::Wrong(format!("no thread is held at `{point}`"))),
        },
        View::Thread(pattern) => {
            for thread in vm.all_threads()? {
                if pattern.fits(&vm.thread_name(thread)?) {
                    return Ok(Scene { this: Some(thread.0), caller, ..Scene::default() });
                }
            }
            Err(PointFault::Wrong(format!("there is no thread `{}`", pattern.0)))
        }
        View::Class(class) => {
            let signature = jdwp::class_signature(class);
            let Some((_, found)) = vm.classes_by_signature(&signature)?.first().copied() else {
                return Err(PointFault::Wrong(format!("the class `{class}` is not loaded")));
            };
            let this = match vm.instances(found, 2)?[..] {
                [(_, only)] => Some(only),
                [] | [_, ..] => None,
            };
            Ok(Scene { class: Some(found), this, caller, ..Scene::default() })
        }
    }
}
