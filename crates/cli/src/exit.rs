//! Why a command stops, and how it ended.

use std::io;

pub use setup::Ending;

/// Why a command ends before it is done.
#[derive(Debug)]
pub enum Stop {
    /// Something is wrong, and has been reported.
    Ended(Ending),
    /// The options contradict each other: clap words the message.
    Usage(clap::Error),
    /// Reading or writing failed.
    Io(io::Error),
}

impl From<Ending> for Stop {
    fn from(ending: Ending) -> Stop {
        Stop::Ended(ending)
    }
}

impl From<clap::Error> for Stop {
    fn from(error: clap::Error) -> Stop {
        Stop::Usage(error)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Io(error)
    }
}

/// Takes an ending with which a run stopped early as its ending, for what is done after every run, such as reports.
pub fn settle(result: Result<Ending, Stop>) -> Result<Ending, Stop> {
    match result {
        Err(Stop::Ended(ending)) => Ok(ending),
        result => result,
    }
}
