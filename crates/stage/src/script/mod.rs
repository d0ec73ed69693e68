//! Events as text, as a person types them at the prompt or writes them in a script. One line is one event.

mod about;
mod player;
mod save;

pub use player::{HeldRecord, Moment, PlayError, Player, Record};

use std::ops::Range;
use std::time::Duration;

use serde::Serialize;

use crate::TrapAction;

/// One line of a script.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Line {
    Start {
        nodes: Vec<String>,
    },
    Crash {
        node: String,
        loses: bool,
    },
    /// Unsynced changes to the files of a node that does not run are lost.
    Lose {
        node: String,
    },
    /// A loss of unsynced changes, like `Lose`, in which some of them survive or names are lost too.
    LosePart {
        node: String,
        kept: Vec<Kept>,
        names: bool,
    },
    /// Shows what a node has not synced.
    Unsynced {
        node: String,
    },
    /// The node is held, or ends, at its next such call on a file.
    At {
        node: String,
        action: TrapAction,
        call: FileStep,
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        is_after: bool,
    },
    /// The node is held, or ends, when the next thread comes to a point that the system describes.
    AtPoint {
        node: String,
        action: TrapAction,
        point: String,
        /// Whether every thread that comes there is held, and not the next one alone.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_always: bool,
    },
    /// Everything that is held in a node goes on, or what is held at one point.
    Release {
        node: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        point: Option<String>,
    },
    /// The thread that is held at one point goes on until it is held at another.
    Step {
        node: String,
        from: String,
        to: String,
    },
    Tick {
        node: String,
        n_times: u32,
    },
    Advance {
        node: String,
        length: Duration,
    },
    Deliver {
        from: String,
        to: String,
        which: Which,
    },
    Drop {
        from: String,
        to: String,
        number: u64,
    },
    Duplicate {
        from: String,
        to: String,
        number: u64,
    },
    /// Cuts the network between two nodes, or between one node and all others.
    Cut {
        one: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        other: Option<String>,
    },
    Heal {
        one: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        other: Option<String>,
    },
    /// The first send on the next connection between two nodes fails.
    Break {
        one: String,
        other: String,
    },
    Accept {
        node: String,
        port: u16,
    },
    Refuse {
        node: String,
        port: u16,
    },
    TimeOut {
        node: String,
        port: u16,
    },
    Client {
        name: String,
        node: String,
        arguments: Vec<String>,
    },
    Observe {
        name: String,
        node: String,
    },
    /// Fails unless the last answer of `client` or `observe` is this text.
    Expect {
        text: String,
    },
    /// Writes what happened so far to files whose names begin with this text.
    Save {
        path: String,
    },
    /// Shows the held messages.
    Held,
    /// Shows what the nodes do.
    Nodes,
    Help,
    Quit,
}

/// The number of changes to a file after its last sync that survive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Kept {
    pub file: String,
    pub n_changes: u64,
}

/// A call on a file, as the script names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileStep {
    Write,
    Fsync,
    Rename,
}

/// The messages that an event is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Which {
    Next,
    Number(u64),
    /// All messages that are held now, one after the other.
    All,
}

/// The reason why a line is not an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineError {
    pub message: String,
    /// The range of bytes in the line that it is about.
    pub place: Range<usize>,
}

/// The help text: everything that can be written.
pub const HELP: &str = "\
start NODE...              start nodes, one after the other; `start all`
tick NODE [N]              move the node's clock to its next deadline, N times
advance NODE LENGTH        move it by 250ms, 2s, 1m
deliver FROM TO [N|all]    deliver the next message between two nodes, or the datagram N
drop FROM TO N             lose a datagram, or with unsafe_stream any message
duplicate FROM TO N        deliver one and keep it
cut NODE [NODE]            break and prevent connections between two nodes, or of one with all
heal NODE [NODE]           let them connect again
break NODE NODE            of their next connection the first send fails
accept|refuse|timeout NODE PORT   decide an attempt to connect that waits
crash NODE [lose]          kill the node, and lose what it did not sync; `start` starts it again
lose NODE [names] [FILE N]...   likewise for a node that does not run any more; of FILE the first N
                           changes stay, with `names` new names are lost too
unsynced NODE              what a node has not synced
hold NODE CALL [FILE] [after]   stop the node at its next write, fsync or rename in its folder
kill NODE CALL [FILE] [after]   kill it there
hold NODE POINT [always]   hold the next thread that comes to a point of the system, or each;
                           `kill NODE POINT`
