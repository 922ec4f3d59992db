//! Pictures, one PNG file a record, in a folder.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use tiny_skia::Pixmap;

use super::super::{ExportError, Source, Watch, watched};
use super::FilmSettings;
use super::force_chains::ForceChains;
use super::picture::Painter;
use super::survey::Survey;
use super::trails::Trails;

/// Writes the pictures of all records.
pub(crate) fn write(
    source: &Source,
    folder: &Path,
    watch: &mut Watch<'_>,
) -> Result<(), ExportError> {
    std::fs::create_dir(folder).map_err(|error| ExportError::write(folder, error))?;
    let digits = source.times.len().to_string().len();
    each_picture(source, source.film, watch, |record, pixmap| {
        let path = folder.join(format!("frame-{record:0digits$}.png"));
        write_png(&path, pixmap).map_err(|error| ExportError::write(&path, error.into()))
    })
}

/// Draws the picture of every record to export, and hands it on.
pub(super) fn each_picture(
    source: &Source,
    film: FilmSettings,
    watch: &mut Watch<'_>,
    mut take: impl FnMut(usize, &Pixmap) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let survey = Survey::of(source, &film)?;
    let painter = Painter::new(source, film, survey, ForceChains::of(source)?);
    let mut trails = Trails::new(&source.bodies, source.domain);
    let mut earlier = None;
    let mut next = 0;
    for (done, &record) in source.records.iter().enumerate() {
        let frame = source.recording.frame(record)?;
        if film.has_marks {
            trails.add_between(&source.recording, next..record)?;
            trails.add(&frame);
            next = record + 1;
        }
        let picture = painter.draw(&frame, earlier.as_ref().unwrap_or(&frame), &trails);
        take(record, &picture)?;
        watched(watch(done + 1, source.records.len()))?;
        earlier = Some(frame);
    }
    Ok(())
}

fn write_png(path: &Path, pixmap: &Pixmap) -> Result<(), png::EncodingError> {
    let file = BufWriter::new(File::create_new(path)?);
    let mut encoder = png::Encoder::new(file, pixmap.width(), pixmap.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&rgb_of(pixmap))?;
    writer.finish()
}

/// Red, green and blue of all pixels; pictures are opaque.
pub(super) fn rgb_of(pixmap: &Pixmap) -> Vec<u8> {
    let pixels = pixmap.data().as_chunks::<4>().0.iter();
    pixels
        .flat_map(|&[red, green, blue, _]| [red, green, blue])
        .collect()
}
