//! A report as one page: the annotated source, what was never reached, and a list of actions.

use crate::page::Page;
use serde::Serialize;

use crate::coverage::report::{Report, Source};

const BODY: &str = include_str!("html/body.html");
const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");

/// Facts that a page shows besides the counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct About {
    /// The root module.
    pub spec: String,
    /// The command that was run, and the program that ran it.
    pub origin: String,
    /// Ending of the run. A longer run may reach what one that ended early did not.
    pub ending: String,
    pub is_complete: bool,
}

#[derive(Serialize)]
struct Data<'a> {
    about: &'a About,
    sources: &'a [Source],
    views: &'a [View<'a>],
}

/// The counts of one run, or of several together.
#[derive(Serialize)]
struct View<'a> {
    title: String,
    #[serde(flatten)]
    report: &'a Report,
}

/// The page of reports about one specification, the first of which is shown first. One of them has the texts.
pub fn html(reports: &[Report], about: &About) -> String {
    let sources = reports.iter().map(|report| &report.sources[..]).find(|sources| !sources.is_empty());
    let bare: Vec<Report> =
        reports.iter().map(|report| Report { sources: Vec::new(), ..report.clone() }).collect();
    let views: Vec<View<'_>> = bare.iter().map(|report| View { title: title(report), report }).collect();
    let data = Data { about, sources: sources.unwrap_or_default(), views: &views };
    let data = serde_json::to_string(&data).expect("text and numbers are JSON");
    let title = format!("Coverage of {}", about.spec);
    Page { title: &title, body: BODY, style: STYLE, script: SCRIPT, data: &data }.text()
}

fn title(report: &Report) -> String {
    match &report.bounds {
        None => "all together".to_owned(),
        Some(bounds) => match &bounds.budget {
            Some(budget) => format!("{}: {budget}", bounds.configuration),
            None => format!("{}: all budgets", bounds.configuration),
        },
    }
}
