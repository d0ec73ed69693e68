//! Judges cases on several threads; the results are in the order of the cases.

use std::panic;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Case;
use super::judge::{self, JudgedCase};

pub fn judge_all(cases: &[Case], library: &[PathBuf], n_jobs: usize) -> Vec<JudgedCase> {
    // A panic is a result here; its message comes with the result.
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let next = AtomicUsize::new(0);
    let work = || {
        let mut judged = Vec::new();
        while let Some((at, case)) = take(&next, cases) {
            judged.push((at, judge::judge(case, library)));
        }
        judged
    };
    let mut judged: Vec<(usize, JudgedCase)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..n_jobs).map(|_| scope.spawn(work)).collect();
        let joined = workers.into_iter().map(|worker| worker.join().expect("panics are caught per case"));
        joined.flatten().collect()
    });
    panic::set_hook(hook);
    judged.sort_by_key(|(at, _)| *at);
    judged.into_iter().map(|(_, judged)| judged).collect()
}

fn take<'c>(next: &AtomicUsize, cases: &'c [Case]) -> Option<(usize, &'c Case)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    cases.get(at).map(|case| (at, case))
}
