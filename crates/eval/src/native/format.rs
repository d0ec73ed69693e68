//! Format strings as in Java, limited to strings: `%s`, `%2$s`, `%-8s`, `%%`, `%n`.

/// Replaces the placeholders of `template` by `args`.
pub(super) fn format(template: &str, args: &[String]) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = template;
    let mut next = 0;
    let mut last = None;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let (placeholder, after) = Placeholder::read(&rest[at + 1..])?;
        rest = after;
        match placeholder.conversion {
            '%' => out.push_str(&placeholder.pad("%")),
            'n' => out.push('\n'),
            's' | 'S' => {
                let index = placeholder.argument(&mut next, last)?;
                last = Some(index);
                let arg =
                    args.get(index).ok_or_else(|| format!("there is no argument {} for %s", index + 1))?;
                out.push_str(&placeholder.text(arg));
            }
            other => return Err(format!("%{other} cannot format a string")),
        }
    }
    out.push_str(rest);
    Ok(out)
}

/// The argument that a placeholder is for.
enum ArgChoice {
    Next,
    Same,
    /// The argument with this number, from 1.
    Index(usize),
}

struct Placeholder {
    which: ArgChoice,
    left: bool,
    width: usize,
    precision: Option<usize>,
    conversion: char,
}

impl Placeholder {
    /// Reads what follows a `%`.
    fn read(text: &str) -> Result<(Placeholder, &str), String> {
        let (which, rest) = match text.strip_prefix('<') {
            Some(rest) => (ArgChoice::Same, rest),
            None => match number(text) {
                (Some(index), rest) if rest.starts_with('$') => (ArgChoice::Index(index), &rest[1..]),
                _ => (ArgChoice::Next, text),
            },
        };
        let (left, rest) = rest.strip_prefix('-').map_or((false, rest), |rest| (true, rest));
        let (width, rest) = number(rest);
        let (precision, rest) = match rest.strip_prefix('.') {
            Some(rest) => number(rest),
            None => (None, rest),
        };
        let conversion = rest.chars().next().ok_or("the format string ends in a placeholder")?;
        let placeholder = Placeholder { which, left, width: width.unwrap_or(0), precision, conversion };
        Ok((placeholder, &rest[conversion.len_utf8()..]))
    }

    /// Returns the index of its argument, from 0.
    fn argument(&self, next: &mut usize, last: Option<usize>) -> Result<usize, String> {
        match self.which {
            ArgChoice::Next => {
                *next += 1;
                Ok(*next - 1)
            }
            ArgChoice::Same => last.ok_or_else(|| "%<s has no argument before it".to_owned()),
            ArgChoice::Index(index) => {
                index.checked_sub(1).ok_or_else(|| "arguments count from 1".to_owned())
            }
        }
    }

    fn text(&self, arg: &str) -> String {
        let cut: String = arg.chars().take(self.precision.unwrap_or(usize::MAX)).collect();
        let cased = if self.conversion == 'S' { cut.to_uppercase() } else { cut };
        self.pad(&cased)
    }

    fn pad(&self, text: &str) -> String {
        let missing = " ".repeat(self.width.saturating_sub(text.chars().count()));
        if self.left { format!("{text}{missing}") } else { format!("{missing}{text}") }
    }
}

/// Splits off the number at the start, if there is one that makes sense.
fn number(text: &str) -> (Option<usize>, &str) {
    let n_digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number = text[..n_digits].parse().ok().filter(|&number| number < 1_000_000);
    (number, &text[n_digits..])
}

#[cfg(test)]
mod tests {
    use super::format;

    #[track_caller]
    fn check(template: &str, expected: Result<&str, &str>) {
        let args = ["a".to_owned(), "bc".to_owned()];
        let formatted = format(template, &args);
        assert_eq!(formatted.as_deref().map_err(String::as_str), expected);
    }

    #[test]
    fn placeholders_take_their_arguments_in_order_or_by_number() {
        check("%s-%s", Ok("a-bc"));
        check("%2$s#%1$s", Ok("bc#a"));
        check("%s%<s", Ok("aa"));
        check("100%% %n", Ok("100% \n"));
    }

    #[test]
    fn widths_pad_and_precisions_cut() {
        check("[%4s]", Ok("[   a]"));
        check("[%2$-4s]", Ok("[bc  ]"));
        check("%2$.1s", Ok("b"));
    }

    #[test]
    fn what_java_refuses_is_refused() {
        check("%s %s %s", Err("there is no argument 3 for %s"));
        check("%d", Err("%d cannot format a string"));
        check("%", Err("the format string ends in a placeholder"));
    }
}
