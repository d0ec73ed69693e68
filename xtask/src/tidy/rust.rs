//! Checks Rust files: a header, a length, no unsafe code where none is allowed, nothing left undone.

use super::{Complaint, TrackedFile};

/// The most lines of a file; a longer one should be split.
const LINES_MAX: usize = 800;

/// The files that may contain unsafe code, each with its reason in its header.
const UNSAFE_FILES: &[&str] = &[
    "crates/interpose/src/aio.rs",
    "crates/interpose/src/clock.rs",
    "crates/interpose/src/cond.rs",
    "crates/interpose/src/descriptors.rs",
    "crates/interpose/src/entering.rs",
    "crates/interpose/src/files.rs",
    "crates/interpose/src/guard.rs",
    "crates/interpose/src/guest.rs",
    "crates/interpose/src/inside.rs",
    "crates/interpose/src/kernel.rs",
    "crates/interpose/src/load.rs",
    "crates/interpose/src/locks.rs",
    "crates/interpose/src/mapping.rs",
    "crates/interpose/src/net/hosts.rs",
    "crates/interpose/src/net/names.rs",
    "crates/interpose/src/net/options.rs",
    "crates/interpose/src/net/resolve.rs",
    "crates/interpose/src/net/stream.rs",
    "crates/interpose/src/net/transfer.rs",
    "crates/interpose/src/polling.rs",
    "crates/interpose/src/process.rs",
    "crates/interpose/src/random.rs",
    "crates/interpose/src/real.rs",
    "crates/interpose/src/sem.rs",
    "crates/interpose/src/session.rs",
    "crates/interpose/src/syscalls.rs",
    "crates/interpose/src/temporary.rs",
    "crates/interpose/src/timers/mod.rs",
    "crates/interpose/src/timers/named.rs",
    "crates/interpose/src/timers/notify.rs",
    "crates/jit/src/code.rs",
    "crates/jit/src/run.rs",
    "crates/jit/src/runtime.rs",
    "crates/jit/src/runtime/tests.rs",
    "crates/stage/src/sys/board.rs",
    "crates/stage/src/sys/epoll.rs",
    "crates/stage/src/sys/guest.rs",
    "crates/stage/src/sys/notify.rs",
    "crates/stage/src/sys/pass.rs",
    "crates/stage/src/sys/process.rs",
    "crates/stage/src/sys/socket.rs",
    "crates/stage/src/sys/supervised.rs",
    "crates/value/src/mem/arena.rs",
    "crates/value/src/mem/constant.rs",
    "crates/value/src/mem/grown.rs",
    "crates/value/src/mem/heap.rs",
    "crates/value/src/mem/items.rs",
    "crates/value/src/mem/map.rs",
    "crates/value/src/mem/object.rs",
    "crates/value/src/mem/prefetch.rs",
    "crates/value/src/mem/raw.rs",
    "crates/value/src/mem/region.rs",
    "crates/value/src/mem/reserve.rs",
    "crates/value/src/mem/run.rs",
    "crates/value/src/mem/vec.rs",
    "crates/value/src/mem/word.rs",
];

/// Words that compile and should not stay, with the alternative. They are split, so that this file passes.
const BANNED: &[(&str, &str)] = &[
    (concat!("#[", "ignore"), "a test runs or goes; assert today's behaviour and say why it is wrong"),
    (concat!("#[should_", "panic"), "return an error and assert it"),
    (concat!("todo", "!("), "do it, or refuse with a diagnostic"),
    (concat!("unimplemented", "!("), "do it, or refuse with a diagnostic"),
    (concat!("dbg", "!("), "remove it"),
];

/// Words that no doc comment begins with: they hide what is described, or send the reader to another comment.
const VAGUE_OPENINGS: &[&str] = &["What ", "Likewise", "As above", "The same "];

const UNSAFE_FORMS: &[&str] = &[
    concat!("unsafe", " {"),
    concat!("unsafe", " fn"),
    concat!("unsafe", " impl"),
    concat!("unsafe", " trait"),
    concat!("unsafe", " extern"),
    concat!("expect(unsafe", "_code"),
    concat!("allow(unsafe", "_code"),
];

pub(super) fn check(file: &TrackedFile) -> Vec<Complaint> {
    if !file.has_extension("rs") {
        return Vec::new();
    }
    let rules = [header, length, unsafe_code, find_banned, white_space, vague_comments];
    rules.iter().flat_map(|rule| rule(file)).collect()
}

fn header(file: &TrackedFile) -> Vec<Complaint> {
    match file.text.starts_with("//!") {
        true => Vec::new(),
        false => vec![Complaint::file(&file.path, "starts without `//!`: say what is here, and what is not")],
    }
}

