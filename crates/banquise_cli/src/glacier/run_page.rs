//! The report page of a run of a glacier.

use banquise_glacier::stability::friction_limit;
use banquise_glacier::{Capsize, Scheme};
use banquise_io::figure::{Axis, LineStyle, Page, Reference, Section, Series, Tile, Unit};
use banquise_io::glacier::GlacierPlan;

use super::Found;
use super::output::{Drawn, chart, digits, footer, how_it_was_made, seconds, shown};
use super::run_results::{Results, place};
use crate::arguments::glacier::StudyArguments;

/// Columns of the rows before those of the points.
const FIRST_POINT: usize = 6;

pub(super) fn page(
    found: &Found,
    arguments: &StudyArguments,
    results: &Results,
) -> (Page, Vec<Drawn>) {
    let plan = &found.plan;
    let figures = figures(plan, results);
    let page = Page {
        title: plan.title.clone(),
        subtitle: format!(
            "{} over {} km, scheme {}, steps of {} s",
            blocks_text(plan.chain.settings().blocks),
            plan.chain.settings().glacier_length / 1e3,
            plan.settings.scheme.name(),
            digits(plan.settings.dt),
        ),
        tiles: tiles(plan, results),
        sections: vec![
            Section {
                heading: "What the model says".into(),
                text: findings(plan, results),
                figures: shown(
                    &figures,
                    &["forces", "displacement", "velocity", "profiles"],
                ),
                ..Section::default()
            },
            Section {
                heading: "How far to trust it".into(),
                text: trust(plan, results),
                figures: shown(&figures, &["balance", "tilt"]),
                ..Section::default()
            },
            how_it_was_made(found, arguments),
        ],
        footer: footer(),
    };
    (page, figures)
}

/// How many blocks, in words.
fn blocks_text(blocks: usize) -> String {
    if blocks == 1 {
        "one block".to_owned()
    } else {
        format!("{blocks} blocks")
    }
}

fn tiles(plan: &GlacierPlan, results: &Results) -> Vec<Tile> {
    let extremes = &results.extremes;
    let speed = -plan.chain.equilibrium_velocity();
    vec![
        Tile::new(
            "steady sliding",
            &format!("{} m/d", digits(86400.0 * speed)),
        ),
        Tile::new(
            "contact force",
            &format!("{} MN/m", digits(1e-6 * extremes.contact)),
        ),
        Tile::new(
            "front moved",
            &format!("{} mm", digits(1e3 * extremes.displacement)),
        ),
        Tile::new(
            "force on the bed",
            &format!("{} MN/m", digits(1e-6 * extremes.seismogenic)),
        ),
        Tile::new("balance", &format!("{:.0e}", results.totals.largest_gap)),
        Tile::new(
            "status",
            if results.failure.is_none() {
                "complete"
            } else {
                "stopped"
            },
        ),
    ]
}

