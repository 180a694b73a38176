//! A body on the plane: its motion until it stops, or for a given time.

use super::{Shown, transient::Transient};
use crate::budget::MAX_SAMPLES;
use crate::facts::{ColumnKind, FactKind};
use crate::outcome::{Column, Fact, Outcome};
use crate::resolve::Resolve;
use crate::scenario::{IntegratorKind, Scenario};
use stiction::body::{
    Body, BodyEvent, BodyEventKind, BodyPhase, FootLoads, KeptStep, Pose, PoseColumns, Simulation,
};
use stiction::event::{Event, EventKind};
use stiction::ode::Adaptive;
use stiction::{Error, Progress};

/// A body that has not stopped by then is taken not to stop at all (s).
const NEVER: f64 = 1e6;
/// How long a body is shown that rests from the beginning (s).
const REST: f64 = 1.0;
/// Points of a circle in a figure.
const CIRCLE: usize = 91;
/// Columns of the samples.
const COLUMNS: usize = 16;

/// The motion of a body on the plane.
#[derive(Clone, Debug)]
pub struct SlideTask {
    /// The body.
    pub body: Body,
    /// Tolerances.
    pub settings: Adaptive,
    /// End of the run; the first stop if absent (s).
    pub t_end: Option<f64>,
    /// Part of the run that is sampled; all if absent (s).
    pub window: Option<[f64; 2]>,
    /// Times of the samples; a grid if absent (s).
    pub times: Option<Vec<f64>>,
    /// Number of samples in the grid.
    pub samples: usize,
}

impl SlideTask {
    /// The transient of a body, with whatever is wrong noted.
    pub(crate) fn resolve(
        resolve: &mut Resolve,
        body: Body,
        scenario: &mut Scenario,
        transient: &Transient,
    ) -> Option<Self> {
        resolve.check("system.body", |faults| body.check(faults));
        let settings =
            match scenario.integrator.get_or_insert_with(|| IntegratorKind::Adaptive(Body::settings())) {
                IntegratorKind::Adaptive(settings) => settings.clone(),
                _ => {
                    resolve.fault("integrator", "a body on the plane is integrated by adaptive only", None);
                    return None;
                }
            };
        resolve.check("integrator.adaptive", |faults| settings.check(faults));
        if transient.periods.is_some() {
            let hint = "give duration in seconds, or nothing: the run then ends when the body stops";
            resolve.fault("analysis.transient.periods", "a body has no period", Some(hint));
            return None;
        }
        for (key, is_asked) in [("wear", transient.wear), ("compare", transient.compare.is_some())] {
            if is_asked {
                let message = "reported of systems on lines only, not of a body on the plane";
                resolve.fault(&format!("analysis.transient.{key}"), message, Some("leave it out"));
            }
        }
        if transient.duration.is_none() {
            if let Some(key) =
                transient.window.map(|_| "window").or(transient.times.as_ref().map(|_| "times"))
            {
                let message = "given without duration, which it needs";
                resolve.fault(&format!("analysis.transient.{key}"), message, None);
            }
            let samples = transient.samples.clamp(2, MAX_SAMPLES);
            return Some(Self { body, settings, t_end: None, window: None, times: None, samples });
        }
        let plan = transient.plan(resolve, None, COLUMNS)?;
        Some(Self {
            body,
            settings,
            t_end: Some(plan.t_end),
            window: Some(plan.window),
            times: Some(plan.times),
            samples: transient.samples,
        })
    }

    fn simulation(&self) -> Result<Simulation, Error> {
        let simulation = self.body.simulation(&self.settings);
        simulation.map_err(|faults| faults.into_iter().next().map_or(Error::Empty, |fault| fault.error))
    }

