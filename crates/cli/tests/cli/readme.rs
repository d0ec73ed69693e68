//! The first result that the README promises is the one that a reader gets.

use super::sandbox::Sandbox;

const PROGRAM: &str = "$ target/release/specline ";
const SAVE: &str = "$ cat > Queue.tla\n";

#[test]
fn the_readme_shows_what_the_program_prints() {
    let readme = include_str!("../../../../README.md");
    let blocks: Vec<&str> =
        readme.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let saved = blocks.iter().find_map(|block| block.split_once(SAVE)).expect("the README saves a file");
    let module = saved.1.to_owned();
    let shown: Vec<(&str, &str)> =
        blocks.iter().filter_map(|block| block.strip_prefix(PROGRAM)?.split_once('\n')).collect();
    let [(parse, errors), (lint, warnings)] = shown[..] else {
        panic!("the README runs it twice: {shown:?}")
    };
    check(&module, parse, errors);
    check(&module.replace("Lenn", "Len"), lint, warnings);
}

#[track_caller]
fn check(module: &str, args: &str, shown: &str) {
    let output = Sandbox::new().file("Queue.tla", module).command(args).output().expect("the program starts");
    let printed = [output.stderr, output.stdout].concat();
    let printed = String::from_utf8(printed).expect("messages are text");
    let trim = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_owned();
    assert_eq!(trim(&printed), trim(shown), "specline {args}");
}
