//! Contacts at rest and how they may go on, whatever engine integrates the motion.

pub(crate) mod continuations;
mod mode;

pub(crate) use mode::{ContactMode, Side, StopMode, direction};
