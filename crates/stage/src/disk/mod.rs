//! The part of a node's files that would survive a loss of power: for each file its content at its last `fsync` and
//! every change since then, in order, and the names that existed when their folder was last synced.
//!
//! A file that was never synced is empty afterwards, as file systems leave it. Names are durable at once, unless the
//! loss asks for names to be lost, too. Files are identified by their inodes, so that a renamed file keeps its content.

mod names;

use std::fs;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use base::FxIndexMap;

use names::Names;

/// The most bytes of unsynced changes that are remembered, in all files of a node.
const CHANGES_BYTES_MAX: usize = 256 << 20;

/// The part of a node's unsynced changes that a loss of power spares, and whether it takes names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Loss {
    /// For each of these files, named by the end of its path, the number of changes after the last sync that survive.
    pub kept: Vec<(String, u64)>,
    /// Whether names are lost too: those that were made, removed or given to other files since their folder was synced.
    pub names: bool,
}

/// The identity of a file: its inode and the time when it was made, since inodes are used again.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct FileKey(String);

impl FileKey {
    fn of(metadata: &fs::Metadata) -> FileKey {
        let made = metadata.created().ok().and_then(|made| made.duration_since(UNIX_EPOCH).ok());
        FileKey(format!("{}-{}", metadata.ino(), made.map_or(0, |made| made.as_nanos())))
    }
}

/// Bytes that were written, and the length of the file after that. A change that shortens or extends the file has no
/// bytes.
struct Change {
    offset: u64,
    bytes: Vec<u8>,
    size: u64,
}

impl Change {
    fn apply(&self, content: &mut Vec<u8>) {
        let as_len = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        content.resize(as_len(self.size).max(as_len(self.offset) + self.bytes.len()), 0);
        content[as_len(self.offset)..][..self.bytes.len()].copy_from_slice(&self.bytes);
        content.truncate(as_len(self.size));
    }
}

pub(crate) struct Disk {
    /// The node's own folder.
    folder: PathBuf,
    /// The folder with durable contents, each named by the identity of its file.
    copies: PathBuf,
    changes: FxIndexMap<FileKey, Vec<Change>>,
    n_bytes: usize,
    /// Whether there were more changes than are remembered. Then none are remembered until everything is synced.
    has_forgotten: bool,
    names: Names,
}

impl Disk {
    /// Creates the record of a folder in which everything that is there now is durable.
    pub fn new(folder: &Path, copies: PathBuf) -> io::Result<Disk> {
        fs::create_dir_all(&copies)?;
        let folder = fs::canonicalize(folder)?;
        let changes = FxIndexMap::default();
        let names = Names::of(&folder)?;
        let mut disk = Disk { folder, copies, changes, n_bytes: 0, has_forgotten: false, names };
        disk.keep_all()?;
        Ok(disk)
    }

    /// Notes that a program has synced a file or a folder, or everything if the path is empty. Files of others do not
    /// matter.
    pub fn note_sync(&mut self, path: &Path) -> io::Result<()> {
        if path.as_os_str().is_empty() {
            self.names.keep_all()?;
            return self.keep_all();
        }
        if !path.starts_with(&self.folder) {
            return Ok(());
        }
        if path.is_dir() {
            self.names.keep(path)?;
        }
        if path.is_file() { self.keep(path) } else { Ok(()) }
    }

    /// Notes that a program has changed `len` bytes of a file at an offset. Returns whether the file is the node's.
    pub fn note_change(&mut self, path: &Path, offset: u64, len: u64) -> io::Result<bool> {
        if !path.starts_with(&self.folder) || !path.is_file() {
            return Ok(false);
        }
        let file = fs::File::open(path)?;
        let metadata = file.metadata()?;
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        if self.has_forgotten || len > CHANGES_BYTES_MAX - self.n_bytes {
            self.has_forgotten = true;
            self.changes.clear();
            self.n_bytes = 0;
            return Ok(true);
        }
        let mut bytes = vec![0; len];
        let n = file.read_at(&mut bytes, offset)?;
        bytes.truncate(n);
        self.n_bytes += n;
        let change = Change { offset, bytes, size: metadata.len() };
        self.changes.entry(FileKey::of(&metadata)).or_default().push(change);
        Ok(true)
    }

