//! Lines in the world: where their ends are, what becomes of them when bodies break or go, and the longest stable step.

use banquise_geometry::DVec2;

use super::World;
use crate::id::BodyId;
use crate::line::{Line, LineEnd, Stretch};

/// An end of a line on a body that is about to change, and where it is.
pub(super) struct HeldEnd {
    line: usize,
    end: usize,
    point: DVec2,
}

impl World {
    /// Place and velocity of the end of a line; `None` where its body is gone. Places are not brought back into a periodic cell.
    pub(crate) fn line_end(&self, end: &LineEnd) -> Option<(DVec2, DVec2)> {
        match *end {
            LineEnd::Point(point) => Some((point, DVec2::ZERO)),
            LineEnd::Body { id, arm } => {
                let row = self.bodies.row_of(id)?;
                let motion = &self.bodies.motions[row];
                let arm = motion.pose.rotation.rotate(arm);
                let place = self.unwrapped_position(row) + arm;
                Some((place, motion.velocity.at(arm)))
            }
        }
    }

    /// The two ends of a line as they are.
    pub(crate) fn stretch_of(&self, line: &Line) -> Option<Stretch> {
        let [first, second] = &line.ends;
        let (place, velocity) = self.line_end(first)?;
        let (other, other_velocity) = self.line_end(second)?;
        Some(Stretch {
            offset: other - place,
            velocity: other_velocity - velocity,
        })
    }

    /// From the first to the second end of a line \[m\]; `None` where a body at its end is gone.
    pub fn line_offset(&self, line: &Line) -> Option<DVec2> {
        Some(self.stretch_of(line)?.offset)
    }

    /// Distance between the ends of a line \[m\]; `None` where a body at its end is gone.
    pub fn line_length(&self, line: &Line) -> Option<f64> {
        self.line_offset(line).map(DVec2::length)
    }

    /// Elastic energy of all lines \[J\].
    pub fn line_energy(&self) -> f64 {
        let energy = |line: &Line| Some(line.energy(self.line_length(line)?));
        self.lines.iter().filter_map(energy).sum()
    }

    /// The ends on a body that is about to change, with their places in the plane.
    pub(super) fn hold_lines(&self, body: BodyId) -> Vec<HeldEnd> {
        let mut held = Vec::new();
        for (line, own) in self.lines.iter().enumerate() {
            for (end, place) in own.ends.iter().enumerate() {
                if let LineEnd::Body { id, arm } = *place
                    && id == body
                    && let Some(row) = self.bodies.row_of(id)
                {
                    let point = self.bodies.motions[row].pose.world_from_body(arm);
                    held.push(HeldEnd { line, end, point });
                }
            }
        }
        held
    }

    /// Fastens the ends that were held to that of these bodies which is nearest to them. Without any the lines are broken.
    pub(super) fn fasten(&mut self, held: Vec<HeldEnd>, bodies: &[BodyId]) {
        for HeldEnd { line, end, point } in held {
            let distance = |id: &BodyId| self.distance_to(*id, point);
            let nearest = bodies
                .iter()
                .min_by(|x, y| distance(x).total_cmp(&distance(y)));
            match nearest.and_then(|&id| Some((id, self.bodies.row_of(id)?))) {
                Some((id, row)) => {
                    let pose = self.bodies.motions[row].pose;
                    self.lines[line].ends[end] = LineEnd::on(id, pose, point);
                }
                None => self.break_line(line),
            }
        }
    }

    /// Breaks the lines of bodies that leave the world.
    pub(super) fn break_lines_of(&mut self, bodies: &[BodyId]) {
        for line in 0..self.lines.len() {
            if bodies.iter().any(|&id| self.lines[line].is_on(id)) {
                self.break_line(line);
            }
        }
    }

    /// Notes that a line broke, unless it did before.
    pub(crate) fn break_line(&mut self, line: usize) {
        let time = self.clock.time;
        let line = &mut self.lines[line];
        line.broken_at = line.broken_at.or(Some(time));
        line.tension = 0.0;
    }

    /// The longest step for which lines are stable \[s\], and the line that bounds it; infinite without any. Bodies have this added mass, as a share of their own.
    ///
    /// With x′ = x + Δt v and v′ = v − Δt (γ v + ω² x′) a mode is stable for ω²Δt² + 2γΔt < 4. The rates of all modes are bounded by row sums (Gershgorin) of
    /// J M⁻¹ Jᵀ K, and those of damping with C for K.
    pub fn stable_line_step(&self, added_mass: f64) -> (f64, Option<usize>) {
        let mut shortest = (f64::INFINITY, None);
        for (number, line) in self.intact_lines() {
            let (mut square, mut damping) = (0.0, 0.0);
            for (_, other) in self.intact_lines() {
                let coupling = self.coupling(line, other) / (1.0 + added_mass);
                square += coupling * other.stiffness;
                damping += coupling * other.damping;
            }
            let step = 4.0 / (damping + (damping * damping + 4.0 * square).sqrt());
            if step < shortest.0 {
                shortest = (step, Some(number));
            }
        }
        shortest
    }

    fn intact_lines(&self) -> impl Iterator<Item = (usize, &Line)> {
        let lines = self.lines.iter().enumerate();
        lines.filter(|(_, line)| line.is_intact())
    }

    /// Bound on the acceleration of one line's length for a unit tension of another [1/kg].
    fn coupling(&self, line: &Line, other: &Line) -> f64 {
        let mut sum = 0.0;
        for end in &line.ends {
            for far in &other.ends {
                let (
                    LineEnd::Body { id, arm },
                    LineEnd::Body {
                        id: same,
                        arm: lever,
                    },
                ) = (end, far)
                else {
                    continue;
                };
                if id == same
                    && let Some(row) = self.bodies.row_of(*id)
                {
                    let turn = self.bodies.inv_inertias[row] * arm.length() * lever.length();
                    sum += self.bodies.inv_masses[row] + turn;
                }
            }
        }
        sum
    }
}
