//! The text of `-help`: the options, grouped by their effect here.

use std::fmt::Write;

use super::table::{OPTIONS, Row, Standing, Takes};

pub fn text() -> String {
    let mut text = String::from(
        "specline tlc [-option ...] Spec[.tla]\n\n\
         Checks a specification as TLC does, with TLC's options, output and exit codes. docs/tlc.md says more.\n",
    );
    let used = |row: &&Row| matches!(row.standing, Standing::Used(_));
    let used: Vec<String> = OPTIONS.iter().filter(used).map(usage).collect();
    write_list(&mut text, "Options", &used);
    let ignored = |row: &&Row| matches!(row.standing, Standing::Silent | Standing::Ignored(_));
    let ignored: Vec<String> = OPTIONS.iter().filter(ignored).map(usage).collect();
    write_list(&mut text, "Accepted, without effect", &ignored);
    text.push_str("\nRefused:\n");
    for row in OPTIONS {
        if let Standing::Refused(why) = row.standing {
            writeln!(text, "  {}: {why}", row.name).expect("a string takes all");
        }
    }
    text.push_str(
        "\nA command line of Java is taken, too: -XX..., -cp ..., -Dproperties before `tlc2.TLC` or `-jar tla2tools.jar`.\n\
         `specline java ...` takes the place of Java in scripts.",
    );
    text
}

fn usage(row: &Row) -> String {
    match row.takes {
        Takes::Nothing => row.name.to_owned(),
        Takes::One(what) => format!("{} <{}>", row.name, what.trim_end_matches(',')),
        Takes::FormAndFile => format!("{} <form> <file>", row.name),
        Takes::Perhaps(parts) => format!("{} [{}]", row.name, parts.join("|")),
        Takes::FileAfter(starts) => format!("{} [{}..] <file>", row.name, starts[0]),
    }
}

fn write_list(text: &mut String, title: &str, items: &[String]) {
    writeln!(text, "\n{title}:").expect("a string takes all");
    for item in items {
        writeln!(text, "  {item}").expect("a string takes all");
    }
}
