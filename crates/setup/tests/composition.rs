//! Files of a composition that change while they are used.

use std::path::Path;

use diag::SourceMap;
use setup::composition::find_changed;

#[test]
fn a_file_that_is_no_longer_what_was_read_is_found() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let text = std::fs::read_to_string(&path).expect("the file is there");
    let name = path.display().to_string();
    let mut sources = SourceMap::new();
    sources.add(name.as_str(), text.as_str());
    sources.add_text("no file", "anything");
    assert!(find_changed(&sources).is_none());
    sources.add(name.as_str(), format!("{text} "));
    assert_eq!(find_changed(&sources).map(|changed| changed.code.id()), Some("SL0897"));
}
