//! Matrices in files: Matrix Market (@boisvert1996), and rows of numbers.
//!
//! ```text
//!   %%MatrixMarket matrix coordinate real symmetric      1 0.5            1, 0.5
//!   % a comment                                          0.5 2            0.5, 2
//!   2 2 3
//!   1 1 1.0
//!   2 1 0.5
//!   2 2 2.0
//! ```
//!
//! Sizes are checked before memory is taken, and every message names the line.

use crate::budget::{Excess, bytes};
use keyed::{Document, Node, Origin, Value};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, absolute};
use stiction::math::SparseMatrix;

/// Memory that a byte of a file takes at most: the shortest entry has six, and is held twice on the way.
const PARSED: u64 = 16;

/// What is wrong with a file, and the way out.
#[derive(Debug)]
pub(crate) struct FileFault {
    pub message: String,
    pub hint: Option<&'static str>,
}

/// Makes the paths of files below `system` and `sweep` absolute: those that stand in the scenario's file
/// begin at its folder, others at the working folder. Afterwards a scenario means the same wherever it is
/// written.
pub fn anchor_files(document: &mut Document) {
    let folder = Path::new(&document.name).parent().unwrap_or(Path::new("")).to_owned();
    if let Value::Table(entries) = &mut document.root.value {
        entries
            .iter_mut()
            .filter(|(key, _)| key == "system" || key == "sweep")
            .for_each(|(_, node)| anchor(node, &folder));
    }
}

fn anchor(node: &mut Node, folder: &Path) {
    let entries = match &mut node.value {
        Value::Table(entries) => entries,
        Value::Array(members) => return members.iter_mut().for_each(|member| anchor(member, folder)),
        _ => return,
    };
    for (key, child) in entries {
        let from = if matches!(child.origin, Origin::File(_)) { folder } else { Path::new("") };
        match &mut child.value {
            Value::String(path) if key == "file" && !path.is_empty() => {
                if let Ok(whole) = absolute(from.join(&*path)) {
                    *path = whole.to_string_lossy().into_owned();
                }
            }
            _ => anchor(child, folder),
        }
    }
}

/// A file and its length (bytes), if it is one; otherwise what is wrong, and the way out.
pub(crate) fn open(path: &str) -> Result<(File, u64), (String, Option<&'static str>)> {
    // a pipe or a device would be waited for without end
    match std::fs::metadata(path) {
        Err(error) => Err((error.to_string(), Some("paths begin at the folder of the scenario"))),
        Ok(metadata) if !metadata.is_file() => Err(("not a file".into(), None)),
        Ok(metadata) => {
            let file = File::open(path).map_err(|error| (error.to_string(), None))?;
            Ok((file, metadata.len()))
        }
    }
}

/// The matrix in a file, of at most so many rows, within a limit of memory (bytes).
pub(crate) fn read(path: &str, most: usize, memory: u64) -> Result<SparseMatrix, FileFault> {
    let fault = |message: String, hint| FileFault { message: format!("{path}: {message}"), hint };
    let (file, length) = open(path).map_err(|(message, hint)| fault(message, hint))?;
    if length > memory / PARSED {
        let message = format!("{}, but at most {} are read", bytes(length), bytes(memory / PARSED));
        return Err(fault(message, Some(Excess::HINT)));
    }
    if Path::new(path).extension().is_some_and(|ending| ending == "npz" || ending == "npy") {
        let hint = "load it in Python and give the matrix, or write it by scipy.io.mmwrite";
        return Err(fault("a file of NumPy's, which scenario files do not read".into(), Some(hint)));
    }
    let length = memory / PARSED;
    parsed(BufReader::new(file.take(length)), length, most).map_err(|(line, message)| {
        let place = line.map(|line| format!("line {line}: ")).unwrap_or_default();
        fault(format!("{place}{message}"), None)
    })
}

/// A line, from 1, if it is about one, and what is wrong.
type Misread = (Option<usize>, String);

