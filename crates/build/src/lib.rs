//! The translator, as an interpreter crate's `build.rs` calls it.
//!
//! From the path of the crate's root it writes `verdigris.rs` (the glue that `include_jit!`
//! includes), `verdigris.unit` (the jitcode) and `verdigris.graph` (the flow graphs as text) to
//! `OUT_DIR`, or `verdigris.mistakes`, which the macros show. `verdigris-front` checks the source,
//! `verdigris-graph` builds flow graphs; the lowering of graphs to jitcode is here.
//!
//! ```no_run
//! // build.rs
//! verdigris_build::translate("src/main.rs");
//! ```

#![forbid(unsafe_code)]

pub mod coloured;
mod glue;
mod lower;
mod mistakes;
mod translate;
mod translation;

pub use lower::lower;
pub use translate::{
    colour_crate, colour_sources, translate, translate_configured, translate_crate,
    translate_sources, translate_sources_configured, translate_to_unit,
    translate_to_unit_configured,
};
pub use translation::{Coloured, Translation};
pub use verdigris_front::Cfg;
