//! One degree of freedom: phases in closed form, from corner to corner of its friction.
//!
//! Between two events the velocity lies on one straight piece of Q (see `characteristic`), or the degree of
//! freedom rests on a knot of it: then its velocity is that of the knot, to the bit, for as long as the
//! demand `F(t) − k u − c u̇` stays between the ends of the knot. At a knot the demand alone decides: above
//! `high` the motion goes up, below `low` down, between them it rests; exactly at an end the first derivative
//! of the demand that is not zero decides.

mod accumulate;
mod tangent;

use super::characteristic::{Characteristic, Knot};
use super::forced::{Amplitudes, Forced, Jet};
use super::load_harmonics::{Demand, LoadHarmonic, angle};
use super::root_isolation::{RootSearch, Stalled};
use super::time::Time;
use crate::Error;
use crate::contact::Side;
use crate::event::{Event, EventKind};
use crate::system::{Motion, System};

/// From this (ω₀τ)² on the balance of forces gives the position as well as the integral of the velocity.
const BALANCE: f64 = 0.25;

/// Every so many looks it is asked whether the motion can reach an end of its piece at all.
const PATIENCE: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    /// At a knot; the demand may start at an end of its interval.
    Rest { knot: usize, at: Option<Side> },
    /// On a piece; it may start at one of its ends.
    Slide { piece: usize, at: Option<Side> },
}

#[derive(Clone, Debug)]
struct Phase {
    start: Time,
    u0: f64,
    mode: Mode,
    slide: Amplitudes,
    demand: Demand,
    /// Up to here there is no event (s after the start).
    searched: f64,
    /// The slide, where it was looked at last.
    jet: Jet,
}

/// What holds just before the event that ends a phase.
#[derive(Clone, Copy, Debug, Default)]
struct PhaseEnd {
    u: f64,
    v: f64,
    a: f64,
    /// What a resting contact holds (N).
    demand: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Single {
    mass: f64,
    damping: f64,
    stiffness: f64,
    constant: f64,
    tones: Vec<LoadHarmonic>,
    q: Characteristic,
    pieces: Vec<Forced>,
    /// The phase that is walked, and the one that begins at its end.
    phase: Box<Phase>,
    next: Box<Phase>,
    /// Whether an event ended the phase.
    ended: bool,
    end: PhaseEnd,
    now: Time,
    angles: Vec<[f64; 2]>,
    /// Scratch for the motion asked.
    jet: Jet,
    pub events: Vec<Event>,
    /// A velocity beyond this has left all bounds (m/s).
    pub largest: f64,
}

impl Single {
    /// `Err` with the contact whose law is not a polyline.
    pub fn new(system: &System) -> Result<Self, usize> {
        let (mass, damping, stiffness) =
            (system.mass.at(0, 0), system.damping.at(0, 0), system.stiffness.at(0, 0));
        let q = Characteristic::new(&system.contacts)?;
        let tones: Vec<LoadHarmonic> = (system.harmonics.iter())
            .filter(|harmonic| harmonic.amplitude[0] != 0.0)
            .map(|harmonic| LoadHarmonic {
                size: harmonic.amplitude[0],
                omega: harmonic.omega,
                phase: harmonic.phase,
            })
            .collect();
        let n = tones.len();
        let pieces: Vec<Forced> = q
            .pieces
            .iter()
            .map(|piece| Forced::new(mass, damping + piece.slope, stiffness, &tones))
            .collect();
        let phase = || Phase {
            start: Time::default(),
            u0: 0.0,
            mode: Mode::Slide { piece: 0, at: None },
            slide: Amplitudes::with_capacity(n),
            demand: Demand::with_capacity(n),
            searched: 0.0,
            jet: Jet::with_capacity(n),
        };
        let n_events = q.contacts.len();
        let mut single = Self {
            mass,
            damping,
            stiffness,
            constant: system.constant[0],
            tones,
            q,
            pieces,
            next: Box::new(phase()),
            phase: Box::new(phase()),
            ended: false,
            end: PhaseEnd::default(),
            now: Time::default(),
            angles: Vec::with_capacity(n),
            jet: Jet::with_capacity(n),
            events: Vec::with_capacity(n_events),
            largest: f64::INFINITY,
        };
        single.restart(0.0, system.position[0], system.velocity[0]);
        Ok(single)
    }

