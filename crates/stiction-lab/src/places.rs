//! Where each value of a scenario stands in its text, so that the page changes a number and leaves the comments.

use keyed::{Node, Origin, Value};
use serde_json::{Map, Value as Json, json};

/// Values whose places are given; a longer list is written anew as a whole.
const MOST: usize = 4096;

/// Path of each scalar, joined by dots, to the range of its key or, in a list, of the value, in UTF-16 units.
pub fn places(text: &str, root: &Node) -> Json {
    let mut found = Vec::new();
    collect(root, &mut Vec::new(), &mut found);
    if found.len() > MOST {
        return json!({});
    }
    found.sort_by_key(|(_, bytes)| bytes[0]);
    let mut units = Units { text, byte: 0, unit: 0 };
    let one = |(path, [from, to]): (String, [usize; 2])| {
        let start = units.at(from);
        // a dotted key may begin where the one before began
        let length = text.get(from..to).map_or(0, |part| part.encode_utf16().count());
        (path, json!([start, start + length]))
    };
    Json::Object(found.into_iter().map(one).collect::<Map<String, Json>>())
}

fn collect(node: &Node, path: &mut Vec<String>, found: &mut Vec<(String, [usize; 2])>) {
    let mut below = |key: String, node: &Node| {
        path.push(key);
        collect(node, path, found);
        path.pop();
    };
    match &node.value {
        Value::Table(entries) => entries.iter().for_each(|(key, node)| below(key.clone(), node)),
        Value::Array(items) => items.iter().enumerate().for_each(|(i, node)| below(i.to_string(), node)),
        _ => {
            if let Origin::File(bytes) = &node.origin {
                found.push((path.join("."), [bytes.start, bytes.end]));
            }
        }
    }
}

/// Bytes to UTF-16 units, in ascending order.
struct Units<'a> {
    text: &'a str,
    byte: usize,
    unit: usize,
}

impl Units<'_> {
    fn at(&mut self, byte: usize) -> usize {
        self.unit += self.text.get(self.byte..byte).map_or(0, |part| part.encode_utf16().count());
        self.byte = byte;
        self.unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keyed::Document;

    #[test]
    fn places_count_as_the_page_counts() {
        let text = "# ü 😀\na.b = 1 # x\nc = [2, { d = \"é\" }]\n";
        let document = Document::parse("x", text).unwrap();
        let places = places(text, &document.root);
        let units: Vec<u16> = text.encode_utf16().collect();
        let at = |key: &str| {
            let [from, to] = [0, 1].map(|i| places[key][i].as_u64().unwrap() as usize);
            String::from_utf16(&units[from..to]).unwrap()
        };
        assert_eq!(at("a.b"), "b");
        assert_eq!(at("c.0"), "2");
        assert_eq!(at("c.1.d"), "d");
    }
}
