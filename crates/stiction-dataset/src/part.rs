//! One part of a dataset as a Parquet file: rows in the order of their numbers, no dictionaries, the units in the metadata.
//!
//! ```text
//!   index  axis …  fact …  error  warning        a point in each row; a fact that there is not is null
//!   index  column …                               samples: a sample in each row
//! ```
//!
//! The last entry of the metadata is a checksum: the SHA-256 of the file with zeros in its place. Parquet readers ignore it.

use bytes::Bytes;
use parquet::basic::{Compression, Type as PhysicalType};
use parquet::column::reader::ColumnReader;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use stiction_study::sha256;
use stiction_study::sweep::SweepRow;

/// Metadata of every part: the hash of what it was computed from, and the number of its rows that failed.
pub const HASH: &str = "stiction.hash";
const FAILED: &str = "stiction.failed";
/// The number of samples of its rows, which a part beside it holds.
const N_SAMPLES: &str = "stiction.samples";
const CHECKSUM: &str = "stiction.checksum";
/// What stands in its place while it is computed.
const BLANK: [u8; 64] = [b'0'; 64];
/// Bytes between a key of the metadata and its value: the type of the value and its length.
const HEAD: usize = 2;

/// What stands in the metadata of every part.
pub type Metadata = Vec<(String, String)>;

