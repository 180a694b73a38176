//! Guards: linear functions that are positive while the modes hold, and zero at their event.

use super::model::Model;
use super::response::OrderResponse;
use super::row::{Row, Terms, size};
use super::stretch::{NOISE, ORDER, Stretch};
use crate::contact::{ContactMode, Side, SliderMode, StopMode};
use crate::exact::root_isolation::Stalled;
use crate::exact::series_root::first_root;

/// What happens at a guard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum GuardKind {
    /// A sliding contact reaches the end of its piece.
    Corner { contact: usize, side: Side },
    /// A sticking contact reaches its limit.
    Limit { contact: usize, side: Side },
    /// A redundant contact that gives all it can hold need not do so any longer.
    Unloads { contact: usize, side: Side },
    /// The normal load vanishes.
    Opens { contact: usize },
    /// The normal load comes back.
    Lands { contact: usize },
    /// A spring reaches an end of its range.
    Yields { slider: usize, side: Side },
    /// The sliding velocity under a sliding slider vanishes.
    Catches { slider: usize },
    /// A stop is reached.
    Hits { stop: usize },
    /// A stop would have to pull.
    Releases { stop: usize },
    /// A one-sided element begins to act.
    Presses { element: usize },
    /// The force of a one-sided element would change its sign.
    Slackens { element: usize },
    /// The limit of a one-sided element is left.
    Leaves { element: usize },
}

impl GuardKind {
    /// Whether a guard that touches zero and grows again is no event: a force at its limit is held, a normal
    /// load of zero stays.
    fn may_touch(self) -> bool {
        !matches!(self, Self::Corner { .. } | Self::Hits { .. } | Self::Catches { .. } | Self::Lands { .. })
    }
}

/// A quantity of the model, or a force.
#[derive(Clone, Copy, Debug)]
enum GuardSource {
    Sliding(usize),
    Normal(usize),
    Deflection(usize),
    Gap(usize),
    Depth(usize),
    Press(usize),
    /// Reaction of a stop.
    Reaction(usize),
}

/// `scale · source + offset`, and `by_force` times the friction force of a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinearGuard {
    pub kind: GuardKind,
    source: GuardSource,
    scale: f64,
    offset: f64,
    by_force: Option<(usize, f64)>,
}

impl LinearGuard {
    fn row<'a>(&self, model: &'a Model) -> Option<&'a Row> {
        Some(match self.source {
            GuardSource::Sliding(i) => &model.contacts[i].sliding,
            GuardSource::Normal(i) => &model.contacts[i].normal,
            GuardSource::Deflection(k) => &model.sliders[k].deflection,
            GuardSource::Gap(k) => &model.stops[k].gap,
            GuardSource::Depth(k) => &model.one_sided[k].depth,
            GuardSource::Press(k) => &model.one_sided[k].force,
            GuardSource::Reaction(_) => return None,
        })
    }

    /// Coefficient j of its series.
    pub fn coefficient(&self, model: &Model, stretch: &Stretch, j: usize) -> f64 {
        let mut sum = if j == 0 { self.offset } else { 0.0 };
        sum += self.scale
            * match (self.row(model), self.source) {
                (Some(row), _) => row.at(&stretch.terms(model, j)),
                (None, GuardSource::Reaction(k)) => stretch.series.reaction[j * model.stops.len() + k],
                (None, _) => 0.0,
            };
        if let Some((i, scale)) = self.by_force {
            sum += scale * stretch.series.force[j * model.contacts.len() + i];
        }
        sum
    }

    /// Of a difference whose response is known.
    pub fn of_difference(&self, model: &Model, terms: &Terms, response: &OrderResponse) -> f64 {
        let own = match (self.row(model), self.source) {
            (Some(row), _) => row.at(terms),
            (None, GuardSource::Reaction(k)) => response.reaction[k],
            (None, _) => 0.0,
        };
        self.scale * own + self.by_force.map_or(0.0, |(i, scale)| scale * response.force[i])
    }

    /// Whether it needs the response of a difference.
    pub fn is_of_force(&self) -> bool {
        self.by_force.is_some() || matches!(self.source, GuardSource::Reaction(_))
    }

    /// Value at the start, its rounding, and that of its further coefficients.
    pub fn measured(&self, model: &Model, stretch: &Stretch) -> [f64; 3] {
        let rounding = stretch.rounding.coarser * NOISE;
        let [mut g, mut noise, mut further] = match (self.row(model), self.source) {
            (Some(row), _) => stretch.measured(model, row),
            (None, GuardSource::Reaction(k)) => {
                let noise = rounding * stretch.push_size(model, k);
                [stretch.series.reaction[k], noise, noise]
            }
            (None, _) => [0.0; 3],
        };
        let offset = rounding * self.offset.abs();
        g = self.scale * g + self.offset;
        noise = self.scale.abs() * noise + offset;
        further = self.scale.abs() * further + offset;
        if let Some((i, scale)) = self.by_force {
            g += scale * stretch.series.force[i];
            let size = scale.abs() * stretch.rounding.force[i];
            (noise, further) = (noise + size, further + size);
        }
        if let GuardKind::Yields { slider, .. } = self.kind {
            // a spring moves with a velocity whose rounding is that of what moves it
            let sliding = &model.contacts[model.sliders[slider].contact].sliding;
            let moved = stretch.length * stretch.measured(model, sliding)[1];
            (noise, further) = (noise + moved, further + moved);
        }
        [g, noise + f64::MIN_POSITIVE, further + f64::MIN_POSITIVE]
    }

    /// The first order from 1 to `most` whose coefficient is not rounding: neither that of its own terms, nor what
    /// reaches it from other degrees of freedom, as where these begin to move and it is at rest.
    pub fn lead(&self, model: &Model, stretch: &Stretch, most: usize, own: f64) -> Option<usize> {
        let counts = |j: &usize| self.coefficient(model, stretch, *j).abs() > own;
        let lead = (1..=most).find(counts);
        let (Some(row), true) = (self.row(model), lead.is_some_and(|lead| lead > 2)) else { return lead };
        let spread = stretch.spread_rounding(model, most);
        let of_row =
            |j: usize| self.scale.abs() * (size(&row.q, &spread[j][0]) + size(&row.v, &spread[j][1]));
        (1..=most).find(|j| counts(j) && self.coefficient(model, stretch, *j).abs() > of_row(*j))
    }

    /// The first root in (0, end] of its series; terms below order `lead` are rounding.
    pub fn first_root(
        &self,
        model: &Model,
        stretch: &Stretch,
        lead: usize,
        end: f64,
    ) -> Result<Option<f64>, Stalled> {
        let mut series = [0.0; ORDER + 1];
        for (j, c) in series.iter_mut().enumerate() {
            *c = self.coefficient(model, stretch, j);
        }
        let noise = || self.measured(model, stretch)[1];
        first_root(&series, lead, end, if self.kind.may_touch() { Some(&noise) } else { None })
    }
}

