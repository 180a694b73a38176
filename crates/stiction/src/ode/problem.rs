//! Problem definition of the integrators, and their work counts.

/// A right-hand side ẏ = f(t, y) that is smooth between its events.
///
/// `&mut self` is for scratch space only: equal arguments give equal results, and nothing allocates.
pub trait Ode {
    /// Number of components of y.
    fn n(&self) -> usize;

    /// How many of the last components do not feed back into f (work integrals).
    ///
    /// They are integrated along, but stand outside the error norm and outside the implicit equations.
    fn n_passive(&self) -> usize {
        0
    }

    /// Writes f(t, y) into `dy`.
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]);

    /// Writes ∂f/∂y of the active components, row after row.
    fn jacobian(&mut self, t: f64, y: &[f64], jac: &mut [f64]);

    /// Writes a typical size of each component, from below; what is left infinite has none that is known.
    fn sizes(&self, _out: &mut [f64]) {}

    /// Number of guards.
    fn n_guards(&self) -> usize {
        0
    }

    /// Writes the guards: smooth functions whose sign change is an event, a kink of f.
    ///
    /// At a kink f is continuous and its derivative jumps, unless [`Ode::land`] decides otherwise.
    fn guards(&mut self, _t: f64, _y: &[f64], _out: &mut [f64]) {}

    /// Whether guard `k` is positive until its event, also where it starts on zero; others may leave zero to
    /// either side.
    fn is_one_sided(&self, _k: usize) -> bool {
        false
    }

    /// Whether a guard may vanish in a step of length `h` with these states and derivatives at its ends, by a
    /// cheap and cautious test.
    fn may_vanish(&self, _h: f64, _start: [&[f64]; 2], _end: [&[f64]; 2]) -> bool {
        true
    }

    /// Decides how the problem goes on from (t, y), where the guards `on` vanish; how it starts without them.
    /// Components of y that an event determines may be set to their exact values. Returns whether f or the guards
    /// change here, once [`Ode::go_on`] is called.
    fn land(&mut self, _t: f64, _y: &mut [f64], _on: Option<&[usize]>) -> bool {
        false
    }

    /// Whether the last landing changed y by more than round-off, as an impact does.
    fn has_jumped(&self) -> bool {
        false
    }

    /// Goes on as the last landing decided.
    fn go_on(&mut self) {}

    /// The shortest step that may be needed, where it is shorter than the spacing of times: the state moves
    /// while the time stands still, as in a sudden stop.
    fn shortest_step(&self) -> Option<f64> {
        None
    }

    /// The longest step in which sign changes of guards are found (s).
    ///
    /// Guards are sampled a few times per step. Those that depend on t by themselves may change their sign twice
    /// while y is constant.
    fn longest_step(&self) -> f64 {
        f64::INFINITY
    }

    /// Whether explicit steps are never held down by stiffness, so that implicit ones need not be tried.
    fn is_never_stiff(&self) -> bool {
        false
    }

    /// Estimate of the largest modulus of an eigenvalue of the Jacobian; cheap (1/s).
    fn stiffness(&mut self, t: f64, y: &[f64]) -> f64;
}

/// What an integration has cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Work {
    /// Accepted steps.
    pub steps: u64,
    /// Accepted steps of the implicit method.
    pub implicit_steps: u64,
    /// Attempts thrown away because of their error, or because Newton's iteration did not converge.
    pub rejected: u64,
    /// Attempts repeated with another length to end on a kink.
    pub repeated: u64,
    /// Steps that end on a kink.
    pub kinks: u64,
    /// Evaluations of the right-hand side.
    pub evaluations: u64,
    /// Evaluations of the Jacobian.
    pub jacobians: u64,
    /// Pairs of real and complex factorisations.
    pub factorisations: u64,
}

impl Work {
    /// The work of two parts of a run.
    pub(super) fn plus(self, later: Self) -> Self {
        Self {
            steps: self.steps + later.steps,
            implicit_steps: self.implicit_steps + later.implicit_steps,
            rejected: self.rejected + later.rejected,
            repeated: self.repeated + later.repeated,
            kinks: self.kinks + later.kinks,
            evaluations: self.evaluations + later.evaluations,
            jacobians: self.jacobians + later.jacobians,
            factorisations: self.factorisations + later.factorisations,
        }
    }

    /// Names and numbers of all counts.
    pub fn counts(&self) -> [(&'static str, u64); 8] {
        [
            ("steps", self.steps),
            ("implicit_steps", self.implicit_steps),
            ("rejected", self.rejected),
            ("repeated", self.repeated),
            ("kinks", self.kinks),
            ("evaluations", self.evaluations),
            ("jacobians", self.jacobians),
            ("factorisations", self.factorisations),
        ]
    }
}
