//! The command line.

pub(crate) mod chain;
mod durations;
pub(crate) mod fluid;
pub(crate) mod fluid_checkpoint;
pub(crate) mod fluid_groups;
pub(crate) mod fluid_moving;
pub(crate) mod fracture;
pub(crate) mod glacier;
pub(crate) mod sweep;
pub(crate) mod watch;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use banquise_io::export::FORMATS;
use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::{Deserialize, Serialize};

use chain::ChainArguments;
use durations::parse_duration;
use fluid::FluidArguments;
use fracture::FractureArguments;
use glacier::GlacierArguments;
use sweep::{Shard, SweepArguments, parse_shard};
use watch::WatchArguments;

/// Simulates ice that drifts and collides: floes of any shape under wind, water and the Earth's
/// rotation.
#[derive(Debug, Parser)]
#[command(name = "banquise", version = crate::VERSION, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Run a scenario: record it and make its report
    Run(RunArguments),
    /// Go on with a run that was stopped or killed, or start a variant from its last checkpoint
    Resume(ResumeArguments),
    /// Run a recorded run again and compare the hash of its last state
    Rerun(RerunArguments),
    /// Check a scenario without running it
    Check(CheckArguments),
    /// List the built-in scenarios, or show one
    Scenarios(ScenariosArguments),
    /// Make a pack of floes: a file for scenarios, a picture, a summary as JSON
    Pack(PackArguments),
    /// Make a shape library from outlines and pictures
    Shapes(ShapesArguments),
    /// Make the report page of a run again
    Report(ReportArguments),
    /// Compare a run with an observed track, and fit drag and layer to it
    Compare(CompareArguments),
    /// Write the recording of a run in another format
    Export(ExportArguments),
    /// Show a recorded or a live run as a page in the browser
    View(ViewArguments),
    /// Run the published cases and compare
    Verify(VerifyArguments),
    /// Run the ensemble of a published study and compare its members
    Study(StudyArguments),
    /// Run a scenario many times with keys that differ, and compare the members
    Sweep(SweepArguments),
    /// Solve one stored problem and print the solution as JSON
    Solve(SolveArguments),
    /// Solve a contact problem again that `run --capture` stored, or take a step again that failed
    Replay(ReplayArguments),
    /// Strike floes made of masses, springs and dashpots: bars, chains, lattices
    Fracture(FractureArguments),
    /// Solve slow flows around rigid bodies on a grid: drags, viscosities, mobilities
    Fluid(FluidArguments),
    /// Move spheres on a line in a viscous fluid, beside the continuum that many of them make
    Chain(ChainArguments),
    /// Run a glacier front pushed by an iceberg, and study its schemes
    Glacier(GlacierArguments),
    /// Measure speed, stage by stage
    Bench(BenchArguments),
}

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// A scenario file, or the name of a built-in scenario
    pub(crate) scenario: String,
    /// Where to write the results [default: runs/NAME, or the next free runs/NAME-2 …]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Set a key of the scenario, like --set time.duration="2 d"; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Number of threads [default: all cores]; the results are the same bits for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Store suspicious contact problems in DIR/capsules, for `banquise replay`, or with =sample some of all; no result changes
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, require_equals = true,
          default_missing_value = "suspicious", hide_possible_values = true)]
    pub(crate) capture: Option<CaptureChoice>,
    /// Write contact statistics of each step to DIR/steps.csv
    #[arg(long)]
    pub(crate) steps: bool,
    #[command(flatten)]
    pub(crate) checkpoint: CheckpointArguments,
    #[command(flatten)]
    pub(crate) watch: WatchArguments,
    /// Open the report when the run has ended
    #[arg(long)]
    pub(crate) open: bool,
    /// Print a summary of the run as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// When a run writes checkpoints, and when it ends by itself.
