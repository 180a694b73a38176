//! Modes of elements, and how they follow from each other at events, whatever engine integrates the motion.

mod basis;
pub(crate) mod continuations;
mod mode;
mod redundancy;
pub(crate) mod resolve;

pub(crate) use basis::{Basis, DEPENDENT};
pub(crate) use mode::{ContactMode, Side, SliderMode, StopMode, direction};
pub(crate) use redundancy::{Distribution, RedundantContact, Shares};
