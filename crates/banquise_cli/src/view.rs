//! `banquise view`.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use banquise_viewer::{LiveRun, RecordedRun, Server, Source};

use crate::arguments::ViewArguments;
use crate::failure::Failure;
use crate::scenarios::find_and_tell;
use crate::threads::use_threads;

pub(crate) fn view(arguments: &ViewArguments) -> Result<ExitCode, Failure> {
    use_threads(arguments.threads)?;
    let source = source(arguments)?;
    let is_live = matches!(source, Source::Live(_));
    let main_thread = std::thread::current();
    let is_over = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&is_over);
    ctrlc::set_handler(move || {
        flag.store(true, Ordering::SeqCst);
        main_thread.unpark();
    })
    .map_err(|error| Failure::usage(error.to_string(), "run it as a program of its own"))?;
    let server = Server::start(source, arguments.port).map_err(|error| {
        Failure::usage(
            format!("port {}: {error}", arguments.port),
            "name another one with --port, or none for a free one",
        )
    })?;
    eprintln!("Open this page in a browser on this machine; Ctrl-C ends it.");
    if is_live {
        eprintln!("The run goes on once the page is open.");
    }
    println!("{}", server.url());
    while !is_over.load(Ordering::SeqCst) {
        std::thread::park();
    }
    drop(server);
    Ok(ExitCode::SUCCESS)
}

/// A run's directory is shown as it was recorded; anything else is a scenario, and runs.
fn source(arguments: &ViewArguments) -> Result<Source, Failure> {
    let path = Path::new(&arguments.run);
    if path.is_dir() {
        if !arguments.set.is_empty() {
            return Err(Failure::usage(
                "a recording cannot be changed with --set",
                "name a scenario to run it live",
            ));
        }
        let run = RecordedRun::open(path).map_err(|error| Failure::no_run(path, &error))?;
        return Ok(Source::Recorded(run));
    }
    let found = find_and_tell(&arguments.run, &arguments.set)?;
    Ok(Source::Live(LiveRun::start(found.run)))
}
