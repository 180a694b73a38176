//! Controllers and state spaces, as one feedback with thresholds.

use super::Resolve;
use super::directions::{Degrees, member_key};
use crate::budget::MAX_LOADS;
use crate::scenario::{ControlTable, OneOrMany, StateSpaceTable};
use stiction::system::{Feedback, Threshold};

impl Resolve<'_> {
    /// Controllers, then state spaces, as one feedback.
    pub(super) fn feedback(
        &mut self,
        prefix: &str,
        degrees: &Degrees,
        controls: &OneOrMany<ControlTable>,
        spaces: &OneOrMany<StateSpaceTable>,
    ) -> Option<(Feedback, Vec<Threshold>)> {
        let n = degrees.n;
        let mut thresholds = Vec::new();
        let n_own: usize = (controls.iter())
            .map(|control| usize::from(control.ki != 0.0) + usize::from(control.filter.is_some()))
            .sum();
        let n_states = n_own + spaces.iter().map(|space| space.a.len()).sum::<usize>();
        let n_inputs = controls.len() + spaces.iter().map(|space| space.reference.len()).sum::<usize>();
        if n_states.max(n_inputs) > MAX_LOADS {
            let message =
                format!("{n_states} states and {n_inputs} references, but at most {MAX_LOADS} are allowed");
            self.fault(&format!("{prefix}.state_space"), message, None);
            return None;
        }
        let mut feedback = Feedback::none(n, n_states, n_inputs);
        let mut state = 0;
        for (i, control) in controls.iter().enumerate() {
            let key = member_key(prefix, "control", controls, i);
            let w = self.controlled(&key, degrees, control)?;
            let reference = control.reference.clone().unwrap_or_default().table();
            feedback.inputs[i] = self.signal(&format!("{key}.reference"), &reference)?;
            let own = ControllerStates::of(control, state);
            add_controller(control, i, &own, &w, &mut feedback);
            if let Some(limit) = control.limit {
                let beyond = |sign| exceeded(control, limit, (i, &own), (&w, sign), &feedback);
                thresholds.extend([1.0, -1.0].map(beyond));
            }
            state += own.n();
        }
        let (mut state, mut input) = (n_own, controls.len());
        for (i, space) in spaces.iter().enumerate() {
            let key = member_key(prefix, "state_space", spaces, i);
            self.state_space(&key, n, space, [state, input], &mut feedback)?;
            state += space.a.len();
            input += space.reference.len();
        }
        Some((feedback, thresholds))
    }

    /// The direction of a controller, if nothing is wrong with its numbers.
    fn controlled(&mut self, key: &str, degrees: &Degrees, control: &ControlTable) -> Option<Vec<f64>> {
        let mut directions = self.directions(key, degrees, &control.on);
        if directions.len() != 1 {
            self.fault(&format!("{key}.node"), "a controller acts on one node", None);
        }
        let w = directions.pop()?;
        let is_sound = self.check(key, |faults| {
            faults.finite("kp", control.kp);
            faults.finite("ki", control.ki);
            faults.finite("kd", control.kd);
            faults.finite("integral", control.integral);
            let times = [("filter", control.filter), ("anti_windup", control.anti_windup)];
            for (key, value) in times.into_iter().chain([("limit", control.limit)]) {
                if let Some(value) = value {
                    faults.positive(key, value);
                }
            }
        });
        if control.anti_windup.is_some() && (control.limit.is_none() || control.ki == 0.0) {
            let missing = if control.limit.is_none() { "limit" } else { "ki" };
            let message = format!("given without {missing}, which it needs");
            self.fault(&format!("{key}.anti_windup"), message, None);
            return None;
        }
        (is_sound && w.len() == degrees.n).then_some(w)
    }

    /// Puts a state space into its place of a feedback, from this state and this input on.
    fn state_space(
        &mut self,
        key: &str,
        n: usize,
        space: &StateSpaceTable,
        [state, input]: [usize; 2],
        feedback: &mut Feedback,
    ) -> Option<()> {
        let (p, r) = (space.a.len(), space.reference.len());
        let before = self.found.len();
        for (j, reference) in space.reference.iter().enumerate() {
            let key = member_key(key, "reference", &space.reference, j);
            if let Some(signal) = self.signal(&key, &reference.table()) {
                feedback.inputs[input + j] = signal;
            }
        }
        if !space.initial.is_empty() && space.initial.len() != p {
            let message = format!("{} numbers, but A has {p} rows", space.initial.len());
            self.fault(&format!("{key}.initial"), message, None);
        }
        if space.initial.iter().any(|x| !x.is_finite()) {
            self.fault(&format!("{key}.initial"), "not finite", None);
        }
        // name, rows as written, rows and columns that fit, and where they go
        let Feedback { a, b_position, b_velocity, b_input, f_position, f_velocity, f_state, f_input, .. } =
            feedback;
        let blocks = [
            ("a", &space.a, [p, p], a, [state, state]),
            ("b_position", &space.b_position, [p, n], b_position, [state, 0]),
            ("b_velocity", &space.b_velocity, [p, n], b_velocity, [state, 0]),
            ("b_reference", &space.b_reference, [p, r], b_input, [state, input]),
            ("f_state", &space.f_state, [n, p], f_state, [0, state]),
            ("f_position", &space.f_position, [n, n], f_position, [0, 0]),
            ("f_velocity", &space.f_velocity, [n, n], f_velocity, [0, 0]),
            ("f_reference", &space.f_reference, [n, r], f_input, [0, input]),
        ];
        for (name, rows, [n_rows, n_columns], into, [first_row, first_column]) in blocks {
            if rows.is_empty() {
                continue;
            }
            if rows.len() != n_rows || rows.iter().any(|row| row.len() != n_columns) {
                let message = format!("there must be {n_rows} rows of {n_columns} numbers");
                self.fault(&format!("{key}.{name}"), message, None);
                continue;
            }
            if rows.iter().flatten().any(|x| !x.is_finite()) {
                self.fault(&format!("{key}.{name}"), "not finite", None);
                continue;
            }
            for (i, row) in rows.iter().enumerate() {
                for (j, x) in row.iter().enumerate() {
                    *into.at_mut(first_row + i, first_column + j) += x;
                }
            }
        }
        if self.found.len() > before {
            return None;
        }
        feedback.initial[state..state + p].iter_mut().zip(&space.initial).for_each(|(own, x)| *own = *x);
        Some(())
    }
}

