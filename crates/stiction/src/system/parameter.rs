//! A number of a system that a search varies: a lens, made once, through which the number is set without any
//! text.
//!
//! A lens has one or more [`SystemNumber`]s, which share its value: a frequency that several loads have in
//! common is one parameter. Loads and base motions are written with directions and, for the base, through the
//! masses; the lens keeps them as written and computes the vectors of the system anew, so that a system at a
//! value is, to the bit, the one written with it (to round-off where contact stiffness or damping in N/m and
//! N s/m is kept).

use super::{Drive, ForceElements, Prescribed, Signal, System};
use crate::Faults;
use crate::law::Friction;

/// Where a number stands.
#[derive(Clone, Debug, PartialEq)]
pub enum SystemNumber {
    /// Entry of the mass matrix, row and column (kg).
    Mass([usize; 2]),
    /// Entry of the damping matrix (N s/m).
    Damping([usize; 2]),
    /// Entry of the stiffness matrix (N/m).
    Stiffness([usize; 2]),
    /// Initial position of a degree of freedom (m).
    Position(usize),
    /// Initial velocity of a degree of freedom (m/s).
    Velocity(usize),
    /// Normal load of a contact (N).
    ContactLoad(usize),
    /// Normal load of a contact (N), and the numbers of its friction, by name, whose product with the load is
    /// kept as the load varies: a contact stiffness in N/m, a contact damping in N s/m.
    ContactLoadKeeping(usize, Vec<String>),
    /// Product of a number of a contact's friction, by name, with its load: contact stiffness (N/m) or
    /// contact damping (N s/m).
    AtLoad(usize, String),
    /// Velocity of the counter-surface of a contact (m/s).
    Belt(usize),
    /// Amplitude of the wave in the normal load of a contact (N).
    LoadWaveAmplitude(usize),
    /// Its frequency (rad/s).
    LoadWaveOmega(usize),
    /// Its phase (rad).
    LoadWavePhase(usize),
    /// Viscous part of a contact's coefficient (s/m).
    Viscous(usize),
    /// Entry of the direction of a contact: contact, degree of freedom (-).
    ContactDirection([usize; 2]),
    /// A number of a contact's law, by name.
    Law(usize, String),
    /// Constant part of a load (N).
    Constant(usize),
    /// Amplitude of a load (N).
    Amplitude(usize),
    /// Frequency of a load (rad/s).
    Omega(usize),
    /// Phase of a load (rad).
    Phase(usize),
    /// Entry of the direction of a load: load, degree of freedom (-).
    LoadDirection([usize; 2]),
    /// Amplitude of a base motion (m).
    BaseAmplitude(usize),
    /// Frequency of a base motion (rad/s).
    BaseOmega(usize),
    /// Phase of a base motion (rad).
    BasePhase(usize),
    /// Entry of the direction of a base motion: motion, degree of freedom (-).
    BaseDirection([usize; 2]),
    /// Constant part of a prescribed position (m), velocity (m/s) or acceleration (m/s²).
    PrescribedConstant(usize),
    /// Amplitude of its wave (m, m/s or m/s²).
    PrescribedAmplitude(usize),
    /// Frequency of its wave (rad/s).
    PrescribedOmega(usize),
    /// Phase of its wave (rad).
    PrescribedPhase(usize),
}

impl SystemNumber {
    /// Whether it is the frequency of something periodic.
    pub fn is_frequency(&self) -> bool {
        matches!(
            self,
            Self::Omega(_) | Self::BaseOmega(_) | Self::LoadWaveOmega(_) | Self::PrescribedOmega(_)
        )
    }
}

/// A number of a system that a search varies.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    places: Vec<SystemNumber>,
    drive: Drive,
    /// What a unit of the parameter is in the unit of its places: 2π for a frequency in hertz.
    per_unit: f64,
    /// Friction of each contact whose numbers are kept as the load varies, these times the load.
    kept: Vec<(usize, Friction)>,
}

