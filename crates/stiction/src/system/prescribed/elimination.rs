//! The system of the degrees of freedom that are left free.

use super::{PrescribedFault, PrescribedMotion};
use crate::math::dense::Matrix;
use crate::system::signal::{Signal, Wave};
use crate::system::{Feedback, ForceElements, Harmonic, SignalLoad, System, Threshold, VaryingContact};

/// The entries of the free degrees of freedom; that of the auxiliary mass if there are none.
pub(super) fn of_free(free: &[usize], all: &[f64]) -> Vec<f64> {
    if free.is_empty() { vec![0.0] } else { free.iter().map(|i| all[*i]).collect() }
}

/// A system, and the motions that are prescribed in it.
pub(super) struct Elimination<'a> {
    pub whole: &'a System,
    pub motions: &'a [PrescribedMotion],
    pub free: &'a [usize],
}

impl Elimination<'_> {
    fn kept(&self, all: &[f64]) -> Vec<f64> {
        of_free(self.free, all)
    }

    /// The system of the free degrees of freedom.
    pub fn system(&self) -> Result<System, PrescribedFault> {
        let Self { whole, motions, free } = self;
        self.check_stops()?;
        let block = |matrix: &Matrix, auxiliary: f64| match free.is_empty() {
            true => Matrix::diagonal(&[auxiliary]),
            false => matrix.block(free, free),
        };
        let load = |h: &Harmonic| Harmonic { amplitude: self.kept(&h.amplitude), ..h.clone() };
        let mut system = System {
            mass: block(&whole.mass, 1.0),
            damping: block(&whole.damping, 0.0),
            stiffness: block(&whole.stiffness, 0.0),
            contacts: whole.contacts.clone(),
            constant: self.kept(&whole.constant),
            harmonics: whole.harmonics.iter().map(load).collect(),
            position: self.kept(&whole.position),
            velocity: self.kept(&whole.velocity),
            elements: whole.elements.clone(),
        };
        // n·q = n_f·f + n_p·p: a stop moves by −n_p·p, the end of a spring by n_p·p
        let moved = |sign: f64, direction: &mut Vec<f64>, moves: &mut Signal| {
            motions.iter().for_each(|motion| moves.add(sign * direction[motion.dof], &motion.position));
            *direction = self.kept(direction);
        };
        let ForceElements { loads, stops, elastic, curved, .. } = &mut system.elements;
        loads.iter_mut().for_each(|load| load.direction = self.kept(&load.direction));
        stops.iter_mut().for_each(|stop| moved(-1.0, &mut stop.direction, &mut stop.moves));
        elastic.iter_mut().for_each(|stop| moved(-1.0, &mut stop.direction, &mut stop.moves));
        curved.iter_mut().for_each(|spring| moved(1.0, &mut spring.direction, &mut spring.moves));
        for (k, motion) in motions.iter().enumerate() {
            self.add_loads(k, motion, &mut system)?;
        }
        self.move_contacts(&mut system)?;
        self.control(&mut system)?;
        Ok(system)
    }

    fn check_stops(&self) -> Result<(), PrescribedFault> {
        for (i, stop) in self.whole.elements.stops.iter().enumerate() {
            if self.motions.iter().all(|motion| stop.direction[motion.dof] == 0.0) {
                continue;
            }
            if self.kept(&stop.direction).iter().all(|w| *w == 0.0) {
                return Err(PrescribedFault::Stop(i));
            }
            if self.whole.elements.feedback.is_some() {
                return Err(PrescribedFault::StopWithFeedback(i));
            }
        }
        Ok(())
    }

    /// Adds −K_fp p − C_fp ṗ − M_fp p̈ of the motion with number `k` to the loads.
    fn add_loads(
        &self,
        k: usize,
        motion: &PrescribedMotion,
        system: &mut System,
    ) -> Result<(), PrescribedFault> {
        if motion.position.jumps() {
            return Err(PrescribedFault::Jump(k));
        }
        let rate = motion.position.derivative();
        let column =
            |m: &Matrix| self.kept(&(0..m.n_rows).map(|i| -m.at(i, motion.dof)).collect::<Vec<f64>>());
        let mass = column(&self.whole.mass);
        if mass.iter().any(|m| *m != 0.0) && rate.jumps() {
            return Err(PrescribedFault::Impulse(k));
        }
        let second = Signal { tables: Vec::new(), ..rate.derivative() };
        let parts = [
            (column(&self.whole.stiffness), &motion.position),
            (column(&self.whole.damping), &rate),
            (mass, &second),
        ];
        for (direction, signal) in parts.into_iter().filter(|(w, _)| w.iter().any(|w| *w != 0.0)) {
            system.constant.iter_mut().zip(&direction).for_each(|(f, w)| *f += w * signal.constant);
            let (always, within) =
                signal.waves.iter().copied().partition::<Vec<Wave>, _>(|wave| wave.window.is_none());
            system.harmonics.extend(always.iter().map(|wave| Harmonic {
                amplitude: direction.iter().map(|w| w * wave.amplitude).collect(),
                omega: wave.omega,
                phase: wave.phase,
            }));
            let signal = Signal { constant: 0.0, waves: within, ..signal.clone() };
            if !signal.is_zero() {
                system.elements.loads.push(SignalLoad { direction, signal });
            }
        }
        Ok(())
    }

    /// Belts move by −w_p·ṗ besides, normal loads grow by n_p·p + n̄_p·ṗ.
    fn move_contacts(&self, system: &mut System) -> Result<(), PrescribedFault> {
        for varying in &mut system.elements.contacts {
            for motion in self.motions {
                varying.load.add(varying.by_position[motion.dof], &motion.position);
                varying.load.add(varying.by_velocity[motion.dof], &motion.position.derivative());
            }
            varying.by_position = self.kept(&varying.by_position);
            varying.by_velocity = self.kept(&varying.by_velocity);
        }
        for (i, contact) in system.contacts.iter_mut().enumerate() {
            let mut belt = Signal::default();
            for motion in self.motions {
                belt.add(-contact.direction[motion.dof], &motion.position.derivative());
            }
            contact.direction = self.kept(&contact.direction);
            let is_prescribed = contact.direction.iter().all(|w| *w == 0.0);
            if is_prescribed && !contact.friction.law.follows_velocity() {
                return Err(PrescribedFault::Contact(i));
            }
            if belt.is_zero() {
                continue;
            }
            let none = vec![0.0; contact.direction.len()];
            match system.elements.contacts.iter_mut().find(|varying| varying.contact == i) {
                Some(varying) => varying.belt.add(1.0, &belt),
                None => system.elements.contacts.push(VaryingContact {
                    contact: i,
                    load: Signal::default(),
                    by_position: none.clone(),
                    by_velocity: none,
                    belt,
                }),
            }
        }
        Ok(())
    }

    /// Feedback and thresholds see prescribed positions and velocities as inputs.
    fn control(&self, system: &mut System) -> Result<(), PrescribedFault> {
        let Self { whole, motions, .. } = self;
        let sees = |threshold: &Threshold| {
            motions.iter().any(|m| threshold.by_position[m.dof] != 0.0 || threshold.by_velocity[m.dof] != 0.0)
        };
        let own = &whole.elements.feedback;
        let is_controlled = own.is_some() || whole.elements.thresholds.iter().any(sees);
        let none = Feedback::none(whole.n(), 0, 0);
        let own = own.as_ref().unwrap_or(&none);
        let acts = |row: usize| {
            let all = [&own.f_position, &own.f_velocity, &own.f_state, &own.f_input];
            all.iter().any(|m| m.row(row).iter().any(|x| *x != 0.0))
        };
        if motions.iter().any(|motion| acts(motion.dof)) {
            return Err(PrescribedFault::Feedback);
        }
        if is_controlled {
            system.elements.feedback = Some(self.feedback(own));
        }
        let r = own.inputs.len();
        for threshold in &mut system.elements.thresholds {
            let is_spring = threshold.stiffness().is_some();
            if !is_spring && motions.iter().any(|motion| threshold.force[motion.dof] != 0.0) {
                return Err(PrescribedFault::Feedback);
            }
            if sees(threshold) {
                threshold.by_input.resize(r, 0.0);
                let by = |m: &PrescribedMotion| [threshold.by_position[m.dof], threshold.by_velocity[m.dof]];
                threshold.by_input.extend(motions.iter().flat_map(by));
            } else if is_controlled && !threshold.by_input.is_empty() {
                threshold.by_input.resize(r + 2 * motions.len(), 0.0);
            }
            threshold.by_position = self.kept(&threshold.by_position);
            threshold.by_velocity = self.kept(&threshold.by_velocity);
            threshold.force = self.kept(&threshold.force);
        }
        Ok(())
    }

    /// Feedback of the free degrees of freedom; its last inputs are the prescribed positions and velocities.
    fn feedback(&self, own: &Feedback) -> Feedback {
        let Self { motions, free, .. } = self;
        let (p, r) = (own.initial.len(), own.inputs.len());
        let mut f = Feedback::none(free.len().max(1), p, r + 2 * motions.len());
        f.initial.clone_from(&own.initial);
        f.a = own.a.clone();
        f.inputs[..r].clone_from_slice(&own.inputs);
        let (states, inputs) = ((0..p).collect::<Vec<_>>(), (0..r).collect::<Vec<_>>());
        let put = |to: &mut Matrix, from: &Matrix, rows: &[usize], columns: &[usize], at: usize| {
            let part = from.block(rows, columns);
            for i in 0..part.n_rows {
                (0..part.n_cols).for_each(|j| *to.at_mut(i, at + j) = part.at(i, j));
            }
        };
        put(&mut f.b_position, &own.b_position, &states, free, 0);
        put(&mut f.b_velocity, &own.b_velocity, &states, free, 0);
        put(&mut f.b_input, &own.b_input, &states, &inputs, 0);
        put(&mut f.f_position, &own.f_position, free, free, 0);
        put(&mut f.f_velocity, &own.f_velocity, free, free, 0);
        put(&mut f.f_state, &own.f_state, free, &states, 0);
        put(&mut f.f_input, &own.f_input, free, &inputs, 0);
        for (k, motion) in motions.iter().enumerate() {
            let (dof, at) = ([motion.dof], r + 2 * k);
            f.inputs[at] = motion.position.clone();
            f.inputs[at + 1] = motion.position.derivative();
            put(&mut f.b_input, &own.b_position, &states, &dof, at);
            put(&mut f.b_input, &own.b_velocity, &states, &dof, at + 1);
            put(&mut f.f_input, &own.f_position, free, &dof, at);
            put(&mut f.f_input, &own.f_velocity, free, &dof, at + 1);
        }
        f
    }
}
