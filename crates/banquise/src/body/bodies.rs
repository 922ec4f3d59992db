//! All bodies in struct-of-arrays. This module alone knows which body is in which row.
//!
//! Rows are in the order of ids, and dense: where a body is removed, those after it move down. So a row is valid within a
//! step only; longer references are by [`BodyId`], and [`Bodies::row_of`] finds the row again.

use banquise_geometry::{
    ContactShape, DVec2, MassProperties, Mesh, Outline, Pose, Shape, SplitPiece, polygon_of,
};

use super::properties::{check_finite, mass_properties, mean_thickness};
use super::{BodyKind, BodySpec, Life, Thickness};
use crate::contact_state::ContactLoad;
use crate::error::BodyError;
use crate::id::BodyId;
use crate::material::Material;
use crate::motion::{Motion, Velocity};
use crate::path::BodyPath;
use crate::quadrature::QuadratureStore;
use crate::stored::{StoredError, require};

/// Collision distance of a floe over the square root of its area (Rabatel 2015, section 2.1.3).
pub const COLLISION_DISTANCE_RATIO: f64 = 0.01;

/// All bodies, one row each. Every array has the same length.
#[derive(Debug, Clone, Default)]
pub struct Bodies {
    pub(crate) motions: Vec<Motion>,
    /// Velocity that forces added to each body in the last step, by which resting contacts are recognised.
    pub(crate) force_delta_v: Vec<Velocity>,
    /// Time in which they did \[s\], where floes can break; else zero.
    pub(crate) force_times: Vec<f64>,
    pub(crate) inv_masses: Vec<f64>,
    pub(crate) inv_inertias: Vec<f64>,
    pub(crate) areas: Vec<f64>,
    /// From the centre of mass to the centroid of the outline, in the body frame \[m\].
    pub(crate) centroids: Vec<DVec2>,
    pub(crate) radii: Vec<f64>,
    pub(crate) quadrature: QuadratureStore,
    pub(crate) contact_shapes: Vec<ContactShape>,
    /// Collision distance of each floe \[m\]; infinite for obstacles.
    pub(crate) collision_distances: Vec<f64>,
    /// Contact loads on each body since it entered.
    pub(crate) contact_loads: Vec<ContactLoad>,
    /// The obstacles that move, and the paths of their centres.
    pub(crate) paths: Vec<(BodyId, BodyPath)>,
    ids: Vec<BodyId>,
    kinds: Vec<BodyKind>,
    names: Vec<String>,
    shapes: Vec<Shape>,
    /// How often each body was cut: data by body id that refer to its vertices are valid for one version only.
    shape_versions: Vec<u32>,
    masses: Vec<f64>,
    inertias: Vec<f64>,
    mean_thicknesses: Vec<f64>,
    materials: Vec<Material>,
    lives: Vec<Life>,
    next_id: u32,
}

/// One row of [`Bodies`] without its id.
pub(super) struct Row {
    pub(super) kind: BodyKind,
    pub(super) name: String,
    pub(super) motion: Motion,
    pub(super) mass: f64,
    pub(super) inertia: f64,
    pub(super) mean_thickness: f64,
    pub(super) material: Material,
    pub(super) shape: Shape,
    /// Quadrature points with their weights, about the centre of mass.
    pub(super) quadrature: Vec<(DVec2, f64)>,
}

impl Row {
    fn new(spec: BodySpec) -> Result<Self, BodyError> {
        check_finite(&spec)?;
        let mesh = Mesh::of(&spec.shape);
        let properties = mass_properties(&spec, &mesh)?;
        Self::with_properties(spec, &mesh, &properties)
    }