    fn copy_of(&self, key: &FileKey) -> PathBuf {
        self.copies.join(&key.0)
    }

    fn keep(&mut self, file: &Path) -> io::Result<()> {
        let key = FileKey::of(&fs::symlink_metadata(file)?);
        fs::copy(file, self.copy_of(&key))?;
        if let Some(changes) = self.changes.shift_remove(&key) {
            self.n_bytes -= changes.iter().map(|change| change.bytes.len()).sum::<usize>();
        }
        Ok(())
    }

    fn keep_all(&mut self) -> io::Result<()> {
        files(&self.folder)?.iter().try_for_each(|file| self.keep(file))?;
        self.has_forgotten = false;
        Ok(())
    }

    fn read_durable(&self, key: &FileKey) -> io::Result<Vec<u8>> {
        match fs::read(self.copy_of(key)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            read => read,
        }
    }

    fn name<'p>(&self, file: &'p Path) -> &'p Path {
        file.strip_prefix(&self.folder).unwrap_or(file)
    }

    /// Lists the changes that would be lost, one line for each.
    pub fn list_unsynced(&self) -> io::Result<Vec<String>> {
        let mut lines = Vec::new();
        for file in files(&self.folder)? {
            let key = FileKey::of(&fs::symlink_metadata(&file)?);
            for (index, change) in self.changes.get(&key).into_iter().flatten().enumerate() {
                let (name, number) = (self.name(&file).display(), index + 1);
                let what = match change.bytes.len() {
                    0 => format!("{} bytes long", change.size),
                    n => format!("{n} bytes at {}", change.offset),
                };
                lines.push(format!("{name} {number}: {what}"));
            }
        }
        if self.has_forgotten {
            lines.push("more changes than are remembered".to_owned());
        }
        lines.extend(self.names.list_unsynced()?);
        Ok(lines)
    }

    /// Applies a loss of power. Returns the files that lost something, by their names in the folder.
    pub fn lose(&mut self, loss: &Loss) -> io::Result<Vec<String>> {
        if self.has_forgotten && !loss.kept.is_empty() {
            return Err(io::Error::other("more was written since the last sync than is remembered"));
        }
        let files = files(&self.folder)?;
        self.check(loss, &files)?;
        let mut lost = Vec::new();
        for file in &files {
            let key = FileKey::of(&fs::symlink_metadata(file)?);
            let mut content = self.read_durable(&key)?;
            for change in self.kept_changes(loss, file, &key) {
                change.apply(&mut content);
            }
            if fs::read(file)? != content {
                fs::write(file, content)?;
                lost.push(self.name(file).display().to_string());
            }
        }
        if loss.names {
            lost.extend(self.names.restore(|key| self.read_durable(key))?);
            lost.sort();
            lost.dedup();
        }
        // Everything that is left is durable now.
        self.names.keep_all()?;
        self.keep_all()?;
        Ok(lost)
    }

    /// Checks that the files and changes that are to be kept exist.
    fn check(&self, loss: &Loss, files: &[PathBuf]) -> io::Result<()> {
        for (name, n) in &loss.kept {
            let Some(file) = files.iter().find(|file| self.name(file).ends_with(name)) else {
                return Err(io::Error::other(format!("there is no file `{name}`")));
            };
            let key = FileKey::of(&fs::symlink_metadata(file)?);
            let there = self.changes.get(&key).map_or(0, |changes| changes.len() as u64);
            if *n > there {
                return Err(io::Error::other(format!("`{name}` has {there} changes since its last sync")));
            }
        }
        Ok(())
    }

    fn kept_changes<'d>(
        &'d self,
        loss: &Loss,
        file: &Path,
        key: &FileKey,
    ) -> impl Iterator<Item = &'d Change> + use<'d> {
        let is_it = |(name, _): &&(String, u64)| self.name(file).ends_with(name);
        let n = loss.kept.iter().find(is_it).map_or(0, |(_, n)| *n);
        let changes = self.changes.get(key).into_iter().flatten();
        changes.take(usize::try_from(n).unwrap_or(usize::MAX))
    }
}

