//! The first result that the README promises is the one that a reader gets.

use std::io::Read;

use super::sandbox::{Sandbox, TIME_LINE};

const PROGRAM: &str = "$ specline ";
const SAVE_MODULE: &str = "$ cat > Queue.tla\n";
const SAVE_CONFIG: &str = "$ cat > Queue.cfg\n";

#[test]
fn the_readme_shows_what_the_program_prints() {
    let readme = include_str!("../../../../README.md");
    let blocks: Vec<&str> =
        readme.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let saved =
        |command: &str| blocks.iter().find_map(|block| block.split_once(command)).map(|saved| saved.1);
    let module = saved(SAVE_MODULE).expect("the README saves a module");
    let config = saved(SAVE_CONFIG).expect("the README saves a configuration");
    let shown: Vec<(&str, &str)> =
        blocks.iter().filter_map(|block| block.strip_prefix(PROGRAM)?.split_once('\n')).collect();
    let [parse, lint, check] = shown[..] else { panic!("the README runs it three times: {shown:?}") };
    let named = module.replace("Lenn", "Len");
    let mended = named.replace("Tail(queue)", "Tail(queue) /\\ sent' = sent");
    shows(Sandbox::new().file("Queue.tla", module), parse);
    shows(Sandbox::new().file("Queue.tla", &named), lint);
    shows(Sandbox::new().file("Queue.tla", &mended).file("Queue.cfg", config), check);
}

#[track_caller]
fn shows(sandbox: Sandbox, (args, shown): (&str, &str)) {
    // One pipe for both, as a terminal is.
    let (mut reader, writer) = std::io::pipe().expect("a pipe can be made");
    let mut command = sandbox.command(args);
    command.stdout(writer.try_clone().expect("a pipe has as many ends as needed")).stderr(writer);
    let mut child = command.spawn().expect("the program starts");
    drop(command);
    let mut printed = String::new();
    reader.read_to_string(&mut printed).expect("messages are text");
    child.wait().expect("the program ends");
    let line = |line: &str| match line.starts_with(TIME_LINE) {
        true => TIME_LINE.to_owned(),
        false => line.trim_end().to_owned(),
    };
    let trim = |text: &str| text.lines().map(line).collect::<Vec<_>>().join("\n").trim().to_owned();
    assert_eq!(trim(&printed), trim(shown), "specline {args}");
}
