//! Parses the frames that TLC puts around its messages when it runs with `-tool`.

/// One thing that TLC printed, in the order it was printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Printed {
    Message(Message),
    /// A line outside all frames: from the parser, or from the specification itself.
    Line(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub code: u32,
    pub severity: Severity,
    /// The code of the innermost message inside of this one.
    pub cause: Option<u32>,
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
    let mut open: Vec<Frame> = Vec::new();
    for line in output.lines() {
        // A specification may print without a line break at the end; then a frame starts in the middle of a line.
        let (before, line) = line.find(START).map_or(("", line), |at| line.split_at(at));
        if !before.is_empty() {
            plain(before, &mut open, &mut printed);
        }
        if let Some((code, severity)) = start(line) {
            open.push(Frame { code, severity, cause: None, lines: Vec::new() });
        } else if line.starts_with(END) {
            close(&mut open, &mut printed);
        } else {
            plain(line, &mut open, &mut printed);
        }
    }
    printed
}

/// A message whose end was not seen yet.
struct Frame<'a> {
    code: u32,
    severity: Severity,
    cause: Option<u32>,
    lines: Vec<&'a str>,
}

fn plain<'a>(line: &'a str, open: &mut [Frame<'a>], printed: &mut Vec<Printed>) {
    match open.last_mut() {
        Some(frame) => frame.lines.push(line),
        None => printed.push(Printed::Line(line.to_owned())),
    }
}

/// Closes the innermost frame. Inside another frame, it is the cause of that one.
fn close(open: &mut Vec<Frame<'_>>, printed: &mut Vec<Printed>) {
    let Some(Frame { code, severity, cause, lines }) = open.pop() else { return };
    match open.last_mut() {
        Some(outer) => {
            outer.cause = cause.or(Some(code));
            outer.lines.extend(lines);
        }
        None => printed.push(Printed::Message(Message { code, severity, cause, text: lines.join("\n") })),
    }
}

/// Parses `@!@!@STARTMSG 2185:0 @!@!@`.
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
        let message = Message {
            code: 2185,
            severity: Severity::None,
            cause: None,
            text: "Starting...\nnow".to_owned(),
        };
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
        let message = Message { code: 1000, severity: Severity::Error, cause: None, text: "no".to_owned() };
        assert_eq!(parse(output), [Printed::Line("half".to_owned()), Printed::Message(message)]);
    }

    #[test]
    fn a_frame_inside_another_is_its_cause() {
        let output = "@!@!@STARTMSG 2105:1 @!@!@\nfailed\n@!@!@STARTMSG 2184:0 @!@!@\nempty\n@!@!@ENDMSG 2184 @!@!@\n@!@!@ENDMSG 2105 @!@!@";
        let text = "failed\nempty".to_owned();
        let message = Message { code: 2105, severity: Severity::Error, cause: Some(2184), text };
        assert_eq!(parse(output), [Printed::Message(message)]);
    }
}