/// The matrix in a text of at most so many bytes.
fn parsed(text: impl BufRead, length: u64, most: usize) -> Result<SparseMatrix, Misread> {
    let mut lines = Lines { text, number: 0, line: Vec::new() };
    let Some(first) = lines.next()? else { return Err((None, "an empty file".into())) };
    if first.to_ascii_lowercase().starts_with("%%matrixmarket") {
        let header = Header::new(first).map_err(|message| (Some(1), message))?;
        return if header.is_coordinate {
            coordinate(lines, header, length, most)
        } else {
            array(lines, header, most)
        };
    }
    rows(lines, most)
}

/// The lines of a text, counted from 1.
struct Lines<R> {
    text: R,
    number: usize,
    line: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    /// The next line, without blanks at its ends.
    fn next(&mut self) -> Result<Option<&str>, Misread> {
        self.line.clear();
        self.number += 1;
        let found = self.text.read_until(b'\n', &mut self.line);
        let n = found.map_err(|error| (Some(self.number), error.to_string()))?;
        if n == 0 {
            return Ok(None);
        }
        let text = std::str::from_utf8(&self.line)
            .map_err(|_| (Some(self.number), "not text in UTF-8".to_owned()))?;
        Ok(Some(text.trim()))
    }

    /// The next line that says something: neither empty nor a comment.
    fn data(&mut self) -> Result<Option<&str>, Misread> {
        loop {
            match self.next()? {
                None => return Ok(None),
                Some(line) if line.is_empty() || line.starts_with(['%', '#']) => {}
                // asked for again because a borrow cannot leave the loop
                Some(_) => break,
            }
        }
        Ok(std::str::from_utf8(&self.line).ok().map(str::trim))
    }

    /// What is wrong in the line that was read last.
    fn wrong<T>(&self, message: impl Into<String>) -> Result<T, Misread> {
        Err((Some(self.number), message.into()))
    }
}

/// The first line of a Matrix Market file.
struct Header {
    is_coordinate: bool,
    is_symmetric: bool,
}

impl Header {
    fn new(line: &str) -> Result<Self, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_ascii_lowercase).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let [_, object, format, field, symmetry] = words[..] else {
            return Err(
                "the header must be %%MatrixMarket matrix coordinate|array real general|symmetric".into()
            );
        };
        let one_of = |what: &str, word: &str, known: &[&str]| match known.contains(&word) {
            true => Ok(()),
            false => Err(format!("{what} {word}, but it must be {}", known.join(" or "))),
        };
        one_of("object", object, &["matrix"])?;
        one_of("format", format, &["coordinate", "array"])?;
        one_of("field", field, &["real", "integer", "double"])?;
        one_of("symmetry", symmetry, &["general", "symmetric"])?;
        Ok(Self { is_coordinate: format == "coordinate", is_symmetric: symmetry == "symmetric" })
    }
}

/// The whole numbers of the line of sizes.
fn sizes<const N: usize>(lines: &mut Lines<impl BufRead>, most: usize) -> Result<[usize; N], Misread> {
    let Some(line) = lines.data()? else { return Err((None, "the line of sizes is missing".into())) };
    let numbers: Vec<Option<usize>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
    let numbers: Option<Vec<usize>> = numbers.into_iter().collect();
    let Some(sizes) = numbers.and_then(|numbers| <[usize; N]>::try_from(numbers).ok()) else {
        let what = if N == 3 { "rows, columns and entries" } else { "rows and columns" };
        return lines.wrong(format!("the line of sizes must hold the numbers of {what}"));
    };
    check_shape(sizes[0], sizes[1], most).or_else(|message| lines.wrong(message))?;
    Ok(sizes)
}

fn check_shape(rows: usize, columns: usize, most: usize) -> Result<(), String> {
    if rows != columns {
        return Err(format!("{rows} rows and {columns} columns, but the matrix must be square"));
    }
    if rows > most {
        return Err(format!("{rows} degrees of freedom, but at most {most} are allowed"));
    }
    Ok(())
}

/// A number that is one.
fn number(word: &str) -> Result<f64, String> {
    match word.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(value) => Err(format!("{value}, but it must be a finite number")),
        Err(_) => Err(format!("\"{}\" is not a number", word.chars().take(40).collect::<String>())),
    }
}

