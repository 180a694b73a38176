//! A body in time: spans of rest, first instants and sliding, one after the other.

mod sample;

pub use sample::KeptStep;

use super::ending::{limit_direction, ratio};
use super::mechanics::Mechanics;
use super::onset::{Onset, instant, onset};
use super::rest::held_until;
use super::sliding::{N, SlideOrigin, Sliding, SlidingOde, Totals};
use super::spectrum::Spectrum;
use super::step_path::StepPath;
use super::{Body, BodyEvent, BodyEventKind, BodyPhase, Pose, Summary};
use crate::math::plane::{cross, dot2, plus};
use crate::ode::{Adaptive, AdaptiveStepper, Work};
use crate::patch::{Twist, Wrench};
use crate::{Error, Fault};
use std::f64::consts::TAU;

/// A stop is reached when the time left to it is this part of the time since the motion began (-).
const STOPPED: f64 = 1e-17;
/// Longest pause, in radians of the fastest load, before a body that the limit surface does not hold is looked at
/// again. The closure decides: a Padé fraction or a skewed pressure may hold more than the surface knows.
const PAUSE: f64 = 1e-3;
/// Attempts at finding a time inside a step; Newton's method needs about five.
const ATTEMPTS: u32 = 80;

/// A body in motion. It holds all the room that it needs: steps allocate nothing.
pub struct Simulation {
    slide: SlidingOde,
    stepper: AdaptiveStepper,
    spectrum: Spectrum,
    kind: Kind,
    /// Start and end of the span that contains t (s).
    span: [f64; 2],
    t: f64,
    /// The state at the start of a span of rest or of first instants.
    still: Sliding,
    /// Since when the body is known to rest (s).
    rests_since: f64,
    /// The state at t.
    now: Sliding,
    scratch: [f64; N],
    /// The last step as a polynomial, once it is asked for; none inside if it is none.
    path: Option<Option<StepPath>>,
    /// How long the wrench has lain outside the limit surface without moving the body (s).
    pause: f64,
    start: Pose,
    initial_energy: f64,
    stops: StopTally,
    work: Work,
}

/// Stops of a body so far.
#[derive(Clone, Copy, Debug, Default)]
struct StopTally {
    n: u64,
    /// When the last one ended (s).
    time: Option<f64>,
    /// Ratio of translation and spin in it.
    ratio: Option<f64>,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Rest,
    Onset(Onset),
    Sliding,
    /// The last span of sliding.
    Stopping,
}

impl Simulation {
    /// `body` and `settings` have passed their checks.
    pub(super) fn new(body: &Body, settings: &Adaptive) -> Result<Self, Vec<Fault>> {
        let mechanics = Mechanics::new(body)?;
        let spectrum = Spectrum::new(&mechanics);
        let slide = SlidingOde::new(mechanics);
        let stepper = AdaptiveStepper::new(settings, &slide);
        let turn = slide.mechanics.turn(body.angle);
        let offset = slide.mechanics.offset;
        let [vx, vy] = body.velocity;
        let in_plane = Twist { vx, vy, omega: body.spin };
        let twist = match &slide.mechanics.frame {
            None => in_plane,
            Some(frame) => frame.relative(body.position, in_plane),
        };
        let now = Sliding {
            t: 0.0,
            centre: plus(body.position, 1.0, turn.out(offset)),
            angle: body.angle,
            twist: twist.at(turn.out(offset)),
            totals: Totals::default(),
        };
        let [x, y] = body.position;
        let friction = Wrench::default();
        let mut new = Self {
            slide,
            stepper,
            spectrum,
            kind: Kind::Rest,
            span: [0.0; 2],
            t: 0.0,
            still: now,
            rests_since: 0.0,
            now,
            scratch: [0.0; N],
            path: None,
            pause: 0.0,
            start: Pose { t: 0.0, x, y, angle: body.angle, twist: in_plane, friction },
            initial_energy: 0.0,
            stops: StopTally::default(),
            work: Work::default(),
        };
        new.initial_energy = new.energy(&now);
        if twist == Twist::default() {
            new.spectrum.set(&new.slide.mechanics, body.angle, now.centre);
        } else {
            let (speed, n) = new.slide.polar(now.twist);
            let duration = speed / new.slide.deceleration;
            new.begin(now, n, speed, speed, duration)
                .map_err(|error| vec![Fault { key: String::new(), error }])?;
        }
        Ok(new)
    }

