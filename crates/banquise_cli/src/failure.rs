//! Failures that end a command: the message for the user and the exit status for programs.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use banquise::StepError;
use banquise_fem::MeshError;
use banquise_fem::stokes::StokesError;
use banquise_fem::stokes::box_disc::DiscError;
use banquise_flow::FlowError;
use banquise_fracture::FractureError;
use banquise_glacier::GlacierError;
use banquise_io::export::ExportError;
use banquise_io::recording::DATASET;
use banquise_io::scenario::ScenarioError;
use banquise_io::sweep::SweepError;
use banquise_io::zarr::ZarrError;

/// Failure that ends a command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The scenario has problems.
    Scenario(Box<ScenarioError>),
    /// The command was called in a way that cannot work.
    Usage {
        /// The cause.
        message: String,
        /// Hint to the user: how to avoid the error.
        hint: String,
    },
    /// A step failed.
    Step(StepError),
    /// A run of a glacier failed.
    Glacier(GlacierError),
    /// A network of springs was refused, or its run failed.
    Fracture(FractureError),
    /// A flow was refused, or not found.
    Fluid(FlowError),
    /// A flow on triangles was not found.
    Elements(StokesError),
    /// A plate could not be meshed or solved.
    Mesh(MeshError),
    /// Results could not be written.
    Output(ZarrError),
    /// A run ended since its results could not be written.
    Unwritten {
        /// The cause.
        message: String,
        /// What is safe, and how to go on.
        hint: String,
    },
    /// A run that was repeated came out otherwise.
    NotRepeated {
        /// The difference.
        message: String,
    },
    /// A watchdog ended a run.
    Watchdog {
        /// What it saw.
        message: String,
        /// That of the run, which can go on with another policy.
        directory: PathBuf,
    },
    /// A sweep stopped.
    Sweep(Box<SweepError>),
    /// A recording could not be written in another format.
    Export(Box<ExportError>),
    /// Published cases did not come out; the table has been printed.
    Verification {
        /// How many checks failed.
        failed: usize,
    },
}

impl Failure {
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Usage {
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// A file that cannot be read or written.
    pub(crate) fn file(path: &Path, error: &std::io::Error) -> Self {
        Self::usage(
            format!("{}: {error}", path.display()),
            "check the path and its permissions",
        )
    }

    /// A directory that holds no run, or one that cannot be read.
    pub(crate) fn no_run(path: &Path, error: &dyn std::error::Error) -> Self {
        if path.file_name().is_some_and(|name| name == DATASET) {
            let path = path.to_owned();
            return ExportError::IsDataset { path }.into();
        }
        Self::usage(
            chain(error),
            "name the directory of a run, as printed by `banquise run`",
        )
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Export(error) if matches!(**error, ExportError::Write { .. }) => {
                ExitCode::from(1)
            }
            Self::Export(error) if matches!(**error, ExportError::Interrupted) => {
                ExitCode::from(130)
            }
            Self::Scenario(_) | Self::Usage { .. } | Self::Export(_) | Self::Mesh(_) => {
                ExitCode::from(2)
            }
            Self::Fracture(error) if error.is_input() => ExitCode::from(2),
            Self::Fluid(error) if error.is_input() => ExitCode::from(2),
            Self::Fracture(_)
            | Self::Fluid(_)
            | Self::Elements(_)
            | Self::Step(_)
            | Self::Glacier(_)
            | Self::Output(_)
            | Self::Unwritten { .. }
            | Self::NotRepeated { .. }
            | Self::Sweep(_)
            | Self::Watchdog { .. }
            | Self::Verification { .. } => ExitCode::from(1),
        }
    }

    /// `error:` and `hint:` lines.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Scenario(error) => format!("{}\n", error.render(is_colourful()).trim_end()),
            Self::Usage { message, hint } | Self::Unwritten { message, hint } => {
                lines(message, hint)
            }
            Self::NotRepeated { message } => lines(
                message,
                "compare the versions of the program and the files that the scenario names",
            ),
            Self::Fracture(error) => lines(&error.to_string(), error.hint()),
            Self::Fluid(error) => lines(&error.to_string(), error.hint()),
            Self::Elements(error) => lines(&error.to_string(), error.hint()),
            Self::Mesh(error) => lines(&error.to_string(), error.hint()),
            Self::Glacier(error) => lines(&error.to_string(), error.hint()),
            Self::Step(error) => lines(&error.to_string(), error.hint()),
            Self::Output(error) => lines(&chain(error), "is the disk full, or the directory gone?"),
            Self::Export(error) => lines(&chain(&**error), &error.hint()),
            Self::Watchdog { message, directory } => lines(
                message,
                &format!(
                    "shorten the step, and look at the capsule; `banquise resume {} --watch NAME=continue` counts such events and goes on",
                    directory.display()
                ),
            ),
            Self::Sweep(error) => lines(&chain(&**error), error.hint()),
            Self::Verification { failed } => lines(
                &format!("{failed} checks failed"),
                "`banquise verify CASE` runs one case alone",
            ),
        }
    }
}

impl From<ScenarioError> for Failure {
    fn from(error: ScenarioError) -> Self {
        Self::Scenario(Box::new(error))
    }
}

impl From<MeshError> for Failure {
    fn from(error: MeshError) -> Self {
        Self::Mesh(error)
    }
}

impl From<StokesError> for Failure {
    fn from(error: StokesError) -> Self {
        Self::Elements(error)
    }
}

impl From<DiscError> for Failure {
    fn from(error: DiscError) -> Self {
        match error {
            DiscError::Mesh(error) => Self::Mesh(error),
            DiscError::Flow(error) => Self::Elements(error),
        }
    }
}

impl From<FlowError> for Failure {
    fn from(error: FlowError) -> Self {
        Self::Fluid(error)
    }
}

impl From<FractureError> for Failure {
    fn from(error: FractureError) -> Self {
        Self::Fracture(error)
    }
}

impl From<SweepError> for Failure {
    fn from(error: SweepError) -> Self {
        Self::Sweep(Box::new(error))
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        Self::Export(Box::new(error))
    }
}

fn lines(message: &str, hint: &str) -> String {
    format!("error: {message}\nhint: {hint}\n")
}

/// An error with its causes.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        if !text.contains(&next) {
            text = format!("{text}: {next}");
        }
        cause = error.source();
    }
    text
}

/// Whether messages are coloured: at a terminal, unless the user asked for none.
fn is_colourful() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}