step NODE POINT..POINT     what is held at one point goes on, until it is held at the other
tear NODE N [FILE]         kill it when it has written N bytes of its next write
release NODE [POINT]       what is held there goes on
client NAME NODE WORD...   a request that the system describes
observe NAME NODE          look at the node, as the system describes
expect TEXT                the last answer must be this
save NAME                  write what happened to NAME.ndjson, NAME.itf.json and NAME.log.ndjson
held, nodes, help, quit";

/// Returns the words with which events begin.
pub fn verbs() -> impl Iterator<Item = &'static str> {
    let heads = HELP.lines().filter(|line| !line.starts_with(' ')).filter_map(|line| line.split("  ").next());
    let words = heads.flat_map(|head| head.split([' ', ',', '|']));
    words.filter(|word| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase()))
}

/// Parses a line as an event; `None` for an empty line or a comment.
pub fn parse(text: &str) -> Result<Option<Line>, LineError> {
    let mut words = Words::split(text);
    let Some((verb, place)) = words.opt_next() else { return Ok(None) };
    let line = match verb.as_str() {
        "start" => Line::Start { nodes: words.all("a node")? },
        "crash" => Line::Crash { node: words.next("a node")?, loses: words.opt_word("lose")? },
        "lose" => words.lose()?,
        "unsynced" => Line::Unsynced { node: words.next("a node")? },
        "hold" => words.trap(TrapAction::Hold)?,
        "kill" => words.trap(TrapAction::Kill)?,
        "tear" => words.tear()?,
        "release" => {
            Line::Release { node: words.next("a node")?, point: words.opt_next().map(|(word, _)| word) }
        }
        "step" => words.step()?,
        "tick" => Line::Tick { node: words.next("a node")?, n_times: words.opt_number()?.unwrap_or(1) },
        "advance" => Line::Advance { node: words.next("a node")?, length: words.length()? },
        "deliver" => {
            Line::Deliver { from: words.next("a node")?, to: words.next("a node")?, which: words.which()? }
        }
        "drop" => {
            Line::Drop { from: words.next("a node")?, to: words.next("a node")?, number: words.number()? }
        }
        "duplicate" => Line::Duplicate {
            from: words.next("a node")?,
            to: words.next("a node")?,
            number: words.number()?,
        },
        "cut" => Line::Cut { one: words.next("a node")?, other: words.opt_next().map(|(word, _)| word) },
        "heal" => Line::Heal { one: words.next("a node")?, other: words.opt_next().map(|(word, _)| word) },
        "break" => Line::Break { one: words.next("a node")?, other: words.next("a node")? },
        "accept" => Line::Accept { node: words.next("a node")?, port: words.number()? },
        "refuse" => Line::Refuse { node: words.next("a node")?, port: words.number()? },
        "timeout" => Line::TimeOut { node: words.next("a node")?, port: words.number()? },
        "client" => Line::Client {
            name: words.next("a request")?,
            node: words.next("a node")?,
            arguments: words.rest(),
        },
        "observe" => Line::Observe { name: words.next("an observation")?, node: words.next("a node")? },
        "expect" => Line::Expect { text: words.rest().join(" ") },
        "save" => Line::Save { path: words.next("a name")? },
        "held" => Line::Held,
        "nodes" => Line::Nodes,
        "help" => Line::Help,
        "quit" => Line::Quit,
        other => {
            return Err(LineError { message: format!("`{other}` is no event; `help` lists them"), place });
        }
    };
    words.finish()?;
    Ok(Some(line))
}

/// The words of a line, each with its range.
struct Words {
    words: std::vec::IntoIter<(String, Range<usize>)>,
    end: usize,
}

impl Words {
    /// Splits a line at spaces; `#` begins a comment.
    fn split(text: &str) -> Words {
        let code = text.split('#').next().unwrap_or_default().trim_end();
        let mut words = Vec::new();
        let mut from = None;
        for (at, c) in code.char_indices().chain([(code.len(), ' ')]) {
            match (c.is_whitespace(), from) {
                (false, None) => from = Some(at),
                (true, Some(start)) => {
                    words.push((code[start..at].to_owned(), start..at));
                    from = None;
                }
                (false, Some(_)) | (true, None) => {}
            }
        }
        Words { words: words.into_iter(), end: code.len() }
    }

    fn opt_next(&mut self) -> Option<(String, Range<usize>)> {
        self.words.next()
    }

    fn missing(&self, what: &str) -> LineError {
        LineError { message: format!("{what} is missing"), place: self.end..self.end }
    }

    fn next(&mut self, what: &str) -> Result<String, LineError> {
        let missing = self.missing(what);
        self.opt_next().map(|(word, _)| word).ok_or(missing)
    }