/// What happened, in words.
fn findings(plan: &GlacierPlan, results: &Results) -> String {
    let (extremes, chain) = (&results.extremes, &plan.chain);
    let mut paragraphs = vec![format!(
        "All displacements are beyond steady sliding ({} m a day towards the sea, under a basal stress of {} kPa); upstream is \
         positive. Forces are for one metre of the front's width.",
        digits(-86400.0 * chain.equilibrium_velocity()),
        digits(1e-3 * chain.basal_stress()),
    )];
    if let Some(error) = &results.failure {
        paragraphs.push(format!("The run stopped: {error}."));
    }
    if is_unstable(plan, results) {
        paragraphs.push(UNSTABLE_TEXT.to_owned());
    }
    if extremes.contact == 0.0 {
        paragraphs.push(format!(
            "No force acts on the front. It ends {} mm from where steady sliding would have brought it; anything but zero is an error of \
             the scheme.",
            digits(1e3 * extremes.final_displacement)
        ));
        return paragraphs.join("\n\n");
    }
    let turn = match extremes.reversal {
        Some([start, end]) => format!(
            "Between {} s and {} s it moves upstream: the flow reverses.",
            digits(start),
            digits(end)
        ),
        None => "The flow slows down but does not reverse.".to_owned(),
    };
    paragraphs.push(format!(
        "Under a contact force of up to {} MN/m the front moves upstream by {} mm at {} s, and is {} mm upstream at the end. {turn}",
        digits(1e-6 * extremes.contact),
        digits(1e3 * extremes.displacement),
        digits(extremes.displacement_time),
        digits(1e3 * extremes.final_displacement),
    ));
    if is_unstable(plan, results) {
        return paragraphs.join("\n\n");
    }
    paragraphs.push(format!(
        "The force on the bed, the seismogenic force, is {} MN/m at most: the contact force, but for {:.1e} of it. The springs transmit the force, and \
         friction leaves hardly any of it for acceleration; a seismometer records the contact force, whatever the size of the blocks.",
        digits(1e-6 * extremes.seismogenic),
        (1.0 - extremes.seismogenic / extremes.contact).abs(),
    ));
    if chain.bed().has_friction() && chain.nodes() > 1 {
        let (force, duration) = plan.load.scale();
        let slope = chain.bed().stress_slope(chain.equilibrium_velocity());
        paragraphs.push(format!(
            "The effect of the force reaches about {} m into the glacier. There is no elastic wave: friction damps within {} ms, and displacement \
             diffuses upstream instead.",
            digits(chain.penetration(force, duration)),
            digits(1e3 * chain.areal_mass() / slope),
        ));
    }
    paragraphs.join("\n\n")
}

/// Whether steps were longer than the longest stable one.
fn is_unstable(plan: &GlacierPlan, results: &Results) -> bool {
    let at_start = results.limit.is_some_and(|limit| plan.settings.dt > limit);
    at_start || results.totals.steps_over_limit > 0
}

const UNSTABLE_TEXT: &str =
    "This run was made with steps that are not stable: what follows shows the scheme, not the ice.";

/// Numerics and the bed law.
fn trust(plan: &GlacierPlan, results: &Results) -> String {
    let mut paragraphs = vec![
        format!(
            "At every step F_s + d/dt Σ m v equals F_c to {:.1e} of the forces, or the run would have stopped.",
            results.totals.largest_gap
        ),
        stability_text(plan, results),
    ];
    if plan.chain.bed().has_friction() && results.extremes.contact > 0.0 {
        paragraphs.push(BED_TEXT.to_owned());
    }
    paragraphs.join("\n\n")
}

const BED_TEXT: &str = "The bed law sets the size of the answer. With Weertman's law and the constants of the source the front moves by \
     millimetres; fronts have been seen to go back by centimetres to decimetres for minutes while an iceberg capsized. Such a bed is \
     far too strong for these times. Take forces and durations from this model, not displacements.";

fn stability_text(plan: &GlacierPlan, results: &Results) -> String {
    let (totals, dt) = (&results.totals, plan.settings.dt);
    match (plan.settings.scheme, results.limit) {
        (_, Some(limit)) if dt > limit => format!(
            "The step of {} s is longer than the longest stable one, {} s. What is drawn here is the scheme, not the ice.",
            digits(dt),
            digits(limit)
        ),
        (_, Some(limit)) if totals.steps_over_limit > 0 => format!(
            "The step is stable at the start (up to {} s), but friction is steeper where the ice is slower: {} steps were too long, \
             the first at {} s.",
            digits(limit),
            totals.steps_over_limit,
            digits(totals.first_over_limit.unwrap_or_default())
        ),
        (Scheme::LaggedVerlet, Some(limit)) if plan.chain.bed().linear_below > 0.0 => format!(
            "The scheme is stable up to {} s at steady sliding, and up to {} s where the bed is linear, down to rest.",
            digits(limit),
            digits(friction_limit(&plan.chain, 0.0))
        ),
        (_, Some(limit)) => format!("The scheme is stable up to {} s.", digits(limit)),
        (Scheme::Hht { alpha }, None) => format!(
            "The scheme is implicit and has no longest step; α = {}. Newton's method needed {} iterations at most.",
            digits(alpha),
            totals.most_iterations
        ),
        (_, None) => format!(
            "The scheme is implicit and has no longest step. Newton's method needed {} iterations at most.",
            totals.most_iterations
        ),
    }
}

