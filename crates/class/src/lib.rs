//! Finite hypothesis classes `H ⊆ {0,1}^X`: rows are hypotheses, columns are points.
//!
//! The table of labels stands here, and knows nothing of what is searched in it:
//!
//! | module | idea |
//! | --- | --- |
//! | [`littlestone`] | the Littlestone dimension (Definition 6), shattered trees, the SOA |
//! | [`decomposition`] | irreducibility, decomposition dimension, essential hypotheses (Definitions 7 to 9) |
//! | [`atlas`] | all classes on at most 4 points up to symmetry |

pub mod atlas;
pub mod decomposition;
pub mod derive;
mod expression;
pub mod families;
mod item;
pub mod littlestone;
mod nearest;
pub mod read;
pub mod size;
pub mod spec;
pub mod stream;
pub mod symmetry;
mod table;
mod version_space;

pub use read::{Format, Header, Loaded, read_bytes, read_class};
pub use spec::{files, reads_input};
pub use spec::{load, load_as, load_relative};
pub use stream::{parse_stream, read_stream};
pub use table::{Class, ClassBuilder, Merge};
pub use version_space::VersionSpace;
