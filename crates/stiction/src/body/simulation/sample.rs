//! Samples of a body: all those of a step of the integrator together, as columns.

use super::{Kind, Simulation};
use crate::body::sliding::{Places, Sliding};
use crate::body::step_path::StepPath;
use crate::body::{BodyRun, Pose, PoseColumns};
use crate::math::plane::plus;
use crate::math::wide::LANES;
use crate::patch::{Twist, Wrench};
use crate::{Error, Progress};

/// Samples between two reports of progress: a span of rest may hold them all.
const PROGRESS_SAMPLES: usize = 64;

/// A step of the integrator that has been kept.
#[derive(Clone, Copy, Debug)]
pub struct KeptStep {
    path: StepPath,
    /// Its end (s).
    end: f64,
}

impl Simulation {
    /// The body at a time in the last step.
    pub fn state_at(&mut self, t: f64) -> Pose {
        if self.is_sliding(t)
            && let (places, [true, ..]) = self.places(&[t])
        {
            return self.full(&places.state(0));
        }
        let state = self.at(t);
        self.full(&state)
    }

    /// Goes on to `t_end`; `times` in rising order are the times at which samples are wanted. `progress` receives the
    /// part of `t_end` reached at every step.
    pub fn run(&mut self, t_end: f64, times: &[f64], progress: &mut Progress) -> Result<BodyRun, Error> {
        let mut columns = PoseColumns::with_capacity(times.len());
        let run = self.run_into(t_end, times, progress, &mut columns)?;
        Ok(BodyRun { samples: columns.poses().collect(), ..run })
    }

    /// The same; the samples become new rows of `columns`, and those of the run stay empty.
    pub fn run_into(
        &mut self,
        t_end: f64,
        times: &[f64],
        progress: &mut Progress,
        columns: &mut PoseColumns,
    ) -> Result<BodyRun, Error> {
        let mut events = Vec::new();
        let (passed, mut wanted) = self.passed(times);
        let state = self.state();
        columns.repeat(passed, &state);
        while self.t < t_end {
            let event = self.step(t_end)?;
            let (passed, later) = self.passed(wanted);
            for many in passed.chunks(PROGRESS_SAMPLES) {
                self.sample(many, columns);
                if let [.., last] = many
                    && many.len() == PROGRESS_SAMPLES
                {
                    progress.report_time(*last, t_end)?;
                }
            }
            wanted = later;
            events.extend(event);
            progress.report_time(self.t, t_end)?;
        }
        Ok(BodyRun { samples: Vec::new(), events, summary: self.summary() })
    }

    /// The last step, if it is one of the integrator: with those of a whole motion this can be sampled when its end is known.
    pub fn kept_step(&mut self) -> Option<KeptStep> {
        let Self { path, stepper, slide, .. } = self;
        let path = path.get_or_insert_with(|| stepper.path(slide).map(StepPath::new));
        path.filter(|_| !matches!(self.kind, Kind::Onset(_))).map(|path| KeptStep { path, end: self.span[1] })
    }

    /// Samples a motion that slides from its start on, by all of its steps, at times before its end. Returns whether every
    /// time was found in them.
    pub fn sample_kept(&mut self, steps: &[KeptStep], mut times: &[f64], columns: &mut PoseColumns) -> bool {
        let last = self.path.take();
        let mut is_whole = true;
        for KeptStep { path, end } in steps {
            self.path = Some(Some(*path));
            let (own, later) = times.split_at(times.iter().take_while(|t| **t < *end).count());
            for block in own.chunks(LANES) {
                is_whole &= self.sample_sliding(block, columns);
            }
            times = later;
        }
        self.path = last;
        is_whole && times.is_empty()
    }

