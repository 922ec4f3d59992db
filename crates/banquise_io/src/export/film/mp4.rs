//! An MP4 film (ISO/IEC 14496-12): coded frames, and boxes that say where each is.

use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tiny_skia::Pixmap;

use super::super::{ExportError, Source, Watch};
use super::FilmError;
use super::frames::{each_picture, rgb_of};
use super::h264::{Encoder, Format, Planes, picture_parameters, sequence_parameters};

/// Writes the film of all records.
pub(crate) fn write(
    source: &Source,
    path: &Path,
    watch: &mut Watch<'_>,
) -> Result<(), ExportError> {
    let film = source.film;
    let mut writer = Mp4Film::new(path, [film.width, film.height], film.frames_per_second)?;
    each_picture(source, film, watch, |_, pixmap| writer.add(pixmap))?;
    writer.finish()
}

/// A film that is coded frame by frame.
pub(super) struct Mp4Film {
    path: PathBuf,
    format: Format,
    encoder: Encoder,
    muxer: Muxer<BufWriter<File>>,
}

impl Mp4Film {
    pub(super) fn new(
        path: &Path,
        [width, height]: [u32; 2],
        frames_per_second: u32,
    ) -> Result<Self, ExportError> {
        // Colours have half the resolution.
        if width % 2 != 0 || height % 2 != 0 {
            return Err(FilmError::OddSide { width, height }.into());
        }
        let format = Format {
            width: width as usize,
            height: height as usize,
            frames_per_second,
        };
        let failed = |error| ExportError::write(path, error);
        let file = File::create_new(path).map_err(failed)?;
        Ok(Self {
            path: path.to_owned(),
            format,
            encoder: Encoder::new(format),
            muxer: Muxer::new(BufWriter::new(file)).map_err(failed)?,
        })
    }

    pub(super) fn add(&mut self, pixmap: &Pixmap) -> Result<(), ExportError> {
        let planes = Planes::from_rgb(self.format, &rgb_of(pixmap));
        let (unit, stands_alone) = self.encoder.encode(planes);
        let added = self.muxer.add(&unit, stands_alone);
        added.map_err(|error| ExportError::write(&self.path, error))
    }

    pub(super) fn finish(self) -> Result<(), ExportError> {
        let finished = self.muxer.finish(self.format);
        finished.map_err(|error| ExportError::write(&self.path, error))
    }
}

/// A file that grows frame by frame.
struct Muxer<W: Write + Seek> {
    file: W,
    /// Where the length of the frames is to be written.
    length_at: u64,
    sizes: Vec<u32>,
    /// Numbers of the frames that stand alone, from 1.
    alone: Vec<u32>,
}

impl<W: Write + Seek> Muxer<W> {
    fn new(mut file: W) -> std::io::Result<Self> {
        let brands = [
            &b"isom"[..],
            &512_u32.to_be_bytes(),
            &b"isom"[..],
            b"iso2",
            b"avc1",
            b"mp41",
        ]
        .concat();
        file.write_all(&boxed("ftyp", &brands))?;
        // The length of the frames has eight bytes: films may be long.
        file.write_all(&[&1_u32.to_be_bytes()[..], b"mdat"].concat())?;
        let length_at = file.stream_position()?;
        file.write_all(&[0; 8])?;
        Ok(Self {
            file,
            length_at,
            sizes: Vec::new(),
            alone: Vec::new(),
        })
    }

    fn add(&mut self, unit: &[u8], stands_alone: bool) -> std::io::Result<()> {
        self.file.write_all(&(unit.len() as u32).to_be_bytes())?;
        self.file.write_all(unit)?;
        self.sizes.push(unit.len() as u32 + 4);
        if stands_alone {
            self.alone.push(self.sizes.len() as u32);
        }
        Ok(())
    }

    fn finish(mut self, format: Format) -> std::io::Result<()> {
        let end = self.file.stream_position()?;
        self.file.seek(SeekFrom::Start(self.length_at))?;
        self.file
            .write_all(&(end - self.length_at + 8).to_be_bytes())?;
        self.file.seek(SeekFrom::Start(end))?;
        let first = self.length_at + 8;
        self.file
            .write_all(&movie(format, &self.sizes, &self.alone, first))?;
        self.file.flush()
    }
}

