//! Compares small modules with their trees (`ok/*.ast`) or their messages (`err/*.txt`). Adding a case is adding a
//! file; names are sentences.

use test_kit::Expectations;

use crate::{Read, data_dir, messages, read};

/// Compares the result of `print` for each module of `folder` with the file beside it.
fn check_folder(folder: &str, extension: &str, print: impl Fn(&Read) -> Result<String, String>) {
    let mut expectations = Expectations::new();
    for case in test_kit::files(&data_dir().join(folder), "tla") {
        let text = std::fs::read_to_string(&case).unwrap();
        match print(&read(&text)) {
            Ok(actual) => expectations.check(&case.with_extension(extension), &actual),
            Err(complaint) => expectations.complain(format!("{}: {complaint}", case.display())),
        }
    }
    expectations.finish();
}

#[test]
fn good_modules_give_their_trees() {
    check_folder("ok", "ast", |read| {
        let messages = messages(read);
        if messages.is_empty() { Ok(syntax::dump(&read.parsed.tree, &read.names)) } else { Err(messages) }
    });
}

#[test]
fn bad_modules_give_their_messages() {
    check_folder("err", "txt", |read| {
        let messages = messages(read);
        if messages.is_empty() { Err("this is accepted".to_owned()) } else { Ok(messages) }
    });
}
