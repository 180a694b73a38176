//! From scenario file to checked study to outcome.
