//! Expectations: a file beside each case, rewritten when `UPDATE_EXPECT` is set, reviewed by people.

use std::path::Path;

/// Compares the results of cases with their expectations, and reports all differences together.
#[derive(Debug, Default)]
pub struct Expectations {
    n_checked: usize,
    wrong: Vec<String>,
}

impl Expectations {
    pub fn new() -> Self {
        Self::default()
    }

    /// Checks that `actual` is the content of the file `path`. With `UPDATE_EXPECT` set, writes it there.
    pub fn check(&mut self, path: &Path, actual: &str) {
        self.n_checked += 1;
        if update_wanted() {
            std::fs::write(path, actual)
                .unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
            return;
        }
        match std::fs::read_to_string(path) {
            Ok(expected) if expected == actual => {}
            Ok(expected) => self.wrong.push(difference(path, &expected, actual)),
            Err(error) => self.wrong.push(format!("{}: {error}; it would be\n{actual}", path.display())),
        }
    }

    /// Checks that `actual` is the content of the file `path`, or that there is no file if `actual` is empty.
    pub fn check_or_absent(&mut self, path: &Path, actual: &str) {
        if !actual.is_empty() {
            return self.check(path, actual);
        }
        self.n_checked += 1;
        match (path.exists(), update_wanted()) {
            (false, _) => {}
            (true, true) => std::fs::remove_file(path)
                .unwrap_or_else(|error| panic!("cannot remove {}: {error}", path.display())),
            (true, false) => self.wrong.push(format!("{}: there is nothing of this now", path.display())),
        }
    }

    /// Notes something else that is wrong with a case.
    pub fn complain(&mut self, complaint: String) {
        self.wrong.push(complaint);
    }

    /// Fails if anything differed, or if there was nothing to compare.
    #[track_caller]
    pub fn finish(self) {
        let Expectations { n_checked, wrong } = self;
        assert!(n_checked > 0, "there are no cases");
        assert!(
            wrong.is_empty(),
            "{} of {n_checked} cases are not as expected; UPDATE_EXPECT=1 rewrites the expectations\n\n{}",
            wrong.len(),
            wrong.join("\n\n")
        );
    }
}

#[expect(clippy::disallowed_methods, reason = "the one flag that rewrites expectations")]
fn update_wanted() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some()
}

/// Describes the first line that differs, and shows the whole new text.
fn difference(path: &Path, expected: &str, actual: &str) -> String {
    let n_same = expected.lines().zip(actual.lines()).take_while(|(expected, actual)| expected == actual);
    let line_idx = n_same.count();
    let line = |text: &str| text.lines().nth(line_idx).unwrap_or("(the end)").to_owned();
    format!(
        "{}, line {}:\nexpected {}\nnow      {}\nThe whole is now:\n{actual}",
        path.display(),
        line_idx + 1,
        line(expected),
        line(actual)
    )
}
