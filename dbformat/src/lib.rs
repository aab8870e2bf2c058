//! The files of a database: what is written, how damage is noticed, how it is read back.
//!
//! ```text
//! <db>/<ruleset>/manifest.json   every file with its size and BLAKE3        Manifest
//! <db>/<ruleset>/<table>.record  the same of one table: when it is there, the table is finished
//! <db>/<ruleset>/<table>.wld     an outcome for every position              ┐
//! <db>/<ruleset>/<table>.dtw     the plies of the won and lost positions    │ Table
//! <db>/<ruleset>/<table>.drw     the ranks of the drawn positions           ┘
//! ```
//!
//! A table file is a [`Header`] of fixed size, the blocks, and an index of the blocks. Positions
//! are cut into blocks of equal count; a block is coded on its own by a [codec] and followed by
//! its own checksum, so a probe reads and decodes one block, and believes nothing unchecked.
//! Opening reads the header and the index, no block. `docs/format.md` specifies every byte.
//!
//! Up to three files make a [`Table`]: a `.dtw` and a `.drw` hold what they hold *given* the outcomes
//! that the `.wld` yields, so they are opened together with that file and with no other.
//!
//! Nothing here knows a particular game: a table is a name and a number of positions.

mod atomic;
mod bus;
mod checksum;
mod claim;
pub mod codec;
mod compact;
mod error;
mod file;
mod header;
mod host;
mod index;
mod lazy_features;
mod lock;
mod presence;
mod reader;
mod record;
mod regular;
mod rules;
mod sealed;
mod source;
mod statistics;
mod store;
mod table;
mod writer;

pub use atomic::{AtomicFile, clean_leftovers, write_whole};
pub use bus::survive_cut_files;
pub use checksum::{PairId, ScoresId, blake3_of_file};
pub use claim::{Claim, ClaimWay, Claims, HeldClaim, LEASE_EXPIRY};
pub use codec::draws::{DrawCodec, DrawEntry, DrawExamples, RankList, StoredRank};
pub use codec::{EncodeContext, FileCodec, OutcomeCodec, PlyCodec};
pub use compact::{copy_file, mark_plies_left_out};
pub use error::{Error, Part, Result};
pub use file::{Cut, Expected, TableFile};
pub use header::{FORMAT_VERSION, Header, Kind, MAX_INDEX, MAX_NAME, MAX_POSITIONS_PER_BLOCK};
pub use host::host;
pub use lazy_features::{FeatureBuffer, LazyFeatures, UnitFeatures};
pub use lock::Lock;
pub use presence::{Plies, Presence};
pub use reader::{ReadAs, TableReader};
pub use record::{FileRecord, Manifest};
pub use rules::Rules;
pub use source::Source;
pub use statistics::Statistics;
pub use store::{Listed, Record, Store, file_name};
pub use table::{DecodeContext, Table};
pub use writer::{FileSummary, FinishedFile, TableSpec, TableWriter};
