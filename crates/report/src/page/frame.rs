//! The frame that every page has, and how data gets into it.
//!
//! Data goes into a page as JSON in an element of its own, so nothing in it can be taken for markup or code; scripts show
//! it as text nodes.

const FRAME: &str = include_str!("frame/frame.html");
const STYLE: &str = include_str!("frame/style.css");
const SCRIPT: &str = include_str!("frame/script.js");

/// The parts of a page.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    pub title: &'a str,
    /// The content of `<body>`.
    pub body: &'a str,
    /// Comes after the style that all pages share.
    pub style: &'a str,
    /// Comes after the functions that all pages share, and finds the data with `data()`.
    pub script: &'a str,
    /// JSON.
    pub data: &'a str,
}

impl Page<'_> {
    /// The file.
    pub fn text(&self) -> String {
        let parts = [
            ("{{title}}", escape(self.title)),
            ("{{style}}", [STYLE, self.style].concat()),
            ("{{body}}", self.body.to_owned()),
            ("{{data}}", in_script(self.data)),
            ("{{script}}", [SCRIPT, self.script].concat()),
        ];
        // What is put in is not looked at again: a value may well look like a place to fill.
        let n_bytes = FRAME.len() + parts.iter().map(|(_, part)| part.len()).sum::<usize>();
        let mut page = String::with_capacity(n_bytes);
        let mut rest = FRAME;
        while let Some((at, mark, part)) = next_mark(rest, &parts) {
            page.push_str(&rest[..at]);
            page.push_str(part);
            rest = &rest[at + mark.len()..];
        }
        page.push_str(rest);
        page
    }
}

fn next_mark<'p>(rest: &str, parts: &'p [(&'static str, String)]) -> Option<(usize, &'static str, &'p str)> {
    let places = parts.iter().filter_map(|(mark, part)| Some((rest.find(mark)?, *mark, part.as_str())));
    places.min_by_key(|&(at, _, _)| at)
}

/// Escapes a text for an element, for an attribute between double quotes, and for XML, which cannot contain
/// most control characters.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push(letter),
            '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            letter if letter.is_control() => escaped.push(char::REPLACEMENT_CHARACTER),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Escapes JSON so that it cannot end the `script` element around it.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::Page;

    #[test]
    fn nothing_in_data_is_markup_or_a_place_to_fill() {
        let nasty = "</script><script>alert(1)</script>{{script}}";
        let data = serde_json::to_string(nasty).expect("a text is JSON");
        let page = Page { title: nasty, body: "", style: "", script: "", data: &data }.text();
        assert_eq!(page.matches("<script").count(), 2, "one with the data, one with the program");
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(page.contains("\\u003c/script>") && page.contains("&lt;/script&gt;"));
    }
}
