//! The stage itself: nodes, the loop that waits until they are at rest, and the events.

mod clients;
mod points;
mod serve;
mod strangers;
mod supervise;
mod token;

pub use clients::ClientId;
pub(crate) use points::agent_port;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::time::Duration;

use base::{Clock, Id, IdVec, SystemClock};
use wire::{Addr, Outcome};

use crate::control::{self, Line, Uncontrolled};
use crate::disk::{Disk, Loss};
use crate::door::Door;
use crate::net::{Caller, ConnId, ConnState, Framing, Held, MessageId, Network, Refusal, Side};
use crate::node::{DoorKind, Node, NodeId, NodeSpec, NodeState, NodeSurroundings, Stream};
use crate::sockets::OpenSockets;
use crate::sys::{self, BoardFile, Epoll};
use crate::traps::Trap;
use crate::{Folder, Images, Library, Trouble};
use points::NodePoints;
use token::Token;

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder in which the stage's folder is made.
    pub base_folder: PathBuf,
    /// The seed of the nodes' random numbers.
    pub seed: u64,
    /// The real time that a node may run before the stage gives up.
    pub idle_limit: Duration,
    /// The nodes' monotonic clocks when they start.
    pub start_ns: u64,
    /// The nodes' clocks of day when they start.
    pub start_wall_ns: u64,
    /// The framing of messages, by the port that was connected to.
    pub framing: Vec<(u16, Framing)>,
    /// The folders in which programs are looked for, as in `PATH`.
    pub search_path: OsString,
    /// Whether connections are made without an event when both nodes can reach each other.
    pub connects: bool,
    /// Whether messages on connections may be lost, come twice and overtake each other.
    pub unsafe_stream: bool,
    /// The findings about the files that nodes run.
    pub images: Images,
}

impl Settings {
    pub fn new(base_folder: PathBuf) -> Settings {
        Settings {
            base_folder,
            seed: 1,
            idle_limit: Duration::from_secs(10),
            start_ns: 1_000_000_000_000,
            start_wall_ns: 1_700_000_000_000_000_000,
            framing: Vec::new(),
            search_path: OsString::from("/usr/local/bin:/usr/bin:/bin"),
            connects: true,
            unsafe_stream: false,
            images: Images::default(),
        }
    }
}

/// Real processes under control.
pub struct Stage {
    settings: Settings,
    folder: Folder,
    library: Library,
    epoll: Epoll,
    listener: UnixListener,
    bell: File,
    /// The write end of the pipe that guests watch: it is closed when this process ends.
    _lifeline: File,
    lines: Vec<Option<Line>>,
    nodes: IdVec<NodeId, Node>,
    points: IdVec<NodeId, NodePoints>,
    /// The doors of nodes whose system calls are heard.
    doors: IdVec<NodeId, Option<Door>>,
    /// A point that cannot be where it is described, found while nodes ran: reported when all are at rest.
    point_fault: Option<Trouble>,
    network: Network,
    uncontrolled: Vec<Uncontrolled>,
    /// Number of nodes that have ended by themselves.
    n_endings: u64,
}

/// The interval between looks at the threads, for a thread that waits in a call which the library does not know and so
/// does not announce it.
const LOOK: Duration = Duration::from_millis(1);
/// The most of a node's output that is returned after one event.
const EVENT_OUTPUT_BYTES_MAX: u64 = 64 << 10;
/// The time that a node must have run before its short waits between threads are ended.
const PATIENCE: Duration = Duration::from_millis(5);

impl Stage {
    pub fn open(settings: Settings, specs: Vec<NodeSpec>) -> Result<Stage, Trouble> {
        let folder =
            Folder::create_in(&settings.base_folder).map_err(Trouble::system("the stage has no folder"))?;
        Stage::open_in(folder, settings, specs)
    }

    /// Opens a stage in a folder that exists already.
    pub fn open_in(folder: Folder, settings: Settings, specs: Vec<NodeSpec>) -> Result<Stage, Trouble> {
        Stage::build(folder, settings, specs).map_err(Trouble::system("the stage cannot be set up"))
    }

