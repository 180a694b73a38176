//! What the user types.

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Dry friction, computed right: laws, oscillators, stick and slip.
#[derive(Parser)]
#[command(name = "stiction", version, propagate_version = true, arg_required_else_help = true)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Run scenarios; several are compared in one figure
    Run(Run),
    /// Evaluate a friction law: velocity, coefficient, slope
    Law(Law),
    /// Evaluate a contact patch that slides and spins: curves, wrenches, limit surface
    Patch(Patch),
    /// Regenerate the papers' figures and compare their printed numbers
    Reproduce(Reproduce),
    /// Which regularisation, and how wrong? Several laws and widths against exact Coulomb friction
    Compare(Compare),
    /// The widest transition of each law whose error stays below a tolerance
    Tune(Tune),
    /// Write a commented scenario to start from
    New(New),
    /// Check scenarios without running them
    Check(Check),
    /// Print a scenario with all defaults filled in
    Show(Show),
    /// Print the JSON Schema of scenarios or patches, for editors
    Schema(Schema),
    /// Print completions for a shell
    Completions(Completions),
}

#[derive(ClapArgs)]
pub struct Run {
    /// Scenario files (TOML); `-` reads standard input
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Override a key, as in `--set width=0.4` or `--set analysis.transient.periods=50`
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Directory for data and figure (CSV, SVG, PNG) [default: out; none with --json]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print one JSON object in full precision: facts, samples, events, work
    #[arg(long)]
    pub json: bool,
}

#[derive(ClapArgs)]
pub struct Law {
    /// Name of the law; without it, the list of laws
    pub name: Option<String>,
    /// Set a parameter, as in `--set mu=1.6`
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Sliding velocities, separated by commas (m/s)
    #[arg(long, value_name = "V,…", value_delimiter = ',', allow_hyphen_values = true)]
    pub at: Vec<f64>,
    /// Coefficient that would keep the velocity constant, for laws that ask for it
    #[arg(long, default_value_t = 0.0, allow_hyphen_values = true)]
    pub demand: f64,
    /// Directory for the figure (SVG, PNG) [default: out; none with --at or --json]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print one JSON object in full precision: columns v, coefficient, slope
    #[arg(long)]
    pub json: bool,
}

#[derive(ClapArgs)]
pub struct Patch {
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
    /// Directory for data and figures (CSV, SVG, PNG) [default: out; none with --twists or --json]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print one JSON object in full precision
    #[arg(long)]
    pub json: bool,
}

#[derive(ClapArgs)]
pub struct Reproduce {
    /// paper-a, …, paper-e; all if absent
    pub paper: Option<String>,
    /// One figure of the paper, as in fig-2
    pub figure: Option<String>,
    /// Directory for the figures and data
    #[arg(long, value_name = "DIR", default_value = "out")]
    pub out: PathBuf,
}

#[derive(ClapArgs)]
pub struct Compare {
    /// Scenario file (TOML) with the coulomb law; `-` reads standard input
    pub file: PathBuf,
    /// Override a key
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Laws to compare [default: all that have a width]
    #[arg(long, value_name = "LAW,…", value_delimiter = ',')]
    pub laws: Vec<String>,
    /// Widths of the transition (m/s) [default: seven decades below the largest speed]
    #[arg(long, value_name = "W,…", value_delimiter = ',')]
    pub widths: Vec<f64>,
    /// Directory for table and figure (CSV, SVG, PNG) [default: out; none with --json]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print one JSON object in full precision
    #[arg(long)]
    pub json: bool,
}

#[derive(ClapArgs)]
pub struct Tune {
    /// Scenario file (TOML) with the coulomb law; `-` reads standard input
    pub file: PathBuf,
    /// Override a key
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Laws to tune [default: all that have a width]
    #[arg(long, value_name = "LAW,…", value_delimiter = ',')]
    pub laws: Vec<String>,
    /// What must be small: trajectory (m), amplitude, phase (rad), dissipation, stick-fraction or creep (m/s)
    #[arg(long, default_value = "amplitude")]
    pub criterion: String,
    /// The largest error allowed
    #[arg(long, default_value_t = 0.01)]
    pub tolerance: f64,
    /// Print one JSON object in full precision
    #[arg(long)]
    pub json: bool,
}

#[derive(ClapArgs)]
pub struct New {
    /// File to write; standard output if absent
    pub file: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long)]
    pub force: bool,
}

#[derive(ClapArgs)]
pub struct Check {
    /// Scenario files (TOML); `-` reads standard input
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Override a key
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

#[derive(ClapArgs)]
pub struct Show {
    /// Scenario file (TOML); `-` reads standard input
    pub file: PathBuf,
    /// Override a key
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

#[derive(ClapArgs)]
pub struct Schema {
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
pub struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}