/// Matrix Market, entry by entry.
fn coordinate(
    mut lines: Lines<impl BufRead>,
    header: Header,
    length: u64,
    most: usize,
) -> Result<SparseMatrix, Misread> {
    let [n, _, promised] = sizes::<3>(&mut lines, most)?;
    if promised as u64 > length / 6 {
        return lines.wrong(format!("{promised} entries, more than fit into the file"));
    }
    let mut entries = Vec::with_capacity(promised);
    let mut found = 0;
    while let Some(line) = lines.data()? {
        let entry = entry(line, n, header.is_symmetric);
        let (i, j, value) = entry.or_else(|message| lines.wrong(message))?;
        entries.push((i, j, value));
        if header.is_symmetric && i != j {
            entries.push((j, i, value));
        }
        found += 1;
        if found > promised {
            return lines.wrong(format!("more entries than the {promised} that the line of sizes promises"));
        }
    }
    if found < promised {
        return Err((None, format!("{found} entries, but the line of sizes promises {promised}")));
    }
    SparseMatrix::new(n, &entries).ok_or((None, "an entry lies outside the matrix".into()))
}

/// Row and column, from 0, and the value.
fn entry(line: &str, n: usize, is_symmetric: bool) -> Result<(usize, usize, f64), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [row, column, value] = words[..] else {
        return Err(format!("{} words, but an entry has row, column and value", words.len()));
    };
    let place = |word: &str| match word.parse::<usize>() {
        Ok(place) if (1..=n).contains(&place) => Ok(place - 1),
        _ => Err(format!("place {word}, but rows and columns go from 1 to {n}")),
    };
    let (i, j) = (place(row)?, place(column)?);
    if is_symmetric && j > i {
        return Err("an entry above the diagonal, but a symmetric file holds those below it".into());
    }
    Ok((i, j, number(value)?))
}

/// Matrix Market, all entries column by column; of a symmetric matrix from the diagonal down.
fn array(mut lines: Lines<impl BufRead>, header: Header, most: usize) -> Result<SparseMatrix, Misread> {
    let [n, _] = sizes::<2>(&mut lines, most)?;
    let first = |column: usize| if header.is_symmetric { column } else { 0 };
    let mut places = (0..n).flat_map(|j| (first(j)..n).map(move |i| (i, j)));
    let mut entries = Vec::new();
    while let Some(line) = lines.data()? {
        let values: Result<Vec<f64>, String> = line.split_whitespace().map(number).collect();
        for value in values.or_else(|message| lines.wrong(message))? {
            let Some((i, j)) = places.next() else { return lines.wrong("more entries than the matrix has") };
            entries.push((i, j, value));
            if header.is_symmetric && i != j {
                entries.push((j, i, value));
            }
        }
    }
    if places.next().is_some() {
        return Err((None, format!("{} entries, fewer than the matrix has", entries.len())));
    }
    SparseMatrix::new(n, &entries).ok_or((None, "an entry lies outside the matrix".into()))
}

