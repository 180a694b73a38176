//! A body on the plane: from study to outcome.

use crate::outcome::{Column, Fact, Outcome, Shown};
use crate::study::Slide;
use stiction::Error;
use stiction::body::{EventKind as BodyEvent, Phase, State};
use stiction::event::{Event, EventKind};
use stiction::patch::Shape;

/// A body that has not stopped by then is taken not to stop at all (s).
const NEVER: f64 = 1e6;
/// How long a body is shown that rests from the beginning (s).
const REST: f64 = 1.0;
/// Corners of a circle in a figure.
const CIRCLE: usize = 90;

impl Slide {
    /// Runs the body. Without an end of the run the stop is looked for first, which is half the work.
    pub(crate) fn run(&self, title: &str, progress: &mut dyn FnMut(f64) -> bool) -> Result<Outcome, Error> {
        let start = || {
            self.body
                .simulation(&self.settings)
                .map_err(|faults| faults.into_iter().next().map_or(Error::Empty, |fault| fault.error))
        };
        let (t_end, before) = match self.t_end {
            Some(t_end) => (t_end, 0.0),
            None => {
                let mut simulation = start()?;
                let mut has_moved = simulation.phase() == Phase::Sliding;
                loop {
                    let event = simulation.step(NEVER)?;
                    if event.is_some_and(|event| event.kind == BodyEvent::Stop) {
                        // a little longer, so that the rest is seen
                        break (1.05 * simulation.t(), 0.5);
                    }
                    has_moved |= simulation.phase() == Phase::Sliding;
                    if simulation.t() >= NEVER && !has_moved {
                        // it rests from the beginning
                        break (REST, 0.5);
                    }
                    if simulation.t() >= NEVER {
                        return Err(Error::NeverStops { t: NEVER });
                    }
                    if !progress(0.5 * simulation.t() / NEVER) {
                        return Err(Error::Interrupted { t: Some(simulation.t()) });
                    }
                }
            }
        };
        let times = self.times.clone().unwrap_or_else(|| {
            let n = self.samples - 1;
            (0..=n).map(|i| if i == n { t_end } else { t_end * i as f64 / n as f64 }).collect()
        });
        let run = start()?.run(t_end, &times, &mut |t| progress(before + (1.0 - before) * t / t_end))?;

        let summary = &run.summary;
        let mut facts = Vec::new();
        let mut fact =
            |name: &str, value: f64, unit: &'static str| facts.push(Fact { name: name.into(), value, unit });
        let rests = start()?.phase() == Phase::Rest && run.events.is_empty();
        if let Some(t) = summary.stop_time.or(rests.then_some(0.0)) {
            fact("stop_time", t, "s");
        }
        fact("path", summary.path, "m");
        fact("displacement_x", summary.displacement[0], "m");
        fact("displacement_y", summary.displacement[1], "m");
        fact("deflection", summary.deflection, "rad");
        fact("transverse", summary.transverse, "m");
        if let Some(ratio) = summary.ratio {
            fact("final_ratio", ratio, "-");
        }
        fact("turns", summary.turns, "-");
        fact("initial_energy", summary.initial_energy, "J");
        fact("final_energy", summary.energy, "J");
        fact("work_in", summary.work_in, "J");
        fact("friction_loss", summary.friction_loss, "J");
        fact("energy_residual", summary.residual, "J");

        let column = |name: &str, symbol: &str, unit: &'static str, of: fn(&State) -> f64| Column {
            name: name.into(),
            symbol: symbol.into(),
            unit,
            values: run.samples.iter().map(of).collect(),
        };
        let samples = vec![
            column("t", "t", "s", |s| s.t),
            column("x", "x", "m", |s| s.x),
            column("y", "y", "m", |s| s.y),
            column("angle", "ψ", "rad", |s| s.angle),
            column("vx", "v_{x}", "m/s", |s| s.twist.vx),
            column("vy", "v_{y}", "m/s", |s| s.twist.vy),
            column("omega", "ω", "rad/s", |s| s.twist.omega),
            column("fx", "F_{x}", "N", |s| s.friction.fx),
            column("fy", "F_{y}", "N", |s| s.friction.fy),
            column("mz", "M", "N m", |s| s.friction.mz),
        ];
        let kind = |kind: BodyEvent| if kind == BodyEvent::Stop { EventKind::Stick } else { EventKind::Slip };
        let events = run.events.iter().map(|e| Event { t: e.t, element: 0, kind: kind(e.kind) }).collect();
        let mut outlines = Vec::new();
        outline(&self.body.patch.shape, self.body.patch.centre, &mut outlines);
        Ok(Outcome {
            title: title.into(),
            facts,
            samples,
            events,
            work: summary.work,
            shown: Shown::Slide { outlines },
        })
    }
}

/// The closed lines that bound a shape.
fn outline(shape: &Shape, [cx, cy]: [f64; 2], out: &mut Vec<Vec<[f64; 2]>>) {
    let circle = |radius: f64| -> Vec<[f64; 2]> {
        let corner = |i: usize| {
            let (sine, cosine) = libm::sincos(std::f64::consts::TAU * i as f64 / CIRCLE as f64);
            [cx + radius * cosine, cy + radius * sine]
        };
        (0..=CIRCLE).map(corner).collect()
    };
    let closed = |corners: &[[f64; 2]]| -> Vec<[f64; 2]> {
        corners.iter().chain(corners.first()).map(|[x, y]| [cx + x, cy + y]).collect()
    };
    match shape {
        Shape::Disc { radius } | Shape::Ring { radius } => out.push(circle(*radius)),
        Shape::Annulus { inner, outer } => out.extend([circle(*outer), circle(*inner)]),
        Shape::Rectangle { length, width } => {
            let (a, b) = (0.5 * length, 0.5 * width);
            out.push(closed(&[[a, b], [-a, b], [-a, -b], [a, -b]]));
        }
        Shape::Polygon { vertices, holes } => {
            out.push(closed(vertices));
            out.extend(holes.iter().map(|hole| closed(hole)));
        }
        Shape::Pieces(pieces) => {
            for piece in pieces {
                outline(&piece.shape, [cx + piece.centre[0], cy + piece.centre[1]], out);
            }
        }
    }
}
