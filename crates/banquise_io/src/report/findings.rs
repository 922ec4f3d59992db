//! What happened in a run and how far to trust it, in words.

use banquise_geometry::DVec2;

use super::charts;
use super::tracks::{Track, Tracks};
use super::words::{count_text, duration_text, quantity_text, significant};
use crate::diagnostics::{Diagnostics, Load};
use crate::recording::{LineTable, Recording};
use crate::zarr::ZarrError;

/// Shares of held ice below this are not worth a sentence.
const LEAST_HELD: f64 = 0.005;
/// A budget that closes less well than this has an error in it, or numbers that are not finite.
const CLOSED: f64 = 1e-6;
/// Gaps of the budget below this share of its largest term are rounding errors.
const BUDGET_ROUNDING: f64 = 1e-14;

/// A run in a few sentences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Findings {
    /// What happened: drift, contacts, loads.
    pub happened: Vec<String>,
    /// How far to trust it: contact problems, the energy budget, what the model leaves out.
    pub trust: Vec<String>,
}

impl Findings {
    /// With what there is to say of a log of collisions that was thinned.
    pub(super) fn of(
        recording: &Recording,
        tracks: &Tracks,
        diagnostics: &Diagnostics,
        thinned: Option<String>,
    ) -> Result<Self, ZarrError> {
        let mut happened = vec![motion(recording, tracks)?];
        happened.extend(exchange(recording)?);
        happened.extend(held(diagnostics));
        happened.push(collisions(recording)?);
        happened.extend(stuck(recording, diagnostics)?);
        happened.extend(joints(recording, &tracks.all_times)?);
        happened.extend(broken(recording)?);
        happened.extend(diagnostics.lines.as_ref().and_then(broken_lines));
        happened.extend(largest_load(diagnostics));
        let mut trust = Vec::new();
        let status = recording.text("status");
        if status != "complete" {
            trust.push(format!("The run did not reach its end ({status})."));
        }
        trust.extend(solved(recording)?);
        trust.extend(budget(recording)?);
        trust.extend(crushed(recording)?);
        trust.extend(thinned);
        trust.push(limits(recording)?);
        Ok(Self { happened, trust })
    }
}

/// How far floes moved, and in which wind.
fn motion(recording: &Recording, tracks: &Tracks) -> Result<String, ZarrError> {
    let end = tracks.all_times.last().copied().unwrap_or_default();
    // Floes that broke are gone, and their pieces count instead.
    let has_pieces = recording.has_exchange() && last(recording, "floes_replaced")? > 0.0;
    let is_counted = |track: &&Track| !has_pieces || track.times.last() == Some(&end);
    let counted = tracks.bodies.iter().filter(is_counted);
    let moved: Vec<f64> = counted.map(Track::displacement).collect();
    let mean = moved.iter().sum::<f64>() / moved.len().max(1) as f64;
    let farthest = moved.iter().copied().fold(0.0, f64::max);
    let count = if has_pieces {
        format!("{} floes and pieces", count_text(tracks.last_count as f64))
    } else {
        format!("{} floes", count_text(tracks.floe_count as f64))
    };
    let distance = match moved.len() {
        0 => {
            return Ok(format!(
                "The run lasted {}, without floes.",
                duration_text(end)
            ));
        }
        1 => format!("The floe moved {}", quantity_text(mean, "m")),
        _ => format!(
            "{count} moved {} on average and {} at most{}",
            quantity_text(mean, "m"),
            quantity_text(farthest, "m"),
            if has_pieces {
                " since they came to be"
            } else {
                ""
            },
        ),
    };
    let fastest = |name: &str| -> Result<f64, ZarrError> {
        let x = recording.series(&format!("{name}_x"))?;
        let y = recording.series(&format!("{name}_y"))?;
        let speeds = x.iter().zip(&y).map(|(&x, &y)| DVec2::new(x, y).length());
        Ok(speeds.fold(0.0, f64::max))
    };
    let (wind, water) = (fastest("wind")?, fastest("water")?);
    let mut weather = Vec::new();
    if wind > 0.0 {
        weather.push(format!("a wind of up to {} m/s", significant(wind)));
    }
    if water > 0.0 {
        weather.push(format!("water of up to {} m/s", significant(water)));
    }
    let weather = match weather[..] {
        [] => String::new(),
        _ => format!(", in {}", weather.join(" and ")),
    };
    // A variant begins where it left its run.
    let start = tracks.all_times.first().copied().unwrap_or_default();
    let lasted = duration_text(end - start);
    Ok(format!("{distance} in {lasted}{weather}."))
}

