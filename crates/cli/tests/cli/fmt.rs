//! `specline fmt`: files, standard input, ranges, what is left as it is.

use crate::eval::with_lines;
use crate::sandbox::Sandbox;

const LOOSE: &str = "---- MODULE Loose ----\nEXTENDS Naturals\nVARIABLES x,y\nInit==/\\x=0   \n  /\\ y = 1\nF( a )==a+1\n====\n";
const NEAT: &str = "---- MODULE Loose ----\nEXTENDS Naturals\nVARIABLES x, y\nInit == /\\ x = 0\n  /\\ y = 1\nF(a) == a + 1\n====\n";

#[test]
fn a_file_is_formatted_once() {
    let text = LOOSE.replace("  /\\ y", "      /\\ y");
    let neat = NEAT.replace("  /\\ y", "        /\\ y");
    let sandbox = Sandbox::new().file("a/Loose.tla", &text).file("a/.hidden/Loose.tla", &text);
    sandbox.run("fmt --check a").says(23, &["a/Loose.tla: not in this style"]);
    sandbox.run("fmt --diff a/Loose").says(0, &["-F( a )==a+1", "+F(a) == a + 1"]);
    assert_eq!(sandbox.read("a/Loose.tla"), text, "neither writes");
    assert_eq!(sandbox.run("fmt --stdout a/Loose.tla").stdout(), neat);
    sandbox.run("fmt a").says(0, &["a/Loose.tla: formatted"]);
    assert_eq!(sandbox.read("a/Loose.tla"), neat);
    assert_eq!(sandbox.read("a/.hidden/Loose.tla"), text);
    sandbox.run("fmt --check a").ends_with(0);
    assert_eq!(sandbox.run("fmt a").stdout(), "", "a second run changes nothing");
}

#[test]
fn standard_input_goes_to_standard_output() {
    let run = with_lines(&Sandbox::new(), "fmt -", &LOOSE.replace("  /\\ y", "      /\\ y"));
    run.ends_with(0);
    assert_eq!(run.stdout(), NEAT.replace("  /\\ y", "        /\\ y"));
}

#[test]
fn only_definitions_in_the_range_are_formatted() {
    let text = LOOSE.replace("  /\\ y", "      /\\ y");
    let sandbox = Sandbox::new().file("Loose.tla", &text);
    sandbox.run("fmt --range 6 Loose.tla").ends_with(0);
    assert_eq!(sandbox.read("Loose.tla"), text.replace("F( a )==a+1", "F(a) == a + 1"));
    sandbox.run("fmt --range 7:6 Loose.tla").ends_with(1);
}

#[test]
fn what_cannot_be_read_is_not_formatted() {
    let sandbox = Sandbox::new().file("Bad.tla", "---- MODULE Bad ----\nA == (1\n====\n");
    sandbox.run("fmt Bad.tla").ends_with(150);
    sandbox.run("fmt Missing.tla").says(255, &["SL0001"]);
}
