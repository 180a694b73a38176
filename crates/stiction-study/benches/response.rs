//! A response costs as its number of points: time of 100 000 points over 20 times that of 5 000.

use std::hint::black_box;
use std::time::Instant;
use stiction::Progress;
use stiction_study::Study;

/// Points of the short response and of the long one.
const POINTS: [usize; 2] = [5_000, 100_000];
/// What the quotient may be.
const BOUND: f64 = 1.3;

/// Time of the response of a forced oscillator under Coulomb friction (s).
fn seconds(points: usize) -> f64 {
    let text = format!(
        "[system.oscillator]\nmass = 1\nstiffness = 1\ndamping = 0.1\n\
         force = {{ amplitude = 4, omega = 1 }}\nfriction.coulomb.mu = 3.2\n\
         [analysis.response]\nparameter = \"omega\"\nfrom = 0.2\nto = 2\npoints = {points}\n"
    );
    let study = match Study::read("bench.toml", &text, &[]) {
        Ok(study) => study,
        Err(faults) => panic!("{faults:?}"),
    };
    // the long one takes seconds, the short one is repeated to be as sure
    let repeats = POINTS[1] / points;
    let start = Instant::now();
    let before = busy(start);
    for _ in 0..repeats {
        black_box(study.run(&mut Progress::none()).is_ok());
    }
    (busy(start) - before) / repeats as f64
}

/// Time that this thread has had of a processor (s), where the system reports it; else time passed since `start`.
fn busy(start: Instant) -> f64 {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = statistics.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |time| 1e-9 * time)
}

fn main() {
    let [short, long] = POINTS.map(seconds);
    let quotient = long / (short * POINTS[1] as f64 / POINTS[0] as f64);
    println!("{long:.2} s for {} points, {quotient:.3} of linear (≤ {BOUND})", POINTS[1]);
    let rates = [(POINTS[0], short), (POINTS[1], long)].map(|(points, time)| points as f64 / time);
    println!("{:.0} points/s of the short response, {:.0} of the long one, one thread", rates[0], rates[1]);
}
