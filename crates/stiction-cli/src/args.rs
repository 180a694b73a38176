//! What the user types.

use crate::dataset_args::{InfoArgs, MapArgs, SweepArgs};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;
use stiction_study::Budget;
use stiction_study::defaults;

/// Dry friction, computed right: laws, oscillators, stick and slip.
#[derive(Parser)]
#[command(name = "stiction", version, propagate_version = true, arg_required_else_help = true)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

/// Where results go.
#[derive(ClapArgs)]
pub struct Output {
    /// Directory for data and figures [default: out; none where numbers are printed]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print one JSON object in full precision
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub figure: FigureArgs,
}

/// How figures are drawn.
#[derive(ClapArgs, Clone, Debug, Default)]
pub struct FigureArgs {
    /// Formats of figures, separated by commas: svg, png, pdf [default: svg,png]
    #[arg(long, value_name = "FORMAT,…", value_delimiter = ',')]
    pub formats: Vec<FigureFormat>,
    /// Draw letters in SVG as outlines: the same look in every viewer, but text cannot be searched or edited
    #[arg(long)]
    pub outlines: bool,
    /// Width of figures (mm) [default: 85 or 175, after the number of panels]
    #[arg(long, value_name = "MM", value_parser = width)]
    pub width: Option<f64>,
    /// Panels of figures to draw, by their letters, as in `--panels a,d,f` [default: all]
    #[arg(long, value_name = "LETTER,…", value_delimiter = ',')]
    pub panels: Vec<String>,
}

/// Format of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FigureFormat {
    /// Vector graphics for browsers and editors
    Svg,
    /// Pixels
    Png,
    /// Vector graphics for print
    Pdf,
}

/// A width that a figure can have (mm).
fn width(text: &str) -> Result<f64, String> {
    let width = text.trim().parse::<f64>().ok().filter(|width| (30.0..=1000.0).contains(width));
    width.ok_or_else(|| "a width is a number from 30 to 1000 (mm)".into())
}

impl Output {
    /// The directory to write to, if any; `prints` if the command prints numbers anyway.
    pub fn dir(&self, prints: bool) -> Option<PathBuf> {
        self.out.clone().or_else(|| (!prints && !self.json).then(|| PathBuf::from("out")))
    }
}

/// What a command may take.
#[derive(ClapArgs, Clone, Copy)]
pub struct Limits {
    /// Stop after this time, as in `30`, `90s`, `5min`, `2h` [default: without end]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub max_time: Option<Duration>,
    /// Refuse what takes more memory than this, as in `500MB`, `4GB` [default: 1GB]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub max_memory: Option<u64>,
}

impl Limits {
    /// The limits as a budget.
    pub fn budget(&self) -> Budget {
        let default = Budget::default();
        Budget { memory: self.max_memory.unwrap_or(default.memory), time: self.max_time }
    }
}