    /// A row whose mass, centre of mass and inertia are known.
    fn with_properties(
        spec: BodySpec,
        mesh: &Mesh,
        properties: &MassProperties,
    ) -> Result<Self, BodyError> {
        let shape = spec.shape.translated(-properties.center)?;
        let position = spec.pose.world_from_body(properties.center);
        let is_floe = spec.kind == BodyKind::Floe;
        let points = mesh
            .quadrature()
            .map(|(point, weight)| (point - properties.center, weight));
        Ok(Self {
            kind: spec.kind,
            name: spec.name,
            motion: Motion {
                pose: Pose {
                    position,
                    rotation: spec.pose.rotation,
                },
                velocity: if is_floe {
                    spec.velocity
                } else {
                    Velocity::REST
                },
                winding: [0, 0],
            },
            mass: if is_floe {
                properties.mass
            } else {
                f64::INFINITY
            },
            inertia: if is_floe {
                properties.inertia
            } else {
                f64::INFINITY
            },
            mean_thickness: if is_floe {
                mean_thickness(&spec.thickness, mesh)
            } else {
                f64::NAN
            },
            material: spec.material,
            shape,
            // The water drags on floes only; an obstacle has no quadrature points at all.
            quadrature: points.filter(|_| is_floe).collect(),
        })
    }
}

impl Bodies {
    /// Number of bodies, obstacles included.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is no body.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Ids, in row order.
    pub fn ids(&self) -> &[BodyId] {
        &self.ids
    }

    /// Kinds.
    pub fn kinds(&self) -> &[BodyKind] {
        &self.kinds
    }

    /// Names given by the user; empty where none was.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Shapes in the body frame: origin at the centre of mass.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// How often each body was cut since it entered: see [`Bodies::reshape`].
    pub fn shape_versions(&self) -> &[u32] {
        &self.shape_versions
    }

    /// Poses and velocities.
    pub fn motions(&self) -> &[Motion] {
        &self.motions
    }

    /// Masses \[kg\]; infinite for obstacles.
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// Moments of inertia about the centre of mass [kg m²]; infinite for obstacles.
    pub fn inertias(&self) -> &[f64] {
        &self.inertias
    }

    /// Areas \[m²\].
    pub fn areas(&self) -> &[f64] {
        &self.areas
    }

    /// Mean thicknesses \[m\]; NaN for obstacles.
    pub fn mean_thicknesses(&self) -> &[f64] {
        &self.mean_thicknesses
    }

    /// Materials; not used for obstacles.
    pub fn materials(&self) -> &[Material] {
        &self.materials
    }

    /// Largest distance from the centre of mass to the outline \[m\].
    pub fn radii(&self) -> &[f64] {
        &self.radii
    }

    /// The obstacles that move, each with the path of its centre.
    pub fn paths(&self) -> &[(BodyId, BodyPath)] {
        &self.paths
    }

    /// Whether the body in this row moves under forces.
    pub fn is_floe(&self, row: usize) -> bool {
        self.kinds[row] == BodyKind::Floe
    }

    /// Total area of the floes \[m²\].
    pub fn ice_area(&self) -> f64 {
        (0..self.len())
            .filter(|&row| self.is_floe(row))
            .map(|row| self.areas[row])
            .sum()
    }

    /// Mass per unit area of the lightest floe [kg/m²]; infinite without floes.
    pub fn min_areal_density(&self) -> f64 {
        (0..self.len())
            .map(|row| self.masses[row] / self.areas[row])
            .fold(f64::INFINITY, f64::min)
    }

    /// Sets the velocity of a floe; an obstacle keeps its own.
    pub fn set_velocity(&mut self, row: usize, velocity: Velocity) {
        if self.is_floe(row) {
            self.motions[row].velocity = velocity;
        }
    }

    /// Origin of each body.
    pub fn lives(&self) -> &[Life] {
        &self.lives
    }

    /// Contact loads on each body since it entered the world.
    pub fn contact_loads(&self) -> &[ContactLoad] {
        &self.contact_loads
    }

    /// Number of ids given so far: the next body gets this id.
    pub fn next_id(&self) -> BodyId {
        BodyId(self.next_id)
    }

    /// The row of a body; none where there is no such body.
    pub fn row_of(&self, id: BodyId) -> Option<usize> {
        // Where no body was removed, rows are ids.
        let guess = id.0 as usize;
        if self.ids.get(guess) == Some(&id) {
            return Some(guess);
        }
        self.ids.binary_search(&id).ok()
    }

    /// Adds a body that enters at a time \[s\], and returns its id.
    ///
    /// # Errors
    /// When a pose, velocity, thickness, density or mass is not a usable number.
    pub fn insert(&mut self, spec: BodySpec, time: f64) -> Result<BodyId, BodyError> {
        let row = Row::new(spec)?;
        Ok(self.push(row, Life::new(time)))
    }