impl Parameter {
    /// The lens on one or more places of `system`, whose loads are those of `drive`; none if one of them does
    /// not exist. Where motions are prescribed, places are those of the system as it was, and what says which
    /// ones touch each other is none: directions of contacts, masses beside the diagonal.
    pub fn new(system: &System, drive: Drive, places: Vec<SystemNumber>) -> Option<Self> {
        let whole = drive.prescribed.as_ref().map_or(system, Prescribed::whole);
        let kept = places.iter().filter_map(|place| kept(whole, place)).collect();
        let parameter = Self { places, drive, per_unit: 1.0, kept };
        let is_prescribed = parameter.drive.prescribed.is_some();
        let couples = |place: &SystemNumber| match place {
            SystemNumber::Mass([i, j]) => i != j,
            place => matches!(place, SystemNumber::ContactDirection(_)),
        };
        let exists = |place: &SystemNumber| {
            parameter.read(system, place).is_some() && !(is_prescribed && couples(place))
        };
        (!parameter.places.is_empty() && parameter.places.iter().all(exists)).then_some(parameter)
    }

    /// The same frequency in hertz; none if it is no frequency.
    pub fn in_hertz(self) -> Option<Self> {
        let are_frequencies = self.places.iter().all(SystemNumber::is_frequency);
        are_frequencies.then_some(Self { per_unit: std::f64::consts::TAU, ..self })
    }

