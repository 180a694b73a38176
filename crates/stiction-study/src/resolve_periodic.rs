//! The analyses of periodic motions, resolved.

use crate::periodic::{Periodic, Search};
use crate::resolve::Resolve;
use crate::scenario::{AnalysisKind, ExactSettings, IntegratorKind, Scenario, Start, SystemKind};
use serde::Deserialize;
use stiction::Faults;
use stiction::integrate::{Adaptive, Integrator, Method};
use stiction::law::Law;
use stiction::steady::{Bifurcation, Engine, State, Steady};

/// The most points of a response.
const MAX_POINTS: usize = 100_000;

/// Tolerances of periodic motions under laws that are not polylines.
const TIGHT: Adaptive =
    Adaptive { rtol: 1e-12, atol: 1e-14, method: Method::Auto, max_steps: 10_000_000, max_step: None };

impl Resolve<'_> {
    pub(crate) fn periodic(&mut self, scenario: &mut Scenario, analysis: AnalysisKind) -> Option<Periodic> {
        let prefix = match &scenario.system {
            SystemKind::Oscillator(_) => "system.oscillator",
            SystemKind::Matrices(_) => "system.matrices",
            SystemKind::Body(_) => {
                let hint = "use [analysis.transient]";
                self.fault("analysis", "a body on the plane has no periodic analysis", Some(hint));
                return None;
            }
        };
        let system = self.system(&scenario.system)?;
        self.check(prefix, |faults| system.check(faults));
        let engine = match &scenario.integrator {
            None => {
                let is_exact = system.elements.iter().all(|e| e.friction.law.corners().is_some());
                let kind = if is_exact {
                    IntegratorKind::Exact(ExactSettings {})
                } else {
                    IntegratorKind::Adaptive(TIGHT)
                };
                scenario.integrator = Some(kind);
                None
            }
            Some(IntegratorKind::Exact(_)) => Some((Engine::Exact, Integrator::Exact)),
            Some(IntegratorKind::Adaptive(a)) => {
                Some((Engine::Adaptive(a.clone()), Integrator::Adaptive(a.clone())))
            }
            Some(_) => {
                self.fault("integrator", "periodic motions are found by exact or adaptive", None);
                return None;
            }
        };
        if let Some((_, integrator)) = &engine {
            self.check(prefix, |faults| integrator.admit(&system, faults));
        } else {
            let integrator = Integrator::Adaptive(TIGHT);
            if system.elements.iter().any(|e| e.friction.law.corners().is_none()) {
                self.check(prefix, |faults| integrator.admit(&system, faults));
            }
        }
        let mut steady = Steady { engine: engine.map(|(engine, _)| engine), ..Steady::default() };
        let (parameter, search) = match analysis {
            AnalysisKind::Transient(_) => return None,
            AnalysisKind::Steady(settings) => {
                steady.subharmonic = settings.subharmonic;
                steady.dof = settings.dof;
                let start =
                    |s: Start| State { position: s.position, velocity: s.velocity, memory: Vec::new() };
                steady.starts = settings.starts.unwrap_or_default().into_iter().map(start).collect();
                self.check("analysis.steady", |faults| steady.check(&system, faults));
                (Vec::new(), Search::Orbits)
            }
            AnalysisKind::Response(r) => {
                steady.dof = r.dof;
                self.check("analysis.response", |faults| steady.check(&system, faults));
                let parameter =
                    self.parameter("analysis.response", &r.parameter, [r.from, r.to], r.points)?;
                let search = if r.through_folds {
                    Search::Branch { from: r.from, to: r.to, max_points: MAX_POINTS }
                } else {
                    Search::Sweep(grid(r.from, r.to, r.points))
                };
                (parameter, search)
            }
            AnalysisKind::Bifurcation(b) => {
                let parameter =
                    self.parameter("analysis.bifurcation", &b.parameter, [b.from, b.to], b.points)?;
                if system.harmonics.is_empty() {
                    let message = "there is no harmonic load that sets a period";
                    self.fault("analysis.bifurcation", message, Some("give a force with omega"));
                }
                let settings =
                    Bifurcation { transient: b.transient, samples: b.samples, ..Bifurcation::default() };
                (parameter, Search::Bifurcation { values: grid(b.from, b.to, b.points), settings })
            }
        };
        Some(Periodic { system, steady, search, document: self.document.part("system"), parameter })
    }

    /// The path of a parameter that is varied, after both ends of its range have been checked.
    fn parameter(&mut self, prefix: &str, key: &str, ends: [f64; 2], points: usize) -> Option<Vec<String>> {
        if !(2..=MAX_POINTS).contains(&points) {
            self.fault(
                &format!("{prefix}.points"),
                format!("{points}, but it must be from 2 to {MAX_POINTS}"),
                None,
            );
        }
        if ends[0] == ends[1] {
            self.fault(&format!("{prefix}.to"), format!("{}, but it must differ from `from`", ends[1]), None);
        }
        let path = match self.document.find(key, &["system"]) {
            Ok(path) if path[0] == "system" => path,
            Ok(path) => {
                let message = format!("{} is not part of the system, so nothing would vary", path.join("."));
                self.fault(&format!("{prefix}.parameter"), message, Some("name a key below [system]"));
                return None;
            }
            Err((message, hint)) => {
                self.fault(&format!("{prefix}.parameter"), message, Some(&hint));
                return None;
            }
        };
        for (name, value) in ["from", "to"].iter().zip(ends) {
            let mut document = self.document.clone();
            let put = document.put(&path, value).is_ok();
            let scenario = Scenario::deserialize(document.root.to_toml()).ok().filter(|_| put);
            let Some(scenario) = scenario else {
                self.fault(
                    &format!("{prefix}.parameter"),
                    format!("{} is not a number", path.join(".")),
                    None,
                );
                return None;
            };
            let mut resolve = Resolve::new(&document);
            let system = resolve.system(&scenario.system);
            let faults = system.map_or_else(Vec::new, |system| Faults::of(|faults| system.check(faults)));
            let message = resolve
                .found
                .first()
                .map(|d| d.message.clone())
                .or(faults.first().map(|f| f.error.to_string()));
            if let Some(message) = message {
                self.fault(&format!("{prefix}.{name}"), format!("{key} = {message}"), None);
            }
        }
        Some(path)
    }
}

/// Values from `from` to `to`, both included.
fn grid(from: f64, to: f64, points: usize) -> Vec<f64> {
    let n = points.max(2) - 1;
    (0..=n).map(|i| if i == n { to } else { from + (to - from) * i as f64 / n as f64 }).collect()
}
