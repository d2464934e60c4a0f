//! Bounds on work, and what a running computation lets others see.

mod progress;

pub use littlestone_base::limits::*;
pub use progress::{Progress, Seen};
