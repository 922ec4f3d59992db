//! The state of a flow as a list of numbers and back, bit for bit: what a checkpoint of it holds.
//!
//! Grid, shapes, densities and settings are no part of it: a state is restored into a flow that was made with the same settings.

use banquise_fem::stokes::FlowField;
use banquise_geometry::DVec2;

use crate::FlowError;
use crate::advection::FaceField;
use crate::gluey::Memories;
use crate::unsteady::Unsteady;

/// Numbers that are read from their start.
#[derive(Debug)]
pub(crate) struct Numbers<'a>(&'a [f64]);

impl<'a> Numbers<'a> {
    /// Numbers of a state, all of them finite.
    pub(crate) fn new(numbers: &'a [f64]) -> Result<Self, FlowError> {
        let are_finite = numbers.iter().all(|value| value.is_finite());
        are_finite
            .then_some(Self(numbers))
            .ok_or(FlowError::OtherState)
    }

    pub(crate) fn one(&mut self) -> Result<f64, FlowError> {
        let (first, rest) = self.0.split_first().ok_or(FlowError::OtherState)?;
        self.0 = rest;
        Ok(*first)
    }

    pub(crate) fn list(&mut self, count: usize) -> Result<&'a [f64], FlowError> {
        let (list, rest) = self
            .0
            .split_at_checked(count)
            .ok_or(FlowError::OtherState)?;
        self.0 = rest;
        Ok(list)
    }

    pub(crate) fn vector(&mut self) -> Result<DVec2, FlowError> {
        Ok(DVec2::new(self.one()?, self.one()?))
    }

    pub(crate) fn vectors(&mut self, count: usize) -> Result<Vec<DVec2>, FlowError> {
        (0..count).map(|_| self.vector()).collect()
    }

    /// A number of entries that follow; each has a number at least.
    pub(crate) fn count(&mut self) -> Result<usize, FlowError> {
        let count = self.one()?;
        let is_count = count >= 0.0 && count.fract() == 0.0 && count <= self.0.len() as f64;
        is_count
            .then_some(count as usize)
            .ok_or(FlowError::OtherState)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn finish(self) -> Result<(), FlowError> {
        self.0.is_empty().then_some(()).ok_or(FlowError::OtherState)
    }
}

pub(crate) fn put(out: &mut Vec<f64>, vectors: &[DVec2]) {
    out.extend(vectors.iter().flat_map(DVec2::to_array));
}

/// Appends a flow on triangles without rigid bodies.
pub(crate) fn put_field(out: &mut Vec<f64>, field: &FlowField) {
    let FlowField {
        velocity,
        bubbles,
        pressure,
        motions,
        residual,
    } = field;
    debug_assert!(motions.is_empty(), "bodies are viscous here");
    put(out, velocity);
    put(out, bubbles);
    out.extend_from_slice(pressure);
    out.push(*residual);
}

/// Reads a flow on so many nodes and triangles.
pub(crate) fn take_field(
    numbers: &mut Numbers<'_>,
    nodes: usize,
    triangles: usize,
) -> Result<FlowField, FlowError> {
    Ok(FlowField {
        velocity: numbers.vectors(nodes)?,
        bubbles: numbers.vectors(triangles)?,
        pressure: numbers.list(nodes)?.to_vec(),
        motions: Vec::new(),
        residual: numbers.one()?,
    })
}

impl Unsteady {
    /// All that determines the next steps beside the settings, and what the last step left: time, places and motions of bodies, the flow, memories of contacts.
    pub fn state(&self) -> Vec<f64> {
        let mut state = vec![self.time];
        for body in &self.bodies {
            let pose = body.body.pose;
            put(&mut state, &[pose.position, body.motion.velocity]);
            let turn = [pose.rotation.cos, pose.rotation.sin];
            state.extend(turn.into_iter().chain([body.motion.angular_velocity]));
        }
        let fields = [
            &self.velocities.u,
            &self.velocities.v,
            &self.stream,
            &self.pressure,
        ];
        for field in fields {
            state.extend_from_slice(field);
        }
        put(&mut state, &self.fluid_forces);
        self.memories.put(&mut state);
        state
    }

