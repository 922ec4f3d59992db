//! `banquise sweep`: the members of a study, run by as many processes as share the folder.

mod pool;
mod slurm;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use banquise_io::lock::lock_folder_waiting;
use banquise_io::plan::Plan;
use banquise_io::sweep::{
    Attempt, Gathered, MEMBER_FILE, Member, MemberStatus, PAGE_FILE, Pause, Study, SweepError,
    SweepPlan, TABLE_FILE, gather, member_folder, read_member, run_member, write_dataset,
    write_page,
};
use banquise_io::whole_file::remove_leftovers;
use serde_json::json;

use crate::VERSION;
use crate::arguments::sweep::{Shard, SweepArguments, SweepVerb};
use crate::failure::Failure;
use crate::progress::duration_text;
use crate::run::Stop;
pub(crate) use pool::Crew;

pub(crate) fn sweep(arguments: &SweepArguments) -> Result<ExitCode, Failure> {
    if let Some(SweepVerb::Gather { directory, json }) = &arguments.verb {
        return gather_all(directory, *json);
    }
    let path = arguments.study.as_deref().unwrap_or(Path::new(""));
    let study = Study::read(path, &arguments.set)?;
    check_some_member(&study)?;
    let name = format!("sweep-{}", study.name);
    let default = || Path::new("runs").join(name);
    let directory = arguments.out.clone().unwrap_or_else(default);
    check_directory(&directory)?;
    SweepPlan::of(&study, VERSION).write(&directory)?;
    if let Some(tasks) = arguments.slurm {
        return slurm::write_script(arguments, path, &directory, study.members.len(), tasks);
    }
    if arguments.retry {
        forget_failures(&directory, &study)?;
    }
    let mine = |number: usize| arguments.shard.is_none_or(|shard| shard.has(number));
    let members = study.members.iter().enumerate();
    let members: Vec<&Member> = members
        .filter(|(number, _)| mine(*number))
        .map(|(_, m)| m)
        .collect();
    let counts = run_members(arguments, &directory, &study, &members)?;
    conclude(&directory, &counts, arguments.json)
}

impl Shard {
    /// Whether the member of this number is in it.
    pub(crate) fn has(self, number: usize) -> bool {
        number % self.count == self.index
    }
}

/// What this process did.
#[derive(Debug, Default, Clone)]
struct Counts {
    run: usize,
    failed: usize,
    present: usize,
    /// Members that other processes run.
    taken: usize,
    is_stopped: bool,
    wall: f64,
    /// Wall time within members, over all threads \[s\].
    member_wall: f64,
}

/// A study whose every member is refused is wrong itself. Mostly the first is accepted, and no other is looked at.
fn check_some_member(study: &Study) -> Result<(), Failure> {
    let mut first = None;
    for member in &study.members {
        match Plan::of(&study.scenario, &member.overrides) {
            Ok(_) => return Ok(()),
            Err(error) => first = first.or(Some(error)),
        }
    }
    match first {
        Some(error) => Err(error.into()),
        None => Err(Failure::usage(
            "the study has no members",
            "vary keys with [grid], [latin_hypercube], csv or seeds",
        )),
    }
}

/// A sweep goes on in its own folder alone.
fn check_directory(directory: &Path) -> Result<(), Failure> {
    let is_sweep = directory.join(banquise_io::sweep::PLAN_FILE).exists();
    let is_used = fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_some());
    // Another process may be just about to write its plan.
    let is_begun = directory.join("members").exists();
    if is_used && !is_sweep && !is_begun || directory.is_file() {
        return Err(Failure::usage(
            format!("`{}` holds something else already", directory.display()),
            "name a new directory with --out, or that of a sweep",
        ));
    }
    Ok(())
}

/// Removes the results of members that failed, so that they are run again.
fn forget_failures(directory: &Path, study: &Study) -> Result<(), Failure> {
    for member in &study.members {
        let result = match read_member(directory, &member.id) {
            // It is run again in any case.
            Err(SweepError::Damaged { .. }) => None,
            result => result?,
        };
        if result.is_some_and(|result| result.status == MemberStatus::Failed) {
            let path = member_folder(directory, &member.id).join(MEMBER_FILE);
            fs::remove_file(&path).map_err(|error| Failure::file(&path, &error))?;
        }
    }
    Ok(())
}