/// Lists all files in a folder and its subfolders, in the order of their names.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
    entries.sort();
    for path in entries {
        let kind = fs::symlink_metadata(&path)?.file_type();
        if kind.is_dir() {
            found.extend(files(&path)?);
        } else if kind.is_file() {
            found.push(path);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{Disk, Loss};
    use std::fs;
    use std::path::PathBuf;

    /// Makes a folder with one durable file, and its disk.
    fn disk(name: &str) -> (Disk, PathBuf, PathBuf) {
        let base = std::env::temp_dir().join(format!("specline-disk-{name}-{}", std::process::id()));
        let node = base.join("node");
        fs::create_dir_all(&node).unwrap();
        fs::write(node.join("config"), "there before").unwrap();
        let disk = Disk::new(&node, base.join("copies")).unwrap();
        let node = fs::canonicalize(node).unwrap();
        (disk, node, base)
    }

    #[test]
    fn what_was_not_synced_is_lost_and_renamed_files_keep_theirs() {
        let (mut disk, node, base) = disk("all");
        fs::write(node.join("log"), "one").unwrap();
        disk.note_sync(&node.join("log")).unwrap();
        fs::write(node.join("log"), "one two").unwrap();
        fs::write(node.join("new"), "never synced").unwrap();
        fs::rename(node.join("log"), node.join("log.1")).unwrap();
        assert_eq!(disk.lose(&Loss::default()).unwrap(), ["log.1", "new"]);
        assert_eq!(fs::read_to_string(node.join("log.1")).unwrap(), "one");
        assert_eq!(fs::read_to_string(node.join("new")).unwrap(), "");
        assert_eq!(fs::read_to_string(node.join("config")).unwrap(), "there before");
        assert_eq!(disk.lose(&Loss::default()).unwrap(), [""; 0]);
        fs::remove_dir_all(base).unwrap();
    }

    #[test]
    fn the_first_changes_can_be_kept() {
        let (mut disk, node, base) = disk("part");
        let config = node.join("config");
        for (content, offset, len) in [("", 0, 0), ("one", 0, 3), ("one two", 3, 4), ("ONE two", 0, 3)] {
            fs::write(&config, content).unwrap();
            assert!(disk.note_change(&config, offset, len).unwrap());
        }
        assert!(!disk.note_change(&base.join("node"), 0, 1).unwrap(), "a folder is no file");
        let lines = [
            "config 1: 0 bytes long",
            "config 2: 3 bytes at 0",
            "config 3: 4 bytes at 3",
            "config 4: 3 bytes at 0",
        ];
        assert_eq!(disk.list_unsynced().unwrap(), lines);
        let keep = |name: &str, n| Loss { kept: vec![(name.to_owned(), n)], names: false };
        let refused = |disk: &mut Disk, loss: &Loss| disk.lose(loss).unwrap_err().to_string();
        assert_eq!(refused(&mut disk, &keep("config", 5)), "`config` has 4 changes since its last sync");
        assert_eq!(refused(&mut disk, &keep("nothing", 1)), "there is no file `nothing`");
        assert_eq!(disk.lose(&keep("config", 3)).unwrap(), ["config"]);
        assert_eq!(fs::read_to_string(&config).unwrap(), "one two");
        // Everything is durable now: nothing more can be lost.
        assert_eq!(disk.lose(&Loss::default()).unwrap(), [""; 0]);
        assert_eq!(disk.list_unsynced().unwrap(), [""; 0]);
        fs::remove_dir_all(base).unwrap();
    }

    #[test]
    fn what_is_too_much_to_remember_is_forgotten_and_told() {
        let (mut disk, node, base) = disk("much");
        let config = node.join("config");
        assert!(disk.note_change(&config, 0, 3).unwrap());
        assert!(disk.note_change(&config, 0, u64::MAX).unwrap());
        assert_eq!(disk.list_unsynced().unwrap(), ["more changes than are remembered"]);
        assert!(disk.lose(&Loss { kept: vec![("config".to_owned(), 0)], names: false }).is_err());
        disk.lose(&Loss::default()).unwrap();
        assert_eq!(disk.list_unsynced().unwrap(), [""; 0]);
        fs::remove_dir_all(base).unwrap();
    }

    const NAMES: Loss = Loss { kept: Vec::new(), names: true };

    #[test]
    fn names_are_durable_when_their_folder_is() {
        let (mut disk, node, base) = disk("names");
        let (config, fresh) = (node.join("config"), node.join("config.tmp"));
        let replace = |disk: &mut Disk| {
            fs::write(&fresh, "new").unwrap();
            disk.note_sync(&fresh).unwrap();
            fs::rename(&fresh, &config).unwrap();
        };
        replace(&mut disk);
        assert_eq!(disk.list_unsynced().unwrap(), ["config replaced"]);
        assert_eq!(disk.lose(&NAMES).unwrap(), ["config"]);
        assert_eq!(fs::read_to_string(&config).unwrap(), "there before");
        assert!(!fresh.exists(), "it had a name since the last sync, and has none now");
        replace(&mut disk);
        disk.note_sync(&node).unwrap();
        assert_eq!(disk.list_unsynced().unwrap(), [""; 0]);
        assert_eq!(disk.lose(&NAMES).unwrap(), [""; 0]);
        assert_eq!(fs::read_to_string(&config).unwrap(), "new");
        fs::remove_dir_all(base).unwrap();
    }

    #[test]
    fn what_was_made_removed_and_renamed_comes_back() {
        let (mut disk, node, base) = disk("back");
        for name in ["kept", "gone", "moved"] {
            fs::write(node.join(name), name).unwrap();
        }
        std::os::unix::fs::symlink("kept", node.join("link")).unwrap();
        fs::create_dir(node.join("old")).unwrap();
        fs::write(node.join("old/inner"), "inner").unwrap();
        disk.note_sync(std::path::Path::new("")).unwrap();
        fs::write(node.join("kept"), "kept, and more that is synced").unwrap();
        disk.note_sync(&node.join("kept")).unwrap();
        fs::remove_file(node.join("gone")).unwrap();
        fs::remove_file(node.join("link")).unwrap();
        fs::rename(node.join("moved"), node.join("moved.1")).unwrap();
        fs::rename(node.join("old"), node.join("young")).unwrap();
        fs::create_dir(node.join("fresh")).unwrap();
        fs::write(node.join("fresh/file"), "synced, but not its folder").unwrap();
        disk.note_sync(&node.join("fresh/file")).unwrap();
        let lines = ["gone removed", "link removed", "moved renamed to moved.1", "old renamed to young"];
        let unsynced = disk.list_unsynced().unwrap();
        assert!(lines.iter().all(|line| unsynced.iter().any(|told| told == line)), "{unsynced:?}");
        assert!(unsynced.contains(&"fresh/file made".to_owned()), "{unsynced:?}");
        disk.lose(&NAMES).unwrap();
        let read = |name: &str| fs::read_to_string(node.join(name)).unwrap();
        assert_eq!(read("kept"), "kept, and more that is synced");
        assert_eq!(
            (read("gone"), read("moved"), read("old/inner")),
            ("gone".into(), "moved".into(), "inner".into())
        );
        assert_eq!(fs::read_link(node.join("link")).unwrap(), PathBuf::from("kept"));
        let mut left: Vec<_> = fs::read_dir(&node)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, ["config", "gone", "kept", "link", "moved", "old"]);
        assert_eq!(disk.list_unsynced().unwrap(), [""; 0]);
        fs::remove_dir_all(base).unwrap();
    }

    #[test]
    fn renaming_from_one_folder_to_another_is_one_step() {
        for synced in ["from", "to"] {
            let (mut disk, node, base) = disk(synced);
            fs::create_dir(node.join("from")).unwrap();
            fs::create_dir(node.join("to")).unwrap();
            fs::write(node.join("from/file"), "content").unwrap();
            disk.note_sync(std::path::Path::new("")).unwrap();
            fs::rename(node.join("from/file"), node.join("to/file")).unwrap();
            disk.note_sync(&node.join(synced)).unwrap();
            assert_eq!(disk.lose(&NAMES).unwrap(), [""; 0], "`{synced}` was synced");
            assert_eq!(fs::read_to_string(node.join("to/file")).unwrap(), "content");
            assert!(!node.join("from/file").exists());
            fs::remove_dir_all(base).unwrap();
        }
        // Neither the target folder nor the folders above it need to be durable.
        for (synced, to) in [("from", "to"), ("to", "to"), ("from", "new/to"), ("new/to", "new/to")] {
            let (mut disk, node, base) =
                disk(&format!("fresh-{}", format!("{synced}-{to}").replace('/', "-")));
            fs::create_dir(node.join("from")).unwrap();
            fs::write(node.join("from/file"), "content").unwrap();
            disk.note_sync(std::path::Path::new("")).unwrap();
            fs::create_dir_all(node.join(to)).unwrap();
            fs::create_dir(node.join("other")).unwrap();
            fs::rename(node.join("from/file"), node.join(to).join("file")).unwrap();
            disk.note_sync(&node.join(synced)).unwrap();
            assert_eq!(disk.lose(&NAMES).unwrap(), ["other"], "`{synced}` was synced");
            assert_eq!(fs::read_to_string(node.join(to).join("file")).unwrap(), "content");
            assert!(!node.join("from/file").exists());
            fs::remove_dir_all(base).unwrap();
        }
    }

    #[test]
    fn what_gave_its_name_to_a_folder_that_something_is_moved_to_is_durable_where_it_is() {
        for synced in ["from", "to"] {
            let (mut disk, node, base) = disk(&format!("gave-{synced}"));
            for folder in ["from", "to"] {
                fs::create_dir(node.join(folder)).unwrap();
                fs::write(node.join(folder).join("file"), folder).unwrap();
            }
            disk.note_sync(std::path::Path::new("")).unwrap();
            fs::rename(node.join("to"), node.join("was")).unwrap();
            fs::create_dir(node.join("to")).unwrap();
            fs::rename(node.join("from/file"), node.join("to/file")).unwrap();
            disk.note_sync(&node.join(synced)).unwrap();
            disk.lose(&NAMES).unwrap();
            let read = |name: &str| fs::read_to_string(node.join(name)).unwrap();
            assert_eq!((read("to/file"), read("was/file")), ("from".into(), "to".into()), "{synced}");
            fs::remove_dir_all(base).unwrap();
        }
    }

    #[test]
    fn a_file_that_is_made_in_a_fresh_folder_goes_with_it() {
        let (mut disk, node, base) = disk("goes");
        fs::create_dir(node.join("fresh")).unwrap();
        fs::write(node.join("fresh/file"), "content").unwrap();
        disk.note_sync(&node.join("fresh")).unwrap();
        assert_eq!(disk.lose(&NAMES).unwrap(), ["fresh", "fresh/file"]);
        assert!(!node.join("fresh").exists());
        fs::remove_dir_all(base).unwrap();
    }
}