    /// Removes the bodies with these ids, which are in order. Ids that are not there are passed over.
    pub fn remove(&mut self, ids: &[BodyId]) {
        debug_assert!(ids.is_sorted(), "ids come in order: {ids:?}");
        let keep: Vec<bool> = self
            .ids
            .iter()
            .map(|id| ids.binary_search(id).is_err())
            .collect();
        if keep.iter().all(|&keep| keep) {
            return;
        }
        self.paths.retain(|(id, _)| ids.binary_search(id).is_err());
        self.quadrature.retain(&keep);
        retain(&mut self.motions, &keep);
        retain(&mut self.force_delta_v, &keep);
        for column in [
            &mut self.force_times,
            &mut self.inv_masses,
            &mut self.inv_inertias,
            &mut self.areas,
            &mut self.radii,
            &mut self.collision_distances,
            &mut self.masses,
            &mut self.inertias,
            &mut self.mean_thicknesses,
        ] {
            retain(column, &keep);
        }
        retain(&mut self.centroids, &keep);
        retain(&mut self.contact_shapes, &keep);
        retain(&mut self.contact_loads, &keep);
        retain(&mut self.ids, &keep);
        retain(&mut self.kinds, &keep);
        retain(&mut self.names, &keep);
        retain(&mut self.shapes, &keep);
        retain(&mut self.shape_versions, &keep);
        retain(&mut self.materials, &keep);
        retain(&mut self.lives, &keep);
    }

    /// Replaces a body by pieces, at a time \[s\]. Either all pieces enter and the body goes, or nothing changes.
    ///
    /// Pieces have new ids, the body as their parent, and the share of its last force increment that their place had.
    ///
    /// # Errors
    /// When there is no such body, or a piece is not a usable body.
    pub fn replace(
        &mut self,
        id: BodyId,
        pieces: Vec<BodySpec>,
        time: f64,
    ) -> Result<Vec<BodyId>, BodyError> {
        let row = self.row_of(id).ok_or(BodyError::Unknown { id })?;
        let pieces = pieces
            .into_iter()
            .map(Row::new)
            .collect::<Result<Vec<Row>, BodyError>>()?;
        Ok(self.replace_row(row, pieces, time))
    }

    /// Splits a floe into pieces given in its own frame. They have its mass per area, its velocity field, and the centre of mass and inertia of their ice, slits included; their
    /// thickness, which drag and crushing see, is that of all their ice within their outlines.
    ///
    /// # Errors
    /// When the body is an obstacle, or a piece is not a usable body. Then nothing changes.
    pub(crate) fn split(
        &mut self,
        row: usize,
        pieces: &[SplitPiece],
        time: f64,
    ) -> Result<Vec<BodyId>, BodyError> {
        if !self.is_floe(row) {
            return Err(BodyError::NotAFloe { id: self.ids[row] });
        }
        let motion = self.motions[row];
        let whole: f64 = pieces.iter().map(|piece| piece.area).sum();
        let areal_density = self.masses[row] / whole;
        let pieces = pieces.iter().map(|piece| {
            let properties = MassProperties {
                mass: areal_density * piece.area,
                center: piece.centroid,
                inertia: areal_density * piece.second_moment,
            };
            let shape = Shape::Outline(piece.outline.clone());
            let density = self.materials[row].ice_density;
            let thickness = properties.mass / (density * shape.area());
            let mut spec = self.piece(row, shape);
            spec.thickness = Thickness::Uniform(thickness);
            spec.velocity.linear = motion
                .velocity
                .at(motion.pose.rotation.rotate(piece.centroid));
            let mesh = Mesh::of(&spec.shape);
            Row::with_properties(spec, &mesh, &properties)
        });
        let pieces = pieces.collect::<Result<Vec<Row>, BodyError>>()?;
        Ok(self.replace_row(row, pieces, time))
    }

    /// The ice of a floe in its own frame, as it is split: a uniform sheet with its mass and inertia. Of a disc, a polygon.
    pub fn ice_of(&self, row: usize) -> Option<SplitPiece> {
        let polygon = polygon_of(&self.shapes[row]);
        let outline = Outline::from_ring(&polygon).ok()?;
        let area = outline.area();
        Some(SplitPiece {
            outline,
            area,
            centroid: DVec2::ZERO,
            second_moment: self.inertias[row] / self.masses[row] * area,
        })
    }

