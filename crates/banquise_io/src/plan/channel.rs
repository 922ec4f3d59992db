//! The `[channel]` table: two shores with a narrow passage between them, by its lengths and angles.
//!
//! ```text
//!                    mouth                     land
//!   approach ┌──────────────────┐\            (left)           /
//!            │                  │ \  inlet           outlet   /
//!            │   x →            │  \______________ angle ____/
//!            │                  │        width, length
//!            │                  │   ___________________
//!            │                  │  /                   \
//!            └──────────────────┘ /      (right)        \
//! ```

use std::f64::consts::FRAC_PI_2;

use banquise::Material;
use banquise_geometry::{DVec2, Outline, Rotation, math};

use super::body_list::{BodyList, PlannedBody};
use super::contact::decode_material;
use super::outlines::obstacle;
use super::shape::rejected_shape;
use crate::scenario::{Dimension, TableReader};

/// How wide the open water is beside the passage, where the table does not say.
const DEFAULT_MOUTH: f64 = 3.0;
/// Angle of the funnels from the axis, where the table does not say \[rad\].
const DEFAULT_ANGLE: f64 = std::f64::consts::FRAC_PI_4;
/// Thickness of the land behind the mouth, in widths of the passage.
const LAND: f64 = 0.5;

/// Values of the table: lengths \[m\], angles from the axis \[rad\].
struct Channel {
    width: f64,
    length: f64,
    mouth: f64,
    inlet_angle: f64,
    outlet_angle: f64,
    approach: f64,
}

/// Adds the two shores of `[channel]` as obstacles; nothing if they are refused.
pub(super) fn decode(
    root: &TableReader<'_>,
    material: Material,
    placed: &mut BodyList,
) -> Option<()> {
    let field = root.optional("channel");
    if !field.is_present() {
        return Some(());
    }
    let table = field.table()?;
    let name = table.optional("name").text().or("channel").to_owned();
    let channel = decode_lengths(&table);
    let position = table
        .optional("position")
        .vector(Dimension::Length)
        .or([0.0, 0.0]);
    let heading = table.optional("heading").quantity(Dimension::Angle).or(0.0);
    let material = decode_material(&table, material);
    let (span, problems) = (table.span(), table.problems());
    table.finish();
    let channel = channel?;
    let rotation = Rotation::from_angle(heading);
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        let place = |point: DVec2| {
            let point = DVec2::new(point.x, sign * point.y);
            DVec2::from(position) + rotation.rotate(point)
        };
        let shore: Vec<DVec2> = channel.shore().into_iter().map(place).collect();
        let outline = Outline::from_ring(&shore)
            .map_err(|error| problems.push(rejected_shape(error, span)))
            .ok()?;
        let spec = obstacle(format!("{name}-{side}"), outline, material);
        placed.add(PlannedBody::at_rest(spec, span), problems)?;
    }
    Some(())
}

fn decode_lengths(table: &TableReader<'_>) -> Option<Channel> {
    let length = |key, example: &str| {
        table
            .required_like(key, example)
            .quantity(Dimension::Length)
            .positive()
            .get()
    };
    let (width, passage) = (
        length("width", "`width = \"850 m\"`"),
        length("length", "`length = \"2 km\"`"),
    );
    let least = width.unwrap_or(0.0);
    let mouth = table
        .optional("mouth")
        .quantity(Dimension::Length)
        .check("wider than the passage", |&mouth| mouth > least)
        .or(DEFAULT_MOUTH * least);
    let angle = |key| {
        table
            .optional(key)
            .quantity(Dimension::Angle)
            .check("more than 1 degree and at most 90", |angle| {
                (FRAC_PI_2 / 90.0..=FRAC_PI_2).contains(angle)
            })
            .or(DEFAULT_ANGLE)
    };
    let (inlet_angle, outlet_angle) = (angle("inlet_angle"), angle("outlet_angle"));
    let approach = table
        .optional("approach")
        .quantity(Dimension::Length)
        .non_negative()
        .or(0.0);
    Some(Channel {
        width: width?,
        length: passage?,
        mouth,
        inlet_angle,
        outlet_angle,
        approach,
    })
}

impl Channel {
    /// The shore on the left, with the axis along x and the middle of the passage at the origin.
    fn shore(&self) -> Vec<DVec2> {
        let (narrow, wide) = (0.5 * self.width, 0.5 * self.mouth);
        let outer = wide + LAND * self.width;
        let funnel = |angle: f64| (wide - narrow) / math::tan(angle);
        let half = 0.5 * self.length;
        let (inlet, outlet) = (
            -half - funnel(self.inlet_angle),
            half + funnel(self.outlet_angle),
        );
        [
            [inlet - self.approach, wide],
            [inlet, wide],
            [-half, narrow],
            [half, narrow],
            [outlet, wide],
            [outlet, outer],
            [inlet - self.approach, outer],
        ]
        .map(DVec2::from)
        .to_vec()
    }
}
