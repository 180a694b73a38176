//! One question of the page, answered: a scenario run, compared, or written out.

use crate::contacts::contacts;
use crate::histories::histories;
use crate::patches::limit_surface;
use crate::places::places;
use crate::reply::Reply;
use keyed::{Diagnostic, Document, Node, Value};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use stiction::{Error, Progress};
use stiction_study::compare::{Sizes, Truth, require_set_valued_transient};
use stiction_study::{Budget, Outcome, Study, Task, facts_json};

/// What a page may take: a tab has less memory than a program. Time is kept by the page.
pub const BUDGET: Budget = Budget { memory: 256_000_000, time: None };

/// The name of the text in messages.
const NAME: &str = "scenario";

/// A question of the page.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
enum Question {
    /// Run a scenario.
    Run { text: String },
    /// Look at a scenario without running it.
    Read { text: String },
    /// The tables of a scenario as written; a large model is not built.
    Tree { text: String },
    /// How wrong regularised laws are, each a name and a width (m/s).
    Compare { text: String, laws: Vec<(String, f64)> },
    /// The limit surface of the body's patch, as rows from pole to pole.
    Limit { text: String, rows: usize, columns: usize },
}

/// The answer to a question in JSON. `report` receives the fraction done and returns whether to go on.
pub fn answer(question: &str, report: &mut dyn FnMut(f64) -> bool) -> Reply {
    let mut reply = Reply::default();
    let done = match serde_json::from_str(question) {
        Ok(question) => answered(question, &mut Progress::new(report), &mut reply),
        Err(error) => Err(vec![whole(format!("no such question: {error}"), None)]),
    };
    reply.put("ok", done.is_ok());
    if let Err(list) = done {
        reply.put("diagnostics", list.iter().map(diagnostic_json).collect::<Json>());
    }
    reply
}

fn answered(question: Question, progress: &mut Progress, reply: &mut Reply) -> Result<(), Vec<Diagnostic>> {
    match question {
        Question::Read { text } => study(&text, reply).map(drop),
        Question::Tree { text } => document(&text, reply).map(drop),
        Question::Run { text } => {
            let study = study(&text, reply)?;
            let outcome = study.run(progress).map_err(failed)?;
            put_outcome(&outcome, reply);
            if let Some(system) = lines(&study) {
                let curves = contacts(system, &outcome, reply);
                reply.put("contacts", curves);
                if matches!(study.task, Task::Transient(_) | Task::Steady(_)) {
                    let found = histories(system, &outcome, reply);
                    reply.put("histories", found);
                }
            }
            Ok(())
        }
        Question::Compare { text, laws } => {
            let study = study(&text, reply)?;
            let motion = require_set_valued_transient(&study)?;
            let truth = Truth::new(motion, &mut progress.part(0.0, 0.1)).map_err(failed)?;
            let mut rows = Vec::new();
            for (name, width) in &laws {
                let sizes = Sizes { widths: vec![*width], ..Sizes::default() };
                sizes.check()?;
                for (law, size) in truth.pairs(&[name], &sizes)? {
                    let row = truth.row(law, size, &mut progress.at(0.5)).map_err(failed)?;
                    rows.push(serde_json::to_value(&row).unwrap_or_default());
                }
            }
            reply.put("speed", truth.speed());
            reply.put("rows", rows);
            Ok(())
        }
        Question::Limit { text, rows, columns } => {
            let study = study(&text, reply)?;
            let Task::Slide(slide) = &study.task else {
                return Err(vec![whole("only a body on the plane has a limit surface".into(), None)]);
            };
            limit_surface(&slide.body, rows, columns, reply)
        }
    }
}

/// The checked study. The tree as written is returned even if it is refused, so that the page can show its fields.
fn study(text: &str, reply: &mut Reply) -> Result<Study, Vec<Diagnostic>> {
    let document = document(text, reply)?;
    reply.put("places", places(text, &document.root));
    let study = Study::within(document, BUDGET)?;
    reply.put("scenario", serde_json::to_value(&study.scenario).unwrap_or_default());
    Ok(study)
}

/// The tables of a text within the limits of the page.
fn document(text: &str, reply: &mut Reply) -> Result<Document, Vec<Diagnostic>> {
    BUDGET.check_file(NAME, text)?;
    let document = Document::parse(NAME, text)?;
    reply.put("tree", tree(&document.root));
    Ok(document)
}

/// A tree as JSON; a number that JSON lacks becomes its name, which is refused when it comes back.
fn tree(node: &Node) -> Json {
    match &node.value {
        Value::Table(entries) => entries.iter().map(|(key, node)| (key.clone(), tree(node))).collect(),
        Value::Array(items) => items.iter().map(tree).collect(),
        Value::Float(x) if x.is_finite() => json!(x),
        Value::Float(x) => json!(x.to_string()),
        Value::Integer(x) => json!(x),
        Value::String(text) | Value::Datetime(text) => json!(text),
        Value::Boolean(truth) => json!(truth),
    }
}

/// The system on lines that a study is about, with its prescribed degrees of freedom where these are reported.
fn lines(study: &Study) -> Option<&stiction::system::System> {
    match &study.task {
        Task::Transient(task) => Some(task.prescribed.as_ref().map_or(&task.system, |p| p.whole())),
        Task::Steady(task) => Some(task.prescribed.as_ref().map_or(&task.system, |p| p.whole())),
        Task::Response(task) => Some(&task.system),
        Task::Bifurcation(task) => Some(&task.system),
        Task::Stability(task) => Some(&task.system),
        Task::NonlinearMode(task) => Some(&task.system),
        _ => None,
    }
}

fn put_outcome(outcome: &Outcome, reply: &mut Reply) {
    let samples = reply.columns(&outcome.samples);
    let instants = reply.columns(&outcome.instants);
    reply.put("title", outcome.title.as_str());
    reply.put("facts", facts_json(&outcome.facts));
    reply.put("samples", samples);
    reply.put("instants", instants);
    let value = |it: serde_json::Result<Json>| it.unwrap_or_default();
    reply.put("events", value(serde_json::to_value(&outcome.events)));
    reply.put("warnings", value(serde_json::to_value(&outcome.warnings)));
    reply.put("work", value(serde_json::to_value(outcome.work)));
    reply.put("shown", value(serde_json::to_value(&outcome.shown)));
}

/// A run that ended early, as an error of the whole scenario.
fn failed(error: Error) -> Vec<Diagnostic> {
    let hint = error.hint().map(Into::into);
    vec![whole(error.to_string(), hint)]
}

fn whole(message: String, hint: Option<String>) -> Diagnostic {
    Diagnostic { key: String::new(), message, place: None, hint }
}

fn diagnostic_json(diagnostic: &Diagnostic) -> Json {
    let line = diagnostic.place.as_ref().and_then(|place| place.line);
    json!({ "key": diagnostic.key, "message": diagnostic.message, "hint": diagnostic.hint, "line": line })
}