    fn replace_row(&mut self, row: usize, pieces: Vec<Row>, time: f64) -> Vec<BodyId> {
        let id = self.ids[row];
        let (position, delta_v) = (self.motions[row].pose.position, self.force_delta_v[row]);
        let force_time = self.force_times[row];
        let life = Life {
            born: time,
            parent: Some(id),
            generation: self.lives[row].generation + 1,
        };
        let winding = self.motions[row].winding;
        let mut ids = Vec::with_capacity(pieces.len());
        for mut piece in pieces {
            piece.motion.winding = winding;
            let arm = piece.motion.pose.position - position;
            ids.push(self.push(piece, life));
            let new_row = self.len() - 1;
            if self.is_floe(new_row) {
                self.force_delta_v[new_row] = Velocity {
                    linear: delta_v.at(arm),
                    angular: delta_v.angular,
                };
                self.force_times[new_row] = force_time;
            }
        }
        self.remove(&[id]);
        ids
    }

    /// Cuts a floe back: it keeps its id, its name, its material and its mass per area, and gets another shape, given in its own
    /// frame as it is now. Each point of what remains keeps its place and its velocity; the origin of the frame moves to the new
    /// centre of mass.
    ///
    /// An inertia that is not that of uniform ice keeps its ratio to it. Ice of uneven thickness has its mean thickness
    /// everywhere from the first cut on: which part of it was thick is not known any more.
    ///
    /// # Errors
    /// When the body is an obstacle, or what remains is not a usable body. Then nothing changes.
    pub fn reshape(&mut self, row: usize, shape: Shape) -> Result<(), BodyError> {
        if !self.is_floe(row) {
            return Err(BodyError::NotAFloe { id: self.ids[row] });
        }
        let motion = self.motions[row];
        let arm = motion.pose.rotation.rotate(shape.centroid());
        let delta_v = self.force_delta_v[row];
        let cut = Row::new(self.piece(row, shape))?;
        self.motions[row] = Motion {
            winding: motion.winding,
            ..cut.motion
        };
        self.force_delta_v[row].linear = delta_v.at(arm);
        self.masses[row] = cut.mass;
        self.inertias[row] = cut.inertia;
        self.inv_masses[row] = 1.0 / cut.mass;
        self.inv_inertias[row] = 1.0 / cut.inertia;
        self.areas[row] = cut.shape.area();
        self.centroids[row] = cut.shape.centroid();
        self.radii[row] = cut.shape.bounding_radius();
        self.collision_distances[row] = COLLISION_DISTANCE_RATIO * self.areas[row].sqrt();
        self.contact_shapes[row] = ContactShape::new(&cut.shape);
        self.quadrature.replace(row, &cut.quadrature);
        self.shapes[row] = cut.shape;
        self.shape_versions[row] += 1;
        Ok(())
    }

    /// Specification of a piece of a floe, with its shape in the floe's own frame: it has the velocity of that part of the floe.
    pub(crate) fn piece(&self, row: usize, shape: Shape) -> BodySpec {
        let motion = self.motions[row];
        let arm = motion.pose.rotation.rotate(shape.centroid());
        let inertia_ratio = shape.second_moment() / self.shapes[row].second_moment();
        BodySpec {
            name: String::new(),
            kind: BodyKind::Floe,
            pose: motion.pose,
            velocity: Velocity {
                linear: motion.velocity.at(arm),
                ..motion.velocity
            },
            thickness: Thickness::Uniform(self.mean_thicknesses[row]),
            material: self.materials[row],
            mass: Some(self.masses[row] * (shape.area() / self.areas[row])),
            inertia: Some(self.inertias[row] * inertia_ratio),
            shape,
        }
    }

    /// Adds a piece of the floe in a row, at a time \[s\]. The floe stays.
    ///
    /// # Errors
    /// When the piece is not a usable body.
    pub(crate) fn insert_piece(
        &mut self,
        parent: usize,
        piece: BodySpec,
        time: f64,
    ) -> Result<BodyId, BodyError> {
        let mut piece = Row::new(piece)?;
        piece.motion.winding = self.motions[parent].winding;
        let life = Life {
            born: time,
            parent: Some(self.ids[parent]),
            generation: self.lives[parent].generation + 1,
        };
        Ok(self.push(piece, life))
    }