fn boxed(name: &str, content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u32 + 8).to_be_bytes();
    [&length[..], name.as_bytes(), content].concat()
}

/// A box with a version and flags before its content.
fn full_box(name: &str, version_and_flags: u32, content: &[u8]) -> Vec<u8> {
    boxed(name, &[&version_and_flags.to_be_bytes(), content].concat())
}

fn words(values: &[u32]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_be_bytes())
        .collect()
}

/// The matrix that leaves a picture as it is.
const UPRIGHT: [u32; 9] = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000];

/// The box that describes the film. Time counts frames.
fn movie(format: Format, sizes: &[u32], alone: &[u32], first: u64) -> Vec<u8> {
    let count = sizes.len() as u32;
    let rate = format.frames_per_second;
    let head = [
        &words(&[0, 0, rate, count, 0x10000])[..],
        &[1, 0],
        &[0; 10],
        &words(&UPRIGHT),
        &[0; 24],
        &words(&[2]),
    ]
    .concat();
    let sides = words(&[(format.width as u32) << 16, (format.height as u32) << 16]);
    let track_head = [
        &words(&[0, 0, 1, 0, count, 0, 0, 0, 0])[..],
        &words(&UPRIGHT),
        &sides,
    ]
    .concat();
    // Language: undetermined.
    let media_head = words(&[0, 0, rate, count, 0x55c4_0000]);
    let handler = [&words(&[0])[..], b"vide", &[0; 12], b"Film\0"].concat();
    let reference = full_box(
        "dref",
        0,
        &[&words(&[1])[..], &full_box("url ", 1, &[])].concat(),
    );
    let information = [
        full_box("vmhd", 1, &[0; 8]),
        boxed("dinf", &reference),
        boxed("stbl", &sample_table(format, sizes, alone, first)),
    ]
    .concat();
    let media = [
        full_box("mdhd", 0, &media_head),
        full_box("hdlr", 0, &handler),
        boxed("minf", &information),
    ]
    .concat();
    let track = [full_box("tkhd", 3, &track_head), boxed("mdia", &media)].concat();
    boxed(
        "moov",
        &[full_box("mvhd", 0, &head), boxed("trak", &track)].concat(),
    )
}

/// Where the frames are, how long each, and which stand alone.
fn sample_table(format: Format, sizes: &[u32], alone: &[u32], first: u64) -> Vec<u8> {
    let count = sizes.len() as u32;
    [
        full_box(
            "stsd",
            0,
            &[&words(&[1])[..], &boxed("avc1", &entry(format))].concat(),
        ),
        full_box("stts", 0, &words(&[1, count, 1])),
        full_box(
            "stss",
            0,
            &[words(&[alone.len() as u32]), words(alone)].concat(),
        ),
        full_box("stsc", 0, &words(&[1, 1, count, 1])),
        full_box("stsz", 0, &[words(&[0, count]), words(sizes)].concat()),
        full_box(
            "co64",
            0,
            &[&words(&[1])[..], &first.to_be_bytes()].concat(),
        ),
    ]
    .concat()
}

/// How frames are coded.
fn entry(format: Format) -> Vec<u8> {
    let (sequence, picture) = (sequence_parameters(format), picture_parameters());
    let short = |value: usize| (value as u16).to_be_bytes();
    let mut parameters = vec![1, sequence[1], sequence[2], sequence[3], 0xff, 0xe1];
    parameters.extend(short(sequence.len()));
    parameters.extend(&sequence);
    parameters.push(1);
    parameters.extend(short(picture.len()));
    parameters.extend(&picture);
    let resolution = words(&[0x48_0000, 0x48_0000, 0]);
    [
        &[0, 0, 0, 0, 0, 0, 0, 1][..],
        &[0; 16],
        &short(format.width),
        &short(format.height),
        &resolution,
        &[0, 1],
        &[0; 32],
        &[0, 24, 0xff, 0xff],
        &boxed("avcC", &parameters),
    ]
    .concat()
}
