//! The files of a database: what is written, how damage is noticed, how it is read back.
//!
//! ```text
//! <db>/<ruleset>/manifest.json   every file with its size and BLAKE3        Manifest
//! <db>/<ruleset>/<table>.wld     an outcome for every position              OutcomeTable
//! <db>/<ruleset>/<table>.dtw     the plies of the won and lost positions    PlyTable
//! ```
//!
//! A table file is a [`Header`] of fixed size, the blocks, and an index of the blocks. Positions
//! are cut into blocks of equal count; a block is coded on its own by a [`Codec`] and followed by
//! its own checksum, so a probe reads and decodes one block, and believes nothing unchecked.
//! Opening reads the header and the index, no block. `docs/format.md` specifies every byte.
//!
//! Two files make a pair: a `.dtw` holds plies *given* the outcomes that its `.wld` yields, so it
//! is opened together with that [`OutcomeTable`] and with no other.
//!
//! Nothing here knows a particular game: a table is a name and a number of positions.

mod atomic;
mod checksum;
pub mod codec;
mod error;
mod header;
mod index;
mod lock;
mod manifest;
mod rules;
mod source;
mod statistics;
mod store;
mod table;
mod writer;

pub use atomic::{clean_leftovers, write_whole};
pub use checksum::{PairId, blake3_of_file};
pub use codec::{Codec, EncodeContext};
pub use error::{Error, Part, Result};
pub use header::{FORMAT_VERSION, Header, Kind, MAX_NAME, MAX_POSITIONS_PER_BLOCK};
pub use lock::Lock;
pub use manifest::{FileRecord, Manifest};
pub use rules::Rules;
pub use source::Source;
pub use statistics::Statistics;
pub use store::{Listed, Store};
pub use table::{DecodeContext, Expected, OutcomeTable, PlyTable, TableFile};
pub use writer::{FileSummary, TableSpec, TableWriter};
