//! Files that a study writes: whether they can be written is known before it runs.

use std::path::Path;

use banquise_io::figure::LineChart;
use banquise_io::whole_file::{check_writable, write_whole};

use super::picture::Picture;
use crate::arguments::fluid_groups::PictureArguments;
use crate::failure::Failure;

/// Refuses paths to which nothing can be written, and one for two files.
pub(super) fn check_files(paths: &[Option<&Path>]) -> Result<(), Failure> {
    for (k, path) in paths.iter().enumerate() {
        let Some(path) = *path else { continue };
        if paths[..k].contains(&Some(path)) {
            return Err(Failure::usage(
                format!("{} is given for two files", path.display()),
                "give each its own name",
            ));
        }
        check_writable(path).map_err(|error| Failure::file(path, &error))?;
    }
    Ok(())
}

/// Refuses paths of a chart and of the picture of a flow to which nothing can be written.
pub(super) fn check_chart_and_picture(
    chart: Option<&Path>,
    picture: &PictureArguments,
) -> Result<(), Failure> {
    check_files(&[chart, picture.picture.as_deref(), picture.vtk.as_deref()])
}

impl PictureArguments {
    /// Whether a flow is to be drawn or written.
    pub(super) fn is_wanted(&self) -> bool {
        self.picture.is_some() || self.vtk.is_some()
    }

    pub(super) fn write(&self, picture: &Picture<'_>) -> Result<(), Failure> {
        picture.write(self.picture.as_deref(), self.vtk.as_deref())
    }
}

/// Writes a chart, if it is wanted.
pub(super) fn write_chart(path: Option<&Path>, chart: &LineChart) -> Result<(), Failure> {
    match path {
        Some(path) => {
            write_whole(path, chart.to_svg()).map_err(|error| Failure::file(path, &error))
        }
        None => Ok(()),
    }
}
