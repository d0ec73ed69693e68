//! Modules that are none, told in the words of TLC's parser.

use crate::sandbox::Sandbox;

/// The lines about the first error of a module that has this body, from its fourth line on.
fn told(body: &str) -> String {
    let text = format!("---- MODULE M ----\nEXTENDS Naturals\nVARIABLE x\n{body}\n====\n");
    let run = Sandbox::new().file("M.tla", text).file("M.cfg", "INIT A\nNEXT A\n").run("tlc -tool M.tla");
    assert_eq!(run.code(), Some(150), "{body}: {}", run.stdout());
    let after = run.stdout().split("/M.tla\n").nth(1).unwrap_or_default();
    let before = after.split("\n\n").next().unwrap_or_default();
    before.replacen("***Parse Error***\n", "", 1).trim_end().to_owned()
}

#[track_caller]
fn check(body: &str, expected: &str) {
    assert_eq!(told(body), expected.trim_end(), "{body}");
}

#[test]
fn the_token_that_is_not_understood_is_told_with_the_one_before() {
    check("A == {1, x + }", r#"Encountered "}" at line 4, column 14 and token "+""#);
    check(
        "A == /\\ x = 0\n     /\\\nB == x",
        r#"Encountered "Beginning of definition" at line 6, column 1 and token "/\\""#,
    );
    check("A == \"a\" +", r#"Encountered "====" at line 5, column 1 and token "+""#);
    check(
        "A == x = 1 +\n\tB == x",
        r#"Encountered "Beginning of definition" at line 5, column 9 and token "+""#,
    );
}

/// TLC: what is missing is told of the configuration first.
#[test]
fn a_module_that_is_not_there_is_no_module() {
    let sandbox = Sandbox::new().file("M.cfg", "INIT A\nNEXT A\n");
    for name in ["M", "M.tla"] {
        let run = sandbox.run(&format!("tlc {name}"));
        assert_eq!(run.code(), Some(150), "{}", run.stdout());
        assert!(run.stdout().contains("Cannot find source file for module M\n"), "{}", run.stdout());
    }
    assert_eq!(sandbox.run("tlc N.tla").code(), Some(255));
}

#[test]
fn a_definition_begins_where_tlc_has_it() {
    let expected = "Was expecting \"Expression or Instance\"\n\
                    Encountered \"Beginning of definition\" at line 4, column 6 and token \"==\"";
    check("A == x =\nB == x", expected);
    check("A == x == 0", expected);
    check(
        "A == x = y +\nB(i) == x",
        r#"Encountered "Beginning of definition" at line 5, column 1 and token "+""#,
    );
    check(
        "A == x = y +\nB == x",
        r#"Encountered "Beginning of definition" at line 4, column 10 and token "=""#,
    );
}

#[test]
fn what_was_wanted_is_told_where_a_unit_could_begin() {
    let too_much = |place: &str| format!("Was expecting \"==== or more Module body\"\nEncountered {place}");
    check("A == x )", &too_much(r#"")" at line 4, column 8 and token "x""#));
    check("A = x", &too_much(r#""A" at line 4, column 1 and token "x""#));
    check("A == 1 + * 2", &too_much(r#""2" at line 4, column 12 and token "*""#));
    check("A == x \\foo 3", &too_much(r#""3" at line 4, column 13 and token "foo""#));
    check(
        "VARIABLES y, (",
        "Was expecting \"Identifier\"\nEncountered \"(\" at line 4, column 14 and token \",\"",
    );
    check(
        "A == [x EXCEPT !.a[1].b 2]",
        "Was expecting \"= or ,\"\nEncountered \"2\" at line 4, column 25 and token \"b\"",
    );
    check(
        "A(i,) == x",
        "Was expecting \"Identifier Declaration, prefix op or _\"\n\
         Encountered \")\" at line 4, column 5 and token \",\"",
    );
    check(
        "A == ELSE",
        "Was expecting \"Expression or Instance\"\nEncountered \"ELSE\" at line 4, column 6 and token \"==\"",
    );
}

#[test]
fn characters_and_precedences_have_messages_of_their_own() {
    check("A == x ;", r#"Lexical error at line 4, column 8.  Encountered: ";" (59), after : """#);
    check("A == x ? 1", r#"Lexical error at line 4, column 9.  Encountered: " " (32), after : "?""#);
    check("A == \"abc", r#"Lexical error at line 4, column 10.  Encountered: "\n" (10), after : "\"abc""#);
    let conflict = "  Precedence conflict between ops \\land in block line 4, col 8 to line 4, col 9 of module M and \\lor.";
    check("A == x /\\ x \\/ x", conflict);
}