    /// Sets the id of the next body, which is none that was given.
    pub(crate) fn set_next_id(&mut self, id: BodyId) -> Result<(), StoredError> {
        // The last ids stand for walls in the keys of contacts.
        require(id.0 >= self.next_id && id.0 < u32::MAX - 4, "an id")?;
        self.next_id = id.0;
        Ok(())
    }

    /// Sets how often the body in a row was cut.
    pub(super) fn set_shape_version(&mut self, row: usize, version: u32) {
        self.shape_versions[row] = version;
    }

    pub(super) fn push(&mut self, row: Row, life: Life) -> BodyId {
        let id = BodyId(self.next_id);
        self.next_id = self.next_id.checked_add(1).expect("ids are not used up");
        let is_floe = row.kind == BodyKind::Floe;
        let area = row.shape.area();
        self.ids.push(id);
        self.kinds.push(row.kind);
        self.names.push(row.name);
        self.lives.push(life);
        self.motions.push(row.motion);
        self.force_delta_v.push(Velocity::REST);
        self.force_times.push(0.0);
        self.contact_loads.push(ContactLoad::default());
        self.masses.push(row.mass);
        self.inertias.push(row.inertia);
        // The inverse of an obstacle's mass, which is infinite, is zero.
        self.inv_masses.push(1.0 / row.mass);
        self.inv_inertias.push(1.0 / row.inertia);
        self.mean_thicknesses.push(row.mean_thickness);
        self.materials.push(row.material);
        self.areas.push(area);
        self.centroids.push(row.shape.centroid());
        self.radii.push(row.shape.bounding_radius());
        self.collision_distances.push(if is_floe {
            COLLISION_DISTANCE_RATIO * area.sqrt()
        } else {
            f64::INFINITY
        });
        self.contact_shapes.push(ContactShape::new(&row.shape));
        self.quadrature.push(&row.quadrature);
        self.shapes.push(row.shape);
        self.shape_versions.push(0);
        id
    }
}

/// Keeps the elements that are marked, in their order.
fn retain<T>(column: &mut Vec<T>, keep: &[bool]) {
    let mut marks = keep.iter();
    column.retain(|_| *marks.next().expect("one mark for each row"));
}

#[cfg(test)]
mod tests {
    use banquise_geometry::{Disc, Rotation};

    use super::*;

    fn disc(x: f64, radius: f64) -> BodySpec {
        BodySpec {
            name: format!("at {x}"),
            kind: BodyKind::Floe,
            shape: Shape::Disc(Disc::try_new(radius).unwrap()),
            pose: Pose {
                position: DVec2::new(x, 0.0),
                rotation: Rotation::IDENTITY,
            },
            velocity: Velocity::REST,
            thickness: Thickness::Uniform(1.0),
            material: Material::default(),
            mass: None,
            inertia: None,
        }
    }

    fn four() -> Bodies {
        let mut bodies = Bodies::default();
        for index in 0..4 {
            bodies
                .insert(disc(f64::from(index), 1.0 + f64::from(index)), 0.0)
                .unwrap();
        }
        bodies
    }

    #[test]
    fn every_column_follows_its_body() {
        let mut bodies = four();
        bodies.remove(&[BodyId(1), BodyId(2), BodyId(9)]);
        assert_eq!(bodies.ids(), [BodyId(0), BodyId(3)]);
        assert_eq!(bodies.row_of(BodyId(3)), Some(1));
        assert_eq!(bodies.row_of(BodyId(1)), None);
        let mut fresh = Bodies::default();
        fresh.insert(disc(0.0, 1.0), 0.0).unwrap();
        fresh.insert(disc(3.0, 4.0), 0.0).unwrap();
        // All but ids: compared by what they print, so that no column is left out.
        fresh.ids.clone_from(&bodies.ids);
        fresh.next_id = bodies.next_id;
        assert_eq!(format!("{bodies:?}"), format!("{fresh:?}"));
    }

