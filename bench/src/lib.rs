//! Measurements: what a run uses ([`Usage`]), how fast tables are solved, stored and probed, and how
//! well the engine plays. `endmill bench` prints them; `benches/` measures the numbering alone.

#![forbid(unsafe_code)]

mod contender;
mod draw;
mod endings;
mod matches;
mod outside;
mod probe;
mod random;
mod solve;
mod store;
mod usage;

pub use contender::Contender;
pub use endings::{Endings, play_endings};
pub use matches::{MatchScore, play_match};
pub use outside::{Judgement, judge_outside, positions_with_outcomes};
pub use probe::{Latency, PartLatency, ProbeParts, ProbeReport, ProbeRun, probe, probe_parts};
pub use random::{RandomGames, play_random};
pub use solve::{GroupUsage, SolveReport, solve};
pub use store::{StoreReport, TableUsage, store};
pub use usage::{Stopwatch, Usage, processors};
