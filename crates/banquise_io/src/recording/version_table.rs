//! Outlines as versions in time, read back from a recording.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use banquise::World;

use super::reader::{BodyTable, Recording};
use super::versions::tables::{BODY, TIME};
use super::versions::{OutlineVersion, VERSION, outline_and_disc};
use crate::zarr::ZarrError;

impl Recording {
    /// Whether floes were cut in the run: older recordings do not tell.
    pub fn has_versions(&self) -> bool {
        self.has(BODY[0])
    }

    /// The versions of outlines of so many bodies, in the order of time.
    pub(super) fn outline_versions(
        &self,
        body_count: usize,
    ) -> Result<Vec<Arc<OutlineVersion>>, ZarrError> {
        if !self.has_versions() {
            return Ok(Vec::new());
        }
        let bodies = self.integers(BODY[0])?.into_iter();
        let rows: Option<Vec<usize>> = bodies
            .map(|body| usize::try_from(body).ok().filter(|&row| row < body_count))
            .collect();
        let rows = rows.ok_or_else(|| self.damaged(BODY[0].into(), "ids of bodies"))?;
        let times = self.series(TIME[0])?;
        if !times.is_sorted() {
            return Err(self.damaged(TIME[0].into(), "in order"));
        }
        let masses = self.series("outline_version_mass")?;
        let areas = self.series("outline_version_area")?;
        let shapes = self.outlines(VERSION)?.into_iter();
        let shapes = shapes.zip(self.discs("outline_version_")?);
        let versions = shapes
            .enumerate()
            .map(|(index, (outline, disc))| OutlineVersion {
                row: rows[index],
                time: times[index],
                mass: masses[index],
                area: areas[index],
                outline,
                disc,
            })
            .map(Arc::new);
        Ok(versions.collect())
    }
}

impl BodyTable {
    /// Number of versions of outlines up to a time \[s\].
    pub fn version_count(&self, time: f64) -> usize {
        self.versions
            .partition_point(|version| version.time <= time)
    }

    /// The bodies as they were at a time \[s\]: with the outlines, areas and masses of then. It is a table without versions.
    pub fn at(&self, time: f64) -> Cow<'_, Self> {
        let until = self.version_count(time);
        if until == 0 {
            return Cow::Borrowed(self);
        }
        let mut table = self.clone();
        table.versions.clear();
        let last: BTreeMap<usize, &OutlineVersion> = self.versions[..until]
            .iter()
            .map(|version| (version.row, &**version))
            .collect();
        for (row, version) in last {
            table.masses[row] = version.mass;
            table.areas[row] = version.area;
            table.outlines[row].clone_from(&version.outline);
            table.discs[row] = version.disc;
        }
        Cow::Owned(table)
    }

    /// Adds versions of the bodies in these rows of a world, as they are now.
    pub fn add_versions(&mut self, world: &World, rows: &[usize]) {
        let bodies = &world.bodies;
        self.versions.extend(rows.iter().map(|&row| {
            let (outline, disc) = outline_and_disc(&bodies.shapes()[row]);
            Arc::new(OutlineVersion {
                row: bodies.ids()[row].0 as usize,
                time: world.clock.time,
                mass: bodies.masses()[row],
                area: bodies.areas()[row],
                outline,
                disc,
            })
        }));
    }
}
