//! The plain structs that cross the border.

use std::ffi::c_char;

use crate::status::Status;

/// Bytes of the text of a turn, the final 0 included.
pub const TURN_TEXT: usize = 48;
/// Bytes of the name of a table, the final 0 included.
pub const TABLE_NAME: usize = 40;
/// Bytes that the text of a position takes at the most, the final 0 included.
pub const POSITION_TEXT: usize = 128;

/// Places that a turn passes between its first and its last one, at the most.
pub const VIA: usize = 8;
/// Instead of a place in `endmill_path.from`: a man is placed from the hand.
pub const HAND: u8 = 255;

/// The colours, in `endmill_position.to_move`.
pub const WHITE: u8 = 0;
/// The other one.
pub const BLACK: u8 = 1;

/// Files are mapped into memory. They must not be changed in place while the database is open.
pub const MAPPED: u8 = 0;
/// Files are read: for network disks, 32-bit systems, and files that may be overwritten.
pub const POSITIONED: u8 = 1;

/// How a database is read, and what it may take. Begin with endmill_default_options().
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct DatabaseOptions {
    /// Bytes of decoded blocks to keep; 0 keeps none.
    pub cache_bytes: u64,
    /// Files to keep open or mapped.
    pub open_files: u32,
    /// ENDMILL_MAPPED or ENDMILL_POSITIONED.
    pub access: u8,
}

/// A position, unchecked: fill it in, or let endmill_morris(), endmill_draughts() or
/// endmill_read_position() do it. Every question checks that it is legal.
///
/// A set of places is 32 bits. Draughts: bit i is square i+1, whoever is to move. Morris: the
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
    /// White's men, and kings.
    pub white: u32,
    /// Black's men, and kings.
    pub black: u32,
    /// Which of them are kings; 0 in morris.
    pub kings: u32,
    /// Men still in White's hand; 0 in draughts.
    pub white_hand: u8,
    /// Men still in Black's hand; 0 in draughts.
    pub black_hand: u8,
    /// ENDMILL_WHITE or ENDMILL_BLACK.
    pub to_move: u8,
    /// Plies since the last removal, where a rule counts them; otherwise 0.
    pub quiet: u16,
    /// Lines that may not be closed by the next turn, where a rule bans some; otherwise 0.
    pub banned: u32,
    /// 0: room for what other rules may need.
    pub reserved: [u32; 2],
}

/// Who wins. Values are those of the side to move in the position that was asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Outcome {
    /// The side to move loses.
    Loss = -1,
    /// Neither side can force the end.
    Draw = 0,
    /// The side to move wins.
    Win = 1,
}

/// What a position or a turn is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Value {
    /// Who wins.
    pub outcome: Outcome,
    /// Plies to the end of the game: odd in a win, even in a loss, 0 = already lost. 0 in a draw,
    /// and where plies_known is false.
    pub plies: u16,
    /// Whether plies is the distance of a win or loss.
    pub plies_known: bool,
}

/// A turn in numbers. Places are the bits of endmill_position. From, to and taken tell a turn apart
/// from all others of its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Path {
    /// The men that are taken, as a set.
    pub taken: u32,
    /// Where the man comes from; ENDMILL_HAND if it is placed.
    pub from: u8,
    /// Where it ends; in draughts that may be where it came from.
    pub to: u8,
    /// How many places it visits in between: only in a capture of several jumps.
    pub via_count: u8,
    /// These places, in order; the rest is 0. One way to go, if there are several.
    pub via: [u8; VIA],
}

/// A turn with what is known of it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Turn {
    /// As the game writes it: "a1-a4xg7", "22x15x8".
    pub text: [c_char; TURN_TEXT],
    /// ENDMILL_STATUS_OK, or ENDMILL_STATUS_TABLE_MISSING: then value means nothing.
    pub status: Status,
    /// What it is worth for the side that makes it, this turn counted as a ply.
    pub value: Value,
    /// The table that is missing; empty if none is, or if no table could have that many pieces.
    pub missing: [c_char; TABLE_NAME],
    /// The turn in numbers, for endmill_play().
    pub path: Path,
}

/// Why a line of best play ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum LineEnd {
    /// The game is over.
    Finished = 0,
    /// A drawn game comes back to a position that was in the line before.
    Repetition = 1,
    /// A drawn game has gone on for long enough.
    Cut = 2,
}

/// What a database has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Coverage {
    /// Tables that are there.
    pub tables: u32,
    /// Those of them that have distances.
    pub tables_with_plies: u32,
    /// Pieces on the board in the largest of them.
    pub most_pieces: u32,
    /// Every table with this number of pieces or fewer, and none in hand, is there.
    pub complete_to: u32,
    /// Every table of the ruleset is there.
    pub whole_game: bool,
}
