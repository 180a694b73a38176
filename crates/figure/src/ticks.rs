//! Where the ticks stand and what is written at them.
//!
//! Linear: multiples k of a step m·10^e with m = 1, 2, 5. A label is the integer k m with its decimal point shifted by
//! e: exact, and never −0. A common power of ten or a common offset goes to the axis label.
//! Logarithmic: powers of ten; over less than two of them 1-2-5 multiples, over less than those a linear step.

use super::Scale;
use super::text::{Rich, Script};

/// Labels with more significant digits than this share an offset.
const DIGITS: usize = 6;
/// Rounding of a tick at the end of a range, in steps.
const ROUNDING: f64 = 1e-9;
const MINUS: &str = "\u{2212}";

/// Ticks of an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ticks {
    /// Values with a label.
    pub(crate) major: Vec<f64>,
    /// The labels.
    pub(crate) labels: Vec<Rich>,
    /// Values without a label.
    pub(crate) minor: Vec<f64>,
    /// The labels are in units of ten to this power.
    pub(crate) exponent: i32,
    /// What is to be added to the labels, as `1000.25`; empty: nothing.
    pub(crate) offset: String,
}

/// At most `n` labelled ticks (at least 2 are allowed) in a range whose axis has this length (pt).
pub(crate) fn ticks([lo, hi]: [f64; 2], scale: Scale, n: usize, length: f64) -> Ticks {
    match scale {
        Scale::Linear => linear(Steps::new(lo, hi, n), [lo, hi], length),
        Scale::Log => logarithmic(lo, hi, n, length),
    }
}

/// Multiples `first ..= last` of m·10^e.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Steps {
    m: i64,
    e: i32,
    first: i64,
    last: i64,
}

impl Steps {
    /// The smallest step of the form 1-2-5 with at most n multiples in the range.
    fn new(lo: f64, hi: f64, n: usize) -> Self {
        let n = n.max(2) as i64;
        let e = libm::floor(libm::log10((hi - lo) / n as f64)) as i32 - 1;
        let mut steps = Self { m: 1, e, first: 0, last: 0 };
        for i in 0..12 {
            steps = Self { m: [1, 2, 5][i % 3], e: e + (i / 3) as i32, ..steps };
            let step = steps.value(1);
            steps.first = (lo / step - ROUNDING).ceil() as i64;
            steps.last = (hi / step + ROUNDING).floor() as i64;
            if steps.last - steps.first < n {
                break;
            }
        }
        steps
    }

    fn value(self, k: i64) -> f64 {
        let km = (k * self.m) as f64;
        if self.e < 0 { km / power(-self.e) } else { km * power(self.e) }
    }
}

/// The smallest step of the form 1-2-5 with at most n multiples in a range.
pub(crate) fn step(lo: f64, hi: f64, n: usize) -> f64 {
    Steps::new(lo, hi, n).value(1)
}

/// Ten to a power.
fn power(e: i32) -> f64 {
    libm::pow(10.0, f64::from(e))
}

fn linear(steps: Steps, [lo, hi]: [f64; 2], length: f64) -> Ticks {
    let multiples = || (steps.first..=steps.last).map(|k| k * steps.m);
    let largest = multiples().map(i64::abs).max().unwrap_or(0);

    // more digits than one can read: a common offset
    let mut offset = 0;
    if largest.to_string().len() > DIGITS {
        // the roundest number among the ticks
        let (first, last) = (steps.first * steps.m, steps.last * steps.m);
        let multiple = |round: i64| last.div_euclid(round) * round;
        let mut rounds = (0..18).map(|p| 10_i64.pow(p)).rev().filter(|&round| multiple(round) >= first);
        offset = rounds.next().map_or(first, multiple);
    }

    // very large or very small: a common power of a thousand
    let largest = multiples().map(|n| (n - offset).abs()).max().unwrap_or(0);
    let order = steps.e + largest.to_string().len() as i32 - 1;
    let exponent = if largest != 0 && !(-2..=4).contains(&order) { order.div_euclid(3) * 3 } else { 0 };

    let label = |n: i64| if n == 0 { "0".to_string() } else { decimal(n, steps.e - exponent) };
    let labels = multiples().map(|n| Rich::plain(label(n - offset))).collect();
    let offset = if offset == 0 { String::new() } else { shortest(offset, steps.e) };
    let major = (steps.first..=steps.last).map(|k| steps.value(k)).collect();
    Ticks { major, labels, minor: subdivided(steps, [lo, hi], length), exponent, offset }
}

