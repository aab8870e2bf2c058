//! The solver against published counts, against slow solvers that share nothing with it, and
//! against itself with other numbers of threads and with next to no memory.

mod depth;
mod memory;
mod placing;
mod plain;
mod reference;
mod scratch;
mod seeds;
mod slow_draughts;
mod slow_memory;
mod slow_morris;
mod slow_placing;
mod solution;
mod threads;