    pub fn restart(&mut self, t: f64, u: f64, v: f64) {
        self.events.clear();
        self.now = Time::new(t);
        self.turn(self.now);
        match self.q.place(v) {
            Ok(knot) => self.at_knot(knot, self.now, u),
            Err(piece) => self.on_piece(piece, None, self.now, u, v),
        }
        std::mem::swap(&mut self.phase, &mut self.next);
        self.ended = false;
    }

    pub fn t(&self) -> f64 {
        self.now.t
    }

    pub fn start(&self) -> f64 {
        self.phase.start.t
    }

    /// A rate of the system, for the measure of time (1/s).
    pub fn rate(&self) -> f64 {
        let own = (self.stiffness.abs() / self.mass).sqrt() + self.damping.abs() / self.mass;
        self.tones.iter().map(|tone| tone.omega).fold(own, f64::max)
    }

    /// Goes on to the next event, or to `t_end` if that is earlier.
    pub fn step(&mut self, t_end: f64) -> Result<(), Error> {
        if self.ended {
            std::mem::swap(&mut self.phase, &mut self.next);
            self.ended = false;
        }
        self.events.clear();
        let end = self.phase.start.until(t_end);
        match self.phase.mode {
            Mode::Rest { knot, at } => {
                let Knot { v, low, high, .. } = self.q.knots[knot];
                let Phase { ref demand, ref mut searched, start, u0, .. } = *self.phase;
                let exit = demand.exit(low, high, at, searched, end);
                match exit.map_err(|Stalled| Error::StepVanished { t: start.plus(*searched).t })? {
                    Some((tau, side)) => {
                        self.now = start.plus(tau);
                        self.ended = true;
                        let (piece, demand) = if side == Side::High { (knot + 1, high) } else { (knot, low) };
                        self.end = PhaseEnd { u: u0 + v * tau, v, a: 0.0, demand };
                        self.leave(knot, piece, self.now, self.end.u);
                        self.log(knot, true, false);
                    }
                    None => self.now = Time::new(t_end),
                }
            }
            Mode::Slide { piece, at } => match self.slide(piece, at, end)? {
                Some((tau, side)) => {
                    let knot = if side == Side::High { piece } else { piece - 1 };
                    self.now = self.phase.start.plus(tau);
                    self.ended = true;
                    self.turn(self.now);
                    self.end = self.landing(piece, self.q.knots[knot].v, tau);
                    self.at_knot(knot, self.now, self.end.u);
                    // it may touch the knot and go back
                    if !matches!(self.next.mode, Mode::Slide { piece: next, .. } if next == piece) {
                        self.log(knot, false, matches!(self.next.mode, Mode::Rest { .. }));
                    }
                }
                None => self.now = Time::new(t_end),
            },
        }
        Ok(())
    }

    fn log(&mut self, knot: usize, stuck: bool, sticks: bool) {
        for &(i, c) in &self.q.knots[knot].members {
            let is_jump = self.q.contacts[i].line.corners[c].is_jump();
            let kind = EventKind::at_corner(is_jump, stuck, sticks);
            self.events.push(Event { t: self.now.t, contact: i, kind });
        }
    }

    /// The first time at which the velocity reaches an end of its piece, and which end.
    fn slide(&mut self, piece: usize, at: Option<Side>, end: f64) -> Result<Option<(f64, Side)>, Error> {
        let forced = &self.pieces[piece];
        let [below, above] = self.q.ends(piece);
        // the first and last piece have one end only
        let both = [(Side::Low, below, 1.0), (Side::High, above, -1.0)];
        let ends = &both[usize::from(below.is_infinite())..2 - usize::from(above.is_infinite())];
        let Phase { start, ref slide, ref mut searched, ref mut jet, .. } = *self.phase;
        let (mut looks, mut march) = (0, RootSearch::default());
        while *searched < end {
            let tau = *searched;
            if tau > jet.tau {
                forced.advance(slide, tau - jet.tau, jet);
            }
            if !(jet.w[0].abs() <= self.largest) {
                return Err(Error::diverged(start.plus(tau).t, &[jet.w[0]]));
            }
            looks += 1;
            if looks % PATIENCE == 0 {
                if forced.stays_between(jet, below, above) {
                    *searched = end;
                    break;
                }
                jet.choose_again();
            }
            let bounds = forced.bounds(jet);
            let mut step = f64::INFINITY;
            for &(side, limit, sign) in ends {
                let mut guard = forced.guard(jet, bounds, limit, sign);
                if tau == 0.0 && at == Some(side) {
                    guard.g[1] = sign * slide.a0;
                    step = step.min(guard.first_step().unwrap_or_else(|| guard.blind_step()));
                } else if let Some(step) = guard.arrival() {
                    let event = (tau + step).max(0.0);
                    return Ok((event <= end).then_some((event, side)));
                } else {
                    step = step.min(guard.safe_step());
                }
            }
            *searched =
                march.after(tau, step).map_err(|Stalled| Error::StepVanished { t: start.plus(tau).t })?;
        }
        Ok(None)
    }