    fn build(folder: Folder, settings: Settings, specs: Vec<NodeSpec>) -> io::Result<Stage> {
        sys::adopt_orphans();
        let library = Library::write_to(folder.path())?;
        let at = |name: &str| folder.path().join(name);
        let listener = UnixListener::bind(at(wire::files::CONTROL))?;
        listener.set_nonblocking(true)?;
        sys::make_fifo(&at(wire::files::BELL))?;
        sys::make_fifo(&at(wire::files::LIFELINE))?;
        let (bell, lifeline) =
            (sys::open_fifo(&at(wire::files::BELL))?, sys::open_fifo(&at(wire::files::LIFELINE))?);
        let mut network = Network::open()?;
        network.framing = settings.framing.iter().cloned().collect();
        let epoll = Epoll::new()?;
        epoll.add(&listener, Token::Control.pack())?;
        epoll.add(&bell, Token::Bell.pack())?;
        epoll.add(&network.doors.v4, Token::Door { is_v6: false }.pack())?;
        if let Some(v6) = &network.doors.v6 {
            epoll.add(v6, Token::Door { is_v6: true }.pack())?;
        }
        let (mut nodes, mut points, mut doors) = (IdVec::default(), IdVec::default(), IdVec::default());
        for (index, spec) in specs.into_iter().enumerate() {
            let board = BoardFile::create(&at(&format!("{}{index}", wire::files::BOARD_PREFIX)))?;
            let seed = seed_of(settings.seed, index);
            let node = Node::new(index, spec, board, seed);
            control::prepare(&node, settings.start_ns, settings.start_wall_ns, seed);
            if node.spec.has_agent {
                network.addresses.hide(NodeId::from_index(index), agent_port(index));
            }
            nodes.push(node);
            points.push(NodePoints::default());
            doors.push(None);
        }
        Ok(Stage {
            settings,
            folder,
            library,
            epoll,
            listener,
            bell,
            _lifeline: lifeline,
            lines: Vec::new(),
            nodes,
            points,
            doors,
            point_fault: None,
            network,
            uncontrolled: Vec::new(),
            n_endings: 0,
        })
    }

    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.nodes.ids()
    }

    pub fn node_named(&self, name: &str) -> Result<NodeId, Trouble> {
        let found = self.nodes.ids().find(|id| self.nodes[*id].spec.name == name);
        found.ok_or_else(|| Trouble::NoSuchNode(name.to_owned()))
    }

    pub fn name(&self, node: NodeId) -> &str {
        &self.nodes[node].spec.name
    }

    pub fn state(&self, node: NodeId) -> NodeState {
        self.nodes[node].state
    }

    /// Returns how often a node has come to rest. If the number has not changed, the node has done nothing since.
    pub fn n_rests(&self, node: NodeId) -> u64 {
        self.nodes[node].n_rests
    }

    /// Returns the node's monotonic clock.
    pub fn now_ns(&self, node: NodeId) -> u64 {
        self.nodes[node].now_ns()
    }

    pub fn next_deadline_ns(&self, node: NodeId) -> Option<u64> {
        self.nodes[node].next_deadline_ns()
    }

    pub fn held_messages(&self) -> Vec<Held> {
        self.network.held_messages()
    }

    /// Returns the calls that were not under control, since the stage was opened.
    pub fn uncontrolled(&self) -> &[Uncontrolled] {
        &self.uncontrolled
    }

    /// Returns what a node has written to its standard output so far.
    pub fn output(&self, node: NodeId) -> io::Result<Vec<u8>> {
        std::fs::read(Stream::Output.file(&self.folder, self.name(node)))
    }

    /// Returns the nodes that have ended by themselves, the first one first, each with its number among all such
    /// endings.
    pub fn ended_nodes(&self) -> Vec<(u64, NodeId)> {
        let numbered = self.nodes.ids().filter_map(|id| Some((self.nodes[id].ending?, id)));
        let mut all: Vec<(u64, NodeId)> = numbered.collect();
        all.sort_by_key(|(number, _)| *number);
        all
    }

    /// Returns what a node has written to one of its streams after the first `seen` bytes, cut to the last part if it
    /// is long, and how many bytes there are now.
    pub fn read_written_since(&self, node: NodeId, stream: Stream, seen: u64) -> (Vec<u8>, u64) {
        let path = stream.file(&self.folder, self.name(node));
        let read = || {
            let mut file = File::open(&path)?;
            let end = file.metadata()?.len();
            // The file is shorter if it was emptied because there was too much to keep.
            let from = if seen > end { 0 } else { seen }.max(end.saturating_sub(EVENT_OUTPUT_BYTES_MAX));
            file.seek(SeekFrom::Start(from))?;
            let mut bytes = Vec::new();
            file.take(end - from).read_to_end(&mut bytes)?;
            io::Result::Ok((bytes, end))
        };
        // A node that was not started has written nothing.
        read().unwrap_or_default()
    }

    /// Returns what a node has written to its standard error so far.
    pub fn errors(&self, node: NodeId) -> io::Result<Vec<u8>> {
        std::fs::read(Stream::Errors.file(&self.folder, self.name(node)))
    }

    /// Starts a node and waits until all are at rest.
    pub fn start(&mut self, id: NodeId) -> Result<(), Trouble> {
        let node = &mut self.nodes[id];
        let name = || node.spec.name.clone();
        if node.state == NodeState::Running {
            return Err(Trouble::Running { node: name() });
        }
        let name = name();
        match self.choose_door(id).map_err(|reason| Trouble::CannotEnter { node: name.clone(), reason })? {
            DoorKind::Library => {
                let (folder, library) = (&self.folder, &self.library);
                let surroundings =
                    NodeSurroundings { folder, library, search_path: &self.settings.search_path };
                let started = self.nodes[id].start(id.index(), &surroundings);
                started.map_err(|error| Trouble::CannotStart { node: name, error })?;
            }
            DoorKind::Syscalls => self.start_supervised(id)?,
        }
        self.settle()?;
        if self.nodes[id].spec.has_agent { self.open_agent(id) } else { Ok(()) }
    }

    /// Kills a node's processes. Returns the messages to or from it over connections, which are lost.
    pub fn crash(&mut self, id: NodeId) -> Result<Vec<Held>, Trouble> {
        self.check_running(id)?;
        self.nodes[id].kill();
        self.nodes[id].state = NodeState::Crashed;
        let lost = self.forget(id);
        self.settle()?;
        Ok(lost)
    }

    /// Kills a node as [`Stage::crash`] does and lets the power fail: only what was synced of its files is left. Also
    /// returns the names of the files that lost something.
    pub fn crash_and_lose(&mut self, id: NodeId) -> Result<(Vec<Held>, Vec<String>), Trouble> {
        let lost = self.crash(id)?;
        Ok((lost, self.lose(id)?))
    }

    /// Lets the power fail at a node that does not run: only what was synced of its files is left. Returns the names of
    /// the files that lost something.
    pub fn lose(&mut self, id: NodeId) -> Result<Vec<String>, Trouble> {
        self.lose_part(id, &Loss::default())
    }

    /// Lets the power fail as [`Stage::lose`] does, but some unsynced changes survive or names are lost too.
    pub fn lose_part(&mut self, id: NodeId, loss: &Loss) -> Result<Vec<String>, Trouble> {
        let node = self.name(id).to_owned();
        if self.nodes[id].state == NodeState::Running {
            return Err(Trouble::Running { node });
        }
        self.check_tracked(id)?;
        let lost = self.nodes[id].disk.as_mut().map(|disk| disk.lose(loss)).transpose();
        lost.map(Option::unwrap_or_default)
            .map_err(Trouble::system("the files of the node cannot be put back"))
    }

    fn check_tracked(&self, id: NodeId) -> Result<(), Trouble> {
        match self.nodes[id].spec.tracks_files {
            true => Ok(()),
            false => Err(Trouble::FilesNotTracked { node: self.name(id).to_owned() }),
        }
    }

    /// Lists what of a node's files was not synced: a line for each change, and for each new name.
    pub fn list_unsynced(&self, id: NodeId) -> Result<Vec<String>, Trouble> {
        self.check_tracked(id)?;
        // A node that was never started has no disk.
        let unsynced = self.nodes[id].disk.as_ref().map(Disk::list_unsynced).transpose();
        unsynced
            .map(Option::unwrap_or_default)
            .map_err(Trouble::system("the files of the node cannot be looked at"))
    }

    /// Makes the node be held, or end, at its next call on a file that fits the trap, whatever the event is.
    pub fn arm(&mut self, id: NodeId, trap: Trap) {
        self.nodes[id].arm(trap);
    }

    /// Lets everything that is held go on: calls on files, and threads at points in the code.
    pub fn release(&mut self, id: NodeId) -> Result<(), Trouble> {
        self.check_running(id)?;
        if !self.release_all_points(id)? && !self.nodes[id].is_held() {
            return Err(Trouble::NothingHeld { node: self.name(id).to_owned() });
        }
        self.nodes[id].open_gate();
        self.settle()
    }

    /// Returns which calls on files were held, or ended their node, since the last call of this function.
    pub fn take_notes(&mut self) -> Vec<(NodeId, String)> {
        let ids: Vec<NodeId> = self.nodes.ids().collect();
        let notes = |id: NodeId| self.nodes[id].traps.take_notes().into_iter().map(move |note| (id, note));
        ids.into_iter().flat_map(notes).collect()
    }

    fn forget(&mut self, id: NodeId) -> Vec<Held> {
        self.close_door(id);
        self.forget_agent(id);
        let lost = self.network.forget_node(id);
        self.unsettle_all();
        lost
    }

    /// Moves a node's clock to the next deadline of one of its threads or timers, and returns that time.
    pub fn tick(&mut self, id: NodeId) -> Result<u64, Trouble> {
        self.check_running(id)?;
        let deadline = self.nodes[id].next_deadline_ns();
        let deadline = deadline.ok_or_else(|| Trouble::NoDeadline { node: self.name(id).to_owned() })?;
        let now_ns = deadline.max(self.now_ns(id));
        self.pass_time(id, now_ns)?;
        Ok(now_ns)
    }

    /// Sets a node's clock. Threads whose time has come run one after the other, in the order of their deadlines, so
    /// that their effects on each other do not depend on which was faster.
    fn pass_time(&mut self, id: NodeId, now_ns: u64) -> Result<(), Trouble> {
        // A Go program waits for the first of all its timers alone, and would see several pass at once.
        while self.nodes[id].has_own_timers
            && let Some(next_ns) = self.nodes[id].next_deadline_ns().filter(|next_ns| *next_ns < now_ns)
            && self.nodes[id].state == NodeState::Running
        {
            self.pass_to(id, next_ns.max(self.now_ns(id)))?;
        }
        self.pass_to(id, now_ns)
    }

    fn pass_to(&mut self, id: NodeId, now_ns: u64) -> Result<(), Trouble> {
        self.nodes[id].set_now(now_ns);
        while self.nodes[id].wake_due() {
            self.settle()?;
        }
        Ok(())
    }

    /// Moves a node's clock by `length`, in one step.
    pub fn advance(&mut self, id: NodeId, length: Duration) -> Result<(), Trouble> {
        let length_ns = u64::try_from(length.as_nanos()).unwrap_or(u64::MAX);
        let now_ns = self.now_ns(id).saturating_add(length_ns).min(wire::NEVER_NS - 1);
        self.pass_time(id, now_ns)
    }

    /// Delivers a message: the first of its connection, or any datagram.
    pub fn deliver(&mut self, id: MessageId) -> Result<(), Trouble> {
        if self.network.datagrams.has(id) {
            self.deliver_datagram(id, false)?;
        } else {
            let (conn, side, at) = self.find(id)?;
            self.check_order(id, at == 0)?;
            self.network.conns[conn].deliver(side, at, false);
        }
        self.nodes[id.to].is_settled = false;
        self.settle()
    }

    /// Delivers a message and keeps it, so that it can be delivered again.
    pub fn duplicate(&mut self, id: MessageId) -> Result<(), Trouble> {
        if self.network.datagrams.has(id) {
            self.deliver_datagram(id, true)?;
        } else {
            let (conn, side, at) = self.find(id)?;
            self.check_order(id, false)?;
            self.check_no_end(conn, side, at)?;
            self.network.conns[conn].deliver(side, at, true);
        }
        self.nodes[id.to].is_settled = false;
        self.settle()
    }

    /// Drops a message and returns it.
    pub fn drop(&mut self, id: MessageId) -> Result<Held, Trouble> {
        if let Some(dropped) = self.network.datagrams.drop(id) {
            return Ok(dropped);
        }
        let (conn, side, at) = self.find(id)?;
        self.check_order(id, false)?;
        self.check_no_end(conn, side, at)?;
        let taken = self.network.conns[conn].take(side, at);
        taken.map(|payload| Held { id, conn: Some(conn.index()), payload }).ok_or(Trouble::NoSuchMessage)
    }

    /// Refuses to reorder, repeat or drop messages on a connection, unless the system allows that.
    fn check_order(&self, id: MessageId, is_in_order: bool) -> Result<(), Trouble> {
        if is_in_order || self.settings.unsafe_stream {
            return Ok(());
        }
        let (from, to) = (self.name(id.from).to_owned(), self.name(id.to).to_owned());
        Err(Trouble::OnStream { number: id.number, from, to })
    }

    fn check_no_end(&self, conn: ConnId, side: Side, at: usize) -> Result<(), Trouble> {
        if self.network.conns[conn].is_end(side, at) { Err(Trouble::EndOfStream) } else { Ok(()) }
    }

    fn deliver_datagram(&mut self, id: MessageId, is_kept: bool) -> Result<(), Trouble> {
        let Network { datagrams, addresses, .. } = &mut self.network;
        let delivered = datagrams.deliver(id, is_kept, addresses).and_then(|_| self.watch_stand_ins());
        delivered.map_err(Trouble::system("a datagram cannot be delivered"))
    }

    fn find(&self, id: MessageId) -> Result<(ConnId, Side, usize), Trouble> {
        let conns = &self.network.conns;
        let found = conns.ids().find_map(|conn| conns[conn].find(id).map(|(side, at)| (conn, side, at)));
        found.ok_or(Trouble::NoSuchMessage)
    }

    /// Returns the next message from one node to another, if there is one.
    pub fn next_message(&self, from: NodeId, to: NodeId) -> Option<Held> {
        let mut whole = self.held_messages().into_iter().filter(Held::is_whole);
        whole.find(|held| held.id.from == from && held.id.to == to)
    }

    /// Breaks all connections between two nodes and keeps new ones from being made. Returns the messages that were
    /// lost.
    pub fn cut(&mut self, one: NodeId, other: NodeId) -> Result<Vec<Held>, Trouble> {
        let lost = self.network.cut(one, other);
        self.unsettle_all();
        self.settle()?;
        Ok(lost)
    }

    pub fn heal(&mut self, one: NodeId, other: NodeId) -> Result<(), Trouble> {
        self.network.heal(one, other);
        self.settle()
    }

    /// Makes the first send on the next connection between two nodes fail, as if the connection had been reset since it
    /// was made. The node that was to accept it never learns of it.
    pub fn break_next(&mut self, one: NodeId, other: NodeId) {
        self.network.break_next(one, other);
    }

    /// Decides a waiting attempt to connect: the first one of this node to that port.
    pub fn decide(&mut self, dialer: NodeId, port: u16, outcome: Outcome) -> Result<(), Trouble> {
        let conns = &self.network.conns;
        let is_it = |id: &ConnId| {
            conns[*id].state == ConnState::Asked
                && conns[*id].dialer == dialer
                && conns[*id].target.port == port
        };
        let conn = conns.ids().find(is_it).ok_or(Trouble::NoSuchMessage)?;
        self.decide_conn(conn, outcome)?;
        self.settle()
    }

    /// Connects from here to a guest's socket.
    fn dial(&mut self, target: Addr, caller: Caller) -> io::Result<TcpStream> {
        let socket = sys::dial(SocketAddr::from(target), |own| {
            self.network.callers.insert((own.port(), own.is_ipv6()), caller);
        })?;
        socket.set_nonblocking(true)?;
        socket.set_nodelay(true)?;
        Ok(socket)
    }

    fn check_running(&self, id: NodeId) -> Result<(), Trouble> {
        match self.nodes[id].state {
            NodeState::Running => Ok(()),
            NodeState::NotStarted | NodeState::Ended(_) | NodeState::Crashed => {
                Err(Trouble::NotRunning { node: self.name(id).to_owned() })
            }
        }
    }

    fn unsettle_all(&mut self) {
        for id in self.nodes.ids().collect::<Vec<_>>() {
            self.nodes[id].is_settled = false;
        }
    }

    /// Waits until every node is at rest and nothing happens by itself any more.
    pub fn settle(&mut self) -> Result<(), Trouble> {
        let clock = SystemClock::start();
        let mut nudged = Duration::ZERO;
        for id in self.running_nodes().collect::<Vec<_>>() {
            self.nodes[id].note_event();
        }
        loop {
            let n_served = self.serve(Duration::ZERO)?;
            self.bury();
            if n_served == 0 && self.are_all_idle()? {
                if let Some(trouble) = self.take_door_fault() {
                    return Err(trouble);
                }
                if !self.run_automatic_events()? {
                    self.look_for_strangers();
                    return self.point_fault.take().map_or(Ok(()), Err);
                }
                continue;
            }
            if n_served == 0 {
                self.serve(LOOK)?;
            }
            let elapsed = clock.elapsed();
            if elapsed > nudged + PATIENCE {
                nudged = elapsed;
                for id in self.running_nodes().collect::<Vec<_>>() {
                    self.nodes[id].trim_output(&self.folder);
                    if !self.nodes[id].is_settled {
                        self.nodes[id].wake_impatient();
                        self.pass_over(id);
                    }
                }
            }
            if elapsed > self.settings.idle_limit {
                return Err(self.describe_busy_node());
            }
        }
    }

    /// Lets another thread run beside one that does not give way, and reports it.
    fn pass_over(&mut self, id: NodeId) {
        if let Some(thread) = self.nodes[id].pass_over() {
            let detail = format!("the thread `{thread}` does not wait: others run beside it");
            self.tell(id, "turns", &detail);
        }
    }

    fn running_nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.nodes.ids().filter(|id| self.nodes[*id].state == NodeState::Running)
    }

    fn describe_busy_node(&self) -> Trouble {
        let busy = self.running_nodes().find(|id| !self.nodes[*id].is_settled);
        let (node, threads) = match busy {
            Some(id) => (self.name(id).to_owned(), self.nodes[id].report()),
            None => (String::new(), Vec::new()),
        };
        Trouble::NeverIdle { node, limit_ms: self.settings.idle_limit.as_millis(), threads }
    }

    /// Describes a node's threads.
    pub fn threads(&self, id: NodeId) -> Vec<crate::ThreadReport> {
        self.nodes[id].report()
    }

    fn are_all_idle(&mut self) -> Result<bool, Trouble> {
        for id in self.running_nodes().collect::<Vec<_>>() {
            if self.nodes[id].is_settled {
                continue;
            }
            // If it takes long to ask what has arrived, this waits until the node sleeps, since it may be about to tell
            // by itself.
            if !self.network.inquiry.is_quick() && !self.nodes[id].is_asleep() {
                return Ok(false);
            }
            let is_idle = self.network.is_quiet(id, &self.nodes[id]) && self.nodes[id].is_asleep();
            // A request may have been in transit while its thread slept, and so may bytes that were sent before it
            // slept.
            if !is_idle || self.serve(Duration::ZERO)? > 0 || !self.network.is_quiet(id, &self.nodes[id]) {
                return Ok(false);
            }
            self.look_at_waits(id);
            if self.serve_agent(id)? || self.nodes[id].give_turn() {
                return Ok(false);
            }
            self.nodes[id].is_settled = true;
            self.nodes[id].n_rests += 1;
        }
        Ok(true)
    }

    /// Numbers what was sent while all nodes are at rest, and carries out the events that happen by themselves. Returns
    /// whether there was one.
    fn run_automatic_events(&mut self) -> Result<bool, Trouble> {
        debug_assert!(
            self.running_nodes().all(|id| self.nodes[id].is_settled),
            "messages get their numbers while all nodes are at rest"
        );
        self.network.collect();
        if self.tell_refusals() {
            return Ok(true);
        }
        // A timer may have been set to a time that has already passed.
        for id in self.running_nodes().collect::<Vec<_>>() {
            if self.nodes[id].wake_due() || self.nodes[id].wake_runtime() {
                return Ok(true);
            }
        }
        if self.settings.connects
            && let Some(conn) = self.network.next_asked()
        {
            self.decide_conn(conn, Outcome::Accepted)?;
            return Ok(true);
        }
        self.deliver_to_self()
    }

    /// Tells the senders of datagrams that found no receiver; returns whether there were any.
    fn tell_refusals(&mut self) -> bool {
        let refusals = self.network.datagrams.take_refusals();
        for Refusal { node, link, port } in &refusals {
            self.nodes[*node].tell_refused(*link, *port);
        }
        !refusals.is_empty()
    }

    /// Delivers messages of a node to itself, which do not use the network.
    fn deliver_to_self(&mut self) -> Result<bool, Trouble> {
        let own: Vec<MessageId> =
            self.held_messages().into_iter().filter(Held::is_whole).map(|held| held.id).collect();
        let own: Vec<MessageId> = own.into_iter().filter(|id| id.from == id.to).collect();
        for id in &own {
            self.nodes[id.to].is_settled = false;
            if self.network.datagrams.has(*id) {
                self.deliver_datagram(*id, false)?;
            } else if let Ok((conn, side, at)) = self.find(*id) {
                self.network.conns[conn].deliver(side, at, false);
            }
        }
        Ok(!own.is_empty())
    }

    fn decide_conn(&mut self, conn: ConnId, outcome: Outcome) -> Result<(), Trouble> {
        let outcome = match outcome {
            Outcome::Accepted => self.open_conn(conn)?,
            Outcome::Pending
            | Outcome::Refused
            | Outcome::TimedOut
            | Outcome::Unreachable
            | Outcome::Broken => outcome,
        };
        let dialer = self.network.conns[conn].dialer;
        self.network.decide(conn, outcome, &mut self.nodes[dialer]);
        Ok(())
    }

    /// Makes our half of a connection, from here to the node that listens.
    fn open_conn(&mut self, conn: ConnId) -> Result<Outcome, Trouble> {
        let target = self.network.conns[conn].target;
        let Some(listener) = self.network.addresses.listener(target).copied() else {
            return Ok(Outcome::Refused);
        };
        if self.network.take_break(self.network.conns[conn].dialer, listener.node) {
            // Until it breaks, it is a connection like others to the node that dialled: a cut or a crash resets it.
            self.network.conns[conn].peer = Some(listener.node);
            return Ok(Outcome::Broken);
        }
        let socket = match self.dial(listener.kernel_addr(), Caller::Node(conn)) {
            Ok(socket) => socket,
            // The listener was closed without our knowledge, or nobody accepts.
            Err(_) => return Ok(Outcome::Refused),
        };
        self.epoll
            .add(&socket, Token::End(conn, Side::Acceptor).pack())
            .map_err(Trouble::system("a connection cannot be watched"))?;
        let conn = &mut self.network.conns[conn];
        conn.peer = Some(listener.node);
        conn.acceptor = Some(listener.node);
        conn.end(Side::Acceptor).attach(socket);
        self.nodes[listener.node].is_settled = false;
        Ok(Outcome::Accepted)
    }

    /// Notices processes that ended by themselves, and ends nodes that must not run any more.
    fn bury(&mut self) {
        for id in self.running_nodes().collect::<Vec<_>>() {
            let node = &mut self.nodes[id];
            if node.is_doomed {
                node.kill();
                node.state = NodeState::Crashed;
                self.forget(id);
                continue;
            }
            let (main, n_pids) = (node.main_pid(), node.pids.len());
            let mut ended = None;
            node.pids.retain(|pid| match sys::reap(*pid, false) {
                Ok(Some(exit)) => {
                    ended = if Some(*pid) == main { Some(exit) } else { ended };
                    false
                }
                Ok(None) => true,
                // It is not our child, so it exists as long as the kernel knows it.
                Err(_) => std::path::Path::new(&format!("/proc/{pid}")).exists(),
            });
            if let Some(exit) = ended {
                node.kill();
                node.state = NodeState::Ended(exit);
                self.n_endings += 1;
                node.ending = Some(self.n_endings);
                self.forget(id);
            } else if node.pids.len() < n_pids {
                // The sockets that only this process had are closed now.
                self.network.sweep(id, &OpenSockets::of(&node.pids));
                node.alarms.sweep(&node.board, &node.pids);
                node.is_settled = false;
            }
        }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        for id in self.nodes.ids().collect::<Vec<_>>() {
            self.nodes[id].kill();
        }
    }
}

/// Returns a node's own seed.
fn seed_of(seed: u64, index: usize) -> u64 {
    seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(index as u64)
}