/// Ticks between the labelled ones, as many as can be distinguished.
fn subdivided(steps: Steps, [lo, hi]: [f64; 2], length: f64) -> Vec<f64> {
    const CLOSEST: f64 = 2.8; // pt
    let parts: &[i64] = match steps.m {
        1 => &[5, 2],
        2 => &[4, 2],
        _ => &[5],
    };
    let step = steps.value(1);
    let spacing = step / (hi - lo) * length;
    let Some(&n) = parts.iter().find(|&&n| spacing / n as f64 >= CLOSEST) else { return Vec::new() };
    let inner = |k: i64| (1..n).map(move |j| steps.value(k) + step * j as f64 / n as f64);
    (steps.first - 1..=steps.last).flat_map(inner).filter(|&v| lo <= v && v <= hi).collect()
}

fn logarithmic(lo: f64, hi: f64, n: usize, length: f64) -> Ticks {
    let (a, b) = (libm::log10(lo), libm::log10(hi));
    let (first, last) = ((a - ROUNDING).ceil() as i32, (b + ROUNDING).floor() as i32);
    let inside = |v: f64| lo <= v && v <= hi;
    let multiples =
        |digits: &'static [i32]| (first - 1..=last).flat_map(move |e| digits.iter().map(move |&m| (m, e)));
    let between: Vec<f64> = multiples(&[2, 3, 4, 5, 6, 7, 8, 9])
        .map(|(m, e)| f64::from(m) * power(e))
        .filter(|&v| inside(v))
        .collect();

    let few: Vec<(i32, i32)> =
        multiples(&[1, 2, 5]).filter(|&(m, e)| inside(f64::from(m) * power(e))).collect();
    let is_short = |&(_, e): &(i32, i32)| (-3..=3).contains(&e);
    let reads_well = few.len() <= n && last - first < 2 && few.iter().all(is_short);
    if last > first && !reads_well {
        let count = last - first + 1;
        let strides = [1, 2, 3, 5, 10, 20, 50, 100, 200, 500];
        let stride = strides.into_iter().find(|s| (count + s - 1) / s <= n.max(2) as i32).unwrap_or(1000);
        let is_labelled = |e: &i32| e.rem_euclid(stride) == 0;
        let major: Vec<i32> = (first..=last).filter(is_labelled).collect();
        let minor = if stride > 1 {
            (first..=last).filter(|e| !is_labelled(e)).map(power).collect()
        } else if length / (b - a) >= 9.0 {
            between
        } else {
            Vec::new()
        };
        let labels = major.iter().map(|&e| ten_to(e)).collect();
        return Ticks { major: major.into_iter().map(power).collect(), labels, minor, ..Ticks::default() };
    }
    let few: Vec<_> = few.into_iter().take(n.max(2)).collect();
    if few.len() > 1 {
        let major: Vec<f64> = few.iter().map(|&(m, e)| f64::from(m) * power(e)).collect();
        let labels = few.into_iter().map(|(m, e)| multiple(m, e)).collect();
        let minor = between.into_iter().filter(|v| !major.contains(v)).collect();
        return Ticks { major, labels, minor, ..Ticks::default() };
    }
    linear(Steps::new(lo, hi, n), [lo, hi], length)
}

/// 10ⁿ with a raised exponent; 1 and 10 as they are.
pub(crate) fn ten_to(e: i32) -> Rich {
    let mut rich = Rich::plain(if e == 0 { "1" } else { "10" });
    if e != 0 && e != 1 {
        rich.push(&decimal(i64::from(e), 0), false, Script::Super);
    }
    rich
}

/// m·10^e as a decimal where it is short, otherwise with a power of ten.
fn multiple(m: i32, e: i32) -> Rich {
    if (-3..=3).contains(&e) {
        return Rich::plain(shortest(i64::from(m), e));
    }
    if m == 1 {
        return ten_to(e);
    }
    let mut rich = Rich::plain(format!("{m}\u{2009}×\u{2009}"));
    rich.append(&ten_to(e));
    rich
}

/// n·10^e with as many decimals as e says, groups of three digits from five digits on.
fn decimal(n: i64, e: i32) -> String {
    let places = (-e).max(0) as usize;
    let mut digits = n.unsigned_abs().to_string();
    if n != 0 {
        digits += &"0".repeat(e.max(0) as usize);
    }
    if digits.len() <= places {
        digits = "0".repeat(places + 1 - digits.len()) + &digits;
    }
    let (whole, part) = digits.split_at(digits.len() - places);
    let sign = if n < 0 { MINUS } else { "" };
    let part = if part.is_empty() { String::new() } else { format!(".{part}") };
    format!("{sign}{}{part}", grouped(whole))
}

/// n·10^e without zeros at the end of its decimals.
fn shortest(mut n: i64, mut e: i32) -> String {
    while e < 0 && n % 10 == 0 && n != 0 {
        n /= 10;
        e += 1;
    }
    decimal(n, e)
}

