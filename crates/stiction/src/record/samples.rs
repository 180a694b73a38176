//! The motion at chosen times.

use crate::system::Motion;

/// The motion at the sample times, a column for each quantity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// Times (s).
    pub t: Vec<f64>,
    /// Positions, a column for each degree of freedom (m).
    pub position: Vec<Vec<f64>>,
    /// Velocities (m/s).
    pub velocity: Vec<Vec<f64>>,
    /// Accelerations (m/s²).
    pub acceleration: Vec<Vec<f64>>,
    /// Sliding velocity of each contact (m/s).
    pub sliding: Vec<Vec<f64>>,
    /// Friction force of each contact (N).
    pub friction: Vec<Vec<f64>>,
    /// Slope dH/dv of each contact (N s/m).
    pub slope: Vec<Vec<f64>>,
    /// Internal states of the laws, contact after contact, then states of feedback; none of instants.
    pub states: Vec<Vec<f64>>,
}

impl Samples {
    /// Of a motion of `n` degrees of freedom with `m` contacts, with room for `capacity` rows.
    pub fn new(n: usize, m: usize, capacity: usize) -> Self {
        let columns = |k: usize| (0..k).map(|_| Vec::with_capacity(capacity)).collect();
        Self {
            t: Vec::with_capacity(capacity),
            position: columns(n),
            velocity: columns(n),
            acceleration: columns(n),
            sliding: columns(m),
            friction: columns(m),
            slope: columns(m),
            states: Vec::new(),
        }
    }

    /// The same with columns for `n_states` states of laws and feedback.
    pub fn with_states(self, n_states: usize) -> Self {
        let capacity = self.t.capacity();
        Self { states: (0..n_states).map(|_| Vec::with_capacity(capacity)).collect(), ..self }
    }

    /// Adds a row.
    pub fn push(&mut self, motion: &Motion) {
        let push = |columns: &mut [Vec<f64>], values: &[f64]| {
            columns.iter_mut().zip(values).for_each(|(column, value)| column.push(*value));
        };
        self.t.push(motion.t);
        push(&mut self.position, &motion.position);
        push(&mut self.velocity, &motion.velocity);
        push(&mut self.acceleration, &motion.acceleration);
        push(&mut self.sliding, &motion.sliding);
        push(&mut self.friction, &motion.friction);
        push(&mut self.slope, &motion.slope);
        push(&mut self.states, &motion.states);
    }

    /// Row `i` as a motion.
    pub(crate) fn row(&self, i: usize, motion: &mut Motion) {
        motion.t = self.t[i];
        for (columns, values) in [
            (&self.position, &mut motion.position),
            (&self.velocity, &mut motion.velocity),
            (&self.acceleration, &mut motion.acceleration),
            (&self.sliding, &mut motion.sliding),
            (&self.friction, &mut motion.friction),
            (&self.slope, &mut motion.slope),
            (&self.states, &mut motion.states),
        ] {
            values.iter_mut().zip(columns).for_each(|(value, column)| *value = column[i]);
        }
    }
}

/// Numbers in a row of [`numbers`].
pub(crate) fn width(n: usize, m: usize) -> usize {
    1 + 3 * n + 3 * m
}

/// All numbers of a motion but its states.
pub(crate) fn numbers(motion: &Motion) -> impl Iterator<Item = f64> {
    let Motion { t, position, velocity, acceleration, sliding, friction, slope, states: _ } = motion;
    let columns = [position, velocity, acceleration, sliding, friction, slope];
    std::iter::once(*t).chain(columns.into_iter().flatten().copied())
}