    /// Whether both set a number in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.places.iter().any(|place| other.places.contains(place))
    }

    /// The number in its first place; of a load or base motion the one as written. NaN where a law leaves the
    /// number out.
    pub fn get(&self, system: &System) -> f64 {
        self.places.first().and_then(|place| self.read(system, place)).unwrap_or(f64::NAN) / self.per_unit
    }

    /// Sets the number in all its places.
    pub fn set(&self, system: &mut System, value: f64) {
        Self::set_all(&[(self, value)], system);
    }

    /// Sets several numbers, all lenses on one system; the loads as written then, if they change.
    pub fn set_all(numbers: &[(&Self, f64)], system: &mut System) -> Option<Drive> {
        let mut drive = None;
        // normal loads first: a contact stiffness is set at its load
        let mut numbers = numbers.to_vec();
        numbers.sort_by_key(|(parameter, _)| parameter.kept.is_empty());
        if let Some((first, _)) = numbers.first()
            && let Some(prescribed) = &first.drive.prescribed
        {
            // motions are prescribed anew in the system as it was
            let mut whole = prescribed.whole().clone();
            let mut changed = first.drive.clone();
            for (parameter, value) in &numbers {
                parameter.put(&mut whole, &mut drive, *value);
            }
            if let Some(drive) = drive {
                drive.act_on(&mut whole);
                changed = drive;
            }
            let motions = changed.prescribed.take().map_or_else(Vec::new, |prescribed| prescribed.motions);
            // nothing that a lens sets makes this fail
            if let Ok((left, prescribed)) = whole.prescribe(motions) {
                *system = left;
                changed.prescribed = Some(prescribed);
            }
            return Some(changed);
        }
        for (parameter, value) in &numbers {
            parameter.put(system, &mut drive, *value);
        }
        if let Some(drive) = &drive {
            drive.act_on(system);
        }
        drive
    }

    /// Sets the number in all its places; `drive` becomes the loads as written if they change.
    fn put(&self, system: &mut System, drive: &mut Option<Drive>, value: f64) {
        let value = self.per_unit * value;
        for place in &self.places {
            match place {
                SystemNumber::Mass([i, j]) => {
                    *system.mass.at_mut(*i, *j) = value;
                    // a base that moves loads every mass
                    if !self.drive.bases.is_empty() {
                        drive.get_or_insert_with(|| self.drive.clone());
                    }
                }
                SystemNumber::Damping([i, j]) => *system.damping.at_mut(*i, *j) = value,
                SystemNumber::Stiffness([i, j]) => *system.stiffness.at_mut(*i, *j) = value,
                SystemNumber::Position(i) => system.position[*i] = value,
                SystemNumber::Velocity(i) => system.velocity[*i] = value,
                SystemNumber::ContactLoad(i) => system.contacts[*i].load = value,
                SystemNumber::ContactLoadKeeping(i, names) => {
                    let contact = &mut system.contacts[*i];
                    contact.load = value;
                    if let Some((_, friction)) = self.kept.iter().find(|(kept, _)| kept == i) {
                        contact.friction.clone_from(friction);
                        over_load(&mut contact.friction, names, value);
                    }
                }
                SystemNumber::AtLoad(i, name) => {
                    let contact = &mut system.contacts[*i];
                    let number = value / contact.load;
                    match name.as_str() {
                        "viscous" => contact.friction.viscous = number,
                        name => _ = contact.friction.law.set_number(name, number),
                    }
                }
                SystemNumber::Belt(i) => system.contacts[*i].belt = value,
                SystemNumber::Viscous(i) => system.contacts[*i].friction.viscous = value,
                SystemNumber::ContactDirection([i, k]) => system.contacts[*i].direction[*k] = value,
                SystemNumber::Law(i, name) => {
                    system.contacts[*i].friction.law.set_number(name, value);
                }
                SystemNumber::LoadWaveAmplitude(_)
                | SystemNumber::LoadWaveOmega(_)
                | SystemNumber::LoadWavePhase(_) => {
                    if let Some(number) = load_wave(&mut system.elements, place) {
                        *number = value;
                    }
                }
                _ => {
                    let drive = drive.get_or_insert_with(|| self.drive.clone());
                    if let Some(number) = driven(drive, place) {
                        *number = value;
                    }
                }
            }
        }
    }

    /// `system` with the number set to `value`, which need not fit: see [`Parameter::check`].
    pub fn at(&self, system: &System, value: f64) -> System {
        let mut system = system.clone();
        self.set(&mut system, value);
        system
    }

    /// Writes every fault of `system` with the number set to `value` into `faults`.
    pub fn check(&self, system: &System, value: f64, faults: &mut Faults) {
        self.at(system, value).check(faults);
    }

    /// Letter of the literature, or the name where there is none; and the SI unit, `-` for a pure number.
    pub fn symbol_and_unit(&self, system: &System) -> (&str, &'static str) {
        match self.places.first() {
            None => ("parameter", "-"),
            Some(_) if self.per_unit != 1.0 => ("f", "Hz"),
            Some(SystemNumber::Mass(_)) => ("m", "kg"),
            Some(SystemNumber::Damping(_)) => ("c", "N s/m"),
            Some(SystemNumber::Stiffness(_)) => ("k", "N/m"),
            Some(SystemNumber::Position(_)) => ("initial position", "m"),
            Some(SystemNumber::Velocity(_)) => ("initial velocity", "m/s"),
            Some(SystemNumber::ContactLoad(_) | SystemNumber::ContactLoadKeeping(..)) => ("normal load", "N"),
            Some(SystemNumber::AtLoad(_, name)) => match name.as_str() {
                "stiffness" => ("contact stiffness", "N/m"),
                "viscous" => ("viscous contact damping", "N s/m"),
                _ => ("contact damping", "N s/m"),
            },
            Some(SystemNumber::Belt(_)) => ("belt speed", "m/s"),
            Some(SystemNumber::Viscous(_)) => ("viscous", "s/m"),
            Some(
                SystemNumber::ContactDirection(_)
                | SystemNumber::LoadDirection(_)
                | SystemNumber::BaseDirection(_),
            ) => ("direction", "-"),
            Some(SystemNumber::Law(i, name)) => {
                let numbers = system.contacts[*i].friction.law.numbers();
                let unit = numbers.iter().find(|(known, _)| known == name).map_or("", |(_, unit)| unit);
                let unit = if name == "reverse" { "-" } else { unit };
                let symbol = match name.as_str() {
                    "mu" => "μ",
                    "mu_static" => "μs",
                    "width" => "Δ",
                    other => other,
                };
                (symbol, unit)
            }
            Some(SystemNumber::Constant(_)) => ("constant force", "N"),
            Some(SystemNumber::Amplitude(_)) => ("P", "N"),
            Some(SystemNumber::BaseAmplitude(_)) => ("base amplitude", "m"),
            Some(SystemNumber::LoadWaveAmplitude(_)) => ("amplitude of the normal load", "N"),
            Some(SystemNumber::LoadWavePhase(_)) => ("phase of the normal load", "rad"),
            Some(SystemNumber::PrescribedConstant(i)) => match self.prescribed_unit(*i) {
                "m" => ("constant prescribed position", "m"),
                unit => ("constant part of the prescribed motion", unit),
            },
            Some(SystemNumber::PrescribedAmplitude(i)) => ("prescribed amplitude", self.prescribed_unit(*i)),
            Some(SystemNumber::PrescribedPhase(_)) => ("phase of the prescribed motion", "rad"),
            Some(
                SystemNumber::Omega(_)
                | SystemNumber::BaseOmega(_)
                | SystemNumber::LoadWaveOmega(_)
                | SystemNumber::PrescribedOmega(_),
            ) => ("ω", "rad/s"),
            Some(SystemNumber::Phase(_) | SystemNumber::BasePhase(_)) => ("phase of the load", "rad"),
        }
    }

    /// Unit of what prescribes a motion.
    fn prescribed_unit(&self, i: usize) -> &'static str {
        let motion = self.drive.prescribed.as_ref().and_then(|prescribed| prescribed.motions.get(i));
        match motion.and_then(|motion| motion.rate.as_ref()) {
            None => "m",
            Some(rate) if rate.is_acceleration => "m/s²",
            Some(_) => "m/s",
        }
    }

    /// The number at a place, none if there is no such place.
    fn read(&self, system: &System, place: &SystemNumber) -> Option<f64> {
        let system = self.drive.prescribed.as_ref().map_or(system, Prescribed::whole);
        let entry = |matrix: &crate::math::Matrix, [i, j]: [usize; 2]| {
            (i < matrix.n_rows && j < matrix.n_cols).then(|| matrix.at(i, j))
        };
        let contact = |i: usize| system.contacts.get(i);
        match place {
            SystemNumber::Mass(at) => entry(&system.mass, *at),
            SystemNumber::Damping(at) => entry(&system.damping, *at),
            SystemNumber::Stiffness(at) => entry(&system.stiffness, *at),
            SystemNumber::Position(i) => system.position.get(*i).copied(),
            SystemNumber::Velocity(i) => system.velocity.get(*i).copied(),
            SystemNumber::ContactLoad(i) | SystemNumber::ContactLoadKeeping(i, _) => {
                contact(*i).map(|contact| contact.load)
            }
            SystemNumber::AtLoad(i, name) => {
                let Friction { law, viscous } = &contact(*i)?.friction;
                let number = if name == "viscous" { Some(*viscous) } else { law.number(name) };
                Some(number? * contact(*i)?.load)
            }
            SystemNumber::Belt(i) => contact(*i).map(|contact| contact.belt),
            SystemNumber::Viscous(i) => contact(*i).map(|contact| contact.friction.viscous),
            SystemNumber::ContactDirection([i, k]) => contact(*i)?.direction.get(*k).copied(),
            SystemNumber::Law(i, name) => {
                let law = &contact(*i)?.friction.law;
                let is_known = law.numbers().iter().any(|(known, _)| known == name);
                // one that is left out is known too
                law.number(name).or_else(|| is_known.then_some(f64::NAN))
            }
            SystemNumber::LoadWaveAmplitude(_)
            | SystemNumber::LoadWaveOmega(_)
            | SystemNumber::LoadWavePhase(_) => load_wave(&mut system.elements.clone(), place).copied(),
            _ => driven(&mut self.drive.clone(), place).copied(),
        }
    }
}