/// Thin spaces between groups of three digits.
fn grouped(whole: &str) -> String {
    if whole.len() < 5 {
        return whole.to_string();
    }
    let mut s = String::new();
    for (i, c) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            s.push('\u{2009}');
        }
        s.push(c);
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(rich: &Rich) -> String {
        rich.runs
            .iter()
            .map(|r| if r.script == Script::Super { format!("^{}", r.text) } else { r.text.clone() })
            .collect()
    }

    fn labels(lo: f64, hi: f64, n: usize) -> Vec<String> {
        ticks([lo, hi], Scale::Linear, n, 100.0).labels.iter().map(text).collect()
    }

    /// Ranges over many decades, on both sides of zero.
    fn ranges() -> impl Iterator<Item = [f64; 2]> {
        (-30..30).flat_map(|e| {
            let size = power(e) * 1.37;
            [[0.0, 1.0], [-1.0, 1.0], [-0.3, 0.1], [2.0, 3.1], [-9.1, -8.7], [100.0, 101.3], [1e5, 1e5 + 1.0]]
                .map(|[a, b]| [a * size, b * size])
        })
    }

    #[test]
    fn linear_ticks_are_125_steps_that_cover_the_range_with_at_most_n_labels() {
        for [lo, hi] in ranges() {
            for n in 2..12 {
                let t = ticks([lo, hi], Scale::Linear, n, 100.0);
                assert!(t.major.len() <= n && t.major.len() == t.labels.len(), "{lo} {hi} {n}: {t:?}");
                let steps = Steps::new(lo, hi, n);
                let step = steps.value(1);
                assert!([1, 2, 5].contains(&steps.m));
                assert!(
                    steps.value(steps.first - 1) < lo && steps.value(steps.last + 1) > hi,
                    "{lo} {hi} {n}"
                );
                assert!(t.major.iter().all(|&v| lo - 1e-8 * step <= v && v <= hi + 1e-8 * step));
                // the next finer step would have more than n labels
                let finer = step / if steps.m == 5 { 2.5 } else { 2.0 };
                let count = (hi / finer + ROUNDING).floor() - (lo / finer - ROUNDING).ceil() + 1.0;
                assert!(count > n as f64, "{lo} {hi} {n}: {step} could be {finer}");
            }
        }
    }

    #[test]
    fn a_label_with_power_and_offset_is_the_value() {
        for [lo, hi] in ranges() {
            let t = ticks([lo, hi], Scale::Linear, 6, 100.0);
            let parse = |s: &str| s.replace(MINUS, "-").replace('\u{2009}', "").parse::<f64>().unwrap();
            let offset = if t.offset.is_empty() { 0.0 } else { parse(&t.offset) };
            for (v, label) in t.major.iter().zip(&t.labels) {
                let read = offset + parse(&text(label)) * power(t.exponent);
                assert!(
                    (read - v).abs() <= 1e-9 * (hi - lo),
                    "{label:?} × 10^{} + {offset} for {v}",
                    t.exponent
                );
                assert!(text(label) != "−0" && text(label).chars().count() <= 8, "{label:?}");
            }
        }
    }

    #[test]
    fn labels_read_as_a_person_would_write_them() {
        assert_eq!(labels(113.0, 126.0, 4), ["115", "120", "125"]);
        assert_eq!(labels(-21.0, 21.0, 5), ["−20", "−10", "0", "10", "20"]);
        assert_eq!(labels(-0.0105, 0.0105, 5), ["−0.010", "−0.005", "0", "0.005", "0.010"]);
        assert_eq!(labels(0.0, 30000.0, 4), ["0", "10\u{2009}000", "20\u{2009}000", "30\u{2009}000"]);
        assert_eq!(ticks([0.0, 2e-12], Scale::Linear, 4, 100.0).exponent, -12);
        assert_eq!(
            ticks([1e9, 1e9 + 4.0], Scale::Linear, 5, 100.0).offset,
            "1\u{2009}000\u{2009}000\u{2009}000"
        );
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten_or_short_multiples() {
        let log =
            |lo, hi, n| ticks([lo, hi], Scale::Log, n, 100.0).labels.iter().map(text).collect::<Vec<_>>();
        assert_eq!(log(1e-3, 1e2, 8), ["10^−3", "10^−2", "10^−1", "1", "10", "10^2"]);
        assert_eq!(log(1e-12, 1.0, 5), ["10^−12", "10^−9", "10^−6", "10^−3", "1"]);
        assert_eq!(log(0.15, 0.8, 5), ["0.2", "0.5"]);
        assert_eq!(log(2.1, 4.2, 5), ["2.5", "3.0", "3.5", "4.0"]);
        for (lo, hi) in [(1e-300, 1e300), (1.0, 1.001), (3e-7, 8e-7), (0.9, 11.0), (5.0, 5e5)] {
            for n in 2..10 {
                let t = ticks([lo, hi], Scale::Log, n, 100.0);
                assert!(!t.major.is_empty() && t.major.len() <= n, "{lo} {hi} {n}: {t:?}");
                assert!(t.major.iter().chain(&t.minor).all(|v| (lo * 0.999..=hi * 1.001).contains(v)));
            }
        }
    }
}
