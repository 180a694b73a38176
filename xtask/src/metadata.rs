//! What `cargo metadata` says of the packages that the project is built from.

use serde_json::Value;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::process::Command;

/// Packages and the graph of their dependencies, as in `Cargo.lock`.
pub fn metadata(root: &Path) -> Result<Value, Box<dyn Error>> {
    let mut command = Command::new(env!("CARGO"));
    let output =
        command.args(["metadata", "--format-version", "1", "--locked"]).current_dir(root).output()?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The items of a list, none of anything else.
pub fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

/// The items of a list by their `id`.
pub fn by_id(list: &Value) -> BTreeMap<&str, &Value> {
    items(list).filter_map(|item| Some((item["id"].as_str()?, item))).collect()
}
