//! All tests of the command line in one program: it links once.

mod bits;
mod cli;
mod crash;
mod damage;
mod edges;
mod law;
mod patch;
mod races;
mod rerun;
mod start;
mod support;
mod sweep;
mod tables;
mod unfinished;