fn figures(plan: &GlacierPlan, results: &Results) -> Vec<Drawn> {
    let mut drawn = vec![
        forces(results),
        Drawn::new(
            "displacement",
            chart(
                "Displacement beyond steady sliding",
                seconds(),
                length(),
                curves(plan, results, FIRST_POINT),
            )
            .to_svg(),
            "At several distances from the front.",
        ),
        velocity(plan, results),
        balance(results),
    ];
    if plan.chain.nodes() > 1 {
        drawn.push(profiles(plan, results));
    }
    drawn.extend(plan.capsize.as_ref().map(tilt));
    drawn
}

/// A column of the rows against time.
fn column(results: &Results, index: usize) -> Vec<[f64; 2]> {
    let rows = results.rows.iter();
    rows.map(|row| [row[0], row[index]]).collect()
}

/// One curve for each point, from a column on.
fn curves(plan: &GlacierPlan, results: &Results, first: usize) -> Vec<Series> {
    let points = plan.points.iter().enumerate();
    points
        .map(|(index, &at)| Series::new(&place(plan, at), column(results, first + index)))
        .collect()
}

fn length() -> Axis {
    Axis::new("Displacement", Unit::Prefixed("m".into()))
}

fn forces(results: &Results) -> Drawn {
    let contact = Series::new("on the front, F_c", column(results, 1));
    let bed = Series::new("on the bed, F_s", column(results, 2)).with_style(LineStyle::Dashed);
    let force = Axis::new("Force", Unit::Prefixed("N/m".into()));
    Drawn::new(
        "forces",
        chart("Forces", seconds(), force, vec![contact, bed]).to_svg(),
        "The contact force on the front, and the force on the bed beyond steady sliding: the seismogenic force.",
    )
}

fn velocity(plan: &GlacierPlan, results: &Results) -> Drawn {
    let mut chart = chart(
        "Velocity, upstream positive",
        seconds(),
        Axis::new("Velocity", Unit::Prefixed("m/s".into())),
        curves(plan, results, FIRST_POINT + plan.points.len()),
    );
    chart.references = vec![Reference::Horizontal {
        value: plan.chain.equilibrium_velocity(),
        label: "steady".into(),
    }];
    Drawn::new(
        "velocity",
        chart.to_svg(),
        "Above zero the ice moves away from the sea. Steps near zero are blocks that come to rest one after the other; they \
         shrink with the blocks.",
    )
}

fn profiles(plan: &GlacierPlan, results: &Results) -> Drawn {
    let spacing = plan.chain.spacing();
    let profile = |(time, values): &(f64, Vec<f64>)| {
        let along = |(node, &value): (usize, &f64)| [spacing * node as f64, value];
        let points = values.iter().enumerate().map(along).collect();
        Series::new(&format!("{} s", digits(*time)), points)
    };
    let distance = Axis::new("Distance from the front", Unit::Prefixed("m".into()));
    let series = results.profiles.iter().map(profile).collect();
    Drawn::new(
        "profiles",
        chart("Displacement along the glacier", distance, length(), series).to_svg(),
        "The whole chain at five times: how far the effect of the force reaches.",
    )
}

fn balance(results: &Results) -> Drawn {
    let gap = Axis::log("|F_s + dp/dt − F_c| / forces", Unit::None);
    let series = Series::new("", column(results, 4)).with_style(LineStyle::Markers);
    Drawn::new(
        "balance",
        chart("Gap of the balance of forces", seconds(), gap, vec![series]).to_svg(),
        "Forces in the weights with which the scheme uses them, at the recorded steps; where the gap is exactly zero nothing is drawn. Rounding is 1e-16.",
    )
}

fn tilt(capsize: &Capsize) -> Drawn {
    let poses = capsize.poses.iter();
    let points = poses.map(|pose| [pose.time, pose.tilt.to_degrees()]);
    let axis = Axis::new("Tilt", Unit::Fixed("deg".into()));
    let series = vec![Series::new("", points.collect())];
    Drawn::new(
        "tilt",
        chart(
            "Tilt of the iceberg while it touches",
            seconds(),
            axis,
            series,
        )
        .to_svg(),
        "Counted from the first touch.",
    )
}
