//! The function that runs when the library is loaded.
#![expect(unsafe_code, reason = "a constructor is a pointer in a section of its own")]

use crate::{inside, process, session, thread};

#[used]
#[unsafe(link_section = ".init_array")]
static CONSTRUCTOR: extern "C" fn() = load;

extern "C" fn load() {
    if let Some(session) = session::session() {
        process::keep_environment();
        // The first thread gets the first slot.
        thread::slot(session);
        inside::lead_here(session);
    }
}