    /// Where the slide on `piece` reaches the velocity `v` at τ, the angles being those of that time.
    fn landing(&mut self, piece: usize, v: f64, tau: f64) -> PhaseEnd {
        let forced = &self.pieces[piece];
        let jet = &self.phase.jet;
        let rest = tau - jet.tau;
        let a = jet.w[1] + rest * (jet.w[2] + 0.5 * rest * jet.w[3]);
        let u = if forced.oscillator.square * tau * tau < BALANCE {
            forced.jet(&self.phase.slide, tau, &mut self.jet);
            self.phase.u0 + self.jet.travelled
        } else {
            // from the balance of forces: the acceleration is known
            let q = self.q.pieces[piece];
            (self.load() - self.damping * v - (q.force + q.slope * v) - self.mass * a) / self.stiffness
        };
        PhaseEnd { u, v, a, demand: 0.0 }
    }

    /// Prepares the next phase from a knot, which decides where it goes. The angles must be those of the
    /// time.
    fn at_knot(&mut self, knot: usize, time: Time, u: f64) {
        let Knot { v, low, high, release_up, release_down, .. } = self.q.knots[knot];
        self.hold(knot, time, u);
        let demand = &self.next.demand;
        let (d, noise) = (demand.at_start(), demand.noise(0.0));
        let (near_low, near_high) = (d <= low + noise, d >= high - noise);
        let heading = if near_low || near_high { demand.heading() } else { 0.0 };
        let is_kink = near_low && near_high;
        let rest = |at| Mode::Rest { knot, at };
        let up = |a: f64| (Mode::Slide { piece: knot + 1, at: Some(Side::Low) }, a / self.mass);
        let down = |a: f64| (Mode::Slide { piece: knot, at: Some(Side::High) }, -a / self.mass);
        let (mode, a0) = if d > high + noise {
            up(d - high + release_up)
        } else if d < low - noise {
            down(low - d + release_down)
        } else if near_high && heading > 0.0 {
            up(release_up)
        } else if near_low && heading < 0.0 {
            down(release_down)
        } else if is_kink && heading != 0.0 {
            if heading > 0.0 { up(release_up) } else { down(release_down) }
        } else if near_high {
            (rest(Some(Side::High)), 0.0)
        } else if near_low {
            (rest(Some(Side::Low)), 0.0)
        } else {
            (rest(None), 0.0)
        };
        self.begin(mode, time, u, v, a0);
    }

    /// Prepares the next phase out of rest at the end of what the knot can hold.
    fn leave(&mut self, knot: usize, piece: usize, time: Time, u: f64) {
        let Knot { v, release_up, release_down, .. } = self.q.knots[knot];
        self.turn(time);
        let (side, a) = if piece > knot { (Side::Low, release_up) } else { (Side::High, -release_down) };
        self.begin(Mode::Slide { piece, at: Some(side) }, time, u, v, a / self.mass);
    }

    /// Prepares the next phase on a piece.
    fn on_piece(&mut self, piece: usize, at: Option<Side>, time: Time, u: f64, v: f64) {
        let friction = self.q.pieces[piece].force + self.q.pieces[piece].slope * v;
        let a0 = (self.load() - self.damping * v - self.stiffness * u - friction) / self.mass;
        self.begin(Mode::Slide { piece, at }, time, u, v, a0);
    }

    fn begin(&mut self, mode: Mode, time: Time, u: f64, v: f64, a0: f64) {
        if let Mode::Slide { piece, .. } = mode {
            self.pieces[piece].start(v, a0, &self.angles, &mut self.next.slide);
            self.pieces[piece].first(&self.next.slide, &mut self.next.jet);
        }
        (self.next.mode, self.next.start, self.next.u0, self.next.searched) = (mode, time, u, 0.0);
    }

