//! Long runs: when to say how long they will take, and in which words.

use std::time::Duration;

/// After this time a run says how long it will take, and what to write instead; where no terminal shows a bar
/// it is said again whenever the time has doubled.
pub const FIRST_LINE: Duration = Duration::from_secs(8);
/// Work that takes less than this needs no advice (s).
const LONG: f64 = 60.0;

/// Whether what is left will take long, at the pace so far.
pub fn is_long(fraction: f64, elapsed: Duration) -> bool {
    elapsed.as_secs_f64() * (1.0 - fraction) >= LONG * fraction
}

/// What is done, and an estimate of what is left.
pub fn so_far(fraction: f64, elapsed: Duration) -> String {
    let left = elapsed.as_secs_f64() * (1.0 - fraction) / fraction;
    let left = if left.is_finite() { format!(", about {} left", span(left)) } else { String::new() };
    let percent = 100.0 * fraction;
    let percent = match percent {
        x if x > 0.0 && x < 0.01 => "less than 0.01".to_owned(),
        x if x > 0.0 && x < 1.0 => format!("{x:.2}"),
        x => format!("{x:.0}"),
    };
    format!("{percent} % done after {}{left}", span(elapsed.as_secs_f64()))
}

/// A time in the unit that suits it.
pub fn span(seconds: f64) -> String {
    const UNITS: [(f64, &str); 4] =
        [(86_400.0 * 365.25, "years"), (86_400.0, "days"), (3600.0, "h"), (60.0, "min")];
    match UNITS.iter().find(|(unit, _)| seconds >= 2.0 * unit) {
        Some((unit, name)) if seconds / unit >= 1e6 => format!("{:.0e} {name}", seconds / unit),
        Some((unit, name)) => format!("{:.0} {name}", seconds / unit),
        None if seconds >= 10.0 => format!("{seconds:.0} s"),
        None => format!("{seconds:.1} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_has_a_unit_that_suits_it() {
        assert_eq!(so_far(0.25, Duration::from_secs(30)), "25 % done after 30 s, about 90 s left");
        assert_eq!(so_far(0.0, Duration::from_secs(3)), "0 % done after 3.0 s");
        assert_eq!(
            so_far(1e-9, Duration::from_secs(10)),
            "less than 0.01 % done after 10 s, about 317 years left"
        );
        assert_eq!(so_far(0.0067, Duration::from_secs(10)), "0.67 % done after 10 s, about 25 min left");
        assert_eq!(span(7300.0), "2 h");
    }
}
