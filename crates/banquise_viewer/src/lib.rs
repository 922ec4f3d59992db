//! A run in the browser: a server for this machine alone, and the page it serves.
//!
//! The page is compiled in; nothing is fetched from anywhere else. A [`Source`] is what it shows: a recording, or a
//! run that goes on while one looks. [`Server::start`] binds to 127.0.0.1 and answers until it is dropped.
//!
//! | module | holds |
//! |---|---|
//! | `http` | requests within bounds, responses |
//! | `server` | connections; which requests are answered |
//! | `routes` | what there is to ask for |
//! | `files` | files beside the recording, and none outside its folder |
//! | `recorded`, `live` | the two sources |
//! | `encode` | outlines and poses as bytes for the graphics card |
//! | `contacts`, `charts`, `measures`, `paths`, `ranges`, `weather` | what lies on and beside the ice |
//!
//! Not here: no terminal, no physics.

#![forbid(unsafe_code)]

mod charts;
mod contacts;
mod encode;
mod error;
mod files;
mod http;
mod live;
mod measures;
mod paths;
mod ranges;
mod recorded;
mod routes;
mod server;
mod source;
mod stage;
mod weather;

pub use error::ViewError;
pub use live::LiveRun;
pub use recorded::RecordedRun;
pub use server::{Server, exchange};
pub use source::Source;
