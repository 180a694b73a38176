//! The lab: one page that holds the core and needs no server.
//!
//! Natively this crate is the page as a text, with a scenario put into it. Compiled to WebAssembly by `cargo xtask lab` it is
//! what answers inside the page: a request in JSON comes in, a [`Reply`] of a JSON head and columns of numbers goes out.

#![warn(clippy::unwrap_used, clippy::expect_used)]

#[cfg(target_arch = "wasm32")]
mod abi;
mod answer;
mod contacts;
mod histories;
#[cfg(not(target_arch = "wasm32"))]
mod page;
mod patches;
mod places;
mod reply;

pub use answer::{BUDGET, answer};
#[cfg(not(target_arch = "wasm32"))]
pub use page::{is_outdated, page, stamp};
pub use reply::Reply;
