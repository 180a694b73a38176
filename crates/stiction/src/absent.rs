//! Values of numbers that a scenario leaves out.

pub(crate) fn one() -> f64 {
    1.0
}

pub(crate) fn half() -> f64 {
    0.5
}

pub(crate) fn ten() -> f64 {
    10.0
}
