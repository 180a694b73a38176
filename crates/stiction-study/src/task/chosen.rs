//! Facts that a response reports at each of its points, chosen by their names: those of the periodic motion,
//! and those of one period of it as a run of its own.

use super::steady::{Lap, facts_of, reported_motion_facts};
use super::transient;
use crate::facts::{ColumnKind, FactKind};
use crate::outcome::{Column, Fact, Outcome};
use crate::prescription;
use crate::resolve::Resolve;
use stiction::simulate::{WearOf, drive_partly};
use stiction::steady::{Orbit, Point, Steady};
use stiction::system::{Prescribed, System};
use stiction::{Error, Progress};

/// The facts that were chosen.
#[derive(Clone, Debug, Default)]
pub struct ChosenFacts {
    /// The facts, without their numbers.
    facts: Vec<Fact>,
    /// What gives degrees of freedom their own numbers.
    prescribed: Option<Prescribed>,
}

impl ChosenFacts {
    /// The facts of these names, with whatever is wrong noted.
    pub(super) fn resolve(
        names: &[String],
        resolve: &mut Resolve,
        system: &System,
        prescribed: Option<&Prescribed>,
    ) -> Self {
        if names.is_empty() {
            return Self::default();
        }
        let mut known = reported_motion_facts();
        known.extend(of_a_period(system, prescribed));
        if let Some(reduced) = &resolve.reduced {
            crate::reduction::ReportedDegrees(reduced.reported_dofs()).renumber_facts(&mut known);
        }
        let mut facts = Vec::new();
        for (i, name) in names.iter().enumerate() {
            let key = format!("analysis.response.facts.{i}");
            match known.iter().find(|fact| fact.name() == *name) {
                Some(_) if names[..i].contains(name) => resolve.fault(&key, format!("{name} twice"), None),
                Some(fact) => facts.push(fact.clone()),
                None => {
                    let all: Vec<String> = known.iter().map(Fact::name).collect();
                    let hint = keyed::closest(name, all.iter().map(String::as_str)).map_or_else(
                        || format!("one of: {}", all.join(", ")),
                        |word| format!("did you mean {word}?"),
                    );
                    resolve.fault(&key, format!("{name} is no fact of a periodic motion"), Some(&hint));
                }
            }
        }
        Self { facts, prescribed: prescribed.cloned() }
    }

    /// Their names.
    pub(super) fn names(&self) -> Vec<String> {
        self.facts.iter().map(Fact::name).collect()
    }

    /// Their columns, without those that are there already under their names. What a motion does not have is
    /// not a number.
    pub(super) fn columns(
        &self,
        points: &[Point],
        known: &[Column],
        (steady, family): (&Steady, &dyn Fn(f64) -> System),
        progress: &mut Progress,
    ) -> Result<Vec<Column>, Error> {
        let is_new = |fact: &&Fact| known.iter().all(|column| column.name != fact.name());
        let facts: Vec<&Fact> = self.facts.iter().filter(is_new).collect();
        let mut columns: Vec<Column> = facts.iter().map(|fact| column(fact)).collect();
        for (i, point) in points.iter().enumerate().filter(|_| !facts.is_empty()) {
            progress.report(i as f64 / points.len() as f64)?;
            let found = match &point.orbit {
                Ok(orbit) => self.of(orbit, &facts, (steady, family(point.parameter)))?,
                Err(_) => Vec::new(),
            };
            for (fact, column) in facts.iter().zip(&mut columns) {
                let own = found.iter().find(|own| own.kind == fact.kind && own.index == fact.index);
                column.values.push(own.map_or(f64::NAN, |own| own.value));
            }
        }
        Ok(columns)
    }

    /// The facts of one motion; those of its period are found only if they are asked for.
    fn of(
        &self,
        orbit: &Orbit,
        asked: &[&Fact],
        (steady, system): (&Steady, System),
    ) -> Result<Vec<Fact>, Error> {
        let mut facts = facts_of(orbit, None);
        let motion = reported_motion_facts();
        if asked.iter().all(|fact| motion.iter().any(|own| own.kind == fact.kind)) {
            return Ok(facts);
        }
        let m = system.contacts.len();
        let lap = Lap::new(&system, steady, orbit, Vec::new());
        let run = |mut progress: Progress| -> Result<Vec<Fact>, Error> {
            let is_worn = asked.iter().any(|fact| transient::worn(m).iter().any(|own| own.kind == fact.kind));
            let worn = is_worn.then(WearOf::default);
            let (mut record, stop) =
                drive_partly(&lap.system, &lap.integrator, &lap.plan, worn, &mut progress)?;
            let wear = record.wear.take();
            let mut facts = Outcome::from_record("", None, &lap.system, record).facts;
            facts.extend(wear.into_iter().flat_map(|wear| transient::wear_facts(wear, None)));
            if let Some(error) = stop {
                return Err(error);
            }
            Ok(facts)
        };
        match run(Progress::none()) {
            Ok(mut more) => {
                if let Some(prescribed) = &self.prescribed {
                    prescription::renumber(prescribed, &mut more);
                }
                facts.extend(more);
            }
            Err(error @ Error::Interrupted { .. }) => return Err(error),
            Err(_) => {}
        }
        Ok(facts)
    }
}

/// The column of a fact, named in words on its axis.
fn column(fact: &Fact) -> Column {
    let column = Column::new(ColumnKind::Chosen, Vec::new()).named(fact.name());
    Column { symbol: fact.label(), unit: fact.unit.clone(), ..column }
}

/// The facts of one period as a run, without their numbers.
fn of_a_period(system: &System, prescribed: Option<&Prescribed>) -> Vec<Fact> {
    let (n, m) = (system.n(), system.contacts.len());
    let mut facts = transient::reported_facts(n, m);
    facts.extend(transient::worn(m));
    // the period is one of the motion; the others are about how well it was computed
    let is_left = |fact: &Fact| {
        !matches!(
            fact.kind,
            FactKind::Period | FactKind::Drift | FactKind::EventsDropped | FactKind::EnergyResidual
        )
    };
    facts.retain(is_left);
    if let Some(prescribed) = prescribed {
        prescription::renumber(prescribed, &mut facts);
    }
    facts
}
