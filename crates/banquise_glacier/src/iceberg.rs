//! A rigid iceberg that capsizes against the front: the force of its upper corner on a wall.
//!
//! A rectangle of height H and width W floats beside the wall and turns with its top leaning on it (bottom out). The
//! corner slides on the wall without friction. Weight, buoyancy, quadratic drag on the submerged parts of the faces that
//! move into the water, and an added mass. The constraint leaves the height of the centre and the tilt free.

use banquise_geometry::math;

use crate::contact::ForceTable;
use crate::error::GlacierError;
use crate::iceberg_water::{Rectangle, Water, water};

/// An iceberg about to capsize.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Iceberg {
    /// Height before it capsizes \[m\].
    pub iceberg_height: f64,
    /// Width, along the glacier \[m\].
    pub iceberg_width: f64,
    /// Density of the ice \[kg m⁻³\].
    pub iceberg_density: f64,
    /// Density of the water \[kg m⁻³\].
    pub water_density: f64,
    /// g, gravity \[m s⁻²\].
    pub gravity: f64,
    /// `C_d`, of the drag ½ ρ `C_d` vₙ² on faces that move into the water \[–\].
    pub iceberg_drag: f64,
    /// Mass of water that moves with the ice, over that of the ice \[–\].
    pub added_mass: f64,
    /// Tilt at the start \[rad\].
    pub initial_tilt: f64,
}

impl Default for Iceberg {
    /// 800 m high, 0.3 times as wide, drag coefficient 1, no added mass, from half a degree.
    fn default() -> Self {
        Self {
            iceberg_height: 800.0,
            iceberg_width: 240.0,
            iceberg_density: 920.0,
            water_density: 1025.0,
            gravity: 9.81,
            iceberg_drag: 1.0,
            added_mass: 0.0,
            initial_tilt: 0.5_f64.to_radians(),
        }
    }
}

/// The iceberg at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Time \[s\].
    pub time: f64,
    /// Force on the front, per unit width \[N m⁻¹\].
    pub force: f64,
    /// Tilt \[rad\].
    pub tilt: f64,
    /// Height of the centre over the water \[m\].
    pub height: f64,
    /// Angular velocity \[rad s⁻¹\].
    pub spin: f64,
}

/// A capsize, as long as the corner pushes.
#[derive(Debug, Clone, PartialEq)]
pub struct Capsize {
    /// From the start to the loss of contact.
    pub poses: Vec<Pose>,
    /// Largest force \[N m⁻¹\].
    pub peak: f64,
    /// Its time \[s\].
    pub peak_time: f64,
    /// How long the force is above half its largest value \[s\].
    pub half_width: f64,
    /// How long the contact lasts \[s\].
    pub duration: f64,
}

/// Steps of the integration in the iceberg's own time √(H/g).
const STEPS_PER_UNIT: f64 = 400.0;
/// A contact that lasts longer in that time does not end.
const LONGEST: f64 = 200.0;

/// Height and tilt, and their rates.
type Motion = [f64; 4];

impl Iceberg {
    /// Follows the capsize.
    ///
    /// # Errors
    /// A quantity that makes no sense, or an iceberg that does not capsize.
    pub fn capsize(&self) -> Result<Capsize, GlacierError> {
        self.check()?;
        let no_capsize = GlacierError::NoCapsize {
            ratio: self.iceberg_width / self.iceberg_height,
        };
        let dt = (self.iceberg_height / self.gravity).sqrt() / STEPS_PER_UNIT;
        let mut motion = [self.floating_height(), self.initial_tilt, 0.0, 0.0];
        let mut poses: Vec<Pose> = Vec::new();
        for step in 0..(LONGEST * STEPS_PER_UNIT) as usize {
            let time = step as f64 * dt;
            let pose = self.pose(time, motion);
            let Some(&before) = poses.last().filter(|_| pose.force <= 0.0) else {
                if pose.force <= 0.0 {
                    return Err(no_capsize);
                }
                poses.push(pose);
                motion = self.advance(motion, dt);
                continue;
            };
            poses.push(last_touch(before, pose));
            let capsize = summary(poses);
            // One that swings back has pushed a little, but has not capsized.
            return if capsize.poses[capsize.poses.len() - 1].tilt > self.initial_tilt {
                Ok(capsize)
            } else {
                Err(no_capsize)
            };
        }
        Err(no_capsize)
    }

