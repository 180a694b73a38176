//! Internal states of laws with memory.

/// Which internal states a law has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum States {
    /// None: friction follows from velocity and demand.
    None,
    /// The deflections of so many springs (m).
    Deflections(usize),
    /// The deflections of so many springs, then the directions in which their sliders slip: −1, 0 or 1.
    LaggedSliders(usize),
    /// One state of another kind.
    One {
        /// The name, as in a recorded column.
        name: &'static str,
        /// The unit.
        unit: &'static str,
        /// Whether it is unchanged in the mirror image of a motion, in which velocities and forces change their signs.
        is_even: bool,
    },
}

impl States {
    /// Their number.
    #[inline]
    pub fn n(self) -> usize {
        match self {
            Self::None => 0,
            Self::Deflections(n) => n,
            Self::LaggedSliders(n) => 2 * n,
            Self::One { .. } => 1,
        }
    }

    /// Their names and units.
    pub fn names(self) -> Vec<StateName> {
        let all = |of: &str, unit: &'static str, n: usize| -> Vec<StateName> {
            let name = |k: usize| if n == 1 { of.to_owned() } else { format!("{of}_{}", k + 1) };
            (0..n).map(|k| StateName { name: name(k), unit, is_even: false }).collect()
        };
        match self {
            Self::None => Vec::new(),
            Self::Deflections(n) => all("deflection", "m", n),
            Self::LaggedSliders(n) => [all("deflection", "m", n), all("slips", "-", n)].concat(),
            Self::One { name, unit, is_even } => vec![StateName { name: name.to_owned(), unit, is_even }],
        }
    }
}

/// Name and unit of an internal state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateName {
    /// The name, as in a recorded column.
    pub name: String,
    /// The unit.
    pub unit: &'static str,
    /// Whether it stays as it is in the mirror image of a motion, in which velocities and forces change their signs.
    pub is_even: bool,
}

/// Derivatives of a law with memory by its internal states.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateSlopes {
    /// `∂φ/∂zₖ`.
    pub coefficient: Vec<f64>,
    /// `∂żₖ/∂v`.
    pub dot_v: Vec<f64>,
    /// `∂żₖ/∂zⱼ`, row after row (1/s).
    pub dot_z: Vec<f64>,
}

impl StateSlopes {
    /// Room for the derivatives of a law with `n` internal states.
    pub fn new(n: usize) -> Self {
        Self { coefficient: vec![0.0; n], dot_v: vec![0.0; n], dot_z: vec![0.0; n * n] }
    }
}
