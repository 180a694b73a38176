//! From scenario file to checked study to outcome.

#![warn(clippy::unwrap_used, clippy::expect_used)]

pub mod budget;
pub mod bug;
pub mod compare;
mod complete_law;
pub mod defaults;
mod embedded;
mod facts;
mod finished;
mod forces;
mod law_curve;
mod law_parameters;
mod lens;
mod matrix_file;
mod noise;
mod outcome;
mod overrides;
mod own_laws;
pub mod paper;
pub mod patch;
mod patch_file;
pub mod patience;
mod placed;
mod places;
mod point_file;
mod prescription;
mod provenance;
mod reduction;
mod resolve;
mod scenario;
mod sha256;
mod study;
pub mod sweep;
mod task;
mod units;

pub use budget::Budget;
pub use bug::Bug;
pub use facts::{ColumnKind, FactKind, Meaning, SYMBOLS, facts_page};
pub use finished::Finished;
pub use law_curve::LawCurve;
pub use law_parameters::LawParameter;
pub use matrix_file::anchor_files;
pub use outcome::{Caution, Column, Fact, Outcome, OutcomeJson, Run, facts_json};
pub use overrides::assign;
pub use own_laws::give_law;
pub use patch_file::{PatchFile, assign_to_patch, patch_schema};
pub use places::NodePlaces;
pub use provenance::{Provenance, files_hash};
pub use reduction::ReductionNotes;
pub use scenario::*;
pub use sha256::sha256;
pub use study::Study;
pub use sweep::Sweep;
pub use task::{
    BifurcationTask, ResponseTask, Search, Shown, SlideTask, StabilityTask, SteadyTask, Task, TransientTask,
    Varied,
};