impl Stretch {
    /// The guards of the present modes.
    pub(super) fn list_guards(&self, model: &Model, out: &mut Vec<LinearGuard>) {
        out.clear();
        let mut push = |kind, source, scale: f64, offset: f64| {
            out.push(LinearGuard { kind, source, scale, offset, by_force: None });
        };
        for (i, contact) in model.contacts.iter().enumerate() {
            let corners = &contact.line.corners;
            match self.regime.contacts[i] {
                ContactMode::Open => push(GuardKind::Lands { contact: i }, GuardSource::Normal(i), -1.0, 0.0),
                ContactMode::Slip { piece } => {
                    for (side, corner) in [(Side::Low, piece.checked_sub(1)), (Side::High, Some(piece))] {
                        let Some(corner) = corner.and_then(|corner| corners.get(corner)) else { continue };
                        let sign = if side == Side::High { -1.0 } else { 1.0 };
                        let kind = GuardKind::Corner { contact: i, side };
                        push(kind, GuardSource::Sliding(i), sign, -sign * corner.v);
                    }
                }
                ContactMode::Stick { .. } => {}
            }
            if contact.varies && self.regime.contacts[i] != ContactMode::Open {
                push(GuardKind::Opens { contact: i }, GuardSource::Normal(i), 1.0, 0.0);
            }
        }
        for (k, slider) in model.sliders.iter().enumerate().filter(|(_, slider)| slider.holds()) {
            match self.regime.sliders[k] {
                SliderMode::Stick => {
                    for (side, reach) in [Side::Low, Side::High].into_iter().zip(slider.reach) {
                        let scale = if side == Side::High { -1.0 } else { 1.0 };
                        push(GuardKind::Yields { slider: k, side }, GuardSource::Deflection(k), scale, reach);
                    }
                }
                SliderMode::Slip(side) => {
                    let scale = if side == Side::High { 1.0 } else { -1.0 };
                    push(GuardKind::Catches { slider: k }, GuardSource::Sliding(slider.contact), scale, 0.0);
                }
            }
        }
        for k in 0..model.stops.len() {
            if self.regime.stops[k].is_closed() {
                push(GuardKind::Releases { stop: k }, GuardSource::Reaction(k), 1.0, 0.0);
            } else {
                push(GuardKind::Hits { stop: k }, GuardSource::Gap(k), 1.0, 0.0);
            }
        }
        for (element, own) in model.one_sided.iter().enumerate() {
            let (depth, force) = (GuardSource::Depth(element), GuardSource::Press(element));
            match self.regime.one_sided[element] {
                StopMode::Free => push(GuardKind::Presses { element }, depth, -1.0, 0.0),
                StopMode::Closed if own.is_damped => push(GuardKind::Slackens { element }, force, 1.0, 0.0),
                StopMode::Closed => push(GuardKind::Leaves { element }, depth, 1.0, 0.0),
                StopMode::Slack => {
                    push(GuardKind::Presses { element }, force, -1.0, 0.0);
                    push(GuardKind::Leaves { element }, depth, 1.0, 0.0);
                }
            }
        }
        for (i, contact) in model.contacts.iter().enumerate() {
            let ContactMode::Stick { corner, yields } = self.regime.contacts[i] else { continue };
            let corner = contact.line.corners[corner];
            for (side, limit) in [(Side::Low, corner.low), (Side::High, corner.high)] {
                let sign = match (side, yields) {
                    (_, Some(end)) if end != side => continue,
                    // beyond its limit until it unloads
                    (Side::High, Some(_)) | (Side::Low, None) => 1.0,
                    (Side::Low, Some(_)) | (Side::High, None) => -1.0,
                };
                let kind = match yields {
                    None => GuardKind::Limit { contact: i, side },
                    Some(_) => GuardKind::Unloads { contact: i, side },
                };
                let (source, by_force) = (GuardSource::Normal(i), Some((i, sign)));
                out.push(LinearGuard { kind, source, scale: -sign * limit, offset: 0.0, by_force });
            }
        }
    }
}
