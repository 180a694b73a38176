//! The page as a text, with a scenario put into it.

use crate::answer::answer;
use serde_json::{Value as Json, json};
use std::time::{Duration, Instant};

/// The page as `cargo xtask lab` has built it.
const PAGE: &str = include_str!("../lab.html");
/// Where a scenario goes.
const PLACE: &str = r#"<script id="scenario" type="application/json">null</script>"#;
/// What stands before the stamp.
const STAMP: &str = r#"<meta name="stiction-stamp" content=""#;

/// Hash of the core's sources of this program; empty outside a checkout.
const CORE: &str = env!("STICTION_CORE");
/// What stands before the hash of the page's own core.
const PAGE_CORE: &str = r#"<meta name="stiction-core" content=""#;

/// Longest native run whose facts an older page is compared with.
const PATIENCE: Duration = Duration::from_secs(5);

/// The page; with a scenario, its name and its text, it opens with that. It compares its core with that of this program, and
/// an older one its facts as well.
pub fn page(scenario: Option<(&str, &str)>) -> String {
    let mut given = json!({ "core": CORE });
    if let Some((name, text)) = scenario {
        given["name"] = name.into();
        given["text"] = text.into();
        if is_outdated() {
            given["facts"] = native_facts(text);
        }
    }
    // inside a script element nothing may end it
    let json = given.to_string().replace('<', "\\u003c");
    PAGE.replacen(PLACE, &format!(r#"<script id="scenario" type="application/json">{json}</script>"#), 1)
}

/// The facts of a scenario by this program; null where it fails or takes too long.
fn native_facts(text: &str) -> Json {
    let begin = Instant::now();
    let question = json!({ "ask": "run", "text": text }).to_string();
    let reply = answer(&question, &mut |_| begin.elapsed() < PATIENCE);
    reply.head().get("facts").cloned().unwrap_or(Json::Null)
}

/// Whether the page was built from another core than that of this program, so that its numbers may differ.
pub fn is_outdated() -> bool {
    !CORE.is_empty() && after(PAGE_CORE) != CORE
}

/// An attribute of the page's head.
fn after(mark: &str) -> &'static str {
    let rest = PAGE.split_once(mark).map_or("", |(_, rest)| rest);
    rest.split('"').next().unwrap_or_default()
}

/// The hash of the sources that the page was built from.
pub fn stamp() -> &'static str {
    after(STAMP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scenario_goes_into_the_page_and_cannot_end_its_place() {
        let hostile = "title = \"</script><script>alert(1)</script>\"";
        let with = page(Some(("a.toml", hostile)));
        assert!(!with.contains("alert(1)</script>"));
        assert!(with.contains(r"\u003c/script>\u003cscript>alert(1)\u003c/script>"));
        assert_eq!(PAGE.matches(PLACE).count(), 1);
        assert_eq!(with.matches(PLACE).count(), 0);
        assert!(page(None).contains(&format!(r#"{{"core":"{CORE}"}}"#)) && CORE.len() == 16);
    }

    #[test]
    fn an_older_page_is_given_the_facts_of_the_program() {
        let text = include_str!("../../../examples/den_hartog.toml");
        let facts = native_facts(text);
        let amplitude = facts.as_array().unwrap().iter().find(|fact| fact["name"] == "amplitude").unwrap();
        assert!((amplitude["value"].as_f64().unwrap() - 1.744_253_936_248_9).abs() < 1e-12);
        assert_eq!(native_facts("title = 1"), Json::Null);
        assert_eq!(page(Some(("a.toml", text))).contains(r#""facts":["#), is_outdated());
    }

    #[test]
    fn the_page_bears_its_stamp() {
        assert!(stamp().len() == 32 && stamp().bytes().all(|b| b.is_ascii_hexdigit()), "{}", stamp());
    }
}
