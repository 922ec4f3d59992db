//! Bodies that move through a fixed mesh of triangles, rigid by a penalty (Lefebvre 2007, algorithm 1.1): a hinged valve, a vesicle, a fluidised bed.

pub mod bed;
mod stepper;
mod stream;
pub mod valve;
pub mod vesicle;