/// Floes that came and went; `None` where none did.
fn exchange(recording: &Recording) -> Result<Option<String>, ZarrError> {
    if !recording.has_exchange() {
        return Ok(None);
    }
    let entered = last(recording, "floes_entered")?;
    let left = last(recording, "floes_left")?;
    let floes = |count: f64| match count_text(count).as_str() {
        "1" => "one floe".to_owned(),
        count => format!("{count} floes"),
    };
    let text = match (entered > 0.0, left > 0.0) {
        (true, true) => format!(
            "In all, {} entered and {} left.",
            floes(entered),
            floes(left)
        ),
        (true, false) => format!("In all, {} entered.", floes(entered)),
        (false, true) => format!("In all, {} left over open edges.", floes(left)),
        (false, false) => return Ok(None),
    };
    Ok(Some(text))
}

/// Ice that does not drift at the end; `None` where there is none.
fn held(diagnostics: &Diagnostics) -> Option<String> {
    let share = *diagnostics.pack.as_ref()?.held.last()?;
    (share > LEAST_HELD).then(|| {
        format!(
            "At the end {:.0} % of the ice is held: it is slower than a tenth of free drift.",
            100.0 * share
        )
    })
}

fn collisions(recording: &Recording) -> Result<String, ZarrError> {
    let (impacts, collisions) = (
        last(recording, "impact_count")?,
        last(recording, "collision_count")?,
    );
    Ok(if impacts == 0.0 {
        "There were no collisions.".to_owned()
    } else if collisions == 0.0 {
        "Impulses passed between bodies that were in contact from the start.".to_owned()
    } else if collisions == 1.0 {
        "There was one collision.".to_owned()
    } else {
        format!("There were {} collisions.", count_text(collisions))
    })
}

/// Contacts that remembered a push; `None` where none did.
fn stuck(recording: &Recording, diagnostics: &Diagnostics) -> Result<Option<String>, ZarrError> {
    let name = "stuck_contact_count";
    if !recording.has(name) || recording.series(name)?.iter().all(|&count| count == 0.0) {
        return Ok(None);
    }
    let (from, until) = (&diagnostics.contact.sticks, &diagnostics.contact.take_offs);
    let (began, took_off) = (
        last(recording, "stick_count")?,
        last(recording, "take_off_count")?,
    );
    Ok(Some(match (&from[..], &until[..], began, took_off) {
        (&[from], &[until], 1.0, 1.0) => format!(
            "A contact held from {} to {}.",
            duration_text(from),
            duration_text(until)
        ),
        (&[from], &[], 1.0, 0.0) => format!("A contact held from {} on.", duration_text(from)),
        _ => format!(
            "Contacts began to hold {} times, and took off {} times.",
            count_text(began),
            count_text(took_off)
        ),
    }))
}

/// Joints between floes that were frozen together; `None` where none formed.
fn joints(recording: &Recording, times: &[f64]) -> Result<Option<String>, ZarrError> {
    let (formed, broke) = ("bonds_formed", "bonds_broken");
    if !recording.has(formed) || last(recording, formed)? == 0.0 {
        return Ok(None);
    }
    let (formed, broken) = (last(recording, formed)?, recording.series(broke)?);
    let count = broken.last().copied().unwrap_or_default();
    let first = broken.iter().position(|&count| count > 0.0);
    let all = match formed {
        1.0 => "One joint formed".to_owned(),
        _ => format!("{} joints formed", count_text(formed)),
    };
    Ok(Some(match first.and_then(|record| times.get(record)) {
        None => format!("{all}, and held."),
        Some(&time) => {
            let which = match (formed, count) {
                (1.0, _) => "it broke after".to_owned(),
                (_, 1.0) => "one of them broke, after".to_owned(),
                _ => format!("{} of them broke, the first after", count_text(count)),
            };
            format!("{all}; {which} {}.", duration_text(time))
        }
    }))
}