#[derive(Debug, Clone, Args)]
pub(crate) struct CheckpointArguments {
    /// Wall time between checkpoints, from which `banquise resume DIR` goes on
    #[arg(long, value_name = "TIME", default_value = "5 min", value_parser = parse_duration)]
    pub(crate) checkpoint_every: Duration,
    /// Simulated time between checkpoints [default: by wall time alone]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) checkpoint_every_simulated: Option<Duration>,
    /// Write a checkpoint and stop after this wall time, like 11h50m, before a queue ends the job
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) wall_time: Option<Duration>,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeArguments {
    /// The directory of a run
    pub(crate) directory: PathBuf,
    /// Start a variant from the last checkpoint, in a new directory, with a key of the scenario changed; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Where to write a variant [default: runs/NAME-branch, or the next free one]
    #[arg(long, value_name = "DIR", requires = "set")]
    pub(crate) out: Option<PathBuf>,
    /// Number of threads [default: all cores]; the results are the same bits for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) checkpoint: CheckpointArguments,
    #[command(flatten)]
    pub(crate) watch: WatchArguments,
    /// Open the report when the run has ended
    #[arg(long)]
    pub(crate) open: bool,
    /// Print a summary of the run as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RerunArguments {
    /// The directory of a run
    pub(crate) directory: PathBuf,
    /// Number of threads [default: all cores]; the results are the same bits for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Print the hashes as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which contact problems `--capture` stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub(crate) enum CaptureChoice {
    /// Problems without a solution within tolerance, with reduced restitution, and the like
    Suspicious,
    /// A sample of problems of every size, hard ones included
    Sample,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// A scenario file, or the name of a built-in scenario
    pub(crate) scenario: String,
    /// Set a key of the scenario, like --set time.duration="2 d"; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ScenariosArguments {
    #[command(subcommand)]
    pub(crate) verb: Option<ScenariosVerb>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ScenariosVerb {
    /// Print the TOML of a built-in scenario
    Show {
        /// Its name
        name: String,
    },
    /// Print the JSON Schema of scenarios, with which editors complete and check keys
    Schema {
        /// Of scenarios of a glacier
        #[arg(long)]
        glacier: bool,
        /// Of scenarios of a bar or a plate
        #[arg(long, conflicts_with = "glacier")]
        specimen: bool,
    },
    /// Print the scenario that the input files of Lefebvre 2007 describe
    Convert {
        /// The file of the model, `data`
        data: PathBuf,
        /// The file of the bodies, `config`
        config: PathBuf,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ShapesArguments {
    /// Shape libraries, GeoJSON files, or pictures in PNG format
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// The library to write, with a contact sheet beside it
    #[arg(long, alias = "output", short_alias = 'o', value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Name of the library [default: that of its file]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Length of a pixel, like "250 m", or of a unit of coordinates
    #[arg(long, value_name = "LENGTH")]
    pub(crate) unit: Option<String>,
    /// What the coordinates of GeoJSON are: metres or degrees
    #[arg(long, value_name = "KIND")]
    pub(crate) coordinates: Option<String>,
    /// Most vertices of an outline; areas do not change
    #[arg(long, value_name = "N", default_value_t = 40,
          value_parser = clap::value_parser!(u32).range(3..))]
    pub(crate) vertices: u32,
    /// Pictures are masks: values number the floes (16-bit grey always is one)
    #[arg(long)]
    pub(crate) labels: bool,
    /// Ice is brighter than this [default: found from the picture]
    #[arg(long, value_name = "0-254", value_parser = clap::value_parser!(u8).range(0..255))]
    pub(crate) threshold: Option<u8>,
    /// Pixels of the smallest floe to find in a picture
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) min_pixels: usize,
    /// Leave out floes that the edge of the picture cuts
    #[arg(long)]
    pub(crate) whole: bool,
    /// Draw the outlines on their picture, as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) overlay: Option<PathBuf>,
    /// Print a summary as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PackArguments {
    /// A file with a table `[pack]`, such as a scenario, or the name of a built-in scenario
    #[arg(default_value = "pack")]
    pub(crate) scenario: String,
    /// The file to write; the picture gets the same name with .svg [default: NAME.json]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Set a key, like --set pack.concentration=0.85; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Number of threads [default: all cores]; the pack is the same bits for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    /// The directory of a run
    pub(crate) directory: PathBuf,
    /// Write each figure as an SVG file beside the page too
    #[arg(long)]
    pub(crate) svg: bool,
    /// Print the diagnostics of the run as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArguments {
    /// The directory of a run
    pub(crate) directory: PathBuf,
    /// A CSV file with dates or times, velocities `u` and `v` or `longitude` and `latitude`, and if known `u_wind`, `v_wind`
    #[arg(value_name = "TRACKS.csv")]
    pub(crate) tracks: PathBuf,
    /// Name of the floe [default: the first floe]
    #[arg(long, value_name = "NAME")]
    pub(crate) floe: Option<String>,
    /// Name in the column `buoy` of a file of several buoys
    #[arg(long, value_name = "NAME")]
    pub(crate) buoy: Option<String>,
    /// Time at the start of the run that does not count
    #[arg(long, value_name = "TIME", default_value = "2 d")]
    pub(crate) skip: String,
    /// Fit air drag, turning angle and base friction: runs this scenario, of one floe, again and again
    #[arg(long, value_name = "SCENARIO")]
    pub(crate) fit: Option<String>,
    /// Weight of the inertial amplitude beside R² in the fit: base friction minimises 1 − R² + W (ln ratio)²
    #[arg(long, value_name = "W", default_value_t = 0.2, requires = "fit", value_parser = weight)]
    pub(crate) inertial_weight: f64,
    /// Set a key of the scenario that is fitted; may be repeated
    #[arg(long, value_name = "KEY=VALUE", requires = "fit")]
    pub(crate) set: Vec<String>,
    /// Print all measures as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// A finite number from zero on.
fn weight(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok();
    let weight = number.filter(|weight| weight.is_finite() && *weight >= 0.0);
    weight.ok_or_else(|| "a weight is a number from zero on".to_owned())
}

#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    /// The directory of a run
    pub(crate) directory: PathBuf,
    /// The format
    #[arg(long, value_name = "FORMAT", long_help = formats_help())]
    pub(crate) to: String,
    /// What to write, a new file or folder [default: in DIRECTORY, named after the format]
    #[arg(long, value_name = "PATH")]
    pub(crate) out: Option<PathBuf>,
    /// Take every N-th record, and the last
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) every: u32,
    /// Pictures and films: what floes are coloured by: speed, thickness, stress, impulse, rotation, age, generation, family or id
    /// [default: speed]
    #[arg(long, value_name = "FIELD")]
    pub(crate) color: Option<String>,
    /// Pictures and films: width and height in pixels [default: 1920x1080]
    #[arg(long, value_name = "WxH")]
    pub(crate) size: Option<String>,
    /// Films: frames a second, one record each, at most 60 [default: 25]
    #[arg(long, value_name = "N")]
    pub(crate) fps: Option<u32>,
    /// Pictures and films: neither trails behind the floes nor a graticule
    #[arg(long)]
    pub(crate) plain: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ViewArguments {
    /// The directory of a run; or a scenario file or the name of a built-in scenario, to watch it live
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// Set a key of the scenario, like --set time.duration="2 d"; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Port of the page on this machine; 0 for a free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub(crate) port: u16,
    /// Number of threads of a live run [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// Cases to run, like floes/V-09 or floes [default: all]
    pub(crate) cases: Vec<String>,
    /// Print the checks as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct StudyArguments {
    /// The study: basin, channel or drift-week
    pub(crate) study: String,
    /// Number of a test to run; may be repeated [default: all tests]
    #[arg(long, value_name = "N")]
    pub(crate) test: Vec<u8>,
    /// How many packs for each test, of seeds 1, 2, … [default: 10 for channel, 1 for drift-week]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) seeds: Option<u64>,
    /// Where to write the page, its figures and numbers [default: runs/study-NAME]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Go on with the runs in --out DIR: those that are there are not made again
    #[arg(long, requires = "out")]
    pub(crate) resume: bool,
    /// Make part I of N of the runs, counted from 0; processes with the same --out DIR share them
    #[arg(long, value_name = "I/N", value_parser = parse_shard, requires = "out")]
    pub(crate) shard: Option<Shard>,
    /// Set a key of the scenario in all runs, like --set time.duration="2 d"; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Number of threads [default: all cores]; the results are the same bits for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Print the numbers of all runs as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SolveArguments {
    /// A JSON file with a linear complementarity problem, a friction problem, or bodies and
    /// contacts, or an HDF5 file of FCLIB; `-` for the standard input
    pub(crate) file: PathBuf,
    /// Write the problem to this new HDF5 file in the format of FCLIB instead of solving it
    #[arg(long, value_name = "OUT")]
    pub(crate) fclib: Option<PathBuf>,
    /// The form in which it is written
    #[arg(long, value_name = "FORM", requires = "fclib", default_value = "local")]
    pub(crate) form: FormChoice,
}

