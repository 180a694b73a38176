//! Arguments of the commands on datasets: `sweep`, `info`, `map`.

use crate::args::{FigureArgs, Limits};
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

#[derive(ClapArgs)]
pub struct SweepArgs {
    /// Scenario file (TOML); `-` reads standard input
    pub file: PathBuf,
    /// What varies: KEY=FROM:TO:POINTS, KEY=FROM:TO:POINTS:log, KEY=V,V,… or KEY=@FILE.csv#COLUMN; several make a grid, in
    /// which the last varies fastest
    #[arg(long, value_name = "KEY=VALUES", allow_hyphen_values = true)]
    pub over: Vec<String>,
    /// Axes that move together, as in `--together omega,mu`
    #[arg(long, value_name = "KEY,KEY…")]
    pub together: Vec<String>,
    #[command(flatten)]
    pub drawn: DrawArgs,
    /// Override a key
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Folder of the dataset [default: out/NAME, after the scenario]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Continue the dataset that is in the folder
    #[arg(long)]
    pub resume: bool,
    /// Compute part I of N, from 0/N to (N-1)/N, for N jobs that share a folder
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<(u64, u64)>,
    /// Number of threads [default: all cores]; the results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Keep the samples of every point, too
    #[arg(long)]
    pub samples: bool,
    /// Rows in a part [default: suits the sweep, at most 8192]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    pub rows_per_part: Option<u64>,
    /// Then find where this fact changes along the last axis, by bisection, into boundary-FACT.csv, as in `--refine stops`
    #[arg(long, value_name = "FACT")]
    pub refine: Option<String>,
    /// How sharp, as a part of the length of the axis
    #[arg(long, default_value_t = 1e-6)]
    pub tolerance: f64,
    /// Print the manifest as one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: Limits,
}

/// Points that are drawn.
#[derive(ClapArgs)]
pub struct DrawArgs {
    /// Draw points from the ranges KEY=FROM:TO instead of a grid
    #[arg(long, value_name = "HOW")]
    pub draw: Option<DrawChoice>,
    /// Number of points that are drawn
    #[arg(long, value_name = "N")]
    pub points: Option<u64>,
    /// Seed of what is drawn
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

/// How points are drawn.
#[derive(Clone, Copy, ValueEnum)]
pub enum DrawChoice {
    /// Independent points
    Random,
    /// One point in each of as many equal parts of every axis
    LatinHypercube,
    /// Sobol's sequence, scrambled
    Sobol,
}

/// A part of a whole, as in 3/8.
fn shard(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    parts
        .filter(|(i, n)| i < n)
        .ok_or_else(|| "a shard is written I/N with I from 0 to N-1, as in 0/4".into())
}

#[derive(ClapArgs)]
pub struct InfoArgs {
    /// Folder of a dataset
    pub folder: PathBuf,
    /// Print the manifest as one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(ClapArgs)]
pub struct MapArgs {
    /// Folder of a dataset
    pub folder: PathBuf,
    /// Column along the horizontal axis; without it a histogram of z
    #[arg(long, value_name = "COLUMN")]
    pub x: Option<String>,
    /// Column along the vertical axis; without it curves of z over x. Points that are drawn at random are coloured by z
    #[arg(long, value_name = "COLUMN", requires = "x")]
    pub y: Option<String>,
    /// Column that is shown
    #[arg(long, value_name = "COLUMN")]
    pub z: String,
    /// Keep the rows in which an axis has the value nearest to this, as in `--at mu=0.3`
    #[arg(long, value_name = "AXIS=VALUE", allow_hyphen_values = true)]
    pub at: Vec<String>,
    /// Directory for the figure [default: the folder of the dataset]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub figure: FigureArgs,
}
