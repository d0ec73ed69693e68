//! Guest programs: small, one fact each, run alone and on a stage.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the folder with the sources of the guests.
pub fn guests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("guests")
}

/// Compiles `guests/NAME.c` into a folder, unless that was done already.
pub fn c_guest(name: &str, folder: &Path) -> PathBuf {
    compile(&format!("{name}.c"), folder, "program", |source, fresh| {
        Command::new("cc").args(["-O1", "-pthread", "-o"]).arg(fresh).arg(source).status().unwrap().success()
    })
}

/// Compiles `guests/NAME.c` as a library.
pub fn c_library(name: &str, folder: &Path) -> PathBuf {
    compile(&format!("{name}.c"), folder, "so", |source, fresh| {
        let options = ["-O1", "-shared", "-fPIC", "-o"];
        Command::new("cc").args(options).arg(fresh).arg(source).status().unwrap().success()
    })
}

/// Compiles `guests/NAME.c` without libc, so that no dynamic linker loads it.
pub fn bare_guest(name: &str, folder: &Path) -> PathBuf {
    compile(&format!("{name}.c"), folder, "program", |source, fresh| {
        let options = ["-O1", "-static", "-nostdlib", "-ffreestanding", "-fno-stack-protector", "-o"];
        Command::new("cc").args(options).arg(fresh).arg(source).status().unwrap().success()
    })
}

/// Compiles `guests/NAME.c` with all of libc in it, so that no dynamic linker loads it.
pub fn static_guest(name: &str, folder: &Path) -> PathBuf {
    compile(&format!("{name}.c"), folder, "static", |source, fresh| {
        let options = ["-O1", "-static", "-pthread", "-o"];
        Command::new("cc").args(options).arg(fresh).arg(source).status().unwrap().success()
    })
}

/// Compiles `guests/NAME.c` with all of musl in it.
pub fn musl_guest(name: &str, folder: &Path) -> PathBuf {
    compile(&format!("{name}.c"), folder, "musl", |source, fresh| {
        let options = ["-O1", "-static", "-pthread", "-o"];
        Command::new("musl-gcc").args(options).arg(fresh).arg(source).status().unwrap().success()
    })
}

/// Compiles `guests/NAME.rs` with all of libc in it.
pub fn static_rust_guest(name: &str, folder: &Path) -> PathBuf {
    compile(&format!("{name}.rs"), folder, "static", |source, fresh| {
        let options = ["--edition", "2024", "-O", "-C", "target-feature=+crt-static", "-o"];
        Command::new("rustc").args(options).arg(fresh).arg(source).status().unwrap().success()
    })
}

/// Compiles `guests/NAME.go`.
pub fn go_guest(name: &str, folder: &Path) -> PathBuf {
    compile(&format!("{name}.go"), folder, "program", |source, fresh| {
        let mut go = Command::new("go");
        go.env("GOFLAGS", "-mod=mod").env("GO111MODULE", "off").env("CGO_ENABLED", "0");
        go.env("GOCACHE", folder.join("go-cache")).args(["build", "-o"]).arg(fresh).arg(source);
        go.status().unwrap().success()
    })
}

/// Compiles `guests/NAME.rs`, with the compiler that compiles the tests.
pub fn rust_guest(name: &str, folder: &Path) -> PathBuf {
    compile(&format!("{name}.rs"), folder, "program", |source, fresh| {
        let options = ["--edition", "2024", "-O", "-o"];
        Command::new("rustc").args(options).arg(fresh).arg(source).status().unwrap().success()
    })
}

/// Compiles `guests/NAME.java`; the result is a folder of classes.
pub fn java_guest(name: &str, folder: &Path) -> PathBuf {
    compile(&format!("{name}.java"), folder, "classes", |source, fresh| {
        Command::new("javac").arg("-d").arg(fresh).arg(source).status().unwrap().success()
    })
}

/// Compiles a guest, unless that was done already. `kind` is the ending of the compiler's output.
fn compile(name: &str, folder: &Path, kind: &str, run: impl FnOnce(&Path, &Path) -> bool) -> PathBuf {
    let source = guests().join(name);
    let program = folder.join(format!("guest-{}.{kind}", name.replace('.', "-")));
    if !is_newer(&program, &source) {
        // Tests run at the same time, so each compiles to a name of its own.
        let fresh = folder.join(format!("{name}.{kind}.{:?}", std::thread::current().id()));
        assert!(run(&source, &fresh), "{} does not compile", source.display());
        // A folder of classes cannot replace another that is not empty.
        let _ = std::fs::remove_dir_all(&program);
        std::fs::rename(&fresh, &program).unwrap();
    }
    program
}

fn is_newer(made: &Path, source: &Path) -> bool {
    let changed = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    matches!((changed(made), changed(source)), (Some(made), Some(source)) if made > source)
}
