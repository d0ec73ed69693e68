//! The frames that TLC puts around its messages when it runs with `-tool`.

/// One thing that TLC printed, in the order it was printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Printed {
    Message(Message),
    /// A line outside of all frames: from the parser, or from the spec itself.
    Line(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub code: u32,
    pub severity: Severity,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    None,
    Error,
    Bug,
    Warning,
    State,
}

const START: &str = "@!@!@STARTMSG ";
const END: &str = "@!@!@ENDMSG ";
const MARK: &str = " @!@!@";

pub fn parse(output: &str) -> Vec<Printed> {
    let mut printed = Vec::new();
    let mut open: Option<(u32, Severity, Vec<&str>)> = None;
    for line in output.lines() {
        // A spec may print without a line break at the end; then a frame starts in the middle of a line.
        let (before, line) = line.find(START).map_or(("", line), |at| line.split_at(at));
        if !before.is_empty() {
            printed.push(Printed::Line(before.to_owned()));
        }
        if let Some((code, severity)) = start(line) {
            open = Some((code, severity, Vec::new()));
        } else if line.starts_with(END) {
            if let Some((code, severity, lines)) = open.take() {
                printed.push(Printed::Message(Message { code, severity, text: lines.join("\n") }));
            }
        } else {
            match &mut open {
                Some((_, _, lines)) => lines.push(line),
                None => printed.push(Printed::Line(line.to_owned())),
            }
        }
    }
    printed
}

/// `@!@!@STARTMSG 2185:0 @!@!@`
fn start(line: &str) -> Option<(u32, Severity)> {
    let (code, severity) = line.strip_prefix(START)?.strip_suffix(MARK)?.split_once(':')?;
    let severity = match severity {
        "0" => Severity::None,
        "1" => Severity::Error,
        "2" => Severity::Bug,
        "3" => Severity::Warning,
        "4" => Severity::State,
        _ => return None,
    };
    Some((code.parse().ok()?, severity))
}

#[cfg(test)]
mod tests {
    use super::{Message, Printed, Severity, parse};

    #[test]
    fn frames_and_plain_lines_are_told_apart() {
        let output = "Parsing file A.tla\n@!@!@STARTMSG 2185:0 @!@!@\nStarting...\nnow\n@!@!@ENDMSG 2185 @!@!@\n<<1, 2>>\n";
        let message = Message { code: 2185, severity: Severity::None, text: "Starting...\nnow".to_owned() };
        assert_eq!(
            parse(output),
            [
                Printed::Line("Parsing file A.tla".to_owned()),
                Printed::Message(message),
                Printed::Line("<<1, 2>>".to_owned()),
            ]
        );
    }

    #[test]
    fn a_frame_may_start_in_the_middle_of_a_line() {
        let output = "half@!@!@STARTMSG 1000:1 @!@!@\nno\n@!@!@ENDMSG 1000 @!@!@";
        let message = Message { code: 1000, severity: Severity::Error, text: "no".to_owned() };
        assert_eq!(parse(output), [Printed::Line("half".to_owned()), Printed::Message(message)]);
    }
}
