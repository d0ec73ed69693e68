//! Finds the modules that describe the files of a change.

use std::path::{Component, Path, PathBuf};

use crate::family::{Family, Module, Text};

/// The modules that a change is about.
#[derive(Clone, Debug, Default)]
pub struct Changed {
    /// The names of the modules, in the order of the file.
    pub modules: Vec<String>,
    /// The files that no module describes.
    pub unknown: Vec<PathBuf>,
}

/// Finds the modules that describe some files. A path in the family is a file or a folder, and matches a file
/// whose path ends with it or contains it, so that the two may be relative to different folders.
pub fn modules_of(family: &Family, files: &[PathBuf]) -> Changed {
    let stands_for = |module: &Module, file: &Path| {
        let own = module.code.iter().chain(module.grains.iter().flat_map(|grain| &grain.code));
        own.into_iter().any(|code| covers(code, file))
    };
    let is_meant = |module: &&Module| files.iter().any(|file| stands_for(module, file));
    let modules = family.modules.iter().filter(is_meant).map(|module| module.name.text.clone()).collect();
    let is_unknown = |file: &&PathBuf| !family.modules.iter().any(|module| stands_for(module, file));
    Changed { modules, unknown: files.iter().filter(is_unknown).cloned().collect() }
}

fn covers(code: &Text, file: &Path) -> bool {
    let (code, file) = (parts(Path::new(&code.text)), parts(file));
    !code.is_empty() && file.windows(code.len()).any(|part| part == code)
}

/// Returns the components of a path, without `.` and `..`.
fn parts(path: &Path) -> Vec<String> {
    let normal = path.components().filter_map(|part| match part {
        Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
    });
    normal.collect()
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::modules_of;

    const TEXT: &str = "[module.a]\ncode = [\"src/lease\"]\n[module.a.grain.g]\nfile = \"A.tla\"\n\
                        [module.b.grain.g]\nfile = \"B.tla\"\ncode = [\"src/client.rs\"]\n";

    #[test]
    fn files_and_folders_stand_for_modules() {
        let family = crate::read(Path::new("f.toml"), TEXT).expect("a composition file");
        let of = |path: &str| modules_of(&family, &[PathBuf::from(path)]).modules;
        assert_eq!(of("src/lease/grant.rs"), ["a"]);
        assert_eq!(of("../project/src/client.rs"), ["b"]);
        assert_eq!(of("./src/lease"), ["a"]);
        assert!(of("src/leases/grant.rs").is_empty());
        assert_eq!(modules_of(&family, &[PathBuf::from("x.rs")]).unknown, [PathBuf::from("x.rs")]);
    }
}
