//! Sorted runs against sets in memory, with hashes of a few bits: so many states share one that it never decides.

use std::collections::{BTreeMap, BTreeSet};

use super::blocks::BlockFile;
use super::candidates::{Candidates, FoundRuns, Origin};
use super::folder::{Folder, Refusal};
use super::merge::{Merge, found_by};
use super::runs::{Buffer, Cursor, EVERYTHING, Merged, Record};
use super::visited::Visited;
use crate::space::OrderKey;

/// SplitMix64.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits ^ bits >> 31) % end
    }

    /// Few numbers, which differ in their upper and in their lower bits; keys of many lengths, now and then large.
    fn state(&mut self) -> (u128, Vec<u8>) {
        let number = u128::from(self.next(40)) << 121 | u128::from(self.next(3));
        let len = if self.next(50) == 0 { 5_000 } else { self.next(6) };
        (number, (0..len).map(|_| self.next(3) as u8).collect())
    }
}

fn folder() -> (tempfile::TempDir, Folder) {
    let dir = tempfile::tempdir().expect("a folder can be made");
    let folder = Folder::open(&dir.path().join("spill"), 100).expect("it is empty");
    (dir, folder)
}

fn run_of(folder: &Folder, states: &BTreeSet<(u128, Vec<u8>)>) -> BlockFile {
    let mut buffer = Buffer::default();
    for (number, key) in states.iter().rev() {
        buffer.push(Record { number: *number, key, extra: &[] });
    }
    buffer.write(folder).expect("there is room")
}

#[test]
fn a_cursor_finds_what_is_there_and_nothing_else() {
    let (_dir, folder) = folder();
    let mut numbers = Numbers(1);
    let states: BTreeSet<(u128, Vec<u8>)> = (0..4_000).map(|_| numbers.state()).collect();
    let run = run_of(&folder, &states);
    assert!(run.blocks().len() > 3, "{} blocks", run.blocks().len());
    let mut wanted: BTreeSet<(u128, Vec<u8>)> = (0..400).map(|_| numbers.state()).collect();
    wanted.extend(states.iter().step_by(97).cloned());
    let mut cursor = Cursor::new(&run, EVERYTHING).expect("it can be read");
    for (number, key) in &wanted {
        cursor.seek(*number, key).expect("it can be read");
        let found = cursor.record().map(|record| (record.number, record.key.to_vec()));
        assert_eq!(found.as_ref(), states.range((*number, key.clone())..).next());
    }
}

#[test]
fn a_cursor_stays_in_its_range() {
    let (_dir, folder) = folder();
    let mut numbers = Numbers(2);
    let states: BTreeSet<(u128, Vec<u8>)> = (0..3_000).map(|_| numbers.state()).collect();
    let run = run_of(&folder, &states);
    for range in (0..16).map(Visited::bounds) {
        let mut cursor = Cursor::new(&run, range).expect("it can be read");
        for (number, key) in states.iter().filter(|(number, _)| (range.0..=range.1).contains(number)) {
            let record = cursor.record().expect("there is one more");
            assert_eq!((record.number, record.key), (*number, key.as_slice()));
            cursor.advance().expect("it can be read");
        }
        assert!(cursor.record().is_none());
    }
}

#[test]
fn runs_that_are_merged_keep_the_least_of_equals() {
    let (_dir, folder) = folder();
    let mut numbers = Numbers(3);
    let mut expected: BTreeMap<(u128, Vec<u8>), Vec<u8>> = BTreeMap::new();
    let mut runs = Vec::new();
    for _ in 0..7 {
        let mut buffer = Buffer::default();
        let states: BTreeSet<(u128, Vec<u8>)> = (0..700).map(|_| numbers.state()).collect();
        for (number, key) in states {
            let extra = vec![numbers.next(250) as u8];
            buffer.push(Record { number, key: &key, extra: &extra });
            let least = expected.entry((number, key)).or_insert_with(|| extra.clone());
            *least = extra.min(least.clone());
        }
        runs.push(buffer.write(&folder).expect("there is room"));
    }
    let mut merged = Merged::new(&runs, EVERYTHING).expect("they can be read");
    for ((number, key), extra) in &expected {
        let record = merged.next().expect("they can be read").expect("there is one more");
        assert_eq!((record.number, record.key, record.extra), (*number, key.as_slice(), extra.as_slice()));
    }
    assert!(merged.next().expect("they can be read").is_none());
}

