//! The language and its standard modules, as documentation that is tested: every `.md` file here.
//!
//! A block that begins with three backticks and `tla` has expressions. Each has its value, as TLC prints it, in a
//! comment on its last line, or `error:` and the error. Lines `\* prints:` after it show its output. A block `tla
//! definitions` is the module around the expressions of its file, and a block `cfg` is its configuration. With
//! `UPDATE_EXPECT` set, values are written anew.

mod document;
mod evaluate;
mod surroundings;

use std::path::Path;

use test_kit::Expectations;

#[test]
fn every_expression_has_the_value_that_is_written_beside_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lang");
    let mut expectations = Expectations::new();
    for path in test_kit::files(&folder, "md") {
        let text = std::fs::read_to_string(&path).unwrap();
        expectations.check(&path, &document::answer_all(&text));
    }
    expectations.finish();
}