    /// The first times up to now, and the later ones.
    fn passed<'a>(&self, times: &'a [f64]) -> (&'a [f64], &'a [f64]) {
        times.split_at(times.iter().take_while(|t| **t <= self.t).count())
    }

    /// The body at times in the last step, in rising order, as new rows.
    fn sample(&mut self, times: &[f64], columns: &mut PoseColumns) {
        let (sliding, other) = times.split_at(times.iter().take_while(|t| self.is_sliding(**t)).count());
        for block in sliding.chunks(LANES) {
            self.sample_sliding(block, columns);
        }
        if let ([first, ..], Kind::Rest, true) = (other, self.kind, self.slide.mechanics.is_unloaded) {
            let pose = self.state_at(*first);
            columns.repeat(other, &pose);
            return;
        }
        for t in other {
            columns.push(&self.state_at(*t));
        }
    }

    /// The body at a few times inside a step of the integrator. Returns whether all of them were found on its polynomial.
    fn sample_sliding(&mut self, times: &[f64], columns: &mut PoseColumns) -> bool {
        let (places, is_found) = self.places(times);
        let mechanics = &self.slide.mechanics;
        if mechanics.is_plain() && is_found == [true; LANES] {
            let Places { x, y, angle, vx, vy, omega, .. } = &places;
            let [fx, fy, mz] = &mechanics.contact.wrenches([vx, vy, omega]);
            columns.extend(times, [x, y, angle, vx, vy, omega, fx, fy, mz]);
            return true;
        }
        for (i, t) in times.iter().enumerate() {
            let state = if is_found[i] { places.state(i) } else { self.at(*t) };
            columns.push(&self.full(&state));
        }
        is_found == [true; LANES]
    }

    /// The states but for what adds up, at a few times inside a step of the integrator, and whether they are known: the step is a
    /// polynomial, and the time is found in it. What lies behind the last of the times has no meaning.
    fn places(&mut self, times: &[f64]) -> (Places, [bool; LANES]) {
        let Self { path, stepper, slide, .. } = self;
        let path = path.get_or_insert_with(|| stepper.path(slide).map(StepPath::new));
        let (Some(path), Some(last)) = (path, times.last()) else {
            return (Places::default(), [false; LANES]);
        };
        let mut t = [*last; LANES];
        t.iter_mut().zip(times).for_each(|(lane, t)| *lane = *t);
        let (y, mut is_found) = path.at(&t.map(|t| slide.time_component(t)));
        let places = slide.unpack_wide(t, &y, &mut is_found);
        (places, is_found)
    }

    /// The state at the reference point, with the friction.
    pub(super) fn full(&self, state: &Sliding) -> Pose {
        let mechanics = &self.slide.mechanics;
        if mechanics.is_plain() && state.twist != Twist::default() {
            let Sliding { t, centre: [x, y], angle, twist, .. } = *state;
            return Pose { t, x, y, angle, twist, friction: mechanics.contact.wrench(twist) };
        }
        let turn = mechanics.turn(state.angle);
        let offset = turn.out(mechanics.offset);
        let [x, y] = plus(state.centre, -1.0, offset);
        let twist = state.twist.at(offset.map(|v| -v));
        let [vx, vy] = turn.back([state.twist.vx, state.twist.vy]);
        let body = Twist { vx, vy, ..state.twist };
        let friction = if body == Twist::default() {
            let held = mechanics.held(&mechanics.load(state.t, turn, state.centre, [0.0; 2]));
            Wrench { fx: -held.fx, fy: -held.fy, mz: -held.mz }
        } else {
            mechanics.contact.wrench_leaning(body, mechanics.lean_at(state.t))
        }
        .carried(mechanics.offset);
        let mut force = turn.out([friction.fx, friction.fy]);
        let (mut place, mut angle, mut twist) = ([x, y], state.angle, twist);
        if let Some(frame) = &mechanics.frame {
            (place, angle, twist) = frame.in_plane(state.t, place, angle, twist);
            force = frame.turn(state.t).out(force);
        }
        let ([x, y], [fx, fy]) = (place, force);
        Pose { t: state.t, x, y, angle, twist, friction: Wrench { fx, fy, mz: friction.mz } }
    }
}