    /// Time reached (s).
    pub fn t(&self) -> f64 {
        self.t
    }

    /// Whether the body moves.
    pub fn phase(&self) -> BodyPhase {
        if matches!(self.kind, Kind::Rest) { BodyPhase::Rest } else { BodyPhase::Sliding }
    }

    /// The body now.
    pub fn state(&self) -> Pose {
        self.full(&self.now)
    }

    /// Goes on to the end of the next step, not beyond `t_end`, and says what happened: a start at its
    /// beginning, a stop at its end.
    ///
    /// A step is a step of the integrator, or a span of rest, or the first instants of a motion.
    pub fn step(&mut self, t_end: f64) -> Result<Option<BodyEvent>, Error> {
        if self.t >= t_end || t_end.is_nan() {
            return Ok(None);
        }
        let mut event = None;
        if self.t >= self.span[1] {
            event = self.next(t_end)?;
        }
        let t = self.span[1].min(t_end);
        if let (Kind::Stopping, true) = (self.kind, self.span[1] <= t_end) {
            event = Some(self.stop());
        } else {
            self.now = self.at(t);
        }
        self.t = t;
        Ok(event)
    }

    /// The run so far in a few numbers.
    pub fn summary(&self) -> Summary {
        let state = self.state();
        let displacement = [state.x - self.start.x, state.y - self.start.y];
        let v = [self.start.twist.vx, self.start.twist.vy];
        let speed = libm::hypot(v[0], v[1]);
        let (along, across) = (dot2(v, displacement), cross(v, displacement));
        let Totals { path, work_in, friction_loss } = self.now.totals;
        let energy = self.energy(&self.now);
        let mut work = self.work;
        add(&mut work, self.stepper.work());
        let ratio = match self.phase() {
            BodyPhase::Rest => self.stops.ratio,
            BodyPhase::Sliding => Some(ratio(self.over_surface(), self.slide.mechanics.size())),
        };
        Summary {
            t: self.t,
            phase: self.phase(),
            stop_time: self.stops.time.filter(|_| self.phase() == BodyPhase::Rest),
            stops: self.stops.n,
            path,
            displacement,
            deflection: libm::atan2(across, along),
            transverse: if speed > 0.0 { across / speed } else { 0.0 },
            ratio,
            turns: (state.angle - self.start.angle) / TAU,
            initial_energy: self.initial_energy,
            energy,
            work_in,
            friction_loss,
            residual: self.initial_energy + work_in - friction_loss - energy,
            work,
        }
    }

    /// The twist of the reference point relative to the surface, in its axes.
    fn over_surface(&self) -> Twist {
        let offset = self.slide.mechanics.turn(self.now.angle).out(self.slide.mechanics.offset);
        self.now.twist.at(offset.map(|v| -v))
    }

