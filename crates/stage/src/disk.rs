//! What of a node's files would survive the loss of power: for each file the content at its last `fsync`.
//!
//! Names are durable at once, contents when they are synced; a file that never was is empty afterwards, as file
//! systems leave it. Files are told apart by their inodes, so that a file which is renamed keeps what it has.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

pub(crate) struct Disk {
    /// The node's own folder.
    folder: PathBuf,
    /// Durable contents, each named by its inode.
    copies: PathBuf,
}

impl Disk {
    /// Everything that is in the folder now is durable.
    pub fn new(folder: &Path, copies: PathBuf) -> io::Result<Disk> {
        fs::create_dir_all(&copies)?;
        let disk = Disk { folder: fs::canonicalize(folder)?, copies };
        for file in files(&disk.folder)? {
            disk.keep(&file)?;
        }
        Ok(disk)
    }

    /// A program has synced a file, or all files where it names none; others than the node's do not matter.
    pub fn synced(&self, path: &Path) -> io::Result<()> {
        if path.as_os_str().is_empty() {
            return files(&self.folder)?.iter().try_for_each(|file| self.keep(file));
        }
        if path.starts_with(&self.folder) && path.is_file() { self.keep(path) } else { Ok(()) }
    }

    fn copy_of(&self, file: &Path) -> io::Result<PathBuf> {
        Ok(self.copies.join(fs::symlink_metadata(file)?.ino().to_string()))
    }

    fn keep(&self, file: &Path) -> io::Result<()> {
        fs::copy(file, self.copy_of(file)?).map(|_| ())
    }

    /// The power fails: gives the files that lost something, by their names in the folder.
    pub fn lose(&self) -> io::Result<Vec<String>> {
        let mut lost = Vec::new();
        for file in files(&self.folder)? {
            let durable = match fs::read(self.copy_of(&file)?) {
                Ok(content) => content,
                Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
                Err(error) => return Err(error),
            };
            if fs::read(&file)? != durable {
                fs::write(&file, durable)?;
                lost.push(file.strip_prefix(&self.folder).unwrap_or(&file).display().to_string());
            }
        }
        Ok(lost)
    }
}

/// All files in a folder and its folders, in the order of their names.
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
    use super::Disk;
    use std::fs;

    #[test]
    fn what_was_not_synced_is_lost_and_renamed_files_keep_theirs() {
        let base = std::env::temp_dir().join(format!("specline-disk-{}", std::process::id()));
        let node = base.join("node");
        fs::create_dir_all(&node).unwrap();
        fs::write(node.join("config"), "there before").unwrap();
        let disk = Disk::new(&node, base.join("copies")).unwrap();
        let node = fs::canonicalize(node).unwrap();
        fs::write(node.join("log"), "one").unwrap();
        disk.synced(&node.join("log")).unwrap();
        fs::write(node.join("log"), "one two").unwrap();
        fs::write(node.join("new"), "never synced").unwrap();
        fs::rename(node.join("log"), node.join("log.1")).unwrap();
        assert_eq!(disk.lose().unwrap(), ["log.1", "new"]);
        assert_eq!(fs::read_to_string(node.join("log.1")).unwrap(), "one");
        assert_eq!(fs::read_to_string(node.join("new")).unwrap(), "");
        assert_eq!(fs::read_to_string(node.join("config")).unwrap(), "there before");
        assert_eq!(disk.lose().unwrap(), [""; 0]);
        fs::remove_dir_all(base).unwrap();
    }
}
