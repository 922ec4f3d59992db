//! The state of a flow as a list of numbers and back, bit for bit: what a checkpoint of it holds.
//!
//! Grid, shapes, densities and settings are no part of it: a state is restored into a flow that was made with the same settings.

use crate::FlowError;
use crate::advection::FaceField;
use crate::gluey::Memories;
use crate::numbers::{Numbers, put};
use crate::unsteady::Unsteady;

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