    fn check(&self) -> Result<(), GlacierError> {
        let positive = [
            ("the height of the iceberg (m)", self.iceberg_height),
            ("the width of the iceberg (m)", self.iceberg_width),
            ("the density of the iceberg (kg/m³)", self.iceberg_density),
            ("the density of the water (kg/m³)", self.water_density),
            ("gravity (m/s²)", self.gravity),
            ("the tilt at the start (rad)", self.initial_tilt),
        ];
        for (quantity, value) in positive {
            if !(value > 0.0 && value.is_finite()) {
                return Err(GlacierError::NotPositive { quantity, value });
            }
        }
        let bounded = [
            (
                "the tilt at the start (rad)",
                "at most 0.5",
                self.initial_tilt,
                0.5,
            ),
            (
                "the density of the iceberg (kg/m³)",
                "at most 0.99 of that of the water",
                self.iceberg_density,
                0.99 * self.water_density,
            ),
            (
                "the drag coefficient",
                "between 0 and 100",
                self.iceberg_drag,
                100.0,
            ),
            (
                "the added mass",
                "between 0 and 100",
                self.added_mass,
                100.0,
            ),
        ];
        for (quantity, requirement, value, most) in bounded {
            if !(0.0..=most).contains(&value) {
                return Err(GlacierError::OutOfRange {
                    quantity,
                    requirement,
                    value,
                });
            }
        }
        Ok(())
    }

    fn mass(&self) -> f64 {
        self.iceberg_density * self.iceberg_height * self.iceberg_width
    }

    fn inertia(&self) -> f64 {
        let (h, w) = (self.iceberg_height, self.iceberg_width);
        self.mass() * (h * h + w * w) / 12.0
    }

