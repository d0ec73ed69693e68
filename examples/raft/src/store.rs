//! Keys and values, made from the committed commands, and the clients that wait for one of them.
//!
//! Reading is a command in the log like writing, so that an answer is never out of date.

use std::collections::BTreeMap;
use std::sync::mpsc::Sender;

use crate::message::Entry;

/// Where an answer goes; the client may be gone.
pub type Answer = Sender<String>;

struct Waiting {
    term: u64,
    answer: Answer,
}

#[derive(Default)]
pub struct Store {
    values: BTreeMap<String, String>,
    n_applied: usize,
    /// By the place of their command in the log.
    waiting: BTreeMap<usize, Waiting>,
}

/// Whether a line of a client is a command.
pub fn is_command(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    matches!(words.as_slice(), ["put", _, _] | ["get", _])
}

impl Store {
    /// A client waits for the entry at this place, if it is still of this term when it is committed.
    pub fn wait(&mut self, index: usize, term: u64, answer: Answer) {
        self.waiting.insert(index, Waiting { term, answer });
    }

    /// Carries out what has been committed since, and answers.
    pub fn apply(&mut self, committed: &[Entry]) {
        for (at, entry) in committed.iter().enumerate().skip(self.n_applied) {
            let result = self.carry_out(&entry.value);
            if let Some(waiting) = self.waiting.remove(&(at + 1)) {
                let is_same = waiting.term == entry.term;
                let text = if is_same { result } else { "lost".to_owned() };
                // A client that has gone needs no answer.
                drop(waiting.answer.send(text));
            }
        }
        self.n_applied = self.n_applied.max(committed.len());
    }

    /// Nobody here leads any more: whether those commands survive, others decide.
    pub fn give_up(&mut self) {
        for (_, waiting) in std::mem::take(&mut self.waiting) {
            drop(waiting.answer.send("unknown".to_owned()));
        }
    }

    fn carry_out(&mut self, command: &str) -> String {
        let words: Vec<&str> = command.split_whitespace().collect();
        match words.as_slice() {
            ["put", key, value] => {
                self.values.insert((*key).to_owned(), (*value).to_owned());
                "ok".to_owned()
            }
            ["get", key] => self.values.get(*key).map_or("none".to_owned(), |value| format!("value {value}")),
            _ => "error: put KEY VALUE, get KEY, or status".to_owned(),
        }
    }
}