    /// Makes the span that begins at t.
    fn next(&mut self, t_end: f64) -> Result<Option<BodyEvent>, Error> {
        self.span[0] = self.t;
        match self.kind {
            Kind::Rest => {
                self.still = self.now;
                self.span[1] =
                    held_until(&self.slide.mechanics, &self.spectrum, self.rests_since, self.t, t_end);
                if self.span[1] > self.t {
                    self.pause = 0.0;
                    return Ok(None);
                }
                let Some(onset) = onset(&self.slide, &self.spectrum, self.t, &self.now) else {
                    // it only touches the limit surface, or the closure of the patch holds more than that
                    let fastest = self.spectrum.fastest;
                    let step = instant(self.t, 1.0 / fastest).max(self.pause).min(PAUSE / fastest);
                    self.pause += step;
                    self.span[1] = if fastest > 0.0 { self.t + step } else { t_end };
                    self.rests_since = self.span[1];
                    return Ok(None);
                };
                self.pause = 0.0;
                self.span[1] = self.t + onset.duration;
                self.kind = Kind::Onset(onset);
                return Ok(Some(self.event(BodyEventKind::Start, self.t, onset.direction)));
            }
            Kind::Onset(onset) => {
                let natural = (self.slide.deceleration * self.slide.mechanics.size()).sqrt();
                let [nx, ny] =
                    self.slide.mechanics.turn(self.still.angle).out([onset.direction[0], onset.direction[1]]);
                let n = [nx, ny, onset.direction[2]];
                // the time starts small, but only grows
                self.begin(self.now, n, onset.speed, natural, onset.duration)?;
            }
            Kind::Sliding | Kind::Stopping => {}
        }
        self.kind = Kind::Sliding;
        self.stepper.step(&mut self.slide, f64::MAX).map_err(|error| timed(error, self.t))?;
        self.path = None;
        self.span[1] = self.slide.time(self.stepper.y());
        let left = SlidingOde::remainder(self.stepper.y(), self.stepper.f());
        if left <= STOPPED {
            self.kind = Kind::Stopping;
        }
        Ok(None)
    }

    /// Begins to slide; the tolerances refer to the speed `unit` and to the `duration`.
    fn begin(
        &mut self,
        from: Sliding,
        n: [f64; 3],
        speed: f64,
        unit: f64,
        duration: f64,
    ) -> Result<(), Error> {
        let Sliding { t, centre, angle, totals, .. } = from;
        add(&mut self.work, self.stepper.work());
        let origin = SlideOrigin { t, centre, angle, speed: unit, duration, totals };
        self.scratch = self.slide.begin(origin, n, speed);
        self.kind = Kind::Sliding;
        self.stepper.start(&mut self.slide, 0.0, &self.scratch).map_err(|error| timed(error, t))
    }

    /// Ends the sliding at the end of the span.
    fn stop(&mut self) -> BodyEvent {
        let state = self.slide.unpack(self.stepper.y());
        let turn = self.slide.mechanics.turn(state.angle);
        let load = self.slide.mechanics.load(self.span[1], turn, state.centre, [0.0; 2]);
        let (_, n) = self.slide.direction(self.stepper.y());
        let [nx, ny] = turn.back([n[0], n[1]]);
        let n = limit_direction(&self.slide, &load, [nx, ny, n[2]]);
        let lost = self.energy(&state);

        self.still = Sliding { t: self.span[1], twist: Twist::default(), ..state };
        // what little was left of the motion
        self.still.totals.friction_loss += lost - self.energy(&self.still);
        self.now = self.still;
        self.kind = Kind::Rest;
        self.spectrum.set(&self.slide.mechanics, state.angle, state.centre);
        let event = self.event(BodyEventKind::Stop, self.span[1], n);
        self.stops.n += 1;
        self.stops.time = Some(self.span[1]);
        self.rests_since = self.span[1];
        self.stops.ratio = Some(event.ratio);
        event
    }

    /// `n` at the centre of mass in body axes.
    fn event(&self, kind: BodyEventKind, t: f64, n: [f64; 3]) -> BodyEvent {
        let turn = self.slide.mechanics.turn(self.now.angle);
        let body = self.slide.twist(1.0, n).at(self.slide.mechanics.offset.map(|v| -v));
        let mut v = turn.out([body.vx, body.vy]);
        if let Some(frame) = &self.slide.mechanics.frame {
            v = frame.turn(t).out(v);
        }
        let [vx, vy] = v;
        let motion = Twist { vx, vy, ..body };
        BodyEvent { t, kind, motion, ratio: ratio(motion, self.slide.mechanics.size()) }
    }

    /// The state at a time in the current span.
    fn at(&mut self, t: f64) -> Sliding {
        match self.kind {
            _ if self.is_sliding(t) => self.sliding(t),
            Kind::Sliding | Kind::Stopping => self.slide.unpack(self.stepper.y()),
            Kind::Rest => {
                let mut state = Sliding { t, ..self.still };
                // only the inner mass moves, by the work of its drive
                if self.slide.mechanics.inner.mass > 0.0 {
                    state.totals.work_in += self.energy(&state) - self.energy(&self.still);
                }
                state
            }
            Kind::Onset(onset) => self.first_instants(&onset, t),
        }
    }