/// Divides these numbers, given times the load, by the load.
fn over_load(friction: &mut Friction, names: &[String], load: f64) {
    names.iter().for_each(|name| _ = friction.map_number(name, &|number| number / load));
}

/// The friction of a contact whose numbers are kept as its load varies, these times the load.
fn kept(system: &System, place: &SystemNumber) -> Option<(usize, Friction)> {
    let SystemNumber::ContactLoadKeeping(i, names) = place else { return None };
    let contact = system.contacts.get(*i)?;
    let mut friction = contact.friction.clone();
    names.iter().for_each(|name| _ = friction.map_number(name, &|number| number * contact.load));
    Some((*i, friction))
}

/// A number of the wave in the normal load of a contact.
fn load_wave<'a>(elements: &'a mut ForceElements, place: &SystemNumber) -> Option<&'a mut f64> {
    let (SystemNumber::LoadWaveAmplitude(i)
    | SystemNumber::LoadWaveOmega(i)
    | SystemNumber::LoadWavePhase(i)) = *place
    else {
        return None;
    };
    let varying = elements.contacts.iter_mut().find(|varying| varying.contact == i)?;
    let wave = varying.load.waves.first_mut()?;
    Some(match place {
        SystemNumber::LoadWaveAmplitude(_) => &mut wave.amplitude,
        SystemNumber::LoadWaveOmega(_) => &mut wave.omega,
        _ => &mut wave.phase,
    })
}