/// Forms of a problem of FCLIB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormChoice {
    /// The Delassus operator and free velocities
    Local,
    /// Masses, and directions of the contacts
    Global,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// A contact problem stored by `run --capture`, or a step stored by a run that failed; `-` for the standard input
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArguments {
    /// The scene: drift, channel, shaken-box, drift-week, drift-week-2000, pack-1000, pack-10000, pack-100000, gas, gas-2000, breaking-pack, breaking-pack-2000, discs-1000, discs-10000, discs-100000, square, jam, jam-day, jam-900, jam-3000, strait-10000, wall-25x25, pile, glacier, fluid, fluid-10000 or fluid-settling
    pub(crate) scene: String,
    /// Set a key of its scenario, like --set time.step="5 s"; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Steps before the measurement, instead of the scene's own
    #[arg(long, value_name = "N")]
    pub(crate) warm_up: Option<u32>,
    /// Steps measured, at least 10, instead of the scene's own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(10..=100_000_000))]
    pub(crate) steps: Option<u32>,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
    /// Store a sample of its contact problems in this directory, as `run --capture=sample` does
    #[arg(long, value_name = "DIR")]
    pub(crate) capture: Option<PathBuf>,
    /// Print the measurement as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// All formats, a line each, for the help.
fn formats_help() -> String {
    let mut text = String::from("The format:");
    for format in FORMATS {
        write!(text, "\n  {:10}  {}", format.name, format.meaning)
            .expect("a string takes any text");
    }
    text
}
