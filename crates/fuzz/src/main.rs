//! `cargo xtask fuzz`: odd texts for minutes or hours.
//!
//! What does not hold is written to `target/fuzz`; a text that belongs there is put into `crates/fuzz/corpus` once the defect is fixed.

// counting memory needs an allocator of one's own, which is unsafe by nature
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{ExitCode, exit};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use stiction_fuzz::{Finding, Fuzz, TARGETS, root};

const USAGE: &str = "usage: cargo xtask fuzz [--minutes N] [--executions N] [--seed S] [--target scenario | patch | twists | set]";
/// Memory that any text may take (bytes): eight times what a run may ask for.
const MEMORY: usize = 256_000_000;
/// A text that takes longer hangs; measured in processor time where that is available, so that other work does not count.
const HANG: Duration = Duration::from_secs(60);
/// Texts of a target before it is another's turn.
const TURN: u64 = 1000;
/// Between two lines about progress.
const EVERY: Duration = Duration::from_secs(60);

struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all work is the system allocator's; counters are added beside it
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(live, Relaxed);
        // SAFETY: as the caller promises
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller promises
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The target and text under way, and since when.
static CURRENT: Mutex<Option<(&str, Vec<u8>, Instant)>> = Mutex::new(None);

struct Wanted {
    minutes: f64,
    executions: u64,
    seed: u64,
    target: Option<String>,
}

fn main() -> ExitCode {
    let Some(wanted) = wanted(std::env::args().skip(1)) else { return usage() };
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::spawn(watch);
    let folder = root().join("target/fuzz");
    let mut targets: Vec<(&str, Fuzz)> = (TARGETS.iter())
        .filter(|target| wanted.target.as_ref().is_none_or(|name| name == target.name))
        .map(|target| (target.name, Fuzz::new(target, wanted.seed)))
        .collect();
    if targets.is_empty() {
        return usage();
    }
    let (start, mut last) = (Instant::now(), Instant::now());
    let (mut n, mut known, mut slowest) = (0, BTreeSet::new(), Duration::ZERO);
    let is_over = |n: u64| n >= wanted.executions || start.elapsed().as_secs_f64() >= 60.0 * wanted.minutes;
    while !is_over(n) {
        for (name, fuzz) in &mut targets {
            for _ in 0..TURN {
                let (found, time) = one(name, fuzz);
                slowest = slowest.max(time);
                n += 1;
                if let Some(finding) = found
                    && known.insert(finding.message.chars().take(40).collect::<String>())
                {
                    report(&folder, name, &finding);
                }
            }
        }
        if last.elapsed() > EVERY || is_over(n) {
            last = Instant::now();
            let answers: Vec<String> = targets
                .iter()
                .map(|(name, fuzz)| format!("{name} {} ({} sound)", fuzz.n_answers(), fuzz.n_sound()))
                .collect();
            println!(
                "seed {}: {n} texts in {:.0} s, {} findings; slowest {:.2} s; answers: {}",
                wanted.seed,
                start.elapsed().as_secs_f64(),
                known.len(),
                slowest.as_secs_f64(),
                answers.join(", ")
            );
        }
    }
    if known.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}

fn wanted(mut args: impl Iterator<Item = String>) -> Option<Wanted> {
    let mut wanted = Wanted { minutes: f64::INFINITY, executions: u64::MAX, seed: 1, target: None };
    while let Some(name) = args.next() {
        let value = args.next()?;
        match name.as_str() {
            "--minutes" => wanted.minutes = value.parse().ok()?,
            "--executions" => wanted.executions = value.parse().ok()?,
            "--seed" => wanted.seed = value.parse().ok()?,
            "--target" => wanted.target = Some(value),
            _ => return None,
        }
    }
    if wanted.minutes.is_infinite() && wanted.executions == u64::MAX {
        wanted.minutes = 1.0;
    }
    Some(wanted)
}

/// One text; what does not hold, and the time that it took.
fn one(name: &'static str, fuzz: &mut Fuzz) -> (Option<Finding>, Duration) {
    let text = fuzz.next_text();
    let start = Instant::now();
    set_current(Some((name, text.clone(), start)));
    let before = LIVE.load(Relaxed);
    PEAK.store(before, Relaxed);
    let found = fuzz.read(text.clone());
    let peak = PEAK.load(Relaxed).saturating_sub(before);
    set_current(None);
    let found = found.or_else(|| {
        (peak > MEMORY).then(|| Finding { text, message: format!("memory: {} MB", peak / 1_000_000) })
    });
    (found, start.elapsed())
}

fn set_current(value: Option<(&'static str, Vec<u8>, Instant)>) {
    if let Ok(mut current) = CURRENT.lock() {
        *current = value;
    }
}

/// Ends the process if a text hangs.
fn watch() {
    // the text that was seen last, and the time before it
    let (origin, mut seen) = (Instant::now(), None);
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let Ok(current) = CURRENT.lock() else { return };
        let Some((name, text, since)) = &*current else { continue };
        let now = processor_time().unwrap_or_else(|| origin.elapsed());
        let (_, before) = *seen.get_or_insert((*since, now));
        if seen.is_some_and(|(text, _)| text != *since) {
            seen = Some((*since, now));
        } else if now - before > HANG {
            report(
                &root().join("target/fuzz"),
                name,
                &Finding { text: text.clone(), message: "hang".into() },
            );
            exit(1);
        }
    }
}

/// What this process has taken so far, where the system keeps it in a file (Linux), in its ticks of 10 ms.
fn processor_time() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks: u64 =
        fields.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Some(Duration::from_millis(10 * ticks))
}

fn report(folder: &Path, name: &str, finding: &Finding) {
    let mut hasher = DefaultHasher::new();
    finding.text.hash(&mut hasher);
    let path: PathBuf = folder.join(format!("{name}-{:016x}", hasher.finish()));
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, &finding.text));
    let place = if written.is_ok() { path.display().to_string() } else { "nowhere".into() };
    println!("{name}: {}\n  text in {place}", finding.message);
}