    /// Whether the body slides at a time in the current span, before its end.
    fn is_sliding(&self, t: f64) -> bool {
        match self.kind {
            // the step that ended with the stop
            Kind::Rest => t < self.still.t,
            Kind::Sliding | Kind::Stopping => t < self.span[1],
            Kind::Onset(_) => false,
        }
    }

    /// The state in the first instants, s = s₁ θ^p.
    fn first_instants(&self, onset: &Onset, t: f64) -> Sliding {
        let theta =
            if t >= self.span[1] { 1.0 } else { ((t - self.span[0]) / onset.duration).clamp(0.0, 1.0) };
        let p = onset.speed * onset.duration / onset.way - 1.0;
        let speed = onset.speed * libm::pow(theta, p);
        let way = onset.way * libm::pow(theta, p + 1.0);
        let turn = self.slide.mechanics.turn(self.still.angle);
        let n = onset.direction;
        let [nx, ny] = turn.out([n[0], n[1]]);
        let body = self.slide.twist(1.0, n);
        let point = body.at(self.slide.mechanics.offset.map(|v| -v));

        let mut state = Sliding { t, twist: self.slide.twist(speed, [nx, ny, n[2]]), ..self.still };
        state.centre = plus(state.centre, way, [nx, ny]);
        state.angle += way * body.omega;
        let (slow, lean) = (self.slide.twist(1e-40, n), self.slide.mechanics.lean_at(t));
        let friction = self.slide.mechanics.contact.wrench_leaning(slow, lean);
        let loss = way * -friction.power(slow) / 1e-40;
        let gain = self.energy(&state) - self.energy(&self.still);
        state.totals.path += way * libm::hypot(point.vx, point.vy);
        state.totals.friction_loss += loss;
        state.totals.work_in += loss + gain;
        state
    }

    /// The state in a step of the integrator.
    fn sliding(&mut self, t: f64) -> Sliding {
        // Newton's method for t(τ) = t, bisection where it leaves the bracket
        let (mut low, mut high) = (self.stepper.t_old(), self.stepper.t());
        let mut tau = 0.5 * (low + high);
        for _ in 0..ATTEMPTS {
            self.stepper.dense(&mut self.slide, tau, &mut self.scratch);
            let late = self.slide.time(&self.scratch) - t;
            if late < 0.0 {
                low = tau
            } else {
                high = tau
            }
            let better = tau - late / self.slide.pace(&self.scratch);
            let next = if low < better && better < high { better } else { 0.5 * (low + high) };
            if late == 0.0 || (next - tau).abs() <= f64::EPSILON * (1.0 + tau.abs()) {
                break;
            }
            tau = next;
        }
        Sliding { t, ..self.slide.unpack(&self.scratch) }
    }

    /// Kinetic energy relative to the plane (J).
    fn energy(&self, state: &Sliding) -> f64 {
        let turn = self.slide.mechanics.turn(state.angle);
        let [vx, vy] = turn.back([state.twist.vx, state.twist.vy]);
        let load = self.slide.mechanics.load(state.t, turn, state.centre, [0.0; 2]);
        self.slide.mechanics.energy(&load, Twist { vx, vy, ..state.twist })
    }
}

/// The integrator knows only logarithmic time.
fn timed(error: Error, t: f64) -> Error {
    match error {
        Error::TooManySteps { limit, .. } => Error::TooManySteps { t, limit },
        Error::StepVanished { .. } => Error::StepVanished { t },
        Error::Diverged { size, .. } => Error::Diverged { t, size },
        other => other,
    }
}

fn add(sum: &mut Work, more: Work) {
    sum.steps += more.steps;
    sum.implicit_steps += more.implicit_steps;
    sum.rejected += more.rejected;
    sum.repeated += more.repeated;
    sum.kinks += more.kinks;
    sum.evaluations += more.evaluations;
    sum.jacobians += more.jacobians;
    sum.factorisations += more.factorisations;
}
