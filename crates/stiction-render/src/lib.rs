//! From outcome to figures (SVG, PNG) and tables (CSV, JSON).

pub mod figure;
