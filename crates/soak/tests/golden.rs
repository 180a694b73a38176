//! Every example gives the committed bits, and costs the committed work within bounds, on one thread and on
//! many.
//!
//! `cargo xtask golden --bless` writes the files anew; their differences belong into the commit that causes
//! them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};
use stiction_reference::counting;
use stiction_soak::golden::{Golden, Texts, differences, goldens, growth, root};

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

/// Variable that asks for new files, set by `cargo xtask golden --bless`.
const BLESS: &str = "STICTION_BLESS";
/// Examples of an edit's check.
const DOZEN: [&str; 12] = [
    "stick_slip",
    "den_hartog",
    "trigonometric_resonance",
    "lugre_stick_slip",
    "elastic_contact",
    "end_stops",
    "blocks_on_belt",
    "frequency_response",
    "spinning_disc",
    "turntable_block",
    "joint_mode",
    "patch-disc",
];
/// Threads that share the examples: more than there are cores, so that none is left alone on one.
const THREADS: usize = 8;

/// The text of every example, found by several threads at once.
fn found(list: &[Golden]) -> Vec<Result<Texts, String>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some((i, golden)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, list.get(i)?)))
        {
            done.push((i, golden.found(&counting::allocations)));
        }
        done
    };
    let mut texts: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    texts.sort_by_key(|(i, _)| *i);
    texts.into_iter().map(|(_, text)| text).collect()
}

/// Compares a list of examples with what is committed, or writes it anew.
fn compare(list: &[Golden]) {
    let bless = env::var_os(BLESS).is_some();
    let mut changed = Vec::new();
    for (golden, texts) in list.iter().zip(found(list)) {
        let (texts, committed) = (texts.unwrap(), golden.committed());
        let numbers = differences(&committed.numbers, &texts.numbers);
        // without optimisation nothing is left out
        let work = if cfg!(debug_assertions) { Vec::new() } else { growth(&committed.work, &texts.work) };
        changed.extend(numbers.iter().chain(&work).map(|row| format!("{}: {row}", golden.name)));
        if bless && (!numbers.is_empty() || committed.work != texts.work) {
            golden.bless(&texts).unwrap();
        }
    }
    let changed = changed.join("\n");
    match bless {
        true => eprintln!("{changed}"),
        false => assert!(
            changed.is_empty(),
            "{changed}\nhint: if this is meant, cargo xtask golden --bless, and a line in CHANGELOG.md"
        ),
    }
}

#[test]
fn every_example_gives_the_committed_numbers_within_the_bounds_of_its_work() {
    let list = goldens().unwrap();
    assert!(list.len() > 25, "{} examples", list.len());
    compare(&list);
}

/// What `cargo xtask quick` compares: one of every kind, each a few milliseconds.
#[test]
fn a_dozen_examples_give_the_committed_numbers() {
    let mut list = goldens().unwrap();
    list.retain(|golden| DOZEN.contains(&golden.name.as_str()));
    assert_eq!(list.len(), DOZEN.len());
    compare(&list);
}

#[test]
fn every_golden_has_its_example() {
    let list = goldens().unwrap();
    for folder in ["tests/golden", "tests/work"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let is_known = list.iter().any(|golden| golden.name == name);
            assert!(is_known, "{} has no example: delete it", path.display());
        }
    }
}