    fn all(&mut self, what: &str) -> Result<Vec<String>, LineError> {
        let missing = self.missing(what);
        let all = self.rest();
        if all.is_empty() { Err(missing) } else { Ok(all) }
    }

    fn rest(&mut self) -> Vec<String> {
        self.words.by_ref().map(|(word, _)| word).collect()
    }

    fn opt_number<N: std::str::FromStr>(&mut self) -> Result<Option<N>, LineError> {
        let Some((word, place)) = self.opt_next() else { return Ok(None) };
        let wrong = LineError { message: format!("`{word}` is no number here"), place };
        word.parse().map(Some).map_err(|_| wrong)
    }

    fn number<N: std::str::FromStr>(&mut self) -> Result<N, LineError> {
        let missing = self.missing("a number");
        self.opt_number()?.ok_or(missing)
    }

    /// Whether this word comes next. Any other word is an error.
    fn opt_word(&mut self, wanted: &str) -> Result<bool, LineError> {
        match self.opt_next() {
            None => Ok(false),
            Some((word, _)) if word == wanted => Ok(true),
            Some((word, place)) => Err(LineError { message: format!("`{word}` is too much"), place }),
        }
    }

    fn lose(&mut self) -> Result<Line, LineError> {
        let node = self.next("a node")?;
        let names = self.words.as_slice().first().is_some_and(|(word, _)| word == "names");
        if names {
            self.opt_next();
        }
        let mut kept = Vec::new();
        while let Some((file, _)) = self.opt_next() {
            kept.push(Kept { file, n_changes: self.number()? });
        }
        let is_all = kept.is_empty() && !names;
        Ok(if is_all { Line::Lose { node } } else { Line::LosePart { node, kept, names } })
    }

    /// Parses the rest of `hold` and `kill`.
    fn trap(&mut self, action: TrapAction) -> Result<Line, LineError> {
        let node = self.next("a node")?;
        let missing = self.missing("`write`, `fsync`, `rename` or a point");
        let (word, _) = self.opt_next().ok_or(missing)?;
        let call = match word.as_str() {
            "write" => FileStep::Write,
            "fsync" => FileStep::Fsync,
            "rename" => FileStep::Rename,
            _ => {
                let is_always = action == TrapAction::Hold && self.opt_word("always")?;
                return Ok(Line::AtPoint { node, action, point: word, is_always });
            }
        };
        let file = self.opt_file();
        let is_after = self.opt_word("after")?;
        Ok(Line::At { node, action, call, file, is_after })
    }

    fn step(&mut self) -> Result<Line, LineError> {
        let node = self.next("a node")?;
        let missing = self.missing("two points");
        let (word, place) = self.opt_next().ok_or(missing)?;
        match word.split_once("..") {
            Some((from, to)) if !from.is_empty() && !to.is_empty() => {
                Ok(Line::Step { node, from: from.to_owned(), to: to.to_owned() })
            }
            Some(_) | None => {
                let message = format!("`{word}` is not two points, as in `begin..end`");
                Err(LineError { message, place })
            }
        }
    }

    fn tear(&mut self) -> Result<Line, LineError> {
        let (node, n_bytes) = (self.next("a node")?, self.number()?);
        let (action, call) = (TrapAction::Tear(n_bytes), FileStep::Write);
        Ok(Line::At { node, action, call, file: self.opt_file(), is_after: false })
    }

    /// Takes the next word, unless it is `after`.
    fn opt_file(&mut self) -> Option<String> {
        let is_file = self.words.as_slice().first().is_some_and(|(word, _)| word != "after");
        if is_file { self.opt_next().map(|(word, _)| word) } else { None }
    }

    fn which(&mut self) -> Result<Which, LineError> {
        if self.words.as_slice().first().is_some_and(|(word, _)| word == "all") {
            self.opt_next();
            return Ok(Which::All);
        }
        Ok(self.opt_number()?.map_or(Which::Next, Which::Number))
    }

    fn length(&mut self) -> Result<Duration, LineError> {
        let missing = self.missing("a length of time");
        let (word, place) = self.opt_next().ok_or(missing)?;
        let wrong = LineError { message: format!("`{word}` is no length of time, such as `250ms`"), place };
        parse_length(&word).ok_or(wrong)
    }

    fn finish(mut self) -> Result<(), LineError> {
        match self.opt_next() {
            Some((word, place)) => Err(LineError { message: format!("`{word}` is too much"), place }),
            None => Ok(()),
        }
    }
}

