//! What reads text, and what must hold for it.

use crate::answer::{Answer, named, refused};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use stiction::law::{Expression, FrictionLaw, Law, Slip};
use stiction::patch::Twist;
use stiction::{Error, Faults, Progress};
use stiction_study::patch::{PatchStudy, plan, section, summary, twists, wrenches};
use stiction_study::{Budget, LawCurve, PatchFile, Study, Task, patch_schema, schema};

/// A reader of texts.
pub struct Target {
    /// Its name, and that of its folder.
    pub name: &'static str,
    /// Reads a text; panics where something does not hold.
    pub run: fn(&[u8]) -> Answer,
}

/// All of them.
pub const TARGETS: [Target; 5] = [
    Target { name: "scenario", run: scenario },
    Target { name: "patch", run: patch },
    Target { name: "twists", run: twist_table },
    Target { name: "set", run: set },
    Target { name: "formula", run: formula },
];

/// Memory that a run may ask for (bytes).
const MEMORY: u64 = 32_000_000;
/// Time after which a run is asked to stop.
const TIME: Duration = Duration::from_millis(10);
/// One text in so many is run, not only checked.
const RUN_EVERY: u64 = 16;
/// One run in so many is drawn.
const DRAWN_EVERY: u64 = 16;
/// Overrides of one text.
const MAX_SETS: usize = 8;

/// The words that readers know: keys and kinds of the schemas, names of laws.
pub fn words() -> &'static [String] {
    static WORDS: OnceLock<Vec<String>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let text = format!("{}{}", schema(), patch_schema());
        let is_word = |word: &&str| {
            word.len() < 30 && word.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b))
        };
        let mut words: Vec<String> = text.split('"').filter(is_word).map(str::to_owned).collect();
        words.extend(FrictionLaw::NAMES.iter().map(|name| (*name).to_owned()));
        words.sort();
        words.dedup();
        words
    })
}

fn scenario(data: &[u8]) -> Answer {
    let text = String::from_utf8_lossy(data);
    let budget = Budget { memory: MEMORY, time: None };
    match Study::read_within("fuzz.toml", &text, &[], budget) {
        Err(list) => refused(&list),
        Ok(study) => checked(&study, named(&text)),
    }
}

/// A scenario that is sound: it can be written and read again, and its run ends or hears that it is to stop.
fn checked(study: &Study, hash: u64) -> Answer {
    if let Ok(text) = study.scenario.to_toml() {
        let budget = Budget { memory: 8 * MEMORY, time: None };
        if let Err(list) = Study::read_within("again.toml", &text, &[], budget) {
            panic!("{}\nof\n{text}", list.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"));
        }
    }
    let task = match &study.task {
        Task::Transient(task) => {
            format!("transient {} {}", task.integrator.name(), task.system.contacts.len())
        }
        Task::Slide(_) => "slide".into(),
        _ => "search".into(),
    };
    if !hash.is_multiple_of(RUN_EVERY) {
        return Answer::sound(&task);
    }
    let start = Instant::now();
    let mut listen = |_: f64| start.elapsed() < TIME;
    match study.run(&mut Progress::new(&mut listen)) {
        Ok(outcome) => {
            let json = serde_json::to_string(&outcome.json());
            assert!(json.is_ok_and(|json| json.starts_with('{')));
            if hash.is_multiple_of(RUN_EVERY * DRAWN_EVERY) {
                let _ = stiction_render::outcome_figure(&outcome);
            }
            Answer::sound(&format!("{task} {}", outcome.facts.len()))
        }
        Err(Error::Interrupted { .. }) => Answer::sound(&format!("{task} interrupted")),
        Err(error) => {
            let text = error.to_string();
            assert!(!text.is_empty());
            Answer::sound(&format!("{task} {}", crate::answer::shape(&text)))
        }
    }
}

fn patch(data: &[u8]) -> Answer {
    let text = String::from_utf8_lossy(data);
    let file = match PatchFile::read("fuzz.toml", &text, &[]) {
        Err(list) => return refused(&list),
        Ok(file) => file,
    };
    let Ok(contact) = file.patch.prepare() else { return Answer::sound("not prepared") };
    let list = [[0.0; 3], [1.0, 0.0, 0.0], [0.3, -0.4, 2.0], [1e-300, 0.0, 1e-300], [1e200, 1e200, -1e200]]
        .map(|[vx, vy, omega]| Twist { vx, vy, omega });
    let columns = wrenches(&contact, &list);
    assert!(columns.iter().all(|column| column.values.len() == list.len()));
    if named(&text).is_multiple_of(RUN_EVERY) {
        let study = PatchStudy::from(file.patch.clone());
        let _ = (summary(&study), section(&study), plan(&study));
    }
    Answer::sound(&format!("{:?}", std::mem::discriminant(&file.patch.shape)))
}

fn twist_table(data: &[u8]) -> Answer {
    match twists("fuzz.csv", &String::from_utf8_lossy(data)) {
        Err(list) => refused(&list),
        Ok(list) => {
            assert!(list.iter().all(|t| t.vx.is_finite() && t.vy.is_finite() && t.omega.is_finite()));
            Answer::sound(&format!("{}", list.len().min(20)))
        }
    }
}

/// A formula: it is refused, or a law that is finite wherever it is asked.
fn formula(data: &[u8]) -> Answer {
    let text = String::from_utf8_lossy(data);
    let law = Expression::new(&text, &[("mu", 0.3), ("a", -1.5), ("b_1", 1e-3)]);
    let faults = Faults::of(|faults| law.check(faults));
    if let Some(fault) = faults.first() {
        let text = fault.error.to_string();
        assert!(!text.is_empty());
        return Answer::sound(&crate::answer::shape(&text));
    }
    for k in -40..=12 {
        let speed = 1.7 * 10f64.powf(f64::from(k) / 4.0);
        for v in [0.0, f64::MIN_POSITIVE, -f64::MIN_POSITIVE, speed, -speed] {
            let slip = Slip { v, demand: 0.1, z: &[] };
            let (phi, slope) = (law.coefficient(slip), law.slope(slip));
            assert!(phi.is_finite() && slope.is_finite(), "{text} at {v}: {phi}, {slope}");
            assert!(phi.abs() <= law.bound(), "{text} at {v}: {phi}");
        }
    }
    Answer::sound("a law")
}

/// Overrides, a line each: of a scenario, and of a law.
fn set(data: &[u8]) -> Answer {
    const BASES: [&str; 3] = [
        include_str!("../../../examples/stick_slip.toml"),
        include_str!("../../../examples/two_masses.toml"),
        include_str!("../../../examples/sliding_block.toml"),
    ];
    let text = String::from_utf8_lossy(data);
    let sets: Vec<String> = text.lines().take(MAX_SETS).map(str::to_owned).collect();
    let (hash, budget) = (named(&text), Budget { memory: MEMORY, time: None });
    let law = FrictionLaw::NAMES[hash as usize % FrictionLaw::NAMES.len()];
    let of_law = LawCurve::new(law, &sets, 0.1).map(|curve| curve.columns()).map_err(|list| refused(&list));
    let base = BASES[(hash >> 8) as usize % BASES.len()];
    match Study::read_within("base.toml", base, &sets, budget) {
        Ok(study) => checked(&study, hash),
        Err(list) => of_law.map_or_else(|answer| answer, |_| refused(&list)),
    }
}
