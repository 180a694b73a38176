//! Sums of a constant, a drift and sine waves: the load, and what a resting contact must hold.

use super::oscillator::Bounds;
use super::panel::{PanelSeries, panel_length};
use super::root_isolation::{Guard, RootSearch, Stalled};
use super::time::Time;
use crate::contact::Side;

/// A sine wave, `size · sin(ωt + φ)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoadHarmonic {
    pub size: f64,
    pub omega: f64,
    pub phase: f64,
}

/// Closer to the crest than this, the arc sine loses half its digits; the walk decides.
const CREST: f64 = 1e-6;
/// Rounding of a sum of this kind, in units of the last place of its terms.
const NOISE: f64 = 8.0 * f64::EPSILON;

/// `d(τ) = base + drift·τ + Σ size sin(ωτ + θ)` with θ at the start of the phase.
#[derive(Clone, Debug, Default)]
pub(super) struct Demand {
    pub base: f64,
    pub drift: f64,
    /// Size of the terms that made up `base`, for its rounding.
    pub scale: f64,
    /// size, ω, sin θ, cos θ.
    waves: Vec<[f64; 4]>,
    /// Σ size, Σ size ω³ and Σ size ω⁴.
    crest: f64,
    third: f64,
    fourth: f64,
}

impl Demand {
    pub fn with_capacity(n: usize) -> Self {
        Self { waves: Vec::with_capacity(n), ..Self::default() }
    }

    /// Starts again with a base and a drift; the waves are added next.
    pub fn start(&mut self, base: f64, drift: f64, scale: f64) {
        (self.base, self.drift, self.scale) = (base, drift, scale);
        (self.crest, self.third, self.fourth) = (0.0, 0.0, 0.0);
        self.waves.clear();
    }

    /// Adds a wave whose angle at the start has the given sine and cosine; a negative size turns it round.
    #[inline]
    pub fn add(&mut self, size: f64, omega: f64, [sine, cosine]: [f64; 2]) {
        if size == 0.0 {
            return;
        }
        let sign = 1f64.copysign(size);
        let size = size.abs();
        self.waves.push([size, omega, sign * sine, sign * cosine]);
        self.crest += size;
        self.third += size * omega * omega * omega;
        self.fourth += size * omega * omega * omega * omega;
    }

    /// Value and first three derivatives.
    #[inline]
    pub fn jet(&self, tau: f64) -> [f64; 4] {
        let mut d = [self.base + self.drift * tau, self.drift, 0.0, 0.0];
        for &[size, omega, sine0, cosine0] in &self.waves {
            let (s, c) = if tau == 0.0 { (0.0, 1.0) } else { libm::sincos(omega * tau) };
            let sine = size * (sine0 * c + cosine0 * s);
            let cosine = size * (cosine0 * c - sine0 * s);
            d[0] += sine;
            d[1] += omega * cosine;
            d[2] -= omega * omega * sine;
            d[3] -= omega * omega * omega * cosine;
        }
        d
    }

    /// Value at τ = 0.
    #[inline]
    pub fn at_start(&self) -> f64 {
        self.waves.iter().fold(self.base, |sum, [size, _, sine, _]| sum + size * sine)
    }

    /// The highest frequency (rad/s).
    pub fn fastest(&self) -> f64 {
        self.waves.iter().map(|wave| wave[1]).fold(0.0, f64::max)
    }

    /// Bounds on d for all times; infinite with a drift.
    pub fn reach(&self) -> [f64; 2] {
        let crest = if self.drift == 0.0 { self.crest } else { f64::INFINITY };
        [self.base - crest, self.base + crest]
    }

    /// d from τ on as a series in s over a panel, whose length is returned; at most `longest`.
    pub fn panel(&self, tau: f64, longest: f64, series: &mut PanelSeries) -> f64 {
        let length = panel_length(self.fastest(), longest);
        series.fill(0.0);
        (series[0], series[1]) = (self.base + self.drift * tau, self.drift * length);
        for &[size, omega, sine0, cosine0] in &self.waves {
            let (s, c) = libm::sincos(omega * tau);
            let (mut sine, mut cosine) = (size * (sine0 * c + cosine0 * s), size * (cosine0 * c - sine0 * s));
            for (j, c) in series.iter_mut().enumerate() {
                *c += sine;
                let turn = omega * length / (j + 1) as f64;
                (sine, cosine) = (turn * cosine, -turn * sine);
            }
        }
        length
    }

    /// Rounding of d at τ.
    pub fn noise(&self, tau: f64) -> f64 {
        NOISE * (self.scale + self.crest + (self.drift * tau).abs())
    }

