//! Pages about random walks: one that leads to the others, one for each kind of divergence, one of what was carried out.

use std::io;
use std::path::{Path, PathBuf};

use conform::WalkResults;
use report::page::{Page, escape};
use trace::diagram::Wishes;

use super::load::Loaded;
use super::report::{WalkFindings, actions, headline, shortest};
use super::{json, page, replay};
use crate::console::{Console, Stream};
use crate::coverage;

const STYLE: &str = include_str!("pages.css");

/// Settings that all pages share, and facts about the run that they show.
pub struct PageContext<'a> {
    pub wishes: &'a Wishes,
    pub facts: &'a [(&'static str, String)],
}

/// Writes the page that was asked for and those that it leads to, beside it; whether all could be written.
pub fn pages(
    path: &Path,
    PageContext { wishes, facts }: PageContext<'_>,
    WalkFindings { loaded, found, counted }: WalkFindings<'_>,
    console: &Console,
) -> io::Result<bool> {
    let mut is_written = true;
    for (number, group) in (1..).zip(found.kinds.values()) {
        let mut facts = facts.to_vec();
        facts.push(("walk", group.walk.to_string()));
        let html = page::html((&group.trace, &group.replayed), wishes, &facts);
        is_written &= replay::write(&beside(path, &number.to_string()), &html, console)?;
    }
    if let Some(counted) = counted {
        let html = coverage::page(counted, &loaded.model, coverage::RunEnding::of_programs());
        is_written &= replay::write(&coverage_of(path), &html, console)?;
    }
    let title = format!("Conformance of {}", loaded.model.spec.display());
    let body = Index { path, loaded, found }.body(&title, facts, counted.is_some());
    let index = Page { title: &title, body: &body, style: STYLE, script: "", data: "null" };
    if replay::write(path, &index.text(), console)? {
        console.line(Stream::Err, &format!("the page is {}", path.display()))?;
        return Ok(is_written);
    }
    Ok(false)
}

/// Returns the path of the page that shows which parts of the specification were carried out.
pub fn coverage_of(path: &Path) -> PathBuf {
    beside(path, COVERAGE)
}

const COVERAGE: &str = "coverage";

/// Returns the path of a page beside another one: `walks.html` and `1` give `walks.1.html`.
fn beside(path: &Path, word: &str) -> PathBuf {
    path.with_extension(format!("{word}.html"))
}

fn link(path: &Path, word: &str, text: &str) -> String {
    let name =
        beside(path, word).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    // A colon or a hash in a name must not be taken for more than a name.
    let address: String = name.bytes().map(address_byte).collect();
    format!("<a href=\"./{address}\">{}</a>", escape(text))
}

fn address_byte(byte: u8) -> String {
    match byte {
        b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'-' | b'.' | b'_' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    }
}

/// Converts a message of Specline to markup: names between backquotes become code.
fn mark_up(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let part = |(index, part): (usize, &str)| match index % 2 {
        1 => format!("<code>{}</code>", escape(part)),
        _ => escape(part),
    };
    parts.map(part).collect()
}

/// The page that leads to the others.
struct Index<'a> {
    path: &'a Path,
    loaded: &'a Loaded,
    found: &'a WalkResults,
}

impl Index<'_> {
    fn body(&self, title: &str, facts: &[(&'static str, String)], is_counted: bool) -> String {
        let verdict = match (self.found.kinds.is_empty(), self.found.n_steps) {
            (true, 0) => "unknown",
            (true, _) => "good",
            (false, _) => "bad",
        };
        let (title, headline) = (escape(title), escape(&headline(self.found)));
        let mut body = format!("<main><h1>{title}</h1><p id=\"headline\" class=\"{verdict}\">{headline}</p>");
        body.push_str("<dl id=\"facts\">");
        for (name, value) in facts {
            body.push_str(&format!("<div><dt>{}</dt><dd>{}</dd></div>", escape(name), escape(value)));
        }
        body.push_str("</dl>");
        self.kinds(&mut body);
        self.actions(&mut body);
        if is_counted {
            let all = link(self.path, COVERAGE, "Which guards, branches and expressions");
            body.push_str(&format!("<p id=\"coverage\">{all}</p>"));
        }
        body.push_str("</main>");
        body
    }

    /// The kinds of divergence, each with its page.
    fn kinds(&self, body: &mut String) {
        if self.found.kinds.is_empty() {
            return;
        }
        body.push_str(
            "<h2>Where they differ</h2><div class=\"wide\"><table id=\"kinds\"><thead><tr><th></th>",
        );
        body.push_str("<th>kind</th><th>verdict</th><th>steps</th><th>what happened</th><th>walks</th>");
        body.push_str("</tr></thead><tbody>");
        for (number, (kind, group)) in (1..).zip(&self.found.kinds) {
            let (ending, n_steps) = (&group.replayed.ending, group.n_steps());
            let verdict = json::verdict(ending);
            body.push_str(&format!(
                "<tr><td class=\"number\">{number}</td><td>{}</td><td><span class=\"{verdict}\">{verdict}</span></td>\
                 <td class=\"number\">{n_steps}</td><td>{}</td><td>{}</td></tr>",
                link(self.path, &number.to_string(), kind),
                mark_up(&ending.reason()),
                escape(&shortest(group)),
            ));
        }
        body.push_str("</tbody></table></div>");
    }

    /// Writes how often each action was carried out.
    fn actions(&self, body: &mut String) {
        body.push_str("<h2>What was carried out, and agreed</h2><table id=\"actions\"><tbody>");
        let count = |name: &String| self.found.actions.get(name).copied().unwrap_or(0);
        let names = actions(self.loaded);
        let most = names.iter().map(count).max().unwrap_or(0).max(1);
        for name in names {
            let n = count(&name);
            let class = if n == 0 { " class=\"never\"" } else { "" };
            let never = if n == 0 { "never" } else { "" };
            let percent = n * 100 / most;
            let bar = format!("<i style=\"width: {percent}%\"></i>");
            body.push_str(&format!(
                "<tr{class}><td class=\"number\">{n}</td><td>{}</td><td class=\"bar\">{bar}{never}</td></tr>",
                escape(&name)
            ));
        }
        body.push_str("</tbody></table>");
    }
}