/// Level after level of random states, from several workers, against a set in memory.
#[test]
fn what_a_level_adds_is_what_was_not_there_found_by_the_least_key() {
    for n_workers in [1, 3] {
        let (_dir, folder) = folder();
        let mut numbers = Numbers(4);
        let mut visited = Visited::new(100, 1 << 20);
        let mut known: BTreeSet<(u128, Vec<u8>)> = BTreeSet::new();
        for _ in 0..14 {
            let found = FoundRuns::default();
            let mut expected: BTreeMap<(u128, Vec<u8>), OrderKey> = BTreeMap::new();
            let mut workers: Vec<Candidates<'_>> =
                (0..3).map(|_| Candidates::new(&folder, &found, 20_000)).collect();
            for rank in 0..600 {
                let key = OrderKey { rank, ordinal: numbers.next(5) as u32 };
                let (number, state) = numbers.state();
                let mut extra = Vec::new();
                let is_surely_new = !visited.filter.may_have(number);
                Origin { key, is_surely_new, is_checked: true }.push_to(&mut extra);
                let worker = numbers.next(3) as usize;
                let record = Record { number, key: &state, extra: &extra };
                workers[worker].insert(record).expect("there is room");
                if !known.contains(&(number, state.clone())) {
                    expected.entry((number, state)).or_insert(key);
                }
            }
            workers.iter_mut().for_each(|worker| worker.flush().expect("there is room"));
            drop(workers);
            let found = &found.into_runs();
            let merge = Merge {
                folder: &folder,
                visited: &visited,
                found,
                is_derived: false,
                bytes_max: 9_000,
                is_over: &|| false,
            };
            let new = merge.run(n_workers).expect("there is room");
            let mut expected_in_order: Vec<(OrderKey, Vec<u8>)> =
                expected.iter().map(|((_, state), key)| (*key, state.clone())).collect();
            expected_in_order.sort();
            let mut merged = Merged::new(&new, EVERYTHING).expect("they can be read");
            let mut in_order = Vec::new();
            while let Some(record) = merged.next().expect("they can be read") {
                in_order.push((found_by(record).0, record.key.to_vec()));
            }
            assert_eq!(in_order, expected_in_order);
            known.extend(expected.into_keys());
            visited.grow_filter(known.len() as u64).expect("the runs can be read");
        }
        assert!(known.len() > 3_000, "{} states", known.len());
    }
}

#[test]
fn a_folder_is_for_one_run_and_for_nothing_else() {
    let dir = tempfile::tempdir().expect("a folder can be made");
    let path = dir.path().join("spill");
    let folder = Folder::open(&path, 0).expect("it is made");
    assert!(matches!(Folder::open(&path, 0), Err(Refusal::InUse)));
    let file = folder.file().expect("there is room");
    assert_eq!(std::fs::read_dir(&path).expect("it is there").count(), 1, "the lock alone has a name");
    drop((file, folder));
    assert!(!path.exists());
    std::fs::create_dir(&path).expect("it is gone");
    std::fs::write(path.join("notes"), "mine").expect("it can be written");
    assert!(matches!(Folder::open(&path, 0), Err(Refusal::NotEmpty)));
    assert_eq!(std::fs::read_to_string(path.join("notes")).ok().as_deref(), Some("mine"));
}

#[test]
fn a_block_that_changed_on_disk_is_noticed() {
    use std::os::unix::fs::FileExt;

    let (_dir, folder) = folder();
    let mut numbers = Numbers(5);
    let states: BTreeSet<(u128, Vec<u8>)> = (0..2_000).map(|_| numbers.state()).collect();
    let run = run_of(&folder, &states);
    run.file().expect("it is too large for memory").write_all_at(&[9], 70_000).expect("there is room");
    let mut buffer = Vec::new();
    let read: Vec<bool> = (0..run.blocks().len()).map(|block| run.read(block, &mut buffer).is_ok()).collect();
    assert_eq!(read.iter().filter(|is_right| !**is_right).count(), 1, "{read:?}");
}
