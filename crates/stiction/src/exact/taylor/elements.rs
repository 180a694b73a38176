//! Contacts, springs with sliders, rigid stops and one-sided elements, prepared.

use super::model::{Sparse, shifted, sparse};
use super::row::{Row, norm};
use crate::Error;
use crate::exact::polyline::ForceLine;
use crate::system::{Contact, ElasticStop, Inertia, RigidStop, Signal, Threshold, VaryingContact};

/// A contact, prepared. Its friction force is `line(sliding) · normal`.
#[derive(Clone, Debug)]
pub(in crate::exact) struct PreparedContact {
    pub line: ForceLine,
    pub direction: Sparse,
    /// M⁻¹w.
    pub mobility: Sparse,
    /// Constant velocity of the counter-surface (m/s).
    pub belt: f64,
    /// Sliding velocity.
    pub sliding: Row,
    /// Normal load (N) where it varies; otherwise 1, and the load is in the line.
    pub normal: Row,
    pub varies: bool,
    /// The degree of freedom that a sticking contact determines, if its direction has one entry.
    pub pins: Option<usize>,
    /// Its springs with sliders.
    pub sliders: std::ops::Range<usize>,
    pub(super) signals: [Option<usize>; 2],
}

/// A spring with a slider.
#[derive(Clone, Debug)]
pub(super) struct PreparedSlider {
    pub contact: usize,
    /// Of the spring (N/m).
    pub stiffness: f64,
    /// Largest deflections below and above, without their signs (m).
    pub reach: [f64; 2],
    /// Its deflection, a state.
    pub deflection: Row,
}

impl PreparedSlider {
    /// Whether the slider holds anything; without friction it slides for ever.
    pub fn holds(&self) -> bool {
        self.reach != [0.0; 2]
    }
}

/// A rigid stop.
#[derive(Clone, Debug)]
pub(super) struct PreparedStop {
    pub direction: Sparse,
    pub mobility: Sparse,
    /// Gap (m).
    pub gap: Row,
    /// Velocity towards it (m/s).
    pub approach: Row,
    pub restitution: f64,
    /// Its velocity, a signal, if it moves.
    pub velocity: Option<usize>,
}

/// A one-sided element: an elastic stop, the corner of a spring, the limit of a controller. Beyond its limit it acts
/// with `−direction force` and adds `−rate force` to the rates of states, while its force is positive.
#[derive(Clone, Debug)]
pub(super) struct OneSided {
    pub direction: Sparse,
    pub rate: Sparse,
    pub norm: f64,
    /// By how much its quantity exceeds its limit: the compression of a stop (m).
    pub depth: Row,
    /// Its force (N), or what it adds beyond its limit.
    pub force: Row,
    /// Whether the force vanishes elsewhere than at the limit.
    pub is_damped: bool,
    pub power: Power,
}

/// What becomes of the power of a one-sided element.
#[derive(Clone, Debug)]
pub(super) enum Power {
    /// It is stored, as in a spring.
    Stored,
    /// It is work of feedback.
    Supplied,
    /// Lost in a stop, with the velocity towards it (m/s), but for what goes to what moves the stop.
    Lost { approach: Row, moves: bool },
}

pub(super) fn prepared_contact(
    i: usize,
    contact: &Contact,
    varying: Option<&VaryingContact>,
    inertia: &Inertia,
    place: &mut impl FnMut(&Signal) -> usize,
    sliders: &mut Vec<PreparedSlider>,
) -> Result<PreparedContact, Error> {
    let n = contact.direction.len();
    let law = contact.friction.law.name();
    let varies = varying.is_some_and(|v| {
        !v.load.is_constant() || v.by_position.iter().chain(&v.by_velocity).any(|x| *x != 0.0)
    });
    let extra = varying.map_or(0.0, |v| if varies { v.load.constant } else { v.load.at(0.0) });
    let load = contact.load + extra;
    let line = ForceLine::new(&Contact { load: if varies { 1.0 } else { load }, ..contact.clone() })
        .ok_or(Error::NotPiecewiseLinear { contact: i, law })?;
    let springs = contact.friction.law.sliders().unwrap_or_default();
    if varies && (!springs.is_empty() || line.pieces.iter().any(|piece| piece.slope != 0.0)) {
        return Err(Error::LoadTimesSlope { contact: i, law });
    }
    let first = sliders.len();
    for slider in springs {
        let k = sliders.len();
        sliders.push(PreparedSlider {
            contact: i,
            stiffness: load * slider.stiffness,
            reach: [-1.0, 1.0].map(|way| slider.reach_towards(way)),
            deflection: Row { x: vec![(k, 1.0)], ..Row::default() },
        });
    }
    let direction = sparse(&contact.direction);
    let mut sliding = Row::new(Sparse::new(), direction.clone(), -contact.belt, inertia, n);
    let mut normal = Row { constant: 1.0, ..Row::default() };
    let mut own = [None; 2];
    if let Some(varying) = varying {
        if !varying.belt.is_zero() {
            let number = place(&varying.belt);
            sliding.signals.push((number, -1.0));
            own[1] = Some(number);
        }
        if varies {
            normal = Row::new(
                sparse(&varying.by_position),
                sparse(&varying.by_velocity),
                contact.load,
                inertia,
                n,
            );
            let number = place(&varying.load);
            normal.signals.push((number, 1.0));
            own[0] = Some(number);
        }
    }
    let pins = if let [(k, _)] = direction[..] { Some(k) } else { None };
    Ok(PreparedContact {
        line,
        mobility: sliding.mobility[1].clone(),
        direction,
        belt: contact.belt,
        sliding,
        normal,
        varies,
        pins,
        sliders: first..sliders.len(),
        signals: own,
    })
}