/// Floes that broke; `None` where none did.
fn broken(recording: &Recording) -> Result<Option<String>, ZarrError> {
    let (cracks, strain) = ("energy_lost_fracture", "energy_fracture_strain");
    if !recording.has_exchange() || !recording.has(cracks) || !recording.has(strain) {
        return Ok(None);
    }
    let energy = last(recording, cracks)? + last(recording, strain)?;
    let floes = last(recording, "floes_replaced")?;
    let pieces = last(recording, "floes_pieces")?;
    let broke = if floes == 1.0 {
        "One floe broke".to_owned()
    } else {
        format!("Floes broke {} times", count_text(floes))
    };
    let statistics = recording.value("fracture_statistics");
    let is_broken = energy > 0.0
        || statistics["pieces"]
            .as_f64()
            .is_some_and(|count| count > 0.0);
    // Cracks of other criteria cost no energy.
    let cost = if energy > 0.0 {
        format!("; the cracks took {}", quantity_text(energy, "J"))
    } else {
        String::new()
    };
    Ok((is_broken && floes > 0.0)
        .then(|| format!("{broke}, into {} pieces{cost}.", count_text(pieces))))
}

/// Lines that broke; `None` where none did.
fn broken_lines(lines: &LineTable) -> Option<String> {
    let names = lines.names.iter().enumerate();
    let broken = names.filter_map(|(index, name)| Some((lines.break_of(index)?, name)));
    let mut broken: Vec<(f64, &String)> = broken.collect();
    broken.sort_by(|x, y| x.0.total_cmp(&y.0));
    let &(time, name) = broken.first()?;
    let (count, all) = (broken.len(), lines.names.len());
    let which = if all == 1 {
        format!("The line ({name}) broke after")
    } else {
        format!("{count} of {all} lines broke, the first ({name}) after")
    };
    Some(format!("{which} {}.", duration_text(time)))
}

fn largest_load(diagnostics: &Diagnostics) -> Option<String> {
    let peak = |load: &Load| load.peak().map(|window| (load.name.clone(), window));
    let peaks = diagnostics.loads.iter().filter_map(peak);
    let (name, window) = peaks.max_by(|a, b| a.1.rate().total_cmp(&b.1.rate()))?;
    (window.rate() > 0.0).then(|| {
        format!(
            "The largest load is {} on {name}, after {} (mean over {}).",
            quantity_text(window.rate(), "N"),
            duration_text(window.middle()),
            duration_text(window.end - window.start),
        )
    })
}

/// Whether contact problems were solved; `None` where there were none.
fn solved(recording: &Recording) -> Result<Option<String>, ZarrError> {
    let impacts = last(recording, "impact_count")?;
    if impacts == 0.0 {
        return Ok(None);
    }
    // A run that was interrupted, or failed, between two records counts in its statistics what no record holds.
    let counted = recording.value("contact_statistics")["unsolved"].as_f64();
    let unsolved = last(recording, "unsolved_count")?.max(counted.unwrap_or(0.0));
    let residual = last(recording, "contact_residual")?;
    Ok(Some(if unsolved > 0.0 {
        format!(
            "{} contact problems of {} were left unsolved: what follows them is approximate.",
            count_text(unsolved),
            count_text(impacts),
        )
    } else {
        let all = if impacts == 1.0 {
            "The contact problem was solved".to_owned()
        } else {
            format!("All {} contact problems were solved", count_text(impacts))
        };
        let notes = solved_with_effort(recording);
        format!("{all}, to a residual of {residual:.0e}{notes}.")
    }))
}

/// How many problems that count as solved took more than a first attempt.
fn solved_with_effort(recording: &Recording) -> String {
    let count_of = |name: &str| recording.value("contact_statistics")[name].as_f64();
    let note = |name: &str, text: &str| match count_of(name) {
        Some(count) if count > 0.0 => format!("; {} {text}", count_text(count)),
        _ => String::new(),
    };
    let given_up = note("given_up", "of them with all contacts at once");
    let spent = note(
        "budget_spent",
        "of them when their operation limit was reached",
    );
    given_up + &spent
}

