//! The operating system: everything that the standard library does not offer, each call behind a function that is safe
//! to call in any way. This is the only unsafe code of the crate.

mod board;
mod epoll;
pub mod guest;
mod notify;
mod pass;
mod process;
mod socket;
mod supervised;

pub use board::BoardFile;
pub use epoll::Epoll;
pub use notify::{Listener, Notice, NoticeAnswer, borrow_descriptor, open_process};
pub use pass::receive_with;
pub use process::{Exit, Launch, TimerSignal, adopt_orphans, kill, make_fifo, open_fifo, reap, signal_timer};
pub use socket::{
    ClosedPort, closed_port, dial, reset_on_close, shutdown_write, signal_event, sock_diag, wake_word,
};
pub use supervised::{Instruction, Supervised, filter_obstacle};
