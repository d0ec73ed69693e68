//! Messages as TLC writes them: framed for tools, or plain.

use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use diag::render;

use super::code::{self, Code};
use super::options::Options;
use crate::Host;

/// TLC's classes of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    None,
    Error,
    Warning,
    State,
}

impl Class {
    fn number(self) -> u8 {
        match self {
            Class::None => 0,
            Class::Error => 1,
            Class::Warning => 3,
            Class::State => 4,
        }
    }

    /// Returns the prefix of a message that has no frame.
    fn prefix(self) -> &'static str {
        match self {
            Class::None => "",
            Class::Error => "Error: ",
            Class::Warning => "Warning: ",
            Class::State => "State ",
        }
    }
}

/// Writes messages to standard output.
pub struct Voice<'a> {
    host: &'a dyn Host,
    pub is_tool: bool,
    warns: bool,
    suppressed: Vec<Code>,
    as_errors: Vec<Code>,
    /// The first warning says how to be rid of warnings.
    has_warned: AtomicBool,
    /// File for what the specification prints, if not standard output.
    user_file: Option<Mutex<File>>,
    /// Messages that are written after all others.
    last_words: Mutex<Vec<(Code, String)>>,
}

impl<'a> Voice<'a> {
    pub fn new(host: &'a dyn Host, is_tool: bool) -> Self {
        Voice {
            host,
            is_tool,
            warns: true,
            suppressed: Vec::new(),
            as_errors: Vec::new(),
            has_warned: AtomicBool::new(false),
            user_file: None,
            last_words: Mutex::new(Vec::new()),
        }
    }

    #[must_use]
    pub fn with_wishes(mut self, options: &Options, user_file: Option<File>) -> Self {
        self.warns = !options.no_warning;
        self.suppressed.clone_from(&options.suppressed);
        self.as_errors.clone_from(&options.as_errors);
        self.user_file = user_file.map(Mutex::new);
        self
    }

    /// Leaves messages with these numbers out, and makes errors of others.
    #[must_use]
    pub fn with_codes(mut self, suppressed: Vec<Code>, as_errors: Vec<Code>) -> Self {
        (self.suppressed, self.as_errors) = (suppressed, as_errors);
        self
    }

    pub fn say(&self, code: Code, text: &str) -> io::Result<()> {
        self.message(code, Class::None, text)
    }

    pub fn error(&self, code: Code, text: &str) -> io::Result<()> {
        self.message(code, Class::Error, text)
    }

    /// Whether a warning ends the run as an error.
    pub fn is_error(&self, warning: Code) -> bool {
        self.as_errors.contains(&warning)
    }

    pub fn is_suppressed(&self, code: Code) -> bool {
        self.suppressed.contains(&code)
    }

    pub fn warn(&self, code: Code, text: &str) -> io::Result<()> {
        if !self.warns {
            return Ok(());
        }
        let is_first = !self.has_warned.swap(true, Ordering::Relaxed);
        let hint = "\n(Use the -nowarning option to disable this warning.)";
        let hint = if is_first && !self.is_tool { hint } else { "" };
        self.message(code, Class::Warning, &format!("{text}{hint}"))
    }

    pub fn message(&self, code: Code, class: Class, text: &str) -> io::Result<()> {
        if self.is_suppressed(code) {
            return Ok(());
        }
        let line = match self.is_tool {
            true => {
                let number = class.number();
                format!("@!@!@STARTMSG {code}:{number} @!@!@\n{text}\n@!@!@ENDMSG {code} @!@!@")
            }
            false => format!("{}{text}", class.prefix()),
        };
        self.host.say(&line)
    }

    /// A message inside another one: with a frame of its own for tools.
    pub fn frame(&self, code: Code, text: &str) -> String {
        if !self.is_tool {
            return text.to_owned();
        }
        format!("@!@!@STARTMSG {code}:0 @!@!@\n{text}\n@!@!@ENDMSG {code} @!@!@")
    }

    /// A line that has no frame either way: the parser's.
    pub fn line(&self, text: &str) -> io::Result<()> {
        self.host.say(text)
    }

    /// Writes output of the specification.
    pub fn print(&self, text: &str) -> io::Result<()> {
        match &self.user_file {
            Some(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                writeln!(file, "{text}")
            }
            None => self.line(&render::whole(text)),
        }
    }

    /// Keeps a message for the end.
    pub fn say_last(&self, code: Code, text: String) {
        self.last_words.lock().unwrap_or_else(PoisonError::into_inner).push((code, text));
    }

    /// Says what was kept.
    pub fn finish(&self) -> io::Result<()> {
        let mut kept = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        kept.drain(..).try_for_each(|(code, text)| self.say(code, &text))
    }

    /// Writes a text that no tool reads.
    pub fn aside(&self, text: &str) -> io::Result<()> {
        self.host.say_aside(&format!("specline tlc: {text}"))
    }

    /// Writes an error that has no code of TLC's.
    pub fn trouble(&self, text: &str) -> io::Result<()> {
        self.error(code::GENERAL, text)
    }
}
