//! The page as a text, with a scenario put into it.

use serde_json::json;

/// The page as `cargo xtask lab` has built it.
const PAGE: &str = include_str!("../lab.html");
/// Where a scenario goes.
const PLACE: &str = r#"<script id="scenario" type="application/json">null</script>"#;
/// What stands before the stamp.
const STAMP: &str = r#"<meta name="stiction-stamp" content=""#;

/// The page; with a scenario, its name and its text, it opens with that.
pub fn page(scenario: Option<(&str, &str)>) -> String {
    let Some((name, text)) = scenario else { return PAGE.to_owned() };
    // inside a script element nothing may end it
    let json = json!({ "name": name, "text": text }).to_string().replace('<', "\\u003c");
    PAGE.replacen(PLACE, &format!(r#"<script id="scenario" type="application/json">{json}</script>"#), 1)
}

/// The hash of the sources that the page was built from.
pub fn stamp() -> &'static str {
    let rest = PAGE.split_once(STAMP).map_or("", |(_, rest)| rest);
    rest.split('"').next().unwrap_or_default()
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
        assert_eq!(page(None).matches(PLACE).count(), 1);
        assert_eq!(with.matches(PLACE).count(), 0);
    }

    #[test]
    fn the_page_bears_its_stamp() {
        assert!(stamp().len() == 32 && stamp().bytes().all(|b| b.is_ascii_hexdigit()), "{}", stamp());
    }
}
