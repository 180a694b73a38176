//! What runs for long asks for no memory on the way.

// counting allocations needs an allocator of one's own, which is unsafe by nature
#![allow(unsafe_code)]

#[path = "../support/counting.rs"]
mod counting;
#[path = "../support/kinked.rs"]
mod kinked;

mod adaptive;
mod body;
mod drive;
mod exact;
mod patch;
