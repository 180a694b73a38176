//! What goes back to the page: a JSON head, and columns of numbers that it refers to by place.
//!
//! ```text
//!   u32 length of the head │ head, padded by spaces to 8 bytes │ numbers, f64 little-endian
//! ```

use serde_json::{Value as Json, json};
use stiction_study::Column;

/// Bytes of the length in front.
const LENGTH: usize = 4;
/// Numbers begin at a multiple of this, so that the page can look at them in place.
const ALIGNMENT: usize = 8;

/// A head and its numbers.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    head: serde_json::Map<String, Json>,
    numbers: Vec<f64>,
}

impl Reply {
    /// Puts a value into the head.
    pub fn put(&mut self, key: &str, value: impl Into<Json>) {
        self.head.insert(key.into(), value.into());
    }

    /// The place of `values` behind the head: first number and how many.
    pub fn place(&mut self, values: &[f64]) -> Json {
        let at = self.numbers.len();
        self.numbers.extend_from_slice(values);
        json!([at, values.len()])
    }

    /// Columns with their places.
    pub fn columns(&mut self, columns: &[Column]) -> Json {
        let one = |column: &Column| {
            json!({
                "name": column.name, "symbol": column.symbol, "unit": column.unit, "index": column.index,
                "at": self.place(&column.values),
            })
        };
        columns.iter().map(one).collect()
    }

    /// The head alone.
    pub fn head(&self) -> &serde_json::Map<String, Json> {
        &self.head
    }

    /// The numbers at a place that the head names.
    pub fn numbers(&self, place: &Json) -> Option<&[f64]> {
        let at = |i: usize| place.get(i).and_then(Json::as_u64).and_then(|n| usize::try_from(n).ok());
        let (first, n) = (at(0)?, at(1)?);
        self.numbers.get(first..first.checked_add(n)?)
    }

    /// All of it as bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        let mut head = Json::Object(self.head).to_string().into_bytes();
        let whole = (LENGTH + head.len()).next_multiple_of(ALIGNMENT);
        head.resize(whole - LENGTH, b' ');
        let mut bytes = Vec::with_capacity(whole + 8 * self.numbers.len());
        // a head is some kilobytes; its length is cut nowhere
        bytes.extend_from_slice(&u32::try_from(head.len()).unwrap_or(u32::MAX).to_le_bytes());
        bytes.append(&mut head);
        self.numbers.iter().for_each(|x| bytes.extend_from_slice(&x.to_le_bytes()));
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_begin_at_a_multiple_of_eight_and_are_found_again() {
        for title in ["", "a", "ab", "αβγ", "seven letters"] {
            let mut reply = Reply::default();
            reply.put("title", title);
            let place = reply.place(&[1.0, -0.0, f64::MIN_POSITIVE]);
            reply.put("at", place.clone());
            assert_eq!(reply.numbers(&place), Some(&[1.0, -0.0, f64::MIN_POSITIVE][..]));
            let bytes = reply.into_bytes();
            let n = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize;
            assert_eq!((4 + n) % 8, 0);
            let head: Json = serde_json::from_slice(&bytes[4..4 + n]).unwrap();
            assert_eq!(head["title"], title);
            assert_eq!(bytes[4 + n..4 + n + 8], 1.0f64.to_le_bytes());
            assert_eq!(bytes.len(), 4 + n + 24);
        }
    }
}
