//! Memory use of the bodies.

use banquise_geometry::{ContactShape, DVec2, Shape};

use crate::body::Bodies;

/// Memory of all bodies \[bytes\], by its use. Scratch buffers of steps are not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Footprint {
    /// Outlines, as they are drawn and recorded.
    pub outlines: usize,
    /// Outlines prepared for contact queries: corners, edges and their normals.
    pub contact_outlines: usize,
    /// Points of the meshes at which drag acts.
    pub meshes: usize,
}

impl Bodies {
    /// Memory of outlines and meshes.
    pub fn footprint(&self) -> Footprint {
        let outline_of = |shape: &Shape| {
            size_of::<Shape>()
                + match shape {
                    Shape::Outline(outline) => size_of_val::<[DVec2]>(outline.vertices()),
                    Shape::Disc(_) => 0,
                }
        };
        let contact_shapes = self.contact_shapes.iter();
        Footprint {
            outlines: self.shapes().iter().map(outline_of).sum(),
            contact_outlines: contact_shapes.map(ContactShape::memory).sum(),
            meshes: self.quadrature.memory(),
        }
    }
}