    /// Goes back to a state of a flow with the same settings.
    ///
    /// # Errors
    /// When it is the state of another flow, or not finite; this one is then as it was.
    pub fn restore(&mut self, state: &[f64]) -> Result<(), FlowError> {
        let mut numbers = Numbers::new(state)?;
        let time = numbers.one()?;
        let mut bodies = self.bodies.clone();
        for body in &mut bodies {
            body.body.pose.position = numbers.vector()?;
            body.motion.velocity = numbers.vector()?;
            body.body.pose.rotation.cos = numbers.one()?;
            body.body.pose.rotation.sin = numbers.one()?;
            body.motion.angular_velocity = numbers.one()?;
        }
        let counts = [
            self.velocities.u.len(),
            self.velocities.v.len(),
            self.stream.len(),
            self.pressure.len(),
        ];
        let mut fields = [const { Vec::new() }; 4];
        for (field, count) in fields.iter_mut().zip(counts) {
            *field = numbers.list(count)?.to_vec();
        }
        let fluid_forces = numbers.vectors(bodies.len())?;
        let memories = Memories::take(&mut numbers)?;
        numbers.finish()?;
        let [u, v, stream, pressure] = fields;
        self.velocities = FaceField { u, v };
        (self.stream, self.pressure) = (stream, pressure);
        (self.time, self.bodies, self.fluid_forces) = (time, bodies, fluid_forces);
        self.memories = memories;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::ContactLaw;
    use crate::FlowError;
    use crate::elements::bed::{Bed, BedSettings};
    use crate::settling::SettlingSettings;

    fn bits(state: &[f64]) -> Vec<u64> {
        state.iter().map(|value| value.to_bits()).collect()
    }

    #[test]
    fn a_restored_flow_goes_on_bit_for_bit() {
        let settings = SettlingSettings {
            resolution: 16,
            dt: 5e-3,
            law: ContactLaw::Gluey,
            ..SettlingSettings::TWO_DISCS
        };
        let mut flow = settings.two_discs().unwrap();
        // Until the discs stick: there is a memory.
        let mut sticking = 0;
        for _ in 0..60 {
            sticking = flow.step().unwrap().sticking;
            if sticking > 0 {
                break;
            }
        }
        assert!(sticking > 0);
        let mut again = settings.two_discs().unwrap();
        again.restore(&flow.state()).unwrap();
        for _ in 0..3 {
            let reports = [flow.step().unwrap(), again.step().unwrap()];
            assert_eq!(reports[0], reports[1]);
            assert_eq!(bits(&flow.state()), bits(&again.state()));
        }
        let other = SettlingSettings {
            resolution: 20,
            ..settings
        };
        let mut other = other.two_discs().unwrap();
        assert_eq!(other.restore(&flow.state()), Err(FlowError::OtherState));
    }

    #[test]
    fn a_restored_bed_goes_on_bit_for_bit() {
        let settings = BedSettings {
            cells: 80,
            // Heavy discs, which touch at once: there are memories.
            gravity: 60.0,
            law: ContactLaw::Gluey,
            ..BedSettings::default()
        };
        let mut bed = Bed::new(settings).unwrap();
        let start = bed.state();
        for _ in 0..4 {
            bed.step().unwrap();
        }
        let mut again = Bed::new(settings).unwrap();
        assert_eq!(bits(&start), bits(&again.state()));
        again.restore(&bed.state()).unwrap();
        assert_eq!(bits(&bed.state()), bits(&again.state()));
        let reports = [bed.step().unwrap(), again.step().unwrap()];
        assert_eq!(reports[0], reports[1]);
        assert!(reports[0].sticking > 0);
        assert_eq!(bits(&bed.state()), bits(&again.state()));
        let state = bed.state();
        let cut = again.restore(&state[..state.len() - 1]);
        assert_eq!(cut, Err(FlowError::OtherState));
        // Back to the start, where there is no flow yet.
        again.restore(&start).unwrap();
        assert_eq!(bits(&start), bits(&again.state()));
    }
}
