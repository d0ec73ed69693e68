//! Options of the translation: from the command line, and from `PlusCal options (...)` in the module.

use diag::Code;

use crate::problem::Problem;
use crate::source::{Spot, Text};

/// Fairness that is asked for by an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FairnessOption {
    /// Weak fairness of each process.
    Weak,
    /// Strong fairness of each process.
    Strong,
    /// Weak fairness of the next-state action.
    WeakNext,
    /// No fairness at all, whatever the processes say.
    None,
}

/// Options of the translation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    pub fairness: Option<FairnessOption>,
    /// Check `Termination`, which needs fairness.
    pub termination: bool,
    /// No step for what has ended, so that the end of all processes is a deadlock.
    pub no_done_disjunct: bool,
    /// Add missing labels.
    pub adds_labels: bool,
    /// The beginning of added labels.
    pub label_root: String,
    /// The width of lines of the translation.
    pub line_width: usize,
    /// The version of PlusCal in thousandths, if it is an older one: up to 1.5 some things were different.
    pub version: Option<u32>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            fairness: None,
            termination: false,
            no_done_disjunct: false,
            adds_labels: false,
            label_root: "Lbl_".to_owned(),
            line_width: 78,
            version: None,
        }
    }
}

/// The least width of lines.
const MIN_WIDTH: usize = 60;

impl Options {
    /// Sets the option with this name, which is without its dash; `value` is the word behind it. Gives whether the value was
    /// used, or what is wrong.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<bool, String> {
        match name {
            "termination" => self.termination = true,
            "noDoneDisjunct" => self.no_done_disjunct = true,
            "label" => self.adds_labels = true,
            "reportLabels" => self.adds_labels = true,
            // These say which files are written beside the module, which is the caller's business.
            "nocfg" | "noold" => {}
            "wf" => self.fairness = Some(FairnessOption::Weak),
            "sf" => self.fairness = Some(FairnessOption::Strong),
            "wfNext" => self.fairness = Some(FairnessOption::WeakNext),
            "nof" => self.fairness = Some(FairnessOption::None),
            "labelRoot" | "version" | "lineWidth" => {
                let value = value.ok_or_else(|| format!("`{name}` needs a value"))?;
                self.set_value(name, value)?;
                return Ok(true);
            }
            _ => return Err(format!("`{name}` is no option of PlusCal that is known here")),
        }
        Ok(false)
    }

    fn set_value(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "labelRoot" => {
                let is_name = value.starts_with(|char: char| char.is_ascii_alphabetic())
                    && value.chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
                if !is_name {
                    return Err(format!("`{value}` is no beginning of a label"));
                }
                value.clone_into(&mut self.label_root);
            }
            "version" => self.version = Some(version(value)?),
            _ => {
                let width = value.parse().ok().filter(|&width| width >= MIN_WIDTH);
                self.line_width = width.ok_or_else(|| format!("`{name}` is a number from {MIN_WIDTH} on"))?;
            }
        }
        Ok(())
    }

    /// Adds the options in the text, if it has any.
    pub fn read(&mut self, text: &Text) -> Result<(), Problem> {
        let Some(open) = find_statement(text) else { return Ok(()) };
        let mut words = Words { text, at: open };
        let mut given = Options::default();
        let mut next = words.next_word();
        while let Some((at, word)) = next {
            let name = word.strip_prefix('-').unwrap_or(&word);
            next = words.next_word();
            let value = next.as_ref().map(|(_, value)| value.as_str());
            let used = given.set(name, value);
            let used = used.map_err(|headline| {
                Problem::new(Code::PcalOption, at, headline).wide(word.chars().count())
            })?;
            if used {
                next = words.next_word();
            }
        }
        if words.at.line >= text.n_lines() {
            let headline = "the options are not closed";
            return Err(Problem::new(Code::PcalOption, open, headline).help("add `)`"));
        }
        self.add(given);
        Ok(())
    }

    /// Takes over options of the text. What both say is decided by the text.
    fn add(&mut self, given: Options) {
        let default = Options::default();
        self.fairness = given.fairness.or(self.fairness);
        self.termination |= given.termination;
        self.no_done_disjunct |= given.no_done_disjunct;
        self.adds_labels |= given.adds_labels;
        self.version = given.version.or(self.version);
        if given.label_root != default.label_root {
            self.label_root = given.label_root;
        }
        if given.line_width != default.line_width {
            self.line_width = given.line_width;
        }
    }

    /// Whether the version is one that always had `pc`.
    pub fn is_before_1_5(&self) -> bool {
        self.version.is_some_and(|version| version < 1500)
    }

    /// Checking termination needs fairness, unless it is expressly not wanted.
    pub fn settle(&mut self) {
        if self.termination && self.fairness.is_none() {
            self.fairness = Some(FairnessOption::Weak);
        }
    }
}

/// A version such as `1.5` in thousandths.
fn version(text: &str) -> Result<u32, String> {
    let wrong = || format!("`{text}` is no version of PlusCal");
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let whole: u32 = whole.parse().map_err(|_| wrong())?;
    let digits = format!("{part:0<3}");
    let part: u32 = digits.parse().ok().filter(|_| part.len() <= 3).ok_or_else(wrong)?;
    Ok(whole.saturating_mul(1000).saturating_add(part))
}

/// The place behind `PlusCal options (`.
fn find_statement(text: &Text) -> Option<Spot> {
    const FIRST: &str = "PlusCal";
    const SECOND: &str = "options";
    let mut from = Spot::default();
    while let Some(at) = text.find(from, FIRST) {
        from = Spot { column: at.column + FIRST.len(), ..at };
        let second = text.skip_spaces(from);
        let open = text.skip_spaces(Spot { column: second.column + SECOND.len(), ..second });
        if text.starts_with(second, SECOND) && text.starts_with(open, "(") {
            return Some(Spot { column: open.column + 1, ..open });
        }
    }
    None
}

/// Words up to a closing parenthesis, with spaces or commas between them.
struct Words<'a> {
    text: &'a Text,
    at: Spot,
}

impl Words<'_> {
    fn next_word(&mut self) -> Option<(Spot, String)> {
        let mut at = self.text.skip_spaces(self.at);
        while self.text.starts_with(at, ",") {
            at = self.text.skip_spaces(Spot { column: at.column + 1, ..at });
        }
        self.at = at;
        let mut word = String::new();
        while let Some(char) = self.text.char_at(self.at).filter(|char| !" ,)".contains(*char)) {
            word.push(char);
            self.at.column += 1;
        }
        (!word.is_empty()).then_some((at, word))
    }
}

#[cfg(test)]
mod tests {
    use super::{FairnessOption, Options};
    use crate::source::Text;

    #[test]
    fn options_stand_in_the_text() {
        let mut options = Options::default();
        options
            .read(&Text::new("(* PlusCal is fine. PlusCal\n options (-wf, labelRoot L_ termination) *)"))
            .expect("right");
        assert_eq!(options.fairness, Some(FairnessOption::Weak));
        assert!(options.termination);
        assert_eq!(options.label_root, "L_");
    }

    #[test]
    fn wrong_options_are_refused() {
        for text in [
            "PlusCal options (fast)",
            "PlusCal options (lineWidth 5)",
            "PlusCal options (wf",
            "PlusCal options (version x)",
        ] {
            assert!(Options::default().read(&Text::new(text)).is_err(), "{text}");
        }
    }
}