/// Rows of numbers, between commas or semicolons or blanks. The first line has been read.
fn rows(mut lines: Lines<impl BufRead>, most: usize) -> Result<SparseMatrix, Misread> {
    let mut entries = Vec::new();
    let mut shape: Option<usize> = None;
    let mut i = 0;
    let mut line = std::str::from_utf8(&lines.line).unwrap_or_default().trim().to_owned();
    if line.is_empty() || line.starts_with(['%', '#']) {
        line = lines.data()?.map(str::to_owned).unwrap_or_default();
    }
    while !line.is_empty() {
        let has_marks = line.contains([',', ';']);
        let words: Vec<&str> = if has_marks {
            line.split([',', ';']).map(str::trim).collect()
        } else {
            line.split_whitespace().collect()
        };
        let n = *shape.get_or_insert(words.len());
        if words.len() != n {
            return lines.wrong(format!("{} numbers, but the first row has {n}", words.len()));
        }
        if i == n || n > most {
            check_shape(if i == n { i + 1 } else { n }, n, most).or_else(|message| lines.wrong(message))?;
        }
        for (j, word) in words.iter().enumerate() {
            let value = number(word).or_else(|message| lines.wrong(message))?;
            if value != 0.0 {
                entries.push((i, j, value));
            }
        }
        i += 1;
        line = lines.data()?.map(str::to_owned).unwrap_or_default();
    }
    let n = shape.unwrap_or(0);
    check_shape(i, n, most).map_err(|message| (None, message))?;
    SparseMatrix::new(n, &entries).ok_or((None, "an entry lies outside the matrix".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dense(text: &str) -> Result<Vec<f64>, Misread> {
        parsed(text.as_bytes(), 1000, 4).map(|matrix| matrix.to_dense().data)
    }

    #[test]
    fn every_form_gives_the_same_matrix() {
        let expected = [1.0, 0.5, 0.5, -2e-3];
        for text in [
            "%%MatrixMarket matrix coordinate real general\n% note\n2 2 4\n1 1 1\n2 1 .5\n1 2 0.5\n2 2 -2e-3\n",
            "%%matrixmarket MATRIX Coordinate Real Symmetric\n2 2 3\n1 1 1.0\n2 1 0.5\n\n2 2 -0.002",
            "%%MatrixMarket matrix array real general\n2 2\n1\n0.5\n0.5\n-0.002\n",
            "%%MatrixMarket matrix array real symmetric\r\n2 2\r\n1\r\n0.5\r\n-0.002\r\n",
            "1 0.5\n0.5 -2e-3\n",
            "# rows\n1, 0.5\n\n 0.5 ,-2e-3",
            "1;0.5\n0.5;-2e-3",
        ] {
            assert_eq!(dense(text).unwrap(), expected, "{text}");
        }
        let whole = "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 7\n";
        assert_eq!(dense(whole).unwrap(), [7.0]);
    }

    #[test]
    fn faults_are_reported_with_their_line() {
        let coordinate = |rest: &str| format!("%%MatrixMarket matrix coordinate real symmetric\n{rest}");
        for (text, line, word) in [
            ("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n".into(), Some(1), "complex"),
            ("%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n".into(), Some(1), "pattern"),
            ("%%MatrixMarket vector\n".into(), Some(1), "header"),
            (coordinate("2 3 1\n1 1 1\n"), Some(2), "square"),
            (coordinate("5 5 1\n1 1 1\n"), Some(2), "at most 4"),
            (coordinate("2 2 99999999\n1 1 1\n"), Some(2), "more than fit"),
            (coordinate("2 2\n1 1 1\n"), Some(2), "rows, columns and entries"),
            (coordinate("2 2 2\n1 1 1\n"), None, "promises 2"),
            (coordinate("2 2 1\n1 1 1\n2 2 1\n"), Some(4), "promises"),
            (coordinate("2 2 1\n1 2 1\n"), Some(3), "above the diagonal"),
            (coordinate("2 2 1\n3 1 1\n"), Some(3), "from 1 to 2"),
            (coordinate("2 2 1\n0 1 1\n"), Some(3), "from 1 to 2"),
            (coordinate("2 2 1\n1 1 nan\n"), Some(3), "finite"),
            (coordinate("2 2 1\n1 1 x\n"), Some(3), "not a number"),
            (coordinate("2 2 1\n1 1\n"), Some(3), "2 words"),
            ("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n".into(), None, "fewer"),
            ("%%MatrixMarket matrix array real general\n1 1\n1\n2\n".into(), Some(4), "more"),
            ("1 2\n3\n".into(), Some(2), "first row"),
            ("1 2\n".into(), None, "square"),
            ("1\n2\n".into(), Some(2), "square"),
            ("1 2\n3 inf\n".into(), Some(2), "finite"),
            ("1 2 3 4 5\n".into(), Some(1), "at most 4"),
            ("1,,2\n".into(), Some(1), "not a number"),
            ("".into(), None, "empty"),
        ] as [(String, Option<usize>, &str); 24]
        {
            let (at, message) = dense(&text).unwrap_err();
            assert!(at == line && message.contains(word), "{text}: {at:?} {message}");
        }
        assert_eq!(parsed(&b"1 \xff\n"[..], 10, 4).unwrap_err().0, Some(1));
    }
}
