//! The server over real sockets. One program for all of it: what builds the tables for the tests is
//! compiled, and the tables are built, once.

mod delivery;
mod games;
mod harness;
mod limits;
#[cfg(feature = "long-tests")]
mod long;
mod review;
mod routes;
