//! All tests of the library in one program: it links once.

mod at_load;
mod compare;
mod compared_response;
mod extrema;
mod facts;
mod force_elements;
mod foreign;
mod limits;
mod models;
mod own_laws;
mod patch;
mod prescribed;
mod progress;
mod response_facts;
mod scenario;
mod searches;
mod sweep;
#[path = "support/texts.rs"]
mod texts;
mod unfinished;
mod unsound;
