//! What can go wrong on the way to pixels.

use std::fmt;

/// A fact about a picture that cannot be made.
#[derive(Clone, Debug, PartialEq)]
pub enum FigureError {
    /// The resolution must be positive and finite (dpi).
    Resolution(f64),
    /// The picture would be larger than the largest that is drawn.
    Pixels {
        /// Pixels in width.
        width: f64,
        /// Pixels in height.
        height: f64,
        /// The largest product of both.
        limit: f64,
    },
    /// The renderer refused the vector picture.
    Vector(String),
    /// The pixels could not be encoded.
    Encoding(String),
}

impl fmt::Display for FigureError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Resolution(dpi) => write!(f, "resolution is {dpi} dpi, but it must be positive and finite"),
            Self::Pixels { width, height, limit } => {
                write!(f, "picture has {width} × {height} pixels, but at most {limit} are drawn")
            }
            Self::Vector(why) => write!(f, "vector picture is not drawn: {why}"),
            Self::Encoding(why) => write!(f, "pixels are not encoded: {why}"),
        }
    }
}

impl std::error::Error for FigureError {}