/// The number of a load, of a base motion or of a prescribed motion.
fn driven<'a>(drive: &'a mut Drive, place: &SystemNumber) -> Option<&'a mut f64> {
    match *place {
        SystemNumber::Constant(i) => drive.loads.get_mut(i).map(|load| &mut load.constant),
        SystemNumber::Amplitude(i) => {
            drive.loads.get_mut(i).filter(|load| load.omega.is_some()).map(|load| &mut load.amplitude)
        }
        SystemNumber::Omega(i) => drive.loads.get_mut(i)?.omega.as_mut(),
        SystemNumber::Phase(i) => drive.loads.get_mut(i).map(|load| &mut load.phase),
        SystemNumber::LoadDirection([i, k]) => drive.loads.get_mut(i)?.direction.get_mut(k),
        SystemNumber::BaseAmplitude(i) => drive.bases.get_mut(i).map(|base| &mut base.amplitude),
        SystemNumber::BaseOmega(i) => drive.bases.get_mut(i).map(|base| &mut base.omega),
        SystemNumber::BasePhase(i) => drive.bases.get_mut(i).map(|base| &mut base.phase),
        SystemNumber::BaseDirection([i, k]) => drive.bases.get_mut(i)?.direction.get_mut(k),
        SystemNumber::PrescribedConstant(i) => Some(&mut given(drive, i)?.constant),
        SystemNumber::PrescribedAmplitude(i) => Some(&mut given(drive, i)?.waves.first_mut()?.amplitude),
        SystemNumber::PrescribedOmega(i) => Some(&mut given(drive, i)?.waves.first_mut()?.omega),
        SystemNumber::PrescribedPhase(i) => Some(&mut given(drive, i)?.waves.first_mut()?.phase),
        _ => None,
    }
}

/// The position, velocity or acceleration by which a motion is prescribed.
fn given(drive: &mut Drive, i: usize) -> Option<&mut Signal> {
    let motion = drive.prescribed.as_mut()?.motions.get_mut(i)?;
    Some(motion.rate.as_mut().map_or(&mut motion.position, |rate| &mut rate.signal))
}
