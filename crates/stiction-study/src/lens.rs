//! From the path of a key to the number of the system that it names.

use crate::resolve::Owners;
use crate::scenario::{
    Acting, Base, CONTACT, DampingForm, MatrixForm, OneOrMany, PrescribedTable, Surroundings, SystemKind,
};
use stiction::law::FrictionLaw;
use stiction::system::SystemNumber;

/// The numbers at a path below `system`; none if no number that could vary stands there, several if the path
/// names a table that stands for several contacts or motions.
pub(crate) fn numbers(kind: &SystemKind, owners: &Owners, path: &[String]) -> Vec<SystemNumber> {
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let Some(number) = number(kind, &path) else { return Vec::new() };
    let of = |list: &[usize], table: usize| -> Vec<usize> {
        (0..list.len()).filter(|&i| list[i] == table).collect()
    };
    let contacts = |table: usize| of(&owners.contacts, table).into_iter();
    let motions = |table: usize| of(&owners.motions, table).into_iter();
    match number {
        SystemNumber::ContactLoad(table) => contacts(table).map(SystemNumber::ContactLoad).collect(),
        SystemNumber::ContactLoadKeeping(table, names) => {
            contacts(table).map(|i| SystemNumber::ContactLoadKeeping(i, names.clone())).collect()
        }
        SystemNumber::AtLoad(table, name) => {
            contacts(table).map(|i| SystemNumber::AtLoad(i, name.clone())).collect()
        }
        SystemNumber::Belt(table) => contacts(table).map(SystemNumber::Belt).collect(),
        SystemNumber::LoadWaveAmplitude(table) => {
            contacts(table).map(SystemNumber::LoadWaveAmplitude).collect()
        }
        SystemNumber::LoadWaveOmega(table) => contacts(table).map(SystemNumber::LoadWaveOmega).collect(),
        SystemNumber::LoadWavePhase(table) => contacts(table).map(SystemNumber::LoadWavePhase).collect(),
        SystemNumber::Viscous(table) => contacts(table).map(SystemNumber::Viscous).collect(),
        SystemNumber::Law(table, name) => {
            contacts(table).map(|i| SystemNumber::Law(i, name.clone())).collect()
        }
        SystemNumber::ContactDirection([table, k]) => {
            contacts(table).map(|i| SystemNumber::ContactDirection([i, k])).collect()
        }
        SystemNumber::PrescribedConstant(table) => {
            motions(table).map(SystemNumber::PrescribedConstant).collect()
        }
        SystemNumber::PrescribedAmplitude(table) => {
            motions(table).map(SystemNumber::PrescribedAmplitude).collect()
        }
        SystemNumber::PrescribedOmega(table) => motions(table).map(SystemNumber::PrescribedOmega).collect(),
        SystemNumber::PrescribedPhase(table) => motions(table).map(SystemNumber::PrescribedPhase).collect(),
        other => vec![other],
    }
}

/// The number at a path, contacts and prescribed motions counted by their tables.
fn number(kind: &SystemKind, path: &[&str]) -> Option<SystemNumber> {
    match (kind, path) {
        (SystemKind::Oscillator(o), ["system", "oscillator", rest @ ..]) => match rest {
            ["mass"] => Some(SystemNumber::Mass([0, 0])),
            ["damping"] => Some(SystemNumber::Damping([0, 0])),
            ["stiffness"] => Some(SystemNumber::Stiffness([0, 0])),
            ["initial", "position"] => Some(SystemNumber::Position(0)),
            ["initial", "velocity"] => Some(SystemNumber::Velocity(0)),
            rest => acting(&o.acting, rest),
        },
        (SystemKind::Matrices(m), ["system", "matrices", rest @ ..]) => match rest {
            ["mass", at @ ..] => entry(Some(&m.mass), at).map(SystemNumber::Mass),
            ["stiffness", at @ ..] => entry(m.stiffness.as_ref(), at).map(SystemNumber::Stiffness),
            rest => structure(&m.surroundings, rest),
        },
        (SystemKind::Chain(table), ["system", "chain", rest @ ..]) => structure(&table.surroundings, rest),
        (SystemKind::Beam(table), ["system", "beam", rest @ ..]) => structure(&table.surroundings, rest),
        (SystemKind::Plate(table), ["system", "plate", rest @ ..]) => structure(&table.surroundings, rest),
        _ => None,
    }
}

fn structure(s: &Surroundings, path: &[&str]) -> Option<SystemNumber> {
    match path {
        ["damping", at @ ..] => match &s.damping {
            Some(DampingForm::Matrix(form)) => entry(Some(form), at).map(SystemNumber::Damping),
            _ => None,
        },
        ["initial", "position", k] => {
            s.initial.position.as_ref().and(k.parse().ok()).map(SystemNumber::Position)
        }
        ["initial", "velocity", k] => {
            s.initial.velocity.as_ref().and(k.parse().ok()).map(SystemNumber::Velocity)
        }
        rest => acting(&s.acting, rest),
    }
}

fn entry(form: Option<&MatrixForm>, at: &[&str]) -> Option<[usize; 2]> {
    match (form?, at) {
        (MatrixForm::Diagonal(_), [i]) => i.parse().ok().map(|i| [i, i]),
        (MatrixForm::Rows(_), [i, j]) => Some([i.parse().ok()?, j.parse().ok()?]),
        _ => None,
    }
}