    /// Angles of the waves at a time.
    #[inline]
    fn turn(&mut self, time: Time) {
        self.angles.clear();
        self.angles.extend(self.tones.iter().map(|tone| angle(tone, time)));
    }

    /// What must be held at a knot, into the next phase.
    fn hold(&mut self, knot: usize, time: Time, u: f64) {
        let Knot { v, low, high, .. } = self.q.knots[knot];
        let (viscous, elastic) = (self.damping * v, self.stiffness * u);
        let mut scale = self.constant.abs() + viscous.abs() + elastic.abs() + low.abs().max(high.abs());
        // the angle ωt is rounded as well
        scale += self.tones.iter().map(|tone| 0.125 * (tone.size * tone.omega * time.t).abs()).sum::<f64>();
        let demand = &mut self.next.demand;
        demand.start(self.constant - viscous - elastic, -self.stiffness * v, scale);
        for (tone, &angle) in self.tones.iter().zip(&self.angles) {
            demand.add(tone.size, tone.omega, angle);
        }
    }

    /// F at the time of the angles (N).
    fn load(&self) -> f64 {
        self.constant
            + self.tones.iter().zip(&self.angles).map(|(tone, angle)| tone.size * angle[0]).sum::<f64>()
    }

    /// The whole motion at `t`, which lies in the current phase; at an event what holds after it.
    pub fn motion(&mut self, t: f64, out: &mut Motion) {
        self.motion_of(self.ended && t >= self.now.t, t, out);
    }

    /// The same; at an event what holds before it.
    pub fn motion_before(&mut self, t: f64, out: &mut Motion) {
        self.motion_of(false, t, out);
    }

    fn motion_of(&mut self, is_next: bool, t: f64, out: &mut Motion) {
        let phase = if is_next { &*self.next } else { &*self.phase };
        let tau = phase.start.since(t);
        out.t = t;
        let end = (self.ended && !is_next && t >= self.now.t).then_some(self.end);
        match phase.mode {
            Mode::Rest { knot, .. } => {
                let v = self.q.knots[knot].v;
                let demand = end.map_or_else(|| phase.demand.jet(tau)[0], |end| end.demand);
                out.position[0] = end.map_or(phase.u0 + v * tau, |end| end.u);
                out.acceleration[0] = 0.0;
                self.resting(knot, demand, out);
            }
            Mode::Slide { piece, .. } => {
                let PhaseEnd { u, v, a, .. } = match end {
                    Some(end) => end,
                    None if tau == 0.0 => {
                        PhaseEnd { u: phase.u0, v: phase.slide.v0, a: phase.slide.a0, demand: 0.0 }
                    }
                    None => {
                        let forced = &self.pieces[piece];
                        forced.jet(&phase.slide, tau, &mut self.jet);
                        let [v, a, ..] = self.jet.w;
                        PhaseEnd { u: phase.u0 + self.jet.travelled, v, a, demand: 0.0 }
                    }
                };
                (out.position[0], out.acceleration[0]) = (u, a);
                self.sliding(piece, v, out);
            }
        }
    }

    /// Velocity, friction and slopes at rest on a knot.
    fn resting(&self, knot: usize, demand: f64, out: &mut Motion) {
        let Knot { v, ref shares, .. } = self.q.knots[knot];
        out.velocity[0] = v;
        for (i, share) in shares.iter().enumerate() {
            out.friction[i] = self.q.held(knot, i, demand);
            out.slope[i] = self.q.rest_slope(knot, i);
            out.sliding[i] = share.sliding;
        }
    }

    /// Velocity, friction and slopes on a piece.
    fn sliding(&self, piece: usize, v: f64, out: &mut Motion) {
        out.velocity[0] = v;
        for (i, contact) in self.q.contacts.iter().enumerate() {
            let p = self.q.own_piece(piece, i);
            out.friction[i] = contact.force(p, v);
            out.slope[i] = contact.line.pieces[p].slope;
            out.sliding[i] = contact.direction * v - contact.belt;
        }
    }

    /// A sliding velocity of contact `i` inside the current phase (m/s): while it slides one inside its
    /// piece, whatever the time.
    #[inline]
    pub fn sliding_inside(&self, i: usize) -> f64 {
        match self.phase.mode {
            Mode::Rest { knot, .. } => self.q.knots[knot].shares[i].sliding,
            Mode::Slide { piece, .. } => self.q.inside(piece, i),
        }
    }
}