    #[test]
    fn pieces_have_new_ids_and_know_their_parent() {
        let mut bodies = four();
        bodies.force_delta_v[2] = Velocity {
            linear: DVec2::new(0.5, 0.0),
            angular: 2.0,
        };
        let pieces = bodies
            .replace(BodyId(2), vec![disc(1.5, 0.5), disc(2.5, 0.5)], 60.0)
            .unwrap();
        assert_eq!(pieces, [BodyId(4), BodyId(5)]);
        assert_eq!(bodies.len(), 5);
        let row = bodies.row_of(BodyId(5)).unwrap();
        let life = bodies.lives()[row];
        assert_eq!(life.parent, Some(BodyId(2)));
        assert_eq!((life.born, life.generation), (60.0, 1));
        assert_eq!(bodies.force_delta_v[row].linear, DVec2::new(0.5, 1.0));
        let again = bodies
            .replace(BodyId(5), vec![disc(2.5, 0.2)], 70.0)
            .unwrap();
        let row = bodies.row_of(again[0]).unwrap();
        assert_eq!(bodies.lives()[row].generation, 2);
    }

    #[test]
    fn a_floe_that_is_cut_is_the_floe_that_had_this_shape_from_the_start() {
        let mut bodies = four();
        bodies.motions[2].velocity = Velocity {
            linear: DVec2::new(0.5, 0.0),
            angular: 2.0,
        };
        bodies.force_delta_v[2] = bodies.motions[2].velocity;
        let rest = Shape::Disc(Disc::try_new(1.0).unwrap())
            .translated(DVec2::new(0.0, 0.5))
            .unwrap();
        bodies.reshape(2, rest).unwrap();
        let mut fresh = Bodies::default();
        for (index, radius) in [1.0, 2.0, 1.0, 4.0].into_iter().enumerate() {
            fresh.insert(disc(index as f64, radius), 0.0).unwrap();
        }
        fresh.shape_versions[2] = 1;
        fresh.motions[2].pose.position.y = 0.5;
        // The point that is the centre now moved at 0.5 − 2 × 0.5 along x.
        fresh.motions[2].velocity = Velocity {
            linear: DVec2::new(-0.5, 0.0),
            angular: 2.0,
        };
        fresh.force_delta_v[2] = fresh.motions[2].velocity;
        // All columns are compared, by what they print, number by number: points of the mesh differ by roundings.
        let is_of_number = |c: char| c.is_ascii_digit() || "+-.e".contains(c);
        let words = |bodies: &Bodies| {
            let printed = format!("{bodies:?}");
            let words = printed.split(|c: char| !is_of_number(c) && !c.is_alphabetic());
            words.map(str::to_owned).collect::<Vec<String>>()
        };
        let (words, expected) = (words(&bodies), words(&fresh));
        assert_eq!(words.len(), expected.len());
        for (word, expected) in words.iter().zip(&expected) {
            match (word.parse::<f64>(), expected.parse::<f64>()) {
                (Ok(a), Ok(b)) if a.is_finite() => {
                    assert!((a - b).abs() <= 1e-14 * b.abs().max(1.0), "{a} {b}");
                }
                _ => assert_eq!(word, expected),
            }
        }
    }

    #[test]
    fn an_obstacle_is_not_cut() {
        let mut bodies = four();
        let obstacle = BodySpec {
            kind: BodyKind::Obstacle,
            ..disc(9.0, 1.0)
        };
        bodies.insert(obstacle, 0.0).unwrap();
        let before = format!("{bodies:?}");
        let refused = bodies.reshape(4, Shape::Disc(Disc::try_new(0.5).unwrap()));
        assert_eq!(refused, Err(BodyError::NotAFloe { id: BodyId(4) }));
        assert_eq!(format!("{bodies:?}"), before);
    }

    #[test]
    fn a_bad_piece_changes_nothing() {
        let mut bodies = four();
        let before = format!("{bodies:?}");
        let bad = BodySpec {
            thickness: Thickness::Uniform(-1.0),
            ..disc(0.0, 1.0)
        };
        assert!(
            bodies
                .replace(BodyId(2), vec![disc(0.0, 1.0), bad], 1.0)
                .is_err()
        );
        assert!(bodies.replace(BodyId(77), Vec::new(), 1.0).is_err());
        assert_eq!(format!("{bodies:?}"), before);
    }
}