    /// Height of the centre over the water at which the tilted iceberg floats.
    fn floating_height(&self) -> f64 {
        let reach = self.iceberg_height + self.iceberg_width;
        let (mut low, mut high) = (-reach, reach);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            let water = self.water([middle, self.initial_tilt, 0.0, 0.0]);
            if water.lift > self.mass() * self.gravity {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    fn rectangle(&self, [height, tilt, ..]: Motion) -> Rectangle {
        let (sin, cos) = math::sin_cos(tilt);
        Rectangle {
            half_height: 0.5 * self.iceberg_height,
            half_width: 0.5 * self.iceberg_width,
            height,
            sin,
            cos,
        }
    }

    fn water(&self, motion: Motion) -> Water {
        let rectangle = self.rectangle(motion);
        let [_, _, climb, spin] = motion;
        // The corner stays on the wall: the centre moves away from it as the iceberg turns.
        let velocity = [rectangle.corner_height() * spin, climb];
        let drag = 0.5 * self.water_density * self.iceberg_drag;
        water(
            &rectangle,
            self.water_density * self.gravity,
            drag,
            velocity,
            spin,
        )
    }

    /// Accelerations of height and tilt, and the force on the wall.
    fn accelerations(&self, motion: Motion) -> ([f64; 2], f64) {
        let rectangle = self.rectangle(motion);
        let spin = motion[3];
        let water = self.water(motion);
        let (arm, reach) = (rectangle.corner_height(), rectangle.reach());
        let moved = 1.0 + self.added_mass;
        let (mass, inertia) = (moved * self.mass(), moved * self.inertia());
        // x = reach(θ): x″ = arm θ″ − reach θ′², since reach′ = arm and arm′ = −reach.
        let torque = water.torque + arm * water.push + mass * arm * reach * spin * spin;
        let turn = torque / (inertia + mass * arm * arm);
        let force = mass * (arm * turn - reach * spin * spin) - water.push;
        let climb = (water.lift - self.mass() * self.gravity) / mass;
        ([climb, turn], force)
    }

    fn rates(&self, motion: Motion) -> Motion {
        let ([climb, turn], _) = self.accelerations(motion);
        [motion[2], motion[3], climb, turn]
    }

    /// Runge and Kutta's step of fourth order.
    fn advance(&self, motion: Motion, dt: f64) -> Motion {
        let shifted = |rates: Motion, by: f64| -> Motion {
            std::array::from_fn(|i| motion[i] + by * rates[i])
        };
        let first = self.rates(motion);
        let second = self.rates(shifted(first, 0.5 * dt));
        let third = self.rates(shifted(second, 0.5 * dt));
        let fourth = self.rates(shifted(third, dt));
        std::array::from_fn(|i| {
            motion[i] + dt / 6.0 * (first[i] + 2.0 * (second[i] + third[i]) + fourth[i])
        })
    }

    fn pose(&self, time: f64, motion: Motion) -> Pose {
        let (_, force) = self.accelerations(motion);
        Pose {
            time,
            force,
            tilt: motion[1],
            height: motion[0],
            spin: motion[3],
        }
    }
}

/// Where the force passes zero between two poses.
fn last_touch(before: Pose, after: Pose) -> Pose {
    let part = before.force / (before.force - after.force);
    let mix = |a: f64, b: f64| a + part * (b - a);
    Pose {
        time: mix(before.time, after.time),
        force: 0.0,
        tilt: mix(before.tilt, after.tilt),
        height: mix(before.height, after.height),
        spin: mix(before.spin, after.spin),
    }
}

fn summary(poses: Vec<Pose>) -> Capsize {
    let mut highest = poses[0];
    for pose in &poses {
        if pose.force > highest.force {
            highest = *pose;
        }
    }
    let half = 0.5 * highest.force;
    let crossing = |pair: &[Pose]| {
        let part = (half - pair[0].force) / (pair[1].force - pair[0].force);
        pair[0].time + part * (pair[1].time - pair[0].time)
    };
    let rise = poses
        .windows(2)
        .find(|p| p[0].force < half && p[1].force >= half);
    let fall = poses
        .windows(2)
        .rev()
        .find(|p| p[0].force >= half && p[1].force < half);
    let (start, end) = (poses[0].time, poses[poses.len() - 1].time);
    Capsize {
        peak: highest.force,
        peak_time: highest.time,
        half_width: fall.map_or(end, crossing) - rise.map_or(start, crossing),
        duration: end - start,
        poses,
    }
}

impl Capsize {
    /// The force as a table that begins at `start` \[s\].
    ///
    /// # Errors
    /// A start that is not finite.
    pub fn table(&self, start: f64) -> Result<ForceTable, GlacierError> {
        let samples = self
            .poses
            .iter()
            .map(|pose| [start + pose.time, pose.force]);
        ForceTable::try_new(samples.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kinetic energy and potential energy of ice and displaced water, by the pressure at the centre of the submerged
    /// part, per unit width.
    fn energy(iceberg: &Iceberg, motion: Motion) -> f64 {
        let rectangle = iceberg.rectangle(motion);
        let [height, _, climb, spin] = motion;
        let arm = rectangle.corner_height();
        let kinetic = 0.5 * iceberg.mass() * (climb * climb + arm * arm * spin * spin)
            + 0.5 * iceberg.inertia() * spin * spin;
        let (area, [_, depth]) = rectangle.submerged();
        kinetic + iceberg.gravity * (iceberg.mass() * height - iceberg.water_density * area * depth)
    }

    #[test]
    fn without_drag_the_capsize_keeps_its_energy() {
        let iceberg = Iceberg {
            iceberg_drag: 0.0,
            ..Iceberg::default()
        };
        let mut motion = [iceberg.floating_height(), iceberg.initial_tilt, 0.0, 0.0];
        let before = energy(&iceberg, motion);
        let mut largest = 0.0_f64;
        for _ in 0..5000 {
            motion = iceberg.advance(motion, 0.0225);
            largest = largest.max(0.5 * iceberg.inertia() * motion[3] * motion[3]);
        }
        assert!(largest > 0.0);
        let change = (energy(&iceberg, motion) - before).abs();
        assert!(change < 1e-6 * largest, "{change} of {largest}");
    }

    #[test]
    fn the_numbers_of_the_specification_come_out() {
        let capsize = Iceberg::default().capsize().unwrap();
        assert!(
            (capsize.peak / 35.9e6 - 1.0).abs() < 2e-3,
            "{}",
            capsize.peak
        );
        assert!(
            (capsize.peak_time - 121.0).abs() < 0.5,
            "{}",
            capsize.peak_time
        );
        assert!(
            (capsize.half_width - 39.8).abs() < 0.2,
            "{}",
            capsize.half_width
        );
        assert!(
            (capsize.duration - 137.0).abs() < 0.5,
            "{}",
            capsize.duration
        );
    }

    #[test]
    fn forces_grow_with_the_square_of_the_height() {
        let large = Iceberg::default().capsize().unwrap();
        let small = Iceberg {
            iceberg_height: 8.0,
            iceberg_width: 2.4,
            ..Iceberg::default()
        };
        let small = small.capsize().unwrap();
        assert!((large.peak / small.peak - 1e4).abs() < 1e-6 * 1e4);
        assert!((large.duration / small.duration - 10.0).abs() < 1e-8);
    }

    #[test]
    fn wide_icebergs_do_not_capsize_and_bad_ones_are_refused() {
        let good = Iceberg::default();
        let wide = Iceberg {
            iceberg_width: 800.0,
            ..good
        };
        assert!(matches!(
            wide.capsize(),
            Err(GlacierError::NoCapsize { .. })
        ));
        for bad in [
            Iceberg {
                iceberg_height: f64::NAN,
                ..good
            },
            Iceberg {
                iceberg_drag: -1.0,
                ..good
            },
            Iceberg {
                iceberg_density: 1024.0,
                ..good
            },
            Iceberg {
                initial_tilt: 1.0,
                ..good
            },
        ] {
            assert!(bad.capsize().is_err());
        }
    }
}
