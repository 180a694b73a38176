//! Laws that stand in for set-valued friction, by their names and sizes.

use crate::task::TransientTask;
use keyed::{Diagnostic, closest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::ShortNumber;
use stiction::law::{FrictionLaw, Size};
use stiction::system::Contact;

/// A regularised or elastic law in place of a set-valued one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StandIn {
    /// Name of the law, such as `tanh` or `jenkins`.
    pub law: String,
    /// Width of its transition, of laws that have one (m/s).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    /// Stiffness over the normal load, of laws that bend before they slide (1/m).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<f64>,
}

impl StandIn {
    /// The law's name and size, if it stands in for those of all contacts.
    pub(crate) fn resolve(&self, contacts: &[Contact]) -> Result<(&'static str, f64), Vec<Diagnostic>> {
        let rests = |contact: &Contact| really_rests(&contact.friction.law);
        if contacts.is_empty() || !contacts.iter().all(rests) {
            return Err(vec![nothing_rests("")]);
        }
        let at = |key: &'static str| {
            move |mut list: Vec<Diagnostic>| {
                list.iter_mut().for_each(|fault| fault.key = format!(".{key}"));
                list
            }
        };
        let law = stands_in(&[&self.law], contacts).map_err(at("law"))?[0];
        let own = size_of(law);
        let given = |size: Size| match size {
            Size::Width => self.width,
            Size::Stiffness => self.stiffness,
        };
        let (name, unit) = (own.name(), own.unit());
        let wrong = Size::ALL.into_iter().find(|size| *size != own && given(*size).is_some());
        if let Some(wrong) = wrong.map(Size::name) {
            let hint = format!("give {name} ({unit})");
            return Err(at(wrong)(argument(wrong, format!("{law} has no {wrong}"), Some(hint))));
        }
        let Some(value) = given(own) else {
            return Err(at("law")(argument("law", format!("{law} needs its {name} ({unit})"), None)));
        };
        check_sizes(own, &[value]).map_err(at(name))?;
        Ok((law, value))
    }
}

/// A fault of an argument.
pub(super) fn argument(key: &str, message: String, hint: Option<String>) -> Vec<Diagnostic> {
    vec![Diagnostic { key: key.into(), message, place: None, hint }]
}

/// The laws called `names` among those that stand in for the laws of a motion; all of them if there are no
/// names.
pub fn regularised_laws<S: AsRef<str>>(
    names: &[S],
    motion: &TransientTask,
) -> Result<Vec<&'static str>, Vec<Diagnostic>> {
    stands_in(names, &motion.system.contacts)
}

pub(super) fn stands_in<S: AsRef<str>>(
    names: &[S],
    contacts: &[Contact],
) -> Result<Vec<&'static str>, Vec<Diagnostic>> {
    let fits = |name: &&str| contacts.iter().all(|contact| stands_for(&contact.friction.law, name));
    let known: Vec<&'static str> = FrictionLaw::REGULARISED.iter().copied().filter(fits).collect();
    if known.is_empty() {
        let message = "no law stands in for those of all contacts".to_owned();
        return Err(argument("laws", message, Some("give all contacts the same kind of law".into())));
    }
    if names.is_empty() {
        return Ok(known);
    }
    let law = contacts.first().map_or("coulomb", |contact| contact.friction.law.name());
    let find = |name: &S| {
        let name = name.as_ref();
        known.iter().copied().find(|law| *law == name).ok_or_else(|| {
            let hint = closest(name, known.iter().copied()).map_or_else(
                || format!("one of: {}", known.join(", ")),
                |word| format!("did you mean {word}?"),
            );
            argument("laws", format!("no law that stands in for {law} is called {name}"), Some(hint))
        })
    };
    names.iter().map(find).collect()
}

/// The size of a law that stands in.
pub(super) fn size_of(law: &str) -> Size {
    FrictionLaw::size(law).unwrap_or(Size::Width)
}

/// Sizes to compare, those of each kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sizes {
    /// Widths of transitions (m/s).
    pub widths: Vec<f64>,
    /// Stiffnesses over the normal load (1/m).
    pub stiffnesses: Vec<f64>,
}

impl Sizes {
    pub(super) fn of(&self, size: Size) -> &[f64] {
        match size {
            Size::Width => &self.widths,
            Size::Stiffness => &self.stiffnesses,
        }
    }

    /// Whether all of them can be compared.
    pub fn check(&self) -> Result<(), Vec<Diagnostic>> {
        Size::ALL.into_iter().try_for_each(|size| check_sizes(size, self.of(size)))
    }
}

fn check_sizes(size: Size, values: &[f64]) -> Result<(), Vec<Diagnostic>> {
    let (key, name) = match size {
        Size::Width => ("widths", "width"),
        Size::Stiffness => ("stiffnesses", "stiffness"),
    };
    match values.iter().find(|value| !(value.is_finite() && **value > 0.0)) {
        Some(value) => {
            Err(argument(key, format!("{}, but a {name} must be positive", ShortNumber(*value)), None))
        }
        None => Ok(()),
    }
}

/// Whether some regularised law stands in for this one.
pub(super) fn really_rests(law: &FrictionLaw) -> bool {
    FrictionLaw::REGULARISED.iter().any(|name| stands_for(law, name))
}

fn stands_for(law: &FrictionLaw, name: &str) -> bool {
    law.regularised_as(name, 1.0, 0.0).is_some()
}

pub(super) fn nothing_rests(key: &str) -> Diagnostic {
    Diagnostic {
        key: key.into(),
        message: "every contact must have a set-valued law, with which the others are compared".into(),
        place: None,
        hint: Some(
            "write friction.coulomb = { mu = … }, or stribeck without width, polyline, expression".into(),
        ),
    }
}
