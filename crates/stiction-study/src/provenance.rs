//! Where a result comes from: what every file that is written says of itself, so that it can be made again.

use crate::sha256::sha256;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// The first words of a scenario file that lies beside a table.
const HEAD: &str = "# by stiction ";

/// Where a result comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// Version of stiction.
    pub stiction: String,
    /// Commit that it was built from, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// What made it: `run`, `compare`, `map`, `law`, `patch`, `reproduce`.
    pub command: String,
    /// SHA-256 of the inputs: the scenario as it stands here, then the files that it names.
    pub hash: String,
    /// The scenario with all defaults filled in; of a law or a patch that, instead (TOML).
    pub scenario: String,
}

/// What a key that names a file ends in.
const FILE_KEY: &str = "file = ";

impl Provenance {
    /// Where the results of a command come from: a scenario, or whatever the command was given. None if it
    /// cannot be written down.
    pub fn new(command: &str, given: &impl Serialize) -> Option<Self> {
        let text = toml::to_string(given).ok()?;
        let hash = hashed(&text, given);
        Some(Self::of(command, text, hash))
    }

    /// Whether the scenario, which was read as `given`, and the files that it names are those that the hash
    /// was made of.
    pub fn is_of(&self, given: &impl Serialize) -> bool {
        self.hash == hashed(&self.scenario, given)
    }

    /// Whether the scenario may name files, which change by themselves.
    pub fn may_name_files(&self) -> bool {
        self.scenario.contains(FILE_KEY)
    }

    /// The same for inputs whose hash is known.
    pub fn of(command: &str, scenario: String, hash: String) -> Self {
        let commit = option_env!("STICTION_COMMIT").map(str::to_owned);
        Self { stiction: env!("CARGO_PKG_VERSION").into(), commit, command: command.into(), hash, scenario }
    }

    /// As one line of JSON, which figures carry. The two characters that XML has no way to write are written
    /// as escapes.
    pub fn json(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        text.replace('\u{fffe}', "\\ufffe").replace('\u{ffff}', "\\uffff")
    }

    /// As a scenario file, which lies beside tables: it can be run as it is.
    pub fn toml(&self) -> String {
        let commit = self.commit.as_ref().map(|commit| format!(", commit {commit}")).unwrap_or_default();
        format!("{HEAD}{}{commit}, {}, inputs {}\n{}", self.stiction, self.command, self.hash, self.scenario)
    }

    /// What a file of [`Provenance::toml`] says.
    pub fn read_toml(text: &str) -> Option<Self> {
        let (head, scenario) = text.split_once('\n')?;
        let mut words = head.strip_prefix(HEAD)?.split(", ");
        let stiction = words.next()?.to_owned();
        let mut rest: Vec<&str> = words.collect();
        let hash = rest.pop()?.strip_prefix("inputs ")?.to_owned();
        let command = rest.pop()?.to_owned();
        let commit = rest.pop().and_then(|word| word.strip_prefix("commit ")).map(str::to_owned);
        Some(Self { stiction, commit, command, hash, scenario: scenario.into() })
    }
}

/// SHA-256 of the files that a scenario names, one after the other; none if it names none.
pub fn files_hash(given: &impl Serialize) -> Option<String> {
    let tree = serde_json::to_value(given).ok()?;
    let mut bytes = None;
    named_files(&tree, &mut |path| {
        bytes.get_or_insert_with(Vec::new).extend(std::fs::read(path).unwrap_or_default());
    });
    bytes.map(|bytes| sha256(&bytes))
}

/// SHA-256 of the text of a scenario and of the files that it names.
fn hashed(text: &str, given: &impl Serialize) -> String {
    let mut input = text.to_owned().into_bytes();
    // most name no file
    if text.contains(FILE_KEY)
        && let Ok(tree) = serde_json::to_value(given)
    {
        named_files(&tree, &mut |path| input.extend(std::fs::read(path).unwrap_or_default()));
    }
    sha256(&input)
}

/// The files that a scenario names.
fn named_files(tree: &Json, found: &mut dyn FnMut(&str)) {
    match tree {
        Json::Object(entries) => entries.iter().for_each(|(key, value)| match value {
            Json::String(path) if key == "file" => found(path),
            value => named_files(value, found),
        }),
        Json::Array(items) => items.iter().for_each(|item| named_files(item, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_beside_a_table_is_read_back() {
        for commit in [None, Some("0123abc".to_owned())] {
            let written =
                Provenance { commit, ..Provenance::of("run", "title = \"a, b\"\n".into(), "ff".into()) };
            assert_eq!(Provenance::read_toml(&written.toml()), Some(written.clone()));
            assert_eq!(serde_json::from_str::<Provenance>(&written.json()).unwrap(), written);
        }
        assert_eq!(Provenance::read_toml("title = \"mine\"\n"), None);
        // characters that the metadata of a figure cannot have
        let odd = Provenance::of("run", "title = \"a\u{fffe}\u{ffff}\"\n".into(), "ff".into());
        assert!(!odd.json().contains(['\u{fffe}', '\u{ffff}']));
        assert_eq!(serde_json::from_str::<Provenance>(&odd.json()).unwrap(), odd);
    }
}
