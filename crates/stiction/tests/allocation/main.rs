//! What runs for long asks for no memory on the way.

use stiction_reference::{counting, kinked};

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

mod adaptive;
mod body;
mod drive;
mod exact;
mod patch;
