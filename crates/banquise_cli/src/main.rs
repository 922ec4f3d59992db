//! The `banquise` command: files, clock and terminal around the models.
//!
//! stdout carries data, stderr what is meant for people. Exit status: 0 done, 1 a run stopped for a
//! physical or numerical reason, 2 a usage or scenario error, 130 stopped by the user.

#![expect(clippy::print_stderr, reason = "a terminal program")]

/// Like the standard one, but quiet when the reading end of a pipe is closed: `banquise scenarios | head -1`.
macro_rules! println {
    ($($part:tt)*) => { crate::data_line(format_args!($($part)*)) };
}

mod arguments;
mod bench;
mod capsules;
mod compare;
mod directories;
mod export;
mod failure;
mod fracture;
mod glacier;
mod pack;
mod progress;
mod report;
mod run;
mod scenarios;
mod shapes;
mod solve;
mod stages;
mod step_log;
mod study;
mod threads;
mod verify;
mod view;

use std::io::Write as _;
use std::process::ExitCode;

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

/// Writes a line of data; what cannot be written any more is not missed.
fn data_line(line: std::fmt::Arguments<'_>) {
    writeln!(std::io::stdout(), "{line}").ok();
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = match arguments.verb {
        Verb::Run(arguments) => run::run(&arguments),
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
        Verb::Solve(arguments) => solve::solve(&arguments),
        Verb::Replay(arguments) => capsules::replay(&arguments),
        Verb::Fracture(arguments) => fracture::fracture(&arguments),
        Verb::Glacier(arguments) => glacier::glacier(&arguments),
        Verb::Bench(arguments) => bench::bench(&arguments),
    };
    outcome.unwrap_or_else(|failure: Failure| {
        eprint!("{}", failure.text());
        failure.exit_code()
    })
}
