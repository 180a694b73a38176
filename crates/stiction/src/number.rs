//! Numbers in messages.

use std::fmt;

/// A number in full precision and in at most some twenty characters: very large and very small ones as powers
/// of ten. A precision is the number of significant digits.
///
/// ```
/// use stiction::ShortNumber;
///
/// assert_eq!(ShortNumber(0.25).to_string(), "0.25");
/// assert_eq!(ShortNumber(1e300).to_string(), "1e300");
/// assert_eq!(format!("{:.4}", ShortNumber(684.28571)), "684.3");
/// assert_eq!(format!("{:.4}", ShortNumber(1.23456e-9)), "1.235e-9");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ShortNumber(pub f64);

impl fmt::Display for ShortNumber {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let rounded = |digits: usize| format!("{:.*e}", digits.saturating_sub(1), self.0).parse().ok();
        let x = f.precision().and_then(rounded).unwrap_or(self.0);
        if x == 0.0 || !x.is_finite() || (1e-5..1e16).contains(&x.abs()) {
            write!(f, "{x}")
        } else {
            write!(f, "{x:e}")
        }
    }
}

/// As a power of ten.
impl fmt::LowerExp for ShortNumber {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::LowerExp::fmt(&self.0, f)
    }
}
