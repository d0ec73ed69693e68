//! SARIF 2.1.0, which code scanning reads.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use crate::findings::{Finding, FindingPlace, Level};

/// A run, and how it ended.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    pub version: &'a str,
    pub exit_code: u8,
}

/// The file.
pub fn write(run: Run<'_>, findings: &[Finding]) -> String {
    let rules: BTreeMap<&str, &Finding> =
        findings.iter().map(|finding| (finding.rule.as_str(), finding)).collect();
    let index = |finding: &Finding| rules.keys().position(|&rule| rule == finding.rule);
    let results: Vec<Value> = findings.iter().map(|finding| result(finding, index(finding))).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "specline",
                "version": run.version,
                "rules": rules.values().map(|finding| rule(finding)).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{ "executionSuccessful": run.exit_code != 70, "exitCode": run.exit_code }],
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn rule(finding: &Finding) -> Value {
    json!({
        "id": finding.rule,
        "name": finding.name,
        "shortDescription": { "text": finding.name.replace('-', " ") },
        "defaultConfiguration": { "level": level(finding.level) },
    })
}

fn result(finding: &Finding, rule: Option<usize>) -> Value {
    let related = |(id, (place, text)): (usize, &(FindingPlace, String))| {
        let mut location = location(place);
        location["id"] = json!(id);
        location["message"] = json!({ "text": text });
        location
    };
    let mut result = json!({
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": level(finding.level),
        "message": { "text": finding.message },
        "locations": finding.place.iter().map(location).collect::<Vec<_>>(),
    });
    if !finding.related.is_empty() {
        result["relatedLocations"] = finding.related.iter().enumerate().map(related).collect();
    }
    result
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
    }
}

fn location(place: &FindingPlace) -> Value {
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(&place.file) },
        "region": {
            "startLine": place.start.line, "startColumn": place.start.column,
            "endLine": place.end.line, "endColumn": place.end.column,
        },
    } })
}

/// A path as a reference: relative ones stay relative, seen from where the program was run.
fn uri(path: &str) -> String {
    let mut uri = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in path.strip_prefix("./").unwrap_or(path).bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(byte.into())
            }
            _ => write!(uri, "%{byte:02X}").expect("a string takes text"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Run, uri, write};
    use crate::findings::{Finding, FindingPlace, Level, Point};

    fn finding(rule: &str, line: u32) -> Finding {
        let point = |column| Point { line, column };
        Finding {
            rule: rule.to_owned(),
            name: format!("name-of-{rule}"),
            level: Level::Error,
            message: "it is \"wrong\"".to_owned(),
            place: Some(FindingPlace { file: "A.tla".to_owned(), start: point(1), end: point(4) }),
            related: Vec::new(),
        }
    }

    #[test]
    fn each_result_points_to_its_rule() {
        let findings = [finding("SL2", 1), finding("SL1", 2), finding("SL2", 3)];
        let log = write(Run { version: "1", exit_code: 12 }, &findings);
        let log: Value = serde_json::from_str(&log).expect("it is JSON");
        let run = &log["runs"][0];
        for result in run["results"].as_array().expect("there are results") {
            let rule = result["ruleIndex"].as_u64().expect("it has a rule");
            assert_eq!(run["tool"]["driver"]["rules"][rule as usize]["id"], result["ruleId"]);
        }
        assert_eq!(run["tool"]["driver"]["rules"].as_array().map(Vec::len), Some(2));
        assert_eq!(run["results"][2]["locations"][0]["physicalLocation"]["region"]["startLine"], json!(3));
        assert_eq!(run["invocations"][0]["exitCode"], json!(12));
    }

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("./specs/My Spec.tla"), "specs/My%20Spec.tla");
        assert_eq!(uri("/a/é.tla"), "file:///a/%C3%A9.tla");
    }
}
