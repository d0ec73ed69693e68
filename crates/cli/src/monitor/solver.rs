//! An SMT solver as a process: `z3`, if the system has it.

use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use base::{Clock, SystemClock};
use monitor::conditions::{Condition, Proof};
use monitor::slice::Slice;
use monitor::smt::{Asked, Question, questions};
use sema::Spec;

/// The time that it has for one question, in milliseconds.
const QUESTION_MS_MAX: u32 = 5_000;
/// The time that it has for all questions about one condition.
const CONDITION_TIME_MAX: Duration = Duration::from_secs(60);
/// How often it is looked at whether it has ended.
const LOOK: Duration = Duration::from_millis(5);

/// Asks the solver about each condition for which there are questions. A condition that it does not show keeps the reason.
pub fn solve<'c>((spec, slice): (&Spec, &Slice), conditions: impl Iterator<Item = &'c mut Condition>) {
    for condition in conditions {
        let asked = questions(spec, slice, condition).and_then(|questions| ask(&questions));
        match asked {
            Ok(()) => (condition.proof, condition.unsolved) = (Proof::Solved, None),
            Err(why) => condition.unsolved = Some(why),
        }
    }
}

/// Asks all questions; returns the reason if one has not the wanted answer.
fn ask(questions: &[Question]) -> Result<(), String> {
    let script: String = questions.iter().map(|question| format!("{}(reset)\n", question.script)).collect();
    let answers = run(script).map_err(|error| {
        if error.kind() == io::ErrorKind::NotFound {
            "there is no `z3` here (`apt-get install z3`)".to_owned()
        } else {
            format!("z3 failed: {error}")
        }
    })?;
    let answers: Vec<&str> = answers.lines().collect();
    if answers.len() != questions.len() {
        let told = answers.iter().find(|line| line.starts_with("(error"));
        return Err(format!("z3 did not answer: {}", told.unwrap_or(&"it took too long")));
    }
    match questions.iter().zip(&answers).find(|(_, answer)| **answer != "unsat") {
        Some((question, answer)) => Err(describe(question, answer)),
        None => Ok(()),
    }
}

fn describe(question: &Question, answer: &str) -> String {
    let what = match question.what {
        Asked::Stays => "makes it FALSE again",
        Asked::IsIdle => "sends the message, or does something with it",
    };
    match answer {
        "sat" => format!("z3 knows no reason why no `{}` {what}", question.action),
        _ => format!("z3 does not know whether some `{}` {what}", question.action),
    }
}

/// Runs the solver on a script; returns what it says.
fn run(script: String) -> io::Result<String> {
    let mut child = Command::new("z3")
        .args(["-in", &format!("-t:{QUESTION_MS_MAX}")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let (mut stdin, mut stdout) = (child.stdin.take(), child.stdout.take());
    // It answers while it reads.
    let writer = std::thread::spawn(move || stdin.take().map(|mut stdin| stdin.write_all(script.as_bytes())));
    let reader = std::thread::spawn(move || stdout.take().map(io::read_to_string).transpose());
    let clock = SystemClock::start();
    let (_sender, wait) = std::sync::mpsc::channel::<()>();
    while child.try_wait()?.is_none() {
        if clock.elapsed() > CONDITION_TIME_MAX {
            child.kill()?;
        }
        // Nobody sends: it ends after the time.
        let _ = wait.recv_timeout(LOOK);
    }
    // It may have ended before it read everything.
    drop(writer.join());
    reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)).map(Option::unwrap_or_default)
}
