//! The cases, one test for each; the snapshot of the same name shows the result.

use diag::{Code, Diagnostic, Span};

use crate::snapshot::{Case, unknown_name};

const QUEUE: &str = "\
---- MODULE Queue ----
EXTENDS Sequences
VARIABLE msgs

Size == Lenn(msgs)
====
";

#[test]
fn primary_with_help() {
    let case = Case::new("Queue.tla", QUEUE);
    let diagnostic = Diagnostic::new(Code::UnknownName, case.at("Lenn"), "unknown name `Lenn`")
        .label("not defined in module Queue")
        .help("did you mean `Len`?");
    case.check("primary-with-help", &diagnostic);
    case.check_colours("colours", &diagnostic);
}

#[test]
fn two_places_in_one_file() {
    let case = Case::new("Twice.tla", "---- MODULE Twice ----\nInit == TRUE\n\nInit == FALSE\n====\n");
    let second = case.at("Init == FALSE");
    let second = Span { end: second.start + 4, ..second };
    let diagnostic = Diagnostic::new(Code::Redefined, second, "`Init` is defined twice")
        .label("defined again here")
        .related(case.at("Init"), "first defined here");
    case.check("two-places-in-one-file", &diagnostic);
}

#[test]
fn two_places_in_two_files() {
    let net = "---- MODULE Net ----\nVARIABLE inbox\n====\n";
    let case =
        Case::new("Main.tla", "---- MODULE Main ----\nNext == inbox' = {}\n====\n").and("Net.tla", net);
    let diagnostic = Diagnostic::new(Code::UnknownName, case.at("inbox'"), "unknown name `inbox`")
        .label("not defined in module Main")
        .related(case.at("VARIABLE inbox"), "a variable of module Net")
        .note("module Main does not extend Net")
        .help("add `EXTENDS Net`");
    case.check("two-places-in-two-files", &diagnostic);
}

#[test]
fn two_places_far_apart() {
    let text = format!("a == 1\n{}a == 2\n", "\n".repeat(10_000));
    let case = Case::new("Far.tla", &text);
    let diagnostic = Diagnostic::new(Code::Redefined, case.at("a == 2"), "`a` is defined twice")
        .label("defined again here")
        .related(case.at("a == 1"), "first defined here");
    case.check("two-places-far-apart", &diagnostic);
}

#[test]
fn warning_without_label() {
    let case = Case::new("Queue.tla", QUEUE);
    let diagnostic =
        Diagnostic::new(Code::UnusedDefinition, case.at("Size"), "definition `Size` is never used");
    case.check("warning-without-label", &diagnostic);
}

#[test]
fn no_place_and_a_footer() {
    let case = Case::new("unused", "");
    let headline = "cannot read `Raft.tla`: no such file";
    let diagnostic = Diagnostic::without_place(Code::CannotRead, headline).help("the folder has `raft.tla`");
    case.check("no-place-and-a-footer", &diagnostic);
}

#[test]
fn our_own_fault() {
    let case = Case::new("unused", "");
    let diagnostic = Diagnostic::without_place(Code::Internal, "the resolver lost a scope")
        .note("at sema/src/scope.rs:12")
        .help("please report this,\nwith the files that you ran");
    case.check("our-own-fault", &diagnostic);
}

#[test]
fn tabs_go_to_the_next_multiple_of_eight() {
    let case = Case::new("Tabs.tla", "Next ==\t/\\ x\t= y\n\t/\\ z = w\n");
    let diagnostic = unknown_name(case.at("y")).related(case.at("w"), "aligned with the line above");
    case.check("tabs", &diagnostic);
}

#[test]
fn carriage_returns_are_not_part_of_the_line() {
    let case = Case::new("Crlf.tla", "a == b\r\nc ==\r\n    d\r\n");
    let over_two_lines = case.at("c ==\r\n    d");
    case.check("crlf", &unknown_name(case.at("b")).related(over_two_lines, "over two lines"));
    case.check("crlf-with-its-line-feed", &unknown_name(case.at("b\r\n")));
}

#[test]
fn the_end_of_the_file() {
    let case = Case::new("Cut.tla", "---- MODULE Cut ----\nInit == TRUE\n");
    let end = case.at("TRUE\n").end_point();
    let headline = "module `Cut` is not closed";
    let diagnostic = Diagnostic::new(Code::MissingModuleEnd, end, headline)
        .label("the file ends here")
        .related(case.at("---- MODULE Cut ----"), "the module begins here")
        .help("close it with a line of `====`");
    case.check("end-of-file", &diagnostic);
}

#[test]
fn an_empty_file() {
    let case = Case::new("Empty.tla", "");
    let diagnostic = Diagnostic::new(Code::NoModule, case.at(""), "the file holds no module");
    case.check("empty-file", &diagnostic);
}

#[test]
fn unicode_operators() {
    let case = Case::new("Unicode.tla", "Init ≜ ∀ x ∈ S : x ≤ 界限\n");
    case.check("unicode", &unknown_name(case.at("界限")).related(case.at("∀"), "bound here"));
}

#[test]
fn control_characters_are_shown_not_obeyed() {
    let case = Case::new("evil\x1b[2J.tla", "a == \"\x1b[31m\u{202e}\x07\" + b\n");
    let diagnostic = Diagnostic::new(Code::UnknownName, case.at("b"), "unknown name `\x1b[31mb`")
        .label("not \x1b[0m defined")
        .note("first line\nsecond \x1b line");
    case.check("control-characters", &diagnostic);
}

#[test]
fn a_span_over_several_lines() {
    let text = "Next ==\n  \\/ A\n  \\/ B\n  \\/ C\n  \\/ D\n  \\/ E\n  \\/ F\n  \\/ G\n  \\/ H\nInit == x\n";
    let case = Case::new("Lines.tla", text);
    let list = case.at("\\/ A").to(case.at("\\/ H"));
    case.check("several-lines", &unknown_name(list).related(case.at("Init"), "another place"));
}

#[test]
fn a_span_over_very_many_lines() {
    let text = format!("---- MODULE Long ----\n{}====\n", "A == 1\n".repeat(5_000));
    let case = Case::new("Long.tla", &text);
    let all = Span::new(case.at("----").source, 0..text.len());
    case.check("very-many-lines", &unknown_name(all));
}

#[test]
fn a_very_long_line_is_cut_around_the_span() {
    let text = format!("{}undefined_name{}\n", "x + ".repeat(100_000), " + x".repeat(100_000));
    let case = Case::new("Line.tla", &text);
    case.check("very-long-line", &unknown_name(case.at("undefined_name")));
}

#[test]
fn a_very_long_span_on_one_line_is_cut() {
    let text = format!("A == {} + b\n", "x".repeat(1_000_000));
    let case = Case::new("Span.tla", &text);
    let span = case.at(&"x".repeat(1_000_000));
    case.check_text("very-long-span", &unknown_name(span).related(case.at("b"), "beyond the cut"));
}
