//! The batch script of a sweep for Slurm.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use crate::arguments::sweep::SweepArguments;
use crate::failure::Failure;
use banquise_io::whole_file::write_whole;

/// Members of a task, where the user gives no number of tasks.
const MEMBERS_A_TASK: usize = 50;
/// Tasks of an array at most: Slurm's own limit, where it was not raised.
const MAX_TASKS: usize = 1000;
/// Time between the end of the program and that of the job \[s\].
const MARGIN: u64 = 300;
/// Wall time of a task, where the user gives none.
const WALL_TIME: Duration = Duration::from_secs(12 * 3600);

pub(super) fn write_script(
    arguments: &SweepArguments,
    study: &Path,
    directory: &Path,
    members: usize,
    tasks: u32,
) -> Result<ExitCode, Failure> {
    let tasks = match tasks as usize {
        0 => members.div_ceil(MEMBERS_A_TASK).min(MAX_TASKS),
        given => given.min(members),
    };
    let script = script(arguments, study, directory, tasks.max(1));
    let path = directory.join("sweep.sbatch");
    write_whole(&path, script).map_err(|error| Failure::file(&path, &error))?;
    eprintln!(
        "{members} members in {tasks} tasks: sbatch {}",
        path.display()
    );
    println!("{}", path.display());
    Ok(ExitCode::SUCCESS)
}

/// Text for a shell, whatever is in it.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn script(arguments: &SweepArguments, study: &Path, directory: &Path, tasks: usize) -> String {
    let wall = arguments.wall_time.unwrap_or(WALL_TIME).as_secs();
    // The program leaves in order before Slurm ends the job.
    let own = wall.saturating_sub(MARGIN).max(wall / 2);
    let threads = arguments.threads.unwrap_or(1);
    let absolute = |path: &Path| {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        quoted(&path.to_string_lossy())
    };
    let set = arguments.set.iter();
    let set: String = set
        .flat_map(|item| [" --set ".to_owned(), quoted(item)])
        .collect();
    let (study, directory) = (absolute(study), absolute(directory));
    let (hours, minutes, seconds) = (wall / 3600, wall / 60 % 60, wall % 60);
    let last = tasks - 1;
    format!(
        "#!/bin/bash\n\
         #SBATCH --job-name=banquise-sweep\n\
         #SBATCH --array=0-{last}\n\
         #SBATCH --cpus-per-task={threads}\n\
         #SBATCH --time={hours:02}:{minutes:02}:{seconds:02}\n\
         #SBATCH --signal=B:TERM@120\n\
         # Each task runs its share of the members, several at a time where it has several CPUs. A task that ends early, or the whole\n\
         # job, may be submitted again: members that are done are not run again. Afterwards: banquise sweep gather DIR\n\
         set -eu\n\
         exec \"${{BANQUISE:-banquise}}\" sweep {study} --out {directory} --shard \"${{SLURM_ARRAY_TASK_ID}}/{tasks}\" \
         --threads {threads} --wall-time {own}s{set}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_for_the_shell() {
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }
}