/// Numbers or texts of one column; nothing where there is none.
enum ColumnCells {
    Whole(Vec<i64>),
    Real(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
}

/// The bytes of a part with these rows. `names` are those of the axes and facts.
pub fn encoded(names: &[String], rows: &[SweepRow], metadata: &Metadata) -> Result<Vec<u8>, ParquetError> {
    let n_axes = rows.first().map_or(0, |row| row.values.len());
    let mut columns =
        vec![("index".to_owned(), ColumnCells::Whole(rows.iter().map(|row| row.index as i64).collect()))];
    for (k, name) in names.iter().enumerate() {
        let cell = |row: &SweepRow| if k < n_axes { Some(row.values[k]) } else { row.facts[k - n_axes] };
        columns.push((name.clone(), ColumnCells::Real(rows.iter().map(cell).collect())));
    }
    columns.push(("error".into(), ColumnCells::Text(rows.iter().map(|row| row.error.clone()).collect())));
    columns.push(("warning".into(), ColumnCells::Text(rows.iter().map(|row| row.warning.clone()).collect())));
    let failed = rows.iter().filter(|row| row.error.is_some()).count();
    let mut metadata = metadata.clone();
    metadata.push((FAILED.into(), failed.to_string()));
    let n_samples: usize = rows.iter().map(samples_of).sum();
    metadata.push((N_SAMPLES.into(), n_samples.to_string()));
    written(&columns, &metadata)
}

fn samples_of(row: &SweepRow) -> usize {
    row.samples.first().map_or(0, |column| column.values.len())
}

/// The bytes of a part with the samples of these rows; none if they have none.
pub fn encoded_samples(rows: &[SweepRow], metadata: &Metadata) -> Result<Option<Vec<u8>>, ParquetError> {
    let Some(first) = rows.iter().find(|row| !row.samples.is_empty()) else { return Ok(None) };
    let mut columns = vec![("index".to_owned(), ColumnCells::Whole(Vec::new()))];
    columns.extend(first.samples.iter().map(|column| (column.name.clone(), ColumnCells::Real(Vec::new()))));
    for row in rows {
        let n = samples_of(row);
        for (k, (_, cells)) in columns.iter_mut().enumerate() {
            match cells {
                ColumnCells::Whole(list) => list.extend(std::iter::repeat_n(row.index as i64, n)),
                ColumnCells::Real(list) => {
                    list.extend(
                        row.samples.get(k - 1).into_iter().flat_map(|c| c.values.iter().copied().map(Some)),
                    );
                }
                ColumnCells::Text(_) => {}
            }
        }
    }
    written(&columns, metadata).map(Some)
}

fn written(columns: &[(String, ColumnCells)], metadata: &Metadata) -> Result<Vec<u8>, ParquetError> {
    let field = |(name, cells): &(String, ColumnCells)| match cells {
        ColumnCells::Whole(_) => format!("required int64 {name};"),
        ColumnCells::Real(_) => format!("optional double {name};"),
        ColumnCells::Text(_) => format!("optional binary {name} (STRING);"),
    };
    let fields: Vec<String> = columns.iter().map(field).collect();
    let schema = parse_message_type(&format!("message rows {{ {} }}", fields.join(" ")))?;
    let checksum = KeyValue::new(CHECKSUM.into(), String::from_utf8_lossy(&BLANK).into_owned());
    let pairs = metadata.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
    let pairs = pairs.chain([checksum]).collect();
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_created_by(format!("stiction {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(pairs))
        .build();
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, Arc::new(schema), Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    for (_, cells) in columns {
        write_column(&mut group, cells)?;
    }
    group.close()?;
    file.close()?;
    let place = checksum_place(&bytes).filter(|place| bytes[place.clone()] == BLANK);
    let place = place.ok_or_else(|| ParquetError::General("no place for the checksum".into()))?;
    let sum = sha256(&bytes);
    bytes[place].copy_from_slice(sum.as_bytes());
    Ok(bytes)
}

/// Where the checksum stands in a file.
fn checksum_place(bytes: &[u8]) -> Option<Range<usize>> {
    let key = bytes.windows(CHECKSUM.len()).rposition(|window| window == CHECKSUM.as_bytes())?;
    let start = key + CHECKSUM.len() + HEAD;
    (start + BLANK.len() <= bytes.len()).then(|| start..start + BLANK.len())
}

/// Whether the bytes are those that were written; otherwise what is wrong.
fn check_sum(bytes: &[u8]) -> Result<(), ParquetError> {
    let wrong = |message: &str| Err(ParquetError::General(message.into()));
    let Some(place) = checksum_place(bytes) else { return wrong("it has no checksum") };
    let mut blank = bytes.to_vec();
    blank[place.clone()].copy_from_slice(&BLANK);
    if sha256(&blank).as_bytes() == &bytes[place] { Ok(()) } else { wrong("its checksum does not match") }
}

fn write_column(
    group: &mut SerializedRowGroupWriter<&mut Vec<u8>>,
    cells: &ColumnCells,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    match cells {
        ColumnCells::Whole(list) => {
            column.typed::<Int64Type>().write_batch(list, None, None)?;
        }
        ColumnCells::Real(list) => {
            let levels: Vec<i16> = list.iter().map(|cell| i16::from(cell.is_some())).collect();
            let values: Vec<f64> = list.iter().flatten().copied().collect();
            column.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
        }
        ColumnCells::Text(list) => {
            let levels: Vec<i16> = list.iter().map(|cell| i16::from(cell.is_some())).collect();
            let values: Vec<ByteArray> = list.iter().flatten().map(|text| text.as_str().into()).collect();
            column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
        }
    }
    column.close()
}

/// A part that can be read.
pub struct DatasetPart {
    reader: Box<dyn FileReader>,
}

impl DatasetPart {
    /// Opens a part. A byte that is not as it was written is an error.
    pub fn open(path: &Path) -> Result<Self, ParquetError> {
        Self::of(std::fs::read(path)?)
    }

    /// The part of these bytes, the same way.
    pub fn of(bytes: Vec<u8>) -> Result<Self, ParquetError> {
        check_sum(&bytes)?;
        Ok(Self { reader: Box::new(SerializedFileReader::new(Bytes::from(bytes))?) })
    }

    /// Opens a part that was checked before, to read some of its columns.
    pub(crate) fn checked(path: &Path) -> Result<Self, ParquetError> {
        Ok(Self { reader: Box::new(SerializedFileReader::new(File::open(path)?)?) })
    }

    /// The number of its rows.
    pub fn rows(&self) -> u64 {
        self.reader.metadata().file_metadata().num_rows().max(0) as u64
    }

    /// The number of its rows that failed.
    pub fn failed(&self) -> u64 {
        self.metadata(FAILED).and_then(|text| text.parse().ok()).unwrap_or(0)
    }

    /// The number of samples that its rows have in the part beside it.
    pub fn n_samples(&self) -> u64 {
        self.metadata(N_SAMPLES).and_then(|text| text.parse().ok()).unwrap_or(0)
    }

    /// A text of its metadata.
    pub fn metadata(&self, key: &str) -> Option<String> {
        let pairs = self.reader.metadata().file_metadata().key_value_metadata()?;
        pairs.iter().find(|pair| pair.key == key).and_then(|pair| pair.value.clone())
    }

    /// The numbers of its rows, or those that its samples belong to.
    pub fn indices(&self) -> Result<Vec<i64>, ParquetError> {
        let mut indices = Vec::new();
        let Some(k) = self.place("index", PhysicalType::INT64) else { return Ok(indices) };
        for g in 0..self.reader.num_row_groups() {
            let group = self.reader.get_row_group(g)?;
            let n = indices.len() + group.metadata().num_rows().max(0) as usize;
            if let ColumnReader::Int64ColumnReader(mut column) = group.get_column_reader(k)? {
                while indices.len() < n && column.read_records(n, None, None, &mut indices)?.0 > 0 {}
            }
        }
        Ok(indices)
    }

    /// The numbers of a column, NaN where there is none; none if there is no such column of numbers.
    pub fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>, ParquetError> {
        let Some(k) = self.place(name, PhysicalType::DOUBLE) else { return Ok(None) };
        let mut numbers = Vec::new();
        for g in 0..self.reader.num_row_groups() {
            let group = self.reader.get_row_group(g)?;
            let n = group.metadata().num_rows().max(0) as usize;
            let ColumnReader::DoubleColumnReader(mut column) = group.get_column_reader(k)? else {
                return Ok(None);
            };
            let (mut levels, mut values) = (Vec::new(), Vec::new());
            while levels.len() < n && column.read_records(n, Some(&mut levels), None, &mut values)?.0 > 0 {}
            let mut values = values.into_iter();
            let cell = |level: &i16| if *level > 0 { values.next().unwrap_or(f64::NAN) } else { f64::NAN };
            numbers.extend(levels.iter().map(cell));
        }
        Ok(Some(numbers))
    }

    /// The texts of a column.
    pub fn texts(&self, name: &str) -> Result<Option<Vec<Option<String>>>, ParquetError> {
        let Some(k) = self.place(name, PhysicalType::BYTE_ARRAY) else { return Ok(None) };
        let mut texts = Vec::new();
        for g in 0..self.reader.num_row_groups() {
            let group = self.reader.get_row_group(g)?;
            let n = group.metadata().num_rows().max(0) as usize;
            let ColumnReader::ByteArrayColumnReader(mut column) = group.get_column_reader(k)? else {
                return Ok(None);
            };
            let (mut levels, mut values) = (Vec::new(), Vec::new());
            while levels.len() < n && column.read_records(n, Some(&mut levels), None, &mut values)?.0 > 0 {}
            let mut values = values.into_iter();
            let text = |bytes: ByteArray| String::from_utf8_lossy(bytes.data()).into_owned();
            texts.extend(levels.iter().map(|level| if *level > 0 { values.next().map(text) } else { None }));
        }
        Ok(Some(texts))
    }

    fn place(&self, name: &str, kind: PhysicalType) -> Option<usize> {
        let columns = self.reader.metadata().file_metadata().schema_descr().columns();
        columns.iter().position(|column| column.name() == name && column.physical_type() == kind)
    }
}