/// The signals of how a stop moves and of its velocity; none of one that stands still.
fn motion(moves: &Signal, place: &mut impl FnMut(&Signal) -> usize) -> Option<[usize; 2]> {
    (!moves.is_zero()).then(|| [place(moves), place(&moves.derivative())])
}

pub(super) fn prepared_stop(
    stop: &RigidStop,
    inertia: &Inertia,
    place: &mut impl FnMut(&Signal) -> usize,
) -> PreparedStop {
    let (n, direction) = (stop.direction.len(), sparse(&stop.direction));
    let away = direction.iter().map(|&(k, w)| (k, -w)).collect();
    let mut gap = Row::new(away, Sparse::new(), stop.position, inertia, n);
    let mut approach = Row::new(Sparse::new(), direction.clone(), 0.0, inertia, n);
    let motion = motion(&stop.moves, place);
    if let Some([moves, velocity]) = motion {
        gap.signals.push((moves, 1.0));
        approach.signals.push((velocity, -1.0));
    }
    PreparedStop {
        mobility: approach.mobility[1].clone(),
        gap,
        approach,
        direction,
        restitution: stop.restitution,
        velocity: motion.map(|motion| motion[1]),
    }
}

/// Elastic stops, then what limits those with limited damping.
pub(super) fn prepared_elastic(
    stops: &[ElasticStop],
    inertia: &Inertia,
    place: &mut impl FnMut(&Signal) -> usize,
) -> Vec<OneSided> {
    let (mut all, mut limits) = (Vec::new(), Vec::new());
    for stop in stops {
        let [own, limit] = with_limit(stop, inertia, place);
        all.extend(own);
        limits.extend(limit);
    }
    all.append(&mut limits);
    all
}

/// An elastic stop; of one with limited damping also what limits it, which pulls with c ẋ − k x.
fn with_limit(
    stop: &ElasticStop,
    inertia: &Inertia,
    place: &mut impl FnMut(&Signal) -> usize,
) -> [Option<OneSided>; 2] {
    let (n, towards) = (stop.direction.len(), sparse(&stop.direction));
    let scaled = |scale: f64| towards.iter().map(|&(k, w)| (k, scale * w)).filter(|x| x.1 != 0.0).collect();
    let motion = motion(&stop.moves, place);
    let with = |mut row: Row, [by_position, by_velocity]: [f64; 2]| {
        if let Some([moves, velocity]) = motion {
            let signals = [(moves, -by_position), (velocity, -by_velocity)];
            row.signals.extend(signals.into_iter().filter(|(_, scale)| *scale != 0.0));
        }
        row
    };
    let made = |sign: f64| {
        let (k, c) = (sign * stop.stiffness, stop.damping);
        let approach = with(Row::new(Sparse::new(), scaled(sign), 0.0, inertia, n), [0.0, sign]);
        OneSided {
            norm: norm(&stop.direction, inertia),
            depth: with(Row::new(towards.clone(), Sparse::new(), -stop.position, inertia, n), [1.0, 0.0]),
            force: with(Row::new(scaled(k), scaled(c), -k * stop.position, inertia, n), [k, c]),
            is_damped: stop.damping != 0.0,
            direction: scaled(sign),
            rate: Sparse::new(),
            power: Power::Lost { approach, moves: motion.is_some() },
        }
    };
    [Some(made(1.0)), (stop.is_limited && stop.damping != 0.0).then(|| made(-1.0))]
}

/// A threshold whose quantity is `excess` but for its constant.
pub(super) fn prepared_threshold(
    threshold: &Threshold,
    excess: Row,
    first_state: usize,
    inertia: &Inertia,
) -> OneSided {
    let excess = Row { constant: -threshold.at, ..excess };
    let against = |x: &[f64]| -> Sparse { sparse(x).into_iter().map(|(k, x)| (k, -x)).collect() };
    OneSided {
        direction: against(&threshold.force),
        rate: shifted(&against(&threshold.rate), first_state),
        norm: norm(&threshold.force, inertia),
        depth: excess.clone(),
        force: excess,
        is_damped: false,
        power: if threshold.stiffness().is_some() { Power::Stored } else { Power::Supplied },
    }
}