    /// Runs the body. Without an end of the run its steps are kept until it stops, and sampled then.
    pub(crate) fn run(&self, title: &str, progress: &mut Progress) -> Result<Outcome, Error> {
        let mut simulation = self.simulation()?;
        let starts_at_rest = simulation.phase() == BodyPhase::Rest;
        let first = simulation.state();
        let found = match self.t_end {
            Some(_) => None,
            None => Some(search(&mut simulation, &mut progress.part(0.0, 0.5))?),
        };
        let t_end = found.as_ref().map_or(self.t_end.unwrap_or(REST), |found| found.t_end);
        let times = self.times.clone().unwrap_or_else(|| {
            let n = self.samples - 1;
            (0..=n).map(|i| if i == n { t_end } else { t_end * i as f64 / n as f64 }).collect()
        });
        let mut rows = PoseColumns::with_capacity(times.len());
        let one_run = found.as_ref().and_then(|found| Some((found.steps.as_ref()?, found.stop?)));
        let mut sampled = None;
        if let Some((steps, stop)) = one_run {
            let (before, later) = times.split_at(times.iter().take_while(|t| **t <= 0.0).count());
            let (moving, resting) = later.split_at(later.partition_point(|t| *t < stop.t));
            rows.repeat(before, &first);
            sampled = simulation.sample_kept(steps, moving, &mut rows).then_some((resting, stop));
        }
        let run = match sampled {
            Some((resting, stop)) => {
                let mut run = simulation.run_into(t_end, resting, &mut progress.part(0.5, 1.0), &mut rows)?;
                run.events.insert(0, stop);
                run
            }
            None => {
                let before = if found.is_some() { 0.5 } else { 0.0 };
                (simulation, rows) = (self.simulation()?, PoseColumns::with_capacity(times.len()));
                simulation.run_into(t_end, &times, &mut progress.part(before, 1.0), &mut rows)?
            }
        };

        let summary = &run.summary;
        let rests = starts_at_rest && run.events.is_empty();
        let stop_time = summary.stop_time.or(rests.then_some(0.0));
        let mut facts: Vec<Fact> = stop_time.map(|t| Fact::new(FactKind::StopTime, t)).into_iter().collect();
        facts.extend([
            Fact::new(FactKind::Path, summary.path),
            Fact::new(FactKind::DisplacementX, summary.displacement[0]),
            Fact::new(FactKind::DisplacementY, summary.displacement[1]),
            Fact::new(FactKind::Deflection, summary.deflection),
            Fact::new(FactKind::LateralDisplacement, summary.transverse),
        ]);
        facts.extend(summary.ratio.map(|ratio| Fact::new(FactKind::FinalRatio, ratio)));
        facts.extend([
            Fact::new(FactKind::Revolutions, summary.turns),
            Fact::new(FactKind::InitialEnergy, summary.initial_energy),
            Fact::new(FactKind::FinalEnergy, summary.energy),
            Fact::new(FactKind::WorkIn, summary.work_in),
            Fact::new(FactKind::FrictionLoss, summary.friction_loss),
            Fact::new(FactKind::EnergyResidual, summary.residual),
        ]);

        let feet = feet(&self.body, &rows);
        let columns = COLUMN_KINDS.into_iter().zip(rows.columns);
        let samples = columns.map(|(kind, values)| Column::new(kind, values)).chain(feet).collect();
        let kind = |kind: BodyEventKind| {
            if kind == BodyEventKind::Stop { EventKind::Stick } else { EventKind::Slip }
        };
        let events = run.events.iter().map(|e| Event { t: e.t, contact: 0, kind: kind(e.kind) }).collect();
        let outlines = self.body.patch.outlines(CIRCLE);
        let uphill = if self.body.tilt < 0.0 { std::f64::consts::PI } else { 0.0 };
        let downhill = (self.body.tilt != 0.0).then_some(self.body.downhill + uphill);
        let shown = Shown::Slide { outlines, downhill, surface: self.body.surface.clone() };
        Ok(Outcome { events, work: summary.work, ..Outcome::new(title, facts, samples, shown) })
    }
}

/// What a search for the end of a motion has found.
struct Found {
    /// End of the run (s).
    t_end: f64,
    /// The stop, of a body that has moved.
    stop: Option<BodyEvent>,
    /// All steps, of a body that has slid from the start on.
    steps: Option<Vec<KeptStep>>,
}

/// Goes on until the body stops.
fn search(simulation: &mut Simulation, progress: &mut Progress) -> Result<Found, Error> {
    let mut has_moved = simulation.phase() == BodyPhase::Sliding;
    let mut steps = has_moved.then(Vec::new);
    loop {
        let event = simulation.step(NEVER)?;
        let kept = steps.as_mut().zip(simulation.kept_step());
        kept.map(|(steps, step)| steps.push(step)).unwrap_or_else(|| steps = None);
        if let Some(stop) = event.filter(|event| event.kind == BodyEventKind::Stop) {
            // a little longer, so that the rest is seen
            return Ok(Found { t_end: 1.05 * simulation.t(), stop: Some(stop), steps });
        }
        has_moved |= simulation.phase() == BodyPhase::Sliding;
        if simulation.t() >= NEVER && !has_moved {
            // it rests from the beginning
            return Ok(Found { t_end: REST, stop: None, steps: None });
        }
        if simulation.t() >= NEVER {
            return Err(Error::NeverStops { t: NEVER });
        }
        progress.report_time(simulation.t(), NEVER)?;
    }
}

/// Quantities reported of every sample, in the order of [`PoseColumns`].
const COLUMN_KINDS: [ColumnKind; Pose::NUMBERS] = [
    ColumnKind::Time,
    ColumnKind::X,
    ColumnKind::Y,
    ColumnKind::Angle,
    ColumnKind::Vx,
    ColumnKind::Vy,
    ColumnKind::Omega,
    ColumnKind::Fx,
    ColumnKind::Fy,
    ColumnKind::Mz,
];

/// The normal loads of the feet of a body that stands on several; nothing if it does not, or if those of a
/// sample are not known.
fn feet(body: &Body, poses: &PoseColumns) -> Vec<Column> {
    let Some(loads) = FootLoads::new(body) else { return Vec::new() };
    let rows: Vec<Vec<f64>> = poses.poses().map_while(|pose| loads.at(&pose)).collect();
    let n = rows.first().map_or(0, Vec::len);
    if rows.len() < poses.columns[0].len() {
        return Vec::new();
    }
    let column = |i: usize| Column::new(ColumnKind::FootLoad, rows.iter().map(|row| row[i]).collect());
    (0..n).map(|i| column(i).numbered(i, n)).collect()
}

/// The facts of a body, without their numbers.
pub(super) fn reported_facts() -> Vec<Fact> {
    let kinds = [
        FactKind::StopTime,
        FactKind::Path,
        FactKind::DisplacementX,
        FactKind::DisplacementY,
        FactKind::Deflection,
        FactKind::LateralDisplacement,
        FactKind::FinalRatio,
        FactKind::Revolutions,
        FactKind::InitialEnergy,
        FactKind::FinalEnergy,
        FactKind::WorkIn,
        FactKind::FrictionLoss,
        FactKind::EnergyResidual,
    ];
    kinds.map(|kind| Fact::new(kind, f64::NAN)).into()
}
