//! The threads of a search. They stay from level to level: to start one takes as long as to expand dozens of states.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, Scope};

use model::STACK_BYTES;

/// A job for a thread. It may refer to anything that outlives the search.
type Job<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Several workers, of whom the first is whoever has the crew.
pub(crate) struct Crew<'a> {
    others: Vec<Sender<Job<'a>>>,
}

impl<'a> Crew<'a> {
    /// One worker.
    pub fn alone() -> Crew<'a> {
        Crew { others: Vec::new() }
    }

    /// So many workers, who end when the crew is dropped.
    pub fn start<'scope>(scope: &'scope Scope<'scope, '_>, n_workers: usize) -> Crew<'a>
    where
        'a: 'scope,
    {
        let start = |_| {
            let (sender, jobs) = mpsc::channel::<Job<'a>>();
            base::spawn_deep(scope, STACK_BYTES, move || jobs.into_iter().for_each(|job| job()));
            sender
        };
        Crew { others: (1..n_workers).map(start).collect() }
    }

    pub fn n_workers(&self) -> usize {
        self.others.len() + 1
    }

    /// Applies `work` to each item, at the same time, and returns the results in order. There are no more items than
    /// workers.
    pub fn each<T, R, W>(&self, items: Vec<T>, work: W) -> Vec<R>
    where
        T: Send + 'a,
        R: Send + 'a,
        W: Fn(T) -> R + Clone + Send + 'a,
    {
        assert!(items.len() <= self.n_workers(), "{} items for {} workers", items.len(), self.n_workers());
        let mut items = items.into_iter();
        let first = items.next();
        let begun: Vec<Receiver<thread::Result<R>>> =
            self.others.iter().zip(items).map(|(other, item)| begin(other, item, work.clone())).collect();
        let mut made: Vec<R> = first.map(work).into_iter().collect();
        for receiver in begun {
            let ended = receiver.recv().expect("a worker says how its work ended");
            made.push(ended.unwrap_or_else(|panic| resume_unwind(panic)));
        }
        made
    }
}

fn begin<'a, T, R, W>(worker: &Sender<Job<'a>>, item: T, work: W) -> Receiver<thread::Result<R>>
where
    T: Send + 'a,
    R: Send + 'a,
    W: Fn(T) -> R + Send + 'a,
{
    let (sender, receiver) = mpsc::channel();
    let job = move || {
        // What is left of a piece of work that panicked is thrown away with it.
        let ended = catch_unwind(AssertUnwindSafe(|| work(item)));
        // Nobody listens when the first worker panicked too.
        let _ = sender.send(ended);
    };
    worker.send(Box::new(job)).expect("a worker waits as long as there is a crew");
    receiver
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::thread;

    use super::Crew;

    #[test]
    fn what_is_made_is_in_order_and_a_crew_works_again() {
        thread::scope(|scope| {
            let crew = Crew::start(scope, 4);
            for n in 0..=4 {
                let items: Vec<usize> = (0..n).collect();
                assert_eq!(crew.each(items, |item| item * item), [0, 1, 4, 9][..n]);
            }
        });
        assert_eq!(Crew::alone().each(vec![3], |item| item + 1), [4]);
    }

    #[test]
    fn a_panic_of_a_worker_is_one_of_whoever_waits_for_it() {
        let panicked = thread::scope(|scope| {
            let crew = Crew::start(scope, 2);
            let work = |item| assert_eq!(item, 0, "the second has nothing to do");
            let panicked = catch_unwind(AssertUnwindSafe(|| crew.each(vec![0, 1], work)));
            assert_eq!(crew.each(vec![0, 0], work).len(), 2, "the worker is still there");
            panicked
        });
        assert!(panicked.is_err());
    }
}
