//! The durable names in a node's folder: those that existed when the folder which contains them was last synced.
//!
//! A name that was made, removed or given to another file since then can be taken back. Renaming is one step: a file
//! that was moved from one folder to another is in the new folder, and not in the old one, as soon as either is synced.
//! So the new folder becomes durable too, if need be with all folders above it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use base::FxIndexMap;

use super::FileKey;

/// The folder where files are put while the names are restored.
const WAITING: &str = ".specline-names";

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    File,
    Folder,
    Link(PathBuf),
    /// A socket or a pipe.
    Other,
}

/// The thing that a name stands for.
#[derive(Clone, Debug)]
struct Entry {
    key: FileKey,
    kind: Kind,
    mode: u32,
}

type Listing = BTreeMap<OsString, Entry>;
/// Entries by their paths, relative to the node's folder.
type Tree = BTreeMap<PathBuf, Entry>;

/// The durable names of a folder and the folders in it.
pub(super) struct Names {
    folder: PathBuf,
    /// The durable entries of each folder that was ever synced. A folder that never was has none.
    listings: FxIndexMap<FileKey, Listing>,
}

impl Names {
    /// Creates the record of a folder in which every name that is there now is durable.
    pub fn of(folder: &Path) -> io::Result<Names> {
        let mut names = Names { folder: folder.to_owned(), listings: FxIndexMap::default() };
        names.keep_all()?;
        Ok(names)
    }

    pub fn keep_all(&mut self) -> io::Result<()> {
        self.listings.clear();
        self.keep_within(&self.folder.clone())
    }

    fn keep_within(&mut self, folder: &Path) -> io::Result<()> {
        let listing = list(folder)?;
        for (name, entry) in &listing {
            if entry.kind == Kind::Folder {
                self.keep_within(&folder.join(name))?;
            }
        }
        self.listings.insert(key_of(folder)?, listing);
        Ok(())
    }

    /// Notes that a folder was synced.
    pub fn keep(&mut self, folder: &Path) -> io::Result<()> {
        let (key, new) = (key_of(folder)?, list(folder)?);
        let old = self.listings.insert(key.clone(), new.clone()).unwrap_or_default();
        let missing = |from: &Listing, to: &Listing| -> Vec<Entry> {
            let is_there = |entry: &Entry| to.values().any(|known| known.key == entry.key);
            from.values().filter(|entry| !is_there(entry)).cloned().collect()
        };
        let (left, come) = (missing(&old, &new), missing(&new, &old));
        if left.is_empty() && come.is_empty() {
            return Ok(());
        }
        let actual = self.actual_tree()?;
        // An entry that has left this folder for another one is durable there.
        let was_durable = self.is_durable(&key)?;
        for path in left.iter().filter_map(|entry| place_in(&actual, &entry.key)) {
            self.enter(path, &actual, was_durable)?;
        }
        // An entry that has come from another folder is no longer there.
        for entry in come {
            let is_there = |path: &PathBuf| actual.get(path).is_some_and(|known| known.key == entry.key);
            for place in self.places(&entry.key)?.iter().filter(|path| !is_there(path)) {
                self.forget(place)?;
                if let (false, Some(path)) = (self.is_durable(&key)?, place_in(&actual, &key)) {
                    self.enter(path, &actual, true)?;
                }
            }
        }
        Ok(())
    }

    /// Makes a name durable that is there, and makes the entry which had the name before durable at its present place.
    /// If `reachable`, also makes those folders above it durable that were not durable anywhere.
    fn enter(&mut self, path: &Path, actual: &Tree, reachable: bool) -> io::Result<()> {
        let (Some(entry), Some(name), Some(parent)) = (actual.get(path), path.file_name(), path.parent())
        else {
            return Ok(());
        };
        let folder = key_of(&self.folder.join(parent))?;
        let before = self.listings.entry(folder.clone()).or_default().insert(name.to_owned(), entry.clone());
        let before = before.filter(|before| before.key != entry.key);
        if let Some(place) = before.and_then(|before| place_in(actual, &before.key)) {
            self.enter(place, actual, reachable)?;
        }
        if reachable && !self.is_durable(&folder)? {
            self.enter(parent, actual, true)?;
        }
        Ok(())
    }

    /// Whether a folder has a durable name. The node's own folder always has one.
    fn is_durable(&self, folder: &FileKey) -> io::Result<bool> {
        Ok(*folder == key_of(&self.folder)? || !self.places(folder)?.is_empty())
    }

    /// Returns the durable names of a file.
    fn places(&self, key: &FileKey) -> io::Result<Vec<PathBuf>> {
        let durable = self.durable_tree()?.into_iter();
        Ok(durable.filter(|(_, entry)| entry.key == *key).map(|(path, _)| path).collect())
    }