fn length(file: &TrackedFile) -> Vec<Complaint> {
    let n_lines = file.text.lines().count();
    match n_lines > LINES_MAX {
        true => {
            vec![Complaint::file(&file.path, format!("has {n_lines} lines, {LINES_MAX} at most: split it"))]
        }
        false => Vec::new(),
    }
}

fn unsafe_code(file: &TrackedFile) -> Vec<Complaint> {
    if UNSAFE_FILES.contains(&file.path.as_str()) {
        return Vec::new();
    }
    let found = |line: &str| UNSAFE_FORMS.iter().any(|form| line.contains(form));
    complain_of_lines(file, |line| found(line).then(|| "unsafe code in a file that may have none".to_owned()))
}

fn find_banned(file: &TrackedFile) -> Vec<Complaint> {
    complain_of_lines(file, |line| {
        let found = BANNED.iter().find(|(word, _)| line.contains(word));
        found.map(|(word, instead)| format!("`{word}`: {instead}"))
    })
}

fn white_space(file: &TrackedFile) -> Vec<Complaint> {
    complain_of_lines(file, |line| {
        if line.contains('\t') {
            Some("a tab".to_owned())
        } else if line.ends_with([' ', '\r']) {
            Some("white space at the end of the line".to_owned())
        } else {
            None
        }
    })
}

/// Finds doc comments whose first line does not say what the thing is or does.
fn vague_comments(file: &TrackedFile) -> Vec<Complaint> {
    let mut is_inside = false;
    let mut complaints = Vec::new();
    for (at, line) in file.text.split('\n').enumerate() {
        let line = line.trim_start();
        let comment = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        let text = comment.map_or("", str::trim_start);
        if !is_inside && let Some(word) = VAGUE_OPENINGS.iter().find(|word| text.starts_with(**word)) {
            let word = word.trim_end();
            let text = format!("a doc comment begins with `{word}`: begin with the thing, or with a verb");
            complaints.push(Complaint::line(&file.path, at, text));
        }
        is_inside = comment.is_some();
    }
    complaints
}

fn complain_of_lines(file: &TrackedFile, rule: impl Fn(&str) -> Option<String>) -> Vec<Complaint> {
    let lines = file.text.split('\n').enumerate();
    lines.filter_map(|(at, line)| rule(line).map(|text| Complaint::line(&file.path, at, text))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Complaint, TrackedFile, sample};

    #[track_caller]
    fn check(rule: impl Fn(&TrackedFile) -> Vec<Complaint>, bad: &str, good: &str, line: Option<usize>) {
        let complaints = rule(&sample("crates/x/src/bad.rs", bad));
        assert_eq!(complaints.first().expect("the bad sample is noticed").line, line);
        assert_eq!(rule(&sample("crates/x/src/good.rs", good)), []);
    }

    #[test]
    fn a_file_without_a_header_is_noticed() {
        check(super::header, "fn main() {}\n", "//! Says what is here.\nfn main() {}\n", None);
    }

    #[test]
    fn a_long_file_is_noticed() {
        check(super::length, &"\n".repeat(801), &"\n".repeat(800), None);
    }

    #[test]
    fn unsafe_code_is_noticed() {
        check(super::unsafe_code, concat!("\nunsafe", " { f() }"), "// nothing unsafe here", Some(2));
        check(super::unsafe_code, concat!("#![expect(unsafe", "_code)]"), "unsafe_code = 1", Some(1));
    }

    #[test]
    fn what_was_left_undone_is_noticed() {
        check(super::find_banned, concat!("fn f() {\n    todo", "!()\n}"), "fn todo() {}", Some(2));
        check(super::find_banned, concat!("#[", "ignore]"), "fn ignore() {}", Some(1));
        check(super::find_banned, concat!("dbg", "!(x)"), "debug!(x)", Some(1));
    }

    #[test]
    fn a_vague_comment_is_noticed() {
        check(
            super::vague_comments,
            "\n    /// What it is.",
            "/// A thing.\n/// What more there is.",
            Some(2),
        );
        check(super::vague_comments, "//! Likewise.", "// Likewise.\n/// Whatever is left.", Some(1));
    }

    #[test]
    fn tabs_and_trailing_white_space_are_noticed() {
        check(super::white_space, "\tlet x = 1;\n", "    let x = 1;\n", Some(1));
        check(super::white_space, "let x = 1;\nlet y = 1; \n", "let y = 1;\n", Some(2));
        check(super::white_space, "let x = 1;\r\n", "", Some(1));
    }

    #[test]
    fn other_files_are_left_alone() {
        assert_eq!(super::check(&sample("notes.txt", "\t")), []);
    }
}
