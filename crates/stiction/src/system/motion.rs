//! The motion of a system at one instant.

/// Everything that moves at one instant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// Time (s).
    pub t: f64,
    /// Positions (m).
    pub position: Vec<f64>,
    /// Velocities (m/s).
    pub velocity: Vec<f64>,
    /// Accelerations (m/s²).
    pub acceleration: Vec<f64>,
    /// Sliding velocity of each contact (m/s).
    pub sliding: Vec<f64>,
    /// Friction force H of each contact (N).
    pub friction: Vec<f64>,
    /// Slope dH/dv of each contact (N s/m).
    pub slope: Vec<f64>,
    /// States of the laws with memory, then of feedback; as many as there is room for.
    pub states: Vec<f64>,
}

impl Motion {
    /// A motion of `n` degrees of freedom with `m` contacts, all zero.
    pub fn zero(n: usize, m: usize) -> Self {
        Self {
            t: 0.0,
            position: vec![0.0; n],
            velocity: vec![0.0; n],
            acceleration: vec![0.0; n],
            sliding: vec![0.0; m],
            friction: vec![0.0; m],
            slope: vec![0.0; m],
            states: Vec::new(),
        }
    }

    /// The same with room for `n_states` states of laws and feedback.
    pub fn with_states(self, n_states: usize) -> Self {
        Self { states: vec![0.0; n_states], ..self }
    }

    /// Takes over another motion of the same size, without allocating.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.t = other.t;
        self.position.copy_from_slice(&other.position);
        self.velocity.copy_from_slice(&other.velocity);
        self.acceleration.copy_from_slice(&other.acceleration);
        self.sliding.copy_from_slice(&other.sliding);
        self.friction.copy_from_slice(&other.friction);
        self.slope.copy_from_slice(&other.slope);
        self.states.iter_mut().zip(&other.states).for_each(|(own, other)| *own = *other);
    }
}
