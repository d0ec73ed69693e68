//! Tests of one expression given as text.

use base::Names;
use diag::SourceMap;

/// Reads `text` as one expression and compares its tree, or its first message.
#[track_caller]
fn check(text: &str, expected: &str) {
    let mut sources = SourceMap::new();
    let source = sources.add("expression", text);
    let mut names = Names::new();
    let parsed = syntax::parse_expr(source, text, &mut names);
    let actual = match parsed.diagnostics.iter().next() {
        Some(error) => error.headline.clone(),
        None => syntax::dump_expr(&parsed.tree.file, parsed.tree.root, &names).trim_end().to_owned(),
    };
    assert_eq!(actual, expected, "{text}");
}

#[test]
fn an_expression_is_read_without_a_module() {
    check("x + 1", "(infix + x 1)");
    check("  /\\ a\n  /\\ b", "(conjunction a b)");
    check("\\* a comment\n[n |-> 1].n (* another *)", "(. (record (|-> n 1)) n)");
    check("==== ", "expected an expression, found the end of the module");
}

#[test]
fn all_of_the_text_must_belong_to_it() {
    check("x y", "expected an operator or the end of the expression, found `y`");
    check("x == 1", "`==` stands inside an expression");
    check("", "expected an expression, found the end of the expression");
    check("(a", "this `(` is never closed");
    check("a ) b", "expected an operator or the end of the expression, found `)`");
}

#[test]
fn neighbours_group_by_their_precedence() {
    check("a + b * c", "(infix + a (infix * b c))");
    check("a - b - c", "(infix - (infix - a b) c)");
    check("a + b - c", "(infix + a (infix - b c))");
    check("-a + b", "(infix + (prefix -. a) b)");
    check("-a * b", "(prefix -. (infix * a b))");
    check("a * -b", "(infix * a (prefix -. b))");
    check("~a = b /\\ c", "(infix /\\ (prefix ~ (infix = a b)) c)");
    check("[]a => <>b", "(infix => (prefix [] a) (prefix <> b))");
    check("a' = b^+", "(infix = (postfix ' a) (postfix ^+ b))");
    check("f[x]'.g", "(. (postfix ' (apply f x)) g)");
    check("SUBSET S \\cup T", "(infix \\cup (prefix SUBSET S) T)");
    check("A \\X B \\X C", "(product A B C)");
    check("(A \\X B) \\X C", "(product (paren (product A B)) C)");
    check("a = b = c", "`=` does not chain");
    check("a /\\ b \\/ c", "`/\\` and `\\/` have no order of precedence");
    check("UNCHANGED x'", "`UNCHANGED` and `'` have no order of precedence");
}

#[test]
fn membership_in_braces_may_be_an_element() {
    check("{x \\in S : p}", "(filter (\\in x S) p)");
    check("{x \\in S}", "(set (infix \\in x S))");
    check("{x \\in S /\\ p}", "(set (infix /\\ (infix \\in x S) p))");
    check("{x \\in S /\\ p => q, r}", "(set (infix => (infix /\\ (infix \\in x S) p) q) r)");
    check("{<<x, y>> \\in S}", "(set (infix \\in (tuple x y) S))");
    check("{x \\in S = T}", "`\\in` and `=` have no order of precedence");
    check("[(x \\in S)]_v", "(box-step (paren (infix \\in x S)) v)");
    check("[p /\\ x \\in S]_v", "(box-step (infix /\\ p (infix \\in x S)) v)");
}
