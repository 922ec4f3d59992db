//! The `banquise` command: files, clock and terminal around the models.
//!
//! stdout carries data, stderr what is meant for people. Exit status: 0 done, 1 a run stopped for a
//! physical or numerical reason, 2 a usage or scenario error, 130 stopped by the user.

#![expect(clippy::print_stderr, reason = "a terminal program")]

/// Like the standard one, but quiet when the reading end of a pipe is closed: `banquise scenarios | head -1`. Other errors end the
/// command: see [`stdout_failure`].
macro_rules! println {
    ($($part:tt)*) => { crate::data_line(format_args!($($part)*)) };
}

mod arguments;
mod bench;
mod capsules;
mod chain;
mod checkpoints;
mod compare;
mod directories;
mod export;
mod failure;
mod fluid;
mod fracture;
mod glacier;
mod lock;
mod pack;
mod progress;
mod report;
mod rerun;
mod resume;
mod run;
mod scenarios;
mod shapes;
mod size;
mod solve;
mod stages;
mod step_capsule;
mod step_log;
mod study;
mod sweep;
mod threads;
mod verify;
mod view;
mod watchdog;

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::OnceLock;

use clap::Parser;

use arguments::{Arguments, Verb};
use failure::Failure;

/// Version and revision, as shown and as recorded.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (",
    env!("BANQUISE_REVISION"),
    ")"
);

/// The first error of the standard output.
static STDOUT_ERROR: OnceLock<io::Error> = OnceLock::new();

/// Writes a line of data. An error is kept for the end of the command.
fn data_line(line: std::fmt::Arguments<'_>) {
    if let Err(error) = writeln!(io::stdout(), "{line}") {
        STDOUT_ERROR.get_or_init(|| error);
    }
}

/// The failure of the standard output, where data are lost: a full disk, not a reader that has seen enough.
fn stdout_failure() -> Option<Failure> {
    if let Err(error) = io::stdout().flush() {
        STDOUT_ERROR.get_or_init(|| error);
    }
    let error = STDOUT_ERROR.get()?;
    (error.kind() != io::ErrorKind::BrokenPipe).then(|| Failure::Unwritten {
        message: format!("cannot write to the standard output: {error}"),
        hint: "what it got is not complete; make room, or send it elsewhere".into(),
    })
}

/// Prints help, version or what is wrong with the arguments.
fn print_answer(answer: &clap::Error) -> ExitCode {
    if let (false, Err(error)) = (answer.use_stderr(), answer.print()) {
        STDOUT_ERROR.get_or_init(|| error);
    }
    if let Some(failure) = stdout_failure() {
        eprint!("{}", failure.text());
        return failure.exit_code();
    }
    ExitCode::from(u8::try_from(answer.exit_code()).unwrap_or(2))
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(answer) => return print_answer(&answer),
    };
    let outcome = match arguments.verb {
        Verb::Run(arguments) => run::run(&arguments),
        Verb::Resume(arguments) => resume::resume(&arguments),
        Verb::Rerun(arguments) => rerun::rerun(&arguments),
        Verb::Check(arguments) => scenarios::check(&arguments),
        Verb::Scenarios(arguments) => scenarios::scenarios(&arguments),
        Verb::Pack(arguments) => pack::pack(&arguments),
        Verb::Shapes(arguments) => shapes::shapes(&arguments),
        Verb::Report(arguments) => report::report(&arguments),
        Verb::Compare(arguments) => compare::compare(&arguments),
        Verb::Export(arguments) => export::export(&arguments),
        Verb::View(arguments) => view::view(&arguments),
        Verb::Verify(arguments) => verify::verify(&arguments),
        Verb::Study(arguments) => study::study(&arguments),
        Verb::Sweep(arguments) => sweep::sweep(&arguments),
        Verb::Solve(arguments) => solve::solve(&arguments),
        Verb::Replay(arguments) => capsules::replay(&arguments),
        Verb::Fracture(arguments) => fracture::fracture(&arguments),
        Verb::Fluid(arguments) => fluid::fluid(&arguments),
        Verb::Chain(arguments) => chain::chain(&arguments),
        Verb::Glacier(arguments) => glacier::glacier(&arguments),
        Verb::Bench(arguments) => bench::bench(&arguments),
    };
    let outcome = match (outcome, stdout_failure()) {
        (Ok(_), Some(failure)) => Err(failure),
        (outcome, _) => outcome,
    };
    outcome.unwrap_or_else(|failure: Failure| {
        eprint!("{}", failure.text());
        failure.exit_code()
    })
}