fn parse_length(word: &str) -> Option<Duration> {
    let split = word.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = word.split_at(split);
    let number: u64 = number.parse().ok()?;
    let unit_ns: u64 = match unit {
        "ns" => 1,
        "us" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    };
    number.checked_mul(unit_ns).map(Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::{FileStep, Kept, Line, Which, parse, verbs};
    use crate::TrapAction;
    use std::time::Duration;

    fn text(word: &str) -> String {
        word.to_owned()
    }

    #[track_caller]
    fn refuse(line: &str, message: &str, at: &str) {
        let error = parse(line).unwrap_err();
        assert_eq!((error.message.as_str(), &line[error.place]), (message, at));
    }

    #[test]
    fn lines_are_events() {
        assert_eq!(parse("  # nothing\n"), Ok(None));
        assert_eq!(parse("tick n1 3 # thrice"), Ok(Some(Line::Tick { node: text("n1"), n_times: 3 })));
        let length = Duration::from_millis(250);
        assert_eq!(parse("advance n1 250ms"), Ok(Some(Line::Advance { node: text("n1"), length })));
        let at = |action, file: Option<&str>, is_after| {
            let (node, file) = (text("n1"), file.map(text));
            Ok(Some(Line::At { node, action, call: FileStep::Write, file, is_after }))
        };
        assert_eq!(parse("hold n1 write"), at(TrapAction::Hold, None, false));
        assert_eq!(parse("kill n1 write log after"), at(TrapAction::Kill, Some("log"), true));
        let at_point = |action, is_always| {
            Ok(Some(Line::AtPoint { node: text("n1"), action, point: text("ack"), is_always }))
        };
        assert_eq!(parse("hold n1 ack"), at_point(TrapAction::Hold, false));
        assert_eq!(parse("hold n1 ack always"), at_point(TrapAction::Hold, true));
        assert_eq!(parse("kill n1 ack"), at_point(TrapAction::Kill, false));
        let release =
            |point: Option<&str>| Ok(Some(Line::Release { node: text("n1"), point: point.map(text) }));
        assert_eq!(parse("release n1"), release(None));
        assert_eq!(parse("release n1 ack"), release(Some("ack")));
        let step = Line::Step { node: text("n1"), from: text("begin"), to: text("end") };
        assert_eq!(parse("step n1 begin..end"), Ok(Some(step)));
        assert_eq!(parse("tear n1 3"), at(TrapAction::Tear(3), None, false));
        assert_eq!(parse("lose n1"), Ok(Some(Line::Lose { node: text("n1") })));
        let kept = vec![Kept { file: text("log"), n_changes: 2 }];
        assert_eq!(
            parse("lose n1 names log 2"),
            Ok(Some(Line::LosePart { node: text("n1"), kept, names: true }))
        );
        let deliver = |which| Ok(Some(Line::Deliver { from: text("a"), to: text("b"), which }));
        assert_eq!(parse("deliver a b"), deliver(Which::Next));
        assert_eq!(parse("deliver a b 2"), deliver(Which::Number(2)));
        assert_eq!(parse("deliver a b all"), deliver(Which::All));
    }

    #[test]
    fn what_is_no_event_is_named_with_its_place() {
        refuse("jump n1", "`jump` is no event; `help` lists them", "jump");
        refuse("tick", "a node is missing", "");
        refuse("tick n1 x", "`x` is no number here", "x");
        refuse("crash n1 n2", "`n2` is too much", "n2");
        refuse("advance n1 3", "`3` is no length of time, such as `250ms`", "3");
        refuse(
            "advance n1 99999999999999h",
            "`99999999999999h` is no length of time, such as `250ms`",
            "99999999999999h",
        );
        refuse("start", "a node is missing", "");
        refuse("hold n1", "`write`, `fsync`, `rename` or a point is missing", "");
        refuse("hold n1 ack log", "`log` is too much", "log");
        refuse("kill n1 ack always", "`always` is too much", "always");
        refuse("step n1 begin", "`begin` is not two points, as in `begin..end`", "begin");
        refuse("step n1 begin..", "`begin..` is not two points, as in `begin..end`", "begin..");
        refuse("step n1", "two points is missing", "");
        refuse("lose n1 log", "a number is missing", "");
        refuse("kill n1 write log before", "`before` is too much", "before");
    }

    /// Every event that the help names exists: parsing its verb alone fails only because something is missing.
    #[test]
    fn the_help_names_events_that_exist() {
        for verb in verbs() {
            let unknown = parse(verb).is_err_and(|error| error.message.contains("is no event"));
            assert!(!unknown, "{verb}");
        }
        assert!(
            ["start", "timeout", "unsynced", "quit"].iter().all(|verb| verbs().any(|listed| listed == *verb))
        );
    }
}
