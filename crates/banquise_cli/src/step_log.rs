//! `run --steps`: contact statistics of each step, as a table.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use banquise::{Method, StepReport};

use crate::failure::Failure;

/// Its file in the directory of the run.
const FILE: &str = "steps.csv";
const COLUMNS: &str = "step,time_s,dt_s,contacts,islands,impacts,pressed,impact_contacts,largest,pivots,rounds,\
     residual,unsolved,reflections,reductions,given_up,shortened,collisions,normal_impulse_Ns,energy_lost_restitution_J,\
     energy_lost_friction_J";

/// A table that grows by a line a step.
pub(crate) struct StepLog {
    path: PathBuf,
    out: BufWriter<File>,
    /// The first thing that went wrong.
    failure: Option<Failure>,
}

impl StepLog {
    pub(crate) fn create(directory: &Path) -> Result<Self, Failure> {
        let path = directory.join(FILE);
        let failed = |error: io::Error| Failure::file(&path, &error);
        let mut out = BufWriter::new(File::create(&path).map_err(failed)?);
        write!(out, "{COLUMNS}").map_err(failed)?;
        for method in Method::ALL {
            write!(out, ",{}", method.name()).map_err(failed)?;
        }
        writeln!(out).map_err(failed)?;
        Ok(Self {
            path,
            out,
            failure: None,
        })
    }

    /// Goes on with a table, cut back to a length \[bytes\].
    pub(crate) fn resume(directory: &Path, length: u64) -> Result<Self, Failure> {
        let path = directory.join(FILE);
        let cut = || {
            let mut file = File::options().write(true).open(&path)?;
            file.set_len(length)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let file = cut().map_err(|error: io::Error| Failure::file(&path, &error))?;
        Ok(Self {
            path,
            out: BufWriter::new(file),
            failure: None,
        })
    }

    /// Length of the table so far \[bytes\], all of it written.
    pub(crate) fn length(&mut self) -> Result<u64, Failure> {
        let length = self.out.flush().and_then(|()| self.out.stream_position());
        length.map_err(|error| Failure::file(&self.path, &error))
    }

    /// Adds a step that ended at this time.
    pub(crate) fn add(&mut self, time: f64, report: &StepReport) {
        if self.failure.is_none() {
            let written = self.write(time, report);
            self.failure = written.err().map(|error| Failure::file(&self.path, &error));
        }
    }

    fn write(&mut self, time: f64, report: &StepReport) -> io::Result<()> {
        let contact = &report.contact;
        write!(
            self.out,
            "{},{time},{},{},{},{},{},{},{},{},{},{:e},{},{},{},{},{},{},{},{},{}",
            report.step,
            report.dt,
            contact.contacts,
            contact.islands,
            contact.impacts,
            contact.pressed,
            contact.impact_contacts,
            contact.largest,
            contact.pivots,
            contact.rounds,
            contact.residual,
            contact.unsolved,
            contact.reflections,
            contact.reductions,
            contact.given_up,
            contact.shortened,
            contact.collisions,
            contact.normal_impulse,
            report.budget.contact.normal_loss,
            report.budget.contact.tangent_loss,
        )?;
        for count in contact.methods {
            write!(self.out, ",{count}")?;
        }
        writeln!(self.out)
    }

    /// The first failure to write, if any.
    pub(crate) fn into_result(mut self) -> Result<(), Failure> {
        let flushed = self.out.flush();
        let failure = flushed.err().map(|error| Failure::file(&self.path, &error));
        self.failure.or(failure).map_or(Ok(()), Err)
    }
}