fn run_members(
    arguments: &SweepArguments,
    directory: &Path,
    study: &Study,
    members: &[&Member],
) -> Result<Counts, Failure> {
    let started = Instant::now();
    let stop = Stop::on_interrupt()?;
    let deadline = arguments.wall_time.map(|limit| started + limit);
    let crew = Crew::new(arguments.threads, members.len());
    let attempts = crew.run(members, |member| {
        let mut last = Instant::now();
        let mut pause = |_: &banquise::World| {
            let now = Instant::now();
            if stop.is_asked() || deadline.is_some_and(|deadline| now >= deadline) {
                return Pause::Stop;
            }
            if now.duration_since(last) >= arguments.checkpoint_every {
                last = now;
                return Pause::Checkpoint;
            }
            Pause::GoOn
        };
        if pause_before(&stop, deadline) {
            return Ok(Attempt::Stopped);
        }
        run_member(directory, study, member, VERSION, stop.solves(), &mut pause)
    })?;
    let mut counts = Counts {
        wall: started.elapsed().as_secs_f64(),
        ..Counts::default()
    };
    for attempt in attempts {
        match attempt {
            Attempt::Run(result) => {
                counts.run += 1;
                counts.failed += usize::from(result.status == MemberStatus::Failed);
                counts.member_wall += result.wall_s;
            }
            Attempt::Present(_) => counts.present += 1,
            Attempt::Taken(_) => counts.taken += 1,
            Attempt::Stopped => counts.is_stopped = true,
        }
    }
    Ok(counts)
}

/// Whether the sweep ends before another member begins.
fn pause_before(stop: &Stop, deadline: Option<Instant>) -> bool {
    stop.is_asked() || deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

/// Table and page of what is there, and what this process did.
fn conclude(directory: &Path, counts: &Counts, is_json: bool) -> Result<ExitCode, Failure> {
    let (gathered, page) = compare(directory, false)?;
    let [complete, failed, missing] = gathered.counts();
    eprintln!(
        "{} members: {complete} complete, {failed} failed, {missing} missing; run here {} in {}",
        gathered.plan.members.len(),
        counts.run,
        duration_text(counts.wall),
    );
    tell_failures(&gathered);
    if counts.taken > 0 {
        eprintln!("{} members are run by other processes", counts.taken);
    }
    eprintln!("sweep: {}", page.display());
    if counts.is_stopped {
        eprintln!("to go on: the same command again");
    }
    if is_json {
        let summary = json!({
            "directory": directory,
            "members": gathered.plan.members.len(),
            "complete": complete,
            "failed": failed,
            "missing": missing,
            "run_here": counts.run,
            "present": counts.present,
            "taken": counts.taken,
            "stopped": counts.is_stopped,
            "wall_s": counts.wall,
            "member_wall_s": counts.member_wall,
            "table": directory.join(TABLE_FILE),
            "page": page,
        });
        println!("{summary}");
    }
    Ok(if counts.is_stopped {
        ExitCode::from(130)
    } else {
        ExitCode::SUCCESS
    })
}

/// The first members that failed, with their reason, and results that are damaged.
fn tell_failures(gathered: &Gathered) {
    for what in gathered.damaged.iter().take(3) {
        eprintln!("note: {what}; the same sweep again makes this member anew");
    }
    let failed = gathered.results.iter().flatten();
    let failed = failed.filter_map(|result| Some((&result.id, result.error.as_ref()?)));
    for (id, error) in failed.take(3) {
        eprintln!("member {id} failed: {}", error.lines().next().unwrap_or(""));
    }
}

/// Makes table and page, and the dataset if asked for. One process at a time: each sees what was there when it began, and the last one sees all.
fn compare(directory: &Path, has_dataset: bool) -> Result<(Gathered, PathBuf), Failure> {
    let lock = lock_folder_waiting(directory).map_err(|error| Failure::file(directory, &error))?;
    for name in [TABLE_FILE, PAGE_FILE] {
        remove_leftovers(directory.join(name));
    }
    let gathered = gather(directory)?;
    gathered.write_table(directory)?;
    let page = write_page(directory, &gathered)?;
    if has_dataset {
        write_dataset(directory, &gathered)?;
    }
    drop(lock);
    Ok((gathered, page))
}

fn gather_all(directory: &Path, is_json: bool) -> Result<ExitCode, Failure> {
    if !directory.join(banquise_io::sweep::PLAN_FILE).exists() {
        return Err(Failure::usage(
            format!("`{}` is not the folder of a sweep", directory.display()),
            "name the directory that `banquise sweep` wrote",
        ));
    }
    let (gathered, page) = compare(directory, true)?;
    let [complete, failed, missing] = gathered.counts();
    let dataset = directory.join(banquise_io::sweep::ENSEMBLE);
    eprintln!(
        "{} members: {complete} complete, {failed} failed, {missing} missing",
        gathered.plan.members.len(),
    );
    tell_failures(&gathered);
    eprintln!("dataset: {}", dataset.display());
    eprintln!("sweep: {}", page.display());
    if is_json {
        println!(
            "{}",
            json!({
                "members": gathered.plan.members.len(),
                "complete": complete,
                "failed": failed,
                "missing": missing,
                "dataset": dataset,
                "page": page,
            })
        );
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_all_members() {
        let shards: Vec<Shard> = (0..3).map(|index| Shard { index, count: 3 }).collect();
        for number in 0..10 {
            let having = shards.iter().filter(|shard| shard.has(number)).count();
            assert_eq!(having, 1);
        }
    }
}