/// The member of a list that a path names, its number, and the rest of the path. One table stands for a list
/// of one.
fn member<'a, 'p, T>(list: &'a OneOrMany<T>, path: &'p [&'p str]) -> Option<(usize, &'a T, &'p [&'p str])> {
    let (i, rest) = match (list, path) {
        (OneOrMany::Many(_), [i, rest @ ..]) => (i.parse().ok()?, rest),
        (OneOrMany::One(_), rest) => (0, rest),
        _ => return None,
    };
    list.iter().nth(i).map(|one| (i, one, rest))
}

fn acting(Acting { force, base, friction, prescribed, .. }: &Acting, path: &[&str]) -> Option<SystemNumber> {
    match path {
        ["force", rest @ ..] => {
            let (i, load, rest) = member(force, rest)?;
            match rest {
                ["constant"] => Some(SystemNumber::Constant(i)),
                // one that begins or ends belongs to a signal
                ["amplitude" | "omega" | "phase"] if load.has_window() => None,
                ["amplitude"] => Some(SystemNumber::Amplitude(i)),
                ["omega"] => Some(SystemNumber::Omega(i)),
                ["phase"] => Some(SystemNumber::Phase(i)),
                ["direction", k] => load
                    .on
                    .direction
                    .as_ref()
                    .and(k.parse().ok())
                    .map(|k| SystemNumber::LoadDirection([i, k])),
                _ => None,
            }
        }
        ["base", rest @ ..] => {
            let (i, one, rest) = member(base, rest)?;
            // those that are records alone have no number
            let has_number = |base: &Base| base.omega != 0.0 && !base.has_window();
            if !has_number(one) {
                return None;
            }
            let i = base.iter().take(i).filter(|base| has_number(base)).count();
            match rest {
                ["amplitude"] => Some(SystemNumber::BaseAmplitude(i)),
                ["omega"] => Some(SystemNumber::BaseOmega(i)),
                ["phase"] => Some(SystemNumber::BasePhase(i)),
                ["direction", k] => {
                    one.direction.as_ref().and(k.parse().ok()).map(|k| SystemNumber::BaseDirection([i, k]))
                }
                _ => None,
            }
        }
        ["prescribed", rest @ ..] => motion(prescribed, rest),
        ["friction", rest @ ..] => {
            let (i, contact, rest) = member(friction, rest)?;
            match rest {
                ["load"] => Some(match contact.all_at_load() {
                    kept if kept.is_empty() => SystemNumber::ContactLoad(i),
                    kept => {
                        SystemNumber::ContactLoadKeeping(i, kept.into_iter().map(str::to_owned).collect())
                    }
                }),
                ["belt"] => Some(SystemNumber::Belt(i)),
                ["load_varies", "amplitude"] => Some(SystemNumber::LoadWaveAmplitude(i)),
                ["load_varies", "omega"] => Some(SystemNumber::LoadWaveOmega(i)),
                ["load_varies", "phase"] => Some(SystemNumber::LoadWavePhase(i)),
                ["viscous"] => contact.contact_viscous.is_none().then_some(SystemNumber::Viscous(i)),
                ["contact_viscous"] => {
                    contact.contact_viscous.map(|_| SystemNumber::AtLoad(i, "viscous".to_owned()))
                }
                ["reverse"] => contact.reverse.map(|_| SystemNumber::Law(i, "reverse".to_owned())),
                ["direction", k] => contact
                    .on
                    .direction
                    .as_ref()
                    .and(k.parse().ok())
                    .map(|k| SystemNumber::ContactDirection([i, k])),
                [law, "parameters", name] => {
                    let name = format!("parameters.{name}");
                    let own = &contact.law;
                    let is_known = own.name() == *law && own.number(&name).is_some();
                    is_known.then_some(SystemNumber::Law(i, name))
                }
                [law, name] => {
                    let (name, is_at_load) =
                        name.strip_prefix(CONTACT).map_or((*name, false), |name| (name, true));
                    let name = law_number(&contact.law, law, name)?;
                    match (is_at_load, contact.at_load.iter().any(|own| *own == name)) {
                        (true, true) => Some(SystemNumber::AtLoad(i, name)),
                        (false, false) => Some(SystemNumber::Law(i, name)),
                        _ => None,
                    }
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// A number of what prescribes a motion.
fn motion(prescribed: &OneOrMany<PrescribedTable>, path: &[&str]) -> Option<SystemNumber> {
    let (i, table, rest) = member(prescribed, path)?;
    let [given, name] = rest else { return None };
    let is_given = match *given {
        "position" => table.position.is_some(),
        "velocity" => table.velocity.is_some(),
        "acceleration" => table.acceleration.is_some(),
        _ => false,
    };
    match *name {
        _ if !is_given => None,
        "constant" => Some(SystemNumber::PrescribedConstant(i)),
        "amplitude" => Some(SystemNumber::PrescribedAmplitude(i)),
        "omega" => Some(SystemNumber::PrescribedOmega(i)),
        "phase" => Some(SystemNumber::PrescribedPhase(i)),
        _ => None,
    }
}

fn law_number(law: &FrictionLaw, law_name: &str, name: &str) -> Option<String> {
    let is_known = law.name() == law_name && law.numbers().iter().any(|(known, _)| *known == name);
    is_known.then(|| name.to_owned())
}
