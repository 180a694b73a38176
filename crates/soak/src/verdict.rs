//! What a check says.

use crate::reported::Ended;
use stiction_study::{Scenario, Study, Task, TransientTask};

/// What a check says of a case that does not fail it.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It holds.
    Passed,
    /// It says nothing here, for this reason.
    Skipped(String),
}

/// Passed or skipped, or how it fails.
pub type Checked = Result<Verdict, String>;

/// A reason to skip.
pub fn skip(reason: &str) -> Checked {
    Ok(Verdict::Skipped(reason.into()))
}

/// The transient of a scenario, read from its TOML; a verdict if there is none.
pub fn transient_of(scenario: &Scenario) -> Result<Box<TransientTask>, Checked> {
    let text = scenario.to_toml().map_err(|error| Err(error.message.clone()))?;
    let study = Study::read("soak.toml", &text, &[])
        .map_err(|faults| skip(faults.first().map_or("", |fault| fault.key.as_str())))?;
    match study.task {
        Task::Transient(task) => Ok(task),
        _ => Err(skip("no transient")),
    }
}

/// What an ended run means: an error that says why is an answer, an endless run is none.
pub fn ended(ended: Ended) -> Checked {
    match ended {
        Ended::Endless => Err("the run does not end".into()),
        Ended::Refused(reason) => Ok(Verdict::Skipped(format!("refused: {}", kind_of(&reason)))),
    }
}

/// The message without its numbers, so that equal reasons are counted together.
fn kind_of(message: &str) -> String {
    let words = message.split_whitespace().filter(|word| !word.contains(|c: char| c.is_ascii_digit()));
    words.take(12).collect::<Vec<_>>().join(" ")
}
