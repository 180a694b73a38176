//! Stiffness and damping of a contact in N/m and N s/m.
//!
//! Laws give a coefficient, so their stiffness and damping are per newton of the normal load: `stiffness` (1/m), `damping` (s/m).
//! `contact_stiffness` (N/m) and `contact_damping` (N s/m) may stand for them: those of the contact itself, whatever its load. The load must then
//! be constant and not zero, since the stiffness of these laws is proportional to the load at every instant.

use super::ContactTable;
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use stiction::law::FrictionLaw;
use toml::{Table, Value};

/// Beginning of the keys that are not per newton of load.
pub(crate) const CONTACT: &str = "contact_";

impl ContactTable {
    /// The law per newton of the load, as it holds in the positive direction.
    pub fn law_per_newton(&self) -> FrictionLaw {
        let mut law = self.law.clone();
        for name in &self.at_load {
            law.map_number(name, &|number| number / self.load);
        }
        law
    }

    /// The viscous part per newton of the load (s/m).
    pub fn viscous_per_newton(&self) -> f64 {
        self.contact_viscous.map_or(self.viscous, |viscous| viscous / self.load)
    }

    /// The numbers of the friction that are written in N/m or N s/m, by the names of those per newton of load.
    pub(crate) fn all_at_load(&self) -> Vec<&'static str> {
        self.at_load.iter().copied().chain(self.contact_viscous.map(|_| "viscous")).collect()
    }
}

/// The table of the law of a contact.
fn law_table(contact: &mut Table) -> Option<&mut Table> {
    let mut laws = contact.iter_mut().filter(|(key, _)| FrictionLaw::NAMES.contains(&key.as_str()));
    laws.next()?.1.as_table_mut()
}

impl<'de> Deserialize<'de> for ContactTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut table = Table::deserialize(deserializer)?;
        let mut renamed: Vec<String> = Vec::new();
        if let Some(numbers) = law_table(&mut table) {
            renamed.extend(numbers.keys().filter_map(|key| key.strip_prefix(CONTACT)).map(str::to_owned));
            for name in &renamed {
                let value = numbers.remove(&format!("{CONTACT}{name}"));
                if value.and_then(|value| numbers.insert(name.clone(), value)).is_some() {
                    return Err(D::Error::custom(format!("{CONTACT}{name} given beside {name}")));
                }
            }
        }
        let mut contact = Self::deserialize(Value::Table(table)).map_err(D::Error::custom)?;
        let is_renamed = |name: &&'static str| renamed.iter().any(|own| own == name);
        contact.at_load = contact.law.per_newton().filter(is_renamed).collect();
        if contact.at_load.len() < renamed.len() {
            return Err(D::Error::custom(format!("unknown key: {CONTACT}{}", renamed.join(", "))));
        }
        Ok(contact)
    }
}

impl Serialize for ContactTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.at_load.is_empty() {
            return Self::serialize(self, serializer);
        }
        let per_newton = Self { at_load: Vec::new(), ..self.clone() };
        let mut table = Table::try_from(per_newton).map_err(S::Error::custom)?;
        if let Some(numbers) = law_table(&mut table) {
            for name in &self.at_load {
                let value = numbers.remove(*name);
                value.into_iter().for_each(|value| _ = numbers.insert(format!("{CONTACT}{name}"), value));
            }
        }
        table.serialize(serializer)
    }
}
