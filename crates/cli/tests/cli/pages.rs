//! The examples in `docs/errors` are true: each draws the code whose page it is on.

use std::path::Path;

use diag::Code;
use serde_json::Value;

use crate::sandbox::Sandbox;

#[test]
fn every_example_draws_its_own_code() {
    let wrong: Vec<String> = Code::ALL.iter().filter_map(|&code| complaint(code)).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Says what is wrong with the example of `code`, if anything. A page without a module has no example.
fn complaint(code: Code) -> Option<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/errors/{code}.md"));
    let page = std::fs::read_to_string(page).expect("every code has a page");
    let module = block(&page, "tla")?;
    let mut sandbox = Sandbox::new().file("Example.tla", module);
    if let Some(config) = block(&page, "cfg") {
        sandbox = sandbox.file("Example.cfg", config);
    }
    let is_temporal = matches!(code, Code::ConfigTemporal | Code::TemporalTautology);
    let by_check = is_temporal || code == Code::ConfigAssumed || ("SL0700".."SL0800").contains(&code.id());
    let by_translator = ("SL0121"..="SL0126").contains(&code.id());
    let run = sandbox.run(match (by_check, by_translator) {
        (true, _) => "check --format json --workers 1 Example.tla",
        (false, true) => "pcal --format json Example.tla",
        (false, false) => "lint --message-format json Example.tla",
    });
    let found = codes(run.stdout());
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    (!found.contains(&code.id())).then(|| format!("{code}: its example draws {found:?}"))
}

/// The first fenced block of `page` in `language`.
fn block<'a>(page: &'a str, language: &str) -> Option<&'a str> {
    let (_, rest) = page.split_once(&format!("```{language}\n"))?;
    rest.split_once("```").map(|(block, _)| block)
}

fn codes(json_lines: &str) -> Vec<String> {
    let objects = json_lines.lines().map(|line| serde_json::from_str(line).expect("a line is JSON"));
    objects.filter_map(|object: Value| Some(object.get("code")?.as_str()?.to_owned())).collect()
}
