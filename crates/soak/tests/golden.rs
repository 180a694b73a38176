//! Every example gives the committed bits and costs the committed work, in every profile, on one thread and on many.
//!
//! `cargo xtask golden --bless` writes the files anew; their differences belong into the commit that causes them.

#![allow(unsafe_code)]

#[path = "../../stiction/tests/support/counting.rs"]
mod counting;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};
use stiction_soak::golden::{Golden, differences, goldens, root};

/// Variable that asks for new files, set by `cargo xtask golden --bless`.
const BLESS: &str = "STICTION_BLESS";
/// Threads that share the examples: more than there are cores, so that none is left alone on one.
const THREADS: usize = 8;

/// The text of every example, found by several threads at once.
fn found(list: &[Golden]) -> Vec<Result<String, String>> {
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

/// The optimiser may leave an allocation out; it adds none.
fn is_saved(difference: &str) -> bool {
    let numbers =
        difference.strip_prefix("allocations: ").and_then(|d| d.split_once(", but the golden has "));
    let count = |text: &str| text.parse::<u64>().ok();
    !cfg!(debug_assertions) && numbers.is_some_and(|(found, known)| count(found) < count(known))
}

#[test]
fn every_example_gives_the_committed_bits_and_work() {
    let list = goldens().unwrap();
    assert!(list.len() > 25, "{} examples", list.len());
    let bless = env::var_os(BLESS).is_some();
    let mut changed = Vec::new();
    for (golden, text) in list.iter().zip(found(&list)) {
        let text = text.unwrap();
        let mut differences = differences(&golden.committed(), &text);
        differences.retain(|difference| !is_saved(difference));
        changed.extend(differences.iter().map(|difference| format!("{}: {difference}", golden.name)));
        if bless && !differences.is_empty() {
            fs::write(golden.path(), text).unwrap();
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
fn every_golden_has_its_example() {
    let list = goldens().unwrap();
    for entry in fs::read_dir(root().join("tests/golden")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(
            list.iter().any(|golden| golden.name == name),
            "{} has no example: delete it",
            path.display()
        );
    }
}