/// Where the states of a controller are among all.
struct ControllerStates {
    /// The integral of the deviation.
    integral: Option<usize>,
    /// The filtered rate.
    filter: Option<usize>,
}

impl ControllerStates {
    /// The states of a controller, from number `first` on.
    fn of(control: &ControlTable, first: usize) -> Self {
        let integral = (control.ki != 0.0).then_some(first);
        Self { integral, filter: control.filter.map(|_| first + usize::from(integral.is_some())) }
    }

    fn n(&self) -> usize {
        self.integral.iter().chain(&self.filter).count()
    }
}

/// Adds controller `i`, along w, without its limit.
fn add_controller(
    control: &ControlTable,
    i: usize,
    states: &ControllerStates,
    w: &[f64],
    feedback: &mut Feedback,
) {
    for (a, w_a) in w.iter().enumerate() {
        for (b, w_b) in w.iter().enumerate() {
            *feedback.f_position.at_mut(a, b) -= control.kp * w_a * w_b;
            if control.filter.is_none() {
                *feedback.f_velocity.at_mut(a, b) -= control.kd * w_a * w_b;
            }
        }
        *feedback.f_input.at_mut(a, i) += control.kp * w_a;
    }
    if let Some(state) = states.integral {
        for (a, w) in w.iter().enumerate() {
            *feedback.b_position.at_mut(state, a) -= w;
            *feedback.f_state.at_mut(a, state) += control.ki * w;
        }
        *feedback.b_input.at_mut(state, i) = 1.0;
        feedback.initial[state] = control.integral;
    }
    if let (Some(state), Some(filter)) = (states.filter, control.filter) {
        // T ẋ = w·q̇ − x, and the derivative gain acts on x
        *feedback.a.at_mut(state, state) = -1.0 / filter;
        for (a, w) in w.iter().enumerate() {
            *feedback.b_velocity.at_mut(state, a) = w / filter;
            *feedback.f_state.at_mut(a, state) -= control.kd * w;
        }
    }
}

/// What the force of controller `i`, along w, exceeds its limit by in a direction: it is taken back, and
/// ki T d(∫e dt)/dt += limited − wanted (@astrom2006).
fn exceeded(
    control: &ControlTable,
    limit: f64,
    (i, states): (usize, &ControllerStates),
    (w, sign): (&[f64], f64),
    feedback: &Feedback,
) -> Threshold {
    let along = |factor: f64| w.iter().map(|w| -sign * factor * w).collect::<Vec<f64>>();
    let mut by_input = vec![0.0; feedback.inputs.len()];
    by_input[i] = sign * control.kp;
    let mut by_state = vec![0.0; feedback.initial.len()];
    let mut rate = by_state.clone();
    if let Some(state) = states.integral {
        by_state[state] = sign * control.ki;
        if let Some(time) = control.anti_windup {
            rate[state] = -sign / (control.ki * time);
        }
    }
    if let Some(state) = states.filter {
        by_state[state] = -sign * control.kd;
    }
    Threshold {
        by_position: along(control.kp),
        by_velocity: if states.filter.is_none() { along(control.kd) } else { vec![0.0; w.len()] },
        by_state,
        by_input,
        at: limit,
        force: along(1.0),
        rate,
    }
}