    /// Removes a name from the durable ones.
    fn forget(&mut self, path: &Path) -> io::Result<()> {
        let durable = self.durable_tree()?;
        let parent = match path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            Some(parent) => durable.get(parent).map(|entry| entry.key.clone()),
            None => Some(key_of(&self.folder)?),
        };
        if let (Some(listing), Some(name)) =
            (parent.and_then(|parent| self.listings.get_mut(&parent)), path.file_name())
        {
            listing.remove(name);
        }
        Ok(())
    }

    fn durable_tree(&self) -> io::Result<Tree> {
        let mut tree = Tree::new();
        self.expand(&key_of(&self.folder)?, Path::new(""), &mut tree);
        Ok(tree)
    }

    fn expand(&self, folder: &FileKey, at: &Path, tree: &mut Tree) {
        for (name, entry) in self.listings.get(folder).into_iter().flatten() {
            let path = at.join(name);
            let is_folder = entry.kind == Kind::Folder;
            // A folder has only one name.
            if is_folder && tree.values().any(|known| known.key == entry.key) {
                continue;
            }
            tree.insert(path.clone(), entry.clone());
            if is_folder {
                self.expand(&entry.key, &path, tree);
            }
        }
    }

    fn actual_tree(&self) -> io::Result<Tree> {
        let mut tree = Tree::new();
        walk(&self.folder, Path::new(""), &mut tree)?;
        Ok(tree)
    }

    /// Lists the names that would be lost, one line for each.
    pub fn list_unsynced(&self) -> io::Result<Vec<String>> {
        let (durable, actual) = (self.durable_tree()?, self.actual_tree()?);
        let mut made = find_differing(&actual, &durable);
        let mut lines = Vec::new();
        for old in find_differing(&durable, &actual) {
            match made.iter().position(|new| actual[*new].key == durable[old].key) {
                Some(at) => {
                    let new = made.remove(at);
                    lines.push(format!("{} renamed to {}", old.display(), new.display()));
                }
                None if actual.contains_key(old) => lines.push(format!("{} replaced", old.display())),
                None => lines.push(format!("{} removed", old.display())),
            }
        }
        let made = made.iter().filter(|path| !durable.contains_key(**path));
        lines.extend(made.map(|path| format!("{} made", path.display())));
        Ok(lines)
    }

    /// Restores the durable names, and returns those that changed. `content` gives the content of a file that is not
    /// there any more.
    pub fn restore(&self, content: impl Fn(&FileKey) -> io::Result<Vec<u8>>) -> io::Result<Vec<String>> {
        let (durable, actual) = (self.durable_tree()?, self.actual_tree()?);
        let mut changed = find_differing(&actual, &durable);
        changed.extend(find_differing(&durable, &actual));
        changed.sort();
        changed.dedup();
        if changed.is_empty() {
            return Ok(Vec::new());
        }
        let waiting = self.folder.join(WAITING);
        fs::create_dir(&waiting)?;
        let waits_at = |number: usize| waiting.join(number.to_string());
        for (number, entry) in durable.values().enumerate() {
            match (&entry.kind, place_in(&actual, &entry.key)) {
                (Kind::Folder | Kind::Link(_), _) | (Kind::Other, None) => {}
                (Kind::File | Kind::Other, Some(path)) => {
                    fs::hard_link(self.folder.join(path), waits_at(number))?;
                }
                (Kind::File, None) => {
                    fs::write(waits_at(number), content(&entry.key)?)?;
                    fs::set_permissions(waits_at(number), fs::Permissions::from_mode(entry.mode))?;
                }
            }
        }
        self.clear()?;
        for (number, (path, entry)) in durable.iter().enumerate() {
            let path = self.folder.join(path);
            match &entry.kind {
                Kind::Folder => fs::create_dir(&path)?,
                Kind::Link(target) => symlink(target, &path)?,
                Kind::File => fs::rename(waits_at(number), &path)?,
                // A socket or pipe that was removed cannot be made again.
                Kind::Other => drop(fs::rename(waits_at(number), &path)),
            }
        }
        // Permissions come last, since those of a folder may keep us from writing into it.
        for (path, entry) in durable.iter().rev().filter(|(_, entry)| entry.kind == Kind::Folder) {
            fs::set_permissions(self.folder.join(path), fs::Permissions::from_mode(entry.mode))?;
        }
        fs::remove_dir_all(&waiting)?;
        Ok(changed.into_iter().map(|path| path.display().to_string()).collect())
    }

    /// Removes every name but that of the folder where files wait.
    fn clear(&self) -> io::Result<()> {
        for (name, entry) in list(&self.folder)? {
            let path = self.folder.join(&name);
            match entry.kind {
                Kind::Folder if name == WAITING => {}
                Kind::Folder => fs::remove_dir_all(path)?,
                Kind::File | Kind::Link(_) | Kind::Other => fs::remove_file(path)?,
            }
        }
        Ok(())
    }
}

/// Returns the names of one tree that the other does not have, or has for something else.
fn find_differing<'t>(tree: &'t Tree, other: &Tree) -> Vec<&'t PathBuf> {
    let is_same = |path: &PathBuf, entry: &Entry| {
        other.get(path).is_some_and(|known| known.key == entry.key && known.kind == entry.kind)
    };
    tree.iter().filter(|(path, entry)| !is_same(path, entry)).map(|(path, _)| path).collect()
}

/// Returns a name of a file.
fn place_in<'t>(tree: &'t Tree, key: &FileKey) -> Option<&'t PathBuf> {
    tree.iter().find(|(_, known)| known.key == *key).map(|(path, _)| path)
}

fn key_of(path: &Path) -> io::Result<FileKey> {
    fs::symlink_metadata(path).map(|metadata| FileKey::of(&metadata))
}

fn list(folder: &Path) -> io::Result<Listing> {
    let mut listing = Listing::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = match fs::symlink_metadata(entry.path()) {
            Ok(metadata) => metadata,
            // Another thread has just removed the file.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        let kind = match metadata.file_type() {
            kind if kind.is_file() => Kind::File,
            kind if kind.is_dir() => Kind::Folder,
            kind if kind.is_symlink() => Kind::Link(fs::read_link(entry.path())?),
            _ => Kind::Other,
        };
        let (key, mode) = (FileKey::of(&metadata), metadata.permissions().mode());
        listing.insert(entry.file_name(), Entry { key, kind, mode });
    }
    Ok(listing)
}

fn walk(folder: &Path, at: &Path, tree: &mut Tree) -> io::Result<()> {
    for (name, entry) in list(folder)? {
        let path = at.join(&name);
        if entry.kind == Kind::Folder {
            walk(&folder.join(&name), &path, tree)?;
        }
        tree.insert(path, entry);
    }
    Ok(())
}
