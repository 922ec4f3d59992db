//! Writes what goes with the command into a folder: completions for shells, manual pages, schemas for editors.
//!
//! `cargo xtask dist` runs it. It is no verb of the command, so that the crates it needs are not built with that.

use std::error::Error;
use std::fs;
use std::path::Path;

use banquise_io::schema;
use clap::CommandFactory;
use clap_complete::Shell;

#[path = "../src/arguments/mod.rs"]
mod arguments;

/// The version that manual pages name: they are the same for every revision.
const VERSION: &str = env!("CARGO_PKG_VERSION");

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: dist_files FOLDER")?;
    let folder = Path::new(&folder);
    let mut command = arguments::Arguments::command();
    let [completions, man, schemas] =
        ["completions", "man", "schema"].map(|name| folder.join(name));
    for folder in [&completions, &man, &schemas] {
        fs::create_dir_all(folder)?;
    }
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        clap_complete::generate_to(shell, &mut command, "banquise", &completions)?;
    }
    // `help` has a page of its own for each verb otherwise, which says nothing.
    let verbs = arguments::Arguments::command()
        .disable_help_subcommand(true)
        .mut_subcommands(|verb| verb.disable_help_subcommand(true));
    clap_mangen::generate_to(verbs, &man)?;
    let written = [
        ("scenario.json", schema::floe_scenario()),
        ("glacier.json", schema::glacier_scenario()),
    ];
    for (name, schema) in written {
        fs::write(schemas.join(name), format!("{schema:#}\n"))?;
    }
    Ok(())
}
