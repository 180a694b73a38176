//! A piece of a graph as an elementary function of the sliding velocity, so that a motion along it has a power series.
//!
//! ```text
//!   φ(v) = level + size g(rate (v − centre))      g = 0, identity, sine or hyperbolic tangent
//! ```

/// A piece of a graph between two of its breakpoints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphPiece {
    /// The function g.
    pub shape: PieceShape,
    /// Coefficient where g vanishes (-).
    pub level: f64,
    /// Factor of g (-).
    pub size: f64,
    /// Velocity where the argument of g vanishes (m/s).
    pub centre: f64,
    /// Argument of g per velocity (s/m).
    pub rate: f64,
}

/// The elementary functions that pieces of graphs are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceShape {
    /// Nothing: the coefficient is constant.
    Flat,
    /// A straight line.
    Line,
    /// A sine.
    Sine,
    /// A hyperbolic tangent.
    Tanh,
}

impl GraphPiece {
    /// A constant coefficient.
    pub fn flat(level: f64) -> Self {
        Self { shape: PieceShape::Flat, level, size: 0.0, centre: 0.0, rate: 0.0 }
    }
}
