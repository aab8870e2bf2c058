//! The plain structs of the C interface.

use std::ffi::c_char;

use crate::status::Status;

/// Size of the text of a move in bytes, with the final 0.
pub const TURN_TEXT: usize = 48;
/// Size of the name of a table in bytes, with the final 0.
pub const TABLE_NAME: usize = 40;
/// The size of the list of tables in an endmill_draw_rank, with the terminating zero.
pub const RANK_TABLES: usize = 256;
/// The maximum size of the text of a position in bytes, with the final 0.
pub const POSITION_TEXT: usize = 128;

/// The maximum number of places between the ends of a move.
pub const VIA: usize = 8;
/// In `endmill_path.from`: a man is placed from the hand.
pub const HAND: u8 = 255;

/// White, in `endmill_position.to_move`.
pub const WHITE: u8 = 0;
/// Black, in `endmill_position.to_move`.
pub const BLACK: u8 = 1;

/// Map files into memory. They must not be changed in place while the database is open.
pub const MAPPED: u8 = 0;
/// Read files: for network disks, 32-bit systems, and files that may be overwritten.
pub const POSITIONED: u8 = 1;

/// How a database is read, and its limits. Start from endmill_default_options().
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct DatabaseOptions {
    /// Size of the cache of decoded blocks in bytes; 0 for no cache.
    pub cache_bytes: u64,
    /// The maximum number of files to keep open or mapped.
    pub open_files: u32,
    /// ENDMILL_MAPPED or ENDMILL_POSITIONED.
    pub access: u8,
}

/// A position. Fill it in, or call endmill_morris(), endmill_draughts() or
/// endmill_read_position(). Every question checks that it is legal.
///
/// A set of places is 32 bits. Draughts: bit i is square i+1, for either side to move. Morris: the
/// points in reading order, row 1 first; on the boards of 24 points
///
///      0 ---------  1 ---------  2        a1 d1 g1
///          3 -----  4 -----  5            b2 d2 f2
///              6 -  7 -  8                c3 d3 e3
///      9   10  11      12  13   14        a4 b4 c4 e4 f4 g4
///             15 - 16 - 17                c5 d5 e5
///         18 ----- 19 ----- 20            b6 d6 f6
///     21 --------- 22 --------- 23        a7 d7 g7
///
/// six: 0-2 a1 c1 e1, 3-5 b2 c2 d2, 6-9 a3 b3 d3 e3, 10-12 b4 c4 d4, 13-15 a5 c5 e5;
/// three: 0-2 a1 b1 c1, 3-5 a2 b2 c2, 6-8 a3 b3 c3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Position {
    /// White's men and kings.
    pub white: u32,
    /// Black's men and kings.
    pub black: u32,
    /// The kings among both; 0 in morris.
    pub kings: u32,
    /// Men still in White's hand; 0 in draughts.
    pub white_hand: u8,
    /// Men still in Black's hand; 0 in draughts.
    pub black_hand: u8,
    /// ENDMILL_WHITE or ENDMILL_BLACK.
    pub to_move: u8,
    /// Plies since the last removal if a rule counts them; otherwise 0.
    pub quiet: u16,
    /// Lines that the next move may not close, if a rule bans some; otherwise 0.
    pub banned: u32,
    /// Reserved for other rules: 0.
    pub reserved: [u32; 2],
}

/// Who wins, seen from the side to move in the position of the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Outcome {
    /// The side to move loses.
    Loss = -1,
    /// Neither side can force a win.
    Draw = 0,
    /// The side to move wins.
    Win = 1,
}

/// The value of a position or a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Value {
    /// Who wins.
    pub outcome: Outcome,
    /// Plies to the end of the game: odd in a win, even in a loss, 0 = already lost. 0 in a draw,
    /// and if plies_known is false.
    pub plies: u16,
    /// True if plies is the distance of a win or loss.
    pub plies_known: bool,
}

/// How good a draw is: the score of the table in which the game stays for ever, if each side prefers a
/// better score for itself.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct DrawRank {
    /// True if the position is a draw whose rank is stored; otherwise the other fields are 0.
    pub known: bool,
    /// True if the game leaves its table: then conversion_plies is the number of plies until it does.
    pub converts: bool,
    /// Plies until the game leaves its table; 0 if it stays.
    pub conversion_plies: u16,
    /// The score for the side to move, to the nearest number.
    pub score: f64,
    /// The exact score is numerator / denominator.
    pub numerator: i64,
    /// Positive if known.
    pub denominator: u64,
    /// The names of the tables with this score, separated by spaces: as many as fit.
    pub tables: [c_char; RANK_TABLES],
}

/// A move in numbers. Places are the bits of endmill_position. No two moves of a position have the
/// same from, to and taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Path {
    /// The set of captured men.
    pub taken: u32,
    /// The place the man leaves; ENDMILL_HAND if it is placed.
    pub from: u8,
    /// The place where it ends. In draughts that may be the place it leaves.
    pub to: u8,
    /// The number of places in between, in a capture of several jumps; otherwise 0.
    pub via_count: u8,
    /// These places in order, then 0. If there are several paths, one of them.
    pub via: [u8; VIA],
}

/// A move and its value.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Turn {
    /// The text of the move: "a1-a4xg7", "22x15x8".
    pub text: [c_char; TURN_TEXT],
    /// ENDMILL_STATUS_OK, or ENDMILL_STATUS_TABLE_MISSING, which leaves value without a meaning.
    pub status: Status,
    /// Its value for the side that makes it; the move counts as a ply.
    pub value: Value,
    /// The missing table; empty if none is missing, or if no table has that many pieces.
    pub missing: [c_char; TABLE_NAME],
    /// The move in numbers, for endmill_play().
    pub path: Path,
}

/// Why a line of best play ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum LineEnd {
    /// The game is over.
    Finished = 0,
    /// A drawn game repeats a position of the line.
    Repetition = 1,
    /// A drawn game has reached the maximum length of a line.
    Cut = 2,
}

/// The contents of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Coverage {
    /// The number of tables.
    pub tables: u32,
    /// The number of tables with distances.
    pub tables_with_plies: u32,
    /// The number of pieces on the board in the largest table.
    pub most_pieces: u32,
    /// Every table with at most this number of pieces, and none in hand, is there.
    pub complete_to: u32,
    /// True if every table of the ruleset is there.
    pub whole_game: bool,
}