/// A time with its unit, seconds if it has none.
fn duration(text: &str) -> Result<Duration, String> {
    let units = [("s", 1.0), ("min", 60.0), ("h", 3600.0), ("", 1.0)];
    let seconds = with_unit(text, &units).ok_or("a time is written as in 30, 90s, 5min, 2h")?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// A number of bytes with its unit.
fn size(text: &str) -> Result<u64, String> {
    let units =
        [("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("k", 1e3), ("M", 1e6), ("G", 1e9), ("B", 1.0), ("", 1.0)];
    with_unit(text, &units).map(|size| size as u64).ok_or_else(|| "a size is written as in 500MB, 4GB".into())
}

/// A positive number with one of these units.
fn with_unit(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let text = text.trim();
    let number = |(name, unit): &(&str, f64)| {
        let number: f64 = text.strip_suffix(name)?.trim_end().parse().ok()?;
        Some(number * unit).filter(|value| value.is_finite() && *value > 0.0)
    };
    units.iter().find_map(number)
}

impl Command {
    /// What the command works on, for messages.
    pub fn subject(&self) -> String {
        let file = |path: &PathBuf| path.display().to_string();
        match self {
            Self::Run(RunArgs { files, .. }) | Self::Check(CheckArgs { files, .. }) => {
                files.iter().map(file).collect::<Vec<_>>().join(", ")
            }
            Self::Patch(args) => file(&args.file),
            Self::Compare(args) => file(&args.source.file),
            Self::Tune(args) => file(&args.source.file),
            Self::Sweep(args) => file(&args.file),
            Self::Info(args) => file(&args.folder),
            Self::Map(args) => file(&args.folder),
            Self::Rerun(args) => file(&args.file),
            Self::Show(args) => file(&args.file),
            Self::Law(args) => args.name.clone().unwrap_or_else(|| "law".into()),
            Self::Reproduce(args) => args.paper.clone().unwrap_or_else(|| "reproduce".into()),
            Self::Lab(args) => args.file.as_ref().map_or_else(|| "lab".into(), file),
            Self::New(_) => "new".into(),
            Self::Schema(_) => "schema".into(),
            Self::Completions(_) => "completions".into(),
        }
    }
}

#[derive(Subcommand)]
pub enum Command {
    /// Run scenarios; several motions, responses or bodies are compared in one more figure
    Run(RunArgs),
    /// Evaluate a friction law: velocity, coefficient, slope
    Law(LawArgs),
    /// Evaluate a contact patch that slides and spins: curves, wrenches, limit surface
    Patch(PatchArgs),
    /// Regenerate the papers' figures and compare their printed numbers
    Reproduce(ReproduceArgs),
    /// Errors of regularised and elastic laws, over their width or stiffness, against set-valued friction
    Compare(CompareArgs),
    /// The coarsest size of each law whose error stays below a tolerance
    Tune(TuneArgs),
    /// Run a scenario at many values of some of its numbers, on all cores, into a folder of Parquet files
    Sweep(SweepArgs),
    /// What a folder of `stiction sweep` holds
    Info(InfoArgs),
    /// Draw a folder of `stiction sweep`: heat map, line cuts, histogram
    Map(MapArgs),
    /// Run what a result was made from again, and say whether it is the same
    Rerun(RerunArgs),
    /// Write a page on which the scenario can be played with, and open it
    Lab(LabArgs),
    /// Write a commented scenario or patch to start from
    New(NewArgs),
    /// Check scenarios without running them
    Check(CheckArgs),
    /// Print a scenario with all defaults filled in
    Show(ShowArgs),
    /// Print the JSON Schema of scenarios or patches, for editors
    Schema(SchemaArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
}

#[derive(ClapArgs)]
pub struct RunArgs {
    /// Scenario files (TOML); `-` reads standard input
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Override a key, as in `--set width=0.4` or `--set analysis.transient.periods=50`; a key that the file lacks is added where only one
    /// place fits; `--set law=jenkins` takes another law and keeps the parameters that both have
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Go on from the points that a run that was stopped has left in the folder of the outputs
    #[arg(long)]
    pub resume: bool,
    #[command(flatten)]
    pub output: Output,
    #[command(flatten)]
    pub limits: Limits,
}

#[derive(ClapArgs)]
pub struct LawArgs {
    /// Name of the law; without it, the list of laws
    pub name: Option<String>,
    /// Set a parameter, as in `--set mu=1.6`; stiffness and damping are per newton of load (1/m, s/m), `contact_stiffness` (N/m) and
    /// `contact_damping` (N s/m) with `--set load=100` (N) are not
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Sliding velocities, separated by commas (m/s): prints numbers, draws nothing
    #[arg(long, value_name = "V,…", value_delimiter = ',', allow_hyphen_values = true)]
    pub at: Vec<f64>,
    /// Coefficient that would keep the velocity constant, for laws that ask for it
    #[arg(long, default_value_t = 0.0, allow_hyphen_values = true)]
    pub demand: f64,
    #[command(flatten)]
    pub output: Output,
}

#[derive(ClapArgs)]
pub struct PatchArgs {
    /// Patch file (TOML, with a table [patch]); `-` reads standard input
    pub file: PathBuf,
    /// Override a key, as in `--set mu=0.4` or `--set patch.height=0.02`
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Print fx,fy,mz for every line vx,vy,omega of this CSV; `-` reads standard input
    #[arg(long, value_name = "CSV", group = "mode")]
    pub twists: Option<PathBuf>,
    /// Compute and draw the wrenches that the patch holds at rest
    #[arg(long, group = "mode")]
    pub limit_surface: bool,
    /// Compare the Padé closures with the exact integrals
    #[arg(long, group = "mode")]
    pub compare: bool,
    #[command(flatten)]
    pub output: Output,
}

#[derive(ClapArgs)]
pub struct ReproduceArgs {
    /// paper-a, …, paper-e; all if absent
    pub paper: Option<String>,
    /// One figure of the paper, as in fig-2
    pub figure: Option<String>,
    /// Directory for the figures and data
    #[arg(long, value_name = "DIR", default_value = "out")]
    pub out: PathBuf,
    #[command(flatten)]
    pub limits: Limits,
}

/// A scenario that regularised laws are judged by, and the laws.
#[derive(ClapArgs)]
pub struct CoulombSource {
    /// Scenario file (TOML) with set-valued laws; `-` reads standard input
    pub file: PathBuf,
    /// Override a key
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Laws to judge [default: all that stand in for those of the scenario]
    #[arg(long, value_name = "LAW,…", value_delimiter = ',')]
    pub laws: Vec<String>,
}

#[derive(ClapArgs)]
pub struct CompareArgs {
    #[command(flatten)]
    pub source: CoulombSource,
    /// Widths of laws with a transition (m/s) [default: seven, down to 1e-5 of the largest speed]
    #[arg(long, value_name = "W,…", value_delimiter = ',')]
    pub widths: Vec<f64>,
    /// Stiffnesses of laws that bend before they slide, over the load (1/m) [default: seven, up to full friction at 1e-5 of the amplitude]
    #[arg(long, value_name = "S,…", value_delimiter = ',')]
    pub stiffnesses: Vec<f64>,
    #[command(flatten)]
    pub output: Output,
    #[command(flatten)]
    pub limits: Limits,
}

#[derive(ClapArgs)]
pub struct TuneArgs {
    #[command(flatten)]
    pub source: CoulombSource,
    /// What must be small: trajectory (m), amplitude, phase (rad), dissipation, stick-fraction or creep (m/s)
    #[arg(long, default_value = defaults::CRITERION.name())]
    pub criterion: String,
    /// The largest error allowed
    #[arg(long, default_value_t = defaults::TOLERANCE)]
    pub tolerance: f64,
    /// Print one JSON object in full precision
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: Limits,
}

#[derive(ClapArgs)]
pub struct RerunArgs {
    /// A result of `run` (CSV, JSON, SVG, PNG), or the folder of a dataset
    pub file: PathBuf,
    #[command(flatten)]
    pub limits: Limits,
}

#[derive(ClapArgs)]
pub struct LabArgs {
    /// Scenario file (TOML) that the page opens with; `-` reads standard input
    pub file: Option<PathBuf>,
    /// File for the page, which is then not opened [default: a temporary one, opened in the browser]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(ClapArgs)]
pub struct NewArgs {
    /// File to write; standard output if absent
    pub file: Option<PathBuf>,
    /// What the file describes
    #[arg(long, value_name = "KIND", default_value = "oscillator")]
    pub kind: NewKind,
    /// Replace the file if it is there
    #[arg(long)]
    pub force: bool,
}

/// What a new file describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NewKind {
    /// One mass with Coulomb friction, its motion in time
    Oscillator,
    /// Several degrees of freedom by their matrices
    Matrices,
    /// A beam in finite elements with a friction damper, its frequency response
    Beam,
    /// The frequency response of one mass
    Response,
    /// A rigid body that slides and spins on a plane
    Body,
    /// A position controller that hunts, with the LuGre law
    Pid,
    /// One mass at many values of two numbers
    Sweep,
    /// A contact patch, for `stiction patch`
    Patch,
}

#[derive(ClapArgs)]
pub struct CheckArgs {
    /// Scenario files (TOML); `-` reads standard input
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Override a key
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

#[derive(ClapArgs)]
pub struct ShowArgs {
    /// Scenario file (TOML); `-` reads standard input
    pub file: PathBuf,
    /// Override a key
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

#[derive(ClapArgs)]
pub struct SchemaArgs {
    /// The kind of file
    #[arg(default_value = "scenario")]
    pub kind: FileKind,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum FileKind {
    /// What `run`, `check` and `show` read
    Scenario,
    /// What `patch` reads
    Patch,
}

#[derive(ClapArgs)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_have_units() {
        assert_eq!(duration("30"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("1.5 min"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("2h"), Ok(Duration::from_secs(7200)));
        assert_eq!(size("500MB"), Ok(500_000_000));
        assert_eq!(size("4G"), Ok(4_000_000_000));
        for wrong in ["", "s", "-1", "nan", "inf", "5 days", "0"] {
            assert!(duration(wrong).is_err() && size(wrong).is_err(), "{wrong}");
        }
    }
}
