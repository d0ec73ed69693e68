//! Guest programs: small, one fact each, run alone and on a stage.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder with the sources of the guests.
pub fn guests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("guests")
}

/// Compiles `guests/NAME.c` into a folder, unless that was done already.
pub fn c_guest(name: &str, folder: &Path) -> PathBuf {
    let source = guests().join(format!("{name}.c"));
    let program = folder.join(format!("guest-{name}"));
    if !is_newer(&program, &source) {
        // Tests run at the same time: each compiles to a name of its own.
        let fresh = folder.join(format!("guest-{name}.{:?}", std::thread::current().id()));
        let status =
            Command::new("cc").args(["-O1", "-pthread", "-o"]).arg(&fresh).arg(&source).status().unwrap();
        assert!(status.success(), "{} does not compile", source.display());
        std::fs::rename(&fresh, &program).unwrap();
    }
    program
}

fn is_newer(made: &Path, source: &Path) -> bool {
    let changed = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    matches!((changed(made), changed(source)), (Some(made), Some(source)) if made > source)
}
