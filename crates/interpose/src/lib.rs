//! The library that is preloaded into a guest program. It replaces the functions of libc through which a program deals
//! with time, network, randomness and other processes, and connects them to the stage.
//!
//! `table` lists every symbol. An entry point has three parts: look for a session, decide, return the answer in libc's
//! form. Without a session every symbol does what libc's does.
//!
//! Rules for everything here, since it runs in the middle of somebody else's program:
//! - No allocation, and no lock that the guest can hold; our own locks are held with signals blocked.
//! - No panic: it would end the guest, which could not know why.
//! - Our own system calls go straight to the kernel (`kernel`); `errno` is written last, and only on failure.
//! - *Signals* may interrupt anything and their handlers may call us: what the board said is restored (`thread`).
//! - *Fork*: the child has one thread and connects to the stage by itself (`session::start_again`).
//!
//! Entry points have the parameters of libc's functions, however many those are, and are safe functions although they
//! get addresses: a program in C calls them, to which `unsafe` says nothing. What the guest claims about an address is
//! relied on in `guest`, and by libc and the kernel where it is passed on.
//!
//! Not controlled: threads made by the `clone` system call itself, the processor's counters, `vfork`'s sharing of
//! memory (the child of `vfork` is one of `fork`), cancellation of threads inside our waits.

mod aio;
mod clock;
mod cond;
mod descriptors;
mod entering;
mod fds;
mod files;
mod guard;
mod guest;
mod inside;
mod kernel;
mod kernel_aio;
mod load;
mod lock;
mod locks;
mod mapping;
mod net;
mod polling;
mod process;
mod program;
mod random;
mod real;
mod sem;
mod session;
mod syscalls;
#[allow(dead_code, reason = "compared with the exports by the tests of `stage`")]
mod table;
mod temporary;
mod thread;
mod timers;
mod wait;
