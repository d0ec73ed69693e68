//! Pages about random walks: one that leads to the others, one for each kind of divergence, one of what was carried out.

use std::io;
use std::path::{Path, PathBuf};

use ::coverage::Report;
use ::page::{Page, escaped};
use trace::diagram::Wishes;

use super::found::Found;
use super::load::Loaded;
use super::report::{actions, headline, shortest};
use super::{json, page, replay, tell};
use crate::console::{Console, Stream};
use crate::coverage;

const STYLE: &str = "
main { display: block; overflow: auto; max-width: 70rem; width: 100%; margin: 0 auto; padding: 1rem; box-sizing: border-box; }
main > * { overflow: visible; }
table { border-collapse: collapse; margin: 0.5rem 0 1.5rem; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 1rem 0.25rem 0; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
";

/// Writes the page that was asked for and those that it leads to, beside it; whether all could be written.
pub fn pages(
    (path, wishes): (&Path, &Wishes),
    (loaded, found): (&Loaded, &Found),
    counted: Option<&Report>,
    console: &Console,
) -> io::Result<bool> {
    let mut is_written = true;
    for (number, group) in (1..).zip(found.groups.values()) {
        let html = page::html(&group.trace, &group.replayed, wishes);
        is_written &= replay::write(&beside(path, &number.to_string()), &html, console)?;
    }
    if let Some(counted) = counted {
        let html = coverage::page(counted, &loaded.model, coverage::RunEnding::of_programs());
        is_written &= replay::write(&coverage_of(path), &html, console)?;
    }
    let title = format!("Conformance of {}", loaded.model.spec.display());
    let body = body(path, &title, (loaded, found), counted.is_some());
    let index = Page { title: &title, body: &body, style: STYLE, script: "", data: "null" };
    if replay::write(path, &index.text(), console)? {
        console.line(Stream::Err, &format!("the page is {}", path.display()))?;
        return Ok(is_written);
    }
    Ok(false)
}

/// Where the page of what was carried out is.
pub fn coverage_of(path: &Path) -> PathBuf {
    beside(path, COVERAGE)
}

const COVERAGE: &str = "coverage";

/// `walks.html` leads to `walks.1.html`.
fn beside(path: &Path, word: &str) -> PathBuf {
    path.with_extension(format!("{word}.html"))
}

fn link(path: &Path, word: &str, text: &str) -> String {
    let name =
        beside(path, word).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    // A colon or a hash in a name must not be taken for more than a name.
    let address: String = name.bytes().map(address_byte).collect();
    format!("<a href=\"./{address}\">{}</a>", escaped(text))
}

fn address_byte(byte: u8) -> String {
    match byte {
        b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'-' | b'.' | b'_' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    }
}

fn body(path: &Path, title: &str, (loaded, found): (&Loaded, &Found), is_counted: bool) -> String {
    let mut body =
        format!("<main><h1>{}</h1><p id=\"headline\">{}</p>", escaped(title), escaped(&headline(found)));
    if !found.groups.is_empty() {
        body.push_str(
            "<h2>Where they differ</h2><table id=\"kinds\"><thead><tr><th></th><th>kind</th><th></th>",
        );
        body.push_str("<th>steps</th><th>what happened</th><th>walks</th></tr></thead><tbody>");
    }
    for (number, (kind, group)) in (1..).zip(&found.groups) {
        let ending = &group.replayed.ending;
        body.push_str(&format!(
            "<tr><td class=\"number\">{number}</td><td>{}</td><td>{}</td><td class=\"number\">{}</td><td>{}</td><td>{}</td></tr>",
            link(path, &number.to_string(), kind),
            json::verdict(ending),
            group.n_steps(),
            escaped(&tell::reason(ending)),
            escaped(&shortest(group)),
        ));
    }
    if !found.groups.is_empty() {
        body.push_str("</tbody></table>");
    }
    body.push_str("<h2>What was carried out, and agreed</h2><table id=\"actions\"><tbody>");
    for name in actions(loaded) {
        let n = found.actions.get(&name).copied().unwrap_or(0);
        let never = if n == 0 { "never" } else { "" };
        body.push_str(&format!(
            "<tr><td class=\"number\">{n}</td><td>{}</td><td>{never}</td></tr>",
            escaped(&name)
        ));
    }
    body.push_str("</tbody></table>");
    if is_counted {
        let all = link(path, COVERAGE, "Which guards, branches and expressions");
        body.push_str(&format!("<p id=\"coverage\">{all}</p>"));
    }
    body.push_str("</main>");
    body
}