/// How well the energy budget closes; `None` where no energy is exchanged.
fn budget(recording: &Recording) -> Result<Option<String>, ZarrError> {
    let Some(gap) = charts::energy_gap(recording)? else {
        return Ok(None);
    };
    Ok(Some(if gap < BUDGET_ROUNDING {
        "The energy budget closes to rounding errors.".to_owned()
    } else if gap < CLOSED {
        format!("The energy budget closes to {gap:.0e} of the energy exchanged.")
    } else {
        format!("The energy budget does not close: {gap:.0e} of the energy exchanged is missing.")
    }))
}

/// The mean pressure at which ice was crushed, to be compared with that of the scenario; `None` where none was.
fn crushed(recording: &Recording) -> Result<Option<String>, ZarrError> {
    if !recording.has("mass_crushed") {
        return Ok(None);
    }
    let mass = last(recording, "mass_crushed")?;
    let energy = last(recording, "energy_lost_crushing")?;
    let bodies = |name: &str| recording.series(name);
    let (masses, areas, thicknesses) = (bodies("mass")?, bodies("area")?, bodies("thickness")?);
    let volumes = areas.iter().zip(&thicknesses).map(|(area, h)| area * h);
    let densities = masses
        .iter()
        .zip(volumes)
        .map(|(mass, volume)| mass / volume);
    // Obstacles have none.
    let Some(density) = densities.into_iter().find(|density| density.is_finite()) else {
        return Ok(None);
    };
    let volume = mass / density;
    if volume <= 0.0 {
        return Ok(None);
    }
    let text = format!(
        "Crushing took {} for {} m³ of ice, a mean pressure of {}.",
        quantity_text(energy, "J"),
        significant(volume),
        quantity_text(energy / volume, "Pa"),
    );
    let loads = recording.loads()?;
    let total = |columns: &[Vec<f64>]| columns.iter().filter_map(|own| own.last()).sum::<f64>();
    let borne = total(&loads.crushing) / total(&loads.crushing_area);
    let share = energy / volume / borne;
    let note = if (share - 1.0).abs() > PRESSURE_ERROR {
        format!(
            " The pressure on obstacles was {}: the energy is off by {:.0} %, and loads may be by as much. Compare with a run of half the step.",
            quantity_text(borne, "Pa"),
            100.0 * (share - 1.0)
        )
    } else {
        String::new()
    };
    Ok(Some(text + &note))
}

/// Difference of the mean pressure of crushing from that on obstacles, which is told as an error [–]: more than twice what the cases of
/// `squeeze.rs` with steps of 0.1 s have.
const PRESSURE_ERROR: f64 = 0.05;

/// Processes that the model of this run neglects.
fn limits(recording: &Recording) -> Result<String, ZarrError> {
    let is_crushed = recording.has("mass_crushed") && last(recording, "mass_crushed")? > 0.0;
    let can_break = !recording.value("fracture_settings").is_null();
    let joints = "bonds_formed";
    let is_frozen = recording.has(joints) && last(recording, joints)? > 0.0;
    let neglected = if is_frozen {
        "bend or raft"
    } else {
        "bend, raft or freeze together"
    };
    Ok(match (is_crushed, can_break) {
        (true, false) => format!("Floes do not {neglected}; they yield by crushing alone."),
        (true, true) => {
            format!("Floes do not {neglected}; they are crushed, and split in the plane.")
        }
        (false, true) if is_frozen => {
            "Floes do not bend or raft; they split in the plane, and the joints between them break."
                .to_owned()
        }
        (false, true) => format!("Floes do not {neglected}; they split in the plane."),
        (false, false) if is_frozen => {
            "Floes are rigid: they do not break or raft; the joints between them break.".to_owned()
        }
        (false, false) => "Floes are rigid: they do not break, raft or freeze together.".to_owned(),
    })
}

/// The last value of a variable.
fn last(recording: &Recording, name: &str) -> Result<f64, ZarrError> {
    Ok(recording.series(name)?.last().copied().unwrap_or_default())
}
