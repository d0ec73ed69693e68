//! The files that are mapped as code into the processes of nodes: programs, and libraries that were loaded with them or
//! later.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use base::{FxHashMap, FxIndexMap, FxIndexSet};

use crate::code::Findings;

/// The findings about files, shared by every stage that is opened with the same settings, so that each file is read
/// once.
#[derive(Clone, Default, Debug)]
pub struct Images {
    known: Arc<Mutex<FxHashMap<FileId, Findings>>>,
}

/// The identity of a file's current content: a file that was written again counts as another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct FileId {
    device: u64,
    inode: u64,
    size: u64,
    changed: (i64, i64),
}

impl Images {
    fn findings(&self, path: &Path) -> Findings {
        // A file that is gone by now, or was never one, cannot be read.
        let Ok(metadata) = path.metadata() else { return Findings::default() };
        let id = FileId {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            changed: (metadata.mtime(), metadata.mtime_nsec()),
        };
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(findings) = known().get(&id) {
            return *findings;
        }
        let findings = fs::read(path).map(|bytes| Findings::of(&bytes)).unwrap_or_default();
        known().insert(id, findings);
        findings
    }
}

/// The state of looking at the code of one node's processes.
#[derive(Default)]
pub(crate) struct CodeWatch {
    /// The size of each process's code, as text from the kernel.
    code_sizes: FxIndexMap<u32, String>,
    /// Files that were reported.
    reported: FxIndexSet<PathBuf>,
}

/// A file with code that does something without libc.
pub(crate) struct Stranger {
    pub path: PathBuf,
    pub findings: Findings,
}

impl CodeWatch {
    /// Whether a process has different code from when it was last looked at.
    pub fn has_changed(&mut self, pids: &[u32]) -> bool {
        self.code_sizes.retain(|pid, _| pids.contains(pid));
        let mut has_changed = false;
        for pid in pids {
            let sizes = read_code_sizes(*pid);
            has_changed |= self.code_sizes.get(pid) != Some(&sizes);
            self.code_sizes.insert(*pid, sizes);
        }
        has_changed
    }

    /// Whether a file was reported that may do something which the library does not see.
    pub fn has_strangers(&self) -> bool {
        !self.reported.is_empty()
    }

    /// Finds files that were not reported before. `own` is the path of the preloaded library, which is skipped.
    pub fn find_strangers(&mut self, pids: &[u32], own: &Path, images: &Images) -> Vec<Stranger> {
        let paths: FxIndexSet<PathBuf> = pids.iter().flat_map(|pid| list_mapped(*pid)).collect();
        let mut found = Vec::new();
        for path in paths.into_iter().filter(|path| path != own && !is_libc(path)) {
            let findings = images.findings(&path);
            if findings != Findings::default() && self.reported.insert(path.clone()) {
                found.push(Stranger { path, findings });
            }
        }
        found
    }
}

/// Returns the lines of the kernel's report that change when code is mapped or unmapped.
fn read_code_sizes(pid: u32) -> String {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let of_code = |line: &&str| ["VmExe:", "VmLib:"].iter().any(|name| line.starts_with(name));
    status.lines().filter(of_code).collect()
}

/// Lists the files that are mapped as code.
fn list_mapped(pid: u32) -> Vec<PathBuf> {
    let maps = fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default();
    maps.lines().filter_map(code_of).map(Path::to_owned).collect()
}

/// Returns the file of a line `start-end rights offset device inode path`, if the mapping can be executed.
fn code_of(line: &str) -> Option<&Path> {
    let rights = line.split_ascii_whitespace().nth(1)?;
    let path = line.get(line.find('/')?..)?;
    rights.contains('x').then(|| Path::new(path.strip_suffix(" (deleted)").unwrap_or(path)))
}

/// Whether a file is a part of glibc that makes system calls. The functions in these files are replaced by name.
fn is_libc(path: &Path) -> bool {
    const PARTS: [&str; 5] = ["libc", "ld", "libpthread", "librt", "libanl"];
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let Some((stem, _)) = name.split_once(".so") else { return false };
    let is_version =
        |version: &str| version.starts_with(|c: char| c.is_ascii_digit()) || version.starts_with("linux");
    PARTS.contains(&stem)
        || stem.split_once('-').is_some_and(|(part, version)| PARTS.contains(&part) && is_version(version))
}

#[cfg(test)]
mod tests {
    use super::{CodeWatch, code_of, is_libc, list_mapped};
    use std::path::Path;

    #[test]
    fn libc_is_known_by_the_names_of_its_parts() {
        for part in ["libc.so.6", "ld-linux-x86-64.so.2", "libpthread.so.0", "librt-2.31.so", "libc-2.31.so"]
        {
            assert!(is_libc(&Path::new("/lib").join(part)), "{part}");
        }
        for other in ["libcrypto.so.3", "libcap.so", "ld", "librtmp.so.1", "libc-client.so.2007e", "libgo.so"]
        {
            assert!(!is_libc(&Path::new("/lib").join(other)), "{other}");
        }
    }

    #[test]
    fn code_is_told_from_other_mappings() {
        let line = |rights: &str, path: &str| format!("7f00-7f10 {rights} 00000000 08:01 12    {path}");
        assert_eq!(code_of(&line("r-xp", "/lib/a b.so")), Some(Path::new("/lib/a b.so")));
        assert_eq!(code_of(&line("r-xp", "/lib/a.so (deleted)")), Some(Path::new("/lib/a.so")));
        assert_eq!(code_of(&line("r--p", "/lib/a.so")), None);
        assert_eq!(code_of(&line("r-xp", "[vdso]")), None);
    }

    #[test]
    fn this_process_has_code_that_does_not_change_by_itself() {
        let own = std::process::id();
        assert!(list_mapped(own).contains(&std::env::current_exe().unwrap()));
        let mut watch = CodeWatch::default();
        assert!(watch.has_changed(&[own]));
        assert!(!watch.has_changed(&[own]));
        assert!(!watch.has_changed(&[]));
    }
}