    /// The sign of the first derivative at τ = 0 that is not rounding: where d goes from there. Zero if it
    /// stays.
    pub fn heading(&self) -> f64 {
        let jet = self.jet(0.0);
        let noise = self.noise(0.0);
        let second: f64 = self.waves.iter().map(|[size, omega, ..]| size * omega * omega).sum();
        // a slope counts if d leaves its rounding before the next order can turn it round
        let [_, d1, d2, d3] = jet.map(f64::abs);
        if d1 * d1 > noise * second {
            jet[1]
        } else if d2 * (d2 / self.third).powi(2) > noise {
            // by quotients: the time enters the sixth power of a derivative with the twelfth
            jet[2]
        } else if d3 * (d3 / self.fourth).powi(3) > noise {
            jet[3]
        } else {
            0.0
        }
    }

    /// The first time in (`from`, `end`] at which d leaves [low, high], and on which side. `at` is the end on
    /// which d starts at τ = 0, if it does. Without an event `from` moves to where the search may go on.
    pub fn exit(
        &self,
        low: f64,
        high: f64,
        at: Option<Side>,
        from: &mut f64,
        end: f64,
    ) -> Result<Option<(f64, Side)>, Stalled> {
        if self.drift == 0.0 {
            if self.base + self.crest < high && self.base - self.crest > low {
                *from = from.max(end);
                return Ok(None);
            }
            if let [wave] = self.waves[..]
                && let Some(first) = self.arc(wave, low, high)
            {
                return Ok(match first {
                    Some((tau, side)) if tau <= end => Some((tau.max(*from), side)),
                    _ => {
                        *from = from.max(end);
                        None
                    }
                });
            }
        } else {
            // while the drift is too small to bring the crests to an end of the interval
            let room = if self.drift > 0.0 { high - self.base } else { self.base - low } - self.crest;
            let other = if self.drift > 0.0 { self.base - low } else { high - self.base } - self.crest;
            if room > 0.0 && other > 0.0 {
                *from = from.max((1.0 - 1e-9) * room / self.drift.abs());
            }
        }
        let mut march = RootSearch::default();
        while *from < end {
            let tau = *from;
            let d = self.jet(tau);
            let noise = self.noise(tau);
            let bounds = Bounds { third: self.third, fourth: self.fourth, reach: f64::INFINITY };
            let mut step = f64::INFINITY;
            for (side, g, sign) in [(Side::Low, d[0] - low, 1.0), (Side::High, high - d[0], -1.0)] {
                if g.is_infinite() {
                    continue;
                }
                let guard = Guard::new([g, sign * d[1], sign * d[2], sign * d[3]], bounds, noise);
                if tau == 0.0 && (at == Some(side) || (at.is_some() && guard.has_come())) {
                    step = step.min(guard.first_step().unwrap_or_else(|| guard.blind_step()));
                } else if let Some(past) = guard.passes().filter(|_| guard.has_come()) {
                    // the crest reaches the limit and no more: that is held
                    step = step.min(past);
                } else if let Some(step) = guard.arrival() {
                    let event = (tau + step).max(0.0);
                    return Ok((event <= end).then_some((event, side)));
                } else {
                    step = step.min(guard.safe_step());
                }
            }
            *from = march.after(tau, step)?;
        }
        Ok(None)
    }

    /// The first exit for a single wave in closed form: `None` if the arc sine is not to be trusted,
    /// `Some(None)` if there is no exit. A resting contact leaves at the rising flank upwards and at the
    /// falling flank downwards.
    fn arc(&self, [size, omega, sine, cosine]: [f64; 4], low: f64, high: f64) -> Option<Option<(f64, Side)>> {
        use std::f64::consts::{PI, TAU};
        let (up, down) = ((high - self.base) / size, (low - self.base) / size);
        if (up.abs() - 1.0).abs() < CREST || (down.abs() - 1.0).abs() < CREST || up < -1.0 || down > 1.0 {
            return None;
        }
        let now = libm::atan2(sine, cosine);
        let turn = |angle: f64| if angle < 0.0 { angle + TAU } else { angle };
        let rise = if up < 1.0 { turn(libm::asin(up) - now) } else { f64::INFINITY };
        let fall = if down > -1.0 { turn(turn(PI - libm::asin(down)) - turn(now)) } else { f64::INFINITY };
        let first = if rise <= fall { (rise / omega, Side::High) } else { (fall / omega, Side::Low) };
        Some(first.0.is_finite().then_some(first))
    }
}

/// Sine and cosine of a tone's angle at a time.
#[inline]
pub(super) fn angle(tone: &LoadHarmonic, time: Time) -> [f64; 2] {
    let (sine, cosine) = libm::sincos(time.angle(tone.omega, tone.phase));
    [sine, cosine]
}
