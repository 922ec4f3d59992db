//! Lists of numbers, as states of flows are stored, and back, bit for bit.

use banquise_fem::stokes::FlowField;
use banquise_geometry::DVec2;

use crate::FlowError;

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
